"""What an evaluation costs, in games that go on: processor times."""

from __future__ import annotations

import random
import statistics
from time import process_time

from salient.games import load
from salient.kernel import candidates, step

STEPS = 1500  # evaluated in each round


def microseconds(game_ids: tuple[str, ...], rounds: int) -> dict[str, float]:
    """By game: the mean of the evaluations of a random game, each after an action; interleaved, medians."""
    measured: dict[str, list[float]] = {game_id: [] for game_id in game_ids}
    for seed in range(rounds):
        for game_id in game_ids:
            measured[game_id].append(_mean(game_id, random.Random(seed)))
    return {game_id: statistics.median(times) for game_id, times in measured.items()}


def _mean(game_id: str, rng: random.Random) -> float:
    game = load(game_id)
    state, spent = game.new(), 0.0
    for _ in range(STEPS):
        actions = candidates(state)
        state = step(state, actions[int(rng.random() * len(actions))], trusted=True) if actions else game.new()
        begin = process_time()
        game.judge.evaluate(state, game.seats[0])
        spent += process_time() - begin
    return spent / STEPS * 1e6
