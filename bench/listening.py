"""A listener as the client is one: it keeps a socket open to one game and comes again by itself after every loss."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

SECONDS_TO_COME_AGAIN = 0.1


class Listener:
    """Follows one game by its updates alone, each since the last that it has seen."""

    def __init__(self, url: str, game_id: str) -> None:
        self.address = f"{url.replace('http', 'ws', 1)}/api/games/{game_id}/socket"
        self.seen: int | None = None
        self.log: list[tuple[str, str]] = []
        self.arrived: dict[int, float] = {}
        self.returns = -1
        self.stopping = threading.Event()
        self.socket: ClientConnection | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        while not self.stopping.is_set():
            try:
                with connect(self.address, max_size=None, open_timeout=5) as self.socket:
                    self.returns += 1
                    since = 0 if self.seen is None else self.seen
                    self.socket.send(json.dumps({"since": since}))
                    for message in self.socket:
                        self._take(json.loads(message))
            except (OSError, WebSocketException, EOFError):
                pass
            self.stopping.wait(SECONDS_TO_COME_AGAIN)

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] != "update":
            return
        assert not message["gap"], "too much has happened for one update"
        entries = [(entry["seat"], entry["action"]) for entry in message["entries"]]
        self.log = self.log[: message["cut"]] + entries
        self.arrived.setdefault(message["seen"], time.perf_counter())
        self.seen = message["seen"]

    def has(self, seen: int, seconds: float = 30.0) -> bool:
        """Whether an update arrives in time, without anybody's help."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.seen is not None and self.seen >= seen:
                return True
            time.sleep(0.01)
        return False

    def stop(self) -> None:
        """Listen no longer."""
        self.stopping.set()
        if self.socket is not None:
            self.socket.close()
        self.thread.join(5)
