"""What the PettingZoo environment adds to the bare engine."""

from __future__ import annotations

import random
import time
from statistics import median

from salient.games import load
from salient.kernel import CHANCE, ChanceFrame, SeededDice, actor, candidates, step
from salient.lab.pettingzoo import env

PLIES = 1500
ROUNDS = 5


def pettingzoo_against_engine(game_id: str) -> float:
    """Time of environment steps without observations over that of the bare engine: the median of rounds.

    In a round both play the same actions with the same dice, after a first go that fills the game's tables.
    """
    ratios = []
    for seed in range(ROUNDS):
        _bare(game_id, seed)
        ratios.append(_environment(game_id, seed) / _bare(game_id, seed))
    return median(ratios)


def _bare(game_id: str, seed: int) -> float:
    """Seconds of the processor an action: list, choose, apply; dice rolled as the environment rolls them."""
    game, rng, dice = load(game_id), random.Random(seed), SeededDice(seed)
    state = game.new()
    decisions = 0
    begin = time.process_time()
    while decisions < PLIES:
        if actor(state) == CHANCE:
            frame = state.stack[-1]
            assert isinstance(frame, ChanceFrame)
            action = frame.sample(state, dice)
        elif actions := candidates(state):
            action = actions[int(rng.random() * len(actions))]
            decisions += 1
        else:
            state, dice = game.new(), SeededDice(seed)
            continue
        state = step(state, action, trusted=True)
    return (time.process_time() - begin) / decisions


def _environment(game_id: str, seed: int) -> float:
    world, rng = env(game_id, observation="none"), random.Random(seed)
    world.reset(seed=seed)
    decisions = 0
    begin = time.process_time()
    while decisions < PLIES:
        _, _, ended, _, _ = world.last(observe=False)
        if ended:
            world.reset(seed=seed)
            continue
        world.step(int(rng.random() * len(world.offers)))
        decisions += 1
    return (time.process_time() - begin) / decisions
