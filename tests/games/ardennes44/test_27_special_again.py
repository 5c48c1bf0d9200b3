"""Second reading of chapters 27 to 30 and of the optional rules 31 to 36."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.ardennes44.conftest import bridge, hexagon, lost, marked, shifts_of, stage, unit, where

from salient import load
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44 import model
from salient.games.ardennes44.advances import refuse_advancer
from salient.games.ardennes44.bridges import burnable, demolition_modifier
from salient.games.ardennes44.disengagement import refuse_disengagement
from salient.games.ardennes44.entering import CAPTURED, DUMMY, HIDDEN, NO_DEPOT, SHOWN
from salient.games.ardennes44.marching import refuse_march
from salient.games.ardennes44.movement import (
    crosses_sauer,
    is_peiper_at_night,
    only_tactical,
    refuse_mover,
)
from salient.games.ardennes44.moving import infiltration_hexes, refuse_infiltrator
from salient.games.ardennes44.odds import (
    Battle,
    attack_of,
    fights_at_night,
    odds,
    refuse_attacker,
    refuse_fighter,
    refuse_gun,
    refuse_target,
)
from salient.games.ardennes44.retreats import refuse_survival
from salient.games.ardennes44.supply import enemy_blocks, road_network
from salient.games.ardennes44.traffic import block_hexes
from salient.games.ardennes44.victory import allies_in_areas, british_missing, exited_factors, german_reason
from salient.games.ardennes44.ways import steps_of
from salient.games.ardennes44.works import refuse_digging
from salient.games.ardennes44.zones import british_are_held, out_of_bounds

DEPOT = model.DEPOT_HEXES[0]
DEPOT_LABEL = model.BOARD.labels[DEPOT]
NINTH = "9SS/19, 9SS/9/1"


# ---- 27 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("length", "state", "dies"), [(2, "", False), (3, "", True), (2, "disrupted", True)])
def test_27_1_engineers_scatter(length: int, state: str, dies: bool) -> None:
    s = stage("german", f"6637 35Eng {state}")
    assert (refuse_survival(s, unit("35Eng"), length) is not None) is dies
    assert model.MORALE[unit("35Eng")] == model.GREEN


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


def test_27_3_2_29th_brigade_stays_free_once_the_meuse_was_crossed() -> None:
    s = stage("german", "6227 29Arm/2FF", turn=14)
    assert british_are_held(s, unit("29Arm/2FF"))
    s.meuse = 1
    assert not british_are_held(s, unit("29Arm/2FF"))
    assert british_are_held(s, unit("43/129"))
    assert not british_are_held(stage("german", "", turn=29, scenario="extended"), unit("29Arm/2FF"))


def test_27_3_2_a_german_who_crosses_is_remembered(moving: Any) -> None:
    a, b = next(pair for pair in sorted(model.BRIDGE) if pair in model.MEUSE and model.WEST_OF_MEUSE >> pair[1] & 1)
    origin, goal = model.BOARD.labels[a], model.BOARD.labels[b]
    table = moving("german", f"{origin} 2Pz/2", turn=14, blown=0).play("select 2Pz/2", f"move 2Pz/2 {goal}")
    assert table.state.meuse == 1


def test_27_3_4_six_more_than_the_germans() -> None:
    s = stage("german", "antwerp 2Pz/2, 43/129", turn=15, exits=1 << hexagon("7021"))
    assert british_missing(s) == 5 + 6 - 7


def test_27_3_4_reinforcements_go_there_when_they_arrive(phase: Any) -> None:
    """The 51st Division comes on turn 19, not before."""
    early = phase("german_end", "german", "antwerp 2Pz/2\ntrack 51/152", turn=18)
    late = phase("german_end", "german", "antwerp 2Pz/2\ntrack 51/152", turn=19)
    assert (where(early, "51/152"), where(late, "51/152")) == ("track", "antwerp")


def test_27_4_double_then_halved() -> None:
    """3 against Marnach is 6, out of supply 3; in the open it is 3."""
    s = stage("german", "2215 1000StM oos\n6637 217StPz", turn=6)
    assert attack_of(s, unit("1000StM"), hexagon("2216")) == 3
    assert attack_of(s, unit("217StPz"), hexagon("6636")) == 2
    assert not model.ARMOR[unit("1000StM")]


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
    table = phase("night_german_combat", "german", PEIPER, turn=2, night=1)
    assert {model.UNITS[u] for u in model.bits(table.state.led)} == {"1SS/1Pz", "3FJ/9"}
    table.play("pass")
    assert (table.state.turn, table.state.led) == (3, 0)


def test_27_5_his_units_disengage_and_those_beside_them() -> None:
    """Night markers are for attacks; who is next to an enemy may try to get away (20.1, 25.3.2)."""
    s = stage("german", PEIPER, turn=2, night=1)
    assert refuse_disengagement(s, unit("1SS/1Pz")) is None
    assert refuse_disengagement(s, unit("3FJ/9")) is None


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


def test_27_7_delay_is_rolled_again(moving: Any) -> None:
    table = moving("german", "track 653PzJ\n6637 2Pz/2", turn=4).play("roll 3")
    assert where(table, "653PzJ") == "track"
    assert moving("german", "track 653PzJ\n6637 2Pz/2", turn=5).choices("roll")
    assert not moving("german", "track 653PzJ\n6637 2Pz/2", turn=3).choices("roll")


def test_27_8_2_example_two_zones_and_a_surprise(moving: Any) -> None:
    """A 2 and a 3 let the brigade pass; it may then still surprise."""
    table = moving("german", "6640 150Pz\n6539 84/334\n6536 84/335", turn=9)
    table.play("select 150Pz", "infiltrate 150Pz 6639", "roll 2")
    assert table.choices("move") or table.choices("infiltrate")
    table.play("infiltrate 150Pz 6637", "roll 3")
    assert table.state.exposed == 1


def test_27_8_1_unmasked_at_the_end_of_the_turn(phase: Any) -> None:
    table = phase("german_end", "german", "6640 150Pz\n6030 2Pz/2", turn=9, exposed=1)
    assert table.state.exposed == 2


def test_27_8_2_a_failure_stops_it(moving: Any) -> None:
    table = moving("german", "6640 150Pz\n6638 84/334\n6030 2Pz/2", turn=9)
    table.play("select 150Pz", "infiltrate 150Pz 6639", "roll 4")
    assert (where(table, "150Pz"), table.state.exposed) == ("6639", 2)
    assert "select 150Pz" not in table.choices("select")


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


# ---- 28, 29 ------------------------------------------------------------------------------------------


def test_28_1_frozen_ground_from_turn_11() -> None:
    assert not model.frozen_ground(stage("german", "", turn=10))
    assert model.frozen_ground(stage("german", "", turn=11))
    a, b = hexagon("1533"), hexagon("1532")
    costs = [dict(steps_of(model.MOTOR, frozen, False, 0)[a]).get(b) for frozen in (False, True)]
    assert costs == [6, 4]  # light woods: three points, then two


def test_28_2_clear_weather_from_turn_15_to_22() -> None:
    clear = [turn for turn in range(1, 31) if model.clear_weather(stage("german", "", turn=turn, scenario="extended"))]
    assert clear == list(range(15, 23))


def test_29_1_1_red_units_attack_but_do_nothing_else() -> None:
    s = stage("german", "1913 26VG/78\n1813 28/109/1", turn=1)
    u = unit("26VG/78")
    assert refuse_fighter(s, u) is None
    assert {
        r.rule
        for r in (refuse_mover(s, u), refuse_disengagement(s, u), refuse_digging(s, u), refuse_advancer(s, u))
        if r
    } == {"29.1.1"}


def test_29_1_2_areas_are_closed_on_turn_1() -> None:
    first, second = (out_of_bounds(stage("german", "2016 2Pz/2", turn=turn), unit("2Pz/2")) for turn in (1, 2))
    assert first & model.AREAS["26vg"] == model.AREAS["26vg"]
    assert not first & model.AREAS["2pz"]
    assert first & model.REAR == model.REAR
    assert not second & model.AREAS["26vg"]


def test_29_1_3_no_march_on_turn_1() -> None:
    for side, name in (("german", "2Pz/2"), ("allied", "7Arm/CCA")):
        assert refuse_march(stage(side, f"6637 {name}", turn=1), unit(name)).rule == "29.1.3"  # type: ignore[union-attr]


def test_29_2_1_allied_guns_are_silent_in_defence_only() -> None:
    defence = Battle(GERMAN, hexagon("6637"), (unit("12VG/27"),))
    s = stage("german", "6637 28/110/1\n6638 12VG/27\n6635 VIII/333", turn=1)
    assert refuse_gun(s, unit("VIII/333"), defence, False).rule == "29.2.1"  # type: ignore[union-attr]
    attack = Battle(ALLIED, hexagon("6638"), (unit("28/110/1"),))
    assert refuse_gun(s, unit("VIII/333"), attack, True) is None
    monschau = stage("german", "6637 99/395/3\n6638 12VG/27\n6635 V/187", turn=1)
    assert refuse_gun(monschau, unit("V/187"), defence, False) is None


def test_29_2_2_german_guns_support_their_corps() -> None:
    b = Battle(GERMAN, hexagon("6637"), (unit("2Pz/2"),))
    s = stage("german", "6637 28/110/1\n6638 2Pz/2\n6640 VAK766\n6639 Werfer16", turn=1)
    assert refuse_gun(s, unit("VAK766"), b, True) is None
    assert refuse_gun(s, unit("Werfer16"), b, True).rule == "29.2.2"  # type: ignore[union-attr]
    s.turn = 2
    assert refuse_gun(s, unit("Werfer16"), b, True) is None


def test_29_3_one_unit_of_212th_crosses_on_turn_1() -> None:
    lines = "1006 212VG/316, 212VG/Fus\n1106 352VG/914"
    s = stage("german", lines, turn=1)
    assert crosses_sauer(s, unit("212VG/316"))
    assert not crosses_sauer(s, unit("352VG/914"))
    s.sauer = 1
    assert not crosses_sauer(s, unit("212VG/Fus"))
    assert not crosses_sauer(stage("german", lines, turn=2), unit("212VG/316"))


def test_29_4_106th_division() -> None:
    target = next(h for h in range(model.HEXES) if model.AREAS["18vg"] >> h & 1)
    other = model.BOARD.adjacent[target][0]
    s = stage("allied", f"{model.BOARD.labels[target]} 18VG/293\n{model.BOARD.labels[other]} 106/423-", turn=3)
    assert refuse_attacker(s, unit("106/423-"), target).rule == "29.4"  # type: ignore[union-attr]
    assert out_of_bounds(s, unit("106/423-")) & model.AREAS["18vg"]
    assert not out_of_bounds(stage("allied", "", turn=3), unit("106/423-")) & model.AREAS["18vg"]


# ---- 30 ---------------------------------------------------------------------------------------------


def with_west(hexes: int) -> Any:
    """A position without Allies in which the Germans hold everything but the victory hexes that are not named."""
    return stage("german", "", turn=9, held=model.OBJECTIVES & ~model.VICTORY | hexes | model.VICTORY & ~model.WEST_MAP
                 & ~model.LIEGE)  # fmt: skip


def labels(*names: str) -> int:
    return sum(1 << hexagon(name) for name in names)


WON = model.OBJECTIVES & ~(model.VICTORY & model.WEST_MAP) | model.LIEGE  # what Germans hold who have taken Liège


def to_the_end_of_the_allied_turn(table: Any) -> Any:
    """The Allies do nothing more."""
    while not table.state.winner and (table.state.turn, table.state.night) == (9, 0):
        table.play(next((text for text in table.choices() if text in ("pass", "done")), table.choices()[0]))
    return table


def test_30_1_1_victory_is_checked_in_the_allied_player_turn_and_ends_the_game_at_once(phase: Any) -> None:
    """Liège has fallen in the German turn: nobody has won before the Allies have played theirs; then all is over."""
    table = phase("german_supply", "german", "6637 84/334\n6030 2Pz/2", turn=9, held=WON)
    assert (table.actor, table.state.player, table.state.winner) == ("allied", ALLIED, "")
    assert german_reason(table.state) == "german-liege"
    to_the_end_of_the_allied_turn(table)
    assert (table.state.winner, table.state.result_key, table.state.turn) == ("german", "german-liege", 9)
    assert (table.actor, table.choices()) == ("over", [])


def test_30_1_1_the_allies_may_take_back_what_would_have_won(phase: Any) -> None:
    table = phase("allied_movement", "allied", "3838 84/771\n6030 2Pz/2", turn=9, held=WON)
    assert german_reason(table.state) == "german-liege"
    table.play("select 84/771", "move 84/771 4040")
    assert to_the_end_of_the_allied_turn(table).state.winner == ""
    assert table.state.turn == 10


def test_30_2_liege_needs_all_four() -> None:
    assert german_reason(with_west(model.LIEGE)) == "german-liege"
    assert german_reason(with_west(model.LIEGE & ~(1 << hexagon("4040")))) == ""


def test_30_2_four_of_six_on_the_meuse() -> None:
    towns = [h for h in range(model.HEXES) if model.MEUSE_TOWNS >> h & 1]
    assert len(towns) == 6
    assert german_reason(with_west(sum(1 << h for h in towns[:4]))) == "german-meuse"
    assert german_reason(with_west(sum(1 << h for h in towns[:3]))) == ""


def test_30_2_six_in_the_west() -> None:
    inland = model.VICTORY & model.WEST_MAP & ~model.MEUSE_TOWNS & ~model.LIEGE
    towns = [h for h in range(model.HEXES) if model.MEUSE_TOWNS >> h & 1]
    others = [h for h in range(model.HEXES) if inland >> h & 1]
    six = sum(1 << h for h in (*towns[:3], *others)[:6])
    assert six.bit_count() == 6
    assert german_reason(with_west(six)) == "german-west"
    assert german_reason(with_west(six & (six - 1))) == ""


def test_30_2_twenty_four_factors_by_a_road_in_supply() -> None:
    lines = "antwerp 9SS/19, 9SS/20, 9SS/9/1, 9SS/9/2"
    fed = stage("german", lines, turn=9, exits=1 << hexagon("7021"), held=model.OBJECTIVES)
    assert exited_factors(fed) == 24
    cut = stage("german", f"{lines}\n7021 84/334", turn=9, exits=1 << hexagon("7021"), held=model.OBJECTIVES)
    assert exited_factors(cut) == 0


def test_30_3_three_areas_in_two_phases(phase: Any) -> None:
    """Germany is in Allied hands, so that they are fed."""
    hexes = [next(model.BOARD.labels[h] for h in range(model.HEXES) if area >> h & 1) for area in model.AREAS.values()]
    lines = "\n".join(f"{h} {name}" for h, name in zip(hexes, ("84/334", "84/335", "84/333"), strict=False))
    assert allies_in_areas(stage("allied", lines, turn=9, held=0)) == 3
    assert phase("victory", "allied", lines, turn=9, held=0, german_areas=1).state.winner == "allied"
    assert phase("victory", "allied", lines, turn=9, held=0, german_areas=0).state.winner == ""


# ---- 31 ---------------------------------------------------------------------------------------------


def test_31_one_marked_group_leaves_two_for_infiltration(moving: Any) -> None:
    """A spare marker covers the whole stack."""
    lines = "6637 84/334, 84/771\n6630 84/335\n6620 84/333\n6610 1/26 night_marks"
    table = moving("allied", lines, turn=8, night=1, used=1, rules=model.INFILTRATION)
    table.play("sneak 84/334 6636", "sneak 84/335 6629")
    assert {text.split()[1] for text in table.choices("sneak")} == {"84/771"}
    table.play("sneak 84/771 6636")
    assert table.choices("sneak") == []


@pytest.mark.parametrize("state", ["disrupted", "fresh", "march", "engaged"])
def test_31_who_cannot(state: str) -> None:
    s = stage("allied", f"6637 84/334 {state}", turn=8, night=1)
    assert refuse_infiltrator(s, unit("84/334")).rule == "31"  # type: ignore[union-attr]


def test_31_green_troops_keep_out_of_zones() -> None:
    lines = "6637 {}\n6635 2Pz/2"
    veteran, green = (stage("allied", lines.format(name), turn=8, night=1) for name in ("84/334", "75/289"))
    assert hexagon("6636") in infiltration_hexes(veteran, unit("84/334"))
    assert hexagon("6636") not in infiltration_hexes(green, unit("75/289"))


def test_31_infiltrators_do_not_attack() -> None:
    s = stage("allied", "6637 84/334\n6638 2Pz/2", turn=8, night=1, rules=model.INFILTRATION)
    assert refuse_fighter(s, unit("84/334")).rule == "25.3.2"  # type: ignore[union-attr]


# ---- 32 --------------------------------------------------------------------------------------------


def beside(h: int, count: int = 1) -> list[str]:
    """Hexes next to a hex from which it can be entered freely."""
    return [model.BOARD.labels[b] for b in model.BOARD.adjacent[h] if model.BOARD.side(h, b) is None][:count]


def test_32_2_a_depot_defends_with_two_and_no_bonus() -> None:
    (near,) = beside(DEPOT)
    s = stage("german", f"{near} 9SS/19", turn=5, rules=model.DEPOTS, depots=(SHOWN, NO_DEPOT, NO_DEPOT))
    assert refuse_target(s, GERMAN, DEPOT) is None
    assert odds(s, Battle(GERMAN, DEPOT, (unit("9SS/19"),))).defence == 2


def at_the_depot(fighting: Any, garrison: str = "") -> Any:
    near, other = beside(DEPOT, 2)
    lines = f"{near} {NINTH}\n{other} 9SS/20, 9SS/9/2\n" + (f"{DEPOT_LABEL} {garrison}" if garrison else "")
    table = fighting("german", lines, turn=5, rules=model.DEPOTS, depots=(SHOWN, NO_DEPOT, NO_DEPOT))
    table.play(f"attack {DEPOT_LABEL}", "join 9SS/9/1", "join 9SS/9/2", "join 9SS/19", "join 9SS/20", "resolve")
    assert table.choices("burn")
    return table


def test_32_2_capture(fighting: Any) -> None:
    table = at_the_depot(fighting).play("pass", "roll 6")
    assert table.state.depots[0] == CAPTURED
    assert table.choices("advance")


def test_32_2_it_falls_with_its_garrison(fighting: Any) -> None:
    table = at_the_depot(fighting, "99/394/1").play("pass", "roll 1")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert table.state.depots[0] == CAPTURED
    assert table.choices("advance")


def test_32_2_a_firefight_may_be_pressed(fighting: Any) -> None:
    near = beside(DEPOT)[0]
    table = fighting(
        "german", f"{near} 12VG/27\n6030 5/10\n6031 79VG/208", turn=5, rules=model.DEPOTS, depots=(SHOWN, 0, 0)
    )
    table.play(f"attack {DEPOT_LABEL}", "join 12VG/27", "resolve", "pass", "roll 2")
    assert table.choices("lead") == ["lead 12VG/27"]
    table.play("lead 12VG/27", "roll 2")
    assert table.state.depots[0] == CAPTURED


@pytest.mark.parametrize(("die", "burnt"), [(1, True), (2, True), (3, False)])
def test_32_3_burnt_when_attacked(fighting: Any, die: int, burnt: bool) -> None:
    table = at_the_depot(fighting).play(f"burn {DEPOT_LABEL}", f"roll {die}")
    assert (table.state.depots[0] == NO_DEPOT) is burnt


@pytest.mark.parametrize(("die", "burnt"), [(4, True), (5, False)])
def test_32_3_burnt_in_the_bridge_phase(bridging: Any, die: int, burnt: bool) -> None:
    (near,) = beside(DEPOT)
    table = bridging("allied", f"{near} 9SS/19", turn=5, rules=model.DEPOTS, depots=(SHOWN, 0, 0))
    table.play(f"burn {DEPOT_LABEL}", f"roll {die}")
    assert (table.state.depots[0] == NO_DEPOT) is burnt


def test_32_3_only_with_a_german_beside_it() -> None:
    assert burnable(stage("allied", "", turn=5, rules=model.DEPOTS, depots=(SHOWN, 0, 0))) == []


def test_32_3_gone_after_turn_6(phase: Any) -> None:
    table = phase("end_turn", "german", "6637 2Pz/2", turn=6, rules=model.DEPOTS, depots=(HIDDEN, DUMMY, CAPTURED))
    assert table.state.depots[:2] == (NO_DEPOT, NO_DEPOT)
    assert table.state.fuel_left == 1  # what was captured is brought home on turn 7


def test_32_2_two_turns_without_shortage(phase: Any) -> None:
    for turn, rolls in ((7, False), (8, False), (9, True)):
        table = phase("german_fuel", "german", "6637 2Pz/2", turn=turn, fuel_left=1)
        assert (getattr(table.state.stack[-1], "purpose", lambda s: "")(table.state) == "fuel") is rolls


# ---- 33 ---------------------------------------------------------------------------------------------


def road_from(label: str) -> str:
    """A hex along a road from another one."""
    h = hexagon(label)
    return next(model.BOARD.labels[b] for b in model.BOARD.adjacent[h] if model.BOARD.road(h, b))


def test_33_1_toll_supply_and_marches() -> None:
    h = hexagon("3413")
    s = stage("german", "", rules=model.ROADBLOCKS, blocks=[h, -1, -1, -1])
    assert enemy_blocks(s, GERMAN) == 1 << h
    assert not road_network(s, GERMAN) >> h & 1


def test_33_2_within_four_road_hexes_and_away_from_the_enemy() -> None:
    s = stage("allied", "3413 101/501", turn=5, rules=model.ROADBLOCKS)
    hexes = block_hexes(s, ALLIED)
    assert hexes
    assert all(model.BOARD.distance(hexagon("3413"), h) <= 4 for h in range(model.HEXES) if hexes >> h & 1)
    near = road_from("3413")
    enemy = stage("allied", f"3413 101/501\n{near} 2Pz/2", turn=5, rules=model.ROADBLOCKS)
    assert not block_hexes(enemy, ALLIED) & model.within(hexagon(near), 1)


def test_33_2_not_beside_markers() -> None:
    traffic = [hexagon(road_from("3413")), *[-1] * 11]
    s = stage("allied", "3413 101/501", turn=5, rules=model.ROADBLOCKS, traffic=traffic)
    assert not block_hexes(s, ALLIED) & model.within(traffic[0], 1)


def test_33_2_after_the_traffic_markers(phase: Any) -> None:
    table = phase("allied_traffic", "allied", "3413 101/501", turn=5, rules=model.ROADBLOCKS)
    assert table.choices("traffic")
    assert not table.choices("block")
    table.play("done")
    assert table.choices("block")
    assert not table.choices("dice")


def test_33_3_overrun_blocks_go_at_the_end_of_the_phase(moving: Any) -> None:
    """The second unit meets it as well; when the phase ends the block is off."""
    lines = "6638 2Pz/2\n6639 2Pz/304\n6030 79VG/208"
    table = moving("german", lines, turn=9, rules=model.ROADBLOCKS, blocks=[hexagon("6637"), -1, -1, -1])
    table.play("select 2Pz/2", "move 2Pz/2 6637", "select 2Pz/304", "move 2Pz/304 6636")
    assert table.state.blocks[0] == hexagon("6637")
    table.play("pass")
    assert table.state.blocks[0] == model.IN_BOX


def test_33_3_cut_off_blocks_are_removed(phase: Any) -> None:
    """Nobody feeds a block behind the enemy's bonds."""
    lines = "3512 2Pz/2\n3414 2Pz/304\n3312 116Pz/60"
    table = phase(
        "allied_traffic", "allied", lines, turn=5, rules=model.ROADBLOCKS, blocks=[hexagon("3413"), -1, -1, -1]
    )
    assert table.state.blocks[0] == model.IN_BOX


