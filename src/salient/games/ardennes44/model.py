"""Ardennes '44: the pieces, the compiled map and the state [1.1, 1.2, 2.1 to 3.3]."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from salient.common.columns import Columns, like, maybe, one_of, place_in, whole
from salient.common.data import data_folder, data_hash, own_folder, read_rows
from salient.common.fields import BridgeSet, bridge_set, clear_marks, hex_set, unit_set
from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.stacks import StackState, away, hex_sets, present, put, refresh_unit
from salient.hexes.bridges import Pair, bridges_of
from salient.hexes.flood import OpenMasks, compile_masks, spread
from salient.hexes.load import load_board
from salient.hexes.masks import bits, hexes_of, mask_of, units_of
from salient.hexes.sets import NO_UNITS, HexSet, UnitSet
from salient.kernel import AnyFrame
from salient.kernel.state import cache, column, number, sequence, tally, value, word

if TYPE_CHECKING:
    from salient.games.ardennes44.supply import Network
    from salient.games.ardennes44.survey import Survey
    from salient.games.ardennes44.zones import Known

GAME_ID = "ardennes44"

# ---- 3 The map ------------------------------------------------------------------------

_DATA = data_folder(__package__)
_OWN = own_folder(GAME_ID)
BOARD = load_board(_DATA, _OWN)
HEXES = len(BOARD)
ALL_HEXES = (1 << HEXES) - 1
BIT = tuple(1 << h for h in range(HEXES))
COLUMN = tuple(int(label[:2]) for label in BOARD.labels)
ROW = tuple(int(label[2:]) for label in BOARD.labels)
LAST_COLUMN, LAST_ROW = max(COLUMN), max(ROW)
WEST_SHEET = 41  # the first column of the West map [3.1]


FOREST, ROUGH = BOARD.of_terrain("forest"), BOARD.of_terrain("rough-woods")
VILLAGE, TOWN, CITY, WESTWALL = (BOARD.with_feature(name) for name in ("village", "town", "city", "westwall"))
SETTLED = VILLAGE | TOWN | CITY
ZONE = {name: mask_of(hexes) for name, hexes in BOARD.zones.items()}
WEST_MAP = mask_of(h for h in range(HEXES) if COLUMN[h] >= WEST_SHEET)
WEST_OF_MEUSE, WEST_OF_OURTHE = ZONE["west-of-meuse"], ZONE["west-of-ourthe"]
BRITISH_GROUND = WEST_MAP & WEST_OF_MEUSE  # 27.3.1
VICTORY, LIEGE, MEUSE_TOWNS = ZONE["victory"], ZONE["victory-liege"], ZONE["victory-meuse"]
AREAS = {name.removeprefix("setup-"): mask for name, mask in ZONE.items() if name.startswith("setup-")}
ALL_AREAS = sum(AREAS.values())
REAR = ZONE["rear-area"]
ARMY_ZONE = {"6Pz": ZONE["army-6pz"], "5Pz": ZONE["army-5pz"], "7A": ZONE["army-7"]}
BOTTLENECK = ZONE["st-vith-bottleneck"]
DEPOT_HEXES = tuple(sorted(BOARD.zones["fuel-depot"]))
PLACE_HEX = {place.name: place.hexes[0] for place in BOARD.places}
ST_VITH = PLACE_HEX["St. Vith"]
BASTOGNE = mask_of(next(place.hexes for place in BOARD.places if place.name == "Bastogne"))
ROADS = frozenset(  # from hex to hex
    (a, b) for a in range(HEXES) for b, road in zip(BOARD.neighbours[a], BOARD.roads[a], strict=True) if road
)
ROAD_HEXES = hexes_of(h for h in range(HEXES) if any(BOARD.roads[h]))
TOUCHING = tuple(mask_of(BOARD.adjacent[h]) for h in range(HEXES))
NEIGHBOURS = compile_masks(BOARD, lambda a, b: True)


def around(hexes: int, radius: int) -> int:
    """Some hexes and those within a distance of them, as bits."""
    for _ in range(radius):
        hexes |= spread(hexes, NEIGHBOURS)
    return hexes


@lru_cache(maxsize=1 << 14)
def within(h: int, radius: int) -> int:
    """The hexes within a distance of a hex, as bits."""
    return around(1 << h, radius)


# ---- 3.2 Entry hexes, boxes, blocking positions ----------------------------------------------

ENTRY_LETTER = (BOARD.zone_values["allied-entry"], BOARD.zone_values["german-entry"])
ENTRIES = (ZONE["allied-entry"], ZONE["german-entry"])
ENTRY_HEXES = tuple(
    {letter: tuple(sorted(h for h, x in letters.items() if x == letter)) for letter in sorted(set(letters.values()))}
    for letters in ENTRY_LETTER
)
EXITS = mask_of(h for h, letter in ENTRY_LETTER[ALLIED].items() if letter in "FG")  # 11.9.3
_AREA_ROWS = BOARD.rows["areas.csv"]
BOXES = ("southeast", "southwest", "west", "northwest", "northeast")
BOX_ENTRIES = {
    row["area"]: tuple(BOARD.index[label] for label in row["roads"].split())
    for row in _AREA_ROWS
    if row["area"] in BOXES
}
BOX_EDGE = {box: mask_of(BOARD.areas[box].hexes) for box in BOXES}
BOX_NEXT = {box: tuple(x for x in BOARD.areas[box].areas if x in BOXES) for box in BOXES}
BLOCKS = tuple(sorted(name for name, area in BOARD.areas.items() if area.kind == "blocking-position"))
BLOCK_HEX = {name: BOARD.areas[name].hexes[0] for name in BLOCKS}
BLOCK_BOX = {name: BOARD.areas[name].areas[0] for name in BLOCKS}
EAST_WEST_EDGE = mask_of(h for h in range(HEXES) if COLUMN[h] == WEST_SHEET - 1)
WESTERN_ROADS = mask_of(  # whose road goes on to the West map [S2.3]
    h for h in bits(EAST_WEST_EDGE) if any((h, b) in ROADS for b in BOARD.adjacent[h] if COLUMN[b] == WEST_SHEET)
)

# ---- 11.4 Rivers and bridges ------------------------------------------------------------

RIVER_KINDS = frozenset({"river", "meuse"})


_HEXSIDES = {
    (a, b): side for a in range(HEXES) for b, side in zip(BOARD.neighbours[a], BOARD.sides[a], strict=True) if side
}


def _pairs(kinds: frozenset[str]) -> frozenset[Pair]:
    return frozenset(pair for pair, side in _HEXSIDES.items() if side.kind in kinds)


RIVER = _pairs(RIVER_KINDS)
MEUSE = _pairs(frozenset({"meuse"}))  # no retreat leads across it [11.4.2]
LAKE = _pairs(frozenset({"lake"}))


_BRIDGES = bridges_of(BOARD, sorted((a, b) for a, b in RIVER if a < b and _HEXSIDES[a, b].bridge))
BRIDGES, BRIDGE_NAMES, BRIDGE = _BRIDGES.pairs, _BRIDGES.names, _BRIDGES.numbers
BLOWN_AT_START, UNBUILT_AT_START = _BRIDGES.shown_as("blown"), _BRIDGES.shown_as("unbuilt")
OUREN = BRIDGE[BOARD.index["2020"], BOARD.index["2119"]]
BRIDGE_IDS = {name: i for i, name in enumerate(BRIDGE_NAMES)}

Shut = tuple[tuple[int, int], ...]  # hexsides: (how much higher the other hex is, the lower hexes as bits)


def shut_of(pairs: Iterable[Pair]) -> Shut:
    """Hexsides as pairs, in one direction or both."""
    shut: dict[int, int] = {}
    for x, y in pairs:
        low, shift = min(x, y), abs(x - y)
        shut[shift] = shut.get(shift, 0) | BIT[low]
    return tuple(shut.items())


def without(masks: OpenMasks, shut: Shut) -> OpenMasks:
    """Open hexsides without some of them, which are closed in both directions."""
    low = dict(shut)
    return OpenMasks(
        tuple((shift, mask & ~low.get(shift, 0)) for shift, mask in masks.up),
        tuple((shift, mask & ~(low.get(shift, 0) << shift)) for shift, mask in masks.down),
    )


ROAD_SIDES = shut_of(ROADS)
_BY_ROAD = OpenMasks(  # in the order of compile_masks
    tuple(sorted(ROAD_SIDES)), tuple((shift, low << shift) for shift, low in sorted(ROAD_SIDES, reverse=True))
)


@lru_cache(maxsize=1 << 10)
def road_ways(blown: int) -> OpenMasks:
    """The hexsides that a road crosses, not over a blown bridge [23.3]."""
    return without(_BY_ROAD, shut_of(BRIDGES[i] for i in bits(blown)))


# ---- 2.1 to 2.9, 2.11 Combat units ---------------------------------------------------------------------

GREEN, VETERAN, ELITE = 1, 0, -1  # as die modifiers [2.8, 16.2, 16.7, 18.6, 20.2]
_MORALE = {"green": GREEN, "veteran": VETERAN, "elite": ELITE}
_VALUES = like("4-5-3", r"\d+-\(?\d+\)?-\d+")
_UNIT_COLUMNS: Columns = {
    "side": one_of(*SEATS), "nation": one_of("us", "british", "german", "ss"), "stack": like("2/1", r"\d(/\d)?"),
    "type": one_of("infantry", "parachute", "engineer", "pzgren", "tank", "gun", "heavy", "flak", "recon", "cc",
                   "artillery", "werfer"),
    "morale": one_of(*_MORALE), "tq": maybe(like("r4", r"[rf]?\d")), "full": _VALUES, "reduced": maybe(_VALUES),
    "range": maybe(whole), "start": maybe(place_in(BOARD.index)), "turn": whole,
}  # fmt: skip
_UNIT_ROWS = read_rows(_DATA, "units.csv", "unit", _OWN, _UNIT_COLUMNS)
UNITS = tuple(row["unit"] for row in _UNIT_ROWS)
COUNT = len(UNITS)
UNIT = {name: u for u, name in enumerate(UNITS)}
NAMES = tuple(row["name"] for row in _UNIT_ROWS)
SIDE = tuple(SEATS.index(row["side"]) for row in _UNIT_ROWS)
NATION = tuple(row["nation"] for row in _UNIT_ROWS)
BRITISH = tuple(row["nation"] == "british" for row in _UNIT_ROWS)
SYMBOL = tuple(row["symbol"] for row in _UNIT_ROWS)
SIZE = tuple(row["size"] for row in _UNIT_ROWS)
SOURCE = tuple(row["source"] for row in _UNIT_ROWS)
FORMATION = tuple(row["formation"] or row["unit"] for row in _UNIT_ROWS)  # an independent unit is its own [2.5, 14.3.1]
REGIMENT = tuple(row["regiment"] or row["unit"] for row in _UNIT_ROWS)
REGIMENT_MASK = {name: units_of(u for u in range(COUNT) if REGIMENT[u] == name) for name in set(REGIMENT)}
COLOUR = tuple(row["colour"] for row in _UNIT_ROWS)  # 2.11
CORPS = tuple(row["corps"] for row in _UNIT_ROWS)
TYPE = tuple(row["type"] for row in _UNIT_ROWS)
MARKS = tuple(frozenset(row["marks"].split()) for row in _UNIT_ROWS)
START = tuple(BOARD.index[row["start"]] if row["start"] else -1 for row in _UNIT_ROWS)
ARRIVAL = tuple(int(row["turn"]) for row in _UNIT_ROWS)
ENTRY = tuple(row["entry"] for row in _UNIT_ROWS)
RANGE = tuple(int(row["range"] or 0) for row in _UNIT_ROWS)
AREA = tuple(next((m[1:] for m in marks if m[0] == "a" and m[1:] in AREAS), "") for marks in MARKS)
MORALE = tuple(_MORALE[row["morale"]] for row in _UNIT_ROWS)

FOOT, MOTOR, VEHICLE = range(3)
_MOBILITY = {"infantry": FOOT, "parachute": FOOT, "engineer": FOOT, "pzgren": MOTOR}
MOBILITY = tuple(_MOBILITY.get(kind, VEHICLE) for kind in TYPE)
ARTILLERY = tuple(kind in ("artillery", "werfer") for kind in TYPE)
PROFILE = tuple(kind in ("tank", "gun", "heavy", "flak") for kind in TYPE)  # with a silhouette [2.4]
RECON = tuple(kind == "recon" for kind in TYPE)
ENGINEER = tuple(kind == "engineer" for kind in TYPE)
MIXED = tuple(kind == "cc" for kind in TYPE)  # infantry and armour in one [21.1]
_TQ = tuple(row["tq"] for row in _UNIT_ROWS)
TQ = tuple(int(tq.lstrip("rf") or 0) for tq in _TQ)
ARMOR = tuple(bool(tq) and not tq.startswith("f") for tq in _TQ)  # 2.9, 21.2
GREY_TQ = tuple(tq.isdigit() for tq in _TQ)
ATTACK_TQ = tuple(TQ[u] - _TQ[u].startswith("r") for u in range(COUNT))

Values = tuple[int, int, int]  # attack, defence, movement [2.2]


def _values(text: str) -> Values:
    attack, defence, movement = text.replace("(", "").replace(")", "").split("-")
    return int(attack), int(defence), int(movement)


PRINTED = tuple(tuple(row[name] for name in ("full", "reduced") if row[name]) for row in _UNIT_ROWS)
VALUES = tuple(tuple(_values(text) for text in texts) for texts in PRINTED)  # by unit and side of the counter
VDH, BRIGADE_150, JAGDTIGER = UNIT["VdH"], UNIT["150Pz"], UNIT["653PzJ"]
STEPS = tuple(1 if ARTILLERY[u] or u == VDH else len(VALUES[u]) for u in range(COUNT))


def _points(row: dict[str, str]) -> tuple[int, ...]:
    full, _, reduced = row["stack"].partition("/")
    return int(full), int(reduced or full)


STACK = tuple(_points(row) for row in _UNIT_ROWS)  # stacking points by steps lost [8.2]
LARGE = tuple(len(VALUES[u]) > 1 and STACK[u][1] == 2 for u in range(COUNT))  # leaves a remnant [16.4]
SPLIT = tuple("split" in marks for marks in MARKS)
REMNANT = tuple("remnant" in marks for marks in MARKS)
SIDE_UNITS = tuple(tuple(u for u in range(COUNT) if SIDE[u] == side) for side in (ALLIED, GERMAN))
SIDE_MASK = tuple(units_of(units) for units in SIDE_UNITS)
FORMATION_UNITS = {f: tuple(u for u in range(COUNT) if FORMATION[u] == f) for f in dict.fromkeys(FORMATION)}
GUNS = tuple(tuple(u for u in SIDE_UNITS[side] if ARTILLERY[u]) for side in (ALLIED, GERMAN))
ARTILLERY_MASK = units_of(u for u in range(COUNT) if ARTILLERY[u])
PROFILE_MASK = units_of(u for u in range(COUNT) if PROFILE[u])
PARTS_MASK = units_of(u for u in range(COUNT) if SPLIT[u] or REMNANT[u])
MOBILITY_MASK = tuple(
    mask_of(u for u in range(COUNT) if MOBILITY[u] == mobility) for mobility in (FOOT, MOTOR, VEHICLE)
)
MARKED = {mark: mask_of(u for u in range(COUNT) if mark in MARKS[u]) for mark in ("red", "rrd")}  # 27.6, 29.1.1
PEIPER = units_of(u for u in range(COUNT) if "peiper" in MARKS[u])
DIVISIONS = tuple(dict.fromkeys(FORMATION[u] for u in SIDE_UNITS[GERMAN] if FORMATION[u] != UNITS[u]))  # 6.1
PANZER_DIVISIONS_5 = ("2Pz", "Lehr", "116Pz", "9Pz")  # 6.4.2

# ---- where pieces can be ----------------------------------------------------------------------

_OFF_MAP = ("track", "eliminated", "gone", "pool", "antwerp", *BOXES, *BLOCKS)
PLACES = (*BOARD.labels, *_OFF_MAP)
TRACK, ELIMINATED, GONE, POOL, ANTWERP = range(HEXES, HEXES + 5)
PLACE = {name: i for i, name in enumerate(PLACES)}
BLOCK_PLACES = tuple(PLACE[name] for name in BLOCKS)

# ---- tables ------------------------------------------------------------------------------------

_COMBAT_ROWS = read_rows(_DATA, "tables/combat.csv", "column", _OWN)
_ROLL_ROWS = read_rows(_DATA, "tables/rolls.csv", "table", _OWN)
_STAND_ROWS = read_rows(_DATA, "tables/stands.csv", "roll", _OWN)
_FUEL_ROWS = read_rows(_DATA, "tables/fuel.csv", "roll", _OWN)
_TURN_ROWS = read_rows(_DATA, "tables/turns.csv", "turn", _OWN, {"allied": whole, "german": whole})
_TERRAIN_ROWS = read_rows(_DATA, "tables/terrain.csv", "terrain", _OWN)
COLUMNS = tuple(row["column"] for row in _COMBAT_ROWS)
TABLE = tuple(tuple(row[str(die)] for die in range(1, 7)) for row in _COMBAT_ROWS)
ROLLS = {row["table"]: tuple(row[str(die)] for die in range(1, 7)) for row in _ROLL_ROWS}
DETERMINED = tuple(row["result"] for row in _STAND_ROWS if row["table"] == "determined")
SURRENDER = tuple(int(row["result"]) for row in _STAND_ROWS if row["table"] == "surrender")
SHORTAGES = (tuple(row["first"] for row in _FUEL_ROWS), tuple(row["second"] for row in _FUEL_ROWS))
REPLACEMENTS = tuple((int(row["allied"]), int(row["german"])) for row in _TURN_ROWS)  # by turn, then side
TERRAIN = {row["terrain"]: row for row in _TERRAIN_ROWS}
SCENARIOS = {
    name: tomllib.loads((_DATA / "scenarios" / f"{name}.toml").read_text(encoding="utf-8"))
    for name in ("campaign", "six-turns", "eight-turns", "patton", "extended", "patton-extended")
}
_PATTON_COLUMNS: Columns = {"unit": one_of(*UNITS), "hex": place_in(PLACES), "lost": maybe(whole)}
_PATTON_ROWS = read_rows(_DATA, "scenarios/patton.csv", "unit", _OWN, _PATTON_COLUMNS)
PATTON = {UNIT[row["unit"]]: row for row in _PATTON_ROWS}
DATA_HASH = data_hash(
    [BOARD.data_hash], _UNIT_ROWS, _COMBAT_ROWS, _ROLL_ROWS, _STAND_ROWS, _FUEL_ROWS, _TURN_ROWS, _TERRAIN_ROWS,
    _PATTON_ROWS, sorted(SCENARIOS.items()),
)  # fmt: skip


def roll(table: str, die: int) -> str:
    """The result of a die on a table, no further than its ends."""
    return ROLLS[table][max(1, min(6, die)) - 1]


# ---- optional rules --------------------------------------------------------------------------------

INFILTRATION, DEPOTS, ROADBLOCKS, FACTOR_LIMIT, BODENPLATTE, COMMANDO = (1 << i for i in range(6))
OPTIONAL = {
    "night-infiltration": (INFILTRATION, "31"),
    "fuel-depots": (DEPOTS, "32"),
    "roadblocks": (ROADBLOCKS, "33"),
    "factor-limit": (FACTOR_LIMIT, "34"),
    "bodenplatte": (BODENPLATTE, "35"),
    "greif-commando": (COMMANDO, "36"),
}

TRAFFIC_MARKERS = 6  # per side [24.1]
IN_BOX, OUT_OF_PLAY = -1, -2  # of traffic markers and roadblocks
COMMANDO_WAITS, COMMANDO_GONE = -1, -2  # 36
GOOD, DISRUPTED, ROUTED = range(3)  # 18.1
OBJECTIVES = TOWN | CITY | VICTORY | ENTRIES[ALLIED] | ENTRIES[GERMAN]  # where control matters [23.3, 30.1.2]


class ArdennesState(StackState):
    """A position of Ardennes '44."""

    SET_COUNT = 12
    ground, units = SimpleNamespace(hexes=HEXES), SimpleNamespace(side=SIDE)

    where: list[int] = column(COUNT, TRACK)  # by unit: a hex, a box or another place
    lost: bytearray = tally(COUNT)  # by unit: steps lost
    order: bytearray = tally(COUNT)  # by unit: good order, disrupted, routed [18.1]
    points: bytearray = tally(COUNT)  # by unit: surrender points of its isolated group [23.7]
    parent: list[int] = column(COUNT, -1)  # by unit: whose part or, until combats end, remnant it is [16.4, 26.4]
    traffic: list[int] = column(2 * TRAFFIC_MARKERS, IN_BOX)  # Allied, then German: a hex, IN_BOX or OUT_OF_PLAY [24]
    blocks: list[int] = column(4, IN_BOX)  # roadblocks: two Allied, two German [33]
    scenario: str = word()
    rules: int = value()  # optional rules in play, as bits
    turn: int = number(1)
    player: int = number(GERMAN)  # whose player turn it is
    night: int = number()  # 1 in the night turn that follows a PM turn [25]
    oos: UnitSet = unit_set("on-map", "inherited", "split")  # units marked as out of supply [23.1]
    isolated: UnitSet = unit_set("on-map", "inherited", "split")  # cut off in the last supply phase [23.6]
    engaged: UnitSet = unit_set("on-map", "inherited", "split")  # engaged units [16.5]
    fired: UnitSet = unit_set()  # artillery on its fired side [22.5]
    march: UnitSet = unit_set()  # units under strategic movement or truck markers [12.4]
    shared: UnitSet = unit_set()  # units whose marker a partner has taken along [12.4.2]
    tractor: UnitSet = unit_set("on-map")  # German artillery under tractor markers [22.3]
    night_marks: UnitSet = unit_set("on-map", "split")  # units under night markers [25.3.3]
    fresh: UnitSet = unit_set()  # units that have received replacements [25.2.4]
    done: UnitSet = unit_set("inherited")  # units whose movement in this phase is over
    moved: UnitSet = unit_set("inherited")  # units that have moved in this phase
    far: UnitSet = unit_set("inherited")  # units that have used more than one movement point [25.3.5]
    fought: UnitSet = unit_set("inherited", "split")  # units that have attacked or tried to disengage in this phase
    attacked: UnitSet = unit_set("inherited")  # units that have been attacked in this phase
    retreated: UnitSet = unit_set("inherited")  # units that have retreated in this phase [17.5]
    driven: UnitSet = unit_set()  # Germans driven over an army boundary that have not come back [11.10.2]
    dug: UnitSet = unit_set()  # units that have begun an improved position in this turn [15.8.2]
    used: int = number()  # night markers used in this phase [25.3.3, 31]
    short: UnitSet = unit_set("left-behind", "split")  # units without fuel this turn [6.1]
    held: HexSet = hex_set()  # objective hexes last held or passed by Germans [30.1.2]
    ip: HexSet = hex_set()  # hexes with improved positions [15.8]
    digging: HexSet = hex_set()  # hexes with improved positions under construction
    new_ip: HexSet = hex_set()  # those begun in this phase
    blown: BridgeSet = bridge_set()  # bridges that cannot be used; those under construction included
    building: BridgeSet = bridge_set()  # bridges under construction [7.8]
    builders: BridgeSet = bridge_set()  # those of them that Germans build
    bridges_tried: BridgeSet = bridge_set()  # bridges at which demolition was tried in this player turn [7.2]
    ouren: int = number()  # the bridge of Ouren has been looked at [7.7]
    advantage: tuple[tuple[int, int, int], ...] = sequence()  # attacker's hex, target hex, unit bits [16.6]
    air: int = number()  # air support markers left this turn [15.6.2]
    fuel_left: int = number()  # fuel of a captured depot brought home [32.2]
    depots: tuple[int, ...] = sequence()  # by hex: 0 none, 1 hidden dummy, 2 hidden depot, 3 shown, 4 captured [32]
    depot_tried: int = number()  # the turn in which the Allies last tried to burn it [32.3]
    greif: int = number(COMMANDO_WAITS)  # the bridge of the commando, COMMANDO_WAITS or COMMANDO_GONE [36]
    exposed: int = number()  # 150th Brigade: 0 not yet, 1 used this turn, 2 unmasked [27.8]
    exits: HexSet = hex_set()  # entry hexes by which Germans have left [11.9.3]
    bodenplatte: int = number()  # the turn from which it counts, 0 for never [35]
    german_areas: int = number()  # victory phases in a row with Allies in three German areas [30.3]
    jagdtiger: int = number()  # 0 may come, 1 has been released [27.7]
    sauer: int = number()  # the crossing of 29.3 has been used
    spearhead: tuple[tuple[int, int], ...] = (
        sequence()
    )  # units that may break through, and how far they advanced [19.4]
    overrun: int = number()  # roadblocks that go at the end of the phase, as bits [33.3]
    meuse: int = number()  # Germans have crossed the Meuse [27.3.2]
    sneaked: HexSet = hex_set()  # hexes whose groups have infiltrated in this phase [31]
    sites: HexSet = hex_set()  # towns in which engineers have been placed in this phase [13.2.1]
    led: UnitSet = unit_set("split")  # units in Peiper's hexes when the first night's combats begin, his own too [27.5]
    stayed: UnitSet = unit_set()  # units whose stack has announced that they do not disengage in this phase [20.2]
    planned: int = number()  # sides that have marked groups for the coming night, as bits [25.3.3]
    winner: str = word()
    result_key: str = word()
    surveyed: Survey | None = cache()  # what the judge last counted
    judged: tuple[Survey, tuple[object, ...], dict[str, float]] | None = cache()  # what the judge last found

    bonds: tuple[Known, Known] | None = cache()  # by side: what it was found from, and its bonds
    networks: tuple[Network | None, Network | None] | None = cache()  # by side: its roads in supply
    noted: tuple[object, object, dict[Any, Any]] | None = cache()  # stack, sets of hexes, and what was found for them
    shaken: UnitSet | None = cache()  # disrupted and routed units
    reduced: UnitSet | None = cache()  # units that have lost steps

    def add_to_sets(self, sets: list[HexSet], u: int, here: int) -> None:
        """The hexes occupied; sources of zones, and ends of bonds, each without and with a silhouette; what is full."""
        sets[0] |= here
        profile = PROFILE[u]
        sets[2 if profile else 1] |= here
        if not ARTILLERY[u] and not self.order[u] and not self.march >> u & 1:
            sets[4 if profile else 3] |= here
        kind, size = load_of(self, u)
        for _ in range(size):
            for at in LOADED[kind]:
                if not sets[at] & here:
                    break
            sets[at] |= here


