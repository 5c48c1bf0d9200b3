"""Ardennes '44: 15.8, improved positions."""

from __future__ import annotations

from salient.common.bars import Bar, Bars, refusal
from salient.common.stacks import occupied, standing
from salient.games.ardennes44.components import VEHICLE
from salient.games.ardennes44.model import ArdennesState, shaken
from salient.games.ardennes44.zones import HELD_ON_TURN_1
from salient.hexes.sets import NO_UNITS, UnitId, UnitSet
from salient.kernel import Refusal
from salient.kernel.messages import Sink

# ---- 15.8 Improved positions ---------------------------------------------------------------------------


def _dig_without_supply(s: ArdennesState, units: UnitSet) -> UnitSet:
    hungry = units & (s.oos | s.short)
    return hungry & ~standing(s, s.digging) if hungry else NO_UNITS


DIGGING: Bars[ArdennesState] = (  # what keeps units from beginning or completing a position in their hex [15.8.2]
    Bar(
        "15.8.2",
        "cannot-dig",
        lambda s, units: units & (s.units.mobility_mask[VEHICLE] | shaken(s) | s.engaged | s.march),
    ),
    Bar("15.8.2", "dig-before-moving", lambda s, units: units if s.night else units & (s.done | s.moved)),
    HELD_ON_TURN_1,
    Bar("15.8.1", "position-there", lambda s, units: units & standing(s, s.ip | s.new_ip), ("hex",)),
    Bar("23.5", "dig-needs-supply", _dig_without_supply),
)


def refuse_digging(s: ArdennesState, u: UnitId) -> Refusal | None:
    """Why a unit cannot begin or complete an improved position in its hex."""
    return refusal(s, u, DIGGING)


def dig(s: ArdennesState, u: UnitId, out: Sink) -> None:
    """Begin a position, which takes the whole turn, or complete one and go on [15.8.2, 15.8.3]."""
    here = 1 << s.where[u]
    if s.digging & here:
        s.digging &= ~here
        s.ip |= here
        out("15.8.2", "position-ready", unit=u, hex=s.where[u])
        return
    s.digging |= here
    s.new_ip |= here
    s.dug |= 1 << u
    s.done |= 1 << u
    out("15.8.2", "position-begun", unit=u, hex=s.where[u])


def fresh_diggers(s: ArdennesState, side: int) -> UnitSet:
    """The units that have begun a position in this phase and can still take it back."""
    return s.dug & ~s.moved & s.units.side_mask[side] & standing(s, s.digging & s.new_ip)


def stop_digging(s: ArdennesState, u: UnitId, out: Sink) -> None:
    """A unit does not begin a position after all: it may move."""
    here = 1 << s.where[u]
    s.digging &= ~here
    s.new_ip &= ~here
    s.dug &= ~(1 << u)
    s.done &= ~(1 << u)
    out("15.8.2", "position-not-begun", unit=u, hex=s.where[u])


def drop_empty_positions(s: ArdennesState) -> None:
    """Positions without troops are removed [15.8.4]."""
    manned = occupied(s, 0) | occupied(s, 1)
    s.ip &= manned
    s.digging &= manned
