"""Positions of The Deadly Woods for its tests, and what is read off them."""

from __future__ import annotations

from typing import Any

from parts import varied
from salient import load
from salient.common.sides import ALLIED, GERMAN
from salient.games.deadly_woods import DeadlyWoods
from salient.games.deadly_woods.components import CHITS, Data
from salient.games.deadly_woods.model import WoodsState
from salient.games.deadly_woods.movement import cost, path, ways
from salient.games.deadly_woods.zones import zone
from salient.kernel import AnyGame, settle
from table import Table

SIDES = {"allied": ALLIED, "german": GERMAN}


PLAIN = ("AL1", "BL1", "DR", "DR*", "NE", "NE")  # faces 1 to 6


POINTS = ((3, 1), (2, 2))  # infantry and armour replacements of the Allies and of the Germans


def shipped() -> Data:
    """The data that the game comes with."""
    data = load("deadly-woods").data
    assert isinstance(data, Data)
    return data


def plain_game() -> AnyGame:
    """One result for a face whatever the column, the same points every turn: tests speak of rules, not of data."""
    tables = SHIPPED.tables
    combat, points = (PLAIN,) * len(tables.columns), (POINTS,) * len(tables.replacements)
    plain = varied(SHIPPED, tables=varied(tables, combat=combat, replacements=points))
    game: Any = DeadlyWoods(plain)  # a game of one type of position, where many games meet
    found: AnyGame = game
    return found


SHIPPED = shipped()
GROUND, UNITS, ASSETS, TABLES = SHIPPED.ground, SHIPPED.units, SHIPPED.assets, SHIPPED.tables
PLAIN_GAME = plain_game()


def stage(lines: str, turn: int = 4, **changes: Any) -> WoodsState:
    """A position with units where the lines say, control following them, between two rounds."""
    text = f"position deadly-woods\nturn {turn} initiative {changes.pop('initiative', 1 if turn < 6 else 0)}\n{lines}"
    s = PLAIN_GAME.read_position(f"{text}\nstack Turn(rounds) Rounds()")
    assert isinstance(s, WoodsState)
    for u, h in enumerate(s.where):
        if h < GROUND.hexes and GROUND.controlled >> h & 1:
            german = UNITS.side[u] == GERMAN
            s.german_held = s.german_held | 1 << h if german else s.german_held & ~(1 << h)
    for name, value in changes.items():
        setattr(s, name, value)
    return s


def settled(s: WoodsState) -> Table:
    """A table at the next decision of a position, which must be sound."""
    s.clear_caches()
    settle(s)
    assert PLAIN_GAME.check(s) == []
    return Table(PLAIN_GAME, s)


def where(table: Table, unit: str) -> str:
    """The hex or box of a unit."""
    return GROUND.places[table.state.where[UNITS.index[unit]]]  # type: ignore[attr-defined]


def lost(table: Table, unit: str) -> int:
    """The steps that a unit has lost."""
    return int(table.state.lost[UNITS.index[unit]])  # type: ignore[attr-defined]


def asset(table: Table, name: str) -> str:
    """Where an asset is."""
    return GROUND.places[table.state.asset[ASSETS.index[name]]]  # type: ignore[attr-defined]


def hexagon(label: str) -> int:
    """The index of a hex."""
    return GROUND.board.index[label]


def way_of(table: Table, unit: str, label: str) -> list[int]:
    """The way that a unit which has not moved takes to a hex."""
    u = UNITS.index[unit]
    return path(table.state, u, hexagon(label), ways(table.state, u))  # type: ignore[arg-type]


def odds_of(table: Table, text: str) -> Any:
    """The odds that an action previews."""
    return table.game.view.preview(table.state, table.game.read(text))["odds"]


def shifts_of(table: Table, text: str) -> dict[str, int]:
    """The shifts of an attack by their keys."""
    return {shift["key"]: shift["args"]["n"] for shift in odds_of(table, text)["shifts"]}


def reach(table: Table, unit: str) -> set[str]:
    """Where a unit may move once it is selected, its own hex apart."""
    return table.try_all(f"select {unit}").destinations(unit) - {where(table, unit)}


def state_of(table: Table) -> WoodsState:
    assert isinstance(table.state, WoodsState)
    return table.state


def in_zone(table: Table, label: str, side: int = ALLIED) -> bool:
    return bool(zone(state_of(table), side) >> hexagon(label) & 1)


def points_to(table: Table, unit: str, label: str) -> float:
    s, u = state_of(table), UNITS.index[unit]
    return cost(s, u, hexagon(label), ways(s, u))


OPEN = "2517"  # clear, no river, no settlement


def fight(table: Table, target: str, *units: str) -> Table:
    """Declare an attack and commit no guns: the die is to be rolled."""
    table.play(f"attack {target}", *(f"join {u}" for u in units), "resolve")
    while table.choices("resolve"):
        table.play("resolve")
    return table


def units(*names: str) -> tuple[int, ...]:
    return tuple(UNITS.index[name] for name in names)


RING = "2518 12VG/27\n2418 26VG/39\n2520 26VG/77\n2619 18VG/293\n2618 18VG/294\n2419 62VG/164"  # around Bastogne


def chits(*names: str) -> tuple[int, ...]:
    return tuple(CHITS.index(name) for name in names)


def cup_of(table: Table) -> dict[str, int]:
    return {CHITS[c]: n for c, n in enumerate(state_of(table).cup) if n}


FIVE = ("3211", "3107", "2519", "1812", "3102")


HOLDERS = ("12VG/27", "12VG/48", "26VG/39", "26VG/77", "18VG/293")


def holding(count: int) -> str:
    return "\n".join(f"{label} {unit}" for label, unit in list(zip(FIVE, HOLDERS, strict=True))[:count])
