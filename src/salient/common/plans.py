"""Orders for formations that two games share: where they can be sent, and how far they do as they were told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from salient.common.sides import ALLIED, GERMAN
from salient.hexes.sets import HexSet, UnitSet
from salient.kernel import Order, Plan

Units = tuple[int, ...]  # a value by unit


class Counted(Protocol):
    """A position in which units have places and lose steps."""

    where: list[int]  # by unit

    @property
    def lost(self) -> Sequence[int]:
        """By unit: steps lost; games keep them in columns of several types."""


@dataclass(frozen=True)
class Doctrine:
    """Distances within which a place is attacked and can be an order's, and what obedience is worth.

    `pull` is for a factor near the place, `there` for the first unit in it, `before` for a unit that delays on the way.
    """

    near: int
    far: int
    pull: float
    there: float
    before: float
    delaying: range
    most_places: int = 5

    def orders(
        self, formation: str, side: int, places: Iterable[tuple[int, int]], held: HexSet, manned: HexSet
    ) -> Plan:
        """What a formation can be told about the places nearest to it, given as distance and hex.

        `held` are the hexes of the Germans, `manned` those where the side stands, as bits.
        """
        nearest = [(distance, place) for distance, place in sorted(places) if distance <= self.far][: self.most_places]
        return tuple(order for far, place in nearest for order in self._of(formation, side, place, far, held, manned))

    def _of(self, formation: str, side: int, place: int, distance: int, held: HexSet, manned: HexSet) -> Plan:
        if bool(held >> place & 1) != (side == GERMAN):
            return (Order(formation, "attack" if distance <= self.near else "exploit", place),)
        kept = Order(formation, "hold" if manned >> place & 1 else "garrison", place)
        return (kept, Order(formation, "delay", place)) if side == ALLIED else (kept,)

    def followed(self, order: Order, distances: Sequence[int], units: Iterable[tuple[int, tuple[int, int]]]) -> float:
        """How far units do as an order says; each on the map by its hex, its attack and its defence."""
        total, there = 0.0, False
        for place, (attack, defence) in units:
            there |= place == order.place
            if order.kind == "delay":
                total += self.before * (distances[place] in self.delaying)
            elif distances[place] < self.far:
                factors = attack if order.kind in ("attack", "exploit") else defence
                total += self.pull * factors * (1 - distances[place] / self.far)
        return total + self.there * (order.kind != "delay" and there)


def obedience(
    s: Counted, plan: Plan, members: Mapping[str, tuple[int, ...]], followed: Callable[[Order, Units, Units], float]
) -> float:
    """How far formations do as they were told; `followed` tells it of one from the places and losses of its units."""
    total = 0.0
    for order in plan:
        units = members[order.formation]
        total += followed(order, tuple(s.where[u] for u in units), tuple(s.lost[u] for u in units))
    return total


def on_the_map(
    members: Mapping[str, tuple[int, ...]], sides: Sequence[int], side: int, present: UnitSet
) -> tuple[str, ...]:
    """The formations of a side with units on the map, whose units are given as bits."""
    return tuple(
        name for name, units in members.items() if sides[units[0]] == side and any(present >> u & 1 for u in units)
    )
