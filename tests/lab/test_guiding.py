"""Tuning the guide: it goes on where it was, keeps to the ranges, and its test tells better from even."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import pytest

from salient.common.weights import read_weight_file
from salient.games import game_ids, load
from salient.lab.guiding import LEAST_PAIRS, Progress, Tuner, Tuning, duel, ranges_of, written


def tuning(name: str) -> Tuning:
    return Tuning(name, rounds=4, pairs=1, most=3, seed=5)


def test_a_run_that_was_ended_goes_on_to_the_same_weights(registered_tiny: str, tmp_path: Path) -> None:
    whole, parts = (Tuner(tuning(registered_tiny), tmp_path / name) for name in ("whole", "parts"))
    list(whole.go())
    assert len(list(islice(parts.go(), 3))) == 3
    again = Tuner(tuning(registered_tiny), tmp_path / "parts")
    assert again.progress.rounds == 3
    list(again.go())
    assert again.weights() == whole.weights()
    assert again.progress == whole.progress
    assert len(whole.progress.shares) == 3


@pytest.mark.parametrize("name", game_ids())
def test_weights_stay_in_their_ranges_and_can_be_read_again(name: str, tmp_path: Path) -> None:
    tuner = Tuner(Tuning(name), tmp_path / "journal")
    for score in (1.0, -1.0, 1.0) * 20:
        tuner._note({"score": score})
    tuner._note({"share": 1.0})
    ranges = ranges_of(tuner.game)
    for side, weights in tuner.weights().items():
        assert all(ranges[side][each][0] <= weight <= ranges[side][each][1] for each, weight in weights.items())
    file = tmp_path / "found.toml"
    file.write_text(written(tuner), encoding="utf-8")
    game = load(name)
    read = read_weight_file(file, game.seats, game.judge.weights(game.seats[0]))
    assert read.keys() == set(game.seats)
    assert read[game.seats[0]] != game.judge.weights(game.seats[0])


def test_a_pair_has_the_same_dice_and_swapped_seats(registered_tiny: str) -> None:
    game = load(registered_tiny)
    weights = {seat: dict(game.judge.weights(seat)) for seat in game.seats}
    for pair in range(4):
        shares = [duel(tuning(registered_tiny), (weights, weights), "even", 2 * pair + i) for i in (0, 1)]
        assert sum(shares) == 1.0  # equal players: what one seat wins on these dice, the other loses


@pytest.mark.parametrize(("share", "verdict"), [(0.62, "better"), (0.44, "even")])
def test_the_test_decides(share: float, verdict: str) -> None:
    rng = random.Random(1)
    progress = Progress({})
    while progress.verdict == "open" and len(progress.shares) < 2000:
        progress.shares.append(((rng.random() < share) + (rng.random() < share)) / 2)
    assert progress.verdict == verdict
    assert len(progress.shares) >= LEAST_PAIRS
