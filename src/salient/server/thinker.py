"""The process in which bots think: one question at a time, killed and started anew if it does not answer."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import secrets
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from salient import bots
from salient.games import load

REMEMBERED_PLAYERS = 32
NICENESS = 10
THINKING = 0.6  # of the time for an answer: then a bot takes the best that it has found


def levels() -> tuple[str, ...]:
    """The strengths of bots that exist."""
    return tuple(bots.LEVELS)


A = TypeVar("A")
Players = OrderedDict[tuple[str, str, str], Any]  # by match, seat and level
Tell = Callable[[int, int], None]


class Errand(Generic[A]):
    """What the process is asked to do; it may tell how far it is."""

    def run(self, players: Players, seconds: float, tell: Tell) -> A:
        """The answer, in as many seconds if possible."""
        raise NotImplementedError


@dataclass(frozen=True)
class ChosenAction:
    """A bot's action, as text, and its reasons: a feature of the evaluation and its gain."""

    action: str
    reasons: list[tuple[str, float]]


@dataclass(frozen=True)
class Question(Errand[ChosenAction]):
    """A position in which a bot has to choose."""

    match: str
    game: str
    seat: str
    level: str
    state: dict[str, Any]

    def run(self, players: Players, seconds: float, tell: Tell) -> ChosenAction:
        game = load(self.game)
        key = (self.match, self.seat, self.level)
        if key not in players:
            players[key] = bots.make(self.level, game, self.seat, secrets.randbits(32))
            if len(players) > REMEMBERED_PLAYERS:
                players.popitem(last=False)
        players.move_to_end(key)
        action, reasons = players[key].choose(game.state_from_json(self.state), time.monotonic() + seconds)
        return ChosenAction(game.write(action), list(reasons))


@dataclass(frozen=True)
class Progress:
    """How far an errand is."""

    done: int
    total: int


@dataclass(frozen=True)
class Failure:
    """Why there is no answer."""

    text: str


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

    def ask(self, errand: Errand[A], seconds: float, tell: Tell = lambda done, total: None) -> A:
        """The answer to an errand; NoAnswer if nothing is heard for so long, or if it fails."""
        connection = self._ready()
        try:
            connection.send((errand, THINKING * seconds))
            answer = self._heard(connection, seconds)
            while isinstance(answer, Progress):
                tell(answer.done, answer.total)
                answer = self._heard(connection, seconds)
        except (NoAnswer, EOFError, OSError) as error:
            self.stop()
            raise NoAnswer(str(error) or "the bot's process ended") from error
        if isinstance(answer, Failure):
            raise NoAnswer(answer.text)
        found: A = answer
        return found

    def _heard(self, connection: Connection, seconds: float) -> Any:
        if not connection.poll(seconds):
            raise NoAnswer(f"the bot took longer than {seconds:g} seconds")
        return connection.recv()

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
    players: Players = OrderedDict()

    def tell(done: int, total: int) -> None:
        connection.send(Progress(done, total))

    with contextlib.suppress(EOFError, OSError):
        while True:
            errand, seconds = connection.recv()
            try:
                connection.send(errand.run(players, seconds, tell))
            except Exception as error:
                connection.send(Failure(f"{type(error).__name__}: {error}"))
