"""Positions of Target Arnhem for its tests, and what is read off them."""

from __future__ import annotations

from typing import Any

from parts import varied
from salient import load
from salient.games.target_arnhem import TargetArnhem
from salient.games.target_arnhem.components import Data
from salient.games.target_arnhem.model import ArnhemState
from salient.kernel import AnyGame
from table import Table

SIDES = {"allied": 0, "german": 1}
A, B, C = "0803", "0903", "0904"  # A and B: the canal bridge at Veghel; B and C: open ground

# Faces 1 to 6 of a plain table, the same in every column: attacker's / defender's damage.
PLAIN = ((0, 3), (0, 2), (0, 1), (1, 1), (1, 0), (2, 0))


def shipped() -> Data:
    """The data that the game comes with."""
    data = load("target-arnhem").data
    assert isinstance(data, Data)
    return data


def plain_game() -> AnyGame:
    """Every unit 4-3, and one result for a face whatever the column: tests speak of rules, not of data."""
    units, tables = SHIPPED.units, SHIPPED.tables
    plain = varied(
        SHIPPED,
        units=varied(units, strength=(4,) * units.count, resistance=(3,) * units.count),
        tables=varied(tables, combat=(PLAIN,) * len(tables.columns)),
    )
    game: Any = TargetArnhem(plain)  # a game of one type of position, where many games meet
    found: AnyGame = game
    return found


SHIPPED = shipped()
GROUND, UNITS, TABLES = SHIPPED.ground, SHIPPED.units, SHIPPED.tables
PLAIN_GAME = plain_game()


def where(table: Table, name: str) -> str:
    assert isinstance(table.state, ArnhemState)
    return GROUND.places[table.state.where[unit(name)]]


def unit(name: str) -> int:
    return UNITS.ids.index(name)
