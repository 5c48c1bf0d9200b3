"""Units that stack in hexes: who stands where, and sets of hexes of each side, kept beside the state and mended."""

from __future__ import annotations

from typing import ClassVar

from salient.kernel import State
from salient.kernel.state import cache


class StackState(State):
    """A position in which each unit stands in a hex or in a place off the map; hexes are numbered first."""

    HEXES: ClassVar[int]
    SIDE: ClassVar[tuple[int, ...]]  # by unit
    MARKS: ClassVar[int]  # how many sets of hexes a side has; the first one is of the hexes occupied

    where: list[int]  # by unit: a hex or another place
    stacks: dict[int, tuple[int, ...]] | None = cache()
    marks: tuple[tuple[int, ...], tuple[int, ...]] | None = cache()

    def mark(self, sets: list[int], u: int, here: int) -> None:
        """Add a hex, as a bit, to those sets of its side in which a unit puts it."""
        raise NotImplementedError


def _look(s: StackState) -> None:
    """Fill the caches."""
    stacks: dict[int, tuple[int, ...]] = {}
    sets = ([0] * s.MARKS, [0] * s.MARKS)
    hexes, side = s.HEXES, s.SIDE
    for u, place in enumerate(s.where):
        if place < hexes:
            stacks[place] = (*stacks[place], u) if place in stacks else (u,)
            s.mark(sets[side[u]], u, 1 << place)
    s.stacks = stacks
    s.marks = (tuple(sets[0]), tuple(sets[1]))


def marks(s: StackState, side: int) -> tuple[int, ...]:
    """The sets of hexes of a side, as bits; the game's `mark` says which."""
    if s.marks is None:
        _look(s)
    return s.marks[side]  # type: ignore[index]


def occupied(s: StackState, side: int) -> int:
    """The hexes that hold combat units of a side, as bits."""
    return marks(s, side)[0]


def units_at(s: StackState, h: int) -> tuple[int, ...]:
    """The units in a hex, ascending; all are of one side."""
    if s.stacks is None:
        _look(s)
    return s.stacks.get(h, ())  # type: ignore[union-attr]


def on_map(s: StackState, u: int) -> bool:
    """Whether a unit stands in a hex."""
    return s.where[u] < s.HEXES


def put(s: StackState, u: int, place: int) -> None:
    """The one way a unit changes its place."""
    old, s.where[u] = s.where[u], place
    if s.stacks is None:
        return
    s.stacks = s.stacks.copy()
    if old < s.HEXES:
        s.stacks[old] = tuple(x for x in s.stacks[old] if x != u)
        if not s.stacks[old]:
            del s.stacks[old]
    if place < s.HEXES:
        s.stacks[place] = tuple(sorted((*s.stacks.get(place, ()), u)))
    _mend(s, s.SIDE[u], (old, place))


def mend(s: StackState, u: int) -> None:
    """Mark a unit's hex anew after something about the unit has changed."""
    if s.stacks is not None:
        _mend(s, s.SIDE[u], (s.where[u],))


def _mend(s: StackState, side: int, places: tuple[int, ...]) -> None:
    both = s.marks
    assert both is not None
    sets = [*both[side]]
    for place in places:
        if place < s.HEXES:
            here = 1 << place
            sets = [each & ~here for each in sets]
            for u in units_at(s, place):
                s.mark(sets, u, here)
    mended = tuple(sets)
    s.marks = (mended, both[1]) if side == 0 else (both[0], mended)
