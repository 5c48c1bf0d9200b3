"""Bots at the table: while a bot is to move in some game, it is asked and its action committed like a person's."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from dataclasses import dataclass

from sqlalchemy.exc import SQLAlchemyError

from salient.games import load
from salient.kernel import AnyGame, SeededDice, State, legal, step
from salient.kernel.messages import SalientError
from salient.server.database import is_storage_error, trouble
from salient.server.live import LiveGame, is_bot
from salient.server.problems import RequestProblem, Stale
from salient.server.queue import LEASE, Queue
from salient.server.settings import Settings
from salient.server.table import GameTable
from salient.server.thinker import ChosenAction, NoAnswer, Question, Thinker

log = logging.getLogger("salient.bots")

FALLBACK_SECONDS = 0.3
SECONDS_A_LOOK = 2.0


@dataclass(frozen=True)
class Turn:
    """A bot's move to make: the question, and what it is based on."""

    question: Question
    seen: int
    state: State


class Bots:
    """Drives the bots of all games; each thinker thinks about one move at a time, and persons take turns."""

    def __init__(self, table: GameTable, settings: Settings) -> None:
        self.table = table
        self.queue = Queue(table.store)
        self.seconds = settings.bot_seconds
        self.alone = table.store.engine.dialect.name != "postgresql"
        self.thinkers = [Thinker(settings.worker_setup) for _ in range(settings.thinkers)]
        self.loop = asyncio.get_running_loop()
        self.due = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Take up the games in which a bot is to move."""
        if self.alone:
            await asyncio.to_thread(self.queue.release)
        self.table.wake_bots = self.wake
        self.tasks = [self.loop.create_task(self._run(thinker)) for thinker in self.thinkers]

    async def stop(self) -> None:
        """Stop thinking; the games go on when the server starts again."""
        self.table.wake_bots = lambda: None
        for task in self.tasks:
            task.cancel()
        for thinker in self.thinkers:
            await asyncio.to_thread(thinker.close)
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def wake(self) -> None:
        """There may be a move to make; from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop may have closed meanwhile
            self.loop.call_soon_threadsafe(self.due.set)

    async def _run(self, thinker: Thinker) -> None:
        while True:
            try:
                game_id = await asyncio.to_thread(self.queue.take)
                if game_id is None:
                    await self._wait()
                else:
                    await self._move(game_id, thinker)
            except Exception as error:
                level = logging.WARNING if is_storage_error(error) else logging.ERROR
                log.log(level, "The bots wait: %s", type(error).__name__, exc_info=level == logging.ERROR)
                await asyncio.sleep(SECONDS_A_LOOK)

    async def _wait(self) -> None:
        self.due.clear()
        due = await asyncio.to_thread(self.queue.next_due)
        wait = SECONDS_A_LOOK if due is None else min(SECONDS_A_LOOK, max(0.01, due - time.time()))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait):  # wait_for can lose the cancellation that ends this task
                await self.due.wait()

    async def _move(self, game_id: str, thinker: Thinker) -> None:
        keeping = self.loop.create_task(self._keep(game_id))
        try:
            turn = await asyncio.to_thread(self._turn, game_id)
            if turn is None:
                await asyncio.to_thread(self.queue.drop, game_id)
                return
            choice = await self._choice(turn, thinker)
            await asyncio.to_thread(self._commit, game_id, turn, choice)
        except Exception as error:
            cause = trouble(error) if is_storage_error(error) else error
            log.warning("The bots of game %s wait: %r", game_id, cause)
            await asyncio.to_thread(self._stopped, game_id, error)
        finally:
            keeping.cancel()

    async def _keep(self, game_id: str) -> None:
        """Keep a job from the other processes, which take it up soon after this one has died."""
        while True:
            await asyncio.sleep(LEASE / 3)
            with contextlib.suppress(SQLAlchemyError):
                await asyncio.to_thread(self.queue.keep, game_id)

    def _stopped(self, game_id: str, error: Exception) -> None:
        """Try again later, and say so at the table if it can be kept."""
        self.queue.postpone(game_id)
        key = f"bot-{trouble(error).key}" if is_storage_error(error) else "bot-failed"
        with contextlib.suppress(RequestProblem), self.table.playing(game_id) as live:
            self.table.note_trouble(live, key)

    def _turn(self, game_id: str) -> Turn | None:
        try:
            with self.table.playing(game_id) as live:
                player = live.row.seats.get(live.actor, "")
                if not is_bot(player) or live.row.paused:
                    return None
                state = live.session.state
                level = player.removeprefix("bot:")
                question = Question(game_id, live.game.id, live.actor, level, state.as_json())
                return Turn(question, live.seen, state)
        except RequestProblem:
            return None

    async def _choice(self, turn: Turn, thinker: Thinker) -> ChosenAction:
        try:
            return await asyncio.to_thread(thinker.ask, turn.question, self.seconds)
        except NoAnswer as error:
            log.warning("Game %s: %s; a quick choice is made instead", turn.question.match, error)
            return await asyncio.to_thread(quick_choice, turn)

    def _commit(self, game_id: str, turn: Turn, choice: ChosenAction) -> None:
        seat = turn.question.seat
        try:
            with self.table.playing(game_id) as live:
                if live.row.paused or live.row.seats[seat] != f"bot:{turn.question.level}":
                    return
                try:
                    self._play(live, turn, choice)
                except SalientError as error:
                    log.warning("Game %s: %s; a quick choice is made instead", game_id, error)
                    self._play(live, turn, quick_choice(turn))
        except (Stale, RequestProblem):
            return

    def _play(self, live: LiveGame, turn: Turn, choice: ChosenAction) -> None:
        seat, reasons = turn.question.seat, choice.reasons or None
        action = live.game.read(choice.action)
        self.table.commit(live, turn.seen, lambda: live.act(seat, action, reasons=reasons))


def quick_choice(turn: Turn) -> ChosenAction:
    """The action after which the position looks best, as far as a moment's time goes; what is hidden stays hidden."""
    game: AnyGame = load(turn.question.game)
    seat, actions = turn.question.seat, legal(turn.state)
    imagined = game.resample(turn.state, seat, SeededDice(turn.question.match))
    best, best_value = actions[0], float("-inf")
    deadline = time.monotonic() + FALLBACK_SECONDS
    with contextlib.suppress(Exception):  # whatever is wrong with the judge, the game goes on
        for action in actions:
            value = game.judge.evaluate(step(imagined, action, trusted=True), seat)
            if value > best_value:
                best, best_value = action, value
            if time.monotonic() > deadline:
                break
    return ChosenAction(game.write(best), [])
