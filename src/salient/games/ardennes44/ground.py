"""Ardennes '44: for the judge, what follows from where the sides stand: supply, ground that lies open, company."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import hex_sets, occupied
from salient.games.ardennes44.model import (
    ENDS,
    ENTRIES,
    FOREST,
    HEXES,
    LIEGE,
    NEIGHBOURS,
    RIVER,
    ROUGH,
    VICTORY,
    WEST_MAP,
    ArdennesState,
    east_only,
    road_ways,
    shut_of,
    within,
    without,
)
from salient.games.ardennes44.supply import supplied_hexes
from salient.games.ardennes44.survey import TARGETS, far
from salient.games.ardennes44.zones import next_to, zone
from salient.hexes.flood import OpenMasks, spread
from salient.hexes.masks import bits
from salient.hexes.sets import HexSet

HELD, WESTERN = 6.0, 10.0  # a victory hex of the East map, and of the West map
ENTERABLE, OPEN, GROUND, GUARDED, FARTHEST = 1.5, 2.0, 0.01, 0.4, 40
WEIGHT = tuple((WESTERN if WEST_MAP >> t & 1 else HELD) / HELD * (0.5 if LIEGE >> t & 1 else 1.0) for t in TARGETS)
EVERY = tuple(range(len(TARGETS)))


class Ground(NamedTuple):
    """What follows from where the sides stand, from control and from bridges, whoever they are that stand there."""

    supplied: int  # hexes, for Germans
    breakthrough: float
    cut_off: float
    cohesion: float


MOST_GROUNDS = 1 << 12
_GROUNDS: dict[tuple[object, ...], Ground] = {}  # most positions ahead stand on ground that was looked at before


def ground_of(s: ArdennesState) -> Ground:
    """What follows from where the sides stand; looked at once for all positions that stand alike."""
    sides = hex_sets(s, ALLIED)[:ENDS], hex_sets(s, GERMAN)[:ENDS]
    key = (*sides, s.held, s.blown, tuple(s.blocks), east_only(s))
    found = _GROUNDS.get(key)
    if found is None:
        if len(_GROUNDS) >= MOST_GROUNDS:
            _GROUNDS.clear()
        found = _GROUNDS[key] = _look_at_ground(s)
    return found


def _look_at_ground(s: ArdennesState) -> Ground:
    supplied, germans, allies = supplied_hexes(s, GERMAN), occupied(s, GERMAN), occupied(s, ALLIED)
    return Ground(
        supplied,
        _breakthrough(s, germans & supplied, allies),
        float((allies & ~supplied_hexes(s, ALLIED)).bit_count() - (germans & ~supplied).bit_count()),
        float(_alone(allies) - _alone(germans)),
    )


@cache
def _circles(i: int) -> tuple[int, ...]:
    """By distance by road: the hexes not farther from a victory hex."""
    table = far(TARGETS[i])
    circles, mask = [], 0
    by_distance: dict[int, list[int]] = {}
    for h, d in enumerate(table):
        by_distance.setdefault(d, []).append(h)
    for d in range(FARTHEST + 1):
        for h in by_distance.get(d, ()):
            mask |= 1 << h
        circles.append(mask)
    return tuple(circles)


_LAST_NEAREST = [0] * len(TARGETS)  # where the next search begins: ground that opens step by step comes hardly nearer


def _nearest(i: int, ground: int) -> int:
    """How near some hexes come to a victory hex, at most FARTHEST."""
    circles, last = _circles(i), _LAST_NEAREST[i]
    if last and circles[last - 1] & ground:
        low, high = 0, last - 1
    elif last == FARTHEST or circles[last] & ground:
        return last
    else:
        low, high = last + 1, FARTHEST
    while low < high:
        middle = (low + high) // 2
        if circles[middle] & ground:
            high = middle
        else:
            low = middle + 1
    _LAST_NEAREST[i] = low
    return low


FREE_STEPS = 3


@cache
def _dry_ways() -> OpenMasks:
    """The hexsides without a river."""
    return without(NEIGHBOURS, shut_of(RIVER))


@lru_cache(maxsize=1 << 12)
def open_ground(units: int, enemies: int, closed: int, blown: int) -> int:
    """The hexes that units reach in a few steps without a fight, three times as far by road, as bits.

    Not over rivers without a bridge, and into forests by road only.
    """
    roads, ways = road_ways(blown), _dry_ways()
    reached = frontier = units
    for _ in range(FREE_STEPS):
        free = frontier & ~closed
        near = spread(free, ways) & ~(enemies | reached | FOREST | ROUGH)
        along = spread(free, roads) & ~enemies
        along |= spread(along & ~closed, roads) & ~enemies
        frontier = near | along & ~reached
        reached |= frontier
    return reached


@lru_cache(maxsize=1 << 12)
def _openness(ground: int, wanted: int, guarded: int) -> float:
    """What ground that lies open is worth: how much it is, and how near it comes to victory hexes."""
    total = GROUND * ground.bit_count()
    for i in EVERY:
        if wanted >> TARGETS[i] & 1:
            d = _nearest(i, ground)
            worth = OPEN * (1 - d / FARTHEST) ** 2 + ENTERABLE * (d == 0)
            total += WEIGHT[i] * (worth * GUARDED if guarded >> TARGETS[i] & 1 else worth)
    return total


def _breakthrough(s: ArdennesState, germans: HexSet, allies: HexSet) -> float:
    """The ground that lies open to Germans in supply, and what they hold that lies open to Allies."""
    playable = ~WEST_MAP if east_only(s) else -1
    wanted = VICTORY & ~s.held & playable
    total = _openness(open_ground(germans, allies, zone(s, ALLIED), s.blown) & playable, wanted, allies & VICTORY)
    all_germans = occupied(s, GERMAN)
    bare = s.held & VICTORY & ~all_germans
    if bare:
        total -= ENTERABLE * (open_ground(allies, all_germans, zone(s, GERMAN), s.blown) & bare).bit_count()
    return total


@cache
def _two_away() -> OpenMasks:
    """From each hex to those exactly two away."""
    rings = [within(h, 2) & ~within(h, 1) for h in range(HEXES)]
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
def _alone(friends: int) -> int:
    """How many hexes with units have no other within two hexes, victory and entry hexes apart."""
    company = next_to(friends) | spread(friends, _two_away())
    return (friends & ~company & ~(VICTORY | ENTRIES[ALLIED])).bit_count()
