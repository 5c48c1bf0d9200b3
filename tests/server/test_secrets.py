"""Non-interference: what one side chose in secret makes no difference to any answer that the other gets."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_twin_games_look_alike_to_the_other_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """A moment of `python -m bench.secrets_kept`, with the dice that once showed the secret (R-5)."""
    monkeypatch.syspath_prepend(ROOT)
    from bench.secrets_kept import CASES, compare

    looks = ("", "/log", "/replay?limit=20", "/dice", "/record")
    done, differing = compare(CASES["deadly-woods"], "typed", 10, looks=looks)
    assert differing == []
    assert done >= 10
