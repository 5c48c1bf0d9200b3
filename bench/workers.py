"""Two workers on PostgreSQL: kill -9 of each in turn, and of the database. Nothing acknowledged is lost or twice.

A socket listens to every game and comes again by itself; after each kill it has to know what was acknowledged.
Before the kills: how soon a move accepted by one worker reaches the sockets at the other.

python -m bench.workers [rounds of worker kills] [rounds of database kills] [moves between workers]
"""

from __future__ import annotations

import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx

from bench.kill import Player
from bench.listening import Listener
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
    """`salient serve --workers N` on a database."""

    def __init__(self, database: str, home: str, workers: int) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-c", PROGRAM, "serve", "--workers", str(workers), "--port", str(self.port)]
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


def between_workers(database: str, home: str, moves: int) -> list[float]:
    """Milliseconds from the sending of a move to one service until a socket at another service tells of it."""
    one, two = Service(database, home, 1), Service(database, home, 1)
    try:
        player = Player(one.url, 1)
        player.new_game()
        listener = Listener(two.url, player.game_id)
        assert listener.has(player.seen), "the socket does not open"
        times = []
        for _ in range(moves):
            if player.snapshot["actor"] == "over":
                break
            sent = time.perf_counter()
            player.submit()
            assert listener.has(player.seen), "the move does not arrive"
            times.append((listener.arrived[player.seen] - sent) * 1000)
        listener.stop()
        return times
    finally:
        one.stop()
        two.stop()


class Killing:
    """Players and listeners at a service whose parts are killed under them."""

    def __init__(self, service: Service, cluster: Cluster) -> None:
        self.service = service
        self.cluster = cluster
        self.players = [StoppablePlayer(service.url, n) for n in range(TABLES)]
        self.listeners: dict[str, Listener] = {}
        self.chance = random.Random(1)
        self.open_ended = 0
        self.returns = 0
        for player in self.players:
            player.new_game()

    def round(self, n: int, of_database: bool) -> None:
        """Play, kill, and compare what was acknowledged with what is served and with what the sockets told."""
        self._listen()
        threads = [threading.Thread(target=player.play) for player in self.players]
        for player, thread in zip(self.players, threads, strict=True):
            player.stop.clear()
            thread.start()
        time.sleep(self.chance.uniform(0.3, 1.0))
        if of_database:
            self.cluster.kill()
            self.cluster.start()
        else:
            self.service.kill_worker(n)
        killed = time.time()
        time.sleep(0.3)
        for player in self.players:
            player.stop.set()
        for thread in threads:
            thread.join()
        self.service.wait()
        self.cluster.wait_for_transactions(killed)
        self.open_ended += sum(player.check() for player in self.players)
        for player in self.players:
            self._check_socket(player)

    def _listen(self) -> None:
        games = {player.game_id for player in self.players}
        for game_id in set(self.listeners) - games:
            self._leave(game_id)
        for game_id in games - set(self.listeners):
            self.listeners[game_id] = Listener(self.service.url, game_id)

    def _leave(self, game_id: str) -> None:
        listener = self.listeners.pop(game_id)
        listener.stop()
        self.returns += max(0, listener.returns)

    def _check_socket(self, player: StoppablePlayer) -> None:
        listener = self.listeners.get(player.game_id)
        if listener is not None:
            assert listener.has(player.seen), "a socket does not come back by itself"
            assert listener.log == player.log, "a socket told something else than was acknowledged"

    def end(self) -> None:
        """Listen no longer."""
        for game_id in list(self.listeners):
            self._leave(game_id)


def run(worker_rounds: int, database_rounds: int) -> tuple[int, int, int]:
    """Kill under load; submissions acknowledged, those committed without an answer, sockets that came again."""
    cluster = Cluster()
    cluster.start()
    with tempfile.TemporaryDirectory() as home:
        service = Service(cluster.new_database(), home, 2)
        try:
            killing = Killing(service, cluster)
            for n in range(worker_rounds + database_rounds):
                killing.round(n, n >= worker_rounds)
            killing.end()
        finally:
            service.stop()
            cluster.remove()
    return sum(player.acknowledged for player in killing.players), killing.open_ended, killing.returns


def reach(moves: int) -> str:
    """How soon moves reach the sockets of another worker, in a line."""
    cluster = Cluster()
    cluster.start()
    try:
        with tempfile.TemporaryDirectory() as home:
            times = between_workers(cluster.new_database(), home, moves)
    finally:
        cluster.remove()
    cuts = statistics.quantiles(times, n=20)
    return (
        f"{len(times)} moves from one worker to a socket at another, load of the machine {os.getloadavg()[0]:.1f}: "
        f"p50 {cuts[9]:.0f}, p95 {cuts[18]:.0f}, most {max(times):.0f} ms after it was sent"
    )


def main(worker_rounds: int = 100, database_rounds: int = 20, moves: int = 200) -> None:
    """Run and say how it went."""
    if moves:
        print(reach(moves), flush=True)
    acknowledged, open_ended, returns = run(worker_rounds, database_rounds)
    print(
        f"two workers: {worker_rounds} kills of a worker, {database_rounds} of the database; "
        f"{acknowledged} acknowledged, none lost, none twice; {open_ended} committed before their answer arrived; "
        f"sockets came again {returns} times by themselves and knew everything"
    )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
