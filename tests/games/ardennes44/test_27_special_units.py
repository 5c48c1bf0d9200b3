"""Ardennes '44: chapter 27, special units."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.ardennes44.positions import (
    FAR_AWAY,
    GROUND,
    UNITS,
    effects,
    hexagon,
    in_every_order,
    lost,
    marked,
    odds_of,
    reach,
    shifts_of,
    stage,
    unit,
    where,
)
from salient import load
from salient.games.ardennes44 import components
from salient.games.ardennes44.advances import refuse_advancer
from salient.games.ardennes44.combat import fights_at_night, refuse_fighter, refuse_together
from salient.games.ardennes44.disengagement import refuse_disengagement
from salient.games.ardennes44.movement import (
    destinations,
    is_peiper_at_night,
    only_tactical,
    refuse_mover,
    route,
)
from salient.games.ardennes44.retreats import edge_boxes, refuse_survival, surroundings
from salient.games.ardennes44.strengths import attack_of
from salient.games.ardennes44.victory import (
    british_missing,
)
from salient.games.ardennes44.ways import search
from salient.games.ardennes44.zones import british_are_held
from salient.hexes.masks import bits


def test_27_1_engineers_do_not_survive_three_hexes() -> None:
    s = stage("german", "6637 51Eng")
    assert refuse_survival(s, unit("51Eng"), 3).rule == "27.1"  # type: ignore[union-attr]
    assert refuse_survival(s, unit("51Eng"), 2) is None


@pytest.mark.parametrize(("length", "state", "dies"), [(2, "", False), (3, "", True), (2, "disrupted", True)])
def test_27_1_engineers_scatter(length: int, state: str, dies: bool) -> None:
    s = stage("german", f"6637 35Eng {state}")
    assert (refuse_survival(s, unit("35Eng"), length) is not None) is dies
    assert UNITS.morale[unit("35Eng")] == components.GREEN


def test_27_2_von_der_heydte_jumps(moving: Any) -> None:
    table = moving("german", "track VdH", turn=3)
    table.play("select VdH", "land VdH 6637", "roll 3")
    assert where(table, "VdH") == "6637"
    assert table.state.lost[unit("VdH")] == 1


def test_27_2_and_may_be_lost(moving: Any) -> None:
    table = moving("german", "track VdH\n6633 2Pz/2", turn=3).play("select VdH", "land VdH 6637", "roll 5")
    assert where(table, "VdH") == "gone"


def test_27_2_where_he_jumps(moving: Any) -> None:
    table = moving("german", "track VdH\n6637 84/334", turn=3).play("select VdH")
    zones = {text.split()[2] for text in table.choices("land")}
    assert not zones & {"6637", "6638", "3413", "1432"}
    assert "6630" in zones


@pytest.mark.parametrize(("die", "steps_lost"), [(1, 0), (2, 1), (3, 1)])
def test_27_2_strong_or_weak(moving: Any, die: int, steps_lost: int) -> None:
    table = moving("german", "track VdH\n6620 2Pz/2", turn=3).play("select VdH", "land VdH 6630", f"roll {die}")
    assert (where(table, "VdH"), lost(table, "VdH")) == ("6630", steps_lost)
    assert "select VdH" not in table.choices("select")


def test_27_3_1_british_stay_west_of_the_meuse(moving: Any) -> None:
    found = reach(moving("allied", "6124 43/129", turn=13), "43/129")
    assert found
    assert all(GROUND.british_ground >> hexagon(label) & 1 for label in found)


def held(*labels: str) -> int:
    return sum(1 << hexagon(label) for label in labels)


def test_27_3_1_british_units_do_not_leave_the_map(moving: Any) -> None:
    """From the western edge a US regiment goes into the box, a British brigade does not; it is told why."""
    edge = GROUND.board.labels[next(h for h in bits(GROUND.british_ground & GROUND.box_edge["west"]))]
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
    west = GROUND.british_ground
    bank, beyond = next(
        (a, b) for a, b in GROUND.meuse if west >> a & 1 and not west >> b & 1 and (a, b) in GROUND.bridge
    )
    for name, crosses in (("84/334", True), ("43/129", False)):
        s = stage("german", f"{GROUND.board.labels[bank]} {name}", turn=14)
        assert bool(surroundings(s, unit(name), (unit(name),)).closed >> beyond & 1) is not crosses


def test_27_3_2_the_meuse_is_not_crossed_without_need(moving: Any) -> None:
    """A plain move along the eastern bank stays on it, unless the bridges save points."""
    west = GROUND.west_of_meuse
    banks = sorted({a for a, b in GROUND.bridge if (a, b) in GROUND.meuse and not west >> a & 1})
    for h in banks[::3]:
        table = moving("german", f"{GROUND.board.labels[h]} 2Pz/Rec\n{FAR_AWAY}", held=GROUND.objectives)
        s: Any = table.play("select 2Pz/Rec").state
        for to, found in destinations(s, unit("2Pz/Rec")).items():
            if found.by_hexes or west >> to & 1:
                continue
            dry = search(found.starts, True, found.limit, replace(found.way, closed=found.way.closed | west))
            crosses = any(west >> step & 1 for step in route(s, unit("2Pz/Rec"), found, to))
            assert crosses == (not dry[found.cost(to)] >> to & 1), GROUND.board.labels[to]
            text = f"move 2Pz/Rec {GROUND.board.labels[to]}"
            assert ("way-crosses-meuse" in effects(table, text)) == crosses


def test_27_3_2_29th_brigade_is_released_when_germans_cross(moving: Any) -> None:
    table = moving("allied", "6124 29Arm/3RTR\n6637 2Pz/2", turn=13)
    assert any(not GROUND.british_ground >> hexagon(label) & 1 for label in reach(table, "29Arm/3RTR"))


def test_27_3_2_29th_brigade_stays_free_once_the_meuse_was_crossed() -> None:
    s = stage("german", "6227 29Arm/2FF", turn=14)
    assert british_are_held(s, unit("29Arm/2FF"))
    s.meuse = 1
    assert not british_are_held(s, unit("29Arm/2FF"))
    assert british_are_held(s, unit("43/129"))
    assert not british_are_held(stage("german", "", turn=29, scenario="extended"), unit("29Arm/2FF"))


def test_27_3_2_a_german_who_crosses_is_remembered(moving: Any) -> None:
    a, b = next(pair for pair in sorted(GROUND.bridge) if pair in GROUND.meuse and GROUND.west_of_meuse >> pair[1] & 1)
    origin, goal = GROUND.board.labels[a], GROUND.board.labels[b]
    table = moving("german", f"{origin} 2Pz/2", turn=14, blown=0).play("select 2Pz/2", f"move 2Pz/2 {goal}")
    assert table.state.meuse == 1


def test_27_3_3_british_and_us_do_not_attack_together() -> None:
    s = stage("allied", "6637 84/334\n6636 43/129")
    assert refuse_together(s, (unit("84/334"), unit("43/129"))).rule == "27.3.3"  # type: ignore[union-attr]


def test_27_3_4_british_units_are_named_in_any_order(phase: Any) -> None:
    lines = "antwerp 2Pz/3/1\n6637 43/129\n6630 43/130\n6625 43/214"
    table = phase("german-end", "german", lines, turn=14)
    assert table.refusal("done") == ("27.3.4", "send-first")
    assert len(set(in_every_order(table, ["send 43/129", "send 43/214"]))) == 1
    table.play("send 43/129", "send 43/214", "drop 43/129", "send 43/130", "done")
    assert [where(table, name) for name in ("43/129", "43/130", "43/214")] == ["6637", "antwerp", "antwerp"]


def test_27_3_4_antwerp_is_defended(phase: Any) -> None:
    s = stage("german", "antwerp 2Pz/3/1\n6637 43/129", turn=14)
    assert british_missing(s) == 10
    table = phase("german-end", "german", "antwerp 2Pz/3/1\n6637 43/129", turn=14)
    assert where(table, "43/129") == "antwerp"  # all that there is


def test_27_3_4_six_more_than_the_germans() -> None:
    s = stage("german", "antwerp 2Pz/2, 43/129", turn=15, exits=1 << hexagon("7021"))
    assert british_missing(s) == 5 + 6 - 7


def test_27_3_4_reinforcements_go_there_when_they_arrive(phase: Any) -> None:
    """The 51st Division comes on turn 19, not before."""
    early = phase("german-end", "german", "antwerp 2Pz/2\ntrack 51/152", turn=18)
    late = phase("german-end", "german", "antwerp 2Pz/2\ntrack 51/152", turn=19)
    assert (where(early, "51/152"), where(late, "51/152")) == ("track", "antwerp")


def test_27_4_assault_mortars_count_double_against_settlements(fighting: Any) -> None:
    table = fighting("german", "2216 28/110/1\n2215 1000StM", turn=6)
    assert odds_of(table, "attack 2216")["attackers"][0]["final"] == 6


def test_27_4_double_then_halved() -> None:
    """3 against Marnach is 6, out of supply 3; in the open it is 3."""
    s = stage("german", "2215 1000StM oos\n6637 217StPz", turn=6)
    assert attack_of(s, unit("1000StM"), hexagon("2216")) == 3
    assert attack_of(s, unit("217StPz"), hexagon("6636")) == 2
    assert not UNITS.armor[unit("1000StM")]


def test_27_5_peiper_moves_in_the_first_night(moving: Any) -> None:
    table = moving("german", "6637 1SS/1Pz\n6635 2Pz/304", turn=2, night=1)
    assert table.choices("select") == ["select 1SS/1Pz"]


PEIPER = "6637 1SS/1Pz, 3FJ/9\n6736 3FJ/5\n6636 84/334"


def by_night(fighting: Any, lines: str, turn: int = 2) -> Any:
    """The German combats of a night."""
    return fighting("german", lines, turn=turn, night=1)


def joined(table: Any) -> set[str]:
    return {text.split()[1] for text in table.choices("join")}


def test_27_5_peiper_and_those_he_takes_along(fighting: Any) -> None:
    table = by_night(fighting, PEIPER)
    s = table.state
    assert is_peiper_at_night(s, unit("1SS/1Pz"))
    assert fights_at_night(s, unit("3FJ/9"))
    assert not fights_at_night(s, unit("3FJ/5"))
    assert refuse_mover(s, unit("3FJ/9")).rule == "25.3.1"  # type: ignore[union-attr]
    assert joined(table.play("attack 6636")) == {"1SS/1Pz", "3FJ/9"}


def test_27_5_only_in_the_first_night(fighting: Any) -> None:
    assert not is_peiper_at_night(stage("german", "6637 1SS/1Pz", turn=4, night=1), unit("1SS/1Pz"))
    assert not by_night(fighting, PEIPER, turn=4).choices("attack")


def test_27_5_they_attack_only_with_his_units(fighting: Any) -> None:
    """The parachutists come first in order: the attack is not complete before Peiper's tanks join it."""
    table = by_night(fighting, PEIPER).play("attack 6636", "join 3FJ/9")
    assert table.choices() == ["join 1SS/1Pz", "drop 3FJ/9", "cancel"]
    assert table.refusal("resolve") == ("27.5", "peiper-leads")
    assert "resolve" in table.play("join 1SS/1Pz").choices()


