"""The Deadly Woods: chapter 10, movement."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import pairwise

from salient.common.bars import Bar, Bars, allowed, refusal
from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied, on_map, present, put, units_at
from salient.games.deadly_woods.components import ARMOR, INFANTRY, Ground
from salient.games.deadly_woods.entering import burdens
from salient.games.deadly_woods.model import WoodsState, kind_of
from salient.games.deadly_woods.stacking import barred_by_engineers, engineers_on_map
from salient.games.deadly_woods.supply import is_supplied, supplied_hexes, us_supplied_hexes
from salient.games.deadly_woods.ways import (
    Found,
    Shut,
    Tolls,
    Way,
    Ways,
    across_major_rivers,
    cheapest,
    joining_steps,
    path_to,
    search,
    steps,
    table,
)
from salient.games.deadly_woods.zones import bounds, next_to, refuse_ground, zone
from salient.hexes.masks import bits, hexes_of, mask_of, units_of
from salient.hexes.sets import NO_HEXES, Group, HexId, HexSet, UnitId, UnitSet
from salient.kernel import Refusal

OUT_OF_SUPPLY = 3  # movement capacity [8.3]
MOTORIZED_INFANTRY = 6  # 10.5
AIRBORNE_BY_TRUCK = 12  # 14.8.4
INFILTRATION_TURNS = 3  # 7.3
FARTHEST = 250  # half points: farther than any unit goes, to tell a long way from none

# ---- 10.1, 10.2.1, 14.4 Which units may move ---------------------------------------------------


def _without_capacity(s: WoodsState, units: UnitSet) -> UnitSet:
    return units_of(u for u in bits(units & s.units.slow) if s.units.values[u][s.lost[u]][2] == 0)


def _next_to_enemy(s: WoodsState, units: UnitSet) -> UnitSet:
    side, near = s.units.side, [next_to(s.ground, occupied(s, enemy)) for enemy in (ALLIED, GERMAN)]
    return units_of(u for u in bits(units) if near[1 - side[u]] >> s.where[u] & 1)


def _unsupplied(s: WoodsState, units: UnitSet) -> UnitSet:
    return units_of(u for u in bits(units) if not is_supplied(s, u))


MOVE_BARS: Bars[WoodsState] = (
    Bar("10.1", "not-on-map", lambda s, units: units & ~present(s)),
    Bar("14.1", "not-activated", lambda s, units: units & ~s.active),
    Bar("10.2.1", "moved-already", lambda s, units: units & s.done),
    Bar("10.1", "no-capacity", _without_capacity),
)
STEP_BARS: Bars[WoodsState] = (
    *MOVE_BARS,
    Bar("14.4", "next-to-enemy", _next_to_enemy),
    Bar("14.4", "step-needs-supply", _unsupplied),
)


def refuse_mover(s: WoodsState, u: UnitId, one_hex: bool) -> Refusal | None:
    """Why a unit cannot move in this round."""
    return refusal(s, u, STEP_BARS if one_hex else MOVE_BARS)


def movers(s: WoodsState, side: int, one_hex: bool) -> list[UnitId]:
    """The units that may be selected to move, ascending."""
    if s.left == 0:
        return []
    return bits(allowed(s, s.active & s.units.side_mask[side], STEP_BARS if one_hex else MOVE_BARS))


# ---- 8.3, 10.4, 10.5 How a unit may move ----------------------------------------------------------------


def is_stacked(s: WoodsState, u: UnitId) -> bool:
    """Whether a unit began the round stacked or is stacked now, which forbids the road rate [10.4.1]."""
    return bool(s.stacked >> u & 1) or len(units_at(s, s.where[u])) > 1


def may_use_road_rate(s: WoodsState, u: UnitId) -> bool:
    """On a road, alone unless just arrived, and supplied [8.3, 10.4.1, 14.8]."""
    return _may_ride(s, u) and is_supplied(s, u)


def _may_ride(s: WoodsState, u: UnitId) -> bool:
    """Whether a unit may use the road rate if it is supplied."""
    return bool(s.ground.road_hexes >> s.where[u] & 1) and (bool(s.arrived >> u & 1) or not is_stacked(s, u))


def may_be_motorized(s: WoodsState, u: UnitId) -> bool:
    """Infantry that may ride: all Allies, arriving Germans, and the unit under the marker [10.5, 12.6]."""
    if s.units.side[u] != ALLIED and not s.arrived >> u & 1 and s.motor != u:
        return False
    return s.units.values[u][s.lost[u]][2] > 0 and may_use_road_rate(s, u)


def ways(s: WoodsState, u: UnitId) -> Ways:
    """The ways in which a unit may move now, the plain one first; none if it cannot move [8.3, 10.1]."""
    kind, capacity = kind_of(s, u), s.units.values[u][s.lost[u]][2]
    if capacity == 0:
        return ()
    if kind == INFANTRY:
        plain = Way(True, capacity * 2, False, False)
        if not may_be_motorized(s, u):
            return (plain,)
        rides = AIRBORNE_BY_TRUCK if _comes_by_truck(s, u) else MOTORIZED_INFANTRY
        return plain, Way(False, rides * 2, True, True)
    if is_supplied(s, u):
        return (Way(False, capacity * 2, _may_ride(s, u), False),)
    if s.units.side[u] == GERMAN and kind == ARMOR and s.units.steps[u] < 3:
        return ()  # no mechanized step to escape with
    return (Way(False, OUT_OF_SUPPLY * 2, False, False),)


def _comes_by_truck(s: WoodsState, u: UnitId) -> bool:
    return s.units.us_airborne[u] and s.turn == 2 and bool(s.arrived >> u & 1) and s.reinforcements[ALLIED] == 1


def abandons_tanks(s: WoodsState, u: UnitId) -> bool:
    """Whether a German armoured unit must leave its tanks behind to move [8.3]."""
    return s.units.side[u] == GERMAN and kind_of(s, u) == ARMOR and not is_supplied(s, u)


def tolls_against(s: WoodsState, side: int) -> Tolls:
    """The markers that slow a side: Greif and the alarm about parachutists, or Allied traffic [12.5, 12.7, 12.8]."""
    assets, hexes = s.assets, s.ground.hexes
    markers = ((assets.greif, True), (assets.alarm, False)) if side == ALLIED else ((assets.traffic, True),)
    return tuple((s.asset[a], by_road) for a, by_road in markers if s.asset[a] < hexes)


def shut_to(s: WoodsState, u: UnitId) -> Shut:
    """The hexsides that a unit cannot cross: the bridge of Ouren carries no armour on turn 1 [10.6.3]."""
    return Shut(ouren=s.turn == 1 and kind_of(s, u) == ARMOR and not abandons_tanks(s, u))


def closed_to(s: WoodsState, u: UnitId) -> HexSet:
    """The hexes that a unit cannot pass through: enemies, ground out of bounds, and for Germans engineers [12.4.4]."""
    side = s.units.side[u]
    closed = occupied(s, 1 - side) | s.ground.all_hexes & ~bounds(s, u)
    return closed | engineers_on_map(s) if side == GERMAN else closed


def halts(s: WoodsState, u: UnitId, way: Way) -> int:
    """The hexes in which a unit must stop, as bits: enemy zones; under the motorized marker all next to the enemy."""
    side = s.units.side[u]
    rides_under_marker = way.road_only and s.motor == u
    return zone(s, 1 - side) | (next_to(s.ground, occupied(s, 1 - side)) if rides_under_marker else 0)


def find(s: WoodsState, u: UnitId, way: Way, start: int = -1) -> Found:
    """All that a unit reaches by one way of moving."""
    return _find(s, u, way, s.where[u] if start < 0 else start, shut_to(s, u), closed_to(s, u))


def find_all(s: WoodsState, u: UnitId, options: Ways) -> list[Found]:
    """All that a unit reaches from where it stands, by each of some ways of moving."""
    start, shut, closed = s.where[u], shut_to(s, u), closed_to(s, u)
    return [_find(s, u, way, start, shut, closed) for way in options]


def _find(s: WoodsState, u: UnitId, way: Way, start: int, shut: Shut, closed: HexSet) -> Found:
    tolls, friends = tolls_against(s, s.units.side[u]), _friends(s, u, way)
    return search(s.ground, start, way, s.blown, tolls, shut, halts(s, u, way), closed, friends)


def _friends(s: WoodsState, u: UnitId, way: Way) -> HexSet:
    """The hexes of others that a unit does not enter at the road rate, as bits [10.4.1]."""
    return occupied(s, s.units.side[u]) & ~(1 << s.where[u]) if way.by_road else NO_HEXES


def passages(s: WoodsState, u: UnitId) -> Callable[[int], int]:
    """What gives the neighbours of a hex whose ground and hexside a unit can enter and cross, as bits: on foot all,
    even across a major river [10.2]."""
    if kind_of(s, u) == INFANTRY:
        return s.ground.touching.__getitem__
    return partial(_drivable, s.ground, s.blown, shut_to(s, u))


@lru_cache(maxsize=1 << 14)
def _drivable(ground: Ground, blown: int, shut: Shut, h: int) -> int:
    return mask_of(there for kind in ("motor", "road") for there, _ in steps(ground, kind, h, blown, (), shut))


def whole_moves(s: WoodsState, u: UnitId) -> list[HexId]:
    """Neighbours that cost a whole move: across a major river on foot, or into a hex with Allied engineers."""
    here, side = s.where[u], s.units.side[u]
    foot = kind_of(s, u) == INFANTRY
    targets = NO_HEXES
    if side == GERMAN and (engineers := engineers_on_map(s) & s.ground.touching[here]):
        kinds = ("foot" if foot else "motor", *(("road",) if may_use_road_rate(s, u) else ()))
        shut = shut_to(s, u)
        targets |= engineers & hexes_of(h for kind in kinds for h, _ in steps(s.ground, kind, here, s.blown, (), shut))
    if foot:
        targets |= across_major_rivers(s.ground, here)
    if not targets:
        return []
    targets &= bounds(s, u) & ~occupied(s, 1 - side)
    zoc = zone(s, 1 - side)
    return bits(targets & ~zoc if zoc >> here & 1 else targets)


def single_steps(s: WoodsState, u: UnitId) -> list[HexId]:
    """The neighbours that a unit may enter as its whole move, enemy zones apart, ascending [7.3, 14.4]."""
    here, side, reached = s.where[u], s.units.side[u], NO_HEXES
    for way in ways(s, u):
        friends = occupied(s, side) if way.by_road else NO_HEXES
        kinds = ("foot",) if way.foot else ("motor", "road") if way.by_road else ("motor",)
        for kind in kinds:
            near = steps(s.ground, kind, here, s.blown, tolls_against(s, side), shut_to(s, u))
            allowed = hexes_of(h for h, points in near if points <= way.budget)
            reached |= allowed & ~friends if kind == "road" else allowed
    return bits((reached & ~closed_to(s, u) | mask_of(whole_moves(s, u))) & ~barred_by_engineers(s, u))


def destinations(s: WoodsState, u: UnitId) -> list[int]:
    """Every hex that a unit which has not moved may move to, ascending."""
    return destinations_by(s, u, ways(s, u))


def destinations_by(s: WoodsState, u: UnitId, options: Ways) -> list[int]:
    """Every hex that a unit which has not moved may move to in some ways, ascending."""
    found = reached(s, u, options)
    if options and (whole := whole_moves(s, u)):
        barred = barred_by_engineers(s, u)
        return sorted({*found, *(h for h in whole if not barred >> h & 1)})
    return found


def reached(s: WoodsState, u: UnitId, options: Ways) -> list[int]:
    """Every hex that a unit reaches from where it stands in some ways and may end in, ascending."""
    near, barred = find_all(s, u, options), barred_by_engineers(s, u)
    found = near[0].hexes if len(near) == 1 else sorted({h for each in near for h in each.hexes})
    return [h for h in found if not barred >> h & 1] if barred else list(found)


def path(s: WoodsState, u: UnitId, to: int, options: Ways) -> list[int]:
    """The way that a unit takes to a hex: on foot if it can, otherwise by road."""
    start, shut, closed = s.where[u], shut_to(s, u), closed_to(s, u)
    for way in options:
        found = _find(s, u, way, start, shut, closed)
        if to in found.hexes:
            return _gentlest(s, u, way, to, found)
    return [s.where[u], to]  # a whole move


def _gentlest(s: WoodsState, u: UnitId, way: Way, to: int, found: Found) -> list[int]:
    """A cheapest path, of equal ones that which rather does not cross the Meuse, displace the US Delay, or rebuild a
    bridge."""
    plain = path_to(s.ground, found, to)
    if not any(burdens(s, u, plain, rebuilds=True)):
        return plain
    german, delay = s.units.side[u] == GERMAN, s.units.delay
    spared = 1 << s.where[delay] if not german and on_map(s, delay) else 0
    for spares, keeps_bridges in ((True, True), (True, False), (False, True)):
        shut = shut_to(s, u)._replace(meuse=spares and german and not s.meuse_crossed, blown=keeps_bridges)
        other = _find(s, u, way, s.where[u], shut, closed_to(s, u) | (spared if spares else 0))
        if to in other.hexes and cheapest(s.ground, other, to) == cheapest(s.ground, found, to):
            return path_to(s.ground, other, to)
    return plain


def cost(s: WoodsState, u: UnitId, to: int, options: Ways) -> float:
    """What the plain move to a hex costs, in movement points."""
    for way in options:
        found = find(s, u, way)
        if to in found.hexes:
            return cheapest(s.ground, found, to) / 2
    return float(s.units.values[u][s.lost[u]][2])


# ---- 10.2 Hex by hex: a unit that is led over waypoints ---------------------------------------------------


def led(s: WoodsState, u: UnitId, to: int, options: Ways) -> list[int]:
    """The way to a waypoint: the step itself into a neighbour if it can be made, otherwise as a plain move goes."""
    step = [s.where[u], to]
    return step if after_path(s, u, step, options) else path(s, u, to, options)


def after_path(s: WoodsState, u: UnitId, way: list[int], options: Ways) -> Ways:
    """How a unit may go on after a path of its own choice, what it has spent taken off; none if it cannot go it."""
    left = [end for option in options for end in _walk(s, u, way, option)]
    return tuple(sorted({end for end in left if not any(_is_better(other, end) for other in left)}, reverse=True))


def _is_better(other: Way, way: Way) -> bool:
    alike = other.foot == way.foot and other.road_only == way.road_only
    return alike and other != way and other.budget >= way.budget and other.by_road >= way.by_road


def _walk(s: WoodsState, u: UnitId, path: list[int], option: Way) -> list[Way]:
    """One way of moving after a path, at the road rate and off it; nothing where it must stop before [7.3]."""
    held, closed = halts(s, u, option), closed_to(s, u)
    left = [option]
    for i, (a, b) in enumerate(pairwise(path)):
        if closed >> b & 1 or (held >> a & 1 and (i > 0 or held >> b & 1)):
            return []
        left = [end for way in left for end in _step(s, u, way, a, b)]
    return left


def _step(s: WoodsState, u: UnitId, way: Way, a: int, b: int) -> Iterator[Way]:
    friends, tolls, hexes = _friends(s, u, way), tolls_against(s, s.units.side[u]), s.ground.hexes
    rows = table(s.ground, way.kind, s.blown, tolls, shut_to(s, u))
    node = a + hexes if way.by_road else a
    nodes = (b,) if friends >> b & 1 else (b, b + hexes)
    for there, points in joining_steps(rows, node, friends) if way.road_only else rows[node]:
        if there in nodes and points <= way.budget:
            yield way._replace(budget=way.budget - points, by_road=there >= hexes)


def waypoints(s: WoodsState, u: UnitId, options: Ways) -> list[int]:
    """The hexes to which a unit may be led and from which it may go on, ascending."""
    barred = barred_by_engineers(s, u)
    held = [(way, halts(s, u, way)) for way in options]
    found = {h for way, stops in held for h in find(s, u, way).hexes if not stops >> h & 1}
    return sorted(h for h in found if not barred >> h & 1 or _passes(s, u, h, options))


def _passes(s: WoodsState, u: UnitId, h: int, options: Ways) -> bool:
    """Whether a unit led to a hex in which it may not end can go on to one in which it may [6.1]."""
    left, there = after_path(s, u, led(s, u, h, options), options), s.clone()
    put(there, u, h)
    return bool(reached(there, u, going_on(there, u, left)))


def going_on(s: WoodsState, u: UnitId, options: Ways) -> Ways:
    """The ways in which a unit does not have to stop where it stands now."""
    return tuple(way for way in options if not halts(s, u, way) >> s.where[u] & 1)


# ---- 7.3 The trick of 150th Brigade -------------------------------------------------------------------------


def may_infiltrate(s: WoodsState, u: UnitId) -> bool:
    """Whether a unit is 150th Brigade and has its trick still: once in the first three turns."""
    return u == s.units.brigade_150 and not s.infiltrated and s.turn <= INFILTRATION_TURNS


def slips(s: WoodsState, u: UnitId) -> list[int]:
    """Where 150th Brigade may slip from one enemy zone directly into another, to stop there; ascending [7.3 A]."""
    if not may_infiltrate(s, u):
        return []
    zoc = zone(s, ALLIED)
    if not zoc >> s.where[u] & 1:
        return []
    return [h for h in single_steps(s, u) if zoc >> h & 1]


def infiltrations(s: WoodsState, u: UnitId, options: Ways) -> list[int]:
    """The hexes in enemy zones that 150th Brigade may enter and leave again for one without, ascending [7.3 B]."""
    if not may_infiltrate(s, u):
        return []
    zoc = zone(s, ALLIED)
    found: set[int] = set()
    for way in options:
        near = find(s, u, way)
        found |= {h for h in near.hexes if zoc >> h & 1 and _beyond(s, u, way, near, h).hexes}
    return sorted(found)


def _beyond(s: WoodsState, u: UnitId, way: Way, found: Found, h: int) -> Found:
    at_road_rate = h + s.ground.hexes
    by_road = way.by_road and at_road_rate in found.costs
    spent = found.costs[at_road_rate if by_road else h]
    return find(s, u, way._replace(budget=way.budget - spent, by_road=by_road), h)


# ---- 10.3 Emergency withdrawal -----------------------------------------------------------------------------------


def emergency_ways(s: WoodsState, u: UnitId) -> list[tuple[int, int]]:
    """(door, destination) pairs for a unit that can move in some way and reaches no hex, where enemy zones keep it
    from moving [10.3]."""
    side, closed = s.units.side[u], closed_to(s, u)
    if not zone(s, 1 - side) >> s.where[u] & 1:
        return []
    supplied = us_supplied_hexes(s) if s.units.nation[u] == "us" else supplied_hexes(s, side)
    safe = supplied & ~next_to(s.ground, occupied(s, 1 - side)) & ~closed & ~barred_by_engineers(s, u)
    pairs, passable = [], passages(s, u)
    for door in bits(passable(s.where[u]) & ~closed):
        if door_keepers(s, u, door):
            pairs += [(door, to) for to in bits(passable(door) & safe)]
    return sorted(pairs)


def door_keepers(s: WoodsState, u: UnitId, door: int) -> Group:
    """The supplied friends that can hold a door open for a unit: they have not moved, and do not give way as the US
    Delay does [6.3.1]; ascending."""
    there = [x for x in units_at(s, door) if x not in (u, s.units.delay) and not s.moved >> x & 1]
    return tuple(x for x in there if is_supplied(s, x))


# ---- why not? ------------------------------------------------------------------------------------------------------


def refuse_destination(s: WoodsState, u: UnitId, to: int) -> Refusal:
    """Why a unit that may move cannot move to a hex which is not within its reach."""
    side = s.units.side[u]
    zoc = zone(s, 1 - side)
    if to == s.where[u]:
        return Refusal("10.2", "is-there", unit=u, hex=to)
    if occupied(s, 1 - side) >> to & 1:
        return Refusal("10.2", "enemy-in-hex", hex=to)
    if not ways(s, u):
        key = "no-capacity" if s.units.values[u][s.lost[u]][2] == 0 else "tanks-stand"
        return Refusal("10.1" if key == "no-capacity" else "8.3", key, unit=u)
    if refusal := refuse_ground(s, u, to):
        return refusal
    if barred_by_engineers(s, u) >> to & 1:
        return Refusal("6.1", "two-corps")
    if zoc >> s.where[u] & 1 and zoc >> to & 1 and s.ground.touching[to] >> s.where[u] & 1:
        return Refusal("7.3", "zone-to-zone", unit=u, hex=to)
    return _refuse_way(s, u, to)


def _refuse_way(s: WoodsState, u: UnitId, to: int) -> Refusal:
    """What keeps a unit from a hex: enemy zones on the way, its movement points, or that no way leads there."""
    closed, shut, tolls = closed_to(s, u), shut_to(s, u), tolls_against(s, s.units.side[u])

    def reaches(way: Way) -> bool:
        return to in search(s.ground, s.where[u], way, s.blown, tolls, shut, 0, closed, _friends(s, u, way)).hexes

    options = ways(s, u)
    if any(reaches(way) for way in options):
        return Refusal("7.3", "zones-between", unit=u, hex=to)
    if any(reaches(way._replace(budget=FARTHEST)) for way in options):
        return Refusal("10.2", "too-far", unit=u, hex=to, n=max(way.budget for way in options) // 2)
    return Refusal("10.2", "no-way", unit=u, hex=to)
