"""Ardennes '44: chapter 26, split units."""

from __future__ import annotations

from functools import lru_cache

from salient.common.bars import Bar, Bars, allowed, refusal
from salient.common.fields import pass_marks_on
from salient.common.sides import ALLIED
from salient.common.stacks import away, on_map, present, put, units_at
from salient.games.ardennes44.components import Units
from salient.games.ardennes44.losses import become_remnant, free_remnant
from salient.games.ardennes44.model import ArdennesState, reduced, set_lost, shaken, standing_in, steps_left, take_off
from salient.games.ardennes44.stacking import refuse_stack, too_full
from salient.hexes.masks import bits, units_of
from salient.hexes.sets import NO_UNITS, NOBODY, UnitId, UnitSet
from salient.kernel import Refusal
from salient.kernel.messages import Sink

# ---- 26 Split units -----------------------------------------------------------------------------------------


def free_split(s: ArdennesState, u: UnitId) -> UnitId:
    """A counter in the pool that can be split off a unit, NOBODY if there is none [26.1]."""
    pool = s.ground.pool
    return next((x for x in s.units.parts_of[u] if s.where[x] == pool), NOBODY)


@lru_cache(maxsize=1 << 8)
def _helpless(units: Units, pool: UnitSet) -> tuple[UnitSet, UnitSet]:
    """The units for which a pool has no split counter, and those for which it has a remnant."""
    held = remnants = NO_UNITS
    for counters, users in units.part_users.items():
        if not counters & pool:
            held |= users
    for counters, users in units.remnant_users.items():
        if counters & pool:
            remnants |= users
    return held, remnants


def _without_parts(s: ArdennesState, units: UnitSet) -> UnitSet:
    """Those of some units for which the pool has no split counter, or no remnant where the last step is split off."""
    held, remnants = _helpless(s.units, away(s).get(s.ground.pool, NO_UNITS))
    return units & (held | (s.units.one_step | reduced(s)) & ~remnants)


def _without_room(s: ArdennesState, units: UnitSet) -> UnitSet:
    """Those of some units whose task force finds no room: it takes more than the tanks it comes from [8.1]."""
    tanks = units & s.units.profile_mask
    crowd = standing_in(s, tanks, too_full(s, ALLIED, (0, 1))) if tanks else NO_UNITS
    return units_of(u for u in bits(crowd) if _would_overstack(s, u))


_SPLIT_AT_ALL: Bars[ArdennesState] = (
    Bar("26.1", "cannot-split", lambda s, units: units & (~present(s) | s.units.parts_mask)),
    Bar("26.2", "no-split-counter", _without_parts),
    Bar("26.2", "disrupted-cannot-split", lambda s, units: units & (shaken(s) | s.march)),
)
_ROOM_TO_SPLIT: Bar[ArdennesState] = Bar("8.1", "hex-is-full", _without_room, ("unit", "hex"))
SPLITTING_IN_ADVANCE: Bars[ArdennesState] = (
    *_SPLIT_AT_ALL,
    _ROOM_TO_SPLIT,
)  # a unit that has attacked may be split before it advances
SPLITTING: Bars[ArdennesState] = (
    *_SPLIT_AT_ALL,
    Bar("26.2", "split-before-moving", lambda s, units: units & (s.moved | s.done | s.fought)),
    _ROOM_TO_SPLIT,
)  # 26.1, 26.2


def refuse_split(s: ArdennesState, u: UnitId, advancing: bool = False) -> Refusal | None:
    """Why a unit cannot be split now."""
    return refusal(s, u, SPLITTING_IN_ADVANCE if advancing else SPLITTING)


def _would_overstack(s: ArdennesState, u: UnitId) -> bool:
    after = s.clone()
    split_off(after, u)
    return refuse_stack(after, units_at(after, s.where[u])) is not None


def split_off(s: ArdennesState, u: UnitId) -> UnitId:
    """Put a step of a unit on the map as a unit of its own; the third step becomes a remnant [26.1, 26.3]."""
    x, h = free_split(s, u), s.where[u]
    pass_marks_on(s, u, x, "split")
    s.points[x] = s.points[u]
    if steps_left(s, u) == 1:
        become_remnant(s, u, free_remnant(s, u))
    else:
        set_lost(s, u, s.lost[u] + 1)
        s.parent[x] = u
    put(s, x, h)
    return x


def split(s: ArdennesState, u: UnitId, out: Sink) -> None:
    """Split a step off a unit."""
    out("26.1", "splits", unit=u, unit_new=split_off(s, u))


def refuse_merging(s: ArdennesState, x: UnitId) -> Refusal | None:
    """Why a split unit cannot go back to the unit that it came from [26.4]."""
    u = s.parent[x]
    if not s.units.split[x] or not on_map(s, x) or u < 0:
        return Refusal("26.4", "has-no-parent", unit=x)
    if s.where[u] != s.where[x] or not s.lost[u]:
        return Refusal("26.4", "parent-elsewhere", unit=x)
    if s.order[x] or s.order[u]:
        return Refusal("26.4", "not-in-good-order", unit=x)
    return None


def merge(s: ArdennesState, x: UnitId, out: Sink) -> None:
    """Take a split unit back, engaged if one of them is; both have completed their movement [26.4]."""
    u = s.parent[x]
    s.engaged |= (s.engaged >> x & 1) << u
    take_off(s, x, s.ground.pool)
    set_lost(s, u, s.lost[u] - 1)
    s.done |= 1 << u
    s.moved |= 1 << u
    out("26.4", "merges", unit=x, unit_parent=u)


def merges(s: ArdennesState, side: int) -> list[UnitId]:
    """The split units of a side that can go back now, ascending."""
    where, parent = s.where, s.parent
    parts = bits(s.units.parts_mask & s.units.side_mask[side] & present(s))
    return [x for x in parts if where[x] == where[parent[x]] and refuse_merging(s, x) is None]


def splits(s: ArdennesState, units: UnitSet) -> list[UnitId]:
    """Those of some units that can be split, ascending."""
    return bits(allowed(s, units, SPLITTING))