# ---- 8.1, 8.2 Stacking as sets of hexes -----------------------------------------------------------------

LIMITS = (3, 2, 1)  # in a hex: stacking points, steps with a silhouette, artillery
ENDS = 5  # the first sets of hexes: those occupied, sources of zones and ends of bonds
OVERLOADED = 11  # the set of hexes that hold more than they may
LOADED = (  # by kind: the sets of hexes that hold at least one, two, three, and too much
    (5, 6, 7, OVERLOADED),
    (8, 9, OVERLOADED),
    (10, OVERLOADED),
)


def load_of(s: ArdennesState, u: int) -> tuple[int, int]:
    """What a unit counts for stacking, and how much."""
    if ARTILLERY[u]:
        return 2, 1
    return (1, steps_left(s, u)) if PROFILE[u] else (0, stack_points(s, u))


# ---- looking ----------------------------------------------------------------------------------------


def units_in(s: ArdennesState, place: int) -> tuple[int, ...]:
    """The units in a place off the map, ascending."""
    return tuple(bits(away(s).get(place, 0)))


def steps_left(s: ArdennesState, u: int) -> int:
    """The steps that a unit has on its own counter."""
    return 1 if STEPS[u] == 1 else STEPS[u] - s.lost[u]


def values(s: ArdennesState, u: int) -> Values:
    """Attack, defence and movement now: Allied artillery moves by its fired side [22.1]."""
    if ARTILLERY[u]:
        return VALUES[u][1 if s.fired >> u & 1 and len(VALUES[u]) > 1 else 0]
    return VALUES[u][s.lost[u]]


