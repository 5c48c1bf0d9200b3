"""What the bots' process is told before it begins, in the tests."""

from __future__ import annotations

import time
from typing import Any

from salient import bots
from salient.games import PACKAGES
from salient.kernel import AnyGame, State, legal

HANGING = "hanging"


class Hanging:
    """A bot that never answers."""

    def choose(self, state: State, deadline: float) -> tuple[Any, list[Any]]:
        """Think for an hour."""
        time.sleep(3600)
        return legal(state)[0], []


def register_tiny() -> None:
    """Make the tiny game known."""
    PACKAGES["tiny"] = "tiny"


def with_hanging_bot() -> None:
    """Make the tiny game and a bot that hangs known."""
    register_tiny()
    make = bots.make

    def make_or_hang(level: str, game: AnyGame, seat: str, seed: int | str = 0) -> Any:
        return Hanging() if level == HANGING else make(level, game, seat, seed)

    setattr(bots, "make", make_or_hang)  # noqa: B010 (another signature than the function it stands for)
