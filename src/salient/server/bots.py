"""Bots at the table: after every commit, if a bot is to move, it is asked and its action committed like a person's."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass

from salient.games import load
from salient.kernel import Game, SeededDice, State, legal, step
from salient.kernel.messages import SalientError
from salient.server.live import LiveGame, is_bot
from salient.server.problems import Problem, Stale
from salient.server.settings import Settings
from salient.server.table import Table
from salient.server.thinker import Choice, NoAnswer, Question, Thinker

log = logging.getLogger("salient.bots")

FALLBACK_SECONDS = 0.3


@dataclass(frozen=True)
class Turn:
    """A bot's move to make: the question, what it is based on, and the pace."""

    question: Question
    seen: int
    pace: float
    state: State


class Bots:
    """Drives the bots of all games; one thinks at a time, so that people are always served first."""

    def __init__(self, table: Table, settings: Settings) -> None:
        self.table = table
        self.seconds = settings.bot_seconds
        self.thinker = Thinker(settings.worker_setup)
        self.one_at_a_time = asyncio.Lock()
        self.loop = asyncio.get_running_loop()
        self.pending: set[str] = set()
        self.tasks: dict[str, asyncio.Task[None]] = {}
        table.wake_bots = self.wake

    async def resume(self) -> None:
        """Take up the games in which a bot was to move when the server stopped."""
        for row in await asyncio.to_thread(self.table.store.games):
            if is_bot(row.seats.get(row.summary.get("actor", ""), "")):
                self._start(row.id)

    async def stop(self) -> None:
        """Stop thinking; the games go on when the server starts again."""
        self.table.wake_bots = lambda game_id: None
        for task in self.tasks.values():
            task.cancel()
        await asyncio.to_thread(self.thinker.close)
        await asyncio.gather(*self.tasks.values(), return_exceptions=True)

    def wake(self, game_id: str) -> None:
        """Look whether a bot is to move; from any thread."""
        self.loop.call_soon_threadsafe(self._start, game_id)

    def _start(self, game_id: str) -> None:
        self.pending.add(game_id)
        if game_id not in self.tasks:
            self.tasks[game_id] = self.loop.create_task(self._run(game_id))

    async def _run(self, game_id: str) -> None:
        try:
            while game_id in self.pending:
                self.pending.discard(game_id)
                while await self._move(game_id):
                    pass
        except Exception as error:
            log.exception("The bots of game %s stopped", game_id)
            self.table.trouble[game_id] = str(error)
            self.table.tell(game_id, "update")
        finally:
            del self.tasks[game_id]
            if self.table.thinking.pop(game_id, ""):
                self.table.tell(game_id, "thinking")

    async def _move(self, game_id: str) -> bool:
        turn = await asyncio.to_thread(self._turn, game_id)
        if turn is None:
            return False
        if self.table.thinking.get(game_id) != turn.question.seat:
            self.table.thinking[game_id] = turn.question.seat
            self.table.tell(game_id, "thinking")
        started = time.monotonic()
        choice = await self._choice(turn)
        await asyncio.sleep(max(0.0, turn.pace - (time.monotonic() - started)))
        await asyncio.to_thread(self._commit, game_id, turn, choice)
        return True

    def _turn(self, game_id: str) -> Turn | None:
        try:
            with self.table.playing(game_id) as live:
                player = live.row.seats.get(live.actor, "")
                if not is_bot(player) or live.row.paused:
                    return None
                state = live.session.state
                level = player.removeprefix("bot:")
                question = Question(game_id, live.game.id, live.actor, level, state.as_json())
                return Turn(question, live.seen, live.row.pace, state)
        except Problem:
            return None

    async def _choice(self, turn: Turn) -> Choice:
        async with self.one_at_a_time:
            try:
                return await asyncio.to_thread(self.thinker.ask, turn.question, self.seconds)
            except NoAnswer as error:
                log.warning("Game %s: %s; a quick choice is made instead", turn.question.match, error)
                return await asyncio.to_thread(quick_choice, turn)

    def _commit(self, game_id: str, turn: Turn, choice: Choice) -> None:
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
        except (Stale, Problem):
            return

    def _play(self, live: LiveGame, turn: Turn, choice: Choice) -> None:
        seat, reasons = turn.question.seat, choice.reasons or None
        self.table.commit(live, turn.seen, lambda: live.act(seat, choice.action, reasons=reasons))


def quick_choice(turn: Turn) -> Choice:
    """The action after which the position looks best, as far as a moment's time goes; what is hidden stays hidden."""
    game: Game = load(turn.question.game)
    seat, actions = turn.question.seat, legal(turn.state)
    imagined = game.resample(turn.state, seat, SeededDice(turn.question.match))
    best, best_value = actions[0], float("-inf")
    deadline = time.monotonic() + FALLBACK_SECONDS
    for action in actions:
        value = game.evaluate(step(imagined, action, trusted=True), seat)
        if value > best_value:
            best, best_value = action, value
        if time.monotonic() > deadline:
            break
    return Choice(game.write(best), [])
