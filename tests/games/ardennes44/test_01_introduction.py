"""Ardennes '44: chapter 1, introduction."""

from __future__ import annotations

from games.ardennes44.positions import GROUND, TABLES, UNITS
from salient import load


def test_1_1_two_sides_two_maps_one_die() -> None:
    """Every roll is of one six-sided die, but for the two of traffic."""
    assert load("ardennes44").seats == ("allied", "german")
    assert GROUND.west_map
    assert GROUND.all_hexes & ~GROUND.west_map
    assert all(len(row) == 6 for row in (*TABLES.combat, *TABLES.rolls.values()))


def test_1_2_two_turns_and_a_night_make_a_day() -> None:
    """16 to 26 December are 22 turns; a night follows each second one."""
    assert int(TABLES.scenarios["campaign"]["turns"]) == 22
    assert {"battalion", "regiment", "brigade"} <= set(UNITS.size)
