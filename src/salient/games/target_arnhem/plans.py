"""Target Arnhem: orders for corps, divisions and the two German armies, for planners and for those who ask them.

A formation is told a place on the red road: to attack it, or to hold it once it stands there.
"""

from __future__ import annotations

from functools import lru_cache

from salient.common.sides import SEATS
from salient.games.target_arnhem.model import (
    BOARD,
    HEXES,
    POOL,
    POOLS,
    RED_ROAD,
    SIDE,
    STRENGTH,
    UNITS,
    ArnhemState,
    occupied,
)
from salient.games.target_arnhem.survey import FAR, distances
from salient.hexes.masks import bit
from salient.kernel import Order, Plan, Seat

TOWNS = ("0103", "0503", "0803", "1004", "1104", "1205", "1504")  # Neerpelt, Eindhoven, Veghel, Grave, Nijmegen, Arnhem
PLACES = tuple(BOARD.index[name] for name in TOWNS if RED_ROAD >> BOARD.index[name] & 1)
TO = {place: distances(bit(place)) for place in PLACES}
MEMBERS = {pool: tuple(u for u in range(len(UNITS)) if POOLS[POOL[u]] == pool) for pool in POOLS}
NEAR = 5  # steps within which a place can be an order's
PULL, HELD, SECOND = 0.15, 1.5, 0.5  # a point of strength a step nearer; a unit in the place; one more


def formations(s: ArnhemState, seat: Seat) -> tuple[str, ...]:
    """The formations of a seat that have units on the map."""
    side = SEATS.index(seat)
    return tuple(
        pool
        for pool, units in MEMBERS.items()
        if units and SIDE[units[0]] == side and any(s.where[u] < HEXES for u in units)
    )


def orders(s: ArnhemState, seat: Seat, formation: str) -> Plan:
    """What a formation can be told: the places of the road near it, to be held if it stands there."""
    where = {s.where[u] for u in MEMBERS[formation] if s.where[u] < HEXES}
    own = occupied(s, SEATS.index(seat))
    return tuple(
        Order(formation, "hold" if own >> place & 1 else "attack", place)
        for place in PLACES
        if min((TO[place][h] for h in where), default=FAR) <= NEAR
    )


def bias(s: ArnhemState, seat: Seat, plan: Plan) -> float:
    """How far the formations do as they were told, by their strength near the places of their orders."""
    return sum(_followed(order, tuple(s.where[u] for u in MEMBERS[order.formation])) for order in plan)


@lru_cache(maxsize=1 << 13)
def _followed(order: Order, where: tuple[int, ...]) -> float:
    far = TO[order.place]
    pull = PULL if order.kind == "attack" else PULL / 3
    total = 0.0
    for u, place in zip(MEMBERS[order.formation], where, strict=True):
        if place < HEXES:
            total += pull * STRENGTH[u] * (NEAR - min(NEAR, far[place]))
    there = where.count(order.place)
    return total + (HELD if there else 0.0) + (SECOND if there > 1 else 0.0)
