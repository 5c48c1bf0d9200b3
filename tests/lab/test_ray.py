"""Studies on Ray, on this machine. `make test-lab` runs this."""

from __future__ import annotations

import contextlib
import os
import signal
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread

import pytest

pytest.importorskip("ray")

from tests.lab.test_studies import LATER, games_of, played, written

from salient.lab.executors import executor
from salient.lab.runner import open_journal, run_study
from salient.lab.study import read_study

pytestmark = pytest.mark.lab


def test_ray_gives_the_same_games(tmp_path: Path) -> None:
    (tmp_path / "alone").mkdir()
    alone = played(read_study(written(tmp_path / "alone", LATER, games=4)))
    rows = played(read_study(written(tmp_path, LATER, games=4)), executor("ray", 2))
    assert games_of(rows) == games_of(alone)
    assert not any(row["fault"] for row in rows)


def test_rays_client_is_installed() -> None:
    """`--on ray://HOST:PORT` needs what Ray calls its client, which the plain package lacks."""
    assert find_spec("grpc")


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found += [child, *descendants(child)]
    return found


def workers() -> list[int]:
    """Ray's worker processes that play a game now; they name themselves so."""
    playing = []
    for pid in descendants(os.getpid()):
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/cmdline").read_text().startswith("ray::play"):
                playing.append(pid)
    return playing


def kill_the_first_that_plays(killed: list[int], is_over: Event) -> None:
    """Kill -9 the first worker that is seen playing a game."""
    while not killed and not is_over.wait(0.005):
        for pid in workers()[:1]:
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)


def test_ray_that_loses_a_worker_gives_the_same_games(tmp_path: Path) -> None:
    """A worker is killed while it plays: its game is played again, by the same seed, and nothing is there twice."""
    (tmp_path / "alone").mkdir()
    alone = played(read_study(written(tmp_path / "alone", LATER, games=6)))
    study = read_study(written(tmp_path, LATER, games=6))
    place, journal = executor("ray", 2), open_journal(study)
    killed: list[int] = []
    is_over = Event()
    killer = Thread(target=kill_the_first_that_plays, args=(killed, is_over))
    killer.start()
    rows = run_study(study, place, journal)
    is_over.set()
    killer.join()
    place.close()
    journal.close()
    assert killed
    assert games_of(rows) == games_of(alone)
    assert not any(row["fault"] for row in rows)
