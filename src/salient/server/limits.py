"""How much of the server one person, or one address, may use. On one's own machine there are no limits."""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from salient.server.problems import RequestProblem

if TYPE_CHECKING:
    from limits import RateLimitItem
    from limits.strategies import RateLimiter


@dataclass(frozen=True)
class Allowance:
    """The limits of a server; rates as "NUMBER/UNIT", several separated by semicolons."""

    requests: str = "40/second;900/minute"
    creations: str = "10/minute;60/hour"
    sign_ins: str = "10/minute;60/hour"
    registrations: str = "5/hour"
    letters: str = "5/hour"
    talk: str = "20/minute;300/hour"
    guesses: str = "300/hour"
    open_games: int = 100
    bot_games: int = 10
    sockets: int = 60
    connections: int = 120


class Limits:
    """Counts what is used, in this process."""

    def __init__(self, allowance: Allowance, local: bool) -> None:
        self.allowance = allowance
        self.local = local
        self.items: dict[str, list[RateLimitItem]] = {}
        self.open_sockets: Counter[str] = Counter()

    @cached_property
    def limiter(self) -> RateLimiter:
        """What counts; not needed on one's own machine."""
        from limits.storage import MemoryStorage
        from limits.strategies import SlidingWindowCounterRateLimiter

        return SlidingWindowCounterRateLimiter(MemoryStorage())

    def spend(self, what: str, *keys: str) -> None:
        """Count one use of something that has a rate; RequestProblem if it was one too many."""
        if self.local:
            return
        if what not in self.items:
            self.items[what] = rates(getattr(self.allowance, what))
        for key in set(filter(None, keys)):
            for item in self.items[what]:
                if not self.limiter.hit(item, what, key):
                    raise too_many(item.get_expiry())

    @contextmanager
    def socket(self, key: str) -> Iterator[None]:
        """Hold one of the sockets that a person, or an address, may have open; an empty key is nobody's."""
        if not key:
            yield
            return
        if not self.local and self.open_sockets[key] >= self.allowance.sockets:
            raise too_many()
        self.open_sockets[key] += 1
        try:
            yield
        finally:
            self.open_sockets[key] -= 1
            if not self.open_sockets[key]:
                del self.open_sockets[key]


def rates(text: str) -> list[RateLimitItem]:
    """Rates as "NUMBER/UNIT", several separated by semicolons; ValueError if they are written otherwise."""
    from limits import parse_many

    return list(parse_many(text))


def is_rate(value: object) -> bool:
    """Whether a value of an allowance can be used: a number not below zero, or rates as the limiter reads them."""
    if isinstance(value, int):
        return value >= 0
    try:
        return bool(rates(str(value)))
    except ValueError:
        return False


def household(address: str) -> str:
    """Whose share of the server an address has: a home has not one address of IPv6 but a whole network of them."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((found.packed[:8] + bytes(8), 64)))


def too_many(seconds: int = 0) -> RequestProblem:
    """The answer to who asks too much."""
    return RequestProblem(429, "too-many", "too-many", {"retry_after": seconds})
