"""The Deadly Woods: orders for the German armies and the Allied corps, for planners and for those who ask them.

A formation is told a victory hex: to take it, to break through to one far away, to hold it, to garrison one that
stands empty, or to delay the enemy before it.
"""

from __future__ import annotations

from functools import lru_cache

from salient.common.plans import Doctrine, obedience, on_the_map
from salient.common.sides import ALLIED, SEATS
from salient.common.stacks import occupied, present
from salient.games.deadly_woods.model import (
    CORPS,
    COUNT,
    ENTRY,
    HEXES,
    SIDE,
    START,
    VALUES,
    VDH,
    WoodsState,
    army_of,
)
from salient.games.deadly_woods.survey import STEPS_TO, TARGETS
from salient.kernel import Order, Plan, Seat

ARMY_OF_ENTRY = {"K": "6", "L": "5", "M": "7"}
AIRBORNE_CORPS = "XVIII"  # of the divisions that belong to no other
DOCTRINE = Doctrine(near=6, far=14, pull=0.05, there=1.5, before=0.25, delaying=range(2, 6))  # in hexes


def _formation(u: int) -> str:
    if SIDE[u] == ALLIED:
        return f"corps-{CORPS[u] or AIRBORNE_CORPS}"
    return f"army-{army_of(START[u]) if START[u] >= 0 else ARMY_OF_ENTRY[ENTRY[u][0]]}"


def _members() -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for u in range(COUNT):
        if VALUES[u][0][2] and u != VDH:
            found[_formation(u)] = (*found.get(_formation(u), ()), u)
    return found


MEMBERS = _members()


def formations(s: WoodsState, seat: Seat) -> tuple[str, ...]:
    """The armies or corps of a seat with units on the map."""
    return on_the_map(MEMBERS, SIDE, SEATS.index(seat), present(s))


def orders(s: WoodsState, seat: Seat, formation: str) -> Plan:
    """What a formation can be told: the victory hexes nearest to it, each in the way that fits."""
    side = SEATS.index(seat)
    hexes = [s.where[u] for u in MEMBERS[formation] if s.where[u] < HEXES]
    places = [(min(far[h] for h in hexes), TARGETS[i]) for i, far in enumerate(STEPS_TO)] if hexes else []
    return DOCTRINE.orders(formation, side, places, s.german_held, occupied(s, side))


def bias(s: WoodsState, seat: Seat, plan: Plan) -> float:
    """How far the formations do as they were told, by their strength near the places of their orders."""
    return obedience(s, plan, MEMBERS, _followed)


@lru_cache(maxsize=1 << 13)
def _followed(order: Order, where: tuple[int, ...], lost: tuple[int, ...]) -> float:
    units = zip(MEMBERS[order.formation], where, lost, strict=True)
    strengths = [(h, VALUES[u][steps][:2]) for u, h, steps in units if h < HEXES]
    return DOCTRINE.followed(order, STEPS_TO[TARGETS.index(order.place)], strengths)
