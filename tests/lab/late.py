"""Positions near the end of a random game, so that a test can play each game to its end in a moment."""

from __future__ import annotations

import random
from functools import cache

from salient.games import load
from salient.kernel import State, candidates, step

SHORT = {"deadly-woods": "attack", "ardennes44": "six-turns"}


@cache
def late_position(game_id: str, plies: int) -> State:
    """The position `plies` actions before the end of a random game of the shortest scenario."""
    rng = random.Random(3)
    states = [load(game_id).new(SHORT.get(game_id, ""))]
    while actions := candidates(states[-1]):
        states.append(step(states[-1], rng.choice(actions), trusted=True))
    return states[-plies - 1]