def test_27_5_nobody_is_named_who_would_leave_no_room_for_his_units(fighting: Any) -> None:
    """Two formations, one of them with a unit attached: Peiper's tanks would be the third (14.3)."""
    stack = "6637 277VG/990 lost=1, 3FJ/9 lost=1, 1SS/1Pz"
    table = by_night(fighting, f"{stack}\n6635 12VG/27 night_marks\n6636 84/334").play("attack 6636", "join 277VG/990")
    assert joined(table) == {"12VG/27", "3FJ/9", "1SS/1Pz"}
    table.play("join 12VG/27")
    assert joined(table) == {"1SS/1Pz"}
    assert table.refusal("join 3FJ/9") == ("27.5", "peiper-leads")


def test_27_5_once_his_units_have_fought_nobody_follows(fighting: Any) -> None:
    table = by_night(fighting, f"{PEIPER}\n6638 84/335").play("attack 6636", "join 1SS/1Pz", "resolve", "roll 6")
    while table.choices("lose") or table.choices("roll"):
        table.play(table.choices()[0])
    assert not table.choices("attack")


def test_27_5_it_counts_where_they_stand_when_movement_ends(fighting: Any) -> None:
    """The tanks advance beside another regiment: it stays at rest."""
    lines = "6637 1SS/1Pz, 3FJ/9\n6736 3FJ/5\n6636 99Norw\n6635 84/334\n6735 84/335"
    table = by_night(fighting, lines).play("attack 6636", "join 3FJ/9", "join 1SS/1Pz", "resolve", "roll 1")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    table.play("advance 1SS/1Pz 6736")
    while table.choices("pass"):
        table.play("pass")
    assert not marked(table, "led", "3FJ/5")
    assert refuse_fighter(table.state, unit("3FJ/5")).rule == "25.3.2"  # type: ignore[union-attr]


