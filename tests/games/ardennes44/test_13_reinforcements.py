"""Ardennes '44: chapter 13, reinforcements."""

from __future__ import annotations

from typing import Any

from games.ardennes44.positions import (
    FAR_AWAY,
    GAME,
    GROUND,
    LABELS,
    UNITS,
    enters,
    hexagon,
    labels,
    marked,
    reach,
    stage,
    unit,
    where,
)
from salient.games.ardennes44 import components, model
from salient.games.ardennes44.components import MOTOR, VEHICLE
from salient.games.ardennes44.reinforcements import (
    blocked_by,
    entry_hexes,
    is_threatened,
    ride_reach,
    stations,
)
from salient.games.ardennes44.ways import entry_cost


def test_13_1_the_entry_hex_is_chosen_by_a_waypoint(moving: Any) -> None:
    """Each entry hex of a reinforcement can be its first waypoint."""
    table = moving("german", f"track 2SS/Rec\n{FAR_AWAY}", turn=8, held=GROUND.objectives)
    doors = labels(entry_hexes(table.state, unit("2SS/Rec")))
    assert len(doors) > 1
    for door in doors:
        led = table.try_all("select 2SS/Rec", f"via 2SS/Rec {door}")
        assert where(led, "2SS/Rec") == door
        assert led.choices("via")
        led.play(f"move 2SS/Rec {door}")
        assert led.refusal("select 2SS/Rec") == ("11.1", "moved-already")


def test_13_1_who_comes_in_may_march_on(moving: Any) -> None:
    table = moving("german", f"track 2SS/Rec\n{FAR_AWAY}", turn=8, held=GROUND.objectives).play("select 2SS/Rec")
    rides = {text.split()[2] for text in table.choices("ride")}
    door = GROUND.board.labels[entry_hexes(table.state, unit("2SS/Rec"))[0]]
    table.play(f"via 2SS/Rec {door}")
    marches = {text.split()[2] for text in table.choices("march")}
    assert marches
    assert marches <= rides


def test_13_1_the_first_hex_costs_its_road() -> None:
    """Half a point on a primary road, one on a secondary, two on a forest road before the frost."""
    assert entry_cost(GROUND, hexagon("2101"), MOTOR, False) == 1
    assert entry_cost(GROUND, hexagon("6601"), VEHICLE, False) == 2
    assert entry_cost(GROUND, hexagon("4701"), VEHICLE, False) == 4
    assert entry_cost(GROUND, hexagon("4701"), VEHICLE, True) == 2
    assert entry_cost(GROUND, hexagon("4701"), 0, False) == 2


def traffic(side: str, *labels: str) -> list[int]:
    """Traffic markers of a side in some hexes."""
    mine = [hexagon(label) for label in labels] + [model.IN_BOX] * (6 - len(labels))
    return [*mine, *[model.IN_BOX] * 6] if side == "allied" else [*[model.IN_BOX] * 6, *mine]


def test_13_1_traffic_in_the_entry_hex_is_paid_for() -> None:
    """Two points more [24.2]: three of the five of extended movement."""
    slow = traffic("allied", "0129", "0133", "0137")
    reached = enters("german", "track 246VG/352", "246VG/352", turn=19, traffic=slow)
    assert reached
    assert max(GROUND.column[hexagon(h)] for h in reached) < 5
    free = enters("german", "track 246VG/352", "246VG/352", turn=19)
    assert max(GROUND.column[hexagon(h)] for h in free) == 5


def test_13_1_a_march_pays_for_traffic_in_the_entry_hex() -> None:
    name = "301"
    free = ride_reach(stage("german", f"track {name}", 15), unit(name))
    slow = ride_reach(
        stage("german", f"track {name}", 15, traffic=traffic("allied", "0129", "0133", "0137")), unit(name)
    )
    assert free is not None
    assert slow is not None
    assert slow.cost(hexagon("0133")) == free.cost(hexagon("0133")) + 4


def test_13_1_tactically_whatever_it_costs() -> None:
    """Traffic in both hexes: tactical movement ignores it, the entry hex is its first hex [11.3]."""
    jam = traffic("allied", "0129", "0133", "0137", "0229", "0233", "0237")
    assert "0233" in enters("german", "track 246VG/352", "246VG/352", turn=19, traffic=jam)


def test_13_1_no_entry_through_a_bond() -> None:
    """Two Allied units on both sides of an entry hex close it [10.2]."""
    north, south = (LABELS[h] for h in GROUND.board.adjacent[hexagon("0133")] if GROUND.column[h] == 1)
    s = stage("german", f"track 246VG/352\n{north} 84/334\n{south} 84/335", 19)
    assert hexagon("0133") not in entry_hexes(s, unit("246VG/352"))


def test_13_1_reinforcements_enter_by_their_hexes(moving: Any) -> None:
    table = moving("allied", "track 1/26", turn=3)
    table.play("select 1/26")
    assert table.choices("enter 1/26")
    assert table.choices("ride 1/26")
    table.play(table.choices("enter 1/26")[0])
    assert where(table, "1/26") != "track"


def test_13_2_1_engineers_placed_in_a_full_town_go_on(moving: Any) -> None:
    """They may be too many when they are placed, not when the movement ends."""
    table = moving("allied", "2531 30/120\ntrack 51Eng", turn=7)
    table.play("select 51Eng", "deploy 51Eng 2531")
    assert table.refusal("pass") == ("8.3", "make-room-first")
    table.play("select 51Eng", "move 51Eng 2532", "pass")
    assert where(table, "51Eng") == "2532"


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


