"""Computer players in any language: a program of its own that speaks lines of text (docs/PROTOCOL.md)."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from pathlib import Path
from typing import IO

from salient.bots.clock import Clock
from salient.bots.player import Choice, Player
from salient.kernel import Action, AnyGame, Seat, State, Unreadable, candidates
from salient.kernel.messages import Refusal, SalientError

VERSION = 1
GREETING = f"salient {VERSION}"
SECONDS = 10.0  # for a decision, unless something else is agreed
START_SECONDS = 20.0  # to start and be ready
STOP_SECONDS = 2.0  # to answer `stop`, and to end after `quit`
MOST_IN_LINE = 64_000
MOST_LINES = 1_000


class BotFault(SalientError):
    """A program that crashed, hung or answered what it must not: named, with what it did."""

    def __init__(self, name: str, key: str, **args: str | int) -> None:
        self.name = name
        self.problem = Refusal("", key, text=name, **args)
        super().__init__(name, key)


class Program:
    """A program that was started, and the lines that it writes."""

    def __init__(self, command: str) -> None:
        words = shlex.split(command)
        if not words:
            raise Unreadable("bot-no-command")
        self.name = command
        self.answers: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self.errors: deque[str] = deque(maxlen=5)
        try:
            self.process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        except OSError as error:
            cause = f"{Path(words[0]).name}: {error.strerror}"
            raise BotFault(command, "bot-not-started", text_cause=cause) from error
        assert self.process.stdout
        assert self.process.stderr
        threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True).start()
        self.complaints = threading.Thread(target=self._note, args=(self.process.stderr,), daemon=True)
        self.complaints.start()

    def _read(self, stream: IO[str]) -> None:
        with contextlib.suppress(ValueError, OSError):
            while line := stream.readline(MOST_IN_LINE):
                self.answers.put(line.strip())
        self.answers.put(None)

    def _note(self, stream: IO[str]) -> None:
        with contextlib.suppress(ValueError, OSError):
            for line in stream:
                self.errors.append(line.strip())

    def write(self, text: str) -> None:
        """Send lines to the program."""
        assert self.process.stdin
        try:
            self.process.stdin.write(text)
            self.process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self.ended() from error

    def line(self, deadline: float, seconds: float) -> str:
        """The next line that it writes; BotFault if it ends, or writes none until the deadline."""
        try:
            found = self.answers.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise BotFault(self.name, "bot-silent", text_seconds=f"{seconds:g}") from None
        if found is None:
            raise self.ended()
        return found

    def ended(self) -> BotFault:
        """The error of a program that is no longer there, with the last that it complained of."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(STOP_SECONDS)
        self.complaints.join(STOP_SECONDS)
        last = next((line for line in reversed(self.errors) if line), "")
        return BotFault(self.name, "bot-ended", n=self.process.returncode or 0, text_cause=last or "-")

    def close(self) -> bool:
        """Ask it to end, end it if it does not; whether it ended by itself."""
        with contextlib.suppress(OSError, ValueError, BotFault):
            self.write("quit\n")
        try:
            self.process.wait(STOP_SECONDS)
            return True
        except subprocess.TimeoutExpired:
            return False
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                with contextlib.suppress(OSError, ValueError):
                    stream.close()  # type: ignore[union-attr]


class Outside(Player):
    """A program at a seat. It is shown what its seat may see, and what it can choose from; it answers with one."""

    def __init__(self, command: str, game: AnyGame, seat: Seat, seed: int | str = 0, seconds: float = SECONDS) -> None:
        super().__init__(game, seat, seed)
        self.seconds = seconds
        self.wants_view = False
        self.title = command
        self.program = Program(command)
        try:
            self._greet()
        except BaseException:
            self.program.close()
            raise

    def _greet(self) -> None:
        self.program.write(f"{GREETING}\n")
        deadline = time.monotonic() + START_SECONDS
        while (line := self.program.line(deadline, START_SECONDS)) != "ready":
            word, _, rest = line.partition(" ")
            if word == "name":
                self.title = rest
            self.wants_view |= line == "want view"
        seed = self.random.getrandbits(31)
        self.program.write(f"game {self.game.id}\nseat {self.seat}\nseed {seed}\n")

    def decide(self, state: State, clock: Clock) -> Choice:
        actions = candidates(state)
        self.ask(state, actions)
        seconds = min(self.seconds, clock.left)
        self.program.write(f"go time {round(seconds * 1000)}\n")
        return Choice(self.answer(actions, seconds), [])

    def ask(self, state: State, actions: list[Action]) -> None:
        """Show the position, drawn anew where the seat may not look, and what can be chosen."""
        seen = self.imagine(state)
        shown = self.game.write_position(seen).splitlines()
        lines = [f"position {len(shown)}", *shown]
        if self.wants_view:
            lines.append("view " + json.dumps(self.game.view.observe(state, self.seat), ensure_ascii=False))
        lines += [f"legal {len(actions)}", *(self.game.write(action) for action in actions)]
        self.program.write("\n".join(lines) + "\n")

    def answer(self, actions: list[Action], seconds: float) -> Action:
        """The action that the program names; BotFault if it is none of these or does not come in time."""
        deadline = time.monotonic() + seconds
        while True:
            word, _, rest = self.program.line(deadline, seconds).partition(" ")
            if word == "best":
                return self._read(rest, actions)

    def _read(self, text: str, actions: list[Action]) -> Action:
        with contextlib.suppress(Unreadable):
            action = self.game.read(text)
            if action in actions:
                return action
        raise BotFault(self.program.name, "bot-illegal", text_answer=text)

    def close(self) -> None:
        self.program.close()
