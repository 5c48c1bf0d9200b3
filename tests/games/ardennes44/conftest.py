"""Positions of Ardennes '44 in a few lines. Around 6637 lie three rings of clear hexes without roads and rivers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from salient import load
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44 import model
from salient.games.ardennes44.bridges import begin_bridges
from salient.games.ardennes44.combat import begin_combat
from salient.games.ardennes44.model import ArdennesState
from salient.games.ardennes44.moving import begin_movement
from salient.games.ardennes44.sequence import PHASE_NAMES, Turn
from salient.kernel import settle
from salient.kernel.messages import NULL
from table import Table

SIDES = {"allied": ALLIED, "german": GERMAN}
AFTER = {"allied": PHASE_NAMES.index("allied_recovery"), "german": PHASE_NAMES.index("german_recovery")}


def stage(side: str, lines: str, turn: int = 9, **changes: Any) -> ArdennesState:
    """A position with units where the lines say, control following them, in a side's player turn."""
    text = f"position ardennes44\nturn {turn} player {SIDES[side]}\n{lines}\nstack Turn({AFTER[side]})"
    s = load("ardennes44").read_position(text)
    assert isinstance(s, ArdennesState)
    for u, h in enumerate(s.where):
        if h < model.HEXES and model.OBJECTIVES >> h & 1:
            german = model.SIDE[u] == GERMAN
            s.held = s.held | 1 << h if german else s.held & ~(1 << h)
    for name, value in changes.items():
        setattr(s, name, value)
    s.clear_caches()
    return s


def settled(s: ArdennesState) -> Table:
    """A table at the next decision of a position, which must be sound."""
    settle(s)
    assert load("ardennes44").check(s) == []
    return Table(load("ardennes44"), s)


@pytest.fixture
def moving() -> Callable[..., Table]:
    """moving("german", "6637 2Pz/2"): a side's movement phase."""

    def position(side: str, lines: str, turn: int = 9, **changes: Any) -> Table:
        s = stage(side, lines, turn, **changes)
        begin_movement(s, SIDES[side])
        return settled(s)

    return position


@pytest.fixture
def fighting() -> Callable[..., Table]:
    """fighting("german", lines): a side's combat phase."""

    def position(side: str, lines: str, turn: int = 9, **changes: Any) -> Table:
        s = stage(side, lines, turn, **changes)
        begin_combat(s, SIDES[side])
        return settled(s)

    return position


@pytest.fixture
def bridging() -> Callable[..., Table]:
    """bridging("german", lines): a side's bridge phase."""

    def position(side: str, lines: str, turn: int = 9, **changes: Any) -> Table:
        s = stage(side, lines, turn, **changes)
        begin_bridges(s, SIDES[side], NULL)
        return settled(s)

    return position


@pytest.fixture
def phase() -> Callable[..., Table]:
    """phase("german_fuel", "german", lines): the turn goes on with a phase."""

    def position(name: str, side: str, lines: str, turn: int = 9, **changes: Any) -> Table:
        s = stage(side, lines, turn, **changes)
        s.stack = (Turn(PHASE_NAMES.index(name)),)
        return settled(s)

    return position


def unit(name: str) -> int:
    """The index of a unit."""
    return model.UNIT[name]


def hexagon(label: str) -> int:
    """The index of a hex."""
    return model.BOARD.index[label]


def bridge(name: str) -> int:
    """The bit of a bridge."""
    return 1 << model.BRIDGE_IDS[name]


def where(table: Table, name: str) -> str:
    """The hex or box of a unit."""
    return model.PLACES[table.state.where[unit(name)]]  # type: ignore[attr-defined]


def lost(table: Table, name: str) -> int:
    """The steps that a unit has lost."""
    return int(table.state.lost[unit(name)])  # type: ignore[attr-defined]


def order(table: Table, name: str) -> int:
    """0 good order, 1 disrupted, 2 routed."""
    return int(table.state.order[unit(name)])  # type: ignore[attr-defined]


def marked(table: Table, mark: str, name: str) -> bool:
    """Whether a unit bears a mark."""
    return bool(getattr(table.state, mark) >> unit(name) & 1)


def reach(table: Table, name: str) -> set[str]:
    """Where a unit may move once it is selected."""
    return table.try_all(f"select {name}").destinations(name)


def march_reach(table: Table, name: str) -> set[str]:
    """Where a unit may end a march."""
    return {text.split()[2] for text in table.try_all(f"select {name}").choices(f"march {name}")}


def odds_of(table: Table, text: str) -> Any:
    """The odds that an action previews."""
    return table.game.preview(table.state, table.game.read(text))["odds"]


def shifts_of(table: Table, text: str) -> dict[str, int]:
    """The shifts of an attack by their keys."""
    return {shift["key"]: shift["args"]["n"] for shift in odds_of(table, text)["shifts"]}
