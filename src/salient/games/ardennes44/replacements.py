"""Ardennes '44: 25.2, replacements."""

from __future__ import annotations

from dataclasses import dataclass, replace

from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import away, occupied, on_map, present, put
from salient.games.ardennes44.components import VEHICLE, Units, within
from salient.games.ardennes44.entering import take
from salient.games.ardennes44.model import ArdennesState, reduced, set_lost, take_off
from salient.games.ardennes44.stacking import refuse_joining
from salient.games.ardennes44.supply import enemy_blocks, road_network, traces
from salient.games.ardennes44.zones import next_to, out_of_bounds, zone
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import NOBODY, UnitId
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.messages import Sink

NEAR = 5  # hexes [25.2.2]
TOO_GOOD = 5  # tank quality of Germans that are not replaced [25.2.5]

# ---- 25.2.5 Who can be given replacements ----------------------------------------------------------------


def needs_armor_point(units: Units, u: UnitId) -> bool:
    """Whether a unit takes the replacement for armour, reconnaissance and flak [25.2.1]."""
    return units.mobility[u] == VEHICLE


def refuse_ever(units: Units, u: UnitId) -> Refusal | None:
    """Why a unit can never be given replacements [25.2.5]."""
    german_elite = units.side[u] == GERMAN and (
        (units.armor[u] and units.tq[u] >= TOO_GOOD) or units.type[u] == "heavy"
    )
    airborne = units.side[u] == ALLIED and units.type[u] == "parachute"
    special = (
        u in (units.vdh, units.brigade_150)
        or units.artillery[u]
        or units.british[u]
        or units.split[u]
        or units.remnant[u]
    )
    return Refusal("25.2.5", "never-replaced", unit=u) if german_elite or airborne or special else None


def refuse_replacement(s: ArdennesState, u: UnitId) -> Refusal | None:
    """Why a reduced unit cannot be restored [25.2.2, 25.2.5]."""
    if refusal := refuse_ever(s.units, u):
        return refusal
    if not on_map(s, u) or not s.lost[u]:
        return Refusal("25.2.2", "not-reduced", unit=u)
    return _refuse_state(s, u) or refuse_joining(_with_steps_lost(s, u, s.lost[u] - 1), u, s.where[u])


def _with_steps_lost(s: ArdennesState, u: UnitId, lost: int) -> ArdennesState:
    after = s.clone()
    set_lost(after, u, lost)
    return after


def _refuse_state(s: ArdennesState, u: UnitId) -> Refusal | None:
    if next_to(s.ground, occupied(s, 1 - s.units.side[u])) >> s.where[u] & 1:
        return Refusal("25.2.2", "next-to-enemy", unit=u)
    if s.order[u] or (s.oos | s.engaged | s.march | s.night_marks) >> u & 1:
        return Refusal("25.2.5", "not-replaceable-now", unit=u)
    return None if traces(s, u) else Refusal("25.2.5", "not-replaceable-now", unit=u)


# ---- 25.2.2, 25.2.3 Bringing units back -----------------------------------------------------------------------


def rebuilding_hexes(s: ArdennesState, u: UnitId, new: int = 0) -> list[int]:
    """Where an eliminated unit may come back, ascending; `new` are units that come back in the same night."""
    if s.where[u] != s.ground.eliminated or refuse_ever(s.units, u) is not None:
        return []
    if s.units.large[u]:
        return sorted({s.where[x] for x in _remnants(s, u)})
    side = s.units.side[u]
    enemies = occupied(s, 1 - side)
    held = s.held if side == GERMAN else ~s.held
    hexes = (
        (s.ground.town | s.ground.city | s.ground.entries[side]) & held & road_network(s, side) & ~enemy_blocks(s, side)
    )
    hexes &= _near_colour(s, u, new) & ~next_to(s.ground, enemies)
    if side == GERMAN:
        hexes |= mask_of(h for letter in "KLM" for h in s.ground.entry_hexes[GERMAN].get(letter, ())) & ~zone(s, ALLIED)
    hexes &= ~(enemies | out_of_bounds(s, u))
    after = _with_steps_lost(s, u, s.units.steps[u] - 1)
    return [h for h in bits(hexes) if refuse_joining(after, u, h) is None]


def _remnants(s: ArdennesState, u: UnitId) -> list[UnitId]:
    """Remnants of a unit's type that can become it again [25.2.3]."""
    known = s.units
    mine = [
        x
        for x in known.of_side[known.side[u]]
        if known.remnant[x] and known.type[x] == known.type[u] and not known.british[x] and on_map(s, x)
    ]
    return [x for x in mine if _refuse_state(s, x) is None and _fits(s, u, x)]


def _fits(s: ArdennesState, u: UnitId, x: UnitId) -> bool:
    after = _with_steps_lost(s, u, 1)
    take_off(after, x, s.ground.pool)
    return refuse_joining(after, u, s.where[x]) is None


def _near_colour(s: ArdennesState, u: UnitId, new: int) -> int:
    hexes = 0
    for x in s.units.of_side[s.units.side[u]]:
        if x != u and not new >> x & 1 and s.units.colour[x] == s.units.colour[u] and s.where[x] < s.ground.hexes:
            hexes |= within(s.ground, s.where[x], NEAR)
    return hexes


