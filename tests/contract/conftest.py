"""The games of the battery, and positions met in random play."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import pytest

import tiny
from salient import games, load
from salient.kernel import Game, State
from salient.lab.playouts import random_states

SEEDS = (1, 2, 3, 4, 5)
POSITIONS = 60
OF_EACH_FRAME = 2


@dataclass(frozen=True)
class Walk:
    """Random games of one game, and a few of their positions in which every kind of decision met occurs."""

    game: Game
    paths: tuple[tuple[State, ...], ...]
    positions: tuple[State, ...]


@cache
def walk_of(game_id: str) -> Walk:
    game = tiny.GAME if game_id == "tiny" else load(game_id)
    scenarios = [scenario.id for scenario in game.scenarios]
    paths = tuple(tuple(random_states(game, seed, scenarios[seed % len(scenarios)])) for seed in SEEDS)
    return Walk(game, paths, _spread([state for path in paths for state in path]))


def _spread(states: list[State]) -> tuple[State, ...]:
    chosen = dict.fromkeys(range(0, len(states), max(1, len(states) // POSITIONS)))
    met: dict[str, int] = {}
    for index, state in enumerate(states):
        kind = type(state.stack[-1]).__name__
        met[kind] = met.get(kind, 0) + 1
        if met[kind] <= OF_EACH_FRAME:
            chosen[index] = None
    return tuple(states[index] for index in sorted(chosen))


@pytest.fixture(params=[*games(), "tiny"])
def walk(request: pytest.FixtureRequest) -> Walk:
    """Random play of one game."""
    return walk_of(request.param)


@pytest.fixture
def game(walk: Walk) -> Game:
    """The game that is walked."""
    return walk.game
