"""The Deadly Woods: chapter 10, movement. Costs are in half movement points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise, permutations
from typing import Any, NamedTuple

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied, units_at
from salient.games.deadly_woods.entering import MEUSE, burdens
from salient.games.deadly_woods.model import (
    ALARM,
    ALL_HEXES,
    ARMOR,
    BOARD,
    BRIDGE,
    BRIGADE_150,
    DELAY,
    ENGINEERS,
    GREIF,
    HEXES,
    INFANTRY,
    NATION,
    OUREN,
    ROAD_HEXES,
    SIDE,
    STEPS,
    TOUCHING,
    TRAFFIC,
    UNBRIDGED,
    US_AIRBORNE,
    VALUES,
    WoodsState,
    kind_of,
)
from salient.games.deadly_woods.stacking import barred_by_engineers
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
INFILTRATION_TURNS = 3  # 7.3

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
def _base_table(kind: str) -> Table:
    cost = _COSTS[kind]
    rows = [[(b, cost(a, b, 0)) for b in sorted(BOARD.adjacent[a])] for a in range(HEXES)]
    return tuple(tuple((b, step) for b, step in row if step is not None) for row in rows)


class Shut(NamedTuple):
    """Hexsides that a unit cannot cross, or shall not: the bridge of Ouren, the Meuse, blown bridges."""

    ouren: bool = False
    meuse: bool = False
    blown: bool = False


@lru_cache(maxsize=256)
def table(kind: str, blown: int, tolls: Tolls, shut: Shut) -> Table:
    """The steps of one way of moving, with blown bridges, tolls, and hexsides that are shut [10.6.3]."""
    rows = list(_base_table(kind))
    ruins = [pair for pair, i in BRIDGE.items() if blown >> i & 1]
    shut_sides = list(_shut_sides(shut, blown))
    beside_tolls = {a for h, _ in tolls for a in bits(TOUCHING[h])}
    steps = {a: dict(rows[a]) for a in beside_tolls.union(a for a, _ in (*ruins, *shut_sides))}  # all that changes
    for a, b in ruins:
        steps[a].pop(b, None)
        if (cost := _COSTS[kind](a, b, blown)) is not None:
            steps[a][b] = cost
    for h, by_road_only in tolls:
        for a in bits(TOUCHING[h]):
            if h in steps[a] and (not by_road_only or (kind != "motor" and _has_road(a, h, blown))):
                steps[a][h] += TOLL
                if kind == "foot" and by_road_only:  # infantry may leave the road instead
                    steps[a][h] = min(steps[a][h], _cross_country_cost(a, h, blown) or steps[a][h])
    for a, b in shut_sides:
        steps[a].pop(b, None)
    for a, row in steps.items():
        rows[a] = tuple(sorted(row.items()))
    return tuple(rows)


def _shut_sides(shut: Shut, blown: int) -> Iterator[tuple[int, int]]:
    if shut.ouren:
        yield from permutations(sorted(OUREN))
    if shut.meuse:
        yield from MEUSE
    if shut.blown:
        yield from (pair for pair, i in BRIDGE.items() if blown >> i & 1)


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


Ways = tuple[Way, ...]


class Found(NamedTuple):
    """Hexes within reach, ascending, with costs and parents by node; a node above HEXES is a hex at the road rate."""

    hexes: tuple[int, ...]
    costs: dict[int, int]
    parents: dict[int, int]


@lru_cache(maxsize=1 << 11)
def search(start: int, way: Way, blown: int, tolls: Tolls, shut: Shut, zoc: int, blocked: int, friends: int) -> Found:
    """Cheapest ways: stop in enemy zones, never from zone to zone; off the road at full cost [7.3, 10.4.1]."""
    walk = table("foot" if way.foot else "motor", blown, tolls, shut)
    road = table("road", blown, tolls, shut)
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


def ways(s: WoodsState, u: int) -> Ways:
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


def shut_to(s: WoodsState, u: int) -> Shut:
    """The hexsides that a unit cannot cross: the bridge of Ouren carries no armour on turn 1 [10.6.3]."""
    return Shut(ouren=s.turn == 1 and kind_of(s, u) == ARMOR and not abandons_tanks(s, u))


def engineers_on_map(s: WoodsState) -> int:
    """The hexes of Allied engineers, as bits [12.4.4]."""
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
    return _find(s, u, way, s.where[u] if start < 0 else start, shut_to(s, u), closed_to(s, u))


def _find(s: WoodsState, u: int, way: Way, start: int, shut: Shut, closed: int) -> Found:
    side = SIDE[u]
    friends = occupied(s, side) & ~(1 << s.where[u]) if way.by_road else 0
    return search(start, way, s.blown, tolls_against(s, side), shut, halts(s, u, way), closed, friends)


def passable(s: WoodsState, u: int, h: int) -> int:
    """The neighbours of a hex whose ground and hexside a unit can enter and cross, as bits: on foot all, even across a
    major river [10.2]."""
    return TOUCHING[h] if kind_of(s, u) == INFANTRY else _drivable(s.blown, shut_to(s, u), h)


@lru_cache(maxsize=1 << 14)
def _drivable(blown: int, shut: Shut, h: int) -> int:
    return mask_of(there for kind in ("motor", "road") for there, _ in table(kind, blown, (), shut)[h])


def whole_moves(s: WoodsState, u: int) -> list[int]:
    """Neighbours that cost a whole move: across a major river on foot, or into a hex with Allied engineers."""
    here = s.where[u]
    foot = kind_of(s, u) == INFANTRY
    targets = 0
    if SIDE[u] == GERMAN:
        steps = dict(table("foot" if foot else "motor", s.blown, (), shut_to(s, u))[here])
        roads = dict(table("road", s.blown, (), shut_to(s, u))[here]) if may_use_road_rate(s, u) else {}
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
            steps = table(kind, s.blown, tolls_against(s, SIDE[u]), shut_to(s, u))[here]
            allowed = mask_of(h for h, points in steps if points <= way.budget)
            reached |= allowed & ~friends if kind == "road" else allowed
    return bits((reached & ~closed_to(s, u) | mask_of(whole_moves(s, u))) & ~barred_by_engineers(s, u))


def destinations(s: WoodsState, u: int) -> list[int]:
    """Every hex that a unit which has not moved may move to, ascending."""
    options, barred = ways(s, u), barred_by_engineers(s, u)
    whole = [h for h in whole_moves(s, u) if not barred >> h & 1] if options else []
    return sorted({*reached(s, u, options), *whole})


def reached(s: WoodsState, u: int, options: Ways) -> list[int]:
    """Every hex that a unit reaches from where it stands in some ways and may end in, ascending."""
    found, barred = {h for way in options for h in find(s, u, way).hexes}, barred_by_engineers(s, u)
    return sorted(h for h in found if not barred >> h & 1) if barred else sorted(found)


def path(s: WoodsState, u: int, to: int, options: Ways) -> list[int]:
    """The way that a unit takes to a hex: on foot if it can, otherwise by road."""
    for way in options:
        found = find(s, u, way)
        if to in found.hexes:
            return _gentlest(s, u, way, to, found)
    return [s.where[u], to]  # a whole move


def _gentlest(s: WoodsState, u: int, way: Way, to: int, found: Found) -> list[int]:
    """A cheapest path, of equal ones that which rather does not cross the Meuse, displace the US Delay, or rebuild a
    bridge."""
    plain = path_to(found, to)
    if not any(burdens(s, u, plain, rebuilds=True)):
        return plain
    delay = 1 << s.where[DELAY] if SIDE[u] == ALLIED and s.where[DELAY] < HEXES else 0
    for spares, keeps_bridges in ((True, True), (True, False), (False, True)):
        shut = shut_to(s, u)._replace(meuse=spares and SIDE[u] == GERMAN and not s.meuse_crossed, blown=keeps_bridges)
        other = _find(s, u, way, s.where[u], shut, closed_to(s, u) | (delay if spares else 0))
        if to in other.hexes and _cheapest(other, to) == _cheapest(found, to):
            return path_to(other, to)
    return plain


def _cheapest(found: Found, to: int) -> int:
    return min(found.costs[node] for node in (to, to + HEXES) if node in found.costs)


def cost(s: WoodsState, u: int, to: int, options: Ways) -> float:
    """What the plain move to a hex costs, in movement points."""
    for way in options:
        found = find(s, u, way)
        if to in found.hexes:
            return _cheapest(found, to) / 2
    return float(VALUES[u][s.lost[u]][2])


# ---- 10.2 Hex by hex: a unit that is led over waypoints ---------------------------------------------------


def led(s: WoodsState, u: int, to: int, options: Ways) -> list[int]:
    """The way to a waypoint: the step itself into a neighbour if it can be made, otherwise as a plain move goes."""
    step = [s.where[u], to]
    return step if after_path(s, u, step, options) else path(s, u, to, options)


def after_path(s: WoodsState, u: int, way: list[int], options: Ways) -> Ways:
    """How a unit may go on after a path of its own choice, what it has spent taken off; none if it cannot go it."""
    left = [end for option in options for end in _walk(s, u, way, option)]
    return tuple(sorted({end for end in left if not any(_is_better(other, end) for other in left)}, reverse=True))


def _is_better(other: Way, way: Way) -> bool:
    alike = other.foot == way.foot and other.road_only == way.road_only
    return alike and other != way and other.budget >= way.budget and other.by_road >= way.by_road


def _walk(s: WoodsState, u: int, path: list[int], option: Way) -> list[Way]:
    """One way of moving after a path, at the road rate and off it; nothing where it must stop before [7.3]."""
    held, closed = halts(s, u, option), closed_to(s, u)
    left = [option]
    for i, (a, b) in enumerate(pairwise(path)):
        if closed >> b & 1 or (held >> a & 1 and (i > 0 or held >> b & 1)):
            return []
        left = [end for way in left for end in _step(s, u, way, a, b)]
    return left


def _step(s: WoodsState, u: int, way: Way, a: int, b: int) -> Iterator[Way]:
    tolls, shut = tolls_against(s, SIDE[u]), shut_to(s, u)
    walk = table("foot" if way.foot else "motor", s.blown, tolls, shut)
    road = table("road", s.blown, tolls, shut)
    crowd = hexes_of(occupied(s, SIDE[u]) & ~(1 << s.where[u])) if way.by_road else frozenset()
    for offset, steps in _steps_from(a + HEXES if way.by_road else a, a, walk, road, crowd, way.road_only):
        yield from (
            way._replace(budget=way.budget - points, by_road=offset > 0)
            for there, points in steps
            if there == b and points <= way.budget
        )


def waypoints(s: WoodsState, u: int, options: Ways) -> list[int]:
    """The hexes to which a unit may be led and from which it may go on, ascending."""
    barred = barred_by_engineers(s, u)
    held = [(way, halts(s, u, way) | barred) for way in options]
    return sorted({h for way, stops in held for h in find(s, u, way).hexes if not stops >> h & 1})


def going_on(s: WoodsState, u: int, options: Ways) -> Ways:
    """The ways in which a unit does not have to stop where it stands now."""
    return tuple(way for way in options if not halts(s, u, way) >> s.where[u] & 1)


# ---- 7.3 The trick of 150th Brigade -------------------------------------------------------------------------


def may_infiltrate(s: WoodsState, u: int) -> bool:
    """Whether a unit is 150th Brigade and has its trick still: once in the first three turns."""
    return u == BRIGADE_150 and not s.infiltrated and s.turn <= INFILTRATION_TURNS


def slips(s: WoodsState, u: int) -> list[int]:
    """Where 150th Brigade may slip from one enemy zone directly into another, to stop there; ascending [7.3 A]."""
    zoc = zone(s, ALLIED)
    if not may_infiltrate(s, u) or not zoc >> s.where[u] & 1:
        return []
    return [h for h in single_steps(s, u) if zoc >> h & 1]


def infiltrations(s: WoodsState, u: int, options: Ways) -> list[int]:
    """The hexes in enemy zones that 150th Brigade may enter and leave again for one without, ascending [7.3 B]."""
    if not may_infiltrate(s, u):
        return []
    zoc = zone(s, ALLIED)
    found: set[int] = set()
    for way in options:
        near = find(s, u, way)
        found |= {h for h in near.hexes if zoc >> h & 1 and _beyond(s, u, way, near, h).hexes}
    return sorted(found)


def _beyond(s: WoodsState, u: int, way: Way, found: Found, h: int) -> Found:
    by_road = way.by_road and h + HEXES in found.costs
    spent = found.costs[h + HEXES if by_road else h]
    return find(s, u, way._replace(budget=way.budget - spent, by_road=by_road), h)


# ---- 10.3 Emergency withdrawal -----------------------------------------------------------------------------------


def emergency_ways(s: WoodsState, u: int) -> list[tuple[int, int]]:
    """(door, destination) pairs for a unit that enemy zones keep from moving [10.3]."""
    zoc = zone(s, 1 - SIDE[u])
    if not zoc >> s.where[u] & 1 or not ways(s, u) or destinations(s, u):
        return []
    supplied = us_supplied_hexes(s) if NATION[u] == "us" else supplied_hexes(s, SIDE[u])
    safe = supplied & ~next_to(occupied(s, 1 - SIDE[u])) & ~closed_to(s, u) & ~barred_by_engineers(s, u)
    pairs = []
    for door in bits(passable(s, u, s.where[u]) & ~closed_to(s, u)):
        if door_keepers(s, u, door):
            pairs += [(door, to) for to in bits(passable(s, u, door) & safe)]
    return sorted(pairs)


def door_keepers(s: WoodsState, u: int, door: int) -> tuple[int, ...]:
    """The supplied friends that can hold a door open for a unit: they have not moved, and do not give way as the US
    Delay does [6.3.1]; ascending."""
    there = [x for x in units_at(s, door) if x not in (u, DELAY) and not s.moved >> x & 1]
    return tuple(x for x in there if is_supplied(s, x))


# ---- why not? ------------------------------------------------------------------------------------------------------


def refuse_destination(s: WoodsState, u: int, to: int) -> Refusal:
    """Why a unit that may move cannot move to a hex which is not within its reach."""
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
    if barred_by_engineers(s, u) >> to & 1:
        return Refusal("6.1", "two-corps")
    if zoc >> s.where[u] & 1 and zoc >> to & 1 and TOUCHING[to] >> s.where[u] & 1:
        return Refusal("7.3", "zone-to-zone", unit=u, hex=to)
    return Refusal("10.2", "too-far", unit=u, hex=to)
