"""Positions of Ardennes '44 for its tests, and what is read off them."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from salient import load
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.components import Data
from salient.games.ardennes44.model import ArdennesState
from salient.games.ardennes44.movement import (
    by_hex,
)
from salient.games.ardennes44.reinforcements import (
    entries,
)
from salient.games.ardennes44.ways import steps_from
from salient.hexes.sets import UnitId
from salient.kernel import settle
from table import Table

SIDES = {"allied": ALLIED, "german": GERMAN}


def shipped() -> Data:
    """The data that the game comes with."""
    data = load("ardennes44").data
    assert isinstance(data, Data)
    return data


DATA = shipped()
GROUND, UNITS, TABLES = DATA.ground, DATA.units, DATA.tables


def stage(side: str, lines: str, turn: int = 9, **changes: Any) -> ArdennesState:
    """A position with units where the lines say, control following them, in a side's player turn."""
    text = f"position ardennes44\nturn {turn} player {SIDES[side]}\n{lines}\nstack Turn({side}-movement)"
    s = load("ardennes44").read_position(text)
    assert isinstance(s, ArdennesState)
    for u, h in enumerate(s.where):
        if h < GROUND.hexes and GROUND.objectives >> h & 1:
            german = UNITS.side[u] == GERMAN
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


def unit(name: str) -> UnitId:
    """The index of a unit."""
    return UNITS.index[name]


def hexagon(label: str) -> int:
    """The index of a hex."""
    return GROUND.board.index[label]


def bridge(name: str) -> int:
    """The bit of a bridge."""
    return 1 << GROUND.bridge_ids[name]


def where(table: Table, name: str) -> str:
    """The hex or box of a unit."""
    return GROUND.places[table.state.where[unit(name)]]  # type: ignore[attr-defined]


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
    return table.game.view.preview(table.state, table.game.read(text))["odds"]


def shifts_of(table: Table, text: str) -> dict[str, int]:
    """The shifts of an attack by their keys."""
    return {shift["key"]: shift["args"]["n"] for shift in odds_of(table, text)["shifts"]}


def _label(h: int) -> str:
    return GROUND.board.labels[h]


def cost(a: str, b: str, mobility: int, frozen: bool = False, blown: int = 0) -> float | None:
    steps = dict(steps_from(GROUND, hexagon(a), mobility, frozen, False, blown))
    found = steps.get(hexagon(b))
    return None if found is None else found / 2


FAR_AWAY = "0129 2SS/3"  # keeps the German phase from ending


def labels(way: Any) -> list[str]:
    return [GROUND.board.labels[h] for h in way]


def effects(table: Table, text: str) -> list[str]:
    """The effects that a preview names."""
    preview = table.game.view.preview(table.state, table.game.read(text))
    return [effect["key"] for effect in preview.get("effects", [])]


def in_every_order(table: Table, texts: list[str]) -> list[Any]:
    return [table.try_all(*order).state.key() for order in permutations(texts)]


GAME = load("ardennes44")


LABELS = GROUND.board.labels


def enters(side: str, lines: str, name: str, turn: int = 9, **changes: Any) -> set[str]:
    """Where a unit from off the map may end."""
    return {LABELS[h] for h in by_hex(entries(stage(side, lines, turn, **changes), unit(name)))}


FAR = "0129 2SS/3"


def key(table: Any) -> Any:
    return table.state.key()


def way_of(table: Any, text: str) -> list[str]:
    return list(table.game.view.preview(table.state, table.game.read(text))["path"])


DUEL = "6637 84/334\n6638 2Pz/2, 2Pz/3/1\n6636 2Pz/304"  # 16 to 6, armour: 3-1


NINTH = "6638 9SS/19, 9SS/9/1\n6636 9SS/20, 9SS/9/2"  # 24 attack factors around 6637


ELSEWHERE = "6030 5/10\n6031 79VG/208"  # keeps the phase open


JOINS = ("join 9SS/9/1", "join 9SS/9/2", "join 9SS/19", "join 9SS/20", "resolve")


def assault(fighting: Any, defenders: str, die: int, more: str = "", **changes: Any) -> Table:
    """9th SS attacks 6637 at high odds."""
    table: Table = fighting("german", f"6637 {defenders}\n{NINTH}\n{ELSEWHERE}\n{more}", **changes)
    return table.play("attack 6637", *JOINS, f"roll {die}")


def flee(table: Table) -> Table:
    """Every unit takes the first way that its retreat leaves open."""
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    return table


def places(options: dict[int, Any]) -> set[str]:
    return {GROUND.places[h] for h in options}
