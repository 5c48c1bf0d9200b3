"""Ardennes '44: chapters 9 and 10, zones of control and their bonds, and where units may go (11.10, 27.3, 29)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from salient.common.bars import Bar, refusal
from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import hex_sets, occupied
from salient.games.ardennes44.model import (
    ALL_AREAS,
    ALL_HEXES,
    AREA,
    AREAS,
    ARMY_ZONE,
    BIT,
    BOARD,
    BRITISH,
    BRITISH_GROUND,
    COLOUR,
    COLUMN,
    FORMATION,
    HEXES,
    LAST_COLUMN,
    LAST_ROW,
    NEIGHBOURS,
    REAR,
    REMNANT,
    RIVER,
    ROADS,
    ROUGH,
    ROW,
    SIDE,
    WEST_MAP,
    WEST_OF_MEUSE,
    WEST_SHEET,
    ArdennesState,
    Shut,
    east_only,
    marked,
    shut_of,
    without,
)
from salient.hexes.bridges import Pair
from salient.hexes.flood import spread
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import NO_HEXES, NO_UNITS, HexSet
from salient.kernel import Refusal

# ---- 9.1, 9.3 Zones of control ------------------------------------------------------------


_ROUGH_HEXES = frozenset(bits(ROUGH))


def rough_side(a: int, b: int) -> bool:
    """Whether a hexside belongs to a rough-woods hex [11.6]."""
    return a in _ROUGH_HEXES or b in _ROUGH_HEXES


_PROFILE_WAYS = without(
    NEIGHBOURS, shut_of((a, b) for a in _ROUGH_HEXES for b in BOARD.adjacent[a] if (a, b) not in ROADS)
)


@lru_cache(maxsize=1 << 14)
def zone_of(solid: int, profile: int) -> int:
    """The zone of sources without and with a silhouette, as bits."""
    return spread(solid, NEIGHBOURS) | spread(profile & ~solid, _PROFILE_WAYS)


def zone(s: ArdennesState, side: int) -> int:
    """The hexes in the zones of control of a side, as bits: silhouettes have none into or out of rough-woods [9.3]."""
    _, solid, profile = hex_sets(s, side)[:3]
    return zone_of(solid, profile)


@lru_cache(maxsize=1 << 12)
def next_to(mask: int) -> int:
    """The hexes next to some hexes, whatever lies between, as bits."""
    return spread(mask, NEIGHBOURS)


def binding_zone(s: ArdennesState, side: int) -> HexSet:
    """The enemy's zone where no friend lifts it, for retreats and supply [9.4, 17.1, 23.3]."""
    return zone(s, 1 - side) & ~occupied(s, side)


# ---- 10 Bonds --------------------------------------------------------------------------------


class Bonds(NamedTuple):
    """What a side's bonds close to the enemy: hexes as bits, the hexes that hexsides touch, and these hexsides."""

    hexes: int
    touched: int
    shut: Shut
    lines: frozenset[Pair] = frozenset()  # what else bars a step, in one direction: army boundaries [11.10.1]

    @property
    def sides(self) -> frozenset[Pair]:
        """The hexsides that cannot be crossed, in both directions."""
        return _sides(self.shut, self.lines)


@lru_cache(maxsize=1 << 12)
def _sides(shut: Shut, lines: frozenset[Pair]) -> frozenset[Pair]:
    pairs = [(low, low + shift) for shift, lower in shut for low in bits(lower)]
    return lines.union(pairs, [(b, a) for a, b in pairs])


NO_BONDS = Bonds(0, 0, ())
Known = tuple[
    tuple[HexSet, ...], HexSet, Bonds
]  # the marks of a side, the hexes of its enemies, and what follows from them
NOT_LOOKED: Known = ((), NO_HEXES, NO_BONDS)


def _barrier(a: int, b: int) -> bool:
    return (a, b) in RIVER or rough_side(a, b)


