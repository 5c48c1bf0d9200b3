"""Ardennes '44: what must hold after every action."""

from __future__ import annotations

from collections.abc import Iterator

from salient.common.checks import wrong_time
from salient.common.fields import marked_off_map
from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied, on_map, stale_caches, units_at
from salient.games.ardennes44.advances import Advance
from salient.games.ardennes44.marches import MARCH_MARKERS, TRACTORS, markers_used
from salient.games.ardennes44.model import ArdennesState, reduced, shaken, turns_of
from salient.games.ardennes44.replacements import Replace
from salient.games.ardennes44.retreats import Retreat
from salient.games.ardennes44.stacking import refuse_stack
from salient.games.ardennes44.supply import road_network
from salient.games.ardennes44.survey import survey
from salient.games.ardennes44.zones import bonds, british_are_held, out_of_bounds
from salient.hexes.masks import bits, mask_of, units_of

QUIET = ("Fight", "Bridging", "Ready", "PlaceTraffic", "Replace")  # decisions at which stacking holds


def broken_invariants(s: ArdennesState) -> Iterator[str]:
    """Every invariant that does not hold, in words."""
    yield from wrong_time(s, turns_of(s))
    yield from _units(s)
    yield from _places(s)
    yield from _marks(s)
    yield from _caches(s)
    yield from _hexes(s)
    if (s.blown | s.building | s.bridges_tried) >> len(s.ground.bridges):
        yield "a bridge is marked that does not exist"
    if s.building & ~s.blown or s.builders & ~s.building:
        yield "a bridge is built that stands, or has a builder without being built [7.8]"
    if s.held & ~s.ground.objectives:
        yield "control is kept of a hex that nobody needs [30.1.2]"


def _units(s: ArdennesState) -> Iterator[str]:
    units = s.units
    for u in units.all:
        place, name = s.where[u], units.ids[u]
        if not 0 <= s.lost[u] < len(units.values[u]) or (units.steps[u] == 1 and s.lost[u] and name != "VdH"):
            yield f"{name} lives with {s.lost[u]} steps lost [16.4]"
        if (place == s.ground.pool) and not (units.split[u] or units.remnant[u]):
            yield f"{name} is in the pool of split units"
        if s.parent[u] >= 0 and not (units.split[u] or units.remnant[u]):
            yield f"{name} has a parent and is neither split unit nor remnant [16.4, 26.4]"


def _places(s: ArdennesState) -> Iterator[str]:
    units, ground = s.units, s.ground
    for u in units.all:
        place, name = s.where[u], units.ids[u]
        if place in (ground.eliminated, ground.gone, ground.pool, ground.track) and (s.order[u] or s.points[u]):
            yield f"{name} is in {ground.places[place]} and yet disrupted or about to surrender"
        if units.side[u] == GERMAN and place > ground.antwerp:
            yield f"{name} is in an Allied box [11.9.2]"
        if on_map(s, u) and units.british[u] and british_are_held(s, u) and out_of_bounds(s, u) >> place & 1:
            yield f"{name} is east of the Meuse [27.3.1]"


def _marks(s: ArdennesState) -> Iterator[str]:
    if s.fired & ~s.units.artillery_mask or s.tractor & ~s.units.artillery_mask:
        yield "a unit without guns has fired or is towed [22.5]"
    if s.tractor & s.units.side_mask[ALLIED] or s.tractor.bit_count() > sum(TRACTORS.values()):
        yield "there are too many tractors [22.3]"
    for side in (ALLIED, GERMAN):
        if markers_used(s, side) > MARCH_MARKERS[side]:
            yield "there are too many strategic movement markers [12.4.1]"
    on_hexes = units_of(u for u in range(s.units.count) if s.where[u] < s.ground.hexes)
    yield from (f"a unit off the map is marked: {name}" for name in marked_off_map(s, on_hexes))


def _caches(s: ArdennesState) -> Iterator[str]:
    """What is remembered of the units equals what a fresh look finds."""
    yield from (f"what is remembered is not as the units are: {name}" for name in stale_caches(s))
    fresh = s.clone()
    fresh.clear_caches()
    if shaken(s) != shaken(fresh) or reduced(s) != reduced(fresh):
        yield "the units remembered as disrupted or reduced are not those that are"
    if any(bonds(s, side) != bonds(fresh, side) for side in (ALLIED, GERMAN)):
        yield "the bonds remembered are not those that a fresh look finds"
    if any(road_network(s, side) != road_network(fresh, side) for side in (ALLIED, GERMAN)):
        yield "the roads in supply that are remembered are not those that a fresh look finds"
    if s.surveyed is not None and survey(s) != survey(fresh):
        yield "what the judge has counted is not what a fresh look finds"
    frame = s.stack[-1]
    if isinstance(frame, (Advance, Retreat)):
        units = frame.left if isinstance(frame, Advance) else frame.units
        if all(frame.options(s, u) == frame.options(fresh, u) for u in units):
            return
        yield "what was found for an advance or a retreat is not what a fresh look finds"


def _hexes(s: ArdennesState) -> Iterator[str]:
    labels, objectives = s.ground.board.labels, s.ground.objectives
    if occupied(s, ALLIED) & occupied(s, GERMAN):
        yield "both sides are in one hex"
    frame = s.stack[-1]
    coming = mask_of(h for _, _, h, _ in frame.spent if h >= 0) if isinstance(frame, Replace) else 0
    for side in (ALLIED, GERMAN):
        for h in bits(occupied(s, side)):
            if objectives & ~coming >> h & 1 and bool(s.held >> h & 1) != (side == GERMAN):
                yield f"{labels[h]} is held by the side that is not there [30.1.2]"
            if type(s.stack[-1]).__name__ in QUIET and refuse_stack(s, units_at(s, h)):
                yield f"{labels[h]} is overstacked [8.3]"
