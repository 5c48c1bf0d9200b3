"""Tournaments: everybody meets everybody on both sides with the same dice; ratings with error bars, a crosstable."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import numpy as np

from salient import bots
from salient.games import load
from salient.kernel import Unreadable
from salient.lab.simulate import Z95
from salient.lab.study import Cell, Study
from salient.lab.trial import Row

ELO = 400 / math.log(10)
PRIOR = 700 / ELO  # nobody is thought to be much farther from the middle than this before a game is played
STEPS = 40


@dataclass(frozen=True)
class Rating:
    """A player's rating, 0 in the middle, with its 95 per cent error; games, and the share of points won."""

    player: str
    rating: float
    error: float
    games: int
    score: float


@dataclass(frozen=True)
class Standing:
    """The table of a tournament: ratings, best first; points and games of each against each; the first seat's edge."""

    ratings: tuple[Rating, ...]
    cross: dict[str, dict[str, tuple[float, int]]]
    seat: str
    edge: float
    edge_error: float


def tournament(
    game_id: str,
    players: Sequence[str],
    games: int,
    folder: Path,
    scenario: str = "",
    options: tuple[tuple[str, str], ...] = (),
    seed: int = 1,
    seconds: float = bots.SECONDS,
) -> Study:
    """A tournament as a study: a cell for each pair and seating, `games` of the same dice in each."""
    game = load(game_id)
    named = list(dict.fromkeys(players))
    if len(named) < 2:
        raise Unreadable("two-players")
    for who in named:
        if not bots.is_player(who):
            raise bots.no_such_level(who, bots.LEVELS)
    chosen = tuple(game.chosen_options(dict(options)).items())
    place = game.scenario(scenario).id
    pairs = enumerate(permutations(named, 2))
    cells = [Cell(i, place, tuple(zip(game.seats, pair, strict=True)), "base", chosen) for i, pair in pairs]
    title = f"{game.title}: {', '.join(named)}"
    return Study(folder / "tournament.toml", title, "", game.id, seed, games, None, False, seconds, tuple(cells))


def standing(study: Study, rows: Sequence[Row]) -> Standing:
    """The table of the games played so far."""
    seats = load(study.game).seats
    players = list(dict.fromkeys(who for cell in study.cells for _, who in cell.players))
    cross = {a: dict.fromkeys((b for b in players if b != a), (0.0, 0)) for a in players}
    results = []
    for row in rows:
        first, second = (row[f"player_{seat}"] for seat in seats)
        points = 0.5 if row["winner"] is None else float(row["winner"] == seats[0])
        results.append((players.index(first), players.index(second), points))
        for me, other, mine in ((first, second, points), (second, first, 1 - points)):
            had, count = cross[me][other]
            cross[me][other] = (had + mine, count + 1)
    values, errors = fit(len(players), results)
    ratings = []
    for i, player in enumerate(players):
        points, count = (sum(part) for part in zip(*cross[player].values(), strict=True))
        ratings.append(Rating(player, values[i], errors[i], int(count), points / max(1, count)))
    ratings.sort(key=lambda rating: -rating.rating)
    return Standing(tuple(ratings), cross, seats[0], values[-1], errors[-1])


def fit(players: int, results: Sequence[tuple[int, int, float]]) -> tuple[list[float], list[float]]:
    """Ratings of Bradley and Terry with an edge of the first seat, and their errors, in Elo; the edge comes last.

    The ratings most likely after a prior that pulls gently to the middle, so that a player who wins all its games has
    a rating too. Newton's method.
    """
    values = np.zeros(players + 1)
    precision = np.diag([1 / PRIOR**2] * (players + 1))
    hessian = precision
    for _ in range(STEPS):
        gradient, hessian = precision @ values, precision.copy()
        for first, second, points in results:
            share = 1 / (1 + math.exp(values[second] - values[first] - values[-1]))
            slope = np.zeros(players + 1)
            slope[first], slope[second], slope[-1] = 1, -1, 1
            gradient += (share - points) * slope
            hessian += share * (1 - share) * np.outer(slope, slope)
        step = np.linalg.solve(hessian, gradient)
        values -= step
        if np.abs(step).max() < 1e-9:
            break
    values[:-1] -= values[:-1].mean()
    middle = np.eye(players + 1)
    middle[:players, :players] -= 1 / players
    covariance = middle @ np.linalg.inv(hessian) @ middle.T
    return (values * ELO).tolist(), (np.sqrt(np.diag(covariance)) * ELO * Z95).tolist()
