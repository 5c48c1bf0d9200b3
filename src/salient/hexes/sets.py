"""Ids and sets of units and of hexes: plain ints when the program runs, types that mypy tells apart.

Bit `i` of a set stands for the thing with the id `i`. Sets of one kind are joined and cut by `|`, `&` and `^`; a plain
int is taken for a set of the other operand's kind, a set of another kind is an error:

    s.engaged | s.fired  # two sets of units
    s.engaged & s.ip     # error: a set of units and one of hexes
    s.engaged >> u & 1   # is the unit u among them?

An action holds plain ints; `case ("move", UnitId(u), HexId(to))` says what they are, as `int(u)` would, at no cost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self

    class UnitId(int):
        """A unit, by its number."""

    class HexId(int):
        """A hex, by its number."""

    class _Bits:
        def __init__(self, bits: int = 0, /) -> None: ...
        def __and__(self, other: Self | int) -> Self: ...
        def __or__(self, other: Self | int) -> Self: ...
        def __xor__(self, other: Self | int) -> Self: ...
        def __rand__(self, other: int) -> Self: ...
        def __ror__(self, other: int) -> Self: ...
        def __rxor__(self, other: int) -> Self: ...
        def __invert__(self) -> Self: ...
        def __neg__(self) -> Self: ...
        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...
        def __rshift__(self, index: int) -> int: ...
        def __bool__(self) -> bool: ...
        def bit_count(self) -> int: ...
        def bit_length(self) -> int: ...

    class UnitSet(_Bits):
        """Units as bits."""

    class HexSet(_Bits):
        """Hexes as bits."""
else:
    UnitId = HexId = UnitSet = HexSet = int

Group = tuple[UnitId, ...]  # some units, mostly ascending
NOBODY = UnitId(-1)

NO_UNITS, NO_HEXES = UnitSet(), HexSet()
