"""Four attacks from one address (127.0.0.2), and what a person at another (127.0.0.1) notices: p95 of reading a game.

python -m bench.attacks [seconds of each] [heavy_reads | half_requests | bot_games | creations ...]
"""

from __future__ import annotations

import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable

import httpx

from bench.serving import free_port
from salient.kernel import OVER, SeededDice, Session, candidates

PROGRAM = "from salient.cli import app; app()"
ATTACKER = "127.0.0.2"


def long_record(plies: int = 1200) -> str:
    """A long game of The Deadly Woods, played at random."""
    from salient.games import load

    session, chance = Session(load("deadly-woods"), SeededDice(1), name="long"), random.Random(1)
    while len(session.actions) < plies and session.actor != OVER:
        if session.actor == "chance":
            session.roll()
        else:
            session.play(session.actor, chance.choice(candidates(session.state)))
    return session.record().text()


class Attack:
    """A server with the usual limits, its victim, and threads that ask too much of it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.stop = threading.Event()
        self.victim = httpx.Client(base_url=url, timeout=60)
        started = self.victim.post("/api/games", json={"game": "target-arnhem"}).json()
        self.victim.headers["X-Salient-Token"] = started["token"]
        self.path = f"/api/games/{started['id']}"

    def client(self) -> httpx.Client:
        """A client at the attacker's address."""
        return httpx.Client(base_url=self.url, timeout=60, transport=httpx.HTTPTransport(local_address=ATTACKER))

    def p95(self, seconds: float) -> float:
        """Milliseconds of the victim's reads."""
        times = []
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            began = time.perf_counter()
            answer = self.victim.get(self.path)
            assert answer.status_code == 200, answer.text
            times.append((time.perf_counter() - began) * 1000)
            time.sleep(0.05)
        return statistics.quantiles(times, n=20)[18]

    def under(self, threads: int, run: Callable[[int], None], seconds: float) -> float:
        """The victim's p95 while an attack runs."""
        self.stop.clear()
        attackers = [threading.Thread(target=run, args=(n,), daemon=True) for n in range(threads)]
        for attacker in attackers:
            attacker.start()
        time.sleep(1)
        found = self.p95(seconds)
        self.stop.set()
        for attacker in attackers:
            attacker.join(5)
        return found

    def heavy_reads(self, seconds: float) -> float:
        """60 parallel reports and verifications of one long game."""
        client = self.client()
        started = client.post("/api/games/import", json={"record": long_record()}).json()
        path, headers = f"/api/games/{started['id']}", {"X-Salient-Token": started["token"]}

        def read(n: int) -> None:
            with self.client() as mine:
                while not self.stop.is_set():
                    try:
                        answer = mine.get(f"{path}/{'report' if n % 2 else 'replay'}", headers=headers)
                        time.sleep(0.2 if answer.status_code == 429 else 0)
                    except httpx.HTTPError:
                        time.sleep(0.2)

        return self.under(60, read, seconds)

    def half_requests(self, seconds: float) -> float:
        """300 half-sent requests."""
        host, port = self.url.removeprefix("http://").split(":")

        def hang(n: int) -> None:
            links = []
            for _ in range(30):
                try:
                    link = socket.create_connection((host, int(port)), source_address=(ATTACKER, 0))
                    link.sendall(b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\n")
                    links.append(link)
                except OSError:
                    continue
            self.stop.wait(60)

        return self.under(10, hang, seconds)

    def bot_games(self, seconds: float) -> float:
        """150 games with the captain."""

        def create(n: int) -> None:
            order = {"game": "target-arnhem", "seats": {"allied": "bot:captain", "german": "bot:captain"}, "pace": 0}
            with self.client() as mine:
                for _ in range(15):
                    mine.post("/api/games", json=order)

        return self.under(10, create, seconds)

    def creations(self, seconds: float) -> float:
        """New games as fast as they are taken."""

        def create(n: int) -> None:
            with self.client() as mine:
                while not self.stop.is_set():
                    mine.post("/api/games", json={"game": "target-arnhem"})

        return self.under(8, create, seconds)


def main(seconds: float = 15.0, *names: str) -> None:
    """Attack, and say what the victim noticed."""
    with tempfile.TemporaryDirectory() as data:
        port = free_port()
        command = [
            sys.executable,
            "-c",
            PROGRAM,
            "serve",
            "--port",
            str(port),
            "--data",
            data,
            "--allow-host",
            "x.example",
        ]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            url = f"http://127.0.0.1:{port}"
            for _ in range(600):
                try:
                    httpx.get(f"{url}/api/health", timeout=5)
                    break
                except httpx.HTTPError:
                    time.sleep(0.1)
            attack = Attack(url)
            print(f"load of the machine {os.getloadavg()[0]:.1f}; calm: p95 {attack.p95(seconds):.0f} ms", flush=True)
            for name in names or ("heavy_reads", "half_requests", "bot_games", "creations"):
                print(f"{name}: p95 {getattr(attack, name)(seconds):.0f} ms", flush=True)
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main(*(float(argument) for argument in sys.argv[1:2]), *sys.argv[2:])
