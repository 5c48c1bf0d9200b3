"""Where games are played: in this process, in several, on a Dask cluster or on Ray. One small interface.

An executor takes tasks as it has room for them and gives back rows as games end. A worker that is lost does not lose
its game: it is played again, by the same seed, elsewhere. A game that takes its worker down again and again is a fault.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from multiprocessing import get_context
from typing import Any

from salient.kernel import Unreadable
from salient.lab.trial import Row, Task, play

ATTEMPTS = 3
AHEAD = 2  # tasks for each worker, one to play and one to follow


class Executor(ABC):
    """Plays tasks; `workers` at a time."""

    workers = 1

    @abstractmethod
    def submit(self, task: Task) -> Any:
        """Begin with a task; a handle for it."""

    @abstractmethod
    def wait(self, handles: list[Any]) -> list[Any]:
        """Those handles that are done, at least one."""

    @abstractmethod
    def result(self, handle: Any) -> Row:
        """The row of a handle that is done; raises what went wrong."""

    @abstractmethod
    def close(self) -> None:
        """Let the workers go."""

    def revive(self, error: Exception) -> None:  # noqa: B027 (most executors revive by themselves)
        """Get ready again after a worker was lost."""

    def run(self, tasks: Iterable[Task]) -> Iterator[Row]:
        """The row of every task, in the order in which games end; tasks are taken when there is room for them."""
        waiting = iter(tasks)
        under_way: dict[Any, Task] = {}
        attempts: dict[tuple[int, int], int] = {}
        begun: set[tuple[int, int]] = set()
        while True:
            self._fill(waiting, under_way, begun)
            if not under_way:
                return
            for handle in self.wait(list(under_way)):
                task = under_way.pop(handle, None)
                if task is None:
                    continue
                try:
                    yield self.result(handle)
                except Exception as error:
                    attempts[task.key] = attempts.get(task.key, 0) + 1
                    self.revive(error)
                    if attempts[task.key] >= ATTEMPTS:
                        yield broken_row(task, error)
                    else:
                        under_way[self.submit(task)] = task

    def _fill(self, waiting: Iterator[Task], under_way: dict[Any, Task], begun: set[tuple[int, int]]) -> None:
        while len(under_way) < self.workers * AHEAD:
            task = next(waiting, None)
            if task is None:
                return
            if task.key not in begun:
                begun.add(task.key)
                under_way[self.submit(task)] = task


def broken_row(task: Task, error: Exception) -> Row:
    """The row of a game that could not be played."""
    return {
        "cell": task.cell, "index": task.index, "seed": task.seed, "winner": None, "ending": "fault", "rule": "",
        "plies": 0, "turns": 0, "luck": 0.0, "odds": [], "fault": f"{type(error).__name__}: {error}", "failed": "",
        "rules": 0, "data": "", "record": "", "by_turn": [], "seconds": 0.0,
    }  # fmt: skip


class Serial(Executor):
    """One game after the other, here."""

    def submit(self, task: Task) -> Task:
        return task

    def wait(self, handles: list[Task]) -> list[Task]:
        return handles[:1]

    def result(self, handle: Task) -> Row:
        return play(handle)

    def close(self) -> None:
        """Nothing to let go."""


class Local(Executor):
    """Several processes of this machine."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.workers, mp_context=get_context("spawn"))

    def submit(self, task: Task) -> Future[Row]:
        try:
            return self.pool.submit(play, task)
        except BrokenProcessPool as error:
            self.revive(error)
            return self.pool.submit(play, task)

    def wait(self, handles: list[Future[Row]]) -> list[Future[Row]]:
        return list(wait(handles, return_when=FIRST_COMPLETED).done)

    def result(self, handle: Future[Row]) -> Row:
        return handle.result()

    def revive(self, error: Exception) -> None:
        """A process that dies takes its pool down: the next tasks get a new one."""
        if isinstance(error, BrokenProcessPool) and getattr(self.pool, "_broken", False):
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = self._new_pool()

    def close(self) -> None:
        self.pool.shutdown(wait=True, cancel_futures=True)


class Dask(Executor):
    """A Dask cluster: one of one's own on this machine, or one that is there (`HOST:PORT`)."""

    def __init__(self, address: str, workers: int) -> None:
        self.dask: Any = import_module("distributed")
        self.cluster: Any = None
        if not address:
            self.cluster = self.dask.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
        self.client = self.dask.Client(self.cluster or f"tcp://{address}")
        self.workers = max(1, len(self.client.scheduler_info()["workers"]))

    def submit(self, task: Task) -> Any:
        return self.client.submit(play, task, pure=False, retries=ATTEMPTS)

    def wait(self, handles: list[Any]) -> list[Any]:
        return list(self.dask.wait(handles, return_when="FIRST_COMPLETED").done)

    def result(self, handle: Any) -> Row:
        found: Row = handle.result()
        return found

    def close(self) -> None:
        self.client.close()
        if self.cluster is not None:
            self.cluster.close()


class Ray(Executor):
    """Ray: on this machine, or one that is there (`HOST:PORT`)."""

    def __init__(self, address: str, workers: int) -> None:
        self.ray: Any = import_module("ray")
        settings: dict[str, Any] = (
            {"address": f"ray://{address}"}
            if address
            else {"address": "local", "num_cpus": workers, "include_dashboard": False}
        )
        self.ray.init(logging_level="ERROR", log_to_driver=False, **settings)
        self.workers = max(1, int(self.ray.cluster_resources().get("CPU", workers)))
        self.play = self.ray.remote(max_retries=ATTEMPTS)(play)

    def submit(self, task: Task) -> Any:
        return self.play.remote(task)

    def wait(self, handles: list[Any]) -> list[Any]:
        done, _ = self.ray.wait(handles, num_returns=1)
        return list(done)

    def result(self, handle: Any) -> Row:
        found: Row = self.ray.get(handle)
        return found

    def close(self) -> None:
        self.ray.shutdown()


CLUSTERS: dict[str, Callable[[str, int], Executor]] = {"dask": Dask, "ray": Ray}


def executor(where: str = "", jobs: int = 1) -> Executor:
    """An executor by name: empty for this machine, `dask`, `dask://HOST:PORT`, `ray`, `ray://HOST:PORT`."""
    kind, _, address = where.partition("://")
    if not kind:
        return Serial() if jobs <= 1 else Local(jobs)
    if kind in CLUSTERS:
        try:
            return CLUSTERS[kind](address, jobs)
        except (ImportError, OSError, ValueError) as error:
            raise Unreadable("no-executor", text=where, text_cause=str(error)) from error
    raise Unreadable("unknown-word", word_what="executor", text=where, texts_known=("dask", "ray"))
