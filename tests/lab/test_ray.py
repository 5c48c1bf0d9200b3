"""Studies on Ray, on this machine. `make test-lab` runs this."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("ray")

from tests.lab.test_studies import LATER, games_of, played, written

from salient.lab.executors import executor
from salient.lab.study import read_study

pytestmark = pytest.mark.lab


def test_ray_gives_the_same_games(tmp_path: Path) -> None:
    (tmp_path / "alone").mkdir()
    alone = played(read_study(written(tmp_path / "alone", LATER, games=4)))
    rows = played(read_study(written(tmp_path, LATER, games=4)), executor("ray", 2))
    assert games_of(rows) == games_of(alone)
    assert not any(row["fault"] for row in rows)
