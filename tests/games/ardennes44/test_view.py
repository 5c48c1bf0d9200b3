"""Ardennes '44: what a player is shown before he commits himself."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import odds_of
from salient.games.ardennes44.model import FACTOR_LIMIT


def notes(odds: Any, side: str = "defence") -> list[tuple[str, str, int]]:
    return [(note["rule"], note["key"], note["args"]["n"]) for note in odds[f"{side}_notes"]]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("6637 30/117\n6638 2Pz/2", []),
        ("3413 30/117\n3414 2Pz/2", [("15.1", "defence-bonus", 3)]),
        ("6637 30/117\nip 6637\n6638 2Pz/2", [("15.8.1", "defence-bonus", 2)]),
        ("3413 99/394/1\n3414 2Pz/2", [("15.1", "defence-bonus-limited", 2)]),
        ("3413 30/117 march\n3414 2Pz/2", []),
    ],
)
def test_15_1_the_odds_say_what_the_ground_adds(
    fighting: Any, lines: str, expected: list[tuple[str, str, int]]
) -> None:
    """What stands in the sum of the defence is the units' factors and what the notes say, nothing else."""
    odds = odds_of(fighting("german", lines), f"attack {lines.split()[0]}")
    assert notes(odds) == expected
    assert odds["defence"] == sum(row["final"] for row in odds["defenders"]) + sum(n for _, _, n in expected)


def test_15_7_the_westwall_is_named_with_its_rule(fighting: Any) -> None:
    odds = odds_of(fighting("allied", "1106 212VG/320\n1105 84/334"), "attack 1106")
    assert notes(odds) == [("15.7", "defence-bonus", 3)]


def test_12_5_a_halved_defender_says_why(fighting: Any) -> None:
    odds = odds_of(fighting("german", "3413 30/117 march\n3414 2Pz/2"), "attack 3413")
    row = odds["defenders"][0]
    assert (row["strength"], row["final"], row["modifiers"][0]["rule"]) == (6, 3, "12.5")


def test_34_a_limited_attack_says_why(fighting: Any) -> None:
    lines = "6637 30/117\n6638 2Pz/2\n6737 Lehr/901\n6537 Lehr/902\n6636 2Pz/304"
    table = fighting("german", lines, rules=FACTOR_LIMIT)
    odds = odds_of(table, "attack 6637")
    assert odds["attack"] == 18
    assert notes(odds, "attack") == [("34", "attack-limit", 18)]


def test_11_3_the_manner_of_a_move_is_told(moving: Any) -> None:
    """Two hexes are tactical movement, four clear ones extended movement, one is just a move."""
    table = moving("german", "6637 212VG/320")
    table.play("select 212VG/320")
    notes_of = {
        text: table.game.view.preview(table.state, table.game.read(text)).get("note", {}).get("rule")
        for text in table.choices("move 212VG/320")
    }
    assert {"11.2", None} <= set(notes_of.values())
