"""Ardennes '44: chapter 11, movement."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    FAR_AWAY,
    GROUND,
    LABELS,
    UNITS,
    bridge,
    cost,
    hexagon,
    labels,
    marked,
    order,
    reach,
    stage,
    unit,
    where,
)
from salient.games.ardennes44.advances import BONUS, LIMITED, REGULAR, advance_options
from salient.games.ardennes44.components import FOOT, MOTOR, VEHICLE
from salient.games.ardennes44.entering import enter
from salient.games.ardennes44.movement import destinations
from salient.games.ardennes44.reinforcements import entry_hexes
from salient.games.ardennes44.retreats import retreat, retreat_options
from salient.games.ardennes44.ways import tactical_steps
from salient.hexes.masks import bits
from salient.kernel import Record, SeededDice, Session, candidates
from salient.kernel.messages import ignore_events


def test_11_1_clear_hexes_cost_one_point(moving: Any) -> None:
    table = moving("german", "6637 2Pz/2", turn=9)
    assert len(reach(table, "2Pz/2")) > 60


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


def test_11_1_a_unit_in_hand_is_no_commitment(moving: Any) -> None:
    """Laid down, or put down for another one, it forfeits nothing: the position is the one before."""
    table = moving("german", "6637 2Pz/2\n6639 2Pz/304")
    before = table.state.key()
    assert table.try_all("select 2Pz/2", "cancel").state.key() == before
    assert table.try_all("select 2Pz/2", "select 2Pz/304", "cancel").state.key() == before
    table.play("select 2Pz/2", "select 2Pz/304", "select 2Pz/2", "move 2Pz/2 6636")
    assert where(table, "2Pz/2") == "6636"


def test_11_1_a_unit_that_stays_has_done_so(moving: Any) -> None:
    table = moving("german", "6637 2Pz/2\n6639 2Pz/304").play("select 2Pz/2", "stay 2Pz/2")
    assert table.refusal("select 2Pz/2") == ("11.1", "moved-already")


def test_11_1_a_unit_under_way_is_finished_first(moving: Any) -> None:
    table = moving("german", "6637 2Pz/2\n6639 2Pz/304").play("select 2Pz/2", "via 2Pz/2 6636")
    for text in ("cancel", "select 2Pz/304", "stay 2Pz/2", "pass"):
        assert table.refusal(text) == ("11.1", "finish-move-first"), text
    table.play("move 2Pz/2 6636")
    assert table.refusal("select 2Pz/2") == ("11.1", "moved-already")


def test_11_1_computer_players_take_the_plain_way(moving: Any) -> None:
    table = moving("german", "6637 2Pz/2\n6639 2Pz/304").play("select 2Pz/2")
    verbs = {action[0] for action in candidates(table.state)}
    assert verbs <= {"move", "march", "exit", "stay"}


@pytest.mark.parametrize("text", ["via 2Pz/2 6620", "via 2Pz/2 6637", "via 2Pz/2 6632"])
def test_11_1_waypoints_that_cannot_be_reached(moving: Any, text: str) -> None:
    table = moving("german", f"6637 2Pz/2\n6632 84/334\n{FAR_AWAY}").play("select 2Pz/2")
    assert table.refusal(text)[0] == "11.1"


def test_11_1_the_allowance_holds_for_the_whole_way(moving: Any) -> None:
    """Six points of clear ground, however many stretches they are."""
    table = moving("german", f"6637 2Pz/2\n{FAR_AWAY}").play("select 2Pz/2")
    ends = table.destinations("2Pz/2")
    table.play("via 2Pz/2 6636", "via 2Pz/2 6637", "via 2Pz/2 6636", "via 2Pz/2 6635")
    left = table.destinations("2Pz/2")
    assert "6635" in left
    assert left < ends | {"6637"}
    assert all(GROUND.board.distance(hexagon("6635"), hexagon(h)) <= 2 for h in left)


def test_11_1_a_waypoint_in_an_enemy_zone_is_the_last_one(moving: Any) -> None:
    table = moving("german", f"6637 2Pz/2\n6634 84/334\n{FAR_AWAY}").play("select 2Pz/2", "via 2Pz/2 6635")
    assert table.choices("via") == []
    assert table.destinations("2Pz/2") == {"6635"}


def test_11_1_a_waypoint_beside_it_is_that_very_step(moving: Any) -> None:
    """Also where only tactical movement takes the step and a way round is open by points (11.3)."""
    table = moving("allied", "0423 5/11\n0621 2Pz/2").play("select 5/11")
    seen = table.game.view.preview(table.state, table.game.read("via 5/11 0522"))
    assert seen["path"] == ["0423", "0522"]
    table.play("via 5/11 0522", "via 5/11 0622", "move 5/11 0622")
    assert where(table, "5/11") == "0622"


def test_11_1_records_keep_the_waypoints_and_not_the_second_thoughts(moving: Any) -> None:
    table = moving("german", f"6637 2Pz/2\n6639 2Pz/304\n{FAR_AWAY}")
    session = Session(table.game, SeededDice(1))
    session.state, session._draft_began = table.state, table.state
    for text in ("select 2Pz/2", "cancel", "select 2Pz/304", "select 2Pz/2", "via 2Pz/2 6636", "move 2Pz/2 6635"):
        session.play("german", table.game.read(text))
    moves = Record.parse(session.record().text()).moves
    assert [move.text for move in moves] == ["select 2Pz/2", "via 2Pz/2 6636", "move 2Pz/2 6635"]


def test_11_1_the_last_move_does_not_end_the_phase(moving: Any) -> None:
    """Nothing is left to do, and yet the enemy does not come to the turn before the mover says so."""
    table = moving("german", "6637 2Pz/Rec\n2711 84/334").play("select 2Pz/Rec", "move 2Pz/Rec 6636")
    assert (table.actor, table.choices()) == ("german", ["pass"])


def test_11_1_a_side_that_can_do_nothing_is_not_asked(moving: Any) -> None:
    table = moving("german", "6637 2Pz/2 engaged\n6638 84/334")
    assert not table.choices("select")


def test_11_2_extended_movement_never_ends_next_to_the_enemy(moving: Any) -> None:
    """A regiment of three points goes five, but not beside an enemy."""
    table = moving("allied", "6637 84/334\n6632 2Pz/2")
    assert "6634" in reach(table, "84/334")
    assert "6633" not in reach(table, "84/334")


def test_11_2_mechanized_units_have_none() -> None:
    s = stage("allied", "6637 84/771\n6634 84/334")
    assert "extended" not in {reach.mode for reach in destinations(s, UNITS.index["84/771"]).values()}
    assert "extended" in {reach.mode for reach in destinations(s, UNITS.index["84/334"]).values()}


def test_11_2_extended_movement_does_not_stop_beside_the_enemy_under_way(moving: Any) -> None:
    """After three points a regiment on foot may go on, but not to a hex next to the enemy."""
    table = moving("allied", "6637 84/334\n6631 2Pz/2").play("select 84/334", "via 84/334 6634")
    assert "6633" in table.destinations("84/334")
    assert "6632" not in table.destinations("84/334")
    assert table.refusal("move 84/334 6632") == ("11.2", "extended-next-to-enemy")


def test_11_3_tactical_movement_ignores_costs() -> None:
    """Two hexes of forest, which would cost infantry four points, and the zone it leaves."""
    plain, _ = tactical_steps(GROUND, FOOT, 0, hexagon("1432"))
    assert plain >> hexagon("1532") & 1


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


def test_11_3_two_hexes_whatever_the_stretches(moving: Any) -> None:
    table = moving("allied", "6637 84/334 disrupted").play("select 84/334", "via 84/334 6636")
    assert table.destinations("84/334") <= {"6636", *labels(GROUND.board.adjacent[hexagon("6636")])}
    table.play("via 84/334 6635")
    assert table.destinations("84/334") == {"6635"}


def test_11_4_1_infantry_crosses_a_river_only_from_its_bank(moving: Any) -> None:
    blown = (1 << len(GROUND.bridges)) - 1
    table = moving("german", "1106 212VG/320", turn=5, blown=blown)
    assert "1206" in reach(table, "212VG/320")
    assert "1206" not in reach(moving("german", "1107 212VG/320", turn=5, blown=blown), "212VG/320")


def test_11_4_1_vehicles_need_a_bridge(moving: Any) -> None:
    broken = moving("german", "1106 5FJ/11StG", turn=5, blown=bridge("1105/1106"))
    assert "1105" not in reach(broken, "5FJ/11StG")
    assert "1105" in reach(moving("german", "1106 5FJ/11StG", turn=5, blown=0), "5FJ/11StG")


def test_11_4_1_a_river_is_crossed_in_the_first_step_only(moving: Any) -> None:
    """Who is led to the bank has not begun beside it."""
    a, b = next(
        (a, b)
        for a, b in sorted(GROUND.river)
        if (a, b) not in GROUND.bridge and GROUND.board.terrain[a] == "clear" and GROUND.column[a] > 45
    )
    inland = next(h for h in GROUND.board.adjacent[a] if h not in GROUND.board.adjacent[b] and h != b)
    name, here = GROUND.board.labels[b], GROUND.board.labels[inland]
    beside = moving("allied", f"{GROUND.board.labels[a]} 84/334").play("select 84/334")
    assert name in beside.destinations("84/334")
    led = moving("allied", f"{here} 84/334").play("select 84/334", f"via 84/334 {GROUND.board.labels[a]}")
    assert name not in led.destinations("84/334")


def test_11_4_2_no_retreat_across_the_meuse() -> None:
    a, b = next((a, b) for a, b in sorted(GROUND.meuse) if not GROUND.west_of_meuse >> a & 1)
    s = stage("german", f"{GROUND.board.labels[a]} 84/334")
    options = retreat_options(s, unit("84/334"), (unit("84/334"),), 1)[0]
    assert b not in options


def test_11_5_vehicles_enter_forest_by_road_only() -> None:
    assert cost("1433", "1432", VEHICLE) is None
    assert cost("1433", "1333", VEHICLE) is not None
    assert cost("1433", "1432", MOTOR) == 4
    assert cost("1433", "1432", MOTOR, frozen=True) == 3
    assert cost("1433", "1432", FOOT) == 2


def test_11_5_the_westwall_is_closed_to_vehicles_off_the_road() -> None:
    assert cost("1106", "1006", VEHICLE) is None
    assert cost("1106", "1006", FOOT) is not None


def test_11_6_rough_woods_need_tactical_movement(moving: Any) -> None:
    """From the bank only, and never two such hexsides."""
    assert cost("2216", "2116", FOOT) is None
    plain, hard = tactical_steps(GROUND, FOOT, 0, hexagon("2216"))
    assert hard >> hexagon("2116") & 1
    assert not plain >> hexagon("2116") & 1
    assert tactical_steps(GROUND, VEHICLE, 0, hexagon("2216"))[1] == 0


@pytest.mark.parametrize(
    ("start", "between", "beyond"),
    [
        ("2216", "2116", {"2016", "2017"}),  # into the valley of the Our and out of it
        ("0906", "1007", {"1008"}),  # two rivers
        ("2015", "2114", {"2214"}),  # a valley, then a river
        ("2016", "2115", {"2114"}),  # a river, then a valley
    ],
)
def test_11_6_not_two_barriers_in_a_phase(start: str, between: str, beyond: set[str]) -> None:
    """With all bridges blown a unit on foot crosses one river or rough-woods hexside and stops short of the next."""
    s = stage("german", f"{start} 79VG/208", turn=9, blown=(1 << len(GROUND.bridges)) - 1)
    found = {LABELS[h] for h in destinations(s, UNITS.index["79VG/208"])}
    assert between in found
    assert all(tactical_steps(GROUND, FOOT, s.blown, hexagon(between))[1] >> hexagon(label) & 1 for label in beyond)
    assert not found & beyond
    closer = stage("german", f"{between} 79VG/208", turn=9, blown=s.blown)
    assert beyond <= {LABELS[h] for h in destinations(closer, UNITS.index["79VG/208"])}


def test_11_7_primary_roads_cost_half_a_point_to_motors() -> None:
    assert cost("2217", "2216", VEHICLE) == 0.5
    assert cost("2217", "2216", FOOT) == 1


def test_11_8_forest_roads_cost_two_until_the_frost() -> None:
    assert cost("1333", "1433", VEHICLE) == 2
    assert cost("1333", "1433", VEHICLE, frozen=True) == 1


def test_11_9_1_allies_leave_into_boxes(moving: Any) -> None:
    table = moving("allied", "2101 84/334")
    table.play("select 84/334", "leave 84/334 southeast")
    assert where(table, "84/334") == "southeast"


def test_11_9_1_a_ready_gun_drives_off_the_map_with_the_points_of_its_fired_side(moving: Any) -> None:
    """Three hexes and the edge are within six points, ready or not; in the box it has fired."""
    for fired in (0, 1 << unit("V/190")):
        table = moving("allied", "2104 V/190", fired=fired).play("select V/190")
        assert table.choices("leave V/190") == ["leave V/190 southeast"]
        table.play("leave V/190 southeast")
        assert (where(table, "V/190"), marked(table, "fired", "V/190")) == ("southeast", True)


def test_11_9_1_allies_leave_in_an_advance(fighting: Any) -> None:
    """The Volksgrenadiers flee from 6937: a victor at the edge may go off the map; his friend inland may not."""
    table = fighting("allied", "6937 79VG/208\n7037 84/334, 84/771\n6837 84/335")
    table.play("attack 6937", "join 84/334", "join 84/335", "join 84/771", "resolve", "roll 1")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert table.choices("leave") == ["leave 84/334 west", "leave 84/771 west"]
    table.play("leave 84/334 west")
    assert where(table, "84/334") == "west"
    assert table.said("leaves")[0].rule == "11.9.1"
    assert table.refusal("leave 84/771 southwest") == ("11.9.1", "no-way-to-box")


def advance_boxes(lines: str, name: str, kind: str, target: str, **changes: Any) -> set[str]:
    """The boxes that a unit may advance into."""
    s = stage("allied", lines, **changes)
    return {GROUND.places[h] for h in advance_options(s, UNITS.index[name], hexagon(target), kind) if h >= GROUND.hexes}


def test_11_9_1_leaving_costs_a_hex_of_the_advance() -> None:
    """At the edge any advance but a limited one is enough, one hex from it two are needed, two from it three."""
    for at, kinds in (("7037", {REGULAR, BONUS}), ("6937", {BONUS}), ("6837", set())):
        found = {k for k in (LIMITED, REGULAR, BONUS) if advance_boxes(f"{at} 84/771", "84/771", k, "6838")}
        assert found == kinds, at


def test_11_9_1_the_road_bonus_leads_off_the_map_by_an_entry_hex_only() -> None:
    """A road runs off the map at 7034; the one from 3739 runs along the edge at 3840; infantry on foot has no bonus."""
    assert advance_boxes("6933 84/771", "84/771", REGULAR, "6833") == {"west"}
    assert advance_boxes("6933 84/334", "84/334", REGULAR, "6833") == set()
    assert advance_boxes("3739 84/771", "84/771", REGULAR, "3840") == set()
    assert advance_boxes("3739 84/771", "84/771", BONUS, "3840") == {"northwest"}


def test_11_9_1_germans_do_not_leave_in_an_advance() -> None:
    s = stage("german", "7037 2Pz/3/1\n7034 2Pz/2")
    for name in ("2Pz/3/1", "2Pz/2"):
        assert max(advance_options(s, UNITS.index[name], hexagon("6937"), BONUS)) < GROUND.hexes


def test_11_9_1_an_advantage_does_not_leave_with_its_unit(fighting: Any) -> None:
    """Who goes off the map has left the hex of his marker, here against 6936 (16.6)."""
    lines = "6937 79VG/208\n6936 79VG/212\n7037 84/334, 84/771\n6838 84/335\nadvantage 7037 6936 84/334"
    table = fighting("allied", lines)
    table.play("attack 6937", "join 84/334", "join 84/335", "join 84/771", "resolve", "roll 1")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert table.state.advantage
    assert table.play("leave 84/334 west").state.advantage == ()


def test_11_9_1_on_the_east_map_alone_its_edges_are_edges(moving: Any) -> None:
    """From 4012 to the west, from 3301 to the south; from the West box a road leads back."""
    for at, box in (("4013", "west"), ("3301", "southeast")):
        table = moving("allied", f"{at} 84/771", scenario="six-turns", turn=4).play("select 84/771")
        assert f"leave 84/771 {box}" in table.choices("leave")
    back = moving("allied", "west 4/70", scenario="six-turns", turn=4).play("select 4/70")
    assert back.choices("enter")


def test_11_9_1_units_on_the_march_leave_the_map(moving: Any) -> None:
    """By road, as by any other movement; the edge costs a point, and the marker is used [12.4.1]."""
    table = moving("allied", "1809 84/771").play("select 84/771")
    assert "leave 84/771 southeast" in table.choices("leave")
    table.play("leave 84/771 southeast")
    assert where(table, "84/771") == "southeast"
    assert marked(table, "march", "84/771")


def test_11_9_1_trucks_leave_the_map(moving: Any) -> None:
    table = moving("allied", "1804 84/334 march").play("select 84/334")
    assert "leave 84/334 southeast" in table.choices("leave")


def test_11_9_2_refusals_name_the_rule(moving: Any) -> None:
    table = moving("german", "6637 2Pz/2")
    table.play("select 2Pz/2")
    assert table.refusal("exit 2Pz/2 7021") == ("11.9.3", "no-exit-there")
    assert table.refusal("leave 2Pz/2 west") == ("11.9.2", "germans-stay-on-map")


def test_11_9_3_germans_leave_for_antwerp_by_f_and_g(moving: Any) -> None:
    table = moving("german", "7021 2Pz/3/1")
    table.play("select 2Pz/3/1", "exit 2Pz/3/1 7021")
    assert where(table, "2Pz/3/1") == "antwerp"
    assert table.state.exits == 1 << hexagon("7021")


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


def test_11_9_4_who_retreated_off_the_map_recovers_first(moving: Any) -> None:
    """A disrupted unit in a box cannot enter, nor go to another box."""
    table = moving("allied", "southeast 84/334 disrupted\n6637 84/335").play("select 84/334")
    assert table.choices("enter") + table.choices("station") == []


def test_11_10_1_army_boundaries_until_turn_5(moving: Any) -> None:
    """A division of 5th Panzer Army does not enter the sector of 7th Army before turn 5."""
    line = "1514 Lehr/901"
    foreign = {LABELS[h] for h in bits(GROUND.army_zone["7A"])}
    assert not reach(moving("german", line, turn=3), "Lehr/901") & foreign
    assert reach(moving("german", line, turn=5), "Lehr/901") & foreign


def army(name: str) -> set[str]:
    """The hexes on an army's side of the lines."""
    return {GROUND.board.labels[h] for h in bits(GROUND.army_zone[name])}


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


