"""Battle of the Bulge: chapter 7, movement."""

from __future__ import annotations

import pytest

from games.bulge.positions import held, number, pieces


def test_7_1_trucks_return_before_anybody_moves(returning):
    """The Axis is asked first, then the Allies; nobody must return, and it can be taken back until done."""
    table = returning("axis", "0510 axis-truck 2\n0209 axis-infantry 1, axis-supply 1")
    assert table.choices() == ["done", "return axis-truck-0510 1", "return axis-truck-0510 2"]
    back = table.try_all("return axis-truck-0510 2")
    assert back.refusal("return axis-truck-0510 1") == ("7.1", "returned-already")
    assert back.try_all("drop axis-truck-0510").state.key() == table.state.key()
    table.play("return axis-truck-0510 2", "done")
    assert pieces(table, "axis-base") == "axis-truck 2"
    assert (table.actor, table.choices("activate")) == ("axis", ["activate 0209"])


def test_7_1_trucks_return_in_any_order(returning):
    """From the hex with the higher number first, or last."""
    table = returning("axis", "0510 axis-truck 1\n0409 axis-truck 1\n0209 axis-infantry 1")
    one = table.try_all("return axis-truck-0510 1", "return axis-truck-0409 1")
    assert one.state.key() == table.try_all("return axis-truck-0409 1", "return axis-truck-0510 1").state.key()


def test_7_1_both_sides_are_asked_in_turn(combat):
    """When ground combat is over."""
    table = combat(
        "axis", "0809 axis-infantry 1, axis-supply 1\n0808 allied-infantry 1\n0510 axis-truck 1\n0105 allied-truck 1"
    )
    table.play("pass")
    assert (table.actor, table.choices("return")) == ("axis", ["return axis-truck-0510 1"])
    table.play("done")
    assert (table.actor, table.choices("return")) == ("allied", ["return allied-truck-0105 1"])


def test_7_1_zones_across_every_road_hold_the_truck(returning):
    """The official ruling asks for a road home that crosses no enemy zone of control."""
    ring = "0806 allied-truck 1\n0105 allied-truck 1\n0605 axis-infantry 1\n0808 axis-infantry 1"
    assert "return allied-truck-0806 1" in returning("allied", ring).choices("return")
    closed = returning("allied", f"{ring}\n1005 axis-infantry 1")
    assert closed.refusal("return allied-truck-0806 1") == ("7.1", "no-road-home")


def test_7_1_enemy_cities_bar_the_road(returning):
    """Every road from Martelange leads into a city; one of them Allied is enough."""
    lines = "0805 allied-truck 1\n0105 allied-truck 1"
    closed = returning("allied", f"{lines}\nfront 0705 0706 0807 0906")
    assert closed.refusal("return allied-truck-0805 1") == ("7.1", "no-road-home")
    assert "return allied-truck-0805 1" in returning("allied", f"{lines}\nfront 0706 0807 0906").choices("return")


def test_7_1_a_hostile_edge_is_no_home(returning):
    """The road must end on a hex of the own side of the front."""
    table = returning("allied", "0105 allied-truck 1\n0108 allied-truck 1\nfront 0108 0107 0207")
    assert table.choices("return") == ["return allied-truck-0105 1"]
    assert table.refusal("return axis-truck-0105 1") == ("7.1", "not-your-truck")
    assert table.refusal("return allied-truck-0105 2") == ("7.1", "not-so-many")


def test_7_2_the_axis_moves_and_reinforces_first(moving):
    """After its movement it receives supply and places reinforcements, then the Allies move."""
    lines = "0209 axis-infantry 1, axis-supply 1\n0107 allied-infantry 1, allied-supply 1\nFBB axis-infantry 1"
    table = moving("axis", lines).play("pass")
    assert table.actor == "axis"
    assert table.choices("arrive") == [f"arrive axis-infantry-FBB {h} 1" for h in ("0409", "0510", "0609")]
    table.play("pass")
    assert (table.actor, table.choices("activate")) == ("allied", ["activate 0107"])


def test_7_3_one_token_activates_all_units_of_a_hex(moving):
    """Infantry, tanks and artillery together."""
    table = moving("axis", "0209 axis-infantry 2, axis-tank 1, axis-artillery 1, axis-supply 3").play("activate 0209")
    assert pieces(table, "0209").endswith("axis-supply 2")
    assert {text.split()[1] for text in table.choices("move")} == {
        "axis-infantry-0209",
        "axis-tank-0209",
        "axis-artillery-0209",
    }


