"""Ardennes '44: what makes a position good, for bots and for their reasons."""

from __future__ import annotations

from salient.games.ardennes44.model import GERMAN, SEATS, ArdennesState
from salient.kernel import Action, Seat, legal


def features(s: ArdennesState, seat: Seat) -> dict[str, float]:
    """Named and weighted reasons, positive when good for `seat`."""
    sign = 1.0 if seat == SEATS[GERMAN] else -1.0
    return {"strength": sign * 0.0}


def candidates(s: ArdennesState) -> list[Action]:
    """The legal actions that a computer player should weigh."""
    return legal(s)
