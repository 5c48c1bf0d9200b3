"""Orders: what a formation shall do, and where. A plan is one order for each of a side's formations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

from salient.kernel.frames import Seat
from salient.kernel.messages import Prompt
from salient.kernel.state import State

S_contra = TypeVar("S_contra", bound=State, contravariant=True)


@dataclass(frozen=True, slots=True)
class Order:
    """A formation, what it shall do (`attack`, `hold`, `garrison` ...), and the hex or area where."""

    formation: str
    kind: str
    place: int

    def said(self) -> Prompt:
        """The order as a sentence of the catalog."""
        return Prompt("", f"order-{self.kind}", word_formation=self.formation, place=self.place)


Plan = tuple[Order, ...]


class Plans(Protocol[S_contra]):
    """The orders of a game, for planners and those who ask them: the part of a game that its module `plans` is."""

    def formations(self, s: S_contra, seat: Seat, /) -> tuple[str, ...]:
        """The formations of a seat that orders can be given to."""
        ...

    def orders(self, s: S_contra, seat: Seat, formation: str, /) -> Plan:
        """The orders that a formation can be given now."""
        ...

    def bias(self, s: S_contra, seat: Seat, plan: Plan, /) -> float:
        """How far the formations of a seat do as they were told, in the unit of the evaluation."""
        ...


class NoPlans:
    """The part of a game that has no orders."""

    def formations(self, s: State, seat: Seat, /) -> tuple[str, ...]:
        """None."""
        return ()

    def orders(self, s: State, seat: Seat, formation: str, /) -> Plan:
        """None."""
        return ()

    def bias(self, s: State, seat: Seat, plan: Plan, /) -> float:
        """Nothing was ordered."""
        return 0.0


NO_PLANS = NoPlans()