def test_7_3_a_token_next_door_pays(moving):
    """If its hex is on the own side of the front and free of enemies; the owner chooses among several."""
    table = moving("axis", "0209 axis-infantry 1\n0309 axis-supply 1\n0310 axis-supply 1").play("activate 0209")
    assert table.choices() == ["pay 0309", "pay 0310", "cancel"]
    table.play("pay 0310")
    assert pieces(table, "0310") == ""


def test_7_3_who_has_not_paid_takes_the_activation_back(moving):
    """While several hexes could pay, nothing is spent and another hex may be activated; the same for a blitz."""
    lines = "0209 axis-infantry 1, axis-tank 2\n0309 axis-supply 2\n0310 axis-supply 2\n0110 axis-infantry 1"
    table = moving("axis", lines)
    chosen = table.try_all("activate 0209")
    assert chosen.state.stack[-1].draft(chosen.state) == (("activate", number("0209")),)
    assert not chosen.said("activates")
    assert chosen.try_all("cancel").state.key() == table.state.key()
    table.play("activate 0209", "pay 0309")
    assert table.said("activates")
    assert table.try_all("blitz 0209", "cancel").state.key() == table.state.key()
    assert table.refusal("cancel") == ("7.2", "move-first")


@pytest.mark.parametrize(
    ("supply", "refusal"),
    [
        ("0608 axis-supply 1", ("7.3", "no-supply-to-move")),
        ("0107 axis-supply 1", ("7.3", "no-supply-to-move")),
        ("0309 axis-supply 1, allied-truck 1", ("7.3", "no-supply-to-move")),
        ("aboard 0209 supply=2\n0209 axis-truck 1, axis-infantry 1", ("7.3", "no-supply-to-move")),
    ],
)
def test_7_3_tokens_that_do_not_pay(moving, supply, refusal):
    """Too far, behind the enemy's front, among enemies, or on a truck."""
    lines = supply if "0209 axis" in supply else f"0209 axis-infantry 1\n{supply}"
    assert moving("axis", f"{lines}\n0510 axis-infantry 1, axis-supply 1").refusal("activate 0209") == refusal


def test_7_3_rivers_do_not_hinder_payment(moving):
    """A token across the Our pays."""
    table = moving("axis", "0507 axis-infantry 1\n0607 axis-supply 1").play("activate 0507")
    assert pieces(table, "0607") == ""


def test_7_4_units_move_in_several_directions_or_wait_for_a_truck(moving):
    """Of three infantry one goes west, one east; the third is fetched by a truck."""
    lines = "0804 allied-infantry 3, allied-supply 1\n0705 allied-truck 1"
    table = moving("allied", lines, turn=1).play("activate 0804", "move allied-infantry-0804 0803 1")
    table.play("move allied-infantry-0804 0805 1", "pass")
    assert table.choices("drive") == ["drive allied-truck-0705"]
    table.play("drive allied-truck-0705")
    assert table.choices("load") == ["load allied-infantry-0804 1"]
    table.play("load allied-infantry-0804 1", "stop 0301", "pass")
    assert pieces(table, "0301") == "allied-infantry 1, allied-truck 1"


def test_7_4_units_that_moved_are_not_fetched(trucks):
    """Nor are those of hexes that were not activated."""
    lines = "activated 0804\n0804 allied-infantry 1\nmoved 0804 infantry=1\n0705 allied-truck 1\n0704 allied-infantry 1"
    assert trucks("allied", lines).play("drive allied-truck-0705").choices("load") == []


def test_7_5_a_zone_stops_on_the_road(moving):
    """Germans in La Roche and Cherain close the roads north of Houffalize to a tank that comes from Bastogne."""
    lines = "0705 allied-tank 1, allied-supply 1\n0505 axis-infantry 1\n0507 axis-infantry 1\nfront 0505 0507"
    reach = moving("allied", lines).play("activate 0705").destinations("allied-tank-0705")
    assert {"0604", "0605", "0606"} <= reach
    assert "0506" not in reach


def test_7_5_leaving_a_zone_is_one_hex(moving):
    """A tank that starts in an enemy zone of control goes one hex, on the road too."""
    table = moving("allied", "0705 allied-tank 1, allied-supply 1\n0706 axis-infantry 1\nfront 0706").play(
        "activate 0705"
    )
    assert table.destinations("allied-tank-0705") == {"0604", "0605", "0704", "0804", "0805"}
    assert table.refusal("move allied-tank-0705 0603 1") == ("7.5", "leaving-zone-stops")


