"""Ardennes '44: chapter 6, fuel."""

from __future__ import annotations

from typing import Any

from games.ardennes44.positions import (
    GROUND,
    enters,
    hexagon,
    marked,
    stage,
)
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.fuel import shortage


def test_6_1_shortage_from_turn_7(phase: Any) -> None:
    table = phase("german-fuel", "german", "6637 116Pz/60", turn=7)
    table.play("roll 6")
    assert marked(table, "short", "116Pz/60")


def test_6_2_one_more_from_turn_15(phase: Any) -> None:
    table = phase("german-fuel", "german", "6637 116Pz/60", turn=15).play("roll 5")
    assert marked(table, "short", "116Pz/60")


def test_6_3_a_division_that_arrives_comes_tactically(phase: Any) -> None:
    """Both 2SS and 9SS come on turn 8; the German names one of them before it has entered."""
    table = phase("german-fuel", "german", "track 2SS/2/1, 9SS/9/1", turn=8)
    table.play("roll 1", "roll 4", "division 9SS")
    assert marked(table, "short", "9SS/9/1")
    assert not marked(table, "short", "2SS/2/1")


def test_6_3_who_has_not_come_is_no_choice(phase: Any) -> None:
    table = phase("german-fuel", "german", "0829 1SS/Rec\ntrack 2SS/2/1", turn=7)
    table.play("roll 1", "roll 4")
    assert not marked(table, "short", "2SS/2/1")


def test_6_3_without_fuel_no_barrier_is_crossed_from_the_entry_hex() -> None:
    """A unit that enters tactically did not begin on the bank of the Mosel [11.4.1]."""
    assert (hexagon("0106"), hexagon("0105")) in GROUND.river
    found = enters("german", "track FGB/99 short", "FGB/99", turn=10)
    assert "0106" in found
    assert "0105" not in found


def test_6_3_only_divisions_that_have_come() -> None:
    s = stage("german", "6637 2Pz/2\ntrack 9Pz/10", turn=9)
    assert shortage(s, "one:2Pz Lehr") == (GERMAN, ("2Pz",), False)
    assert shortage(s, "one:15PG 9Pz")[1] == ()


def test_6_4_1_any_division_of_the_army_may_be_named() -> None:
    """The rule names divisions, not panzer divisions: 26th Volksgrenadier of 5th Panzer Army too."""
    s = stage("german", "6637 26VG/39\n6635 2Pz/2\n6633 12VG/27\n2216 Lehr/901", turn=9)
    chooser, divisions, _ = shortage(s, "west:5Pz")
    assert chooser == ALLIED
    assert set(divisions) == {"26VG", "2Pz"}


def test_6_4_1_only_the_units_west_of_the_ourthe(phase: Any) -> None:
    table = phase("german-fuel", "german", "6637 2Pz/2\n6635 26VG/39\n2216 2Pz/304", turn=9)
    table.play("roll 2")
    assert table.state.stack[-1].prompt(table.state).rule == "6.4.1"
    table.play("division 2Pz")
    assert marked(table, "short", "2Pz/2")
    assert not marked(table, "short", "2Pz/304")


def test_6_4_1_the_allies_choose_west_of_the_ourthe() -> None:
    s = stage("german", "6637 2Pz/2\n2216 Lehr/901", turn=9)
    assert shortage(s, "west:5Pz") == (ALLIED, ("2Pz",), False)


def test_6_4_2_the_allies_choose_a_panzer_division(phase: Any) -> None:
    """From turn 15 a six is a seven; neither grenadiers nor 15th Panzergrenadier are panzer divisions."""
    table = phase("german-fuel", "german", "6637 2Pz/2\n6635 116Pz/60\n6633 26VG/39\n6631 15PG/104", turn=15)
    table.play("roll 6")
    assert table.state.stack[-1].prompt(table.state).rule == "6.4.2"
    assert table.choices("division") == ["division 116Pz", "division 2Pz"]
