"""Ardennes '44: chapters 11 and 12, movement. Costs are in half movement points."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied, on_map, units_at
from salient.games.ardennes44.entering import depot_hexes
from salient.games.ardennes44.model import (
    ARTILLERY,
    BOARD,
    BOTTLENECK,
    BOX_EDGE,
    BOXES,
    BRIDGE,
    BRIGADE_150,
    CITY,
    COLOUR,
    COLUMN,
    EAST_WEST_EDGE,
    ENTRY,
    EXITS,
    FOOT,
    FOREST,
    FORMATION,
    HEXES,
    LAKE,
    MARKS,
    MOBILITY,
    MOTOR,
    PLACE,
    PLACES,
    REGIMENT,
    RIVER,
    ROAD_HEXES,
    SIDE,
    ST_VITH,
    TERRAIN,
    TRAFFIC_MARKERS,
    VALUES,
    VEHICLE,
    WEST_SHEET,
    WESTWALL,
    ArdennesState,
    east_only,
    frozen_ground,
    is_mechanized,
    marks_of,
    values,
)
from salient.games.ardennes44.stacking import full_hexes, refuse_joining
from salient.games.ardennes44.supply import enemy_blocks, is_supplied
from salient.games.ardennes44.zones import (
    Bonds,
    barred,
    bonds,
    british_are_held,
    next_to,
    out_of_bounds,
    refuse_boundary,
    refuse_ground,
    rough_side,
    zone,
)
from salient.hexes.masks import bits, mask_of
from salient.kernel import Refusal

TACTICAL_HEXES = 2  # 11.3
EXTENSION = 2  # movement points [11.2]
TRUCKED = 12  # movement points [12.4.4]
TOWED = 5  # movement points [22.3]
LEAVING_ZONE = 2  # half points [9.2.1]
EDGE_COST = 2  # half points [11.9.1]
MARKER_TOLL = 4  # half points [24.2]
BOTTLENECK_TOLL = 8  # half points, until St. Vith is German [24.7]
MARCH_MARKERS = (10, 6)  # by side [12.4.1]
TRACTORS = {"6Pz": 2, "5Pz": 2, "7A": 1}  # 22.3
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
    """Whether a road leads from hex to hex, not over a blown bridge."""
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


class Found(NamedTuple):
    """Costs by hex and the hex before each on the cheapest way."""

    costs: dict[int, int]
    parents: dict[int, int]


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


@lru_cache(maxsize=1 << 11)
def search(starts: Starts, inside: bool, budget: int, way: Way) -> Found:
    """Cheapest ways: stop in enemy zones, pay to leave the first one, never through bonds [9.2, 10.2, 11.1]."""
    steps = steps_of(way.mobility, way.frozen, way.roads, way.blown)
    tolls = dict(way.tolls)
    zones, closed = way.zone, way.closed | way.enemy.hexes
    sides, touched = way.enemy.sides, way.enemy.touched
    costs: dict[int, int] = {}
    parents: dict[int, int] = {}
    buckets: list[list[int]] = [[] for _ in range(budget + 1)]
    for h, spent in starts:
        if spent <= budget:
            costs[h] = spent
            buckets[spent].append(h)
    first = {h for h, _ in starts}
    for cost, bucket in enumerate(buckets):
        for h in sorted(bucket):
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
                parents[there] = h
                buckets[total].append(there)
    return Found(costs, parents)


@lru_cache(maxsize=1 << 12)
def tactical(start: int, hexes: int, way: Way, entering: bool = False) -> Found:
    """Up to two hexes whatever they cost; a barrier only in the first step from where it began [11.3, 11.4.1, 11.6]."""
    costs, parents = {start: 0}, {}
    frontier = [start]
    for length in range(1, hexes + 1):
        beyond = []
        for h in frontier:
            plain, hard = tactical_steps(way.mobility, way.blown, h)
            reach = plain | (hard if length == 1 and not entering else 0)
            for b in bits(reach & ~way.closed & ~way.enemy.hexes):
                if b not in costs and (h, b) not in way.enemy.sides:
                    costs[b] = length
                    parents[b] = h
                    if not way.zone >> b & 1:
                        beyond.append(b)
        frontier = beyond
    return Found(costs, parents)


def path_in(found: Found, h: int) -> list[int]:
    """The way to a hex that was found."""
    way = [h]
    while way[-1] in found.parents:
        way.append(found.parents[way[-1]])
    return way[::-1]


# ---- who may move, and how ---------------------------------------------------------------------------


def way_of(s: ArdennesState, u: int, mobility: int = -1, roads: bool = False, shy: bool = False) -> Way:
    """A unit's surroundings as a search sees them; `shy` keeps it away from enemies [12.2]."""
    side = SIDE[u]
    enemies = occupied(s, 1 - side)
    closed = enemies | out_of_bounds(s, u)
    if side == GERMAN and s.depots:
        closed |= depot_hexes(s)
    if shy:
        closed |= next_to(enemies) | enemy_blocks(s, side)
    kind = MOBILITY[u] if mobility < 0 else mobility
    tolls = tolls_against(s, side)
    return Way(kind, roads, frozen_ground(s), s.blown, zone(s, 1 - side), closed, barred(s, u), tolls)