def test_33_4_germans_have_none_before_turn_3(phase: Any) -> None:
    table = phase("german_traffic", "german", "2016 2Pz/2", turn=2, rules=model.ROADBLOCKS)
    assert not table.choices("block")


# ---- 34, 35, 36 ---------------------------------------------------------------------------------------


def test_34_example_24_against_6_is_3_1() -> None:
    lines = "6637 84/334\n6638 9SS/19, 9SS/9/1\n6636 9SS/20, 9SS/9/2"
    b = Battle(GERMAN, hexagon("6637"), tuple(sorted(map(unit, ("9SS/19", "9SS/20", "9SS/9/1", "9SS/9/2")))))
    o = odds(stage("german", lines, rules=model.FACTOR_LIMIT), b)
    assert (o.attack, o.defence, model.COLUMNS[o.plain]) == (18, 6, "3-1")
    assert odds(stage("german", lines), b).attack == 24


@pytest.mark.parametrize(("die", "turn"), [(1, 0), (3, 0), (4, 19), (5, 19), (6, 17)])
def test_35_when_the_luftwaffe_strikes(phase: Any, die: int, turn: int) -> None:
    table = phase("german_turn", "german", "6637 2Pz/2", turn=15, rules=model.BODENPLATTE).play(f"roll {die}")
    assert table.state.bodenplatte == turn


