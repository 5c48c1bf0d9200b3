"""Computer players: the interface, determinism, fairness, strength."""

from __future__ import annotations

import pytest

from salient import SeededDice, Session, actor, bots, legal, load
from salient.kernel import CHANCE, OVER, Unreadable

GAME = load("target-arnhem")


def play(levels: dict[str, str], seed: int) -> Session:
    """One whole game."""
    session = Session(GAME, SeededDice(seed), seats=levels)
    players = {seat: bots.make(level, GAME, seat, seed) for seat, level in levels.items()}
    while session.actor != OVER:
        if session.actor == CHANCE:
            session.roll()
        else:
            session.play(session.actor, players[session.actor].choose(session.state).action)
    return session


def test_an_unknown_level_is_refused_with_the_levels_that_exist():
    with pytest.raises(Unreadable, match="random, greedy"):
        bots.make("general", GAME, "allied")


@pytest.mark.parametrize("level", bots.LEVELS)
def test_a_player_repeats_itself_under_a_seed(level):
    first, second = (bots.make(level, GAME, "allied", 7).choose(GAME.new()) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("level", bots.LEVELS)
def test_thinking_changes_nothing(level):
    state = GAME.new()
    before = state.key()
    action, _ = bots.make(level, GAME, actor(state), 1).choose(state)
    assert state.key() == before
    assert action in legal(state)
