"""Chapters 14, 15, 21 and 22: combat up to the die."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.ardennes44.conftest import hexagon, marked, odds_of, shifts_of, stage, unit, where

from salient.games.ardennes44 import model
from salient.games.ardennes44.odds import bonus, formations, plain_column, result_of


@pytest.mark.parametrize(
    ("column", "die", "result"),
    [("3-1", 3, "FF"), ("3-1", 4, "EX"), ("3-1", 2, "DR2"), ("3-1", 6, "ENG"), ("3-1", 5, "FF+1"), ("3-1", 1, "DR3"),
     ("4-1", 2, "DR3"), ("5-1", 5, "FF"), ("2-1", 3, "EX"), ("6-1", 1, "DS"), ("2-1", 1, "DR2"), ("1-1", 3, "FF+1"),
     ("4-1", 3, "DR2"), ("1-1", 4, "ENG"), ("2-1", 5, "ENG"), ("5-1", 4, "DR2"), ("4-1", 5, "EX"), ("6-1", 4, "DR3"),
     ("1-3", 1, "FF+1"), ("7-1", 6, "DR2")],
)  # fmt: skip
def test_16_1_combat_table(column: str, die: int, result: str) -> None:
    assert result_of(model.COLUMNS.index(column), die) == result


def test_14_4_odds_round_in_favour_of_the_defender() -> None:
    assert model.COLUMNS[plain_column(15, 4)] == "3-1"
    assert plain_column(4, 15) == -1
    assert model.COLUMNS[plain_column(5, 9)] == "1-2"


def test_14_5_the_ends_of_the_table_come_after_the_shifts() -> None:
    """9-1 less one column is 8-1, played as 7-1; below 1-3 the attacker loses a step."""
    assert min(plain_column(36, 4) - 1, len(model.COLUMNS) - 1) == model.COLUMNS.index("7-1")
    assert result_of(-1, 1) == "A1"


def test_14_1_a_unit_attacks_once_and_is_attacked_once(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6636 2Pz/304")
    table.play("attack 6637", "join 2Pz/2", "resolve", "roll 6")
    while not table.choices("attack") and not table.choices("pass"):
        table.play(table.choices()[0])
    assert table.refusal("attack 6637")[1] == "was-attacked"


def test_14_3_1_two_formations(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6636 116Pz/60\n6737 Lehr/901")
    table.play("attack 6637", "join 116Pz/60", "join 2Pz/2")
    assert table.refusal("join Lehr/901") == ("14.3.1", "two-formations")


def test_14_3_2_a_stacked_unit_is_attached() -> None:
    """The Lehr's Panthers with 2nd Panzer, its reconnaissance with the 26th: two formations."""
    s = stage("german", "6638 2Pz/2, Lehr/130Pz\n6636 26VG/39, Lehr/Rec")
    units = tuple(sorted(unit(name) for name in ("2Pz/2", "Lehr/130Pz", "26VG/39", "Lehr/Rec")))
    assert formations(s, units) == 2


