"""Deeper checks of a loaded map: waters that flow, roads that lead somewhere, no holes, control facts that hold.

Rows that are wrong by themselves (a bridge without water, hexes that do not touch) are refused by `load_board`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from salient.hexes.board import Board, is_water
from salient.hexes.control_facts import missed_facts
from salient.hexes.grid import Axial
from salient.hexes.rows import Fault, Problem, Row, in_order

Node = TypeVar("Node")


@dataclass(frozen=True)
class Counts:
    """How much of everything a map has; `sources` counts rows by file and source."""

    hexes: int
    terrain: Mapping[str, int]
    features: Mapping[str, int]
    hexsides: Mapping[str, int]
    bridges: Mapping[str, int]
    roads: Mapping[str, int]
    control_facts: Mapping[str, int]
    sources: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class MapReport:
    """The findings of a map check, sorted by file and line, and the counts."""

    findings: tuple[Problem, ...]
    counts: Counts


def check_board(board: Board) -> MapReport:
    """Run every map check."""
    findings = [*_holes(board), *_water_findings(board), *_unbridged_roads(board), *_drowned_roads(board)]
    findings += [*_loose_roads(board), *missed_facts(board)]
    return MapReport(in_order(findings), count(board))


def count(board: Board) -> Counts:
    """Count the map's hexes, hexsides, roads and sources."""
    sides, roads = board.rows["hexsides.csv"], board.rows["roads.csv"]
    stated = len(board.rows["control.csv"])
    return Counts(
        hexes=len(board),
        terrain=_counted(board.terrain),
        features=_counted(feature for features in board.features for feature in features),
        hexsides=_counted(row["kind"] for row in sides),
        bridges=_counted(row["bridge"] for row in sides if row["bridge"]),
        roads=_counted(row["class"] for row in roads),
        control_facts={"stated": stated, "met": stated - len(list(missed_facts(board)))},
        sources={file: _counted(row["source"] for row in rows) for file, rows in board.rows.items() if rows},
    )


def _counted(keys: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(keys).items()))


# ---- the grid --------------------------------------------------------------------


def _holes(board: Board) -> Iterator[Problem]:
    """Columns of flat-top hexes (rows of pointy-top ones) of the same parity should all have the same extent."""
    spans: dict[int, set[int]] = defaultdict(set)
    for label in board.labels:
        column, row = board.grid.parse(label)
        rank, place = (column, row) if board.grid.orientation == "flat" else (row, column)
        spans[rank].add(place)
    for rank in range(min(spans, default=0), max(spans, default=-1) + 1):
        alike = set().union(*(places for other, places in spans.items() if (other - rank) % 2 == 0))
        for place in range(min(alike, default=0), max(alike, default=-1) + 1):
            if place not in spans[rank]:
                column, row = (rank, place) if board.grid.orientation == "flat" else (place, rank)
                label = board.grid.label(column, row)
                yield Problem("hexes.csv", 0, Fault("fault-hole", text=label))


# ---- waters ----------------------------------------------------------------------


