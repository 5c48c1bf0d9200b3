"""Personas: the same game played by another temperament. A persona is a set of weights."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from salient.kernel import AnyGame, Seat

PLAIN = "plain"


@cache
def factors() -> dict[str, dict[str, float]]:
    """By persona: what it multiplies the weights of features by."""
    text = (files("salient.bots") / "data" / "personas.toml").read_text(encoding="utf-8")
    return {PLAIN: {}, **tomllib.loads(text)}


def personas() -> tuple[str, ...]:
    """The names of all personas, the plain one first."""
    return tuple(factors())


@cache
def weights_of(persona: str, game: AnyGame, side: Seat) -> Mapping[str, float]:
    """The weights of a side as a persona sees them."""
    by = factors()[persona]
    return {name: weight * by.get(name, 1.0) for name, weight in game.judge.weights(side).items()}
