"""`salient serve` as a process of its own: it starts, answers, and ends when it is told to."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

PROGRAM = "from salient.cli import app; app()"
PATIENCE = 60.0
# What the caller learns: the server hands SIGTERM on when it has shut down; after Ctrl-C it has simply ended.
ENDINGS = [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 0)]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """A running server, the leader of a process group, and a client that has its first answer."""
    port = free_port()
    command = [sys.executable, "-c", PROGRAM, "serve", "--port", str(port), "--data", str(tmp_path)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
        try:
            wait_for(lambda: answers(process, client))
            yield process, client
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def answers(process: subprocess.Popen[str], client: httpx.Client) -> bool:
    assert process.poll() is None, process.communicate()
    try:
        return client.get("/api/about").is_success
    except httpx.TransportError:
        return False


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize(("told", "code"), ENDINGS)
def test_it_starts_answers_and_ends_cleanly(
    served: tuple[subprocess.Popen[str], httpx.Client], told: signal.Signals, code: int
) -> None:
    """A page, the list of games, a computer player at work; then nothing of it is left, and nothing went wrong."""
    process, client = served
    assert "<title>Salient" in client.get("/").text
    seats = {"allied": "bot:greedy", "german": "bot:greedy"}
    begun = client.post("/api/games", json={"game": "target-arnhem", "seats": seats, "pace": 0}).raise_for_status()
    wait_for(lambda: client.get(f"/api/games/{begun.json()['id']}").json()["ply"] > 2)
    process.send_signal(told)
    printed, errors = process.communicate(timeout=PATIENCE)  # until every process has let go of the pipes
    assert f"ready at http://localhost:{client.base_url.port}/" in printed
    assert (process.returncode, errors) == (code, "")
