"""Random playouts of every game and of python-chess, interleaved: list the candidates, choose one, apply it.

Times are processor times, so that other programs on the machine disturb little.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import process_time, process_time_ns

import chess

from salient.games import load
from salient.kernel import candidates, step

SLICE = 0.8
CHESS = "python-chess"
NO_PROGRESS = 100
STEPS = 2000

Steps = Iterator[None]


def chess_steps(rng: random.Random) -> Steps:
    """Random chess for ever, one step at a time."""
    while True:
        board = chess.Board()
        while moves := list(board.legal_moves):
            board.push(moves[int(rng.random() * len(moves))])
            yield
            if board.halfmove_clock >= NO_PROGRESS:
                break


def game_steps(game_id: str, rng: random.Random) -> Steps:
    """Random play of a game for ever, one step at a time."""
    game = load(game_id)
    while True:
        state = game.new()
        while actions := candidates(state):
            state = step(state, actions[int(rng.random() * len(actions))], trusted=True)
            yield


def runners(game_ids: tuple[str, ...], seed: int) -> dict[str, Steps]:
    """One endless source of steps for python-chess and for each game."""
    return {CHESS: chess_steps(random.Random(seed))} | {
        game_id: game_steps(game_id, random.Random(seed)) for game_id in game_ids
    }


@dataclass(frozen=True)
class Pace:
    """Steps a second, and the ratio to python-chess: medians over the rounds."""

    rate: float
    ratio: float


def rates(game_ids: tuple[str, ...], rounds: int, tick: Callable[[], None]) -> dict[str, Pace]:
    """The rate of each runner, rounds interleaved so that a slow moment of the machine strikes all alike."""
    measured: dict[str, list[float]] = {}
    sources = runners(game_ids, seed=1)
    for _ in range(rounds):
        for name, steps in sources.items():
            measured.setdefault(name, []).append(_rate(steps))
            tick()
    chess_rates = measured[CHESS]
    return {
        name: Pace(
            statistics.median(values),
            statistics.median(own / peer for own, peer in zip(values, chess_rates, strict=True)),
        )
        for name, values in measured.items()
    }


def _rate(steps: Steps) -> float:
    count = 0
    begin = process_time()
    while (spent := process_time() - begin) < SLICE:
        for _ in range(50):
            next(steps)
        count += 50
    return count / spent


def step_times(steps: Steps, count: int) -> list[int]:
    """The nanoseconds of single steps, ascending."""
    times = []
    for _ in range(count):
        begin = process_time_ns()
        next(steps)
        times.append(process_time_ns() - begin)
    return sorted(times)


def slowest_steps(game_ids: tuple[str, ...], rounds: int, tick: Callable[[], None]) -> dict[str, float]:
    """The 99th percentile of each game's step as a multiple of python-chess's median step: median over the rounds."""
    ratios: dict[str, list[float]] = {game_id: [] for game_id in game_ids}
    sources = runners(game_ids, seed=2)
    for _ in range(rounds):
        measure = statistics.median(step_times(sources[CHESS], STEPS))
        for game_id in game_ids:
            ratios[game_id].append(step_times(sources[game_id], STEPS)[int(STEPS * 0.99)] / measure)
            tick()
    return {game_id: statistics.median(values) for game_id, values in ratios.items()}
