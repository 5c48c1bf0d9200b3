"""Chapters 5 to 7, 13, 23 to 25: the other phases of a turn."""

from __future__ import annotations

from typing import Any

from tests.games.ardennes44.conftest import bridge, hexagon, lost, marked, order, reach, stage, unit, where

from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44 import model
from salient.games.ardennes44.bridges import can_build, refuse_demolition
from salient.games.ardennes44.phases import group_points, shortage, threshold
from salient.games.ardennes44.reinforcements import blocked_by, entry_hexes, is_threatened, stations
from salient.games.ardennes44.replacements import rebuilding_hexes, refuse_ever, refuse_replacement
from salient.games.ardennes44.supply import isolated_groups, road_network, supplied_hexes
from salient.games.ardennes44.traffic import begin_traffic
from salient.games.ardennes44.ways import tolls_against
from salient.kernel.messages import NULL

GUNS = "6637 VAK766 fired\n6635 VAK401 fired\n6633 Werfer15 fired\n6631 Werfer7 fired"


def test_5_2_three_german_guns_a_turn(phase: Any) -> None:
    table = phase("german_artillery", "german", GUNS)
    table.play(*(table.choices("ready")[0:1]))
    table.play(*(table.choices("ready")[0:1]))
    table.play(*(table.choices("ready")[0:1]))
    assert table.choices("ready") == []
    assert table.play("done").state.fired.bit_count() == 1


def test_5_4_six_on_turn_2(phase: Any) -> None:
    assert phase("german_artillery", "german", GUNS, turn=2).state.fired == 0


def test_5_2_all_allied_guns(phase: Any) -> None:
    table = phase("allied_turn", "allied", "6637 VII/18 fired\n6635 VII/142 fired disrupted")
    assert not marked(table, "fired", "VII/18")
    assert marked(table, "fired", "VII/142")


def test_5_1_tractors_go_back(phase: Any) -> None:
    assert phase("german_artillery", "german", "6637 VAK766 tractor").state.tractor == 0


def test_6_1_shortage_from_turn_7(phase: Any) -> None:
    table = phase("german_fuel", "german", "6637 116Pz/60", turn=7)
    table.play("roll 6")
    assert marked(table, "short", "116Pz/60")


def test_6_2_one_more_from_turn_15(phase: Any) -> None:
    table = phase("german_fuel", "german", "6637 116Pz/60", turn=15).play("roll 5")
    assert marked(table, "short", "116Pz/60")


def test_6_3_only_divisions_that_have_come() -> None:
    s = stage("german", "6637 2Pz/2\ntrack 9Pz/10", turn=9)
    assert shortage(s, "one:2Pz Lehr") == (GERMAN, ("2Pz",), False)
    assert shortage(s, "one:15PG 9Pz")[1] == ()


def test_6_4_1_the_allies_choose_west_of_the_ourthe() -> None:
    s = stage("german", "6637 2Pz/2\n2216 Lehr/901", turn=9)
    assert shortage(s, "west:5Pz") == (ALLIED, ("2Pz",), False)


def test_7_6_no_demolition_on_the_first_day() -> None:
    name = "2020/2119"
    s = stage("allied", "2119 28/112/2\n2020 116Pz/60", turn=2)
    refusal = refuse_demolition(s, ALLIED, model.BRIDGE_IDS[name])
    assert refusal is not None
    assert refusal.rule == "7.6"


def test_7_3_demolition_needs_an_enemy_and_a_unit_near(bridging: Any) -> None:
    i = model.BRIDGE_IDS["2020/2119"]
    assert refuse_demolition(stage("allied", "2119 28/112/2", turn=5), ALLIED, i).key == "no-enemy-near"  # type: ignore[union-attr]
    table = bridging("allied", "2119 28/112/2\n2020 116Pz/60", turn=5)
    table.play("blow 2020/2119", "roll 4")
    assert table.state.blown & bridge("2020/2119")


def test_7_5_disorder_makes_it_harder(bridging: Any) -> None:
    table = bridging("allied", "2119 28/112/2 disrupted\n2020 116Pz/60", turn=5).play("blow 2020/2119", "roll 3")
    assert not table.state.blown & bridge("2020/2119")


