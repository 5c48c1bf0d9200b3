"""A process that only thinks: it takes bots' moves from the queue of a PostgreSQL database and serves nobody."""

from __future__ import annotations

import asyncio
import signal

from salient.kernel.messages import SalientError
from salient.server.app import open_store
from salient.server.between.referee import Referee
from salient.server.bots import Bots
from salient.server.bus import Bus
from salient.server.post import Post
from salient.server.problems import sentence
from salient.server.settings import Settings
from salient.server.table import GameTable


def run(settings: Settings) -> None:
    """Think until interrupted; SalientError if the database is not one that several processes can share."""
    if not settings.url.startswith("postgresql"):
        raise SalientError(sentence("workers-need-postgresql", "en"))
    asyncio.run(think(settings))


async def think(settings: Settings) -> None:
    """Take moves from the queue until a signal comes."""
    store = open_store(settings)
    table = GameTable(store)
    Referee(table, Post(store, settings))
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    bots = Bots(table, settings)
    await bots.start()
    bus = Bus(store, lambda _, topic, what: table.heard(topic, what))
    bus.start()
    print(f"Salient thinks: {len(bots.thinkers)} at once  (Ctrl-C ends it)", flush=True)
    await stopping.wait()
    await asyncio.to_thread(bus.stop)
    await bots.stop()
    store.close()
