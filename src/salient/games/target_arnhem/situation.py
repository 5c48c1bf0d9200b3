"""Target Arnhem: what the game is about and how it stands [7, 8, 9.1]."""

from __future__ import annotations

from typing import Any

from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.situations import Arrival, calendar, force, objective
from salient.games.target_arnhem.model import (
    ARNHEM,
    ARRIVAL_TURN,
    BOARD,
    DIVISIONS,
    DROPS,
    ELIMINATED,
    PLACES,
    POOL,
    RED_ROAD,
    RESISTANCE,
    SIDE,
    SIDE_UNITS,
    START,
    UNITS,
    WAITING,
    ArnhemState,
    occupied,
)
from salient.games.target_arnhem.supply import is_supplied
from salient.kernel.messages import Event

NEWS = frozenset({"zone-captured", "eliminated", "starves", "removed-overstacked", "game-won"})


def situation(s: ArnhemState) -> dict[str, Any]:
    """Objectives, forces and arrivals; both players may know all of it."""
    cut = occupied(s, GERMAN) & RED_ROAD
    allied = SEATS[ALLIED]
    return {
        "objectives": [
            objective(allied, Event("9.1", "goal-arnhem", hex=ARNHEM), bool(occupied(s, ALLIED) >> ARNHEM & 1),
                      [BOARD.labels[ARNHEM]]),
            objective(allied, Event("9.1", "goal-red-road", n=cut.bit_count()), not cut, BOARD.labels_of(cut)),
        ],
        "enough": "all",
        "notes": [note for division in DIVISIONS for note in _zone(s, division)],
        "score": None,
        "prizes": [],
        "forces": {SEATS[side]: _force(s, side) for side in (ALLIED, GERMAN)},
        "arrivals": calendar(_arrival(s, u) for u in range(len(UNITS)) if s.where[u] == WAITING),
        "conditions": [],
    }  # fmt: skip


def _zone(s: ArnhemState, division: int) -> list[dict[str, Any]]:
    """Where a division's supply zone is, or that it is lost [7.3]."""
    zone = s.zones[division]
    if zone >= 0:
        return [
            objective(SEATS[ALLIED], Event("7.2", "note-zone", pool=division, hex=zone), True, [BOARD.labels[zone]])
        ]
    placed = s.turn > 1 or s.impulse > 0
    return [objective(SEATS[ALLIED], Event("7.3", "note-zone-lost", pool=division), False)] if placed else []


def _force(s: ArnhemState, side: int) -> dict[str, Any]:
    here = [u for u in SIDE_UNITS[side] if s.where[u] < WAITING]
    dead = [u for u in SIDE_UNITS[side] if s.where[u] == ELIMINATED]
    points = sum(RESISTANCE[u] for u in dead) + sum(s.damage[u] for u in here)
    return force(len(here), [UNITS[u] for u in here if not is_supplied(s, u)], len(dead), points)


def _arrival(s: ArnhemState, u: int) -> Arrival:
    zone = s.zones[POOL[u]] if DROPS[u] else -1
    return max(ARRIVAL_TURN[u], s.turn), SEATS[SIDE[u]], [PLACES[zone if zone >= 0 else START[u]]], UNITS[u]