def test_13_2_2_late_engineers_move_tactically_too(moving: Any) -> None:
    """35th Engineers were due on turn 3 and are placed on turn 4: two hexes, not five."""
    table = moving("allied", "track 35Eng", turn=4)
    table.play("select 35Eng", "deploy 35Eng 2531")
    found = reach(table, "35Eng")
    assert found
    assert all(GROUND.board.distance(hexagon("2531"), hexagon(h)) <= 2 for h in found)


def test_13_2_2_engineers_are_placed_in_towns(moving: Any) -> None:
    table = moving("allied", "track 51Eng", turn=7)
    table.play("select 51Eng", "deploy 51Eng 2531")
    assert where(table, "51Eng") == "2531"
    assert all(GROUND.board.distance(hexagon("2531"), hexagon(h)) <= 2 for h in reach(table, "51Eng"))


def test_13_3_artillery_arrives_fired(moving: Any) -> None:
    table = moving("allied", "track V/190", turn=6)
    table.play("select V/190", table.try_all("select V/190").choices("enter V/190")[0])
    assert marked(table, "fired", "V/190")


def test_13_4_five_factors_do_not_block() -> None:
    """Six are needed: a unit of five leaves the sector threatened, one of six does not."""

    def threatened(factors: int) -> bool:
        name = next(UNITS.ids[u] for u in UNITS.of_side[0] if UNITS.values[u][0][1] == factors)
        return is_threatened(stage("allied", f"1001 212VG/320\nblock-1001 {name}", turn=4), "southeast")

    assert threatened(5)
    assert not threatened(6)


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
    assert GROUND.place["block-1001"] in stations(s, unit("4/8/2"))
    assert GROUND.place["block-1001"] in stations(s, unit("4/22/2"))


def test_13_4_a_german_in_an_entry_hex_closes_the_sector() -> None:
    s = stage("allied", "1501 2Pz/2\ntrack 10Arm/CCA", turn=5)
    assert is_threatened(s, "southeast")
    assert entry_hexes(s, unit("10Arm/CCA")) == []
    held = stage("allied", "1501 2Pz/2\ntrack 10Arm/CCA\nblock-1501 4/22/2, 4/8/2, 4/12/1", turn=5)
    assert blocked_by(held, hexagon("1501")) == 6
    assert entry_hexes(held, unit("10Arm/CCA"))


def test_13_5_from_the_western_box_by_the_western_roads() -> None:
    """Who was driven off the East map comes back by its western roads."""
    s = stage("allied", "scenario six-turns\nwest 28/109/1", 4)
    assert entry_hexes(s, unit("28/109/1"))
    assert all(GROUND.column[h] == components.WEST_SHEET - 1 for h in entry_hexes(s, unit("28/109/1")))


def test_13_5_boxes_and_blocking_positions() -> None:
    s = stage("allied", "southeast 10Arm/CCA", turn=5)
    names = {GROUND.places[place] for place in stations(s, unit("10Arm/CCA"))}
    assert {"block-1001", "block-1501", "southwest"} <= names


def test_13_6_back_to_the_box_or_into_the_map() -> None:
    s = stage("allied", "block-2101 84/334")
    assert stations(s, unit("84/334")) == [GROUND.place["southeast"]]
    assert entry_hexes(s, unit("84/334")) == [hexagon("2101")]


def test_13_7_boxes_have_no_limits(moving: Any) -> None:
    """Any number of units waits in a box, and Germans beside it do not bind them."""
    table = moving("allied", "southeast 84/334, 84/335, 1/26, 1/16\n6637 84/771")
    assert {"select 84/334", "select 1/26"} <= set(table.choices("select"))
    assert GAME.check(table.state) == []


def test_13_8_1_attacks_onto_the_map(fighting: Any) -> None:
    table = fighting("allied", "1501 26VG/39\nblock-1501 10Arm/CCA", turn=9)
    table.play("attack 1501", "join 10Arm/CCA", "resolve", "roll 1")
    assert table.said("odds")


def test_13_8_2_only_if_the_sector_is_blocked(fighting: Any) -> None:
    """Six factors stand against one German; the other one in the sector is not blocked."""
    free = fighting("allied", "1501 26VG/39\nblock-1501 10Arm/CCA\n6637 84/334\n6638 2Pz/2")
    assert "attack 1501" in free.choices("attack")
    bound = fighting("allied", "1501 26VG/39\n1001 212VG/320\nblock-1501 10Arm/CCA\n6637 84/334\n6638 2Pz/2")
    assert "attack 1501" not in bound.choices("attack")


def onto_the_map(fighting: Any, die: int) -> Any:
    table = fighting("allied", "1501 26VG/39 lost=1\nblock-1501 10Arm/CCA\n6637 84/334\n6638 2Pz/2")
    table.play("attack 1501", "join 10Arm/CCA", "resolve")
    while table.actor != "chance":
        table.play(next(text for text in ("resolve", "done", "pass") if text in table.choices()))
    return table.play(f"roll {die}")


def test_13_8_3_if_it_fails_they_stay(fighting: Any) -> None:
    assert where(onto_the_map(fighting, 6), "10Arm/CCA") == "block-1501"


def test_13_8_4_the_first_hex_is_the_entry_hex(fighting: Any) -> None:
    for die in range(1, 7):
        table = onto_the_map(fighting, die)
        advances = table.choices("advance 10Arm/CCA")
        if advances:
            table.play("advance 10Arm/CCA 1501")
            assert where(table, "10Arm/CCA") == "1501"
            return
    raise AssertionError("no roll clears the entry hex")
