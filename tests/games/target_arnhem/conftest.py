"""Positions of Target Arnhem with plain counters and a plain combat table: tests speak of rules, not of data."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.target_arnhem.positions import PLAIN_GAME, SIDES
from table import Table


@pytest.fixture
def impulse() -> Callable[..., Table]:
    """impulse("allied", 1, "1504 504, 505", turn=3): a position in which a side is to act."""

    def position(side: str, number: int, lines: str, turn: int = 3, points: str = "wehrmacht=5 ss=2") -> Table:
        who = SIDES[side]
        text = f"""position target-arnhem
            turn {turn} impulse {number}
            points {points}
            {lines}
            stack Turn({side}-impulse-{number}) EndOfImpulse({who}) Impulse({who})"""
        return Table.position(PLAIN_GAME, text)

    return position


@pytest.fixture
def before() -> Callable[..., Table]:
    """before("1504 504", turn=3): a position settled at the first decision of a turn's reorganisation phase."""

    def position(lines: str, turn: int = 3, points: str = "wehrmacht=0 ss=0") -> Table:
        game = PLAIN_GAME
        text = f"""position target-arnhem
            turn {turn - 1} impulse 3
            points {points}
            {lines}
            stack Turn(german-impulse-3) EndOfImpulse(1) Impulse(1)"""
        return Table.position(game, text).play("pass")

    return position
