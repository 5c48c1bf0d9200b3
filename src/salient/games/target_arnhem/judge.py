"""Target Arnhem: what makes a position good, for bots and for their reasons."""

from __future__ import annotations

from salient.games.target_arnhem.model import (
    ALLIED,
    ARNHEM,
    BOARD,
    ELIMINATED,
    GERMAN,
    HEXES,
    RED_ROAD,
    RESISTANCE,
    SEATS,
    SIDE,
    STRENGTH,
    TURNS,
    UNITS,
    WAITING,
    ArnhemState,
    occupied,
)
from salient.games.target_arnhem.supply import is_supplied
from salient.hexes.masks import bits
from salient.kernel import Seat

ROAD_ORDER = tuple(sorted(BOARD.zones["red-road"], key=lambda h: int(BOARD.zone_values["red-road"][h])))
TO_ARNHEM = tuple(BOARD.distance(h, ARNHEM) for h in range(HEXES))
TO_ROAD = tuple(min(BOARD.distance(h, road) for road in ROAD_ORDER) for h in range(HEXES))


def features(s: ArnhemState, seat: Seat) -> dict[str, float]:
    """Named and weighted reasons, positive when good for `seat`."""
    allied = _allied_features(s)
    return allied if seat == SEATS[ALLIED] else {name: -value for name, value in allied.items()}


def _allied_features(s: ArnhemState) -> dict[str, float]:
    urgency = 1 + s.turn / TURNS
    german = occupied(s, GERMAN)
    allied = occupied(s, ALLIED)
    return {
        "arnhem-held": 12.0 * urgency if allied >> ARNHEM & 1 else 0.0,
        "germans-on-red-road": -4.0 * urgency * len(bits(german & RED_ROAD)),
        "corridor": 1.5 * urgency * _open_corridor(german),
        "strength": _strength(s),
        "supply": -2.0 * _starving(s, ALLIED) + 2.0 * _starving(s, GERMAN),
        "position": _position(s),
    }


def _open_corridor(german: int) -> int:
    """How many hexes of the red road lie open from 0103 northward."""
    for length, h in enumerate(ROAD_ORDER):
        if german >> h & 1:
            return length
    return len(ROAD_ORDER)


def _strength(s: ArnhemState) -> float:
    total = 0.0
    for u in range(len(UNITS)):
        if s.where[u] != ELIMINATED:
            worth = STRENGTH[u] * (1 - s.damage[u] / RESISTANCE[u] / 2) + 1
            total += worth if SIDE[u] == ALLIED else -worth - s.fortified[u]
    return total


def _starving(s: ArnhemState, side: int) -> int:
    return sum(1 for u in range(len(UNITS)) if SIDE[u] == side and s.where[u] < HEXES and not is_supplied(s, u))


def _position(s: ArnhemState) -> float:
    """Both sides want to be on the red road and near Arnhem; a unit off the map is far from everything."""
    total = 0.0
    for u, place in enumerate(s.where):
        if place < HEXES:
            worth = 0.2 * STRENGTH[u] / (1 + TO_ROAD[place]) + 0.1 * STRENGTH[u] / (1 + TO_ARNHEM[place])
            total += worth if SIDE[u] == ALLIED else -worth
        elif place < WAITING:
            total += 0.0
    return total