def noted(s: ArdennesState) -> dict[Any, Any]:
    """What was found for the decision at hand, which lists and choices ask alike.

    It is forgotten when the stack changes or a unit moves.
    """
    hex_sets(s, ALLIED)
    if s.noted is None or s.noted[0] is not s.stack or s.noted[1] is not s.hex_sets:
        s.noted = s.stack, s.hex_sets, {}
    return s.noted[2]


def push_noted(s: ArdennesState, frame: AnyFrame) -> None:
    """Push a decision that was looked at just now: what was found for it still holds."""
    known = noted(s)
    s.push(frame)
    s.noted = s.stack, s.hex_sets, known


def shaken(s: ArdennesState) -> UnitSet:
    """The units that are not in good order [18.1]."""
    found = s.shaken
    if found is None:
        found = s.shaken = units_of(u for u, order in enumerate(s.order) if order)
    return found


def reduced(s: ArdennesState) -> UnitSet:
    """The units that have lost steps."""
    found = s.reduced
    if found is None:
        found = s.reduced = units_of(u for u, lost in enumerate(s.lost) if lost)
    return found


def standing_in(s: ArdennesState, units: UnitSet, hexes: HexSet) -> UnitSet:
    """Those of some units on the map that stand in some hexes."""
    where = s.where
    return units_of(u for u in bits(units) if hexes & BIT[where[u]]) if hexes else NO_UNITS


