"""Second reading of chapter 13: reinforcements, boxes and blocking positions; and of the scenarios' set-up."""

from __future__ import annotations

from typing import Any

from tests.games.ardennes44.conftest import hexagon, reach, stage, unit

from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44 import model
from salient.games.ardennes44.model import MOTOR, VEHICLE
from salient.games.ardennes44.reinforcements import entries, entry_hexes, is_threatened, ride_reach, stations
from salient.games.ardennes44.ways import entry_cost

LABELS = model.BOARD.labels


def enters(side: str, lines: str, name: str, turn: int = 9, **changes: Any) -> set[str]:
    """Where a unit from off the map may end."""
    return {LABELS[h] for h in entries(stage(side, lines, turn, **changes), unit(name))}


def traffic(side: str, *labels: str) -> list[int]:
    """Traffic markers of a side in some hexes."""
    mine = [hexagon(label) for label in labels] + [model.IN_BOX] * (6 - len(labels))
    return [*mine, *[model.IN_BOX] * 6] if side == "allied" else [*[model.IN_BOX] * 6, *mine]


# ---- 13.1 Coming in --------------------------------------------------------------------------------------------


def test_13_1_the_first_hex_costs_its_road() -> None:
    """Half a point on a primary road, one on a secondary, two on a forest road before the frost."""
    assert entry_cost(hexagon("2101"), MOTOR, False) == 1
    assert entry_cost(hexagon("6601"), VEHICLE, False) == 2
    assert entry_cost(hexagon("4701"), VEHICLE, False) == 4
    assert entry_cost(hexagon("4701"), VEHICLE, True) == 2
    assert entry_cost(hexagon("4701"), 0, False) == 2


def test_13_1_traffic_in_the_entry_hex_is_paid_for() -> None:
    """Two points more [24.2]: three of the five of extended movement."""
    slow = traffic("allied", "0129", "0133", "0137")
    reached = enters("german", "track 246VG/352", "246VG/352", turn=19, traffic=slow)
    assert reached
    assert max(model.COLUMN[hexagon(h)] for h in reached) < 5
    free = enters("german", "track 246VG/352", "246VG/352", turn=19)
    assert max(model.COLUMN[hexagon(h)] for h in free) == 5


def test_13_1_a_march_pays_for_traffic_in_the_entry_hex() -> None:
    name = "301"
    free = ride_reach(stage("german", f"track {name}", 15), unit(name))
    slow = ride_reach(
        stage("german", f"track {name}", 15, traffic=traffic("allied", "0129", "0133", "0137")), unit(name)
    )
    assert free is not None
    assert slow is not None
    assert slow.costs[hexagon("0133")] == free.costs[hexagon("0133")] + 4


def test_13_1_tactically_whatever_it_costs() -> None:
    """Traffic in both hexes: tactical movement ignores it, the entry hex is its first hex [11.3]."""
    jam = traffic("allied", "0129", "0133", "0137", "0229", "0233", "0237")
    assert "0233" in enters("german", "track 246VG/352", "246VG/352", turn=19, traffic=jam)


def test_13_1_no_entry_through_a_bond() -> None:
    """Two Allied units on both sides of an entry hex close it [10.2]."""
    north, south = (LABELS[h] for h in model.BOARD.adjacent[hexagon("0133")] if model.COLUMN[h] == 1)
    s = stage("german", f"track 246VG/352\n{north} 84/334\n{south} 84/335", 19)
    assert hexagon("0133") not in entry_hexes(s, unit("246VG/352"))


def test_6_3_without_fuel_no_barrier_is_crossed_from_the_entry_hex() -> None:
    """A unit that enters tactically did not begin on the bank of the Mosel [11.4.1]."""
    assert (hexagon("0106"), hexagon("0105")) in model.RIVER
    found = enters("german", "track FGB/99 short", "FGB/99", turn=10)
    assert "0106" in found
    assert "0105" not in found


# ---- 13.2 Engineers ----------------------------------------------------------------------------------------------


