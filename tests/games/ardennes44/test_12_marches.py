"""Ardennes '44: chapter 12, marches."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    GROUND,
    UNITS,
    assault,
    flee,
    hexagon,
    in_every_order,
    march_reach,
    marked,
    odds_of,
    reach,
    stage,
    unit,
    where,
)
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.marches import march_destinations, markers_used, refuse_loading, refuse_march
from salient.games.ardennes44.zones import bonds


def test_12_1_strategic_movement_follows_roads_only(moving: Any) -> None:
    """Off the roads there is none; from Stadtkyll it leads much further than a move."""
    assert march_reach(moving("german", "6637 2Pz/3/1", turn=9), "2Pz/3/1") == set()
    table = moving("german", "0829 2Pz/3/1", turn=9)
    far = march_reach(table, "2Pz/3/1")
    assert all(GROUND.road_hexes >> hexagon(label) & 1 for label in far)
    assert far - reach(table, "2Pz/3/1")


def test_12_1_a_march_is_led_along_roads(moving: Any) -> None:
    """By waypoints it reaches no more than without; off the road it is a march no longer."""
    table = moving("allied", "3413 84/771\n6637 2Pz/2")
    reached = march_reach(table, "84/771")
    table.play("select 84/771", "via 84/771 3412")
    on_road = {text.split()[2] for text in table.choices("march 84/771")}
    assert on_road
    assert on_road <= reached | {"3413"}
    table.play("march 84/771 3412")
    assert marked(table, "march", "84/771")


@pytest.mark.parametrize(
    ("side", "line", "turn", "rule"),
    [
        ("german", "0829 26VG/39", 9, "12.1"),
        ("german", "0829 VAK766", 9, "12.1"),
        ("german", "0829 2Pz/2 oos", 9, "12.1"),
        ("german", "0829 2Pz/2 disrupted", 9, "12.1"),
        ("allied", "3413 84/334", 9, "12.4.3"),
        ("allied", "1636 2/38 march", 2, "27.6"),
        ("allied", "3413 84/771 fresh", 9, "25.2.4"),
        ("allied", "3413 84/771", 1, "29.1.3"),
    ],
)
def test_12_1_who_cannot_march_and_why(side: str, line: str, turn: int, rule: str) -> None:
    s = stage(side, line, turn=turn)
    refusal = refuse_march(s, unit(line.split()[1]))
    assert refusal is not None
    assert refusal.rule == rule


def test_12_2_not_next_to_an_enemy(moving: Any) -> None:
    table = moving("allied", "2216 84/771\n2217 2Pz/2")
    table.play("select 84/771")
    assert table.refusal("march 84/771 2215") == ("12.2", "march-next-to-enemy")


def test_12_2_a_march_ends_alone(moving: Any) -> None:
    table = moving("allied", "3413 84/771\n3313 84/334", turn=9)
    assert "3313" not in march_reach(table, "84/771")


def test_12_2_others_may_join_a_march(moving: Any) -> None:
    table = moving("allied", "3413 84/334 march\n3313 84/771")
    assert "3413" in reach(table, "84/771")


def test_12_3_roadblocks_bar_the_road_to_marches(moving: Any) -> None:
    """12.3 would let columns through a roadblock, 33.1 does not: the rule of its own chapter holds."""
    free = march_reach(moving("allied", "3413 84/771"), "84/771")
    barred = march_reach(moving("allied", "3413 84/771", blocks=[-1, -1, hexagon("3413"), hexagon("3514")]), "84/771")
    assert "3514" in free
    assert "3514" not in barred


def test_12_4_1_germans_have_six_markers(moving: Any) -> None:
    lines = "\n".join(f"{h} {u} march" for h, u in zip(
        ("6434", "6436", "6438", "6634", "6636", "6638"),
        ("2Pz/3/1", "2Pz/3/2", "2Pz/Rec", "2Pz/38PzJ", "Lehr/Rec", "116Pz/Rec"), strict=True))  # fmt: skip
    s = stage("german", f"{lines}\n0829 9SS/Rec")
    refusal = refuse_march(s, UNITS.index["9SS/Rec"])
    assert refusal is not None
    assert refusal.rule == "12.4.1"


def test_12_4_2_a_regiment_shares_a_marker() -> None:
    s = stage("allied", "3413 106/424- march, 106/424/1 march")
    assert markers_used(s, ALLIED) == 1


GERMANS = ("2Pz/3/1", "2Pz/3/2", "2Pz/Rec", "2Pz/38PzJ", "Lehr/Rec")


PLACES = ("6434", "6436", "6438", "6634", "6636", "6638", "6234", "6236", "6238", "6838")


def test_12_4_2_the_second_of_a_brigade_needs_no_marker() -> None:
    """All six German markers are in use, one by the Führer Escort Brigade: its tanks may ride to it, nowhere else."""
    column = "\n".join(f"{h} {name} march" for h, name in zip(PLACES[:5], GERMANS, strict=True))
    s = stage("german", f"{column}\n0829 FBB/FFB march\n1129 FBB/GD2", held=GROUND.objectives)
    assert markers_used(s, GERMAN) == 6
    assert march_destinations(s, unit("FBB/GD2")) == [hexagon("0829")]
    t = stage("german", f"{column}\n0829 FBB/FFB march\n1129 9SS/Rec", held=GROUND.objectives)
    assert refuse_march(t, unit("9SS/Rec")) is not None


PAIR = "3413 106/424- march, 106/424/1 march"


TRUCKS = (
    "4206 4/12/3", "4227 4/12/2", "4327 4/12/1", "4412 28/109/2", "4508 28/109/3", "4529 28/109/1", "4614 28/110/1",
    "4626 28/110/3", "4709 28/110/2",
)  # fmt: skip


def trucks(n: int) -> str:
    """So many columns of trucks far away, and the pair."""
    return "\n".join([*(f"{column} march" for column in TRUCKS[:n]), PAIR])


def test_12_4_2_a_pair_under_one_marker_rides_on(moving: Any) -> None:
    """With all markers in use the first one takes theirs along, and the second follows it."""
    table = moving("allied", trucks(9))
    table.play("select 106/424-", "march 106/424- 3410", "select 106/424/1")
    assert table.choices("march") == ["march 106/424/1 3410"]
    table.play("march 106/424/1 3410")
    assert marked(table, "march", "106/424/1")
    assert markers_used(table.state, ALLIED) == 10


def test_12_4_2_a_shared_marker_does_not_serve_two_hexes(moving: Any) -> None:
    """Who does not follow the marker that it shared is on foot when the movement ends."""
    table = moving("allied", trucks(9))
    table.play("select 106/424-", "march 106/424- 3410", "pass")
    assert marked(table, "march", "106/424-")
    assert not marked(table, "march", "106/424/1")


def test_12_4_2_a_marker_that_is_left_keeps_the_partner_in_its_trucks(moving: Any) -> None:
    table = moving("allied", trucks(8))
    table.play("select 106/424-", "march 106/424- 3410", "pass")
    assert marked(table, "march", "106/424/1")


def test_12_4_2_a_marker_stays_with_the_partner_that_has_ended_its_move(moving: Any) -> None:
    """With all markers in use, a unit that goes on by itself is on foot, under way as at its end."""
    table = moving("allied", trucks(9))
    table.play("select 106/424-", "stay 106/424-", "select 106/424/1", "via 106/424/1 3412")
    assert markers_used(table.state, ALLIED) == 10
    table.play("move 106/424/1 3411", "pass")
    assert marked(table, "march", "106/424-")
    assert not marked(table, "march", "106/424/1")


def test_12_4_2_a_brigade_shares_a_marker_too() -> None:
    s = stage("german", "3413 FBB/FFB march, FBB/GD2 march")
    assert markers_used(s, GERMAN) == 1


def test_12_4_3_infantry_loads_one_turn_and_rides_the_next(moving: Any) -> None:
    table = moving("allied", "3413 84/334", turn=9)
    assert march_reach(table, "84/334") == set()
    table.play("load 84/334")
    assert marked(table, "march", "84/334")
    riding = moving("allied", "3413 84/334 march", turn=9)
    assert len(march_reach(riding, "84/334")) > 20


def test_12_4_3_a_regiment_mounts_together(moving: Any) -> None:
    table = moving("allied", "3413 106/424-, 106/424/1")
    table.play("load 106/424-", "load 106/424/1")
    assert marked(table, "march", "106/424/1")
    assert markers_used(table.state, ALLIED) == 1


def test_12_4_3_beside_others_and_next_to_another_column(moving: Any) -> None:
    """Mounting asks for a road and no enemy beside it; how marches end is asked of those that move [12.2]."""
    table = moving("allied", "3413 106/424-, 28/109/1\n3313 84/335")
    table.play("load 106/424-", "load 84/335")
    assert marked(table, "march", "106/424-")
    assert marked(table, "march", "84/335")


def test_12_4_3_not_next_to_an_enemy() -> None:
    refusal = refuse_loading(stage("allied", "3413 84/334\n3312 2Pz/2"), unit("84/334"))
    assert refusal is not None
    assert (refusal.rule, refusal.key) == ("12.4.3", "load-on-road")


def test_12_4_3_engineers_just_placed_do_not_mount(moving: Any) -> None:
    """They were not on the road when the phase began."""
    table = moving("allied", "track 51Eng", turn=7)
    table.play("select 51Eng", "deploy 51Eng 2531")
    assert table.choices("load") == []


def test_12_4_3_by_night_nobody_mounts() -> None:
    refusal = refuse_loading(stage("allied", "3413 84/334 night_marks", turn=10, night=1), unit("84/334"))
    assert refusal is not None
    assert refusal.rule == "25.3.1"


def test_12_4_3_in_boxes_not_in_blocking_positions() -> None:
    assert refuse_loading(stage("allied", "southeast 84/334"), unit("84/334")) is None
    assert refuse_loading(stage("allied", "block-2101 84/334"), unit("84/334")) is not None


def test_12_4_4_trucks_go_twelve_points(moving: Any) -> None:
    """Twice twelve hexes of a main road; a regiment in trucks does not double them."""
    table = moving("allied", "3413 84/334 march\n6637 2Pz/2").play("select 84/334")
    costs = [
        table.game.view.preview(table.state, table.game.read(text))["cost"] for text in table.choices("march 84/334")
    ]
    assert max(costs) == 12


def test_12_5_marching_units_do_not_bond() -> None:
    assert bonds(stage("german", "6636 84/334\n6638 84/335 march"), ALLIED).hexes == 0


def test_12_5_marching_units_defend_with_half(fighting: Any) -> None:
    table = fighting("german", "6637 84/334 march\n6638 2Pz/2")
    assert odds_of(table, "attack 6637")["defence"] == 3


def test_12_7_markers_of_motors_come_off_at_once(moving: Any) -> None:
    table = moving("german", "6637 2Pz/3/1 march")
    assert not marked(table, "march", "2Pz/3/1")


def test_12_7_trucks_are_sent_away_and_the_unit_moves_or_digs(moving: Any) -> None:
    table = moving("allied", "3413 84/334 march")
    table.play("unload 84/334")
    assert not marked(table, "march", "84/334")
    assert march_reach(table, "84/334") == set()
    assert reach(table, "84/334")
    assert "dig 84/334" in table.choices("dig")


def test_12_7_the_marker_serves_another_at_once(moving: Any) -> None:
    lines = "\n".join(f"{h} {name} march" for h, name in zip(
        PLACES, ("84/333", "84/334", "84/335", "1/16", "1/18", "1/26", "30/117", "30/119", "30/120", "75/289"),
        strict=True))  # fmt: skip
    table = moving("allied", f"{lines}\n3413 84/771")
    assert march_reach(table, "84/771") == set()
    table.play("unload 84/334")
    assert march_reach(table, "84/771")


def test_12_7_not_once_it_has_moved(moving: Any) -> None:
    table = moving("allied", "3413 84/334 march\n6637 84/335")
    ride = sorted(march_reach(table, "84/334"))[0]
    table.play("select 84/334", f"march 84/334 {ride}")
    assert where(table, "84/334") == ride
    assert table.refusal("unload 84/334") == ("11.1", "moved-already")


def test_12_7_trucks_just_mounted_are_sent_away_again(moving: Any) -> None:
    """As long as the unit has not moved: it may then be moved normally, and the trucks serve another."""
    table = moving("allied", "3413 84/334\n3313 84/335")
    before = table.state.key()
    assert len(set(in_every_order(table, ["load 84/334", "load 84/335"]))) == 1
    table.play("load 84/335", "load 84/334")
    assert "unload 84/334" not in table.candidates()
    assert table.try_all("unload 84/335", "unload 84/334").state.key() == before
    table.play("unload 84/335")
    assert reach(table, "84/335")


def test_12_7_not_after_going_from_box_to_box(moving: Any) -> None:
    table = moving("allied", "southeast 84/334 march\n6637 84/335")
    place = table.try_all("select 84/334").choices("station 84/334")[0]
    table.play("select 84/334", place)
    assert table.refusal("unload 84/334") == ("11.1", "moved-already")


def test_12_7_by_night_too(moving: Any) -> None:
    """The night movement phase is a friendly movement phase: columns of motors close up, trucks may be sent away."""
    table = moving("allied", "3413 84/334 march\n6637 84/771 march", turn=10, night=1)
    assert not marked(table, "march", "84/771")
    table.play("unload 84/334")
    assert not marked(table, "march", "84/334")


def test_12_7_a_march_marker_comes_off_in_a_retreat(fighting: Any) -> None:
    table = assault(fighting, "84/334 march", 3)
    flee(table)
    assert not marked(table, "march", "84/334")