def test_27_5_those_he_takes_along_advance(fighting: Any) -> None:
    table = by_night(fighting, "6637 1SS/1Pz, 3FJ/9\n6636 99Norw\n6030 84/334\n6031 9SS/19 night_marks")
    table.play("attack 6636", "join 3FJ/9", "join 1SS/1Pz", "resolve", "roll 1")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert table.choices("advance 3FJ/9")


def test_27_5_the_next_day_all_is_over(phase: Any) -> None:
    table = phase("german-night-combat", "german", PEIPER, turn=2, night=1)
    assert {UNITS.ids[u] for u in bits(table.state.led)} == {"1SS/1Pz", "3FJ/9"}
    table.play("pass")
    assert (table.state.turn, table.state.led) == (3, 0)


def test_27_5_his_units_disengage_and_those_beside_them() -> None:
    """Night markers are for attacks; who is next to an enemy may try to get away (20.1, 25.3.2)."""
    s = stage("german", PEIPER, turn=2, night=1)
    assert refuse_disengagement(s, unit("1SS/1Pz")) is None
    assert refuse_disengagement(s, unit("3FJ/9")) is None


def test_27_6_2nd_division_waits(moving: Any) -> None:
    assert moving("allied", "1535 2/9\n1933 2/23", turn=1).refusal("select 2/9")[0] == "29.1.1"
    found = reach(moving("allied", "1535 2/9", turn=2), "2/9")
    assert all(GROUND.board.distance(hexagon("1535"), hexagon(h)) <= 2 for h in found)


