"""Fitting the probability of winning (`salient.bots.value`) on games played, and measuring how far it is true."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from salient.bots.value import BIAS, KNOTS, OPENING, TO_MOVE, TOGETHER, inputs, shares
from salient.games import load
from salient.kernel import CHANCE, OVER, AnyGame, Record, actor, step

EVERY = 4  # decisions from one position to the next
RIDGES = (1.0, 3.0, 10.0, 30.0)  # how strongly coefficients are held back, for standard deviations of features
ROUNDS = 30
FOLDS = 5
BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True)
class Sample:
    """A position of a finished game: what is known of it, when it stood, and how the game ended for the first seat."""

    game_number: int
    elapsed: float
    values: dict[str, float]
    outcome: float


@dataclass(frozen=True)
class Bin:
    """Positions of about the same promise: how many, what was promised on average, and what came of it."""

    positions: int
    promised: float
    won: float


@dataclass(frozen=True)
class Fitted:
    """Coefficients by name and knot, and how good they are on games that they were not fitted on."""

    games: int
    positions: int
    coefficients: dict[str, tuple[float, ...]]
    log_loss: float
    area: float  # under the curve: how often a won position is ranked above a lost one
    bins: tuple[Bin, ...]


def samples(record: Record, number: int, every: int = EVERY) -> Iterator[Sample]:
    """Positions of a finished record, one in `every` decisions; nothing if it has no result."""
    game: AnyGame = load(record.header["game"])
    states, state = [], record.start(game)
    for ply, move in enumerate(record.moves):
        if actor(state) != CHANCE and ply % every == 0:
            states.append(state)
        state = step(state, game.read(move.text))
    result = game.result(state)
    if result is None or actor(state) != OVER:
        return
    outcome = 0.5 if result.winner is None else float(result.winner == game.seats[0])
    for each in states:
        yield Sample(number, game.judge.elapsed(each), inputs(game, each), outcome)


def fit(found: Sequence[Sample]) -> Fitted:
    """Fit all samples: by every feature, by what they are worth together, or by both; held back little or much.

    The one that is truest of games left out is taken.
    """
    names = {name for sample in found for name in sample.values} - {"victory"}
    few = names & {BIAS, TO_MOVE, OPENING, TOGETHER}
    tries = [_fit(found, sorted(each), ridge) for each in (names - {TOGETHER}, few, names) for ridge in RIDGES]
    return min(tries, key=lambda fitted: fitted.log_loss)


def _fit(found: Sequence[Sample], names: Sequence[str], ridge: float) -> Fitted:
    """A fit by names; every game counts the same, and the figures come from games left out of the fit."""
    import numpy as np

    numbers = np.array([sample.game_number for sample in found])
    outcome = np.array([sample.outcome for sample in found])
    raw = np.array([[sample.values.get(name, 0.0) for name in names] for sample in found])
    scale = np.where(raw.std(axis=0) > 1e-9, raw.std(axis=0), 1.0)
    knots = np.array([shares(sample.elapsed) for sample in found])
    table = (raw / scale)[:, :, None] * knots[:, None, :]
    table = table.reshape(len(found), -1)
    _, where, count = np.unique(numbers, return_inverse=True, return_counts=True)
    weight = 1.0 / count[where]
    weight *= len(found) / weight.sum()
    margins = np.zeros(len(found))
    for fold in range(FOLDS):
        left_out = where % FOLDS == fold
        solved = _solve(table[~left_out], outcome[~left_out], weight[~left_out], ridge / len(count))
        margins[left_out] = table[left_out] @ solved
    slope = _slope(margins, outcome, weight)
    solved = slope * _solve(table, outcome, weight, ridge / len(count))
    by_name = solved.reshape(len(names), len(KNOTS)) / scale[:, None]
    promised = 1 / (1 + np.exp(-np.clip(slope * margins, -50, 50)))
    return Fitted(
        games=len(count),
        positions=len(found),
        coefficients={name: tuple(round(float(x), 5) for x in row) for name, row in zip(names, by_name, strict=True)},
        log_loss=_log_loss(promised, outcome, weight),
        area=_area(promised, outcome, weight),
        bins=tuple(_bins(promised, outcome, weight)),
    )


def _solve(table: Any, outcome: Any, weight: Any, ridge: float) -> Any:
    """The coefficients of a logistic sum by Newton's method, held back by so much for every position."""
    import numpy as np

    held = np.full(table.shape[1], ridge * len(outcome))
    solved = np.zeros(table.shape[1])
    for _ in range(ROUNDS):
        promised = 1 / (1 + np.exp(-np.clip(table @ solved, -30, 30)))
        slope = table.T @ (weight * (outcome - promised)) - held * solved
        curve = (table * (weight * promised * (1 - promised))[:, None]).T @ table + np.diag(held)
        change = np.linalg.solve(curve, slope)
        solved = solved + change
        if float(np.abs(change).max()) < 1e-6:
            break
    return solved


def _slope(margins: Any, outcome: Any, weight: Any) -> float:
    """By what the margins of games left out must be multiplied to be true."""
    import numpy as np

    tries = np.linspace(0.2, 1.6, 57)
    losses = [_log_loss(1 / (1 + np.exp(-np.clip(each * margins, -50, 50))), outcome, weight) for each in tries]
    return float(tries[int(np.argmin(losses))])


def _log_loss(promised: Any, outcome: Any, weight: Any) -> float:
    import numpy as np

    safe = np.clip(promised, 1e-6, 1 - 1e-6)
    return float(-(weight * (outcome * np.log(safe) + (1 - outcome) * np.log(1 - safe))).sum() / weight.sum())


def _area(promised: Any, outcome: Any, weight: Any) -> float:
    import numpy as np

    order = np.argsort(promised)
    won, lost = (weight * outcome)[order], (weight * (1 - outcome))[order]
    return float((won * (np.cumsum(lost) - lost / 2)).sum() / max(1e-9, won.sum() * lost.sum()))


def _bins(promised: Any, outcome: Any, weight: Any) -> Iterator[Bin]:
    import numpy as np

    for low, high in pairwise(BINS):
        inside = (promised >= low) & ((promised < high) | (high == BINS[-1]))
        if inside.any():
            mean = [float(np.average(each[inside], weights=weight[inside])) for each in (promised, outcome)]
            yield Bin(int(inside.sum()), *mean)


def written(game_id: str, fitted: Fitted) -> str:
    """The file of `bots/data` for a fit."""
    lines = [
        f"# The probability of winning {game_id}: coefficients at the beginning, the middle and the end of a game.",
        f"# Written by `salient tune value {game_id}`; {fitted.positions} positions, on games left out of the fit",
        f"# log loss {fitted.log_loss:.3f} (a coin: 0.693), area under the curve {fitted.area:.3f}.",
        f"games = {fitted.games}",
        "",
        "[coefficients]",
        *(f"{name} = [{', '.join(f'{each:g}' for each in values)}]" for name, values in fitted.coefficients.items()),
    ]
    return "\n".join(lines) + "\n"


def all_samples(records: Iterable[Record]) -> list[Sample]:
    """The positions of many records."""
    return [sample for number, record in enumerate(records) for sample in samples(record, number)]
