"""Target Arnhem: what the judge counts unit by unit, mended where something has changed since it last looked.

Whole numbers and halves are mended. What is neither is kept by unit and added up in the order of the units, so that a
survey that was mended gives the same sums as one made afresh.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from itertools import compress
from operator import ne
from typing import NamedTuple

from salient.common.sides import ALLIED, GERMAN
from salient.games.target_arnhem.combat import terrain_shift
from salient.games.target_arnhem.model import (
    AIRBORNE,
    ALL_HEXES,
    AREA_HEXES,
    AREAS,
    ARNHEM,
    BOARD,
    CANAL_STEPS,
    DIVISIONS,
    DROPS,
    ELIMINATED,
    ENTRY,
    HALVING,
    HEXES,
    POOL,
    POOLS,
    RATIOS,
    RED_ROAD,
    RESISTANCE,
    SIDE,
    SIDE_UNITS,
    SS,
    STACKING_LIMIT,
    STEPS,
    STRENGTH,
    TABLE,
    TOUCHING,
    TURNS,
    UNITS,
    WAITING,
    WEHRMACHT,
    ArnhemState,
    occupied,
)
from salient.games.target_arnhem.movement import area_p_open, next_to
from salient.games.target_arnhem.supply import corps_supply, german_supply, zone_supply
from salient.hexes.flood import compile_masks, spread
from salient.hexes.masks import bit, bits
from salient.hexes.sets import NO_HEXES, HexSet

COUNT = len(UNITS)
OPEN_STEPS = compile_masks(BOARD, lambda a, b: bool(STEPS[a] >> b & 1))
OPEN_CANALS = compile_masks(BOARD, lambda a, b: bool(CANAL_STEPS[a] >> b & 1))
FAR = 12

# ---- what units are worth, and where they are wanted ---------------------------------------------------------


def distances(goals: int) -> tuple[int, ...]:
    """By hex and area: the steps to the nearest goal over land, bridges and canals, at most FAR."""
    steps = [FAR] * (HEXES + len(AREAS))
    reached = frontier = goals
    for distance in range(FAR):
        for h in bits(frontier):
            steps[h] = distance
        frontier = (spread(frontier, OPEN_STEPS) | spread(frontier, OPEN_CANALS)) & ~reached
        reached |= frontier
    for area, hexes in AREA_HEXES.items():
        steps[area] = min(FAR, 1 + min(steps[h] for h in bits(hexes)))
    return tuple(steps)


TO_ROAD = distances(RED_ROAD)
TO_ARNHEM = distances(bit(ARNHEM))


def _away(u: int) -> tuple[float, ...]:
    """By place: how far from where the unit is wanted, by its strength."""
    if SIDE[u] == GERMAN:
        known = [STRENGTH[u] * (0.10 * TO_ROAD[h] + 0.02 * TO_ARNHEM[h]) for h in range(WAITING)]
        return (*known, 0.15 * STRENGTH[u] * FAR, 0.0)
    known = [STRENGTH[u] * (0.10 * max(0, TO_ROAD[h] - 1) + 0.06 * TO_ARNHEM[h]) for h in range(WAITING)]
    waiting = 0.06 * STRENGTH[u] * FAR / 2 if DROPS[u] else known[ENTRY]
    return (*known, waiting + 0.5, 0.0)


WORTH = tuple(STRENGTH[u] + RESISTANCE[u] for u in range(COUNT))
PER_POINT = tuple(WORTH[u] / RESISTANCE[u] for u in range(COUNT))
LOST = tuple(1.3 * WORTH[u] for u in range(COUNT))
HURT = tuple(0.6 * PER_POINT[u] for u in range(COUNT))
STARVING = tuple(0.5 * PER_POINT[u] + 0.1 * STRENGTH[u] for u in range(COUNT))
AWAY = tuple(_away(u) for u in range(COUNT))
ZONE_LOST = 5.0  # a division without its zone can only come by 0103
FORTIFIED = 1.5

POOL_SIDE = tuple(GERMAN if pool in (WEHRMACHT, SS) else ALLIED for pool in range(len(POOLS)))
# By unit: its place in the sums, the Allies first.
ORDER = {u: i for i, u in enumerate((*SIDE_UNITS[ALLIED], *SIDE_UNITS[GERMAN]))}
FIRST_GERMAN = len(SIDE_UNITS[ALLIED])

# ---- what attacks promise --------------------------------------------------------------------------------------

# By hex: its neighbours that can attack it, with the share of their strength that counts.
ATTACKED_FROM = tuple(tuple((n, 0.5 if HALVING[h] >> n & 1 else 1.0) for n in bits(TOUCHING[h])) for h in range(HEXES))
SHIFT = tuple(terrain_shift(h) for h in range(HEXES))
RATIO_VALUES = [a / d for a, d in RATIOS]
PLACE_WORTH = tuple(5.0 if h == ARNHEM else 2.0 if RED_ROAD >> h & 1 else 0.0 for h in range(HEXES))
HARM = tuple(sum(cell[1] - 0.6 * cell[0] for cell in column) / len(column) for column in TABLE)


# ---- the survey --------------------------------------------------------------------------------------------------


class Stack(NamedTuple):
    """The units of a side in a hex or an area."""

    units: tuple[int, ...]  # ascending
    strength: float
    worth: int
    points: int  # the damage that it can take


Stacks = tuple[dict[int, Stack], dict[int, Stack]]  # by side, and by hex or area
Held = tuple[HexSet, HexSet]  # by side: the hexes of its units


class Survey(NamedTuple):
    """What was counted, and the units as they stood. Lists of floats go by ORDER."""

    where: list[int]
    damage: list[int]
    fortified: list[int]
    turn: int
    zones: list[int]
    held: Held
    supplied: tuple[int, ...]  # by pool: the hexes in which its units are supplied, as bits
    stacks: Stacks
    areas: int  # the areas with units, as bits
    crowded: HexSet  # the hexes with units beyond the stacking limit
    losses: list[float]
    starving: list[float]
    away: list[float]  # two for each unit: how far it is from where it is wanted, and more if its zone is lost
    front: HexSet  # the hexes with units next to enemies
    threats: list[float]  # by the first unit of a hex: what its side stands to lose there to the enemies next to it
    pressure: list[float]  # the same for the odds against it on the road; both for the Allies


NOBODY = Survey(
    [WAITING] * COUNT, [0] * COUNT, [0] * COUNT, 0, [], (NO_HEXES, NO_HEXES), (), ({}, {}), 0, NO_HEXES,
    [0.0] * COUNT, [0.0] * COUNT, [0.0] * 2 * COUNT, NO_HEXES, [0.0] * COUNT, [0.0] * COUNT,
)  # fmt: skip


def survey(s: ArnhemState) -> Survey:
    """What stands on the board; only what has changed since the last time is counted anew."""
    before = s.surveyed
    held = occupied(s, ALLIED), occupied(s, GERMAN)
    if before is None or before.turn != s.turn:
        s.surveyed = before = _mended(s, NOBODY, held, _supplied(s, *held), set(range(COUNT)))
        return before
    units: set[int] = set()
    for then, now in ((before.where, s.where), (before.damage, s.damage), (before.fortified, s.fortified)):
        if then != now:
            units.update(compress(range(COUNT), map(ne, then, now)))
    zones_changed = before.zones != s.zones
    if zones_changed:
        units.update(u for u in bits(AIRBORNE) if (before.zones[POOL[u]] < 0) != (s.zones[POOL[u]] < 0))
    if units or zones_changed:
        supplied = before.supplied if held == before.held and not zones_changed else _supplied(s, *held)
        if supplied != before.supplied:
            units |= _with_other_supply(before, supplied, held)
        s.surveyed = before = _mended(s, before, held, supplied, units)
    return before


def _supplied(s: ArnhemState, allied: HexSet, german: HexSet) -> tuple[int, ...]:
    """By pool: the hexes in which its units are supplied, as bits."""
    corps = corps_supply(german)
    by_pool = [corps] * len(POOLS)
    by_pool[WEHRMACHT] = by_pool[SS] = german_supply(allied, area_p_open(s))
    for division in DIVISIONS:
        if s.zones[division] >= 0:
            by_pool[division] = corps | zone_supply(s.zones[division], german)
    return tuple(by_pool)


def _with_other_supply(before: Survey, supplied: tuple[int, ...], held: Held) -> set[int]:
    """The units in hexes where supply has changed; those that have just come there are found anyway."""
    changed = [0, 0]
    for pool, (then, now) in enumerate(zip(before.supplied, supplied, strict=True)):
        changed[POOL_SIDE[pool]] |= then ^ now
    return {
        u
        for side in (ALLIED, GERMAN)
        for h in bits(changed[side] & held[side] & before.held[side])
        for u in before.stacks[side][h].units
    }


def _mended(s: ArnhemState, before: Survey, held: Held, supplied: tuple[int, ...], units: set[int]) -> Survey:
    stacks = before.stacks[ALLIED].copy(), before.stacks[GERMAN].copy()
    touched = filled = crowded = 0
    for side, members in enumerate(_members(s, before, units)):
        for place, here in members.items():
            if here:
                stacks[side][place] = _stack(s, place, here, supplied)
            else:
                stacks[side].pop(place, None)
            touched |= 1 << place
            filled |= (len(here) > 0) << place
            crowded |= (len(here) > STACKING_LIMIT) << place
    front = next_to(held[GERMAN]) & held[ALLIED] | next_to(held[ALLIED]) & held[GERMAN]
    return Survey(
        s.where.copy(), s.damage.copy(), s.fortified.copy(), s.turn, s.zones.copy(), held, supplied, stacks,
        (before.areas & ~touched | filled) & ~ALL_HEXES, (before.crowded & ~touched | crowded) & ALL_HEXES,
        *_losses(s, before, supplied, units), front, *_threats(s, before, stacks, touched & ALL_HEXES, front),
    )  # fmt: skip


def _members(s: ArnhemState, before: Survey, units: set[int]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """By side, and by hex or area in which some units have changed: all its units, ascending."""
    members: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
    for u in units:
        side = SIDE[u]
        mine, known = members[side], before.stacks[side]
        left, came = before.where[u], s.where[u]
        for place in (left, came):
            if place < WAITING and place not in mine:
                mine[place] = [*known[place].units] if place in known else []
        if left < WAITING and left != came:
            mine[left].remove(u)
        if came < WAITING and u not in mine[came]:
            insort(mine[came], u)
    return members


def _losses(
    s: ArnhemState, before: Survey, supplied: tuple[int, ...], units: set[int]
) -> tuple[list[float], list[float], list[float]]:
    """Losses, what starving costs, and how far units are away."""
    losses, starving, away = before.losses.copy(), before.starving.copy(), before.away.copy()
    for u in units:
        place, i = s.where[u], ORDER[u]
        away[2 * i] = AWAY[u][place]
        away[2 * i + 1] = ZONE_LOST if place == WAITING and DROPS[u] and s.zones[POOL[u]] < 0 else 0.0
        if place < HEXES:
            losses[i] = HURT[u] * s.damage[u] - FORTIFIED * s.fortified[u]
            starving[i] = 0.0 if supplied[POOL[u]] >> place & 1 else STARVING[u]
        else:
            losses[i] = LOST[u] if place == ELIMINATED else 0.0
            starving[i] = 0.0
    return losses, starving, away


def _stack(s: ArnhemState, place: int, units: list[int], supplied: tuple[int, ...]) -> Stack:
    strength, worth, points = 0.0, 0, 0
    for u in units:
        strength += STRENGTH[u] if supplied[POOL[u]] >> place & 1 else STRENGTH[u] / 2
        worth += WORTH[u]
        points += RESISTANCE[u] - s.damage[u] + s.fortified[u]
    return Stack(tuple(units), strength, worth, points)


# ---- what each side stands to lose --------------------------------------------------------------------------------


def urgency(turn: int) -> float:
    """How much more places matter towards the end."""
    return 0.5 + turn / TURNS


def _threats(
    s: ArnhemState, before: Survey, stacks: Stacks, changed: int, front: HexSet
) -> tuple[list[float], list[float]]:
    """What each side stands to lose to the enemies next to it, and the odds against it on the road."""
    threats, pressure = before.threats.copy(), before.pressure.copy()
    changed |= next_to(changed)
    for h in bits(changed & before.front):
        for by_place in before.stacks:
            if h in by_place:
                i = ORDER[by_place[h].units[0]]
                threats[i] = pressure[i] = 0.0
    for h in bits(changed & front):
        for side in (ALLIED, GERMAN):
            if h in stacks[side]:
                i = ORDER[stacks[side][h].units[0]]
                threats[i], pressure[i] = _threat(stacks, side, h, urgency(s.turn))
    return threats, pressure


def _threat(stacks: Stacks, side: int, h: int, urgency: float) -> tuple[float, float]:
    _, defence, worth, held = stacks[side][h]
    enemies = stacks[1 - side]
    attack = 0.0
    for n, share in ATTACKED_FROM[h]:
        if n in enemies:
            attack += enemies[n].strength * share
    odds = attack / defence
    pressure = 0.0
    if RED_ROAD >> h & 1:
        pressure = min(odds, 3.0) if side == GERMAN else -0.4 * min(odds, 3.0)
    column = bisect_right(RATIO_VALUES, odds) - 1 + SHIFT[h]
    harm = HARM[min(max(column, 0), len(HARM) - 1)]
    if harm <= 0:
        return 0.0, pressure
    threat = harm * worth / held + min(1.0, harm / held) * (PLACE_WORTH[h] * urgency)
    return threat if side == GERMAN else -threat, pressure
