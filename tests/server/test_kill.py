"""kill -9 under load, a few rounds of `python -m bench.kill`."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_kill_9_loses_nothing_acknowledged_and_the_games_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each kill the log is what was acknowledged, plus at most what was under way, once."""
    monkeypatch.syspath_prepend(ROOT)
    from bench.kill import rounds_of_killing

    acknowledged, _ = rounds_of_killing(tmp_path, rounds=3, seed=7)
    assert acknowledged > 0
