"""Ardennes '44: chapter 12, strategic movement and trucks, and the tractors of 22.3."""

from __future__ import annotations

from functools import reduce
from operator import or_

from salient.common.bars import Bar, Bars, refusal
from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import away, occupied, on_map, present, standing, units_at
from salient.games.ardennes44.components import FOOT, MOTOR, is_mechanized
from salient.games.ardennes44.model import ArdennesState, marks_of, set_march, shaken, values
from salient.games.ardennes44.movement import (
    MOVING,
    TACTICAL_HEXES,
    UNMOVED,
    Stops,
    Walk,
    by_hexes,
    by_points,
    drive,
    ends,
    only_tactical,
    refuse_mover,
    way_of,
)
from salient.games.ardennes44.stacking import full_hexes
from salient.games.ardennes44.supply import is_supplied
from salient.games.ardennes44.ways import Reach, Way, reach_by_points
from salient.games.ardennes44.zones import next_to
from salient.hexes.masks import bits, mask_of, units_of
from salient.hexes.sets import NO_UNITS, HexId, HexSet, UnitId, UnitSet
from salient.kernel import Refusal
from salient.kernel.messages import Sink

TRUCKED = 12  # movement points [12.4.4]
TOWED = 5  # movement points [22.3]
MARCH_MARKERS = (10, 6)  # by side [12.4.1]
TRACTORS = {"6Pz": 2, "5Pz": 2, "7A": 1}  # 22.3


# ---- 12.4 Markers -----------------------------------------------------------------------------------


def markers_used(s: ArdennesState, side: int, without: UnitSet = NO_UNITS) -> int:
    """Strategic movement, truck and tractor markers in use; a regiment that rides together shares one [12.4.2]."""
    regiment = s.units.regiment
    own = s.march & s.units.side_mask[side] & ~(s.shared | without)
    riders = {(s.where[u], regiment[u]) for u in bits(own)} if own else ()
    return len(riders) + (s.tractor.bit_count() if side == GERMAN else 0)


def riding_together(s: ArdennesState, u: UnitId) -> UnitSet:
    """The other units that ride under one marker with a unit, as bits [12.4.2]."""
    if not s.march >> u & 1:
        return NO_UNITS
    riders = s.march & ~(1 << u) & s.units.regiment_mask[s.units.regiment[u]]
    return units_of(x for x in bits(riders) if s.where[x] == s.where[u])


def partners(s: ArdennesState, u: UnitId) -> UnitSet:
    """The units that ride under one marker with a unit and have not moved yet, as bits [12.4.2]."""
    return riding_together(s, u) & ~s.done


def marker_left(s: ArdennesState, u: UnitId) -> bool:
    """Whether a unit has a marker, of its own or that of its partners, or can be given one [12.4.1]."""
    return markers_used(s, s.units.side[u], 1 << u | partners(s, u)) < MARCH_MARKERS[s.units.side[u]]


def share_marker(s: ArdennesState, u: UnitId) -> None:
    """Before a unit rides off, if no other marker is left: partners follow it or lose their trucks [12.4.2].

    Where one of them has ended its move, the marker stays with that one.
    """
    if markers_used(s, s.units.side[u], UnitSet(1 << u)) >= MARCH_MARKERS[s.units.side[u]]:
        others = riding_together(s, u)
        s.shared |= s.march & 1 << u if others & s.done else others


def drop_shared_markers(s: ArdennesState, side: int) -> None:
    """At the end of the movement units that did not follow their marker are on foot, unless one is left [12.4.2]."""
    for u in bits(s.shared & s.units.side_mask[side]):
        s.shared &= ~(1 << u)
        if markers_used(s, side) > MARCH_MARKERS[side]:
            set_march(s, u, False)


def riding_mates(s: ArdennesState, u: UnitId) -> int:
    """The places of marches of a unit's regiment whose marker it can share, as bits [12.4.2]."""
    riders = s.march & ~s.shared & ~(1 << u) & s.units.regiment_mask[s.units.regiment[u]]
    return mask_of(s.where[x] for x in bits(riders))


# ---- 12.1, 12.2 Strategic movement ------------------------------------------------------------------------


NO_MARCHES: Bars[ArdennesState] = (  # when nobody marches
    Bar("29.1.3", "no-march-on-turn-1", lambda s, units: units if s.turn == 1 else NO_UNITS),
    Bar("25.3.1", "no-march-at-night", lambda s, units: units if s.night else NO_UNITS),
)


