"""Battle of the Bulge: the pieces, the compiled map and the state [1.1, 1.2, 3.1 to 4.1, 7.15].

Pieces of a kind in a place are alike, so a position counts them. A *unit* is such a pile: all pieces of one side and
kind in one place, whether there are any or none.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from typing import TYPE_CHECKING

from salient.common.columns import Columns, one_of, place_in, whole
from salient.common.data import data_folder, data_hash, own_folder, read_rows
from salient.common.fields import hex_set
from salient.hexes.flood import compile_masks, spread
from salient.hexes.load import load_board
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import NO_HEXES, HexSet
from salient.kernel import Seat, State
from salient.kernel.state import cache, column, number, sequence, tally, word

if TYPE_CHECKING:
    from salient.games.bulge.survey import Survey

GAME_ID = "bulge"
AXIS, ALLIED = 0, 1
SIDES = (AXIS, ALLIED)
SEATS: tuple[Seat, ...] = ("axis", "allied")

# ---- 3.1 Board --------------------------------------------------------------------

_DATA = data_folder(__package__)
_OWN = own_folder(GAME_ID)
BOARD = load_board(_DATA, _OWN)
HEXES = len(BOARD)
WHOLE = (1 << HEXES) - 1 & ~BOARD.with_feature("partial")
CITIES = BOARD.with_feature("city")
POINTS = {h: int(value) for h, value in sorted(BOARD.zone_values["victory"].items())}
AXIS_START = mask_of(BOARD.zones["axis-start"])
EASTERN_SIDES = tuple(BOARD.grid.directions.index(direction) for direction in ("NE", "E", "SE"))


def _is_barred(a: int, b: int) -> bool:
    """Shaded water bars vehicles and guns unless a road bridges it [7.14]."""
    side = BOARD.side(a, b)
    return side is not None and side.kind == "river" and not BOARD.road(a, b)


AROUND = tuple(mask_of(BOARD.adjacent[h]) & WHOLE if WHOLE >> h & 1 else 0 for h in range(HEXES))
DRY = tuple(mask_of(n for n in bits(AROUND[h]) if not _is_barred(h, n)) for h in range(HEXES))
ROADS = tuple(mask_of(n for n in bits(AROUND[h]) if BOARD.road(h, n)) for h in range(HEXES))
EAST = tuple(
    mask_of(n for d in EASTERN_SIDES if (n := BOARD.neighbours[h][d]) >= 0) & WHOLE if WHOLE >> h & 1 else 0
    for h in range(HEXES)
)

# ---- 1.1, 4 Pieces ------------------------------------------------------------------

_PIECE_COLUMNS: Columns = dict.fromkeys(("attack", "air_attack", "stack_limit", "axis_pieces", "allied_pieces"), whole)
_PIECE_ROWS = read_rows(_DATA, "pieces.csv", "piece", _OWN, _PIECE_COLUMNS)
KINDS = tuple(row["piece"] for row in _PIECE_ROWS)
PIECE_NAMES = tuple(tuple(row[f"{seat}_name"] for row in _PIECE_ROWS) for seat in SEATS)
SYMBOLS = tuple(row["symbol"] for row in _PIECE_ROWS)
PIECE_SOURCE = tuple(row["source"] for row in _PIECE_ROWS)
INFANTRY, TANK, ARTILLERY, TRUCK, SUPPLY, FIGHTER, BOMBER = range(7)
COMBAT_KINDS = (INFANTRY, TANK, ARTILLERY)
GROUND_KINDS = (INFANTRY, TANK, ARTILLERY, TRUCK, SUPPLY)
CARGO = (INFANTRY, ARTILLERY, SUPPLY)  # 4.7.1
PLANES = (FIGHTER, BOMBER)
ATTACK = tuple(int(row["attack"]) for row in _PIECE_ROWS)
AIR_ATTACK = tuple(int(row["air_attack"]) for row in _PIECE_ROWS)
STACK_LIMITS = tuple(int(row["stack_limit"]) for row in _PIECE_ROWS)
STACK_LIMIT = 12  # 7.11
TRUCK_SPACES = 6  # 4.7.1

# ---- 3.4 Reinforcement charts ---------------------------------------------------------

CHARTS = tuple(sorted(BOARD.areas))
_AREA_ROADS = {row["area"]: row["roads"].split() for row in BOARD.rows["areas.csv"]}
CHART_SIDE = {chart: AXIS if BOARD.areas[chart].kind == "axis-edge" else ALLIED for chart in CHARTS}
EDGE = {chart: mask_of(BOARD.areas[chart].hexes) & WHOLE for chart in CHARTS}
ROAD_EDGE = tuple(
    mask_of(BOARD.index[label] for chart in CHARTS if CHART_SIDE[chart] == side for label in _AREA_ROADS[chart])
    for side in SIDES
)  # by side: where a road leads off the board to it

_FORMATION_COLUMNS: Columns = {
    "nation": one_of("axis", "us", "uk"), "chart": one_of(*CHARTS), "turn": whole,
    **dict.fromkeys(KINDS[:TRUCK + 1], whole),
}  # fmt: skip
_FORMATION_ROWS = read_rows(_DATA, "reinforcements.csv", "formation", _OWN, _FORMATION_COLUMNS)
FORMATIONS = tuple(row["formation"] for row in _FORMATION_ROWS)
FORMATION_NAMES = tuple(row["name"] for row in _FORMATION_ROWS)
FORMATION_CHART = tuple(row["chart"] for row in _FORMATION_ROWS)
FORMATION_SIDE = tuple(CHART_SIDE[chart] for chart in FORMATION_CHART)
FORMATION_TURN = tuple(int(row["turn"]) for row in _FORMATION_ROWS)
FORMATION_NATION = tuple(row["nation"] for row in _FORMATION_ROWS)
FORMATION_SOURCE = tuple(row["source"] for row in _FORMATION_ROWS)
FORMATION_PIECES = tuple(tuple(int(row[KINDS[kind]]) for kind in GROUND_KINDS[:4]) for row in _FORMATION_ROWS)
FORMATION_EDGE = tuple(EDGE[chart] for chart in FORMATION_CHART)
SIDE_FORMATIONS = tuple(tuple(f for f, owner in enumerate(FORMATION_SIDE) if owner == side) for side in SIDES)

# ---- places and units -------------------------------------------------------------------

PLACES = (*BOARD.labels, *FORMATIONS, "axis-base", "allied-base")
PLACE_COUNT = len(PLACES)
BASES = (PLACE_COUNT - 2, PLACE_COUNT - 1)  # the off-board areas [3.3]


def unit_id(side: int, kind: int, place: int) -> int:
    """The pile of a side's pieces of a kind in a place."""
    return (side * len(KINDS) + kind) * PLACE_COUNT + place


