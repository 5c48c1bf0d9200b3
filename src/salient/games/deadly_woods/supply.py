"""The Deadly Woods: chapter 8, supply."""

from __future__ import annotations

from functools import lru_cache

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied, on_map, present
from salient.games.deadly_woods.components import Ground
from salient.games.deadly_woods.model import Traced, WoodsState, dry_ways, road_ways
from salient.games.deadly_woods.zones import binding_zone, binding_zone_if, next_to
from salient.hexes.flood import Floods, OpenMasks, spread
from salient.hexes.masks import bits, lowest, mask_of
from salient.hexes.routes import Layer, beyond, rings, way_in
from salient.hexes.sets import NO_UNITS, NOBODY, HexId, UnitId
from salient.kernel.messages import Sink

REACH = 5  # hexes to a road [8.2]

# ---- 8.2 Tracing supply -----------------------------------------------------------------------


@lru_cache(maxsize=1 << 8)
def _passable(ground: Ground, blown: int) -> OpenMasks:
    """The hexsides across which a line goes on: dry ones, into forests by road only."""
    roads, ways, forest = road_ways(ground, blown), dry_ways(ground, blown), ground.forest
    up, down = dict(roads.up), dict(roads.down)
    return OpenMasks(
        tuple((shift, mask & ~(forest >> shift) | up.get(shift, 0)) for shift, mask in ways.up),
        tuple((shift, mask & ~(forest << shift) | down.get(shift, 0)) for shift, mask in ways.down),
    )


@lru_cache(maxsize=1 << 7)
def road_floods(ground: Ground, sources: int, blown: int) -> Floods:
    """What is reached from some hexes along roads."""
    return Floods(sources, road_ways(ground, blown))


@lru_cache(maxsize=1 << 14)
def _lines(ground: Ground, sources: int, enemies: int, zone: int, blown: int, along_roads: bool) -> int:
    """The hexes from which a line leads to a source, as bits: it may begin in a forest or an enemy zone, not pass."""
    is_open = ground.all_hexes ^ (enemies | zone)
    trunk = road_floods(ground, sources, blown).within(is_open) if along_roads else sources & is_open
    return lines_to(ground, trunk, is_open, enemies, blown)


def lines_to(ground: Ground, trunk: int, is_open: int, enemies: int, blown: int) -> int:
    """The hexes from which a line leads to a trunk through open hexes, as bits: it may begin beside them."""
    passable, line = _passable(ground, blown), trunk
    for _ in range(REACH - 1):
        line |= spread(line, passable) & is_open
    return trunk | spread(line, dry_ways(ground, blown)) & (ground.all_hexes ^ enemies)


def supplied_hexes(s: WoodsState, side: int) -> int:
    """The hexes in supply from entry hexes, as bits: five hexes to a road, then along it [8.2]."""
    traced = s.traced
    if traced is None or s.hex_sets is None or traced.hex_sets is not s.hex_sets or traced.blown != s.blown:
        traced = s.traced = Traced(s.hex_sets, s.blown, {})
    if side not in traced.supplied:
        enemies, zone = occupied(s, 1 - side), binding_zone(s, side)
        traced.supplied[side] = _lines(s.ground, s.ground.entries[side], enemies, zone, s.blown, True)
    return traced.supplied[side]


def air_supplied_hexes(s: WoodsState) -> int:
    """The hexes within five of the US air supply marker, as bits [8.6]."""
    if s.asset[s.assets.air] >= s.ground.hexes:
        return 0
    return _lines(s.ground, 1 << s.asset[s.assets.air], occupied(s, GERMAN), binding_zone(s, ALLIED), s.blown, False)


def us_supplied_hexes(s: WoodsState) -> int:
    """The hexes in which US troops are supplied, by road or by air, as bits [8.2, 8.6]."""
    return supplied_hexes(s, ALLIED) | air_supplied_hexes(s)


# ---- By which way -------------------------------------------------------------------------------


def supply_routes(s: WoodsState, side: int) -> dict[UnitId, list[HexId]]:
    """By unit on the map: its way to a road, along it to an entry hex, or to the air supply marker [8.2, 8.6]."""
    roads, air = _layers(s, side, True), _layers(s, side, False) if side == ALLIED else []
    units = [u for u in s.units.of_side[side] if on_map(s, u) and u != s.units.delay]
    own = {u: air if s.units.nation[u] == "us" else [] for u in units}
    return {u: way_in(s.where[u], roads) or way_in(s.where[u], own[u]) for u in units}


def _layers(s: WoodsState, side: int, along_roads: bool) -> list[Layer]:
    """What `_lines` finds, ring by ring."""
    enemies, marker = occupied(s, 1 - side), s.asset[s.assets.air]
    is_open = s.ground.all_hexes & ~(enemies | binding_zone(s, side))
    if along_roads:
        found = rings(s.ground.entries[side], road_ways(s.ground, s.blown), is_open)
    else:
        found = [(1 << marker & is_open if marker < s.ground.hexes else 0, OpenMasks((), ()))]
    for _ in range(REACH - 1):
        found = beyond(found, _passable(s.ground, s.blown), is_open)
    return beyond(found, dry_ways(s.ground, s.blown), s.ground.all_hexes & ~enemies)


# ---- What would cut supply ----------------------------------------------------------------------


