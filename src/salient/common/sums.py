"""Sums of floats that come out the same whatever was skipped, and in every version of Python."""

from __future__ import annotations

from collections.abc import Iterable


def added(terms: Iterable[float], total: float = 0.0) -> float:
    """A total with some terms added one after the other; the built-in `sum` rounds differently from Python 3.12 on."""
    for term in filter(None, terms):
        total += term
    return total
