"""Positions of Target Arnhem for its tests, and what is read off them."""

from __future__ import annotations

from salient.games.target_arnhem import model
from table import Table

SIDES = {"allied": 0, "german": 1}


# Faces 1 to 6 of a plain table, the same in every column: attacker's / defender's damage.
PLAIN = ((0, 3), (0, 2), (0, 1), (1, 1), (1, 0), (2, 0))


def where(table: Table, name: str) -> str:
    assert isinstance(table.state, model.ArnhemState)
    return model.PLACES[table.state.where[model.UNITS.index(name)]]


A, B, C = "0803", "0903", "0904"  # A and B: the canal bridge at Veghel; B and C: open ground


def unit(name: str) -> int:
    return model.UNITS.index(name)