def test_7_8_building_takes_two_phases(bridging: Any) -> None:
    table = bridging("german", "2016 2Pz/2\n2115 2Pz/304", turn=5, blown=bridge("2016/2115"))
    table.play("build 2016/2115")
    assert table.state.building == bridge("2016/2115")
    done = bridging("german", "2016 2Pz/2\n2115 2Pz/304", turn=6, blown=bridge("2016/2115"),
                    building=bridge("2016/2115"), builders=bridge("2016/2115"))  # fmt: skip
    assert done.state.blown == 0


def test_7_8_enemies_prevent_it() -> None:
    s = stage("german", "2016 2Pz/2\n2215 28/110/1", turn=5, blown=bridge("2016/2115"))
    assert not can_build(s, GERMAN, model.BRIDGE_IDS["2016/2115"])


def test_7_9_dasburg_and_gemuend_are_ready_on_turn_2(phase: Any) -> None:
    both = bridge("2016/2115") | bridge("1913/2013")
    table = phase("german_bridges", "german", "2016 2Pz/2\n2115 2Pz/304\n1913 26VG/78\n2013 26VG/77", turn=2,
                  blown=both, building=both, builders=both)  # fmt: skip
    assert table.state.blown & both == 0


def test_13_1_reinforcements_enter_by_their_hexes(moving: Any) -> None:
    table = moving("allied", "track 1/26", turn=3)
    table.play("select 1/26")
    assert table.choices("enter 1/26")
    assert table.choices("ride 1/26")
    table.play(table.choices("enter 1/26")[0])
    assert where(table, "1/26") != "track"


def test_13_2_2_engineers_are_placed_in_towns(moving: Any) -> None:
    table = moving("allied", "track 51Eng", turn=7)
    table.play("select 51Eng", "deploy 51Eng 2531")
    assert where(table, "51Eng") == "2531"
    assert all(model.BOARD.distance(hexagon("2531"), hexagon(h)) <= 2 for h in reach(table, "51Eng"))


def test_13_3_artillery_arrives_fired(moving: Any) -> None:
    table = moving("allied", "track V/190", turn=6)
    table.play("select V/190", table.try_all("select V/190").choices("enter V/190")[0])
    assert marked(table, "fired", "V/190")


def test_13_4_a_german_in_an_entry_hex_closes_the_sector() -> None:
    s = stage("allied", "1501 2Pz/2\ntrack 10Arm/CCA", turn=5)
    assert is_threatened(s, "southeast")
    assert entry_hexes(s, unit("10Arm/CCA")) == []
    held = stage("allied", "1501 2Pz/2\ntrack 10Arm/CCA\nblock-1501 4/22/2, 4/8/2, 4/12/1", turn=5)
    assert blocked_by(held, hexagon("1501")) == 6
    assert entry_hexes(held, unit("10Arm/CCA"))


def test_13_5_boxes_and_blocking_positions() -> None:
    s = stage("allied", "southeast 10Arm/CCA", turn=5)
    names = {model.PLACES[place] for place in stations(s, unit("10Arm/CCA"))}
    assert {"block-1001", "block-1501", "southwest"} <= names


def test_13_8_1_attacks_onto_the_map(fighting: Any) -> None:
    table = fighting("allied", "1501 26VG/39\nblock-1501 10Arm/CCA", turn=9)
    table.play("attack 1501", "join 10Arm/CCA", "resolve", "roll 1")
    assert table.said("odds")


def test_23_3_four_hexes_to_a_road() -> None:
    s = stage("allied", "6637 84/334", turn=9)
    assert supplied_hexes(s, ALLIED) >> hexagon("6637") & 1


def test_23_3_enemy_towns_without_units_stop_the_road() -> None:
    s = stage("german", "", turn=9)
    free = road_network(s, GERMAN)
    assert not free & (model.TOWN | model.CITY) & ~s.held


def test_23_3_blown_bridges_stop_the_road() -> None:
    s = stage("german", "2115 2Pz/2", turn=9)
    t = stage("german", "2115 2Pz/2", turn=9, blown=(1 << len(model.BRIDGES)) - 1)
    assert road_network(t, GERMAN).bit_count() < road_network(s, GERMAN).bit_count()


def test_23_4_units_out_of_supply_move_tactically(moving: Any) -> None:
    found = reach(moving("german", "6637 2Pz/2 oos"), "2Pz/2")
    assert all(model.BOARD.distance(hexagon("6637"), hexagon(h)) <= 2 for h in found)


