"""The way of a move (11.1): waypoints, effects of the hexes passed, a unit in hand that may be laid down again."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from tests.games.ardennes44.conftest import hexagon, march_reach, marked, stage, unit, where

from salient import load
from salient.games.ardennes44 import model
from salient.games.ardennes44.entering import DUMMY, HIDDEN
from salient.games.ardennes44.movement import destinations, route
from salient.games.ardennes44.reinforcements import entry_hexes
from salient.games.ardennes44.supply import sources
from salient.games.ardennes44.ways import search
from salient.kernel import Record, SeededDice, Session, candidates
from table import Table

ST_VITH = 1 << model.ST_VITH
FAR_AWAY = "0129 2SS/3"  # keeps the German phase from ending


def labels(way: Any) -> list[str]:
    return [model.BOARD.labels[h] for h in way]


def effects(table: Table, text: str) -> list[str]:
    """The effects that a preview names."""
    preview = table.game.preview(table.state, table.game.read(text))
    return [effect["key"] for effect in preview.get("effects", [])]


def last_way(table: Table) -> list[str]:
    return labels(table.said("moves")[-1].args["hexes"])


# ---- 11.1 A unit in hand --------------------------------------------------------------------------------------


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


# ---- 11.1 Waypoints ----------------------------------------------------------------------------------------------


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
    assert all(model.BOARD.distance(hexagon("6635"), hexagon(h)) <= 2 for h in left)


def test_11_1_a_waypoint_in_an_enemy_zone_is_the_last_one(moving: Any) -> None:
    table = moving("german", f"6637 2Pz/2\n6634 84/334\n{FAR_AWAY}").play("select 2Pz/2", "via 2Pz/2 6635")
    assert table.choices("via") == []
    assert table.destinations("2Pz/2") == {"6635"}


def test_11_2_extended_movement_does_not_stop_beside_the_enemy_under_way(moving: Any) -> None:
    """After three points a regiment on foot may go on, but not to a hex next to the enemy."""
    table = moving("allied", "6637 84/334\n6631 2Pz/2").play("select 84/334", "via 84/334 6634")
    assert "6633" in table.destinations("84/334")
    assert "6632" not in table.destinations("84/334")
    assert table.refusal("move 84/334 6632") == ("11.2", "extended-next-to-enemy")


def test_11_3_two_hexes_whatever_the_stretches(moving: Any) -> None:
    table = moving("allied", "6637 84/334 disrupted").play("select 84/334", "via 84/334 6636")
    assert table.destinations("84/334") <= {"6636", *labels(model.BOARD.adjacent[hexagon("6636")])}
    table.play("via 84/334 6635")
    assert table.destinations("84/334") == {"6635"}


def test_11_4_1_a_river_is_crossed_in_the_first_step_only(moving: Any) -> None:
    """Who is led to the bank has not begun beside it."""
    a, b = next(
        (a, b)
        for a, b in sorted(model.RIVER)
        if (a, b) not in model.BRIDGE and model.BOARD.terrain[a] == "clear" and model.COLUMN[a] > 45
    )
    inland = next(h for h in model.BOARD.adjacent[a] if h not in model.BOARD.adjacent[b] and h != b)
    name, here = model.BOARD.labels[b], model.BOARD.labels[inland]
    beside = moving("allied", f"{model.BOARD.labels[a]} 84/334").play("select 84/334")
    assert name in beside.destinations("84/334")
    led = moving("allied", f"{here} 84/334").play("select 84/334", f"via 84/334 {model.BOARD.labels[a]}")
    assert name not in led.destinations("84/334")


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


def test_22_1_a_gun_led_two_hexes_has_fired(moving: Any) -> None:
    table = moving("allied", "6637 V/190\n6630 84/334").play("select V/190", "via V/190 6636", "move V/190 6636")
    assert not marked(table, "fired", "V/190")
    further = moving("allied", "6637 V/190\n6630 84/334")
    further.play("select V/190", "via V/190 6636", "via V/190 6635", "move V/190 6635")
    assert marked(further, "fired", "V/190")


def test_25_3_5_one_point_by_stretches_is_one_point(moving: Any) -> None:
    """A unit that was led for a point may still be kept for the night; one that was led further may not."""
    near = moving("german", f"6637 2Pz/2\n{FAR_AWAY}", turn=8)
    near.play("select 2Pz/2", "via 2Pz/2 6636", "move 2Pz/2 6636")
    assert "night 6636" in near.choices("night")
    back = moving("german", f"6637 2Pz/2\n{FAR_AWAY}", turn=8)
    back.play("select 2Pz/2", "via 2Pz/2 6636", "move 2Pz/2 6637")
    assert back.refusal("night 6637") == ("25.3.5", "has-moved-too-far")


# ---- effects of the hexes passed ---------------------------------------------------------------------------------


def test_30_1_2_a_town_is_taken_in_passing(moving: Any) -> None:
    """The cheapest way leaves St. Vith aside; led through it, the reconnaissance takes it and goes on."""
    table = moving("german", f"2328 2Pz/Rec\n{FAR_AWAY}")
    plain = table.try_all("select 2Pz/Rec", "move 2Pz/Rec 2027")
    assert not plain.state.held & ST_VITH  # type: ignore[attr-defined]
    table.play("select 2Pz/Rec")
    assert effects(table, "via 2Pz/Rec 2125").count("way-takes") >= 1
    table.play("via 2Pz/Rec 2125")
    assert table.state.held & ST_VITH
    table.play("move 2Pz/Rec 2027")
    assert where(table, "2Pz/Rec") == "2027"


def test_30_1_2_cavalry_takes_a_town_back_and_goes_on(moving: Any) -> None:
    table = moving("allied", "2328 4Cav/4\n2711 84/334", held=ST_VITH)
    table.play("select 4Cav/4", "via 4Cav/4 2125", "move 4Cav/4 2027")
    assert not table.state.held & ST_VITH


def test_30_1_2_either_hex_of_bastogne(moving: Any) -> None:
    """Both cost the same: the player leads through the one that he wants."""
    for town, other in (("3313", "3413"), ("3413", "3313")):
        table = moving("german", f"3514 2Pz/Rec\n{FAR_AWAY}").play("select 2Pz/Rec", f"via 2Pz/Rec {town}")
        table.play("move 2Pz/Rec 3312")
        assert table.state.held >> hexagon(town) & 1
        assert not table.state.held >> hexagon(other) & 1


def test_7_7_ouren_is_spared_if_another_way_costs_the_same(moving: Any) -> None:
    table = moving("german", f"1924 2Pz/Rec\n{FAR_AWAY}", ouren=0).play("select 2Pz/Rec")
    preview = table.game.preview(table.state, table.game.read("move 2Pz/Rec 2119"))
    assert not {"2020", "2119"} <= set(preview["path"]) or preview["path"][-2] != "2020"
    assert "way-tests-ouren" not in effects(table, "move 2Pz/Rec 2119")


def test_7_7_who_wants_to_leads_over_ouren(moving: Any) -> None:
    """The die comes before the step; the unit, which has not moved, is then free."""
    table = moving("german", f"2020 2Pz/Rec\n{FAR_AWAY}", ouren=0).play("select 2Pz/Rec")
    assert "way-tests-ouren" in effects(table, "via 2Pz/Rec 2119")
    table.play("via 2Pz/Rec 2119", "roll 6", "select 2Pz/Rec", "via 2Pz/Rec 2119")
    assert where(table, "2Pz/Rec") == "2119"
    broken = moving("german", f"2022 2Pz/Rec\n{FAR_AWAY}", ouren=0).play("select 2Pz/Rec")
    broken.play("via 2Pz/Rec 2020", "via 2Pz/Rec 2119", "roll 1")
    assert broken.refusal("cancel") == ("11.1", "finish-move-first")  # it is under way
    broken.play("move 2Pz/Rec 2020")


def test_33_3_a_roadblock_is_overrun_in_passing(moving: Any) -> None:
    lines, block = f"6637 2Pz/Rec\n{FAR_AWAY}", [hexagon("6636"), -1, -1, -1]
    table = moving("german", lines, rules=model.ROADBLOCKS, blocks=block).play("select 2Pz/Rec")
    assert effects(table, "move 2Pz/Rec 6635") == []
    assert effects(table, "via 2Pz/Rec 6636") == ["way-overruns"]
    table.play("via 2Pz/Rec 6636", "move 2Pz/Rec 6635", "pass")
    assert table.state.blocks[0] == model.IN_BOX


def test_32_1_a_way_shows_a_depot_or_not(moving: Any) -> None:
    """Next to the marker it is turned over; the preview says so, but not what it is."""
    depots = (HIDDEN, DUMMY, DUMMY)
    table = moving("german", "2828 26VG/39\n6637 2Pz/2", turn=5, rules=model.DEPOTS, depots=depots)
    table.play("select 26VG/39")
    assert effects(table, "move 26VG/39 2829") == []
    assert effects(table, "move 26VG/39 2830")[0] == "way-shows-depot"
    dummy = moving("german", "2828 26VG/39\n6637 2Pz/2", turn=5, rules=model.DEPOTS, depots=(DUMMY, HIDDEN, DUMMY))
    assert effects(dummy.play("select 26VG/39"), "move 26VG/39 2830")[0] == "way-shows-depot"


def test_27_3_2_the_meuse_is_not_crossed_without_need(moving: Any) -> None:
    """A plain move along the eastern bank stays on it, unless the bridges save points."""
    west = model.WEST_OF_MEUSE
    banks = sorted({a for a, b in model.BRIDGE if (a, b) in model.MEUSE and not west >> a & 1})
    for h in banks[::3]:
        table = moving("german", f"{model.BOARD.labels[h]} 2Pz/Rec\n{FAR_AWAY}", held=model.OBJECTIVES)
        s: Any = table.play("select 2Pz/Rec").state
        for to, reach in destinations(s, unit("2Pz/Rec")).items():
            if reach.by_hexes or west >> to & 1:
                continue
            dry = search(reach.starts, True, reach.limit, reach.way._replace(closed=reach.way.closed | west))
            crosses = any(west >> step & 1 for step in route(s, unit("2Pz/Rec"), reach, to))
            assert crosses == (dry.get(to) != reach.costs[to]), model.BOARD.labels[to]
            text = f"move 2Pz/Rec {model.BOARD.labels[to]}"
            assert ("way-crosses-meuse" in effects(table, text)) == crosses


# ---- 13.1, 11.9 Entering and leaving ------------------------------------------------------------------------------


def test_13_1_the_entry_hex_is_chosen_by_a_waypoint(moving: Any) -> None:
    """Each entry hex of a reinforcement can be its first waypoint."""
    table = moving("german", f"track 2SS/Rec\n{FAR_AWAY}", turn=8, held=model.OBJECTIVES)
    doors = labels(entry_hexes(table.state, unit("2SS/Rec")))
    assert len(doors) > 1
    for door in doors:
        led = table.try_all("select 2SS/Rec", f"via 2SS/Rec {door}")
        assert where(led, "2SS/Rec") == door
        assert led.choices("via")
        led.play(f"move 2SS/Rec {door}")
        assert led.refusal("select 2SS/Rec") == ("11.1", "moved-already")


def test_13_1_who_comes_in_may_march_on(moving: Any) -> None:
    table = moving("german", f"track 2SS/Rec\n{FAR_AWAY}", turn=8, held=model.OBJECTIVES).play("select 2SS/Rec")
    rides = {text.split()[2] for text in table.choices("ride")}
    door = model.BOARD.labels[entry_hexes(table.state, unit("2SS/Rec"))[0]]
    table.play(f"via 2SS/Rec {door}")
    marches = {text.split()[2] for text in table.choices("march")}
    assert marches
    assert marches <= rides


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


def test_22_1_a_gun_that_leaves_from_the_edge_stays_ready(moving: Any) -> None:
    """One hex is no more than a change of position."""
    table = moving("allied", "2101 V/190\n2711 84/334").play("select V/190", "leave V/190 southeast")
    assert not marked(table, "fired", "V/190")
    further = moving("allied", "2103 V/190\n2711 84/334").play("select V/190", "leave V/190 southeast")
    assert marked(further, "fired", "V/190")


@pytest.mark.parametrize("state", ["disrupted", "oos"])
def test_22_2_a_nebelwerfer_brigade_bound_to_tactical_movement_stays(moving: Any, state: str) -> None:
    """Tactical movement asks for two movement points; it has one [11.3, 18.3, 23.4]."""
    table = moving("german", f"2711 2Pz/2\n6637 Werfer4 {state}").play("select Werfer4")
    assert table.destinations("Werfer4") == set()
    assert moving("german", "2711 2Pz/2\n6637 Werfer4").play("select Werfer4").destinations("Werfer4")


# ---- S2.3, S3.3 ---------------------------------------------------------------------------------------------------


def test_s2_3_only_roads_that_go_on_bring_supply_from_the_west() -> None:
    """A road that ends before the edge leads to no source."""
    s = stage("allied", "3413 84/334", turn=5, scenario="six-turns")
    edge = sources(s, 0) & model.EAST_WEST_EDGE
    for h in model.bits(edge):
        assert any(model.COLUMN[b] > 40 and model.BOARD.road(h, b) for b in model.BOARD.adjacent[h])
    assert edge != model.EAST_WEST_EDGE & model.ROAD_HEXES


def test_s3_airborne_divisions_enter_by_any_road_of_the_western_edge() -> None:
    s = stage("allied", "track 101/501\n3413 84/334", turn=6, scenario="eight-turns")
    roads = model.EAST_WEST_EDGE & model.ROAD_HEXES
    assert sum(1 << h for h in entry_hexes(s, unit("101/501"))) == roads


# ---- records --------------------------------------------------------------------------------------------------------


def test_11_1_records_keep_the_waypoints_and_not_the_second_thoughts(moving: Any) -> None:
    table = moving("german", f"6637 2Pz/2\n6639 2Pz/304\n{FAR_AWAY}")
    session = Session(table.game, SeededDice(1))
    session.state, session._draft_began = table.state, table.state
    for text in ("select 2Pz/2", "cancel", "select 2Pz/304", "select 2Pz/2", "via 2Pz/2 6636", "move 2Pz/2 6635"):
        session.play("german", table.game.read(text))
    moves = Record.parse(session.record().text()).moves
    assert [move.text for move in moves] == ["select 2Pz/2", "via 2Pz/2 6636", "move 2Pz/2 6635"]


# ---- sets ------------------------------------------------------------------------------------------------------------


def in_every_order(table: Table, texts: list[str]) -> list[Any]:
    return [table.try_all(*order).state.key() for order in permutations(texts)]


def test_24_3_1_markers_in_any_order_and_with_any_number(phase: Any) -> None:
    """The fifth may be placed while the second is kept; taken back, everything is as before."""
    table = phase("allied_traffic", "allied", "", turn=5)
    before = table.state.key()
    assert len(set(in_every_order(table, ["traffic 2113", "traffic 1913", "traffic 1713"]))) == 1
    assert table.try_all("traffic 2113", "traffic 1913", "lift 2113", "lift 1913").state.key() == before
    table.play("traffic 2113", "marker 5 2113", "done")
    assert table.state.traffic[4] == hexagon("2113")
    assert table.state.traffic[1] == model.IN_BOX


def test_24_3_1_refusals(phase: Any) -> None:
    table = phase("allied_traffic", "allied", "", turn=5, traffic=[hexagon("6637"), *[-1] * 11]).play("traffic 2113")
    assert table.refusal("lift 6637") == ("24.3.1", "traffic-stays")
    assert table.refusal("marker 1 2113") == ("24.3.1", "marker-not-in-box")
    assert table.refusal("pass") == ("24.3.1", "traffic-first")


def test_33_2_roadblocks_in_any_order_and_taken_back(phase: Any) -> None:
    table = phase("allied_traffic", "allied", "3413 101/501", turn=5, rules=model.ROADBLOCKS).play("done")
    before = table.state.key()
    first, *_, last = table.choices("block")
    a, b = first.split()[1], last.split()[1]
    assert len(set(in_every_order(table, [first, last]))) == 1
    assert table.try_all(first, last, f"unblock {a}", f"unblock {b}").state.key() == before
    assert table.refusal(f"unblock {a}") == ("33.3", "no-roadblock-of-yours")
    table.play(last, first, "done")
    assert sorted(table.state.blocks[:2]) == sorted([hexagon(a), hexagon(b)])


REDUCED = "3413 84/334 lost=1\n3216 84/771 lost=1\n3612 1/745 lost=1\n2125 1/26 lost=1"


def test_25_2_1_replacements_in_any_order(phase: Any) -> None:
    """Armour first and infantry after it, or the other way round; what is taken back was not spent."""
    table = phase("night_allied_replacements", "allied", REDUCED, turn=12)
    before = table.state.key()
    assert len(set(in_every_order(table, ["replace 84/771", "replace 84/334"]))) == 1
    assert table.try_all("replace 84/771", "replace 84/334", "drop 84/334", "drop 84/771").state.key() == before
    table.play("replace 84/771")
    assert table.refusal("replace 1/745") == ("25.2.1", "no-armor-point")
    table.play("drop 84/771", "replace 1/745", "replace 84/334", "done")
    assert [table.state.lost[unit(name)] for name in ("1/745", "84/334", "84/771")] == [0, 0, 1]
    assert marked(table, "fresh", "1/745")


def test_25_2_1_a_set_is_committed_by_done_alone(phase: Any) -> None:
    table = phase("night_allied_replacements", "allied", REDUCED, turn=12)
    table.play("replace 84/771", "replace 84/334")
    assert table.choices() == ["drop 84/334", "drop 84/771", "done"]
    assert table.refusal("replace 1/26") == ("25.2.1", "no-replacement-left")
    assert table.refusal("drop 1/26") == ("25.2.1", "not-named")


def test_25_2_3_a_remnant_comes_back_with_the_replacement_taken_back(phase: Any) -> None:
    name = next(u for u in model.SIDE_UNITS[0] if model.LARGE[u] and model.TYPE[u] == "infantry")
    remnant = next(
        x for x in model.SIDE_UNITS[0] if model.REMNANT[x] and model.TYPE[x] == "infantry" and not model.BRITISH[x]
    )
    lines = f"3413 {model.UNITS[remnant]} moved\neliminated {model.UNITS[name]}"
    table = phase("night_allied_replacements", "allied", lines, turn=12)
    before = table.state.key()
    text = f"rebuild {model.UNITS[name]} 3413"
    assert table.try_all(text, f"drop {model.UNITS[name]}").state.key() == before
    table.play(text, "done")
    assert where(table, model.UNITS[name]) == "3413"
    assert where(table, model.UNITS[remnant]) == "pool"


def test_27_3_4_british_units_are_named_in_any_order(phase: Any) -> None:
    lines = "antwerp 2Pz/3/1\n6637 43/129\n6630 43/130\n6625 43/214"
    table = phase("german_end", "german", lines, turn=14)
    assert table.refusal("done") == ("27.3.4", "send-first")
    assert len(set(in_every_order(table, ["send 43/129", "send 43/214"]))) == 1
    table.play("send 43/129", "send 43/214", "drop 43/129", "send 43/130", "done")
    assert [where(table, name) for name in ("43/129", "43/130", "43/214")] == ["6637", "antwerp", "antwerp"]


def test_s1_3_units_are_placed_in_any_order_and_taken_up_again() -> None:
    game = load("ardennes44")
    table = Table(game, game.new("", {"german-set-up": "free"}))
    before = table.state.key()
    last = table.choices("place")[-1]
    name = last.split()[1]
    assert table.try_all(last, f"drop {name}").state.key() == before
    assert table.try_all(last).refusal(last)[0] == "S1.3"
    assert table.refusal("done") == ("S1.3", "place-first")


def test_32_1_the_depots_are_laid_out_at_random() -> None:
    """Nobody chooses: three outcomes, each with the same chance."""
    game = load("ardennes44")
    s: Any = game.new("", {"fuel-depots": "on"})
    assert [(game.write(action), str(chance)) for action, chance in s.stack[-1].outcomes(s)] == [
        (f"hide {model.BOARD.labels[h]}", "1/3") for h in model.DEPOT_HEXES
    ]


# ---- 23.9, S5 -----------------------------------------------------------------------------------------------------


RING = "6636 2SS/3\n6638 2SS/4\n6536 9SS/19\n6736 9SS/20\n6537 3PG/8\n6737 3PG/29"


def test_23_9_a_newcomer_is_no_group(phase: Any) -> None:
    """Who was not cut off before brings no points of its own: the pocket keeps its three, and this turn one more."""
    lines = f"6637 28/110/1 points=3 oos, 106/424-\n{RING}"
    table = phase("allied_supply", "allied", lines).play("roll 3")
    assert [event.args["n"] for event in table.said("surrender-points")] == [4]


def test_23_9_a_group_that_was_isolated_without_points_counts(phase: Any) -> None:
    """The larger group decides even if fortune has spared it so far."""
    lines = f"6637 28/110/1 points=3 oos isolated, 106/424- oos isolated\n{RING}"
    table = phase("allied_supply", "allied", lines).play("roll 3")
    assert [event.args["n"] for event in table.said("surrender-points")] == [1]


def test_s5_patton_goes_on_to_turn_30() -> None:
    s: Any = load("ardennes44").new("patton-extended")
    short: Any = load("ardennes44").new("patton")
    assert (s.turn, s.where, model.turns_of(s)) == (13, short.where, 30)
