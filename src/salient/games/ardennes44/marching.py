"""Ardennes '44: chapter 12, strategic movement and trucks, and the tractors of 22.3."""

from __future__ import annotations

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied, on_map, units_at
from salient.games.ardennes44.model import (
    ARTILLERY,
    BOARD,
    BOXES,
    COLOUR,
    FOOT,
    MOBILITY,
    MOTOR,
    PLACES,
    REGIMENT,
    ROAD_HEXES,
    SIDE,
    SIDE_MASK,
    ArdennesState,
    is_mechanized,
    marks_of,
    set_march,
    values,
)
from salient.games.ardennes44.movement import (
    TACTICAL_HEXES,
    UNMOVED,
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
from salient.hexes.masks import bits, mask_of
from salient.kernel import Refusal

TRUCKED = 12  # movement points [12.4.4]
TOWED = 5  # movement points [22.3]
MARCH_MARKERS = (10, 6)  # by side [12.4.1]
TRACTORS = {"6Pz": 2, "5Pz": 2, "7A": 1}  # 22.3

# ---- 12.4 Markers -----------------------------------------------------------------------------------


def markers_used(s: ArdennesState, side: int, without: int = 0) -> int:
    """Strategic movement, truck and tractor markers in use; a regiment that rides together shares one [12.4.2]."""
    own = s.march & SIDE_MASK[side] & ~(s.shared | without)
    riders = {(s.where[u], REGIMENT[u]) for u in bits(own)}
    return len(riders) + (s.tractor.bit_count() if side == GERMAN else 0)


def partners(s: ArdennesState, u: int) -> int:
    """The units that ride under one marker with a unit and have not moved yet, as bits [12.4.2]."""
    if not s.march >> u & 1:
        return 0
    riders = s.march & ~s.done & ~(1 << u)
    return mask_of(x for x in bits(riders) if s.where[x] == s.where[u] and REGIMENT[x] == REGIMENT[u])


def marker_left(s: ArdennesState, u: int) -> bool:
    """Whether a unit has a marker, of its own or that of its partners, or can be given one [12.4.1]."""
    return markers_used(s, SIDE[u], 1 << u | partners(s, u)) < MARCH_MARKERS[SIDE[u]]


def share_marker(s: ArdennesState, u: int) -> None:
    """Before a unit rides off: partners for whom no marker is left follow it, or lose their trucks [12.4.2]."""
    if markers_used(s, SIDE[u], 1 << u) >= MARCH_MARKERS[SIDE[u]]:
        s.shared |= partners(s, u)


def drop_shared_markers(s: ArdennesState, side: int) -> None:
    """At the end of the movement those who did not follow their marker are on foot, unless one is left [12.4.2]."""
    for u in bits(s.shared & SIDE_MASK[side]):
        s.shared &= ~(1 << u)
        if markers_used(s, side) > MARCH_MARKERS[side]:
            set_march(s, u, False)


def riding_mates(s: ArdennesState, u: int) -> int:
    """The places of marches of a unit's regiment whose marker it can share, as bits [12.4.2]."""
    riders = s.march & ~s.shared & ~(1 << u)
    return mask_of(s.where[x] for x in bits(riders) if REGIMENT[x] == REGIMENT[u])


# ---- 12.1, 12.2 Strategic movement ------------------------------------------------------------------------


def refuse_march(s: ArdennesState, u: int) -> Refusal | None:
    """Why a unit cannot use strategic movement now, entry apart [12.1, 12.2, 29.1.3]."""
    if s.turn == 1:
        return Refusal("29.1.3", "no-march-on-turn-1", unit=u)
    if s.night:
        return Refusal("25.3.1", "no-march-at-night", unit=u)
    if SIDE[u] == GERMAN and (ARTILLERY[u] or not is_mechanized(u)):
        return Refusal("12.1", "guns-do-not-march" if ARTILLERY[u] else "germans-have-no-trucks", unit=u)
    if not is_mechanized(u) and on_map(s, u) and not s.march >> u & 1:
        return Refusal("12.4.3", "no-trucks", unit=u)
    if s.order[u] or not is_supplied(s, u):
        return Refusal("12.1", "cannot-march", unit=u)
    if s.turn == 2 and "rrd" in marks_of(s, u):
        return Refusal("27.6", "two-hexes-only", unit=u)
    if s.fresh >> u & 1:
        return Refusal("25.2.4", "one-hex-only", unit=u)
    if on_map(s, u) and next_to(occupied(s, 1 - SIDE[u])) >> s.where[u] & 1:
        return Refusal("12.2", "march-next-to-enemy", unit=u)
    if not marker_left(s, u) and not riding_mates(s, u) & ~(1 << s.where[u]):
        return Refusal("12.4.1", "no-march-marker", unit=u)
    return None


def march_budget(s: ArdennesState, u: int) -> int:
    """Half points of strategic movement: twice the capacity, or twelve points by truck [12.1, 12.4.4]."""
    if not is_mechanized(u):
        return TRUCKED * 2
    return (drive(u) if ARTILLERY[u] else values(s, u)[2]) * 4


def march_way(s: ArdennesState, u: int) -> Way:
    """A unit's surroundings as it sees them from the road; traffic costs it what it costs all [12.1, 12.3]."""
    return way_of(s, u, MOTOR if MOBILITY[u] == FOOT else MOBILITY[u], roads=True, shy=True)


def march_ends(s: ArdennesState, u: int, hexes: int) -> int:
    """Where a march may end: alone but for its regiment, not next to another march on the same road [12.2, 12.4.2]."""
    side = SIDE[u]
    if not marker_left(s, u):
        hexes &= riding_mates(s, u)
    for h in bits(hexes & occupied(s, side)):
        others = [x for x in units_at(s, h) if x != u]
        together = all(REGIMENT[x] == REGIMENT[u] and s.march >> x & 1 for x in others)
        if others and not (together and not full_hexes(s, u, 1 << h)):
            hexes &= ~(1 << h)
    return hexes & ~beside_marches(s, u)


def beside_marches(s: ArdennesState, u: int) -> int:
    """The hexes next to other marches of a unit's side on their roads, as bits [12.2]."""
    riders = s.march & ~s.shared & SIDE_MASK[SIDE[u]] & ~(1 << u)
    heads = [s.where[x] for x in bits(riders) if on_map(s, x)]
    return mask_of(h for head in heads for h in BOARD.adjacent[head] if BOARD.road(head, h))


def march_reach(s: ArdennesState, u: int, walk: Walk = UNMOVED) -> Reach | None:
    """What a unit on the map reaches by strategic movement, None if it cannot use it."""
    if walk.began < 0 and (refuse_march(s, u) is not None or refuse_mover(s, u) is not None):
        return None
    starts = ((s.where[u], walk.road),)
    return reach_by_points("march", "march", starts, walk.began < 0, march_budget(s, u), march_way(s, u))


def march_stops(s: ArdennesState, u: int, reach: Reach) -> int:
    """The hexes within reach in which a march may end, as bits: not where it began."""
    hexes = mask_of(reach.costs)
    return march_ends(s, u, hexes & ~(1 << s.where[u]) if reach.inside else hexes)


def march_destinations(s: ArdennesState, u: int, walk: Walk = UNMOVED) -> list[int]:
    """Where a unit on the map may end a march, ascending."""
    reach = march_reach(s, u, walk)
    return bits(march_stops(s, u, reach)) if reach else []


# ---- 12.4.3 Trucks -------------------------------------------------------------------------------------------


def refuse_loading(s: ArdennesState, u: int) -> Refusal | None:
    """Why an Allied unit on foot cannot be given trucks [12.4.3]."""
    if SIDE[u] == GERMAN or MOBILITY[u] != FOOT or s.march >> u & 1:
        return Refusal("12.4.3", "no-trucks", unit=u)
    if s.turn == 1:
        return Refusal("29.1.3", "no-march-on-turn-1", unit=u)
    if s.night:
        return Refusal("25.3.1", "no-march-at-night", unit=u)
    if refusal := _refuse_loading_place(s, u):
        return refusal
    if s.order[u] or not is_supplied(s, u) or s.fresh >> u & 1:
        return Refusal("12.1", "cannot-march", unit=u)
    if marker_left(s, u) or riding_mates(s, u) >> s.where[u] & 1:
        return None
    return Refusal("12.4.1", "no-march-marker", unit=u)


def _refuse_loading_place(s: ArdennesState, u: int) -> Refusal | None:
    """Trucks are mounted in boxes, or on a road where the unit began the phase, away from the enemy [12.4.3]."""
    here = s.where[u]
    if not on_map(s, u):
        return None if PLACES[here] in BOXES else Refusal("12.4.3", "load-on-road", unit=u)
    if refusal := refuse_mover(s, u):
        return refusal
    if s.moved >> u & 1 or not ROAD_HEXES >> here & 1 or next_to(occupied(s, GERMAN)) >> here & 1:
        return Refusal("12.4.3", "load-on-road", unit=u)
    return None


# ---- 22.3 Tractors -----------------------------------------------------------------------------------------


def refuse_towing(s: ArdennesState, u: int) -> Refusal | None:
    """Why German artillery cannot be given a tractor [22.3]."""
    if not ARTILLERY[u] or SIDE[u] == ALLIED:
        return Refusal("22.3", "no-tractor", unit=u)
    if refusal := refuse_mover(s, u):
        return refusal
    army = COLOUR[u]
    used = sum(COLOUR[x] == army for x in bits(s.tractor))
    if used >= TRACTORS.get(army, 0) or markers_used(s, GERMAN) >= MARCH_MARKERS[GERMAN]:
        return Refusal("22.3", "no-tractor-left", unit=u)
    return None


def tow_reaches(s: ArdennesState, u: int, walk: Walk = UNMOVED) -> list[Reach]:
    """What German artillery reaches behind a tractor."""
    if refuse_towing(s, u) is not None:
        return []
    way = way_of(s, u)
    found = [by_hexes(s, u, "tactical", TACTICAL_HEXES, walk, way, "tow")]
    if not only_tactical(s, u):
        found.append(by_points(s, u, "normal", TOWED, walk, way, "tow"))
    return found


def tows(s: ArdennesState, u: int, walk: Walk = UNMOVED, roomy: bool = False) -> dict[int, Reach]:
    """Where a tractor may bring German artillery."""
    found: dict[int, Reach] = {}
    for reach in tow_reaches(s, u, walk):
        for h in bits(ends(s, u, reach, roomy)):
            found.setdefault(h, reach)
    return dict(sorted(found.items()))
