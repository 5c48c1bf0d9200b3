"""The hex plane: hex numbers, centres, corners and sides, with the distance between two centres as unit."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Point = tuple[float, float]  # (x to the east, y to the north), in hexes
Hex = tuple[int, int]  # (column, row) as numbered on the map
STEP = math.sqrt(3) / 2


@dataclass(frozen=True)
class Plane:
    """A numbered hex grid laid on the plane; the keys are those of grid.toml (see docs/MAPS.md)."""

    orientation: str
    number: str
    columns_grow: str
    rows_grow: str
    shifted: str
    shift_towards: str
    columns: tuple[int, int]
    rows: tuple[int, int]
    shifted_count: tuple[int, int] | None = (
        None  # range of rows (flat) or columns (pointy) in shifted lines, if it differs
    )
    dropped: frozenset[str] = frozenset()
    hexes: dict[Hex, Point] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hexes", {h: self.centre(h) for h in self._numbers()})

    @classmethod
    def from_config(cls, table: dict[str, Any]) -> "Plane":
        """Reads the `[grid]` table of a cartography configuration."""
        pair = table.get("shifted_count")
        return cls(
            **{k: table[k] for k in ("orientation", "number", "columns_grow", "rows_grow", "shifted", "shift_towards")},
            columns=tuple(table["columns"]),
            rows=tuple(table["rows"]),
            shifted_count=tuple(pair) if pair else None,
            dropped=frozenset(table.get("dropped", ())),
        )

    def _numbers(self) -> Iterator[Hex]:
        for column in range(self.columns[0], self.columns[1] + 1):
            for row in range(self.rows[0], self.rows[1] + 1):
                if self._in_shifted_range((column, row)) and self.label((column, row)) not in self.dropped:
                    yield column, row

    def _is_shifted(self, hex_: Hex) -> bool:
        line = hex_[0] if self.orientation == "flat" else hex_[1]
        return line % 2 == (0 if self.shifted == "even" else 1)

    def _in_shifted_range(self, hex_: Hex) -> bool:
        if self.shifted_count is None or not self._is_shifted(hex_):
            return True
        low, high = self.shifted_count
        return low <= (hex_[1] if self.orientation == "flat" else hex_[0]) <= high

    def label(self, hex_: Hex) -> str:
        """The hex number as printed in the data."""
        column, row = hex_
        return f"{column:02}{row:02}" if self.number == "CCRR" else f"{row:02}{column:02}"

    def parse(self, label: str) -> Hex:
        """The (column, row) of a hex number."""
        first, second = int(label[:2]), int(label[2:])
        return (first, second) if self.number == "CCRR" else (second, first)

    def centre(self, hex_: Hex) -> Point:
        """The centre of a hex, on the map or not."""
        along_x, along_y = (STEP, 1.0) if self.orientation == "flat" else (1.0, STEP)
        x = hex_[0] * along_x * (1 if self.columns_grow == "east" else -1)
        y = hex_[1] * along_y * (1 if self.rows_grow == "north" else -1)
        if self._is_shifted(hex_):
            x += {"east": 0.5, "west": -0.5}.get(self.shift_towards, 0.0)
            y += {"north": 0.5, "south": -0.5}.get(self.shift_towards, 0.0)
        return x, y

    def at(self, point: Point) -> Hex | None:
        """The hex of the map that holds a point, or None outside the map."""
        near = min(self._around(point), key=lambda h: math.dist(point, self.centre(h)))
        return near if near in self.hexes else None

    def _around(self, point: Point) -> Iterator[Hex]:
        along_x, along_y = (STEP, 1.0) if self.orientation == "flat" else (1.0, STEP)
        column = round(point[0] / along_x) * (1 if self.columns_grow == "east" else -1)
        row = round(point[1] / along_y) * (1 if self.rows_grow == "north" else -1)
        for dc in (-2, -1, 0, 1, 2):
            for dr in (-2, -1, 0, 1, 2):
                yield column + dc, row + dr

    def neighbours(self, hex_: Hex) -> list[Hex]:
        """The neighbours on the map."""
        here = self.centre(hex_)
        return [h for h in self._around(here) if h in self.hexes and 0.9 < math.dist(here, self.hexes[h]) < 1.1]

    def corners(self, hex_: Hex) -> list[Point]:
        """The six corners, rounded so that neighbours share them."""
        x, y = self.centre(hex_)
        first = 0.0 if self.orientation == "flat" else 30.0
        radius = 1 / math.sqrt(3)
        angles = [math.radians(first + 60 * i) for i in range(6)]
        return [(round(x + radius * math.cos(a), 3) + 0.0, round(y + radius * math.sin(a), 3) + 0.0) for a in angles]

    def side(self, a: Hex, b: Hex) -> tuple[Point, Point]:
        """The two corners that two neighbours share."""
        mid = self.middle(a, b)
        first, second = sorted(self.corners(a), key=lambda c: math.dist(c, mid))[:2]
        return first, second

    def middle(self, a: Hex, b: Hex) -> Point:
        """The point midway between two centres."""
        (ax, ay), (bx, by) = self.centre(a), self.centre(b)
        return (ax + bx) / 2, (ay + by) / 2

    def parse_spot(self, spot: str) -> Point:
        """The point meant by a hex number ("2216") or by a hexside ("2016/2115")."""
        hexes = [self.parse(part) for part in spot.split("/")]
        return self.centre(hexes[0]) if len(hexes) == 1 else self.middle(hexes[0], hexes[1])

    def samples(self, hex_: Hex, rings: int = 3) -> list[Point]:
        """Points spread evenly over a hex."""
        x, y = self.centre(hex_)
        span = range(-rings, rings + 1)
        offsets = [
            ((i + j / 2) / (2 * rings + 1), j * STEP / (2 * rings + 1))
            for i in span
            for j in span
            if abs(i + j) <= rings
        ]
        return [(x + dx, y + dy) for dx, dy in offsets]
