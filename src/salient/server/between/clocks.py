"""Clocks: whose time runs, and when it runs out. All of it is values in the game's row, so it survives restarts.

live      a bank of `base` seconds for the whole game, and `increment` more each time the decision passes on
fast      hours a move: `base` seconds each time the decision comes
slow      days a move: the same, longer
none      no clock
"""

from __future__ import annotations

import time
from typing import Any

PACES = {"live": 3600.0, "fast": 12 * 3600.0, "slow": 3 * 86400.0, "none": 0.0}
LEAST, MOST = 60.0, 30 * 86400.0

Clock = dict[str, Any]
Terms = dict[str, Any]


def new_clock(terms: Terms, seats: list[str], actor: str) -> Clock:
    """The clock of a game that begins now."""
    clock: Clock = {"left": dict.fromkeys(seats, terms["base"]), "running": None, "since": 0.0}
    return run(terms, clock, actor)


def run(terms: Terms, clock: Clock, actor: str, now: float | None = None) -> Clock:
    """The clock after a move: what was used is charged, and whoever decides now has the time running."""
    now = time.time() if now is None else now
    clock = stopped(terms, clock, now)
    before, left = clock["running"], dict(clock["left"])
    if terms["pace"] == "none" or actor not in left or clock.get("paused") or clock.get("ended"):
        return clock | {"running": None}
    if actor != before:
        if terms["pace"] == "live":
            if before in left:
                left[before] += terms["increment"]
        else:
            left[actor] = terms["base"]
    return clock | {"left": left, "running": actor, "since": now}


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