def only_tactical(s: ArdennesState, u: int) -> str:
    """The rule that leaves a unit nothing but tactical movement, empty if there is none."""
    if s.order[u]:
        return "18.3"
    if not is_supplied(s, u):
        return "23.4" if s.oos >> u & 1 else "6.1"
    if ENTRY[u] == "town" and s.moved >> u & 1:  # engineers just placed
        return "13.2.2"
    return "27.6" if s.turn == 2 and not s.night and "rrd" in marks_of(s, u) else ""


def refuse_mover(s: ArdennesState, u: int) -> Refusal | None:
    """Why a unit on the map cannot move at all in this phase."""
    if s.done >> u & 1:
        return Refusal("11.1", "moved-already", unit=u)
    if s.engaged >> u & 1:
        return Refusal("16.5", "is-engaged", unit=u)
    if s.turn == 1 and not s.night and "red" in marks_of(s, u):
        return Refusal("29.1.1", "held-on-turn-1", unit=u)
    if s.night and not (s.night_marks >> u & 1 or is_peiper_at_night(s, u)):
        return Refusal("25.3.1", "no-night-marker", unit=u)
    return None


def is_peiper_at_night(s: ArdennesState, u: int) -> bool:
    """Peiper's units move and fight in the first night [27.5]."""
    return "peiper" in MARKS[u] and s.turn == 2 and s.night == 1


def capacity(s: ArdennesState, u: int) -> int:
    """Movement points of a unit that moves by itself: artillery only by its fired side, Germans' not at all [22.1]."""
    return 0 if ARTILLERY[u] and SIDE[u] == GERMAN else values(s, u)[2]


def _modes(s: ArdennesState, u: int, spent: int = 0) -> list[tuple[str, Found]]:
    """What a unit reaches by each way of moving, the plain one first."""
    here, points = s.where[u], capacity(s, u)
    way = way_of(s, u)
    if ARTILLERY[u]:
        return _gun_modes(s, u, way)
    if s.fresh >> u & 1:
        return [("tactical", tactical(here, 1, way))]
    if only_tactical(s, u):
        return [("tactical", tactical(here, TACTICAL_HEXES, way))] if points >= TACTICAL_HEXES else []
    if spent:  # after an infiltration the zone it stands in is ignored [27.8.2]
        return [("normal", search(((here, spent),), False, points * 2, way._replace(zone=way.zone & ~(1 << here))))]
    modes = [("normal", search(((here, 0),), True, points * 2, way))]
    if points >= TACTICAL_HEXES:
        modes.append(("tactical", tactical(here, TACTICAL_HEXES, way)))
    if MOBILITY[u] == FOOT:
        modes.append(("extended", search(((here, 0),), True, (points + EXTENSION) * 2, way)))
    return modes


def _gun_modes(s: ArdennesState, u: int, way: Way) -> list[tuple[str, Found]]:
    """Werfer and ready Allied guns shift one hex; Allied guns that go further count as fired [11.3, 22.1, 22.2]."""
    here = s.where[u]
    if s.fresh >> u & 1 or (SIDE[u] == GERMAN and values(s, u)[2] == 0):
        return []
    shift = [("shift", tactical(here, 1, way))]
    if SIDE[u] == GERMAN:
        return shift
    drive = [] if only_tactical(s, u) else [("drive", search(((here, 0),), True, _drive(u) * 2, way))]
    return [*shift, *drive, ("tactical", tactical(here, TACTICAL_HEXES, way))]


def _drive(u: int) -> int:
    return VALUES[u][-1][2]


