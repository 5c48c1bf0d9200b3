"""Clearing the memory of what refers to itself: to look through all of it holds up every answer, so that waits.

With 500 games open one look takes a tenth of a second, and by itself Python takes one every few seconds. What nothing
refers to is freed at once in any case, games included.
"""

from __future__ import annotations

import asyncio
import gc
import time

NEVER = 1_000_000  # so many looks at the new objects before one at the old ones
SECONDS_A_LOOK = 1.0
QUIET = 0.05  # of the time
SECONDS_AT_MOST = 600.0


async def keep_clear() -> None:
    """Look through all memory when there is little else to do, or when that has not been so for long; for ever."""
    usual = gc.get_threshold()
    gc.set_threshold(*usual[:2], NEVER)
    try:
        cleared = time.monotonic()
        while True:
            busy = await _busy()
            if gc.get_count()[2] and (busy < QUIET or time.monotonic() - cleared > SECONDS_AT_MOST):
                gc.collect()
                cleared = time.monotonic()
    finally:
        gc.set_threshold(*usual)


async def _busy() -> float:
    """The part of a moment in which this process worked."""
    spent, began = time.process_time(), time.monotonic()
    await asyncio.sleep(SECONDS_A_LOOK)
    return (time.process_time() - spent) / (time.monotonic() - began)
