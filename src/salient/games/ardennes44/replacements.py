"""Ardennes '44: 25.2, replacements."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import occupied, on_map, put
from salient.games.ardennes44.model import (
    ARMOR,
    ARTILLERY,
    BRIGADE_150,
    BRITISH,
    CITY,
    COLOUR,
    ELIMINATED,
    ENTRIES,
    ENTRY_HEXES,
    HEXES,
    LARGE,
    MOBILITY,
    POOL,
    REMNANT,
    REPLACEMENTS,
    SIDE,
    SIDE_UNITS,
    SPLIT,
    STEPS,
    TOWN,
    TQ,
    TYPE,
    VDH,
    VEHICLE,
    ArdennesState,
    take_off,
    within,
)
from salient.games.ardennes44.stacking import refuse_joining
from salient.games.ardennes44.supply import enemy_blocks, road_network, traces
from salient.games.ardennes44.zones import next_to, out_of_bounds, zone
from salient.hexes.masks import bits, mask_of
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.messages import Sink

NEAR = 5  # hexes [25.2.2]
TOO_GOOD = 5  # tank quality of Germans that are not replaced [25.2.5]

# ---- 25.2.5 Who can be given replacements ----------------------------------------------------------------


def needs_armor_point(u: int) -> bool:
    """Whether a unit takes the replacement for armour, reconnaissance and flak [25.2.1]."""
    return MOBILITY[u] == VEHICLE


def refuse_ever(u: int) -> Refusal | None:
    """Why a unit can never be given replacements [25.2.5]."""
    german_elite = SIDE[u] == GERMAN and ((ARMOR[u] and TQ[u] >= TOO_GOOD) or TYPE[u] == "heavy")
    airborne = SIDE[u] == ALLIED and TYPE[u] == "parachute"
    special = u in (VDH, BRIGADE_150) or ARTILLERY[u] or BRITISH[u] or SPLIT[u] or REMNANT[u]
    return Refusal("25.2.5", "never-replaced", unit=u) if german_elite or airborne or special else None


def refuse_replacement(s: ArdennesState, u: int) -> Refusal | None:
    """Why a reduced unit cannot be restored [25.2.2, 25.2.5]."""
    if refusal := refuse_ever(u):
        return refusal
    if not on_map(s, u) or not s.lost[u]:
        return Refusal("25.2.2", "not-reduced", unit=u)
    return _refuse_state(s, u) or refuse_joining(_with_steps_lost(s, u, s.lost[u] - 1), u, s.where[u])


def _with_steps_lost(s: ArdennesState, u: int, lost: int) -> ArdennesState:
    after = s.clone()
    after.lost[u] = lost
    return after


def _refuse_state(s: ArdennesState, u: int) -> Refusal | None:
    if next_to(occupied(s, 1 - SIDE[u])) >> s.where[u] & 1:
        return Refusal("25.2.2", "next-to-enemy", unit=u)
    if s.order[u] or (s.oos | s.engaged | s.march | s.night_marks) >> u & 1:
        return Refusal("25.2.5", "not-replaceable-now", unit=u)
    return None if traces(s, u) else Refusal("25.2.5", "not-replaceable-now", unit=u)


# ---- 25.2.2, 25.2.3 Bringing units back -----------------------------------------------------------------------


def rebuilding_hexes(s: ArdennesState, u: int) -> list[int]:
    """Where an eliminated unit may come back, ascending."""
    if s.where[u] != ELIMINATED or refuse_ever(u) is not None:
        return []
    if LARGE[u]:
        return sorted({s.where[x] for x in _remnants(s, u)})
    side = SIDE[u]
    enemies = occupied(s, 1 - side)
    held = s.held if side == GERMAN else ~s.held
    hexes = (TOWN | CITY | ENTRIES[side]) & held & road_network(s, side) & ~enemy_blocks(s, side)
    hexes &= _near_colour(s, u) & ~next_to(enemies)
    if side == GERMAN:
        hexes |= mask_of(h for letter in "KLM" for h in ENTRY_HEXES[GERMAN].get(letter, ())) & ~zone(s, ALLIED)
    hexes &= ~(enemies | out_of_bounds(s, u))
    after = _with_steps_lost(s, u, STEPS[u] - 1)
    return [h for h in bits(hexes) if refuse_joining(after, u, h) is None]


def _remnants(s: ArdennesState, u: int) -> list[int]:
    """Remnants of a unit's type that can become it again [25.2.3]."""
    mine = [x for x in SIDE_UNITS[SIDE[u]] if REMNANT[x] and TYPE[x] == TYPE[u] and not BRITISH[x] and on_map(s, x)]
    return [x for x in mine if _refuse_state(s, x) is None and _fits(s, u, x)]


