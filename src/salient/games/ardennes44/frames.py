"""Ardennes '44: what the decisions of this game have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from salient.games.ardennes44.model import SEATS
from salient.kernel import Frame, Seat


@dataclass(frozen=True, slots=True)
class SideFrame(Frame):
    """A decision of the side that it names first."""

    side: int

    def actor(self, s: Any) -> Seat:
        return SEATS[self.side]