def side_of(unit: int) -> int:
    """The side of a pile."""
    return unit // PLACE_COUNT // len(KINDS)


def kind_of(unit: int) -> int:
    """The kind of a pile."""
    return unit // PLACE_COUNT % len(KINDS)


def place_of(unit: int) -> int:
    """The place of a pile."""
    return unit % PLACE_COUNT


UNITS = tuple(f"{seat}-{kind}-{place}" for seat in SEATS for kind in KINDS for place in PLACES)


def hex_piece(h: int) -> int:
    """A hex among all that can be named: it follows on the piles."""
    return len(UNITS) + h


def is_hex(piece: int) -> bool:
    """Whether something named is a hex and not a pile."""
    return piece >= len(UNITS)


def piece_hex(piece: int) -> int:
    """The hex that was named."""
    return piece - len(UNITS)


# ---- 3.2 Set-up -------------------------------------------------------------------------

_SETUP_COLUMNS: Columns = {
    "hex": place_in(BOARD.index), "side": one_of(*SEATS), **dict.fromkeys(KINDS[:SUPPLY + 1], whole)
}  # fmt: skip
_SETUP_ROWS = read_rows(_DATA, "setup.csv", "hex", _OWN, _SETUP_COLUMNS)
SETUP = tuple(
    (BOARD.index[row["hex"]], SEATS.index(row["side"]), tuple(int(row[KINDS[kind]]) for kind in GROUND_KINDS))
    for row in _SETUP_ROWS
)
SCENARIO = tomllib.loads((_DATA / "scenarios" / "historical.toml").read_text(encoding="utf-8"))
TURNS = int(SCENARIO["turns"])
TURN_COLOURS: tuple[str, ...] = tuple(SCENARIO["colours"])
SURPRISE_TURNS = int(SCENARIO["surprise_turns"])
FIRST_AIR_TURN = int(SCENARIO["first_air_turn"])
VICTORY_POINTS = int(SCENARIO["victory_points"])
SUPPLY_A_TURN = tuple(int(SCENARIO["supply"][seat]) for seat in SEATS)
OFF_BOARD = tuple(int(SCENARIO["off-board"][seat][KINDS[kind]]) for seat in SEATS for kind in range(TRUCK, BOMBER + 1))
DATA_HASH = data_hash([BOARD.data_hash], _PIECE_ROWS, _SETUP_ROWS, _FORMATION_ROWS, SCENARIO.items())


# Hexes with combat pieces, with any pieces, with supply and with trucks, each by side.
Masks = tuple[HexSet, HexSet, HexSet, HexSet, HexSet, HexSet, HexSet, HexSet]


