"""Battle of the Bulge: chapter 3, set-up, and the free set-up of 11.2."""

from __future__ import annotations

from salient.games.bulge.air import LOST, RETURN
from salient.games.bulge.model import (
    AXIS_START,
    FORMATION_PIECES,
    HEXES,
    OFF_BOARD,
    SETUP,
    BulgeState,
)
from salient.kernel import Option
from salient.kernel.messages import Sink

HISTORICAL, FREE = "historical", "free"
SET_UP = Option("set-up", (HISTORICAL, FREE), "11.2")
AIRCRAFT = Option("aircraft", (RETURN, LOST), "5.6")
CAMPAIGN = Option("campaign", ("1", "2", "4"), "11.1")


def empty_state() -> BulgeState:
    """A board without a piece, before turn 1."""
    s = BulgeState()
    s.ground = [0] * (10 * HEXES)
    s.charts = [0] * (3 * len(FORMATION_PIECES))
    s.base = [0] * len(OFF_BOARD)
    s.moved = [0] * (4 * HEXES)
    s.aboard = [0] * (3 * HEXES)
    s.planes = [0] * (4 * HEXES)
    s.totals = [0, 0]
    s.turn = 1
    s.control = AXIS_START
    s.attacked = s.activated = s.parked = 0
    s.winner = ""
    s.aircraft = RETURN
    s.preset = HISTORICAL
    s.games = 1
    s.game = 0
    s.masks = None
    s.stack = ()
    return s


def begin_game(s: BulgeState, out: Sink) -> None:
    """Lay out board, charts and off-board areas for turn 1."""
    fresh = empty_state()
    for name in ("ground", "moved", "aboard", "planes", "turn", "control", "attacked", "activated", "parked", "masks"):
        setattr(s, name, getattr(fresh, name))
    s.charts = [n for pieces in FORMATION_PIECES for n in pieces[:3]]
    s.base = list(OFF_BOARD)
    for h, side, pieces in SETUP:
        for kind, n in enumerate(pieces):
            s.ground[(side * 5 + kind) * HEXES + h] = n