def marked(s: ArdennesState, mark: str) -> UnitSet:
    """The units with a mark on their counter or on that of the unit that they are a part or remnant of."""
    units = MARKED[mark]
    return units | units_of(x for x in bits(PARTS_MASK & present(s)) if s.parent[x] >= 0 and units >> s.parent[x] & 1)


def marks_of(s: ArdennesState, u: int) -> frozenset[str]:
    """The marks of a counter and of the unit that it is a part or remnant of."""
    return MARKS[u] if s.parent[u] < 0 else MARKS[u] | MARKS[s.parent[u]]


def stack_points(s: ArdennesState, u: int) -> int:
    """The stacking points of a unit now [8.2]."""
    return STACK[u][s.lost[u]]


def is_mechanized(u: int) -> bool:
    """Mechanized infantry and vehicles [2.4]."""
    return MOBILITY[u] != FOOT


def clear_weather(s: ArdennesState) -> bool:
    """Clear skies from turn 15 to turn 22 [28.2, S5.3]."""
    return 15 <= s.turn <= 22


def frozen_ground(s: ArdennesState) -> bool:
    """Frozen ground from turn 11 [28.1]."""
    return s.turn >= 11


def is_pm(s: ArdennesState) -> bool:
    """Whether a night turn follows this turn [25.1]."""
    return s.turn % 2 == 0


