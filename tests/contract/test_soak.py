"""Whole random games with every invariant checked after every action; `salient fuzz` plays more."""

from __future__ import annotations

import pytest

from salient.kernel import OVER, AnyGame
from salient.lab.playouts import checked_game


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
def test_random_games_are_sound_to_the_end(game: AnyGame, seed: int) -> None:
    scenario = game.scenarios[seed % len(game.scenarios)].id
    assert checked_game(game, f"soak {seed}", scenario).actor == OVER
