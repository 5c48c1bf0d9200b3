"""Ardennes '44: for the judge, what follows from where the sides stand: supply, ground that lies open, company."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import hex_sets, occupied
from salient.games.ardennes44.components import Data, Ground, road_ways, within
from salient.games.ardennes44.model import ENDS, ArdennesState, east_only
from salient.games.ardennes44.supply import supplied_hexes
from salient.games.ardennes44.survey import aims, far
from salient.games.ardennes44.zones import next_to, zone
from salient.hexes.flood import OpenMasks, shut_of, spread, without
from salient.hexes.masks import bits
from salient.hexes.sets import HexSet

ENTERABLE, OPEN, GROUND, GUARDED, FARTHEST = 1.5, 2.0, 0.01, 0.4, 40


class Footing(NamedTuple):
    """What follows from where the sides stand, from control and from bridges, whoever they are that stand there."""

    supplied: int  # hexes, for Germans
    breakthrough: float
    cut_off: float
    cohesion: float


MOST_FOOTINGS = 1 << 12
_FOOTINGS: dict[tuple[object, ...], Footing] = {}  # most positions ahead stand on ground that was looked at before


def footing(s: ArdennesState) -> Footing:
    """What follows from where the sides stand; looked at once for all positions that stand alike."""
    sides = hex_sets(s, ALLIED)[:ENDS], hex_sets(s, GERMAN)[:ENDS]
    key = (s.data, *sides, s.held, s.blown, tuple(s.blocks), east_only(s))
    found = _FOOTINGS.get(key)
    if found is None:
        if len(_FOOTINGS) >= MOST_FOOTINGS:
            _FOOTINGS.clear()
        found = _FOOTINGS[key] = _look_around(s)
    return found


def _look_around(s: ArdennesState) -> Footing:
    supplied, germans, allies = supplied_hexes(s, GERMAN), occupied(s, GERMAN), occupied(s, ALLIED)
    return Footing(
        supplied,
        _breakthrough(s, germans & supplied, allies),
        float((allies & ~supplied_hexes(s, ALLIED)).bit_count() - (germans & ~supplied).bit_count()),
        float(_alone(s.ground, allies) - _alone(s.ground, germans)),
    )


@cache
def _circles(data: Data, i: int) -> tuple[int, ...]:
    """By distance by road: the hexes not farther from a victory hex."""
    table = far(data.ground, aims(data).targets[i])
    circles, mask = [], 0
    by_distance: dict[int, list[int]] = {}
    for h, d in enumerate(table):
        by_distance.setdefault(d, []).append(h)
    for d in range(FARTHEST + 1):
        for h in by_distance.get(d, ()):
            mask |= 1 << h
        circles.append(mask)
    return tuple(circles)


@cache
def _last_nearest(data: Data) -> list[int]:
    """By victory hex where the next search begins: ground that opens step by step comes hardly nearer."""
    return [0] * aims(data).count


def _nearest(data: Data, i: int, opened: int) -> int:
    """How near some hexes come to a victory hex, at most FARTHEST."""
    found = _last_nearest(data)
    circles, last = _circles(data, i), found[i]
    if last and circles[last - 1] & opened:
        low, high = 0, last - 1
    elif last == FARTHEST or circles[last] & opened:
        return last
    else:
        low, high = last + 1, FARTHEST
    while low < high:
        middle = (low + high) // 2
        if circles[middle] & opened:
            high = middle
        else:
            low = middle + 1
    found[i] = low
    return low


FREE_STEPS = 3


@cache
def _dry_ways(ground: Ground) -> OpenMasks:
    """The hexsides without a river."""
    return without(ground.neighbours, shut_of(ground.river))


@lru_cache(maxsize=1 << 12)
def open_ground(ground: Ground, units: int, enemies: int, closed: int, blown: int) -> int:
    """The hexes that units reach in a few steps without a fight, three times as far by road, as bits.

    Not over rivers without a bridge, and into forests by road only.
    """
    roads, ways = road_ways(ground, blown), _dry_ways(ground)
    reached = frontier = units
    for _ in range(FREE_STEPS):
        free = frontier & ~closed
        near = spread(free, ways) & ~(enemies | reached | ground.forest | ground.rough)
        along = spread(free, roads) & ~enemies
        along |= spread(along & ~closed, roads) & ~enemies
        frontier = near | along & ~reached
        reached |= frontier
    return reached


@lru_cache(maxsize=1 << 12)
def _openness(data: Data, opened: int, wanted: int, guarded: int) -> float:
    """What ground that lies open is worth: how much it is, and how near it comes to victory hexes."""
    known = aims(data)
    total = GROUND * opened.bit_count()
    for i, target in enumerate(known.targets):
        if wanted >> target & 1:
            d = _nearest(data, i, opened)
            worth = OPEN * (1 - d / FARTHEST) ** 2 + ENTERABLE * (d == 0)
            total += known.weight[i] * (worth * GUARDED if guarded >> target & 1 else worth)
    return total


def _breakthrough(s: ArdennesState, germans: HexSet, allies: HexSet) -> float:
    """The ground that lies open to Germans in supply, and what they hold that lies open to Allies."""
    playable = ~s.ground.west_map if east_only(s) else -1
    wanted = s.ground.victory & ~s.held & playable
    total = _openness(
        s.data,
        open_ground(s.ground, germans, allies, zone(s, ALLIED), s.blown) & playable,
        wanted,
        allies & s.ground.victory,
    )
    all_germans = occupied(s, GERMAN)
    bare = s.held & s.ground.victory & ~all_germans
    if bare:
        total -= ENTERABLE * (open_ground(s.ground, allies, all_germans, zone(s, GERMAN), s.blown) & bare).bit_count()
    return total


@cache
def _two_away(ground: Ground) -> OpenMasks:
    """From each hex to those exactly two away."""
    rings = [within(ground, h, 2) & ~within(ground, h, 1) for h in range(ground.hexes)]
    masks: dict[int, int] = {}
    for h, ring in enumerate(rings):
        for b in bits(ring):
            masks[b - h] = masks.get(b - h, 0) | 1 << h
    ordered = sorted(masks.items())
    return OpenMasks(
        tuple((shift, mask) for shift, mask in ordered if shift > 0),
        tuple((-shift, mask) for shift, mask in ordered if shift < 0),
    )


@lru_cache(maxsize=1 << 12)
def _alone(ground: Ground, friends: int) -> int:
    """How many hexes with units have no other within two hexes, victory and entry hexes apart."""
    company = next_to(ground, friends) | spread(friends, _two_away(ground))
    return (friends & ~company & ~(ground.victory | ground.entries[ALLIED])).bit_count()
