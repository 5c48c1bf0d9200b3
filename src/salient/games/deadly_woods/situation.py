"""The Deadly Woods: what the game is about and how it stands [3.4, 8, 13, 15]."""

from __future__ import annotations

from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.situations import Arrival, Json, calendar, force, objective, prize
from salient.common.stacks import away, on_map
from salient.games.deadly_woods.model import WoodsState
from salient.games.deadly_woods.supply import is_supplied, supplied_hexes
from salient.games.deadly_woods.victory import (
    SUDDEN_DEATH_POINTS,
    SUDDEN_DEATH_STEPS,
    points,
    points_needed,
    steps_over_meuse,
    turns_of,
)
from salient.hexes.masks import bits
from salient.hexes.sets import NO_UNITS, UnitId
from salient.kernel.messages import Event

NEWS = frozenset({
    "air-supply-lost", "bridge-blown", "cannot-retreat-lost", "eliminated", "fuel-captured", "game-won",
    "meuse-crossed", "patton", "points-counted", "ss-withdrawn", "surrender", "takes-control",
})  # fmt: skip


def situation(s: WoodsState) -> Json:
    """Points, the ways to win, forces and arrivals; nothing here is secret."""
    held, needed, over_meuse = points(s), points_needed(s), steps_over_meuse(s)
    german, labels = SEATS[GERMAN], s.ground.board.labels
    waiting = bits(away(s).get(s.ground.track, NO_UNITS))
    counting = s.german_held & supplied_hexes(s, GERMAN)
    return {
        "objectives": [
            objective(german, Event("3.4", "goal-end", n=needed, n_turn=turns_of(s)), held >= needed),
            objective(german, Event("15", "goal-sudden", n=SUDDEN_DEATH_POINTS), held >= SUDDEN_DEATH_POINTS),
            objective(german, Event("3.4", "goal-meuse", n=SUDDEN_DEATH_STEPS, n_now=over_meuse),
                      over_meuse >= SUDDEN_DEATH_STEPS),
        ],
        "enough": "any",
        "notes": [],
        "score": {"side": german, "now": held, "projected": held, "needed": needed},
        "prizes": [
            prize(labels[h], 1, SEATS[GERMAN if s.german_held >> h & 1 else ALLIED], bool(counting >> h & 1))
            for h in bits(s.ground.victory)
        ],
        "forces": {SEATS[side]: _force(s, side) for side in (ALLIED, GERMAN)},
        "arrivals": calendar(_arrival(s, u) for u in waiting if s.units.arrival[u][0]),
        "conditions": [],
    }  # fmt: skip


def _force(s: WoodsState, side: int) -> Json:
    here = [u for u in s.units.of_side[side] if on_map(s, u)]
    dead = [u for u in s.units.of_side[side] if s.where[u] == s.ground.eliminated]
    steps = sum(s.units.steps[u] for u in dead) + sum(s.lost[u] for u in here)
    return force(len(here), [s.units.ids[u] for u in here if not is_supplied(s, u)], len(dead), steps)


def _arrival(s: WoodsState, u: UnitId) -> Arrival:
    hexes = [s.ground.board.labels[h] for area in s.units.entry[u] for h in s.ground.board.areas[area].hexes]
    return max(s.units.arrival[u][0], s.turn), SEATS[s.units.side[u]], hexes, s.units.ids[u]
