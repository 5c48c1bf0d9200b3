"""The Deadly Woods: the map, the pieces and the tables as their data have them [1.1, 1.2, 2.1 to 2.7]."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from salient.common.columns import Columns, between, flag, like, maybe, one_of, place_in, whole
from salient.common.data import Part, Reader, RowColumns, data_folder, data_hash
from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.weights import Weights
from salient.hexes.board import Board
from salient.hexes.bridges import Pair, bridges_of
from salient.hexes.flood import compile_masks, spread
from salient.hexes.masks import mask_of, units_of
from salient.hexes.rows import DataError, Fault, Named, Problem
from salient.hexes.sets import UnitId

GAME_ID = "deadly-woods"
ARMIES = ("6", "5", "7")
KINDS = ("infantry", "mechanized", "cavalry", "armor")
INFANTRY, MECHANIZED, _, ARMOR = range(len(KINDS))
CHITS = (
    "german-mc", "5pz", "6pz", "all-german", "one-army", "formations", "german-reinforcements", "supply",
    "allied-mc", "allied-reinforcements", "patton-monty", "reaction",
)  # fmt: skip
GUNS = ("artillery", "nebelwerfer")
UNKNOWN_ARMY = "panzer-army"  # 5th or 6th Panzer Army, as the German chooses in secret [17]
LAST_TRACK_TURN = 14
FARTHEST_CIRCLE = 5
MOBILITIES = ("infantry", "motorized")
WAYS = ("road", "bridge", "blown")
MOST_COST = 99  # movement points

Row = Mapping[str, str]

# ---- 2.2.1, 2.2.2 Map ------------------------------------------------------------------------


class Costs(Part):
    """What steps cost in half movement points, by terrain, by river and over bridges [10.2, 10.4, 10.6]."""

    def __init__(self, legend: Mapping[str, Any]) -> None:
        rules = legend["movement"]
        terrain, rivers = legend["terrain"].items(), legend["hexside"].items()
        self.foot = {name: _halves(entry["infantry"]) for name, entry in terrain}
        self.motor = {name: _halves(entry["motorized"]) for name, entry in terrain if "motorized" in entry}
        self.river = {name: _halves(entry["infantry"]) for name, entry in rivers if entry["infantry"] != "all"}
        self.road, self.bridge, self.blown = (
            {mobility: _halves(rules[name][mobility]) for mobility in MOBILITIES} for name in WAYS
        )
        self.least_on_foot = min(*self.foot.values(), self.road["infantry"])
        self.least_by_motor = min(self.motor.values())  # at full cost


def _halves(points: float) -> int:
    return int(points * 2)


def cost_faults(legend: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Fault]]:
    """What the legend of the map says wrongly of movement, by its path in the file."""
    rules = legend["movement"]
    if not isinstance(rules, dict) or not all(isinstance(rules.get(name), dict) for name in WAYS):
        yield ("movement",), Fault("fault-section", text="movement")
        return
    stated = [(("movement", name, kind), rules[name].get(kind)) for name in WAYS for kind in MOBILITIES]
    for section in ("terrain", "hexside"):
        stated += [((section, name, "infantry"), entry.get("infantry")) for name, entry in legend[section].items()]
    stated += [(("terrain", name, "motorized"), entry.get("motorized", 0)) for name, entry in legend["terrain"].items()]
    for path, points in stated:
        number = isinstance(points, (int, float)) and not isinstance(points, bool) and 0 <= points <= MOST_COST
        if not number and not (path[0] == "hexside" and points == "all"):
            yield path, Fault("fault-cost", text=".".join(path))


class Ground(Part):
    """The map, compiled, and where a piece can be: hexes by number, then boxes, then the turns of the track."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.hexes = len(board)
        self.all_hexes = (1 << self.hexes) - 1
        self.column = tuple(int(label[:2]) for label in board.labels)
        self.costs = Costs(board.legend)
        turns = (f"turn-{turn}" for turn in range(1, LAST_TRACK_TURN + 1))
        self.places = (*board.labels, "track", "eliminated", "gone", "box", "used", *turns)
        self.track, self.eliminated, self.gone, self.box, self.used = range(self.hexes, self.hexes + 5)
        self._compile_terrain()
        self._compile_places()
        self._compile_zones()
        self._compile_neighbours()
        self._compile_rivers()

    def track_turn(self, turn: int) -> int:
        """The place of an asset that comes back on a turn."""
        return self.used + turn

    def army_of(self, h: int) -> str:
        """The German army in whose zone a hex lies [9.1]."""
        return next(army for army in ARMIES if self.army_zone[army] >> h & 1)

    def _compile_terrain(self) -> None:
        board = self.board
        self.clear, self.woods, self.forest, self.rough = (
            board.of_terrain(name) for name in ("clear", "woods", "forest", "rough")
        )
        self.town, self.village, self.westwall = (board.with_feature(name) for name in ("town", "village", "westwall"))
        self.settled = self.town | self.village

    def _compile_places(self) -> None:
        board = self.board
        hexes = Named("places.csv", {place.name: place.hexes[0] for place in board.places})
        self.st_vith, self.bastogne, self.luxembourg, self.eupen = hexes.of(
            "St. Vith", "Bastogne", "Luxembourg", "Eupen"
        )
        self.fuel = next(iter(board.zones["peiper-fuel"]))
        self.ouren = frozenset(board.index[label] for label in ("3215", "3315"))
        self.area_hexes = {name: tuple(sorted(area.hexes)) for name, area in sorted(board.areas.items())}
        self.entries = tuple(  # by side
            mask_of(h for area in board.areas.values() if area.kind == kind for h in area.hexes)
            for kind in ("allied-entry", "german-entry")
        )

    def _compile_zones(self) -> None:
        zones = self.board.zones
        self.victory = mask_of(zones["victory"])
        self.controlled = self.settled | self.victory  # who holds them matters [3.5]
        names = ("army-6-panzer", "army-5-panzer", "army-7")
        self.army_zone = dict(zip(ARMIES, (mask_of(zones[name]) for name in names), strict=True))
        outside = self.all_hexes & ~(self.army_zone[ARMIES[0]] | self.army_zone[ARMIES[1]] | self.army_zone[ARMIES[2]])
        if outside:
            label, armies = self.board.labels_of(outside)[0], ", ".join(names)
            raise DataError([Problem("zones.csv", 0, Fault("fault-no-zone", text=label, text_known=armies))])
        self.british_zone = mask_of(zones["british"])
        self.west_of_meuse = mask_of(zones["west-of-meuse"])
        self.german_start = mask_of(zones["german-start"])

    def _compile_neighbours(self) -> None:
        board = self.board
        self.touching = tuple(mask_of(board.adjacent[h]) for h in range(self.hexes))
        self.neighbours = compile_masks(board, lambda a, b: True)
        self.within = tuple(self._circles(h) for h in range(self.hexes))  # by hex and distance
        self.road_hexes = mask_of(h for h in range(self.hexes) if any(board.roads[h]))
        self.by_road = compile_masks(board, lambda a, b: board.road(a, b) is not None)

    def _circles(self, h: int) -> tuple[int, ...]:
        """The hexes within each distance of a hex, as bits."""
        circles = [1 << h]
        for _ in range(FARTHEST_CIRCLE):
            circles.append(circles[-1] | spread(circles[-1], self.neighbours))
        return tuple(circles)

    def _compile_rivers(self) -> None:
        board = self.board
        bridges = bridges_of(board, self._hexsides(True))
        self.bridges, self.bridge_names, self.bridge = bridges.pairs, bridges.names, bridges.numbers
        self.banks = tuple(mask_of(pair) for pair in self.bridges)  # by bridge
        self.bridges_at = tuple(  # by hex
            mask_of(i for i, banks in enumerate(self.bridges) if h in banks) for h in range(self.hexes)
        )
        self.blown_at_start = bridges.shown_as("blown")
        self.unbridged = frozenset(pair for a, b in self._hexsides(False) for pair in ((a, b), (b, a)))
        self.dry_or_bridged = compile_masks(board, lambda a, b: (a, b) not in self.unbridged)
        self.river_touching = tuple(
            mask_of(b for b in board.adjacent[a] if board.side(a, b)) for a in range(self.hexes)
        )
        self.meuse = frozenset(  # both ways
            (a, b)
            for a in range(self.hexes)
            for b in board.adjacent[a]
            if (side := board.side(a, b)) and side.name == "Meuse"
        )
        self.meuse_banks = mask_of(a for a, _ in self.meuse)
        # Where more than control may change when Germans come [8.5, 9.2.1, 10.6.4].
        self.eventful = self.meuse_banks | mask_of((self.st_vith, self.fuel))

    def _hexsides(self, with_bridge: bool) -> list[Pair]:
        """The hexsides of rivers with a bridge, blown or not, or without."""
        return [
            (a, b)
            for a in range(self.hexes)
            for b in self.board.adjacent[a]
            if a < b and (side := self.board.side(a, b)) and bool(side.bridge) == with_bridge
        ]


