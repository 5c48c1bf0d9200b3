"""Games with other pieces or tables than those shipped."""

from __future__ import annotations

from copy import copy
from typing import Any, TypeVar

P = TypeVar("P")


def varied(part: P, **values: Any) -> P:
    """A part of a game's data with other values; the one given stays as it is."""
    other = copy(part)
    assert values.keys() <= vars(other).keys(), "only what the part has can be varied"
    vars(other).update(values)
    return other
