"""Battle of the Bulge: chapter 8, reinforcements."""

from __future__ import annotations

import pytest

from games.bulge.positions import pieces


def test_8_1_pieces_of_the_turn_arrive_for_nothing(arriving):
    """Those of later turns wait, those of the other side are not offered."""
    lines = "1Inf allied-infantry 2, allied-artillery 1\n84Inf allied-infantry 2\nFBB axis-infantry 1"
    table = arriving("allied", lines)
    assert {text.split()[1] for text in table.choices("arrive")} == {"allied-infantry-1Inf", "allied-artillery-1Inf"}
    assert table.refusal("arrive allied-infantry-84Inf 0105 1") == ("8.1", "not-due")
    assert table.refusal("arrive axis-infantry-FBB 0510 1") == ("8.1", "not-on-a-chart")
    assert table.refusal("arrive allied-infantry-1Inf 0105 3") == ("8.1", "not-so-many")
    table.play("arrive allied-infantry-1Inf 0105 2", "arrive allied-artillery-1Inf 0106 1")
    assert (pieces(table, "0105"), pieces(table, "0106")) == ("allied-infantry 2", "allied-artillery 1")


@pytest.mark.parametrize(("side", "n_tokens"), [("axis", 9), ("allied", 11)])
def test_8_2_tokens_of_a_turn(moving, side, n_tokens):
    """They are laid off the board when the side has moved, and stay there until a truck brings them."""
    hex_ = "0209" if side == "axis" else "0105"
    table = moving(side, f"{hex_} {side}-infantry 1, {side}-supply 1", turn=1).play("pass")
    received = [event.args["n_tokens"] for event in table.said("supply-received") if event.args["word_side"] == side]
    assert received == [n_tokens]
    assert pieces(table, f"{side}-base") == f"{side}-supply {n_tokens}"


def hexes(table, unit):
    return {text.split()[2] for text in table.choices(f"arrive {unit}")}


def test_8_3_german_pieces_enter_at_their_army(arriving):
    """The Escort Brigade in the hexes of the 5th Panzer Army, as far as they are German."""
    table = arriving("axis", "FBB axis-infantry 1")
    assert hexes(table, "axis-infantry-FBB") == {"0409", "0510", "0609"}
    assert table.refusal("arrive axis-infantry-FBB 0310 1") == ("8.3", "not-its-edge")
    lost = arriving("axis", "FBB axis-infantry 1\nfront 0510 0609")
    assert hexes(lost, "axis-infantry-FBB") == {"0510", "0609"}
    assert lost.refusal("arrive axis-infantry-FBB 0409 1") == ("8.3", "edge-not-yours")


def test_8_3_german_trucks_enter_by_any_eastern_road(trucks):
    """Whatever army their cargo belongs to."""
    lines = "axis-base axis-truck 1\nFBB axis-infantry 1\nfront 0110 0209 0510"
    table = trucks("axis", lines).play("drive axis-truck-axis-base", "load axis-infantry-FBB 1")
    reach = {text.split()[1] for text in table.choices("stop")}
    assert {"0110", "0209", "0510"} <= reach


def test_8_3_german_trucks_do_not_enter_by_an_allied_edge(trucks):
    """Only 0510 is left, in a zone of control, so that the truck stops there."""
    lines = "axis-base axis-truck 1\nfront 0510\n0409 allied-infantry 1\n0608 allied-infantry 1"
    assert trucks("axis", lines).play("drive axis-truck-axis-base").choices("stop") == ["stop 0510"]


def test_8_4_allied_pieces_enter_at_the_edge_of_their_chart(arriving):
    """The west edge for the 82nd, wherever the Axis has not taken it."""
    table = arriving("allied", "82Abn allied-infantry 1\nfront 0701 0801")
    west = {"0101", "0201", "0301", "0401", "0501", "0601", "0901", "1001"}
    assert hexes(table, "allied-infantry-82Abn") == west
    assert table.refusal("arrive allied-infantry-82Abn 0701 1") == ("8.4", "edge-not-yours")
    assert table.refusal("arrive allied-infantry-82Abn 0105 1") == ("8.4", "not-its-edge")
    assert table.refusal("arrive allied-infantry-82Abn 0200 1") == ("7.15", "partial-hex")


def test_8_4_trucks_of_a_chart_join_those_off_the_board(moving):
    """They enter by road like the others: on turn 2 the two airborne divisions bring one each."""
    table = moving("allied", "0105 allied-infantry 1, allied-supply 1").play("pass")
    assert [event.args["n"] for event in table.said("trucks-join")] == [1, 1]
    assert pieces(table, "allied-base") == "allied-truck 2, allied-supply 11"
    table.play("drive allied-truck-allied-base")
    assert {"0105", "0201", "1007"} <= {text.split()[1] for text in table.choices("stop")}


