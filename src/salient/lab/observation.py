"""What a seat may see, as arrays: a row of numbers for each place of the map, the graph between them, and a vector."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from salient.common.boards import board_of
from salient.kernel import CHANCE, AnyGame, Seat

PER_SIDE = ("pieces", "first value", "second value", "marks", "done", "markers")
FEATURES = tuple(f"{who} {what}" for who in ("own", "enemy") for what in PER_SIDE)
WIDTH = len(PER_SIDE)
NUMBER = re.compile(r"\d+")
Arrays = dict[str, NDArray[np.float32]]


class Observer:
    """Turns `game.observe` into arrays.

    `places` are the rows: all hexes in the board's order, then areas and boxes. `edges` are the pairs of places that
    touch, `terrain` marks each place with its kind of ground, `cells` are the column and line of each hex on the
    printed map.
    """

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.components = game.components()
        self.board = board_of(game)
        hexes = self.board.labels if self.board else ()
        boxes = [place["id"] for place in self.components["places"]]
        self.places: tuple[str, ...] = (*hexes, *boxes)
        self.row = {place: i for i, place in enumerate(self.places)}
        self.sides = {unit: about["side"] for unit, about in self.components["units"].items()}
        self.tracks = [(track["id"], max(1, track["max"])) for track in self.components["tracks"]]
        self.phases = len(self.components["sequence"])
        self.numbers: dict[str, tuple[float, float, float]] = {}
        self.shape = (max(1, len(self.places)), len(FEATURES))
        self.vector_size = 4 + self.phases + len(self.tracks)

    # ---- what changes ---------------------------------------------------------------

    def arrays(self, view: Mapping[str, Any], seat: Seat) -> Arrays:
        """`places` (a row for each place, a column for each of FEATURES) and `vector`, from the view of a seat."""
        side = view.get("command", {}).get(seat, seat)
        return {"places": self._places(view, side), "vector": self._vector(view, seat)}

    def _places(self, view: Mapping[str, Any], side: str) -> NDArray[np.float32]:
        rows = [[0.0] * len(FEATURES) for _ in range(self.shape[0])]
        for unit, seen in view["units"].items():
            at = self.row.get(seen.get("where", ""))
            if at is None:
                continue
            row = rows[at]
            first = 0 if self.sides[unit] == side else WIDTH
            pieces, strength, other = self._values(seen.get("values"), unit)
            row[first] += pieces
            row[first + 1] += strength
            row[first + 2] += other
            row[first + 3] += len(seen["badges"])
            row[first + 4] += "done" in seen
        for marker in view["markers"]:
            at = self.row.get(marker["where"])
            if at is not None:
                rows[at][5 if marker.get("side", side) == side else WIDTH + 5] += 1
        return np.array(rows, dtype=np.float32)

    def _values(self, values: Any, unit: str) -> tuple[float, float, float]:
        """The pieces that a counter stands for, its first number and its second."""
        text = str(self.components["units"][unit]["values"] if values is None else values)
        if text not in self.numbers:
            found = [float(number) for number in NUMBER.findall(text)]
            pile = text.startswith("×")
            first, second = ([0.0, 0.0] if pile else [*found, 0.0, 0.0])[:2]
            self.numbers[text] = (found[0] if pile else 1.0, first, second)
        return self.numbers[text]

    def _vector(self, view: Mapping[str, Any], seat: Seat) -> NDArray[np.float32]:
        vector = np.zeros(self.vector_size, dtype=np.float32)
        vector[0] = view["turn"] / max(1, view["turns"])
        actor = view["actor"]
        vector[1 if actor == seat else 3 if actor == CHANCE else 2] = 1
        vector[4 + view["at"]] = 1
        for i, (track, most) in enumerate(self.tracks):
            vector[4 + self.phases + i] = view["tracks"].get(track, 0) / most
        return vector

    # ---- what never changes -----------------------------------------------------------

    @property
    def edges(self) -> NDArray[np.int64]:
        """Pairs of places that touch, both ways round: two rows of indices, as graph libraries take them."""
        pairs = set()
        for here, around in enumerate(self.board.neighbours if self.board else ()):
            pairs |= {(here, near) for near in around if near >= 0}
        for place in self.components["places"]:
            here = self.row[place["id"]]
            near = [self.row[label] for label in place["hexes"]]
            pairs |= {(here, other) for other in near} | {(other, here) for other in near}
        return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T

    @property
    def terrain(self) -> tuple[tuple[str, ...], NDArray[np.float32]]:
        """The kinds of ground by name, and a row for each place with 1 at its own; off-map places have none."""
        ground = self.board.terrain if self.board else ()
        kinds = tuple(sorted(set(ground)))
        marked = np.zeros((self.shape[0], len(kinds)), dtype=np.float32)
        for here, kind in enumerate(ground):
            marked[here, kinds.index(kind)] = 1
        return kinds, marked

    @property
    def cells(self) -> NDArray[np.int64]:
        """Line and column of each hex, counted from 0: where `planes` puts it."""
        if self.board is None:
            return np.zeros((0, 2), dtype=np.int64)
        found = np.array([self.board.grid.parse(label)[::-1] for label in self.board.labels], dtype=np.int64)
        found -= found.min(axis=0)
        return found

    def planes(self, places: NDArray[np.float32]) -> NDArray[np.float32]:
        """Rows of places as an image: features, lines, columns; odd columns lie half a hex off, off-map places drop."""
        cells = self.cells
        height, width = cells.max(axis=0) + 1 if len(cells) else (0, 0)
        image = np.zeros((places.shape[1], height, width), dtype=np.float32)
        image[:, cells[:, 0], cells[:, 1]] = places[: len(cells)].T
        return image
