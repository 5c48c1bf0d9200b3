"""The Deadly Woods: the supply lines that the Germans keep if Allied units slip behind the front."""

from __future__ import annotations

from functools import lru_cache

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied
from salient.games.deadly_woods.components import Ground
from salient.games.deadly_woods.model import WoodsState, dry_ways, road_ways
from salient.games.deadly_woods.supply import lines_to
from salient.games.deadly_woods.zones import binding_zone, zone
from salient.hexes.flood import Floods, spread
from salient.hexes.sets import HexSet

SLIP = 3  # hexes that a unit slips through where no zone of control stops it


def kept(s: WoodsState) -> HexSet:
    """The hexes that stay in German supply wherever Allied units slip to, as bits."""
    germans, allies = occupied(s, GERMAN), occupied(s, ALLIED)
    raided = _raided(s.ground, allies, germans | zone(s, GERMAN), s.blown)
    return _kept(s.ground, allies | raided, binding_zone(s, GERMAN), s.blown)


@lru_cache(maxsize=1 << 13)
def _kept(ground: Ground, enemies: int, zone: int, blown: int) -> HexSet:
    is_open = ground.all_hexes & ~(enemies | zone)
    return HexSet(lines_to(ground, _roads(ground, blown).within(is_open), is_open, enemies, blown))


@lru_cache(maxsize=1 << 7)
def _roads(ground: Ground, blown: int) -> Floods:
    """What is reached along roads: kept apart from the floods of today's supply, whose ground is another."""
    return Floods(ground.entries[GERMAN], road_ways(ground, blown))


@lru_cache(maxsize=1 << 13)
def _raided(ground: Ground, allies: int, barred: int, blown: int) -> HexSet:
    """The hexes that Allied units could slip to, past Germans and their zones, as bits."""
    roads, ways = road_ways(ground, blown), dry_ways(ground, blown)
    free, off_road = ground.all_hexes & ~barred, ground.all_hexes & ~(barred | ground.forest)
    reached = allies
    for _ in range(SLIP):
        reached |= spread(reached, ways) & off_road | spread(reached, roads) & free
    return HexSet(reached & free & ~allies)
