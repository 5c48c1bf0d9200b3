"""The Deadly Woods: the pieces, the compiled map and the state [1.1 to 1.2, 2.1 to 2.7]."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

from salient.common.columns import Columns, flag, like, maybe, one_of, place_in, whole
from salient.common.data import data_folder, data_hash, own_folder, read_rows
from salient.common.fields import BridgeSet, bridge_set, clear_marks, hex_set, unit_set
from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.stacks import StackState, put, refresh_unit
from salient.hexes.bridges import Pair, bridges_of
from salient.hexes.flood import OpenMasks, compile_masks, spread
from salient.hexes.load import load_board
from salient.hexes.masks import mask_of, units_of
from salient.hexes.sets import HexSet, UnitSet
from salient.kernel.state import cache, column, number, sequence, value, word

if TYPE_CHECKING:
    from salient.games.deadly_woods.survey import Survey

GAME_ID = "deadly-woods"

# ---- 2.2.1, 2.2.2 Map ------------------------------------------------------------------------

_DATA = data_folder(__package__)
_OWN = own_folder(GAME_ID)
BOARD = load_board(_DATA, _OWN)
HEXES = len(BOARD)
ALL_HEXES = (1 << HEXES) - 1
BIT = tuple(1 << h for h in range(HEXES))
COLUMN = tuple(int(label[:2]) for label in BOARD.labels)


CLEAR, WOODS, FOREST, ROUGH = (BOARD.of_terrain(name) for name in ("clear", "woods", "forest", "rough"))
TOWN, VILLAGE, WESTWALL = (BOARD.with_feature(name) for name in ("town", "village", "westwall"))
SETTLED = TOWN | VILLAGE
VICTORY = mask_of(BOARD.zones["victory"])
ARMIES = ("6", "5", "7")
ARMY_ZONE = dict(
    zip(ARMIES, (mask_of(BOARD.zones[z]) for z in ("army-6-panzer", "army-5-panzer", "army-7")), strict=True)
)
BRITISH_ZONE = mask_of(BOARD.zones["british"])
WEST_OF_MEUSE = mask_of(BOARD.zones["west-of-meuse"])
GERMAN_START = mask_of(BOARD.zones["german-start"])
PLACE_HEX = {place.name: place.hexes[0] for place in BOARD.places}
ST_VITH, BASTOGNE, LUXEMBOURG, EUPEN = (PLACE_HEX[n] for n in ("St. Vith", "Bastogne", "Luxembourg", "Eupen"))
FUEL = next(iter(BOARD.zones["peiper-fuel"]))
OUREN = frozenset(BOARD.index[label] for label in ("3215", "3315"))
ROAD_HEXES = mask_of(h for h in range(HEXES) if any(BOARD.roads[h]))
AREA_HEXES = {name: tuple(sorted(area.hexes)) for name, area in sorted(BOARD.areas.items())}
ENTRIES = tuple(
    mask_of(h for area in BOARD.areas.values() if area.kind == kind for h in area.hexes)
    for kind in ("allied-entry", "german-entry")
)
TOUCHING = tuple(mask_of(BOARD.adjacent[h]) for h in range(HEXES))
NEIGHBOURS = compile_masks(BOARD, lambda a, b: True)
FARTHEST_CIRCLE = 5


def _circles(h: int) -> tuple[int, ...]:
    """The hexes within each distance of a hex, as bits."""
    circles = [1 << h]
    for _ in range(FARTHEST_CIRCLE):
        circles.append(circles[-1] | spread(circles[-1], NEIGHBOURS))
    return tuple(circles)


WITHIN = tuple(_circles(h) for h in range(HEXES))  # by hex and distance

# ---- 2.2 Rivers and bridges ------------------------------------------------------------


def _sides(with_bridge: bool) -> list[Pair]:
    return [
        (a, b)
        for a in range(HEXES)
        for b in BOARD.adjacent[a]
        if a < b and (side := BOARD.side(a, b)) and bool(side.bridge) == with_bridge
    ]


_BRIDGES = bridges_of(BOARD, _sides(True))
BRIDGES, BRIDGE_NAMES, BRIDGE = _BRIDGES.pairs, _BRIDGES.names, _BRIDGES.numbers
BANKS = tuple(mask_of(pair) for pair in BRIDGES)  # by bridge
UNBRIDGED = frozenset(pair for a, b in _sides(False) for pair in ((a, b), (b, a)))
RIVER_TOUCHING = tuple(mask_of(b for b in BOARD.adjacent[a] if BOARD.side(a, b)) for a in range(HEXES))
BLOWN_AT_START = _BRIDGES.shown_as("blown")

_DRY_OR_BRIDGED = compile_masks(BOARD, lambda a, b: (a, b) not in UNBRIDGED)
_BY_ROAD = compile_masks(BOARD, lambda a, b: BOARD.road(a, b) is not None)


def _without(masks: OpenMasks, blown: int) -> OpenMasks:
    """Open hexsides without those of blown bridges."""
    up, down = dict(masks.up), dict(masks.down)
    for i, (a, b) in enumerate(BRIDGES):
        if blown >> i & 1:
            if b - a in up:
                up[b - a] &= ~(1 << a)
            if b - a in down:
                down[b - a] &= ~(1 << b)
    return OpenMasks(tuple(up.items()), tuple(down.items()))


@lru_cache(maxsize=1 << 10)
def dry_ways(blown: int) -> OpenMasks:
    """The hexsides without water or with an intact bridge [7.2, 8.2]."""
    return _without(_DRY_OR_BRIDGED, blown)


@lru_cache(maxsize=1 << 10)
def road_ways(blown: int) -> OpenMasks:
    """The hexsides that a road crosses, not over a blown bridge [10.4]."""
    return _without(_BY_ROAD, blown)


# ---- 2.3.1 Combat units ---------------------------------------------------------------------

KINDS = ("infantry", "mechanized", "cavalry", "armor")
_VALUES = like("4-5-3", r"\d+-\d+-\d+|\(\d+-\d+-\d+\)")
_UNIT_COLUMNS: Columns = {
    "side": one_of(*SEATS), "airborne": flag, "kind": one_of(*KINDS), "full": _VALUES, "reduced": maybe(_VALUES),
    "last": maybe(_VALUES), "start": maybe(place_in(BOARD.index)), "turn": whole, "box": whole,
}  # fmt: skip
_UNIT_ROWS = read_rows(_DATA, "units.csv", "unit", _OWN, _UNIT_COLUMNS)
UNITS = tuple(row["unit"] for row in _UNIT_ROWS)
COUNT = len(UNITS)
NAMES = tuple(row["name"] for row in _UNIT_ROWS)
SIDE = tuple(SEATS.index(row["side"]) for row in _UNIT_ROWS)
NATION = tuple(row["nation"] for row in _UNIT_ROWS)
SYMBOL = tuple(row["symbol"] for row in _UNIT_ROWS)
SIZE = tuple(row["size"] for row in _UNIT_ROWS)
SOURCE = tuple(row["source"] for row in _UNIT_ROWS)
DIVISION = tuple(row["division"] for row in _UNIT_ROWS)
FORMATION = tuple(row["division"] or row["unit"] for row in _UNIT_ROWS)
CORPS = tuple(row["corps"] for row in _UNIT_ROWS)
AIRBORNE = tuple(row["airborne"] == "1" for row in _UNIT_ROWS)
US_AIRBORNE = tuple(row["airborne"] == "1" and row["nation"] == "us" for row in _UNIT_ROWS)
START = tuple(BOARD.index[row["start"]] if row["start"] else -1 for row in _UNIT_ROWS)
ARRIVAL = tuple((int(row["turn"]), int(row["box"])) for row in _UNIT_ROWS)
ENTRY = tuple(tuple(row["entry"].split()) for row in _UNIT_ROWS)

INFANTRY, MECHANIZED, _, ARMOR = range(len(KINDS))
Values = tuple[int, int, int, bool]  # attack, defence, movement, zone of control


def _values(text: str) -> Values:
    attack, defence, movement = (int(x) for x in text.strip("()").split("-"))
    return attack, defence, movement, not text.startswith("(")


def _steps(row: dict[str, str]) -> tuple[Values, ...]:
    return tuple(_values(row[name]) for name in ("full", "reduced", "last") if row[name])


def _kinds(row: dict[str, str]) -> tuple[int, ...]:
    """The kind by steps lost: the last step of an armoured battle group is mechanized [2.3.1.1, 8.3]."""
    kind = KINDS.index(row["kind"])
    return (kind, kind, MECHANIZED if kind == ARMOR else kind)


VALUES = tuple(_steps(row) for row in _UNIT_ROWS)  # by unit and steps lost
PRINTED = tuple(tuple(row[name] for name in ("full", "reduced", "last") if row[name]) for row in _UNIT_ROWS)
KIND = tuple(_kinds(row) for row in _UNIT_ROWS)  # by unit and steps lost
STEPS = tuple(len(values) for values in VALUES)
SIDE_UNITS = tuple(tuple(u for u in range(COUNT) if SIDE[u] == side) for side in (ALLIED, GERMAN))
SIDE_MASK = tuple(units_of(units) for units in SIDE_UNITS)
UNIT = {name: u for u, name in enumerate(UNITS)}
PEIPER, BRIGADE_150, FJ_14, VDH, DELAY = (UNIT[n] for n in ("1SS/Peiper", "150Bde", "5FJ/14", "VdH", "Delay"))
DIVISION_UNITS = {d: tuple(u for u in range(COUNT) if DIVISION[u] == d) for d in sorted(set(DIVISION) - {""})}
FORMATIONS = tuple(dict.fromkeys(FORMATION[u] for u in SIDE_UNITS[GERMAN]))
FORMATION_UNITS = {f: mask_of(u for u in SIDE_UNITS[GERMAN] if FORMATION[u] == f) for f in FORMATIONS}
FORMATION_KIND = {f: next(KIND[u][0] for u in SIDE_UNITS[GERMAN] if FORMATION[u] == f) for f in FORMATIONS}
CORPS_UNITS = {c: tuple(u for u in SIDE_UNITS[ALLIED] if CORPS[u] == c) for c in sorted(set(CORPS) - {""})}

# ---- 2.4 Assets ------------------------------------------------------------------------------

_ASSET_COLUMNS: Columns = {
    "side": one_of(*SEATS), "strength": whole, "turn": whole, "place": maybe(place_in({*BOARD.index, "box"}))
}  # fmt: skip
_ASSET_ROWS = read_rows(_DATA, "assets.csv", "asset", _OWN, _ASSET_COLUMNS)
ASSETS = tuple(row["asset"] for row in _ASSET_ROWS)
ASSET_NAMES = tuple(row["name"] for row in _ASSET_ROWS)
ASSET_SIDE = tuple(SEATS.index(row["side"]) for row in _ASSET_ROWS)
ASSET_KIND = tuple(row["kind"] for row in _ASSET_ROWS)
ASSET_FORCE = tuple(row["force"] for row in _ASSET_ROWS)  # army or corps
ASSET_STRENGTH = tuple(int(row["strength"]) for row in _ASSET_ROWS)
ASSET_TURN = tuple(int(row["turn"]) for row in _ASSET_ROWS)
ASSET_START = tuple(row["place"] for row in _ASSET_ROWS)
ASSET = {name: a for a, name in enumerate(ASSETS)}
GREIF, MOTOR, BONUS, ALARM, TRAFFIC, AIR = (
    ASSET[n] for n in ("Greif", "Motor", "Bonus", "VdH-Alarm", "Traffic", "Air")
)
ENGINEERS = tuple(a for a in range(len(ASSETS)) if ASSET_KIND[a] == "engineer")
GUNS = tuple(
    tuple(a for a in range(len(ASSETS)) if ASSET_SIDE[a] == side and ASSET_KIND[a] in ("artillery", "nebelwerfer"))
    for side in (ALLIED, GERMAN)
)

# ---- what can be named and taken back: units, then assets, then bridges ------------------------------


def asset_piece(a: int) -> int:
    """An asset among all pieces."""
    return COUNT + a


def bridge_piece(bridge: int) -> int:
    """A bridge among all pieces."""
    return COUNT + len(ASSETS) + bridge


# ---- where pieces can be ----------------------------------------------------------------------

LAST_TRACK_TURN = 14
_BOXES = ("track", "eliminated", "gone", "box", "used", *(f"turn-{t}" for t in range(1, LAST_TRACK_TURN + 1)))
PLACES = (*BOARD.labels, *_BOXES)
TRACK, ELIMINATED, GONE, BOX, USED = range(HEXES, HEXES + 5)


def track_turn(turn: int) -> int:
    """The place of an asset that comes back on a turn."""
    return USED + turn


# ---- 2.5 Chits ---------------------------------------------------------------------------------

CHITS = (
    "german-mc", "5pz", "6pz", "all-german", "one-army", "formations", "german-reinforcements", "supply",
    "allied-mc", "allied-reinforcements", "patton-monty", "reaction",
)  # fmt: skip
(
    GERMAN_MC, PZ5, PZ6, ALL_GERMAN, ONE_ARMY, FORMATION_CHIT, GERMAN_REINFORCEMENTS, SUPPLY,
    ALLIED_MC, ALLIED_REINFORCEMENTS, PATTON_MONTY, REACTION,
) = range(len(CHITS))  # fmt: skip
UNKNOWN_ARMY, SOME_ARMY = "panzer-army", len(CHITS)  # 5th or 6th Panzer Army, as the German chose in secret [17]
CHIT_SIDE = (*(GERMAN,) * 7, -1, *(ALLIED,) * 4, GERMAN)  # supply checks count for neither side [14.2]

_CHIT_COLUMNS: Columns = {"turn": whole, "chit": one_of(*CHITS, UNKNOWN_ARMY), "count": whole}
_CHIT_ROWS = read_rows(_DATA, "tables/chits.csv", "slot", _OWN, _CHIT_COLUMNS)
_TURN_COLUMNS: Columns = {f"{seat}_{kind}": whole for seat in SEATS for kind in ("infantry", "armor")}
_TURN_ROWS = read_rows(_DATA, "tables/turns.csv", "turn", _OWN, _TURN_COLUMNS)
REPLACEMENTS = tuple(
    tuple((int(row[f"{seat}_infantry"]), int(row[f"{seat}_armor"])) for seat in SEATS) for row in _TURN_ROWS
)  # by turn - 1 and side: infantry, armor


def chits_of(turn: int, where: str) -> list[tuple[str, int]]:
    """The chits that a turn puts into the cup or the hand, as the table lists them [17]."""
    return [(r["chit"], int(r["count"])) for r in _CHIT_ROWS if int(r["turn"]) == turn and r["where"] == where]


# ---- 2.7 Combat table ---------------------------------------------------------------------------

_TABLE_ROWS = read_rows(_DATA, "tables/combat.csv", "die", _OWN, {"*": one_of("AL1", "BL1", "DR", "DR*", "NE")})
COLUMNS = tuple(name for name in _TABLE_ROWS[0] if "-" in name)
RATIOS = tuple((int(a), int(b)) for a, b in (name.split("-") for name in COLUMNS))
TABLE = tuple(tuple(row[name] for row in _TABLE_ROWS) for name in COLUMNS)  # TABLE[column][die - 1]

SCENARIOS = {
    name: tomllib.loads((_DATA / "scenarios" / f"{name}.toml").read_text(encoding="utf-8"))
    for name in ("campaign", "attack")
}
DATA_HASH = data_hash(
    [BOARD.data_hash], _UNIT_ROWS, _ASSET_ROWS, _CHIT_ROWS, _TURN_ROWS, _TABLE_ROWS, sorted(SCENARIOS.items())
)


class WoodsState(StackState):
    """A position of The Deadly Woods."""

    SET_COUNT = 5
    ground, units = SimpleNamespace(hexes=HEXES), SimpleNamespace(side=SIDE)

    where: list[int] = column(COUNT, TRACK)  # by unit: a hex, TRACK, ELIMINATED, GONE or BOX
    lost: list[int] = column(COUNT)  # by unit: steps lost
    asset: list[int] = column(len(ASSETS), GONE)  # by asset: a hex, BOX, USED, GONE or a turn of the track
    cup: list[int] = column(len(CHITS))  # chits left by kind
    reinforcements: list[int] = column(2)  # by side: reinforcement chits played this turn
    scenario: str = word()
    option: str = word()  # the choice of 16.1
    turn: int = number(1)
    initiative: int = number(GERMAN)
    hand: int = value(-1)  # the chit that the Allies hold, -1 for none
    track: tuple[int, ...] = sequence()  # chits played this turn, in order
    mc_played: int = number()  # bits: 1 the German movement round, 2 the German combat round of this turn [14.4]
    german_held: HexSet = hex_set()  # hexes under German control [3.5]
    blown: BridgeSet = bridge_set()  # blown bridges
    built: int = value()  # armies that have rebuilt a bridge this turn, as bits [10.6.2]
    oos: UnitSet = unit_set("on-map")  # German units marked as out of supply [8.1]
    active: UnitSet = unit_set()  # units that may move in this round
    fighters: UnitSet = unit_set()  # units that may attack in this round
    left: int = number()  # how many units may still be activated, -1 for any number [14.3.1]
    done: UnitSet = unit_set()  # units whose movement in this round is over
    moved: UnitSet = unit_set()  # units that have moved in this round
    fought: UnitSet = unit_set()  # units that have attacked in this round
    attacked: UnitSet = unit_set()  # units that have been attacked in this round
    stacked: UnitSet = unit_set()  # units that began the movement round stacked [10.4.1]
    arrived: UnitSet = unit_set()  # reinforcements of this round
    motor: int = value(-1)  # the German unit under the motorized marker, -1 for none
    demolished: int = value()  # engineers that have blown a bridge in this round, as asset bits [10.6.1]
    detour: UnitSet = unit_set()  # III Corps units that go round by area D [14.8.1]
    st_vith: int = number()  # the turn in which a German first entered St. Vith, 0 for never [9.2.1]
    fuel: int = number()  # 0 the depot stands, 1 Peiper has it, 2 gone [8.5]
    infiltrated: int = number()  # 150th Brigade has used its trick [7.3]
    meuse_crossed: int = number()  # a German has moved or attacked across the Meuse [10.6.4]
    fifth_free: int = number()  # US 5th Armored came in elsewhere [10.6.4]
    withdrawal: int = number()  # 0 not yet, 1 carried out, 2 cancelled or too late [12.10]
    winner: str = word()
    result_key: str = word()
    surveyed: Survey | None = cache()  # what the judge last counted
    judged: tuple[Survey, tuple[object, ...], dict[str, float]] | None = cache()  # what the judge last found

    def add_to_sets(self, sets: list[HexSet], u: int, here: int) -> None:
        """The hexes occupied; those of infantry, other motorized and armoured units with zones of control; those
        shared by several units."""
        if sets[0] & here:
            sets[4] |= here
        sets[0] |= here
        lost = self.lost[u]
        if VALUES[u][lost][3]:
            kind = KIND[u][lost]
            sets[1 if kind == INFANTRY else 3 if kind == ARMOR else 2] |= here


# ---- looking ----------------------------------------------------------------------------------------


def kind_of(s: WoodsState, u: int) -> int:
    """What a unit is at its present strength."""
    return KIND[u][s.lost[u]]


def is_motorized(s: WoodsState, u: int) -> bool:
    """Armour, mechanized units and mechanized cavalry [10.1]."""
    return KIND[u][s.lost[u]] != INFANTRY


def steps_left(s: WoodsState, u: int) -> int:
    """The steps that a unit has."""
    return STEPS[u] - s.lost[u]


def army_of(h: int) -> str:
    """The German army in whose zone a hex lies [9.1]."""
    return next(army for army in ARMIES if ARMY_ZONE[army] >> h & 1)


# ---- the only ways in which pieces change --------------------------------------------------------------


def set_lost(s: WoodsState, u: int, steps: int) -> None:
    """The one way a unit's strength changes."""
    s.lost[u] = steps
    refresh_unit(s, u)


def take_off(s: WoodsState, u: int, place: int) -> None:
    """Take a unit off the map and clear every mark on it; the US Delay goes back to its box [12.9.1]."""
    put(s, u, BOX if u == DELAY else place)
    set_lost(s, u, 0)
    clear_marks(s, u)
    if s.motor == u:
        s.motor = -1
        s.asset[MOTOR] = USED