def test_11_10_1_reinforcements_enter_where_the_table_says() -> None:
    """669th Ost of 7th Army comes at L on turn 3, in the sector of 5th Panzer Army."""
    s = stage("german", "track 669Ost", turn=3)
    assert entry_hexes(s, unit("669Ost"))


def test_11_10_2_who_was_driven_across_may_come_back(moving: Any) -> None:
    """Two hexes beyond the line a regiment moves as others do, and back over the line."""
    found = reach(moving("german", "1625 12VG/27", turn=4), "12VG/27")
    assert found & army("5Pz")
    assert found & army("6Pz")


def test_11_10_2_no_advance_across_a_line() -> None:
    """Not even into the hex that was won; on turn 5 it may be entered."""
    s = stage("german", "1328 12VG/27", turn=4)
    found = {GROUND.board.labels[h] for h in advance_options(s, unit("12VG/27"), hexagon("1327"), BONUS)}
    assert found & army("6Pz")
    assert not found & army("5Pz")
    s.turn = 5
    assert hexagon("1327") in advance_options(s, unit("12VG/27"), hexagon("1327"), BONUS)


def test_11_10_2_no_recovery_over_the_army_boundary(phase: Any) -> None:
    """Until turn 5, and only for who was driven there: others recover in any sector."""
    foreign = GROUND.board.labels[bits(GROUND.army_zone["7A"] & ~GROUND.objectives)[0]]
    lines, driven = f"{foreign} 2Pz/2 disrupted", 1 << unit("2Pz/2")
    assert order(phase("german-recovery", "german", lines, turn=3, driven=driven), "2Pz/2") == 1
    assert order(phase("german-recovery", "german", lines, turn=5, driven=driven), "2Pz/2") == 0
    assert order(phase("german-recovery", "german", lines, turn=3), "2Pz/2") == 0


def test_11_10_2_a_retreat_over_the_line_is_remembered_until_the_way_back() -> None:
    """12th Volksgrenadier is driven from 1328 to 1327 and beyond, and comes home."""
    s, u = stage("german", "1328 12VG/27", turn=3), unit("12VG/27")
    retreat(s, u, (hexagon("1328"), hexagon("1327"), hexagon("1326")), 2, False, ignore_events)
    assert s.driven == 1 << u
    enter(s, u, [hexagon("1326"), hexagon("1327")], ignore_events)
    assert s.driven == 1 << u
    enter(s, u, [hexagon("1327"), hexagon("1328")], ignore_events)
    assert not s.driven


def test_11_10_2_west_of_the_line_nobody_is_driven_across() -> None:
    s, u = stage("german", "2028 12VG/27", turn=3), unit("12VG/27")
    retreat(s, u, (hexagon("2028"), hexagon("2027"), hexagon("2026")), 2, False, ignore_events)
    assert not s.driven
