"""Target Arnhem: orders for corps, divisions and the two German armies, for planners and for those who ask them.

A formation is told a place on the red road: to attack it, or to hold it once it stands there.
"""

from __future__ import annotations

from functools import cache, lru_cache

from salient.common.data import Part
from salient.common.sides import SEATS
from salient.games.target_arnhem.components import POOLS, Data
from salient.games.target_arnhem.model import ArnhemState, occupied
from salient.games.target_arnhem.survey import FAR, distances
from salient.hexes.masks import bit
from salient.kernel import Order, Plan, Seat

TOWNS = ("0103", "0503", "0803", "1004", "1104", "1205", "1504")  # Neerpelt, Eindhoven, Veghel, Grave, Nijmegen, Arnhem
NEAR = 5  # steps within which a place can be an order's
PULL, HELD, SECOND = 0.15, 1.5, 0.5  # a point of strength a step nearer; a unit in the place; one more


class Known(Part):
    """The places that can be an order's, how far it is to them, and the units of each formation."""

    def __init__(self, data: Data) -> None:
        ground, pool = data.ground, data.units.pool
        places = [ground.board.index[name] for name in TOWNS]
        self.places = tuple(place for place in places if ground.red_road >> place & 1)
        self.distance = {place: distances(ground, bit(place)) for place in self.places}
        self.members = {name: tuple(u for u in range(data.units.count) if POOLS[pool[u]] == name) for name in POOLS}


@cache
def known(data: Data) -> Known:
    """What is known beforehand."""
    return Known(data)


def formations(s: ArnhemState, seat: Seat) -> tuple[str, ...]:
    """The formations of a seat that have units on the map."""
    side = SEATS.index(seat)
    return tuple(
        pool
        for pool, units in known(s.data).members.items()
        if units and s.units.side[units[0]] == side and any(s.where[u] < s.ground.hexes for u in units)
    )


def orders(s: ArnhemState, seat: Seat, formation: str) -> Plan:
    """What a formation can be told: the places of the road near it, to be held if it stands there."""
    where = {s.where[u] for u in known(s.data).members[formation] if s.where[u] < s.ground.hexes}
    own = occupied(s, SEATS.index(seat))
    return tuple(
        Order(formation, "hold" if own >> place & 1 else "attack", place)
        for place in known(s.data).places
        if min((known(s.data).distance[place][h] for h in where), default=FAR) <= NEAR
    )


def bias(s: ArnhemState, seat: Seat, plan: Plan) -> float:
    """How far the formations do as they were told, by their strength near the places of their orders."""
    members = known(s.data).members
    return sum(_followed(s.data, order, tuple(s.where[u] for u in members[order.formation])) for order in plan)


@lru_cache(maxsize=1 << 13)
def _followed(data: Data, order: Order, where: tuple[int, ...]) -> float:
    far = known(data).distance[order.place]
    pull = PULL if order.kind == "attack" else PULL / 3
    total = 0.0
    for u, place in zip(known(data).members[order.formation], where, strict=True):
        if place < data.ground.hexes:
            total += pull * data.units.strength[u] * (NEAR - min(NEAR, far[place]))
    there = where.count(order.place)
    return total + (HELD if there else 0.0) + (SECOND if there > 1 else 0.0)
