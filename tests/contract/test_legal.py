"""What every game promises about its legal list."""

from __future__ import annotations

import random
from typing import Any

import pytest

from salient.kernel import OVER, AnyGame, Illegal, Names, Numbers, State, Unreadable, Words, actor, legal, step
from salient.kernel.notation import Action, Kind
from salient.text import LANGUAGES, catalog


def test_the_legal_list_follows_from_the_position_alone(walk: Any) -> None:
    for state in walk.positions:
        again = walk.game.state_from_json(state.as_json())
        assert legal(again) == legal(state)


def test_legal_actions_have_no_refusal_and_round_trip_as_text(walk: Any) -> None:
    for state in walk.positions:
        actions = legal(state)
        for action in actions if len(actions) < 30 else random.Random(1).sample(actions, 30):
            assert walk.game.why_not(state, action) == []
            assert walk.game.read(walk.game.write(action)) == action
            assert all(type(part) in (str, int) for part in action)


def test_every_legal_action_can_be_carried_out_soundly(walk: Any) -> None:
    """No dead ends one action ahead, and no broken invariant."""
    for state in walk.positions:
        actions = legal(state)
        for action in actions if len(actions) < 15 else random.Random(2).sample(actions, 15):
            after = step(state, action, trusted=True)
            assert walk.game.check(after) == [], walk.game.write(action)
            assert legal(after) != [] or actor(after) == OVER


def test_what_ends_a_decision_is_not_asked_again(walk: Any) -> None:
    """An action that ends something names no piece; the same decision does not come again in the same phase."""
    for state in walk.positions:
        frame, depth = state.stack[-1], len(state.stack) - 1
        for action in [action for action in legal(state) if frame.ending(action)]:
            assert len(action) == 1
            after = step(state, action, trusted=True)
            is_asked = after.stack[depth : depth + 1] == (frame,)
            assert not is_asked or walk.game.stage(after) != walk.game.stage(state), walk.game.write(action)


def random_value(kind: Kind, rng: random.Random) -> str | int:
    if isinstance(kind, Names):
        return rng.randrange(len(kind.names))
    if isinstance(kind, Words):
        return rng.choice(kind.words)
    assert isinstance(kind, Numbers)
    return rng.randrange(-1, 20)


def random_action(game: AnyGame, rng: random.Random) -> Action:
    verb = rng.choice(list(game.notation.verbs))
    kinds = [kind.rstrip("*") for kind in game.notation.verbs[verb]]
    return (verb, *(random_value(game.notation.kinds[kind], rng) for kind in kinds))


def assert_refused(game: AnyGame, state: State, action: Action) -> None:
    before = state.key()
    with pytest.raises(Illegal) as caught:
        step(state, action)
    assert state.key() == before
    refusals = caught.value.refusals
    assert refusals, f"{game.write(action)} is refused without a reason"
    if actor(state) != OVER:
        assert any(refusal.rule for refusal in refusals)
    for refusal in refusals:
        for lang in LANGUAGES:
            assert refusal.key in catalog(game, lang)["message"], refusal.key


def test_illegal_actions_are_refused_with_their_rule(walk: Any) -> None:
    rng = random.Random(3)
    for state in walk.positions:
        offered = set(legal(state))
        for _ in range(25):
            action = random_action(walk.game, rng)
            if action not in offered:
                assert_refused(walk.game, state, action)


def test_text_that_names_no_action_is_unreadable(game: AnyGame) -> None:
    for text in (
        "",
        "gibberish",
        "; drop",
        *(f"{verb} no-such-thing 1 2 3 4 5 6 7 8 9" for verb in game.notation.verbs),
    ):
        with pytest.raises(Unreadable):
            game.read(text)
