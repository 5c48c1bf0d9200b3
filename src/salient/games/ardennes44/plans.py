"""Ardennes '44: orders for the German armies and the Allied corps, for planners and for those who ask them.

A formation is told a victory hex: to take it, to break through to one far away, to hold it, to garrison one that
stands empty, or to delay the enemy before it.
"""

from __future__ import annotations

from functools import cache, lru_cache, partial

from salient.common.plans import Doctrine, obedience, on_the_map
from salient.common.sides import GERMAN, SEATS
from salient.common.stacks import occupied, present
from salient.games.ardennes44.components import Data, Units
from salient.games.ardennes44.judge import targets_of
from salient.games.ardennes44.model import ArdennesState
from salient.games.ardennes44.survey import aims, far
from salient.hexes.sets import Group
from salient.kernel import Order, Plan, Seat

DOCTRINE = Doctrine(
    near=16, far=36, pull=0.03, there=1.0, before=0.15, delaying=range(4, 13)
)  # in half points of a march


@cache
def members(units: Units) -> dict[str, Group]:
    """By army or corps: its units that can be told something."""
    found: dict[str, Group] = {}
    for u in units.all:
        colour = units.colour[u]
        if not (units.artillery[u] or units.split[u] or units.remnant[u] or colour == "army"):
            name = f"{'army' if units.side[u] == GERMAN or colour == '3A' else 'corps'}-{colour}"
            found[name] = (*found.get(name, ()), u)
    return found


def formations(s: ArdennesState, seat: Seat) -> tuple[str, ...]:
    """The armies or corps of a seat with units on the map."""
    return on_the_map(members(s.units), s.units.side, SEATS.index(seat), present(s))


def orders(s: ArdennesState, seat: Seat, formation: str) -> Plan:
    """What a formation can be told: the victory hexes nearest to it, each in the way that fits."""
    side = SEATS.index(seat)
    hexes = [s.where[u] for u in members(s.units)[formation] if s.where[u] < s.ground.hexes]
    targets = [aims(s.data).targets[i] for i in targets_of(s)] if hexes else []
    places = [(min(far(s.ground, target)[h] for h in hexes), target) for target in targets]
    return DOCTRINE.orders(formation, side, places, s.held, occupied(s, side))


def bias(s: ArdennesState, seat: Seat, plan: Plan) -> float:
    """How far the formations do as they were told, by their strength near the places of their orders."""
    return obedience(s, plan, members(s.units), partial(_followed, s.data))


@lru_cache(maxsize=1 << 13)
def _followed(data: Data, order: Order, where: tuple[int, ...], lost: tuple[int, ...]) -> float:
    printed = data.units.values
    units = zip(members(data.units)[order.formation], where, lost, strict=True)
    strengths = [(h, printed[u][min(steps, len(printed[u]) - 1)][:2]) for u, h, steps in units if h < data.ground.hexes]
    return DOCTRINE.followed(order, far(data.ground, order.place), strengths)
