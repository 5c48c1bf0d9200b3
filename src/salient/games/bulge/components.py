"""Battle of the Bulge: the board, the pieces, the charts and the scenario as their data have them [1.1, 1.2, 3.1 to 4].

Pieces of a kind in a place are alike, so a position counts them. A *unit* is such a pile: all pieces of one side and
kind in one place, whether there are any or none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from salient.common.columns import Columns, between, like, one_of, place_in, whole
from salient.common.data import Part, Reader, data_folder, data_hash, zone_numbers
from salient.common.weights import Weights
from salient.hexes.board import Board
from salient.hexes.flood import compile_masks
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import HexId, UnitId
from salient.kernel import Seat

GAME_ID = "bulge"
AXIS, ALLIED = 0, 1
SIDES = (AXIS, ALLIED)
SEATS: tuple[Seat, ...] = ("axis", "allied")

KINDS = ("infantry", "tank", "artillery", "truck", "supply", "fighter", "bomber")
INFANTRY, TANK, ARTILLERY, TRUCK, SUPPLY, FIGHTER, BOMBER = range(len(KINDS))
COMBAT_KINDS = (INFANTRY, TANK, ARTILLERY)
GROUND_KINDS = (INFANTRY, TANK, ARTILLERY, TRUCK, SUPPLY)
CARGO = (INFANTRY, ARTILLERY, SUPPLY)  # 4.7.1
PLANES = (FIGHTER, BOMBER)

LONGEST = 8  # turns, each of its colour
COLOURS = like("['red', 'blue', ...], a colour for each turn", rf"\[('[a-z]+'(, )?){{{LONGEST}}}\]")
NUMBER = between(0, 99)  # of pieces

Row = Mapping[str, str]

# ---- 3.1 Board --------------------------------------------------------------------


class Ground(Part):
    """The board, compiled, and where pieces can be: hexes by number, then formations on charts, then off the board."""

    def __init__(self, board: Board, formations: Sequence[str]) -> None:
        self.board = board
        self.hexes = len(board)
        self.whole = (1 << self.hexes) - 1 & ~board.with_feature("partial")  # 7.15
        self.cities = board.with_feature("city")
        self.points = zone_numbers(board, "victory")
        self.axis_start = mask_of(board.zones["axis-start"])
        self.places = (*board.labels, *formations, *(f"{seat}-base" for seat in SEATS))
        self.bases = (len(self.places) - 2, len(self.places) - 1)  # the off-board areas [3.3]
        self.boxes = range(self.hexes, self.bases[AXIS])  # by formation: its place on a chart
        self._compile_hexsides()
        self._compile_edges()

    def _compile_hexsides(self) -> None:
        board, hexes = self.board, range(self.hexes)
        self.around = tuple(self._whole_hexes(h, board.adjacent[h]) for h in hexes)
        self.dry = tuple(mask_of(n for n in bits(self.around[h]) if not self._is_barred(h, n)) for h in hexes)
        self.steps = tuple(self.around if kind == INFANTRY else self.dry for kind in GROUND_KINDS)  # 7.14
        self.roads = tuple(mask_of(n for n in bits(self.around[h]) if board.road(h, n)) for h in hexes)
        eastern = [board.grid.directions.index(direction) for direction in ("NE", "E", "SE")]
        east = [self._whole_hexes(h, [board.neighbours[h][d] for d in eastern]) for h in hexes]
        self.open_sides = compile_masks(board, lambda a, b: bool(self.around[a] >> b & 1))
        self.open_roads = compile_masks(board, lambda a, b: bool(self.roads[a] >> b & 1))
        self.eastward = compile_masks(board, lambda a, b: bool(east[a] >> b & 1))

    def _whole_hexes(self, h: int, near: Iterable[int]) -> int:
        """The whole hexes beside a hex that is whole itself, as bits; -1 stands for none."""
        return mask_of(n for n in near if n >= 0) & self.whole if self.whole >> h & 1 else 0

    def _is_barred(self, a: int, b: int) -> bool:
        """Shaded water bars vehicles and guns unless a road bridges it [7.14]."""
        side = self.board.side(a, b)
        return side is not None and side.kind == "river" and not self.board.road(a, b)

    def _compile_edges(self) -> None:
        """The charts beside the board and the hexes at its edge that they lead to [3.4]."""
        board = self.board
        self.charts = tuple(sorted(board.areas))
        self.chart_side = {chart: AXIS if board.areas[chart].kind == "axis-edge" else ALLIED for chart in self.charts}
        self.edge = {chart: mask_of(board.areas[chart].hexes) & self.whole for chart in self.charts}
        roads = {row["area"]: row["roads"].split() for row in board.rows["areas.csv"]}
        self.road_edge = tuple(  # by side: where a road leads off the board to it
            mask_of(
                board.index[label] for chart in self.charts if self.chart_side[chart] == side for label in roads[chart]
            )
            for side in SIDES
        )


# ---- 3.4 Reinforcement charts ---------------------------------------------------------


def formation_columns(board: Board) -> Columns:
    """What the columns of reinforcements.csv may hold."""
    return {
        "nation": one_of("axis", "us", "uk"), "chart": one_of(*sorted(board.areas)), "turn": whole,
        **dict.fromkeys(KINDS[:TRUCK + 1], NUMBER),
    }  # fmt: skip


class Formations(Part):
    """The formations on the charts: values by formation, and the formations of a side."""

    def __init__(self, rows: Sequence[Row], ground: Ground, turns: int) -> None:
        self.ids = tuple(row["formation"] for row in rows)
        self.count = len(rows)
        self.names = tuple(row["name"] for row in rows)
        self.chart = tuple(row["chart"] for row in rows)
        self.side = tuple(ground.chart_side[chart] for chart in self.chart)
        self.turn = tuple(int(row["turn"]) for row in rows)
        self.nation = tuple(row["nation"] for row in rows)
        self.source = tuple(row["source"] for row in rows)
        self.pieces = tuple(tuple(int(row[KINDS[kind]]) for kind in range(TRUCK + 1)) for row in rows)
        self.edge = tuple(ground.edge[chart] for chart in self.chart)
        self.of_side = tuple(tuple(f for f, owner in enumerate(self.side) if owner == side) for side in SIDES)
        self.due = tuple(  # by side and turn: those that may send pieces [8.1]
            tuple(tuple(f for f in self.of_side[side] if self.turn[f] <= turn) for turn in range(turns + 1))
            for side in SIDES
        )


# ---- 1.1, 4 Pieces and their piles -------------------------------------------------------

PIECE_COLUMNS: Columns = dict.fromkeys(("attack", "air_attack", "stack_limit", "axis_pieces", "allied_pieces"), whole)


class Units(Part):
    """The kinds of pieces: values by kind. The piles: values by unit."""

    def __init__(self, rows: Sequence[Row], ground: Ground) -> None:
        by_kind = {row["piece"]: row for row in rows}
        kinds = [by_kind[kind] for kind in KINDS]
        self.names = tuple(tuple(row[f"{seat}_name"] for row in kinds) for seat in SEATS)
        self.symbol = tuple(row["symbol"] for row in kinds)
        self.source = tuple(row["source"] for row in kinds)
        self.attack = tuple(int(row["attack"]) for row in kinds)
        self.air_attack = tuple(int(row["air_attack"]) for row in kinds)
        self.stack_limit = tuple(int(row["stack_limit"]) for row in kinds)
        kind_ids, places = range(len(KINDS)), range(len(ground.places))
        piles = [(side, kind, place) for side in SIDES for kind in kind_ids for place in places]
        self.count = len(piles)
        self.piles = tuple(  # by side, kind and place
            tuple(
                tuple(UnitId((side * len(KINDS) + kind) * len(places) + place) for place in places) for kind in kind_ids
            )
            for side in SIDES
        )
        self.side = tuple(side for side, _, _ in piles)
        self.kind = tuple(kind for _, kind, _ in piles)
        self.place = tuple(place for _, _, place in piles)
        self.ids = tuple(f"{SEATS[side]}-{KINDS[kind]}-{ground.places[place]}" for side, kind, place in piles)

    def hex_piece(self, h: HexId) -> int:
        """A hex among all that can be named: it follows on the piles."""
        return self.count + h

    def is_hex(self, piece: int) -> bool:
        """Whether something named is a hex and not a pile."""
        return piece >= self.count

    def piece_hex(self, piece: int) -> HexId:
        """The hex that was named."""
        return HexId(piece - self.count)


# ---- 3.2 Set-up, and what the scenario says ------------------------------------------------


def setup_columns(board: Board) -> Columns:
    """What the columns of setup.csv may hold."""
    return {"hex": place_in(board.index), "side": one_of(*SEATS), **dict.fromkeys(KINDS[: SUPPLY + 1], NUMBER)}


class Tables(Part):
    """Who stands where at first, and what the scenario says."""

    def __init__(self, rows: Sequence[Row], board: Board, scenario: Mapping[str, Any]) -> None:
        self.setup = tuple(  # hex, side, and how many pieces of each kind
            (board.index[row["hex"]], SEATS.index(row["side"]), tuple(int(row[KINDS[kind]]) for kind in GROUND_KINDS))
            for row in rows
        )
        self.scenario = scenario
        self.turns = int(scenario["turns"])
        self.turn_colours: tuple[str, ...] = tuple(scenario["colours"])
        self.surprise_turns = int(scenario["surprise_turns"])
        self.first_air_turn = int(scenario["first_air_turn"])
        self.victory_points = int(scenario["victory_points"])
        self.supply_a_turn = tuple(int(scenario["supply"][seat]) for seat in SEATS)
        self.off_board = tuple(  # trucks, supply and aircraft of each side, by kind
            int(scenario["off-board"][seat][KINDS[kind]]) for seat in SEATS for kind in range(TRUCK, BOMBER + 1)
        )


@dataclass(frozen=True, eq=False)
class Data:
    """All that the game is made of."""

    ground: Ground
    formations: Formations
    units: Units
    tables: Tables
    weights: Weights
    data_hash: str = ""

    @classmethod
    def read(cls, own: Path | None = None) -> Data:
        """Our rows, with a player's own laid over them; DataError names everything that is wrong."""
        with Reader(data_folder(__package__), own) as files:
            board = files.board()
            pieces = files.rows("pieces.csv", "piece", PIECE_COLUMNS, complete=True)
            formations = files.rows("reinforcements.csv", "formation", formation_columns(board))
            setup = files.rows("setup.csv", "hex", setup_columns(board))
            scenario = files.values("scenarios/historical.toml", {"turns": between(1, LONGEST), "colours": COLOURS})
            weights = files.weights(SEATS)
            digest = data_hash([board.data_hash], pieces, setup, formations, scenario.items())
            tables = Tables(setup, board, scenario)
            ground = Ground(board, [row["formation"] for row in formations])
            units = Units(pieces, ground)
            return cls(ground, Formations(formations, ground, tables.turns), units, tables, weights, digest)