def refuse_march(s: ArdennesState, u: UnitId) -> Refusal | None:
    """Why a unit cannot use strategic movement now, entry apart [12.1, 12.2, 29.1.3]."""
    if barred := refusal(s, u, NO_MARCHES) or _refuse_on_foot(s, u):
        return barred
    if s.order[u] or not is_supplied(s, u):
        return Refusal("12.1", "cannot-march", unit=u)
    if s.turn == 2 and "rrd" in marks_of(s, u):
        return Refusal("27.6", "two-hexes-only", unit=u)
    if s.fresh >> u & 1:
        return Refusal("25.2.4", "one-hex-only", unit=u)
    if on_map(s, u) and next_to(s.ground, occupied(s, 1 - s.units.side[u])) >> s.where[u] & 1:
        return Refusal("12.2", "march-next-to-enemy", unit=u)
    if not marker_left(s, u) and not riding_mates(s, u) & ~(1 << s.where[u]):
        return Refusal("12.4.1", "no-march-marker", unit=u)
    return None


def _refuse_on_foot(s: ArdennesState, u: UnitId) -> Refusal | None:
    """The units with wheels: mechanized ones, all Allied guns, and Allies under truck markers [12.1, 12.4.3]."""
    if s.units.side[u] == GERMAN and s.units.artillery[u]:
        return Refusal("12.1", "guns-do-not-march", unit=u)
    if is_mechanized(s.units, u):
        return None
    if s.units.side[u] == GERMAN:
        return Refusal("12.1", "germans-have-no-trucks", unit=u)
    return Refusal("12.4.3", "no-trucks", unit=u) if on_map(s, u) and not s.march >> u & 1 else None


def march_budget(s: ArdennesState, u: UnitId) -> int:
    """Half points of strategic movement: twice the capacity, or twelve points by truck [12.1, 12.4.4]."""
    if not is_mechanized(s.units, u):
        return TRUCKED * 2
    return (drive(s.units, u) if s.units.artillery[u] else values(s, u)[2]) * 4


def march_way(s: ArdennesState, u: UnitId) -> Way:
    """A unit's surroundings as it sees them from the road; traffic costs it what it costs all [12.1, 12.3]."""
    return way_of(s, u, MOTOR if s.units.mobility[u] == FOOT else s.units.mobility[u], roads=True, avoid_enemies=True)


def march_ends(s: ArdennesState, u: UnitId, hexes: HexSet) -> HexSet:
    """Where a march may end: alone but for its regiment, not next to another march on the same road [12.2, 12.4.2]."""
    side = s.units.side[u]
    if not marker_left(s, u):
        hexes &= riding_mates(s, u)
    manned = hexes & occupied(s, side)
    mates = manned & mask_of(s.where[x] for x in bits(s.march & s.units.regiment_mask[s.units.regiment[u]] | 1 << u))
    hexes &= ~(manned & ~mates)
    for h in bits(mates):
        others = [x for x in units_at(s, h) if x != u]
        together = all(s.units.regiment[x] == s.units.regiment[u] and s.march >> x & 1 for x in others)
        if others and not (together and not full_hexes(s, u, 1 << h)):
            hexes &= ~(1 << h)
    return hexes & ~beside_marches(s, u)


def beside_marches(s: ArdennesState, u: UnitId) -> int:
    """The hexes next to other marches of a unit's side on their roads, as bits [12.2]."""
    riders = s.march & ~s.shared & s.units.side_mask[s.units.side[u]] & ~(1 << u)
    heads = [s.where[x] for x in bits(riders) if on_map(s, x)]
    return mask_of(h for head in heads for h in s.ground.board.adjacent[head] if (head, h) in s.ground.roads)


def march_reach(s: ArdennesState, u: UnitId, walk: Walk = UNMOVED) -> Reach | None:
    """What a unit on the map reaches by strategic movement, None if it cannot use it."""
    if walk.began < 0 and (refuse_march(s, u) is not None or refuse_mover(s, u) is not None):
        return None
    starts = ((s.where[u], walk.road),)
    return reach_by_points("march", "march", starts, walk.began < 0, march_budget(s, u), march_way(s, u))


def march_stops(s: ArdennesState, u: UnitId, reach: Reach) -> HexSet:
    """The hexes within reach in which a march may end, as bits: not where it began."""
    return march_ends(s, u, reach.hexes & ~(1 << s.where[u]) if reach.inside else reach.hexes)


