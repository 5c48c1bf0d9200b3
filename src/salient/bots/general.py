"""`general`: a planner who answers the enemy's plans, tries more of his own, and thinks in two processes.

Before it looks for a plan it asks which plans of the enemy hurt its last one most; what it then plans must stand
against those and against an enemy without a plan. A helper process plays half of the playouts out, unless the general
itself thinks in a process of somebody else, such as the server's: then it plays all of them, with the same result.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Mapping
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from salient.bots.planner import Intent, Planner
from salient.bots.playout import play_out
from salient.games import load
from salient.kernel import AnyGame, Seat, State

FEARING = 0.25  # of its means, to find out which plans of the enemy matter
ANSWERED = 2  # plans of the enemy, beside none


@dataclass(frozen=True)
class Task:
    """A plan to be played out against a plan of the enemy, as another process can be told."""

    game: str
    state: dict[str, Any]
    seat: Seat
    enemy: Seat
    weights: Mapping[str, float] | None
    plan: Intent
    reply: Intent
    row: int
    deadline: float


def played_out(task: Task) -> tuple[float, int]:
    """What a task promises the seat, and how many evaluations that took."""
    game = load(task.game)
    return _play(game, game.state_from_json(task.state), task)


def _play(game: AnyGame, seen: State, task: Task) -> tuple[float, int]:
    opinion = Planner(game, task.seat, weights=task.weights).opinion_of(task.plan)
    reply = Planner(game, task.enemy).opinion_of(task.reply)
    promise = play_out(seen, opinion, task.row, replies={task.enemy: reply}, quick=True, deadline=task.deadline)
    return promise, opinion.asked


class General(Planner):
    """Plans against the enemy's plans; `answered` are those that it reckons with."""

    tries = 12
    rows = 10
    budget = 150_000

    def __init__(
        self, game: AnyGame, seat: Seat, seed: int | str = 0, weights: Mapping[str, float] | None = None
    ) -> None:
        super().__init__(game, seat, seed, weights)
        self.enemy = next(each for each in game.seats if each != seat)
        self.answered = [Intent()]
        self.helper: ProcessPoolExecutor | None = None
        self.alone = multiprocessing.parent_process() is not None

    def close(self) -> None:
        if self.helper:
            self.helper.shutdown(cancel_futures=True)
            self.helper = None

    def _plan(self, seen: State, deadline: float) -> None:
        self.answered = [Intent()]
        feared = self._feared(seen, deadline)
        self.answered += sorted(feared, key=lambda plan: feared[plan])[:ANSWERED]
        super()._plan(seen, deadline)

    def _feared(self, seen: State, deadline: float) -> dict[Intent, float]:
        """What the last plan promises against each plan that the enemy might have, on one row of dice."""
        last = self._possible(seen, self.plan)
        rival = Planner(self.game, self.enemy, str(self.random.random()))
        rival.strength = self.strength
        self.spent = 0
        self._all_played(seen, [(last, Intent())], 0, deadline)
        affordable = int(FEARING * self.means / max(1, self.spent))
        plans = rival.plans(seen, Intent())[:affordable]
        found = self._all_played(seen, [(last, plan) for plan in plans], 0, deadline)
        return dict(zip(plans, found, strict=False))

    def _promises(self, seen: State, plans: list[Intent], row: int, deadline: float) -> list[float]:
        count = len(self.answered)
        pairs = [(plan, reply) for plan in plans for reply in self.answered]
        found = self._all_played(seen, pairs, row, deadline)
        return [sum(found[i : i + count]) / count for i in range(0, len(found) - count + 1, count)]

    def _all_played(self, seen: State, pairs: list[tuple[Intent, Intent]], row: int, deadline: float) -> list[float]:
        """What plans promise against plans of the enemy; of the first of them only, if time runs out."""
        state = seen.as_json()
        of = (self.game.id, state, self.seat, self.enemy, self.opinion.weights)
        tasks = [Task(*of, plan, reply, row, deadline) for plan, reply in pairs]
        elsewhere = {i: self._asked(tasks[i]) for i in range(1, len(tasks), 2)}
        found: list[float] = []
        results = [_play(self.game, seen, tasks[i]) for i in range(0, len(tasks), 2)]
        for i, task in enumerate(tasks):
            promise, spent = results[i // 2] if i % 2 == 0 else self._heard(seen, task, elsewhere[i])
            if time.monotonic() >= deadline:
                break
            self.spent += spent
            found.append(promise)
        return found

    def _asked(self, task: Task) -> Future[tuple[float, int]] | None:
        """Give a task to the helper, if there can be one."""
        if self.alone:
            return None
        if self.helper is None:
            self.helper = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        try:
            return self.helper.submit(played_out, task)
        except BrokenExecutor:
            return None

    def _heard(self, seen: State, task: Task, answer: Future[tuple[float, int]] | None) -> tuple[float, int]:
        """The helper's answer; without a helper the task is done here."""
        try:
            return answer.result() if answer else _play(self.game, seen, task)
        except BrokenExecutor:
            self.alone = True
            return _play(self.game, seen, task)
