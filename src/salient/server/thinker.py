"""The process in which bots think: one question at a time, killed and started anew if it does not answer."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import secrets
import signal
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from salient import bots
from salient.games import load

REMEMBERED_PLAYERS = 32
NICENESS = 10


def levels() -> tuple[str, ...]:
    """The strengths of bots that exist."""
    return tuple(bots.LEVELS)


@dataclass(frozen=True)
class Question:
    """A position in which a bot has to choose."""

    match: str
    game: str
    seat: str
    level: str
    state: dict[str, Any]


@dataclass(frozen=True)
class Choice:
    """A bot's action, as text, and its reasons: a feature of the evaluation and its gain."""

    action: str
    reasons: list[tuple[str, float]]


class NoAnswer(Exception):
    """The bot was too slow, or failed."""


class Thinker:
    """Asks a separate process; `ask` blocks, so call it from a thread, one at a time."""

    def __init__(self, setup: Callable[[], None] | None = None) -> None:
        self.setup = setup
        self.lock = threading.Lock()
        self.closed = False
        self.process: Any = None
        self.connection: Connection | None = None

    def ask(self, question: Question, seconds: float) -> Choice:
        """A bot's choice; NoAnswer if it takes longer or fails."""
        connection = self._ready()
        try:
            connection.send(question)
            if not connection.poll(seconds):
                raise NoAnswer(f"the bot took longer than {seconds:g} seconds")
            answer = connection.recv()
        except (NoAnswer, EOFError, OSError) as error:
            self.stop()
            raise NoAnswer(str(error) or "the bot's process ended") from error
        if isinstance(answer, Choice):
            return answer
        raise NoAnswer(answer)

    def _ready(self) -> Connection:
        with self.lock:
            if self.closed:
                raise NoAnswer("the server stops")
            if self.connection is None or not self.process.is_alive():
                context = multiprocessing.get_context("spawn")
                self.connection, theirs = context.Pipe()
                self.process = context.Process(target=_serve, args=(theirs, self.setup), daemon=True)
                self.process.start()
                theirs.close()
            return self.connection

    def stop(self) -> None:
        """End the process; whoever waits for its answer is told that there is none."""
        with self.lock:
            process, connection = self.process, self.connection
            self.process = self.connection = None
        if process is not None and connection is not None:
            process.kill()
            process.join(5)
            connection.close()

    def close(self) -> None:
        """End the process for good."""
        self.closed = True
        self.stop()


# ---- in the other process -----------------------------------------------------


def _serve(connection: Connection, setup: Callable[[], None] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if setup is not None:
        setup()
    players: OrderedDict[tuple[str, str, str], Any] = OrderedDict()
    with contextlib.suppress(EOFError, OSError):
        while True:
            question = connection.recv()
            try:
                connection.send(_choose(players, question))
            except Exception as error:
                connection.send(f"{type(error).__name__}: {error}")


def _choose(players: OrderedDict[tuple[str, str, str], Any], question: Question) -> Choice:
    game = load(question.game)
    key = (question.match, question.seat, question.level)
    if key not in players:
        players[key] = bots.make(question.level, game, question.seat, secrets.randbits(32))
        if len(players) > REMEMBERED_PLAYERS:
            players.popitem(last=False)
    players.move_to_end(key)
    action, reasons = players[key].choose(game.state_from_json(question.state))
    return Choice(game.write(action), list(reasons))
