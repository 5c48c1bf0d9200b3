"""Whole games: two processes against one, and how long computer players think."""

from __future__ import annotations

import random
from functools import partial
from time import perf_counter, process_time

from salient import bots
from salient.games import load
from salient.kernel import CHANCE, OVER, actor, legal, step
from salient.lab.batch import batch
from salient.lab.playouts import random_playout

SERIAL_SECONDS = 30.0  # studies take hours: the start of the workers must not be what is measured
LEVELS = ("greedy", "captain")
TURNS = 2  # of which a player's time is taken


def playout_plies(game_id: str, index: int) -> int:
    """One random playout; its number of actions."""
    return random_playout(load(game_id).new(), random.Random(index))[1]


def two_processes_against_one(game_id: str) -> float:
    """How much faster a batch of random games is on two processes, by the clock on the wall."""
    begin = perf_counter()
    list(batch(partial(playout_plies, game_id), 10))
    count = max(20, int(10 * SERIAL_SECONDS / (perf_counter() - begin)))
    seconds = []
    for jobs in (1, 2):
        begin = perf_counter()
        list(batch(partial(playout_plies, game_id), count, jobs))
        seconds.append(perf_counter() - begin)
    return seconds[0] / seconds[1]


def thinking(game_id: str, level: str) -> float:
    """Processor time that a computer player takes for its part of one turn, against itself, in the first turns."""
    game, rng = load(game_id), random.Random(1)
    players = {seat: bots.make(level, game, seat, 1) for seat in game.seats}
    state, spent = game.new(), 0.0
    parts: set[tuple[int, str]] = set()
    while actor(state) != OVER and game.stage(state).turn <= TURNS:
        seat = actor(state)
        if seat == CHANCE:
            action = rng.choice(legal(state))
        else:
            parts.add((game.stage(state).turn, seat))
            begin = process_time()
            action = players[seat].choose(state).action
            spent += process_time() - begin
        state = step(state, action, trusted=True)
    return spent / len(parts)
