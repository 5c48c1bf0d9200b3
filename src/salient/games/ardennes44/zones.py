"""Ardennes '44: chapters 9 and 10, zones of control and their bonds, and where units may go (11.10, 27.3, 29)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from salient.common.bars import Bar, refusal
from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import hex_sets, occupied
from salient.games.ardennes44.components import WEST_SHEET, Ground
from salient.games.ardennes44.model import ArdennesState, east_only, marked
from salient.hexes.bridges import Pair
from salient.hexes.flood import Shut, spread
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import NO_HEXES, NO_UNITS, HexSet, UnitId
from salient.kernel import Refusal

# ---- 9.1, 9.3 Zones of control ------------------------------------------------------------


def rough_side(ground: Ground, a: int, b: int) -> bool:
    """Whether a hexside belongs to a rough-woods hex [11.6]."""
    return a in ground.rough_hexes or b in ground.rough_hexes


@lru_cache(maxsize=1 << 14)
def zone_of(ground: Ground, solid: int, profile: int) -> int:
    """The zone of sources without and with a silhouette, as bits."""
    return spread(solid, ground.neighbours) | spread(profile & ~solid, ground.profile_ways)


def zone(s: ArdennesState, side: int) -> int:
    """The hexes in the zones of control of a side, as bits: silhouettes have none into or out of rough-woods [9.3]."""
    _, solid, profile = hex_sets(s, side)[:3]
    return zone_of(s.ground, solid, profile)


@lru_cache(maxsize=1 << 12)
def next_to(ground: Ground, mask: int) -> int:
    """The hexes next to some hexes, whatever lies between, as bits."""
    return spread(mask, ground.neighbours)


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


def _barrier(ground: Ground, a: int, b: int) -> bool:
    return (a, b) in ground.river or rough_side(ground, a, b)


def _silhouettes_pass(ground: Ground, a: int, b: int) -> bool:
    return not rough_side(ground, a, b) or (a, b) in ground.roads


def _is_straight(ground: Ground, a: int, m: int, b: int) -> bool:
    return ground.board.direction(a, m) == ground.board.direction(m, b)


class Between(NamedTuple):
    """The hexes between the ends of spans that lie alike."""

    first: int  # their index, counted from the lower end
    second: int  # and counted from the upper end
    dry: int  # those through which a bond may run, as bits [10.5.2]


class Span(NamedTuple):
    """Pairs of hexes that may bond and lie alike: straight ahead with one hex between, or askew with two [10.5.1]."""

    between: tuple[Between, ...]
    apart: int  # how much higher the second hex between is; 0 if there is one


def _pairs_to_bond(ground: Ground) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """The lower end, the upper end and the hexes between."""
    for a in range(ground.hexes):
        found: dict[int, list[int]] = {}
        for m in ground.board.adjacent[a]:
            for b in ground.board.adjacent[m]:
                if b > a and b not in ground.board.adjacent[a]:
                    found.setdefault(b, []).append(m)
        for b, hexes in found.items():
            if len(hexes) == 2 or _is_straight(ground, a, hexes[0], b):
                yield a, b, tuple(sorted(hexes))


@cache
def _spans(ground: Ground) -> tuple[Span, ...]:
    """All pairs of hexes that may bond, those that lie alike together."""
    alike: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    for a, b, hexes in _pairs_to_bond(ground):
        alike.setdefault((b - a, tuple(m - a for m in hexes)), []).append(a)
    return tuple(
        Span(tuple(_between(ground, lower, length, offset) for offset in offsets), offsets[-1] - offsets[0])
        for (length, offsets), lower in alike.items()
    )


def _between(ground: Ground, lower: list[int], length: int, offset: int) -> Between:
    dry = [a for a in lower if not (_barrier(ground, a, a + offset) and _barrier(ground, a + offset, a + length))]
    return Between(offset, offset - length, mask_of(a + offset for a in dry))


@cache
def _passes(ground: Ground) -> tuple[tuple[int, int], ...]:
    """By how much higher or lower a neighbour is: the hexes whence silhouettes reach it, as bits [10.5.3]."""
    found: dict[int, int] = {}
    for a in range(ground.hexes):
        for b in ground.board.adjacent[a]:
            found[b - a] = found.get(b - a, 0) | (ground.bit[a] if _silhouettes_pass(ground, a, b) else 0)
    return tuple(found.items())


def _height(ground: Ground, h: int) -> int:
    return 2 * ground.row[h] + ground.column[h] % 2


def _edge_sides(ground: Ground, a: int, last_column: int) -> dict[str, list[Pair]]:
    """By edge: the hexsides between a hex and the edge of the map that it bonds with [10.6]."""
    found: dict[str, list[Pair]] = {"east": [], "west": [], "south": [], "north": []}
    around = [h for h in ground.board.adjacent[a] if ground.column[h] <= last_column]
    for m in around:
        for n in around:
            if m < n and n in ground.board.adjacent[m]:
                column = ground.column[m] + ground.column[n] - ground.column[a]
                row = (_height(ground, m) + _height(ground, n) - _height(ground, a) - column % 2) // 2
                edge = _edge(ground, column, row, last_column)
                if edge:
                    found[edge].append((m, n))
    return found


def _edge(ground: Ground, column: int, row: int, last_column: int) -> str:
    if column < 1:
        return "east"
    if column > last_column:
        return "west"
    return "south" if row < 1 else "north" if row > ground.last_row else ""


@cache
def _edge_bonds(ground: Ground, side: int, last_column: int) -> tuple[dict[int, tuple[Pair, ...]], int]:
    edges = ("east",) if side == GERMAN else ("south", "west", "north")
    table = {}
    for a in range(ground.hexes):
        inland = 2 < ground.column[a] < last_column - 1 and 2 < ground.row[a] < ground.last_row - 1
        if ground.column[a] <= last_column and not inland:
            sides = _edge_sides(ground, a, last_column)
            if pairs := tuple(pair for edge in edges for pair in sides[edge]):
                table[a] = pairs
    return table, sum(1 << a for a in table)


@lru_cache(maxsize=1 << 13)
def _bonds(ground: Ground, side: int, solid: int, profile: int, enemies: int, last_column: int) -> Bonds:
    """The bonds of a side against enemies in hexes that matter: none through an enemy [10.5.2]."""
    hexes, shut = 0, dict[int, int]()
    ends, free = solid | profile, ground.all_hexes & ~enemies
    into = {}  # by direction: the hexes without enemies into which a bond runs from an end
    for offset, passes in _passes(ground):
        whence = solid | profile & passes
        into[offset] = (whence << offset if offset > 0 else whence >> -offset) & free
    for between, apart in _spans(ground):
        first, second, dry = between[0]
        drawn = into[first] & into[second] & dry
        if apart:
            first, second, dry = between[1]
            drawn |= (into[first] & into[second] & dry) >> apart
            shut[apart] = shut.get(apart, 0) | drawn
        else:
            hexes |= drawn
    table, along = _edge_bonds(ground, side, last_column)
    for m, n in [pair for a in bits(ends & along) for pair in table[a]]:
        if free & (ground.bit[m] | ground.bit[n]):
            shut[n - m] = shut.get(n - m, 0) | ground.bit[m]
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
    last = WEST_SHEET - 1 if east_only(s) else s.ground.last_column
    found = _bonds(s.ground, side, solid, profile, enemies & next_to(s.ground, solid | profile), last)
    fresh, other = (own, enemies, found), known[1 - side] if known else NOT_LOOKED
    s.bonds = (fresh, other) if side == ALLIED else (other, fresh)
    return found


def crosses_bond(found: Bonds, a: int, b: int) -> bool:
    """Whether a step enters a bonded hex or crosses a bonded hexside [10.2]."""
    return bool(found.hexes >> b & 1) or (a, b) in found.sides


# ---- 11.10, 27.3, 29 Where units may go ------------------------------------------------------------

BOUNDARIES_UNTIL = 5  # 11.10.1
BRITISH_FREE = 29  # 27.3.2


def army_of(s: ArdennesState, u: UnitId) -> str:
    """The army of a German unit, of a split unit that of its parent."""
    return s.units.colour[s.parent[u] if s.parent[u] >= 0 else u]


@cache
def _lines_against(ground: Ground, army: str) -> frozenset[Pair]:
    """The boundary hexsides that an army may not cross: all but those on the way back into its own sector."""
    return frozenset((a, b) for a, b in ground.boundaries if ground.army_sector[b] != army)


def boundaries(s: ArdennesState, u: UnitId) -> frozenset[Pair]:
    """The hexsides that a German unit may not cross before turn 5 [11.10.1]."""
    return (
        _lines_against(s.ground, army_of(s, u))
        if s.units.side[u] == GERMAN and s.turn < BOUNDARIES_UNTIL
        else frozenset()
    )


def is_driven_across(s: ArdennesState, u: UnitId, way: Iterable[int]) -> bool:
    """Whether a way leads a German unit out of its army's sector over a boundary before turn 5 [11.10.2]."""
    lines = boundaries(s, u) if army_of(s, u) in s.ground.army_zone and not s.units.remnant[u] else frozenset()
    return any(pair in lines for pair in pairwise(way))


