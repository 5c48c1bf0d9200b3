"""Whole games: two processes against one, and how long computer players think."""

from __future__ import annotations

import random
from functools import partial
from time import perf_counter

from salient import bots
from salient.games import load
from salient.lab.batch import batch
from salient.lab.playouts import random_playout
from salient.lab.simulate import Match, play_one, summarise

SERIAL_SECONDS = 6.0


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
    """Seconds that a computer player takes for its part of one turn, against itself."""
    players = tuple(level for _ in load(game_id).seats)
    return summarise([play_one(Match(game_id, players), 0)]).seconds_per_turn[level]


def levels() -> tuple[str, ...]:
    """The levels of the computer players."""
    return bots.LEVELS