def march_destinations(s: ArdennesState, u: UnitId, walk: Walk = UNMOVED) -> list[HexId]:
    """Where a unit on the map may end a march, ascending."""
    reach = march_reach(s, u, walk)
    return bits(march_stops(s, u, reach)) if reach else []


# ---- 12.4.3 Trucks -------------------------------------------------------------------------------------------


def _far_from_roads(s: ArdennesState, units: UnitSet) -> UnitSet:
    """Trucks are mounted in boxes, or on a road where the unit began the phase, away from the enemy [12.4.3]."""
    here = units & present(s)
    boxed = reduce(or_, (away(s).get(place, NO_UNITS) for place in s.ground.box_places))
    roads = s.ground.road_hexes & ~next_to(s.ground, occupied(s, GERMAN))
    return units & ~here & ~boxed | here & (s.moved | ~standing(s, roads))


def _without_marker(s: ArdennesState, units: UnitSet) -> UnitSet:
    """Units on foot for which no marker is left, and which find none of their regiment's where they are [12.4.2]."""
    regiment = s.units.regiment
    if markers_used(s, ALLIED) < MARCH_MARKERS[ALLIED]:
        return NO_UNITS
    shared = {(s.where[x], regiment[x]) for x in bits(s.march & ~s.shared)}
    return units_of(u for u in bits(units) if (s.where[u], regiment[u]) not in shared)


def _if_on_map(bar: Bar[ArdennesState]) -> Bar[ArdennesState]:
    return bar._replace(held=lambda s, units: bar.held(s, units & present(s)))


LOADING: Bars[ArdennesState] = (  # what keeps units from being given trucks: they are for Allies on foot [12.4.3]
    Bar(
        "12.4.3",
        "no-trucks",
        lambda s, units: units & ~(s.units.side_mask[ALLIED] & s.units.mobility_mask[FOOT] & ~s.march),
    ),
    *NO_MARCHES,
    *(_if_on_map(bar) for bar in MOVING),
    Bar("12.4.3", "load-on-road", _far_from_roads),
    Bar("12.1", "cannot-march", lambda s, units: units & (shaken(s) | s.oos | s.short | s.fresh)),
    Bar("12.4.1", "no-march-marker", _without_marker),
)


def refuse_loading(s: ArdennesState, u: UnitId) -> Refusal | None:
    """Why an Allied unit on foot cannot be given trucks."""
    return refusal(s, u, LOADING)


def load_trucks(s: ArdennesState, u: UnitId, out: Sink) -> None:
    """Give a unit on foot trucks; it goes no further in this phase."""
    set_march(s, u, True)
    s.done |= 1 << u
    out("12.4.3", "loads", unit=u)


def unload_trucks(s: ArdennesState, u: UnitId, out: Sink) -> None:
    """Send the trucks of a unit away that has not moved; it may march on foot [12.7]."""
    set_march(s, u, False)
    s.done &= ~(1 << u)
    out("12.7", "unloads", unit=u)


# ---- 22.3 Tractors -----------------------------------------------------------------------------------------


def refuse_towing(s: ArdennesState, u: UnitId) -> Refusal | None:
    """Why German artillery cannot be given a tractor [22.3]."""
    if not s.units.artillery[u] or s.units.side[u] == ALLIED:
        return Refusal("22.3", "no-tractor", unit=u)
    if barred := refuse_mover(s, u):
        return barred
    army = s.units.colour[u]
    used = sum(s.units.colour[x] == army for x in bits(s.tractor))
    if used >= TRACTORS.get(army, 0) or markers_used(s, GERMAN) >= MARCH_MARKERS[GERMAN]:
        return Refusal("22.3", "no-tractor-left", unit=u)
    return None


def tow_reaches(s: ArdennesState, u: UnitId, walk: Walk = UNMOVED) -> list[Reach]:
    """What German artillery reaches behind a tractor."""
    if refuse_towing(s, u) is not None:
        return []
    way = way_of(s, u)
    found = [by_hexes(s, u, "tactical", TACTICAL_HEXES, walk, way, "tow")]
    if not only_tactical(s, u):
        found.append(by_points(s, u, "normal", TOWED, walk, way, "tow"))
    return found


def tows(s: ArdennesState, u: UnitId, walk: Walk = UNMOVED, roomy: bool = False) -> Stops:
    """Where a tractor may bring German artillery."""
    return [(reach, ends(s, u, reach, roomy)) for reach in tow_reaches(s, u, walk)]