def test_35_its_effects(moving: Any, fighting: Any) -> None:
    table = moving("allied", "6637 84/334", turn=19, rules=model.BODENPLATTE, bodenplatte=19)
    assert table.play("roll 5").state.air == 2
    jabos = fighting("german", "6637 84/334\n6638 2Pz/2", turn=19, rules=model.BODENPLATTE, bodenplatte=19)
    jabos.play("attack 6637", "join 2Pz/2", "resolve", "roll 3")
    assert "shift-defence" not in shifts_of(jabos, "roll 1")


def test_36_once_before_turn_7(bridging: Any) -> None:
    table = bridging("german", "6637 2Pz/2", turn=5, rules=model.COMMANDO).play("commando 4111/4211")
    assert table.choices("commando") == []
    assert not bridging("german", "6637 2Pz/2", turn=7, rules=model.COMMANDO).choices("commando")


def test_36_two_on_the_demolition_and_then_gone(bridging: Any) -> None:
    index = model.BRIDGE_IDS["4111/4211"]
    s = stage("allied", "4111 1/26", turn=5, greif=index)
    assert demolition_modifier(s, (unit("1/26"),), index, False) == 2
    table = bridging("allied", "4111 1/26\n4211 2Pz/2", turn=5, rules=model.COMMANDO, greif=index)
    table.play("blow 4111/4211", "roll 3")
    assert (table.state.blown & bridge("4111/4211"), table.state.greif) == (0, -2)


