"""Second reading of chapters 14, 15, 21 and 22: combat up to the die."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.ardennes44.conftest import (
    bridge,
    hexagon,
    lost,
    marked,
    odds_of,
    reach,
    shifts_of,
    stage,
    unit,
    where,
)

from salient.common.sides import GERMAN
from salient.games.ardennes44 import model
from salient.games.ardennes44.advances import refuse_advancer
from salient.games.ardennes44.disengagement import disengagement_modifier
from salient.games.ardennes44.odds import (
    Battle,
    attack_of,
    best_tq,
    bonus,
    bridges_attacked,
    can_cross,
    column_name,
    defence_of,
    formations,
    halvings,
    odds,
    plain_column,
    refuse_attacker,
    refuse_gun,
    refuse_together,
)
from salient.games.ardennes44.works import refuse_digging


def column(attack: int, defence: int, shift: int = 0) -> str:
    """The column of plain odds with a shift, as the table plays it."""
    return column_name(max(-1, min(plain_column(attack, defence) + shift, len(model.COLUMNS) - 1)))


# ---- 14 ----------------------------------------------------------------------------------------------


def test_14_1_attacks_are_voluntary(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2")
    assert "pass" in table.choices()


def test_14_1_all_units_of_a_hex_defend_together(fighting: Any) -> None:
    table = fighting("german", "6637 84/334, 84/771\n6638 2Pz/2")
    assert odds_of(table, "attack 6637")["defence"] == 6 + 3


def test_14_1_only_neighbours_attack(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6635 2Pz/304")
    table.play("attack 6637")
    assert table.refusal("join 2Pz/304")[1] == "not-adjacent"


def test_14_2_from_six_hexes(fighting: Any) -> None:
    ring = "6638 2Pz/2\n6537 2Pz/304\n6536 2Pz/3/1\n6636 2Pz/3/2\n6736 2Pz/Rec\n6737 2Pz/38PzJ"
    assert len(odds_of(fighting("german", f"6637 84/334\n{ring}"), "attack 6637")["attackers"]) == 6


def test_14_2_units_of_a_hex_attack_different_hexes(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6737 84/335\n6638 2Pz/2, 2Pz/3/1")
    table.play("attack 6637", "join 2Pz/2", "resolve", "roll 6")
    while not table.choices("attack"):
        table.play(table.choices()[-1])
    assert table.choices("attack") == ["attack 6737"]
    assert table.try_all("attack 6737").choices("join") == ["join 2Pz/3/1"]


def test_14_3_1_independent_units_are_formations_of_their_own() -> None:
    s = stage("german", "6638 244StG\n6636 394StG\n6737 506")
    assert formations(s, tuple(sorted(map(unit, ("244StG", "394StG", "506"))))) == 3


def test_14_3_1_guns_are_not_counted(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2\n6636 116Pz/60\n6640 VAK766")
    table.play("attack 6637", "join 116Pz/60", "join 2Pz/2", "resolve")
    assert table.choices("support") == ["support VAK766"]


def test_14_3_2_one_unit_a_formation() -> None:
    """Two strangers with one division are one too many."""
    s = stage("german", "6638 2Pz/2, 244StG\n6636 2Pz/304, 902StG")
    assert formations(s, tuple(sorted(map(unit, ("2Pz/2", "244StG", "2Pz/304", "902StG"))))) == 2


def test_14_3_2_the_host_need_not_attack() -> None:
    """A stranger is attached to who stands with it; 2nd Panzer attacks from another hex."""
    s = stage("german", "6638 2Pz/2, 244StG\n6636 2Pz/304\n6737 26VG/39")
    assert formations(s, tuple(sorted(map(unit, ("244StG", "2Pz/304", "26VG/39"))))) == 2


@pytest.mark.parametrize(
    ("attack", "defence", "name"), [(15, 4, "3-1"), (4, 15, "<1-3"), (4, 12, "1-3"), (5, 5, "1-1")]
)
def test_14_4_examples_of_odds(attack: int, defence: int, name: str) -> None:
    assert column(attack, defence) == name


def test_14_4_a_bridge_may_be_blown_and_the_attack_called_off(fighting: Any) -> None:
    """The attack that is called off was none: the tank attacks elsewhere."""
    table = fighting("german", "4111 1/26\n4211 2Pz/3/1\n4110 1/16", turn=5)
    table.play("attack 4111", "join 2Pz/3/1", "resolve", "blow 4111/4211", "roll 1", "cancel")
    assert table.choices("attack") == ["attack 4110", "attack 4111"]
    again = table.try_all("attack 4111", "join 2Pz/3/1", "resolve")
    assert not again.choices("blow")


def test_14_4_or_fought_without_the_bridge(fighting: Any) -> None:
    table = fighting("german", "4111 1/26\n4211 2Pz/3/1", turn=5)
    table.play("attack 4111", "join 2Pz/3/1", "resolve", "blow 4111/4211", "roll 1", "pass")
    assert "shift-armor" not in shifts_of(table, "roll 1")
    assert not bridges_attacked(table.state, Battle(GERMAN, hexagon("4111"), (unit("2Pz/3/1"),)))


@pytest.mark.parametrize(("attack", "shift", "name"), [(9, -1, "7-1"), (9, -3, "6-1"), (7, 2, "7-1"), (2, -9, "<1-3")])
def test_14_5_limits_come_last(attack: int, shift: int, name: str) -> None:
    assert column(attack, 1, shift) == name


def test_14_5_worse_than_1_3_costs_a_step(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 12VG/Fus")
    table.play("attack 6637", "join 12VG/Fus", "resolve", "roll 1")
    assert where(table, "12VG/Fus") == "6638"  # 2 to 6 is 1-3: a firefight
    weak = fighting("german", "6637 84/334, 84/771\n6638 12VG/Fus").play(
        "attack 6637", "join 12VG/Fus", "resolve", "roll 1"
    )
    assert where(weak, "12VG/Fus") == "eliminated"


# ---- 15 ---------------------------------------------------------------------------------------------


def test_15_1_a_regiment_in_a_town_has_nine() -> None:
    s = stage("german", "3413 30/117")
    assert sum(defence_of(s, u) for u in (unit("30/117"),)) + bonus(s, hexagon("3413")) == 9


def test_15_1_only_the_best_bonus() -> None:
    assert bonus(stage("german", "3413 30/117\nip 3413"), hexagon("3413")) == 3


def test_15_1_a_city_gives_a_battalion_two() -> None:
    assert bonus(stage("german", "6232 99/394/1"), hexagon("6232")) == 2
    assert bonus(stage("german", "6232 30/117"), hexagon("6232")) == 4


def test_15_1_tanks_and_guns_get_one_and_guns_none() -> None:
    assert bonus(stage("german", "3413 84/771, V/190"), hexagon("3413")) == 1
    assert bonus(stage("german", "3413 99/394/1, V/190"), hexagon("3413")) == 2


def test_15_1_marching_units_get_none() -> None:
    s = stage("german", "3413 30/117 march")
    assert (bonus(s, hexagon("3413")), defence_of(s, unit("30/117"))) == (0, 3)


def test_15_2_a_unit_is_halved_once() -> None:
    s = stage("german", "1106 212VG/320 oos", turn=5)
    assert len(halvings(s, unit("212VG/320"), hexagon("1105"))) == 2
    assert attack_of(s, unit("212VG/320"), hexagon("1105")) == 2


def test_15_3_an_intact_bridge_does_not_prevent_halving_but_lets_tanks_shift(fighting: Any) -> None:
    table = fighting("german", "4111 1/26\n4211 2Pz/3/1", turn=2)
    assert odds_of(table, "attack 4111")["attack"] == 3
    assert shifts_of(table, "attack 4111")["shift-armor"] == 1


def test_15_4_vehicles_over_a_river_without_bridge() -> None:
    s = stage("german", "1928 2Pz/3/1", turn=5)
    assert {r.key for r in halvings(s, unit("2Pz/3/1"), hexagon("1929"))} == {"halved-river", "halved-vehicle"}


def test_15_5_1_from_rough_woods_to_rough_woods() -> None:
    s = stage("german", "2113 26VG/77", turn=5)
    assert [r.key for r in halvings(s, unit("26VG/77"), hexagon("2114"))] == ["halved-rough-woods"]


def test_15_5_2_height_vehicles_need_the_road() -> None:
    s = stage("allied", "2214 7Arm/CCA\n2213 7Arm/CCB", turn=5)
    assert halvings(s, unit("7Arm/CCA"), hexagon("2113")) == []
    assert [r.key for r in halvings(s, unit("7Arm/CCB"), hexagon("2113"))] == ["halved-vehicle"]


@pytest.mark.parametrize(("die", "markers"), [(1, 1), (2, 1), (3, 2), (5, 3), (6, 3)])
def test_15_6_2_half_a_die_of_air_support(moving: Any, die: int, markers: int) -> None:
    assert moving("allied", "6637 84/334", turn=15).play(f"roll {die}").state.air == markers


def test_15_6_1_no_air_support_before_turn_15_nor_after_clear_weather(moving: Any) -> None:
    for turn in (14, 23):
        scenario = {"scenario": "extended"} if turn > 22 else {}
        assert moving("allied", "6637 84/334", turn=turn, **scenario).choices("roll") == []


def test_15_6_1_none_by_night(fighting: Any) -> None:
    night = fighting("allied", "6637 2Pz/2\n6638 84/334 night_marks", turn=16, night=1, air=3)
    night.play("attack 6637", "join 84/334", "resolve")
    assert night.choices("air") == []


def test_15_6_2_one_marker_a_combat(fighting: Any) -> None:
    table = fighting("allied", "6637 2Pz/2\n6638 84/334", turn=15, air=3)
    table.play("attack 6637", "join 84/334", "resolve", "air", "resolve")
    assert table.choices("air") == []


@pytest.mark.parametrize(("die", "columns"), [(1, 3), (2, 2), (3, 1), (4, 0), (6, 0)])
def test_15_6_3_fighter_bomber_table(fighting: Any, die: int, columns: int) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2", turn=17)
    table.play("attack 6637", "join 2Pz/2", "resolve", f"roll {die}")
    assert shifts_of(table, "roll 1").get("shift-defence", 0) == -columns


def test_15_7_vehicles_are_halved_against_the_westwall_but_by_road() -> None:
    """1106 lies behind a bridge with a road; with the bridge gone the Westwall is shut."""
    for blown, keys in ((0, {"halved-river"}), (bridge("1105/1106"), {"halved-river", "halved-vehicle"})):
        s = stage("allied", "1105 9Arm/CCA", turn=9, blown=blown)
        assert {r.key for r in halvings(s, unit("9Arm/CCA"), hexagon("1106"))} == keys
        assert can_cross(s, unit("9Arm/CCA"), hexagon("1106")) is (not blown)


def test_15_8_2_building_a_position(moving: Any) -> None:
    table = moving("allied", "6637 84/334").play("dig 84/334")
    assert table.state.digging >> hexagon("6637") & 1
    assert marked(table, "dug", "84/334")


@pytest.mark.parametrize(
    ("piece", "able"),
    [("84/334", True), ("84/334 engaged", False), ("84/334 disrupted", False), ("84/334 oos", False),
     ("84/334 march", False), ("84/771", False), ("7Arm/CCA", False), ("30/526", True), ("84/334 fresh", True)],
)  # fmt: skip
def test_15_8_2_who_can_build(piece: str, able: bool) -> None:
    s = stage("allied", f"6637 {piece}")
    assert (refuse_digging(s, unit(piece.split()[0])) is None) is able


def test_15_8_2_diggers_do_not_attack(fighting: Any) -> None:
    table = fighting("allied", "6637 84/334 dug\n6737 84/335\n6638 2Pz/2\ndigging 6637")
    table.play("attack 6638")
    assert table.refusal("join 84/334") == ("15.8.2", "digging-cannot-attack")


def test_15_8_3_another_unit_completes_it_and_goes_on(moving: Any) -> None:
    table = moving("allied", "6637 84/335 oos\ndigging 6637")
    table.play("dig 84/335")
    assert table.state.ip >> hexagon("6637") & 1
    assert table.choices("select 84/335")


def test_15_8_4_a_position_goes_with_its_garrison(fighting: Any) -> None:
    table = fighting("german", "6637 99/394/1\n6638 9SS/19, 9SS/9/1\nip 6637")
    table.play("attack 6637", "join 9SS/9/1", "join 9SS/19", "resolve", "roll 2")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert not table.state.ip


def test_15_9_out_of_supply_halves_the_attack() -> None:
    s = stage("german", "6638 2Pz/2 oos")
    assert [r.rule for r in halvings(s, unit("2Pz/2"), hexagon("6637"))] == ["23.4"]


# ---- 21 ---------------------------------------------------------------------------------------------


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


def test_21_2_the_red_value_counts_fully_in_defence() -> None:
    assert best_tq((unit("28/630"),)) == 3
    assert model.ATTACK_TQ[unit("28/630")] == 2


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


def test_21_5_tanks_and_reconnaissance_disengage_better() -> None:
    assert [disengagement_modifier(unit(n)) for n in ("84/771", "14Cav/32", "7Arm/CCA", "84/334", "18/10+")] == [
        -1, -1, -1, 0, 0,
    ]  # fmt: skip


# ---- 22 -------------------------------------------------------------------------------------------


def test_22_1_guns_that_moved_far_have_fired(moving: Any) -> None:
    table = moving("allied", "6637 VII/18").play("select VII/18", "move VII/18 6635")
    assert marked(table, "fired", "VII/18")


def test_22_2_one_hex_keeps_them_ready(moving: Any) -> None:
    table = moving("allied", "6637 VII/18").play("select VII/18", "move VII/18 6636")
    assert not marked(table, "fired", "VII/18")


def test_22_2_volks_artillery_does_not_shift(moving: Any) -> None:
    assert reach(moving("german", "6637 VAK766"), "VAK766") == set()
    assert len(reach(moving("german", "6637 Werfer15"), "Werfer15")) == 6


def test_22_3_a_tractor_brings_guns_five_points_and_stays(moving: Any) -> None:
    table = moving("german", "6637 VAK766").play("select VAK766", "tow VAK766 6632")
    assert marked(table, "tractor", "VAK766")
    assert not marked(table, "fired", "VAK766")


def test_22_3_the_7th_army_has_one_tractor(moving: Any) -> None:
    table = moving("german", "6637 VAK406\n6633 VAK408").play("select VAK406", "tow VAK406 6635", "select VAK408")
    assert table.refusal("tow VAK408 6632") == ("22.3", "no-tractor-left")


def test_22_4_range_is_counted_to_the_attacked_hex() -> None:
    b = Battle(GERMAN, hexagon("6637"), (unit("2Pz/2"),))
    span = model.RANGE[unit("Werfer15")]
    assert span == 3
    near = stage("german", "6637 84/334\n6638 2Pz/2\n6634 Werfer15")
    far = stage("german", "6637 84/334\n6638 2Pz/2\n6633 Werfer15")
    assert refuse_gun(near, unit("Werfer15"), b, True) is None
    assert refuse_gun(far, unit("Werfer15"), b, True).rule == "22.4"  # type: ignore[union-attr]


def test_22_5_guns_have_one_step() -> None:
    assert {model.STEPS[u] for u in range(model.COUNT) if model.ARTILLERY[u]} == {1}


@pytest.mark.parametrize("state", ["fired", "tractor", "disrupted"])
def test_22_6_guns_must_be_ready(state: str) -> None:
    s = stage("german", f"6637 84/334\n6638 2Pz/2\n6640 VAK766 {state}")
    b = Battle(GERMAN, hexagon("6637"), (unit("2Pz/2"),))
    assert refuse_gun(s, unit("VAK766"), b, True).key == "guns-not-ready"  # type: ignore[union-attr]


def test_22_6_engaged_guns_do_not_defend() -> None:
    s = stage("german", "6637 84/334\n6638 2Pz/2\n6635 VII/18 engaged")
    b = Battle(GERMAN, hexagon("6637"), (unit("2Pz/2"),))
    assert refuse_gun(s, unit("VII/18"), b, False).key == "guns-engaged"  # type: ignore[union-attr]


def test_22_8_one_gun_defends(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6636 VII/18\n6635 VII/142\n6638 2Pz/2")
    table.play("attack 6637", "join 2Pz/2", "resolve", "support VII/18", "resolve", "roll 2")
    assert table.choices("support") == []
    assert shifts_of(table, "roll 1")["shift-defence"] == -2


@pytest.mark.parametrize(("die", "columns"), [(1, 2), (2, 2), (3, 1), (4, 1), (5, 0), (6, 0)])
def test_22_8_german_guns_defend(fighting: Any, die: int, columns: int) -> None:
    table = fighting("allied", "6637 2Pz/2\n6636 VAK766\n6638 84/334")
    table.play("attack 6637", "join 84/334", "resolve", "support VAK766", "resolve", f"roll {die}")
    assert shifts_of(table, "roll 1").get("shift-defence", 0) == -columns


def test_22_8_time_on_target_uses_up_the_advantage(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6636 VII/18\n6638 2Pz/2\nadvantage 6638 6637 2Pz/2")
    table.play("attack 6637", "join 2Pz/2", "resolve", "support VII/18", "resolve", "roll 1")
    assert (lost(table, "2Pz/2"), table.state.advantage) == (1, ())
    assert not marked(table, "engaged", "84/334")


def test_22_9_guns_attacked_may_support_another_hex() -> None:
    s = stage("german", "6637 84/334\n6636 VII/18\n6638 2Pz/2\n6635 2Pz/304")
    b = Battle(GERMAN, hexagon("6637"), (unit("2Pz/2"),))
    assert refuse_gun(s, unit("VII/18"), b, False) is None


def test_22_9_guns_never_attack(fighting: Any) -> None:
    table = fighting("allied", "6637 2Pz/2\n6638 84/334, VII/18").play("attack 6637")
    assert table.refusal("join VII/18") == ("22.9", "guns-only-support")


def test_22_10_guns_do_not_advance() -> None:
    s = stage("german", "6638 VAK766")
    assert refuse_advancer(s, unit("VAK766")).rule == "19.1.1"  # type: ignore[union-attr]


def test_27_3_3_british_and_us_do_not_attack_together() -> None:
    s = stage("allied", "6637 84/334\n6636 43/129")
    assert refuse_together(s, (unit("84/334"), unit("43/129"))).rule == "27.3.3"  # type: ignore[union-attr]


def test_3_4_no_attack_across_a_lake() -> None:
    s = stage("german", "1832 2Pz/2\n1931 1/26", turn=9)
    assert refuse_attacker(s, unit("2Pz/2"), hexagon("1931")).key == "lake-between"  # type: ignore[union-attr]


def test_7_4_no_charge_twice(fighting: Any) -> None:
    table = fighting("german", "4111 1/26\n4211 2Pz/3/1", turn=5, bridges_tried=bridge("4111/4211"))
    assert table.play("attack 4111", "join 2Pz/3/1", "resolve").choices("blow") == []
