"""Target Arnhem: what the judge counts unit by unit, mended where something has changed since it last looked.

Whole numbers and halves are mended. What is neither is kept by unit and added up in the order of the units, so that a
survey that was mended gives the same sums as one made afresh.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from functools import cache
from itertools import compress
from operator import ne
from typing import NamedTuple

from salient.common.data import Part
from salient.common.sides import ALLIED, GERMAN
from salient.common.sums import added
from salient.games.target_arnhem.combat import terrain_shift
from salient.games.target_arnhem.components import POOLS, Data, Ground
from salient.games.target_arnhem.model import DIVISIONS, SS, STACKING_LIMIT, WEHRMACHT, ArnhemState, occupied
from salient.games.target_arnhem.movement import area_p_open, next_to
from salient.games.target_arnhem.supply import corps_supply, german_supply, zone_supply
from salient.hexes.flood import spread
from salient.hexes.masks import bit, bits
from salient.hexes.sets import NO_HEXES, HexId, HexSet, UnitId

FAR = 12
ZONE_LOST = 5.0  # a division without its zone can only come by 0103
FORTIFIED = 1.5

# ---- what units are worth, and where they are wanted ---------------------------------------------------------


def distances(ground: Ground, goals: int) -> tuple[int, ...]:
    """By hex and area: the steps to the nearest goal over land, bridges and canals, at most FAR."""
    steps = [FAR] * ground.waiting
    reached = frontier = goals
    for distance in range(FAR):
        for h in bits(frontier):
            steps[h] = distance
        frontier = (spread(frontier, ground.open_steps) | spread(frontier, ground.open_canals)) & ~reached
        reached |= frontier
    for area, hexes in ground.area_hexes.items():
        steps[area] = min(FAR, 1 + min((steps[h] for h in bits(hexes)), default=FAR))
    return tuple(steps)


class Worths(Part):
    """What the judge knows beforehand of units and hexes."""

    def __init__(self, data: Data) -> None:
        units, ground = data.units, data.ground
        everybody, strength = units.all, units.strength
        self.worth = tuple(strength[u] + units.resistance[u] for u in everybody)
        per_point = tuple(self.worth[u] / units.resistance[u] for u in everybody)
        self.lost = tuple(1.3 * self.worth[u] for u in everybody)
        self.hurt = tuple(0.6 * per_point[u] for u in everybody)
        self.starving = tuple(0.5 * per_point[u] + 0.1 * strength[u] for u in everybody)
        to_road, to_arnhem = distances(ground, ground.red_road), distances(ground, bit(ground.arnhem))
        self.away = tuple(_away(data, u, to_road, to_arnhem) for u in everybody)
        # By unit: its place in the sums of its side; and in those of both, the Allies first.
        self.rank = {u: i for members in units.of_side for i, u in enumerate(members)}
        self.order = {u: i for i, u in enumerate((*units.of_side[ALLIED], *units.of_side[GERMAN]))}
        # By hex: its neighbours that can attack it, with the share of their strength that counts.
        self.attacked_from = tuple(
            tuple((n, 0.5 if ground.halving[h] >> n & 1 else 1.0) for n in bits(ground.touching[h]))
            for h in range(ground.hexes)
        )
        self.shift = tuple(terrain_shift(ground, h) for h in bits(ground.all_hexes))
        self.red_road = ground.red_road
        self.ratios = [a / d for a, d in data.tables.ratios]
        self.place = tuple(
            5.0 if h == ground.arnhem else 2.0 if ground.red_road >> h & 1 else 0.0 for h in range(ground.hexes)
        )
        self.harm = tuple(
            sum(cell[1] - 0.6 * cell[0] for cell in column) / len(column) for column in data.tables.combat
        )


@cache
def worths(data: Data) -> Worths:
    """What the judge knows beforehand."""
    return Worths(data)


def _away(data: Data, u: UnitId, to_road: tuple[int, ...], to_arnhem: tuple[int, ...]) -> tuple[float, ...]:
    """By place: how far from where the unit is wanted, by its strength."""
    strength, places = data.units.strength[u], range(data.ground.waiting)
    if data.units.side[u] == GERMAN:
        known = [strength * (0.10 * to_road[h] + 0.02 * to_arnhem[h]) for h in places]
        return (*known, 0.15 * strength * FAR, 0.0)
    known = [strength * (0.10 * max(0, to_road[h] - 1) + 0.06 * to_arnhem[h]) for h in places]
    waiting = 0.06 * strength * FAR / 2 if data.units.drops[u] else known[data.ground.entry]
    return (*known, waiting + 0.5, 0.0)


POOL_SIDE = tuple(GERMAN if pool in (WEHRMACHT, SS) else ALLIED for pool in range(len(POOLS)))


# ---- the survey --------------------------------------------------------------------------------------------------


class Stack(NamedTuple):
    """The units of a side in a hex or an area."""

    units: tuple[UnitId, ...]  # ascending
    strength: float
    worth: int
    points: int  # the damage that it can take


Stacks = tuple[dict[int, Stack], dict[int, Stack]]  # by side, and by hex or area
Held = tuple[HexSet, HexSet]  # by side: the hexes of its units


class Costs(NamedTuple):
    """What a side is short of, by unit in the order of `Worths.rank`, and added up."""

    losses: list[float]
    starving: list[float]
    away: list[float]  # two for each unit: how far it is from where it is wanted, and more if its zone is lost
    lost: float
    starved: float
    far: float


class Survey(NamedTuple):
    """What was counted, and the units as they stood."""

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
    costs: tuple[Costs, Costs]  # by side
    front: HexSet  # the hexes with units next to enemies
    threats: list[
        float
    ]  # by the first unit of a hex, in `Worths.order`: what its side stands to lose to those next to it
    pressure: list[float]  # the same for the odds against it on the road; both for the Allies


@cache
def _nobody(data: Data) -> Survey:
    """The survey of an empty board."""
    count, waiting = data.units.count, data.ground.waiting
    allied, german = (Costs([0.0] * n, [0.0] * n, [0.0] * 2 * n, 0.0, 0.0, 0.0) for n in map(len, data.units.of_side))
    return Survey(
        [waiting] * count, [0] * count, [0] * count, 0, [], (NO_HEXES, NO_HEXES), (), ({}, {}), 0, NO_HEXES,
        (allied, german), NO_HEXES, [0.0] * count, [0.0] * count,
    )  # fmt: skip


def survey(s: ArnhemState) -> Survey:
    """What stands on the board; only what has changed since the last time is counted anew."""
    before = s.surveyed
    held = occupied(s, ALLIED), occupied(s, GERMAN)
    if before is None or before.turn != s.turn:
        s.surveyed = before = _mended(s, _nobody(s.data), held, _supplied(s, *held), set(s.units.all))
        return before
    units: set[UnitId] = set()
    for then, now in ((before.where, s.where), (before.damage, s.damage), (before.fortified, s.fortified)):
        if then != now:
            units.update(compress(s.units.all, map(ne, then, now)))
    zones_changed = before.zones != s.zones
    if zones_changed:
        units.update(
            u for u in bits(s.units.airborne) if (before.zones[s.units.pool[u]] < 0) != (s.zones[s.units.pool[u]] < 0)
        )
    if units or zones_changed:
        supplied = before.supplied if held == before.held and not zones_changed else _supplied(s, *held)
        if supplied != before.supplied:
            units |= _with_other_supply(before, supplied, held)
        s.surveyed = before = _mended(s, before, held, supplied, units)
    return before


def _supplied(s: ArnhemState, allied: HexSet, german: HexSet) -> tuple[int, ...]:
    """By pool: the hexes in which its units are supplied, as bits."""
    corps = corps_supply(s.ground, german)
    by_pool = [corps] * len(POOLS)
    by_pool[WEHRMACHT] = by_pool[SS] = german_supply(s.ground, allied, area_p_open(s))
    for division in DIVISIONS:
        if s.zones[division] >= 0:
            by_pool[division] = corps | zone_supply(s.ground, s.zones[division], german)
    return tuple(by_pool)


def _with_other_supply(before: Survey, supplied: tuple[int, ...], held: Held) -> set[UnitId]:
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


def _mended(s: ArnhemState, before: Survey, held: Held, supplied: tuple[int, ...], units: set[UnitId]) -> Survey:
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
    on_map = s.ground.all_hexes
    front = next_to(s.ground, held[GERMAN]) & held[ALLIED] | next_to(s.ground, held[ALLIED]) & held[GERMAN]
    return Survey(
        s.where.copy(), s.damage.copy(), s.fortified.copy(), s.turn, s.zones.copy(), held, supplied, stacks,
        (before.areas & ~touched | filled) & s.ground.all_areas, (before.crowded & ~touched | crowded) & on_map,
        _costs(s, before, supplied, units), front, *_threats(s, before, stacks, touched & on_map, front),
    )  # fmt: skip


def _members(
    s: ArnhemState, before: Survey, units: set[UnitId]
) -> tuple[dict[int, list[UnitId]], dict[int, list[UnitId]]]:
    """By side, and by hex or area in which some units have changed: all its units, ascending."""
    members: tuple[dict[int, list[UnitId]], dict[int, list[UnitId]]] = ({}, {})
    side_of, waiting, where, was = s.units.side, s.ground.waiting, s.where, before.where
    for u in units:
        side = side_of[u]
        mine, known = members[side], before.stacks[side]
        left, came = was[u], where[u]
        for place in (left, came):
            if place < waiting and place not in mine:
                mine[place] = [*known[place].units] if place in known else []
        if left < waiting and left != came:
            mine[left].remove(u)
        if came < waiting and u not in mine[came]:
            insort(mine[came], u)
    return members


def _costs(s: ArnhemState, before: Survey, supplied: tuple[int, ...], units: set[UnitId]) -> tuple[Costs, Costs]:
    """What both sides are short of; a side of which no unit has changed has what it had."""
    changed: tuple[list[UnitId], list[UnitId]] = ([], [])
    side_of = s.units.side
    for u in units:
        changed[side_of[u]].append(u)
    allied, german = before.costs
    return (
        _costs_of(s, allied, supplied, changed[ALLIED]) if changed[ALLIED] else allied,
        _costs_of(s, german, supplied, changed[GERMAN]) if changed[GERMAN] else german,
    )


def _costs_of(s: ArnhemState, before: Costs, supplied: tuple[int, ...], units: list[UnitId]) -> Costs:
    """Losses, what starving costs, and how far units are away, where some units of a side have changed."""
    losses, starving, away = before.losses.copy(), before.starving.copy(), before.away.copy()
    known, ground, pool, drops = worths(s.data), s.ground, s.units.pool, s.units.drops
    for u in units:
        place, i = s.where[u], known.rank[u]
        away[2 * i] = known.away[u][place]
        away[2 * i + 1] = ZONE_LOST if place == ground.waiting and drops[u] and s.zones[pool[u]] < 0 else 0.0
        if place < ground.hexes:
            losses[i] = known.hurt[u] * s.damage[u] - FORTIFIED * s.fortified[u]
            starving[i] = 0.0 if supplied[pool[u]] >> place & 1 else known.starving[u]
        else:
            losses[i] = known.lost[u] if place == ground.eliminated else 0.0
            starving[i] = 0.0
    return Costs(losses, starving, away, added(losses), added(starving), added(away))


def _stack(s: ArnhemState, place: int, units: list[UnitId], supplied: tuple[int, ...]) -> Stack:
    strength, worth, points = 0.0, 0, 0
    known, full, pool = s.units, s.units.strength, s.units.pool
    for u in units:
        strength += full[u] if supplied[pool[u]] >> place & 1 else full[u] / 2
        worth += full[u] + known.resistance[u]
        points += known.resistance[u] - s.damage[u] + s.fortified[u]
    return Stack(tuple(units), strength, worth, points)


# ---- what each side stands to lose --------------------------------------------------------------------------------


def urgency(s: ArnhemState) -> float:
    """How much more places matter towards the end."""
    return 0.5 + s.turn / s.tables.turns


def _threats(
    s: ArnhemState, before: Survey, stacks: Stacks, changed: HexSet, front: HexSet
) -> tuple[list[float], list[float]]:
    """What each side stands to lose to the enemies next to it, and the odds against it on the road."""
    threats, pressure = before.threats.copy(), before.pressure.copy()
    known, urgent = worths(s.data), urgency(s)
    changed |= next_to(s.ground, changed)
    for h in bits(changed & before.front):
        for by_place in before.stacks:
            if h in by_place:
                i = known.order[by_place[h].units[0]]
                threats[i] = pressure[i] = 0.0
    for h in bits(changed & front):
        for side in (ALLIED, GERMAN):
            if h in stacks[side]:
                i = known.order[stacks[side][h].units[0]]
                threats[i], pressure[i] = _threat(known, stacks, side, h, urgent)
    return threats, pressure


def _threat(known: Worths, stacks: Stacks, side: int, h: HexId, urgent: float) -> tuple[float, float]:
    _, defence, worth, held = stacks[side][h]
    enemies = stacks[1 - side]
    attack = 0.0
    for n, share in known.attacked_from[h]:
        if n in enemies:
            attack += enemies[n].strength * share
    odds = attack / defence
    pressure = 0.0
    if known.red_road >> h & 1:
        pressure = min(odds, 3.0) if side == GERMAN else -0.4 * min(odds, 3.0)
    column = bisect_right(known.ratios, odds) - 1 + known.shift[h]
    harm = known.harm[min(max(column, 0), len(known.harm) - 1)]
    if harm <= 0:
        return 0.0, pressure
    threat = harm * worth / held + min(1.0, harm / held) * (known.place[h] * urgent)
    return threat if side == GERMAN else -threat, pressure
