"""Target Arnhem: chapters 6 and 7, recovery and supply."""

from __future__ import annotations

from functools import cache, lru_cache

from salient.common.sides import GERMAN
from salient.games.target_arnhem.components import Ground
from salient.games.target_arnhem.model import (
    DIVISIONS,
    SS,
    WEHRMACHT,
    XXX,
    ArnhemState,
    eliminate,
    mark_acted,
    occupied,
)
from salient.games.target_arnhem.movement import area_p_open
from salient.hexes.flood import Floods, flood, spread
from salient.hexes.masks import bit, bits
from salient.hexes.routes import Layer, beyond, rings, way_in
from salient.hexes.sets import HexId, HexSet, UnitId
from salient.kernel import Refusal
from salient.kernel.messages import Sink

# ---- 7.1 German supply ----------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def german_supply(ground: Ground, allied: int, open_p: bool) -> int:
    """The hexes from which a line of hexes leads to an off-map area, as bits."""
    edge = 0
    for area, hexes in ground.area_hexes.items():
        if area != ground.area_p or open_p:
            edge |= hexes
    return flood(edge, ground.open_ground, ~allied)


# ---- 7.2 Allied supply -----------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def corps_supply(ground: Ground, german: int) -> int:
    """The hexes within two of a road that leads to 0103 without meeting the enemy, as bits."""
    return _within_two(ground, _open_roads(ground, german), german)


@lru_cache(maxsize=1 << 14)
def corps_supply_past(ground: Ground, german: int, h: HexId) -> int:
    """The same if one more German stood in a hex."""
    return _within_two(ground, _roads_past(ground, _open_roads(ground, german), h), german | bit(h))


@cache
def _corps_roads(ground: Ground) -> Floods:
    return Floods(bit(ground.entry), ground.open_roads)


@lru_cache(maxsize=1 << 14)
def _open_roads(ground: Ground, german: int) -> int:
    return _corps_roads(ground).within(~german)


@lru_cache(maxsize=1 << 14)
def _roads_past(ground: Ground, roads: int, h: HexId) -> int:
    """What is left of roads that lead to 0103 without one hex."""
    return _corps_roads(ground).within(roads & ~bit(h)) if roads >> h & 1 else roads


# ---- 7.3 Supply of airborne divisions -----------------------------------------------------------


def zone_supply(ground: Ground, zone: int, german: HexSet) -> int:
    """The hexes within two of a division's supply zone, as bits."""
    return _zone_supply(ground, zone, german & _around_zones(ground)[zone])


@lru_cache(maxsize=1 << 14)
def _zone_supply(ground: Ground, zone: int, german_near: int) -> int:
    return _within_two(ground, bit(zone) & ~german_near, german_near)


def _within_two(ground: Ground, source: int, enemies: int) -> int:
    once = source | spread(source, ground.open_ground) & ~enemies
    return once | spread(once, ground.open_ground) & ~enemies


@cache
def _around_zones(ground: Ground) -> tuple[int, ...]:
    """By zone: where Germans matter, as bits."""
    return tuple(_within_two(ground, bit(h), 0) for h in range(ground.hexes))


def supplied_by_corps(s: ArnhemState, u: UnitId) -> bool:
    """Whether an Allied unit draws on 0103 [7.2]."""
    return bool(corps_supply(s.ground, occupied(s, GERMAN)) >> s.where[u] & 1)


def is_supplied(s: ArnhemState, u: UnitId) -> bool:
    """Whether a unit on the map or in an area is in supply [7.1-7.3]."""
    return supplied_against(s, u, occupied(s, 1 - s.units.side[u]))


def supplied_against(s: ArnhemState, u: UnitId, enemies: HexSet) -> bool:
    """Whether a unit would be in supply if its enemies stood in these hexes [7.1-7.3]."""
    place = s.where[u]
    if s.units.side[u] == GERMAN:
        return place >= s.ground.hexes or bool(german_supply(s.ground, enemies, area_p_open(s)) >> place & 1)
    if corps_supply(s.ground, enemies) >> place & 1:
        return True
    zone = s.zones[s.units.pool[u]]
    return zone >= 0 and bool(zone_supply(s.ground, zone, enemies) >> place & 1)


# ---- By which way -------------------------------------------------------------------------------


def supply_routes(s: ArnhemState, side: int) -> dict[UnitId, list[HexId]]:
    """By unit on the map: its way to an area, to the corps' road and 0103, or to its division's zone [7.1-7.3]."""
    units = [u for u in s.units.of_side[side] if s.where[u] < s.ground.hexes]
    layers = _layers(s, side)
    return {u: _way_of(s, u, layers) for u in units}


def _way_of(s: ArnhemState, u: UnitId, layers: list[Layer]) -> list[HexId]:
    zone, german = s.zones[s.units.pool[u]], occupied(s, GERMAN)
    if s.units.side[u] == GERMAN or zone < 0:
        return way_in(s.where[u], layers)
    dropped = _two_more(s.ground, [(bit(zone) & ~german, s.ground.open_ground)], german)
    return way_in(s.where[u], layers) or way_in(s.where[u], dropped)


