"""Battle of the Bulge: the state, how pieces are counted and moved, and who commands a side [4.1, 7.11, 11.1]."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from salient.common.fields import hex_set
from salient.games.bulge.components import (
    AXIS,
    COMBAT_KINDS,
    FIGHTER,
    GROUND_KINDS,
    KINDS,
    SEATS,
    SIDES,
    SUPPLY,
    TRUCK,
    Data,
    Formations,
    Ground,
    Tables,
    Units,
)
from salient.hexes.flood import spread
from salient.hexes.sets import NO_HEXES, HexSet, UnitId
from salient.kernel import Seat, State
from salient.kernel.state import cache, column, number, part, sequence, tally, word

if TYPE_CHECKING:
    from salient.games.bulge.survey import Survey

STACK_LIMIT = 12  # 7.11
TRUCK_SPACES = 6  # 4.7.1

# Hexes with combat pieces, with any pieces, with supply and with trucks, each by side.
Masks = tuple[HexSet, HexSet, HexSet, HexSet, HexSet, HexSet, HexSet, HexSet]


def by_hex(numbers: int) -> Callable[[Data], int]:
    """The length of a row of some numbers for each hex."""
    return lambda data: numbers * data.ground.hexes


class BulgeState(State):
    """A position of Battle of the Bulge."""

    units: Units = part()
    ground: Ground = part()
    formations: Formations = part()
    tables: Tables = part()
    pieces: bytearray = tally(by_hex(10))  # on the board: (side * 5 + kind) * hexes + hex
    charts: bytearray = tally(lambda data: 3 * data.formations.count)  # pieces on the charts: formation * 3 + kind
    base: list[int] = column(8)  # trucks, supply and aircraft off the board: side * 4 + kind - TRUCK
    moved: bytearray = tally(by_hex(4))  # pieces of the moving side that are done for this turn: kind * hexes + hex
    aboard: bytearray = tally(by_hex(3))  # what the moving side's trucks carry: place in CARGO * hexes + hex
    planes: bytearray = tally(by_hex(4))  # aircraft over the board: (side * 2 + kind - FIGHTER) * hexes + hex
    totals: list[int] = column(2)  # by seat: victory points taken as the Axis in the games of a campaign [11.1]
    turn: int = number(1)
    control: HexSet = hex_set(lambda data: data.ground.axis_start)  # the hexes on the Axis side of the front line [9.1]
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
    return s.pieces[(side * 5 + kind) * s.ground.hexes + h]


def counts(s: BulgeState, side: int, h: int) -> tuple[int, int, int, int, int]:
    """A side's pieces in a hex: infantry, tanks, artillery, trucks, supply."""
    hexes = s.ground.hexes
    pieces = s.pieces[side * 5 * hexes + h : (side * 5 + 5) * hexes : hexes]
    return (pieces[0], pieces[1], pieces[2], pieces[3], pieces[4])


def waiting(s: BulgeState, formation: int, kind: int) -> int:
    """How many pieces of a formation are still on the chart."""
    return s.charts[formation * 3 + kind]


def based(s: BulgeState, side: int, kind: int) -> int:
    """How many trucks, supply tokens or aircraft a side has off the board."""
    return s.base[side * 4 + kind - TRUCK]


def flying(s: BulgeState, side: int, kind: int, h: int) -> int:
    """How many aircraft of a kind a side has over a hex."""
    return s.planes[(side * 2 + kind - FIGHTER) * s.ground.hexes + h]


def unmoved(s: BulgeState, side: int, kind: int, h: int) -> int:
    """How many of the moving side's pieces in a hex have not moved this turn [7.10]."""
    hexes = s.ground.hexes
    return s.pieces[(side * 5 + kind) * hexes + h] - s.moved[kind * hexes + h]


def size(s: BulgeState, unit: UnitId) -> int:
    """How many pieces a pile holds."""
    units, ground = s.units, s.ground
    side, kind, place = units.side[unit], units.kind[unit], units.place[unit]
    if place < ground.hexes:
        return flying(s, side, kind, place) if kind >= FIGHTER else count(s, side, kind, place)
    if place in ground.boxes:
        formation = place - ground.hexes
        return waiting(s, formation, kind) if kind < TRUCK and side == s.formations.side[formation] else 0
    return based(s, side, kind) if kind >= TRUCK and place == ground.bases[side] else 0


