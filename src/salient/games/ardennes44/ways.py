"""Ardennes '44: what steps cost (3.4), and the ways that lead somewhere. Costs are in half movement points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.components import FOOT, VEHICLE, Ground
from salient.games.ardennes44.entering import Dear
from salient.games.ardennes44.model import TRAFFIC_MARKERS, ArdennesState
from salient.games.ardennes44.supply import enemy_blocks
from salient.games.ardennes44.zones import Bonds, rough_side
from salient.hexes.masks import bits, hexes_of, mask_of
from salient.hexes.sets import NO_HEXES, HexSet

LEAVING_ZONE = 2  # half points [9.2.1]
MARKER_TOLL = 4  # half points [24.2]
BOTTLENECK_TOLL = 8  # half points, until St. Vith is German [24.7]
NEVER = 1000  # half points that nobody has
DEAREST = LEAVING_ZONE + 8  # half points, of a step
CLASSES = ("foot", "motor", "vehicle")

# ---- 3.4 Costs ------------------------------------------------------------------------------


@cache
def _cost(ground: Ground, terrain: str, mobility: int, frozen: bool) -> int | None:
    row = ground.effects[terrain]
    name = CLASSES[mobility]
    text = row[f"{name}_frozen"] if frozen and mobility != FOOT else row[name]
    return int(float(text) * 2) if text else None


def road_class(ground: Ground, a: int, b: int) -> str:
    """The road of a step as its cost sees it: a forest road only where the hex entered makes it one [11.8]."""
    kind = ground.board.road(a, b) or ""
    if kind != "forest":
        return kind
    return "forest-road" if _is_wooded(ground, b) and not _has_primary(ground, b) else "secondary"


def _is_wooded(ground: Ground, h: int) -> bool:
    return ground.board.terrain[h] in ("forest", "rough-woods")


def _has_primary(ground: Ground, h: int) -> bool:
    return any(road and road.kind == "primary" for road in ground.board.roads[h])


def is_barrier(ground: Ground, a: int, b: int, blown: int) -> bool:
    """A river without a bridge, or a rough-woods hexside without a road: crossed tactically, on foot [11.4, 11.6]."""
    if (a, b) in ground.river and not ((a, b) in ground.bridge and not blown >> ground.bridge[a, b] & 1):
        return True
    return rough_side(ground, a, b) and (a, b) not in ground.roads


def by_road(ground: Ground, a: int, b: int, blown: int) -> bool:
    """Whether a road leads from hex to hex, not over a blown bridge [11.7]."""
    return (a, b) in ground.roads and not ((a, b) in ground.bridge and blown >> ground.bridge[a, b] & 1)


def _vehicle_shut(ground: Ground, a: int, b: int) -> bool:
    """Forest and Westwall are entered and left by vehicles along roads only [11.5]."""
    return a in ground.road_bound or b in ground.road_bound


class Crossing(NamedTuple):
    """A step as the map has it: the terrain that it costs by road and off the road, empty where it cannot be made."""

    road: str
    terrain: str
    on_wheels: bool  # vehicles may take it off the road


@cache
def _crossing(ground: Ground, a: int, b: int, blown: int) -> Crossing:
    if (a, b) in ground.lake:
        return Crossing("", "", False)
    terrain = "" if is_barrier(ground, a, b, blown) else "city" if ground.city >> b & 1 else ground.board.terrain[b]
    return Crossing(
        road_class(ground, a, b) if by_road(ground, a, b, blown) else "", terrain, not _vehicle_shut(ground, a, b)
    )


def _step(ground: Ground, a: int, b: int, mobility: int, frozen: bool, blown: int, roads: bool) -> int | None:
    """The cost of a step in half points; None if it needs tactical movement or cannot be made."""
    road, terrain, on_wheels = _crossing(ground, a, b, blown)
    along = _cost(ground, road, mobility, frozen) if road else None
    if roads or not terrain or (mobility == VEHICLE and not on_wheels):
        return along
    across = _cost(ground, terrain, mobility, frozen)
    return across if along is None or (across is not None and across < along) else along


Steps = tuple[tuple[int, int], ...]  # from a hex: (neighbour, cost), the cheapest first
Row = tuple[tuple[int, int], ...]  # from a hex: (cost, the neighbours entered for it, as bits)


def steps_from(ground: Ground, h: int, mobility: int, frozen: bool, roads: bool, blown: int) -> Steps:
    """The steps of a kind of unit from a hex, with costs: anywhere, or along roads only."""
    return _steps(ground, h, mobility, frozen, roads, blown & ground.bridges_at.get(h, 0))


@cache
def _steps(ground: Ground, h: int, mobility: int, frozen: bool, roads: bool, blown: int) -> Steps:
    near = [b for b in ground.near[h] if (h, b) in ground.roads] if roads else ground.near[h]
    costs = [(b, _step(ground, h, b, mobility, frozen, blown, roads)) for b in near]
    return tuple(sorted(((b, cost) for b, cost in costs if cost is not None), key=itemgetter(1)))


def _row(steps: Steps, shut: int = 0) -> Row:
    """Steps by cost, without those into some hexes."""
    row: dict[int, int] = {}
    for b, cost in steps:
        if not shut >> b & 1:
            row[cost] = row.get(cost, 0) | 1 << b
    return tuple(row.items())


class StepTable(dict[int, Row]):
    """By hex, looked at when first asked for: the steps of a kind of unit as the map has them, all bridges standing."""

    def __init__(self, ground: Ground, mobility: int, frozen: bool, roads: bool) -> None:
        self.ground = ground
        self.kind = mobility, frozen, roads

    def __missing__(self, h: int) -> Row:
        row = self[h] = _row(_steps(self.ground, h, *self.kind, 0))
        return row


table = cache(StepTable)


@lru_cache(maxsize=1 << 8)
def _broken(ground: Ground, blown: int) -> int:
    """The hexes at which a bridge is blown, as bits."""
    return mask_of(h for i in bits(blown) for h in ground.bridges[i])


def tactical_steps(ground: Ground, mobility: int, blown: int, h: int) -> tuple[int, int]:
    """Neighbours that a unit may enter at any cost, and those across a barrier, as bits [11.3, 11.4, 11.6]."""
    return _tactical_steps(ground, mobility, blown & ground.bridges_at.get(h, 0), h)


@cache
def _tactical_steps(ground: Ground, mobility: int, blown: int, h: int) -> tuple[int, int]:
    plain, hard = 0, 0
    for b in ground.board.adjacent[h]:
        if (h, b) in ground.lake:
            continue
        road = by_road(ground, h, b, blown)
        if is_barrier(ground, h, b, blown) and not road:
            hard |= 1 << b if mobility != VEHICLE else 0
        elif road or mobility != VEHICLE or not _vehicle_shut(ground, h, b):
            plain |= 1 << b
    return plain, hard


def entry_cost(ground: Ground, h: int, mobility: int, frozen: bool) -> int:
    """What it costs to enter or leave the map by the road of an edge hex [11.8, 13.1]."""
    kind = "primary" if _has_primary(ground, h) else "forest-road" if _is_wooded(ground, h) else "secondary"
    return _cost(ground, kind, mobility, frozen) or 2


# ---- 24.2, 24.7, 33.1 What slows a side down --------------------------------------------------


Tolls = tuple[tuple[int, int], ...]  # hexes with half points


def tolls_against(s: ArdennesState, side: int) -> Tolls:
    """What enemy traffic, roadblocks and bottlenecks cost a side."""
    markers = s.traffic[TRAFFIC_MARKERS:] if side == ALLIED else s.traffic[:TRAFFIC_MARKERS]
    bottleneck = MARKER_TOLL if s.held >> s.ground.st_vith & 1 else BOTTLENECK_TOLL
    return _tolls(s.ground, tuple(markers), enemy_blocks(s, side), bottleneck if side == GERMAN else 0)


@lru_cache(maxsize=1 << 8)
def _tolls(ground: Ground, markers: tuple[int, ...], blocks: int, bottleneck: int) -> Tolls:
    tolls = {h: MARKER_TOLL for h in markers if h >= 0}
    for h in bits(blocks):
        tolls[h] = tolls.get(h, 0) + MARKER_TOLL
    for h in bits(ground.bottleneck) if bottleneck else ():
        tolls[h] = tolls.get(h, 0) + bottleneck
    return tuple(sorted(tolls.items()))


# ---- the search -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """What a search needs to know of a unit and its surroundings; made by `seen`, so that those alike are one."""

    ground: Ground
    mobility: int
    roads: bool
    frozen: bool
    blown: int
    zone: int  # enemy zones
    closed: HexSet  # hexes that cannot be entered
    enemy: Bonds  # army boundaries included
    tolls: Tolls


seen = lru_cache(maxsize=1 << 9)(Way)


def unwatched(way: Way, h: int) -> Way:
    """The same surroundings without the enemy's zone in a hex."""
    zone = way.zone & ~(1 << h)
    return seen(way.ground, way.mobility, way.roads, way.frozen, way.blown, zone, way.closed, way.enemy, way.tolls)


