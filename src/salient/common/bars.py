"""Bars: rules that keep units from doing something, each said for a set of units and asked of one.

STAYS = (Bar("11.1", "moved-already", lambda s, units: units & s.done), ...)
allowed(s, units, STAYS)  # for a legal list: units that nothing bars
refusal(s, unit, STAYS)  # "why not?": the first bar that holds
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, Protocol, TypeVar

from salient.hexes.sets import UnitId, UnitSet
from salient.kernel import Refusal


class Placed(Protocol):
    """A position in which units have places."""

    where: list[int]  # by unit


S = TypeVar("S", bound=Placed)


class Bar(NamedTuple, Generic[S]):
    """One rule: those of some units that it keeps back, and how a refusal says so."""

    rule: str
    key: str
    held: Callable[[S, UnitSet], UnitSet]
    names: tuple[str, ...] = ("unit",)  # what the refusal names: the unit, its hex


Bars = tuple[Bar[S], ...]


def allowed(s: S, units: UnitSet, bars: Bars[S]) -> UnitSet:
    """Those of some units that no bar keeps back."""
    for bar in bars:
        if not units:
            break
        units &= ~bar.held(s, units)
    return units


def refusal(s: S, u: UnitId, bars: Bars[S]) -> Refusal | None:
    """The first bar that keeps a unit back, as a refusal."""
    unit = UnitSet(1 << u)
    for bar in bars:
        if bar.held(s, unit):
            return Refusal(bar.rule, bar.key, **{name: u if name == "unit" else s.where[u] for name in bar.names})
    return None