def is_home(s: ArdennesState, u: UnitId, way: Iterable[int]) -> bool:
    """Whether a way leads a German unit through its own army's sector [11.10.2]."""
    own = s.ground.army_zone.get(army_of(s, u), 0)
    return any(own >> h & 1 for h in way)


@lru_cache(maxsize=1 << 12)
def _with_boundaries(enemy: Bonds, lines: frozenset[Pair]) -> Bonds:
    touched = enemy.touched
    for a, _ in lines:
        touched |= 1 << a
    return enemy._replace(lines=lines, touched=touched)


def barred(s: ArdennesState, u: UnitId) -> Bonds:
    """What a unit's movement may not cross: enemy bonds and army boundaries [10.2, 11.10.1]."""
    lines = boundaries(s, u)
    enemy = bonds(s, 1 - s.units.side[u])
    return _with_boundaries(enemy, lines) if lines else enemy


def refuse_boundary(s: ArdennesState, u: UnitId, h: int) -> Refusal | None:
    """Whether a line separates a unit from a hex [11.10.1]."""
    here, there = s.ground.army_sector.get(s.where[u]), s.ground.army_sector.get(h)
    if not boundaries(s, u) or here is None or there in (None, here, army_of(s, u)):
        return None
    return Refusal("11.10.1", "army-boundary", unit=u, hex=h)


