"""Sets of hexes as big integers: bit `i` stands for hex index `i`."""

from collections.abc import Iterable
from itertools import compress, count

SPARSE = 8  # with fewer bits than one in so many it is faster to take one after the other
DIGIT_VALUES = bytes.maketrans(b"01", b"\x00\x01")


def bit(index: int) -> int:
    """Return the mask of one hex."""
    return 1 << index


def mask_of(indices: Iterable[int]) -> int:
    """Return the mask of some hexes."""
    mask = 0
    for index in indices:
        mask |= 1 << index
    return mask


def bits(mask: int) -> list[int]:
    """Return the hexes of a mask, ascending."""
    if mask.bit_count() * SPARSE < mask.bit_length():
        return _few_bits(mask)
    digits = bin(mask)[:1:-1].encode().translate(DIGIT_VALUES)
    return list(compress(count(), digits))


def _few_bits(mask: int) -> list[int]:
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found
