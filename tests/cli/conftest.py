"""The command line in the tests: `run("verify", file)`, with the tiny game registered and a data folder of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import tiny
from salient.cli import app
from salient.kernel import Session, VerifiedDice
from salient.lab.playouts import play_session

Run = Callable[..., Result]


@pytest.fixture
def run(registered_tiny: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)

    def invoke(*words: object, typed: str = "") -> Result:
        return CliRunner().invoke(app, [str(word) for word in words], input=typed)

    return invoke


@pytest.fixture
def record_file(tmp_path: Path) -> Path:
    """The record of a finished game with dice in it."""
    crossing: Any = tiny.GAME
    session = Session(crossing, VerifiedDice("test", bytes(32)), name="test")
    for text in ("hide 2", "move r1 2", "move r2 2", "end"):
        session.play(session.actor, tiny.GAME.read(text))
    play_session(session, seed=1)
    path = tmp_path / "game.salient"
    path.write_text(session.record().text())
    return path


def refused(result: Result) -> str:
    """The one sentence of a refused command: exit code 2, no traceback."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return " ".join(result.stderr.split())
