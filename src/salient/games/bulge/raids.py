"""Battle of the Bulge: what tanks can take along roads, now and once the stacks before them have been driven out."""

from __future__ import annotations

from functools import lru_cache

from salient.games.bulge.components import ALLIED, AXIS, TANK, Ground
from salient.games.bulge.model import BulgeState, fighting, hexes_with, owned, present
from salient.games.bulge.movement import blitzed, stops
from salient.games.bulge.survey import Survey
from salient.hexes.flood import spread
from salient.hexes.masks import bits
from salient.hexes.sets import HexSet


def raids(s: BulgeState, side: int, tanks: HexSet, number: int) -> float:
    """The points of empty cities that a side's tanks reach along roads, as many as it has tanks."""
    if not tanks:
        return 0.0
    ground, theirs = s.ground, owned(s, 1 - side)
    return _loot(ground, _reached(ground, tanks, fighting(s, 1 - side), theirs) & ground.cities & theirs, number)


def exposed(s: BulgeState, found: Survey, able: HexSet) -> float:
    """The points of cities that Axis tanks able to move reach once they have driven out what they can.

    A city is safe behind a stack that holds, and with a garrison that no Axis attack reaches or drives out.
    """
    axis = found.hosts[AXIS]
    tanks = axis.tanks & able
    if not tanks:
        return 0.0
    ground, theirs = s.ground, owned(s, ALLIED)
    standing = fighting(s, ALLIED) & ~found.weak | _driven_up(s)
    reached = blitzed(ground, tanks | _reached(ground, tanks, standing, theirs), standing)
    return _loot(ground, reached & ground.cities & theirs, axis.totals[TANK])


def _driven_up(s: BulgeState) -> HexSet:
    """The hexes in which Allied trucks will unload combat units, as bits."""
    hexes = s.ground.hexes
    return (hexes_with(s.aboard[:hexes]) | hexes_with(s.aboard[hexes : 2 * hexes])) & present(s, ALLIED)


@lru_cache(maxsize=1 << 14)
def _reached(ground: Ground, tanks: HexSet, enemies: HexSet, enemy_hexes: HexSet) -> HexSet:
    """The hexes that tanks reach along roads, as bits."""
    stop = stops(ground, enemies, enemy_hexes)
    reached = frontier = spread(tanks, ground.open_roads) & ~enemies
    while frontier:
        frontier = spread(frontier & ~stop, ground.open_roads) & ~enemies & ~reached
        reached |= frontier
    return reached


@lru_cache(maxsize=1 << 10)
def _loot(ground: Ground, cities: HexSet, number: int) -> float:
    """The points of the best cities, so many of them."""
    values = sorted((ground.points[h] for h in bits(cities)), reverse=True)
    return float(sum(values[:number]))
