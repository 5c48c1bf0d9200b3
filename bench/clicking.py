"""What a click costs the server in the largest game, how long its messages are, and how soon everything is there.

python -m bench.clicking [game ...]
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx

from bench.serving import ServerProcess
from salient.games import load
from salient.kernel import OVER, SeededDice, Session
from salient.lab.playouts import play_session
from salient.server.changes import changed_snapshot

PLIES = 700  # how far the game has gone when somebody clicks
CLICKS = 200
PICKS = 40
MOST_CLICKS = 100
MOST_PREVIEWS = 400


@dataclass(frozen=True)
class Costs:
    """What clicks cost: processor time of the server in milliseconds, and bytes of the answers."""

    click: float
    message: float
    pick: float


@cache
def record_of_long_game(game_id: str, plies: int) -> str:
    """The record of a random game, so far; half of one that ends sooner."""
    session = Session(load(game_id), SeededDice(1))
    play_session(session, 1, plies)
    if session.actor == OVER:
        session.go_back(len(session.actions) // 2)
    return session.record().text()


@contextmanager
def serving() -> Iterator[ServerProcess]:
    """A server over an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder))
        try:
            server.start()
            yield server
        finally:
            server.kill()


def seconds_spent(server: ServerProcess) -> float:
    """Processor time that the server has taken so far, all its threads together."""
    assert server.process is not None
    stat = Path(f"/proc/{server.process.pid}/stat").read_text()
    user, system = stat.rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def costs(game_id: str) -> Costs:
    """Clicks and picks at random in the middle of a long game."""
    with serving() as server, httpx.Client(base_url=server.url, timeout=60) as http:
        player = Player(http, record_of_long_game(game_id, PLIES))
        for _ in range(CLICKS // 10):
            player.click()
        began = seconds_spent(server)
        sizes = [player.click() for _ in range(CLICKS)]
        clicking = seconds_spent(server) - began
        picking = 0.0
        for _ in range(PICKS):
            player.pick()
            began = seconds_spent(server)
            player.ask_for_previews()
            picking += seconds_spent(server) - began
        largest = statistics.quantiles(sizes, n=100)[98]
        return Costs(clicking / CLICKS * 1000, largest / 1000, picking / PICKS * 1000)


class Player:
    """Somebody at the table who clicks at random and keeps up with what the server says."""

    def __init__(self, http: httpx.Client, record: str) -> None:
        self.http = http
        self.record = record
        self.chance = random.Random(1)
        self.begin()

    def begin(self) -> None:
        """Take up the game of the record."""
        answer = self.http.post("/api/games/import", json={"record": self.record}).raise_for_status()
        self.snapshot = answer.json()["snapshot"]

    def click(self) -> int:
        """Play an action; how many bytes the answer has."""
        if not self.snapshot["legal"]:
            self.begin()
        body = {"seen": self.snapshot["seen"], "action": self.chance.choice(self.snapshot["legal"])["text"]}
        path, query = f"/api/games/{self.snapshot['id']}/actions", {"held": self.snapshot["mark"]}
        answer = self.http.post(path, params=query, json=body).raise_for_status()
        self.snapshot = changed_snapshot(self.snapshot, answer.json())
        return len(answer.content)

    def pick(self) -> None:
        """Click until a unit is in hand that can go to several places."""
        for _ in range(MOST_CLICKS):
            self.click()
            if len({action["args"][0]["value"] for action in self.goings()}) == 1:
                return

    def goings(self) -> list[dict[str, Any]]:
        """The actions that lead somewhere."""
        return [action for action in self.snapshot["legal"] if len(action["args"]) > 1]

    def ask_for_previews(self) -> None:
        """Ask what everything that can be done would do, as the client does when a unit is picked."""
        body = {"actions": [action["text"] for action in self.snapshot["legal"]][:MOST_PREVIEWS]}
        self.http.post(f"/api/games/{self.snapshot['id']}/previews", json=body).raise_for_status()


# ---- how soon everything is there ------------------------------------------------


def seconds_to_list_games(rounds: int) -> float:
    """Processor time of `salient games`, but for the first call: median over the rounds."""
    return statistics.median([_child_seconds(["games"]) for _ in range(rounds + 1)][1:])


def _child_seconds(arguments: list[str]) -> float:
    began = os.times()
    command = [sys.executable, "-m", "salient.cli", *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    ended = os.times()
    return ended.children_user + ended.children_system - began.children_user - began.children_system


def seconds_to_start(rounds: int) -> tuple[float, float]:
    """Processor time from the start of the server to its first answer, and of its first list of the games: medians.

    The first start, which makes the database, does not count.
    """
    started, listed = [], []
    with serving() as server:
        for _ in range(rounds):
            server.kill()
            server.start()
            started.append(seconds_spent(server))
            httpx.get(f"{server.url}/api/library", timeout=60).raise_for_status()
            listed.append(seconds_spent(server) - started[-1])
    return statistics.median(started), statistics.median(listed)


LOOK = ("components", "catalog", "map", "hexes")  # what the client asks for when a game is opened


def seconds_to_first_look(game_id: str, rounds: int) -> float:
    """Seconds by the clock until a server that has just started has sent all that shows a map: median."""
    times = []
    with serving() as server:
        for _ in range(rounds):
            server.kill()
            server.start()
            with httpx.Client(base_url=server.url, timeout=60) as http:
                began = time.perf_counter()
                found = {part: http.get(f"/api/library/{game_id}/{part}").raise_for_status() for part in LOOK}
                http.get(f"/maps/{found['map'].json()['preview']}").raise_for_status()
                times.append(time.perf_counter() - began)
    return statistics.median(times)


def main(*game_ids: str) -> None:
    """Measure and say the figures."""
    for game_id in game_ids:
        found = costs(game_id)
        print(f"{game_id}: click {found.click:.1f} ms, message {found.message:.1f} kB, pick {found.pick:.1f} ms")
    print(f"salient games {seconds_to_list_games(3):.2f} s")
    started, listed = seconds_to_start(3)
    print(f"server starts in {started:.2f} s, first list of games {listed:.2f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
