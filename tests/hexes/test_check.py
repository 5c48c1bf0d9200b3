"""The deeper map checks, on a sound map and on spoilt ones."""

import pytest

from salient.hexes.check import check_board
from salient.hexes.load import load_board

from .maps import Told, append, replace, river_row, told, write_map


@pytest.fixture
def folder(tmp_path):
    return write_map(tmp_path)


def findings(folder):
    return told(check_board(load_board(folder)).findings)


def stop(line, pair, more="", water="Our"):
    return Told("hexsides.csv", line, f"{water} stops at {pair}, not at a water, a lake or the map edge{more}.")


def test_a_sound_map_has_no_findings(folder):
    assert findings(folder) == ()


def test_counts(folder):
    replace(folder, "hexes.csv", "0101,clear,,house", "0101,lake,,geography")
    counts = check_board(load_board(folder)).counts
    assert counts.hexes == 16
    assert counts.terrain == {"clear": 15, "lake": 1}
    assert counts.features == {"town": 1}
    assert counts.hexsides == {"river": 7}
    assert counts.bridges == {"bridge": 1}
    assert counts.roads == {"primary": 2}
    assert counts.sources["hexes.csv"] == {"geography": 1, "house": 15}


def test_a_gap_in_a_river_is_found_on_both_banks(folder):
    replace(folder, "hexsides.csv", river_row("0202/0302"), "")
    broken = " and is in 2 pieces"
    assert findings(folder) == (stop(3, "0201/0302", broken), stop(4, "0202/0303", broken))


def test_a_river_may_begin_at_one_spring(folder):
    replace(folder, "hexsides.csv", river_row("0201/0301") + river_row("0201/0302"), "")
    assert findings(folder) == ()


def test_a_river_with_two_loose_ends_is_found(folder):
    replace(folder, "hexsides.csv", river_row("0201/0301"), "")
    replace(folder, "hexsides.csv", river_row("0203/0304") + river_row("0204/0304"), "")
    assert findings(folder) == (stop(2, "0201/0302"), stop(5, "0203/0303"))


def test_one_hexside_loose_at_both_ends_is_found_once(folder):
    line = append(folder, "hexsides.csv", river_row("0102/0202", name="", kind="stream"))
    (finding,) = findings(folder)
    assert (finding.line, finding.cause.split(" stops")[0]) == (line, "stream")


def test_a_river_may_end_in_a_lake(folder):
    replace(folder, "hexsides.csv", river_row("0201/0301"), "")
    replace(folder, "hexsides.csv", river_row("0203/0304") + river_row("0204/0304"), "")
    replace(folder, "hexes.csv", "0304,clear,,house", "0304,lake,,house")
    assert findings(folder) == ()


def test_a_tributary_ends_at_the_river(folder):
    append(folder, "hexsides.csv", river_row("0202/0203", name="Clerve"))
    assert findings(folder) == ()


def test_a_road_over_water_needs_a_bridge(folder):
    replace(folder, "hexsides.csv", river_row("0203/0303", "bridge"), river_row("0203/0303"))
    cause = "the road 0203/0303 crosses Our, but hexsides.csv has no bridge there."
    assert findings(folder) == (Told("roads.csv", 3, cause),)


def test_a_blown_bridge_is_a_bridge_entry(folder):
    replace(folder, "hexsides.csv", river_row("0203/0303", "bridge"), river_row("0203/0303", "blown"))
    assert findings(folder) == ()


def test_a_road_over_water_that_has_no_bridges_is_sound(folder):
    replace(folder, "hexsides.csv", river_row("0203/0303", "bridge"), river_row("0203/0303", kind="stream"))
    assert findings(folder) == ()


def test_a_loose_road_is_found(folder):
    line = append(folder, "roads.csv", "0202,0302,primary,,house\n")
    replace(folder, "hexsides.csv", river_row("0202/0302"), river_row("0202/0302", "bridge"))
    cause = "the road (primary) through 0202 0302 joins neither the road net nor the map edge."
    assert findings(folder) == (Told("roads.csv", line, cause),)


def test_a_second_net_at_the_map_edge_is_sound(folder):
    append(folder, "roads.csv", "0401,0402,primary,,house\n")
    assert findings(folder) == ()


def test_a_hole_in_the_map_is_found(folder):
    replace(folder, "hexes.csv", "0402,clear,,house\n", "")
    cause = "hex 0402 lies inside the map’s rectangle but is not listed."
    assert findings(folder) == (Told("hexes.csv", 0, cause),)


def test_ranks_of_one_parity_may_be_shorter(folder):
    """Every even column one hex shorter than the odd ones is a rectangle too."""
    for label in ("0204", "0404"):
        replace(folder, "hexes.csv", f"{label},clear,,house\n", "")
    replace(folder, "hexsides.csv", river_row("0204/0304"), "")
    assert findings(folder) == ()
