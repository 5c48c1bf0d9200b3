"""Tells, part by part of a turn, what a planner's thinking takes and how far its playouts go.

    python tools/planning.py bulge                    the first ten parts
    python tools/planning.py deadly-woods attack 6    so many, of a scenario
    python tools/planning.py target-arnhem "" 3 general

The game in between is played by greedy players, so that positions come quickly; times are of the processor.
"""

from __future__ import annotations

import sys
from math import inf
from time import process_time

from salient import bots, load
from salient.bots.memory import stage_of
from salient.bots.planner import Planner
from salient.kernel import CHANCE, OVER, SeededDice, Session, State


def main(name: str, scenario: str = "", most: int = 10, level: str = "planner") -> None:
    """Print a line for each part in which there is something to plan."""
    game = load(name)
    session = Session(game, SeededDice("planning"), scenario, {}, {}, "planning")
    hands = {seat: bots.make("greedy", game, seat, 1) for seat in game.seats}
    planners = {seat: bots.make(level, game, seat, 1) for seat in game.seats}
    known: set[tuple[object, ...]] = set()
    while session.actor != OVER and len(known) < most:
        if session.actor == CHANCE:
            session.roll()
            continue
        part = (session.actor, *stage_of(game, session.state)[:2])
        planner = planners[session.actor]
        if part not in known and isinstance(planner, Planner) and planner._is_worth_a_plan(session.state):
            known.add(part)
            print(f"{game.view.heading(session.state)}: {session.actor}: {told(planner, session.state)}", flush=True)
        session.play(session.actor, hands[session.actor].choose(session.state).action)
    for each in planners.values():
        each.close()


def told(planner: Planner, state: State) -> str:
    """What a planner does at the beginning of a part, in figures."""
    begin = process_time()
    planner.stage, planner.turn = (), None
    planner.choose(state)
    seconds = process_time() - begin
    replying, decisions, turns = planner.horizon
    near = "with the reply" if replying else "to the end of the part" if decisions == inf else f"{decisions} decisions"
    until = "to the end of the next turn" if turns else near
    return f"{seconds:.1f} s, {planner.spent} evaluations, {len(planner.considered)} plans, {until}"


if __name__ == "__main__":
    main(*sys.argv[1:3], *map(int, sys.argv[3:4]), *sys.argv[4:5])
