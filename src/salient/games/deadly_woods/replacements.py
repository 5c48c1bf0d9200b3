"""The Deadly Woods: chapter 13, replacements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from salient.common.naming import with_piece
from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import away, occupied, on_map, put
from salient.games.deadly_woods.components import INFANTRY, Units
from salient.games.deadly_woods.model import WoodsState, set_lost
from salient.games.deadly_woods.stacking import displace_delay, refuse_joining
from salient.games.deadly_woods.supply import supplied_hexes, traces
from salient.games.deadly_woods.zones import next_to
from salient.hexes.masks import bits
from salient.hexes.sets import Group, HexId, UnitId
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.messages import Sink

LUXEMBOURG_CORPS, EUPEN_CORPS = ("VIII", "III"), ("V", "VII")  # 13.2.2


Rebuilt = tuple[tuple[UnitId, int], ...]  # units and the towns in which they come back, ascending

# ---- 13.1, 13.2 What points are spent on ---------------------------------------------------------------------


def refuse_replacement(s: WoodsState, u: UnitId, given: int) -> Refusal | None:
    """Why a reduced unit that has been given some steps cannot regain another one."""
    if not on_map(s, u) or s.lost[u] <= given:
        return Refusal("13.2", "not-reduced", unit=u)
    if not traces(s, u):
        return Refusal("13.2", "replacement-needs-supply", unit=u)
    return _refuse_always(s.units, u)


def refuse_rebuilding(s: WoodsState, u: UnitId) -> Refusal | None:
    """Why an eliminated unit cannot come back [13.2.1, 13.2.2]."""
    if s.units.side[u] == GERMAN:
        return Refusal("13.2.1", "germans-not-rebuilt", unit=u)
    if s.where[u] != s.ground.eliminated:
        return Refusal("13.2.2", "not-eliminated", unit=u)
    return _refuse_always(s.units, u)


def _refuse_always(units: Units, u: UnitId) -> Refusal | None:
    if units.side[u] == ALLIED and (units.nation[u] == "british" or units.airborne[u]):
        return Refusal("13.2.2", "never-replaced", unit=u)
    return None


def free_towns(s: WoodsState) -> list[HexId]:
    """The towns in which eliminated Allied units may come back, ascending [13.2.2]."""
    germans = occupied(s, GERMAN)
    return bits(s.ground.town & ~s.german_held & supplied_hexes(s, ALLIED) & ~next_to(s.ground, germans) & ~germans)


def rebuilding_towns(s: WoodsState, u: UnitId, towns: Sequence[int], rebuilt: Rebuilt) -> list[int]:
    """Those of some towns in which an eliminated Allied unit may come back beside others [13.2.2]."""
    corps, reserved = s.units.corps[u], {s.ground.luxembourg: LUXEMBOURG_CORPS, s.ground.eupen: EUPEN_CORPS}
    allowed = [h for h in towns if corps in reserved.get(h, (corps,))]
    return [h for h in allowed if refuse_joining(s, u, h, tuple(x for x, town in rebuilt if town == h)) is None]


def _counts_as_infantry(units: Units, u: UnitId) -> bool:
    """German armour points serve mechanized units, Allied ones cavalry: by what the unit was at full strength."""
    return units.kind[u][0] == INFANTRY


# ---- 13.2 Spending ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Replace(SideFrame[WoodsState]):
    """A side names the units on which it spends its replacement points, in any order, some twice."""

    rebuilt: Rebuilt
    replaced: Group  # ascending

    @property
    def named(self) -> Group:
        """The units named so far, ascending."""
        return tuple(sorted({*self.replaced, *(u for u, _ in self.rebuilt)}))

    def points(self, s: WoodsState) -> tuple[int, int]:
        """The points that are left: infantry, armour."""
        infantry, armor = s.tables.replacements[s.turn - 1][self.side]
        spent = [_counts_as_infantry(s.units, u) for u in (*self.replaced, *(u for u, _ in self.rebuilt))]
        return infantry - sum(spent), armor - len(spent) + sum(spent)

    def refuse_points(self, s: WoodsState, u: UnitId) -> Refusal | None:
        """Why there is no point left for a unit."""
        infantry, armor = self.points(s)
        left = infantry if _counts_as_infantry(s.units, u) else armor
        return None if left else Refusal("13.2", "no-points-left", unit=u)

    def refuse(self, s: WoodsState, u: UnitId) -> Refusal | None:
        """Why a unit on the map cannot be named."""
        if any(u == x for x, _ in self.rebuilt):
            return Refusal("13.2.2", "just-rebuilt", unit=u)
        return refuse_replacement(s, u, self.replaced.count(u)) or self.refuse_points(s, u)

    def choices(self, s: WoodsState, first: int = 0, first_rebuilt: int = 0) -> list[Action]:
        """What points may still be spent on, from some units on."""
        named, lost = self.named, away(s).get(s.ground.eliminated, 0) & s.units.side_mask[self.side]
        back = [u for u in bits(lost) if u >= first_rebuilt and u not in named]
        able = [u for u in back if refuse_rebuilding(s, u) is None and self.refuse_points(s, u) is None]
        towns = free_towns(s) if able else []
        rebuild: list[Action] = [("rebuild", u, h) for u in able for h in rebuilding_towns(s, u, towns, self.rebuilt)]
        reduced = [u for u in s.units.of_side[self.side] if u >= first and s.lost[u]]
        return [*rebuild, *(("replace", u) for u in reduced if self.refuse(s, u) is None)]

    def legal(self, s: WoodsState) -> list[Action]:
        return [("done",), *(("drop", u) for u in self.named), *self.choices(s)]

    def candidates(self, s: WoodsState) -> list[Action]:
        if not self.replaced:
            return [("done",), *self.choices(s, 0, self.rebuilt[-1][0] + 1 if self.rebuilt else 0)]
        return [("done",), *self.choices(s, self.replaced[-1], s.units.count)]

    def draft(self, s: WoodsState) -> tuple[Action, ...]:
        return (*(("rebuild", u, h) for u, h in self.rebuilt), *(("replace", u) for u in self.replaced))

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        match action:
            case ("rebuild", UnitId(u), int(h)):
                s.swap(replace(self, rebuilt=tuple(sorted((*self.rebuilt, (u, h))))))
            case ("replace", UnitId(u)):
                s.swap(replace(self, replaced=with_piece(self.replaced, u)))
            case ("drop", UnitId(u)):
                at = self.replaced.index(u) if u in self.replaced else len(self.replaced)
                rebuilt = tuple(pair for pair in self.rebuilt if pair[0] != u)
                s.swap(replace(self, rebuilt=rebuilt, replaced=self.replaced[:at] + self.replaced[at + 1 :]))
            case _:
                s.pop()
                self._spend(s, out)

    def _spend(self, s: WoodsState, out: Sink) -> None:
        for u, h in self.rebuilt:
            displace_delay(s, h, out)
            put(s, u, h)
            set_lost(s, u, s.units.steps[u] - 1)
            out("13.2.2", "rebuilt", unit=u, hex=h)
        for u in self.replaced:
            set_lost(s, u, s.lost[u] - 1)
            s.oos &= ~(1 << u)  # it has just traced supply [8.1]
            out("13.2", "replaced", unit=u)

    def prompt(self, s: WoodsState) -> Prompt:
        infantry, armor = self.points(s)
        return Prompt("13.2", "spend-replacements", n_infantry=infantry, n_armor=armor)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        match action:
            case ("replace" | "rebuild", UnitId(u), *_) if s.units.side[u] != self.side:
                return [Refusal("13.2", "not-your-unit", unit=u)]
            case ("replace", UnitId(u)):
                refusal = self.refuse(s, u)
                return [refusal] if refusal else []
            case ("rebuild", UnitId(u), int(h)):
                if u in self.named:
                    return [Refusal("13.2.2", "just-rebuilt", unit=u)]
                refusal = refuse_rebuilding(s, u) or self.refuse_points(s, u)
                return [refusal or Refusal("13.2.2", "not-in-that-town", unit=u, hex=h)]
            case ("drop", int(piece)):
                return [Refusal("13.2", "not-named", piece=piece)]
        return [Refusal("13.2", "replacements-first")]


def offer_replacements(s: WoodsState, side: int) -> None:
    """Ask a side if it has anything to spend points on; what is left over is lost."""
    frame = Replace(side, (), ())
    if any(s.tables.replacements[s.turn - 1][side]) and frame.choices(s):
        s.push(frame)
