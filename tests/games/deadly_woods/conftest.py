"""Positions of The Deadly Woods in a few lines, and plain tables: one result for a face, the same points every turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.deadly_woods.positions import (
    PLAIN_GAME,
    SIDES,
    settled,
    stage,
)
from salient.games.deadly_woods.chits import Rounds, begin_mc, play_chit
from salient.games.deadly_woods.components import CHITS
from salient.games.deadly_woods.rounds import EndRound, push_combat, push_movement, units_on_map
from salient.games.deadly_woods.sequence import PHASES, Turn
from salient.kernel.messages import ignore_events
from table import Table


@pytest.fixture
def moving() -> Callable[..., Table]:
    """moving("german", "2519 7A/CCB"): all units of a side may move."""

    def position(side: str, lines: str, turn: int = 4, **changes: Any) -> Table:
        s = stage(lines, turn, **changes)
        s.push(EndRound())
        push_movement(s, SIDES[side], units_on_map(s, SIDES[side]), changes.get("demolitions", False))
        return settled(s)

    return position


@pytest.fixture
def fighting() -> Callable[..., Table]:
    """fighting("german", lines): all units of a side may attack."""

    def position(side: str, lines: str, turn: int = 4, **changes: Any) -> Table:
        s = stage(lines, turn, **changes)
        s.push(EndRound())
        push_combat(s, SIDES[side], units_on_map(s, SIDES[side]))
        return settled(s)

    return position


@pytest.fixture
def playing() -> Callable[..., Table]:
    """playing("5pz", lines): a chit has just been played."""

    def position(chit: str, lines: str, turn: int = 4, **changes: Any) -> Table:
        s = stage(lines, turn, **changes)
        play_chit(s, CHITS.index(chit), ignore_events)
        return settled(s)

    return position


@pytest.fixture
def mc_round() -> Callable[..., Table]:
    """mc_round("allied", "move", lines): a movement or combat round has just begun."""

    def position(side: str, mode: str, lines: str, turn: int = 4, **changes: Any) -> Table:
        s = stage(lines, turn, **changes)
        begin_mc(s, SIDES[side], mode, ignore_events)
        return settled(s)

    return position


@pytest.fixture
def phase() -> Callable[..., Table]:
    """phase("greif", lines): the turn goes on with that phase."""

    def position(name: str, lines: str, turn: int = 4, **changes: Any) -> Table:
        s = stage(lines, turn, **changes)
        s.stack = (Turn(PHASES.names[PHASES.names.index(name) - 1]),)
        return settled(s)

    return position


@pytest.fixture
def drawing() -> Callable[..., Table]:
    """drawing({"5pz": 1}, lines): chits are in the cup and one is to be drawn."""

    def position(cup: dict[str, int], lines: str = "", turn: int = 4, **changes: Any) -> Table:
        s = stage(lines, turn, **changes)
        for chit, count in cup.items():
            s.cup[CHITS.index(chit)] = count
        s.stack = (Turn("rounds"), Rounds())
        return settled(s)

    return position


@pytest.fixture
def start() -> Table:
    """The game as it begins."""
    return Table(PLAIN_GAME, PLAIN_GAME.new())
