"""The probability of winning: certain at the end, the same game for both seats, and true on average."""

from __future__ import annotations

import random
from math import exp

import pytest

from salient import load
from salient.bots import value
from salient.games import game_ids
from salient.kernel import OVER, actor
from salient.lab.fitting import Sample, fit
from salient.lab.playouts import random_states


@pytest.mark.parametrize("name", game_ids())
def test_both_seats_share_the_chances(name):
    game = load(name)
    for state in list(random_states(game, 3, "", 120))[::40]:
        first, second = (value.win_probability(game, state, seat) for seat in game.seats)
        assert first + second == pytest.approx(1.0)
        assert 0.0 < first < 1.0


def test_the_end_is_certain():
    game = load("target-arnhem")
    last = next(state for state in random_states(game, 1, "", 5000) if actor(state) == OVER)
    winner = game.result(last).winner
    assert [value.win_probability(game, last, seat) for seat in game.seats] == [
        float(seat == winner) for seat in game.seats
    ]


@pytest.mark.parametrize("name", game_ids())
def test_what_was_fitted_are_features_of_the_game(name):
    """A judge that counts other things than the fit knows must be fitted anew."""
    game, fitted = load(name), value.fit_of(name)
    if fitted:
        known, fits = set(value.inputs(game, game.new())), set(fitted.coefficients)
        few = {value.BIAS, value.TO_MOVE, value.OPENING, value.TOGETHER}
        assert fits in (known, known - {value.TOGETHER}, few)


def test_chances_follow_the_side_when_seats_change_sides(monkeypatch):
    """The second game of a campaign of Battle of the Bulge: what the Axis had, the other seat has now."""
    fit = value.Fit(1, {value.BIAS: (0.7, 0.7, 0.7), value.TO_MOVE: (0.4, 0.4, 0.4), "points": (0.05, 0.05, 0.05)})
    monkeypatch.setattr(value, "fit_of", lambda name: fit)
    game = load("bulge")
    for state in list(random_states(game, 2, "", 400))[::80]:
        swapped = state.clone()
        swapped.game = 1
        assert game.judge.side(swapped, "axis") == "allied"
        assert value.win_probability(game, swapped, "allied") == value.win_probability(game, state, "axis") != 0.5


def test_time_is_shared_by_neighbouring_knots():
    assert value.shares(0.0) == (1.0, 0.0, 0.0)
    assert value.shares(0.25) == (0.5, 0.5, 0.0)
    assert value.shares(2.0) == (0.0, 0.0, 1.0)


def test_a_fit_finds_what_decides():
    """Games decided by one feature, with a second that says nothing: the promise is near what happens."""
    rng = random.Random(1)
    found = []
    for number in range(600):
        lead = rng.gauss(0, 1)
        won = float(rng.random() < 1 / (1 + exp(-2 * lead)))
        found.append(Sample(number, rng.random(), {"bias": 1.0, "good": lead, "noise": rng.gauss(0, 1)}, won))
    fitted = fit(found)
    assert min(fitted.coefficients["good"]) > 3 * max(abs(each) for each in fitted.coefficients["noise"])
    assert fitted.area > 0.8
    assert all(abs(each.promised - each.won) < 0.15 for each in fitted.bins if each.positions > 50)


def test_few_games_are_fitted_by_the_sum_of_the_features():
    """Thirty games and thirty features, of which only the sum tells anything: fewer coefficients are truer."""
    rng = random.Random(2)
    found = []
    for number in range(30):
        parts = {f"part-{i}": rng.gauss(0, 1) for i in range(30)}
        together = sum(parts.values())
        won = float(rng.random() < 1 / (1 + exp(-together)))
        for _ in range(4):
            found.append(Sample(number, rng.random(), {"bias": 1.0, value.TOGETHER: together, **parts}, won))
    assert set(fit(found).coefficients) == {"bias", value.TOGETHER}
