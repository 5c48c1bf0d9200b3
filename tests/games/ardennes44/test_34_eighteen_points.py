"""Ardennes '44: chapter 34, eighteen points."""

from __future__ import annotations

from typing import Any

from games.ardennes44.positions import (
    TABLES,
    hexagon,
    odds_of,
    stage,
    unit,
)
from salient.common.sides import GERMAN
from salient.games.ardennes44 import model
from salient.games.ardennes44.strengths import Battle, odds


def test_34_factor_limit(fighting: Any) -> None:
    lines = "6637 84/334\n6638 9SS/19, 9SS/9/1\n6636 9SS/20, 9SS/9/2"
    assert odds_of(fighting("german", lines), "attack 6637")["attack"] == 24
    limited = fighting("german", lines, rules=model.FACTOR_LIMIT)
    assert odds_of(limited, "attack 6637")["attack"] == 18


def test_34_example_24_against_6_is_3_1() -> None:
    lines = "6637 84/334\n6638 9SS/19, 9SS/9/1\n6636 9SS/20, 9SS/9/2"
    b = Battle(GERMAN, hexagon("6637"), tuple(sorted(map(unit, ("9SS/19", "9SS/20", "9SS/9/1", "9SS/9/2")))))
    o = odds(stage("german", lines, rules=model.FACTOR_LIMIT), b)
    assert (o.attack, o.defence, TABLES.columns[o.plain]) == (18, 6, "3-1")
    assert odds(stage("german", lines), b).attack == 24