def _layers(s: ArnhemState, side: int) -> list[Layer]:
    """What supplies a side but for its supply zones, ring by ring."""
    ground, enemies = s.ground, occupied(s, 1 - side)
    if side != GERMAN:
        return _two_more(ground, rings(bit(ground.entry), ground.open_roads, ground.all_hexes & ~enemies), enemies)
    edge = 0
    for area, hexes in ground.area_hexes.items():
        edge |= hexes if area != ground.area_p or area_p_open(s) else 0
    return rings(edge, ground.open_ground, ground.all_hexes & ~enemies)


def _two_more(ground: Ground, layers: list[Layer], enemies: HexSet) -> list[Layer]:
    once = beyond(layers, ground.open_ground, ground.all_hexes & ~enemies)
    return beyond(once, ground.open_ground, ground.all_hexes & ~enemies)


# ---- What would cut supply ---------------------------------------------------------------------


def supply_region(s: ArnhemState, side: int) -> int:
    """Every hex in which some unit of a side would be in supply, as bits [7.1-7.3]."""
    enemies = occupied(s, 1 - side)
    if side == GERMAN:
        return german_supply(s.ground, enemies, area_p_open(s))
    region = corps_supply(s.ground, enemies)
    for division in DIVISIONS:
        if s.zones[division] >= 0:
            region |= zone_supply(s.ground, s.zones[division], enemies)
    return region


def supply_cuts(s: ArnhemState, side: int) -> dict[int, list[UnitId]]:
    """By hex: the units in supply, elsewhere on the map, that one enemy unit there would cut off."""
    enemies = occupied(s, 1 - side)
    fed = [u for u in s.units.of_side[side] if s.where[u] < s.ground.hexes and is_supplied(s, u)]
    cuts = {}
    for h in bits(supply_region(s, side)):
        cut = [u for u in fed if s.where[u] != h and not supplied_against(s, u, enemies | bit(h))]
        if cut:
            cuts[h] = cut
    return cuts


# ---- 7.4 Supply points ----------------------------------------------------------------------------


def usable_pools(s: ArnhemState, u: UnitId) -> list[int]:
    """The pools that a supplied unit may draw on now, ascending; those that are empty left out."""
    own = s.units.pool[u]
    if own in DIVISIONS:
        pools = [own] if s.zones[own] >= 0 else []
        if supplied_by_corps(s, u):
            pools.append(XXX)
    elif own == SS:
        pools = [WEHRMACHT, SS]
    else:
        pools = [own]
    return [pool for pool in pools if pool == XXX or s.pools[pool]]


def refuse_pool(s: ArnhemState, u: UnitId, pool: int) -> Refusal | None:
    """Why a supplied unit cannot draw on a pool."""
    if pool in usable_pools(s, u):
        return None
    own = s.units.pool[u]
    if pool == XXX and own in DIVISIONS:
        return Refusal("7.4", "not-supplied-from-entry", unit=u)
    if pool == own and own in DIVISIONS and s.zones[own] < 0:
        return Refusal("7.3", "points-lost-with-zone", pool=pool)
    if pool == own or (pool == WEHRMACHT and own == SS):
        return Refusal("7.4", "pool-empty", pool=pool)
    return Refusal("7.4", "pool-not-usable", pool=pool)


def spend(s: ArnhemState, pool: int) -> None:
    """Take a point from a pool; XXX Corps has no end of them."""
    if pool != XXX:
        s.pools[pool] -= 1


# ---- 7.5 Out of supply ------------------------------------------------------------------------------


def starve(s: ArnhemState, out: Sink) -> None:
    """Every unit that is out of supply takes a point of damage [3.2, 7.5]."""
    for u in [u for u in s.units.all if s.where[u] < s.ground.waiting and not is_supplied(s, u)]:
        out("7.5", "starves", unit=u)
        hurt(s, u, out)


def hurt(s: ArnhemState, u: UnitId, out: Sink) -> None:
    """One point of damage; as many as its resistance eliminate a unit [3.4]."""
    s.damage[u] += 1
    if s.damage[u] >= s.units.resistance[u]:
        out("3.4", "eliminated", unit=u, place=s.where[u])
        eliminate(s, u)


# ---- 6 Recovery ----------------------------------------------------------------------------------------


def refuse_recovery(s: ArnhemState, u: UnitId) -> Refusal | None:
    """Why a unit that may act cannot recover."""
    if not s.damage[u]:
        return Refusal("6", "not-damaged", unit=u)
    if not is_supplied(s, u):
        return Refusal("6", "recovery-needs-supply", unit=u)
    if not recovery_pools(s, u):
        return Refusal("7.4", "no-points-left", unit=u)
    return None


def recovery_pools(s: ArnhemState, u: UnitId) -> list[int]:
    """The pools that can pay for the recovery of a damaged unit, ascending."""
    return usable_pools(s, u) if is_supplied(s, u) else []


def recover(s: ArnhemState, u: UnitId, pool: int, out: Sink) -> None:
    """Spend a point to take a point of damage away."""
    spend(s, pool)
    s.damage[u] -= 1
    mark_acted(s, u)
    out("6", "recovers", unit=u, pool=pool)
