"""Target Arnhem: the pieces, the compiled map and the state [1.1, 2.1 to 2.3a], and who may act [3.1, 3.3]."""

from __future__ import annotations

import tomllib

from salient.common.data import data_folder, data_hash, own_folder, read_rows
from salient.common.fields import HexSet, UnitSet, clear_marks, hex_set, unit_set
from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.hexes.flood import compile_masks
from salient.hexes.load import load_board
from salient.hexes.masks import bit, mask_of
from salient.kernel import Refusal, State
from salient.kernel.state import cache, column, number, word

GAME_ID = "target-arnhem"

# ---- 2.1 Map --------------------------------------------------------------------

_DATA = data_folder(__package__)
_OWN = own_folder(GAME_ID)
BOARD = load_board(_DATA, _OWN)
HEXES = len(BOARD)
AREAS = tuple(sorted(BOARD.areas))
PLACES = (*BOARD.labels, *AREAS, "waiting", "eliminated")  # where a unit can be
WAITING = HEXES + len(AREAS)
ELIMINATED = WAITING + 1
ENTRY = BOARD.index["0103"]
ARNHEM = BOARD.index["1504"]
AREA_P = HEXES + AREAS.index("P")
AREA_P_CLOSES = 4  # turn [4.2b]
RED_ROAD = mask_of(BOARD.zones["red-road"])

FOREST = mask_of(h for h in range(HEXES) if BOARD.terrain[h] == "forest")
TOWN = mask_of(h for h in range(HEXES) if "town" in BOARD.features[h])


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
OFF_ROAD = compile_masks(BOARD, lambda a, b: bool(OFF_ROAD_STEPS[a] >> b & 1))

AREA_HEXES = {HEXES + i: mask_of(BOARD.areas[name].hexes) for i, name in enumerate(AREAS)}
AREA_LINKS = {
    HEXES + i: tuple(sorted(HEXES + AREAS.index(x) for x in BOARD.areas[a].areas)) for i, a in enumerate(AREAS)
}
ROAD_EXITS = {  # by area: the hexes whose roads run into it, as bits
    HEXES + AREAS.index(row["area"]): mask_of(BOARD.index[label] for label in row["roads"].split())
    for row in BOARD.rows["areas.csv"]
}

# ---- 2.2 Counters -----------------------------------------------------------------

_UNIT_ROWS = read_rows(_DATA, "units.csv", "unit", _OWN)
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
POLES = UNITS.index("PP")
SIDE_UNITS = tuple(tuple(u for u in range(len(UNITS)) if SIDE[u] == side) for side in (ALLIED, GERMAN))

# ---- 7.4 Supply pools ---------------------------------------------------------------

POOLS = ("wehrmacht", "ss", "1abn", "82abn", "101abn", "xxx")
WEHRMACHT, SS, FIRST_AIRBORNE, _, _, XXX = range(len(POOLS))
DIVISIONS = (2, 3, 4)  # the pools that belong to airborne divisions
POOL = tuple(POOLS.index(row["pool"]) for row in _UNIT_ROWS)

# ---- 2.3b Combat table ----------------------------------------------------------------

_TABLE_ROWS = read_rows(_DATA, "tables/combat.csv", "die", _OWN)
COLUMNS = tuple(name for name in _TABLE_ROWS[0] if ":" in name)
RATIOS = tuple((int(a), int(b)) for a, b in (name.split(":") for name in COLUMNS))
TABLE = tuple(
    tuple((int(row[name].split("/")[0]), int(row[name].split("/")[1])) for row in _TABLE_ROWS) for name in COLUMNS
)  # TABLE[column][die - 1] = (attacker's damage, defender's damage)

SCENARIO = tomllib.loads((_DATA / "scenarios" / "historical.toml").read_text(encoding="utf-8"))
TURNS = int(SCENARIO["turns"])
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
    occupied: tuple[int, int] | None = cache()


def occupied(s: ArnhemState, side: int) -> int:
    """The hexes that hold units of a side, as bits."""
    if s.occupied is None:
        masks = [0, 0]
        for u, place in enumerate(s.where):
            if place < HEXES:
                masks[SIDE[u]] |= 1 << place
        s.occupied = (masks[0], masks[1])
    return s.occupied[side]


def units_at(s: ArnhemState, place: int, side: int) -> list[int]:
    """The units of a side in a hex or area, ascending."""
    return [u for u in SIDE_UNITS[side] if s.where[u] == place]


def put(s: ArnhemState, u: int, place: int) -> None:
    """The one way a unit changes its place."""
    s.where[u] = place
    s.occupied = None


def eliminate(s: ArnhemState, u: int) -> None:
    """Take a unit off the map for good."""
    put(s, u, ELIMINATED)
    s.damage[u] = s.fortified[u] = 0
    clear_marks(s, u)


def has_acted(s: ArnhemState, u: int) -> bool:
    """Whether the unit has had its action of this impulse [3.3]."""
    return bool(s.acted >> u & 1)


def refuse_unit(s: ArnhemState, u: int) -> Refusal | None:
    """Why a unit has no action now [3.1, 3.3]."""
    if s.where[u] == ELIMINATED:
        return Refusal("3.4", "is-eliminated", unit=u)
    if s.where[u] == WAITING:
        return Refusal("8", "has-not-arrived", unit=u)
    if s.impulse == 3 and not VEHICLE[u]:
        return Refusal("3.1", "vehicles-only", unit=u)
    if has_acted(s, u) and not (s.landed >> u & 1 and s.extra > 0):
        return Refusal("3.3", "acted-already", unit=u)
    return None


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
