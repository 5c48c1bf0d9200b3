"""The games of the battery, and positions met in random play."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

import tiny
from salient import game_ids, load
from salient.kernel import AnyGame, State
from salient.lab.playouts import random_states

SEEDS = (1, 2, 3, 4, 5)
ENOUGH = 6000  # positions of whole games among which to choose
POSITIONS = 60
OF_EACH_FRAME = 2


@dataclass(frozen=True)
class Walk:
    """A few positions of random games in which every kind of decision met occurs, and how those games ended."""

    game: AnyGame
    positions: tuple[State, ...]
    ends: tuple[State, ...]

    def overlaid(self) -> list[tuple[State, list[str]]]:
        """Each position with one of the overlays, in turn: all of them at every position would take too long."""
        names = self.game.components()["overlays"] or [None]
        return [(state, [name] if (name := names[i % len(names)]) else []) for i, state in enumerate(self.positions)]


@cache
def game_of(game_id: str) -> AnyGame:
    crossing: Any = tiny.GAME
    found: AnyGame = crossing if game_id == "tiny" else load(game_id)
    return found


@cache
def walk_of(game_id: str) -> Walk:
    game = game_of(game_id)
    scenarios = [scenario.id for scenario in game.scenarios]
    states: list[State] = []
    ends: list[State] = []
    for seed in SEEDS:
        if len(states) < ENOUGH:
            states += random_states(game, seed, scenarios[seed % len(scenarios)])
            ends.append(states[-1])
    return Walk(game, _spread(states), tuple(ends))


def _spread(states: list[State]) -> tuple[State, ...]:
    chosen = dict.fromkeys(range(0, len(states), max(1, len(states) // POSITIONS)))
    met: dict[str, int] = {}
    for index, state in enumerate(states):
        kind = type(state.stack[-1]).__name__
        met[kind] = met.get(kind, 0) + 1
        if met[kind] <= OF_EACH_FRAME:
            chosen[index] = None
    return tuple(states[index] for index in sorted(chosen))


@pytest.fixture(params=[*game_ids(), "tiny"])
def game(request: pytest.FixtureRequest) -> AnyGame:
    """A game of the battery."""
    return game_of(request.param)


@pytest.fixture
def walk(game: AnyGame) -> Walk:
    """Random play of that game."""
    return walk_of(game.id)
