"""Chapters 11 and 12: movement, strategic movement and trucks."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.ardennes44.conftest import bridge, hexagon, march_reach, marked, odds_of, reach, stage, unit, where

from salient.games.ardennes44 import model
from salient.games.ardennes44.advances import BONUS, LIMITED, REGULAR, advance_options
from salient.games.ardennes44.marching import refuse_march
from salient.games.ardennes44.model import FOOT, MOTOR, VEHICLE
from salient.games.ardennes44.movement import destinations
from salient.games.ardennes44.ways import steps_of, tactical_steps

LABELS = model.BOARD.labels


def cost(a: str, b: str, mobility: int, frozen: bool = False, blown: int = 0) -> float | None:
    steps = dict(steps_of(mobility, frozen, False, blown)[hexagon(a)])
    found = steps.get(hexagon(b))
    return None if found is None else found / 2


def test_11_1_clear_hexes_cost_one_point(moving: Any) -> None:
    table = moving("german", "6637 2Pz/2", turn=9)
    assert len(reach(table, "2Pz/2")) > 60


def test_11_2_extended_movement_never_ends_next_to_the_enemy(moving: Any) -> None:
    """A regiment of three points goes five, but not beside an enemy."""
    table = moving("allied", "6637 84/334\n6632 2Pz/2")
    assert "6634" in reach(table, "84/334")
    assert "6633" not in reach(table, "84/334")


def test_11_2_mechanized_units_have_none() -> None:
    s = stage("allied", "6637 84/771\n6634 84/334")
    assert "extended" not in {reach.mode for reach in destinations(s, model.UNIT["84/771"]).values()}
    assert "extended" in {reach.mode for reach in destinations(s, model.UNIT["84/334"]).values()}


def test_11_3_tactical_movement_ignores_costs() -> None:
    """Two hexes of forest, which would cost infantry four points, and the zone it leaves."""
    plain, _ = tactical_steps(FOOT, 0, hexagon("1432"))
    assert plain >> hexagon("1532") & 1


def test_11_4_1_infantry_crosses_a_river_only_from_its_bank(moving: Any) -> None:
    blown = (1 << len(model.BRIDGES)) - 1
    table = moving("german", "1106 212VG/320", turn=5, blown=blown)
    assert "1206" in reach(table, "212VG/320")
    assert "1206" not in reach(moving("german", "1107 212VG/320", turn=5, blown=blown), "212VG/320")


def test_11_4_1_vehicles_need_a_bridge(moving: Any) -> None:
    broken = moving("german", "1106 5FJ/11StG", turn=5, blown=bridge("1105/1106"))
    assert "1105" not in reach(broken, "5FJ/11StG")
    assert "1105" in reach(moving("german", "1106 5FJ/11StG", turn=5, blown=0), "5FJ/11StG")


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
    plain, hard = tactical_steps(FOOT, 0, hexagon("2216"))
    assert hard >> hexagon("2116") & 1
    assert not plain >> hexagon("2116") & 1
    assert tactical_steps(VEHICLE, 0, hexagon("2216"))[1] == 0


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
    s = stage("german", f"{start} 79VG/208", turn=9, blown=(1 << len(model.BRIDGES)) - 1)
    found = {LABELS[h] for h in destinations(s, model.UNIT["79VG/208"])}
    assert between in found
    assert all(tactical_steps(FOOT, s.blown, hexagon(between))[1] >> hexagon(label) & 1 for label in beyond)
    assert not found & beyond
    closer = stage("german", f"{between} 79VG/208", turn=9, blown=s.blown)
    assert beyond <= {LABELS[h] for h in destinations(closer, model.UNIT["79VG/208"])}


def test_11_7_primary_roads_cost_half_a_point_to_motors() -> None:
    assert cost("2217", "2216", VEHICLE) == 0.5
    assert cost("2217", "2216", FOOT) == 1


def test_11_8_forest_roads_cost_two_until_the_frost() -> None:
    assert cost("1333", "1433", VEHICLE) == 2
    assert cost("1333", "1433", VEHICLE, frozen=True) == 1


def test_3_4_light_woods_cost_motors_three_then_two() -> None:
    light = next((a, b) for a in range(model.HEXES) for b in model.BOARD.adjacent[a]
                 if model.BOARD.terrain[b] == "light-woods" and model.BOARD.road(a, b) is None
                 and model.BOARD.side(a, b) is None and model.BOARD.terrain[a] == "clear"
                 and not (model.WESTWALL | model.CITY) >> b & 1)  # fmt: skip
    a, b = (LABELS[h] for h in light)
    assert (cost(a, b, VEHICLE), cost(a, b, VEHICLE, frozen=True), cost(a, b, FOOT)) == (3, 2, 1)


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
    return {model.PLACES[h] for h in advance_options(s, model.UNIT[name], hexagon(target), kind) if h >= model.HEXES}


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
        assert max(advance_options(s, model.UNIT[name], hexagon("6937"), BONUS)) < model.HEXES


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


def test_11_9_3_germans_leave_for_antwerp_by_f_and_g(moving: Any) -> None:
    table = moving("german", "7021 2Pz/3/1")
    table.play("select 2Pz/3/1", "exit 2Pz/3/1 7021")
    assert where(table, "2Pz/3/1") == "antwerp"
    assert table.state.exits == 1 << hexagon("7021")


def test_11_10_1_army_boundaries_until_turn_5(moving: Any) -> None:
    """A division of 5th Panzer Army does not enter the sector of 7th Army before turn 5."""
    line = "1514 Lehr/901"
    foreign = {LABELS[h] for h in model.bits(model.ARMY_ZONE["7A"])}
    assert not reach(moving("german", line, turn=3), "Lehr/901") & foreign
    assert reach(moving("german", line, turn=5), "Lehr/901") & foreign


def test_12_1_strategic_movement_follows_roads_only(moving: Any) -> None:
    """Off the roads there is none; from Stadtkyll it leads much further than a move."""
    assert march_reach(moving("german", "6637 2Pz/3/1", turn=9), "2Pz/3/1") == set()
    table = moving("german", "0829 2Pz/3/1", turn=9)
    far = march_reach(table, "2Pz/3/1")
    assert all(model.ROAD_HEXES >> hexagon(label) & 1 for label in far)
    assert far - reach(table, "2Pz/3/1")


def test_12_2_not_next_to_an_enemy(moving: Any) -> None:
    table = moving("allied", "2216 84/771\n2217 2Pz/2")
    table.play("select 84/771")
    assert table.refusal("march 84/771 2215") == ("12.2", "march-next-to-enemy")


def test_12_2_a_march_ends_alone(moving: Any) -> None:
    table = moving("allied", "3413 84/771\n3313 84/334", turn=9)
    assert "3313" not in march_reach(table, "84/771")


def test_12_4_1_germans_have_six_markers(moving: Any) -> None:
    lines = "\n".join(f"{h} {u} march" for h, u in zip(
        ("6434", "6436", "6438", "6634", "6636", "6638"),
        ("2Pz/3/1", "2Pz/3/2", "2Pz/Rec", "2Pz/38PzJ", "Lehr/Rec", "116Pz/Rec"), strict=True))  # fmt: skip
    s = stage("german", f"{lines}\n0829 9SS/Rec")
    refusal = refuse_march(s, model.UNIT["9SS/Rec"])
    assert refusal is not None
    assert refusal.rule == "12.4.1"


def test_12_4_3_infantry_loads_one_turn_and_rides_the_next(moving: Any) -> None:
    table = moving("allied", "3413 84/334", turn=9)
    assert march_reach(table, "84/334") == set()
    table.play("load 84/334")
    assert marked(table, "march", "84/334")
    riding = moving("allied", "3413 84/334 march", turn=9)
    assert len(march_reach(riding, "84/334")) > 20


def test_12_5_marching_units_defend_with_half(fighting: Any) -> None:
    table = fighting("german", "6637 84/334 march\n6638 2Pz/2")
    assert odds_of(table, "attack 6637")["defence"] == 3


def test_12_7_markers_of_motors_come_off_at_once(moving: Any) -> None:
    table = moving("german", "6637 2Pz/3/1 march")
    assert not marked(table, "march", "2Pz/3/1")


def test_29_1_3_no_strategic_movement_on_turn_1(moving: Any) -> None:
    table = moving("german", "0829 1SS/Rec", turn=1)
    table.play("select 1SS/Rec")
    assert table.refusal("march 1SS/Rec 0830")[0] == "29.1.3"


def test_7_7_the_bridge_of_ouren_is_looked_at_once(moving: Any) -> None:
    table = moving("german", "2020 116Pz/60", turn=5)
    table.play("select 116Pz/60", "move 116Pz/60 2119")
    assert table.choices("roll") != []
    table.play("roll 6")
    assert table.state.ouren == 1
    table.play("select 116Pz/60", "move 116Pz/60 2119")
    assert where(table, "116Pz/60") == "2119"


def test_7_7_a_weak_bridge_stops_tanks(moving: Any) -> None:
    table = moving("german", "2020 116Pz/16/1", turn=5)
    table.play("select 116Pz/16/1", "move 116Pz/16/1 2119", "roll 4", "select 116Pz/16/1")
    assert "2119" not in table.destinations("116Pz/16/1")