def supply_cuts(s: WoodsState, side: int) -> tuple[dict[int, list[UnitId]], dict[int, list[UnitId]]]:
    """By hex, then by bridge: the units in supply now, elsewhere, that its loss to enemy infantry would cut off."""
    units = [u for u in s.units.of_side[side] if on_map(s, u) and u != s.units.delay]  # 8.4
    unfed = _cut_off(s, side, units, 0, s.blown)
    fed = [u for u in units if u not in unfed]
    lines = _a_line_each(s, side, supplied_hexes(s, side) & mask_of(s.where[u] for u in fed))
    lines |= air_supplied_hexes(s) if side == ALLIED else 0
    near = (lines | next_to(s.ground, lines)) & ~occupied(s, 1 - side)
    hexes = {h: _cut_off(s, side, fed, 1 << h, s.blown) for h in bits(near)}
    bridges = {
        b: _cut_off(s, side, fed, 0, s.blown | 1 << b) for b in range(len(s.ground.bridges)) if not s.blown >> b & 1
    }
    return {h: cut for h, cut in hexes.items() if cut}, {b: cut for b, cut in bridges.items() if cut}


def _a_line_each(s: WoodsState, side: int, starts: int) -> int:
    """One supply line for each of some supplied hexes, as bits: what touches none of them cuts nobody off."""
    is_open = ~(occupied(s, 1 - side) | binding_zone(s, side))
    roads, ways = road_ways(s.ground, s.blown), dry_ways(s.ground, s.blown)
    rings = [s.ground.entries[side] & is_open]
    trunk = rings[0]
    while rings[-1]:
        rings.append(spread(rings[-1], roads) & is_open & ~trunk)
        trunk |= rings[-1]
    passable = [trunk]
    for _ in range(REACH - 1):
        line = passable[-1]
        passable.append(line | (spread(line, ways) & ~s.ground.forest | spread(line, roads)) & is_open)
    found = 0
    for h in bits(starts):
        around = spread(1 << h, ways)
        while not trunk >> h & 1:
            h = lowest(around & next(line for line in passable if line & around))
            found |= 1 << h
            around = spread(1 << h, roads if s.ground.forest >> h & 1 else ways)
        found |= 1 << h
    for inner, ring in zip(rings[-2::-1], rings[:0:-1], strict=True):
        for h in bits(found & ring):
            found |= 1 << lowest(spread(1 << h, roads) & inner)
    return found


def _cut_off(s: WoodsState, side: int, units: list[UnitId], lost: int, blown: int) -> list[UnitId]:
    """Those units outside the hexes `lost` that would be out of supply if enemy infantry stood there [8.2, 8.6]."""
    enemies, zone = occupied(s, 1 - side) | lost, binding_zone_if(s, side, lost, blown)
    fed = _lines(s.ground, s.ground.entries[side], enemies, zone, blown, True) | lost
    cut = [u for u in units if not fed >> s.where[u] & 1]
    if cut and side == ALLIED and s.asset[s.assets.air] < s.ground.hexes:
        fed = _lines(s.ground, 1 << s.asset[s.assets.air], enemies, zone, blown, False)
        cut = [u for u in cut if s.units.nation[u] != "us" or not fed >> s.where[u] & 1]
    return cut


# ---- 8.1 Who is in supply -------------------------------------------------------------------------


def traces(s: WoodsState, u: UnitId) -> bool:
    """Whether a unit on the map can trace a line to an entry hex now, air supply and fuel apart [13.2]."""
    return bool(supplied_hexes(s, s.units.side[u]) >> s.where[u] & 1)


def is_supplied(s: WoodsState, u: UnitId) -> bool:
    """Whether a unit counts as supplied: Germans by their marker, Allies by a line at this moment [8.1]."""
    if s.units.side[u] == GERMAN:
        return not s.oos >> u & 1
    if u == s.units.delay or traces(s, u):
        return True
    return s.units.nation[u] == "us" and bool(air_supplied_hexes(s) >> s.where[u] & 1)


def has_fuel(s: WoodsState, u: UnitId) -> bool:
    """Whether Peiper lives on the captured depot: all of turn 2 [8.5]."""
    return u == s.units.peiper and s.fuel == 1 and s.turn == 2


# ---- 8.1 German supply check ----------------------------------------------------------------------


def check_german_supply(s: WoodsState, out: Sink) -> None:
    """Mark the German units that cannot trace supply; the others lose their marks [8.1, 8.3]."""
    supplied = supplied_hexes(s, GERMAN)
    oos = NO_UNITS
    for u in bits(present(s) & s.units.side_mask[GERMAN]):
        if not supplied >> s.where[u] & 1 and not has_fuel(s, u):
            oos |= 1 << u
    cut = tuple(bits(oos))
    s.oos = oos
    out("8.1", "supply-checked", units=cut)
    if s.motor >= 0 and oos >> s.motor & 1:
        out("8.3", "motor-lost", unit=s.motor)
        drop_motor(s)


def drop_motor(s: WoodsState) -> None:
    """Put the German motorized marker back [8.3, 12.6]."""
    s.motor = NOBODY
    s.asset[s.assets.motor] = s.ground.used


# ---- 8.5 Peiper's fuel --------------------------------------------------------------------------------


def settle_fuel(s: WoodsState, out: Sink) -> None:
    """After the first German movement round Peiper has the depot or it is gone."""
    if s.fuel == 0:
        s.fuel = 1 if s.where[s.units.peiper] == s.ground.fuel else 2
        out("8.5", "fuel-captured" if s.fuel == 1 else "fuel-gone", unit=s.units.peiper, hex=s.ground.fuel)
