"""Fields of a state that are about pieces: sets of units, of hexes and of bridges, and what becomes of them."""

from __future__ import annotations

from typing import Any

from salient.hexes.sets import HexSet, UnitId, UnitSet
from salient.kernel import State
from salient.kernel.state import Field, FromData, fields_of, from_data

BridgeSet = int  # bridges as bits


def per_unit(data: Any) -> int:
    """The length of a column by unit."""
    return int(data.units.count)


def unit_set(*traits: str) -> Any:
    """A set of units, cleared of a unit that leaves the game.

    `on-map`: of units on the map only. `left-behind`: cleared of a unit that leaves the map, though others may have it.
    `inherited`: passed on to the counter that replaces a unit. `split`: passed on to a part that is split off.
    """
    return Field("units", from_data(0), frozenset(traits))


def hex_set(first: HexSet | int | FromData = 0) -> Any:
    """A set of hexes."""
    return Field("hexes", from_data(first))


def bridge_set(first: BridgeSet | FromData = 0) -> Any:
    """A set of bridges."""
    return Field("bridges", from_data(first))


def clear_marks(s: State, u: UnitId, trait: str = "") -> None:
    """Take a unit out of every set of units, or out of those with a trait."""
    others = ~(1 << u)
    for name in fields_of(s, "units", trait):
        if marked := getattr(s, name):
            setattr(s, name, marked & others)


def pass_marks_on(s: State, u: UnitId, heir: UnitId, trait: str = "inherited") -> None:
    """Mark a counter as the unit is marked that it replaces, or from which it comes: in the sets with a trait."""
    for name in fields_of(s, "units", trait):
        if getattr(s, name) >> u & 1:
            setattr(s, name, getattr(s, name) | 1 << heir)


def marked_off_map(s: State, on_map: UnitSet) -> tuple[str, ...]:
    """The sets of units on the map that hold a unit which is not there."""
    return tuple(name for name in fields_of(s, "units", "on-map") if getattr(s, name) & ~on_map)