# ---- 2.3.1 Combat units ---------------------------------------------------------------------

Values = tuple[int, int, int, bool]  # attack, defence, movement, zone of control
STRENGTHS = ("full", "reduced", "last")
_VALUES = like("4-5-3", r"\d+-\d+-\d+|\(\d+-\d+-\d+\)")


def unit_columns(board: Board) -> Columns:
    """What the columns of units.csv may hold."""
    return {
        "side": one_of(*SEATS), "airborne": flag, "kind": one_of(*KINDS), "full": _VALUES, "reduced": maybe(_VALUES),
        "last": maybe(_VALUES), "start": maybe(place_in(board.index)), "turn": whole, "box": whole,
    }  # fmt: skip


class Units(Part):
    """The combat units: values by unit, and sets of units."""

    def __init__(self, rows: Sequence[Row], ground: Ground) -> None:
        self.ids = tuple(row["unit"] for row in rows)
        self.count = len(rows)
        self.all = tuple(UnitId(u) for u in range(self.count))
        self.index = Named("units.csv", dict(zip(self.ids, self.all, strict=True)))
        self.names = tuple(row["name"] for row in rows)
        self.symbol = tuple(row["symbol"] for row in rows)
        self.size = tuple(row["size"] for row in rows)
        self.source = tuple(row["source"] for row in rows)
        self.side = tuple(SEATS.index(row["side"]) for row in rows)
        self.nation = tuple(row["nation"] for row in rows)
        self.division = tuple(row["division"] for row in rows)
        self.formation = tuple(row["division"] or row["unit"] for row in rows)
        self.corps = tuple(row["corps"] for row in rows)
        self.airborne = tuple(row["airborne"] == "1" for row in rows)
        self.us_airborne = tuple(row["airborne"] == "1" and row["nation"] == "us" for row in rows)
        index = ground.board.index
        self.start = tuple(index[row["start"]] if row["start"] else -1 for row in rows)
        self.arrival = tuple((int(row["turn"]), int(row["box"])) for row in rows)
        self.entry = tuple(tuple(row["entry"].split()) for row in rows)
        self._read_steps(rows)
        self._name_units()
        self._gather()

    def _read_steps(self, rows: Sequence[Row]) -> None:
        """What depends on the steps that a unit has lost: by unit and steps lost."""
        self.printed = tuple(tuple(row[name] for name in STRENGTHS if row[name]) for row in rows)
        self.values = tuple(tuple(_values(text) for text in printed) for printed in self.printed)
        self.kind = tuple(_kinds(KINDS.index(row["kind"])) for row in rows)
        self.steps = tuple(len(values) for values in self.values)

    def _name_units(self) -> None:
        self.peiper, self.brigade_150, self.fj_14, self.von_der_heydte, self.delay = self.index.of(
            "1SS/Peiper", "150Bde", "5FJ/14", "VdH", "Delay"
        )

    def _gather(self) -> None:
        self.of_side = tuple(tuple(u for u in self.all if self.side[u] == side) for side in (ALLIED, GERMAN))
        self.side_mask = tuple(units_of(units) for units in self.of_side)
        self.slow = units_of(u for u in self.all if any(values[2] == 0 for values in self.values[u]))
        self.of_division = {
            division: tuple(u for u in self.all if self.division[u] == division)
            for division in sorted(set(self.division) - {""})
        }
        self.of_corps = {
            corps: tuple(u for u in self.of_side[ALLIED] if self.corps[u] == corps)
            for corps in sorted(set(self.corps) - {""})
        }
        germans = self.of_side[GERMAN]
        self.formations = tuple(dict.fromkeys(self.formation[u] for u in germans))  # of the Germans
        self.of_formation = {
            name: units_of(u for u in germans if self.formation[u] == name) for name in self.formations
        }
        self.formation_kind = {
            name: next(self.kind[u][0] for u in germans if self.formation[u] == name) for name in self.formations
        }


