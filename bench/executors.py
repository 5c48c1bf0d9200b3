"""Studies on two workers against one process: processes of this machine, Dask, Ray."""

from __future__ import annotations

from importlib.util import find_spec
from time import perf_counter

from salient.games import load
from salient.lab.executors import Executor, Serial, executor
from salient.lab.trial import Task

SERIAL_SECONDS = 8.0
WARM_UP = 6
NEEDS = {"processes": "salient", "dask": "distributed", "ray": "ray"}


def tasks(game_id: str, first: int, count: int) -> list[Task]:
    """Games of random players, each by its own seed."""
    players = tuple((seat, "random") for seat in load(game_id).seats)
    return [Task(0, i, game_id, "", (), players, str(i), luck=False) for i in range(first, first + count)]


def seconds(place: Executor, game_id: str, count: int) -> float:
    """How long some games take on workers that are ready."""
    list(place.run(tasks(game_id, 0, WARM_UP)))
    begin = perf_counter()
    list(place.run(tasks(game_id, WARM_UP, count)))
    return perf_counter() - begin


def two_workers_against_one(game_id: str) -> dict[str, float]:
    """How much faster two workers are than one process, by the clock, for each executor that is installed."""
    count = max(10, int(WARM_UP * SERIAL_SECONDS / seconds(Serial(), game_id, WARM_UP)))
    alone = seconds(Serial(), game_id, count)
    found = {}
    for name, package in NEEDS.items():
        if find_spec(package):
            place = executor("" if name == "processes" else name, 2)
            found[name] = alone / seconds(place, game_id, count)
            place.close()
    return found
