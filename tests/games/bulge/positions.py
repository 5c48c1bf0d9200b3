"""Positions of Battle of the Bulge for its tests, and what is read off them."""

from __future__ import annotations

from salient import load
from salient.games.bulge.components import Data
from salient.games.bulge.model import BulgeState
from salient.hexes.masks import bits
from salient.kernel import ChanceFrame, ScriptedDice
from table import Table


def shipped() -> Data:
    """The data that the game comes with."""
    data = load("bulge").data
    assert isinstance(data, Data)
    return data


SIDES = {"axis": 0, "allied": 1}
SHIPPED = shipped()
GROUND, FORMATIONS, UNITS, TABLES = SHIPPED.ground, SHIPPED.formations, SHIPPED.units, SHIPPED.tables


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
    return {GROUND.board.labels[h] for h in bits(state.control)}


def number(label: str) -> int:
    """The number by which a stack names a hex."""
    return GROUND.board.index[label]


BASES = "axis-base axis-fighter 3, axis-bomber 1\nallied-base allied-fighter 9, allied-bomber 3"


# Liège 5, Namur 5, Luxembourg 5, Verviers 3, Eupen 3, Arlon 3: 24 points.
CITIES_24 = "front 0105 0301 1007 0106 0107 0906"