def test_13_2_2_late_engineers_move_tactically_too(moving: Any) -> None:
    """35th Engineers were due on turn 3 and are placed on turn 4: two hexes, not five."""
    table = moving("allied", "track 35Eng", turn=4)
    table.play("select 35Eng", "deploy 35Eng 2531")
    found = reach(table, "35Eng")
    assert found
    assert all(model.BOARD.distance(hexagon("2531"), hexagon(h)) <= 2 for h in found)


def test_13_2_1_one_to_a_town_though_they_are_late(moving: Any) -> None:
    table = moving("allied", "track 35Eng, 44Eng", turn=4)
    table.play("select 35Eng", "deploy 35Eng 2531", "select 44Eng")
    assert "deploy 44Eng 2531" not in table.choices("deploy")


def test_13_2_1_one_to_a_town_though_the_first_has_gone_on(moving: Any) -> None:
    table = moving("allied", "track 35Eng, 44Eng", turn=3)
    table.play("select 35Eng", "deploy 35Eng 2531")
    table.play("select 35Eng", f"move 35Eng {min(reach(table, '35Eng'))}", "select 44Eng")
    assert table.refusal("deploy 44Eng 2531") == ("13.2.1", "no-entry-there")
    assert "deploy 44Eng 3413" in table.choices("deploy")


# ---- 13.4 to 13.6 Boxes --------------------------------------------------------------------------------------------


def test_13_4_example_six_factors_open_the_sector(moving: Any) -> None:
    """4/22/2 joins four factors in blocking position A; 10Arm/CCA may then come in at B."""
    lines = "1001 212VG/320\nblock-1001 4/8/2, 4/12/3\ntrack 4/22/2, 10Arm/CCA"
    table = moving("allied", lines, turn=4)
    table.play("select 10Arm/CCA")
    assert table.choices("enter") == []
    table.play("select 4/22/2", "station 4/22/2 block-1001")
    assert not is_threatened(table.state, "southeast")
    assert entry_hexes(table.state, unit("10Arm/CCA"))


def test_13_4_boxes_and_blocking_positions_serve_in_the_short_scenarios() -> None:
    """They lie beside the East map: without them a German in an entry hex could never be blocked."""
    s = stage("allied", "scenario six-turns\n1001 212VG/320\ntrack 4/8/2\nsoutheast 4/22/2", 4)
    assert model.PLACE["block-1001"] in stations(s, unit("4/8/2"))
    assert model.PLACE["block-1001"] in stations(s, unit("4/22/2"))


def test_13_5_from_the_western_box_by_the_western_roads() -> None:
    """Who was driven off the East map comes back by its western roads."""
    s = stage("allied", "scenario six-turns\nwest 28/109/1", 4)
    assert entry_hexes(s, unit("28/109/1"))
    assert all(model.COLUMN[h] == model.WEST_SHEET - 1 for h in entry_hexes(s, unit("28/109/1")))


def test_13_6_back_to_the_box_or_into_the_map() -> None:
    s = stage("allied", "block-2101 84/334")
    assert stations(s, unit("84/334")) == [model.PLACE["southeast"]]
    assert entry_hexes(s, unit("84/334")) == [hexagon("2101")]


def test_2_6_every_reinforcement_of_the_tables_is_there() -> None:
    """How many units come on each turn, by side."""
    german = {2: 2, 3: 5, 4: 2, 5: 5, 6: 3, 7: 5, 8: 12, 9: 1, 10: 4, 11: 6, 14: 6, 15: 6, 19: 7, 20: 3, 22: 2, 27: 3}
    allied = {
        2: 2, 3: 12, 4: 5, 5: 17, 6: 4, 7: 3, 8: 5, 9: 2, 10: 3, 11: 4, 12: 11, 13: 18, 14: 8, 15: 17, 16: 6, 17: 5,
        19: 5, 21: 3, 22: 4, 23: 4,
    }  # fmt: skip
    for side, expected in ((ALLIED, allied), (GERMAN, german)):
        turns = [model.ARRIVAL[u] for u in model.SIDE_UNITS[side] if model.ARRIVAL[u]]
        assert {turn: turns.count(turn) for turn in sorted(set(turns))} == expected
