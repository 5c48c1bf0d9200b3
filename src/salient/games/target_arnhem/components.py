"""Target Arnhem: the map, the counters and the combat table as their data have them [2.1 to 2.3b]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from salient.common.columns import Columns, between, flag, like, one_of, place_in, whole
from salient.common.data import Part, Reader, data_folder, data_hash, zone_numbers
from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.weights import Weights
from salient.hexes.board import Board
from salient.hexes.flood import compile_masks
from salient.hexes.masks import mask_of, units_of
from salient.hexes.rows import Named
from salient.hexes.sets import HexId, HexSet, UnitId

GAME_ID = "target-arnhem"
LONGEST = 99  # turns
MOST_POINTS = 99  # of resistance
OFF_MAP = ("waiting", "eliminated")
POOLS = ("wehrmacht", "ss", "1abn", "82abn", "101abn", "xxx")  # 7.4

Row = Mapping[str, str]

# ---- 2.1 Map --------------------------------------------------------------------

LAND = ("", False)
RIVER, BRIDGED_RIVER, CANAL, BRIDGED_CANAL = ("river", False), ("river", True), ("canal", False), ("canal", True)


class Ground(Part):
    """The map, compiled, and where a unit can be: hexes by number, then off-map areas, then off the map."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.hexes = len(board)
        self.all_hexes = HexSet((1 << self.hexes) - 1)
        self.areas = tuple(sorted(board.areas))
        self.places = (*board.labels, *self.areas, *OFF_MAP)
        self.waiting = self.hexes + len(self.areas)
        self.eliminated = self.waiting + 1
        self.all_areas = (1 << self.waiting) - (1 << self.hexes)
        self.entry = HexId(board.index["0103"])
        self.arnhem = HexId(board.index["1504"])
        self.area_p = self._area("P")
        places = zone_numbers(board, "red-road")
        self.red_road = mask_of(places)
        self.road_northward = tuple(sorted(places, key=places.__getitem__))  # from 0103
        self.forest = board.of_terrain("forest")
        self.town = board.with_feature("town")
        self._compile_hexsides()
        self._compile_roads()
        self.area_hexes = {self._area(name): mask_of(board.areas[name].hexes) for name in self.areas}
        self.area_links = {
            self._area(name): tuple(sorted(self._area(near) for near in board.areas[name].areas)) for name in self.areas
        }

    def _area(self, name: str) -> int:
        return self.hexes + self.areas.index(name)

    def _compile_hexsides(self) -> None:
        self.touching = self._neighbours({LAND, BRIDGED_RIVER, CANAL, BRIDGED_CANAL})  # not over a river [4.1, 5, 7.1]
        self.steps = self._neighbours({LAND, BRIDGED_RIVER, BRIDGED_CANAL})
        self.canal_steps = self._neighbours({CANAL})
        self.halving = self._neighbours({CANAL, BRIDGED_CANAL, BRIDGED_RIVER})  # 5.3: over a canal or by a bridge
        self.open_ground = compile_masks(self.board, lambda a, b: bool(self.touching[a] >> b & 1))
        self.open_steps = compile_masks(self.board, lambda a, b: bool(self.steps[a] >> b & 1))
        self.open_canals = compile_masks(self.board, lambda a, b: bool(self.canal_steps[a] >> b & 1))

    def _compile_roads(self) -> None:
        board = self.board
        self.roads = tuple(mask_of(b for b in board.adjacent[a] if board.road(a, b)) for a in range(self.hexes))
        self.road_hexes = mask_of(h for h in range(self.hexes) if self.roads[h])
        self.open_roads = compile_masks(board, lambda a, b: bool(self.roads[a] >> b & 1))
        self.off_road_steps = tuple(self.steps[h] & ~self.roads[h] for h in range(self.hexes))
        self.road_exits = {  # by area: the hexes whose roads run into it, as bits
            self._area(row["area"]): mask_of(board.index[label] for label in row["roads"].split())
            for row in board.rows["areas.csv"]
        }

    def _neighbours(self, wanted: set[tuple[str, bool]]) -> tuple[int, ...]:
        """By hex: its neighbours across such water, or none, as bits."""
        adjacent = self.board.adjacent
        return tuple(mask_of(b for b in adjacent[a] if self._water(a, b) in wanted) for a in range(self.hexes))

    def _water(self, a: int, b: int) -> tuple[str, bool]:
        side = self.board.side(a, b)
        return (side.kind, bool(side.bridge)) if side else LAND