def is_over_meuse(s: ArdennesState) -> bool:
    """Whether Germans have crossed the Meuse [27.3.2]."""
    return bool(s.meuse) or bool(occupied(s, GERMAN) & s.ground.west_of_meuse)


def british_are_held(s: ArdennesState, u: UnitId) -> bool:
    """Whether a British unit must stay west of the Meuse on the West map [27.3.1, 27.3.2]."""
    if not s.units.british[u]:
        return False
    released = s.turn >= BRITISH_FREE or is_over_meuse(s)
    return not (s.units.formation[u] == "29Arm" and released)


def closed_to_british(s: ArdennesState, u: UnitId) -> int:
    """The hexes in which a British unit may not be, as bits; none for others [27.3.1]."""
    return s.ground.all_hexes & ~s.ground.british_ground if british_are_held(s, u) else 0


def out_of_bounds(s: ArdennesState, u: UnitId) -> int:
    """The hexes that command forbids a unit to enter, as bits."""
    closed = s.ground.west_map if east_only(s) else 0
    if s.units.side[u] == ALLIED:
        closed |= closed_to_british(s, u)
        if s.units.formation[u] == "106" and s.ground.areas["18vg"] & occupied(s, GERMAN):
            closed |= s.ground.areas["18vg"]
        return closed
    if s.turn == 1:
        closed |= (s.ground.all_areas | s.ground.rear) & ~s.ground.areas.get(s.units.area[u], 0)
    return closed


HELD_ON_TURN_1: Bar[ArdennesState] = Bar(  # no night follows turn 1
    "29.1.1", "held-on-turn-1", lambda s, units: units & marked(s, "red") if s.turn == 1 else NO_UNITS
)


def refuse_held(s: ArdennesState, u: UnitId) -> Refusal | None:
    """Why a unit with a red mark does nothing of its own on the first turn [29.1.1]."""
    return refusal(s, u, (HELD_ON_TURN_1,))


def refuse_ground(s: ArdennesState, u: UnitId, h: int) -> Refusal | None:
    """Why a unit may not enter a hex for reasons of command."""
    if not out_of_bounds(s, u) >> h & 1:
        return None
    if east_only(s) and s.ground.west_map >> h & 1:
        return Refusal("S2.3", "east-map-only", hex=h)
    if s.units.side[u] == ALLIED:
        if s.units.british[u]:
            return Refusal("27.3.1", "west-of-meuse", unit=u, hex=h)
        return Refusal("29.4", "not-into-18vg", unit=u, hex=h)
    return Refusal("29.1.2", "divisional-area", unit=u, hex=h)