def _may_end(s: ArdennesState, u: int, mode: str, hexes: int) -> int:
    """The hexes within reach in which a unit may end: stacking; not next to enemies if extended [8.3, 11.2]."""
    hexes &= ~(1 << s.where[u])
    if mode == "extended":
        hexes &= ~next_to(occupied(s, 1 - SIDE[u]))
    return hexes & ~full_hexes(s, u, hexes)


def _afraid(s: ArdennesState, u: int, hexes: int) -> int:
    """A disrupted unit does not enter enemy zones if it has another choice [18.3]."""
    lifted = mask_of(h for h in bits(occupied(s, SIDE[u]) & hexes) if any(not s.order[x] for x in units_at(s, h)))
    free = hexes & ~(zone(s, 1 - SIDE[u]) & ~lifted)
    if free or not zone(s, 1 - SIDE[u]) >> s.where[u] & 1:
        return free
    return hexes & next_to(1 << s.where[u])


def destinations(s: ArdennesState, u: int, spent: int = 0) -> dict[int, str]:
    """Every hex that a unit on the map may move to, with the way of moving that is used."""
    found: dict[int, str] = {}
    for mode, reached in _modes(s, u, spent):
        hexes = _may_end(s, u, mode, mask_of(reached.costs))
        if s.order[u]:
            hexes = _afraid(s, u, hexes)
        for h in bits(hexes):
            found.setdefault(h, mode)
    if crosses_sauer(s, u):
        found.setdefault(SAUER[1], "sauer")
    return dict(sorted(found.items()))


def route(s: ArdennesState, u: int, to: int, spent: int = 0) -> tuple[list[int], str, int]:
    """The way to a hex within reach, the way of moving, and its cost in half points (hexes if tactical)."""
    mode = destinations(s, u, spent)[to]
    if mode == "sauer":
        return [s.where[u], to], mode, 0
    reached = next(found for name, found in _modes(s, u, spent) if name == mode)
    return path_in(reached, to), mode, reached.costs[to]


# ---- 29.3 The crossing of the Sauer -----------------------------------------------------------------

SAUER = BOARD.index["1006"], BOARD.index["1005"]


def crosses_sauer(s: ArdennesState, u: int) -> bool:
    """Whether a unit of 212th Volksgrenadier may cross below Echternach: one of them, on turn 1 [29.3]."""
    if s.turn > 1 or s.sauer or s.night or FORMATION[u] != "212VG" or s.where[u] != SAUER[0]:
        return False
    return not ARTILLERY[u] and not occupied(s, ALLIED) >> SAUER[1] & 1


# ---- 18.3 Who must get away ----------------------------------------------------------------------------


def must_withdraw(s: ArdennesState, u: int) -> bool:
    """Whether a disrupted unit stands in an enemy zone that it can leave [18.3]."""
    if not s.order[u] or not on_map(s, u) or refuse_mover(s, u):
        return False
    zoc = zone(s, 1 - SIDE[u])
    if not zoc >> s.where[u] & 1:
        return False
    return any(not zoc >> h & 1 for h in destinations(s, u))


# ---- 12 Strategic movement and trucks -----------------------------------------------------------------


def markers_used(s: ArdennesState, side: int, without: int = -1) -> int:
    """Strategic movement, truck and tractor markers in use; a regiment that rides together shares one [12.4.2]."""
    riders = {(s.where[u], REGIMENT[u]) for u in bits(s.march) if SIDE[u] == side and u != without}
    return len(riders) + (s.tractor.bit_count() if side == GERMAN else 0)


def marker_left(s: ArdennesState, u: int) -> bool:
    """Whether a unit has a marker of its own or can be given one [12.4.1]."""
    return markers_used(s, SIDE[u], u) < MARCH_MARKERS[SIDE[u]]


def riding_mates(s: ArdennesState, u: int) -> int:
    """The places of marches of a unit's regiment whose marker it can share, as bits [12.4.2]."""
    return mask_of(s.where[x] for x in bits(s.march) if x != u and REGIMENT[x] == REGIMENT[u])


