"""What one who knows the country would check on sight: every statement of statements.csv, on all four maps.

A statement that a map cannot meet at its scale has the reason in the column `deviates`: it must not hold.
"""

import csv
import itertools
import math
from collections import deque
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

import salient
from salient.hexes.board import Board
from salient.hexes.layout import Layout
from salient.hexes.load import load_board

GAMES = Path(salient.__file__).parent / "games"
STATEMENTS = list(csv.DictReader((Path(__file__).parent / "statements.csv").open(encoding="utf-8")))
MAIN_ROADS = {"primary", "highway", "road"}
# By how many hexes a road may be longer than the straight line, for each leg of it.
DETOUR = 3
# Distances were read off a map to a tenth of a kilometre.
ROUNDING = 0.1


@cache
def board_of(game: str) -> Board:
    return load_board(GAMES / game.replace("-", "_") / "data")


def hexes(board: Board, name: str) -> tuple[int, ...]:
    """Return the hexes of a place or of a hex number."""
    if name in board.index:
        return (board.index[name],)
    return next(place.hexes for place in board.places if place.name == name)


def ends(board: Board, text: str) -> list[tuple[int, ...]]:
    """Return the hexes of each place of a list such as `Spa - Theux - Verviers`."""
    return [hexes(board, name) for name in text.split(" - ")]


def is_within_a_hex(board: Board, at: str, value: str) -> bool:
    """The distance of two places on the map is right within one hex."""
    a, b = ends(board, at)
    layout = Layout(board.grid, board.grid.km / math.sqrt(3))
    drawn = [math.dist(layout.centre(board.labels[i]), layout.centre(board.labels[j])) for i in a for j in b]
    return any(abs(kilometres - float(value)) <= board.grid.km + ROUNDING for kilometres in drawn)


def joined(board: Board, legs: list[tuple[int, ...]], classes: Iterable[str]) -> bool:
    return all(
        min(reach(board, a, classes).get(end, 99) for end in b)
        <= min(board.distance(i, j) for i in a for j in b) + DETOUR
        for a, b in itertools.pairwise(legs)
    )


def reach(board: Board, starts: Iterable[int], classes: Iterable[str], barred: Iterable[int] = ()) -> dict[int, int]:
    """Return the distance by roads of some classes to every hex that they reach."""
    found = dict.fromkeys(starts, 0)
    queue = deque(found)
    while queue:
        here = queue.popleft()
        for there in board.adjacent[here]:
            if there not in found and there not in barred and board.road(here, there) in classes:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def has_road(board: Board, at: str, value: str) -> bool:
    return joined(board, ends(board, at), set(board.legend["road"]))


def has_main_road(board: Board, at: str, value: str) -> bool:
    return joined(board, ends(board, at), MAIN_ROADS)


def has_no_main_road(board: Board, at: str, value: str) -> bool:
    kinds = {road.kind for label in at.split() for road in board.roads[board.index[label]] if road is not None}
    return not kinds & MAIN_ROADS


def avoids(board: Board, at: str, value: str) -> bool:
    """A road joins two places on the straight line, without some hexes."""
    barred = {board.index[label] for label in value.split()}
    (a,), (b,) = ends(board, at)
    return reach(board, [a], set(board.legend["road"]), barred).get(b, 99) == board.distance(a, b)


def waters_between(board: Board, at: str) -> set[str]:
    """Return the waters that the straight line between two places crosses."""
    a, b = (board.labels[found[0]] for found in ends(board, at))
    line = [board.index[label] for label in board.grid.line(a, b) if label is not None]
    sides = [board.side(here, there) for here, there in itertools.pairwise(line)]
    return {side.name for side in sides if side is not None}


def lies_between(board: Board, at: str, value: str) -> bool:
    return value in waters_between(board, at)


def lies_not_between(board: Board, at: str, value: str) -> bool:
    return value not in waters_between(board, at)


def has_bridge(board: Board, at: str, value: str) -> bool:
    sides = [side for here in hexes(board, at) for side in board.sides[here]]
    return any(side is not None and side.name == value and side.bridge for side in sides)


def is_on_water(board: Board, at: str, value: str) -> bool:
    """A water runs along the place, or ends at its hex to run through it."""
    corners = {board.grid.corner(board.labels[here], i) for here in hexes(board, at) for i in range(6)}
    waters = (row for row in board.rows["hexsides.csv"] if row["name"] == value)
    return any(corners & set(board.grid.hexside_corners(row["a"], row["b"])) for row in waters)


def is_named(board: Board, at: str, value: str) -> bool:
    return any(place.name == at for place in board.places)


def has_terrain(board: Board, at: str, value: str) -> bool:
    return board.terrain[board.index[at]] == value


def runs_along(board: Board, at: str, value: str) -> bool:
    """The named road passes through the place."""
    rows = [row for row in board.rows["roads.csv"] if row["name"] == value]
    on = {board.index[row[end]] for row in rows for end in "ab"}
    return bool(on & set(hexes(board, at)))


def runs_not_along(board: Board, at: str, value: str) -> bool:
    return not runs_along(board, at, value)


def has_roads(board: Board, at: str, value: str) -> bool:
    """So many roads leave a place."""
    own = set(hexes(board, at))
    out = sum(near not in own for here in own for near in board.adjacent[here] if board.road(here, near))
    return out >= int(value)


KINDS = {
    "distance": is_within_a_hex,
    "road": has_road,
    "main-road": has_main_road,
    "no-main-road": has_no_main_road,
    "road-avoiding": avoids,
    "water-between": lies_between,
    "no-water-between": lies_not_between,
    "bridge": has_bridge,
    "on-water": is_on_water,
    "label": is_named,
    "terrain": has_terrain,
    "named-road": runs_along,
    "not-named-road": runs_not_along,
    "roads": has_roads,
}


@pytest.mark.parametrize("row", STATEMENTS, ids=lambda row: f"{row['game']}: {row['statement']}")
def test_the_map_agrees(row: dict[str, str]) -> None:
    """Each statement holds, or is known to deviate for a stated reason."""
    holds = KINDS[row["kind"]](board_of(row["game"]), row["at"], row["value"])
    assert holds is not bool(row["deviates"]), row["deviates"] or row["statement"]
