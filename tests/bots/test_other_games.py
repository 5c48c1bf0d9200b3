"""Computer players know no game: they play the tiny test game as well, and see no more of it than their seat."""

from __future__ import annotations

import pytest

import tiny
from salient import SeededDice, Session, bots
from salient.kernel import CHANCE, OVER


def play(level: str, seed: int) -> Session:
    """One whole game of a level against itself."""
    session = Session(tiny.GAME, SeededDice(seed))
    players = {seat: bots.make(level, tiny.GAME, seat, seed) for seat in tiny.GAME.seats}
    while session.actor != OVER:
        if session.actor == CHANCE:
            session.roll()
        else:
            session.play(session.actor, players[session.actor].choose(session.state).action)
    return session


@pytest.mark.parametrize("level", bots.LEVELS)
def test_every_level_plays_another_game_to_its_end(level):
    assert tiny.GAME.result(play(level, 3).state) is not None


@pytest.mark.parametrize("level", bots.LEVELS)
def test_what_is_hidden_changes_no_choice(level):
    """Red's first choice is the same wherever blue has hidden the trap."""
    choices = []
    for field in ("2", "3", "4"):
        session = Session(tiny.GAME, SeededDice(1))
        session.play("blue", ("hide", field))
        choices.append(bots.make(level, tiny.GAME, "red", 9).choose(session.state))
    assert choices[0] == choices[1] == choices[2]
