"""Pieces named one by one in any order: the set is kept ascending, so that the order of naming leaves no trace."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar, Self, TypeVar

from salient.common.sides import SideFrame
from salient.kernel import Action
from salient.kernel.frames import S
from salient.kernel.messages import Sink

Piece = TypeVar("Piece", bound=int)


def with_piece(named: tuple[Piece, ...], piece: Piece) -> tuple[Piece, ...]:
    """The set with one more piece."""
    return tuple(sorted((*named, piece)))


def without_piece(named: tuple[Piece, ...], piece: Piece) -> tuple[Piece, ...]:
    """The set without a piece that was named."""
    return tuple(other for other in named if other != piece)


def above(pieces: Iterable[Piece], named: tuple[Piece, ...]) -> list[Piece]:
    """The pieces that go on in canonical order: those above the last one of the set."""
    last = named[-1] if named else -1
    return [piece for piece in pieces if piece > last]


class NamingFrame(SideFrame[S]):
    """A side names pieces with a verb of the frame's own, takes them back with `drop`, and then commits to them.

    Subclasses list what is legal and declare `named`, so that it stands where their positions are written.
    """

    __slots__ = ()
    naming: ClassVar[str]  # the verb
    named: tuple[int, ...]  # ascending

    def draft(self, s: S) -> tuple[Action, ...]:
        return tuple((self.naming, piece) for piece in self.named)

    def apply(self, s: S, action: Action, out: Sink) -> None:
        match action:
            case (self.naming, int(piece)):
                s.swap(self._with(with_piece(self.named, piece)))
            case ("drop", int(piece)):
                s.swap(self._with(without_piece(self.named, piece)))
            case _:
                s.pop()
                self.commit(s, out)

    def _with(self, named: tuple[int, ...]) -> Self:
        change: dict[str, Any] = {"named": named}
        return replace(self, **change)

    def commit(self, s: S, out: Sink) -> None:
        """Do to the pieces named what the frame is about; it has left the stack."""
        raise NotImplementedError
