"""Games with other data: played by a process of their own, since a game reads its data once.

The data of a variation are rows in the form of a player's own corrections: the process finds them in `$SALIENT_DATA`.
"""

from __future__ import annotations

import atexit
import os
import pickle
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, Any

from salient.common.data import OWN_DATA
from salient.games import load
from salient.hexes.rows import DataError
from salient.lab.trial import Row, Task, play

Data = tuple[tuple[str, str], ...]

_processes: dict[tuple[str, Data, int], Elsewhere] = {}


def run(task: Task) -> Row:
    """Play a task here if it needs no other data, else in the process that has them."""
    if not task.data:
        return play(task)
    key = (task.game, task.data, threading.get_ident())
    if key not in _processes or _processes[key].process.poll() is not None:
        _processes[key] = Elsewhere(task.game, task.data)
    return _processes[key].ask(task)


class Elsewhere:
    """A process that plays with its own data."""

    def __init__(self, game_id: str, data: Data) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="salient-data-"))
        own = os.environ.get(OWN_DATA)
        if own and Path(own).is_dir():
            shutil.copytree(own, self.folder, dirs_exist_ok=True)
        for name, text in data:
            file = self.folder / game_id / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "salient.lab.elsewhere"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {OWN_DATA: str(self.folder)},
        )
        atexit.register(self.close)

    def ask(self, task: Task | tuple[str, str]) -> Row:
        """The row of a task, or whether a scenario can begin; what went wrong there is raised here."""
        assert self.process.stdin
        assert self.process.stdout
        write(self.process.stdin, task)
        answer = read(self.process.stdout)
        if isinstance(answer, dict):
            return answer
        self.close()
        if isinstance(answer, DataError):
            raise answer
        raise BadData(str(answer or "The process with the changed data ended."))

    def close(self) -> None:
        """End the process and take its folder away."""
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class BadData(Exception):
    """Data that the game does not accept, in the game's own words."""


def write(stream: IO[bytes], value: Any) -> None:
    """Send a value: its length, then itself."""
    packed = pickle.dumps(value)
    stream.write(struct.pack("<I", len(packed)) + packed)
    stream.flush()


def read(stream: IO[bytes]) -> Any:
    """The next value; None at the end."""
    head = stream.read(4)
    return pickle.loads(stream.read(struct.unpack("<I", head)[0])) if len(head) == 4 else None


def check(game_id: str, scenario: str, data: Data) -> None:
    """Whether the game accepts these data; DataError or BadData, in its own words, if it does not."""
    there = Elsewhere(game_id, data)
    try:
        there.ask((game_id, scenario))
    finally:
        there.close()


def _accepted(asked: tuple[str, str]) -> Row:
    game_id, scenario = asked
    game = load(game_id)
    faults = game.check(game.new(scenario))
    if faults:
        raise ValueError("; ".join(faults))
    return {"data": game.data_hash}


def main() -> None:
    """Play tasks until nobody asks any more; the standard output belongs to the answers."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while (task := read(sys.stdin.buffer)) is not None:
        try:
            write(answers, play(task) if isinstance(task, Task) else _accepted(task))
        except DataError as error:
            write(answers, error)
        except Exception as error:
            write(answers, f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