def _values(text: str) -> Values:
    attack, defence, movement = (int(x) for x in text.strip("()").split("-"))
    return attack, defence, movement, not text.startswith("(")


def _kinds(kind: int) -> tuple[int, ...]:
    """The kind by steps lost: the last step of an armoured battle group is mechanized [2.3.1.1, 8.3]."""
    return (kind, kind, MECHANIZED if kind == ARMOR else kind)


# ---- 2.4 Assets ------------------------------------------------------------------------------


def asset_columns(board: Board) -> RowColumns:
    """What the columns of a row of assets.csv may hold: guns of the Germans belong to an army."""
    place = maybe(place_in({*board.index, "box"}))
    columns: Columns = {"side": one_of(*SEATS), "strength": whole, "turn": whole, "place": place}
    german_gun: Columns = {**columns, "force": one_of(*ARMIES)}
    return lambda row: german_gun if row["side"] == SEATS[GERMAN] and row["kind"] in GUNS else columns


class Assets(Part):
    """The assets: values by asset, and assets of a kind."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.ids = tuple(row["asset"] for row in rows)
        self.count = len(rows)
        self.index = Named("assets.csv", {asset: a for a, asset in enumerate(self.ids)})
        self.names = tuple(row["name"] for row in rows)
        self.side = tuple(SEATS.index(row["side"]) for row in rows)
        self.kind = tuple(row["kind"] for row in rows)
        self.force = tuple(row["force"] for row in rows)  # army or corps
        self.strength = tuple(int(row["strength"]) for row in rows)
        self.turn = tuple(int(row["turn"]) for row in rows)
        self.start = tuple(row["place"] for row in rows)
        self.greif, self.motor, self.bonus, self.alarm, self.traffic, self.air = self.index.of(
            "Greif", "Motor", "Bonus", "VdH-Alarm", "Traffic", "Air"
        )
        self.engineers = tuple(a for a in range(self.count) if self.kind[a] == "engineer")
        guns = [a for a in range(self.count) if self.kind[a] in GUNS]
        self.guns = tuple(tuple(a for a in guns if self.side[a] == side) for side in (ALLIED, GERMAN))


# ---- 2.5 Chits, 2.7 combat table, 13 replacements, 17 the chits of each turn -----------------------

CHIT_COLUMNS: Columns = {"turn": whole, "chit": one_of(*CHITS, UNKNOWN_ARMY), "count": whole}
TURN_COLUMNS: Columns = {f"{seat}_{kind}": whole for seat in SEATS for kind in ("infantry", "armor")}
COMBAT_COLUMNS: Columns = {"*": one_of("AL1", "BL1", "DR", "DR*", "NE")}


class Tables(Part):
    """The combat table, what each turn brings, and what the scenarios say."""

    def __init__(
        self, combat: Sequence[Row], chits: Sequence[Row], turns: Sequence[Row], scenarios: Mapping[str, Any]
    ) -> None:
        self.columns = tuple(name for name in combat[0] if "-" in name)
        self.ratios = tuple((int(a), int(b)) for a, b in (name.split("-") for name in self.columns))
        self.combat = tuple(tuple(row[name] for row in combat) for name in self.columns)  # combat[column][die - 1]
        self.chits = tuple((int(row["turn"]), row["where"], row["chit"], int(row["count"])) for row in chits)
        self.replacements = tuple(  # by turn - 1 and side: infantry, armor
            tuple((int(row[f"{seat}_infantry"]), int(row[f"{seat}_armor"])) for seat in SEATS) for row in turns
        )
        self.scenarios = scenarios

    def chits_of(self, turn: int, where: str) -> list[tuple[str, int]]:
        """The chits that a turn puts into the cup or the hand, as the table lists them [17]."""
        return [(chit, count) for when, place, chit, count in self.chits if (when, place) == (turn, where)]


# ---- all together -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Data:
    """All that the game is made of."""

    ground: Ground
    units: Units
    assets: Assets
    tables: Tables
    weights: Weights
    data_hash: str = ""

    @classmethod
    def read(cls, own: Path | None = None) -> Data:
        """Our rows, with a player's own laid over them; DataError names everything that is wrong."""
        with Reader(data_folder(__package__), own) as files:
            board = files.board()
            files.told("terrain.toml", cost_faults(board.legend))
            units = files.rows("units.csv", "unit", unit_columns(board))
            assets = files.rows("assets.csv", "asset", asset_columns(board))
            chits = files.rows("tables/chits.csv", "slot", CHIT_COLUMNS)
            turns = files.rows("tables/turns.csv", "turn", TURN_COLUMNS, complete=True)
            combat = files.rows("tables/combat.csv", "die", COMBAT_COLUMNS, complete=True)
            scenarios = {
                name: files.values(f"scenarios/{name}.toml", {"turns": between(1, len(turns))})
                for name in ("campaign", "attack")
            }
            weights = files.weights(SEATS)
            digest = data_hash([board.data_hash], units, assets, chits, turns, combat, sorted(scenarios.items()))
            ground, tables = Ground(board), Tables(combat, chits, turns, scenarios)
            return cls(ground, Units(units, ground), Assets(assets), tables, weights, digest)