def test_8_4_an_enemy_in_the_edge_hex_bars_it(arriving):
    """An edge hex that Germans have just entered is still Allied, but nobody can be placed there."""
    table = arriving("allied", "1Inf allied-infantry 1\n0107 axis-tank 1")
    assert "0107" not in hexes(table, "allied-infantry-1Inf")
    assert table.refusal("arrive allied-infantry-1Inf 0107 1") == ("7.7", "enemy-in-hex")


def test_8_5_infantry_and_guns_stay_where_they_are_placed(arriving):
    """They have moved; only tanks drive on."""
    table = arriving("allied", "7Arm allied-infantry 1, allied-tank 2")
    north = {f"01{column:02d}" for column in range(1, 9)}
    assert hexes(table, "allied-infantry-7Arm") == north
    assert {"0105", "0705", "1007"} <= hexes(table, "allied-tank-7Arm")


def test_8_5_tanks_off_the_road_stay(arriving):
    """0103 has no road: a tank placed there goes no farther, so 0203 beside it is out of reach off the road."""
    table = arriving("allied", "7Arm allied-tank 1\n0105 axis-infantry 1\n0107 axis-infantry 1\n0202 axis-infantry 1")
    reach = hexes(table, "allied-tank-7Arm")
    assert "0103" in reach
    assert "0202" not in reach


def test_8_5_an_enemy_zone_at_the_edge_stops(arriving):
    """Tanks and trucks may enter it, and stop there."""
    lines = "FBB axis-tank 1\n0508 allied-infantry 1\n0509 allied-infantry 1\nfront 0409 0510 0609"
    assert hexes(arriving("axis", lines), "axis-tank-FBB") == {"0409", "0510", "0609"}


def test_8_5_trucks_stop_at_an_edge_in_a_zone(trucks):
    """The truck enters Gerolstein under the eyes of the enemy in Prüm."""
    table = trucks("axis", "axis-base axis-truck 1\n0509 allied-infantry 1\nfront 0510").play(
        "drive axis-truck-axis-base"
    )
    assert table.choices("stop") == ["stop 0510"]


def test_8_6_a_blitz_from_off_the_board(arriving):
    """A token from off the board gives the tanks of one formation a hex more, out of zones of control too."""
    lines = (
        "axis-base axis-supply 1\nFBB axis-tank 1\n150Pz axis-tank 1\n0508 allied-infantry 1\n0408 allied-infantry 1"
    )
    table = arriving("axis", f"{lines}\nfront 0409 0310 0209 0110")
    assert hexes(table, "axis-tank-FBB") == {"0409"}
    assert set(table.choices("blitz")) == {"blitz 150Pz", "blitz FBB"}
    table.play("blitz FBB")
    assert hexes(table, "axis-tank-FBB") == {"0309", "0310", "0409", "0509", "0510"}
    assert pieces(table, "axis-base") == ""
    assert table.refusal("blitz FBB") == ("8.6", "blitz-paid")
    assert table.refusal("blitz 150Pz") == ("8.6", "no-supply-off-board")
    assert "0408" not in hexes(table, "axis-tank-150Pz")


def test_8_6_a_blitz_needs_tanks(arriving):
    """A division without tanks has nothing to blitz with."""
    table = arriving("axis", "axis-base axis-supply 1\n3PG axis-infantry 2", turn=3)
    assert table.refusal("blitz 3PG") == ("8.6", "no-tanks-on-chart")
    assert table.refusal("blitz 79VG") == ("8.1", "not-due")
    assert table.refusal("blitz 1Inf") == ("8.1", "not-your-chart")


def test_8_7_what_does_not_enter_may_enter_later(arriving):
    """The 12th SS of turn 1 can still come on turn 5."""
    table = arriving("axis", "12SS axis-infantry 1, axis-tank 1", turn=5)
    assert hexes(table, "axis-infantry-12SS") == {"0110", "0209", "0310"}
    table.play("pass")
    assert pieces(table, "12SS") == "axis-infantry 1, axis-tank 1"


def test_8_8_nothing_of_a_movement_remains(trucks):
    """Activations, moved units and parked trucks are forgotten when a side has moved; spent tokens are gone."""
    lines = "activated 0804\n0804 allied-infantry 1\nmoved 0804 infantry=1\n0105 allied-truck 1"
    table = trucks("allied", lines, turn=1).play("leave allied-truck-0105", "pass")
    text = table.game.write_position(table.state)
    assert "turn 2" in text
    assert not any(word in text for word in ("activated", "moved", "parked"))
