"""A board laid out for drawing: hexes of one fixed size, outlines of regions, and noise that never changes."""

import math
import zlib
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Any

from salient.hexes.board import Board
from salient.hexes.grid import Axial
from salient.hexes.layout import Layout, Point
from salient.maps.style import WATERS, check_look

# The drawing's own unit: pixels are made of it only at the end, by the scale.
UNIT = 100.0


def noise(*key: object) -> float:
    """Return a number from -1 to 1 that depends on the key alone."""
    # CRC is linear, so like keys give like numbers; the mixing steps of MurmurHash3 part them.
    value = zlib.crc32(repr(key).encode())
    value = (value ^ value >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    value = (value ^ value >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return (value ^ value >> 16) / 2**31 - 1.0


def mix(a: Point, b: Point, share: float = 0.5) -> Point:
    """Return the point at a share of the way from `a` to `b`."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def gap(a: Point, b: Point) -> float:
    """Return the distance of two points."""
    return math.hypot(a[0] - b[0], a[1] - b[1])


def distance_to_segment(point: Point, a: Point, b: Point) -> float:
    """Return the distance from a point to a line segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    share = 0.0 if square == 0 else ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square
    return gap(point, mix(a, b, min(1.0, max(0.0, share))))


class Canvas:
    """Where everything of a board lies in drawing units, in one language."""

    def __init__(self, board: Board, language: str = "en", scale: float = 40.0) -> None:
        self.board = board
        self.language = language
        self.scale = scale
        self.layout = Layout.fitting(board.grid, UNIT, board.labels)
        self.centres = [self.layout.centre(label) for label in board.labels]
        self.corners = [self.layout.corners(label) for label in board.labels]
        self.bounds = self._bounds()
        for section, entries in board.legend.items():
            for key, entry in entries.items():
                if isinstance(entry, Mapping) and "look" in entry:
                    check_look(section, key, str(entry["look"]))

    def at_least(self, size: float, pixels: float) -> float:
        """Return a size in hex sizes as drawing units, enlarged where it would have fewer pixels on the picture."""
        return max(size, pixels / self.scale) * UNIT

    # ---- terrain.toml -----------------------------------------------------------

    def entry(self, section: str, key: str) -> Mapping[str, Any]:
        """Return an entry of terrain.toml."""
        return self.board.legend.get(section, {}).get(key, {})

    def look(self, section: str, key: str) -> str:
        """Return the look of an entry; without one, its key if that names a look."""
        return str(self.entry(section, key).get("look", key))

    def name(self, section: str, key: str) -> str:
        """Return the name of an entry in the drawing's language."""
        return words(self.entry(section, key).get("name", key), self.language)

    def feature_looks(self, here: int) -> set[str]:
        """Return the looks of a hex's features."""
        return {self.look("feature", key) for key in self.board.features[here]}

    # ---- geometry ---------------------------------------------------------------

    @cached_property
    def corner_ids(self) -> list[tuple[Axial, ...]]:
        """The exact ids of each hex's six corners."""
        grid = self.board.grid
        return [tuple(grid.corner(label, corner) for corner in range(6)) for label in self.board.labels]

    @cached_property
    def corner_points(self) -> dict[Axial, Point]:
        """Where each corner lies."""
        pairs = zip(self.corner_ids, self.corners, strict=True)
        return {key: point for ids, points in pairs for key, point in zip(ids, points, strict=True)}

    @cached_property
    def hexes_at(self) -> dict[Axial, list[int]]:
        """The hexes that meet at each corner."""
        found: dict[Axial, list[int]] = {}
        for here, ids in enumerate(self.corner_ids):
            for corner in ids:
                found.setdefault(corner, []).append(here)
        return found

    @cached_property
    def banks(self) -> dict[Axial, float]:
        """How far from each corner the waters there reach, in hex sizes."""
        found: dict[Axial, float] = {}
        for row in self.board.rows["hexsides.csv"]:
            line = WATERS.get(self.look("hexside", row["kind"]))
            if line is not None:
                for corner in self.board.grid.hexside_corners(row["a"], row["b"]):
                    found[corner] = max(found.get(corner, 0.0), line.casing_width / 2)
        return found

    def _bounds(self) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of the map; a side whose outermost hexes are partial cuts them in half."""
        left, top, right, bottom = self.layout.bounds(self.board.labels)
        xs, ys = [x for x, _ in self.centres], [y for _, y in self.centres]
        return (
            min(xs) if self._is_cut(0, min(xs)) else left,
            min(ys) if self._is_cut(1, min(ys)) else top,
            max(xs) if self._is_cut(0, max(xs)) else right,
            max(ys) if self._is_cut(1, max(ys)) else bottom,
        )

    @cached_property
    def partial(self) -> frozenset[int]:
        """The hexes cut by the map edge."""
        return frozenset(here for here in range(len(self.board)) if "partial" in self.feature_looks(here))

    @cached_property
    def cities(self) -> frozenset[int]:
        """The hexes of places of the size of a city."""
        return frozenset(here for place in self.board.places if place.size == "city" for here in place.hexes)

    def is_off(self, near: int) -> bool:
        """Say whether a neighbour lies off the map or in a hex cut by its edge."""
        return near < 0 or near in self.partial

    def _is_cut(self, axis: int, value: float) -> bool:
        """Say whether every hex whose centre lies on a line is partial."""
        on_line = [here for here, point in enumerate(self.centres) if abs(point[axis] - value) < 1.0]
        return self.partial.issuperset(on_line)

    @cached_property
    def _by_axial(self) -> dict[Axial, int]:
        grid = self.board.grid
        return {grid.axial(label): here for here, label in enumerate(self.board.labels)}

    def hex_at(self, x: float, y: float) -> int | None:
        """Return the hex at a point, or None off the map."""
        return self._by_axial.get(self.layout.axial_at(x, y))

    def side(self, here: int, direction: int) -> tuple[Point, Point]:
        """Return the two ends of a hexside."""
        return self.corners[here][direction - 1], self.corners[here][direction]

    def middle(self, here: int, direction: int) -> Point:
        """Return the middle of a hexside."""
        return mix(*self.side(here, direction))

    def outline(self, hexes: Collection[int]) -> list[list[tuple[Axial, int, int]]]:
        """Return the closed border of a region as loops of (corner id where the side starts, hex, direction)."""
        inside = set(hexes)
        after: dict[Axial, tuple[Axial, int, int]] = {}
        for here in sorted(inside):
            for direction, near in enumerate(self.board.neighbours[here]):
                if near not in inside:
                    ids = self.corner_ids[here]
                    after[ids[direction - 1]] = (ids[direction], here, direction)
        return list(_loops(after))

    def soft_outline(self, hexes: Collection[int], wobble: float = 0.05) -> str:
        """Return the path of a region with rounded, slightly uneven borders, straight along the map edge."""
        return "".join(self._soft_loop(loop, wobble) for loop in self.outline(hexes))

    def _soft_loop(self, loop: list[tuple[Axial, int, int]], wobble: float) -> str:
        middles = [self._uneven_middle(here, direction, wobble) for _, here, direction in loop]
        edge = [self.board.neighbours[here][direction] < 0 for _, here, direction in loop]
        parts = [f"M{num_pair(middles[0])}"]
        for i in range(len(loop)):
            following = (i + 1) % len(loop)
            corner = num_pair(self.corner_points[loop[following][0]])
            end = num_pair(middles[following])
            parts.append(f"L{corner}L{end}" if edge[i] or edge[following] else f"Q{corner} {end}")
        return "".join(parts) + "Z"

    def _uneven_middle(self, here: int, direction: int, wobble: float) -> Point:
        x, y = self.middle(here, direction)
        near = self.board.neighbours[here][direction]
        if near < 0:
            return x, y
        a, b = min(here, near), max(here, near)
        push = wobble * noise("border", a, b) * (1 if here == a else -1)
        cx, cy = self.centres[here]
        return x + (cx - x) * push, y + (cy - y) * push

    @cached_property
    def field(self) -> str:
        """The path of the whole map."""
        loops = self.outline(range(len(self.board)))
        return "".join("M" + "L".join(num_pair(self.corner_points[key]) for key, _, _ in loop) + "Z" for loop in loops)


def words(name: object, language: str) -> str:
    """Return a name in a language, English where it lacks it."""
    if isinstance(name, Mapping):
        return str(name.get(language, name.get("en", "")))
    return str(name)


def num_pair(point: Point) -> str:
    """Return a point as path coordinates with one decimal."""
    return f"{point[0]:.1f} {point[1]:.1f}"


def _loops(after: dict[Axial, tuple[Axial, int, int]]) -> Iterator[list[tuple[Axial, int, int]]]:
    while after:
        start = next(iter(after))
        loop, corner = [], start
        while corner in after:
            following, here, direction = after.pop(corner)
            loop.append((corner, here, direction))
            corner = following
        yield loop
