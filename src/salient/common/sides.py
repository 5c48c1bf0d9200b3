"""The two sides of most games here, and the decisions that belong to one of them."""

from __future__ import annotations

from dataclasses import dataclass

from salient.kernel import Frame, Seat
from salient.kernel.frames import S

ALLIED, GERMAN = 0, 1
SEATS: tuple[Seat, ...] = ("allied", "german")


@dataclass(frozen=True, slots=True)
class SideFrame(Frame[S]):
    """A decision of the side that it names first."""

    side: int

    def actor(self, s: S) -> Seat:
        return SEATS[self.side]
