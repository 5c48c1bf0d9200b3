"""Target Arnhem: chapter 4, movement."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise

from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.games.target_arnhem.model import (
    AREA_HEXES,
    AREA_LINKS,
    AREA_P,
    AREA_P_CLOSES,
    BOARD,
    CANAL_STEPS,
    EASY_STEPS,
    FOREST,
    HEXES,
    OFF_ROAD,
    OFF_ROAD_STEPS,
    OPEN_GROUND,
    OPEN_ROADS,
    POOL,
    ROAD_EXITS,
    ROAD_HEXES,
    ROADS,
    SIDE,
    SS,
    STEPS,
    TOUCHING,
    WAITING,
    WEHRMACHT,
    ArnhemState,
    mark_acted,
    occupied,
    put,
    unfortify,
)
from salient.hexes.flood import spread
from salient.hexes.masks import bit, bits, mask_of
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.messages import NULL, Sink


@lru_cache(maxsize=1 << 14)
def next_to(enemies: int) -> int:
    """The hexes next to enemies, unless an unbridged river lies between [4.1]."""
    return spread(enemies, OPEN_GROUND)


# ---- 4.1 Normal movement ------------------------------------------------------------

NORMAL_MOVE = 2  # hexes


def first_step(start: int, enemies: int) -> int:
    """The hexes that a normal move enters first, but for those across a canal without bridge, as bits."""
    return STEPS[start] & ~enemies


def may_go_on(enemies: int) -> int:
    """The hexes in which a normal move need not stop: neither forest nor next to the enemy, as bits."""
    return ~(FOREST | next_to(enemies))


def normal_move(start: int, enemies: int, steps: int = NORMAL_MOVE) -> int:
    """Two hexes, stopping in forest or next to the enemy; or one hex across a canal without bridge; as bits.

    `steps` are the hexes left to a unit under way.
    """
    if steps < NORMAL_MOVE:
        return first_step(start, enemies) if steps else 0
    first = first_step(start, enemies)
    second = spread(first & may_go_on(enemies), EASY_STEPS)
    return (first | second | CANAL_STEPS[start]) & ~enemies & ~bit(start)


# ---- 4.2 Road movement ---------------------------------------------------------------


def along_roads(start: int, enemies: int) -> int:
    """The hexes reached along roads without limit, until next to the enemy, as bits; the start included."""
    reached = frontier = bit(start) & ROAD_HEXES
    free = ~next_to(enemies)
    while frontier:
        frontier = spread(frontier & free, OPEN_ROADS) & ~enemies & ~reached
        reached |= frontier
    return reached


def road_move(start: int, enemies: int) -> int:
    """Along roads, and at last one hex off the road, as bits."""
    reached = along_roads(start, enemies)
    off = spread(reached & ~next_to(enemies), OFF_ROAD) & ~enemies
    return (reached | off) & ~bit(start)


def road_exits(start: int, enemies: int, open_p: bool) -> list[int]:
    """The areas that a German unit can leave to by road, ascending."""
    reached = along_roads(start, enemies) & ~next_to(enemies)
    return [area for area, exits in ROAD_EXITS.items() if reached & exits and (area != AREA_P or open_p)]


# ---- 4.2b Off-map movement ---------------------------------------------------------------


def off_map_move(start: int, enemies: int, open_p: bool) -> list[int]:
    """From an area to the hexes and areas that touch it."""
    areas = [area for area in AREA_LINKS[start] if area != AREA_P or open_p]
    return bits(AREA_HEXES[start] & ~enemies) + areas


@lru_cache(maxsize=1 << 14)
def destinations(
    start: int, enemies: int, side: int, by_road: bool, open_p: bool, steps: int = NORMAL_MOVE
) -> tuple[int, ...]:
    """Every place that a unit may move to, ascending."""
    if start >= HEXES:
        return tuple(off_map_move(start, enemies, open_p))
    reached = normal_move(start, enemies, steps)
    if by_road:
        reached |= road_move(start, enemies)
    exits = road_exits(start, enemies, open_p) if by_road and side == GERMAN else []
    return (*bits(reached), *exits)


def area_p_open(s: ArnhemState) -> bool:
    """Whether area P may still be entered [4.2b]."""
    return s.turn < AREA_P_CLOSES


def moves_by_road(s: ArnhemState, u: int) -> bool:
    """A unit moves by road if it began the impulse there and not next to an enemy [4.2]."""
    return not (s.landed >> u & 1 or began_next_to_enemy(s, u))


def began_next_to_enemy(s: ArnhemState, u: int) -> bool:
    """Whether a unit that has yet to act began the impulse next to an enemy: enemies lost since were attacked [4.2]."""
    return bool(next_to(occupied(s, 1 - SIDE[u]) | s.attacked) >> s.where[u] & 1)


def reach(s: ArnhemState, u: int) -> tuple[int, ...]:
    """Every place that a unit may move to now."""
    side = SIDE[u]
    return destinations(s.where[u], occupied(s, 1 - side), side, moves_by_road(s, u), area_p_open(s))


def moves(s: ArnhemState, side: int, units: list[int]) -> list[Action]:
    """Every move of some units of a side."""
    enemies, open_p, where = occupied(s, 1 - side), area_p_open(s), s.where
    return [("move", u, to) for u in units for to in destinations(where[u], enemies, side, moves_by_road(s, u), open_p)]


# ---- the way --------------------------------------------------------------------------------


def path(s: ArnhemState, u: int, to: int) -> list[int]:
    """The way that a unit takes to a place within its reach."""
    return shortest_way(s, u, to, NORMAL_MOVE, moves_by_road(s, u))


def shortest_way(s: ArnhemState, u: int, to: int, steps: int, by_road: bool) -> list[int]:
    """The shortest way; of equal ones that which captures the fewest supply zones, then the lowest hex numbers."""
    here, enemies, zones = s.where[u], occupied(s, 1 - SIDE[u]), zones_to_capture(s, u)
    if to == here:
        return [here]
    if here >= HEXES:
        return [here, to]
    ways = normal_ways(here, to, enemies, steps) if to < HEXES else []
    if by_road and not any(zones_on(way, zones) == 0 for way in ways):
        ways += road_ways(here, to, enemies, zones)
    return min(ways, key=lambda way: (len(way), zones_on(way, zones), way))


def zones_to_capture(s: ArnhemState, u: int) -> int:
    """The supply zones that a unit would capture by entering them, as bits [7.3]."""
    return 0 if SIDE[u] == ALLIED else mask_of(zone for zone in s.zones if zone >= 0)


def zones_on(way: list[int], zones: int) -> int:
    """How many supply zones are passed before the end of a way."""
    return sum(zones >> h & 1 for h in way[1:-1]) if zones else 0


def normal_ways(here: int, to: int, enemies: int, steps: int) -> list[list[int]]:
    """The ways of a normal move that lead to a hex."""
    direct = STEPS[here] if steps else 0
    if steps == NORMAL_MOVE:
        direct |= CANAL_STEPS[here]
    if direct >> to & 1:
        return [[here, to]]
    between = first_step(here, enemies) & may_go_on(enemies) & STEPS[to] if steps == NORMAL_MOVE else 0
    return [[here, h, to] for h in bits(between)]


def road_ways(start: int, to: int, enemies: int, zones: int) -> list[list[int]]:
    """The best way by road, if one leads there."""
    free, along = ~next_to(enemies), along_roads(start, enemies)
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
        if to >= HEXES:
            leaves_road = bool(ROAD_EXITS[to] >> here & 1)
        else:
            leaves_road = bool(OFF_ROAD_STEPS[here] >> to & 1) and not along >> to & 1
        onward = bits(ROADS[here] & ~enemies & ~seen)
        for h in [*onward, to] if leaves_road else onward:
            heappush(open_ways, (length + 1, captured + (zones >> h & 1 if h < HEXES else 0), [*way, h]))
    return []


# ---- the move itself --------------------------------------------------------------------------


def move(s: ArnhemState, u: int, to: int, out: Sink) -> None:
    """Move a unit to a place within its reach; its way is worked out only where somebody asks for it."""
    way_matters = out is not NULL or zones_to_capture(s, u)
    way = path(s, u, to) if way_matters else [s.where[u], to]
    mark_acted(s, u)
    walk(s, u, way, out)


def walk(s: ArnhemState, u: int, way: list[int], out: Sink) -> None:
    """Take a unit along a way: it leaves its fortification and captures the zones that it enters [5.4, 7.3]."""
    rule = _kind_of_move(way, occupied(s, 1 - SIDE[u])) if out is not NULL else ""
    unfortify(s, u)
    put(s, u, way[-1])
    out(rule, "moves", unit=u, place_from=way[0], place_to=way[-1], places=tuple(way))
    for h in way[1:]:
        capture_zone(s, (u,), h, out)


def _kind_of_move(way: list[int], enemies: int) -> str:
    """The rule that a way follows: off the map, normal, or along a road."""
    if way[0] >= HEXES:
        return "4.2b"
    goes_on = len(way) == 2 or (len(way) == 3 and bool(may_go_on(enemies) >> way[1] & 1))
    return "4.1" if goes_on and way[-1] < HEXES else "4.2"


# ---- 7.3 Drop zones ---------------------------------------------------------------------------


def capture_zone(s: ArnhemState, units: tuple[int, ...], h: int, out: Sink) -> None:
    """German units that enter a supply zone destroy it and gain a supply point.

    It goes to the SS if only their units enter: the Wehrmacht's points serve both.
    """
    if units and SIDE[units[0]] == GERMAN and h in s.zones:
        first = next((u for u in units if POOL[u] != SS), units[0])
        pool = SS if POOL[first] == SS else WEHRMACHT
        s.pools[pool] += 1
        division = s.zones.index(h)
        s.zones[division] = -1
        out("7.3", "zone-captured", unit=first, hex=h, pool_lost=division, pool_gains=pool)


# ---- a unit under way ---------------------------------------------------------------------------


def waypoints(start: int, enemies: int, by_road: bool, steps: int = NORMAL_MOVE) -> int:
    """The hexes from which a move can go on: the first of a normal move, and those along the road, as bits."""
    if start >= HEXES:
        return 0
    near = first_step(start, enemies) & may_go_on(enemies) if steps == NORMAL_MOVE else 0
    road = along_roads(start, enemies) & ~next_to(enemies) if by_road else 0
    return (near | road) & ~bit(start)


def way_to_waypoint(s: ArnhemState, u: int, h: int, steps: int, by_road: bool) -> list[int]:
    """The way that leads to a waypoint: the first hex of a normal move, or the best way by road."""
    here, enemies = s.where[u], occupied(s, 1 - SIDE[u])
    if waypoints(here, enemies, False, steps) >> h & 1:
        return [here, h]
    return road_ways(here, h, enemies, zones_to_capture(s, u))[0]


def lead(s: ArnhemState, u: int, h: int, steps: int, by_road: bool, out: Sink) -> Underway:
    """Take a unit to a waypoint; what follows is the decision where it goes from there."""
    way = way_to_waypoint(s, u, h, steps, by_road)
    first_hex = waypoints(way[0], occupied(s, 1 - SIDE[u]), False, steps) >> h & 1
    keeps_road = by_road and all(ROADS[a] >> b & 1 for a, b in pairwise(way))
    walk(s, u, way, out)
    return Underway(SIDE[u], u, int(first_hex), keeps_road)


@dataclass(frozen=True, slots=True)
class Underway(SideFrame):
    """A unit that was led to a waypoint goes on, or stops there."""

    unit: int
    steps: int  # hexes left of a normal move
    by_road: bool

    def reach(self, s: ArnhemState) -> tuple[int, ...]:
        """Where the move may end: here, or where it can still go."""
        here, enemies = s.where[self.unit], occupied(s, 1 - self.side)
        onward = destinations(here, enemies, self.side, self.by_road, area_p_open(s), self.steps)
        return tuple(sorted((here, *onward)))

    def legal(self, s: ArnhemState) -> list[Action]:
        onward = waypoints(s.where[self.unit], occupied(s, 1 - self.side), self.by_road, self.steps)
        return [*self.candidates(s), *(("via", self.unit, h) for h in bits(onward))]

    def candidates(self, s: ArnhemState) -> list[Action]:
        return [("move", self.unit, to) for to in self.reach(s)]

    def apply(self, s: ArnhemState, action: Action, out: Sink) -> None:
        to = int(action[2])
        if action[0] == "via":
            s.swap(lead(s, self.unit, to, self.steps, self.by_road, out))
            return
        s.pop()
        if to != s.where[self.unit]:
            walk(s, self.unit, shortest_way(s, self.unit, to, self.steps, self.by_road), out)

    def prompt(self, s: ArnhemState) -> Prompt:
        return Prompt("4", "under-way", unit=self.unit, hex=s.where[self.unit])

    def why_not(self, s: ArnhemState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        match action:
            case ("move" | "via" as verb, self.unit, int(to)):
                here = s.where[self.unit]
                if verb == "via" and to in self.reach(s) and to != here:
                    return [refuse_going_on(s, self.unit, to)]
                return [Refusal("4", "no-way-on", unit=self.unit, hex=here, place=to)]
        return [Refusal("3.3", "finish-move-first", unit=self.unit)]


# ---- why not? -----------------------------------------------------------------------------------


def refuse_move(s: ArnhemState, u: int, to: int) -> Refusal | None:
    """Why a unit that may act cannot move to a place."""
    if to in reach(s, u):
        return None
    start, enemies = s.where[u], occupied(s, 1 - SIDE[u])
    if to == start:
        return Refusal("4", "is-there-already", unit=u, place=to)
    if to >= WAITING:
        return Refusal("4", "no-such-move", unit=u, place=to)
    if to >= HEXES:
        return _refuse_area(s, u, to)
    if enemies >> to & 1:
        return Refusal("3.5", "enemy-in-hex", hex=to)
    if start >= HEXES:
        return Refusal("4.2b", "one-hex-from-area", place=start, hex=to)
    if to in BOARD.adjacent[start]:
        return Refusal("4.1", "river-without-bridge", hex_from=start, hex=to)
    return _refuse_road(s, u, to) or _refuse_second_hex(start, to, enemies) or Refusal("4.1", "too-far", unit=u, hex=to)


def _refuse_road(s: ArnhemState, u: int, to: int) -> Refusal | None:
    """Why the road that leads to a hex does not carry a unit there."""
    start = s.where[u]
    if not road_move(start, 0) >> to & 1:
        return None
    if s.landed >> u & 1:
        return Refusal("4.2", "just-landed-no-road", unit=u, hex=to)
    if began_next_to_enemy(s, u):
        return Refusal("4.2", "no-road-move-next-to-enemy", unit=u, hex=to)
    return Refusal("4.2", "road-held-up", unit=u, hex=to)


def _refuse_second_hex(start: int, to: int, enemies: int) -> Refusal | None:
    """Why a normal move does not go on to a hex at a distance of two: the cause nearest to success first."""
    between = [h for h in BOARD.adjacent[start] if h in BOARD.adjacent[to]]
    for h in between:
        if first_step(start, enemies) >> h & 1 and STEPS[h] >> to & 1:
            return Refusal("4.1", "stops-in-forest" if FOREST >> h & 1 else "stops-next-to-enemy", hex=h)
    for a, b in [(start, h) for h in between] + [(h, to) for h in between]:
        if CANAL_STEPS[a] >> b & 1:
            return Refusal("4.1", "canal-is-whole-move", hex_from=a, hex=b)
    for a, b in [(start, h) for h in between] + [(h, to) for h in between]:
        if not TOUCHING[a] >> b & 1:
            return Refusal("4.1", "river-without-bridge", hex_from=a, hex=b)
    return Refusal("3.5", "enemy-in-hex", hex=between[0]) if between else None


def _refuse_area(s: ArnhemState, u: int, to: int) -> Refusal:
    start = s.where[u]
    if SIDE[u] == ALLIED:
        return Refusal("4", "allies-stay-on-map", place=to)
    if to == AREA_P and not area_p_open(s):
        return Refusal("4.2b", "area-p-closed", place=to)
    if start >= HEXES:
        return Refusal("4.2b", "areas-do-not-touch", place_from=start, place=to)
    if to in road_exits(start, 0, True):
        key = "no-road-exit-next-to-enemy" if began_next_to_enemy(s, u) else "road-exit-held-up"
        return Refusal("4.2", key, unit=u, place=to)
    return Refusal("4.2", "areas-by-road-only", unit=u, place=to)


def refuse_waypoint(s: ArnhemState, u: int, h: int) -> Refusal | None:
    """Why a unit that may act cannot be led to a waypoint."""
    if waypoints(s.where[u], occupied(s, 1 - SIDE[u]), moves_by_road(s, u)) >> h & 1:
        return None
    return refuse_move(s, u, h) or refuse_going_on(s, u, h)


def refuse_going_on(s: ArnhemState, u: int, h: int) -> Refusal:
    """Why a move to a hex within reach ends there."""
    here, enemies = s.where[u], occupied(s, 1 - SIDE[u])
    if next_to(enemies) >> h & 1:
        return Refusal("4.1", "stops-next-to-enemy", hex=h)
    if here < HEXES and CANAL_STEPS[here] >> h & 1:
        return Refusal("4.1", "canal-is-whole-move", hex_from=here, hex=h)
    if FOREST >> h & 1:
        return Refusal("4.1", "stops-in-forest", hex=h)
    return Refusal("4", "move-ends-there", unit=u, hex=h)
