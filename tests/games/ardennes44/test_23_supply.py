"""Ardennes '44: chapter 23, supply."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    GROUND,
    UNITS,
    bridge,
    hexagon,
    marked,
    reach,
    stage,
    unit,
    where,
)
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.artillery import refuse_ready
from salient.games.ardennes44.improved_positions import refuse_digging
from salient.games.ardennes44.movement import only_tactical
from salient.games.ardennes44.replacements import (
    rebuilding_hexes,
    refuse_replacement,
)
from salient.games.ardennes44.retreats import refuse_survival
from salient.games.ardennes44.supply import (
    THRESHOLD,
    group_points,
    isolated_groups,
    road_network,
    sources,
    supplied_hexes,
    supply_routes,
    threshold,
    traces,
)
from salient.games.ardennes44.zones import bonds, zone
from salient.hexes.masks import bits


def ring(centre: str, names: tuple[str, ...]) -> str:
    """Lines that put units around a hex."""
    around = [GROUND.board.labels[h] for h in GROUND.board.adjacent[hexagon(centre)]]
    return "\n".join(f"{h} {name}" for h, name in zip(around, names, strict=False))


PANZER = ("2Pz/2", "2Pz/304", "116Pz/60", "116Pz/156", "Lehr/901", "Lehr/902")


def test_23_1_markers_come_and_go(phase: Any) -> None:
    table = phase("allied-supply", "allied", f"6637 84/334\n{ring('6637', PANZER)}\n3413 101/501 oos", turn=9)
    table.play("roll 1")
    assert marked(table, "oos", "84/334")
    assert not marked(table, "oos", "101/501")


def test_23_1_fuel_comes_back_with_supply(phase: Any) -> None:
    table = phase("german-supply", "german", "0129 2Pz/2 short", turn=9)
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


def test_23_3_four_hexes_to_a_road() -> None:
    s = stage("allied", "6637 84/334", turn=9)
    assert supplied_hexes(s, ALLIED) >> hexagon("6637") & 1


def test_23_3_enemy_towns_without_units_stop_the_road() -> None:
    s = stage("german", "", turn=9)
    free = road_network(s, GERMAN)
    assert not free & (GROUND.town | GROUND.city) & ~s.held


def test_23_3_blown_bridges_stop_the_road() -> None:
    s = stage("german", "2115 2Pz/2", turn=9)
    t = stage("german", "2115 2Pz/2", turn=9, blown=(1 << len(GROUND.bridges)) - 1)
    assert road_network(t, GERMAN).bit_count() < road_network(s, GERMAN).bit_count()


def test_23_3_only_the_first_hex_off_the_road_may_lie_in_a_zone() -> None:
    """Three guns have zones over all neighbours; six have them over the second ring too."""
    some = "6637 84/334\n6538 VAK766\n6535 VAK401\n6837 Werfer15"
    assert traces(stage("allied", some), unit("84/334"))
    all_around = f"{some}\n6437 Werfer7\n6735 Werfer16\n6738 VAK402"
    assert not traces(stage("allied", all_around), unit("84/334"))


def test_23_3_a_source_in_a_zone_feeds_who_stands_beside_it() -> None:
    """The first hex off the road may lie in a zone, also if it is the source; by road or from afar it is shut."""
    lines = "0138 2Pz/2\n0237 101/501"
    s = stage("german", lines)
    assert zone(s, ALLIED) >> hexagon("0137") & 1
    assert not road_network(s, GERMAN) >> hexagon("0138") & 1
    assert traces(s, unit("2Pz/2"))
    assert supply_routes(s, GERMAN)[unit("2Pz/2")] == [hexagon("0138"), hexagon("0137")]
    assert not traces(stage("german", f"{lines}\n0137 101/502"), unit("2Pz/2"))
    assert not supplied_hexes(s, GERMAN) >> hexagon("0139") & 1


def test_23_3_a_friend_lifts_the_zone_on_the_road() -> None:
    free = stage("allied", "3315 2Pz/2\n3413 101/501")
    assert traces(free, unit("101/501"))
    h = next(b for b in GROUND.board.adjacent[hexagon("3413")] if GROUND.board.road(hexagon("3413"), b))
    blocked = stage("allied", f"{GROUND.board.labels[h]} 2Pz/2")
    assert not road_network(blocked, ALLIED) >> hexagon("3413") & 1
    held = stage("allied", f"{GROUND.board.labels[h]} 2Pz/2\n3413 101/501")
    assert road_network(held, ALLIED) >> hexagon("3413") & 1


def test_23_3_bonds_cannot_be_crossed() -> None:
    """Two regiments to the north and two to the south of it: bonds close the ring."""
    s = stage("allied", "6637 84/334\n6638 2Pz/2\n6536 2Pz/304\n6736 116Pz/60")
    assert not traces(s, unit("84/334"))


def everywhere(side: int) -> int:
    """Towns and cities, all held by one side."""
    return GROUND.objectives if side == GERMAN else 0


def test_23_3_off_road_paths_cross_rivers() -> None:
    s = stage("german", "1105 212VG/320", turn=9, blown=bridge("1105/1106"), held=everywhere(GERMAN))
    assert traces(s, unit("212VG/320"))


def test_23_4_no_long_retreat_without_supply() -> None:
    s = stage("german", "6637 84/334 oos")
    assert refuse_survival(s, unit("84/334"), 3).rule == "23.4"  # type: ignore[union-attr]


def test_23_4_units_out_of_supply_move_tactically(moving: Any) -> None:
    found = reach(moving("german", "6637 2Pz/2 oos"), "2Pz/2")
    assert all(GROUND.board.distance(hexagon("6637"), hexagon(h)) <= 2 for h in found)


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


def test_23_6_isolated_groups() -> None:
    """Germans far in the west, four hexes apart from each other, form one group; a third one further off another."""
    s = stage("german", "6637 2Pz/2\n6634 2Pz/304\n6617 Lehr/901", turn=9)
    groups = [tuple(UNITS.ids[u] for u in group) for group in isolated_groups(s, GERMAN)]
    assert ("2Pz/2", "2Pz/304") in groups
    assert ("Lehr/901",) in groups


def test_23_6_a_chain_of_friends_is_a_line_of_communication() -> None:
    """Five hexes from the road is too far; a friend between links the unit, which stays out of supply."""
    fed = supplied_hexes(stage("allied", ""), ALLIED)
    far = [h for h in range(GROUND.hexes) if not fed >> h & 1]
    h, friend = next((h, b) for h in far for b in GROUND.board.adjacent[h] if fed >> b & 1)
    names = GROUND.board.labels
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
    germans = [UNITS.ids[u] for u in UNITS.of_side[GERMAN] if UNITS.type[u] == "infantry" and not UNITS.split[u]]
    entries = [GROUND.board.labels[h] for h in bits(GROUND.entries[ALLIED])]
    guards = "\n".join(f"{h} {name}" for h, name in zip(entries, germans, strict=False))
    groups = isolated_groups(stage("allied", f"{lines}\n{guards}"), ALLIED)
    return {frozenset(UNITS.ids[u] for u in group) for group in groups}


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
    table = phase("allied-supply", "allied", lines, turn=9).play("roll 2")
    assert (table.state.points[unit("84/334")], where(table, "84/334")) == (0, "6637")


def test_23_7_surrender(phase: Any) -> None:
    table = phase("german-supply", "german", "6637 2Pz/2 points=3 oos")
    table.play("roll 5")
    assert where(table, "2Pz/2") == "gone"


@pytest.mark.parametrize(
    ("turn", "die", "points"), [(9, 1, 1), (9, 3, 2), (9, 6, 2), (17, 1, 0), (17, 2, 0), (17, 4, 1), (17, 5, 2)]
)
def test_23_7_surrender_table(phase: Any, turn: int, die: int, points: int) -> None:
    """From one point; supply is dropped in clear weather."""
    lines = "6637 84/334 points=1\n6638 2Pz/2\n6536 2Pz/304\n6736 116Pz/60"
    table = phase("allied-supply", "allied", lines, turn=turn).play(f"roll {die}")
    assert table.state.points[unit("84/334")] == points


def test_23_7_who_surrenders_is_out_of_the_game(phase: Any) -> None:
    lines = "6637 84/334 points=3\n6638 2Pz/2\n6536 2Pz/304\n6736 116Pz/60"
    table = phase("allied-supply", "allied", lines, turn=9).play("roll 6")
    assert where(table, "84/334") == "gone"
    assert rebuilding_hexes(table.state, unit("84/334")) == []  # type: ignore[arg-type]


def test_23_8_thresholds() -> None:
    s = stage("german", "")
    assert threshold(s, (unit("75/289"),)) == 3
    assert threshold(s, (unit("84/334"), unit("75/289"))) == 4
    assert threshold(s, (unit("101/501"), unit("75/289"))) == 5


def test_23_8_thresholds_of_groups() -> None:
    s = stage("german", "")
    green, veteran, elite = unit("106/424-"), unit("84/334"), unit("101/501")
    assert [threshold(s, group) for group in ((green,), (green, veteran), (green, elite))] == [3, 4, 5]
    assert set(THRESHOLD.values()) == {3, 4, 5}


RING = "6636 2SS/3\n6638 2SS/4\n6536 9SS/19\n6736 9SS/20\n6537 3PG/8\n6737 3PG/29"


def test_23_9_a_newcomer_is_no_group(phase: Any) -> None:
    """Who was not cut off before brings no points of its own: the pocket keeps its three, and this turn one more."""
    lines = f"6637 28/110/1 points=3 oos, 106/424-\n{RING}"
    table = phase("allied-supply", "allied", lines).play("roll 3")
    assert [event.args["n"] for event in table.said("surrender-points")] == [4]


def test_23_9_a_group_that_was_isolated_without_points_counts(phase: Any) -> None:
    """The larger group decides even if fortune has spared it so far."""
    lines = f"6637 28/110/1 points=3 oos isolated, 106/424- oos isolated\n{RING}"
    table = phase("allied-supply", "allied", lines).play("roll 3")
    assert [event.args["n"] for event in table.said("surrender-points")] == [1]


def test_23_9_the_larger_group_decides() -> None:
    s = stage("german", "6637 2Pz/2 points=2\n6638 2Pz/38PzJ points=1")
    assert group_points(s, (unit("2Pz/2"), unit("2Pz/38PzJ"))) == 2


def test_23_9_the_larger_part_decides() -> None:
    s = stage("allied", "6637 84/334 points=2, 99/394/1 points=1")
    assert group_points(s, (unit("99/394/1"), unit("84/334"))) == 2
    even = stage("allied", "6637 99/394/2 points=3, 99/394/1 points=1")
    assert group_points(even, (unit("99/394/1"), unit("99/394/2"))) == 3


def test_23_10_points_go_with_relief(phase: Any) -> None:
    table = phase("allied-supply", "allied", "3413 101/501 points=2 oos", turn=9)
    assert table.state.points[unit("101/501")] == 0


def test_23_10_relief_ends_isolation(phase: Any) -> None:
    table = phase("allied-supply", "allied", "2531 84/334 points=2 oos", turn=9)
    assert table.state.points[unit("84/334")] == 0
    assert not marked(table, "oos", "84/334")


def test_23_1_a_move_out_of_supply_is_warned_of(moving: Any) -> None:
    """Every destination that cuts the regiment off says so, and no other."""
    table = moving("allied", "6637 84/334\n6538 VAK766\n6535 VAK401\n6837 Werfer15").play("select 84/334")
    for text in table.choices("move 84/334"):
        after = table.try_all(text)
        assert ("would-leave-supply" in table.warned(text)) == (not traces(after.state, unit("84/334"))), text


def test_23_1_ending_the_movement_names_who_will_be_out_of_supply(moving: Any) -> None:
    ring = "6637 84/334\n6638 2Pz/2\n6536 2Pz/304\n6736 116Pz/60\n6012 1/26"
    assert "ends-unsupplied" in moving("allied", ring).warned("pass")
    assert "ends-unsupplied" not in moving("allied", "6637 84/334\n6012 1/26").warned("pass")
