"""Units that stack in hexes: who stands where, and sets of hexes of each side, cached on the state and updated."""

from __future__ import annotations

from typing import ClassVar, NamedTuple, Protocol

from salient.hexes.masks import bits, hexes_of, units_of
from salient.hexes.sets import NO_HEXES, NO_UNITS, HexSet, UnitId, UnitSet
from salient.kernel import State
from salient.kernel.state import cache


class SidedUnits(Protocol):
    """The units of a game."""

    @property
    def all(self) -> tuple[UnitId, ...]:
        """Their numbers."""

    @property
    def side(self) -> tuple[int, ...]:
        """By unit."""


class NumberedHexes(Protocol):
    """The map of a game."""

    @property
    def hexes(self) -> int:
        """How many there are."""


class StackState(State):
    """A position in which each unit stands in a hex or in a place off the map; hexes are numbered first."""

    SET_COUNT: ClassVar[int]  # how many sets of hexes a side has; the first one is of the hexes occupied

    units: SidedUnits
    ground: NumberedHexes
    where: list[int]  # by unit: a hex or another place
    stacks: dict[int, tuple[UnitId, ...]] | None = cache()  # by hex: its units, ascending
    present: UnitSet | None = cache()  # the units on the map
    away: dict[int, UnitSet] | None = cache()  # by place off the map: its units
    hex_sets: tuple[tuple[HexSet, ...], tuple[HexSet, ...]] | None = cache()
    standing: dict[HexSet, UnitSet] | None = cache()  # by hexes asked for: the units in them
    changed: UnitSet | None = cache()  # the units that have changed since the judge last looked, None if it never has

    def add_to_sets(self, sets: list[HexSet], u: UnitId, here: int) -> None:
        """Add a hex, as a bit, to those sets of its side in which a unit puts it: here, those occupied."""
        sets[0] |= here


class _Found(NamedTuple):
    """What a look at all units finds: the caches of the same names."""

    stacks: dict[int, tuple[UnitId, ...]]
    present: UnitSet
    away: dict[int, UnitSet]
    hex_sets: tuple[tuple[HexSet, ...], tuple[HexSet, ...]]


def _fill_caches(s: StackState) -> _Found:
    """Look at every unit."""
    stacks: dict[int, tuple[UnitId, ...]] = {}
    away: dict[int, UnitSet] = {}
    present = NO_UNITS
    sets = ([NO_HEXES] * s.SET_COUNT, [NO_HEXES] * s.SET_COUNT)
    hexes, side = s.ground.hexes, s.units.side
    for u, place in zip(s.units.all, s.where, strict=True):
        if place < hexes:
            stacks[place] = (*stacks.get(place, ()), u)
            s.add_to_sets(sets[side[u]], u, 1 << place)
            present |= 1 << u
        else:
            away[place] = away.get(place, NO_UNITS) | 1 << u
    found = _Found(stacks, present, away, (tuple(sets[0]), tuple(sets[1])))
    s.stacks, s.present, s.away, s.hex_sets = found
    return found


def hex_sets(s: StackState, side: int) -> tuple[HexSet, ...]:
    """The sets of hexes of a side; the game's `add_to_sets` says which."""
    found = s.hex_sets
    return (_fill_caches(s).hex_sets if found is None else found)[side]


def occupied(s: StackState, side: int) -> HexSet:
    """The hexes that hold combat units of a side."""
    return hex_sets(s, side)[0]


def units_at(s: StackState, h: int) -> tuple[UnitId, ...]:
    """The units in a hex, ascending; all are of one side."""
    found = s.stacks
    return (_fill_caches(s).stacks if found is None else found).get(h, ())


def present(s: StackState) -> UnitSet:
    """The units on the map."""
    found = s.present
    return _fill_caches(s).present if found is None else found


MOST_STANDING = 6  # sets of hexes remembered
FEW = 4  # hexes by which a set differs from one remembered that is updated


def standing(s: StackState, hexes: HexSet) -> UnitSet:
    """The units in some hexes; remembered, for much the same hexes are asked for while units move."""
    known = s.standing
    if known is None or (hexes not in known and len(known) >= MOST_STANDING):
        known = s.standing = {}
    if hexes not in known:
        like = next((other for other in known if (hexes ^ other).bit_count() <= FEW), None)
        known[hexes] = _standing(s, hexes) if like is None else known.pop(like) ^ _standing(s, hexes ^ like)
    return known[hexes]


def _standing(s: StackState, hexes: HexSet) -> UnitSet:
    return units_of(u for h in bits(hexes & (occupied(s, 0) | occupied(s, 1))) for u in units_at(s, h))


def away(s: StackState) -> dict[int, UnitSet]:
    """By place off the map: the units there; places without units are left out."""
    found = s.away
    return _fill_caches(s).away if found is None else found


def on_map(s: StackState, u: UnitId) -> bool:
    """Whether a unit stands in a hex."""
    return s.where[u] < s.ground.hexes


def put(s: StackState, u: UnitId, place: int) -> None:
    """The one way a unit changes its place."""
    old, s.where[u] = s.where[u], place
    if s.changed is not None:
        s.changed |= 1 << u
    if s.stacks is None or old == place:
        return
    _count(s, 1 << u, old, place)
    stacks = s.stacks = s.stacks.copy()
    if old < s.ground.hexes:
        if left := tuple([x for x in stacks[old] if x != u]):
            stacks[old] = left
        else:
            del stacks[old]
    if place < s.ground.hexes:
        stacks[place] = tuple(sorted((*stacks.get(place, ()), u)))
    _refresh(s, s.units.side[u], (old, place))
    if s.standing:
        unit, there = 1 << u, 1 << place
        s.standing = {hexes: units | unit if hexes & there else units & ~unit for hexes, units in s.standing.items()}


def _count(s: StackState, unit: int, old: int, place: int) -> None:
    """Move a unit, as a bit, between the sets of units on the map and off it."""
    assert s.present is not None
    assert s.away is not None
    if old >= s.ground.hexes:
        s.away = {where: left for where, units in s.away.items() if (left := units & ~unit)}
    if place >= s.ground.hexes:
        s.away = s.away | {place: s.away.get(place, NO_UNITS) | unit}
    s.present = s.present | unit if place < s.ground.hexes else s.present & ~unit


def stale_caches(s: StackState) -> tuple[str, ...]:
    """The names of what is remembered of the units and differs from what a fresh look finds."""
    fresh = s.clone()
    fresh.clear_caches()
    _fill_caches(fresh)
    if s.standing is not None:
        fresh.standing = {hexes: _standing(fresh, hexes) for hexes in s.standing}
    known = [name for name in ("stacks", "hex_sets", "present", "away", "standing") if getattr(s, name) is not None]
    return tuple(name for name in known if getattr(s, name) != getattr(fresh, name))


def refresh_unit(s: StackState, u: UnitId) -> None:
    """Update the sets of a unit's hex after something about the unit has changed."""
    if s.changed is not None:
        s.changed |= 1 << u
    if s.stacks is not None:
        _refresh(s, s.units.side[u], (s.where[u],))


def _refresh(s: StackState, side: int, places: tuple[int, ...]) -> None:
    both, hexes = s.hex_sets, [place for place in places if place < s.ground.hexes]
    assert both is not None
    gone = hexes_of(hexes)
    sets = [each ^ lost if (lost := each & gone) else each for each in both[side]]
    for h in hexes:
        here = 1 << h
        for u in units_at(s, h):
            s.add_to_sets(sets, u, here)
    fresh = tuple(sets)
    s.hex_sets = (fresh, both[1]) if side == 0 else (both[0], fresh)
