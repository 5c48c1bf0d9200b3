"""Positions of Ardennes '44 in a few lines. Around 6637 lie three rings of clear hexes without roads and rivers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.ardennes44.positions import (
    SIDES,
    settled,
    stage,
)
from salient.games.ardennes44.bridges import begin_bridges
from salient.games.ardennes44.combat import begin_combat
from salient.games.ardennes44.movement_phase import begin_movement
from salient.games.ardennes44.sequence import PHASES, Turn
from salient.kernel.messages import ignore_events
from table import Table


@pytest.fixture
def moving() -> Callable[..., Table]:
    """moving("german", "6637 2Pz/2"): a side's movement phase."""

    def position(side: str, lines: str, turn: int = 9, **changes: Any) -> Table:
        s = stage(side, lines, turn, **changes)
        begin_movement(s, SIDES[side], ignore_events)
        return settled(s)

    return position


@pytest.fixture
def fighting() -> Callable[..., Table]:
    """fighting("german", lines): a side's combat phase."""

    def position(side: str, lines: str, turn: int = 9, **changes: Any) -> Table:
        s = stage(side, lines, turn, **changes)
        begin_combat(s, SIDES[side], ignore_events)
        return settled(s)

    return position


@pytest.fixture
def bridging() -> Callable[..., Table]:
    """bridging("german", lines): a side's bridge phase."""

    def position(side: str, lines: str, turn: int = 9, **changes: Any) -> Table:
        s = stage(side, lines, turn, **changes)
        begin_bridges(s, SIDES[side], ignore_events)
        return settled(s)

    return position


@pytest.fixture
def phase() -> Callable[..., Table]:
    """phase("german-fuel", "german", lines): the turn goes on with a phase."""

    def position(name: str, side: str, lines: str, turn: int = 9, **changes: Any) -> Table:
        s = stage(side, lines, turn, **changes)
        s.stack = (Turn(PHASES.names[PHASES.names.index(name) - 1]),)
        return settled(s)

    return position