def turns_of(s: ArdennesState) -> int:
    """The last turn of the scenario."""
    return int(SCENARIOS[s.scenario]["turns"])


def east_only(s: ArdennesState) -> bool:
    """Whether only the East map is used [S2.3, S3.3]."""
    return s.scenario in ("six-turns", "eight-turns")


# ---- the only ways in which pieces change --------------------------------------------------------------


def _updated(known: UnitSet | None, u: int, joins: int) -> UnitSet | None:
    """A remembered set of units, to which one belongs from now on or no longer does; None if nobody has asked yet."""
    if known is None:
        return None
    return known | 1 << u if joins else known & ~(1 << u)


def set_order(s: ArdennesState, u: int, order: int) -> None:
    """The one way a unit's order changes; a disrupted unit loses replacement and night markers [25.2.4, 25.3.7]."""
    s.order[u] = order
    s.shaken = _updated(s.shaken, u, order)
    if order:
        s.fresh &= ~(1 << u)
        s.night_marks &= ~(1 << u)
    refresh_unit(s, u)


def set_lost(s: ArdennesState, u: int, lost: int) -> None:
    """The one way a unit on the map loses and regains steps."""
    s.lost[u] = lost
    s.reduced = _updated(s.reduced, u, lost)
    refresh_unit(s, u)


def set_march(s: ArdennesState, u: int, on: bool) -> None:
    """The one way strategic movement markers come and go."""
    s.shared &= ~(1 << u)
    if s.march >> u & 1 != on:
        s.march ^= 1 << u
        refresh_unit(s, u)


def take_off(s: ArdennesState, u: int, place: int) -> None:
    """Take a unit off the map and clear every mark on it; split units and remnants go back to the pool."""
    put(s, u, POOL if SPLIT[u] or REMNANT[u] else place)
    s.lost[u] = s.order[u] = s.points[u] = 0
    s.shaken, s.reduced = _updated(s.shaken, u, 0), _updated(s.reduced, u, 0)
    s.parent[u] = -1
    clear_marks(s, u)
    _forget_advantage(s, u)


def leave_map(s: ArdennesState, u: int, place: int) -> None:
    """Bring a unit to a place beside the map, where it is in supply [23.2]."""
    put(s, u, place)
    s.points[u] = 0
    clear_marks(s, u, "on-map")
    clear_marks(s, u, "left-behind")
    _forget_advantage(s, u)


def _forget_advantage(s: ArdennesState, u: int) -> None:
    others = ~(1 << u)
    s.advantage = tuple((a, b, m & others) for a, b, m in s.advantage if m & others)
