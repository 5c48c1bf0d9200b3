"""Sets of hexes as big integers: bit `i` stands for hex index `i`."""

from collections.abc import Iterable
from itertools import count
from typing import TYPE_CHECKING, Any, overload

from salient.hexes.sets import HexId, HexSet, UnitId, UnitSet

SPARSE = 8  # with fewer bits than one in so many it is faster to take one after the other
BYTE_BITS = tuple(tuple(i for i in range(8) if byte >> i & 1) for byte in range(256))


def bit(index: int) -> int:
    """Return the mask of one hex."""
    return 1 << index


def mask_of(indices: Iterable[int]) -> int:
    """Return the mask of some hexes."""
    mask = 0
    for index in indices:
        mask |= 1 << index
    return mask


if TYPE_CHECKING:

    def units_of(units: Iterable[int]) -> UnitSet:
        """Return the set of some units."""

    def hexes_of(hexes: Iterable[int]) -> HexSet:
        """Return the set of some hexes."""
else:
    units_of = hexes_of = mask_of


@overload
def bits(mask: UnitSet) -> list[UnitId]: ...
@overload
def bits(mask: HexSet) -> list[HexId]: ...
@overload
def bits(mask: int) -> list[int]: ...
def bits(mask: Any) -> Any:
    """Return the hexes of a mask, ascending."""
    if not mask:
        return []
    if mask.bit_count() * SPARSE <= mask.bit_length():
        found = []
        while mask:  # the highest bit, then the next: the number shrinks, and no negative one is made
            index = mask.bit_length() - 1
            found.append(index)
            mask ^= 1 << index
        found.reverse()
        return found
    low = (mask & -mask).bit_length() - 1 & -8
    mask >>= low
    data = mask.to_bytes(mask.bit_length() + 7 >> 3, "little")
    return [first + i for first, byte in zip(count(low, 8), data) if byte for i in BYTE_BITS[byte]]


@overload
def lowest(mask: HexSet) -> HexId: ...
@overload
def lowest(mask: int) -> int: ...
def lowest(mask: Any) -> Any:
    """Return the lowest hex of a mask."""
    return (mask & -mask).bit_length() - 1
