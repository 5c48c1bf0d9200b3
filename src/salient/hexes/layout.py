"""Where hexes lie in pixels: x to the right (east), y down (south)."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from salient.hexes.grid import Axial, Grid

Point = tuple[float, float]

ROOT3 = math.sqrt(3.0)


@dataclass(frozen=True)
class Layout:
    """A grid drawn with hexes of `size` pixels from centre to corner; the origin shifts the whole map."""

    grid: Grid
    size: float
    origin: Point = (0.0, 0.0)

    @classmethod
    def fitting(cls, grid: Grid, size: float, labels: Iterable[str], margin: float = 0.0) -> "Layout":
        """Return the layout that puts the top left of the given hexes at (margin, margin)."""
        left, top, _, _ = cls(grid, size).bounds(labels)
        return cls(grid, size, (margin - left, margin - top))

    def centre(self, label: str) -> Point:
        """Return the centre of a hex."""
        q, r = self.grid.axial(label)
        if self.grid.orientation == "flat":
            x, y = 1.5 * q, ROOT3 * (r + q / 2)
        else:
            x, y = ROOT3 * (q + r / 2), 1.5 * r
        return self.origin[0] + self.size * x, self.origin[1] + self.size * y

    def corners(self, label: str) -> tuple[Point, ...]:
        """Return the six corners clockwise; corner `i` lies between direction `i` and direction `i + 1`."""
        x, y = self.centre(label)
        first = -60 if self.grid.orientation == "flat" else -30
        angles = [math.radians(first + 60 * i) for i in range(6)]
        return tuple((x + self.size * math.cos(angle), y + self.size * math.sin(angle)) for angle in angles)

    def hexside(self, label: str, direction: int) -> tuple[Point, Point]:
        """Return the two ends of a hexside, clockwise around its hex."""
        corners = self.corners(label)
        return corners[direction - 1], corners[direction]

    def hex_at(self, x: float, y: float) -> str | None:
        """Return the number of the hex at a pixel, or None where no number can be printed."""
        return self.grid.at(*self.axial_at(x, y))

    def axial_at(self, x: float, y: float) -> Axial:
        """Return the axial coordinates of the hex at a pixel."""
        px, py = (x - self.origin[0]) / self.size, (y - self.origin[1]) / self.size
        if self.grid.orientation == "flat":
            q = px / 1.5
            r = py / ROOT3 - q / 2
        else:
            r = py / 1.5
            q = px / ROOT3 - r / 2
        return _rounded(q, r)

    def bounds(self, labels: Iterable[str]) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of the given hexes."""
        points = [corner for label in labels for corner in self.corners(label)]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return min(xs), min(ys), max(xs), max(ys)


def _rounded(q: float, r: float) -> tuple[int, int]:
    s = -q - r
    near_q, near_r, near_s = round(q), round(r), round(s)
    off_q, off_r, off_s = abs(near_q - q), abs(near_r - r), abs(near_s - s)
    if off_q > off_r and off_q > off_s:
        return -near_r - near_s, near_r
    if off_r > off_s:
        return near_q, -near_q - near_s
    return near_q, near_r