def piles(s: BulgeState) -> list[tuple[UnitId, int]]:
    """The piles that hold pieces, in order, and how many each holds."""
    found, ground, hexes = [], s.ground, s.ground.hexes
    for side in SIDES:
        for kind in range(len(KINDS)):
            units = s.units.piles[side][kind]
            row = (side * 2 + kind - FIGHTER if kind >= FIGHTER else side * 5 + kind) * hexes
            pieces = (s.planes if kind >= FIGHTER else s.pieces)[row : row + hexes]
            found += [(units[h], n) for h, n in enumerate(pieces) if n]
            if kind < TRUCK:
                formations = s.formations.of_side[side]
                found += [(units[ground.boxes[f]], n) for f in formations if (n := waiting(s, f, kind))]
            elif n := based(s, side, kind):
                found.append((units[ground.bases[side]], n))
    return found


# ---- hexes by what stands in them ----------------------------------------------------------


_IS_THERE = b"0" + b"1" * 255


def hexes_with(pieces: bytes | bytearray) -> HexSet:
    """The hexes of a row, one entry per hex, in which there is anything."""
    return HexSet(int(pieces.translate(_IS_THERE)[::-1], 2))


def _masks(s: BulgeState) -> Masks:
    masks = s.masks
    if masks is None:
        found, hexes = [], s.ground.hexes
        for kinds in (COMBAT_KINDS, GROUND_KINDS, (SUPPLY,), (TRUCK,)):
            for side in SIDES:
                held = NO_HEXES
                for kind in kinds:
                    row = (side * 5 + kind) * hexes
                    held |= hexes_with(s.pieces[row : row + hexes])
                found.append(held)
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
    return s.control if side == AXIS else s.ground.whole & ~s.control


# ---- 4.1 Zones of control --------------------------------------------------------------------


@lru_cache(maxsize=1 << 15)
def around(ground: Ground, hexes: int) -> int:
    """The hexes next to some hexes, as bits."""
    return spread(hexes, ground.open_sides)


def zone_of_control(s: BulgeState, side: int) -> int:
    """The hexes next to a side's infantry, tanks and artillery, as bits."""
    return around(s.ground, fighting(s, side))


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
    return max(0, min(left, s.units.stack_limit[kind] - count(s, side, kind, h)))


# ---- moving pieces ---------------------------------------------------------------------------------


def put(s: BulgeState, side: int, kind: int, h: int, n: int) -> None:
    """The one way the number of ground pieces in a hex changes."""
    row = (side * 5 + kind) * s.ground.hexes
    before = s.pieces[row + h]
    s.pieces[row + h] = before + n
    if s.masks is not None and not (before and before + n):
        pieces = counts(s, side, h)
        masks, here = list(s.masks), 1 << h
        holds = (pieces[0] or pieces[1] or pieces[2], any(pieces), pieces[SUPPLY], pieces[TRUCK])
        for i, held in zip((side, 2 + side, 4 + side, 6 + side), holds, strict=True):
            masks[i] = masks[i] | here if held else masks[i] & ~here
        s.masks = (masks[0], masks[1], masks[2], masks[3], masks[4], masks[5], masks[6], masks[7])


def mark_moved(s: BulgeState, kind: int, h: int, n: int) -> None:
    """Note that pieces now in a hex are done for this turn [7.10]."""
    s.moved[kind * s.ground.hexes + h] += n


def change_base(s: BulgeState, side: int, kind: int, n: int) -> None:
    """Add to or take from what a side has off the board."""
    s.base[side * 4 + kind - TRUCK] += n


def fly(s: BulgeState, side: int, kind: int, h: int, n: int) -> None:
    """Aircraft arrive over a hex or leave it."""
    s.planes[(side * 2 + kind - FIGHTER) * s.ground.hexes + h] += n


# ---- 11.1 Seats ---------------------------------------------------------------------------------------


def seat_of(s: BulgeState, side: int) -> Seat:
    """Who commands a side: seats exchange sides from game to game of a campaign."""
    return SEATS[side ^ (s.game & 1)]


def side_at(s: BulgeState, seat: Seat) -> int:
    """The side that a seat commands in this game."""
    return SEATS.index(seat) ^ (s.game & 1)
