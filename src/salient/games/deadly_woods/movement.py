"""The Deadly Woods: chapter 10, movement. Costs are in half movement points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied, units_at
from salient.games.deadly_woods.model import (
    ALARM,
    ALL_HEXES,
    ARMOR,
    BOARD,
    BRIDGE,
    BRIGADE_150,
    ENGINEERS,
    FUEL,
    GREIF,
    HEXES,
    INFANTRY,
    NATION,
    OUREN,
    PEIPER,
    ROAD_HEXES,
    SIDE,
    STEPS,
    TOUCHING,
    TOWN,
    TRAFFIC,
    UNBRIDGED,
    US_AIRBORNE,
    VALUES,
    VICTORY,
    WoodsState,
    kind_of,
)
from salient.games.deadly_woods.supply import is_supplied, supplied_hexes, us_supplied_hexes
from salient.games.deadly_woods.zones import ground, hexes_of, next_to, refuse_ground, zone
from salient.hexes.masks import bits, mask_of
from salient.kernel import Refusal

Tolls = tuple[tuple[int, bool], ...]  # hexes that cost 2 points more: by road only, or always
Table = tuple[tuple[tuple[int, int], ...], ...]  # by hex: (neighbour, cost)
TOLL = 4
OUT_OF_SUPPLY = 3  # movement capacity [8.3]
MOTORIZED_INFANTRY = 6  # 10.5
AIRBORNE_BY_TRUCK = 12  # 14.8.4

# ---- 10.2, 10.4, 10.6 Costs ------------------------------------------------------------------

_LEGEND = BOARD.legend
_FOOT: dict[str, Any] = {name: entry.get("infantry") for name, entry in _LEGEND["terrain"].items()}
_MOTOR: dict[str, Any] = {name: entry.get("motorized") for name, entry in _LEGEND["terrain"].items()}
_RIVER: dict[str, Any] = {name: entry.get("infantry") for name, entry in _LEGEND["hexside"].items()}
_RULES = _LEGEND["movement"]


def _halves(points: float) -> int:
    return int(points * 2)


def _bridge_cost(pair: tuple[int, int], blown: int, who: str) -> int:
    state = "blown" if blown >> BRIDGE[pair] & 1 else "bridge"
    return _halves(_RULES[state][who])


def _has_road(a: int, b: int, blown: int) -> bool:
    return BOARD.road(a, b) is not None and not ((a, b) in BRIDGE and blown >> BRIDGE[a, b] & 1)


def _foot_cost(a: int, b: int, blown: int) -> int | None:
    """The cost of a step on foot; None if it takes a whole move or cannot be made."""
    return _halves(_RULES["road"]["infantry"]) if _has_road(a, b, blown) else _cross_country_cost(a, b, blown)


def _cross_country_cost(a: int, b: int, blown: int) -> int | None:
    """The cost of a step on foot, roads ignored; None if it takes a whole move."""
    cost = _halves(_FOOT[BOARD.terrain[b]])
    if (a, b) in BRIDGE:
        return cost + _bridge_cost((a, b), blown, "infantry")
    if (a, b) in UNBRIDGED:
        river = _RIVER[BOARD.side(a, b).kind]  # type: ignore[union-attr]
        return None if river == "all" else cost + _halves(river)
    return cost


def _motor_cost(a: int, b: int, blown: int) -> int | None:
    """The full cost of a step of a motorized unit, roads ignored; None if it cannot be made."""
    terrain = _MOTOR[BOARD.terrain[b]]
    if terrain is None or (a, b) in UNBRIDGED:
        return None
    return _halves(terrain) + (_bridge_cost((a, b), blown, "motorized") if (a, b) in BRIDGE else 0)


def _road_cost(a: int, b: int, blown: int) -> int | None:
    """The cost of a step at the motorized road rate; None where no road leads."""
    return _halves(_RULES["road"]["motorized"]) if _has_road(a, b, blown) else None


_COSTS = {"foot": _foot_cost, "motor": _motor_cost, "road": _road_cost}


@lru_cache(maxsize=3)
def _base_table(kind: str) -> tuple[dict[int, int], ...]:
    cost = _COSTS[kind]
    table: list[dict[int, int]] = []
    for a in range(HEXES):
        steps = {b: cost(a, b, 0) for b in BOARD.adjacent[a]}
        table.append({b: step for b, step in steps.items() if step is not None})
    return tuple(table)


@lru_cache(maxsize=256)
def table(kind: str, blown: int, tolls: Tolls, no_ouren: bool) -> Table:
    """The steps of one way of moving, with blown bridges, tolls and the bridge of Ouren closed to armour [10.6.3]."""
    steps = [dict(x) for x in _base_table(kind)]
    for (a, b), i in BRIDGE.items():
        if blown >> i & 1:
            cost = _COSTS[kind](a, b, blown)
            steps[a].pop(b, None)
            if cost is not None:
                steps[a][b] = cost
    for h, by_road_only in tolls:
        for a in bits(TOUCHING[h]):
            if h in steps[a] and (not by_road_only or (kind != "motor" and _has_road(a, h, blown))):
                steps[a][h] += TOLL
                if kind == "foot" and by_road_only:  # infantry may leave the road instead
                    steps[a][h] = min(steps[a][h], _cross_country_cost(a, h, blown) or steps[a][h])
    if no_ouren:
        a, b = sorted(OUREN)
        steps[a].pop(b, None)
        steps[b].pop(a, None)
    return tuple(tuple(sorted(x.items())) for x in steps)


def tolls_against(s: WoodsState, side: int) -> Tolls:
    """The markers that slow a side: Greif and the alarm about parachutists, or Allied traffic [12.5, 12.7, 12.8]."""
    markers = ((GREIF, True), (ALARM, False)) if side == ALLIED else ((TRAFFIC, True),)
    return tuple((s.asset[a], by_road) for a, by_road in markers if s.asset[a] < HEXES)


# ---- the search -----------------------------------------------------------------------------------


class Way(NamedTuple):
    """How a unit may move: its budget, whether it begins at the road rate, and whether it is bound to the road."""

    foot: bool
    budget: int
    by_road: bool
    road_only: bool


class Found(NamedTuple):
    """Hexes within reach, ascending, with costs and parents by node; a node above HEXES is a hex at the road rate."""

    hexes: tuple[int, ...]
    costs: dict[int, int]
    parents: dict[int, int]


@lru_cache(maxsize=1 << 11)
def search(
    start: int, way: Way, blown: int, tolls: Tolls, no_ouren: bool, zoc: int, blocked: int, friends: int
) -> Found:
    """Cheapest ways: stop in enemy zones, never from zone to zone; off the road at full cost [7.3, 10.4.1]."""
    walk = table("foot" if way.foot else "motor", blown, tolls, no_ouren)
    road = table("road", blown, tolls, no_ouren)
    zones, closed, crowd = hexes_of(zoc), hexes_of(blocked), hexes_of(friends)
    first = start + HEXES if way.by_road else start
    costs, parents = {first: 0}, {}
    buckets: list[list[int]] = [[] for _ in range(way.budget + 1)]
    buckets[0].append(first)
    for cost, bucket in enumerate(buckets):
        for node in sorted(bucket):
            if costs[node] != cost:
                continue
            h = node - HEXES if node >= HEXES else node
            held = h in zones
            if held and node != first:
                continue
            for offset, steps in _steps_from(node, h, walk, road, crowd, way.road_only):
                for there, step in steps:
                    to, total = there + offset, cost + step
                    if total > way.budget or there in closed or (held and there in zones):
                        continue
                    if total < costs.get(to, total + 1):
                        costs[to] = total
                        parents[to] = node
                        buckets[total].append(to)
    reached = {node % HEXES for node in costs} - {start}
    return Found(tuple(sorted(reached)), costs, parents)


def _steps_from(
    node: int, h: int, walk: Table, road: Table, crowd: frozenset[int], road_only: bool
) -> Iterator[tuple[int, Iterable[tuple[int, int]]]]:
    """The steps at full cost, of riding infantry along the road only; those at the road rate lead into hexes without
    friends [10.4.1, 10.5]."""
    at_road_rate, along = node >= HEXES, road[h]
    if not road_only:
        yield 0, walk[h]
    elif crowd or not at_road_rate:
        joined = {there for there, _ in along if not at_road_rate or there in crowd}
        yield 0, [x for x in walk[h] if x[0] in joined]
    if at_road_rate:
        yield HEXES, [x for x in along if x[0] not in crowd] if crowd else along


def path_to(found: Found, h: int) -> list[int]:
    """The cheapest way to a hex, the road rate preferred where it costs the same."""
    nodes = [node for node in (h + HEXES, h) if node in found.costs]
    node = min(nodes, key=lambda n: found.costs[n])
    way = [node % HEXES]
    while node in found.parents:
        node = found.parents[node]
        way.append(node % HEXES)
    return way[::-1]


# ---- 8.3, 10.4, 10.5 How a unit may move ----------------------------------------------------------------


def is_stacked(s: WoodsState, u: int) -> bool:
    """Whether a unit began the round stacked or is stacked now, which forbids the road rate [10.4.1]."""
    return bool(s.stacked >> u & 1) or len(units_at(s, s.where[u])) > 1


def may_use_road_rate(s: WoodsState, u: int) -> bool:
    """On a road, supplied, and alone unless just arrived [8.3, 10.4.1, 14.8]."""
    if not ROAD_HEXES >> s.where[u] & 1 or not is_supplied(s, u):
        return False
    return bool(s.arrived >> u & 1) or not is_stacked(s, u)


def may_be_motorized(s: WoodsState, u: int) -> bool:
    """Infantry that may ride: all Allies, arriving Germans, and the unit under the marker [10.5, 12.6]."""
    if VALUES[u][s.lost[u]][2] == 0 or not may_use_road_rate(s, u):
        return False
    return SIDE[u] == ALLIED or bool(s.arrived >> u & 1) or s.motor == u


def ways(s: WoodsState, u: int) -> tuple[Way, ...]:
    """The ways in which a unit may move now, the plain one first; none if it cannot move [8.3, 10.1]."""
    kind, capacity = kind_of(s, u), VALUES[u][s.lost[u]][2]
    if capacity == 0:
        return ()
    if kind == INFANTRY:
        plain = Way(True, capacity * 2, False, False)
        if not may_be_motorized(s, u):
            return (plain,)
        rides = AIRBORNE_BY_TRUCK if _comes_by_truck(s, u) else MOTORIZED_INFANTRY
        return plain, Way(False, rides * 2, True, True)
    if is_supplied(s, u):
        return (Way(False, capacity * 2, may_use_road_rate(s, u), False),)
    if SIDE[u] == GERMAN and kind == ARMOR and STEPS[u] < 3:
        return ()  # no mechanized step to escape with
    return (Way(False, OUT_OF_SUPPLY * 2, False, False),)


def _comes_by_truck(s: WoodsState, u: int) -> bool:
    return US_AIRBORNE[u] and s.turn == 2 and bool(s.arrived >> u & 1) and s.reinforcements[ALLIED] == 1


def abandons_tanks(s: WoodsState, u: int) -> bool:
    """Whether a German armoured unit must leave its tanks behind to move [8.3]."""
    return SIDE[u] == GERMAN and kind_of(s, u) == ARMOR and not is_supplied(s, u)


def _no_ouren(s: WoodsState, u: int) -> bool:
    return s.turn == 1 and kind_of(s, u) == ARMOR and not abandons_tanks(s, u)


def engineers_on_map(s: WoodsState) -> int:
    """The hexes of Allied engineers, as bits."""
    return mask_of(s.asset[a] for a in ENGINEERS if s.asset[a] < HEXES)


def closed_to(s: WoodsState, u: int) -> int:
    """The hexes that a unit cannot pass through: enemies, ground out of bounds, and for Germans engineers."""
    closed = occupied(s, 1 - SIDE[u]) | ALL_HEXES & ~ground(s, u)
    return closed | engineers_on_map(s) if SIDE[u] == GERMAN else closed


def halts(s: WoodsState, u: int, way: Way) -> int:
    """The hexes in which a unit must stop, as bits: enemy zones; under the motorized marker all next to the enemy."""
    side = SIDE[u]
    rides_under_marker = way.road_only and s.motor == u
    return zone(s, 1 - side) | (next_to(occupied(s, 1 - side)) if rides_under_marker else 0)


def find(s: WoodsState, u: int, way: Way, start: int = -1) -> Found:
    """All that a unit reaches by one way of moving."""
    side = SIDE[u]
    return search(
        s.where[u] if start < 0 else start,
        way,
        s.blown,
        tolls_against(s, side),
        _no_ouren(s, u),
        halts(s, u, way),
        closed_to(s, u),
        occupied(s, side) & ~(1 << s.where[u]) if way.by_road else 0,
    )


def passable(s: WoodsState, u: int, h: int) -> int:
    """The neighbours of a hex whose ground and hexside a unit can enter and cross, by road or not, as bits."""
    return _passable(kind_of(s, u) == INFANTRY, s.blown, _no_ouren(s, u), h)


@lru_cache(maxsize=1 << 14)
def _passable(on_foot: bool, blown: int, no_ouren: bool, h: int) -> int:
    kinds = ("foot",) if on_foot else ("motor", "road")
    return mask_of(there for kind in kinds for there, _ in table(kind, blown, (), no_ouren)[h])


def whole_moves(s: WoodsState, u: int) -> list[int]:
    """Neighbours that cost a whole move: across a major river on foot, or into a hex with Allied engineers."""
    here = s.where[u]
    foot = kind_of(s, u) == INFANTRY
    targets = 0
    if SIDE[u] == GERMAN:
        steps = dict(table("foot" if foot else "motor", s.blown, (), _no_ouren(s, u))[here])
        roads = dict(table("road", s.blown, (), _no_ouren(s, u))[here]) if may_use_road_rate(s, u) else {}
        targets |= engineers_on_map(s) & mask_of({**steps, **roads})
    if foot:
        targets |= mask_of(
            b
            for b in BOARD.adjacent[here]
            if (here, b) in UNBRIDGED and _RIVER[BOARD.side(here, b).kind] == "all"  # type: ignore[union-attr]
        )
    targets &= ground(s, u) & ~occupied(s, 1 - SIDE[u])
    zoc = zone(s, 1 - SIDE[u])
    return bits(targets & ~zoc if zoc >> here & 1 else targets)


def single_steps(s: WoodsState, u: int) -> list[int]:
    """The neighbours that a unit may enter as its whole move, enemy zones apart, ascending [7.3, 14.4]."""
    here, reached = s.where[u], 0
    for way in ways(s, u):
        friends = occupied(s, SIDE[u]) if way.by_road else 0
        kinds = ("foot",) if way.foot else ("motor", "road") if way.by_road else ("motor",)
        for kind in kinds:
            steps = table(kind, s.blown, tolls_against(s, SIDE[u]), _no_ouren(s, u))[here]
            allowed = mask_of(h for h, points in steps if points <= way.budget)
            reached |= allowed & ~friends if kind == "road" else allowed
    return bits(reached & ~closed_to(s, u) | mask_of(whole_moves(s, u)))


def destinations(s: WoodsState, u: int) -> list[int]:
    """Every hex that a unit may move to now, ascending."""
    reached: set[int] = set()
    options = ways(s, u)
    for way in options:
        reached.update(find(s, u, way).hexes)
    if options:
        reached.update(whole_moves(s, u))
    return sorted(reached)


def path(s: WoodsState, u: int, to: int) -> list[int]:
    """The way that a unit takes to a hex within its reach: on foot if it can, otherwise by road."""
    for way in ways(s, u):
        found = find(s, u, way)
        if to in found.hexes:
            return path_to(found, to)
    return [s.where[u], to]


def cost(s: WoodsState, u: int, to: int) -> float:
    """What the move to a hex costs, in movement points."""
    for way in ways(s, u):
        found = find(s, u, way)
        if to in found.hexes:
            return min(found.costs[n] for n in (to, to + HEXES) if n in found.costs) / 2
    return float(VALUES[u][s.lost[u]][2])


# ---- ways through a hex that matters ---------------------------------------------------------------------


def waypoints(s: WoodsState, u: int) -> list[tuple[int, int]]:
    """(hex, destination) pairs: moves that take a town, a victory hex or the fuel on a way of their own [3.5, 8.5]."""
    worth = (VICTORY | TOWN) & (~s.german_held if SIDE[u] == GERMAN else s.german_held)
    if u == PEIPER and s.turn == 1 and s.fuel == 0:
        worth |= 1 << FUEL
    pairs: set[tuple[int, int]] = set()
    for way in ways(s, u):
        found, passed = find(s, u, way), worth & ~halts(s, u, way)
        for h in found.hexes:
            if passed >> h & 1:
                for to in _beyond(s, u, way, found, h).hexes:
                    if to != s.where[u] and h not in path(s, u, to):
                        pairs.add((h, to))
    return sorted(pairs)


def _beyond(s: WoodsState, u: int, way: Way, found: Found, h: int) -> Found:
    by_road = way.by_road and h + HEXES in found.costs
    spent = found.costs[h + HEXES if by_road else h]
    return find(s, u, way._replace(budget=way.budget - spent, by_road=by_road), h)


def path_through(s: WoodsState, u: int, h: int, to: int) -> list[int]:
    """The way of a unit through a hex to a destination."""
    for way in ways(s, u):
        found = find(s, u, way)
        if h in found.hexes:
            beyond = _beyond(s, u, way, found, h)
            if to in beyond.hexes:
                return path_to(found, h) + path_to(beyond, to)[1:]
    return path(s, u, to)


# ---- 7.3 The trick of 150th Brigade -------------------------------------------------------------------------


def infiltrations(s: WoodsState, u: int) -> dict[int, list[int]]:
    """Paths by destination: once in the first three turns, from zone to zone, or through one zone [7.3]."""
    if u != BRIGADE_150 or s.infiltrated or s.turn > 3:
        return {}
    zoc, here = zone(s, ALLIED), s.where[u]
    paths: dict[int, list[int]] = {}
    normal = set(destinations(s, u))
    for way in ways(s, u):
        if zoc >> here & 1:
            paths |= {h: [here, h] for h in single_steps(s, u) if zoc >> h & 1}
        found = find(s, u, way)
        for h in found.hexes:
            if zoc >> h & 1:
                beyond = _beyond(s, u, way, found, h)
                for to in beyond.hexes:
                    if to != here and not zoc >> to & 1:
                        paths.setdefault(to, path_to(found, h) + path_to(beyond, to)[1:])
    return {to: way for to, way in sorted(paths.items()) if to not in normal}


# ---- 10.3 Emergency withdrawal -----------------------------------------------------------------------------------


def emergency_ways(s: WoodsState, u: int) -> list[tuple[int, int]]:
    """(door, destination) pairs for a unit that enemy zones keep from moving [10.3]."""
    zoc = zone(s, 1 - SIDE[u])
    if not zoc >> s.where[u] & 1 or not ways(s, u) or destinations(s, u):
        return []
    supplied = us_supplied_hexes(s) if NATION[u] == "us" else supplied_hexes(s, SIDE[u])
    safe = supplied & ~next_to(occupied(s, 1 - SIDE[u])) & ~closed_to(s, u)
    pairs = []
    for door in bits(passable(s, u, s.where[u]) & ~closed_to(s, u)):
        if door_keepers(s, u, door):
            pairs += [(door, to) for to in bits(passable(s, u, door) & safe)]
    return sorted(pairs)


def door_keepers(s: WoodsState, u: int, door: int) -> tuple[int, ...]:
    """The supplied friends that can hold a door open for a unit: they have not moved; ascending."""
    return tuple(x for x in units_at(s, door) if not s.moved >> x & 1 and x != u and is_supplied(s, x))


# ---- why not? ------------------------------------------------------------------------------------------------------


def refuse_destination(s: WoodsState, u: int, to: int) -> Refusal | None:
    """Why a unit that may move cannot move to a hex."""
    if to in destinations(s, u):
        return None
    zoc = zone(s, 1 - SIDE[u])
    if to == s.where[u]:
        return Refusal("10.2", "is-there", unit=u, hex=to)
    if occupied(s, 1 - SIDE[u]) >> to & 1:
        return Refusal("10.2", "enemy-in-hex", hex=to)
    if not ways(s, u):
        key = "no-capacity" if VALUES[u][s.lost[u]][2] == 0 else "tanks-stand"
        return Refusal("10.1" if key == "no-capacity" else "8.3", key, unit=u)
    if refusal := refuse_ground(s, u, to):
        return refusal
    if zoc >> s.where[u] & 1 and zoc >> to & 1 and TOUCHING[to] >> s.where[u] & 1:
        return Refusal("7.3", "zone-to-zone", unit=u, hex=to)
    return Refusal("10.2", "too-far", unit=u, hex=to)
