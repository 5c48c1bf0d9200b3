"""What every game promises about dice: exact probabilities, and samples among the outcomes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from salient.kernel import CHANCE, ChanceFrame, SeededDice, State, actor, legal, step


def chances(walk: Any) -> list[State]:
    found = [state for state in walk.positions if actor(state) == CHANCE]
    assert found, "no roll was met"
    return found


def test_probabilities_sum_to_one(walk: Any) -> None:
    for state in chances(walk):
        outcomes = state.stack[-1].outcomes(state)
        assert sum(probability for _, probability in outcomes) == Fraction(1)
        assert all(isinstance(probability, Fraction) and probability > 0 for _, probability in outcomes)
        assert [action for action, _ in outcomes] == legal(state)


def test_every_outcome_applies(walk: Any) -> None:
    for state in chances(walk):
        for action in legal(state):
            assert walk.game.check(step(state, action)) == []


def test_outcomes_of_one_effect_lead_to_equal_positions(walk: Any) -> None:
    for state in chances(walk):
        frame, found = state.stack[-1], {}
        for action in legal(state):
            key = step(state, action).key()
            assert found.setdefault(frame.effect(state, action), key) == key


def test_samples_are_outcomes_and_differ(walk: Any) -> None:
    for index, state in enumerate(chances(walk)):
        frame = state.stack[-1]
        assert isinstance(frame, ChanceFrame)
        dice = SeededDice(index)
        rolled = {frame.sample(state, dice.roller(0, frame.purpose(state))) for _ in range(50)}
        assert rolled <= set(legal(state))
        assert len(rolled) > 1 or len(legal(state)) == 1


def test_every_roll_has_a_purpose_in_one_word(walk: Any) -> None:
    for state in chances(walk):
        purpose = state.stack[-1].purpose(state)
        assert purpose
        assert "|" not in purpose
