"""The time for a choice: until a moment, or until somebody stops it; and who is told how far the thinking is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf

Tell = Callable[[int, int], None]  # how much is done, of how much


def unheard(done: int, total: int) -> None:
    """Nobody is told."""


@dataclass
class Clock:
    """Runs out at a moment of `time.monotonic`, or as soon as it is stopped, from any thread."""

    deadline: float = inf
    tell: Tell = unheard
    whole: Clock | None = None  # of which this one is a part
    stopped: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the best found so far must do."""
        if self.stopped or (self.whole is not None and self.whole.is_over):
            return True
        return self.deadline < inf and time.monotonic() >= self.deadline

    @property
    def left(self) -> float:
        """Seconds until then."""
        return 0.0 if self.is_over else self.deadline - time.monotonic()

    def part(self, share: float) -> Clock:
        """A clock for the first part of what is left; it stops with the whole."""
        return Clock(time.monotonic() + share * self.left, self.tell, self)