def test_27_6_2nd_division() -> None:
    s = stage("allied", "1535 2/9", turn=1)
    assert refuse_mover(s, unit("2/9")) is not None
    s = stage("allied", "1535 2/9", turn=2)
    assert only_tactical(s, unit("2/9"))
    assert not only_tactical(stage("allied", "1535 2/9", turn=3), unit("2/9"))


def test_27_6_and_29_1_1_the_parts_of_held_regiments_are_held() -> None:
    s = stage("allied", "1535 2/9 lost=1, Bn1 parent=2/9", turn=1)
    assert refuse_mover(s, unit("Bn1")).rule == "29.1.1"  # type: ignore[union-attr]
    assert refuse_advancer(s, unit("Bn1")).rule == "29.1.1"  # type: ignore[union-attr]
    s.turn = 2
    assert only_tactical(s, unit("Bn1"))


@pytest.mark.parametrize(("die", "place"), [(1, "track"), (3, "track"), (5, "gone")])
def test_27_7_jagdtigers(moving: Any, die: int, place: str) -> None:
    table = moving("german", "track 653PzJ\n6637 2Pz/2", turn=4).play(f"roll {die}")
    assert where(table, "653PzJ") == place
    assert table.state.jagdtiger == (die == 1)


def test_27_7_delay_is_rolled_again(moving: Any) -> None:
    table = moving("german", "track 653PzJ\n6637 2Pz/2", turn=4).play("roll 3")
    assert where(table, "653PzJ") == "track"
    assert moving("german", "track 653PzJ\n6637 2Pz/2", turn=5).choices("roll")
    assert not moving("german", "track 653PzJ\n6637 2Pz/2", turn=3).choices("roll")