@pytest.mark.parametrize("night", [0, 1])
def test_36_at_any_time_in_the_german_movement_and_combat_phases(moving: Any, fighting: Any, night: int) -> None:
    lines = "6637 84/334\n6638 2Pz/2 night_marks" if night else "6637 84/334\n6638 2Pz/2"
    for position in (moving, fighting):
        table = position("german", lines, turn=6, night=night, rules=model.COMMANDO).play("commando 4111/4211")
        assert table.state.greif == model.BRIDGE_IDS["4111/4211"]
        assert table.choices("commando") == []
        assert table.refusal("commando 2020/2119")[0] == "36"
        assert not position("german", lines, turn=7, night=0, rules=model.COMMANDO).choices("commando")
        assert not position("allied", lines.replace(" night_marks", ""), turn=6, rules=model.COMMANDO).choices(
            "commando"
        )


@pytest.mark.parametrize(("answer", "stands", "greif"), [("commando 4111/4211", True, -2), ("pass", False, -1)])
def test_36_before_the_die_of_a_demolition(bridging: Any, answer: str, stands: bool, greif: int) -> None:
    """The fuses burn: a commando placed now adds two to the 3."""
    table = bridging("allied", "4111 1/26\n4211 2Pz/2", turn=5, rules=model.COMMANDO).play("blow 4111/4211")
    assert (table.actor, table.choices()) == ("german", ["commando 4111/4211", "pass"])
    table.play(answer, "roll 3")
    assert (not table.state.blown & bridge("4111/4211"), table.state.greif) == (stands, greif)


