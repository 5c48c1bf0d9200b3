"""Clocks: whose time runs, and when it runs out. All of it is values in the game's row, so it survives restarts.

live      a bank of `base` seconds for the whole game, and `increment` more each time the decision passes on
fast      hours a move: `base` seconds each time the decision comes
slow      days a move: the same, longer
none      no clock

`turn` is who decided last. To wait for a share of the dice is no turn: it brings no increment, and whose turn it is
goes on with the time that was left.
"""

from __future__ import annotations

import time
from typing import Any

PACES = {"live": 3600.0, "fast": 12 * 3600.0, "slow": 3 * 86400.0, "none": 0.0}
LEAST, MOST = 60.0, 30 * 86400.0

Clock = dict[str, Any]
Terms = dict[str, Any]


def new_clock(terms: Terms, seats: list[str], waits_for: str, decides: str) -> Clock:
    """The clock of a game that begins now."""
    clock: Clock = {"left": dict.fromkeys(seats, terms["base"]), "running": None, "since": 0.0}
    return run(terms, clock, waits_for, decides)


def run(
    terms: Terms, clock: Clock, waits_for: str, decides: str, back: bool = False, now: float | None = None
) -> Clock:
    """The clock after a move: what was used is charged, and who is waited for has the time running.

    `back`: the players have agreed to go back, which earns nobody an increment.
    """
    now = time.time() if now is None else now
    clock = stopped(terms, clock, now)
    left, turn = dict(clock["left"]), clock.get("turn")
    if terms["pace"] == "none" or waits_for not in left or clock.get("paused") or clock.get("ended"):
        return clock | {"running": None}
    passed = decides in left and decides != turn
    if terms["pace"] != "live":
        if passed or waits_for not in (turn, clock["running"]):
            left[waits_for] = terms["base"]
    elif passed and turn in left and not back:
        left[turn] += terms["increment"]
    return clock | {"left": left, "running": waits_for, "since": now, "turn": decides if passed else turn}


def stopped(terms: Terms, clock: Clock, now: float) -> Clock:
    """The clock with the time used so far charged to whose time runs."""
    running = clock["running"]
    if running is None:
        return clock
    left = clock["left"] | {running: max(0.0, clock["left"][running] - (now - clock["since"]))}
    return clock | {"left": left, "since": now}


def deadline(clock: Clock) -> float | None:
    """When the time that runs is used up; None if none runs."""
    running = clock.get("running")
    return None if running is None else float(clock["since"] + clock["left"][running])
