"""The Deadly Woods: chapter 1, introduction."""

from __future__ import annotations

from games.deadly_woods.positions import GROUND, PLAIN_GAME
from salient.kernel import legal


def test_1_1_two_seats_and_twelve_turns():
    """Allied against German, six or twelve turns."""
    game = PLAIN_GAME
    assert game.seats == ("allied", "german")
    assert {scenario.turns for scenario in game.scenarios} == {6, 12}
    assert legal(game.new())


def test_1_2_the_scale():
    """A hex is between four and five kilometres."""
    assert 4 < GROUND.board.grid.km < 5
