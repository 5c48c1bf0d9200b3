"""Every measure of the benchmarks runs, tiny, and makes figures that the table can show."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from io import StringIO
from math import isfinite
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from bench import __main__ as bench
from bench import adapters, clicking, executors, growth, judging, latency, matches, playouts, states
from rich.console import Console

from salient.games import game_ids

TINY = ("target-arnhem",)


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """A moment of each measure instead of minutes."""
    for module, name, value in (
        (playouts, "SLICE", 0.02),
        (playouts, "STEPS", 100),
        (states, "SAMPLES", 5),
        (judging, "STEPS", 50),
        (growth, "STEPS", 50),
        (growth, "PIECES", (24, 600)),
        (growth, "PLIES", (10, 60)),
        (growth, "WINDOW", 20),
        (adapters, "PLIES", 40),
        (adapters, "ROUNDS", 1),
        (matches, "SERIAL_SECONDS", 0.01),
        (matches, "LEVELS", ("random",)),
        (matches, "TURNS", 1),
        (executors, "SERIAL_SECONDS", 0.01),
        (executors, "NEEDS", {"processes": "salient"}),
        (latency, "ACTIONS", 100),
        (clicking, "PLIES", 20),
        (clicking, "CLICKS", 10),
        (clicking, "PICKS", 2),
    ):
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(states, "per_call", once)


def once(call: Callable[[], Any], least: float = 0.1) -> float:
    """Seconds of a single call."""
    begin = process_time()
    call()
    return process_time() - begin + 1e-6


@pytest.mark.parametrize("measure", bench.MEASURES)
def test_every_measure_runs(measure: str) -> None:
    found = bench.figures(TINY, 1, (measure,), lambda: None)
    assert found
    assert all(isfinite(figure.value) for figure in found)
    assert bench.table(found, "en", {}).row_count == len(found)


def test_figures_stand_beside_earlier_ones(tmp_path: Path) -> None:
    """What `--json` wrote at an earlier version is a column of the table."""
    now, then = (bench.Figure("click", "bulge", value, 5, at_most=True, unit="ms") for value in (4.2, 9.3))
    file = tmp_path / "earlier.json"
    file.write_text(json.dumps([asdict(then)]), "utf-8")
    shown = Console(width=120, record=True, file=StringIO())
    shown.print(bench.table([now], "en", bench.read_earlier(file)))
    assert re.search(r"9.3 ms +│ +4.2 ms +│ +at most 5 ms", shown.export_text())


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_is_measured(game_id: str) -> None:
    """Playouts and positions of each game, whose caches and tables are named one by one."""
    found = bench.figures((game_id,), 1, ("playouts", "positions"), lambda: None)
    assert {figure.game for figure in found} == {game_id}
