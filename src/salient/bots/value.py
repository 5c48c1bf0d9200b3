"""The probability of winning, apart from what guides a player step by step.

A logistic sum of a game's features, or of what they are worth together where few games were played, fitted on games of
its computer players by `salient tune value` and kept as data: `bots/data/<game>.toml`. Coefficients are given for the
beginning, the middle and the end of a game; in between they go over into each other. A game that has none is judged by
how much its evaluation has changed since the start.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp

from salient.kernel import AnyGame, Seat, State, actor

KNOTS = (0.0, 0.5, 1.0)  # shares of a game
SURE = 0.995  # nothing is surer than this before the end
SPREAD = 40.0  # of evaluations, where nothing is fitted
# Beside the features: a constant, who is to decide, whether the first part of the first turn is being played, and what
# the features are worth together to the captain.
BIAS, TO_MOVE, OPENING, TOGETHER = "bias", "to-move", "opening", "together"


@dataclass(frozen=True)
class Fit:
    """Coefficients by name, one for each knot."""

    games: int
    coefficients: dict[str, tuple[float, ...]]


@cache
def fit_of(game_id: str) -> Fit | None:
    """What was fitted for a game, if anything."""
    file = files("salient.bots") / "data" / f"{game_id}.toml"
    if not file.is_file():
        return None
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    return Fit(int(table["games"]), {name: tuple(values) for name, values in table["coefficients"].items()})


def win_probability(game: AnyGame, state: State, seat: Seat) -> float:
    """How likely a seat wins, from 0 to 1; a draw counts half. The caller resamples what the seat may not see."""
    result = game.result(state)
    if result is not None:
        return 0.5 if result.winner is None else float(result.winner == seat)
    first = playing_first(game, state)
    fit = fit_of(game.id)
    margin = _logit(fit, game, state) if fit else (game.judge.evaluate(state, first) - _par(game, state)) / SPREAD
    share = min(SURE, max(1 - SURE, 1 / (1 + exp(-max(-50.0, min(50.0, margin))))))
    return share if seat == first else 1 - share


def playing_first(game: AnyGame, state: State) -> Seat:
    """Who plays the side that is fitted: the first seat, unless seats have changed sides."""
    return next(seat for seat in game.seats if game.judge.side(state, seat) == game.seats[0])


def _par(game: AnyGame, state: State) -> float:
    """What the scenario's first position is worth to the first seat: that is even, where nothing is fitted."""
    return _start(game, getattr(state, "scenario", ""))


@cache
def _start(game: AnyGame, scenario: str) -> float:
    return game.judge.evaluate(game.new(scenario), game.seats[0])


def inputs(game: AnyGame, state: State) -> dict[str, float]:
    """What the probability is computed from, for whoever plays the side of the first seat."""
    first, who = playing_first(game, state), actor(state)
    to_move = 1.0 if who == first else -1.0 if who in game.seats else 0.0
    features, weights = game.judge.features(state, first), game.judge.weights(game.seats[0])
    return {
        BIAS: 1.0,
        TO_MOVE: to_move,
        OPENING: float(game.judge.elapsed(state) == 0),
        TOGETHER: sum(weights[name] * value for name, value in features.items()),
        **features,
    }


def shares(elapsed: float) -> tuple[float, ...]:
    """How far each knot counts at a time of the game: two neighbours share the time between them."""
    width = KNOTS[1] - KNOTS[0]
    time = min(KNOTS[-1], max(KNOTS[0], elapsed))
    return tuple(max(0.0, 1.0 - abs(time - knot) / width) for knot in KNOTS)


def _logit(fit: Fit, game: AnyGame, state: State) -> float:
    by_knot = shares(game.judge.elapsed(state))
    total = 0.0
    for name, value in inputs(game, state).items():
        if name in fit.coefficients:
            total += value * sum(share * each for share, each in zip(by_knot, fit.coefficients[name], strict=True))
    return total
