"""Many games at once, with a socket each, and so many actions a second over all: how soon they are answered, and told.

The driver tells how late it was itself: what it is late, the server is not.

python -m bench.load [games] [actions a second] [seconds] [sqlite | postgresql]
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import os
import random
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import websockets

from bench.postgres import Cluster
from bench.serving import ServerProcess

GAME = "target-arnhem"
SECONDS_A_LOOK = 0.005


class Load:
    """Games, their sockets, and what happened."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.AsyncClient(base_url=url, timeout=60, limits=httpx.Limits(max_connections=100))
        self.games: list[dict[str, object]] = []
        self.times: list[float] = []
        self.errors = 0
        self.told = 0
        self.sent: dict[str, float] = {}
        self.heard: list[float] = []
        self.late: list[float] = []

    async def open(self, count: int) -> None:
        """Start games and listen to each."""
        for _ in range(count):
            answer = (await self.http.post("/api/games", json={"game": GAME})).raise_for_status().json()
            self.games.append(answer["snapshot"])
        self.listening = [asyncio.create_task(self._listen(str(game["id"]))) for game in self.games]
        while self.told < count:
            await asyncio.sleep(0.1)
        self.told = 0

    async def _listen(self, game_id: str) -> None:
        address = f"{self.url.replace('http', 'ws')}/api/games/{game_id}/socket"
        async with websockets.connect(address, max_size=None) as socket:
            await socket.send("{}")
            async for message in socket:
                if '"type":"update"' in message[:40].replace(" ", ""):
                    self.told += 1
                    if game_id in self.sent:
                        self.heard.append((time.perf_counter() - self.sent.pop(game_id)) * 1000)

    async def run(self, rate: float, seconds: float) -> None:
        """Submit actions evenly, each to another game that goes on; a late one does not delay the next."""
        gc.collect()
        gc.disable()  # to look through the answers of all games holds the driver up for 0.2 s, again and again
        watching = asyncio.create_task(self._watch())
        order = random.Random(2).sample(range(len(self.games)), len(self.games))
        places, tasks = itertools.cycle(order), []
        chance, began = random.Random(1), time.monotonic()
        for n in range(int(rate * seconds)):
            await asyncio.sleep(max(0.0, began + n / rate - time.monotonic()))
            place = next(place for place in places if self.games[place]["legal"])
            tasks.append(asyncio.create_task(self._act(place, chance)))
        await asyncio.gather(*tasks)
        for _ in range(50):
            if self.sent:
                await asyncio.sleep(0.1)
        watching.cancel()

    async def _watch(self) -> None:
        """How late this process gets to what it waits for."""
        while True:
            began = time.perf_counter()
            await asyncio.sleep(SECONDS_A_LOOK)
            self.late.append((time.perf_counter() - began - SECONDS_A_LOOK) * 1000)

    async def _act(self, place: int, chance: random.Random) -> None:
        game = self.games[place]
        body = {"seen": game["seen"], "action": chance.choice(game["legal"])["text"]}  # type: ignore[call-overload]
        began = self.sent[str(game["id"])] = time.perf_counter()
        answer = await self.http.post(f"/api/games/{game['id']}/actions", json=body)
        self.times.append((time.perf_counter() - began) * 1000)
        self.errors += answer.status_code != 200
        self.games[place] = answer.json().get("snapshot", game)


def memory(pid: int) -> float:
    """Megabytes that a process holds."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmRSS"))) / 1024


async def measure(games: int, rate: float, seconds: float, server: ServerProcess) -> str:
    """Run, and the figures in a line."""
    assert server.process is not None
    load = Load(server.url)
    empty = memory(server.process.pid)
    await load.open(games)
    opened = memory(server.process.pid)
    await load.run(rate, seconds)
    for task in load.listening:
        task.cancel()
    times, heard, late = (statistics.quantiles(each, n=100) for each in (load.times, load.heard, load.late))
    return (
        f"{games} games and sockets, {len(load.times)} actions in {seconds:g} s, "
        f"load of the machine {os.getloadavg()[0]:.1f}: "
        f"p50 {times[49]:.0f}, p95 {times[94]:.0f}, p99 {times[98]:.0f} ms, {load.errors} errors; "
        f"{len(load.heard)} told by the sockets: p50 {heard[49]:.0f}, p95 {heard[94]:.0f} ms; "
        f"the driver late by p50 {late[49]:.0f}, p95 {late[94]:.0f}, p99 {late[98]:.0f} ms; "
        f"memory {empty:.0f} -> {opened:.0f} -> {memory(server.process.pid):.0f} MB "
        f"({(opened - empty) * 1024 / games:.0f} kB a game)"
    )


def main(games: int = 500, rate: float = 50.0, seconds: float = 30.0, kind: str = "sqlite") -> None:
    """Serve, load, and say how it went."""
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory())
        if kind == "postgresql":
            cluster = Cluster()
            stack.callback(cluster.remove)
            cluster.start()
            data = cluster.new_database()
        server = ServerProcess(data)
        server.start()
        try:
            print(f"{kind}: {asyncio.run(measure(games, rate, seconds, server))}")
        finally:
            server.kill()


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*(int(each) for each in given[:1]), *(float(each) for each in given[1:3]), *given[3:4])
