"""The Deadly Woods: chapter 1, introduction."""

from __future__ import annotations

from salient import load
from salient.games.deadly_woods import model
from salient.kernel import legal


def test_1_1_two_seats_and_twelve_turns():
    """Allied against German, six or twelve turns."""
    game = load("deadly-woods")
    assert game.seats == ("allied", "german")
    assert {scenario.turns for scenario in game.scenarios} == {6, 12}
    assert legal(game.new())


def test_1_2_the_scale():
    """A hex is between four and five kilometres."""
    assert 4 < model.BOARD.grid.km < 5
