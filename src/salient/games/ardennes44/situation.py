"""Ardennes '44: what the game is about and how it stands [13, 23, 28, 30, S2 to S5]."""

from __future__ import annotations

from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.situations import Arrival, Json, calendar, force, objective, prize
from salient.common.stacks import on_map
from salient.games.ardennes44.model import ArdennesState, east_only
from salient.games.ardennes44.panels import weather
from salient.games.ardennes44.reinforcements import arrival
from salient.games.ardennes44.supply import is_supplied, road_network
from salient.games.ardennes44.victory import (
    AREAS_NEEDED,
    EXIT_FACTORS,
    EXTENDED_WEST,
    FACTORS_A_POINT,
    MEUSE_NEEDED,
    POINTS_NEEDED,
    WEST_NEEDED,
    allies_in_areas,
    exited_factors,
    german_holds_on,
    german_victory_hexes,
    points,
)
from salient.hexes.masks import bits
from salient.hexes.sets import HexSet, UnitId
from salient.kernel.messages import Event

NEWS = frozenset({
    "bridge-blown", "depot-burnt", "depot-captured", "eliminated", "exits", "leaves-remnant", "out-of-fuel",
    "surrenders", "takes-control", "german-exit", "german-liege", "german-meuse", "german-west", "allied-areas",
    "allied-holds", "german-points", "allied-points", "german-bastogne", "draw-bastogne",
})  # fmt: skip


def situation(s: ArdennesState) -> Json:
    """The ways to win, points, forces and arrivals; nothing here is secret."""
    held = german_victory_hexes(s)
    shown = s.ground.victory & ~s.ground.west_map if east_only(s) else s.ground.victory
    return {
        "objectives": _points_goal(s) if east_only(s) else [*_ways_to_win(s, held), *_scenario_goal(s)],
        "enough": "any",
        "notes": [_areas_goal(s)],
        "score": _score(s),
        "prizes": [
            prize(s.ground.board.labels[h], 1, SEATS[GERMAN if s.held >> h & 1 else ALLIED], bool(held >> h & 1))
            for h in bits(shown)
        ],
        "forces": {SEATS[side]: _force(s, side) for side in (ALLIED, GERMAN)},
        "arrivals": calendar(
            _arrival(s, u) for u in s.units.all if s.where[u] == s.ground.track and arrival(s.units, s.scenario, u)
        ),
        "conditions": weather(s)["chips"],
    }


def _score(s: ArdennesState) -> Json | None:
    """The points of the short scenarios [S2.4]; the others know none."""
    if not east_only(s):
        return None
    return {"side": SEATS[GERMAN], "now": points(s), "projected": points(s), "needed": POINTS_NEEDED[s.scenario]}


# ---- 30 The ways to win ---------------------------------------------------------------------------------


def _points_goal(s: ArdennesState) -> list[Json]:
    needed = POINTS_NEEDED[s.scenario]
    goal = Event("S2.4", "goal-points", n=needed, n_factors=FACTORS_A_POINT)
    return [objective(SEATS[GERMAN], goal, points(s) >= needed)]


def _ways_to_win(s: ArdennesState, held: HexSet) -> list[Json]:
    german = SEATS[GERMAN]
    factors, liege, labels_of = exited_factors(s), s.ground.liege, s.ground.board.labels_of
    towns = (held & s.ground.meuse_towns).bit_count()
    west = (held & s.ground.west_map).bit_count()
    return [
        objective(german, Event("30.2", "goal-exit", n=EXIT_FACTORS, n_now=factors), factors >= EXIT_FACTORS),
        objective(german, Event("30.2", "goal-liege"), held & liege == liege, labels_of(liege)),
        objective(german, Event("30.2", "goal-meuse", n=MEUSE_NEEDED, n_now=towns), towns >= MEUSE_NEEDED,
                  labels_of(s.ground.meuse_towns)),
        objective(german, Event("30.2", "goal-west", n=WEST_NEEDED, n_now=west), west >= WEST_NEEDED),
    ]  # fmt: skip


def _scenario_goal(s: ArdennesState) -> list[Json]:
    """What the last turn asks in some scenarios [S4.4, S5.2]."""
    places = s.ground.board.labels_of(s.ground.bastogne)
    if s.tables.scenarios[s.scenario]["rule"] == "S5":
        return [objective(SEATS[GERMAN], Event("S5.2", "goal-bastogne", n=EXTENDED_WEST), german_holds_on(s), places)]
    if s.scenario == "patton":
        relieved = s.ground.bastogne & road_network(s, ALLIED) == s.ground.bastogne
        return [objective(SEATS[ALLIED], Event("S4.4", "goal-relief"), relieved, places)]
    return []


def _areas_goal(s: ArdennesState) -> Json:
    now = allies_in_areas(s)
    return objective(SEATS[ALLIED], Event("30.3", "goal-areas", n=AREAS_NEEDED, n_now=now), now >= AREAS_NEEDED)


# ---- forces and arrivals --------------------------------------------------------------------------------------


def _force(s: ArdennesState, side: int) -> Json:
    units = s.units
    here = [u for u in units.of_side[side] if on_map(s, u)]
    dead = [u for u in units.of_side[side] if s.where[u] == s.ground.eliminated]
    steps = sum(units.steps[u] for u in dead) + sum(s.lost[u] for u in here)
    return force(len(here), [units.ids[u] for u in here if not is_supplied(s, u)], len(dead), steps)


def _arrival(s: ArdennesState, u: UnitId) -> Arrival:
    units, ground = s.units, s.ground
    hexes = sorted({h for letter in units.entry[u] for h in ground.entry_hexes[units.side[u]].get(letter, ())})
    places = [ground.board.labels[h] for h in hexes] if units.entry[u] not in ("town", "drop") else []
    return max(arrival(units, s.scenario, u), s.turn), SEATS[units.side[u]], places, units.ids[u]
