"""Ardennes '44: chapter 23, supply, lines of communication, isolation and surrender."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from salient.common.sides import ALLIED
from salient.common.stacks import occupied, on_map, units_at
from salient.games.ardennes44.components import ELITE, GREEN, Ground, road_ways
from salient.games.ardennes44.model import ArdennesState, clear_weather, east_only, take_off, values
from salient.games.ardennes44.zones import binding_zone, bonds
from salient.hexes.flood import OpenMasks, Shut, flood, spread, without
from salient.hexes.masks import bits, hexes_of, lowest, mask_of
from salient.hexes.routes import beyond, rings, way_in
from salient.hexes.sets import NO_HEXES, Group, HexId, HexSet, UnitId
from salient.kernel import Action, Prompt
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

REACH = 4  # hexes off the road [23.3]


# ---- 23.2 Sources ----------------------------------------------------------------------------


def sources(s: ArdennesState, side: int) -> HexSet:
    """Entry hexes without an enemy in them, as bits; on the East map alone its western roads are Allied [S2.3]."""
    hexes = s.ground.entries[side]
    if east_only(s):
        hexes = hexes & ~s.ground.west_map | (s.ground.western_roads if side == ALLIED else 0)
    return hexes & ~occupied(s, 1 - side)


# ---- 23.3 Supply paths -----------------------------------------------------------------------


@lru_cache(maxsize=1 << 10)
def _ways(ground: Ground, shut: Shut) -> OpenMasks:
    return without(ground.neighbours, shut)


@lru_cache(maxsize=1 << 10)
def _roads(ground: Ground, blown: int, shut: Shut) -> OpenMasks:
    return without(road_ways(ground, blown), shut)


def _across_roads(ground: Ground, shut: Shut) -> Shut:
    """Those of some hexsides that a road crosses."""
    crossed = ground.road_lows
    return tuple([(shift, cut) for shift, low in shut if (cut := low & crossed.get(shift, 0))])


def enemy_blocks(s: ArdennesState, side: int) -> int:
    """The hexes of enemy roadblocks, as bits [33.1]."""
    first, second = s.blocks[2:] if side == ALLIED else s.blocks[:2]
    return (s.ground.bit[first] if first >= 0 else 0) | (s.ground.bit[second] if second >= 0 else 0)


def unused_map(s: ArdennesState) -> int:
    """The West map where only the East map is played, as bits [S2.3]."""
    return s.ground.west_map if east_only(s) else 0


class Hindrance(NamedTuple):
    """What hinders the supply paths of a side: hexes as bits, and hexsides."""

    enemies: HexSet
    zone: HexSet
    barred: int  # roadblocks, bonded hexes, and a map that is not used
    shut: Shut


def _hindrance(s: ArdennesState, side: int) -> Hindrance:
    enemy = bonds(s, 1 - side)
    barred = enemy_blocks(s, side) | unused_map(s) | enemy.hexes
    return Hindrance(occupied(s, 1 - side), binding_zone(s, side), barred, enemy.shut)


def road_network(s: ArdennesState, side: int) -> int:
    """The hexes with a supply path along roads only, as bits [23.3]."""
    return _along_roads(s, side, _hindrance(s, side))


class Network(NamedTuple):
    """The hexes that roads link with the sources of a side, as bits, and what they were found from."""

    hexes: int
    starts: HexSet
    closed: HexSet
    blown: int
    shut: Shut  # hexsides, by enemy bonds
    cut: Shut  # those of them that a road crosses
    roads: OpenMasks  # those that are left

    def is_left(self, starts: HexSet, closed: HexSet) -> bool:
        """Whether it stays as it is with other hexes closed: none of its own, and none is opened that it reaches."""
        if closed & self.hexes or starts != self.starts:
            return False
        opened = self.closed & ~closed
        return not opened or not opened & (spread(self.hexes, self.roads) | starts)


def _along_roads(s: ArdennesState, side: int, by: Hindrance) -> int:
    starts = sources(s, side)
    hostile = (s.held if side == ALLIED else ~s.held) & s.ground.towns & ~(occupied(s, side) | starts)  # 23.2
    closed = (by.enemies | by.zone | hostile | by.barred) & s.ground.supply_roads
    known = s.networks[side] if s.networks else None
    if known and (known.shut is by.shut or known.shut == by.shut) and known.blown == s.blown:
        if known.is_left(starts, closed):
            return known.hexes
        cut, roads = known.cut, known.roads
    else:
        cut = _across_roads(s.ground, by.shut)
        roads = _roads(s.ground, s.blown, cut)
    found = Network(_network(s.ground, starts, closed, s.blown, cut), starts, closed, s.blown, by.shut, cut, roads)
    other = s.networks[1 - side] if s.networks else None
    s.networks = (found, other) if side == ALLIED else (other, found)
    return found.hexes


@lru_cache(maxsize=1 << 12)
def _network(ground: Ground, starts: int, closed: int, blown: int, cut: Shut) -> int:
    return flood(starts, _roads(ground, blown, cut), ~closed)


@lru_cache(maxsize=1 << 12)
def _reached(ground: Ground, goals: int, gates: int, enemies: int, zone: int, barred: int, shut: Shut) -> int:
    """The hexes from which an off-road path of at most four hexes leads to a goal, as bits.

    Only the first hex that it enters may lie in an enemy zone; so may a gate, where the path is at its end.
    """
    ways = _ways(ground, shut)
    never = enemies | barred
    line = goals
    for _ in range(REACH - 2):
        line |= spread(line, ways) & ~(never | zone)
    first = line | (spread(line, ways) | gates) & ~never
    return (first | spread(first, ways)) & ~enemies


def supplied_hexes(s: ArdennesState, side: int) -> int:
    """The hexes in supply: off the road for four hexes at most, then along roads to a source, as bits [23.3]."""
    by = _hindrance(s, side)
    return _reached(s.ground, _along_roads(s, side, by), sources(s, side), *by)


def supply_routes(s: ArdennesState, side: int) -> dict[UnitId, list[HexId]]:
    """By unit on the map: its way off the road, then along roads to a source [23.3]."""
    by = _hindrance(s, side)
    network, ways, never = _along_roads(s, side, by), _ways(s.ground, by.shut), by.enemies | by.barred
    found = rings(sources(s, side), _roads(s.ground, s.blown, _across_roads(s.ground, by.shut)), network)
    for closed in (never | by.zone,) * (REACH - 2) + (never, by.enemies):
        found = beyond(found, ways, s.ground.all_hexes & ~closed)
    gates = sources(s, side) & ~never

    def way(here: int) -> list[HexId]:
        beside = spread(1 << here, ways) & gates  # a source in an enemy zone is reached as the first hex only
        return way_in(here, found) or ([HexId(here), HexId(lowest(beside))] if beside else [])

    return {u: way(s.where[u]) for u in s.units.of_side[side] if on_map(s, u)}


def traces(s: ArdennesState, u: UnitId) -> bool:
    """Whether a unit can trace supply now; off the map Allies always can [23.2]."""
    return not on_map(s, u) or bool(supplied_hexes(s, s.units.side[u]) >> s.where[u] & 1)


def is_supplied(s: ArdennesState, u: UnitId) -> bool:
    """Whether a unit is not marked as out of supply or out of fuel [6.1, 23.1]."""
    return not (s.oos | s.short) >> u & 1


# ---- 23.6 Isolation ---------------------------------------------------------------------------


def _near(s: ArdennesState, side: int, hexes: HexSet) -> int:
    """The hexes from which a path of four hexes leads to some hexes with friends, as bits."""
    return _reached(s.ground, hexes, NO_HEXES, *_hindrance(s, side))


def isolated_hexes(s: ArdennesState, side: int) -> HexSet:
    """The hexes of units that have no line of communication, as bits [23.6]."""
    friends = occupied(s, side)
    linked = friends & supplied_hexes(s, side)
    while True:
        more = friends & _near(s, side, linked) & ~linked
        if not more:
            return friends & ~linked
        linked |= more


def isolated_groups(s: ArdennesState, side: int) -> list[Group]:
    """The isolated groups of a side, each as its units in ascending order [23.6].

    A path may lead one way only, as just its first hex may lie in an enemy zone. Every unit of a group has a path to
    another one of it; a unit with none forms its own group.
    """
    left = isolated_hexes(s, side)
    paths_to = {h: _near(s, side, HexSet(1 << h)) & left & ~(1 << h) for h in bits(left)}
    grouped = _with_company(s, paths_to)
    groups = [HexSet(1 << h) for h in bits(left & ~grouped)]
    while grouped:
        group = grouped & -grouped
        while more := grouped & _joined(paths_to, group) & ~group:
            group |= more
        grouped &= ~group
        groups.append(group)
    groups.sort(key=lambda group: (group & -group).bit_length())
    units = [(u, s.where[u]) for u in s.units.of_side[side] if s.where[u] < s.ground.hexes]
    return [tuple(u for u, here in units if group >> here & 1) for group in groups]


def _with_company(s: ArdennesState, paths_to: dict[HexId, HexSet]) -> HexSet:
    """The hexes whose units have a path to others that have company too, in their own hex or elsewhere, as bits."""
    hexes = hexes_of(paths_to)
    stacks = hexes_of(h for h in paths_to if len(units_at(s, h)) > 1)
    while True:
        company = stacks | reduce(or_, (paths_to[h] for h in bits(hexes)), NO_HEXES)
        if hexes & ~company == 0:
            return hexes
        hexes &= company


def _joined(paths_to: dict[HexId, HexSet], group: HexSet) -> HexSet:
    """The hexes with a path to a group or from it, as bits."""
    goals = hexes_of(h for h, origins in paths_to.items() if origins & group)
    return goals | reduce(or_, (paths_to[h] for h in bits(group)), NO_HEXES)


# ---- 23.1, 23.6 to 23.10 Supply and surrender -----------------------------------------------------------------

THRESHOLD = {GREEN: 3, 0: 4, ELITE: 5}  # 23.8
AIR_SUPPLY = 2  # taken off the die [28.2]


def supply_phase(s: ArdennesState, side: int, out: Sink) -> None:
    """Mark the units out of supply, then roll for every isolated group [23.1, 23.6]."""
    supplied = supplied_hexes(s, side)
    units = [u for u in s.units.of_side[side] if s.where[u] < s.ground.hexes]
    cut = mask_of(u for u in units if not supplied >> s.where[u] & 1)
    s.oos = s.oos & ~s.units.side_mask[side] | cut
    s.short &= ~s.units.side_mask[side]
    out("23.1", "supply-checked", units=tuple(bits(cut)))
    groups = isolated_groups(s, side)
    points = {group: group_points(s, group) for group in groups}
    s.isolated = s.isolated & ~s.units.side_mask[side] | mask_of(u for group in groups for u in group)
    for u in s.units.of_side[side]:
        s.points[u] = 0
    for group in reversed(groups):
        for u in group:
            s.points[u] = points[group]
        s.push(SurrenderRoll(side, group))


def group_points(s: ArdennesState, group: Group) -> int:
    """The points of a group: of its larger part if groups have joined; units not cut off before do not count [23.9]."""
    weight = {0: -1}
    for u in group:
        if s.points[u] or s.isolated >> u & 1:
            weight[s.points[u]] = max(0, weight.get(s.points[u], 0)) + values(s, u)[0]
    return max(weight, key=lambda points: (weight[points], points))


def threshold(s: ArdennesState, group: Group) -> int:
    """When a group gives up: late if there are elite troops, early if all are green [23.8]."""
    morale = {s.units.morale[u] for u in group}
    return THRESHOLD[ELITE if ELITE in morale else GREEN if morale == {GREEN} else 0]


@dataclass(frozen=True, slots=True)
class SurrenderRoll(DieFrame[ArdennesState]):
    """Points for an isolated group; from the air the Allies are supplied [23.7]."""

    side: int
    units: Group

    def purpose(self, s: ArdennesState) -> str:
        return "surrender"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("23.7", "roll-surrender", units=self.units)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        die = int(action[1])
        helped = AIR_SUPPLY if self.side == ALLIED and clear_weather(s) else 0
        points = max(0, s.points[self.units[0]] + s.tables.surrender[max(0, die - helped)])
        out("23.7", "surrender-points", units=self.units, n_die=die, n=points)
        for u in self.units:
            s.points[u] = points
        if points >= threshold(s, self.units):
            out("23.7", "surrenders", units=self.units)
            for u in self.units:
                take_off(s, u, s.ground.gone)