@pytest.mark.parametrize(("answer", "stands"), [("commando 4111/4211", True), ("pass", False)])
def test_36_before_the_die_of_a_bridge_that_is_attacked(fighting: Any, answer: str, stands: bool) -> None:
    """In the German combat phase 3 and 1 blow it, two more do not."""
    table = fighting("german", "4111 1/26\n4211 2Pz/2", turn=5, rules=model.COMMANDO)
    table.play("attack 4111", "join 2Pz/2", "resolve", "blow 4111/4211")
    assert (table.actor, table.choices()) == ("german", ["commando 4111/4211", "pass"])
    table.play(answer, "roll 3")
    assert (not table.state.blown & bridge("4111/4211")) is stands


def test_36_nobody_is_asked_before_german_demolitions_nor_without_the_rule(bridging: Any) -> None:
    german = bridging("german", "4211 2Pz/2\n4111 1/26", turn=5, rules=model.COMMANDO).play("blow 4111/4211")
    assert german.actor == "chance"
    plain = bridging("allied", "4111 1/26\n4211 2Pz/2", turn=5).play("blow 4111/4211")
    assert plain.actor == "chance"
    late = bridging("allied", "4111 1/26\n4211 2Pz/2", turn=7, rules=model.COMMANDO).play("blow 4111/4211")
    assert late.actor == "chance"


def test_36_the_commando_is_seen(bridging: Any) -> None:
    table = bridging("german", "6637 2Pz/2", turn=5, rules=model.COMMANDO).play("commando 4111/4211")
    edges = {edge["key"]: edge["sides"] for edge in table.game.observe(table.state, "allied")["edges"]}
    assert edges["bridge-commando"] == [["4111", "4211"]]


def test_positions_remember_what_was_added() -> None:
    """Overrun roadblocks, the crossed Meuse and hexes of infiltrators survive as text."""
    game = load("ardennes44")
    s = stage(
        "german", "6637 2Pz/2", overrun=1, meuse=1, sneaked=1 << hexagon("6630"), blocks=[hexagon("6637"), -1, -1, -1]
    )
    again = game.read_position(game.write_position(s))
    assert (again.overrun, again.meuse, again.sneaked) == (1, 1, s.sneaked)  # type: ignore[attr-defined]
