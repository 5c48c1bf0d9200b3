"""Chapters 27 to 36 and the scenarios."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.ardennes44.conftest import hexagon, marked, reach, stage, unit, where

from salient import load
from salient.common.sides import GERMAN
from salient.games.ardennes44 import model
from salient.games.ardennes44.entering import CAPTURED, DUMMY, HIDDEN, NO_DEPOT, SHOWN
from salient.games.ardennes44.retreats import edge_boxes, ground_of
from salient.games.ardennes44.sequence import PHASE_NAMES
from salient.games.ardennes44.supply import road_network
from salient.games.ardennes44.victory import british_missing, exited_factors, german_holds_on, german_reason
from salient.kernel import SeededDice, actor, step


def test_27_2_von_der_heydte_jumps(moving: Any) -> None:
    table = moving("german", "track VdH", turn=3)
    table.play("select VdH", "land VdH 6637", "roll 3")
    assert where(table, "VdH") == "6637"
    assert table.state.lost[unit("VdH")] == 1


def test_27_2_and_may_be_lost(moving: Any) -> None:
    table = moving("german", "track VdH\n6633 2Pz/2", turn=3).play("select VdH", "land VdH 6637", "roll 5")
    assert where(table, "VdH") == "gone"


def test_27_3_1_british_stay_west_of_the_meuse(moving: Any) -> None:
    found = reach(moving("allied", "6124 43/129", turn=13), "43/129")
    assert found
    assert all(model.BRITISH_GROUND >> hexagon(label) & 1 for label in found)


def test_27_3_1_british_units_do_not_leave_the_map(moving: Any) -> None:
    """From the western edge a US regiment goes into the box, a British brigade does not; it is told why."""
    edge = model.BOARD.labels[next(h for h in model.bits(model.BRITISH_GROUND & model.BOX_EDGE["west"]))]
    assert moving("allied", f"{edge} 84/334", turn=13).play("select 84/334").choices("leave")
    held = moving("allied", f"{edge} 43/129", turn=13).play("select 43/129")
    assert not held.choices("leave")
    assert held.refusal("leave 43/129 west") == ("27.3.1", "british-stay-on-map")
    assert not edge_boxes(stage("german", f"{edge} 43/129", turn=13), unit("43/129"), hexagon(edge))


def test_27_3_1_british_reinforcements_do_not_wait_in_boxes(moving: Any) -> None:
    table = moving("allied", "track 43/129, 84/334", turn=14)
    assert table.try_all("select 84/334").choices("station 84/334")
    assert not table.try_all("select 43/129").choices("station 43/129")
    assert table.try_all("select 43/129").choices("enter 43/129")


def test_27_3_1_british_units_do_not_retreat_over_the_meuse() -> None:
    """A bridge leads a US regiment over the Meuse; to a British brigade it is closed."""
    ground = model.BRITISH_GROUND
    bank, beyond = next(
        (a, b) for a, b in model.MEUSE if ground >> a & 1 and not ground >> b & 1 and (a, b) in model.BRIDGE
    )
    for name, crosses in (("84/334", True), ("43/129", False)):
        s = stage("german", f"{model.BOARD.labels[bank]} {name}", turn=14)
        assert bool(ground_of(s, unit(name), (unit(name),)).closed >> beyond & 1) is not crosses


def test_27_3_2_29th_brigade_is_released_when_germans_cross(moving: Any) -> None:
    table = moving("allied", "6124 29Arm/3RTR\n6637 2Pz/2", turn=13)
    assert any(not model.BRITISH_GROUND >> hexagon(label) & 1 for label in reach(table, "29Arm/3RTR"))


def test_27_3_4_antwerp_is_defended(phase: Any) -> None:
    s = stage("german", "antwerp 2Pz/3/1\n6637 43/129", turn=14)
    assert british_missing(s) == 10
    table = phase("german_end", "german", "antwerp 2Pz/3/1\n6637 43/129", turn=14)
    assert where(table, "43/129") == "antwerp"  # all that there is


def test_27_6_2nd_division_waits(moving: Any) -> None:
    assert moving("allied", "1535 2/9\n1933 2/23", turn=1).refusal("select 2/9")[0] == "29.1.1"
    found = reach(moving("allied", "1535 2/9", turn=2), "2/9")
    assert all(model.BOARD.distance(hexagon("1535"), hexagon(h)) <= 2 for h in found)


@pytest.mark.parametrize(("die", "place"), [(1, "track"), (3, "track"), (5, "gone")])
def test_27_7_jagdtigers(moving: Any, die: int, place: str) -> None:
    table = moving("german", "track 653PzJ\n6637 2Pz/2", turn=4).play(f"roll {die}")
    assert where(table, "653PzJ") == place
    assert table.state.jagdtiger == (die == 1)


def test_27_8_2_infiltration(moving: Any) -> None:
    """A 1 to 3 lets 150th Brigade go on, a 4 unmasks it."""
    table = moving("german", "6637 150Pz\n6634 84/334", turn=5)
    table.play("select 150Pz", "infiltrate 150Pz 6635", "roll 2")
    assert table.state.exposed == 1
    assert table.choices("move 150Pz")
    caught = moving("german", "6637 150Pz\n6634 84/334", turn=5)
    caught.play("select 150Pz", "infiltrate 150Pz 6635", "roll 4")
    assert caught.state.exposed == 2


def test_29_1_1_red_units_do_not_move_on_turn_1(moving: Any) -> None:
    table = moving("german", "1914 26VG/78\n2114 26VG/39", turn=1)
    assert table.refusal("select 26VG/78") == ("29.1.1", "held-on-turn-1")


def test_29_1_2_divisional_areas_on_turn_1(moving: Any) -> None:
    found = reach(moving("german", "2016 2Pz/2", turn=1), "2Pz/2")
    others = model.ALL_AREAS & ~model.AREAS["2pz"]
    assert not any(others >> hexagon(label) & 1 for label in found)


def test_29_3_one_unit_of_212th_crosses_the_sauer(moving: Any) -> None:
    table = moving("german", "1006 212VG/316\n1105 4/12/3\n0904 4/12/1", turn=1)
    assert "1005" in reach(table, "212VG/316")


def test_29_4_106th_division_leaves_18th_volksgrenadier_alone(moving: Any) -> None:
    table = moving("allied", "1624 106/424/1\n1523 18VG/293", turn=3)
    area = {model.BOARD.labels[h] for h in model.bits(model.AREAS["18vg"])}
    assert not reach(table, "106/424/1") & area


# ---- 30 Victory ------------------------------------------------------------------------------------


def held(*labels: str) -> int:
    return sum(1 << hexagon(label) for label in labels)


def test_30_1_2_control_needs_supply() -> None:
    """Liège wins the game, but not with all bridges behind it blown."""
    s = stage("german", "", turn=9)
    s.held |= model.LIEGE
    assert german_reason(s) == "german-liege"
    s.blown = (1 << len(model.BRIDGES)) - 1
    assert german_reason(s) == ""


def test_30_2_exited_factors_need_a_road(phase: Any) -> None:
    s = stage("german", "antwerp 9SS/19, 9SS/20, 9SS/9/1, 9SS/9/2", turn=9, exits=1 << hexagon("7021"))
    assert exited_factors(s) == 0


def test_30_3_allies_in_three_german_areas_twice(phase: Any) -> None:
    lines = "1638 84/334\n1334 84/335\n1130 84/333"
    table = phase("victory", "allied", lines, turn=9, german_areas=1)
    assert table.state.winner == "allied"
    assert phase("victory", "allied", lines, turn=9).state.german_areas == 1


def test_s1_1_the_campaign_ends_after_22_turns(phase: Any) -> None:
    assert phase("victory", "allied", "6637 84/334", turn=22).state.result_key == "allied-holds"


def test_s2_4_ten_points_in_six_turns(phase: Any) -> None:
    table = phase("victory", "allied", "3413 101/501", turn=6, scenario="six-turns")
    assert table.state.result_key == "allied-points"


def test_s4_4_bastogne_cut_off_is_a_draw() -> None:
    s = load("ardennes44").new("patton")
    assert s.turn == 13  # type: ignore[attr-defined]
    assert model.BASTOGNE & ~s.held == model.BASTOGNE  # type: ignore[attr-defined]


def test_s5_2_germans_hold_on() -> None:
    assert not german_holds_on(stage("german", "", turn=30, scenario="extended"))


def test_s4_3_patton_begins_with_peiper_and_bastogne_cut_off() -> None:
    s: Any = load("ardennes44").new("patton")
    cut = {model.UNITS[u] for u in model.bits(s.oos)}
    assert {"1SS/1Pz", "101/501"} <= cut
    assert (s.points[unit("1SS/1Pz")], s.points[unit("101/501")]) == (3, 1)
    assert s.blown.bit_count() == 4


@pytest.mark.parametrize("scenario", list(model.SCENARIOS))
def test_s_every_scenario_begins_soundly(scenario: str) -> None:
    game = load("ardennes44")
    assert game.check(game.new(scenario)) == []


def test_s1_3_the_german_may_set_up_freely() -> None:
    game = load("ardennes44")
    s = game.new("", {"german-set-up": "free"})
    assert actor(s) == "german"
    assert type(s.stack[-1]).__name__ == "SetUp"


# ---- optional rules ------------------------------------------------------------------------------------


def test_31_night_infiltration(moving: Any) -> None:
    table = moving("german", "6637 2Pz/2\n6635 84/334", turn=8, night=1, rules=model.INFILTRATION)
    assert "sneak 2Pz/2 6636" in table.choices("sneak")
    table.play("sneak 2Pz/2 6636")
    assert where(table, "2Pz/2") == "6636"


def test_32_1_the_depot_is_hidden_from_germans() -> None:
    game = load("ardennes44")
    s = game.new("", {"fuel-depots": "on"})
    assert actor(s) == "chance"
    s = step(s, game.read("hide 2831"))
    keys = [m["key"] for m in game.observe(s, "german")["markers"] if m["key"].startswith("depot")]
    assert keys == ["depot-hidden"] * 3
    other = game.resample(s, "german", SeededDice(3))
    assert sorted(other.depots) == sorted(s.depots)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("marker", "becomes"), [(HIDDEN, SHOWN), (DUMMY, NO_DEPOT)])
def test_32_1_a_german_next_to_it_turns_it_over(moving: Any, marker: int, becomes: int) -> None:
    """The marker in 2831 stays hidden from two hexes away, is turned over from 2830, and must be attacked."""
    depots = (marker, DUMMY, DUMMY)
    table = moving("german", "2828 26VG/39\n6637 2Pz/2", turn=5, rules=model.DEPOTS, depots=depots)
    assert {"2829", "2830"} <= reach(table, "26VG/39")
    assert "2831" not in reach(moving("german", "2830 26VG/39", turn=5, rules=model.DEPOTS, depots=depots), "26VG/39")
    far = table.try_all("select 26VG/39", "move 26VG/39 2829")
    assert far.state.depots == depots  # type: ignore[attr-defined]
    near = table.try_all("select 26VG/39", "move 26VG/39 2830")
    assert near.state.depots == (becomes, DUMMY, DUMMY)  # type: ignore[attr-defined]
    assert [event.key for event in near.events if event.rule == "32.1"] == [
        "depot-found" if marker == HIDDEN else "depot-false"
    ]


def test_32_1_an_american_next_to_it_does_not(moving: Any) -> None:
    depots = (HIDDEN, DUMMY, DUMMY)
    table = moving("allied", "2828 84/334\n6637 84/335", turn=5, rules=model.DEPOTS, depots=depots)
    assert table.play("select 84/334", "move 84/334 2830").state.depots == depots


def test_32_2_captured_fuel_is_brought_home(phase: Any) -> None:
    h = model.BOARD.labels[model.DEPOT_HEXES[0]]
    s = stage("german", f"{h} 2Pz/2", turn=7, depots=(CAPTURED, 0, 0))
    fed = bool(road_network(s, GERMAN) >> model.DEPOT_HEXES[0] & 1)
    table = phase("german_fuel", "german", f"{h} 2Pz/2", turn=7, depots=(CAPTURED, 0, 0))
    assert bool(table.state.fuel_left) == fed


def test_33_2_roadblocks_are_placed(phase: Any) -> None:
    table = phase("allied_traffic", "allied", "3413 101/501", turn=5, rules=model.ROADBLOCKS).play("done")
    assert table.choices("block")
    table.play(table.choices("block")[0])
    assert table.state.blocks[0] >= 0


def test_35_bodenplatte(phase: Any) -> None:
    table = phase("german_turn", "german", "6637 2Pz/2", turn=15, rules=model.BODENPLATTE).play("roll 6")
    assert table.state.bodenplatte == 17


def test_36_a_commando_protects_a_bridge(bridging: Any) -> None:
    table = bridging("german", "2020 116Pz/60", turn=5, rules=model.COMMANDO)
    table.play("commando 2020/2119")
    assert table.state.greif == model.BRIDGE_IDS["2020/2119"]


def test_25_1_the_night_turn_reverses_the_players() -> None:
    names = [name for name in PHASE_NAMES if name.startswith("night")]
    assert names[0] == "night_allied_replacements"
    assert names[-1] == "night_german_combat"


def test_23_10_relief_ends_isolation(phase: Any) -> None:
    table = phase("allied_supply", "allied", "2531 84/334 points=2 oos", turn=9)
    assert table.state.points[unit("84/334")] == 0
    assert not marked(table, "oos", "84/334")
