"""Second reading of chapters 8 to 11: stacking, zones, bonds and movement."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.ardennes44.conftest import hexagon, marked, reach, stage, unit, where

from salient.games.ardennes44 import model
from salient.games.ardennes44.advances import BONUS, advance_options
from salient.games.ardennes44.reinforcements import entry_hexes

# ---- 11.10 Army boundaries ---------------------------------------------------------------------------------


def army(name: str) -> set[str]:
    """The hexes on an army's side of the lines."""
    return {model.BOARD.labels[h] for h in model.bits(model.ARMY_ZONE[name])}


def test_11_10_1_a_line_is_not_crossed(moving: Any) -> None:
    """1328 and 1327 lie on both sides of the line between 6th and 5th Panzer Army."""
    table = moving("german", "1328 12VG/27", turn=4)
    assert not reach(table, "12VG/27") & army("5Pz")
    assert table.try_all("select 12VG/27").refusal("move 12VG/27 1327") == ("11.10.1", "army-boundary")
    assert "1327" in reach(moving("german", "1328 12VG/27", turn=5), "12VG/27")


def test_11_10_1_west_of_the_lines_all_directions_are_open(moving: Any) -> None:
    """The line ends in 1928/1927: round its end 12th Volksgrenadier may turn south-east."""
    found = reach(moving("german", "2028 12VG/27", turn=4), "12VG/27")
    assert found & army("5Pz")
    assert found & army("6Pz")


def test_11_10_1_nor_do_split_battalions_cross(moving: Any) -> None:
    found = reach(moving("german", "1328 GrBn1 parent=12VG/27\n6637 12VG/27 lost=1", turn=4), "GrBn1")
    assert found & army("6Pz")
    assert not found & army("5Pz")


def test_11_10_2_who_was_driven_across_may_come_back(moving: Any) -> None:
    """Two hexes beyond the line a regiment moves as others do, and back over the line."""
    found = reach(moving("german", "1625 12VG/27", turn=4), "12VG/27")
    assert found & army("5Pz")
    assert found & army("6Pz")


def test_11_10_2_no_advance_across_a_line() -> None:
    """Not even into the hex that was won; on turn 5 it may be entered."""
    s = stage("german", "1328 12VG/27", turn=4)
    found = {model.BOARD.labels[h] for h in advance_options(s, unit("12VG/27"), hexagon("1327"), BONUS)}
    assert found & army("6Pz")
    assert not found & army("5Pz")
    s.turn = 5
    assert hexagon("1327") in advance_options(s, unit("12VG/27"), hexagon("1327"), BONUS)


def test_11_10_1_reinforcements_enter_where_the_table_says() -> None:
    """669th Ost of 7th Army comes at L on turn 3, in the sector of 5th Panzer Army."""
    s = stage("german", "track 669Ost", turn=3)
    assert entry_hexes(s, unit("669Ost"))


# ---- 11.3 Tactical movement of guns ----------------------------------------------------------------------------


def test_11_3_allied_guns_that_have_fired_move_tactically(moving: Any) -> None:
    """Six points on their fired side: two hexes when disrupted or out of supply, as any unit of two points or more."""
    for state in ("fired oos", "fired disrupted"):
        assert "6635" in reach(moving("allied", f"6637 VII/18 {state}"), "VII/18")


def test_11_3_ready_guns_that_move_two_hexes_have_fired(moving: Any) -> None:
    table = moving("allied", "6637 VII/18 oos")
    table.play("select VII/18", "move VII/18 6635")
    assert marked(table, "fired", "VII/18")


def test_11_3_werfer_shift_one_hex_only(moving: Any) -> None:
    assert "6635" not in reach(moving("german", "6637 Werfer7 fired"), "Werfer7")


def test_18_3_disrupted_guns_are_not_towed_into_enemy_zones(moving: Any) -> None:
    lines = "6637 Werfer7{}\n6634 84/334"
    calm = moving("german", lines.format("")).play("select Werfer7").choices("tow")
    afraid = moving("german", lines.format(" disrupted")).play("select Werfer7").choices("tow")
    assert "tow Werfer7 6635" in calm
    assert "tow Werfer7 6636" in afraid
    assert "tow Werfer7 6635" not in afraid


# ---- 11.9.2, 11.9.3 Leaving for Antwerp --------------------------------------------------------------------------


