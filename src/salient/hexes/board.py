"""The immutable board: every fact of a map, compiled to integer indices.

Hex `i` is the i-th printed number in ascending order. Directions are those of `Grid.directions`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from salient.hexes.grid import Grid, opposite
from salient.hexes.masks import bits, mask_of
from salient.hexes.rows import Named, Row
from salient.hexes.sets import HexSet

T = TypeVar("T")
Rows = Mapping[str, tuple[Row, ...]]
Legend = Mapping[str, Mapping[str, Mapping[str, Any]]]

WATER_WORDS = frozenset({"river", "canal", "stream", "lake", "sea"})


@dataclass(frozen=True, slots=True)
class Side:
    """What lies along a hexside."""

    kind: str
    name: str = ""
    bridge: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Road:
    """A road step between two neighbouring hexes."""

    kind: str
    name: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A named place; the first hex carries the label."""

    name: str
    size: str
    hexes: tuple[int, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Area:
    """An off-map area, entry area or box, with the map hexes and the areas it touches."""

    name: str
    kind: str
    hexes: tuple[int, ...]
    areas: tuple[str, ...]
    label_at: str
    source: str


@dataclass(frozen=True, eq=False)
class Board:
    """A map as integers: look everything up by hex index and direction."""

    grid: Grid
    labels: tuple[str, ...]
    index: Mapping[str, int]
    neighbours: tuple[tuple[int, ...], ...]
    adjacent: tuple[tuple[int, ...], ...]
    terrain: tuple[str, ...]
    features: tuple[frozenset[str], ...]
    sources: tuple[str, ...]
    sides: tuple[tuple[Side | None, ...], ...]
    roads: tuple[tuple[Road | None, ...], ...]
    places: tuple[Place, ...]
    areas: Mapping[str, Area]
    zones: Mapping[str, frozenset[int]]
    zone_values: Mapping[str, Mapping[int, str]]
    legend: Legend
    rows: Rows
    data_hash: str
    _directions: tuple[Mapping[int, int], ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.labels)

    def direction(self, a: int, b: int) -> int | None:
        """Return the direction from hex `a` to its neighbour `b`, or None when they do not touch."""
        return self._directions[a].get(b)

    def side(self, a: int, b: int) -> Side | None:
        """Return what lies along the hexside between two hexes, or None."""
        direction = self._directions[a].get(b)
        return None if direction is None else self.sides[a][direction]

    def road(self, a: int, b: int) -> str | None:
        """Return the class of the road between two neighbouring hexes, or None."""
        direction = self._directions[a].get(b)
        road = None if direction is None else self.roads[a][direction]
        return None if road is None else road.kind

    def distance(self, a: int, b: int) -> int:
        """Return the number of hexes from `a` to `b` as the crow flies."""
        return self.grid.distance(self.labels[a], self.labels[b])

    def within(self, centre: int, radius: int) -> frozenset[int]:
        """Return the hexes of the map within `radius` of `centre`, the centre included."""
        labels = self.grid.range(self.labels[centre], radius)
        return frozenset(self.index[label] for label in labels if label in self.index)

    def of_terrain(self, name: str) -> int:
        """The hexes of a terrain, as bits."""
        return mask_of(h for h, terrain in enumerate(self.terrain) if terrain == name)

    def with_feature(self, name: str) -> int:
        """The hexes with a feature, as bits."""
        return mask_of(h for h, features in enumerate(self.features) if name in features)

    def labels_of(self, mask: HexSet | int) -> list[str]:
        """The printed numbers of the hexes whose bits are set, ascending."""
        return [self.labels[h] for h in bits(mask)]

    def is_water(self, kind: str) -> bool:
        """Say whether a hexside kind is water that a bridge can span."""
        return is_water(kind, self.legend.get("hexside", {}).get(kind, {}))


def is_water(kind: str, entry: Mapping[str, Any]) -> bool:
    """Read `water` of a hexside entry; without it, a kind is water when its key has a word such as river or canal."""
    stated = entry.get("water")
    if isinstance(stated, bool):
        return stated
    return not WATER_WORDS.isdisjoint(kind.replace("-", "_").split("_"))


def compile_board(grid: Grid, rows: Rows, legend: Legend, data_hash: str = "") -> Board:
    """Compile valid rows into a board."""
    hexes = sorted(rows["hexes.csv"], key=lambda row: row["hex"])
    labels = tuple(row["hex"] for row in hexes)
    index = Named("hexes.csv", {label: i for i, label in enumerate(labels)})
    neighbours = _neighbours(grid, labels)
    directions = tuple({near: d for d, near in enumerate(around) if near >= 0} for around in neighbours)
    sides = [(row, Side(row["kind"], row["name"], row["bridge"], row["source"])) for row in rows["hexsides.csv"]]
    roads = [(row, Road(row["class"], row["name"], row["source"])) for row in rows["roads.csv"]]
    zone_values = Named("zones.csv", _zone_values(rows["zones.csv"], index))
    return Board(
        grid=grid,
        labels=labels,
        index=index,
        neighbours=neighbours,
        adjacent=tuple(tuple(around) for around in directions),
        terrain=tuple(row["terrain"] for row in hexes),
        features=tuple(frozenset(row["features"].split()) for row in hexes),
        sources=tuple(row["source"] for row in hexes),
        sides=_by_direction(sides, index, directions),
        roads=_by_direction(roads, index, directions),
        places=_places(rows["places.csv"], index),
        areas=Named("areas.csv", {row["area"]: _area(row, index) for row in rows["areas.csv"]}),
        zones=Named("zones.csv", {zone: frozenset(values) for zone, values in zone_values.items()}),
        zone_values=zone_values,
        legend=legend,
        rows=rows,
        data_hash=data_hash,
        _directions=directions,
    )


def _neighbours(grid: Grid, labels: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """The six hexes around each hex in the order of the directions, -1 beyond the edge."""
    axials = [grid.axial(label) for label in labels]
    at = {axial: i for i, axial in enumerate(axials)}
    return tuple(tuple([at.get((q + dq, r + dr), -1) for dq, dr in grid.vectors]) for q, r in axials)


def _by_direction(
    facts: Iterable[tuple[Row, T]], index: Mapping[str, int], directions: tuple[Mapping[int, int], ...]
) -> tuple[tuple[T | None, ...], ...]:
    table: list[list[T | None]] = [[None] * 6 for _ in directions]
    for row, fact in facts:
        a, b = index[row["a"]], index[row["b"]]
        direction = directions[a][b]
        table[a][direction] = table[b][opposite(direction)] = fact
    return tuple(tuple(line) for line in table)


def _places(rows: Iterable[Row], index: Mapping[str, int]) -> tuple[Place, ...]:
    found: dict[str, Place] = {}
    for row in rows:
        name, here = row["name"], index[row["hex"]]
        known = found.get(name)
        if known is None:
            found[name] = Place(name, row["size"], (here,), row["source"])
        else:
            found[name] = Place(name, known.size, (*known.hexes, here), known.source)
    return tuple(found.values())


def _area(row: Row, index: Mapping[str, int]) -> Area:
    hexes = tuple(index[label] for label in row["hexes"].split())
    return Area(row["area"], row["kind"], hexes, tuple(row["areas"].split()), row["label_at"], row["source"])


def _zone_values(rows: Iterable[Row], index: Mapping[str, int]) -> dict[str, dict[int, str]]:
    zones: dict[str, dict[int, str]] = {}
    for row in rows:
        zones.setdefault(row["zone"], {})[index[row["hex"]]] = row["value"]
    return zones
