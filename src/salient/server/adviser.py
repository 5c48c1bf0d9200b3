"""Advice for a player and the analysis of finished games: in the background, each in a process of its own."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from salient.bots.advice import Advice, advise
from salient.bots.analysis import Analysis, analyse
from salient.games import load
from salient.kernel import Record
from salient.server.problems import RequestProblem
from salient.server.thinker import Errand, NoAnswer, Players, Tell, Thinker

HINT_SECONDS = 6.0  # in which plans are tried
HINT_PATIENCE = 60.0  # seconds until the answer, the process's start included
SILENCE = 300.0  # seconds between two words of an analysis
REMEMBERED = 50

A = TypeVar("A")


@dataclass(frozen=True)
class Hint(Errand[list[Advice]]):
    """What would you do in this position?"""

    game: str
    seat: str
    state: dict[str, Any]
    seed: int

    def run(self, players: Players, seconds: float, tell: Tell) -> list[Advice]:
        game = load(self.game)
        deadline = time.monotonic() + HINT_SECONDS
        return advise(game, game.state_from_json(self.state), self.seat, self.seed, deadline, tell)


@dataclass(frozen=True)
class Study(Errand[Analysis]):
    """What is there to say about a finished game?"""

    game: str
    record: str

    def run(self, players: Players, seconds: float, tell: Tell) -> Analysis:
        return analyse(load(self.game), Record.parse(self.record), tell)


@dataclass
class Job(Generic[A]):
    """An errand under way or done, and who asked for it."""

    requester: str
    done: int = 0
    total: int = 0
    found: A | None = None
    failed: bool = False
    stopped: bool = False

    @property
    def state(self) -> str:
        """`running`, `failed` or `done`."""
        return "done" if self.found is not None else "failed" if self.failed or self.stopped else "running"


class Desk(Generic[A]):
    """Errands of one kind: one at a time, in a process of its own; the last ones are kept with what they found."""

    def __init__(self, setup: Callable[[], None] | None, silence: float) -> None:
        self.thinker = Thinker(setup)
        self.silence = silence
        self.jobs: OrderedDict[tuple[str, int], Job[A]] = OrderedDict()
        self.at_work: Job[A] | None = None
        self.working, self.noting = threading.Lock(), threading.Lock()

    def job(self, key: tuple[str, int], requester: str, errand: Callable[[], Errand[A]]) -> Job[A]:
        """The errand as far as it is; the first question begins it."""
        with self.noting:
            job = self.jobs.get(key)
            if job is None or job.failed:
                job = self.jobs[key] = Job(requester)
                if len(self.jobs) > REMEMBERED:
                    self.jobs.popitem(last=False)
                threading.Thread(target=self._run, args=(job, errand()), daemon=True).start()
            return job

    def under_way(self, requester: str, but: tuple[str, int] | None) -> list[tuple[str, int]]:
        """What somebody has asked for and not been told yet, but for one question."""
        with self.noting:
            mine = [key for key, job in self.jobs.items() if job.requester == requester and job.state == "running"]
        return [key for key in mine if key != but]

    def stop(self, key: tuple[str, int], requester: str) -> None:
        """Give an errand up, if who says so asked for it; nobody is told what it would have found."""
        with self.noting:
            job = self.jobs.get(key)
            if job is None or job.requester != requester or job.state != "running":
                return
            del self.jobs[key]
            job.stopped = True
            at_work = self.at_work is job
        if at_work:
            self.thinker.stop()

    def _run(self, job: Job[A], errand: Errand[A]) -> None:
        def tell(done: int, total: int) -> None:
            job.done, job.total = done, total

        with self.working:
            with self.noting:
                if job.stopped:
                    return
                self.at_work = job
            try:
                job.found = self.thinker.ask(errand, self.silence, tell)
                job.done = job.total = max(1, job.total)
            except NoAnswer:
                job.failed = True
            with self.noting:
                self.at_work = None

    def close(self) -> None:
        """End the process."""
        self.thinker.close()


class Adviser:
    """Hints, of which everybody has one under way; and analyses, of which nobody begins two."""

    def __init__(self, setup: Callable[[], None] | None = None) -> None:
        self.hints: Desk[list[Advice]] = Desk(setup, HINT_PATIENCE)
        self.studies: Desk[Analysis] = Desk(setup, SILENCE)

    def advice(self, game_id: str, seen: int, requester: str, hint: Callable[[], Hint]) -> Job[list[Advice]]:
        """A hint as far as it is; whoever asks about another position gives up his last question."""
        self.forget_hints(requester, (game_id, seen))
        return self.hints.job((game_id, seen), requester, hint)

    def forget_hints(self, requester: str, but: tuple[str, int] | None = None) -> None:
        """Give up the questions of somebody, but for one."""
        for key in self.hints.under_way(requester, but):
            self.hints.stop(key, requester)

    def analysis(self, game_id: str, seen: int, requester: str, study: Callable[[], Study]) -> Job[Analysis]:
        """The analysis of a game as far as it is. RequestProblem if one's last is not done."""
        if requester and self.studies.under_way(requester, (game_id, seen)):
            raise RequestProblem(429, "too-many", "too-many-questions")
        return self.studies.job((game_id, seen), requester, study)

    def close(self) -> None:
        """End both processes."""
        self.hints.close()
        self.studies.close()
