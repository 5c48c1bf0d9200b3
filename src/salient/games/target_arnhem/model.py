"""Target Arnhem: the state, where units stand, and who may act [3.1, 3.3]."""

from __future__ import annotations

from typing import TYPE_CHECKING

from salient.common.bars import Bar, Bars, allowed, refusal
from salient.common.fields import clear_marks, hex_set, per_unit, unit_set
from salient.common.sides import ALLIED
from salient.games.target_arnhem.components import POOLS, Ground, Tables, Units
from salient.hexes.masks import bit, bits
from salient.hexes.sets import NO_HEXES, NO_UNITS, HexSet, UnitId, UnitSet
from salient.kernel import Refusal, State
from salient.kernel.state import cache, column, number, part, word

if TYPE_CHECKING:
    from salient.games.target_arnhem.survey import Survey

AREA_P_CLOSES = 4  # turn [4.2b]
STACKING_LIMIT = 3  # 3.5
WEHRMACHT, SS, FIRST_AIRBORNE, _, _, XXX = range(len(POOLS))  # 7.4
DIVISIONS = (2, 3, 4)  # the pools that belong to airborne divisions


class ArnhemState(State):
    """A position of Target Arnhem."""

    units: Units = part()
    ground: Ground = part()
    tables: Tables = part()
    where: list[int] = column(per_unit, lambda data: data.ground.waiting)  # by unit: a hex, an area, or off the map
    damage: list[int] = column(per_unit)
    fortified: list[int] = column(per_unit)
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
    held, absent = [NO_HEXES] * 2, [NO_UNITS] * 2
    side, hexes, waiting, eliminated = s.units.side, s.ground.hexes, s.ground.waiting, s.ground.eliminated
    for u, place in enumerate(s.where):
        if place < hexes:
            held[side[u]] |= 1 << place
        elif place >= waiting:
            absent[place == eliminated] |= 1 << u
    found = (held[0], held[1]), (absent[0], absent[1])
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


def units_at(s: ArnhemState, place: int, side: int) -> list[UnitId]:
    """The units of a side in a hex or area, ascending."""
    where = s.where
    return [u for u in s.units.of_side[side] if where[u] == place]


def put(s: ArnhemState, u: UnitId, place: int) -> None:
    """The one way a unit changes its place."""
    where, ground = s.where, s.ground
    old, where[u] = where[u], place
    if s.occupied is None or s.absent is None:
        return
    side = s.units.side[u]
    hexes = s.occupied[side]
    if old < ground.hexes and (old not in where or not any(where[x] == old for x in s.units.of_side[side])):
        hexes &= ~(1 << old)
    if place < ground.hexes:
        hexes |= 1 << place
    s.occupied = (hexes, s.occupied[1]) if side == ALLIED else (s.occupied[0], hexes)
    if old >= ground.waiting or place >= ground.waiting:
        still, gone = (units & ~(1 << u) for units in s.absent)
        s.absent = still | (place == ground.waiting) << u, gone | (place == ground.eliminated) << u


def eliminate(s: ArnhemState, u: UnitId) -> None:
    """Take a unit off the map for good."""
    put(s, u, s.ground.eliminated)
    s.damage[u] = s.fortified[u] = 0
    clear_marks(s, u)


def has_acted(s: ArnhemState, u: UnitId) -> bool:
    """Whether the unit has had its action of this impulse [3.3]."""
    return bool(s.acted >> u & 1)


def may_act_again(s: ArnhemState, u: UnitId) -> bool:
    """Whether the unit has landed in the first impulse and can still be given one of the extra actions [9.3]."""
    return s.extra > 0 and bool(s.landed >> u & 1)


ACTING: Bars[ArnhemState] = (  # what keeps units from having an action now [3.1, 3.3]
    Bar("3.4", "is-eliminated", lambda s, units: units & eliminated(s)),
    Bar("8", "has-not-arrived", lambda s, units: units & waiting(s)),
    Bar("3.1", "vehicles-only", lambda s, units: units & ~s.units.vehicles if s.impulse == 3 else NO_UNITS),
    Bar("3.3", "acted-already", lambda s, units: units & s.acted & ~(s.landed if s.extra > 0 else 0)),
)


def refuse_unit(s: ArnhemState, u: UnitId) -> Refusal | None:
    """Why a unit has no action now."""
    return refusal(s, u, ACTING)


def ready_units(s: ArnhemState, side: int) -> list[UnitId]:
    """The units of a side on the map or in areas that may act, ascending."""
    return bits(allowed(s, s.units.side_mask[side], ACTING))


def mark_acted(s: ArnhemState, u: UnitId) -> None:
    """Spend the unit's action, or one of the extra actions of the first landing [3.3, 9.3]."""
    if has_acted(s, u):
        s.extra -= 1
        s.landed &= ~bit(u)
    else:
        s.acted |= bit(u)


def unfortify(s: ArnhemState, u: UnitId) -> None:
    """Turn a fortified unit over, for good [5.4]."""
    s.fortified[u] = 0
