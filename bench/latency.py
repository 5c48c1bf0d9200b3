"""How soon a person's action is answered while many games are open.

python -m bench.latency [games]
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx

from bench.serving import ServerProcess

GAME = "target-arnhem"
ACTIONS = 2000
GOAL_MS = 50.0


def measure(url: str, games: int, actions: int) -> list[float]:
    """Milliseconds of each action, played at random in turn at all tables."""
    chance = random.Random(1)
    times = []
    with httpx.Client(base_url=url, timeout=30) as http:
        tables = [
            http.post("/api/games", json={"game": GAME}).raise_for_status().json()["snapshot"] for _ in range(games)
        ]
        for n in range(actions):
            snapshot = tables[n % games]
            if snapshot["actor"] == "over":
                snapshot = http.post("/api/games", json={"game": GAME}).raise_for_status().json()["snapshot"]
            body = {"seen": snapshot["seen"], "action": chance.choice(snapshot["legal"])["text"]}
            began = time.perf_counter()
            answer = http.post(f"/api/games/{snapshot['id']}/actions", json=body)
            times.append((time.perf_counter() - began) * 1000)
            tables[n % games] = answer.raise_for_status().json()["snapshot"]
    return times


def percentiles(games: int = 50) -> list[float]:
    """The 99 percentiles of the answers' times, in milliseconds, with that many games open."""
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder))
        try:
            server.start()
            return statistics.quantiles(measure(server.url, games, ACTIONS), n=100)
        finally:
            server.kill()


def main(games: int = 50) -> None:
    """Measure and say the figures."""
    cuts = percentiles(games)
    print(
        f"{ACTIONS} actions at {games} open games: median {cuts[49]:.1f} ms, p95 {cuts[94]:.1f} ms, "
        f"p99 {cuts[98]:.1f} ms (goal: p95 under {GOAL_MS:g} ms)"
    )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