class _Waters:
    """The water hexsides of a board by the corners at their ends."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.rows = [row for row in board.rows["hexsides.csv"] if board.is_water(row["kind"])]
        self.ends = [board.grid.hexside_corners(row["a"], row["b"]) for row in self.rows]
        self.at: dict[Axial, list[int]] = defaultdict(list)
        for i, corners in enumerate(self.ends):
            for corner in corners:
                self.at[corner].append(i)
        self.hexes: dict[Axial, list[int]] = defaultdict(list)
        for here, label in enumerate(board.labels):
            for i in range(6):
                self.hexes[board.grid.corner(label, i)].append(here)

    def pieces(self, name: str) -> list[list[int]]:
        """Return the connected pieces of the water of a name."""
        edges = [(*self.ends[i], i) for i, row in enumerate(self.rows) if row["name"] == name]
        return _pieces(edges)

    def loose_ends(self, piece: list[int]) -> list[int]:
        """Return, for each end of a piece at no other water, no lake and no map edge, the hexside that ends there."""
        return [i for i in piece for corner in self.ends[i] if self._is_loose(corner)]

    def _is_loose(self, corner: Axial) -> bool:
        hexes = self.hexes[corner]
        return len(self.at[corner]) == 1 and len(hexes) == 3 and not any(map(self._is_lake, hexes))

    def _is_lake(self, here: int) -> bool:
        legend, board = self.board.legend, self.board
        keys = [("terrain", board.terrain[here]), *(("feature", feature) for feature in board.features[here])]
        return any(is_water(key, legend.get(section, {}).get(key, {})) for section, key in keys)


def _water_findings(board: Board) -> Iterator[Problem]:
    """A water may begin at one spring; every other end must lie at another water, a lake or the map edge."""
    waters = _Waters(board)
    for name in dict.fromkeys(row["name"] for row in waters.rows):
        pieces = waters.pieces(name)
        ends = [waters.loose_ends(piece) for piece in pieces]
        for loose in [[i for piece in ends for i in piece]] if name else ends:
            if len(loose) > 1:
                for i in dict.fromkeys(loose):
                    yield _loose_water(waters.rows[i], len(pieces) if name else 1)


def _loose_water(row: Row, pieces: int) -> Problem:
    water, side = row["name"] or row["kind"], f"{row['a']}/{row['b']}"
    return Problem(row.file, row.line, Fault("fault-loose-water", text=water, text_side=side, n=pieces))


# ---- roads -----------------------------------------------------------------------


def _unbridged_roads(board: Board) -> Iterator[Problem]:
    for row in board.rows["roads.csv"]:
        side = board.side(board.index[row["a"]], board.index[row["b"]])
        if side is None or side.bridge or not board.is_water(side.kind):
            continue
        if board.legend["hexside"][side.kind].get("bridges", True):
            water, at = side.name or side.kind, f"{row['a']}/{row['b']}"
            yield Problem(row.file, row.line, Fault("fault-unbridged", text=at, text_water=water))


def _drowned_roads(board: Board) -> Iterator[Problem]:
    """No road runs into a lake: a hex whose terrain is water."""
    waters = board.legend.get("terrain", {})
    for row in board.rows["roads.csv"]:
        for label in (row["a"], row["b"]):
            terrain = board.terrain[board.index[label]]
            if is_water(terrain, waters.get(terrain, {})):
                at = f"{row['a']}/{row['b']}"
                yield Problem(row.file, row.line, Fault("fault-drowned", text=at, text_terrain=terrain, text_hex=label))


def _loose_roads(board: Board) -> Iterator[Problem]:
    """Every piece of road belongs to the largest net or reaches the map edge."""
    rows = board.rows["roads.csv"]
    pieces = _pieces([(row["a"], row["b"], i) for i, row in enumerate(rows)])
    pieces.sort(key=len, reverse=True)
    for piece in pieces[1:]:
        hexes = sorted({rows[i][end] for i in piece for end in ("a", "b")})
        if not any(-1 in board.neighbours[board.index[label]] for label in hexes):
            row = rows[piece[0]]
            kind, through = row["class"], " ".join(hexes)
            yield Problem(row.file, row.line, Fault("fault-loose-road", text=through, text_class=kind))


def _pieces(edges: list[tuple[Node, Node, int]]) -> list[list[int]]:
    """Return the connected pieces of a graph as ascending lists of edge ids."""
    touching: dict[Node, list[tuple[Node, Node, int]]] = defaultdict(list)
    for edge in edges:
        touching[edge[0]].append(edge)
        touching[edge[1]].append(edge)
    seen: set[int] = set()
    pieces = []
    for edge in edges:
        piece, waiting = [], [edge]
        while waiting:
            a, b, i = waiting.pop()
            if i not in seen:
                seen.add(i)
                piece.append(i)
                waiting += touching[a] + touching[b]
        if piece:
            pieces.append(sorted(piece))
    return pieces