def refuse_march(s: ArdennesState, u: int) -> Refusal | None:
    """Why a unit cannot use strategic movement now, entry apart [12.1, 12.2, 29.1.3]."""
    if s.turn == 1:
        return Refusal("29.1.3", "no-march-on-turn-1", unit=u)
    if s.night:
        return Refusal("25.3.1", "no-march-at-night", unit=u)
    if SIDE[u] == GERMAN and (ARTILLERY[u] or not is_mechanized(u)):
        return Refusal("12.1", "guns-do-not-march" if ARTILLERY[u] else "germans-have-no-trucks", unit=u)
    if not is_mechanized(u) and on_map(s, u) and not s.march >> u & 1:
        return Refusal("12.4.3", "no-trucks", unit=u)
    if s.order[u] or not is_supplied(s, u):
        return Refusal("12.1", "cannot-march", unit=u)
    if s.turn == 2 and "rrd" in marks_of(s, u):
        return Refusal("27.6", "two-hexes-only", unit=u)
    if s.fresh >> u & 1:
        return Refusal("25.2.4", "one-hex-only", unit=u)
    if on_map(s, u) and next_to(occupied(s, 1 - SIDE[u])) >> s.where[u] & 1:
        return Refusal("12.2", "march-next-to-enemy", unit=u)
    if not marker_left(s, u) and not riding_mates(s, u) & ~(1 << s.where[u]):
        return Refusal("12.4.1", "no-march-marker", unit=u)
    return None


def march_budget(s: ArdennesState, u: int) -> int:
    """Half points of strategic movement: twice the capacity, or twelve points by truck [12.1, 12.4.4]."""
    if not is_mechanized(u):
        return TRUCKED * 2
    return (_drive(u) if ARTILLERY[u] else values(s, u)[2]) * 4


def _march_way(s: ArdennesState, u: int) -> Way:
    return way_of(s, u, MOTOR if MOBILITY[u] == FOOT else MOBILITY[u], roads=True, shy=True)


def march_ends(s: ArdennesState, u: int, hexes: int) -> int:
    """Where a march may end: alone but for its regiment, not next to another march on the same road [12.2, 12.4.2]."""
    side = SIDE[u]
    if not marker_left(s, u):
        hexes &= riding_mates(s, u)
    for h in bits(hexes & occupied(s, side)):
        others = [x for x in units_at(s, h) if x != u]
        together = all(REGIMENT[x] == REGIMENT[u] and s.march >> x & 1 for x in others)
        if others and not (together and not full_hexes(s, u, 1 << h)):
            hexes &= ~(1 << h)
    return hexes & ~beside_marches(s, u)


def beside_marches(s: ArdennesState, u: int) -> int:
    """The hexes next to other marches of a unit's side on their roads, as bits [12.2]."""
    heads = [s.where[x] for x in bits(s.march) if x != u and SIDE[x] == SIDE[u] and on_map(s, x)]
    return mask_of(h for head in heads for h in BOARD.adjacent[head] if BOARD.road(head, h))


def marches(s: ArdennesState, u: int) -> Found | None:
    """What a unit on the map reaches by strategic movement, None if it cannot use it."""
    if refuse_march(s, u) is not None or refuse_mover(s, u) is not None:
        return None
    return search(((s.where[u], 0),), True, march_budget(s, u), _march_way(s, u))


def march_destinations(s: ArdennesState, u: int) -> list[int]:
    """Where a unit on the map may end a march, ascending."""
    found = marches(s, u)
    if found is None:
        return []
    return bits(march_ends(s, u, mask_of(found.costs) & ~(1 << s.where[u])))


def refuse_loading(s: ArdennesState, u: int) -> Refusal | None:
    """Why an Allied unit on foot cannot be given trucks [12.4.3]."""
    if SIDE[u] == GERMAN or MOBILITY[u] != FOOT or s.march >> u & 1:
        return Refusal("12.4.3", "no-trucks", unit=u)
    if s.turn == 1:
        return Refusal("29.1.3", "no-march-on-turn-1", unit=u)
    if s.night:
        return Refusal("25.3.1", "no-march-at-night", unit=u)
    if refusal := _refuse_loading_place(s, u):
        return refusal
    if s.order[u] or not is_supplied(s, u) or s.fresh >> u & 1:
        return Refusal("12.1", "cannot-march", unit=u)
    if marker_left(s, u) or riding_mates(s, u) >> s.where[u] & 1:
        return None
    return Refusal("12.4.1", "no-march-marker", unit=u)


