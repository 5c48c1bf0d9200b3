"""The Deadly Woods: orders for the German armies and the Allied corps, for planners and for those who ask them.

A formation is told a victory hex: to take it, to break through to one far away, to hold it, to garrison one that
stands empty, or to delay the enemy before it.
"""

from __future__ import annotations

from functools import cache, lru_cache, partial

from salient.common.plans import Doctrine, obedience, on_the_map
from salient.common.sides import ALLIED, SEATS
from salient.common.stacks import occupied, present
from salient.games.deadly_woods.components import Data
from salient.games.deadly_woods.model import WoodsState
from salient.games.deadly_woods.survey import worths
from salient.hexes.sets import UnitId
from salient.kernel import Order, Plan, Seat

ARMY_OF_ENTRY = {"K": "6", "L": "5", "M": "7"}
AIRBORNE_CORPS = "XVIII"  # of the divisions that belong to no other
DOCTRINE = Doctrine(near=6, far=14, pull=0.05, there=1.5, before=0.25, delaying=range(2, 6))  # in hexes


def _formation(data: Data, u: UnitId) -> str:
    units = data.units
    if units.side[u] == ALLIED:
        return f"corps-{units.corps[u] or AIRBORNE_CORPS}"
    start = units.start[u]
    return f"army-{data.ground.army_of(start) if start >= 0 else ARMY_OF_ENTRY[units.entry[u][0]]}"


@cache
def members_of(data: Data) -> dict[str, tuple[int, ...]]:
    """By formation: its units, ascending."""
    found: dict[str, tuple[int, ...]] = {}
    for u in data.units.all:
        if data.units.values[u][0][2] and u != data.units.von_der_heydte:
            name = _formation(data, u)
            found[name] = (*found.get(name, ()), u)
    return found


def formations(s: WoodsState, seat: Seat) -> tuple[str, ...]:
    """The armies or corps of a seat with units on the map."""
    return on_the_map(members_of(s.data), s.units.side, SEATS.index(seat), present(s))


def orders(s: WoodsState, seat: Seat, formation: str) -> Plan:
    """What a formation can be told: the victory hexes nearest to it, each in the way that fits."""
    side = SEATS.index(seat)
    hexes = [s.where[u] for u in members_of(s.data)[formation] if s.where[u] < s.ground.hexes]
    known = worths(s.data)
    far_to = zip(known.targets, known.steps_to, strict=True)
    places = [(min(far[h] for h in hexes), target) for target, far in far_to] if hexes else []
    return DOCTRINE.orders(formation, side, places, s.german_held, occupied(s, side))


def bias(s: WoodsState, seat: Seat, plan: Plan) -> float:
    """How far the formations do as they were told, by their strength near the places of their orders."""
    return obedience(s, plan, members_of(s.data), partial(_followed, s.data))


@lru_cache(maxsize=1 << 13)
def _followed(data: Data, order: Order, where: tuple[int, ...], lost: tuple[int, ...]) -> float:
    known, hexes, values = worths(data), data.ground.hexes, data.units.values
    units = zip(members_of(data)[order.formation], where, lost, strict=True)
    strengths = [(h, values[u][steps][:2]) for u, h, steps in units if h < hexes]
    return DOCTRINE.followed(order, known.steps_to[known.targets.index(order.place)], strengths)
