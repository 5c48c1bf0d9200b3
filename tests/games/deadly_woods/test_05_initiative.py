"""The Deadly Woods: chapter 5, initiative."""

from __future__ import annotations

import pytest

from games.deadly_woods.positions import (
    chits,
    hexagon,
    stage,
)
from salient.common.sides import SEATS
from salient.games.deadly_woods.victory import initiative_of


def test_5_1_the_example_of_turn_2(phase):
    """The German looks at all his chits of turn 2 and may open with All Germans; supply checks are not offered."""
    table = phase("cup", "4019 12VG/27", turn=2)
    assert table.actor == "german"
    assert table.choices("first") == [
        "first german-mc", "first 5pz", "first 6pz", "first all-german", "first formations",
        "first german-reinforcements",
    ]  # fmt: skip
    table.play("first all-german")
    assert table.state.track == chits("all-german")


@pytest.mark.parametrize(
    ("turn", "held", "seat"), [(5, 0, "german"), (6, 2, "allied"), (6, 3, "german"), (7, 4, "allied")]
)
def test_5_2_initiative(phase, turn, held, seat):
    """Germans to turn 5, on turn 6 with three supplied victory hexes, then the Allies."""
    hexes = ["3211", "3107", "2519", "1812"][:held]
    lines = "\n".join(
        f"{label} {unit}" for label, unit in zip(hexes, ("12VG/27", "26VG/39", "18VG/293", "62VG/164"), strict=False)
    )
    table = phase("begin-turn", lines or "4019 12VG/27", turn=turn)
    assert SEATS[table.state.initiative] == seat


@pytest.mark.parametrize(
    ("turn", "held", "side"), [(1, 0, "german"), (6, 3, "german"), (6, 2, "allied"), (12, 4, "allied")]
)
def test_5_2_only_supplied_victory_hexes_count_for_the_initiative(turn, held, side):
    """Turns 1 to 5 German, turn 6 with three, later Allied."""
    towns = [hexagon(label) for label in ("3211", "3107", "2519", "1812")[:held]]
    s = stage("4019 12VG/27", turn=turn, german_held=sum(1 << h for h in towns))
    assert SEATS[initiative_of(s)] == side
