"""kill -9 under load: nothing acknowledged is lost, nothing happens twice, the position equals the replay.

python -m bench.kill [rounds]
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import httpx

from bench.serving import ServerProcess
from salient.games import load
from salient.kernel import Record

GAME = "target-arnhem"
TABLES = 4
UNDO_CHANCE = 0.15


class Player:
    """Plays both sides of one game at random and remembers what was acknowledged, and what was on its way."""

    def __init__(self, url: str, seed: int) -> None:
        self.http = httpx.Client(base_url=url, timeout=30)
        self.random = random.Random(seed)
        self.game_id = ""
        self.seen = 0
        self.log: list[tuple[str, str]] = []
        self.snapshot: dict[str, Any] = {}
        self.under_way = ""
        self.acknowledged = 0

    def new_game(self) -> None:
        """Start another game; if the server goes before all is known of it, the old one stays."""
        answer = self.http.post("/api/games", json={"game": GAME}).raise_for_status().json()
        log = self.served_log(answer["id"])
        self.game_id, self.snapshot, self.log = answer["id"], answer["snapshot"], log
        self.seen = self.snapshot["seen"]

    def served_log(self, game_id: str) -> list[tuple[str, str]]:
        """The log as the server tells it."""
        log: list[tuple[str, str]] = []
        while True:
            page = self.http.get(f"/api/games/{game_id}/log?since={len(log)}").raise_for_status().json()
            log += [(entry["seat"], entry["action"]) for entry in page["entries"]]
            if len(log) >= page["ply"]:
                return log

    def play(self) -> None:
        """Submit until the server is gone."""
        try:
            while True:
                if self.snapshot["actor"] == "over":
                    self.new_game()
                self.submit()
        except httpx.TransportError:
            return

    def submit(self) -> None:
        """One action or one undo, acknowledged."""
        back = self.snapshot["undo_to"] is not None and self.random.random() < UNDO_CHANCE
        self.under_way = "" if back else self.random.choice(self.snapshot["legal"])["text"]
        body = {"seen": self.seen} if back else {"seen": self.seen, "action": self.under_way}
        path = f"/api/games/{self.game_id}/{'undo' if back else 'actions'}"
        update = self.http.post(path, json=body).raise_for_status().json()
        self.log = self.log[: update["cut"]] + [(entry["seat"], entry["action"]) for entry in update["entries"]]
        self.seen, self.snapshot = update["seen"], update["snapshot"]
        self.acknowledged += 1

    def check(self) -> bool:
        """Compare with the server after its restart; whether what was under way had been committed."""
        self.snapshot = self.http.get(f"/api/games/{self.game_id}").raise_for_status().json()
        log = self.served_log(self.game_id)
        committed = bool(self.snapshot["seen"] > self.seen)
        if not committed:
            lost = f"acknowledged ...{self.log[-3:]} ({len(self.log)}), served ...{log[-3:]} ({len(log)})"
            assert log == self.log, f"an acknowledged action is lost or changed: {lost}"
        elif self.under_way:
            assert log[: len(self.log)] == self.log, "an acknowledged action is lost or changed"
            added = log[len(self.log) :]
            assert added[0][1] == self.under_way, "something happened that nobody asked for"
            assert all(seat == "chance" for seat, _ in added[1:]), "an action happened twice"
        else:
            assert log == self.log[:-1], "an undo went wrong"
        self.check_replay()
        self.seen, self.log = self.snapshot["seen"], log
        return committed

    def check_replay(self) -> None:
        """The server's view is the view of the position that the record leads to."""
        game = load(GAME)
        record = Record.parse(self.http.get(f"/api/games/{self.game_id}/record").raise_for_status().text)
        replayed = json.loads(json.dumps(game.view.observe(record.verify(game), self.snapshot["seat"])))
        differing = {key: value for key, value in self.snapshot["view"].items() if replayed.get(key) != value}
        assert not differing, f"the replay of {self.game_id} differs: {differing}"


def rounds_of_killing(data: Path, rounds: int, seed: int = 0) -> tuple[int, int]:
    """Kill `rounds` times; how many submissions were acknowledged, and how many were committed unacknowledged."""
    server = ServerProcess(data)
    chance = random.Random(seed)
    players = [Player(server.url, seed * 1000 + n) for n in range(TABLES)]
    unacknowledged = 0
    try:
        server.start()
        for player in players:
            player.new_game()
        for _ in range(rounds):
            threads = [threading.Thread(target=player.play) for player in players]
            for thread in threads:
                thread.start()
            time.sleep(chance.uniform(0.05, 0.6))
            server.kill()
            for thread in threads:
                thread.join()
            server.start()
            unacknowledged += sum(player.check() for player in players)
    finally:
        server.kill()
    return sum(player.acknowledged for player in players), unacknowledged


def main(rounds: int = 200) -> None:
    """Run and say how it went."""
    with tempfile.TemporaryDirectory() as folder:
        acknowledged, unacknowledged = rounds_of_killing(Path(folder), rounds)
    print(
        f"kill -9: {rounds} rounds, {acknowledged} acknowledged submissions, none lost, none twice; "
        f"{unacknowledged} committed before their answer arrived"
    )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