def _refuse_loading_place(s: ArdennesState, u: int) -> Refusal | None:
    """Trucks are mounted in boxes, or on a road where the unit began the phase, as a march could end [12.2, 12.4.3]."""
    here = s.where[u]
    if not on_map(s, u):
        return None if PLACES[here] in BOXES else Refusal("12.4.3", "load-on-road", unit=u)
    if refusal := refuse_mover(s, u):
        return refusal
    if s.moved >> u & 1 or not ROAD_HEXES >> here & 1 or next_to(occupied(s, GERMAN)) >> here & 1:
        return Refusal("12.4.3", "load-on-road", unit=u)
    alone = all(REGIMENT[x] == REGIMENT[u] for x in units_at(s, here))
    return None if alone and not beside_marches(s, u) >> here & 1 else Refusal("12.2", "march-alone", unit=u)


# ---- 22.3 Tractors -----------------------------------------------------------------------------------------


def refuse_towing(s: ArdennesState, u: int) -> Refusal | None:
    """Why German artillery cannot be given a tractor [22.3]."""
    if not ARTILLERY[u] or SIDE[u] == ALLIED:
        return Refusal("22.3", "no-tractor", unit=u)
    if refusal := refuse_mover(s, u):
        return refusal
    army = COLOUR[u]
    used = sum(COLOUR[x] == army for x in bits(s.tractor))
    if used >= TRACTORS.get(army, 0) or markers_used(s, GERMAN) >= MARCH_MARKERS[GERMAN]:
        return Refusal("22.3", "no-tractor-left", unit=u)
    return None


def tows(s: ArdennesState, u: int) -> dict[int, list[int]]:
    """Where a tractor may bring German artillery, with the way."""
    if refuse_towing(s, u) is not None:
        return {}
    way = way_of(s, u)
    found: dict[int, list[int]] = {}
    modes = [tactical(s.where[u], TACTICAL_HEXES, way)]
    if not only_tactical(s, u):
        modes.append(search(((s.where[u], 0),), True, TOWED * 2, way))
    for reached in modes:
        hexes = _may_end(s, u, "normal", mask_of(reached.costs))
        for h in bits(_afraid(s, u, hexes) if s.order[u] else hexes):
            found.setdefault(h, path_in(reached, h))
    return dict(sorted(found.items()))


# ---- 11.9 Leaving the map ------------------------------------------------------------------------------------


def edge_boxes(s: ArdennesState, u: int, h: int) -> list[int]:
    """The boxes into which an Allied unit can leave from a hex at the edge [11.9.1, 11.9.4, 17.6, 27.3.1]."""
    if SIDE[u] == GERMAN or british_are_held(s, u):
        return []
    found = [PLACE[box] for box in BOXES if BOX_EDGE[box] >> h & 1]
    if east_only(s) and EAST_WEST_EDGE >> h & 1:
        found.append(PLACE["west"])
    return sorted(set(found))


def leaving(s: ArdennesState, u: int) -> dict[int, list[int]]:
    """Boxes that an Allied unit can leave into, with the way to the edge [11.9.1]."""
    found: dict[int, list[int]] = {}
    if SIDE[u] == GERMAN:
        return found
    zoc = zone(s, GERMAN) & ~(1 << s.where[u])
    for mode, reached in _modes(s, u):
        for h, cost in sorted(reached.costs.items()):
            if not zoc >> h & 1 and _gets_off(s, u, mode, h, cost):
                for box in edge_boxes(s, u, h):
                    found.setdefault(box, path_in(reached, h))
    return dict(sorted(found.items()))


def _gets_off(s: ArdennesState, u: int, mode: str, h: int, cost: int) -> bool:
    """Whether an Allied unit that has come to the edge has a point left, or a hex if it moves by hexes [11.9.1]."""
    if mode in ("shift", "tactical"):
        return cost < (1 if mode == "shift" or s.fresh >> u & 1 else TACTICAL_HEXES)
    points = _drive(u) if mode == "drive" else capacity(s, u) + (EXTENSION if mode == "extended" else 0)
    leaving = LEAVING_ZONE if zone(s, GERMAN) >> h & 1 else 0
    return cost + leaving + EDGE_COST <= points * 2


@lru_cache(maxsize=2)
def exit_hexes(east: bool) -> int:
    """The hexes by which Germans leave westwards, as bits."""
    if not east:
        return EXITS
    return mask_of(
        h for h in bits(EAST_WEST_EDGE) if any(BOARD.road(h, b) for b in BOARD.adjacent[h] if COLUMN[b] == WEST_SHEET)
    )


