"""The memory is looked through when nobody waits for an answer."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from unittest.mock import patch

import pytest

from salient.server import memory


def full_looks(busy: float, at_most: float = 600.0) -> int:
    """How often all memory is looked through in a moment in which the process is so busy."""
    looks = 0

    def noted(phase: str, about: dict[str, int]) -> None:
        nonlocal looks
        looks += phase == "start" and about["generation"] == 2

    async def moment() -> float:
        await asyncio.sleep(0)
        gc.collect(1)  # as ever so many new objects do
        return busy

    async def run() -> None:
        gc.callbacks.append(noted)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(memory.keep_clear(), 0.2)
        gc.callbacks.remove(noted)

    with patch.object(memory, "_busy", moment), patch.object(memory, "SECONDS_AT_MOST", at_most):
        asyncio.run(run())
    return looks


def test_all_memory_is_looked_through_in_a_quiet_moment_only() -> None:
    assert full_looks(busy=0.0) > 0
    assert full_looks(busy=0.5) == 0


def test_a_server_that_is_never_quiet_clears_its_memory_too() -> None:
    assert full_looks(busy=0.5, at_most=0.0) > 0


def test_new_objects_never_lead_to_a_look_through_the_old_ones_while_the_server_runs() -> None:
    before = gc.get_threshold()

    async def run() -> tuple[int, ...]:
        clearing = asyncio.create_task(memory.keep_clear())
        await asyncio.sleep(0)
        during = gc.get_threshold()
        clearing.cancel()
        await asyncio.gather(clearing, return_exceptions=True)
        return during

    assert asyncio.run(run()) == (*before[:2], memory.NEVER)
    assert gc.get_threshold() == before


def test_how_busy_the_process_is_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "SECONDS_A_LOOK", 0.05)

    async def idle_then_working() -> tuple[float, float]:
        idle = await memory._busy()
        working = asyncio.create_task(memory._busy())
        await asyncio.sleep(0)
        sum(range(5_000_000))
        return idle, await working

    idle, working = asyncio.run(idle_then_working())
    assert idle < working