Starts = tuple[tuple[int, int], ...]  # hexes with what has been spent there


class Land(dict[int, Row]):
    """By hex, looked at when first asked for: the steps that lead on in some surroundings, tolls and zones apart."""

    def __init__(self, way: Way) -> None:
        ground = way.ground
        self.way = way
        self.table = table(ground, way.mobility, way.frozen, way.roads)
        self.open = ground.all_hexes & ~(way.closed | way.enemy.hexes)
        self.changed = way.enemy.touched | _broken(ground, way.blown)  # whence steps are not as the map has them
        self.plain = ground.all_hexes & ~(way.zone | self.changed)
        self.mended = self.changed & ~way.zone
        self.tolls = dict(way.tolls)
        self.taxed = mask_of(self.tolls)

    def __missing__(self, h: int) -> Row:
        row = self[h] = self.steps(h) if self.changed >> h & 1 else self.table[h]
        return row

    def steps(self, h: int) -> Row:
        """The steps from a hex at which a bridge is blown or a bond closes a hexside [10.2]."""
        way = self.way
        ground, sides = way.ground, way.enemy.sides
        shut = mask_of(b for b in ground.near[h] if (h, b) in sides)
        return _row(steps_from(ground, h, way.mobility, way.frozen, way.roads, way.blown), shut)


