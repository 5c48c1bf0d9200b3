"""A server over an empty folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.postgres import Cluster
from fastapi.testclient import TestClient

from server.tabletop import serve


@pytest.fixture
def client(tmp_path: Path, registered_tiny: str) -> Iterator[TestClient]:
    with serve(tmp_path) as client:
        yield client


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """PostgreSQL, running."""
    found = Cluster()
    found.start()
    yield found
    found.remove()
