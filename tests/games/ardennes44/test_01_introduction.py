"""Ardennes '44: chapter 1, introduction."""

from __future__ import annotations

from salient import load
from salient.games.ardennes44 import model


def test_1_1_two_sides_two_maps_one_die() -> None:
    """Every roll is of one six-sided die, but for the two of traffic."""
    assert load("ardennes44").seats == ("allied", "german")
    assert model.WEST_MAP
    assert model.ALL_HEXES & ~model.WEST_MAP
    assert all(len(row) == 6 for row in (*model.TABLE, *model.ROLLS.values()))


def test_1_2_two_turns_and_a_night_make_a_day() -> None:
    """16 to 26 December are 22 turns; a night follows each second one."""
    assert int(model.SCENARIOS["campaign"]["turns"]) == 22
    assert {"battalion", "regiment", "brigade"} <= set(model.SIZE)
