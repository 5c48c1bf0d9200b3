"""Target Arnhem: chapter 4, movement."""

from __future__ import annotations

from functools import lru_cache

from salient.games.target_arnhem.model import (
    ALLIED,
    AREA_HEXES,
    AREA_LINKS,
    AREA_P,
    AREA_P_CLOSES,
    BOARD,
    CANAL_STEPS,
    FOREST,
    GERMAN,
    HEXES,
    PLACES,
    POOL,
    ROAD_EXITS,
    ROAD_HEXES,
    ROADS,
    SIDE,
    SS,
    STEPS,
    TOUCHING,
    WEHRMACHT,
    ArnhemState,
    mark_acted,
    occupied,
    put,
    unfortify,
)
from salient.hexes.masks import bit, bits
from salient.kernel import Refusal
from salient.kernel.messages import NULL, Sink

Routes = dict[int, int]  # a place reached -> the place before it


@lru_cache(maxsize=1 << 14)
def next_to(enemies: int) -> int:
    """The hexes next to enemies, unless an unbridged river lies between [4.1]."""
    near = 0
    for enemy in bits(enemies):
        near |= TOUCHING[enemy]
    return near


# ---- 4.1 Normal movement ------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def normal_routes(start: int, enemies: int) -> Routes:
    """Two hexes, stopping in forest or next to the enemy; or one hex across a canal without bridge."""
    stop = FOREST | next_to(enemies)
    routes: Routes = dict.fromkeys(bits(STEPS[start] & ~enemies), start)
    for h in list(routes):
        if not stop >> h & 1:
            for beyond in bits(STEPS[h] & ~enemies & ~bit(start)):
                routes.setdefault(beyond, h)
    for h in bits(CANAL_STEPS[start] & ~enemies):
        routes.setdefault(h, start)
    return routes


# ---- 4.2 Road movement ---------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def road_routes(start: int, enemies: int, side: int, area_p_open: bool) -> Routes:
    """Along roads without limit, until next to the enemy, off the road, or (Germans) in an off-map area."""
    near = next_to(enemies)
    if not ROAD_HEXES >> start & 1:
        return {}
    along: Routes = {start: start}
    queue = [start]
    for h in queue:
        if not near >> h & 1:
            for onward in bits(ROADS[h] & ~enemies):
                if onward not in along:
                    along[onward] = h
                    queue.append(onward)
    routes = dict(along)
    for h in queue:
        if not near >> h & 1:
            for off in bits(STEPS[h] & ~ROADS[h] & ~enemies):
                routes.setdefault(off, h)
            if side == GERMAN:
                for area in ROAD_EXITS[h]:
                    if area != AREA_P or area_p_open:
                        routes.setdefault(area, h)
    del routes[start]
    return routes


# ---- 4.2b Off-map movement ---------------------------------------------------------------


@lru_cache(maxsize=1 << 12)
def off_map_routes(start: int, enemies: int, area_p_open: bool) -> Routes:
    """From an area to an area or a hex that touches it."""
    routes: Routes = dict.fromkeys(bits(AREA_HEXES[start] & ~enemies), start)
    routes |= {area: start for area in AREA_LINKS[start] if area != AREA_P or area_p_open}
    return routes


@lru_cache(maxsize=1 << 14)
def destinations(start: int, enemies: int, side: int, by_road: bool, area_p_open: bool) -> tuple[int, ...]:
    """Every place that a unit may move to, ascending."""
    if start >= HEXES:
        return tuple(sorted(off_map_routes(start, enemies, area_p_open)))
    reached = set(normal_routes(start, enemies))
    if by_road:
        reached |= road_routes(start, enemies, side, area_p_open).keys()
    return tuple(sorted(reached))


def area_p_open(s: ArnhemState) -> bool:
    """Whether area P may still be entered [4.2b]."""
    return s.turn < AREA_P_CLOSES


def moves_by_road(s: ArnhemState, u: int) -> bool:
    """A unit that landed in this impulse did not begin it on the road [4.2]."""
    return not s.landed >> u & 1


def reach(s: ArnhemState, u: int) -> tuple[int, ...]:
    """Every place that a unit may move to now."""
    side = SIDE[u]
    return destinations(s.where[u], occupied(s, 1 - side), side, moves_by_road(s, u), area_p_open(s))


def path(s: ArnhemState, u: int, to: int) -> list[int]:
    """The way a unit takes to a place within its reach: the shortest, the lowest hex numbers first."""
    start, enemies, side = s.where[u], occupied(s, 1 - SIDE[u]), SIDE[u]
    if start >= HEXES:
        return [start, to]
    routes = normal_routes(start, enemies)
    if to not in routes:
        routes = road_routes(start, enemies, side, area_p_open(s))
    return _follow(routes, start, to)


def _follow(routes: Routes, start: int, to: int) -> list[int]:
    way = [to]
    while way[-1] != start:
        way.append(routes[way[-1]])
    return way[::-1]


# ---- 7.3 A way through a drop zone ----------------------------------------------------------


