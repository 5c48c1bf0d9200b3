"""Flooding a board with big integers, across open hexsides only.

Neighbours in one direction mostly differ by the same index, so all open hexsides compile into a few pairs of shift and
mask, exact on any map: every hex of the mask opens onto the hex `shift` indices away.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, overload

from salient.hexes.board import Board
from salient.hexes.sets import NO_HEXES, HexSet

EVERYWHERE = -1


@dataclass(frozen=True, slots=True)
class OpenMasks:
    """The open hexsides of a board as (shift, mask) pairs, to higher and to lower indices."""

    up: tuple[tuple[int, int], ...]
    down: tuple[tuple[int, int], ...]


def compile_masks(board: Board, is_open: Callable[[int, int], bool]) -> OpenMasks:
    """Compile the hexsides for which `is_open(from_hex, to_hex)` holds."""
    size = len(board.adjacent) // 8 + 1
    masks: defaultdict[int, bytearray] = defaultdict(lambda: bytearray(size))
    for here, around in enumerate(board.adjacent):
        byte, bit = here >> 3, 1 << (here & 7)
        for there in around:
            if is_open(here, there):
                masks[there - here][byte] |= bit
    ordered = [(shift, int.from_bytes(mask, "little")) for shift, mask in sorted(masks.items())]
    return OpenMasks(
        up=tuple((shift, mask) for shift, mask in ordered if shift > 0),
        down=tuple((-shift, mask) for shift, mask in ordered if shift < 0),
    )


Shut = tuple[tuple[int, int], ...]  # hexsides: (how much higher the other hex is, the lower hexes as bits)


def shut_of(pairs: Iterable[tuple[int, int]]) -> Shut:
    """Return hexsides given as pairs of hexes, in one direction or both."""
    shut: dict[int, int] = {}
    for x, y in pairs:
        low, shift = min(x, y), abs(x - y)
        shut[shift] = shut.get(shift, 0) | 1 << low
    return tuple(shut.items())


def without(masks: OpenMasks, shut: Shut) -> OpenMasks:
    """Return open hexsides without some of them, which are closed in both directions."""
    low = dict(shut)
    return OpenMasks(
        tuple((shift, mask & ~low.get(shift, 0)) for shift, mask in masks.up),
        tuple((shift, mask & ~(low.get(shift, 0) << shift)) for shift, mask in masks.down),
    )


@overload
def spread(hexes: HexSet, masks: OpenMasks) -> HexSet: ...
@overload
def spread(hexes: int, masks: OpenMasks) -> int: ...
def spread(hexes: Any, masks: OpenMasks) -> Any:
    """Return the hexes one open hexside away from some hexes."""
    reached = 0
    for shift, mask in masks.up:
        reached |= (hexes & mask) << shift
    for shift, mask in masks.down:
        reached |= (hexes & mask) >> shift
    return reached


@overload
def flood(sources: HexSet, masks: OpenMasks, within: HexSet | int = EVERYWHERE) -> HexSet: ...
@overload
def flood(sources: int, masks: OpenMasks, within: int = EVERYWHERE) -> int: ...
@overload
def flood(sources: int, masks: OpenMasks, within: HexSet) -> HexSet: ...
def flood(sources: Any, masks: OpenMasks, within: Any = EVERYWHERE) -> Any:
    """Return every hex that the sources reach through open hexsides without leaving `within`.

    Each direction goes on from what the others have just reached, so that few rounds are needed.
    """
    return _stages(sources & within, masks, within)[-1]


def _stages(reached: Any, masks: OpenMasks, within: Any) -> list[Any]:
    """Return what a flood has reached at first, after each round, and at last."""
    up = [(shift, mask & within >> shift) for shift, mask in masks.up]
    down = [(shift, mask & within << shift) for shift, mask in masks.down]
    stages = [reached]
    before = None
    while reached != before:
        before = reached
        for shift, mask in up:
            reached |= (reached & mask) << shift
        for shift, mask in down:
            reached |= (reached & mask) >> shift
        stages.append(reached)
    return stages


class Floods:
    """Floods from the same sources through the same hexsides, one after the other within much the same hexes.

    Each goes on from the last stage of the one before that lies within its own hexes: the ground far behind the front
    is not flooded anew. Nothing is if the hexes are the same wherever the one before looked.
    """

    def __init__(self, sources: HexSet | int, masks: OpenMasks) -> None:
        self.sources = sources
        self.masks = masks
        self.stages: list[Any] = [NO_HEXES]
        self.hexes: Any = NO_HEXES  # those of the last flood
        self.looked_at: Any = EVERYWHERE

    @overload
    def within(self, hexes: HexSet) -> HexSet: ...
    @overload
    def within(self, hexes: int) -> int: ...
    def within(self, hexes: Any) -> Any:
        """Return what `flood` returns for the same hexes."""
        if (hexes ^ self.hexes) & self.looked_at:
            kept = bisect_left(self.stages, True, key=lambda stage: bool(stage & ~hexes))
            begin = self.stages[kept - 1] if kept else NO_HEXES
            self.stages[kept:] = _stages(begin | self.sources & hexes, self.masks, hexes)
            self.hexes = hexes
            self.looked_at = self.stages[-1] | spread(self.stages[-1], self.masks) | self.sources
        return self.stages[-1]
