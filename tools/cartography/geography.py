"""Reads geography: GeoJSON features by layer and name, and shares of land cover on a 1 km grid."""

import csv
import itertools
import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.cartography.plane import Point

Line = list[Point]
TOWN_LAND = 3.0  # per cent of town land that a per cent of built-up surface stands for


@dataclass(frozen=True)
class Feature:
    """A named line, polygon or point with its properties; `lines` holds the rings or pieces."""

    layer: str
    names: tuple[str, ...]
    properties: dict[str, Any]
    lines: list[Line]


class Geography:
    """All features of one GeoJSON file; coordinates are (longitude, latitude)."""

    def __init__(self, path: Path) -> None:
        document = json.loads(path.read_text(encoding="utf-8"))
        self.features = [_feature(raw) for raw in document["features"]]

    def named(self, layer: str, names: Iterable[str]) -> list[Line]:
        """All pieces of the features of a layer that carry one of the names."""
        wanted = set(names)
        found = [f for f in self.features if f.layer == layer and wanted & set(f.names)]
        missing = wanted - {n for f in found for n in f.names}
        if missing:
            raise ValueError(f"no {layer} called {', '.join(sorted(missing))} in the geography: check the spelling")
        return [line for f in found for line in f.lines]

    def place(self, name: str) -> Point:
        """The position of the most important place of that name ("Roth@LU" asks for a country)."""
        plain, _, country = name.partition("@")
        found = [f for f in self.features if f.layer == "place" and plain in f.names]
        if country:
            found = [f for f in found if f.properties.get("country") == country]
        if not found:
            raise ValueError(f"no place called {name} in the geography: give its lonlat or its hex")
        best = max(found, key=lambda f: (bool(f.properties.get("control")), f.properties.get("population") or 0))
        return best.lines[0][0]

    def polygons(self, layer: str) -> list[Feature]:
        """The polygons of a layer."""
        return [
            f for f in self.features if f.layer == layer and f.properties["geometry"] in ("Polygon", "MultiPolygon")
        ]


def _feature(raw: dict[str, Any]) -> Feature:
    properties = dict(raw["properties"], geometry=raw["geometry"]["type"])
    names = [properties.get("name"), *(properties.get("alt") or ())]
    lines = list(_pieces(raw["geometry"]["coordinates"]))
    return Feature(properties["layer"], tuple(n for n in names if n), properties, lines)


def _pieces(coordinates: Any) -> Iterator[Line]:
    if isinstance(coordinates[0], int | float):
        yield [(coordinates[0], coordinates[1])]
    elif isinstance(coordinates[0][0], int | float):
        yield [(p[0], p[1]) for p in coordinates]
    else:
        for part in coordinates:
            yield from _pieces(part)


def inside(point: Point, rings: list[Line]) -> bool:
    """Whether a point lies in a polygon (rings by the even-odd rule)."""
    x, y = point
    odd = False
    for ring in rings:
        for (x1, y1), (x2, y2) in zip(ring, ring[1:] + ring[:1], strict=True):
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
                odd = not odd
    return odd


def read_land_cover(path: Path) -> list[tuple[Point, float, float]]:
    """Cells of (lonlat, wild share, built-up share), per cent; wild is all that is neither farmland nor town."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    cells = []
    for row in rows:
        built = float(row["builtup_pct"])
        wild = max(0.0, 100 - float(row["agriculture_pct"]) - TOWN_LAND * built)
        cells.append(((float(row["lon"]), float(row["lat"])), wild, built))
    return cells


class Cloud:
    """Lines on the plane as a cloud of points, to ask how far away they are."""

    REACH = 3

    def __init__(
        self, lines: Iterable[Line], project: Callable[[Point], Point] | None = None, spacing: float = 0.08
    ) -> None:
        self.pieces = [[project(p) for p in line] if project else list(line) for line in lines]
        self.points = [p for piece in self.pieces for p in _densify(piece, spacing)]
        self._cells: dict[tuple[int, int], list[Point]] = {}
        for p in self.points:
            self._cells.setdefault((math.floor(p[0]), math.floor(p[1])), []).append(p)

    def distance(self, point: Point) -> float:
        """The distance to the nearest line; at most `REACH` hexes, which stands for far away."""
        cx, cy = math.floor(point[0]), math.floor(point[1])
        best = float(self.REACH)
        for ring in range(self.REACH + 1):
            if best < ring - 1:
                break
            for ix in range(cx - ring, cx + ring + 1):
                for iy in range(cy - ring, cy + ring + 1):
                    if max(abs(ix - cx), abs(iy - cy)) == ring:
                        best = min([best, *(math.dist(point, q) for q in self._cells.get((ix, iy), ()))])
        return best


def _densify(line: Line, spacing: float) -> Iterator[Point]:
    yield line[0]
    for (x1, y1), (x2, y2) in itertools.pairwise(line):
        n = max(1, math.ceil(math.hypot(x2 - x1, y2 - y1) / spacing))
        for i in range(1, n + 1):
            yield x1 + (x2 - x1) * i / n, y1 + (y2 - y1) * i / n
