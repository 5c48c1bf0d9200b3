"""Connections that do not say what they want: closed after a while, and no more than a few from one address."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from salient.server.limits import household

SECONDS_FOR_HEADERS = 10.0


class PatientProtocol(H11Protocol):
    """uvicorn's HTTP with a limit on the time for a request's headers and on the connections of an address."""

    most_per_address = 0  # no limit
    open: ClassVar[Counter[str]] = Counter()
    waiting: asyncio.TimerHandle | None = None
    upgraded = False
    address = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it, and wait for the headers."""
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self.address = household(str(peer[0])) if isinstance(peer, tuple) else ""
        self.open[self.address] += 1
        if self.most_per_address and self.open[self.address] > self.most_per_address:
            transport.abort()
            return
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no longer."""
        self._stop_waiting()
        self.open[self.address] -= 1
        if self.open[self.address] <= 0:
            del self.open[self.address]
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Wait as long as the headers are not complete."""
        super().data_received(data)
        if self.upgraded or (self.cycle is not None and not self.cycle.response_complete):
            self._stop_waiting()
        elif self.waiting is None and not self.transport.is_closing():
            self._wait()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """A socket has rules of its own."""
        self.upgraded = True
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """What follows has its own time, which runs already if part of it came with the last request."""
        super().on_response_complete()
        self._stop_waiting()
        begun, _ = self.conn.trailing_data
        if begun and self.cycle is not None and self.cycle.response_complete and not self.transport.is_closing():
            self._wait()

    def _wait(self) -> None:
        self.waiting = self.loop.call_later(SECONDS_FOR_HEADERS, self._give_up)

    def _stop_waiting(self) -> None:
        if self.waiting is not None:
            self.waiting.cancel()
            self.waiting = None

    def _give_up(self) -> None:
        self.waiting = None
        self.transport.abort()
