"""Battle of the Bulge: chapter 10, victory."""

from __future__ import annotations

from games.bulge.positions import CITIES_24


def test_10_1_the_axis_wins_with_24_points(upkeep):
    """At once, on any turn."""
    table = upkeep(CITIES_24, turn=3)
    assert table.actor == "over"
    result = table.game.result(table.state)
    assert (result.winner, result.rule) == ("axis", "10.1")


def test_10_1_23_points_are_not_enough(upkeep):
    """One point is lacking."""
    table = upkeep("front 0105 0301 1007 0106 0107 0305", turn=3)
    assert [event.args["n_points"] for event in table.said("points-counted")] == [23]
    assert table.state.turn == 4


def test_10_2_the_allies_win_after_turn_8(upkeep):
    """With 23 points on the board the Axis has lost."""
    table = upkeep("front 0105 0301 1007 0106 0107 0305", turn=8)
    result = table.game.result(table.state)
    assert (table.actor, result.winner, result.rule) == ("over", "allied", "10.2")


def test_10_2_24_points_on_turn_8_win(upkeep):
    """The last upkeep counts."""
    table = upkeep(CITIES_24, turn=8)
    assert table.game.result(table.state).winner == "axis"