def ways_through_zones(s: ArnhemState, u: int) -> list[tuple[int, int]]:
    """(zone, destination) pairs: moves that capture a supply zone on a way that the plain move does not take."""
    if SIDE[u] == ALLIED or s.where[u] >= HEXES:
        return []
    ways = []
    for zone in sorted({z for z in s.zones if z >= 0} & set(reach(s, u))):
        ways += [(zone, to) for to in _onward(s, u, zone) if zone not in path(s, u, to)]
    return ways


def _onward(s: ArnhemState, u: int, zone: int) -> list[int]:
    start, enemies = s.where[u], occupied(s, ALLIED)
    near = next_to(enemies)
    reached: set[int] = set()
    if near >> zone & 1:
        return []
    if STEPS[start] >> zone & 1 and not FOREST >> zone & 1:
        reached |= set(bits(STEPS[zone] & ~enemies))
    if moves_by_road(s, u) and zone in _along_road(start, enemies, area_p_open(s)):
        reached |= road_routes(zone, enemies, GERMAN, area_p_open(s)).keys()
    return sorted(reached - {start, zone})


def _along_road(start: int, enemies: int, open_p: bool) -> set[int]:
    routes = road_routes(start, enemies, GERMAN, open_p)
    return {h for h, before in routes.items() if h < HEXES and ROADS[before] >> h & 1}


def way_through(s: ArnhemState, u: int, zone: int, to: int) -> list[int]:
    """The way of a unit through a supply zone to a destination."""
    start, enemies = s.where[u], occupied(s, ALLIED)
    if STEPS[start] >> zone & 1 and to < HEXES and STEPS[zone] >> to & 1 and not FOREST >> zone & 1:
        return [start, zone, to]
    before = _follow(road_routes(start, enemies, GERMAN, area_p_open(s)), start, zone)
    return before + _follow(road_routes(zone, enemies, GERMAN, area_p_open(s)), zone, to)[1:]


# ---- the move itself --------------------------------------------------------------------------


def move(s: ArnhemState, u: int, way: list[int], out: Sink) -> None:
    """Move a unit along a way: it leaves its fortification and captures the zones that it enters [5.4, 7.3]."""
    unfortify(s, u)
    put(s, u, way[-1])
    mark_acted(s, u)
    if out is not NULL:
        out(_kind_of_move(way), "moves", unit=u, place_from=way[0], place_to=way[-1], places=tuple(way))
    for h in way[1:]:
        capture_zone(s, u, h, out)


def _kind_of_move(way: list[int]) -> str:
    """The rule that a way follows: off the map, normal, or along a road."""
    if way[0] >= HEXES:
        return "4.2b"
    return "4.1" if len(way) <= 3 and way[-1] < HEXES else "4.2"


def capture_zone(s: ArnhemState, u: int, h: int, out: Sink) -> None:
    """A German unit that enters a supply zone destroys it and gains a supply point for its own pool [7.3]."""
    if SIDE[u] == GERMAN and h in s.zones:
        pool = SS if POOL[u] == SS else WEHRMACHT
        s.pools[pool] += 1
        division = s.zones.index(h)
        s.zones[division] = -1
        out("7.3", "zone-captured", unit=u, hex=h, pool_lost=division, pool_gains=pool)


# ---- why not? -----------------------------------------------------------------------------------


def refuse_move(s: ArnhemState, u: int, to: int) -> Refusal | None:
    """Why a unit that may act cannot move to a place."""
    if to in reach(s, u):
        return None
    start, side = s.where[u], SIDE[u]
    if to == start or to >= len(PLACES) - 2:
        return Refusal("4", "no-such-move", unit=u, place=to)
    if to >= HEXES:
        return _refuse_area(s, u, to)
    if occupied(s, 1 - side) >> to & 1:
        return Refusal("3.5", "enemy-in-hex", hex=to)
    if start >= HEXES:
        return Refusal("4.2b", "one-hex-from-area", place=start, hex=to)
    if to in _touching_over_river(start):
        return Refusal("4.1", "river-without-bridge", hex_from=start, hex=to)
    if next_to(occupied(s, 1 - side)) >> start & 1:
        return Refusal("4.2", "no-road-move-next-to-enemy", unit=u, hex=to)
    if not moves_by_road(s, u):
        return Refusal("4.2", "just-landed-no-road", unit=u, hex=to)
    return Refusal("4.1", "too-far", unit=u, hex=to)


def _refuse_area(s: ArnhemState, u: int, to: int) -> Refusal:
    if SIDE[u] == ALLIED:
        return Refusal("4", "allies-stay-on-map", place=to)
    if to == AREA_P and not area_p_open(s):
        return Refusal("4.2b", "area-p-closed", place=to)
    if s.where[u] >= HEXES:
        return Refusal("4.2b", "areas-do-not-touch", place_from=s.where[u], place=to)
    return Refusal("4.2", "areas-by-road-only", unit=u, place=to)


def _touching_over_river(h: int) -> list[int]:
    return [n for n in BOARD.adjacent[h] if not TOUCHING[h] >> n & 1]
