"""Ardennes '44: 11.9, leaving the map: Allies into the boxes, Germans for Antwerp."""

from __future__ import annotations

from functools import cache, reduce
from operator import or_

from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.components import BOXES, Ground
from salient.games.ardennes44.marches import marker_left
from salient.games.ardennes44.model import ArdennesState, east_only, frozen_ground
from salient.games.ardennes44.ways import LEAVING_ZONE, Reach, entry_cost
from salient.games.ardennes44.zones import british_are_held
from salient.hexes.masks import bits
from salient.hexes.sets import NO_HEXES, HexSet, UnitId

EDGE_COST = 2  # half points [11.9.1]


def _manners(s: ArdennesState, u: UnitId, plain: list[Reach], march: Reach | None) -> list[Reach]:
    """The ways of moving by which a unit may leave: strategic movement and trucks too, if it has a marker [12.4.1]."""
    return [*plain, march] if march and marker_left(s, u) else plain


def _doors(s: ArdennesState, u: UnitId, reach: Reach, edge: int, toll: int) -> HexSet:
    """The hexes at the edge from which a unit has enough left for the road, or a hex if it moves by hexes, as bits."""
    left = reach.limit - (1 if reach.by_hexes else toll)
    doors = edge & reach.within[left] & ~reach.way.zone if left >= 0 else NO_HEXES
    here = edge & reach.way.zone & s.ground.bit[s.where[u]] if reach.inside else 0
    if here:
        spent = reach.cost(s.where[u]) + (0 if reach.by_hexes else LEAVING_ZONE)
        if spent <= left:
            doors |= here
    return doors


# ---- 11.9.1 Allies ---------------------------------------------------------------------------------------


@cache
def _edges(ground: Ground, east: bool) -> dict[int, int]:
    """By box: the hexes from which units leave into it, as bits."""
    west = ground.east_west_edge if east else 0
    places = sorted((ground.place[box], box) for box in BOXES)
    return {place: ground.box_edge[box] | (west if box == "west" else 0) for place, box in places}


@cache
def _edge(ground: Ground, east: bool) -> int:
    return reduce(or_, _edges(ground, east).values())


def edge_boxes(s: ArdennesState, u: UnitId, h: int) -> list[int]:
    """The boxes into which an Allied unit can leave from a hex at the edge [11.9.1, 11.9.4, 17.6, 27.3.1]."""
    if s.units.side[u] == GERMAN or not _edge(s.ground, east_only(s)) & s.ground.bit[h] or british_are_held(s, u):
        return []
    return [box for box, edge in _edges(s.ground, east_only(s)).items() if edge & s.ground.bit[h]]


def leaving(s: ArdennesState, u: UnitId, plain: list[Reach], march: Reach | None) -> dict[int, tuple[Reach, int]]:
    """Boxes that an Allied unit can leave into, with the edge hex that is the cheapest to come to [11.9.1]."""
    found: dict[int, tuple[Reach, int]] = {}
    if s.units.side[u] == GERMAN or british_are_held(s, u):
        return found
    east = east_only(s)
    for reach in _manners(s, u, plain, march):
        doors = _doors(s, u, reach, _edge(s.ground, east), EDGE_COST) if reach.hexes & _edge(s.ground, east) else 0
        for box, edge in _edges(s.ground, east).items() if doors else ():
            if doors & edge and box not in found:
                found[box] = reach, min(bits(doors & edge), key=reach.cost)
    return dict(sorted(found.items()))


# ---- 11.9.3 Germans --------------------------------------------------------------------------------------


def exit_hexes(s: ArdennesState) -> int:
    """The hexes by which Germans leave westwards, as bits [11.9.3, S2.4]."""
    return s.ground.western_roads if east_only(s) else s.ground.exits


def exits(s: ArdennesState, u: UnitId, plain: list[Reach], march: Reach | None) -> dict[int, Reach]:
    """Hexes by which a German unit can leave for Antwerp, at the cost of the road [11.9.3, S2.4]."""
    if s.units.side[u] == ALLIED or s.units.artillery[u]:
        return {}
    found: dict[int, Reach] = {}
    for reach in _manners(s, u, plain, march):
        for h in bits(exit_hexes(s) & reach.hexes):
            if _doors(s, u, reach, s.ground.bit[h], entry_cost(s.ground, h, s.units.mobility[u], frozen_ground(s))):
                found.setdefault(h, reach)
    return dict(sorted(found.items()))
