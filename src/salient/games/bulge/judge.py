"""Battle of the Bulge: what makes a position good, for bots and for their reasons.

All features are counted for the Axis and turned over for the Allies. Their unit is about one infantry.
"""

from __future__ import annotations

from salient.games.bulge.model import AXIS, BulgeState, side_at
from salient.games.bulge.upkeep import points
from salient.kernel import Seat


def features(s: BulgeState, seat: Seat) -> dict[str, float]:
    """Named and weighted reasons, positive when good for `seat`."""
    axis = {"points": float(points(s.control))}
    return axis if side_at(s, seat) == AXIS else {name: -value for name, value in axis.items()}