def test_23_6_isolated_groups() -> None:
    """Germans far in the west, four hexes apart from each other, form one group; a third one further off another."""
    s = stage("german", "6637 2Pz/2\n6634 2Pz/304\n6617 Lehr/901", turn=9)
    groups = [tuple(model.UNITS[u] for u in group) for group in isolated_groups(s, GERMAN)]
    assert ("2Pz/2", "2Pz/304") in groups
    assert ("Lehr/901",) in groups


def test_23_7_surrender(phase: Any) -> None:
    table = phase("german_supply", "german", "6637 2Pz/2 points=3 oos")
    table.play("roll 5")
    assert where(table, "2Pz/2") == "gone"


def test_23_8_thresholds() -> None:
    assert threshold((unit("75/289"),)) == 3
    assert threshold((unit("84/334"), unit("75/289"))) == 4
    assert threshold((unit("101/501"), unit("75/289"))) == 5


def test_23_9_the_larger_group_decides() -> None:
    s = stage("german", "6637 2Pz/2 points=2\n6638 2Pz/38PzJ points=1")
    assert group_points(s, (unit("2Pz/2"), unit("2Pz/38PzJ"))) == 2


def test_24_3_2_traffic_is_placed_then_diced_away(phase: Any) -> None:
    table = phase("allied_traffic", "allied", "", turn=1)
    table.play("traffic 2113", "traffic 1913", "done", "dice 1 4")
    assert table.state.traffic[0] == model.IN_BOX
    assert table.state.traffic[1] == hexagon("2113")


def test_24_4_markers_do_not_touch(phase: Any) -> None:
    table = phase("allied_traffic", "allied", "", turn=1).play("traffic 2113")
    assert table.refusal("traffic 2114") == ("24.4", "no-traffic-there")
    assert table.refusal("traffic 2115") == ("24.4", "no-traffic-there")


def test_24_5_germans_begin_on_turn_3() -> None:
    for turn, frames in ((2, 1), (3, 3)):
        s = stage("german", "", turn=turn)
        begin_traffic(s, GERMAN, NULL)
        assert len(s.stack) == frames


def test_24_6_scheduled_removal(phase: Any) -> None:
    assert phase("german_traffic", "german", "", turn=8).state.traffic[6] == model.OUT_OF_PLAY


def test_24_2_traffic_costs_two_points(moving: Any) -> None:
    """A regiment on foot with five points goes four hexes less two behind a marker; tactical movement ignores it."""
    marks = [model.IN_BOX] * 12
    marks[0] = hexagon("2215")
    free = moving("german", "2214 2Pz/2", turn=5)
    slow = moving("german", "2214 2Pz/2", turn=5, traffic=marks)
    assert len(reach(slow, "2Pz/2")) < len(reach(free, "2Pz/2"))
    assert "2215" in reach(slow, "2Pz/2")


def test_24_7_bottlenecks_cost_four_until_st_vith_falls() -> None:
    s = stage("german", "", turn=5)
    assert dict(tolls_against(s, GERMAN))[hexagon("2115")] == 8
    s.held |= 1 << model.ST_VITH
    assert dict(tolls_against(s, GERMAN))[hexagon("2115")] == 4
    assert tolls_against(s, ALLIED) == ()


def test_25_2_2_replacements_restore_a_step(phase: Any) -> None:
    table = phase("night_allied_replacements", "allied", "2531 84/334 lost=1", turn=4)
    table.play("replace 84/334")
    assert lost(table, "84/334") == 0
    assert marked(table, "fresh", "84/334")


def test_25_2_3_large_units_come_back_from_remnants() -> None:
    s = stage("allied", "2531 Rem1", turn=12)
    assert [model.BOARD.labels[h] for h in rebuilding_hexes(s, unit("84/334"))] == ["2531"]


def test_25_2_5_who_never_gets_any() -> None:
    for name in ("101/501", "43/129", "VdH", "150Pz", "506", "1000StM", "V/190"):
        assert refuse_ever(unit(name)) is not None, name
    assert refuse_ever(unit("84/334")) is None


