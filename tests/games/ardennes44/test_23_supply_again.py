"""Second reading of chapters 23 to 26: supply and surrender, traffic, nights and replacements, split units."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.ardennes44.conftest import bridge, hexagon, lost, marked, order, reach, stage, unit, where

from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44 import model
from salient.games.ardennes44.movement import only_tactical
from salient.games.ardennes44.moving import refuse_night
from salient.games.ardennes44.odds import refuse_fighter
from salient.games.ardennes44.phases import THRESHOLD, group_points, refuse_ready, threshold
from salient.games.ardennes44.replacements import (
    begin_replacements,
    needs_armor_point,
    rebuilding_hexes,
    refuse_ever,
    refuse_replacement,
)
from salient.games.ardennes44.retreats import refuse_survival
from salient.games.ardennes44.sequence import PHASE_NAMES
from salient.games.ardennes44.supply import (
    isolated_groups,
    road_network,
    sources,
    supplied_hexes,
    traces,
)
from salient.games.ardennes44.traffic import traffic_hexes
from salient.games.ardennes44.victory import german_victory_hexes
from salient.games.ardennes44.ways import tolls_against
from salient.games.ardennes44.works import refuse_digging, refuse_merging, refuse_split
from salient.games.ardennes44.zones import bonds, zone


def everywhere(side: int) -> int:
    """Towns and cities, all held by one side."""
    return model.OBJECTIVES if side == GERMAN else 0


def ring(centre: str, names: tuple[str, ...]) -> str:
    """Lines that put units around a hex."""
    around = [model.BOARD.labels[h] for h in model.BOARD.adjacent[hexagon(centre)]]
    return "\n".join(f"{h} {name}" for h, name in zip(around, names, strict=False))


PANZER = ("2Pz/2", "2Pz/304", "116Pz/60", "116Pz/156", "Lehr/901", "Lehr/902")

# ---- 23 ----------------------------------------------------------------------------------------------


def test_23_1_markers_come_and_go(phase: Any) -> None:
    table = phase("allied_supply", "allied", f"6637 84/334\n{ring('6637', PANZER)}\n3413 101/501 oos", turn=9)
    table.play("roll 1")
    assert marked(table, "oos", "84/334")
    assert not marked(table, "oos", "101/501")


def test_23_1_fuel_comes_back_with_supply(phase: Any) -> None:
    table = phase("german_supply", "german", "0129 2Pz/2 short", turn=9)
    assert not marked(table, "short", "2Pz/2")


def test_23_2_a_source_is_blocked_by_who_stands_there_only() -> None:
    source = hexagon("0129")
    assert sources(stage("german", ""), GERMAN) >> source & 1
    assert not sources(stage("german", "0129 84/334"), GERMAN) >> source & 1


def test_23_2_passing_through_leaves_the_source() -> None:
    """Liège has changed hands for a moment: its entry hex still feeds the Allies."""
    s = stage("allied", "", held=1 << hexagon("4140"))
    assert road_network(s, ALLIED) >> hexagon("4140") & 1


def test_23_2_off_the_map_allies_are_supplied() -> None:
    s = stage("allied", "west 84/334")
    assert traces(s, unit("84/334"))


def test_23_3_only_the_first_hex_off_the_road_may_lie_in_a_zone() -> None:
    """Three guns have zones over all neighbours; six have them over the second ring too."""
    some = "6637 84/334\n6538 VAK766\n6535 VAK401\n6837 Werfer15"
    assert traces(stage("allied", some), unit("84/334"))
    all_around = f"{some}\n6437 Werfer7\n6735 Werfer16\n6738 VAK402"
    assert not traces(stage("allied", all_around), unit("84/334"))


def test_23_3_a_friend_lifts_the_zone_on_the_road() -> None:
    free = stage("allied", "3315 2Pz/2\n3413 101/501")
    assert traces(free, unit("101/501"))
    h = next(b for b in model.BOARD.adjacent[hexagon("3413")] if model.BOARD.road(hexagon("3413"), b))
    blocked = stage("allied", f"{model.BOARD.labels[h]} 2Pz/2")
    assert not road_network(blocked, ALLIED) >> hexagon("3413") & 1
    held = stage("allied", f"{model.BOARD.labels[h]} 2Pz/2\n3413 101/501")
    assert road_network(held, ALLIED) >> hexagon("3413") & 1


def test_23_3_bonds_cannot_be_crossed() -> None:
    """Two regiments to the north and two to the south of it: bonds close the ring."""
    s = stage("allied", "6637 84/334\n6638 2Pz/2\n6536 2Pz/304\n6736 116Pz/60")
    assert not traces(s, unit("84/334"))


def test_23_3_off_road_paths_cross_rivers() -> None:
    s = stage("german", "1105 212VG/320", turn=9, blown=bridge("1105/1106"), held=everywhere(GERMAN))
    assert traces(s, unit("212VG/320"))


@pytest.mark.parametrize(("length", "dies"), [(2, False), (3, True), (4, True)])
def test_23_4_long_retreats_destroy(length: int, dies: bool) -> None:
    s = stage("german", "6637 84/334 oos")
    assert (refuse_survival(s, unit("84/334"), length) is not None) is dies


def test_23_4_the_other_penalties() -> None:
    s = stage("allied", "6637 84/334 oos lost=1, VII/18 oos fired")
    assert only_tactical(s, unit("84/334"))
    assert refuse_ready(s, unit("VII/18")).rule == "5.3"  # type: ignore[union-attr]
    assert refuse_replacement(s, unit("84/334")).rule == "25.2.5"  # type: ignore[union-attr]


def test_23_4_ready_guns_still_fire(fighting: Any) -> None:
    table = fighting("allied", "6637 2Pz/2\n6638 84/334\n6640 VII/18 oos")
    assert table.play("attack 6637", "join 84/334", "resolve").choices("support") == ["support VII/18"]


def test_23_5_what_they_keep() -> None:
    s = stage("allied", "6637 84/334 oos\n6635 84/335 oos\ndigging 6637")
    assert zone(s, ALLIED) >> hexagon("6638") & 1
    assert bonds(s, ALLIED).hexes >> hexagon("6636") & 1
    assert refuse_digging(s, unit("84/334")) is None


def test_23_6_a_chain_of_friends_is_a_line_of_communication() -> None:
    """Five hexes from the road is too far; a friend between links the unit, which stays out of supply."""
    fed = supplied_hexes(stage("allied", ""), ALLIED)
    far = [h for h in range(model.HEXES) if not fed >> h & 1]
    h, friend = next((h, b) for h in far for b in model.BOARD.adjacent[h] if fed >> b & 1)
    names = model.BOARD.labels
    alone = stage("allied", f"{names[h]} 84/334")
    linked = stage("allied", f"{names[h]} 84/334\n{names[friend]} 84/335")
    assert isolated_groups(alone, ALLIED) == [(unit("84/334"),)]
    assert not traces(linked, unit("84/334"))
    assert isolated_groups(linked, ALLIED) == []


def test_23_6_two_pockets_are_two_groups() -> None:
    pocket = "6637 84/334\n6638 2Pz/2\n6536 2Pz/304\n6736 116Pz/60"
    second = "6625 84/335\n6626 Lehr/901\n6524 Lehr/902\n6724 116Pz/156"
    found = isolated_groups(stage("allied", f"{pocket}\n{second}"), ALLIED)
    assert sorted(found) == sorted([(unit("84/334"),), (unit("84/335"),)])


def test_23_6_a_pocket_of_two_is_one_group() -> None:
    """A and B stand side by side within the ring."""
    besiegers = "6638 2Pz/2\n6536 2Pz/304\n6736 116Pz/60\n6535 Lehr/901\n6735 Lehr/902\n6634 116Pz/156"
    lines = f"6637 84/334\n6636 84/335\n{besiegers}"
    assert isolated_groups(stage("allied", lines), ALLIED) == [tuple(sorted((unit("84/334"), unit("84/335"))))]


def cut_off(lines: str) -> set[frozenset[str]]:
    """The isolated groups of Allies when there are Germans in all their entry hexes."""
    germans = [model.UNITS[u] for u in model.SIDE_UNITS[GERMAN] if model.TYPE[u] == "infantry" and not model.SPLIT[u]]
    entries = [model.BOARD.labels[h] for h in model.bits(model.ENTRIES[ALLIED])]
    guards = "\n".join(f"{h} {name}" for h, name in zip(entries, germans, strict=False))
    groups = isolated_groups(stage("allied", f"{lines}\n{guards}"), ALLIED)
    return {frozenset(model.UNITS[u] for u in group) for group in groups}


def test_23_6_a_path_in_a_zone_leads_one_way_only() -> None:
    """Four hexes apart: guns beside one end let its unit go out, but nobody come in: no group, whichever end it is."""
    pair = "6637 84/334\n6633 84/335"
    apart = {frozenset({"84/334"}), frozenset({"84/335"})}
    assert cut_off(pair) == {frozenset({"84/334", "84/335"})}
    assert cut_off(f"{pair}\n6736 VAK766") == apart
    assert cut_off(f"{pair}\n6733 VAK766") == apart


def test_23_6_one_way_is_enough_towards_a_group() -> None:
    """Those in 6633 have each other, and the unit in 6637 has a path to them."""
    assert cut_off("6637 84/334\n6633 84/771, 84/335\n6736 VAK766") == {frozenset({"84/334", "84/335", "84/771"})}
    assert cut_off("6637 84/334\n6633 84/335\n6632 84/333\n6736 VAK766") == {frozenset({"84/334", "84/335", "84/333"})}


def test_23_6_who_has_company_only_in_a_lonely_unit_has_none() -> None:
    """6637 has a path to 6633 and 6633 to 6629, both one way; 6629 has a path to nobody."""
    lines = "6637 84/333\n6633 84/334\n6629 84/335\n6736 VAK401\n6732 VAK766"
    assert cut_off(lines) == {frozenset({"84/333"}), frozenset({"84/334"}), frozenset({"84/335"})}


def test_23_6_germans_too() -> None:
    """A chain of friends links a German regiment; without it, it is isolated."""
    fed = supplied_hexes(stage("german", "", held=0), GERMAN)
    far = hexagon("6637")
    assert not fed >> far & 1
    assert isolated_groups(stage("german", "6637 2Pz/2\n6636 2Pz/304", held=0), GERMAN) == [
        tuple(sorted((unit("2Pz/2"), unit("2Pz/304"))))
    ]
    assert isolated_groups(stage("german", "0129 2Pz/2", held=0), GERMAN) == []


def test_23_6_schnee_eifel(phase: Any) -> None:
    """Example of play: a 2 brings no point."""
    lines = "6637 84/334\n6638 2Pz/2\n6536 2Pz/304\n6736 116Pz/60"
    table = phase("allied_supply", "allied", lines, turn=9).play("roll 2")
    assert (table.state.points[unit("84/334")], where(table, "84/334")) == (0, "6637")


@pytest.mark.parametrize(
    ("turn", "die", "points"), [(9, 1, 1), (9, 3, 2), (9, 6, 2), (17, 1, 0), (17, 2, 0), (17, 4, 1), (17, 5, 2)]
)
def test_23_7_surrender_table(phase: Any, turn: int, die: int, points: int) -> None:
    """From one point; supply is dropped in clear weather."""
    lines = "6637 84/334 points=1\n6638 2Pz/2\n6536 2Pz/304\n6736 116Pz/60"
    table = phase("allied_supply", "allied", lines, turn=turn).play(f"roll {die}")
    assert table.state.points[unit("84/334")] == points


def test_23_7_who_surrenders_is_out_of_the_game(phase: Any) -> None:
    lines = "6637 84/334 points=3\n6638 2Pz/2\n6536 2Pz/304\n6736 116Pz/60"
    table = phase("allied_supply", "allied", lines, turn=9).play("roll 6")
    assert where(table, "84/334") == "gone"
    assert rebuilding_hexes(table.state, unit("84/334")) == []  # type: ignore[arg-type]


def test_23_8_thresholds_of_groups() -> None:
    green, veteran, elite = unit("106/424-"), unit("84/334"), unit("101/501")
    assert [threshold(group) for group in ((green,), (green, veteran), (green, elite))] == [3, 4, 5]
    assert set(THRESHOLD.values()) == {3, 4, 5}


def test_23_9_the_larger_part_decides() -> None:
    s = stage("allied", "6637 84/334 points=2, 99/394/1 points=1")
    assert group_points(s, (unit("99/394/1"), unit("84/334"))) == 2
    even = stage("allied", "6637 99/394/2 points=3, 99/394/1 points=1")
    assert group_points(even, (unit("99/394/1"), unit("99/394/2"))) == 3


def test_23_10_points_go_with_relief(phase: Any) -> None:
    table = phase("allied_supply", "allied", "3413 101/501 points=2 oos", turn=9)
    assert table.state.points[unit("101/501")] == 0


# ---- 24 ---------------------------------------------------------------------------------------------


def test_24_1_six_markers_a_side() -> None:
    assert len(stage("german", "").traffic) == 12


def test_24_2_traffic_hinders_the_enemy_only() -> None:
    s = stage("german", "", traffic=[hexagon("6636"), *[-1] * 11])
    assert dict(tolls_against(s, GERMAN))[hexagon("6636")] == 4
    assert hexagon("6636") not in dict(tolls_against(s, ALLIED))


def test_24_2_tactical_movement_ignores_it(moving: Any) -> None:
    markers = [hexagon(h) for h in ("6636", "6638")] + [-1] * 10
    assert {"6636", "6635"} <= reach(moving("german", "6637 12VG/27", traffic=markers), "12VG/27")


def test_24_3_1_markers_on_the_map_stay(phase: Any) -> None:
    table = phase("allied_traffic", "allied", "", turn=5, traffic=[hexagon("6637"), *[-1] * 11]).play("traffic 6630")
    assert table.state.traffic[:2] == [hexagon("6637"), hexagon("6630")]


@pytest.mark.parametrize(("dice", "left"), [("2 4", [0, 2]), ("3 3", [0, 1, 3])])
def test_24_3_2_two_dice_remove(phase: Any, dice: str, left: list[int]) -> None:
    hexes = [hexagon(h) for h in ("6637", "6630", "6620", "6610")]
    table = phase("allied_traffic", "allied", "", turn=5, traffic=[*hexes, *[-1] * 8])
    table.play("done", f"dice {dice}")
    assert [i for i in range(4) if table.state.traffic[i] >= 0] == left


def test_24_4_where_markers_go() -> None:
    s = stage("german", "6630 84/334", traffic=[hexagon("6637"), *[-1] * 11])
    allied, german = traffic_hexes(s, ALLIED), traffic_hexes(s, GERMAN)
    assert not allied >> hexagon("6637") & 1
    assert not allied >> hexagon("6636") & 1
    assert german >> hexagon("6637") & 1
    assert german >> hexagon("6630") & 1
    assert not allied & model.BOTTLENECK
    assert german & model.BOTTLENECK == model.BOTTLENECK


def test_24_5_the_allies_begin_on_turn_1(phase: Any) -> None:
    assert phase("allied_traffic", "allied", "", turn=1).choices("traffic")
    assert not [m for m in phase("german_traffic", "german", "2016 2Pz/2", turn=2).state.traffic[6:] if m >= 0]


@pytest.mark.parametrize(("turn", "number"), [(8, 0), (10, 1), (18, 5)])
def test_24_6_one_german_marker_each_afternoon(phase: Any, turn: int, number: int) -> None:
    table = phase("german_traffic", "german", "", turn=turn)
    assert table.state.traffic[6 + number] == model.OUT_OF_PLAY
    assert phase("german_traffic", "german", "", turn=turn - 1).state.traffic[6 + number] != model.OUT_OF_PLAY


def test_24_7_the_toll_of_the_bottlenecks() -> None:
    h = model.BOTTLENECK & -model.BOTTLENECK
    free = dict(tolls_against(stage("german", "", held=1 << model.ST_VITH), GERMAN))
    shut = dict(tolls_against(stage("german", "", held=0), GERMAN))
    assert (free[h.bit_length() - 1], shut[h.bit_length() - 1]) == (4, 8)
    assert tolls_against(stage("german", ""), ALLIED) == ()


# ---- 25 --------------------------------------------------------------------------------------------


def test_25_1_the_order_of_the_night() -> None:
    nights = [name for name in PHASE_NAMES if name.startswith("night")]
    assert nights == [
        "night_allied_replacements", "night_allied_movement", "night_allied_combat",
        "night_german_replacements", "night_german_movement", "night_german_combat",
    ]  # fmt: skip


def replacing(turn: int, lines: str, side: int = ALLIED) -> Any:
    """What a side may spend its replacements on."""
    s = stage("allied" if side == ALLIED else "german", lines, turn, night=1)
    begin_replacements(s, side)
    return s


def test_25_2_1_one_replacement_is_for_infantry_only() -> None:
    lines = "3413 84/771 lost=1\n3512 84/334 lost=1"
    one, two = replacing(4, lines), replacing(12, lines)
    assert ("replace", unit("84/771")) not in one.stack[-1].legal(one)
    assert {("replace", unit("84/771")), ("replace", unit("84/334"))} <= set(two.stack[-1].legal(two))


def test_25_2_1_a_unit_may_be_brought_back_and_filled_up(phase: Any) -> None:
    table = phase("night_allied_replacements", "allied", "3413 V/190\neliminated 99/395-", turn=12)
    table.play("rebuild 99/395- 3413")
    assert lost(table, "99/395-") == 1
    assert table.choices("replace") == ["replace 99/395-"]


def test_25_2_1_armour_reconnaissance_and_flak_need_the_armour_point() -> None:
    assert all(needs_armor_point(unit(name)) for name in ("84/771", "14Cav/32", "18/10+", "7Arm/CCA"))
    assert not needs_armor_point(unit("2Pz/2"))


def test_25_2_2_eliminated_units_come_back_in_towns_near_their_colour() -> None:
    s = stage("allied", "3413 V/190\neliminated 99/395-", turn=8)
    found = {model.BOARD.labels[h] for h in rebuilding_hexes(s, unit("99/395-"))}
    assert {"3413", "3313"} <= found
    assert all(model.BOARD.distance(hexagon("3413"), hexagon(h)) <= 5 for h in found)
    other = stage("allied", "3413 84/334\neliminated 99/395-", turn=8)
    assert rebuilding_hexes(other, unit("99/395-")) == []


def test_25_2_2_not_beside_an_enemy() -> None:
    s = stage("allied", "3413 V/190\n3314 2Pz/2\neliminated 99/395-", turn=8)
    near = model.within(hexagon("3314"), 1)
    assert not any(near >> h & 1 for h in rebuilding_hexes(s, unit("99/395-")))


def test_25_2_2_germans_also_at_k_l_and_m() -> None:
    s = stage("german", "eliminated 12VG/27", turn=8)
    found = {model.BOARD.labels[h] for h in rebuilding_hexes(s, unit("12VG/27"))}
    assert found == {model.BOARD.labels[h] for letter in "KLM" for h in model.ENTRY_HEXES[GERMAN][letter]}


def test_25_2_3_a_regiment_needs_a_remnant() -> None:
    s = stage("allied", "3413 Rem1\n3512 ParaRem1\neliminated 84/334", turn=8)
    assert [model.BOARD.labels[h] for h in rebuilding_hexes(s, unit("84/334"))] == ["3413"]
    engaged = stage("allied", "3413 Rem1 engaged\neliminated 84/334", turn=8)
    assert rebuilding_hexes(engaged, unit("84/334")) == []


def test_25_2_4_one_hex_and_no_attack(moving: Any, fighting: Any) -> None:
    assert reach(moving("allied", "6637 84/334 fresh"), "84/334") == {"6638", "6537", "6536", "6636", "6736", "6737"}
    s = stage("allied", "6637 84/334 fresh\n6638 2Pz/2")
    assert refuse_fighter(s, unit("84/334")).rule == "25.2.4"  # type: ignore[union-attr]
    table = fighting("allied", "6637 84/334 fresh, 84/771\n6638 2Pz/2").play("pass")
    assert not marked(table, "fresh", "84/334")


def test_25_2_4_disorder_takes_the_marker() -> None:
    s = stage("allied", "6637 84/334 fresh")
    model.set_order(s, unit("84/334"), model.DISRUPTED)
    assert not s.fresh


@pytest.mark.parametrize(
    "name", ["1SS/501", "506", "1000StM", "217StPz", "VdH", "150Pz", "101/501", "509", "V/190", "VAK766", "43/129"]
)
def test_25_2_5_never_replaced(name: str) -> None:
    assert refuse_ever(unit(name)).rule == "25.2.5"  # type: ignore[union-attr]


@pytest.mark.parametrize("state", ["oos", "disrupted", "engaged", "march", "night_marks"])
def test_25_2_5_not_in_this_state(state: str) -> None:
    s = stage("allied", f"3413 84/334 lost=1 {state}", turn=8)
    assert refuse_replacement(s, unit("84/334")).rule == "25.2.5"  # type: ignore[union-attr]


def test_25_3_1_three_groups_each_a_hex(moving: Any) -> None:
    lines = "6637 84/334, 84/771\n6630 84/335\n6620 84/333\n6610 1/26"
    table = moving("allied", lines, turn=8).play("night 6637", "night 6630", "night 6620")
    assert table.choices("night") == []
    assert marked(table, "night_marks", "84/771")


def test_25_3_1_no_march_by_night_but_extended_movement(moving: Any) -> None:
    table = moving("allied", "6637 84/334 night_marks\n3413 7Arm/CCA night_marks", turn=8, night=1)
    assert "6632" in reach(table, "84/334")
    assert table.try_all("select 7Arm/CCA").choices("march") == []


def test_25_3_2_guns_need_no_marker(fighting: Any) -> None:
    table = fighting("allied", "6637 2Pz/2\n6638 84/334 night_marks, 84/771\n6640 VII/18", turn=8, night=1)
    table.play("attack 6637")
    assert table.refusal("join 84/771") == ("25.3.2", "no-night-marker")
    assert table.play("join 84/334", "resolve").choices("support") == ["support VII/18"]


def test_25_3_3_only_in_the_afternoon(moving: Any) -> None:
    assert moving("allied", "6637 84/334", turn=7).choices("night") == []
    assert moving("allied", "6637 84/334", turn=8).choices("night") == ["night 6637"]


@pytest.mark.parametrize("state", ["engaged", "oos", "short", "disrupted", "routed"])
def test_25_3_4_who_cannot_be_marked(state: str) -> None:
    s = stage("german", f"6637 2Pz/2 {state}", turn=8)
    assert refuse_night(s, unit("2Pz/2")).rule == "25.3.4"  # type: ignore[union-attr]


def test_25_3_5_one_point_first(moving: Any) -> None:
    table = moving("allied", "6637 84/334\n6620 84/335", turn=8)
    table.play("select 84/334", "move 84/334 6636", "select 84/335", "move 84/335 6618")
    assert table.choices("night") == ["night 6636"]


def test_25_3_6_no_demolition_phase_by_night() -> None:
    assert not [name for name in PHASE_NAMES if name.startswith("night") and "bridge" in name]


def test_25_3_7_a_retreat_takes_the_marker() -> None:
    s = stage("german", "6637 2Pz/2 night_marks", turn=8)
    model.set_order(s, unit("2Pz/2"), model.DISRUPTED)
    assert not s.night_marks


# ---- 26 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "new"),
    [("84/334", "Bn1"), ("101/501", "ParaBn1"), ("82/325G", "ParaBn1"), ("7Arm/CCA", "TF1"), ("28/707", "TF1")],
)
def test_26_1_what_splits_off(moving: Any, name: str, new: str) -> None:
    table = moving("allied", f"6637 {name}").play(f"split {name}")
    assert (where(table, new), lost(table, name)) == ("6637", 1)


@pytest.mark.parametrize(("name", "new"), [("12VG/27", "GrBn1"), ("5FJ/13", "FJBn1"), ("2Pz/2", "PzGBn1")])
def test_26_1_germans_split_too(moving: Any, name: str, new: str) -> None:
    assert where(moving("german", f"6637 {name}").play(f"split {name}"), new) == "6637"


def test_26_1_three_steps_become_two_battalions_and_a_remnant(moving: Any) -> None:
    table = moving("allied", "6637 84/334").play("split 84/334", "split 84/334")
    assert {where(table, name) for name in ("Bn1", "Bn2", "Rem1")} == {"6637"}
    assert where(table, "84/334") == "eliminated"


def test_26_1_german_tanks_and_british_brigades_do_not_split() -> None:
    s = stage("german", "6637 2Pz/3/1\n6630 34Tk")
    assert refuse_split(s, unit("2Pz/3/1")) is not None
    assert refuse_split(s, unit("34Tk")) is not None


def test_26_2_before_moving(moving: Any) -> None:
    table = moving("allied", "6637 84/334").play("select 84/334", "move 84/334 6636")
    assert table.choices("split") == []


def test_26_2_engaged_units_split_in_combat_and_one_part_slips_away(fighting: Any) -> None:
    table = fighting("allied", "6637 84/334 engaged\n6638 2Pz/2").play("split 84/334")
    assert marked(table, "engaged", "Bn1")
    assert {"disengage 84/334", "disengage Bn1"} <= set(table.choices("disengage"))


def test_26_2_counters_are_limited() -> None:
    pool = "\n".join(f"66{20 + i} TF{i}" for i in range(1, 6))
    s = stage("allied", f"6637 7Arm/CCA\n{pool}")
    assert refuse_split(s, unit("7Arm/CCA")).key == "no-split-counter"  # type: ignore[union-attr]


def test_26_3_split_units_have_one_step_and_often_worse_morale() -> None:
    splits = [u for u in range(model.COUNT) if model.SPLIT[u]]
    assert {model.STEPS[u] for u in splits} == {1}
    assert model.MORALE[unit("ParaBn1")] > model.MORALE[unit("101/501")]


def test_26_4_back_to_its_parent_alone(moving: Any) -> None:
    table = moving("allied", "6637 84/334\n6630 84/335 lost=1").play("split 84/334")
    assert refuse_merging(table.state, unit("Bn1")) is None  # type: ignore[arg-type]
    table.play("merge Bn1")
    assert (lost(table, "84/334"), where(table, "Bn1")) == (0, "pool")


def test_30_1_2_a_victory_hex_must_be_in_supply() -> None:
    cut = stage("german", "3413 2Pz/2\n3414 84/334\n3512 84/335\n3312 84/333")
    assert not german_victory_hexes(cut) >> hexagon("3413") & 1
    fed = stage("german", "1105 2Pz/2", blown=0)
    assert german_victory_hexes(fed) >> hexagon("1105") & 1
    assert supplied_hexes(fed, GERMAN) >> hexagon("1105") & 1


def test_18_6_off_the_map_units_recover(phase: Any) -> None:
    table = phase("allied_recovery", "allied", "west 84/334 routed", turn=9)
    assert order(table, "84/334") == 1
