"""Ardennes '44: chapter 31, night markers."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    hexagon,
    stage,
    unit,
    where,
)
from salient.games.ardennes44 import model
from salient.games.ardennes44.combat import refuse_fighter
from salient.games.ardennes44.night import infiltration_hexes, refuse_infiltrator


def test_31_night_infiltration(moving: Any) -> None:
    table = moving("german", "6637 2Pz/2\n6635 84/334", turn=8, night=1, rules=model.INFILTRATION)
    assert "sneak 2Pz/2 6636" in table.choices("sneak")
    table.play("sneak 2Pz/2 6636")
    assert where(table, "2Pz/2") == "6636"


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


def test_31_guns_that_can_shift_a_hex_infiltrate_too() -> None:
    """German artillery needs a tractor for every hex (22.1)."""
    s = stage("german", "6637 Werfer4\n6630 VAK405\n6620 V/190", turn=8, night=1)
    assert refuse_infiltrator(s, unit("Werfer4")) is None
    assert refuse_infiltrator(s, unit("V/190")) is None
    assert refuse_infiltrator(s, unit("VAK405")).rule == "31"  # type: ignore[union-attr]


def test_31_green_troops_keep_out_of_zones() -> None:
    lines = "6637 {}\n6635 2Pz/2"
    veteran, green = (stage("allied", lines.format(name), turn=8, night=1) for name in ("84/334", "75/289"))
    assert hexagon("6636") in infiltration_hexes(veteran, unit("84/334"))
    assert hexagon("6636") not in infiltration_hexes(green, unit("75/289"))


def test_31_infiltrators_do_not_attack() -> None:
    s = stage("allied", "6637 84/334\n6638 2Pz/2", turn=8, night=1, rules=model.INFILTRATION)
    assert refuse_fighter(s, unit("84/334")).rule == "25.3.2"  # type: ignore[union-attr]
