"""Actions as numbers, both ways: codes that never change, and indices into what is offered."""

from __future__ import annotations

import random

import pytest
from tests.lab.late import SHORT

from salient.games import game_ids, load
from salient.kernel import CHANCE, actor, candidates, step
from salient.lab.actions import Encoding, most_offered


@pytest.mark.parametrize("game", game_ids())
def test_every_offered_action_has_a_code_of_its_own(game: str) -> None:
    """In 400 positions of a random game: code and action are the same thing written twice."""
    rules, rng = load(game), random.Random(11)
    encoding = Encoding(rules)
    state = rules.new(SHORT.get(game, ""))
    for _ in range(400):
        actions = candidates(state)
        assert len(actions) <= most_offered(rules)
        if actor(state) != CHANCE:
            codes = [encoding.encode(action) for action in actions]
            assert len(set(codes)) == len(codes)
            assert [encoding.decode(code) for code in codes] == actions
        state = step(state, rng.choice(actions), trusted=True)


@pytest.mark.parametrize("game", game_ids())
def test_every_code_is_an_action_of_the_notation(game: str) -> None:
    rules, rng = load(game), random.Random(1)
    encoding = Encoding(rules)
    for code in [0, encoding.size - 1, *(rng.randrange(encoding.size) for _ in range(500))]:
        action = encoding.decode(code)
        assert encoding.encode(action) == code
        assert rules.read(rules.write(action)) == action


def test_codes_outside_the_range_and_rolls_of_many_dice_are_refused() -> None:
    encoding = Encoding(load("bulge"))
    with pytest.raises(ValueError, match="is no code of"):
        encoding.decode(encoding.size)
    with pytest.raises(ValueError, match="'roll 0 1' has no code"):
        encoding.encode(("roll", 0, 1))
    with pytest.raises(ValueError, match="has no code: 100 is out of range"):
        encoding.encode(("hold", 0, 100))
