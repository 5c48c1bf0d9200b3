"""Long questions (replay, report, verify, dice): a few at a time, fairly by requester, in a pool of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

import anyio
from anyio import CapacityLimiter, to_thread

from salient.server.problems import RequestProblem

T = TypeVar("T")

AT_ONCE = 1  # they share the interpreter with everybody else
WAITING_PER_REQUESTER = 20


class HeavyReads:
    """Runs long questions; one requester has one at work at a time, so that others' come between."""

    def __init__(self) -> None:
        self.limiter = CapacityLimiter(AT_ONCE)
        self.waiting: Counter[str] = Counter()
        self.turns: dict[str, anyio.Lock] = {}

    async def run(self, requester: str, read: Callable[[], T]) -> T:
        """The answer; RequestProblem if the requester has too many questions open already."""
        if self.waiting[requester] >= WAITING_PER_REQUESTER:
            raise RequestProblem(429, "too-many", "too-many-questions")
        self.waiting[requester] += 1
        try:
            async with self.turns.setdefault(requester, anyio.Lock()):
                return await to_thread.run_sync(read, limiter=self.limiter)
        finally:
            self.waiting[requester] -= 1
            if not self.waiting[requester]:
                del self.waiting[requester]
                self.turns.pop(requester, None)
