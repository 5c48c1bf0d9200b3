"""How much of the server one person, or one address, may use. On one's own machine there are no limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from limits import RateLimitItem, parse_many
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from salient.server.problems import Problem


@dataclass(frozen=True)
class Allowance:
    """The limits of a server; rates as "NUMBER/UNIT", several separated by semicolons."""

    requests: str = "40/second;900/minute"
    creations: str = "10/minute;60/hour"
    sign_ins: str = "10/minute;60/hour"
    registrations: str = "5/hour"
    letters: str = "5/hour"
    talk: str = "20/minute;300/hour"
    open_games: int = 100
    bot_games: int = 10
    sockets: int = 60
    connections: int = 120


class Limits:
    """Counts what is used, in this process."""

    def __init__(self, allowance: Allowance, local: bool) -> None:
        self.allowance = allowance
        self.local = local
        self.limiter = SlidingWindowCounterRateLimiter(MemoryStorage())
        self.items: dict[str, list[RateLimitItem]] = {}
        self.open_sockets: Counter[str] = Counter()

    def spend(self, what: str, *keys: str) -> None:
        """Count one use of something that has a rate; Problem if it was one too many."""
        if self.local:
            return
        if what not in self.items:
            self.items[what] = list(parse_many(getattr(self.allowance, what)))
        for key in set(filter(None, keys)):
            for item in self.items[what]:
                if not self.limiter.hit(item, what, key):
                    raise too_many(item.get_expiry())

    @contextmanager
    def socket(self, key: str) -> Iterator[None]:
        """Hold one of the sockets that a person may have open."""
        if not self.local and self.open_sockets[key] >= self.allowance.sockets:
            raise too_many()
        self.open_sockets[key] += 1
        try:
            yield
        finally:
            self.open_sockets[key] -= 1
            if not self.open_sockets[key]:
                del self.open_sockets[key]


def too_many(seconds: int = 0) -> Problem:
    """The answer to who asks too much."""
    return Problem(429, "too-many", "too-many", {"retry_after": seconds})
