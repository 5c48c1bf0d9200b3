"""Ardennes '44: 25.3 night markers, and 31, infiltration by night."""

from __future__ import annotations

from salient.common.bars import Bar, Bars, allowed, refusal
from salient.common.stacks import occupied, present, units_at
from salient.games.ardennes44.components import GREEN, Units
from salient.games.ardennes44.entering import enter
from salient.games.ardennes44.model import INFILTRATION, ArdennesState, is_pm, shaken, standing_in, turns_of
from salient.games.ardennes44.movement import no_room, way_of
from salient.games.ardennes44.stacking import full_hexes
from salient.games.ardennes44.ways import tactical
from salient.games.ardennes44.zones import zone
from salient.hexes.masks import bits, mask_of, units_of
from salient.hexes.sets import HexId, UnitId, UnitSet
from salient.kernel import Refusal
from salient.kernel.messages import Sink

NIGHT_GROUPS = 3  # 25.3.1


# ---- 25.3 Night markers --------------------------------------------------------------------------


def night_hexes(s: ArdennesState, side: int) -> list[int]:
    """The hexes whose units can still be put under a night marker, ascending; one marker covers a hex [25.3.3]."""
    if s.night or not is_pm(s) or s.turn >= turns_of(s):
        return []
    hexes = {s.where[u] for u in bits(allowed(s, s.units.side_mask[side] & present(s), FOR_THE_NIGHT))}
    return sorted(hexes & set(night_groups(s, side)) if s.used >= NIGHT_GROUPS else hexes)


FOR_THE_NIGHT: Bars[ArdennesState] = (  # what keeps units on the map from being put under a night marker
    Bar("25.3.4", "not-for-the-night", lambda s, units: units & (shaken(s) | s.engaged | s.oos | s.short)),
    Bar("25.3.5", "has-moved-too-far", lambda s, units: units & (s.far | s.night_marks | s.march | s.dug)),
)


def refuse_night(s: ArdennesState, u: UnitId) -> Refusal | None:
    """Why a unit cannot be put under a night marker."""
    return refusal(s, u, FOR_THE_NIGHT)


def night_group(s: ArdennesState, h: int) -> UnitSet:
    """The units of a hex that a night marker would cover, as bits."""
    return allowed(s, units_of(units_at(s, h)), FOR_THE_NIGHT)


def night_groups(s: ArdennesState, side: int) -> list[int]:
    """The hexes of a side under a night marker, ascending [25.3.1, 31]."""
    return sorted({s.where[u] for u in bits(s.night_marks & s.units.side_mask[side])})


def mark_for_the_night(s: ArdennesState, side: int, h: int, out: Sink) -> None:
    """Put the units of a hex under a night marker, guns that are to move too: they are done [25.3.3]."""
    group = night_group(s, h)
    s.night_marks |= group
    s.done |= group
    _count_markers(s, side)
    out("25.3.3", "night-marker", units=tuple(bits(group)), hex=h)


def take_night_marker(s: ArdennesState, side: int, h: int, out: Sink) -> None:
    """Take a marker back before the phase ends: units that have not moved may move."""
    group = s.night_marks & mask_of(units_at(s, h))
    s.night_marks &= ~group
    s.done &= ~group | s.moved
    _count_markers(s, side)
    out("25.3.3", "night-marker-back", units=tuple(bits(group)), hex=h)


def _count_markers(s: ArdennesState, side: int) -> None:
    s.used = len(night_groups(s, side))
    s.planned = s.planned | 1 << side if s.used else s.planned & ~(1 << side)


# ---- 31 Infiltration -----------------------------------------------------------------------------


def has_troops(s: ArdennesState, h: int) -> bool:
    """Whether a night marker would cover others than guns, which fire without it [25.3.2]."""
    return bool(night_group(s, h) & ~s.units.artillery_mask)


def infiltrators(s: ArdennesState, side: int) -> list[UnitId]:
    """The units that may steal away under a spare night marker, which covers all of a hex, ascending [31]."""
    if not s.night or not s.rules & INFILTRATION:
        return []
    hexes = occupied(s, side) if s.used < NIGHT_GROUPS else s.sneaked
    return bits(standing_in(s, allowed(s, s.units.side_mask[side] & present(s), INFILTRATING), hexes))


def _too_busy(s: ArdennesState, units: UnitSet) -> UnitSet:
    return units & (shaken(s) | s.fresh | s.march | s.engaged | s.night_marks | s.moved | s.done | s.units.towed)


INFILTRATING: Bars[ArdennesState] = (Bar("31", "cannot-infiltrate", _too_busy),)


def refuse_infiltrator(s: ArdennesState, u: UnitId) -> Refusal | None:
    """Why a unit cannot infiltrate by night [31]."""
    return refusal(s, u, INFILTRATING)


def infiltration_hexes(s: ArdennesState, u: UnitId, roomy: bool = False) -> list[HexId]:
    """Where a unit may steal by night: one hex; green troops not into enemy zones [31]."""
    reached = tactical(((s.where[u], 0),), True, 1, way_of(s, u), True)[1] & ~(1 << s.where[u])
    if _is_green(s.units, u):
        reached &= ~zone(s, 1 - s.units.side[u])
    return bits(reached & ~(full_hexes if roomy else no_room)(s, u, reached))


def _is_green(units: Units, u: UnitId) -> bool:
    return units.morale[u] == GREEN


def sneak(s: ArdennesState, u: UnitId, h: int, out: Sink) -> None:
    """A unit steals into a hex; the first one of a group uses a night marker [31]."""
    here = s.where[u]
    s.used += not s.sneaked >> here & 1
    s.sneaked |= 1 << here
    s.moved |= 1 << u
    s.done |= 1 << u
    out("31", "moves", unit=u, hex_from=here, hex_to=h, hexes=(here, h))
    enter(s, u, [here, h], out)
