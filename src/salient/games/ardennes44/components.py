"""Ardennes '44: the map, the counters and the tables as their data have them [1.1, 1.2, 2.1 to 3.4]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from salient.common.columns import Columns, between, like, maybe, one_of, place_in, whole
from salient.common.data import Part, Reader, RowColumns, data_folder, data_hash
from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.weights import Weights
from salient.hexes.board import Board
from salient.hexes.bridges import Pair, bridges_of
from salient.hexes.flood import OpenMasks, compile_masks, shut_of, spread, without
from salient.hexes.masks import bits, hexes_of, mask_of, units_of
from salient.hexes.rows import Named
from salient.hexes.sets import NO_UNITS, Group, UnitId, UnitSet

GAME_ID = "ardennes44"
WEST_SHEET = 41  # the first column of the West map [3.1]
BOXES = ("southeast", "southwest", "west", "northwest", "northeast")
ARMY_ZONES = {"6Pz": "army-6pz", "5Pz": "army-5pz", "7A": "army-7"}
OUREN = "2020/2119"  # 7.7
PREPARED_BRIDGES = ("2016/2115", "1913/2013")  # Dasburg and Gemünd [7.9]

Row = Mapping[str, str]

# ---- 3 The map ------------------------------------------------------------------------


class Ground(Part):
    """The map, compiled, what its terrain does, and where a unit can be: hexes by number, then places off the map."""

    def __init__(self, board: Board, effects: Sequence[Row]) -> None:
        self.board = board
        self.hexes = len(board)
        self.all_hexes = (1 << self.hexes) - 1
        self.bit = tuple(1 << h for h in range(self.hexes))
        self.column = tuple(int(label[:2]) for label in board.labels)
        self.row = tuple(int(label[2:]) for label in board.labels)
        self.last_column, self.last_row = max(self.column), max(self.row)
        self.effects = {row["terrain"]: row for row in effects}  # by terrain [3.4]
        self._compile_terrain()
        self._compile_zones()
        self._compile_towns()
        self._compile_roads()
        self._compile_edges()
        self._compile_water()
        self._compile_bridges()
        self._compile_places()

    def _compile_terrain(self) -> None:
        board = self.board
        self.touching = tuple(mask_of(near) for near in board.adjacent)
        self.near = tuple(tuple(sorted(near)) for near in board.adjacent)
        self.neighbours = compile_masks(board, lambda a, b: True)
        self.forest, self.rough = board.of_terrain("forest"), board.of_terrain("rough-woods")
        self.rough_hexes = frozenset(bits(self.rough))
        self.village, self.town = board.with_feature("village"), board.with_feature("town")
        self.city, self.westwall = board.with_feature("city"), board.with_feature("westwall")
        self.towns = self.town | self.city
        self.settled = self.village | self.towns
        self.road_bound = frozenset(bits(self.forest | self.westwall))  # vehicles keep to roads there [11.5]

    def _compile_zones(self) -> None:
        zone = Named("zones.csv", {name: mask_of(hexes) for name, hexes in self.board.zones.items()})
        self.west_map = mask_of(h for h in range(self.hexes) if self.column[h] >= WEST_SHEET)
        self.west_of_meuse, self.west_of_ourthe = zone["west-of-meuse"], zone["west-of-ourthe"]
        self.british_ground = self.west_map & self.west_of_meuse  # 27.3.1
        self.victory, self.liege, self.meuse_towns = zone["victory"], zone["victory-liege"], zone["victory-meuse"]
        self.areas = {name.removeprefix("setup-"): mask for name, mask in zone.items() if name.startswith("setup-")}
        self.all_areas = sum(self.areas.values())
        self.rear = zone["rear-area"]
        self.bottleneck = zone["st-vith-bottleneck"]
        self.depot_hexes = tuple(sorted(self.board.zones["fuel-depot"]))
        self.army_zone = {army: zone[name] for army, name in ARMY_ZONES.items()}
        self.army_sector = {h: army for army, mask in self.army_zone.items() for h in bits(mask)}
        self.boundaries = tuple(  # between the sectors of armies: hexsides in both directions
            (a, b)
            for a, army in self.army_sector.items()
            for b in self.board.adjacent[a]
            if self.army_sector.get(b, army) != army
        )

    def _compile_towns(self) -> None:
        hexes = Named("places.csv", {place.name: place.hexes for place in self.board.places})
        self.st_vith = hexes["St. Vith"][0]
        self.bastogne = mask_of(hexes["Bastogne"])
        self.sauer = self.board.index["1006"], self.board.index["1005"]  # below Echternach [29.3]

    def _compile_roads(self) -> None:
        board, hexes = self.board, range(self.hexes)
        self.roads = frozenset(  # from hex to hex
            (a, b) for a in hexes for b, road in zip(board.neighbours[a], board.roads[a], strict=True) if road
        )
        self.road_hexes = hexes_of(h for h in hexes if any(board.roads[h]))
        self.road_sides = shut_of(self.roads)
        self.road_lows = dict(self.road_sides)
        self.by_road = OpenMasks(  # in the order of compile_masks
            tuple(sorted(self.road_sides)),
            tuple((shift, low << shift) for shift, low in sorted(self.road_sides, reverse=True)),
        )
        self.profile_ways = without(  # hexsides by which zones of silhouettes reach on [9.3]
            self.neighbours,
            shut_of((a, b) for a in self.rough_hexes for b in board.adjacent[a] if (a, b) not in self.roads),
        )

    def _compile_edges(self) -> None:
        """Entry hexes, boxes and blocking positions [3.2, 11.9]."""
        board, column = self.board, self.column
        self.entry_letter = board.zone_values["allied-entry"], board.zone_values["german-entry"]
        self.entries = tuple(mask_of(letters) for letters in self.entry_letter)
        self.entry_hexes = tuple(
            {x: tuple(sorted(h for h, y in letters.items() if y == x)) for x in sorted(set(letters.values()))}
            for letters in self.entry_letter
        )
        self.exits = mask_of(h for h, letter in self.entry_letter[ALLIED].items() if letter in "FG")  # 11.9.3
        self.box_entries = {
            row["area"]: tuple(board.index[label] for label in row["roads"].split())
            for row in board.rows["areas.csv"]
            if row["area"] in BOXES
        }
        self.box_entry_hexes = {box: mask_of(hexes) for box, hexes in self.box_entries.items()}
        self.box_of_entry = {h: box for box in reversed(BOXES) for h in self.box_entries[box]}  # 13.4
        self.box_edge = {box: mask_of(board.areas[box].hexes) for box in BOXES}
        self.box_next = {box: tuple(x for x in board.areas[box].areas if x in BOXES) for box in BOXES}
        self.east_west_edge = mask_of(h for h in range(self.hexes) if column[h] == WEST_SHEET - 1)
        self.western_roads = mask_of(  # whose road goes on to the West map [S2.3]
            h
            for h in bits(self.east_west_edge)
            if any((h, b) in self.roads for b in board.adjacent[h] if column[b] == WEST_SHEET)
        )
        self.supply_roads = self.road_hexes | self.entries[ALLIED] | self.entries[GERMAN]  # 23.3
        self.objectives = self.towns | self.victory | self.entries[ALLIED] | self.entries[GERMAN]  # 23.3, 30.1.2

    def _compile_water(self) -> None:
        self.river = self._sides_of("river", "meuse")
        self.meuse = self._sides_of("meuse")  # no retreat leads across it [11.4.2]
        self.lake = self._sides_of("lake")
        over = [0] * self.hexes
        for a, b in self.meuse:
            over[a] |= 1 << b
        self.over_meuse = tuple(over)  # by hex: its neighbours across the Meuse, as bits

    def _sides_of(self, *kinds: str) -> frozenset[Pair]:
        board = self.board
        return frozenset(
            (a, b)
            for a in range(self.hexes)
            for b, side in zip(board.neighbours[a], board.sides[a], strict=True)
            if side and side.kind in kinds
        )

    def _compile_bridges(self) -> None:
        board = self.board
        crossed = sorted((a, b) for a, b in self.river if a < b and (side := board.side(a, b)) and side.bridge)
        found = bridges_of(board, crossed)
        self.bridges, self.bridge_names, self.bridge = found.pairs, found.names, found.numbers
        self.blown_at_start, self.unbuilt_at_start = found.shown_as("blown"), found.shown_as("unbuilt")
        self.bridge_ids = Named("hexsides.csv", {name: i for i, name in enumerate(self.bridge_names)})
        self.ouren = self.bridge_ids[OUREN]
        self.prepared_bridges = frozenset(self.bridge_ids[name] for name in PREPARED_BRIDGES)
        self.bridge_banks = tuple(1 << a | 1 << b for a, b in self.bridges)  # by bridge: its two hexes, as bits
        self.bridge_near = tuple(banks | spread(banks, self.neighbours) for banks in self.bridge_banks)
        at: dict[int, int] = {}
        for (here, _), bridge in self.bridge.items():
            at[here] = at.get(here, 0) | 1 << bridge
        self.bridges_at = at  # by hex, as bits

    def _compile_places(self) -> None:
        areas = self.board.areas
        self.blocks = tuple(sorted(name for name, area in areas.items() if area.kind == "blocking-position"))
        self.block_hex = {name: areas[name].hexes[0] for name in self.blocks}
        self.block_box = {name: areas[name].areas[0] for name in self.blocks}
        off_map = ("track", "eliminated", "gone", "pool", "antwerp", *BOXES, *self.blocks)
        self.places = (*self.board.labels, *off_map)
        self.track, self.eliminated, self.gone, self.pool, self.antwerp = range(self.hexes, self.hexes + 5)
        self.place = {name: i for i, name in enumerate(self.places)}
        self.box_places = tuple(self.place[box] for box in BOXES)
        self.block_places = tuple(self.place[name] for name in self.blocks)


def around(ground: Ground, hexes: int, radius: int) -> int:
    """Some hexes and those within a distance of them, as bits."""
    for _ in range(radius):
        hexes |= spread(hexes, ground.neighbours)
    return hexes


@lru_cache(maxsize=1 << 14)
def within(ground: Ground, h: int, radius: int) -> int:
    """The hexes within a distance of a hex, as bits."""
    return around(ground, 1 << h, radius)


@lru_cache(maxsize=1 << 10)
def road_ways(ground: Ground, blown: int) -> OpenMasks:
    """The hexsides that a road crosses, not over a blown bridge [23.3]."""
    return without(ground.by_road, shut_of(ground.bridges[i] for i in bits(blown)))


# ---- 2.1 to 2.9, 2.11 Combat units ---------------------------------------------------------------------

GREEN, VETERAN, ELITE = 1, 0, -1  # as die modifiers [2.8, 16.2, 16.7, 18.6, 20.2]
MORALE = {"green": GREEN, "veteran": VETERAN, "elite": ELITE}
FOOT, MOTOR, VEHICLE = range(3)
POINTS, SILHOUETTES, GUNS = range(3)  # what stacking counts
MOBILITY = {"infantry": FOOT, "parachute": FOOT, "engineer": FOOT, "pzgren": MOTOR}  # others are vehicles

Values = tuple[int, int, int]  # attack, defence, movement [2.2]


def unit_columns(board: Board) -> Columns:
    """What the columns of units.csv may hold."""
    printed = like("4-5-3", r"\d+-\(?\d+\)?-\d+")
    return {
        "side": one_of(*SEATS), "nation": one_of("us", "british", "german", "ss"), "stack": like("2/1", r"\d(/\d)?"),
        "type": one_of("infantry", "parachute", "engineer", "pzgren", "tank", "gun", "heavy", "flak", "recon", "cc",
                       "artillery", "werfer"),
        "morale": one_of(*MORALE), "tq": maybe(like("r4", r"[rf]?\d")), "full": printed, "reduced": maybe(printed),
        "range": maybe(whole), "start": maybe(place_in(board.index)), "turn": whole,
    }  # fmt: skip


class Units(Part):
    """The counters: values by unit, and sets of units."""

    def __init__(self, rows: Sequence[Row], ground: Ground) -> None:
        self.ids = tuple(row["unit"] for row in rows)
        self.count = len(rows)
        self.all: Group = tuple(UnitId(u) for u in range(self.count))
        self.index = Named("units.csv", dict(zip(self.ids, self.all, strict=True)))
        self.side = tuple(SEATS.index(row["side"]) for row in rows)
        self._read_names(rows)
        self._read_start(rows, ground)
        self._read_kinds(rows)
        self._read_values(rows)
        self._sort_by_side()
        self._sort_by_kind()
        self._match_parts()

    def _read_names(self, rows: Sequence[Row]) -> None:
        self.names = tuple(row["name"] for row in rows)
        self.nation = tuple(row["nation"] for row in rows)
        self.british = tuple(row["nation"] == "british" for row in rows)
        self.symbol = tuple(row["symbol"] for row in rows)
        self.size = tuple(row["size"] for row in rows)
        self.source = tuple(row["source"] for row in rows)
        self.formation = tuple(row["formation"] or row["unit"] for row in rows)  # an independent unit is its own [2.5]
        self.regiment = tuple(row["regiment"] or row["unit"] for row in rows)
        self.colour = tuple(row["colour"] for row in rows)  # 2.11
        self.corps = tuple(row["corps"] for row in rows)
        self.marks = tuple(frozenset(row["marks"].split()) for row in rows)

    def _read_start(self, rows: Sequence[Row], ground: Ground) -> None:
        self.start = tuple(ground.board.index[row["start"]] if row["start"] else -1 for row in rows)
        self.arrival = tuple(int(row["turn"]) for row in rows)
        self.entry = tuple(row["entry"] for row in rows)
        self.area = tuple(
            next((m[1:] for m in marks if m[0] == "a" and m[1:] in ground.areas), "") for marks in self.marks
        )

    def _read_kinds(self, rows: Sequence[Row]) -> None:
        self.type = tuple(row["type"] for row in rows)
        self.mobility = tuple(MOBILITY.get(kind, VEHICLE) for kind in self.type)
        self.artillery = tuple(kind in ("artillery", "werfer") for kind in self.type)
        self.profile = tuple(kind in ("tank", "gun", "heavy", "flak") for kind in self.type)  # with a silhouette [2.4]
        self.recon = tuple(kind == "recon" for kind in self.type)
        self.engineer = tuple(kind == "engineer" for kind in self.type)
        self.mixed = tuple(kind == "cc" for kind in self.type)  # infantry and armour in one [21.1]
        self.split = tuple("split" in marks for marks in self.marks)
        self.remnant = tuple("remnant" in marks for marks in self.marks)
        self.vdh, self.brigade_150, self.jagdtiger = self.index.of("VdH", "150Pz", "653PzJ")

    def _read_values(self, rows: Sequence[Row]) -> None:
        self.range = tuple(int(row["range"] or 0) for row in rows)
        self.morale = tuple(MORALE[row["morale"]] for row in rows)
        quality = [row["tq"] for row in rows]
        self.tq = tuple(int(tq.lstrip("rf") or 0) for tq in quality)
        self.armor = tuple(bool(tq) and not tq.startswith("f") for tq in quality)  # 2.9, 21.2
        self.grey_tq = tuple(tq.isdigit() for tq in quality)
        self.attack_tq = tuple(self.tq[u] - tq.startswith("r") for u, tq in enumerate(quality))
        self.printed = tuple(tuple(row[name] for name in ("full", "reduced") if row[name]) for row in rows)
        self.values = tuple(tuple(_values(text) for text in texts) for texts in self.printed)  # by side of the counter
        self.steps = tuple(1 if self.artillery[u] or u == self.vdh else len(self.values[u]) for u in self.all)
        self.stack = tuple(_points(row) for row in rows)  # stacking points by steps lost [8.2]
        self.large = tuple(  # leaves a remnant [16.4]
            len(self.values[u]) > 1 and self.stack[u][1] == 2 for u in self.all
        )
        self.loads = tuple(self._loads(u) for u in self.all)

    def _loads(self, u: UnitId) -> tuple[tuple[int, int], ...]:
        """By steps lost: as what a unit counts for stacking (points, silhouettes or guns), and how much [8.1, 8.2]."""
        if self.artillery[u]:
            return tuple((GUNS, 1) for _ in self.stack[u])
        if self.profile[u]:
            return tuple((SILHOUETTES, 1 if self.steps[u] == 1 else self.steps[u] - lost) for lost in (0, 1))
        return tuple((POINTS, points) for points in self.stack[u])

    def _sort_by_side(self) -> None:
        side = self.side
        self.of_side = tuple(tuple(u for u in self.all if side[u] == each) for each in (ALLIED, GERMAN))
        self.side_mask = tuple(units_of(units) for units in self.of_side)
        self.guns = tuple(tuple(u for u in units if self.artillery[u]) for units in self.of_side)
        self.at_start = tuple(u for u in self.of_side[GERMAN] if self.start[u] >= 0)
        self.formation_units = {
            name: tuple(u for u in self.all if self.formation[u] == name) for name in dict.fromkeys(self.formation)
        }
        self.regiment_mask = {
            name: units_of(u for u in self.all if self.regiment[u] == name) for name in dict.fromkeys(self.regiment)
        }
        self.divisions = tuple(  # 6.1
            dict.fromkeys(self.formation[u] for u in self.of_side[GERMAN] if self.formation[u] != self.ids[u])
        )

    def _sort_by_kind(self) -> None:
        self.artillery_mask = units_of(u for u in self.all if self.artillery[u])
        self.profile_mask = units_of(u for u in self.all if self.profile[u])
        self.parts_mask = units_of(u for u in self.all if self.split[u] or self.remnant[u])
        self.mobility_mask = tuple(
            units_of(u for u in self.all if self.mobility[u] == kind) for kind in (FOOT, MOTOR, VEHICLE)
        )
        self.towed = units_of(  # by tractors [22.3]
            u for u in self.all if self.type[u] == "artillery" and self.side[u] == GERMAN
        )
        self.marked = {mark: units_of(u for u in self.all if mark in self.marks[u]) for mark in ("red", "rrd")}
        self.peiper = units_of(u for u in self.all if "peiper" in self.marks[u])
        self.one_step = units_of(u for u in self.all if self.steps[u] == 1)

    def _match_parts(self) -> None:
        """Which remnants and split counters a unit may become, ascending [16.4, 26.1]."""
        counters = [bits(self.parts_mask & side) for side in self.side_mask]
        self.remnants = tuple(u for u in self.all if self.remnant[u])
        self.remnants_of = tuple(tuple(x for x in counters[self.side[u]] if self._fits_remnant(x, u)) for u in self.all)
        self.parts_of = tuple(tuple(x for x in counters[self.side[u]] if self._fits(x, u)) for u in self.all)
        self.part_users = self._users(self.parts_of)
        self.remnant_users = self._users([self.remnants_of[u] if self.large[u] else () for u in self.all])

    def _fits_remnant(self, x: UnitId, u: UnitId) -> bool:
        return self.remnant[x] and self.type[x] == self.type[u] and self.british[x] == self.british[u]

    def _fits(self, x: UnitId, u: UnitId) -> bool:
        """Whether a split counter can be a part of a unit [26.1]."""
        if not self.split[x] or self.british[x] != self.british[u]:
            return False
        if self.mixed[x]:
            return self.nation[u] == "us" and self.type[u] in ("cc", "tank")
        return self.type[x] == self.type[u]

    def _users(self, counters_of: Sequence[Group]) -> dict[int, UnitSet]:
        """By counters that are as good as each other, as bits: the units that can use one of them."""
        found: dict[int, UnitSet] = {}
        for u in self.all:
            counters = mask_of(counters_of[u])
            found[counters] = found.get(counters, NO_UNITS) | 1 << u
        return found


def _values(text: str) -> Values:
    attack, defence, movement = text.replace("(", "").replace(")", "").split("-")
    return int(attack), int(defence), int(movement)


def _points(row: Row) -> tuple[int, ...]:
    full, _, reduced = row["stack"].partition("/")
    return int(full), int(reduced or full)


def is_mechanized(units: Units, u: UnitId) -> bool:
    """Mechanized infantry and vehicles [2.4]."""
    return units.mobility[u] != FOOT


# ---- tables ------------------------------------------------------------------------------------

SCENARIOS = ("campaign", "six-turns", "eight-turns", "patton", "extended", "patton-extended")
COMBAT_RESULTS = ("A1", "A1/ENG", "ENG", "EX", "FF", "FF+1", "DR2", "DR3", "DR4", "DS")  # 16.1
ROLL_RESULTS = (
    "0", "1", "2", "3", "17", "19", "TOT", "D1", "DR2", "A1/D1", "A1/DR2", "A1/ENG", "ENG+", "yes", "yes-d", "no",
    "no-d", "none", "blown", "full", "reduced", "lost", "success", "exposed", "arrives", "delayed", "never",
)  # fmt: skip
STANDS: dict[str, Columns] = {  # by table: what its rows may say [16.7.2, 23.7]
    "determined": {
        "table": one_of("determined"),
        "result": one_of("yes-ex", "yes", "delay", "no", "no-loss"),
    },  # 16.7.2
    "surrender": {"table": one_of("surrender"), "result": one_of("-1", "0", "1", "2")},
}
COST = maybe(like("1.5", r"\d+(\.5)?"))  # movement points [3.4]
TABLES: dict[str, tuple[str, Columns | RowColumns]] = {  # by file: its key and what its columns may hold
    "combat": ("column", {"*": one_of(*COMBAT_RESULTS)}),
    "rolls": ("table", {"*": one_of(*ROLL_RESULTS)}),
    "stands": ("roll", lambda row: STANDS["determined" if row["roll"].startswith("d") else "surrender"]),
    "fuel": ("roll", {"*": like("all:2SS 9SS", r"none|(west|one|all|any):\w+( \w+)*")}),
    "turns": ("turn", {"allied": whole, "german": whole}),
    "terrain": ("terrain", {"*": COST, "dcb": maybe(whole), "armor": maybe(one_of("yes", "no"))}),
}
FACES = [str(die) for die in range(1, 7)]


class Tables(Part):
    """The combat table, the other tables, and what the scenarios say."""

    def __init__(self, rows: Mapping[str, Sequence[Row]], scenarios: Mapping[str, Any], patton: Mapping[int, Row]):
        self.columns = tuple(row["column"] for row in rows["combat"])
        self.combat = tuple(tuple(row[die] for die in FACES) for row in rows["combat"])
        self.rolls = {row["table"]: tuple(row[die] for die in FACES) for row in rows["rolls"]}
        self.determined = tuple(row["result"] for row in rows["stands"] if row["table"] == "determined")
        self.surrender = tuple(int(row["result"]) for row in rows["stands"] if row["table"] == "surrender")
        self.shortages = tuple(tuple(row[name] for row in rows["fuel"]) for name in ("first", "second"))
        self.replacements = tuple((int(row["allied"]), int(row["german"])) for row in rows["turns"])  # by turn
        self.scenarios = scenarios
        self.patton = patton  # by unit: where it stands, and how


def roll(tables: Tables, table: str, die: int) -> str:
    """The result of a die on a table, no further than its ends."""
    return tables.rolls[table][max(1, min(6, die)) - 1]


# ---- all of it ------------------------------------------------------------------------------------


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
            rows = {
                name: files.rows(f"tables/{name}.csv", key, columns, complete=True)
                for name, (key, columns) in TABLES.items()
            }
            unit_rows = files.rows("units.csv", "unit", unit_columns(board))
            ids = [row["unit"] for row in unit_rows]
            columns: Columns = {"unit": one_of(*ids), "hex": place_in(board.index), "lost": maybe(whole)}
            patton = files.rows("scenarios/patton.csv", "unit", columns)
            turn = between(1, len(rows["turns"]))
            scenarios = {
                name: files.values(f"scenarios/{name}.toml", {"turns": turn, "first": turn}) for name in SCENARIOS
            }
            weights = files.weights(SEATS)
            digest = data_hash([board.data_hash], unit_rows, *rows.values(), patton, sorted(scenarios.items()))
            ground = Ground(board, rows["terrain"])
            units = Units(unit_rows, ground)
            tables = Tables(rows, scenarios, {units.index[row["unit"]]: row for row in patton})
            return cls(ground, units, tables, weights, digest)
