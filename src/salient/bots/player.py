"""What every computer player offers: a choice with its reasons."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from salient.kernel import CHANCE, Action, Game, Seat, SeededDice, State, actor
from salient.kernel.state import fields_of

MOST_REASONS = 4
LEAST_REASON = 0.05


class Choice(NamedTuple):
    """An action, and the features of the evaluation that it changes most: (key, gain for the seat)."""

    action: Action
    reasons: list[tuple[str, float]]


class Player(ABC):
    """A computer player at one seat. It sees what its seat may see, and rolls dice of its own."""

    def __init__(self, game: Game, seat: Seat, seed: int | str = 0) -> None:
        self.game = game
        self.seat = seat
        self.dice = SeededDice(f"{game.id} {seat} {seed}")
        self.random = self.dice.random

    @abstractmethod
    def choose(self, state: State) -> Choice:
        """An action of its seat, which must be the actor."""

    def close(self) -> None:  # noqa: B027 (most players hold nothing)
        """Let go of what the player holds open."""

    def imagine(self, state: State) -> State:
        """A position that the seat cannot tell from this one: all that it may think about."""
        return self.game.resample(state, self.seat, self.dice)

    def best(self, values: Mapping[Action, float]) -> Action:
        """The action of the highest value; one of them at random if there are several."""
        highest = max(values.values())
        return self.random.choice([action for action, value in values.items() if value == highest])


def leaves_phase(before: State, after: State) -> bool:
    """Whether the play has gone on to another phase: what lay beneath the decision has changed."""
    beneath = before.stack[:-1]
    return after.stack[: len(beneath)] != beneath


def ends_phase(action: Action, before: State, after: State) -> bool:
    """Whether a bare word such as `pass` did nothing but end the decision: that gains nothing and loses nothing."""
    if len(action) > 1:
        return False
    if leaves_phase(before, after):
        return True
    same = (getattr(before, name) == getattr(after, name) for name in fields_of(before, "column"))
    return actor(after) != CHANCE and all(same)


def expected_features(game: Game, seat: Seat, leaves: Iterable[tuple[float, State]]) -> dict[str, float]:
    """The features that positions have on average, by their probabilities."""
    total: dict[str, float] = {}
    for probability, state in leaves:
        for key, value in game.features(state, seat).items():
            total[key] = total.get(key, 0.0) + probability * value
    return total


def reasons(before: Mapping[str, float], after: Mapping[str, float]) -> list[tuple[str, float]]:
    """The features that differ most, the largest first."""
    gains = [(key, round(after.get(key, 0.0) - before.get(key, 0.0), 2)) for key in {**before, **after}]
    gains = [(key, gain) for key, gain in gains if abs(gain) >= LEAST_REASON]
    return sorted(gains, key=lambda reason: -abs(reason[1]))[:MOST_REASONS]
