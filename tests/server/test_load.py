"""The bench of load runs, tiny, and its table has a cell for every column."""

from __future__ import annotations

import pytest
from bench import load


@pytest.mark.parametrize("database", load.DATABASES)
def test_a_round_is_measured(database: str) -> None:
    """No error, for no game is asked twice at once; the disk was asked meanwhile; a move is about one sync."""
    found = load.measure(database, games=20, rate=10, seconds=2)
    assert found.errors == 0
    assert 0 < found.p50 <= found.p95 <= found.p99
    assert 0 < found.fsync[0] <= found.fsync[2]
    assert found.processor > 0
    assert len(found.cells()) == len(load.COLUMNS)
    if found.work is not None:
        assert 0.1 < found.work.syncs < 3
        assert found.work.transactions < 5
    assert (found.work is not None) == (database == "postgresql")
