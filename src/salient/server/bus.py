"""The bus: what one process on a PostgreSQL database has changed, told to the others by LISTEN and NOTIFY."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from sqlalchemy.engine import make_url

from salient.server.store import CHANNEL, Store

log = logging.getLogger("salient.bus")

SECONDS_A_LOOK = 1.0
SECONDS_TO_COME_BACK = 1.0

Heard = Callable[[str, str, str], None]


class Bus:
    """Listens in a thread of its own and hands on what others say: who, a topic (a game, or @ and a person), a word.

    After a loss of the connection both are empty: anything may have been missed.
    """

    def __init__(self, store: Store, heard: Heard) -> None:
        self.store = store
        self.heard = heard
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True, name="bus")

    def start(self) -> None:
        """Begin, if there can be others."""
        if self.store.shared:
            self.thread.start()

    def stop(self) -> None:
        """End."""
        self.stopping.set()
        if self.thread.is_alive():
            self.thread.join(3)

    def _run(self) -> None:
        lost = False
        while not self.stopping.is_set():
            try:
                self._listen(lost)
            except Exception as error:
                lost = True
                log.warning("The bus is interrupted: %s", type(error).__name__)
                self.stopping.wait(SECONDS_TO_COME_BACK)

    def _listen(self, lost: bool) -> None:
        import psycopg

        address = make_url(self.store.url).set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(address, autocommit=True, connect_timeout=5) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            if lost:
                self.heard("", "", "update")
            while not self.stopping.is_set():
                for said in connection.notifies(timeout=SECONDS_A_LOOK):
                    origin, topic, what = said.payload.split("|", 2)
                    if origin != self.store.origin:
                        self.heard(origin, topic, what)
