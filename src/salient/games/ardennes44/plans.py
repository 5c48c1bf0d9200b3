"""Ardennes '44: orders for the German armies and the Allied corps, for planners and for those who ask them.

A formation is told a victory hex: to take it, to break through to one far away, to hold it, to garrison one that
stands empty, or to delay the enemy before it.
"""

from __future__ import annotations

from functools import lru_cache

from salient.common.plans import Doctrine, obedience, on_the_map
from salient.common.sides import GERMAN, SEATS
from salient.common.stacks import occupied, present
from salient.games.ardennes44.judge import targets_of
from salient.games.ardennes44.model import ARTILLERY, COLOUR, COUNT, HEXES, REMNANT, SIDE, SPLIT, VALUES, ArdennesState
from salient.games.ardennes44.survey import TARGETS, far
from salient.kernel import Order, Plan, Seat

DOCTRINE = Doctrine(
    near=16, far=36, pull=0.03, there=1.0, before=0.15, delaying=range(4, 13)
)  # in half points of a march


def _members() -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for u in range(COUNT):
        if not (ARTILLERY[u] or SPLIT[u] or REMNANT[u] or COLOUR[u] == "army"):
            name = f"{'army' if SIDE[u] == GERMAN or COLOUR[u] == '3A' else 'corps'}-{COLOUR[u]}"
            found[name] = (*found.get(name, ()), u)
    return found


MEMBERS = _members()


def formations(s: ArdennesState, seat: Seat) -> tuple[str, ...]:
    """The armies or corps of a seat with units on the map."""
    return on_the_map(MEMBERS, SIDE, SEATS.index(seat), present(s))


def orders(s: ArdennesState, seat: Seat, formation: str) -> Plan:
    """What a formation can be told: the victory hexes nearest to it, each in the way that fits."""
    side = SEATS.index(seat)
    hexes = [s.where[u] for u in MEMBERS[formation] if s.where[u] < HEXES]
    places = [(min(far(TARGETS[i])[h] for h in hexes), TARGETS[i]) for i in targets_of(s)] if hexes else []
    return DOCTRINE.orders(formation, side, places, s.held, occupied(s, side))


def bias(s: ArdennesState, seat: Seat, plan: Plan) -> float:
    """How far the formations do as they were told, by their strength near the places of their orders."""
    return obedience(s, plan, MEMBERS, _followed)


@lru_cache(maxsize=1 << 13)
def _followed(order: Order, where: tuple[int, ...], lost: tuple[int, ...]) -> float:
    units = zip(MEMBERS[order.formation], where, lost, strict=True)
    strengths = [(h, VALUES[u][min(steps, len(VALUES[u]) - 1)][:2]) for u, h, steps in units if h < HEXES]
    return DOCTRINE.followed(order, far(order.place), strengths)
