"""Target Arnhem: what the game is about and how it stands [7, 8, 9.1]."""

from __future__ import annotations

from typing import Any

from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.situations import Arrival, calendar, force, objective
from salient.games.target_arnhem.model import DIVISIONS, ArnhemState, occupied
from salient.games.target_arnhem.supply import is_supplied
from salient.hexes.sets import UnitId
from salient.kernel.messages import Event

NEWS = frozenset({"zone-captured", "eliminated", "starves", "removed-overstacked", "game-won"})


def situation(s: ArnhemState) -> dict[str, Any]:
    """Objectives, forces and arrivals; both players may know all of it."""
    ground, allied = s.ground, SEATS[ALLIED]
    cut = occupied(s, GERMAN) & ground.red_road
    arnhem = ground.arnhem
    held = bool(occupied(s, ALLIED) >> arnhem & 1)
    return {
        "objectives": [
            objective(allied, Event("9.1", "goal-arnhem", hex=arnhem), held, [ground.board.labels[arnhem]]),
            objective(allied, Event("9.1", "goal-red-road", n=cut.bit_count()), not cut, ground.board.labels_of(cut)),
        ],
        "enough": "all",
        "notes": [note for division in DIVISIONS for note in _zone(s, division)],
        "score": None,
        "prizes": [],
        "forces": {SEATS[side]: _force(s, side) for side in (ALLIED, GERMAN)},
        "arrivals": calendar(_arrival(s, u) for u in s.units.all if s.where[u] == s.ground.waiting),
        "conditions": [],
    }  # fmt: skip


def _zone(s: ArnhemState, division: int) -> list[dict[str, Any]]:
    """Where a division's supply zone is, or that it is lost [7.3]."""
    zone = s.zones[division]
    if zone >= 0:
        return [
            objective(
                SEATS[ALLIED], Event("7.2", "note-zone", pool=division, hex=zone), True, [s.ground.board.labels[zone]]
            )
        ]
    placed = s.turn > 1 or s.impulse > 0
    return [objective(SEATS[ALLIED], Event("7.3", "note-zone-lost", pool=division), False)] if placed else []


def _force(s: ArnhemState, side: int) -> dict[str, Any]:
    here = [u for u in s.units.of_side[side] if s.where[u] < s.ground.waiting]
    dead = [u for u in s.units.of_side[side] if s.where[u] == s.ground.eliminated]
    points = sum(s.units.resistance[u] for u in dead) + sum(s.damage[u] for u in here)
    return force(len(here), [s.units.ids[u] for u in here if not is_supplied(s, u)], len(dead), points)


def _arrival(s: ArnhemState, u: UnitId) -> Arrival:
    zone = s.zones[s.units.pool[u]] if s.units.drops[u] else -1
    return (
        max(s.units.arrival_turn[u], s.turn),
        SEATS[s.units.side[u]],
        [s.ground.places[zone if zone >= 0 else s.units.start[u]]],
        s.units.ids[u],
    )