def test_19_1_1_units_over_the_limit_may_follow(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2, Lehr/Rec, 244StG\n6636 116Pz/60")
    table.play("attack 6637", "join 244StG", "join 116Pz/60", "join 2Pz/2")
    assert table.choices("follow") == ["follow Lehr/Rec"] or table.choices("join") == ["join Lehr/Rec"]


def test_15_1_the_bonus_never_exceeds_the_defence() -> None:
    """A battalion of 2 in a town gets 2, not 3; silhouettes alone get 1; guns nothing."""
    town = "3413"
    assert bonus(stage("german", f"{town} 99/394/1"), hexagon(town)) == 2
    assert bonus(stage("german", f"{town} 84/334"), hexagon(town)) == 3
    assert bonus(stage("german", f"{town} 84/771"), hexagon(town)) == 1
    assert bonus(stage("german", f"{town} V/190"), hexagon(town)) == 0


def test_15_2_halving_rounds_up_unit_by_unit(fighting: Any) -> None:
    """Two units of 5 out of supply attack with 3 each."""
    table = fighting("german", "6637 84/334\n6638 2Pz/2 oos\n6636 2Pz/304 oos")
    assert odds_of(table, "attack 6637")["attack"] == 6


def test_15_3_rivers_halve(fighting: Any) -> None:
    table = fighting("german", "1105 4/12/3\n1106 212VG/320", turn=5)
    attacker = odds_of(table, "attack 1105")["attackers"][0]
    assert (attacker["final"], attacker["modifiers"][0]["key"]) == (2, "halved-river")


def test_15_4_vehicles_are_halved_where_they_could_not_go(fighting: Any) -> None:
    table = fighting("german", "1432 99/393/1\n1431 2Pz/3/1", turn=5)
    assert odds_of(table, "attack 1432")["attackers"][0]["modifiers"][0]["key"] == "halved-vehicle"


def test_15_5_1_out_of_rough_woods_all_are_halved(fighting: Any) -> None:
    table = fighting("german", "2216 28/110/1\n2116 2Pz/304", turn=5)
    assert odds_of(table, "attack 2216")["attackers"][0]["modifiers"][0]["key"] == "halved-rough-woods"


def test_15_5_2_into_rough_woods_infantry_is_not_halved(fighting: Any) -> None:
    table = fighting("allied", "2116 2Pz/304\n2216 28/110/1", turn=5)
    assert odds_of(table, "attack 2116")["attackers"][0]["modifiers"] == []


def test_15_7_the_westwall_helps_germans_only() -> None:
    assert bonus(stage("german", "1106 212VG/320"), hexagon("1106")) == 3
    assert bonus(stage("german", "1106 84/334"), hexagon("1106")) == 0


def test_15_8_1_a_position_gives_two() -> None:
    assert bonus(stage("german", "6637 84/334\nip 6637"), hexagon("6637")) == 2


def test_15_6_2_air_support_shifts_one_column(fighting: Any) -> None:
    table = fighting("allied", "6637 2Pz/2\n6638 84/334", turn=15, air=2)
    table.play("attack 6637", "join 84/334", "resolve", "air", "resolve")
    assert table.state.air == 1
    assert shifts_of(table, "roll 1")["shift-air"] == 1


def test_15_6_3_fighter_bombers_meet_german_attacks(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2", turn=15)
    table.play("attack 6637", "join 2Pz/2", "resolve", "roll 1")
    assert shifts_of(table, "roll 1")["shift-defence"] == -3


def test_18_3_disrupted_defenders_give_a_column(fighting: Any) -> None:
    table = fighting("german", "6637 84/334 disrupted\n6638 2Pz/2")
    assert shifts_of(table, "attack 6637")["shift-disrupted"] == 1


def test_18_3_disrupted_units_do_not_attack(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2 disrupted\n6636 2Pz/304")
    table.play("attack 6637")
    assert table.refusal("join 2Pz/2") == ("18.3", "disrupted-cannot-attack")


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


def test_21_2_red_values_count_one_less_in_attack(fighting: Any) -> None:
    """Assault guns of 3 attack as 2 and do not outdo Shermans of 3."""
    assert "shift-armor" not in shifts_of(fighting("german", "6637 84/771\n6638 244StG"), "attack 6637")
    assert "shift-armor" in shifts_of(fighting("german", "6637 14Cav/32\n6638 244StG"), "attack 6637")


def test_21_2_flak_only_prevents(fighting: Any) -> None:
    table = fighting("allied", "6637 18/10+, 2Pz/2\n6638 84/771")
    assert "shift-armor" not in shifts_of(table, "attack 6637")
    assert "shift-armor" not in shifts_of(fighting("german", "6637 84/334\n6638 18/10+"), "attack 6637")


def test_21_3_no_armour_against_forest(fighting: Any) -> None:
    table = fighting("german", "1433 99/393/3\n1333 2Pz/3/1", turn=5)
    assert "shift-armor" not in shifts_of(table, "attack 1433")


def test_22_6_guns_need_a_unit_of_their_colour(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6636 VAK402\n6635 VAK766")
    table.play("attack 6637", "join 2Pz/2", "resolve")
    assert table.choices("support") == ["support VAK766"]
    assert table.refusal("support VAK402") == ("22.6", "other-colour")


def test_22_7_two_guns_at_most_and_they_have_fired(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6636 VAK766\n6635 VAK401\n6634 Werfer15")
    table.play("attack 6637", "join 2Pz/2", "resolve", "support VAK766", "support VAK401", "resolve")
    assert shifts_of(table, "roll 1")["shift-guns"] == 2
    assert marked(table, "fired", "VAK766")


def test_22_8_time_on_target_breaks_the_attack(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6636 VII/18\n6638 2Pz/2")
    table.play("attack 6637", "join 2Pz/2", "resolve", "support VII/18", "resolve", "roll 1")
    assert table.said("time-on-target")
    assert table.state.lost[unit("2Pz/2")] == 1


def test_22_9_guns_do_not_support_their_own_hex(fighting: Any) -> None:
    table = fighting("german", "6637 84/334, VII/18\n6638 2Pz/2")
    table.play("attack 6637", "join 2Pz/2", "resolve")
    assert table.choices("support") == []


def test_27_4_assault_mortars_count_double_against_settlements(fighting: Any) -> None:
    table = fighting("german", "2216 28/110/1\n2215 1000StM", turn=6)
    assert odds_of(table, "attack 2216")["attackers"][0]["final"] == 6


def test_27_8_3_surprise_is_a_column_and_unmasks(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 150Pz")
    table.play("attack 6637", "join 150Pz", "resolve", "surprise", "roll 2")
    assert shifts_of(table, "roll 1")["shift-surprise"] == 1
    assert table.state.exposed == 2


def test_34_factor_limit(fighting: Any) -> None:
    lines = "6637 84/334\n6638 9SS/19, 9SS/9/1\n6636 9SS/20, 9SS/9/2"
    assert odds_of(fighting("german", lines), "attack 6637")["attack"] == 24
    limited = fighting("german", lines, rules=model.FACTOR_LIMIT)
    assert odds_of(limited, "attack 6637")["attack"] == 18


def test_7_4_the_defender_blows_the_bridge_before_the_attack(fighting: Any) -> None:
    a, b = model.BOARD.labels[model.BRIDGES[0][0]], model.BOARD.labels[model.BRIDGES[0][1]]
    table = fighting("german", f"{a} 84/334\n{b} 2Pz/2", turn=9)
    table.play(f"attack {a}", "join 2Pz/2", "resolve")
    name = model.BRIDGE_NAMES[0]
    assert table.choices("blow") == [f"blow {name}"]
    table.play(f"blow {name}", "roll 3")
    assert table.state.blown & 1
    table.play("cancel")
    assert where(table, "84/334") == a


def test_29_2_1_most_allied_guns_are_silent_on_turn_1(fighting: Any) -> None:
    table = fighting("german", "1431 99/394/2, V/190\n1430 99/394/1\n1330 12VG/27\n1935 V/406", turn=1)
    table.play("attack 1430", "join 12VG/27", "resolve")
    assert "support V/190" not in table.choices("support")


def test_29_2_2_german_guns_support_their_corps_on_turn_1(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6636 VAK766\n6635 VAK401", turn=1)
    table.play("attack 6637", "join 2Pz/2", "resolve")
    assert table.choices("support") == ["support VAK766"]