def test_7_6_an_enemy_city_stops(moving):
    """Without an enemy about, a tank stops in the first city beyond the line: St. Vith, not Vielsalm behind it."""
    table = moving("axis", "0508 axis-tank 1, axis-supply 1").play("activate 0508")
    reach = table.destinations("axis-tank-0508")
    assert "0407" in reach
    assert not reach & {"0406", "0307"}
    taken = moving("axis", "0508 axis-tank 1, axis-supply 1\nfront 0508 0407").play("activate 0508")
    assert {"0406", "0307"} <= taken.destinations("axis-tank-0508")


def test_7_6_trucks_stop_in_enemy_cities_too(trucks):
    """A German truck reaches St. Vith and no farther."""
    table = trucks("axis", "0508 axis-truck 1").play("drive axis-truck-0508")
    reach = {text.split()[1] for text in table.choices("stop")}
    assert "0407" in reach
    assert not reach & {"0406", "0307"}


def test_7_7_nobody_enters_a_hex_with_enemy_combat_units(moving):
    """Infantry is barred from the hex and offered all others."""
    table = moving("allied", "0705 allied-infantry 1, allied-supply 1\n0706 axis-artillery 1\nfront 0706").play(
        "activate 0705"
    )
    assert table.refusal("move allied-infantry-0705 0706 1") == ("7.7", "enemy-in-hex")
    assert table.destinations("allied-infantry-0705") == {"0604", "0605", "0704", "0804", "0805"}


def test_7_7_combat_units_enter_hexes_with_trucks_and_supply(moving):
    """And drive on through them."""
    table = moving("allied", "0804 allied-tank 1, allied-supply 1\n0705 axis-truck 1, axis-supply 2").play(
        "activate 0804"
    )
    assert {"0705", "0604", "0605"} <= table.destinations("allied-tank-0804")


def test_7_8_passing_through_takes_nothing(moving):
    """A tank that drives through Hosingen to Diekirch takes Diekirch and what lies east of it, not Hosingen."""
    table = moving("axis", "0708 axis-tank 1, axis-supply 1").play("activate 0708")
    before = held(table)
    table.play("move axis-tank-0708 0807 1")
    assert [event.args["hexes"] for event in table.said("moves")] == [tuple(map(number, ("0708", "0707", "0807")))]
    assert held(table) == before
    while table.state.turn == 2:
        table.play("pass")
    assert held(table) - before == {"0807", "0908"}


def test_7_9_empty_trucks_leave_from_a_friendly_road_edge(trucks):
    """Even from an enemy zone of control; they do not come back on the same turn."""
    table = trucks("allied", "0105 allied-truck 1\n0205 axis-infantry 1")
    table.play("leave allied-truck-0105")
    assert pieces(table, "allied-base").startswith("allied-truck 1")
    assert table.state.stack[-1].__class__.__name__ != "Trucks"


def test_7_9_trucks_do_not_leave_elsewhere(trucks):
    """Not from inland, not from an edge hex behind the enemy's front, not from the enemy's edge."""
    table = trucks("allied", "0705 allied-truck 1\n0109 allied-truck 1\n0510 allied-truck 1\n0105 allied-truck 1")
    assert table.choices("leave") == ["leave allied-truck-0105"]
    assert table.refusal("leave allied-truck-0705") == ("7.9", "not-at-the-edge")
    assert table.refusal("leave allied-truck-0510") == ("7.9", "not-at-the-edge")
    assert table.refusal("leave allied-truck-0109") == ("7.9", "edge-not-yours")


def test_7_9_combat_units_stay_on_the_board(moving):
    """An infantry in an edge hex has on-board neighbours only."""
    table = moving("allied", "0105 allied-infantry 1, allied-supply 1").play("activate 0105")
    assert table.destinations("allied-infantry-0105") == {"0104", "0106", "0204", "0205"}


def test_7_10_a_hex_and_its_units_move_once(moving):
    """Neither a second activation of the hex nor one of units that have moved into another."""
    lines = "0804 allied-infantry 2, allied-supply 3\n0603 allied-infantry 1, allied-supply 1"
    table = moving("allied", lines).play("activate 0804", "move allied-infantry-0804 0805 1", "pass")
    assert table.refusal("activate 0804") == ("7.10", "activated-already")
    assert table.refusal("activate 0805") == ("7.3", "nobody-to-move")
    table.play("activate 0603")
    assert table.refusal("move allied-infantry-0603 0703 2") == ("7.10", "not-so-many")