def _fits(s: ArdennesState, u: int, x: int) -> bool:
    after = _with_steps_lost(s, u, 1)
    take_off(after, x, POOL)
    return refuse_joining(after, u, s.where[x]) is None


def _near_colour(s: ArdennesState, u: int) -> int:
    hexes = 0
    for x in SIDE_UNITS[SIDE[u]]:
        if x != u and COLOUR[x] == COLOUR[u] and s.where[x] < HEXES:
            hexes |= within(s.where[x], NEAR)
    return hexes


def rebuild(s: ArdennesState, u: int, h: int) -> None:
    """Bring a unit back on its reduced side, a large one in the place of its remnant."""
    if LARGE[u]:
        x = next(x for x in _remnants(s, u) if s.where[x] == h)
        take_off(s, x, POOL)
    s.lost[u] = STEPS[u] - 1
    put(s, u, h)


# ---- 25.2.1 The phase ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Replace(SideFrame):
    """A side spends its replacements, on units in ascending order; one of two may go to armour."""

    left: int
    armor: int
    at: int

    def choices(self, s: ArdennesState) -> list[Action]:
        """What replacements may still be spent on."""
        units = [u for u in SIDE_UNITS[self.side] if u >= self.at and (self.armor or not needs_armor_point(u))]
        back: list[Action] = [("rebuild", u, h) for u in units for h in rebuilding_hexes(s, u)]
        return [*back, *(("replace", u) for u in units if refuse_replacement(s, u) is None)]

    def legal(self, s: ArdennesState) -> list[Action]:
        return [*self.choices(s), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "pass":
            return
        u = int(action[1])
        if action[0] == "rebuild":
            rebuild(s, u, int(action[2]))
            out("25.2.2", "rebuilt", unit=u, hex=int(action[2]))
        else:
            s.lost[u] -= 1
            out("25.2.2", "replaced", unit=u)
        s.fresh |= 1 << u
        offer(s, self.side, self.left - 1, self.armor - int(needs_armor_point(u)), u)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("25.2.1", "spend-replacements", n=self.left, n_armor=self.armor)

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if action[0] not in ("replace", "rebuild"):
            return [Refusal("25.2.1", "replacements-first")]
        u = int(action[1])
        if SIDE[u] != self.side:
            return [Refusal("25.2.1", "not-your-unit", unit=u)]
        if action[0] == "replace":
            return [refuse_replacement(s, u) or Refusal("25.2.1", "no-armor-point", unit=u)]
        return [refuse_ever(u) or Refusal("25.2.2", "not-rebuilt-there", unit=u, hex=int(action[2]))]


def offer(s: ArdennesState, side: int, left: int, armor: int, at: int) -> None:
    """Ask a side if it has anything to spend replacements on; what is left over is lost."""
    frame = Replace(side, left, armor, at)
    if left and frame.choices(s):
        s.push(frame)


def begin_replacements(s: ArdennesState, side: int) -> None:
    """Give a side the replacements of the night: with two of them one may go to armour [25.2.1]."""
    points = REPLACEMENTS[s.turn - 1][side]
    offer(s, side, points, int(points >= 2), -1)
