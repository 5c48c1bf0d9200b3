"""The Deadly Woods: what makes a position good, for bots and for their reasons.

All features are counted for the Germans and turned over for the Allies. Their unit is about one step.
"""

from __future__ import annotations

from functools import lru_cache

from salient.games.deadly_woods.model import (
    BOARD,
    ELIMINATED,
    GERMAN,
    GONE,
    HEXES,
    SEATS,
    SIDE,
    STEPS,
    VALUES,
    VICTORY,
    WoodsState,
    occupied,
)
from salient.games.deadly_woods.supply import supplied_hexes
from salient.games.deadly_woods.zones import next_to
from salient.hexes.masks import bits
from salient.hexes.reach import distances
from salient.kernel import Seat

TARGETS = tuple(bits(VICTORY))
DISTANCE = {h: tuple(distances([h], BOARD.adjacent)) for h in TARGETS}
FAR = 12


def features(s: WoodsState, seat: Seat) -> dict[str, float]:
    """Named and weighted reasons, positive when good for `seat`."""
    german = _german_features(s)
    return german if seat == SEATS[GERMAN] else {name: -value for name, value in german.items()}


def _german_features(s: WoodsState) -> dict[str, float]:
    if s.winner:
        return {"victory": 1000.0 if s.winner == SEATS[GERMAN] else -1000.0}
    supplied = supplied_hexes(s, GERMAN)
    return {
        "victory-hexes": _victory_hexes(s, supplied),
        "strength": _strength(s),
        "supply": _supply(s, supplied),
        "approach": _approach(s),
        "readiness": _readiness(s),
    }


def _victory_hexes(s: WoodsState, supplied: int) -> float:
    held = s.german_held & VICTORY
    return 8.0 * (held & supplied).bit_count() + 3.0 * (held & ~supplied).bit_count()


def _strength(s: WoodsState) -> float:
    total = 0.0
    for u, place in enumerate(s.where):
        if place in (ELIMINATED, GONE):
            continue
        worth = sum(VALUES[u][s.lost[u]][:2]) / 4 + (STEPS[u] - s.lost[u]) / 2
        total += worth if SIDE[u] == GERMAN else -worth
    return total


def _supply(s: WoodsState, supplied: int) -> float:
    allied = supplied_hexes(s, 0)
    total = 0.0
    for u, place in enumerate(s.where):
        if place < HEXES:
            if SIDE[u] == GERMAN:
                total -= 0.0 if supplied >> place & 1 else 1.0
            else:
                total += 0.0 if allied >> place & 1 else 1.0
    return total


@lru_cache(maxsize=1 << 14)
def _nearness(h: int, open_targets: tuple[int, ...]) -> float:
    near = [max(0, FAR - DISTANCE[target][h]) for target in open_targets]
    return max(near, default=0) / FAR


def _approach(s: WoodsState) -> float:
    """Strength near the victory hexes: those the enemy holds for Germans, all for the Allies."""
    wanted = tuple(t for t in TARGETS if not s.german_held >> t & 1)
    german_contact = next_to(occupied(s, GERMAN))
    total = 0.0
    for u, place in enumerate(s.where):
        if place < HEXES:
            strength = VALUES[u][s.lost[u]]
            if SIDE[u] == GERMAN:
                total += 0.3 * strength[0] * _nearness(place, wanted)
            else:
                contact = 0.5 if german_contact >> place & 1 else 0.0
                total -= 0.2 * strength[1] * (_nearness(place, TARGETS) + contact)
    return total


def _readiness(s: WoodsState) -> float:
    """Units that may still move are worth a little to their side."""
    waiting = s.active & ~s.done
    if not waiting:
        return 0.0
    count = waiting.bit_count() * 0.002
    return count if SIDE[waiting.bit_length() - 1] == GERMAN else -count
