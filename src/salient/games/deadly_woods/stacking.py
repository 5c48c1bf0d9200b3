"""The Deadly Woods: chapter 6, stacking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from salient.common.naming import NamingFrame, above
from salient.common.sides import ALLIED
from salient.common.stacks import hex_sets, occupied, units_at
from salient.games.deadly_woods.components import Units
from salient.games.deadly_woods.model import WoodsState, take_off
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import Group, HexSet, UnitId
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.messages import Sink


@lru_cache(maxsize=1 << 14)
def refuse_stack(known: Units, units: Group, engineer_corps: str = "") -> Refusal | None:
    """Why units may not be together in a hex: a division and one more; one nation; one US corps [6, 6.1]."""
    counts: dict[str, int] = {}
    for u in units:
        counts[known.formation[u]] = counts.get(known.formation[u], 0) + 1
    if len(units) - max(counts.values(), default=0) > 1:
        return Refusal("6", "division-and-one")
    return refuse_mixture(known, units, engineer_corps)


@lru_cache(maxsize=1 << 14)
def refuse_mixture(known: Units, units: Group, engineer_corps: str = "") -> Refusal | None:
    """Why units may not mix: one nation, one US corps; those without a corps go with any [6.1]."""
    nations, corps = {known.nation[u] for u in units}, {engineer_corps, *(known.corps[u] for u in units)}
    if len(nations) > 1:
        return Refusal("6.1", "british-and-us")
    if len(corps - {""}) > 1:
        return Refusal("6.1", "two-corps")
    return None


def shared(s: WoodsState, side: int) -> HexSet:
    """The hexes that hold more than one unit of a side, as bits."""
    return hex_sets(s, side)[4]


def engineers_on_map(s: WoodsState) -> int:
    """The hexes of Allied engineers, as bits [12.4.4]."""
    hexes, asset, size = 0, s.asset, s.ground.hexes
    for a in s.assets.engineers:
        if asset[a] < size:
            hexes |= 1 << asset[a]
    return hexes


def engineer_at(s: WoodsState, h: int) -> int:
    """The engineer asset in a hex, -1 if there is none."""
    asset = s.asset
    return next((a for a in s.assets.engineers if asset[a] == h), -1)


def corps_at(s: WoodsState, h: int) -> str:
    """The corps of the engineers in a hex, empty if there are none."""
    engineer = engineer_at(s, h)
    return s.assets.force[engineer] if engineer >= 0 else ""


def _with_those_at(s: WoodsState, u: UnitId, h: int) -> Group:
    """A unit and its friends in a hex, from which the US Delay gives way [6.3.1]."""
    side, delay = s.units.side, s.units.delay
    return (*(x for x in units_at(s, h) if x not in (u, delay) and side[x] == side[u]), u)


def refuse_joining(s: WoodsState, u: UnitId, h: int, others: Group = ()) -> Refusal | None:
    """Why a unit may not end in a hex beside those that are there and others that come with it [6, 6.1]."""
    corps = corps_at(s, h) if s.units.side[u] == ALLIED else ""
    return refuse_stack(s.units, (*_with_those_at(s, u, h), *others), corps)


def refuse_mixing(s: WoodsState, u: UnitId, h: int) -> Refusal | None:
    """Why a unit may not even pass through a hex in retreat: nations and corps do not mix [6.2]."""
    return refuse_mixture(s.units, _with_those_at(s, u, h), corps_at(s, h) if s.units.side[u] == ALLIED else "")


def barred_by_engineers(s: WoodsState, u: UnitId) -> int:
    """The hexes that a unit may pass but not end in, as bits: those with engineers of another corps [6.1]."""
    if s.units.side[u] != ALLIED:
        return 0
    assets, there = s.assets, [a for a in s.assets.engineers if s.asset[a] < s.ground.hexes]
    return mask_of(s.asset[a] for a in there if refuse_mixture(s.units, (u,), assets.force[a]))


def displace_delay(s: WoodsState, h: int, out: Sink) -> None:
    """The US Delay goes back to its box when an Allied unit enters its hex [6.3.1]."""
    if s.where[s.units.delay] == h:
        take_off(s, s.units.delay, s.ground.box)
        out("6.3.1", "delay-returns", unit=s.units.delay, hex=h)


# ---- 6.2 Enforcement ----------------------------------------------------------------------------


def is_too_many(s: WoodsState, side: int, h: int, units: Group) -> bool:
    """Whether some units of a hex are too many or do not mix [6, 6.1]."""
    return refuse_stack(s.units, units, corps_at(s, h) if side == ALLIED else "") is not None


def crowded_hexes(s: WoodsState, side: int) -> tuple[int, ...]:
    """The hexes in which a side has too many units, or units that do not mix."""
    mixed = shared(s, side) | (occupied(s, ALLIED) & engineers_on_map(s) if side == ALLIED else 0)
    return tuple(h for h in bits(mixed) if is_too_many(s, side, h, units_at(s, h)))


@dataclass(frozen=True, slots=True)
class Stacking(AutoFrame[WoodsState]):
    """Stacking limits hold at the end of a movement round, and after retreats."""

    side: int

    def run(self, s: WoodsState, out: Sink) -> None:
        crowded = crowded_hexes(s, self.side)
        if crowded:
            s.push(Overstack(self.side, crowded[0], ()))
        else:
            s.pop()


@lru_cache(maxsize=1 << 10)
def excesses(known: Units, units: Group, engineer_corps: str) -> list[frozenset[UnitId]]:
    """The smallest sets of units whose loss leaves the others within the limits: a division and perhaps one more."""
    staying = {frozenset[UnitId]()}
    for formation in {known.formation[u] for u in units}:
        division = [u for u in units if known.formation[u] == formation]
        for other in (*([u] for u in units), []):
            left = sorted({*division, *other})
            if refuse_stack(known, tuple(left), engineer_corps) is None:
                staying.add(frozenset(left))
    return [frozenset(units) - left for left in staying if not any(left < more for more in staying)]


@dataclass(frozen=True, slots=True)
class Overstack(NamingFrame[WoodsState]):
    """The owner names units in any order, none without need, until the rest is few enough; `done` eliminates them."""

    naming = "remove"
    hex: int
    named: Group  # ascending

    def more(self, s: WoodsState) -> list[UnitId]:
        """The units that may be named as well, ascending; none once the others are within the limits."""
        corps = corps_at(s, self.hex) if self.side == ALLIED else ""
        fitting = [gone for gone in excesses(s.units, units_at(s, self.hex), corps) if gone.issuperset(self.named)]
        return sorted({u for gone in fitting for u in gone}.difference(self.named))

    def legal(self, s: WoodsState) -> list[Action]:
        return [*self._namings(self.more(s)), *(("drop", u) for u in self.named)]

    def candidates(self, s: WoodsState) -> list[Action]:
        more = self.more(s)
        return self._namings(above(more, self.named) or more)

    def _namings(self, units: list[UnitId]) -> list[Action]:
        return [("remove", u) for u in units] or [("done",)]

    def commit(self, s: WoodsState, out: Sink) -> None:
        for u in self.named:
            take_off(s, u, s.ground.eliminated)
            out("6.2", "removed-overstacked", unit=u, hex=self.hex)

    def prompt(self, s: WoodsState) -> Prompt:
        more = tuple(self.more(s))
        if more:
            return Prompt("6.2", "remove-excess", hex=self.hex, units=more)
        return Prompt("6.2", "excess-is-named", hex=self.hex)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        match action:
            case ("remove", UnitId(u)) if u not in units_at(s, self.hex):
                return [Refusal("6.2", "remove-from-that-hex", unit=u, hex=self.hex)]
            case ("remove", UnitId(u)) if u in self.named:
                return [Refusal("6.2", "excess-named-already", unit=u)]
            case ("remove", UnitId(u)) if self.more(s):
                return [Refusal("6.2", "may-stay", unit=u, hex=self.hex)]
            case ("drop", int(piece)):
                return [Refusal("6.2", "not-named", piece=piece)]
        return [Refusal("6.2", "remove-first" if self.more(s) else "excess-is-named", hex=self.hex)]
