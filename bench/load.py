"""Many games at once, with a socket each, and so many actions a second over all: how soon they are answered, and told.

Beside it the disk is asked how it is (bench/disk.py), and the driver tells how late it was itself: what these are late,
the server is not.

python -m bench.load [--database sqlite | postgresql] [--rounds 1] [--games 500] [--rate 50] [--seconds 25]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import os
import random
import statistics
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import websockets
from rich.console import Console
from rich.table import Table

from bench.disk import Probe
from bench.postgres import Cluster, Work
from bench.serving import ServerProcess, processor_ms

GAME = "target-arnhem"
DATABASES = ("sqlite", "postgresql")
SECONDS_A_LOOK = 0.005
GOAL_MS = 100.0


class Load:
    """Games, their sockets, and what happened."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.AsyncClient(base_url=url, timeout=60, limits=httpx.Limits(max_connections=100))
        self.games: list[dict[str, object]] = []
        self.answered: list[tuple[float, float]] = []
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
        gc.enable()

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
        self.answered.append((began, time.perf_counter()))
        self.errors += answer.status_code != 200
        self.games[place] = answer.json().get("snapshot", game)

    def close(self) -> None:
        """Listen no longer."""
        for task in self.listening:
            task.cancel()


# ---- a round -------------------------------------------------------------------


@dataclass(frozen=True)
class Round:
    """What one round showed; times in milliseconds."""

    database: str
    p50: float
    p95: float
    p99: float
    errors: int
    told_p95: float
    late_p99: float
    fsync: tuple[float, float, float]
    slow: int
    slow_beside_fsync: int
    all_beside_fsync: float
    processor: float
    work: Work | None
    memory: float
    machine: float

    def cells(self) -> list[str]:
        """Its row of the table."""
        work = self.work
        return [
            self.database,
            *(f"{value:.0f}" for value in (self.p50, self.p95, self.p99)),
            str(self.errors),
            f"{self.told_p95:.0f}",
            f"{self.late_p99:.0f}",
            " / ".join(f"{value:.1f}" for value in self.fsync),
            f"{self.slow}, {self.slow_beside_fsync} ({self.all_beside_fsync:.0%})",
            f"{self.processor:.1f}" + (f" + {work.processor:.1f}" if work else ""),
            f"{work.transactions:.2f}, {work.syncs:.2f}, {work.sync_ms:.1f}" if work else "",
            f"{self.memory:.0f}",
            f"{self.machine:.1f}",
        ]


COLUMNS = (
    "database",
    "p50",
    "p95",
    "p99",
    "errors",
    "told p95",
    "driver late p99",
    "fsync of 4 kB p50 / p99 / most",
    f"over {GOAL_MS:g} ms, of these beside a slow fsync (of all)",
    "processor ms an action: server + database",
    "an action: transactions, syncs, ms a sync",
    "kB a game",
    "load",
)


def memory(pid: int) -> float:
    """Kilobytes that a process holds."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmRSS")))


class Measured:
    """A server under load, and what stands beside it."""

    def __init__(self, server: ServerProcess, cluster: Cluster | None, database: str) -> None:
        assert server.process is not None
        self.pid = server.process.pid
        self.load = Load(server.url)
        self.cluster = cluster
        self.database = database

    async def round(self, games: int, rate: float, seconds: float) -> Round:
        """Open the games, then measure."""
        empty = memory(self.pid)
        await self.load.open(games)
        opened = memory(self.pid)
        self._settle()
        used, done = processor_ms(self.pid), self._work()
        with Probe() as probe:
            await self.load.run(rate, seconds)
        actions = len(self.load.answered)
        found = self._round(probe, (processor_ms(self.pid) - used) / actions, (opened - empty) / games, done)
        self.load.close()
        return found

    def _settle(self) -> None:
        """What was written so far goes to the disk now: a new cluster's files, and the games just begun."""
        if self.cluster:
            self.cluster.checkpoint()
        os.sync()

    def _work(self) -> Work | None:
        return self.cluster.work() if self.cluster else None

    def _round(self, probe: Probe, processor: float, kilobytes: float, before: Work | None) -> Round:
        load, now = self.load, self._work()
        times = [(ended - began) * 1000 for began, ended in load.answered]
        beside = [probe.was_slow(began, ended) for began, ended in load.answered]
        slow = [time > GOAL_MS for time in times]
        cuts, heard, late = (statistics.quantiles(each, n=100) for each in (times, load.heard, load.late))
        return Round(
            self.database,
            cuts[49],
            cuts[94],
            cuts[98],
            load.errors,
            heard[94],
            late[98],
            (probe.percentile(50), probe.percentile(99), probe.most),
            sum(slow),
            sum(one and other for one, other in zip(slow, beside, strict=True)),
            sum(beside) / len(beside),
            processor,
            now.since(before, len(times)) if now and before else None,
            kilobytes,
            os.getloadavg()[0],
        )


def measure(database: str, games: int, rate: float, seconds: float) -> Round:
    """One round on a fresh server with a fresh database."""
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory())
        cluster = None
        if database == "postgresql":
            cluster = Cluster()
            stack.callback(cluster.remove)
            cluster.start()
            data = cluster.new_database()
        server = ServerProcess(data)
        stack.callback(server.kill)
        server.start()
        return asyncio.run(Measured(server, cluster, database).round(games, rate, seconds))


def main() -> None:
    """Measure, one database after the other in each round, and print a row of each."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description="Many games at once.")
    parser.add_argument("--database", action="append", choices=DATABASES, help="only this one")
    parser.add_argument("--rounds", type=int, default=1, help="of each database (1)")
    parser.add_argument("--games", type=int, default=500, help="open at once, with a socket each (500)")
    parser.add_argument("--rate", type=float, default=50.0, help="actions a second over all (50)")
    parser.add_argument("--seconds", type=float, default=25.0, help="of each round (25)")
    given = parser.parse_args()
    console, shown = Console(width=200), Table(*COLUMNS, title="milliseconds")
    for number in range(given.rounds):
        for database in given.database or DATABASES:
            found = measure(database, given.games, given.rate, given.seconds)
            console.print(f"round {number + 1}: {database} p95 {found.p95:.0f} ms, {found.errors} errors")
            shown.add_row(*found.cells())
    console.print(shown)


if __name__ == "__main__":
    main()
