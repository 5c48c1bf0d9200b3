"""Ardennes '44: chapter 24, traffic."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    GROUND,
    hexagon,
    in_every_order,
    reach,
    stage,
)
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44 import model
from salient.games.ardennes44.traffic import begin_traffic, traffic_hexes
from salient.games.ardennes44.ways import tolls_against
from salient.kernel.messages import ignore_events


def test_24_1_six_markers_a_side() -> None:
    assert len(stage("german", "").traffic) == 12


def test_24_2_traffic_costs_two_points(moving: Any) -> None:
    """A regiment on foot with five points goes four hexes less two behind a marker; tactical movement ignores it."""
    marks = [model.IN_BOX] * 12
    marks[0] = hexagon("2215")
    free = moving("german", "2214 2Pz/2", turn=5)
    slow = moving("german", "2214 2Pz/2", turn=5, traffic=marks)
    assert len(reach(slow, "2Pz/2")) < len(reach(free, "2Pz/2"))
    assert "2215" in reach(slow, "2Pz/2")


def test_24_2_traffic_hinders_the_enemy_only() -> None:
    s = stage("german", "", traffic=[hexagon("6636"), *[-1] * 11])
    assert dict(tolls_against(s, GERMAN))[hexagon("6636")] == 4
    assert hexagon("6636") not in dict(tolls_against(s, ALLIED))


def test_24_2_tactical_movement_ignores_it(moving: Any) -> None:
    markers = [hexagon(h) for h in ("6636", "6638")] + [-1] * 10
    assert {"6636", "6635"} <= reach(moving("german", "6637 12VG/27", traffic=markers), "12VG/27")


def test_24_3_1_markers_in_any_order_and_with_any_number(phase: Any) -> None:
    """The fifth may be placed while the second is kept; taken back, everything is as before."""
    table = phase("allied-traffic", "allied", "", turn=5)
    before = table.state.key()
    assert len(set(in_every_order(table, ["traffic 2113", "traffic 1913", "traffic 1713"]))) == 1
    assert table.try_all("traffic 2113", "traffic 1913", "lift 2113", "lift 1913").state.key() == before
    table.play("traffic 2113", "marker 5 2113", "done")
    assert table.state.traffic[4] == hexagon("2113")
    assert table.state.traffic[1] == model.IN_BOX


def test_24_3_1_refusals(phase: Any) -> None:
    table = phase("allied-traffic", "allied", "", turn=5, traffic=[hexagon("6637"), *[-1] * 11]).play("traffic 2113")
    assert table.refusal("traffic 2113") == ("24.3.1", "marker-there-already")
    assert table.refusal("lift 6637") == ("24.3.1", "traffic-stays")
    assert table.refusal("marker 1 2113") == ("24.3.1", "marker-not-in-box")
    assert table.refusal("pass") == ("24.3.1", "traffic-first")


def test_24_3_1_markers_on_the_map_stay(phase: Any) -> None:
    table = phase("allied-traffic", "allied", "", turn=5, traffic=[hexagon("6637"), *[-1] * 11]).play("traffic 6630")
    assert table.state.traffic[:2] == [hexagon("6637"), hexagon("6630")]


def test_24_3_2_traffic_is_placed_then_diced_away(phase: Any) -> None:
    table = phase("allied-traffic", "allied", "", turn=1)
    table.play("traffic 2113", "traffic 1913", "done", "dice 1 4")
    assert table.state.traffic[0] == model.IN_BOX
    assert table.state.traffic[1] == hexagon("2113")


@pytest.mark.parametrize(("dice", "left"), [("2 4", [0, 2]), ("3 3", [0, 1, 3])])
def test_24_3_2_two_dice_remove(phase: Any, dice: str, left: list[int]) -> None:
    hexes = [hexagon(h) for h in ("6637", "6630", "6620", "6610")]
    table = phase("allied-traffic", "allied", "", turn=5, traffic=[*hexes, *[-1] * 8])
    table.play("done", f"dice {dice}")
    assert [i for i in range(4) if table.state.traffic[i] >= 0] == left


def test_24_4_markers_do_not_touch(phase: Any) -> None:
    table = phase("allied-traffic", "allied", "", turn=1).play("traffic 2113")
    assert table.refusal("traffic 2114") == ("24.4", "no-traffic-there")
    assert table.refusal("traffic 2115") == ("24.4", "no-traffic-there")


def test_24_4_where_markers_go() -> None:
    s = stage("german", "6630 84/334", traffic=[hexagon("6637"), *[-1] * 11])
    allied, german = traffic_hexes(s, ALLIED), traffic_hexes(s, GERMAN)
    assert not allied >> hexagon("6637") & 1
    assert not allied >> hexagon("6636") & 1
    assert german >> hexagon("6637") & 1
    assert german >> hexagon("6630") & 1
    assert not allied & GROUND.bottleneck
    assert german & GROUND.bottleneck == GROUND.bottleneck


def test_24_5_germans_begin_on_turn_3() -> None:
    for turn, frames in ((2, 1), (3, 3)):
        s = stage("german", "", turn=turn)
        begin_traffic(s, GERMAN, ignore_events)
        assert len(s.stack) == frames


def test_24_5_the_allies_begin_on_turn_1(phase: Any) -> None:
    assert phase("allied-traffic", "allied", "", turn=1).choices("traffic")
    assert not [m for m in phase("german-traffic", "german", "2016 2Pz/2", turn=2).state.traffic[6:] if m >= 0]


def test_24_6_scheduled_removal(phase: Any) -> None:
    assert phase("german-traffic", "german", "", turn=8).state.traffic[6] == model.OUT_OF_PLAY


@pytest.mark.parametrize(("turn", "number"), [(8, 0), (10, 1), (18, 5)])
def test_24_6_one_german_marker_each_afternoon(phase: Any, turn: int, number: int) -> None:
    table = phase("german-traffic", "german", "", turn=turn)
    assert table.state.traffic[6 + number] == model.OUT_OF_PLAY
    assert phase("german-traffic", "german", "", turn=turn - 1).state.traffic[6 + number] != model.OUT_OF_PLAY


def test_24_7_bottlenecks_cost_four_until_st_vith_falls() -> None:
    s = stage("german", "", turn=5)
    assert dict(tolls_against(s, GERMAN))[hexagon("2115")] == 8
    s.held |= 1 << GROUND.st_vith
    assert dict(tolls_against(s, GERMAN))[hexagon("2115")] == 4
    assert tolls_against(s, ALLIED) == ()


def test_24_7_the_toll_of_the_bottlenecks() -> None:
    h = GROUND.bottleneck & -GROUND.bottleneck
    free = dict(tolls_against(stage("german", "", held=1 << GROUND.st_vith), GERMAN))
    shut = dict(tolls_against(stage("german", "", held=0), GERMAN))
    assert (free[h.bit_length() - 1], shut[h.bit_length() - 1]) == (4, 8)
    assert tolls_against(stage("german", ""), ALLIED) == ()