def exits(s: ArdennesState, u: int) -> dict[int, list[int]]:
    """Hexes by which a German unit can leave for Antwerp, with the way: at the cost of the road [11.9.3, S2.4]."""
    if SIDE[u] == ALLIED or ARTILLERY[u]:
        return {}
    doors = exit_hexes(east_only(s)) & ~(zone(s, ALLIED) & ~(1 << s.where[u]))
    riding = marches(s, u)
    modes = [*_modes(s, u), *([("march", riding)] if riding else [])]
    found: dict[int, list[int]] = {}
    for mode, reached in modes:
        for h in bits(doors & mask_of(reached.costs)):
            if _goes_on(s, u, mode, h, reached.costs[h]):
                found.setdefault(h, path_in(reached, h))
    return dict(sorted(found.items()))


def _goes_on(s: ArdennesState, u: int, mode: str, h: int, cost: int) -> bool:
    """Whether a German unit that has come to an exit hex can still take the road off the map [11.9.3]."""
    if mode == "tactical":
        return cost < (1 if s.fresh >> u & 1 else TACTICAL_HEXES)
    points = capacity(s, u) + (EXTENSION if mode == "extended" else 0)
    budget = march_budget(s, u) if mode == "march" else points * 2
    leaving = LEAVING_ZONE if zone(s, ALLIED) >> h & 1 else 0
    return cost + leaving + entry_cost(h, MOBILITY[u], frozen_ground(s)) <= budget


def entry_cost(h: int, mobility: int, frozen: bool) -> int:
    """What it costs to enter or leave the map by the road of an edge hex [11.8, 13.1]."""
    kind = "primary" if _has_primary(h) else "forest-road" if _is_wooded(h) else "secondary"
    return _cost(kind, mobility, frozen) or 2


# ---- 27.8.2 The disguise of 150th Brigade -----------------------------------------------------------------


def infiltrations(s: ArdennesState, u: int, spent: int = 0) -> dict[int, tuple[list[int], int]]:
    """Hexes in enemy zones that the brigade may try to pass, with the way and the cost."""
    if u != BRIGADE_150 or s.exposed == 2 or only_tactical(s, u) or s.fresh >> u & 1:
        return {}
    here, way = s.where[u], way_of(s, u)
    if spent:
        way = way._replace(zone=way.zone & ~(1 << here))
    reached = search(((here, spent),), not spent, capacity(s, u) * 2, way)
    hexes = mask_of(reached.costs) & way.zone & ~(1 << here)
    return {h: (path_in(reached, h), reached.costs[h]) for h in bits(hexes & ~full_hexes(s, u, hexes))}


# ---- why not? ------------------------------------------------------------------------------------------------------


def refuse_destination(s: ArdennesState, u: int, to: int) -> Refusal:
    """Why a unit that may move cannot move to a hex."""
    side = SIDE[u]
    if to == s.where[u]:
        return Refusal("11.1", "is-there", unit=u, hex=to)
    if occupied(s, 1 - side) >> to & 1:
        return Refusal("11.1", "enemy-in-hex", hex=to)
    if refusal := refuse_ground(s, u, to):
        return refusal
    if bonds(s, 1 - side).hexes >> to & 1:
        return Refusal("10.2", "bond", hex=to)
    if full_hexes(s, u, 1 << to) and (full := refuse_joining(s, u, to)):
        return Refusal(full.rule, "hex-is-full", unit=u, hex=to)
    return _refuse_manner(s, u, to) or refuse_boundary(s, u, to) or Refusal("11.1", "too-far", unit=u, hex=to)


def _refuse_manner(s: ArdennesState, u: int, to: int) -> Refusal | None:
    """Whether it is the way of moving that keeps a unit from a hex [11.2, 18.3, 22.1, 25.2.4]."""
    if ARTILLERY[u] and SIDE[u] == GERMAN:
        return Refusal("22.1", "guns-need-tractors", unit=u)
    if s.fresh >> u & 1:
        return Refusal("25.2.4", "one-hex-only", unit=u)
    if any(to in reached.costs for _, reached in _modes(s, u)):
        rule, key = ("18.3", "keeps-away") if s.order[u] else ("11.2", "extended-next-to-enemy")
        return Refusal(rule, key, unit=u, hex=to)
    rule = only_tactical(s, u)
    return Refusal(rule, "tactical-only", unit=u) if rule else None