def test_7_11_limits_of_a_hex(combat):
    """Twelve units, six infantry, six tanks, three artillery; tokens together count one."""
    full = "0709 axis-infantry 6, axis-tank 5, axis-supply 4"
    table = combat("axis", f"{full}\n0808 axis-infantry 1, axis-tank 1, axis-supply 1\n0807 allied-infantry 1")
    assert table.game.check(table.state) == []
    state = table.game.read_position(table.game.write_position(table.state).replace("axis-tank 5", "axis-tank 6"))
    assert table.game.check(state) == ["too many units in 0709 [7.11]"]


def test_7_11_limits_do_not_hinder_movement(moving):
    """A seventh infantry moves in; upkeep looks at the stack."""
    table = moving("axis", "0309 axis-infantry 6\n0209 axis-infantry 1, axis-supply 1").play("activate 0209")
    table.play("move axis-infantry-0209 0309 1")
    assert pieces(table, "0309") == "axis-infantry 7"


def test_7_12_nothing_is_captured_before_upkeep(moving):
    """The tokens of the overrun hex still belong to the enemy, and neither side can pay with them."""
    lines = "0704 allied-infantry 1, allied-supply 1\n0803 axis-supply 2\n0802 allied-infantry 1"
    table = moving("allied", lines).play("activate 0704", "move allied-infantry-0704 0803 1")
    assert pieces(table, "0803") == "axis-supply 2, allied-infantry 1"
    assert "activate 0802" not in table.choices()


def test_7_12_an_overrun_truck_may_escape(trucks):
    """It is its owner's until upkeep: it drives one hex, out of every zone it can."""
    table = trucks("allied", "0705 axis-infantry 1, allied-truck 1, allied-supply 1").play("drive allied-truck-0705")
    assert table.choices("load") == ["load allied-supply-0705 1"]
    assert {text.split()[1] for text in table.choices("stop")} == {"0604", "0605", "0704", "0706", "0804", "0805"}


def test_7_13_roads_run_from_hex_to_hex(trucks):
    """St. Vith and Clervaux are joined by a road through Burg-Reuland; Cherain's hex is not on it directly."""
    table = trucks("allied", "0407 allied-truck 1\n0507 axis-infantry 1").play("drive allied-truck-0407")
    reach = {text.split()[1] for text in table.choices("stop")}
    assert "0507" not in reach
    assert {"0406", "0307"} <= reach


def test_7_13_bridges_are_roads(moving):
    """A tank crosses the Our by the bridge from Dasburg to Clervaux."""
    table = moving("axis", "0607 axis-tank 1, axis-supply 1").play("activate 0607")
    assert "0606" in table.destinations("axis-tank-0607")


@pytest.mark.parametrize(("kind", "crosses"), [("infantry", True), ("tank", False), ("artillery", False)])
def test_7_14_water_bars_all_but_infantry(moving, kind, crosses):
    """The Salm between Manhay and Vielsalm has no bridge."""
    lines = f"0405 allied-{kind} 1, allied-supply 1\n0505 axis-infantry 1\n0306 axis-infantry 1\n0507 axis-infantry 1"
    table = moving("allied", lines).play("activate 0405")
    assert ("0406" in table.destinations(f"allied-{kind}-0405")) is crosses
    if not crosses:
        assert table.refusal(f"move allied-{kind}-0405 0406 1") == ("7.14", "river-without-bridge")


def test_7_15_partial_hexes_are_closed(moving):
    """From 0301 the west is cut off by the edge."""
    table = moving("allied", "0301 allied-infantry 1, allied-supply 1").play("activate 0301")
    assert table.destinations("allied-infantry-0301") == {"0201", "0302", "0401"}
    assert table.refusal("move allied-infantry-0301 0200 1") == ("7.15", "partial-hex")


def test_7_3_a_move_beyond_the_tokens_and_a_city_left_empty_are_warned_of(moving):
    """No token can pay for what goes too far; only both tanks together leave the city in 0407 empty."""
    lines = "0407 axis-tank 2, axis-supply 2\nfront 0407\n0105 allied-infantry 1"
    table = moving("axis", lines).play("activate 0407")
    warned = {text: table.warned(text) for text in table.choices("move axis-tank-0407")}
    assert any("would-leave-supply" in found for found in warned.values())
    assert {text.split()[-1] for text, found in warned.items() if "would-leave-empty" in found} == {"2"}


def test_7_3_ending_the_movement_names_hexes_without_a_token(moving):
    """A hex for which nothing can pay is named at the end of the movement."""
    poor = moving("axis", "0509 axis-infantry 2, axis-supply 1\n0806 axis-infantry 1\n0105 allied-infantry 1")
    assert "ends-unsupplied" in poor.warned("pass")