def _silhouettes_pass(a: int, b: int) -> bool:
    return not rough_side(a, b) or (a, b) in ROADS


def _is_straight(a: int, m: int, b: int) -> bool:
    return BOARD.direction(a, m) == BOARD.direction(m, b)


class Between(NamedTuple):
    """The hexes between the ends of spans that lie alike."""

    first: int  # their index, counted from the lower end
    second: int  # and counted from the upper end
    dry: int  # those through which a bond may run, as bits [10.5.2]


class Span(NamedTuple):
    """Pairs of hexes that may bond and lie alike: straight ahead with one hex between, or askew with two [10.5.1]."""

    between: tuple[Between, ...]
    apart: int  # how much higher the second hex between is; 0 if there is one


def _pairs_to_bond() -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """The lower end, the upper end and the hexes between."""
    for a in range(HEXES):
        found: dict[int, list[int]] = {}
        for m in BOARD.adjacent[a]:
            for b in BOARD.adjacent[m]:
                if b > a and b not in BOARD.adjacent[a]:
                    found.setdefault(b, []).append(m)
        for b, hexes in found.items():
            if len(hexes) == 2 or _is_straight(a, hexes[0], b):
                yield a, b, tuple(sorted(hexes))


@cache
def _spans() -> tuple[Span, ...]:
    """All pairs of hexes that may bond, those that lie alike together."""
    alike: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    for a, b, hexes in _pairs_to_bond():
        alike.setdefault((b - a, tuple(m - a for m in hexes)), []).append(a)
    return tuple(
        Span(tuple(_between(lower, length, offset) for offset in offsets), offsets[-1] - offsets[0])
        for (length, offsets), lower in alike.items()
    )


def _between(lower: list[int], length: int, offset: int) -> Between:
    dry = [a for a in lower if not (_barrier(a, a + offset) and _barrier(a + offset, a + length))]
    return Between(offset, offset - length, mask_of(a + offset for a in dry))


@cache
def _passes() -> tuple[tuple[int, int], ...]:
    """By how much higher or lower a neighbour is: the hexes whence silhouettes reach it, as bits [10.5.3]."""
    found: dict[int, int] = {}
    for a in range(HEXES):
        for b in BOARD.adjacent[a]:
            found[b - a] = found.get(b - a, 0) | (BIT[a] if _silhouettes_pass(a, b) else 0)
    return tuple(found.items())


def _height(h: int) -> int:
    return 2 * ROW[h] + COLUMN[h] % 2


def _edge_sides(a: int, last_column: int) -> dict[str, list[Pair]]:
    """By edge: the hexsides between a hex and the edge of the map that it bonds with [10.6]."""
    found: dict[str, list[Pair]] = {"east": [], "west": [], "south": [], "north": []}
    around = [h for h in BOARD.adjacent[a] if COLUMN[h] <= last_column]
    for m in around:
        for n in around:
            if m < n and n in BOARD.adjacent[m]:
                column = COLUMN[m] + COLUMN[n] - COLUMN[a]
                row = (_height(m) + _height(n) - _height(a) - column % 2) // 2
                edge = _edge(column, row, last_column)
                if edge:
                    found[edge].append((m, n))
    return found


def _edge(column: int, row: int, last_column: int) -> str:
    if column < 1:
        return "east"
    if column > last_column:
        return "west"
    return "south" if row < 1 else "north" if row > LAST_ROW else ""


@lru_cache(maxsize=4)
def _edge_bonds(side: int, last_column: int) -> tuple[dict[int, tuple[Pair, ...]], int]:
    edges = ("east",) if side == GERMAN else ("south", "west", "north")
    table = {}
    for a in range(HEXES):
        inland = 2 < COLUMN[a] < last_column - 1 and 2 < ROW[a] < LAST_ROW - 1
        if COLUMN[a] <= last_column and not inland:
            sides = _edge_sides(a, last_column)
            if pairs := tuple(pair for edge in edges for pair in sides[edge]):
                table[a] = pairs
    return table, sum(1 << a for a in table)


