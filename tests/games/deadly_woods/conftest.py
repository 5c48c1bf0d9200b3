"""Positions of The Deadly Woods in a few lines, and plain tables: one result for a face, the same points every turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from salient import load
from salient.common.sides import ALLIED, GERMAN
from salient.games.deadly_woods import combat, model, replacements
from salient.games.deadly_woods.chits import Rounds, begin_mc, play_chit
from salient.games.deadly_woods.model import WoodsState
from salient.games.deadly_woods.movement import path, ways
from salient.games.deadly_woods.rounds import EndRound, push_combat, push_movement, units_on_map
from salient.games.deadly_woods.sequence import Turn
from salient.kernel import settle
from salient.kernel.messages import NULL
from table import Table

SIDES = {"allied": ALLIED, "german": GERMAN}
PLAIN = ("AL1", "BL1", "DR", "DR*", "NE", "NE")  # faces 1 to 6
POINTS = ((3, 1), (2, 2))  # infantry and armour replacements of the Allies and of the Germans
END_OF_TURN = 11  # the phase after the rounds


@pytest.fixture(autouse=True)
def _plain_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combat, "TABLE", (PLAIN,) * len(model.COLUMNS))
    monkeypatch.setattr(replacements, "REPLACEMENTS", (POINTS,) * len(model.REPLACEMENTS))


def stage(lines: str, turn: int = 4, **changes: Any) -> WoodsState:
    """A position with units where the lines say, control following them, between two rounds."""
    text = f"position deadly-woods\nturn {turn} initiative {changes.pop('initiative', 1 if turn < 6 else 0)}\n{lines}"
    s = load("deadly-woods").read_position(f"{text}\nstack Turn({END_OF_TURN}) Rounds()")
    assert isinstance(s, WoodsState)
    for u, h in enumerate(s.where):
        if h < model.HEXES and (model.SETTLED | model.VICTORY) >> h & 1:
            german = model.SIDE[u] == GERMAN
            s.german_held = s.german_held | 1 << h if german else s.german_held & ~(1 << h)
    for name, value in changes.items():
        setattr(s, name, value)
    return s


def settled(s: WoodsState) -> Table:
    """A table at the next decision of a position, which must be sound."""
    game = load("deadly-woods")
    s.clear_caches()
    settle(s)
    assert game.check(s) == []
    return Table(game, s)


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
        play_chit(s, model.CHITS.index(chit), NULL)
        return settled(s)

    return position


@pytest.fixture
def mc_round() -> Callable[..., Table]:
    """mc_round("allied", "move", lines): a movement or combat round has just begun."""

    def position(side: str, mode: str, lines: str, turn: int = 4, **changes: Any) -> Table:
        s = stage(lines, turn, **changes)
        begin_mc(s, SIDES[side], mode, NULL)
        return settled(s)

    return position


@pytest.fixture
def phase() -> Callable[..., Table]:
    """phase(1, lines): the turn goes on with the phase of that number."""

    def position(step: int, lines: str, turn: int = 4, **changes: Any) -> Table:
        s = stage(lines, turn, **changes)
        s.stack = (Turn(step),)
        return settled(s)

    return position


@pytest.fixture
def drawing() -> Callable[..., Table]:
    """drawing({"5pz": 1}, lines): chits are in the cup and one is to be drawn."""

    def position(cup: dict[str, int], lines: str = "", turn: int = 4, **changes: Any) -> Table:
        s = stage(lines, turn, **changes)
        for chit, count in cup.items():
            s.cup[model.CHITS.index(chit)] = count
        s.stack = (Turn(END_OF_TURN), Rounds())
        return settled(s)

    return position


def where(table: Table, unit: str) -> str:
    """The hex or box of a unit."""
    return model.PLACES[table.state.where[model.UNIT[unit]]]  # type: ignore[attr-defined]


def lost(table: Table, unit: str) -> int:
    """The steps that a unit has lost."""
    return int(table.state.lost[model.UNIT[unit]])  # type: ignore[attr-defined]


def asset(table: Table, name: str) -> str:
    """Where an asset is."""
    return model.PLACES[table.state.asset[model.ASSET[name]]]  # type: ignore[attr-defined]


def hexagon(label: str) -> int:
    """The index of a hex."""
    return model.BOARD.index[label]


def way_of(table: Table, unit: str, label: str) -> list[int]:
    """The way that a unit which has not moved takes to a hex."""
    u = model.UNIT[unit]
    return path(table.state, u, hexagon(label), ways(table.state, u))  # type: ignore[arg-type]


def odds_of(table: Table, text: str) -> Any:
    """The odds that an action previews."""
    return table.game.preview(table.state, table.game.read(text))["odds"]


def shifts_of(table: Table, text: str) -> dict[str, int]:
    """The shifts of an attack by their keys."""
    return {shift["key"]: shift["args"]["n"] for shift in odds_of(table, text)["shifts"]}


def reach(table: Table, unit: str) -> set[str]:
    """Where a unit may move once it is selected, its own hex apart."""
    return table.try_all(f"select {unit}").destinations(unit) - {where(table, unit)}