@lru_cache(maxsize=1 << 8)
def land_of(way: Way) -> Land:
    """The steps in some surroundings, the same for all units that see them."""
    return Land(way)


Within = tuple[HexSet, ...]  # what a search finds: by cost the hexes that are reached for no more, as bits


@lru_cache(maxsize=1 << 11)
def search(starts: Starts, inside: bool, budget: int, way: Way) -> Within:
    """Cheapest ways: stop in enemy zones, pay to leave the first, never through bonds [9.2.1, 9.2.2, 10.2, 11.1]."""
    land, bit = land_of(way), way.ground.bit
    rows, plain, mended, taxed = land.table, land.plain, land.mended, land.taxed
    entered = [0] * (budget + DEAREST + 1)  # by cost: the hexes into which steps lead, their tolls unpaid
    arrived = [0] * (budget + 1)  # by cost: the hexes of starts and of tolls paid
    for h, spent in starts:
        if spent <= budget:
            arrived[spent] |= bit[h]
            if inside and way.zone & bit[h]:
                for step, near in land[h]:
                    entered[spent + LEAVING_ZONE + step] |= near
    unseen, reached, within = land.open, NO_HEXES, []
    for cost in range(budget + 1):
        new = entered[cost] & unseen
        if new & taxed:
            for h in bits(new & taxed):
                if (paid := cost + land.tolls[h]) <= budget:
                    arrived[paid] |= bit[h]
            unseen &= ~new
            new &= ~taxed
        if arrived[cost]:
            new |= arrived[cost] & ~reached
        if new:
            reached |= new
            unseen &= ~new
            hexes = new & plain if cost < budget else 0
            while hexes:
                h = hexes.bit_length() - 1
                hexes ^= bit[h]
                for step, near in rows[h]:
                    entered[cost + step] |= near
            for h in bits(new & mended) if new & mended else ():
                for step, near in land[h]:
                    entered[cost + step] |= near
        within.append(reached)
    return tuple(within)


@lru_cache(maxsize=1 << 12)
def tactical(starts: Starts, inside: bool, limit: int, way: Way, barriers: bool) -> Within:
    """Hexes up to a limit whatever they cost; a barrier only in the first step from where it began [11.3, 11.4.1]."""
    ground, zone, enemy = way.ground, way.zone, way.enemy
    reached = hexes_of(h for h, _ in starts)
    within = [NO_HEXES] * (starts[0][1] if starts else limit)
    within.append(reached)
    unseen = ground.all_hexes & ~(way.closed | enemy.hexes | reached)
    frontier = reached if inside else reached & ~zone
    while frontier and len(within) <= limit:
        ring = NO_HEXES
        for h in bits(frontier):
            plain, hard = tactical_steps(ground, way.mobility, way.blown, h)
            near = (plain | hard if barriers else plain) & unseen
            if near and enemy.touched & ground.bit[h]:
                sides = enemy.sides
                near = hexes_of(b for b in bits(near) if (h, b) not in sides)
            ring |= near
        reached |= ring
        unseen &= ~ring
        within.append(reached)
        frontier, barriers = ring & ~zone, False
    within += [reached] * (limit + 1 - len(within))
    return tuple(within)


# ---- the way to a hex within reach -------------------------------------------------------------------


class Reach(NamedTuple):
    """What a unit reaches in one manner of moving, and all that tells the ways there."""

    verb: str
    mode: str
    within: Within  # by half points or hexes spent, before it began here too, and beyond the limit
    hexes: HexSet  # within the limit, as bits
    limit: int
    starts: Starts
    inside: bool  # whether it may leave an enemy zone in which it stands
    way: Way
    by_hexes: bool = False  # costs and limit are hexes, not half points
    barriers: bool = False  # the first hex may lie across a river [11.4.1]

    def cost(self, h: int) -> int:
        """What it has spent in a hex that it reaches."""
        here = self.way.ground.bit[h]
        return next(cost for cost, hexes in enumerate(self.within) if hexes & here)


