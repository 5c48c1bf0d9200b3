"""Positions of Battle of the Bulge in a few lines: who stands where, and what is to be decided."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from salient import load
from salient.games.bulge.model import BOARD, BulgeState
from salient.hexes.masks import bits
from salient.kernel import ChanceFrame, ScriptedDice
from table import Table

SIDES = {"axis": 0, "allied": 1}


def position(lines: str, stack: str, turn: int = 2) -> Table:
    """The position of some lines with a stack."""
    return Table.position(load("bulge"), f"position bulge\nturn {turn}\n{lines}\nstack {stack}")


def throw(table: Table, *faces: int) -> Table:
    """Roll the dice that a script names; all must be used."""
    frame = table.state.stack[-1]
    assert isinstance(frame, ChanceFrame)
    dice = ScriptedDice(faces)
    action = frame.sample(table.state, dice)
    assert dice.faces == []
    return table.play(table.game.write(action))


def pieces(table: Table, place: str) -> str:
    """What a position says about a place, without the place."""
    lines = table.game.write_position(table.state).splitlines()
    return next((line.partition(" ")[2] for line in lines if line.startswith(f"{place} ")), "")


def held(table: Table) -> set[str]:
    """The hexes on the Axis side of the front line."""
    state = table.state
    assert isinstance(state, BulgeState)
    return {BOARD.labels[h] for h in bits(state.control)}


def number(label: str) -> int:
    """The number by which a stack names a hex."""
    return BOARD.index[label]


@pytest.fixture
def combat() -> Callable[..., Table]:
    """A side has the initiative in ground combat."""

    def begin(side: str, lines: str, turn: int = 2) -> Table:
        return position(lines, f"Turn(4) Initiative({SIDES[side]},0) Combat({SIDES[side]})", turn)

    return begin


@pytest.fixture
def moving() -> Callable[..., Table]:
    """A side moves."""

    def begin(side: str, lines: str, turn: int = 2) -> Table:
        return position(lines, f"Turn({6 + 4 * SIDES[side]}) Movement({SIDES[side]},0) Move({SIDES[side]})", turn)

    return begin


@pytest.fixture
def trucks() -> Callable[..., Table]:
    """A side drives its trucks."""

    def begin(side: str, lines: str, turn: int = 2) -> Table:
        return position(lines, f"Turn({7 + 4 * SIDES[side]}) Convoys({SIDES[side]},0) Trucks({SIDES[side]})", turn)

    return begin


@pytest.fixture
def arriving() -> Callable[..., Table]:
    """A side places reinforcements."""

    def begin(side: str, lines: str, turn: int = 2) -> Table:
        return position(lines, f"Turn({8 + 4 * SIDES[side]}) Arrive({SIDES[side]},0)", turn)

    return begin


@pytest.fixture
def upkeep() -> Callable[..., Table]:
    """The Allies have moved: board upkeep follows at once."""

    def begin(lines: str, turn: int = 2) -> Table:
        return position(lines, "Turn(12) Arrive(1,0)", turn).play("pass")

    return begin


@pytest.fixture
def sky() -> Callable[..., Table]:
    """Aircraft are in the sky over hexes, and a side chooses where to fight."""

    def begin(lines: str, turn: int = 5, options: str = "") -> Table:
        return position(f"{options}\n{lines}", "Turn(2) AirBattles(0,0)", turn)

    return begin


@pytest.fixture
def returning() -> Callable[..., Table]:
    """A side may take trucks off the board before anybody moves."""

    def begin(side: str, lines: str, turn: int = 2) -> Table:
        return position(lines, f"Turn(5) TruckReturn({SIDES[side]},[])", turn)

    return begin
