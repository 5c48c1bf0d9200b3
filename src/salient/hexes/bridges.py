"""The bridges of a board: hexsides with a crossing that can be blown, built or unbuilt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from salient.hexes.board import Board
from salient.hexes.masks import mask_of

Pair = tuple[int, int]


class Bridges(NamedTuple):
    """Bridges by number. A set of bridges is an int: bit `i` stands for the bridge `i`."""

    pairs: tuple[Pair, ...]  # the two hexes, the lower index first
    names: tuple[str, ...]  # "2020/2119"
    numbers: Mapping[Pair, int]  # by pair, both ways
    states: tuple[str, ...]  # as the map shows them

    def shown_as(self, state: str) -> int:
        """The bridges that the map shows in a state, as bits."""
        return mask_of(i for i, shown in enumerate(self.states) if shown == state)


def bridges_of(board: Board, pairs: Iterable[Pair]) -> Bridges:
    """The bridges between pairs of hexes, numbered in their order."""
    found = tuple(pairs)
    names = tuple(f"{board.labels[a]}/{board.labels[b]}" for a, b in found)
    numbers = {pair: i for i, (a, b) in enumerate(found) for pair in ((a, b), (b, a))}
    sides = (board.side(a, b) for a, b in found)
    return Bridges(found, names, numbers, tuple(side.bridge if side else "" for side in sides))
