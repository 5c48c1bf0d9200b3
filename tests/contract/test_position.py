"""What every game promises about its positions: looking is pure, text and JSON go both ways, old positions stand."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from salient.kernel import CHANCE, AnyGame, SeededDice, State, Unreadable, actor, legal, step
from salient.lab.playouts import random_options


def looks(game: AnyGame, state: State, overlays: list[str]) -> list[Callable[[], Any]]:
    frame = state.stack[-1]
    seat = game.seats[0]
    actions = legal(state)
    return [
        lambda: actor(state),
        lambda: legal(state),
        lambda: frame.prompt(state),
        lambda: [game.view.observe(state, each) for each in game.seats],
        lambda: game.check(state),
        lambda: game.why_not(state, ("gibberish",)),
        lambda: game.result(state),
        lambda: game.view.heading(state),
        lambda: game.write_position(state),
        lambda: [game.judge.features(state, each) for each in game.seats],
        lambda: [game.view.preview(state, action) for action in actions[:5]],
        lambda: [game.view.overlay(state, seat, name) for name in overlays],
        lambda: state.as_json(),
        lambda: game.resample(state, seat, SeededDice(1)),
    ]


def test_looking_changes_nothing(walk: Any) -> None:
    for state, overlays in walk.overlaid():
        before = state.key()
        for number, look in enumerate(looks(walk.game, state, overlays)):
            first, second = look(), look()
            assert state.key() == before, f"look {number} changed the position"
            if not isinstance(first, State):
                assert first == second, f"look {number} gave two answers"


def test_json_both_ways(walk: Any) -> None:
    for state in walk.positions:
        again = walk.game.state_from_json(json.loads(json.dumps(state.as_json())))
        assert again.key() == state.key()
        assert again.as_json() == state.as_json()


def test_position_text_both_ways(walk: Any) -> None:
    for state in walk.positions:
        text = walk.game.write_position(state)
        again = walk.game.read_position(text)
        assert again.key() == state.key()
        assert walk.game.write_position(again) == text


@pytest.mark.parametrize("text", ["", "gibberish\nmore of it\n", "{}", "turn: one"])
def test_text_that_is_no_position_is_unreadable(game: AnyGame, text: str) -> None:
    with pytest.raises(Unreadable):
        game.read_position(text)


def test_old_positions_stay_as_they_were(walk: Any) -> None:
    """Every position that random play passes through keeps its hash while the game goes on."""
    rng = random.Random(5)
    state = walk.game.new("", random_options(walk.game, rng))
    past = []
    for _ in range(400):
        past.append((state, hash(state.key())))
        actions = legal(state)
        if not actions:
            break
        state = step(state, rng.choice(actions), trusted=True)
    assert [hash(old.key()) for old, _ in past] == [then for _, then in past]


def test_new_positions_are_equal(game: AnyGame) -> None:
    for scenario in game.scenarios:
        assert game.new(scenario.id).key() == game.new(scenario.id).key()
        assert game.check(game.new(scenario.id)) == []


# ---- hidden information ------------------------------------------------------------


def test_resample_cannot_be_told_from_the_position(walk: Any) -> None:
    for index, state in enumerate(walk.positions):
        for seat in walk.game.seats:
            other = walk.game.resample(state, seat, SeededDice(index))
            assert other is not state
            assert walk.game.check(other) == []
            assert walk.game.view.observe(other, seat) == walk.game.view.observe(state, seat)
            assert actor(other) == actor(state)
            if actor(state) == seat:
                assert legal(other) == legal(state)


def test_observations_are_plain_json_with_the_promised_parts(walk: Any) -> None:
    for state in walk.positions:
        for seat in walk.game.seats:
            seen = walk.game.view.observe(state, seat)
            assert json.loads(json.dumps(seen)) == seen
            assert {"turn", "turns", "at", "actor", "units", "markers", "tracks", "result"} <= set(seen)
            assert seen["actor"] == actor(state)
            assert set(seen["units"]) <= set(walk.game.components()["units"])
            assert set(seen["tracks"]) <= {track["id"] for track in walk.game.components()["tracks"]}
            assert 0 <= seen["at"] < len(walk.game.components()["sequence"])


def test_components_are_plain_json(game: AnyGame) -> None:
    parts = game.components()
    assert json.loads(json.dumps(parts)) == parts
    assert {"units", "places", "tracks", "markers", "overlays", "sequence"} <= set(parts)
    assert CHANCE not in game.seats
