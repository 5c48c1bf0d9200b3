"""Hex numbers and hex geometry.

Every printed number maps to axial coordinates `(q, r)` in one world frame: x grows to the east, y to the south (as on
a screen). Directions are indices 0-5, clockwise, in the order of `Grid.directions`. Corner `i` of a hex lies
between direction `i` and direction `i + 1`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from salient.hexes.rows import Fault

Axial = tuple[int, int]

DIRECTIONS = {
    "flat": ("N", "NE", "SE", "S", "SW", "NW"),
    "pointy": ("NE", "E", "SE", "SW", "W", "NW"),
}
VECTORS: dict[str, tuple[Axial, ...]] = {
    "flat": ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)),
    "pointy": ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)),
}
CHOICES: dict[str, tuple[str, ...]] = {
    "orientation": ("flat", "pointy"),
    "number": ("CCRR", "RRCC"),
    "columns_grow": ("east", "west"),
    "rows_grow": ("north", "south"),
    "shifted": ("even", "odd"),
}
SHIFT_CHOICES: dict[str, tuple[str, ...]] = {"flat": ("north", "south"), "pointy": ("east", "west")}
SIGN = {"east": 1, "west": -1, "south": 1, "north": -1}

# A line that runs exactly between two hexes is nudged to the south-east by this fraction of a hex.
NUDGE = 1_000_000


def opposite(direction: int) -> int:
    """Return the direction that points back."""
    return (direction + 3) % 6


def rotate(vector: Axial, steps: int) -> Axial:
    """Turn an axial vector clockwise by `steps` times 60 degrees."""
    q, r = vector
    for _ in range(steps % 6):
        q, r = -r, q + r
    return q, r


def length(vector: Axial) -> int:
    """Return how many hexes an axial vector spans."""
    q, r = vector
    return max(abs(q), abs(r), abs(q + r))


def grid_faults(table: Mapping[str, object]) -> list[Fault]:
    """Return a sentence for each key of a grid.toml table that is missing or has a value no grid can have."""
    choices = dict(CHOICES)
    choices["shift_towards"] = SHIFT_CHOICES.get(str(table.get("orientation")), ("north", "south", "east", "west"))
    faults = []
    for key, allowed in choices.items():
        if key not in table:
            faults.append(Fault("fault-grid-missing", text=key, text_known=", ".join(allowed)))
        elif table[key] not in allowed:
            _sentence, found = f"`{key}` is {table[key]!r}: give one of {', '.join(allowed)}.", str(table[key])
            faults.append(Fault("fault-grid", text=key, text_found=found, text_known=", ".join(allowed)))
    km = table.get("km")
    if isinstance(km, bool) or not isinstance(km, int | float) or km <= 0:
        faults.append(Fault("fault-grid-km", text="km"))
    west = table.get("west_columns_from", 100)
    if isinstance(west, bool) or not isinstance(west, int) or not 1 < west <= 100:
        faults.append(Fault("fault-grid-west", text="west_columns_from"))
    return faults


@dataclass(frozen=True)
class Grid:
    """How the hexes of one map are numbered and how they lie."""

    orientation: str
    number: str
    columns_grow: str
    rows_grow: str
    shifted: str
    shift_towards: str
    km: float = 1.0
    west_columns_from: int = 100  # first column of a second, western sheet, whose columns count from 01 again

    def __post_init__(self) -> None:
        faults = grid_faults(vars(self))
        if faults:
            raise ValueError(" ".join(map(str, faults)))

    @classmethod
    def from_table(cls, table: Mapping[str, object]) -> "Grid":
        """Make a grid from the table of a grid.toml file, raising ValueError with every fault."""
        faults = grid_faults(table)
        if faults:
            raise ValueError(" ".join(map(str, faults)))
        texts = {key: str(table[key]) for key in (*CHOICES, "shift_towards")}
        west = int(str(table.get("west_columns_from", cls.west_columns_from)))
        return cls(**texts, km=float(str(table["km"])), west_columns_from=west)

    # ---- numbers ----------------------------------------------------------------

    def parse(self, label: str) -> tuple[int, int]:
        """Return the (column, row) of a printed number, raising ValueError when it is not four digits."""
        if len(label) != 4 or not label.isascii() or not label.isdigit():
            raise ValueError(f"{label!r} is not a hex number: write four digits, such as 0307.")
        first, second = int(label[:2]), int(label[2:])
        return (first, second) if self.number == "CCRR" else (second, first)

    def label(self, column: int, row: int) -> str:
        """Return the printed number of (column, row), raising ValueError when two digits each cannot say it."""
        if not (0 <= column <= 99 and 0 <= row <= 99):
            raise ValueError(f"Column {column}, row {row} has no four-digit hex number.")
        first, second = (column, row) if self.number == "CCRR" else (row, column)
        return f"{first:02d}{second:02d}"

    def printed(self, label: str) -> str:
        """Return the number as people read it: `W0103` on a western sheet, else the label itself."""
        column, row = self.parse(label)
        if column < self.west_columns_from:
            return label
        return f"W{self.label(column - self.west_columns_from + 1, row)}"

    def unprinted(self, text: str) -> str:
        """Return the label of a number as people write it: `W0103`, `E2016` or `2016`."""
        sheet, digits = (text[:1].upper(), text[1:]) if text[:1].upper() in ("W", "E") else ("E", text)
        column, row = self.parse(digits)
        return self.label(column + self.west_columns_from - 1, row) if sheet == "W" else digits

    # ---- coordinates ------------------------------------------------------------

    @cached_property
    def directions(self) -> tuple[str, ...]:
        """The six direction names, clockwise."""
        return DIRECTIONS[self.orientation]

    @cached_property
    def vectors(self) -> tuple[Axial, ...]:
        """The six axial unit vectors, in the order of `directions`."""
        return VECTORS[self.orientation]

    @cached_property
    def _axials(self) -> dict[str, Axial]:
        """The coordinates found so far."""
        return {}

    def _half_shift(self, rank: int) -> int:
        is_shifted = (rank % 2 == 0) == (self.shifted == "even")
        return SIGN[self.shift_towards] if is_shifted else 0

    @cached_property
    def _parity(self) -> int:
        """Make along-rank half hexes and rank number agree in parity, so that halving is exact."""
        return 1 if self.shifted == "even" else 0

    def to_axial(self, column: int, row: int) -> Axial:
        """Return the axial coordinates of (column, row)."""
        x, y = column * SIGN[self.columns_grow], row * SIGN[self.rows_grow]
        if self.orientation == "flat":
            return x, (2 * y + self._half_shift(column) + self._parity - x) // 2
        return (2 * x + self._half_shift(row) + self._parity - y) // 2, y

    def from_axial(self, q: int, r: int) -> tuple[int, int]:
        """Return the (column, row) at axial coordinates."""
        if self.orientation == "flat":
            column = q * SIGN[self.columns_grow]
            halves = 2 * r + q - self._parity - self._half_shift(column)
            return column, halves // 2 * SIGN[self.rows_grow]
        row = r * SIGN[self.rows_grow]
        halves = 2 * q + r - self._parity - self._half_shift(row)
        return halves // 2 * SIGN[self.columns_grow], row

    def axial(self, label: str) -> Axial:
        """Return the axial coordinates of a printed number."""
        if label not in self._axials:
            self._axials[label] = self.to_axial(*self.parse(label))
        return self._axials[label]

    def at(self, q: int, r: int) -> str | None:
        """Return the printed number at axial coordinates, or None where no number can be printed."""
        column, row = self.from_axial(q, r)
        if 0 <= column <= 99 and 0 <= row <= 99:
            return self.label(column, row)
        return None

    # ---- neighbours -------------------------------------------------------------

    def neighbour(self, label: str, direction: int) -> str | None:
        """Return the hex next to `label` in a direction, or None where no number can be printed."""
        q, r = self.axial(label)
        dq, dr = self.vectors[direction]
        return self.at(q + dq, r + dr)

    def neighbours(self, label: str) -> tuple[str | None, ...]:
        """Return the six hexes around `label` in the order of `directions`."""
        q, r = self.axial(label)
        return tuple(self.at(q + dq, r + dr) for dq, dr in self.vectors)

    def direction_between(self, a: str, b: str) -> int | None:
        """Return the direction from `a` to its neighbour `b`, or None when they do not touch."""
        (aq, ar), (bq, br) = self.axial(a), self.axial(b)
        vector = (bq - aq, br - ar)
        return self.vectors.index(vector) if vector in self.vectors else None

    def adjacent(self, a: str, b: str) -> bool:
        """Say whether two hexes share a hexside."""
        return self.direction_between(a, b) is not None

    def rotate_about(self, centre: str, label: str, steps: int) -> str | None:
        """Turn a hex clockwise about a centre by `steps` times 60 degrees."""
        (cq, cr), (q, r) = self.axial(centre), self.axial(label)
        dq, dr = rotate((q - cq, r - cr), steps)
        return self.at(cq + dq, cr + dr)

    # ---- distances --------------------------------------------------------------

    def distance(self, a: str, b: str) -> int:
        """Return the number of hexes from `a` to `b`, not counting `a`."""
        (aq, ar), (bq, br) = self.axial(a), self.axial(b)
        return length((bq - aq, br - ar))

    def range(self, centre: str, radius: int) -> list[str]:
        """Return the numbers within `radius` hexes of `centre`, the centre included, ascending."""
        cq, cr = self.axial(centre)
        found = [
            self.at(cq + dq, cr + dr)
            for dq in range(-radius, radius + 1)
            for dr in range(max(-radius, -dq - radius), min(radius, -dq + radius) + 1)
        ]
        return sorted(label for label in found if label is not None)

    def line(self, a: str, b: str) -> list[str | None]:
        """Return the hexes on the straight line from `a` to `b`, both included.

        Where the line runs exactly between two hexes it takes the one to the south (to the east if neither is), so
        a line and its reverse cross the same hexes. A hex that no number can name is None.
        """
        (aq, ar), (bq, br) = self.axial(a), self.axial(b)
        steps = length((bq - aq, br - ar))
        return [self.at(*_between((aq, ar), (bq, br), i, steps)) for i in range(steps + 1)]

    # ---- hexsides and corners ---------------------------------------------------

    def hexside(self, a: str, b: str) -> str:
        """Return the canonical name of the hexside between two neighbours, such as `2016/2115`."""
        if not self.adjacent(a, b):
            raise ValueError(f"Hexes {a} and {b} do not touch, so there is no hexside between them.")
        return f"{min(a, b)}/{max(a, b)}"

    def hexside_hexes(self, hexside: str) -> tuple[str, str]:
        """Return the two hexes of a canonical hexside name, raising ValueError when it is not canonical."""
        a, _, b = hexside.partition("/")
        if self.hexside(a, b) != hexside:
            raise ValueError(f"{hexside!r} is not in order: write {self.hexside(a, b)}.")
        return a, b

    def corner(self, label: str, corner: int) -> Axial:
        """Return an exact integer id of a hex corner, the same from each of the three hexes that meet there."""
        q, r = self.axial(label)
        (aq, ar), (bq, br) = self.vectors[corner % 6], self.vectors[(corner + 1) % 6]
        return 3 * q + aq + bq, 3 * r + ar + br

    def hexside_corners(self, a: str, b: str) -> tuple[Axial, Axial]:
        """Return the ids of the two corners at the ends of a hexside."""
        direction = self.direction_between(a, b)
        if direction is None:
            raise ValueError(f"Hexes {a} and {b} do not touch, so there is no hexside between them.")
        return self.corner(a, direction - 1), self.corner(a, direction)


def _between(start: Axial, end: Axial, step: int, steps: int) -> Axial:
    """Return the hex at `step` of `steps` from start to end, by exact cube rounding after a fixed nudge."""
    if steps == 0:
        return start
    scale = steps * NUDGE
    q = (start[0] * (steps - step) + end[0] * step) * NUDGE + steps
    r = (start[1] * (steps - step) + end[1] * step) * NUDGE + 2 * steps
    cube = (q, r, -q - r)
    rounded = [(2 * value + scale) // (2 * scale) for value in cube]
    errors = [abs(value - near * scale) for value, near in zip(cube, rounded, strict=True)]
    worst = errors.index(max(errors))
    if worst == 0:
        return -rounded[1] - rounded[2], rounded[1]
    if worst == 1:
        return rounded[0], -rounded[0] - rounded[2]
    return rounded[0], rounded[1]
