"""`general`: a planner that answers the enemy's plans, tries more of his own, and thinks in two processes.

Before it looks for a plan it asks which plans of the enemy hurt its last one most; what it then plans must stand
against those and against an enemy without a plan. A helper process plays half of the playouts out, unless the general
itself thinks in a process of somebody else, such as the server's: then it plays all of them, with the same result.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Mapping
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from salient.bots.clock import Clock
from salient.bots.planner import Intent, Planner
from salient.bots.playout import FAR, Horizon, Played, Rehearsal
from salient.games import load
from salient.kernel import AnyGame, Seat, State

FEARING = 0.25  # of its means, to find out which plans of the enemy matter
ANSWERED = 2  # plans of the enemy, beside none
LOOK_SECONDS = 0.1  # between two looks at the clock while the helper plays


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
    horizon: Horizon
    most: float
    deadline: float


def played_out(task: Task) -> Played:
    """What comes of a task, in a process of its own."""
    game = load(task.game)
    return _play(game, game.state_from_json(task.state), task, Clock(task.deadline))


def _play(game: AnyGame, seen: State, task: Task, clock: Clock) -> Played:
    opinion = Planner(game, task.seat, weights=task.weights).opinion_of(task.plan)
    reply = Planner(game, task.enemy).opinion_of(task.reply)
    rehearsal = Rehearsal(seen, opinion, {task.enemy: reply}, quick=task.horizon != FAR)
    return rehearsal.on(task.row, horizon=task.horizon, most=task.most, clock=clock)


class General(Planner):
    """Plans against the enemy's plans; `answered` are those that it reckons with."""

    tries = 12
    rows = 10
    budget = 60_000
    far_budget = 400_000

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

    def _plan(self, seen: State, clock: Clock) -> None:
        self.answered = [Intent()]
        feared = self._feared(seen, clock)
        self.answered += sorted(feared, key=lambda plan: feared[plan])[:ANSWERED]
        super()._plan(seen, clock)

    def _feared(self, seen: State, clock: Clock) -> dict[Intent, float]:
        """What the base promises against each plan that the enemy might have, on one row of dice.

        Nothing if his reply is too dear to be played out.
        """
        base, _ = self._first_look(seen, clock)
        rival = Planner(self.game, self.enemy, str(self.random.random()))
        rival.strength = self.strength
        affordable = int(FEARING * self.means / max(1, self.spent)) if self.horizon.replying else 0
        plans = rival.plans(seen, Intent())[:affordable]
        found = self._all_played(seen, [(base, plan) for plan in plans], 0, clock)
        return dict(zip(plans, found, strict=False))

    def _promises(self, seen: State, plans: list[Intent], row: int, clock: Clock) -> list[float]:
        count = len(self.answered)
        pairs = [(plan, reply) for plan in plans for reply in self.answered]
        found = self._all_played(seen, pairs, row, clock)
        return [sum(found[i : i + count]) / count for i in range(0, len(found) - count + 1, count)]

    def _all_played(self, seen: State, pairs: list[tuple[Intent, Intent]], row: int, clock: Clock) -> list[float]:
        """What plans promise against plans of the enemy; of the first of them only, if time runs out."""
        of = (self.game.id, seen.as_json(), self.seat, self.enemy, self.opinion.weights)
        tasks = [Task(*of, plan, reply, row, self.horizon, self.most, clock.deadline) for plan, reply in pairs]
        elsewhere = {i: self._asked(tasks[i]) for i in range(1, len(tasks), 2)}
        here = {i: _play(self.game, seen, tasks[i], clock) for i in range(0, len(tasks), 2)}
        found: list[float] = []
        for i, task in enumerate(tasks):
            played = here[i] if i in here else self._heard(seen, task, elsewhere[i], clock)
            if played is None or clock.is_over:
                break
            self._note(played, clock)
            found.append(played.promise)
        return found

    def _asked(self, task: Task) -> Future[Played] | None:
        """Give a task to the helper, if there can be one."""
        if self.alone:
            return None
        if self.helper is None:
            self.helper = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        try:
            return self.helper.submit(played_out, task)
        except BrokenExecutor:
            return None

    def _heard(self, seen: State, task: Task, answer: Future[Played] | None, clock: Clock) -> Played | None:
        """The helper's answer, None if time runs out first; without a helper the task is done here."""
        while answer and not clock.is_over:
            try:
                return answer.result(LOOK_SECONDS)
            except TimeoutError:
                continue
            except BrokenExecutor:
                self.alone = True
                answer = None
        return None if answer else _play(self.game, seen, task, clock)
