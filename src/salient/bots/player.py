"""What every computer player offers: a choice with its reasons."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from math import inf
from typing import NamedTuple

from salient.bots.clock import Clock, Tell, unheard
from salient.bots.opinion import Opinion, Reasons
from salient.kernel import CHANCE, Action, AnyGame, Prompt, Seat, SeededDice, State, Unreadable, actor
from salient.kernel.collector import collector_at_rest
from salient.kernel.state import fields_of

FULL = 100  # per cent of strength
LEAST_NOTICED = 0.3  # of the actions, at no strength at all
MOST_DOUBT = 3.0  # of a value, in the unit of the features


class Choice(NamedTuple):
    """An action, and the features of the evaluation that it changes most: (key, gain for the seat)."""

    action: Action
    reasons: Reasons


class Player(ABC):
    """A computer player at one seat. It sees what its seat may see, and rolls dice of its own.

    It judges by the weights of its side in its game, unless it is given others. Its strength is a share of what it can
    notice and of how well it judges; its dice are never touched.
    """

    strength = FULL

    def __init__(
        self, game: AnyGame, seat: Seat, seed: int | str = 0, weights: Mapping[str, float] | None = None
    ) -> None:
        self.game = game
        self.seat = seat
        self.opinion = Opinion(game, seat, weights)
        self.dice = SeededDice(f"{game.id} {seat} {seed}")
        self.random = self.dice.random
        self.clock = Clock()

    def choose(self, state: State, deadline: float = inf, tell: Tell = unheard) -> Choice:
        """An action of its seat, which must be the actor: the best found until a moment of `time.monotonic`.

        Whoever wants to know how far it is, is told.
        """
        self.clock = Clock(deadline, tell)
        with collector_at_rest:
            return self.decide(state, self.clock)

    def stop(self) -> None:
        """End the choice under way, from another thread: `choose` gives the best found so far."""
        self.clock.stopped = True

    @abstractmethod
    def decide(self, state: State, clock: Clock) -> Choice:
        """The choice, in the time that a clock gives; a legal one at once if it gives none."""

    def told(self) -> list[Prompt]:
        """What it plans, in sentences of the catalog; nothing if it has no plan."""
        return []

    def close(self) -> None:  # noqa: B027 (most players hold nothing)
        """Let go of what the player holds open."""

    def imagine(self, state: State) -> State:
        """A position that the seat cannot tell from this one: all that it may think about."""
        self.opinion.weighted(state)  # what the judge counts in the game itself it need not count again as it goes on
        return self.game.resample(state, self.seat, self.dice)

    def noticed(self, state: State) -> list[Action]:
        """The actions that the player thinks of: all at full strength; a weaker one overlooks some, never all."""
        actions = self.game.judge.candidates(state)
        if not actions:
            raise Unreadable("nothing-to-choose")
        if self.strength >= FULL:
            return actions
        share = LEAST_NOTICED + (1 - LEAST_NOTICED) * self.strength / FULL
        seen = [action for action in actions if len(action) == 1 or self.random.random() < share]
        return seen or [self.random.choice(actions)]

    def best(self, values: Mapping[Action, float]) -> Action:
        """The action of the highest value, one of them at random if there are several; a weaker player misjudges."""
        doubt = MOST_DOUBT * (1 - self.strength / FULL)
        if doubt:
            values = {action: value + self.random.gauss(0, doubt) for action, value in values.items()}
        highest = max(values.values())
        return self.random.choice([action for action, value in values.items() if value == highest])


def leaves_phase(before: State, after: State) -> bool:
    """Whether the play has gone on to another phase: what lay beneath the decision has changed."""
    beneath = before.stack[:-1]
    return after.stack[: len(beneath)] != beneath


def ends_phase(action: Action, before: State, after: State) -> bool:
    """Whether an action did nothing but end the decision: that gains nothing and loses nothing."""
    if not before.stack[-1].ending(action):
        return False
    if leaves_phase(before, after):
        return True
    same = (getattr(before, name) == getattr(after, name) for name in fields_of(before, "column"))
    return actor(after) != CHANCE and all(same)
