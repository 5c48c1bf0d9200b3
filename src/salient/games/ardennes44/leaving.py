"""Ardennes '44: 11.9, leaving the map: Allies into the boxes, Germans for Antwerp."""

from __future__ import annotations

from functools import lru_cache

from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.marching import march_reach, marker_left
from salient.games.ardennes44.model import (
    ARTILLERY,
    BOX_EDGE,
    BOXES,
    EAST_WEST_EDGE,
    EXITS,
    MOBILITY,
    PLACE,
    SIDE,
    WESTERN_ROADS,
    ArdennesState,
    east_only,
    frozen_ground,
)
from salient.games.ardennes44.movement import UNMOVED, Walk, reaches
from salient.games.ardennes44.ways import LEAVING_ZONE, Reach, entry_cost
from salient.games.ardennes44.zones import british_are_held
from salient.hexes.masks import bits, mask_of

EDGE_COST = 2  # half points [11.9.1]


def _manners(s: ArdennesState, u: int, walk: Walk) -> list[Reach]:
    """The ways of moving by which a unit may leave: strategic movement and trucks too, if it has a marker [12.4.1]."""
    march = march_reach(s, u, walk) if marker_left(s, u) else None
    return [*reaches(s, u, walk), *([march] if march else [])]


def _goes_off(s: ArdennesState, u: int, reach: Reach, h: int, toll: int) -> bool:
    """Whether a unit that has come to a hex at the edge has enough left for the road, or a hex if it moves by hexes."""
    zoc = reach.way.zone >> h & 1
    if zoc and not (reach.inside and h == s.where[u]):
        return False
    if reach.by_hexes:
        return reach.costs[h] < reach.limit
    return reach.costs[h] + toll + (LEAVING_ZONE if zoc else 0) <= reach.limit


# ---- 11.9.1 Allies ---------------------------------------------------------------------------------------


def edge_boxes(s: ArdennesState, u: int, h: int) -> list[int]:
    """The boxes into which an Allied unit can leave from a hex at the edge [11.9.1, 11.9.4, 17.6, 27.3.1]."""
    if SIDE[u] == GERMAN or british_are_held(s, u):
        return []
    found = [PLACE[box] for box in BOXES if BOX_EDGE[box] >> h & 1]
    if east_only(s) and EAST_WEST_EDGE >> h & 1:
        found.append(PLACE["west"])
    return sorted(set(found))


@lru_cache(maxsize=2)
def _edge(east: bool) -> int:
    edge = 0
    for mask in BOX_EDGE.values():
        edge |= mask
    return edge | (EAST_WEST_EDGE if east else 0)


def leaving(s: ArdennesState, u: int, walk: Walk = UNMOVED) -> dict[int, tuple[Reach, int]]:
    """Boxes that an Allied unit can leave into, with the edge hex that is the cheapest to come to [11.9.1]."""
    found: dict[int, tuple[Reach, int]] = {}
    if SIDE[u] == GERMAN or british_are_held(s, u):
        return found
    edge = _edge(east_only(s))
    for reach in _manners(s, u, walk):
        doors = [h for h in bits(mask_of(reach.costs) & edge) if _goes_off(s, u, reach, h, EDGE_COST)]
        for h in sorted(doors, key=lambda door: reach.costs[door]):
            for box in edge_boxes(s, u, h):
                found.setdefault(box, (reach, h))
    return dict(sorted(found.items()))


# ---- 11.9.3 Germans --------------------------------------------------------------------------------------


def exit_hexes(s: ArdennesState) -> int:
    """The hexes by which Germans leave westwards, as bits [11.9.3, S2.4]."""
    return WESTERN_ROADS if east_only(s) else EXITS


def exits(s: ArdennesState, u: int, walk: Walk = UNMOVED) -> dict[int, Reach]:
    """Hexes by which a German unit can leave for Antwerp, at the cost of the road [11.9.3, S2.4]."""
    if SIDE[u] == ALLIED or ARTILLERY[u]:
        return {}
    found: dict[int, Reach] = {}
    for reach in _manners(s, u, walk):
        for h in bits(exit_hexes(s) & mask_of(reach.costs)):
            if _goes_off(s, u, reach, h, entry_cost(h, MOBILITY[u], frozen_ground(s))):
                found.setdefault(h, reach)
    return dict(sorted(found.items()))
