"""Ardennes '44: chapter 15, modifiers."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    FAR,
    bridge,
    hexagon,
    in_every_order,
    key,
    marked,
    odds_of,
    shifts_of,
    stage,
    unit,
    where,
)
from salient.games.ardennes44.improved_positions import refuse_digging
from salient.games.ardennes44.strengths import attack_of, bonus, can_cross, defence_of, halvings


def test_15_1_the_bonus_never_exceeds_the_defence() -> None:
    """A battalion of 2 in a town gets 2, not 3; silhouettes alone get 1; guns nothing."""
    town = "3413"
    assert bonus(stage("german", f"{town} 99/394/1"), hexagon(town)) == 2
    assert bonus(stage("german", f"{town} 84/334"), hexagon(town)) == 3
    assert bonus(stage("german", f"{town} 84/771"), hexagon(town)) == 1
    assert bonus(stage("german", f"{town} V/190"), hexagon(town)) == 0


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


def test_15_2_halving_rounds_up_unit_by_unit(fighting: Any) -> None:
    """Two units of 5 out of supply attack with 3 each."""
    table = fighting("german", "6637 84/334\n6638 2Pz/2 oos\n6636 2Pz/304 oos")
    assert odds_of(table, "attack 6637")["attack"] == 6


def test_15_2_a_unit_is_halved_once() -> None:
    s = stage("german", "1106 212VG/320 oos", turn=5)
    assert len(halvings(s, unit("212VG/320"), hexagon("1105"))) == 2
    assert attack_of(s, unit("212VG/320"), hexagon("1105")) == 2


def test_15_3_rivers_halve(fighting: Any) -> None:
    table = fighting("german", "1105 4/12/3\n1106 212VG/320", turn=5)
    attacker = odds_of(table, "attack 1105")["attackers"][0]
    assert (attacker["final"], attacker["modifiers"][0]["key"]) == (2, "halved-river")


def test_15_3_an_intact_bridge_does_not_prevent_halving_but_lets_tanks_shift(fighting: Any) -> None:
    table = fighting("german", "4111 1/26\n4211 2Pz/3/1", turn=2)
    assert odds_of(table, "attack 4111")["attack"] == 3
    assert shifts_of(table, "attack 4111")["shift-armor"] == 1


def test_15_4_vehicles_are_halved_where_they_could_not_go(fighting: Any) -> None:
    table = fighting("german", "1432 99/393/1\n1431 2Pz/3/1", turn=5)
    assert odds_of(table, "attack 1432")["attackers"][0]["modifiers"][0]["key"] == "halved-vehicle"


def test_15_4_vehicles_over_a_river_without_bridge() -> None:
    s = stage("german", "1928 2Pz/3/1", turn=5)
    assert {r.key for r in halvings(s, unit("2Pz/3/1"), hexagon("1929"))} == {"halved-river", "halved-vehicle"}


def test_15_5_1_out_of_rough_woods_all_are_halved(fighting: Any) -> None:
    table = fighting("german", "2216 28/110/1\n2116 2Pz/304", turn=5)
    assert odds_of(table, "attack 2216")["attackers"][0]["modifiers"][0]["key"] == "halved-rough-woods"


def test_15_5_1_from_rough_woods_to_rough_woods() -> None:
    s = stage("german", "2113 26VG/77", turn=5)
    assert [r.key for r in halvings(s, unit("26VG/77"), hexagon("2114"))] == ["halved-rough-woods"]


def test_15_5_2_into_rough_woods_infantry_is_not_halved(fighting: Any) -> None:
    table = fighting("allied", "2116 2Pz/304\n2216 28/110/1", turn=5)
    assert odds_of(table, "attack 2116")["attackers"][0]["modifiers"] == []


def test_15_5_2_height_vehicles_need_the_road() -> None:
    s = stage("allied", "2214 7Arm/CCA\n2213 7Arm/CCB", turn=5)
    assert halvings(s, unit("7Arm/CCA"), hexagon("2113")) == []
    assert [r.key for r in halvings(s, unit("7Arm/CCB"), hexagon("2113"))] == ["halved-vehicle"]


def test_15_6_1_no_air_support_before_turn_15_nor_after_clear_weather(moving: Any) -> None:
    for turn in (14, 23):
        scenario = {"scenario": "extended"} if turn > 22 else {}
        assert moving("allied", "6637 84/334", turn=turn, **scenario).choices("roll") == []


def test_15_6_1_none_by_night(fighting: Any) -> None:
    night = fighting("allied", "6637 2Pz/2\n6638 84/334 night_marks", turn=16, night=1, air=3)
    night.play("attack 6637", "join 84/334", "resolve")
    assert night.choices("air") == []


def test_15_6_2_air_support_shifts_one_column(fighting: Any) -> None:
    table = fighting("allied", "6637 2Pz/2\n6638 84/334", turn=15, air=2)
    table.play("attack 6637", "join 84/334", "resolve", "air", "resolve")
    assert table.state.air == 1
    assert shifts_of(table, "roll 1")["shift-air"] == 1


@pytest.mark.parametrize(("die", "markers"), [(1, 1), (2, 1), (3, 2), (5, 3), (6, 3)])
def test_15_6_2_half_a_die_of_air_support(moving: Any, die: int, markers: int) -> None:
    assert moving("allied", "6637 84/334", turn=15).play(f"roll {die}").state.air == markers


def test_15_6_2_one_marker_a_combat(fighting: Any) -> None:
    table = fighting("allied", "6637 2Pz/2\n6638 84/334", turn=15, air=3)
    table.play("attack 6637", "join 84/334", "resolve", "air", "resolve")
    assert table.choices("air") == []


def test_15_6_2_aircraft_are_called_with_the_guns_and_sent_back_by_cancel(fighting: Any) -> None:
    start = fighting("allied", "6637 2Pz/2\n6638 84/334\n6636 VII/18", turn=15, air=2)
    start.play("attack 6637", "join 84/334", "resolve")
    table = start.try_all("support VII/18", "air")
    assert key(table) == key(start.try_all("air", "support VII/18"))
    assert table.state.air == 2
    assert key(table.try_all("cancel")) == key(start)
    assert key(table.try_all("ground")) == key(start.try_all("support VII/18"))
    assert start.refusal("ground") == ("15.6.2", "no-air-support")
    assert table.play("resolve").state.air == 1


def test_15_6_2_the_defender_does_not_send_the_aircraft_back(fighting: Any) -> None:
    """A German gun is asked after the aircraft have come: they are neither part of its draft nor cancelled with it."""
    table = fighting("allied", "6637 2Pz/2\n6638 84/334\n6636 VAK766", turn=15, air=2)
    table.play("attack 6637", "join 84/334", "resolve", "air", "resolve")
    assert (table.actor, table.choices("cancel")) == ("german", [])
    assert table.state.stack[-1].draft(table.state) == ()
    table.play("support VAK766", "cancel")
    assert table.state.stack[-1].battle.air == 1


def test_15_6_3_fighter_bombers_meet_german_attacks(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2", turn=15)
    table.play("attack 6637", "join 2Pz/2", "resolve", "roll 1")
    assert shifts_of(table, "roll 1")["shift-defence"] == -3


@pytest.mark.parametrize(("die", "columns"), [(1, 3), (2, 2), (3, 1), (4, 0), (6, 0)])
def test_15_6_3_fighter_bomber_table(fighting: Any, die: int, columns: int) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2", turn=17)
    table.play("attack 6637", "join 2Pz/2", "resolve", f"roll {die}")
    assert shifts_of(table, "roll 1").get("shift-defence", 0) == -columns


def test_15_7_the_westwall_helps_germans_only() -> None:
    assert bonus(stage("german", "1106 212VG/320"), hexagon("1106")) == 3
    assert bonus(stage("german", "1106 84/334"), hexagon("1106")) == 0


def test_15_7_vehicles_are_halved_against_the_westwall_but_by_road() -> None:
    """1106 lies behind a bridge with a road; with the bridge gone the Westwall is shut."""
    for blown, keys in ((0, {"halved-river"}), (bridge("1105/1106"), {"halved-river", "halved-vehicle"})):
        s = stage("allied", "1105 9Arm/CCA", turn=9, blown=blown)
        assert {r.key for r in halvings(s, unit("9Arm/CCA"), hexagon("1106"))} == keys
        assert can_cross(s, unit("9Arm/CCA"), hexagon("1106")) is (not blown)


def test_15_8_1_a_position_gives_two() -> None:
    assert bonus(stage("german", "6637 84/334\nip 6637"), hexagon("6637")) == 2


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


def test_15_8_2_a_position_takes_two_turns(moving: Any) -> None:
    table = moving("allied", "6637 84/334").play("dig 84/334")
    assert table.state.digging == 1 << hexagon("6637")
    later = moving("allied", "6637 84/334\ndigging 6637").play("dig 84/334")
    assert later.state.ip == 1 << hexagon("6637")
    assert "select 84/334" in later.choices("select")


def test_15_8_2_a_position_just_begun_can_be_taken_back(moving: Any) -> None:
    table = moving("allied", "6637 84/334\n6630 84/335\n6620 84/333\ndigging 6620")
    before = table.state.key()
    assert len(set(in_every_order(table, ["dig 84/334", "dig 84/335"]))) == 1
    table.play("dig 84/334", "dig 84/335", "dig 84/333")
    assert table.choices("drop") == ["drop 84/334", "drop 84/335"], "what was begun a turn ago is complete"
    assert "drop 84/334" not in table.candidates()
    back = table.play("drop 84/335").try_all("drop 84/334")
    assert back.state.key() == moving("allied", "6637 84/334\n6630 84/335\n6620 84/333\nip 6620").state.key() != before
    table.play("select 84/335", "move 84/335 6631")
    assert table.refusal("drop 84/335") == ("15.8.2", "not-just-begun")


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


def test_15_8_4_a_position_left_by_an_advance_stays_until_a_movement_phase_ends(fighting: Any) -> None:
    """A44-32."""
    table = fighting("german", f"6637 28/110/1\n6636 26VG/39\nip 6636\n{FAR}")
    table.play("attack 6637", "join 26VG/39", "resolve", "roll 1")
    while not table.choices("advance"):
        table.play(table.choices("retreat")[0] if table.choices("retreat") else "pass")
    table.play("advance 26VG/39 6637")
    assert table.state.ip >> hexagon("6636") & 1


def test_15_8_4_a_position_goes_with_its_last_occupant(fighting: Any) -> None:
    """An attacker of one step who falls leaves nothing behind."""
    table = fighting("german", f"6637 84/334\n6636 12VG/Fus\nip 6636\n{FAR}")
    table.play("attack 6637", "join 12VG/Fus", "resolve", "roll 6")
    assert where(table, "12VG/Fus") == "eliminated"
    assert not table.state.ip >> hexagon("6636") & 1


def test_15_8_4_empty_positions_go(moving: Any) -> None:
    table = moving("allied", "6637 84/334\nip 6637").play("select 84/334", "move 84/334 6635")
    if table.choices("pass"):
        table.play("pass")
    assert table.state.ip == 0


def test_15_9_out_of_supply_halves_the_attack() -> None:
    s = stage("german", "6638 2Pz/2 oos")
    assert [r.rule for r in halvings(s, unit("2Pz/2"), hexagon("6637"))] == ["23.4"]
