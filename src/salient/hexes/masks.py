"""Sets of hexes as big integers: bit `i` stands for hex index `i`."""

from collections.abc import Iterable


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
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found
