"""Battle of the Bulge: what the game is about and how it stands [8, 9, 10]."""

from __future__ import annotations

from typing import Any

from salient.common.situations import Arrival, Json, calendar, force, objective, prize
from salient.games.bulge.air import fliers
from salient.games.bulge.components import ALLIED, AXIS, COMBAT_KINDS, KINDS, PLANES, SEATS, SIDES
from salient.games.bulge.model import BulgeState, based, count, fighting, present, size, waiting
from salient.games.bulge.supply import payers
from salient.games.bulge.upkeep import front_line, points
from salient.hexes.masks import bits
from salient.kernel.messages import Event

NEWS = frozenset({"front-gained", "destroyed", "captured", "shot-down", "points-counted", "campaign-over"})


def situation(s: BulgeState) -> Json:
    """Points now and after the upkeep, cities, pieces, supply and arrivals; both players may know all of it."""
    after = front_line(s.ground, s.control, fighting(s, AXIS), fighting(s, ALLIED), present(s, ALLIED))
    now, then = points(s.ground, s.control), points(s.ground, after)
    axis, needed, labels = SEATS[AXIS], s.tables.victory_points, s.ground.board.labels
    return {
        "objectives": [objective(axis, Event("10.1", "goal-points", n=needed), now >= needed)],
        "enough": "all",
        "notes": [],
        "score": {"side": axis, "now": now, "projected": then, "needed": needed},
        "prizes": [
            prize(labels[h], worth, SEATS[AXIS if s.control >> h & 1 else ALLIED], bool(after >> h & 1))
            for h, worth in s.ground.points.items()
        ],
        "forces": {SEATS[side]: _force(s, side) for side in SIDES},
        "arrivals": calendar(arrival for f in range(s.formations.count) for arrival in _arrivals(s, f)),
        "conditions": [chip for side in SIDES for chip in _aircraft(s, side)],
    }


def _force(s: BulgeState, side: int) -> Json:
    """Combat pieces; cut off are those in hexes from which no supply token can be paid [6.5]."""
    here = sum(count(s, side, kind, h) for kind in COMBAT_KINDS for h in range(s.ground.hexes))
    charts, units = s.formations.of_side[side], s.units
    to_come = sum(waiting(s, f, kind) for f in charts for kind in COMBAT_KINDS)
    at_start = sum(sum(pieces[:3]) for _, owner, pieces in s.tables.setup if owner == side)
    at_start += sum(sum(s.formations.pieces[f][:3]) for f in charts)
    hungry = [h for h in bits(fighting(s, side)) if not payers(s, side, h)]
    piles = [units.piles[side][kind][h] for h in hungry for kind in COMBAT_KINDS if count(s, side, kind, h)]
    lost = at_start - here - to_come
    return force(here, [units.ids[u] for u in piles], lost, lost)


def _arrivals(s: BulgeState, f: int) -> list[Arrival]:
    side, place, units = s.formations.side[f], s.ground.boxes[f], s.units
    piles = [units.piles[side][kind][place] for kind in COMBAT_KINDS]
    edge = s.ground.board.labels_of(s.formations.edge[f])
    return [(max(s.turn, s.formations.turn[f]), SEATS[side], edge, units.ids[u]) for u in piles if size(s, u)]


def _aircraft(s: BulgeState, side: int) -> list[dict[str, Any]]:
    """Aircraft that a side still has, once the skies clear [5.1]."""
    total = [based(s, side, kind) + sum(fliers(s, side, kind)) for kind in PLANES]
    grounded = s.turn < s.tables.first_air_turn
    return [
        {"key": KINDS[kind], "n": n, "side": SEATS[side], "dim": grounded}
        for kind, n in zip(PLANES, total, strict=True)
        if n
    ]
