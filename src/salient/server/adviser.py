"""Advice for a player and the analysis of finished games, each in a process of its own, one at a time."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from salient.bots.advice import Advice, advise
from salient.bots.analysis import Analysis, analyse
from salient.games import load
from salient.kernel import Record
from salient.server.heavy import HeavyReads
from salient.server.problems import Problem
from salient.server.thinker import Errand, NoAnswer, Players, Tell, Thinker

HINT_SECONDS = 6.0  # in which plans are tried
HINT_PATIENCE = 60.0  # seconds until the answer, the process's start included
SILENCE = 300.0  # seconds between two words of an analysis
REMEMBERED = 50


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
        return advise(game, game.state_from_json(self.state), self.seat, self.seed, deadline)


@dataclass(frozen=True)
class Study(Errand[Analysis]):
    """What is there to say about a finished game?"""

    game: str
    record: str

    def run(self, players: Players, seconds: float, tell: Tell) -> Analysis:
        return analyse(load(self.game), Record.parse(self.record), tell)


@dataclass
class Job:
    """An analysis under way or done, and who asked for it."""

    asker: str
    done: int = 0
    total: int = 0
    found: Analysis | None = None
    failed: bool = False

    @property
    def under_way(self) -> bool:
        """Whether there will be more."""
        return self.found is None and not self.failed


@dataclass
class Adviser:
    """Gives advice while the asker waits, and analyses in the background."""

    setup: Callable[[], None] | None = None
    jobs: OrderedDict[tuple[str, int], Job] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        self.hints, self.studies = Thinker(self.setup), Thinker(self.setup)
        self.studying, self.noting = threading.Lock(), threading.Lock()
        self.waiting = HeavyReads()

    def advice(self, hint: Hint) -> list[Advice]:
        """Two plans at most; none if there is no answer in time."""
        with contextlib.suppress(NoAnswer):
            return self.hints.ask(hint, HINT_PATIENCE)
        return []

    def analysis(self, game_id: str, seen: int, asker: str, study: Callable[[], Study]) -> Job:
        """The analysis of a game as far as it is; the first question begins it. Problem if one's last is not done."""
        with self.noting:
            job = self.jobs.get((game_id, seen))
            if job is None or job.failed:
                if asker and any(each.asker == asker and each.under_way for each in self.jobs.values()):
                    raise Problem(429, "too-many", "too-many-questions")
                job = self.jobs[game_id, seen] = Job(asker)
                if len(self.jobs) > REMEMBERED:
                    self.jobs.popitem(last=False)
                threading.Thread(target=self._study, args=(job, study()), daemon=True).start()
            return job

    def _study(self, job: Job, study: Study) -> None:
        def tell(done: int, total: int) -> None:
            job.done, job.total = done, total

        with self.studying:
            try:
                job.found = self.studies.ask(study, SILENCE, tell)
                job.done = job.total
            except NoAnswer:
                job.failed = True

    def close(self) -> None:
        """End both processes."""
        self.hints.close()
        self.studies.close()