@lru_cache(maxsize=1 << 13)
def _bonds(side: int, solid: int, profile: int, enemies: int, last_column: int) -> Bonds:
    """The bonds of a side against enemies in hexes that matter: none through an enemy [10.5.2]."""
    hexes, shut = 0, dict[int, int]()
    ends, free = solid | profile, ALL_HEXES & ~enemies
    into = {}  # by direction: the hexes without enemies into which a bond runs from an end
    for offset, passes in _passes():
        whence = solid | profile & passes
        into[offset] = (whence << offset if offset > 0 else whence >> -offset) & free
    for between, apart in _spans():
        first, second, dry = between[0]
        drawn = into[first] & into[second] & dry
        if apart:
            first, second, dry = between[1]
            drawn |= (into[first] & into[second] & dry) >> apart
            shut[apart] = shut.get(apart, 0) | drawn
        else:
            hexes |= drawn
    table, along = _edge_bonds(side, last_column)
    for m, n in [pair for a in bits(ends & along) for pair in table[a]]:
        if free & (BIT[m] | BIT[n]):
            shut[n - m] = shut.get(n - m, 0) | BIT[m]
    touched = 0
    for shift, low in shut.items():
        touched |= low | low << shift
    return Bonds(hexes, touched, tuple((shift, low) for shift, low in shut.items() if low))


def bonds(s: ArdennesState, side: int) -> Bonds:
    """The bonds of a side as they stand now; those of both sides may cross [10.1, 10.3, 10.4]."""
    own, enemies = hex_sets(s, side), occupied(s, 1 - side)
    known = s.bonds
    if known and known[side][0] is own and known[side][1] is enemies:
        return known[side][2]
    solid, profile = own[3:5]
    last = WEST_SHEET - 1 if east_only(s) else LAST_COLUMN
    found = _bonds(side, solid, profile, enemies & next_to(solid | profile), last)
    fresh, other = (own, enemies, found), known[1 - side] if known else NOT_LOOKED
    s.bonds = (fresh, other) if side == ALLIED else (other, fresh)
    return found


def crosses_bond(found: Bonds, a: int, b: int) -> bool:
    """Whether a step enters a bonded hex or crosses a bonded hexside [10.2]."""
    return bool(found.hexes >> b & 1) or (a, b) in found.sides


# ---- 11.10, 27.3, 29 Where units may go ------------------------------------------------------------

BOUNDARIES_UNTIL = 5  # 11.10.1
BRITISH_FREE = 29  # 27.3.2


_SECTOR = {h: army for army, mask in ARMY_ZONE.items() for h in bits(mask)}
_LINES = tuple(
    (a, b) for a in _SECTOR for b in BOARD.adjacent[a] if b in _SECTOR and _SECTOR[a] != _SECTOR[b]
)  # the hexsides of the boundaries, in both directions


def army_of(s: ArdennesState, u: int) -> str:
    """The army of a German unit, of a split unit that of its parent."""
    return COLOUR[s.parent[u] if s.parent[u] >= 0 else u]


@lru_cache(maxsize=8)
def _lines_against(army: str) -> frozenset[Pair]:
    """The boundary hexsides that an army may not cross: all but those on the way back into its own sector."""
    return frozenset((a, b) for a, b in _LINES if _SECTOR[b] != army)


def boundaries(s: ArdennesState, u: int) -> frozenset[Pair]:
    """The hexsides that a German unit may not cross before turn 5 [11.10.1]."""
    return _lines_against(army_of(s, u)) if SIDE[u] == GERMAN and s.turn < BOUNDARIES_UNTIL else frozenset()


def is_driven_across(s: ArdennesState, u: int, way: Iterable[int]) -> bool:
    """Whether a way leads a German unit out of its army's sector over a boundary before turn 5 [11.10.2]."""
    lines = boundaries(s, u) if army_of(s, u) in ARMY_ZONE and not REMNANT[u] else frozenset()
    return any(pair in lines for pair in pairwise(way))


