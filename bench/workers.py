"""Two workers on PostgreSQL: kill -9 of each in turn, and of the database. Nothing acknowledged is lost or twice.

python -m bench.workers [rounds of worker kills] [rounds of database kills]
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx

from bench.kill import Player
from bench.postgres import Cluster
from bench.serving import free_port

TABLES = 3
PROGRAM = "from salient.cli import app; app()"


class StoppablePlayer(Player):
    """Plays until told to stop, or until an answer does not come."""

    def __init__(self, url: str, seed: int) -> None:
        super().__init__(url, seed)
        self.stop = threading.Event()

    def play(self) -> None:
        """Submit until stopped; an answer that is none leaves open whether it was committed."""
        try:
            while not self.stop.is_set():
                if self.snapshot["actor"] == "over":
                    self.new_game()
                self.submit()
        except httpx.HTTPError:
            self.http = httpx.Client(base_url=self.http.base_url, timeout=30)


class Service:
    """`salient serve --workers 2` on a database."""

    def __init__(self, database: str, home: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-c", PROGRAM, "serve", "--workers", "2", "--port", str(self.port)]
        environment = os.environ | {"XDG_DATA_HOME": home}
        self.process = subprocess.Popen(
            [*command, "--data", database], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.wait()

    def wait(self) -> None:
        """Until it answers, and its database too."""
        for _ in range(1200):
            try:
                if httpx.get(f"{self.url}/api/ready", timeout=5).status_code == 200:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.1)
        raise AssertionError("the service does not answer")

    def workers(self) -> list[int]:
        """The processes that serve."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        serving = []
        for child in map(int, children):
            try:
                line = Path(f"/proc/{child}/cmdline").read_text()
            except OSError:
                continue
            if "spawn_main" in line:
                serving.append(child)
        return serving

    def kill_worker(self, place: int) -> None:
        """kill -9 of one."""
        found = self.workers()
        os.kill(found[place % len(found)], signal.SIGKILL)

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


def run(worker_rounds: int, database_rounds: int) -> tuple[int, int]:
    """Kill under load; how many submissions were acknowledged, and how many committed without an answer."""
    cluster = Cluster()
    cluster.start()
    chance = random.Random(1)
    open_ended = 0
    with tempfile.TemporaryDirectory() as home:
        service = Service(cluster.new_database(), home)
        players = [StoppablePlayer(service.url, n) for n in range(TABLES)]
        try:
            for player in players:
                player.new_game()
            for n in range(worker_rounds + database_rounds):
                threads = [threading.Thread(target=player.play) for player in players]
                for player, thread in zip(players, threads, strict=True):
                    player.stop.clear()
                    thread.start()
                time.sleep(chance.uniform(0.3, 1.0))
                if n < worker_rounds:
                    service.kill_worker(n)
                else:
                    cluster.kill()
                    cluster.start()
                time.sleep(0.3)
                for player in players:
                    player.stop.set()
                for thread in threads:
                    thread.join()
                service.wait()
                open_ended += sum(player.check() for player in players)
        finally:
            service.stop()
            cluster.remove()
    return sum(player.acknowledged for player in players), open_ended


def main(worker_rounds: int = 100, database_rounds: int = 20) -> None:
    """Run and say how it went."""
    acknowledged, open_ended = run(worker_rounds, database_rounds)
    print(
        f"two workers: {worker_rounds} kills of a worker, {database_rounds} of the database; "
        f"{acknowledged} acknowledged, none lost, none twice; {open_ended} committed before their answer arrived"
    )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
