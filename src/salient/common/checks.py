"""What must hold after every action in all games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from salient.kernel import AnyFrame
from salient.kernel.sequence import PhaseFrame


class Played(Protocol):
    """A position of a game that is played in turns until it has a winner."""

    stack: tuple[AnyFrame, ...]
    turn: int
    winner: str


def wrong_time(s: Played, turns: int) -> Iterator[str]:
    """What is wrong with the turn, or with a game that should be over, in words."""
    if not 1 <= s.turn <= turns:
        yield f"there is no turn {s.turn}"
    if s.stack and isinstance(s.stack[0], PhaseFrame) is not (s.winner == ""):
        yield "the game has a winner exactly when nothing remains to be played"
