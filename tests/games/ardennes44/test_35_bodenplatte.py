"""Ardennes '44: chapter 35, bodenplatte."""

from __future__ import annotations

from typing import Any

import pytest

from games.ardennes44.positions import (
    shifts_of,
)
from salient.games.ardennes44 import model


def test_35_bodenplatte(phase: Any) -> None:
    table = phase("german-turn", "german", "6637 2Pz/2", turn=15, rules=model.BODENPLATTE).play("roll 6")
    assert table.state.bodenplatte == 17


@pytest.mark.parametrize(("die", "turn"), [(1, 0), (3, 0), (4, 19), (5, 19), (6, 17)])
def test_35_when_the_luftwaffe_strikes(phase: Any, die: int, turn: int) -> None:
    table = phase("german-turn", "german", "6637 2Pz/2", turn=15, rules=model.BODENPLATTE).play(f"roll {die}")
    assert table.state.bodenplatte == turn


def test_35_its_effects(moving: Any, fighting: Any) -> None:
    table = moving("allied", "6637 84/334", turn=19, rules=model.BODENPLATTE, bodenplatte=19)
    assert table.play("roll 5").state.air == 2
    jabos = fighting("german", "6637 84/334\n6638 2Pz/2", turn=19, rules=model.BODENPLATTE, bodenplatte=19)
    jabos.play("attack 6637", "join 2Pz/2", "resolve", "roll 3")
    assert "shift-defence" not in shifts_of(jabos, "roll 1")
