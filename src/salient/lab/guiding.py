"""Tuning the weights that guide a captain: SPSA on paired dice, and a sequential test of what it found.

Each round shifts all weights at random, up or down, and lets the two shifted captains meet, on the same dice with both
seatings; the weights then move a little towards the better one. What comes of it must beat the captain as it is in a
sequential test (as chess programs are tested): even against 55 per cent, errors of 5 per cent. Rounds and games of the
test are kept in a journal, so that a run that was ended goes on.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import exp, log
from pathlib import Path
from statistics import fmean, pvariance

from salient import bots
from salient.common.data import data_folder
from salient.common.weights import FILE, Weights, read_ranges
from salient.games import PACKAGES, load
from salient.kernel import CHANCE, OVER, AnyGame, SeededDice, Session
from salient.lab.batch import batch

SHIFT = 0.25  # of the logarithm of a weight, for the two that meet
STEP = 0.15  # towards the better one, at first
SETTLING = 10  # rounds after which steps grow shorter
FADING = 0.602  # the exponent of Spall
EVEN, BETTER = 0.5, 0.55  # shares that the test tells apart
ERROR = 0.05
BOUND = log((1 - ERROR) / ERROR)
LEAST_PAIRS = 8  # before the test may end
DOUBT = 0.02  # the least variance of a pair's share

Ranges = dict[str, dict[str, tuple[float, float]]]


@dataclass(frozen=True)
class Tuning:
    """What is tuned: a game and its scenario; how many rounds of how many pairs, and the most pairs of the test."""

    game: str
    scenario: str = ""
    rounds: int = 100
    pairs: int = 2
    most: int = 200
    seed: int = 1


@dataclass
class Progress:
    """How far a tuning is: the logarithms of factors by side and feature, and the shares of the pairs of its test."""

    shifts: dict[str, dict[str, float]]
    rounds: int = 0
    shares: list[float] = field(default_factory=list)

    @property
    def likelihood(self) -> float:
        """The logarithm of how much likelier `BETTER` is than `EVEN`, after the pairs played."""
        if not self.shares:
            return 0.0
        spread = max(DOUBT, pvariance(self.shares))
        return len(self.shares) * (BETTER - EVEN) * (2 * fmean(self.shares) - EVEN - BETTER) / (2 * spread)

    @property
    def verdict(self) -> str:
        """`better`, `even` or `open`."""
        if len(self.shares) < LEAST_PAIRS or abs(self.likelihood) < BOUND:
            return "open"
        return "better" if self.likelihood > 0 else "even"


class Tuner:
    """Goes on with a tuning from its journal; `go` yields the progress after every round and every pair."""

    def __init__(self, tuning: Tuning, journal: Path) -> None:
        self.tuning = tuning
        self.game: AnyGame = load(tuning.game)
        self.journal = journal
        self.plain: Weights = {side: dict(self.game.judge.weights(side)) for side in self.game.seats}
        self.ranges = ranges_of(self.game)
        named = {
            side: [name for name in ranges if ranges[name][0] < ranges[name][1]] for side, ranges in self.ranges.items()
        }
        self.progress = Progress({side: dict.fromkeys(names, 0.0) for side, names in named.items()})
        if journal.exists():
            for line in journal.read_text(encoding="utf-8").splitlines():
                self._note(json.loads(line))

    def go(self, jobs: int = 1) -> Iterator[Progress]:
        """Play the rounds that are missing, then the test until it is decided."""
        while self.progress.rounds < self.tuning.rounds:
            self._keep({"score": self._round(jobs)})
            yield self.progress
        while self.progress.verdict == "open" and len(self.progress.shares) < self.tuning.most:
            pair = len(self.progress.shares)
            meet = partial(duel, self.tuning, (self.weights(), self.plain), f"test {pair}")
            self._keep({"share": fmean(batch(meet, 2, jobs))})
            yield self.progress

    def weights(self, direction: Mapping[str, Mapping[str, float]] | None = None) -> Weights:
        """The weights as tuned so far, shifted in a direction; within their ranges."""
        found: Weights = {}
        for side, weights in self.plain.items():
            found[side] = {}
            for name, weight in weights.items():
                shift = self.progress.shifts[side].get(name, 0.0) + (
                    direction[side].get(name, 0.0) if direction else 0.0
                )
                least, most = self.ranges[side][name]
                found[side][name] = min(most, max(least, weight * exp(shift)))
        return found

    def _direction(self, number: int, size: float) -> dict[str, dict[str, float]]:
        coin = random.Random(f"{self.tuning.seed} {number}")
        return {
            side: {name: size * coin.choice((-1, 1)) for name in shifts}
            for side, shifts in self.progress.shifts.items()
        }

    def _round(self, jobs: int) -> float:
        """How much better the weights shifted one way did than those shifted the other way, from -1 to 1."""
        number = self.progress.rounds
        up, down = (self.weights(self._direction(number, size)) for size in (SHIFT, -SHIFT))
        meet = partial(duel, self.tuning, (up, down), f"round {number}")
        return 2 * fmean(batch(meet, 2 * self.tuning.pairs, jobs)) - 1

    def _note(self, line: Mapping[str, float]) -> None:
        if "share" in line:
            self.progress.shares.append(line["share"])
            return
        number = self.progress.rounds
        size = STEP * line["score"] * (SETTLING / (SETTLING + number)) ** FADING
        for side, shifts in self._direction(number, size).items():
            for name, shift in shifts.items():
                self.progress.shifts[side][name] += shift
        self.progress.rounds += 1

    def _keep(self, line: Mapping[str, float]) -> None:
        with self.journal.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        self._note(line)


def duel(tuning: Tuning, sets: tuple[Weights, Weights], name: str, index: int) -> float:
    """A game of captains by two sets of weights: 1 if the first wins. Two are a pair: same dice, seats swapped."""
    game: AnyGame = load(tuning.game)
    seed = f"{tuning.seed} {name} {index // 2}"
    session = Session(game, SeededDice(f"dice {seed}"), tuning.scenario, {}, {}, seed)
    first = game.seats[index % 2]
    minds = {
        seat: bots.make("captain", game, seat, seed, sets[seat != first][game.judge.side(session.state, seat)])
        for seat in game.seats
    }
    while session.actor != OVER:
        if session.actor == CHANCE:
            session.roll()
        else:
            session.play(session.actor, minds[session.actor].choose(session.state).action)
    result = game.result(session.state)
    assert result is not None, "a finished game has a result"
    return 0.5 if result.winner is None else float(result.winner == first)


def ranges_of(game: AnyGame) -> Ranges:
    """Between what every weight of a game may be tuned: as its file says, or a quarter to four times as much."""
    file = data_folder(PACKAGES[game.id]) / FILE
    written = read_ranges(file) if file.is_file() else {}
    return {
        side: {
            name: written.get(side, {}).get(name, (min(weight / 4, weight * 4), max(weight / 4, weight * 4)))
            for name, weight in game.judge.weights(side).items()
        }
        for side in game.seats
    }


def written(tuner: Tuner) -> str:
    """A file of weights with what was found, as `weights.toml` and `LEVEL+FILE` take it."""
    progress = tuner.progress
    lines = [
        f"# Found by `salient tune guide {tuner.tuning.game}`: {progress.rounds} rounds of {tuner.tuning.pairs} pairs;",
        f"# in the test {fmean(progress.shares):.1%} of {2 * len(progress.shares)} games.",
    ]
    for side, weights in tuner.weights().items():
        lines += ["", f"[{side}]"]
        for name in progress.shifts[side]:
            least, most = tuner.ranges[side][name]
            lines.append(
                f'{name} = {{value = {weights[name]:.4g}, range = [{least:g}, {most:g}], source = "measured"}}'
            )
    return "\n".join(lines) + "\n"
