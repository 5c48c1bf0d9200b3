"""Pieces named one by one in any order: the set is kept ascending, so that the order of naming leaves no trace."""

from __future__ import annotations

from collections.abc import Iterable


def with_piece(named: tuple[int, ...], piece: int) -> tuple[int, ...]:
    """The set with one more piece."""
    return tuple(sorted((*named, piece)))


def without_piece(named: tuple[int, ...], piece: int) -> tuple[int, ...]:
    """The set without a piece that was named."""
    return tuple(other for other in named if other != piece)


def above(pieces: Iterable[int], named: tuple[int, ...]) -> list[int]:
    """The pieces that go on in canonical order: those above the last one of the set."""
    last = named[-1] if named else -1
    return [piece for piece in pieces if piece > last]
