"""Attacks, each from one address (127.0.0.2 and on), and what a person at 127.0.0.1 notices: p95 of reading a game.

python -m bench.attacks [seconds of each] [heavy_reads | half_requests | bot_games | creations | requests | words ...]
"""

from __future__ import annotations

import itertools
import json
import multiprocessing
import multiprocessing.synchronize
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
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from bench.serving import free_port
from salient.kernel import OVER, SeededDice, Session, candidates

PROGRAM = "from salient.cli import app; app()"
ATTACKS = ("heavy_reads", "half_requests", "bot_games", "creations", "requests", "words")
SECONDS_TO_BEGIN = 6.0  # the long game is played and taken up meanwhile

Stopping = multiprocessing.synchronize.Event


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


class Attacker:
    """Asks too much of a server from an address and a process of its own; its processor time is not the server's."""

    def __init__(self, url: str, stop: Stopping, address: str) -> None:
        self.url = url
        self.stop = stop
        self.address = address

    def client(self) -> httpx.Client:
        """A client at the attacker's address."""
        return httpx.Client(base_url=self.url, timeout=60, transport=httpx.HTTPTransport(local_address=self.address))

    def run(self, threads: int, attack: Callable[[], None]) -> None:
        """Attack in many threads until told to stop."""
        attackers = [threading.Thread(target=attack, daemon=True) for _ in range(threads)]
        for attacker in attackers:
            attacker.start()
        self.stop.wait()

    def heavy_reads(self) -> None:
        """60 parallel reports and replays of one long game."""
        started = self.client().post("/api/games/import", json={"record": long_record()}).json()
        path, headers = f"/api/games/{started['id']}", {"X-Salient-Token": started["token"]}
        looks = itertools.cycle(("report", "replay"))

        def read() -> None:
            look = next(looks)
            with self.client() as mine:
                while not self.stop.is_set():
                    try:
                        answer = mine.get(f"{path}/{look}", headers=headers)
                        time.sleep(0.2 if answer.status_code == 429 else 0)
                    except httpx.HTTPError:
                        time.sleep(0.2)

        self.run(60, read)

    def half_requests(self) -> None:
        """300 half-sent requests."""
        host, port = self.url.removeprefix("http://").split(":")

        def hang() -> None:
            links = []
            for _ in range(30):
                try:
                    link = socket.create_connection((host, int(port)), source_address=(self.address, 0))
                    link.sendall(b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\n")
                    links.append(link)
                except OSError:
                    continue
            self.stop.wait()

        self.run(10, hang)

    def bot_games(self) -> None:
        """150 games with the captain."""
        order = {"game": "target-arnhem", "seats": {"allied": "bot:captain", "german": "bot:captain"}, "pace": 0}

        def create() -> None:
            with self.client() as mine:
                for _ in range(15):
                    mine.post("/api/games", json=order)

        self.run(10, create)

    def creations(self) -> None:
        """New games as fast as they are answered."""

        def create() -> None:
            with self.client() as mine:
                while not self.stop.is_set():
                    mine.post("/api/games", json={"game": "target-arnhem"})

        self.run(8, create)

    def requests(self) -> None:
        """100 connections that ask again as soon as they are answered."""

        def ask() -> None:
            with self.client() as mine:
                while not self.stop.is_set():
                    mine.get("/api/about")

        self.run(100, ask)

    def words(self) -> None:
        """10 sockets that say something as fast as it is taken."""
        started = self.client().post("/api/games", json={"game": "ardennes44"}).json()
        address = f"{self.url.replace('http', 'ws', 1)}/api/games/{started['id']}/socket"

        def speak() -> None:
            with connect(address, source_address=(self.address, 0), max_size=None) as link:
                link.send(json.dumps({"token": started["token"]}))
                try:
                    for lang in itertools.cycle(("de", "en")):
                        link.send(json.dumps({"lang": lang, "since": 0}))
                except WebSocketException:
                    return

        self.run(10, speak)


def attack(name: str, url: str, stop: Stopping) -> None:
    """One attack, in a process of its own, by somebody who has not used up his share with another."""
    getattr(Attacker(url, stop, f"127.0.0.{2 + ATTACKS.index(name)}"), name)()


class Victim:
    """A person at another address who reads a game."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=60)
        started = self.http.post("/api/games", json={"game": "target-arnhem"}).json()
        self.http.headers["X-Salient-Token"] = started["token"]
        self.path = f"/api/games/{started['id']}"

    def p95(self, seconds: float) -> float:
        """Milliseconds of the victim's reads."""
        times = []
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            began = time.perf_counter()
            answer = self.http.get(self.path)
            assert answer.status_code == 200, answer.text
            times.append((time.perf_counter() - began) * 1000)
            time.sleep(0.05)
        return statistics.quantiles(times, n=20)[18]

    def under(self, name: str, seconds: float) -> float:
        """The victim's p95 while an attack runs."""
        context = multiprocessing.get_context("spawn")
        stop = context.Event()
        attacker = context.Process(target=attack, args=(name, self.url, stop), daemon=True)
        attacker.start()
        time.sleep(SECONDS_TO_BEGIN)
        found = self.p95(seconds)
        stop.set()
        attacker.join(10)
        attacker.kill()
        return found


def main(seconds: float = 15.0, *names: str) -> None:
    """Attack, and say what the victim noticed."""
    with tempfile.TemporaryDirectory() as data:
        port = free_port()
        command = [sys.executable, "-c", PROGRAM, "serve", "--host", "0.0.0.0", "--port", str(port), "--data", data]
        server = subprocess.Popen(
            [*command, "--allow-host", "x.example"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            url = f"http://127.0.0.1:{port}"
            for _ in range(600):
                try:
                    httpx.get(f"{url}/api/health", timeout=5)
                    break
                except httpx.HTTPError:
                    time.sleep(0.1)
            victim = Victim(url)
            print(f"calm: p95 {victim.p95(seconds):.0f} ms, load of the machine {os.getloadavg()[0]:.1f}", flush=True)
            for name in names or ATTACKS:
                found = victim.under(name, seconds)
                print(f"{name}: p95 {found:.0f} ms, load of the machine {os.getloadavg()[0]:.1f}", flush=True)
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main(*(float(argument) for argument in sys.argv[1:2]), *sys.argv[2:])
