"""Target Arnhem: chapter 1, introduction."""

from __future__ import annotations

from salient import load


def test_1_1_two_players_and_a_die_play_nine_days():
    """Allies and Germans, nine turns."""
    game = load("target-arnhem")
    assert game.seats == ("allied", "german")
    assert game.scenarios[0].turns == 9
