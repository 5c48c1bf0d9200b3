"""Target Arnhem: the pieces, the compiled map and the state [1.1, 2.1 to 2.3a], and who may act [3.1, 3.3]."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from salient.common.bars import Bar, Bars, allowed, refusal
from salient.common.columns import Columns, flag, like, one_of, place_in, whole
from salient.common.data import data_folder, data_hash, own_folder, read_rows
from salient.common.fields import clear_marks, hex_set, unit_set
from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.hexes.flood import compile_masks
from salient.hexes.load import load_board
from salient.hexes.masks import bit, bits, mask_of, units_of
from salient.hexes.sets import NO_HEXES, NO_UNITS, HexSet, UnitId, UnitSet
from salient.kernel import Refusal, State
from salient.kernel.state import cache, column, number, word

if TYPE_CHECKING:
    from salient.games.target_arnhem.survey import Survey

GAME_ID = "target-arnhem"

# ---- 2.1 Map --------------------------------------------------------------------

_DATA = data_folder(__package__)
_OWN = own_folder(GAME_ID)
SCENARIO = tomllib.loads((_DATA / "scenarios" / "historical.toml").read_text(encoding="utf-8"))
TURNS = int(SCENARIO["turns"])
BOARD = load_board(_DATA, _OWN)
HEXES = len(BOARD)
ALL_HEXES = (1 << HEXES) - 1
AREAS = tuple(sorted(BOARD.areas))
PLACES = (*BOARD.labels, *AREAS, "waiting", "eliminated")  # where a unit can be
WAITING = HEXES + len(AREAS)
ELIMINATED = WAITING + 1
ENTRY = BOARD.index["0103"]
ARNHEM = BOARD.index["1504"]
AREA_P = HEXES + AREAS.index("P")
AREA_P_CLOSES = 4  # turn [4.2b]
RED_ROAD = mask_of(BOARD.zones["red-road"])

FOREST = BOARD.of_terrain("forest")
TOWN = BOARD.with_feature("town")


def _water(a: int, b: int) -> tuple[str, bool]:
    side = BOARD.side(a, b)
    return (side.kind, bool(side.bridge)) if side else ("", False)


def _neighbours(wanted: set[tuple[str, bool]]) -> tuple[int, ...]:
    return tuple(mask_of(b for b in BOARD.adjacent[a] if _water(a, b) in wanted) for a in range(HEXES))


LAND = ("", False)
RIVER, BRIDGED_RIVER, CANAL, BRIDGED_CANAL = ("river", False), ("river", True), ("canal", False), ("canal", True)
TOUCHING = _neighbours({LAND, BRIDGED_RIVER, CANAL, BRIDGED_CANAL})  # an unbridged river separates [4.1, 5, 7.1]
STEPS = _neighbours({LAND, BRIDGED_RIVER, BRIDGED_CANAL})
CANAL_STEPS = _neighbours({CANAL})
HALVING = _neighbours({CANAL, BRIDGED_CANAL, BRIDGED_RIVER})  # 5.3: over a canal or by a bridge
ROADS = tuple(mask_of(b for b in BOARD.adjacent[a] if BOARD.road(a, b)) for a in range(HEXES))
ROAD_HEXES = mask_of(h for h in range(HEXES) if ROADS[h])
OPEN_GROUND = compile_masks(BOARD, lambda a, b: bool(TOUCHING[a] >> b & 1))
OPEN_ROADS = compile_masks(BOARD, lambda a, b: bool(ROADS[a] >> b & 1))
EASY_STEPS = compile_masks(BOARD, lambda a, b: bool(STEPS[a] >> b & 1))
OFF_ROAD_STEPS = tuple(STEPS[h] & ~ROADS[h] for h in range(HEXES))

AREA_HEXES = {HEXES + i: mask_of(BOARD.areas[name].hexes) for i, name in enumerate(AREAS)}
AREA_LINKS = {
    HEXES + i: tuple(sorted(HEXES + AREAS.index(x) for x in BOARD.areas[a].areas)) for i, a in enumerate(AREAS)
}
ROAD_EXITS = {  # by area: the hexes whose roads run into it, as bits
    HEXES + AREAS.index(row["area"]): mask_of(BOARD.index[label] for label in row["roads"].split())
    for row in BOARD.rows["areas.csv"]
}

# ---- 2.2 Counters -----------------------------------------------------------------

POOLS = ("wehrmacht", "ss", "1abn", "82abn", "101abn", "xxx")  # 7.4
_UNIT_COLUMNS: Columns = {
    "side": one_of(*SEATS), "pool": one_of(*POOLS), "vehicle": flag, "strength": whole, "resistance": whole,
    "fortified": flag, "start": place_in({*PLACES, "drop"}), "turn": whole,
}  # fmt: skip
_UNIT_ROWS = read_rows(_DATA, "units.csv", "unit", _OWN, _UNIT_COLUMNS)
UNITS = tuple(row["unit"] for row in _UNIT_ROWS)
NAMES = tuple(row["name"] for row in _UNIT_ROWS)
SIDE = tuple(SEATS.index(row["side"]) for row in _UNIT_ROWS)
SYMBOL = tuple(row["symbol"] for row in _UNIT_ROWS)
SIZE = tuple(row["size"] for row in _UNIT_ROWS)
SOURCE = tuple(row["source"] for row in _UNIT_ROWS)
VEHICLE = tuple(row["vehicle"] == "1" for row in _UNIT_ROWS)
STRENGTH = tuple(int(row["strength"]) for row in _UNIT_ROWS)
RESISTANCE = tuple(int(row["resistance"]) for row in _UNIT_ROWS)
STARTS_FORTIFIED = tuple(int(row["fortified"]) for row in _UNIT_ROWS)
DROPS = tuple(row["start"] == "drop" for row in _UNIT_ROWS)
START = tuple(ENTRY if row["start"] == "drop" else PLACES.index(row["start"]) for row in _UNIT_ROWS)
ARRIVAL_TURN = tuple(int(row["turn"]) for row in _UNIT_ROWS)
DUE = tuple(mask_of(u for u, due in enumerate(ARRIVAL_TURN) if due <= turn) for turn in range(TURNS + 1))
POLES = UNITS.index("PP")
SIDE_UNITS = tuple(tuple(u for u in range(len(UNITS)) if SIDE[u] == side) for side in (ALLIED, GERMAN))
SIDE_MASK = tuple(units_of(units) for units in SIDE_UNITS)
VEHICLES = mask_of(u for u in range(len(UNITS)) if VEHICLE[u])
AIRBORNE = mask_of(u for u in range(len(UNITS)) if DROPS[u])

# ---- 7.4 Supply pools ---------------------------------------------------------------

WEHRMACHT, SS, FIRST_AIRBORNE, _, _, XXX = range(len(POOLS))
DIVISIONS = (2, 3, 4)  # the pools that belong to airborne divisions
POOL = tuple(POOLS.index(row["pool"]) for row in _UNIT_ROWS)

# ---- 2.3b Combat table ----------------------------------------------------------------

_TABLE_ROWS = read_rows(_DATA, "tables/combat.csv", "die", _OWN, {"*": like("1/2", r"\d+/\d+")})
COLUMNS = tuple(name for name in _TABLE_ROWS[0] if ":" in name)
RATIOS = tuple((int(a), int(b)) for a, b in (name.split(":") for name in COLUMNS))
TABLE = tuple(
    tuple((int(row[name].split("/")[0]), int(row[name].split("/")[1])) for row in _TABLE_ROWS) for name in COLUMNS
)  # TABLE[column][die - 1] = (attacker's damage, defender's damage)

STACKING_LIMIT = 3  # 3.5
DATA_HASH = data_hash([BOARD.data_hash], _UNIT_ROWS, _TABLE_ROWS, SCENARIO.items())


class ArnhemState(State):
    """A position of Target Arnhem."""

    where: list[int] = column(len(UNITS), WAITING)  # by unit: a hex, an area, WAITING or ELIMINATED
    damage: list[int] = column(len(UNITS))
    fortified: list[int] = column(len(UNITS))
    pools: list[int] = column(len(POOLS))  # points by pool; XXX Corps has no end of them
    zones: list[int] = column(len(POOLS), -1)  # by pool: the division's supply zone, -1 if it has none
    turn: int = number(1)
    impulse: int = number()  # 0 in the reorganisation phase, then 1 to 3
    acted: UnitSet = unit_set()  # units that have acted in this impulse
    landed: UnitSet = unit_set()  # units that landed in this impulse and may still be given an extra action [9.3]
    extra: int = number()  # extra actions left [9.3]
    attacked: HexSet = hex_set()  # hexes attacked in this impulse
    preset: str = word()  # the option that sets the supply zones
    winner: str = word()
    occupied: tuple[HexSet, HexSet] | None = cache()  # by side: the hexes of its units
    absent: tuple[UnitSet, UnitSet] | None = cache()  # the units that wait to arrive, and those eliminated
    surveyed: Survey | None = cache()  # what the judge last counted
    judged: tuple[Survey, int, dict[str, float]] | None = cache()  # what the judge last found


def _fill_caches(s: ArnhemState) -> tuple[tuple[HexSet, HexSet], tuple[UnitSet, UnitSet]]:
    """Look at every unit: the caches `occupied` and `absent`."""
    hexes, absent = [NO_HEXES] * 2, [NO_UNITS] * 2
    for u, place in enumerate(s.where):
        if place < HEXES:
            hexes[SIDE[u]] |= 1 << place
        elif place >= WAITING:
            absent[place == ELIMINATED] |= 1 << u
    found = (hexes[0], hexes[1]), (absent[0], absent[1])
    s.occupied, s.absent = found
    return found


def occupied(s: ArnhemState, side: int) -> HexSet:
    """The hexes that hold units of a side."""
    found = s.occupied
    return (_fill_caches(s)[0] if found is None else found)[side]


def waiting(s: ArnhemState) -> UnitSet:
    """The units that have yet to arrive."""
    found = s.absent
    return (_fill_caches(s)[1] if found is None else found)[0]


def eliminated(s: ArnhemState) -> UnitSet:
    """The units that are off the map for good."""
    found = s.absent
    return (_fill_caches(s)[1] if found is None else found)[1]


def stale_caches(s: ArnhemState) -> bool:
    """Whether what is remembered of the units differs from what a fresh look finds."""
    fresh = s.clone()
    _fill_caches(fresh)
    return s.occupied is not None and (s.occupied, s.absent) != (fresh.occupied, fresh.absent)


def units_at(s: ArnhemState, place: int, side: int) -> list[int]:
    """The units of a side in a hex or area, ascending."""
    return [u for u in SIDE_UNITS[side] if s.where[u] == place]


def put(s: ArnhemState, u: int, place: int) -> None:
    """The one way a unit changes its place."""
    where = s.where
    old, where[u] = where[u], place
    if s.occupied is None or s.absent is None:
        return
    side = SIDE[u]
    hexes = s.occupied[side]
    if old < HEXES and (old not in where or not any(where[x] == old for x in SIDE_UNITS[side])):
        hexes &= ~(1 << old)
    if place < HEXES:
        hexes |= 1 << place
    s.occupied = (hexes, s.occupied[1]) if side == ALLIED else (s.occupied[0], hexes)
    if old >= WAITING or place >= WAITING:
        still, gone = (units & ~(1 << u) for units in s.absent)
        s.absent = still | (place == WAITING) << u, gone | (place == ELIMINATED) << u


def eliminate(s: ArnhemState, u: int) -> None:
    """Take a unit off the map for good."""
    put(s, u, ELIMINATED)
    s.damage[u] = s.fortified[u] = 0
    clear_marks(s, u)


def has_acted(s: ArnhemState, u: int) -> bool:
    """Whether the unit has had its action of this impulse [3.3]."""
    return bool(s.acted >> u & 1)


ACTING: Bars[ArnhemState] = (  # what keeps units from having an action now [3.1, 3.3]
    Bar("3.4", "is-eliminated", lambda s, units: units & eliminated(s)),
    Bar("8", "has-not-arrived", lambda s, units: units & waiting(s)),
    Bar("3.1", "vehicles-only", lambda s, units: units & ~VEHICLES if s.impulse == 3 else NO_UNITS),
    Bar("3.3", "acted-already", lambda s, units: units & s.acted & ~(s.landed if s.extra > 0 else 0)),
)


def refuse_unit(s: ArnhemState, u: int) -> Refusal | None:
    """Why a unit has no action now."""
    return refusal(s, u, ACTING)


def ready_units(s: ArnhemState, side: int) -> list[UnitId]:
    """The units of a side on the map or in areas that may act, ascending."""
    return bits(allowed(s, SIDE_MASK[side], ACTING))


def mark_acted(s: ArnhemState, u: int) -> None:
    """Spend the unit's action, or one of the extra actions of the first landing [3.3, 9.3]."""
    if has_acted(s, u):
        s.extra -= 1
        s.landed &= ~bit(u)
    else:
        s.acted |= bit(u)


def unfortify(s: ArnhemState, u: int) -> None:
    """Turn a fortified unit over, for good [5.4]."""
    s.fortified[u] = 0