def reach_by_points(verb: str, mode: str, starts: Starts, inside: bool, limit: int, way: Way, budget: int = 0) -> Reach:
    """What is reached within some half points; a budget beyond them spares a second search."""
    within = search(starts, inside, max(limit, budget), way)
    return Reach(verb, mode, within, within[limit], limit, starts, inside, way)


def reach_by_hexes(
    verb: str, mode: str, starts: Starts, inside: bool, limit: int, way: Way, barriers: bool = False
) -> Reach:
    """What is reached within some hexes."""
    within = tactical(starts, inside, limit, way, barriers)
    return Reach(verb, mode, within, within[limit], limit, starts, inside, way, True, barriers)


Origins = Sequence[tuple[int, int]]  # hexes with what has been spent there


def _origins(reach: Reach, land: Land, there: int, cost: int) -> Origins:
    """The hexes from which a cheapest way enters a hex at a cost, ascending."""
    ground, within, zone, found = reach.way.ground, reach.within, reach.way.zone, []
    bit, to = ground.bit, ground.bit[there]
    price = cost - land.tolls.get(there, 0)
    for h in bits(ground.touching[there] & within[cost - 1]):
        here, paid = bit[h], price
        if zone & here:
            if not (reach.inside and _starts_at(reach, h)):
                continue
            paid -= LEAVING_ZONE
        for step, near in land[h]:
            if near & to and paid >= step and within[paid - step] & here:
                found.append((h, paid - step))
    return found


def _hex_origins(reach: Reach, land: Land, there: int, cost: int) -> Origins:
    """The hexes from which a way by hexes enters a hex after some others, ascending."""
    way, ground, found = reach.way, reach.way.ground, []
    for h in bits(ground.touching[there] & reach.within[cost - 1]):
        starting = _starts_at(reach, h)
        if way.zone & ground.bit[h] and not (reach.inside and starting):
            continue
        plain, hard = tactical_steps(ground, way.mobility, way.blown, h)
        near = plain | hard if starting and reach.barriers else plain
        if near & ground.bit[there] and (h, there) not in way.enemy.sides:
            found.append((h, cost - 1))
    return found


def _starts_at(reach: Reach, h: int) -> bool:
    return any(h == start for start, _ in reach.starts)


def trail(reach: Reach, to: int, dear: Callable[[], Dear]) -> list[int]:
    """Of the cheapest ways to a hex that with the fewest effects, then most along roads, then by the lowest hexes."""
    starts, land, origins_of = set(reach.starts), land_of(reach.way), _hex_origins if reach.by_hexes else _origins
    here, end = (to, reach.cost(to)), []
    while here not in starts:
        found = origins_of(reach, land, *here)
        if len(found) > 1:
            break
        end.append(here[0])
        here = found[0]
    origins: dict[tuple[int, int], Origins] = {}
    unseen = [here]
    while unseen:
        at = unseen.pop()
        if at not in origins:
            origins[at] = [] if at in starts else origins_of(reach, land, *at)
            unseen += origins[at]
    before = _lightest(origins, dear()) if len(origins) > 1 else {}
    path = [here[0]]
    while path[-1] in before:
        path.append(before[path[-1]])
    return path[::-1] + end[::-1]


def _lightest(origins: dict[tuple[int, int], Origins], dear: Dear) -> dict[int, int]:
    """By hex: the hex before it on the way with the least burden, the lowest one of equals."""
    burden: dict[int, int] = {}
    before: dict[int, int] = {}
    for (h, _), found in sorted(origins.items(), key=lambda item: item[0][1]):
        if found:
            burden[h], before[h] = min((burden[a] + dear.step(a, h), a) for a, _ in found)
        else:
            burden[h] = dear.entered(h)
    return before


def fare(path: Sequence[int], spent: int, inside: bool, limit: int, way: Way) -> int:
    """What a way has cost at its end, in half points; NEVER if it could not be gone."""
    if spent > limit:
        return NEVER
    tolls = dict(way.tolls)
    for i, (a, b) in enumerate(pairwise(path)):
        step = dict(steps_from(way.ground, a, way.mobility, way.frozen, way.roads, way.blown)).get(b, NEVER)
        if way.zone >> a & 1:
            step += LEAVING_ZONE if inside and not i else NEVER
        if (way.closed | way.enemy.hexes) >> b & 1 or (a, b) in way.enemy.sides:
            return NEVER
        spent += step + tolls.get(b, 0)
    return spent if spent <= limit else NEVER
