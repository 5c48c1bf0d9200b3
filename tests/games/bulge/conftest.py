"""Positions of Battle of the Bulge in a few lines: who stands where, and what is to be decided."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.bulge.positions import SIDES, position
from salient import load
from table import Table


@pytest.fixture
def combat() -> Callable[..., Table]:
    """A side has the initiative in ground combat."""

    def begin(side: str, lines: str, turn: int = 2) -> Table:
        return position(lines, f"Turn(ground-combat) Initiative({SIDES[side]},0) Combat({SIDES[side]})", turn)

    return begin


@pytest.fixture
def moving() -> Callable[..., Table]:
    """A side moves."""

    def begin(side: str, lines: str, turn: int = 2) -> Table:
        return position(lines, f"Turn({side}-movement) Movement({SIDES[side]},0) Activate({SIDES[side]})", turn)

    return begin


@pytest.fixture
def trucks() -> Callable[..., Table]:
    """A side drives its trucks."""

    def begin(side: str, lines: str, turn: int = 2) -> Table:
        return position(lines, f"Turn({side}-reinforcement) Convoys({SIDES[side]},0) Trucks({SIDES[side]})", turn)

    return begin


@pytest.fixture
def arriving() -> Callable[..., Table]:
    """A side places reinforcements."""

    def begin(side: str, lines: str, turn: int = 2) -> Table:
        return position(lines, f"Turn({side}-arrivals) Arrive({SIDES[side]},0)", turn)

    return begin


@pytest.fixture
def upkeep() -> Callable[..., Table]:
    """The Allies have moved: board upkeep follows at once."""

    def begin(lines: str, turn: int = 2) -> Table:
        return position(lines, "Turn(allied-arrivals) Arrive(1,0)", turn).play("pass")

    return begin


@pytest.fixture
def sky() -> Callable[..., Table]:
    """Aircraft are in the sky over hexes, and a side chooses where to fight."""

    def begin(lines: str, turn: int = 5, options: str = "") -> Table:
        return position(f"{options}\n{lines}", "Turn(air-combat) AirBattles(0,0)", turn)

    return begin


@pytest.fixture
def returning() -> Callable[..., Table]:
    """A side may take trucks off the board before anybody moves."""

    def begin(side: str, lines: str, turn: int = 2) -> Table:
        return position(lines, f"Turn(truck-return) TruckReturn({SIDES[side]},[])", turn)

    return begin


@pytest.fixture
def start() -> Table:
    game = load("bulge")
    return Table(game, game.new())
