"""Chapters 3 and 5: victory and initiative in their finer points."""

from __future__ import annotations

import pytest
from tests.games.deadly_woods.conftest import hexagon, stage

from salient.common.sides import SEATS
from salient.games.deadly_woods.victory import initiative_of, points, steps_over_meuse

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
    ("turn", "held", "side"), [(1, 0, "german"), (6, 3, "german"), (6, 2, "allied"), (12, 4, "allied")]
)
def test_5_2_only_supplied_victory_hexes_count_for_the_initiative(turn, held, side):
    """Turns 1 to 5 German, turn 6 with three, later Allied."""
    towns = [hexagon(label) for label in ("3211", "3107", "2519", "1812")[:held]]
    s = stage("4019 12VG/27", turn=turn, german_held=sum(1 << h for h in towns))
    assert SEATS[initiative_of(s)] == side
