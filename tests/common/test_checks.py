"""Turns and ends that cannot be: what every game checks after every action."""

from __future__ import annotations

from salient import load
from salient.common.checks import wrong_time

GAME = load("target-arnhem")


def test_a_new_game_is_in_a_turn_and_has_no_winner() -> None:
    assert list(wrong_time(GAME.new(), 9)) == []


def test_a_turn_that_does_not_exist_is_told() -> None:
    s = GAME.new()
    s.turn = 10
    assert list(wrong_time(s, 9)) == ["there is no turn 10"]


def test_a_winner_while_the_game_goes_on_is_told() -> None:
    s = GAME.new()
    s.winner = "german"
    assert list(wrong_time(s, 9)) == ["the game has a winner exactly when nothing remains to be played"]
