"""The next best thing: another action than the one played, legal, carried through to where others decide."""

from __future__ import annotations

import time

import pytest

from salient import load
from salient.bots.advice import next_best
from salient.bots.captain import Captain
from salient.bots.clock import Clock
from salient.kernel import State, actor, legal, step
from salient.lab.playouts import random_states


@pytest.mark.parametrize("game_id", ["target-arnhem", "deadly-woods"])
def test_the_next_best_is_another_legal_action(game_id: str) -> None:
    game = load(game_id)
    state = game.new()
    seat = actor(state)
    played = Captain(game, seat).decide(state, Clock()).action
    instead = next_best(game, state, seat, played)
    assert instead
    assert instead[0] != played
    for action in instead:
        assert action in legal(state)
        state = step(state, action)


def test_nothing_is_said_without_a_choice_or_without_time() -> None:
    game = load("target-arnhem")
    state = game.new()
    played = legal(state)[0]
    assert next_best(game, state, actor(state), played, time.monotonic() - 1) == []
    forced = next(each for each in random_states(game, 1) if actor(each) in game.seats and only(each))
    assert next_best(game, forced, actor(forced), legal(forced)[0]) == []


def only(state: State) -> bool:
    """Whether there is but one thing to do."""
    return len(legal(state)) == 1