def test_25_2_2_not_next_to_the_enemy() -> None:
    s = stage("allied", "6637 84/334 lost=1\n6638 2Pz/2", turn=12)
    assert refuse_replacement(s, unit("84/334")).key == "next-to-enemy"  # type: ignore[union-attr]


def test_25_3_3_night_markers_are_placed_in_pm_turns(moving: Any) -> None:
    table = moving("german", "6637 2Pz/2\n6635 2Pz/304\n6633 2Pz/3/1\n6631 2Pz/3/2", turn=8, oos=0)
    table.play("night 6637", "night 6635", "night 6633")
    assert table.choices("night") == []
    assert marked(table, "night_marks", "2Pz/2")
    assert moving("german", "6637 2Pz/2", turn=9).choices("night") == []


def test_25_3_5_marked_units_do_not_attack_by_day(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 2Pz/2 night_marks\n6636 2Pz/304", turn=8)
    table.play("attack 6637")
    assert table.refusal("join 2Pz/2") == ("25.3.5", "night-cannot-attack")


def test_25_3_1_by_night_only_marked_units_move(moving: Any) -> None:
    table = moving("german", "6637 2Pz/2 night_marks\n6635 2Pz/304", turn=8, night=1)
    assert table.choices("select") == ["select 2Pz/2"]


def test_27_5_peiper_moves_in_the_first_night(moving: Any) -> None:
    table = moving("german", "6637 1SS/1Pz\n6635 2Pz/304", turn=2, night=1)
    assert table.choices("select") == ["select 1SS/1Pz"]


def test_26_1_a_regiment_splits_off_a_battalion(moving: Any) -> None:
    table = moving("allied", "6637 84/334").play("split 84/334")
    assert lost(table, "84/334") == 1
    assert where(table, "Bn1") == "6637"
    assert table.state.parent[unit("Bn1")] == unit("84/334")


def test_26_4_only_its_parent_takes_it_back(moving: Any) -> None:
    table = moving("allied", "6637 84/334 lost=1, Bn1 parent=84/334").play("merge Bn1")
    assert lost(table, "84/334") == 0
    assert where(table, "Bn1") == "pool"


def test_26_2_disrupted_units_do_not_split(moving: Any) -> None:
    table = moving("allied", "6637 84/334 disrupted\n6630 84/335")
    assert table.refusal("split 84/334") == ("26.2", "disrupted-cannot-split")


def test_15_8_2_a_position_takes_two_turns(moving: Any) -> None:
    table = moving("allied", "6637 84/334").play("dig 84/334")
    assert table.state.digging == 1 << hexagon("6637")
    later = moving("allied", "6637 84/334\ndigging 6637").play("dig 84/334")
    assert later.state.ip == 1 << hexagon("6637")
    assert "select 84/334" in later.choices("select")


def test_15_8_4_empty_positions_go(moving: Any) -> None:
    table = moving("allied", "6637 84/334\nip 6637").play("select 84/334", "move 84/334 6635")
    if table.choices("pass"):
        table.play("pass")
    assert table.state.ip == 0


def test_18_5_routed_units_recover_to_disrupted(phase: Any) -> None:
    assert order(phase("german_recovery", "german", "6637 2Pz/2 routed"), "2Pz/2") == 1


def test_22_2_werfer_shift_one_hex_and_stay_ready(moving: Any) -> None:
    table = moving("german", "6637 Werfer15\n6633 VAK766")
    assert reach(table, "Werfer15") == {"6638", "6636", "6737", "6736", "6537", "6536"}
    assert reach(table, "VAK766") == set()


def test_22_3_tractors_tow_guns_of_their_army(moving: Any) -> None:
    table = moving("german", "6637 VAK408\n6635 Werfer8\n6633 2Pz/2")
    table.play("select VAK408", table.try_all("select VAK408").choices("tow VAK408")[0])
    assert marked(table, "tractor", "VAK408")
    assert table.try_all("select Werfer8").choices("tow") == []


def test_22_1_allied_guns_that_drive_have_fired(moving: Any) -> None:
    table = moving("allied", "6637 VII/18").play("select VII/18", "move VII/18 6634")
    assert marked(table, "fired", "VII/18")
    shifted = moving("allied", "6637 VII/18").play("select VII/18", "move VII/18 6636")
    assert not marked(shifted, "fired", "VII/18")
