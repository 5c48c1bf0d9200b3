"""Target Arnhem: chapter 4, movement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.games.target_arnhem.components import Ground
from salient.games.target_arnhem.model import (
    AREA_P_CLOSES,
    SS,
    WEHRMACHT,
    ArnhemState,
    mark_acted,
    occupied,
    put,
    unfortify,
)
from salient.hexes.flood import spread
from salient.hexes.masks import bit, bits, mask_of
from salient.hexes.sets import NO_HEXES, HexId, HexSet, UnitId
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.messages import Sink, ignore_events


@lru_cache(maxsize=1 << 14)
def next_to(ground: Ground, enemies: int) -> int:
    """The hexes next to enemies, unless an unbridged river lies between [4.1]."""
    return spread(enemies, ground.open_ground)


# ---- 4.1 Normal movement ------------------------------------------------------------

NORMAL_MOVE = 2  # hexes


def first_step(ground: Ground, start: int, enemies: HexSet) -> HexSet:
    """The hexes that a normal move enters first, but for those across a canal without bridge, as bits."""
    return ground.steps[start] & ~enemies


@lru_cache(maxsize=1 << 14)
def may_go_on(ground: Ground, enemies: int) -> int:
    """The hexes in which a normal move need not stop: neither forest nor next to the enemy, as bits."""
    return ~(ground.forest | next_to(ground, enemies))


def normal_move(ground: Ground, start: int, enemies: HexSet, steps: int = NORMAL_MOVE) -> HexSet:
    """Two hexes, stopping in forest or next to the enemy; or one hex across a canal without bridge; as bits.

    `steps` are the hexes left to a unit under way.
    """
    first = first_step(ground, start, enemies)
    if steps < NORMAL_MOVE:
        return first if steps else NO_HEXES
    second = _easy_steps(ground, first & may_go_on(ground, enemies))
    return (first | second | ground.canal_steps[start]) & ~(enemies | 1 << start)


@lru_cache(maxsize=1 << 14)
def _easy_steps(ground: Ground, hexes: int) -> int:
    return spread(hexes, ground.open_steps)


# ---- 4.2 Road movement ---------------------------------------------------------------


class RoadNet(NamedTuple):
    """Road hexes not next to the enemy that roads join: a unit in one of them reaches all the others, as bits."""

    free: int
    along: int  # these, and the hexes next to the enemy in which a move along the roads stops
    reach: int  # all these, and those one hex off the road
    exits: int  # the areas that its roads lead to


class RoadNets(dict[int, RoadNet]):
    """By hex: the net that a unit which begins there can use, found when it is asked for."""

    def __init__(self, ground: Ground, enemies: int) -> None:
        self.ground, self.enemies = ground, enemies
        self.stops = next_to(ground, enemies)

    def __missing__(self, start: int) -> RoadNet:
        roads = self.ground.road_hexes
        if self.stops >> start & 1 or not roads >> start & 1:
            here = bit(start) & roads
            self[start] = RoadNet(0, here, here, 0)
        else:
            net = self._follow(start)
            self.update(dict.fromkeys(bits(net.free), net))
        return self[start]

    def _follow(self, start: int) -> RoadNet:
        """Follow the roads from a hex that is not next to the enemy."""
        ground = self.ground
        along = ahead = bit(start)
        off, passable, free = 0, ~self.enemies, ~self.stops
        while ahead:
            h = ahead.bit_length() - 1
            onward = ground.roads[h] & passable & ~along
            along |= onward
            off |= ground.off_road_steps[h]
            ahead = ahead ^ 1 << h | onward & free
        net = along & free
        exits = mask_of([area for area, hexes in ground.road_exits.items() if hexes & net])
        return RoadNet(net, along, along | off & passable, exits)


@lru_cache(maxsize=1 << 12)
def road_nets(ground: Ground, enemies: int) -> RoadNets:
    """The nets of roads that these enemies leave open."""
    return RoadNets(ground, enemies)


def road_move(ground: Ground, start: int, enemies: HexSet) -> int:
    """Along roads without limit, until next to the enemy, and at last one hex off the road, as bits."""
    return road_nets(ground, enemies)[start].reach & ~bit(start)


def road_exits(ground: Ground, start: int, enemies: HexSet, open_p: bool) -> int:
    """The areas that a German unit can leave to by road, as bits."""
    exits = road_nets(ground, enemies)[start].exits
    return exits if open_p else exits & ~bit(ground.area_p)


# ---- 4.2b Off-map movement ---------------------------------------------------------------


def off_map_move(ground: Ground, start: int, enemies: HexSet, open_p: bool) -> HexSet:
    """From an area to the hexes and areas that touch it, as bits."""
    places = ground.area_hexes[start] & ~enemies | mask_of(ground.area_links[start])
    return places if open_p else places & ~bit(ground.area_p)


def hexes_in_reach(ground: Ground, start: int, enemies: HexSet, by_road: bool, steps: int = NORMAL_MOVE) -> HexSet:
    """The hexes that a unit on the map may move to, as bits."""
    reached = normal_move(ground, start, enemies, steps)
    return reached | road_move(ground, start, enemies) if by_road else reached


def places_in_reach(
    ground: Ground, start: int, enemies: HexSet, side: int, by_road: bool, open_p: bool, steps: int = NORMAL_MOVE
) -> HexSet:
    """Every place that a unit may move to, as bits."""
    if start >= ground.hexes:
        return off_map_move(ground, start, enemies, open_p)
    reached = hexes_in_reach(ground, start, enemies, by_road, steps)
    return reached | road_exits(ground, start, enemies, open_p) if by_road and side == GERMAN else reached


def area_p_open(s: ArnhemState) -> bool:
    """Whether area P may still be entered [4.2b]."""
    return s.turn < AREA_P_CLOSES


def next_to_enemy_before(s: ArnhemState, side: int) -> int:
    """The hexes next to enemies when the impulse began, as bits: enemies lost since were attacked [4.2]."""
    return next_to(s.ground, occupied(s, 1 - side) | s.attacked)


def began_next_to_enemy(s: ArnhemState, u: UnitId) -> bool:
    """Whether a unit that has yet to act began the impulse next to an enemy."""
    return bool(next_to_enemy_before(s, s.units.side[u]) >> s.where[u] & 1)


def moves_by_road(s: ArnhemState, u: UnitId) -> bool:
    """A unit moves by road if it began the impulse there and not next to an enemy [4.2]."""
    return not (s.landed >> u & 1 or began_next_to_enemy(s, u))


def reach(s: ArnhemState, u: UnitId) -> tuple[int, ...]:
    """Every place that a unit may move to now."""
    side = s.units.side[u]
    enemies, by_road = occupied(s, 1 - side), moves_by_road(s, u)
    return tuple(bits(places_in_reach(s.ground, s.where[u], enemies, side, by_road, area_p_open(s))))


@lru_cache(maxsize=1 << 15)
def moves_to(u: UnitId, places: int) -> tuple[Action, ...]:
    """The moves of a unit to some places, ready-made."""
    return tuple([("move", u, to) for to in bits(places)])


class MoveTable(dict[tuple[int, int], tuple[Action, ...]]):
    """By unit of a side and place: the moves against enemies in some hexes, found when they are asked for."""

    def __init__(self, ground: Ground, side: int, enemies: HexSet, near: HexSet, open_p: bool) -> None:
        self.ground, self.side, self.enemies, self.near, self.open_p = ground, side, enemies, near, open_p

    def __missing__(self, key: tuple[int, int]) -> tuple[Action, ...]:
        u, start = key
        by_road = not self.near >> start & 1
        places = places_in_reach(self.ground, start, self.enemies, self.side, by_road, self.open_p)
        found = self[key] = moves_to(u, places)
        return found


@lru_cache(maxsize=1 << 10)
def move_table(ground: Ground, side: int, enemies: HexSet, near: HexSet, open_p: bool) -> MoveTable:
    """The moves of the units of a side, of which those in the hexes `near` may not take the road."""
    return MoveTable(ground, side, enemies, near, open_p)


def moves(s: ArnhemState, side: int, units: Sequence[UnitId]) -> list[Action]:
    """Every move of some units of a side."""
    enemies, open_p, where, ground = occupied(s, 1 - side), area_p_open(s), s.where, s.ground
    table = move_table(ground, side, enemies, next_to_enemy_before(s, side), open_p)
    off_road = move_table(ground, side, enemies, ground.all_hexes, open_p) if s.landed else table
    found: list[Action] = []
    for u in units:
        found += (off_road if s.landed >> u & 1 else table)[u, where[u]]
    return found


# ---- the way --------------------------------------------------------------------------------


def path(s: ArnhemState, u: UnitId, to: int) -> list[int]:
    """The way that a unit takes to a place within its reach."""
    return shortest_way(s, u, to, NORMAL_MOVE, moves_by_road(s, u))


def shortest_way(s: ArnhemState, u: UnitId, to: int, steps: int, by_road: bool) -> list[int]:
    """The shortest way; of equal ones that which captures the fewest supply zones, then the lowest hex numbers."""
    here, enemies, zones = s.where[u], occupied(s, 1 - s.units.side[u]), zones_to_capture(s, u)
    if to == here:
        return [here]
    if here >= s.ground.hexes:
        return [here, to]
    ways = normal_ways(s.ground, here, to, enemies, steps) if to < s.ground.hexes else []
    if by_road and not any(zones_on(way, zones) == 0 for way in ways):
        ways += road_ways(s.ground, here, to, enemies, zones)
    return min(ways, key=lambda way: (len(way), zones_on(way, zones), way))


def zones_to_capture(s: ArnhemState, u: UnitId) -> int:
    """The supply zones that a unit would capture by entering them, as bits [7.3]."""
    return 0 if s.units.side[u] == ALLIED else mask_of([zone for zone in s.zones if zone >= 0])


def zones_on(way: list[int], zones: int) -> int:
    """How many supply zones are passed before the end of a way."""
    return sum(zones >> h & 1 for h in way[1:-1]) if zones else 0


def normal_ways(ground: Ground, here: int, to: int, enemies: HexSet, steps: int) -> list[list[int]]:
    """The ways of a normal move that lead to a hex."""
    direct = ground.steps[here] if steps else 0
    if steps == NORMAL_MOVE:
        direct |= ground.canal_steps[here]
    if direct >> to & 1:
        return [[here, to]]
    between = (
        first_step(ground, here, enemies) & may_go_on(ground, enemies) & ground.steps[to] if steps == NORMAL_MOVE else 0
    )
    return [[here, h, to] for h in bits(between)]


def road_ways(ground: Ground, start: int, to: int, enemies: HexSet, zones: int) -> list[list[int]]:
    """The best way by road, if one leads there."""
    free, along = ~next_to(ground, enemies), road_nets(ground, enemies)[start].along
    open_ways = [(1, 0, [start])]  # length, zones, hexes
    seen = 0
    while open_ways:
        length, captured, way = heappop(open_ways)
        here = way[-1]
        if here == to:
            return [way]
        if seen >> here & 1 or not free >> here & 1:
            continue
        seen |= bit(here)
        if to >= ground.hexes:
            leaves_road = bool(ground.road_exits[to] >> here & 1)
        else:
            leaves_road = bool(ground.off_road_steps[here] >> to & 1) and not along >> to & 1
        onward = bits(ground.roads[here] & ~enemies & ~seen)
        for h in [*onward, to] if leaves_road else onward:
            heappush(open_ways, (length + 1, captured + (zones >> h & 1 if h < ground.hexes else 0), [*way, h]))
    return []


# ---- the move itself --------------------------------------------------------------------------


def move(s: ArnhemState, u: UnitId, to: int, out: Sink) -> None:
    """Move a unit to a place within its reach; its way is worked out only where it matters."""
    way = path(s, u, to) if out is not ignore_events or may_capture(s, u) else [s.where[u], to]
    mark_acted(s, u)
    walk(s, u, way, out)


def may_capture(s: ArnhemState, u: UnitId) -> bool:
    """Whether the move of a unit can lead through a supply zone, which is then within its reach [7.3]."""
    zones, here = zones_to_capture(s, u), s.where[u]
    if not zones or here >= s.ground.hexes:
        return False
    return bool(zones & hexes_in_reach(s.ground, here, occupied(s, 1 - s.units.side[u]), moves_by_road(s, u)))


def walk(s: ArnhemState, u: UnitId, way: list[int], out: Sink) -> None:
    """Take a unit along a way: it leaves its fortification and captures the zones that it enters [5.4, 7.3]."""
    if out is not ignore_events:
        rule = _kind_of_move(s.ground, way, occupied(s, 1 - s.units.side[u]))
        out(rule, "moves", unit=u, place_from=way[0], place_to=way[-1], places=tuple(way))
    unfortify(s, u)
    put(s, u, way[-1])
    if zones_to_capture(s, u):
        for h in way[1:]:
            capture_zone(s, (u,), h, out)


def _kind_of_move(ground: Ground, way: list[int], enemies: HexSet) -> str:
    """The rule that a way follows: off the map, normal, or along a road."""
    if way[0] >= ground.hexes:
        return "4.2b"
    goes_on = len(way) == 2 or (len(way) == 3 and bool(may_go_on(ground, enemies) >> way[1] & 1))
    return "4.1" if goes_on and way[-1] < ground.hexes else "4.2"


# ---- 7.3 Drop zones ---------------------------------------------------------------------------


def capture_zone(s: ArnhemState, units: tuple[UnitId, ...], h: int, out: Sink) -> None:
    """German units that enter a supply zone destroy it and gain a supply point.

    It goes to the SS if only their units enter: the Wehrmacht's points serve both.
    """
    if units and s.units.side[units[0]] == GERMAN and h in s.zones:
        first = next((u for u in units if s.units.pool[u] != SS), units[0])
        pool = SS if s.units.pool[first] == SS else WEHRMACHT
        s.pools[pool] += 1
        division = s.zones.index(h)
        s.zones[division] = -1
        out("7.3", "zone-captured", unit=first, hex=h, pool_lost=division, pool_gains=pool)


# ---- a unit under way ---------------------------------------------------------------------------


def waypoints(ground: Ground, start: int, enemies: HexSet, by_road: bool, steps: int = NORMAL_MOVE) -> HexSet:
    """The hexes from which a move can go on: the first of a normal move, and those along the road, as bits."""
    if start >= ground.hexes:
        return NO_HEXES
    near = first_step(ground, start, enemies) & may_go_on(ground, enemies) if steps == NORMAL_MOVE else NO_HEXES
    road = road_nets(ground, enemies)[start].free if by_road else NO_HEXES
    return (near | road) & ~bit(start)


def way_to_waypoint(s: ArnhemState, u: UnitId, h: HexId, steps: int, by_road: bool) -> list[int]:
    """The way that leads to a waypoint: the first hex of a normal move, or the best way by road."""
    here, enemies = s.where[u], occupied(s, 1 - s.units.side[u])
    if waypoints(s.ground, here, enemies, False, steps) >> h & 1:
        return [here, h]
    return road_ways(s.ground, here, h, enemies, zones_to_capture(s, u))[0]


def lead(s: ArnhemState, u: UnitId, h: HexId, steps: int, by_road: bool, out: Sink) -> Underway:
    """Take a unit to a waypoint; what follows is the decision where it goes from there."""
    way = way_to_waypoint(s, u, h, steps, by_road)
    first_hex = waypoints(s.ground, way[0], occupied(s, 1 - s.units.side[u]), False, steps) >> h & 1
    keeps_road = by_road and all(s.ground.roads[a] >> b & 1 for a, b in pairwise(way))
    walk(s, u, way, out)
    return Underway(s.units.side[u], u, int(first_hex), keeps_road)


@dataclass(frozen=True, slots=True)
class Underway(SideFrame[ArnhemState]):
    """A unit that was led to a waypoint goes on, or stops there."""

    unit: UnitId
    steps: int  # hexes left of a normal move
    by_road: bool

    def reach(self, s: ArnhemState) -> tuple[int, ...]:
        """Where the move may end: here, or where it can still go."""
        here, enemies = s.where[self.unit], occupied(s, 1 - self.side)
        onward = places_in_reach(s.ground, here, enemies, self.side, self.by_road, area_p_open(s), self.steps)
        return tuple(bits(onward | bit(here)))

    def legal(self, s: ArnhemState) -> list[Action]:
        onward = waypoints(s.ground, s.where[self.unit], occupied(s, 1 - self.side), self.by_road, self.steps)
        return [*self.candidates(s), *(("via", self.unit, h) for h in bits(onward))]

    def candidates(self, s: ArnhemState) -> list[Action]:
        return [("move", self.unit, to) for to in self.reach(s)]

    def apply(self, s: ArnhemState, action: Action, out: Sink) -> None:
        match action:
            case ("via", _, HexId(h)):
                s.swap(lead(s, self.unit, h, self.steps, self.by_road, out))
            case (_, _, int(to)):
                s.pop()
                if to != s.where[self.unit]:
                    walk(s, self.unit, shortest_way(s, self.unit, to, self.steps, self.by_road), out)

    def prompt(self, s: ArnhemState) -> Prompt:
        return Prompt("4", "under-way", unit=self.unit, hex=s.where[self.unit])

    def refusals(self, s: ArnhemState, action: Action) -> list[Refusal]:
        match action:
            case ("move" | "via" as verb, self.unit, int(to)):
                here = s.where[self.unit]
                if verb == "via" and to in self.reach(s) and to != here:
                    return [refuse_going_on(s, self.unit, HexId(to))]
                return [Refusal("4", "no-way-on", unit=self.unit, hex=here, place=to)]
        return [Refusal("3.3", "finish-move-first", unit=self.unit)]


# ---- why not? -----------------------------------------------------------------------------------


def refuse_move(s: ArnhemState, u: UnitId, to: int) -> Refusal | None:
    """Why a unit that may act cannot move to a place."""
    if to in reach(s, u):
        return None
    start, enemies = s.where[u], occupied(s, 1 - s.units.side[u])
    if to == start:
        return Refusal("4", "is-there-already", unit=u, place=to)
    if to >= s.ground.waiting:
        return Refusal("4", "no-such-move", unit=u, place=to)
    if to >= s.ground.hexes:
        return _refuse_area(s, u, to)
    if enemies >> to & 1:
        return Refusal("3.5", "enemy-in-hex", hex=to)
    if start >= s.ground.hexes:
        return Refusal("4.2b", "one-hex-from-area", place=start, hex=to)
    if to in s.ground.board.adjacent[start]:
        return Refusal("4.1", "river-without-bridge", hex_from=start, hex=to)
    return (
        _refuse_road(s, u, to)
        or _refuse_second_hex(s.ground, start, to, enemies)
        or Refusal("4.1", "too-far", unit=u, hex=to)
    )


def _refuse_road(s: ArnhemState, u: UnitId, to: int) -> Refusal | None:
    """Why the road that leads to a hex does not carry a unit there."""
    start = s.where[u]
    if not road_move(s.ground, start, NO_HEXES) >> to & 1:
        return None
    if s.landed >> u & 1:
        return Refusal("4.2", "just-landed-no-road", unit=u, hex=to)
    if began_next_to_enemy(s, u):
        return Refusal("4.2", "no-road-move-next-to-enemy", unit=u, hex=to)
    return Refusal("4.2", "road-held-up", unit=u, hex=to)


def _refuse_second_hex(ground: Ground, start: int, to: int, enemies: HexSet) -> Refusal | None:
    """Why a normal move does not go on to a hex at a distance of two: the cause nearest to success first."""
    between = [h for h in ground.board.adjacent[start] if h in ground.board.adjacent[to]]
    hexsides = [*((start, h) for h in between), *((h, to) for h in between)]
    for h in between:
        if first_step(ground, start, enemies) >> h & 1 and ground.steps[h] >> to & 1:
            return Refusal("4.1", "stops-in-forest" if ground.forest >> h & 1 else "stops-next-to-enemy", hex=h)
    for a, b in hexsides:
        if ground.canal_steps[a] >> b & 1:
            return Refusal("4.1", "canal-is-whole-move", hex_from=a, hex=b)
    for a, b in hexsides:
        if not ground.touching[a] >> b & 1:
            return Refusal("4.1", "river-without-bridge", hex_from=a, hex=b)
    return Refusal("3.5", "enemy-in-hex", hex=between[0]) if between else None


def _refuse_area(s: ArnhemState, u: UnitId, to: int) -> Refusal:
    start = s.where[u]
    if s.units.side[u] == ALLIED:
        return Refusal("4", "allies-stay-on-map", place=to)
    if to == s.ground.area_p and not area_p_open(s):
        return Refusal("4.2b", "area-p-closed", place=to)
    if start >= s.ground.hexes:
        return Refusal("4.2b", "areas-do-not-touch", place_from=start, place=to)
    if road_exits(s.ground, start, NO_HEXES, True) >> to & 1:
        key = "no-road-exit-next-to-enemy" if began_next_to_enemy(s, u) else "road-exit-held-up"
        return Refusal("4.2", key, unit=u, place=to)
    return Refusal("4.2", "areas-by-road-only", unit=u, place=to)


def refuse_waypoint(s: ArnhemState, u: UnitId, h: HexId) -> Refusal | None:
    """Why a unit that may act cannot be led to a waypoint."""
    if waypoints(s.ground, s.where[u], occupied(s, 1 - s.units.side[u]), moves_by_road(s, u)) >> h & 1:
        return None
    return refuse_move(s, u, h) or refuse_going_on(s, u, h)


def refuse_going_on(s: ArnhemState, u: UnitId, h: HexId) -> Refusal:
    """Why a move to a hex within reach ends there."""
    here, enemies = s.where[u], occupied(s, 1 - s.units.side[u])
    if next_to(s.ground, enemies) >> h & 1:
        return Refusal("4.1", "stops-next-to-enemy", hex=h)
    if here < s.ground.hexes and s.ground.canal_steps[here] >> h & 1:
        return Refusal("4.1", "canal-is-whole-move", hex_from=here, hex=h)
    if s.ground.forest >> h & 1:
        return Refusal("4.1", "stops-in-forest", hex=h)
    return Refusal("4", "move-ends-there", unit=u, hex=h)
