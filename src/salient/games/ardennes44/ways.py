"""Ardennes '44: what steps cost (3.4), and the ways that lead somewhere. Costs are in half movement points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.entering import Dear
from salient.games.ardennes44.model import (
    BOARD,
    BOTTLENECK,
    BRIDGE,
    CITY,
    FOOT,
    FOREST,
    HEXES,
    LAKE,
    RIVER,
    ST_VITH,
    TERRAIN,
    TRAFFIC_MARKERS,
    VEHICLE,
    WESTWALL,
    ArdennesState,
)
from salient.games.ardennes44.supply import enemy_blocks
from salient.games.ardennes44.zones import Bonds, rough_side
from salient.hexes.masks import bits

LEAVING_ZONE = 2  # half points [9.2.1]
MARKER_TOLL = 4  # half points [24.2]
BOTTLENECK_TOLL = 8  # half points, until St. Vith is German [24.7]
NEVER = 1000  # half points that nobody has
CLASSES = ("foot", "motor", "vehicle")

# ---- 3.4 Costs ------------------------------------------------------------------------------


def _cost(terrain: str, mobility: int, frozen: bool) -> int | None:
    row = TERRAIN[terrain]
    name = CLASSES[mobility]
    text = row[f"{name}_frozen"] if frozen and mobility != FOOT else row[name]
    return int(float(text) * 2) if text else None


def road_class(a: int, b: int) -> str:
    """The road of a step as its cost sees it: a forest road only where the hex entered makes it one [11.8]."""
    kind = BOARD.road(a, b) or ""
    if kind != "forest":
        return kind
    return "forest-road" if _is_wooded(b) and not _has_primary(b) else "secondary"


def _is_wooded(h: int) -> bool:
    return BOARD.terrain[h] in ("forest", "rough-woods")


def _has_primary(h: int) -> bool:
    return any(road and road.kind == "primary" for road in BOARD.roads[h])


def is_barrier(a: int, b: int, blown: int) -> bool:
    """A river without a bridge, or a rough-woods hexside without a road: crossed tactically, on foot [11.4, 11.6]."""
    if (a, b) in RIVER and not ((a, b) in BRIDGE and not blown >> BRIDGE[a, b] & 1):
        return True
    return rough_side(a, b) and BOARD.road(a, b) is None


def by_road(a: int, b: int, blown: int) -> bool:
    """Whether a road leads from hex to hex, not over a blown bridge [11.7]."""
    return BOARD.road(a, b) is not None and not ((a, b) in BRIDGE and blown >> BRIDGE[a, b] & 1)


def _vehicle_shut(a: int, b: int) -> bool:
    """Forest and Westwall are entered and left by vehicles along roads only [11.5]."""
    return bool(((FOREST | WESTWALL) >> a | (FOREST | WESTWALL) >> b) & 1)


def _step(a: int, b: int, mobility: int, frozen: bool, blown: int, roads: bool) -> int | None:
    """The cost of a step in half points; None if it needs tactical movement or cannot be made."""
    if (a, b) in LAKE:
        return None
    costs = []
    if by_road(a, b, blown):
        costs.append(_cost(road_class(a, b), mobility, frozen))
    if not roads and not is_barrier(a, b, blown) and not (mobility == VEHICLE and _vehicle_shut(a, b)):
        costs.append(_cost("city" if CITY >> b & 1 else BOARD.terrain[b], mobility, frozen))
    found = [cost for cost in costs if cost is not None]
    return min(found) if found else None


Steps = tuple[tuple[tuple[int, int], ...], ...]  # by hex: (neighbour, cost)


@lru_cache(maxsize=12)
def _base(mobility: int, frozen: bool, roads: bool) -> tuple[dict[int, int], ...]:
    table = []
    for a in range(HEXES):
        steps = {b: _step(a, b, mobility, frozen, 0, roads) for b in BOARD.adjacent[a]}
        table.append({b: cost for b, cost in steps.items() if cost is not None})
    return tuple(table)


@lru_cache(maxsize=64)
def steps_of(mobility: int, frozen: bool, roads: bool, blown: int) -> Steps:
    """The steps of a kind of unit, with costs: anywhere, or along roads only."""
    steps = list(_base(mobility, frozen, roads))
    for (a, b), i in BRIDGE.items():
        if blown >> i & 1:
            cost = _step(a, b, mobility, frozen, blown, roads)
            steps[a] = {x: y for x, y in steps[a].items() if x != b} | ({b: cost} if cost is not None else {})
    return tuple(tuple(sorted(x.items())) for x in steps)


@lru_cache(maxsize=1 << 14)
def tactical_steps(mobility: int, blown: int, h: int) -> tuple[int, int]:
    """Neighbours that a unit may enter at any cost, and those across a barrier, as bits [11.3, 11.4, 11.6]."""
    plain, hard = 0, 0
    for b in BOARD.adjacent[h]:
        if (h, b) in LAKE:
            continue
        road = by_road(h, b, blown)
        if is_barrier(h, b, blown) and not road:
            hard |= 1 << b if mobility != VEHICLE else 0
        elif road or mobility != VEHICLE or not _vehicle_shut(h, b):
            plain |= 1 << b
    return plain, hard


def entry_cost(h: int, mobility: int, frozen: bool) -> int:
    """What it costs to enter or leave the map by the road of an edge hex [11.8, 13.1]."""
    kind = "primary" if _has_primary(h) else "forest-road" if _is_wooded(h) else "secondary"
    return _cost(kind, mobility, frozen) or 2


# ---- 24.2, 24.7, 33.1 What slows a side down --------------------------------------------------


def tolls_against(s: ArdennesState, side: int) -> tuple[tuple[int, int], ...]:
    """(hex, half points) of enemy traffic, roadblocks and bottlenecks."""
    markers = s.traffic[TRAFFIC_MARKERS:] if side == ALLIED else s.traffic[:TRAFFIC_MARKERS]
    tolls = {h: MARKER_TOLL for h in markers if h >= 0}
    for h in bits(enemy_blocks(s, side)):
        tolls[h] = tolls.get(h, 0) + MARKER_TOLL
    if side == GERMAN:
        extra = MARKER_TOLL if s.held >> ST_VITH & 1 else BOTTLENECK_TOLL
        for h in bits(BOTTLENECK):
            tolls[h] = tolls.get(h, 0) + extra
    return tuple(sorted(tolls.items()))


# ---- the search -----------------------------------------------------------------------------------


class Way(NamedTuple):
    """What a search needs to know of a unit and its surroundings."""

    mobility: int
    roads: bool
    frozen: bool
    blown: int
    zone: int  # enemy zones
    closed: int  # hexes that cannot be entered
    enemy: Bonds  # army boundaries included
    tolls: tuple[tuple[int, int], ...]


Starts = tuple[tuple[int, int], ...]  # hexes with what has been spent there
Costs = dict[int, int]  # by hex: half points, or hexes


@lru_cache(maxsize=1 << 11)
def search(starts: Starts, inside: bool, budget: int, way: Way) -> Costs:
    """Cheapest ways: stop in enemy zones, pay to leave the first, never through bonds [9.2.1, 9.2.2, 10.2, 11.1]."""
    steps = steps_of(way.mobility, way.frozen, way.roads, way.blown)
    tolls = dict(way.tolls)
    zones, closed = way.zone, way.closed | way.enemy.hexes
    sides, touched = way.enemy.sides, way.enemy.touched
    costs: Costs = {}
    buckets: list[list[int]] = [[] for _ in range(budget + 1)]
    for h, spent in starts:
        if spent <= budget:
            costs[h] = spent
            buckets[spent].append(h)
    first = {h for h, _ in starts}
    for cost, bucket in enumerate(buckets):
        for h in bucket:
            if costs[h] != cost:
                continue
            leaving = 0
            if zones >> h & 1:
                if not inside or h not in first:
                    continue
                leaving = LEAVING_ZONE
            bonded = bool(touched >> h & 1)
            for there, step in steps[h]:
                total = cost + leaving + step + tolls.get(there, 0)
                if total > budget or total >= costs.get(there, budget + 1) or closed >> there & 1:
                    continue
                if bonded and (h, there) in sides:
                    continue
                costs[there] = total
                buckets[total].append(there)
    return costs


@lru_cache(maxsize=1 << 12)
def tactical(starts: Starts, inside: bool, limit: int, way: Way, barriers: bool) -> Costs:
    """Hexes up to a limit whatever they cost; a barrier only in the first step from where it began [11.3, 11.4.1]."""
    costs = dict(starts)
    frontier = [h for h, _ in starts if inside or not way.zone >> h & 1]
    for length in range(starts[0][1] + 1, limit + 1) if starts else ():
        beyond = []
        for h in frontier:
            plain, hard = tactical_steps(way.mobility, way.blown, h)
            reach = plain | (hard if barriers else 0)
            for b in bits(reach & ~way.closed & ~way.enemy.hexes):
                if b not in costs and (h, b) not in way.enemy.sides:
                    costs[b] = length
                    if not way.zone >> b & 1:
                        beyond.append(b)
        frontier, barriers = beyond, False
    return costs


# ---- the way to a hex within reach -------------------------------------------------------------------


class Reach(NamedTuple):
    """What a unit reaches in one manner of moving, and all that tells the ways there."""

    verb: str
    mode: str
    costs: Costs  # spent before included
    limit: int
    starts: Starts
    inside: bool  # whether it may leave an enemy zone in which it stands
    way: Way
    by_hexes: bool = False  # costs and limit are hexes, not half points
    barriers: bool = False  # the first hex may lie across a river [11.4.1]


def reach_by_points(verb: str, mode: str, starts: Starts, inside: bool, limit: int, way: Way) -> Reach:
    """What is reached within some half points."""
    return Reach(verb, mode, search(starts, inside, limit, way), limit, starts, inside, way)


def reach_by_hexes(
    verb: str, mode: str, starts: Starts, inside: bool, limit: int, way: Way, barriers: bool = False
) -> Reach:
    """What is reached within some hexes."""
    costs = tactical(starts, inside, limit, way, barriers)
    return Reach(verb, mode, costs, limit, starts, inside, way, True, barriers)


def _origins(reach: Reach, there: int) -> list[int]:
    """The hexes from which a cheapest way enters a hex, ascending."""
    cost, way = reach.costs[there], reach.way
    first = {h for h, _ in reach.starts}
    found = []
    for h in sorted(BOARD.adjacent[there]):
        before = reach.costs.get(h, cost)
        if before >= cost or (h, there) in way.enemy.sides:
            continue
        if way.zone >> h & 1 and not (reach.inside and h in first):
            continue
        if before + _price(reach, h, there, h in first) == cost:
            found.append(h)
    return found


def _price(reach: Reach, a: int, b: int, first: bool) -> int:
    """What a step adds to the cost; more than anybody has if it cannot be made."""
    way = reach.way
    if reach.by_hexes:
        plain, hard = tactical_steps(way.mobility, way.blown, a)
        return 1 if (plain | (hard if first and reach.barriers else 0)) >> b & 1 else NEVER
    step = dict(steps_of(way.mobility, way.frozen, way.roads, way.blown)[a]).get(b, NEVER)
    return step + dict(way.tolls).get(b, 0) + (LEAVING_ZONE if way.zone >> a & 1 else 0)


def trail(reach: Reach, to: int, dear: Dear) -> list[int]:
    """Of the cheapest ways to a hex that with the fewest effects, then most along roads, then by the lowest hexes."""
    starts = {h for h, spent in reach.starts if reach.costs.get(h) == spent}
    origins: dict[int, list[int]] = {}
    open_hexes = [to]
    while open_hexes:
        h = open_hexes.pop()
        if h not in origins:
            origins[h] = [] if h in starts else _origins(reach, h)
            open_hexes += origins[h]
    burden: dict[int, int] = {}
    before: dict[int, int] = {}
    for h in sorted(origins, key=lambda x: reach.costs[x]):
        if not origins[h]:
            burden[h] = dear.entered(h)
            continue
        weighed = [(burden[a] + dear.step(a, h), a) for a in origins[h]]
        burden[h], before[h] = min(weighed)
    path = [to]
    while path[-1] in before:
        path.append(before[path[-1]])
    return path[::-1]


def fare(path: Sequence[int], spent: int, inside: bool, limit: int, way: Way) -> int:
    """What a way has cost at its end, in half points; NEVER if it could not be gone."""
    if spent > limit:
        return NEVER
    steps, tolls = steps_of(way.mobility, way.frozen, way.roads, way.blown), dict(way.tolls)
    for i, (a, b) in enumerate(pairwise(path)):
        step = dict(steps[a]).get(b, NEVER)
        if way.zone >> a & 1:
            step += LEAVING_ZONE if inside and not i else NEVER
        if (way.closed | way.enemy.hexes) >> b & 1 or (a, b) in way.enemy.sides:
            return NEVER
        spent += step + tolls.get(b, 0)
    return spent if spent <= limit else NEVER
