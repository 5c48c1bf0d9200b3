"""The Deadly Woods: chapter 3, victory."""

from __future__ import annotations

import pytest

from games.deadly_woods.positions import (
    GROUND,
    PLAIN_GAME,
    asset,
    hexagon,
    holding,
    stage,
    where,
)
from salient.games.deadly_woods.victory import points, steps_over_meuse


def test_3_1_and_3_3_lengths():
    """Six turns or twelve."""
    game = PLAIN_GAME
    assert {scenario.id: scenario.turns for scenario in game.scenarios} == {"campaign": 12, "attack": 6}


def test_3_2_set_up(start):
    """2nd Panzer in 3317, V Corps engineers in Elsenborn, four bridges blown, fuel in 3508, no points."""
    assert where(start, "2Pz/3") == where(start, "2Pz/304") == "3317"
    assert asset(start, "V-Eng") == "3406"
    blown = {GROUND.bridge_names[b] for b in range(len(GROUND.bridge_names)) if start.state.blown >> b & 1}
    assert blown == {"3926/4025", "3823/3923", "3622/3623", "3320/3419"}
    assert GROUND.board.labels[GROUND.fuel] == "3508"
    assert points(start.state) == 0


def test_3_3_the_attack_ends_after_turn_6(drawing):
    """The last chit of turn 6 ends the attack scenario."""
    table = drawing({"supply": 1}, "4019 12VG/27", turn=6, scenario="attack").play("draw supply")
    assert table.actor == "over"
    assert table.game.result(table.state).winner == "allied"


NAMUR = "0806 2Pz/3, 2Pz/304\n0705 116Pz/60"  # nine motorized steps west of the Meuse


def ended(drawing, lines, turn, **changes):
    """The winner and the reason at the end of a turn, None if it goes on."""
    table = drawing({"allied-mc": 1}, lines, turn=turn, **changes).play("draw allied-mc", "play combat")
    while table.choices("pass") and table.state.turn == turn and not table.game.result(table.state):
        table.play("pass")
    result = table.game.result(table.state)
    return (result.winner, result.key) if result else None


def test_3_4_sudden_death_over_the_meuse(drawing):
    """Nine supplied motorized steps across the Meuse in the British zone win at the end of a turn, eight do not."""
    assert ended(drawing, NAMUR, 5) == ("german", "sudden-death-meuse")
    assert ended(drawing, NAMUR.replace("116Pz/60", "116Pz/60 lost=1"), 5) is None


def test_3_4_steps_out_of_supply_or_east_of_the_meuse_do_not_count():
    """A marked battle group, and one on the right bank, are left out."""
    assert steps_over_meuse(stage(NAMUR)) == 9
    assert steps_over_meuse(stage(NAMUR.replace("116Pz/60", "116Pz/60 oos"))) == 6
    assert steps_over_meuse(stage("0907 2Pz/3, 2Pz/304\n0705 116Pz/60")) == 3


def test_3_4_sudden_death_is_looked_for_at_the_end_of_a_turn_only(moving):
    """The fifth victory hex is taken in mid-turn: the game goes on until the check."""
    lines = "3211 12VG/27\n3107 12VG/48\n1812 26VG/77\n3102 18VG/293\n2518 26VG/39\n2420 62VG/164\n1408 99/393"
    table = moving("german", lines, turn=5).play("select 26VG/39", "move 26VG/39 2519")
    assert points(table.state) == 5
    assert table.game.result(table.state) is None


def test_3_4_a_victory_hex_left_behind_still_counts():
    """Control does not need a garrison, and an enemy zone alone does not cut the hex off."""
    held = 1 << hexagon("2519")
    assert points(stage("4019 12VG/27", german_held=held)) == 1
    assert points(stage("2418 99/393", german_held=held)) == 1


@pytest.mark.parametrize(
    ("count", "turn", "changes", "winner"),
    [
        (5, 3, {}, "german"),
        (4, 3, {}, None),
        (4, 6, {"scenario": "attack"}, "german"),
        (3, 6, {"scenario": "attack"}, "allied"),
        (2, 12, {"withdrawal": 1}, "german"),
        (1, 12, {"withdrawal": 1}, "allied"),
        (2, 12, {"withdrawal": 2}, "allied"),
        (3, 12, {"withdrawal": 2}, "german"),
    ],
)
def test_3_4_victory_by_points(drawing, count, turn, changes, winner):
    """Five end the game at once; four win the attack; two the campaign, three if the SS stayed."""
    table = drawing({"supply": 1}, holding(count), turn=turn, **changes).play("draw supply")
    result = table.game.result(table.state)
    assert (result.winner if result else None) == winner


def test_3_4_only_supplied_hexes_count():
    """Bastogne held by a surrounded German is no point."""
    allied = "2518 99/393\n2418 99/394\n2520 99/395\n2619 2/9\n2618 2/23\n2419 2/38"
    assert points(stage("2519 12VG/27")) == 1
    assert points(stage(f"2519 12VG/27\n{allied}")) == 0


def test_3_4_nine_motorized_steps_over_the_meuse(drawing):
    """Three full battle groups at Namur win at the end of the turn; infantry does not count."""
    s = stage("0806 2Pz/3, 2Pz/304\n0705 116Pz/60", turn=5)
    assert steps_over_meuse(s) == 9
    infantry = stage("0806 12VG/27, 12VG/48", turn=5)
    assert steps_over_meuse(infantry) == 0


def test_3_5_control_changes_on_entering(moving):
    """A German who passes through Bastogne takes it; an Ally takes it back."""
    table = moving("german", "2518 12VG/27", turn=4).play("select 12VG/27", "move 12VG/27 2519")
    assert table.state.german_held >> hexagon("2519") & 1
    back = moving("allied", "2518 99/393", german_held=1 << hexagon("2519"))
    back.play("select 99/393", "move 99/393 2519")
    assert not back.state.german_held >> hexagon("2519") & 1


def test_3_5_a_way_through_a_town_can_be_chosen(moving):
    """From 2518 to 2419 there are equally short ways; `via` leads through Bastogne and takes it."""
    table = moving("german", "2518 12VG/27").play("select 12VG/27", "via 12VG/27 2519", "move 12VG/27 2419")
    assert where(table, "12VG/27") == "2419"
    assert table.state.german_held >> hexagon("2519") & 1


def test_3_5_the_allies_hold_everything_west_of_the_westwall(start):
    """St. Vith and Büllingen are Allied, Prüm is German."""
    held = start.state.german_held
    assert not held >> hexagon("3211") & 1
    assert not held >> hexagon("3508") & 1
    assert held >> hexagon("3813") & 1