# ---- 2.2 Counters -----------------------------------------------------------------


def unit_columns(board: Board) -> Columns:
    """What the columns of units.csv may hold."""
    return {
        "side": one_of(*SEATS), "pool": one_of(*POOLS), "vehicle": flag, "strength": whole,
        "resistance": between(1, MOST_POINTS), "fortified": flag, "turn": whole,
        "start": place_in({*board.labels, *board.areas, *OFF_MAP, "drop"}),
    }  # fmt: skip


class Units(Part):
    """The counters: values by unit, and sets of units."""

    def __init__(self, rows: Sequence[Row], ground: Ground, turns: int) -> None:
        self.ids = tuple(row["unit"] for row in rows)
        self.count = len(rows)
        index = Named("units.csv", {unit: u for u, unit in enumerate(self.ids)})
        self.names = tuple(row["name"] for row in rows)
        self.side = tuple(SEATS.index(row["side"]) for row in rows)
        self.pool = tuple(POOLS.index(row["pool"]) for row in rows)  # 7.4
        self.symbol = tuple(row["symbol"] for row in rows)
        self.size = tuple(row["size"] for row in rows)
        self.source = tuple(row["source"] for row in rows)
        self.vehicle = tuple(row["vehicle"] == "1" for row in rows)
        self.strength = tuple(int(row["strength"]) for row in rows)
        self.resistance = tuple(int(row["resistance"]) for row in rows)
        self.starts_fortified = tuple(int(row["fortified"]) for row in rows)
        self.drops = tuple(row["start"] == "drop" for row in rows)
        places = {name: place for place, name in enumerate(ground.places)} | {"drop": ground.entry}
        self.start = tuple(places[row["start"]] for row in rows)
        self.arrival_turn = tuple(int(row["turn"]) for row in rows)
        self.due = tuple(  # by turn: those that arrive then, or have been delayed [8]
            units_of(u for u, turn in enumerate(self.arrival_turn) if turn <= now) for now in range(turns + 1)
        )
        self.poles = UnitId(index["PP"])
        self.all = tuple(UnitId(u) for u in range(self.count))
        self.of_side = tuple(tuple(u for u in self.all if self.side[u] == side) for side in (ALLIED, GERMAN))
        self.side_mask = tuple(units_of(units) for units in self.of_side)
        self.vehicles = units_of(u for u in self.all if self.vehicle[u])
        self.airborne = units_of(u for u in self.all if self.drops[u])


# ---- 2.3b Combat table, 9 the scenario --------------------------------------------------


class Tables(Part):
    """The combat table, and what the scenario says."""

    def __init__(self, rows: Sequence[Row], scenario: Mapping[str, Any]) -> None:
        self.columns = tuple(name for name in rows[0] if ":" in name)
        self.ratios = tuple((int(a), int(b)) for a, b in (name.split(":") for name in self.columns))
        self.combat = tuple(tuple(_damage(row[name]) for row in rows) for name in self.columns)
        self.scenario = scenario
        self.turns = int(scenario["turns"])
        self.first_extra_actions = int(scenario["first_impulse_extra_actions"])  # 9.3


def _damage(cell: str) -> tuple[int, int]:
    """The attacker's damage and the defender's: `combat[column][die - 1]`."""
    attacker, defender = cell.split("/")
    return int(attacker), int(defender)


@dataclass(frozen=True, eq=False)
class Data:
    """All that the game is made of."""

    ground: Ground
    units: Units
    tables: Tables
    weights: Weights
    data_hash: str = ""

    @classmethod
    def read(cls, own: Path | None = None) -> Data:
        """Our rows, with a player's own laid over them; DataError names everything that is wrong."""
        with Reader(data_folder(__package__), own) as files:
            board = files.board()
            units = files.rows("units.csv", "unit", unit_columns(board))
            combat = files.rows("tables/combat.csv", "die", {"*": like("1/2", r"\d+/\d+")}, complete=True)
            scenario = files.values("scenarios/historical.toml", {"turns": between(1, LONGEST)})
            weights = files.weights(SEATS)
            ground, tables = Ground(board), Tables(combat, scenario)
            digest = data_hash([board.data_hash], units, combat, scenario.items())
            return cls(ground, Units(units, ground, tables.turns), tables, weights, digest)
