"""Battle of the Bulge: what the game is about and how it stands [8, 9, 10]."""

from __future__ import annotations

from typing import Any

from salient.common.situations import Arrival, Json, calendar, force, objective, prize
from salient.games.bulge.model import (
    ALLIED,
    AXIS,
    BOARD,
    COMBAT_KINDS,
    FIRST_AIR_TURN,
    FORMATION_EDGE,
    FORMATION_PIECES,
    FORMATION_SIDE,
    FORMATION_TURN,
    FORMATIONS,
    HEXES,
    KINDS,
    PLANES,
    POINTS,
    SEATS,
    SETUP,
    SIDES,
    UNITS,
    VICTORY_POINTS,
    BulgeState,
    based,
    count,
    fighting,
    flying,
    present,
    size,
    unit_id,
    waiting,
)
from salient.games.bulge.supply import payers
from salient.games.bulge.upkeep import front_line, points
from salient.hexes.masks import bits
from salient.kernel.messages import Event

NEWS = frozenset({"front-gained", "destroyed", "captured", "shot-down", "points-counted", "campaign-over"})


def situation(s: BulgeState) -> Json:
    """Points now and after the upkeep, cities, pieces, supply and arrivals; both players may know all of it."""
    after = front_line(s.control, fighting(s, AXIS), fighting(s, ALLIED), present(s, ALLIED))
    now, then = points(s.control), points(after)
    axis = SEATS[AXIS]
    return {
        "objectives": [objective(axis, Event("10.1", "goal-points", n=VICTORY_POINTS), now >= VICTORY_POINTS)],
        "enough": "all",
        "notes": [],
        "score": {"side": axis, "now": now, "projected": then, "needed": VICTORY_POINTS},
        "prizes": [
            prize(BOARD.labels[h], worth, SEATS[AXIS if s.control >> h & 1 else ALLIED], bool(after >> h & 1))
            for h, worth in POINTS.items()
        ],
        "forces": {SEATS[side]: _force(s, side) for side in SIDES},
        "arrivals": calendar(arrival for f in range(len(FORMATIONS)) for arrival in _arrivals(s, f)),
        "conditions": [chip for side in SIDES for chip in _aircraft(s, side)],
    }


def _force(s: BulgeState, side: int) -> Json:
    """Combat pieces; cut off are those in hexes from which no supply token can be paid [6.5]."""
    here = sum(count(s, side, kind, h) for kind in COMBAT_KINDS for h in range(HEXES))
    charts = [f for f, owner in enumerate(FORMATION_SIDE) if owner == side]
    to_come = sum(waiting(s, f, kind) for f in charts for kind in COMBAT_KINDS)
    at_start = sum(sum(pieces[:3]) for _, owner, pieces in SETUP if owner == side)
    at_start += sum(sum(FORMATION_PIECES[f][:3]) for f in charts)
    hungry = [h for h in bits(fighting(s, side)) if not payers(s, side, h)]
    piles = [unit_id(side, kind, h) for h in hungry for kind in COMBAT_KINDS if count(s, side, kind, h)]
    lost = at_start - here - to_come
    return force(here, [UNITS[u] for u in piles], lost, lost)


def _arrivals(s: BulgeState, f: int) -> list[Arrival]:
    side = FORMATION_SIDE[f]
    piles = [unit_id(side, kind, HEXES + f) for kind in COMBAT_KINDS]
    edge = BOARD.labels_of(FORMATION_EDGE[f])
    return [(max(s.turn, FORMATION_TURN[f]), SEATS[side], edge, UNITS[u]) for u in piles if size(s, u)]


def _aircraft(s: BulgeState, side: int) -> list[dict[str, Any]]:
    """Aircraft that a side still has, once the skies clear [5.1]."""
    total = [based(s, side, kind) + sum(flying(s, side, kind, h) for h in range(HEXES)) for kind in PLANES]
    grounded = s.turn < FIRST_AIR_TURN
    return [
        {"key": KINDS[kind], "n": n, "side": SEATS[side], "dim": grounded}
        for kind, n in zip(PLANES, total, strict=True)
        if n
    ]