def is_home(s: ArdennesState, u: int, way: Iterable[int]) -> bool:
    """Whether a way leads a German unit through its own army's sector [11.10.2]."""
    own = ARMY_ZONE.get(army_of(s, u), 0)
    return any(own >> h & 1 for h in way)


@lru_cache(maxsize=1 << 12)
def _with_boundaries(enemy: Bonds, lines: frozenset[Pair]) -> Bonds:
    touched = enemy.touched
    for a, _ in lines:
        touched |= 1 << a
    return enemy._replace(lines=lines, touched=touched)


def barred(s: ArdennesState, u: int) -> Bonds:
    """What a unit's movement may not cross: enemy bonds and army boundaries [10.2, 11.10.1]."""
    lines = boundaries(s, u)
    enemy = bonds(s, 1 - SIDE[u])
    return _with_boundaries(enemy, lines) if lines else enemy


def refuse_boundary(s: ArdennesState, u: int, h: int) -> Refusal | None:
    """Whether a line separates a unit from a hex [11.10.1]."""
    here, there = _SECTOR.get(s.where[u]), _SECTOR.get(h)
    if not boundaries(s, u) or here is None or there in (None, here, army_of(s, u)):
        return None
    return Refusal("11.10.1", "army-boundary", unit=u, hex=h)


def is_over_meuse(s: ArdennesState) -> bool:
    """Whether Germans have crossed the Meuse [27.3.2]."""
    return bool(s.meuse) or bool(occupied(s, GERMAN) & WEST_OF_MEUSE)


def british_are_held(s: ArdennesState, u: int) -> bool:
    """Whether a British unit must stay west of the Meuse on the West map [27.3.1, 27.3.2]."""
    if not BRITISH[u]:
        return False
    released = s.turn >= BRITISH_FREE or is_over_meuse(s)
    return not (FORMATION[u] == "29Arm" and released)


def closed_to_british(s: ArdennesState, u: int) -> int:
    """The hexes in which a British unit may not be, as bits; none for others [27.3.1]."""
    return ALL_HEXES & ~BRITISH_GROUND if british_are_held(s, u) else 0


def out_of_bounds(s: ArdennesState, u: int) -> int:
    """The hexes that command forbids a unit to enter, as bits."""
    closed = WEST_MAP if east_only(s) else 0
    if SIDE[u] == ALLIED:
        closed |= closed_to_british(s, u)
        if FORMATION[u] == "106" and AREAS["18vg"] & occupied(s, GERMAN):
            closed |= AREAS["18vg"]
        return closed
    if s.turn == 1:
        closed |= (ALL_AREAS | REAR) & ~AREAS.get(AREA[u], 0)
    return closed


HELD_ON_TURN_1: Bar[ArdennesState] = Bar(  # no night follows turn 1
    "29.1.1", "held-on-turn-1", lambda s, units: units & marked(s, "red") if s.turn == 1 else NO_UNITS
)


def refuse_held(s: ArdennesState, u: int) -> Refusal | None:
    """Why a unit with a red mark does nothing of its own on the first turn [29.1.1]."""
    return refusal(s, u, (HELD_ON_TURN_1,))


def refuse_ground(s: ArdennesState, u: int, h: int) -> Refusal | None:
    """Why a unit may not enter a hex for reasons of command."""
    if not out_of_bounds(s, u) >> h & 1:
        return None
    if east_only(s) and WEST_MAP >> h & 1:
        return Refusal("S2.3", "east-map-only", hex=h)
    if SIDE[u] == ALLIED:
        if BRITISH[u]:
            return Refusal("27.3.1", "west-of-meuse", unit=u, hex=h)
        return Refusal("29.4", "not-into-18vg", unit=u, hex=h)
    return Refusal("29.1.2", "divisional-area", unit=u, hex=h)
