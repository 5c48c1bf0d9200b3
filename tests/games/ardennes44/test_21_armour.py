"""Ardennes '44: chapter 21, armour."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    UNITS,
    hexagon,
    order,
    shifts_of,
    stage,
    unit,
)
from salient.common.sides import GERMAN
from salient.games.ardennes44.disengagement import disengagement_modifier
from salient.games.ardennes44.results import may_evade
from salient.games.ardennes44.strengths import Battle, best_tq, odds


def test_21_1_armour_against_none(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/3/1")
    assert shifts_of(table, "attack 6637")["shift-armor"] == 1


def test_21_1_better_tanks_are_needed_against_tanks(fighting: Any) -> None:
    """Panthers (4) against Shermans (3): a column; Panzer IV (3): none."""
    assert "shift-armor" in shifts_of(fighting("german", "6637 84/771\n6638 2Pz/3/1"), "attack 6637")
    assert "shift-armor" not in shifts_of(fighting("german", "6637 84/771\n6638 2Pz/3/2"), "attack 6637")


def test_21_1_infantry_and_armour_defend_against_infantry(fighting: Any) -> None:
    table = fighting("german", "6637 84/334, 84/771\n6638 2Pz/2")
    assert shifts_of(table, "attack 6637")["shift-defending-armor"] == -1
    alone = fighting("german", "6637 7Arm/CCA\n6638 2Pz/2")
    assert shifts_of(alone, "attack 6637")["shift-defending-armor"] == -1


def test_21_1_four_against_three(fighting: Any) -> None:
    assert shifts_of(fighting("german", "6637 28/707\n6638 116Pz/16/1"), "attack 6637")["shift-armor"] == 1


def test_21_1_combat_commands_are_both(fighting: Any) -> None:
    for name in ("7Arm/CCA", "34Tk"):
        table = fighting("german", f"6637 {name}\n6638 2Pz/2")
        assert shifts_of(table, "attack 6637")["shift-defending-armor"] == -1
    table = fighting("allied", "6637 150Pz\n6638 84/334")
    assert shifts_of(table, "attack 6637")["shift-defending-armor"] == -1


def test_21_1_tanks_alone_take_no_column(fighting: Any) -> None:
    assert "shift-defending-armor" not in shifts_of(fighting("german", "6637 84/771\n6638 2Pz/2"), "attack 6637")


def test_21_2_red_values_count_one_less_in_attack(fighting: Any) -> None:
    """Assault guns of 3 attack as 2 and do not outdo Shermans of 3."""
    assert "shift-armor" not in shifts_of(fighting("german", "6637 84/771\n6638 244StG"), "attack 6637")
    assert "shift-armor" in shifts_of(fighting("german", "6637 14Cav/32\n6638 244StG"), "attack 6637")


def test_21_2_flak_only_prevents(fighting: Any) -> None:
    table = fighting("allied", "6637 18/10+, 2Pz/2\n6638 84/771")
    assert "shift-armor" not in shifts_of(table, "attack 6637")
    assert "shift-armor" not in shifts_of(fighting("german", "6637 84/334\n6638 18/10+"), "attack 6637")


def test_21_2_the_red_value_counts_fully_in_defence() -> None:
    assert best_tq(stage("german", ""), (unit("28/630"),)) == 3
    assert UNITS.attack_tq[unit("28/630")] == 2


def test_21_3_no_armour_against_forest(fighting: Any) -> None:
    table = fighting("german", "1433 99/393/3\n1333 2Pz/3/1", turn=5)
    assert "shift-armor" not in shifts_of(table, "attack 1433")


def test_21_3_presence_of_tanks_denies_the_defenders_column(fighting: Any) -> None:
    """Panzer IVs on the far bank cannot cross, yet the defender's column is gone."""
    table = fighting("german", "1929 1/26, 1/745\n1928 2Pz/3/2\n1930 2Pz/2", turn=2)
    shifts = shifts_of(table, "attack 1929")
    assert "shift-armor" not in shifts
    assert "shift-defending-armor" not in shifts


@pytest.mark.parametrize(
    ("hex_from", "hex_to"), [("1431", "1432"), ("2112", "2113"), ("6131", "6232"), ("1107", "1106")]
)
def test_21_3_no_column_in_forest_rough_city_and_westwall(hex_from: str, hex_to: str) -> None:
    s = stage("german", f"{hex_to} 84/334\n{hex_from} 2Pz/3/1", turn=9)
    o = odds(s, Battle(GERMAN, hexagon(hex_to), (unit("2Pz/3/1"),)))
    assert not any(shift.key == "shift-armor" for shift in o.shifts)


def test_21_4_only_alone(fighting: Any) -> None:
    attack = "6638 9SS/19, 9SS/9/1\n6636 9SS/20, 9SS/9/2"
    joins = ("attack 6637", "join 9SS/9/1", "join 9SS/9/2", "join 9SS/19", "join 9SS/20", "resolve", "roll 1")
    assert fighting("german", f"6637 14Cav/32\n{attack}").play(*joins).choices("evade") == ["evade"]
    assert fighting("german", f"6637 14Cav/32, 99/394/1\n{attack}").play(*joins).choices("evade") == []


def test_21_4_reconnaissance_slips_away(fighting: Any) -> None:
    table = fighting("german", "6637 4Cav/4\n6638 2Pz/2, 2Pz/3/1\n6636 2Pz/304")
    table.play("attack 6637", "join 2Pz/2", "join 2Pz/304", "join 2Pz/3/1", "resolve", "roll 1", "evade")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert order(table, "4Cav/4") == 2


def test_21_4_not_out_of_a_position() -> None:
    """Example K: the squadron in its position cannot slip away."""
    assert may_evade(stage("german", "6637 14Cav/18"), hexagon("6637"))
    assert not may_evade(stage("german", "6637 14Cav/18\nip 6637"), hexagon("6637"))


def test_21_5_tanks_and_reconnaissance_disengage_better() -> None:
    s = stage("german", "")
    assert [disengagement_modifier(s, unit(n)) for n in ("84/771", "14Cav/32", "7Arm/CCA", "84/334", "18/10+")] == [
        -1, -1, -1, 0, 0,
    ]  # fmt: skip
