"""Fixtures that all tests share."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings

import tiny
from salient.games import PACKAGES
from salient.kernel import AnyGame

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests in the browser are long and wait a lot: they come first, so that short ones fill the end of the run."""
    items.sort(key=lambda item: item.path.parent.name != "web")


@pytest.fixture
def crossing() -> AnyGame:
    """The tiny game."""
    game: Any = tiny.GAME  # a game of one type of position, where many games meet
    found: AnyGame = game
    return found


@pytest.fixture
def registered_tiny(monkeypatch: pytest.MonkeyPatch) -> str:
    """The tiny game among the registered ones, for programs that load a game by its id."""
    monkeypatch.setitem(PACKAGES, "tiny", "tiny")
    return "tiny"