def rebuild(s: ArdennesState, u: UnitId, h: int) -> UnitId:
    """Bring a unit back on its reduced side, a large one in the place of its remnant; the remnant, or NOBODY."""
    remnant = next((x for x in _remnants(s, u) if s.where[x] == h), NOBODY) if s.units.large[u] else NOBODY
    if remnant >= 0:
        put(s, remnant, s.ground.pool)
    set_lost(s, u, s.units.steps[u] - 1)
    put(s, u, h)
    return remnant


# ---- 25.2.1 The phase ---------------------------------------------------------------------------------------------

Spending = tuple[str, UnitId, int, UnitId]  # verb, unit, hex and remnant of a rebuilt unit
Spent = tuple[Spending, ...]  # ascending


@dataclass(frozen=True, slots=True)
class Replace(SideFrame[ArdennesState]):
    """A side spends its replacements in any order and takes them back until it is done; one of two may go to armour."""

    points: int
    spent: Spent

    @property
    def left(self) -> int:
        """Replacements that are not spent."""
        return self.points - len(self.spent)

    def armor(self, s: ArdennesState) -> int:
        """How many of them armour may have [25.2.1]."""
        return min(self.left, int(self.points >= 2) - sum(needs_armor_point(s.units, u) for _, u, _, _ in self.spent))

    def choices(self, s: ArdennesState) -> list[Action]:
        """What replacements may still be spent on."""
        if not self.left:
            return []
        units = (
            s.units.side_mask[self.side]
            if self.armor(s)
            else s.units.side_mask[self.side] & ~s.units.mobility_mask[VEHICLE]
        )
        new = mask_of(u for verb, u, _, _ in self.spent if verb == "rebuild")
        gone = away(s).get(s.ground.eliminated, 0)
        back: list[Action] = [("rebuild", u, h) for u in bits(units & gone) for h in rebuilding_hexes(s, u, new)]
        weak = bits(units & reduced(s) & present(s))
        return [*back, *(("replace", u) for u in weak if refuse_replacement(s, u) is None)]

    def legal(self, s: ArdennesState) -> list[Action]:
        named = sorted({u for _, u, _, _ in self.spent})
        return [*(("drop", u) for u in named), *self.choices(s), ("done",)]

    def candidates(self, s: ArdennesState) -> list[Action]:
        last = max(self.draft(s), default=())
        return [*(action for action in self.choices(s) if action > last), ("done",)]

    def draft(self, s: ArdennesState) -> tuple[Action, ...]:
        return tuple(_named(entry) for entry in self.spent)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        match action:
            case ("rebuild", UnitId(u), int(h)):
                self._spend(s, ("rebuild", u, h, rebuild(s, u, h)))
            case ("replace", UnitId(u)):
                set_lost(s, u, s.lost[u] - 1)
                self._spend(s, ("replace", u, -1, NOBODY))
            case ("drop", UnitId(u)):
                self._take_back(s, u)
            case _:
                s.pop()
                self._commit(s, out)

    def _spend(self, s: ArdennesState, entry: Spending) -> None:
        s.fresh |= 1 << entry[1]
        s.swap(replace(self, spent=tuple(sorted((*self.spent, entry)))))

    def _take_back(self, s: ArdennesState, u: UnitId) -> None:
        for verb, _, h, remnant in [entry for entry in reversed(self.spent) if entry[1] == u]:
            if verb == "replace":
                set_lost(s, u, s.lost[u] + 1)
                continue
            set_lost(s, u, 0)
            put(s, u, s.ground.eliminated)
            if remnant >= 0:
                put(s, remnant, h)
        s.fresh &= ~(1 << u)
        s.swap(replace(self, spent=tuple(entry for entry in self.spent if entry[1] != u)))

    def _commit(self, s: ArdennesState, out: Sink) -> None:
        for verb, u, h, remnant in self.spent:
            if verb == "rebuild":
                out("25.2.2", "rebuilt", unit=u, hex=h)
                take(s, self.side, h, out)
            else:
                out("25.2.2", "replaced", unit=u)
            if remnant >= 0:
                take_off(s, remnant, s.ground.pool)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("25.2.1", "spend-replacements", n=self.left, n_armor=self.armor(s))

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        match action:
            case ("drop", UnitId(u)):
                return [Refusal("25.2.1", "not-named", unit=u)]
            case ("replace" | "rebuild", UnitId(u), *_) if s.units.side[u] != self.side:
                return [Refusal("25.2.1", "not-your-unit", unit=u)]
            case ("replace" | "rebuild", UnitId(u), *_) if not self.left:
                return [Refusal("25.2.1", "no-replacement-left", unit=u)]
            case ("replace", UnitId(u)):
                return [refuse_replacement(s, u) or Refusal("25.2.1", "no-armor-point", unit=u)]
            case ("rebuild", UnitId(u), int(h)):
                return [refuse_ever(s.units, u) or Refusal("25.2.2", "not-rebuilt-there", unit=u, hex=h)]
        return [Refusal("25.2.1", "replacements-first")]


def _named(entry: Spending) -> Action:
    verb, u, h, _ = entry
    return ("rebuild", u, h) if verb == "rebuild" else ("replace", u)


def begin_replacements(s: ArdennesState, side: int) -> None:
    """Give a side the replacements of the night, if it has anything to spend them on; what is left over is lost."""
    frame = Replace(side, s.tables.replacements[s.turn - 1][side], ())
    if frame.choices(s):
        s.push(frame)
