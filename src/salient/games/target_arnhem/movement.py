"""Target Arnhem: chapter 4, movement."""

from __future__ import annotations

from functools import lru_cache

from salient.common.sides import ALLIED, GERMAN
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
from salient.hexes.masks import bit, bits
from salient.kernel import Action, Refusal
from salient.kernel.messages import NULL, Sink


@lru_cache(maxsize=1 << 14)
def next_to(enemies: int) -> int:
    """The hexes next to enemies, unless an unbridged river lies between [4.1]."""
    return spread(enemies, OPEN_GROUND)


# ---- 4.1 Normal movement ------------------------------------------------------------


def first_step(start: int, enemies: int) -> int:
    """The hexes that a normal move enters first, but for those across a canal without bridge, as bits."""
    return STEPS[start] & ~enemies


def may_go_on(enemies: int) -> int:
    """The hexes in which a normal move need not stop: neither forest nor next to the enemy, as bits."""
    return ~(FOREST | next_to(enemies))


def normal_move(start: int, enemies: int) -> int:
    """Two hexes, stopping in forest or next to the enemy; or one hex across a canal without bridge; as bits."""
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
def destinations(start: int, enemies: int, side: int, by_road: bool, open_p: bool) -> tuple[int, ...]:
    """Every place that a unit may move to, ascending."""
    if start >= HEXES:
        return tuple(off_map_move(start, enemies, open_p))
    reached = normal_move(start, enemies)
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


def path(s: ArnhemState, u: int, to: int) -> list[int]:
    """The way a unit takes to a place within its reach: a normal move if one leads there, else the shortest by road."""
    start, enemies = s.where[u], occupied(s, 1 - SIDE[u])
    if start >= HEXES:
        return [start, to]
    if to < HEXES and normal_move(start, enemies) >> to & 1:
        if (STEPS[start] | CANAL_STEPS[start]) >> to & 1:
            return [start, to]
        between = first_step(start, enemies) & may_go_on(enemies) & STEPS[to]
        return [start, bits(between)[0], to]
    return road_path(start, to, enemies)


def road_path(start: int, to: int, enemies: int) -> list[int]:
    """The shortest way by road, the lowest hex numbers first."""
    free = ~next_to(enemies)
    ways = [[start]]
    seen = bit(start)
    for way in ways:
        here = way[-1]
        if here == to:
            return way
        if free >> here & 1:
            if to >= HEXES and ROAD_EXITS[to] >> here & 1:
                return [*way, to]
            if to < HEXES and OFF_ROAD_STEPS[here] >> to & 1 and not along_roads(start, enemies) >> to & 1:
                return [*way, to]
            onward = ROADS[here] & ~enemies & ~seen
            seen |= onward
            ways += [[*way, h] for h in bits(onward)]
    raise AssertionError(f"no road from {start} to {to}")


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
    start, enemies, open_p = s.where[u], occupied(s, ALLIED), area_p_open(s)
    if next_to(enemies) >> zone & 1:
        return []
    hexes, areas = 0, []
    if first_step(start, enemies) & may_go_on(enemies) & bit(zone):
        hexes = STEPS[zone] & ~enemies
    if moves_by_road(s, u) and along_roads(start, enemies) >> zone & 1:
        hexes |= road_move(zone, enemies)
        areas = road_exits(zone, enemies, open_p)
    return bits(hexes & ~bit(zone)) + areas


def way_through(s: ArnhemState, u: int, zone: int, to: int) -> list[int]:
    """The way of a unit through a supply zone to a destination."""
    start, enemies = s.where[u], occupied(s, ALLIED)
    if first_step(start, enemies) & may_go_on(enemies) & bit(zone) and to < HEXES and STEPS[zone] >> to & 1:
        return [start, zone, to]
    return road_path(start, zone, enemies) + road_path(zone, to, enemies)[1:]


# ---- the move itself --------------------------------------------------------------------------


def move(s: ArnhemState, u: int, to: int, out: Sink) -> None:
    """Move a unit to a place within its reach; its way is worked out only where somebody asks for it."""
    way_matters = out is not NULL or (SIDE[u] == GERMAN and max(s.zones) >= 0)
    move_along(s, u, path(s, u, to) if way_matters else [s.where[u], to], out)


def move_along(s: ArnhemState, u: int, way: list[int], out: Sink) -> None:
    """Move a unit along a way: it leaves its fortification and captures the zones that it enters [5.4, 7.3]."""
    rule = _kind_of_move(way, occupied(s, 1 - SIDE[u])) if out is not NULL else ""
    unfortify(s, u)
    put(s, u, way[-1])
    mark_acted(s, u)
    out(rule, "moves", unit=u, place_from=way[0], place_to=way[-1], places=tuple(way))
    for h in way[1:]:
        capture_zone(s, u, h, out)


def _kind_of_move(way: list[int], enemies: int) -> str:
    """The rule that a way follows: off the map, normal, or along a road."""
    if way[0] >= HEXES:
        return "4.2b"
    goes_on = len(way) == 2 or (len(way) == 3 and bool(may_go_on(enemies) >> way[1] & 1))
    return "4.1" if goes_on and way[-1] < HEXES else "4.2"


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


def refuse_way(s: ArnhemState, u: int, zone: int, to: int) -> Refusal | None:
    """Why a unit that may act cannot be led through a supply zone to a place [7.3]."""
    if SIDE[u] == ALLIED:
        return Refusal("7.3", "allies-need-no-way", unit=u)
    if zone not in s.zones:
        return Refusal("7.3", "no-zone-there", hex=zone)
    if (zone, to) in ways_through_zones(s, u):
        return None
    if to in reach(s, u) and zone in path(s, u, to):
        return Refusal("7.3", "plain-move-does", unit=u, place=to)
    return refuse_move(s, u, zone) or Refusal("4", "no-way-through", unit=u, hex=zone, place=to)