class BulgeState(State):
    """A position of Battle of the Bulge."""

    ground: bytearray = tally(10 * HEXES)  # pieces on the board: (side * 5 + kind) * HEXES + hex
    charts: bytearray = tally(3 * len(FORMATION_PIECES))  # pieces on the charts: formation * 3 + kind
    base: list[int] = column(len(OFF_BOARD))  # trucks, supply and aircraft off the board: side * 4 + kind - TRUCK
    moved: bytearray = tally(4 * HEXES)  # pieces of the moving side that are done for this turn: kind * HEXES + hex
    aboard: bytearray = tally(3 * HEXES)  # what the moving side's trucks carry: place in CARGO * HEXES + hex
    planes: bytearray = tally(4 * HEXES)  # aircraft over the board: (side * 2 + kind - FIGHTER) * HEXES + hex
    totals: list[int] = column(2)  # by seat: victory points taken as the Axis in the games of a campaign [11.1]
    turn: int = number(1)
    control: HexSet = hex_set(AXIS_START)  # the hexes on the Axis side of the front line [9.1]
    attacked: HexSet = hex_set()  # the hexes that have attacked this turn [6.3]
    held: tuple[int, int, int] = sequence((0, 0, 0))  # units held back in the attack that is being declared [6.7]
    activated: HexSet = hex_set()  # the hexes activated for movement [7.3]
    parked: int = number()  # trucks of the moving side that left the board this turn [7.9]
    winner: str = word()
    aircraft: str = word()  # the option for aircraft shot down [5.6]
    preset: str = word()  # the option for the set-up [11.2]
    games: int = number(1)  # how many games the campaign has [11.1]
    game: int = number()  # the number of this game, from 0
    masks: Masks | None = cache()
    surveyed: Survey | None = cache()  # what the judge last counted
    judged: tuple[Survey, tuple[int, int, int], dict[str, float]] | None = cache()  # what the judge last found


# ---- counting ----------------------------------------------------------------------------


def count(s: BulgeState, side: int, kind: int, h: int) -> int:
    """How many ground pieces of a kind a side has in a hex."""
    return s.ground[(side * 5 + kind) * HEXES + h]


def counts(s: BulgeState, side: int, h: int) -> tuple[int, int, int, int, int]:
    """A side's pieces in a hex: infantry, tanks, artillery, trucks, supply."""
    pieces = s.ground[side * 5 * HEXES + h : (side * 5 + 5) * HEXES : HEXES]
    return (pieces[0], pieces[1], pieces[2], pieces[3], pieces[4])


def waiting(s: BulgeState, formation: int, kind: int) -> int:
    """How many pieces of a formation are still on the chart."""
    return s.charts[formation * 3 + kind]


def based(s: BulgeState, side: int, kind: int) -> int:
    """How many trucks, supply tokens or aircraft a side has off the board."""
    return s.base[side * 4 + kind - TRUCK]


def flying(s: BulgeState, side: int, kind: int, h: int) -> int:
    """How many aircraft of a kind a side has over a hex."""
    return s.planes[(side * 2 + kind - FIGHTER) * HEXES + h]


def unmoved(s: BulgeState, side: int, kind: int, h: int) -> int:
    """How many of the moving side's pieces in a hex have not moved this turn [7.10]."""
    return s.ground[(side * 5 + kind) * HEXES + h] - s.moved[kind * HEXES + h]


def size(s: BulgeState, unit: int) -> int:
    """How many pieces a pile holds."""
    side, kind, place = side_of(unit), kind_of(unit), place_of(unit)
    if place < HEXES:
        return flying(s, side, kind, place) if kind >= FIGHTER else count(s, side, kind, place)
    if place < BASES[0]:
        formation = place - HEXES
        return waiting(s, formation, kind) if kind < TRUCK and side == FORMATION_SIDE[formation] else 0
    return based(s, side, kind) if kind >= TRUCK and place == BASES[side] else 0


def piles(s: BulgeState) -> list[tuple[int, int]]:
    """The piles that hold pieces, in order, and how many each holds."""
    found = []
    for side in SIDES:
        for kind in range(len(KINDS)):
            first = unit_id(side, kind, 0)
            row = (side * 2 + kind - FIGHTER if kind >= FIGHTER else side * 5 + kind) * HEXES
            pieces = (s.planes if kind >= FIGHTER else s.ground)[row : row + HEXES]
            found += [(first + h, n) for h, n in enumerate(pieces) if n]
            if kind < TRUCK:
                found += [(first + HEXES + f, n) for f in SIDE_FORMATIONS[side] if (n := waiting(s, f, kind))]
            elif n := based(s, side, kind):
                found.append((first + BASES[side], n))
    return found


# ---- hexes by what stands in them ----------------------------------------------------------


_IS_THERE = b"0" + b"1" * 255


def hexes_with(pieces: bytes | bytearray) -> HexSet:
    """The hexes of a row, one entry per hex, in which there is anything."""
    return HexSet(int(pieces.translate(_IS_THERE)[::-1], 2))