def test_27_8_1_unmasked_at_the_end_of_the_turn(phase: Any) -> None:
    table = phase("german-end", "german", "6640 150Pz\n6030 2Pz/2", turn=9, exposed=1)
    assert table.state.exposed == 2


def test_27_8_2_infiltration(moving: Any) -> None:
    """A 1 to 3 lets 150th Brigade go on, a 4 unmasks it."""
    table = moving("german", "6637 150Pz\n6634 84/334", turn=5)
    table.play("select 150Pz", "infiltrate 150Pz 6635", "roll 2")
    assert table.state.exposed == 1
    assert table.choices("move 150Pz")
    caught = moving("german", "6637 150Pz\n6634 84/334", turn=5)
    caught.play("select 150Pz", "infiltrate 150Pz 6635", "roll 4")
    assert caught.state.exposed == 2


def test_27_8_2_example_two_zones_and_a_surprise(moving: Any) -> None:
    """A 2 and a 3 let the brigade pass; it may then still surprise."""
    table = moving("german", "6640 150Pz\n6539 84/334\n6536 84/335", turn=9)
    table.play("select 150Pz", "infiltrate 150Pz 6639", "roll 2")
    assert table.choices("move") or table.choices("infiltrate")
    table.play("infiltrate 150Pz 6637", "roll 3")
    assert table.state.exposed == 1


def test_27_8_2_a_failure_stops_it(moving: Any) -> None:
    table = moving("german", "6640 150Pz\n6638 84/334\n6030 2Pz/2", turn=9)
    table.play("select 150Pz", "infiltrate 150Pz 6639", "roll 4")
    assert (where(table, "150Pz"), table.state.exposed) == ("6639", 2)
    assert "select 150Pz" not in table.choices("select")


def test_27_8_3_surprise_is_a_column_and_unmasks(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 150Pz")
    table.play("attack 6637", "join 150Pz", "resolve", "surprise", "roll 2")
    assert shifts_of(table, "roll 1")["shift-surprise"] == 1
    assert table.state.exposed == 2


def test_27_8_3_the_surprise_is_rolled_before_guns_are_named(fighting: Any) -> None:
    table = fighting("german", "6637 84/334\n6638 150Pz\n6636 VAK388").play("attack 6637", "join 150Pz", "resolve")
    named = table.try_all("support VAK388")
    assert named.refusal("surprise") == ("27.8.3", "surprise-first")
    assert "surprise" in named.play("drop VAK388").choices()


@pytest.mark.parametrize(("die", "column"), [(1, 1), (3, 1), (4, 0)])
def test_27_8_3_surprise(fighting: Any, die: int, column: int) -> None:
    table = fighting("german", "6638 150Pz\n6637 84/334")
    table.play("attack 6637", "join 150Pz", "resolve", "surprise", f"roll {die}")
    assert shifts_of(table, "roll 1").get("shift-surprise", 0) == column
    assert table.state.exposed == 2


def test_27_8_3_an_attack_without_it_leaves_the_mask(fighting: Any) -> None:
    table = fighting("german", "6638 150Pz\n6637 84/334\n6030 5/10\n6031 79VG/208")
    table.play("attack 6637", "join 150Pz", "resolve", "resolve", "roll 6")
    assert table.state.exposed == 0


def test_positions_remember_what_was_added() -> None:
    """Overrun roadblocks, the crossed Meuse and hexes of infiltrators survive as text."""
    game = load("ardennes44")
    s = stage(
        "german", "6637 2Pz/2", overrun=1, meuse=1, sneaked=1 << hexagon("6630"), blocks=[hexagon("6637"), -1, -1, -1]
    )
    again = game.read_position(game.write_position(s))
    assert (again.overrun, again.meuse, again.sneaked) == (1, 1, s.sneaked)  # type: ignore[attr-defined]