def exits_of(table: Any, name: str) -> set[str]:
    """The hexes by which a unit may leave once it is selected."""
    return {text.split()[2] for text in table.try_all(f"select {name}").choices(f"exit {name}")}


def test_11_9_3_also_tactically(moving: Any) -> None:
    """Out of supply or disrupted: the first hex of the move is the edge, the second lies beyond it."""
    assert exits_of(moving("german", "7021 2Pz/2 oos"), "2Pz/2") == {"7021"}
    assert exits_of(moving("german", "7021 2Pz/2 disrupted"), "2Pz/2") == {"7021"}
    assert exits_of(moving("german", "6921 2Pz/2 oos"), "2Pz/2") == {"7021"}
    assert exits_of(moving("german", "6820 2Pz/2 oos"), "2Pz/2") == set()


def test_11_9_3_also_on_the_march(moving: Any) -> None:
    """Reconnaissance leaves from far away along the road, but not past an enemy."""
    assert "7021" in exits_of(moving("german", "5621 2Pz/Rec"), "2Pz/Rec")
    assert "7021" not in exits_of(moving("german", "5621 2Pz/Rec\n7022 84/334"), "2Pz/Rec")


def test_11_9_3_also_in_extended_movement(moving: Any) -> None:
    """Four points on foot to the edge and one beyond it."""
    assert "7021" in exits_of(moving("german", "6621 26VG/39"), "26VG/39")


def test_11_9_3_also_by_night(moving: Any) -> None:
    table = moving("german", "7021 2Pz/2 night_marks", turn=10, night=1)
    table.play("select 2Pz/2", "exit 2Pz/2 7021")
    assert where(table, "2Pz/2") == "antwerp"


def test_11_9_3_from_an_enemy_zone_only_where_it_began(moving: Any) -> None:
    assert "7021" in exits_of(moving("german", "7021 2Pz/2\n7022 84/334"), "2Pz/2")
    assert "7021" not in exits_of(moving("german", "6921 2Pz/2\n7022 84/334"), "2Pz/2")


def test_11_9_3_a_road_lost_on_the_east_map_is_no_entry() -> None:
    """In the short scenarios too a hex by which Germans have left is closed to Allied reinforcements."""
    s = stage("allied", "scenario eight-turns\ntrack 509", turn=8)
    road = entry_hexes(s, unit("509"))[0]
    s.exits = 1 << road
    assert road not in entry_hexes(s, unit("509"))


def test_11_9_2_refusals_name_the_rule(moving: Any) -> None:
    table = moving("german", "6637 2Pz/2")
    table.play("select 2Pz/2")
    assert table.refusal("exit 2Pz/2 7021") == ("11.9.3", "no-exit-there")
    assert table.refusal("leave 2Pz/2 west") == ("11.9.2", "germans-stay-on-map")


# ---- refusals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "lines", "name", "to", "refusal"),
    [
        ("allied", "6637 1/745\n6636 84/771 engaged", "1/745", "6636", ("8.2", "hex-is-full")),
        ("allied", "6637 VII/18\n6636 VII/142 engaged", "VII/18", "6636", ("8.2", "hex-is-full")),
        ("allied", "6637 1/26\n6636 84/334 engaged", "1/26", "6636", ("8.1", "hex-is-full")),
        ("allied", "6637 84/334\n6632 2Pz/2", "84/334", "6633", ("11.2", "extended-next-to-enemy")),
        ("allied", "6637 84/334 disrupted\n6634 2Pz/2", "84/334", "6635", ("18.3", "keeps-away")),
        ("allied", "6637 84/334 disrupted", "84/334", "6634", ("18.3", "tactical-only")),
        ("allied", "6637 84/334 oos", "84/334", "6634", ("23.4", "tactical-only")),
        ("german", "6637 2Pz/2 short", "2Pz/2", "6634", ("6.1", "tactical-only")),
        ("allied", "6637 84/334 fresh", "84/334", "6635", ("25.2.4", "one-hex-only")),
        ("german", "6637 VAK766", "VAK766", "6636", ("22.1", "guns-need-tractors")),
        ("allied", "6637 84/334", "84/334", "6620", ("11.1", "too-far")),
    ],
)
def test_11_1_refusals_name_the_rule(
    moving: Any, side: str, lines: str, name: str, to: str, refusal: tuple[str, str]
) -> None:
    table = moving(side, lines)
    table.play(f"select {name}")
    assert table.refusal(f"move {name} {to}") == refusal
