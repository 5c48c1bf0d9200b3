"""Ardennes '44: 23.1 to 23.6, supply and lines of communication."""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import or_

from salient.common.sides import ALLIED
from salient.common.stacks import occupied, on_map, units_at
from salient.games.ardennes44.model import (
    CITY,
    ENTRIES,
    HEXES,
    NEIGHBOURS,
    SIDE,
    SIDE_UNITS,
    TOWN,
    WEST_MAP,
    WESTERN_ROADS,
    ArdennesState,
    east_only,
    road_ways,
    without,
)
from salient.games.ardennes44.zones import Bonds, binding_zone, bonds
from salient.hexes.flood import OpenMasks, flood, spread
from salient.hexes.masks import bits, mask_of

REACH = 4  # hexes off the road [23.3]

# ---- 23.2 Sources ----------------------------------------------------------------------------


def sources(s: ArdennesState, side: int) -> int:
    """Entry hexes without an enemy in them, as bits; on the East map alone its western roads are Allied [S2.3]."""
    hexes = ENTRIES[side]
    if east_only(s):
        hexes = hexes & ~WEST_MAP | (WESTERN_ROADS if side == ALLIED else 0)
    return hexes & ~occupied(s, 1 - side)


# ---- 23.3 Supply paths -----------------------------------------------------------------------


@lru_cache(maxsize=1 << 10)
def _ways(enemy: Bonds) -> OpenMasks:
    return without(NEIGHBOURS, enemy.sides)


@lru_cache(maxsize=1 << 10)
def _roads(blown: int, enemy: Bonds) -> OpenMasks:
    return without(road_ways(blown), enemy.sides)


def enemy_blocks(s: ArdennesState, side: int) -> int:
    """The hexes of enemy roadblocks, as bits [33.1]."""
    return mask_of(h for h in s.blocks[2:] if h >= 0) if side == ALLIED else mask_of(h for h in s.blocks[:2] if h >= 0)


def unused_map(s: ArdennesState) -> int:
    """The West map where only the East map is played, as bits [S2.3]."""
    return WEST_MAP if east_only(s) else 0


def road_network(s: ArdennesState, side: int) -> int:
    """The hexes with a supply path along roads only, as bits [23.3]."""
    friends, enemies = occupied(s, side), occupied(s, 1 - side)
    starts = sources(s, side)
    hostile = (s.held if side == ALLIED else ~s.held) & (TOWN | CITY) & ~(friends | starts)  # 23.2
    enemy = bonds(s, 1 - side)
    closed = enemies | binding_zone(s, side) | hostile | enemy.hexes | enemy_blocks(s, side) | unused_map(s)
    return _network(starts, closed, s.blown, enemy)


@lru_cache(maxsize=1 << 12)
def _network(starts: int, closed: int, blown: int, enemy: Bonds) -> int:
    return flood(starts, _roads(blown, enemy), ~closed)


@lru_cache(maxsize=1 << 12)
def _reached(goals: int, enemies: int, zone: int, blocks: int, enemy: Bonds) -> int:
    """The hexes from which an off-road path of at most four hexes leads to a goal, as bits.

    Only the first hex that it enters may lie in an enemy zone.
    """
    ways = _ways(enemy)
    never = enemies | enemy.hexes | blocks
    line = goals
    for _ in range(REACH - 2):
        line |= spread(line, ways) & ~(never | zone)
    first = line | spread(line, ways) & ~never
    return (first | spread(first, ways)) & ~enemies


def supplied_hexes(s: ArdennesState, side: int) -> int:
    """The hexes in supply: off the road for four hexes at most, then along roads to a source, as bits [23.3]."""
    network = road_network(s, side)
    zone = binding_zone(s, side)
    return _reached(network, occupied(s, 1 - side), zone, enemy_blocks(s, side) | unused_map(s), bonds(s, 1 - side))


def traces(s: ArdennesState, u: int) -> bool:
    """Whether a unit can trace supply now; off the map Allies always can [23.2]."""
    return not on_map(s, u) or bool(supplied_hexes(s, SIDE[u]) >> s.where[u] & 1)


def is_supplied(s: ArdennesState, u: int) -> bool:
    """Whether a unit is not marked as out of supply or out of fuel [6.1, 23.1]."""
    return not (s.oos | s.short) >> u & 1


# ---- 23.6 Isolation ---------------------------------------------------------------------------


def _near(s: ArdennesState, side: int, hexes: int) -> int:
    """The hexes from which a path of four hexes leads to some hexes with friends, as bits."""
    zone = binding_zone(s, side)
    return _reached(hexes, occupied(s, 1 - side), zone, enemy_blocks(s, side) | unused_map(s), bonds(s, 1 - side))


def isolated_hexes(s: ArdennesState, side: int) -> int:
    """The hexes of units that have no line of communication, as bits [23.6]."""
    friends = occupied(s, side)
    linked = friends & supplied_hexes(s, side)
    while True:
        more = friends & _near(s, side, linked) & ~linked
        if not more:
            return friends & ~linked
        linked |= more


def isolated_groups(s: ArdennesState, side: int) -> list[tuple[int, ...]]:
    """The isolated groups of a side, each as its units in ascending order [23.6].

    A path may lead one way only, as just its first hex may lie in an enemy zone. Every unit of a group has a path to
    another one of it; who has none is a group by himself.
    """
    left = isolated_hexes(s, side)
    paths_to = {h: _near(s, side, 1 << h) & left & ~(1 << h) for h in bits(left)}
    grouped = _with_company(s, paths_to)
    groups = [1 << h for h in bits(left & ~grouped)]
    while grouped:
        group = grouped & -grouped
        while more := grouped & _joined(paths_to, group) & ~group:
            group |= more
        grouped &= ~group
        groups.append(group)
    groups.sort(key=lambda group: group & -group)
    return [tuple(u for u in SIDE_UNITS[side] if s.where[u] < HEXES and group >> s.where[u] & 1) for group in groups]


def _with_company(s: ArdennesState, paths_to: dict[int, int]) -> int:
    """The hexes whose units have a path to others that have company too, in their own hex or elsewhere, as bits."""
    hexes = mask_of(paths_to)
    stacks = mask_of(h for h in paths_to if len(units_at(s, h)) > 1)
    while True:
        company = stacks | reduce(or_, (paths_to[h] for h in bits(hexes)), 0)
        if hexes & ~company == 0:
            return hexes
        hexes &= company


def _joined(paths_to: dict[int, int], group: int) -> int:
    """The hexes with a path to a group or from it, as bits."""
    goals = mask_of(h for h, origins in paths_to.items() if origins & group)
    return goals | reduce(or_, (paths_to[h] for h in bits(group)), 0)