def _masks(s: BulgeState) -> Masks:
    masks = s.masks
    if masks is None:
        found = []
        for kinds in (COMBAT_KINDS, GROUND_KINDS, (SUPPLY,), (TRUCK,)):
            for side in SIDES:
                hexes = NO_HEXES
                for kind in kinds:
                    row = (side * 5 + kind) * HEXES
                    hexes |= hexes_with(s.ground[row : row + HEXES])
                found.append(hexes)
        masks = s.masks = (found[0], found[1], found[2], found[3], found[4], found[5], found[6], found[7])
    return masks


def has_stale_masks(s: BulgeState) -> bool:
    """Whether the hexes remembered are not those of the pieces."""
    fresh = s.clone()
    fresh.masks = None
    return _masks(s) != _masks(fresh)


def fighting(s: BulgeState, side: int) -> HexSet:
    """The hexes with infantry, tanks or artillery of a side, as bits."""
    return (s.masks or _masks(s))[side]


def present(s: BulgeState, side: int) -> HexSet:
    """The hexes with any ground piece of a side, as bits."""
    return (s.masks or _masks(s))[2 + side]


def stores(s: BulgeState, side: int) -> HexSet:
    """The hexes with supply tokens of a side, as bits."""
    return (s.masks or _masks(s))[4 + side]


def truck_hexes(s: BulgeState, side: int) -> HexSet:
    """The hexes with trucks of a side, as bits."""
    return (s.masks or _masks(s))[6 + side]


def owned(s: BulgeState, side: int) -> HexSet:
    """The hexes on a side's side of the front line, as bits [9.1]."""
    return s.control if side == AXIS else WHOLE & ~s.control


# ---- 4.1 Zones of control --------------------------------------------------------------------


OPEN_SIDES = compile_masks(BOARD, lambda a, b: bool(AROUND[a] >> b & 1))


@lru_cache(maxsize=1 << 15)
def around(hexes: int) -> int:
    """The hexes next to some hexes, as bits."""
    return spread(hexes, OPEN_SIDES)


def zone_of_control(s: BulgeState, side: int) -> int:
    """The hexes next to a side's infantry, tanks and artillery, as bits."""
    return around(fighting(s, side))


# ---- 7.11 Stacking ------------------------------------------------------------------------------


def stack_size(s: BulgeState, side: int, h: int) -> int:
    """How many units a hex counts: all supply tokens together are one."""
    return stacked(counts(s, side, h))


def stacked(pieces: tuple[int, ...]) -> int:
    """How many units such pieces count in a hex."""
    return pieces[0] + pieces[1] + pieces[2] + pieces[3] + (1 if pieces[4] else 0)


def room(s: BulgeState, side: int, kind: int, h: int) -> int:
    """How many more pieces of a kind a hex can hold within the limits."""
    left = STACK_LIMIT - stack_size(s, side, h)
    return max(0, min(left, STACK_LIMITS[kind] - count(s, side, kind, h)))


# ---- moving pieces ---------------------------------------------------------------------------------


def put(s: BulgeState, side: int, kind: int, h: int, n: int) -> None:
    """The one way the number of ground pieces in a hex changes."""
    row = (side * 5 + kind) * HEXES
    before = s.ground[row + h]
    s.ground[row + h] = before + n
    if s.masks is not None and not (before and before + n):
        pieces = counts(s, side, h)
        masks, here = list(s.masks), 1 << h
        holds = (pieces[0] or pieces[1] or pieces[2], any(pieces), pieces[SUPPLY], pieces[TRUCK])
        for i, held in zip((side, 2 + side, 4 + side, 6 + side), holds, strict=True):
            masks[i] = masks[i] | here if held else masks[i] & ~here
        s.masks = (masks[0], masks[1], masks[2], masks[3], masks[4], masks[5], masks[6], masks[7])


def mark_moved(s: BulgeState, kind: int, h: int, n: int) -> None:
    """Note that pieces now in a hex are done for this turn [7.10]."""
    s.moved[kind * HEXES + h] += n


def change_base(s: BulgeState, side: int, kind: int, n: int) -> None:
    """Add to or take from what a side has off the board."""
    s.base[side * 4 + kind - TRUCK] += n


def fly(s: BulgeState, side: int, kind: int, h: int, n: int) -> None:
    """Aircraft arrive over a hex or leave it."""
    s.planes[(side * 2 + kind - FIGHTER) * HEXES + h] += n


# ---- 11.1 Seats ---------------------------------------------------------------------------------------


def seat_of(s: BulgeState, side: int) -> Seat:
    """Who commands a side: seats exchange sides from game to game of a campaign."""
    return SEATS[side ^ (s.game & 1)]


def side_at(s: BulgeState, seat: Seat) -> int:
    """The side that a seat commands in this game."""
    return SEATS.index(seat) ^ (s.game & 1)
