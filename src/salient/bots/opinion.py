"""What a player thinks of a position: the features of its game by its own weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from salient.kernel import AnyGame, Plan, Seat, State

MOST_REASONS = 4
LEAST_REASON = 0.05

Reasons = list[tuple[str, float]]
Parts = dict[str, float]  # by feature: what it adds to an evaluation


class Opinion:
    """The evaluation of positions for a seat: by the game's own weights or by others, and by the orders of a plan."""

    def __init__(self, game: AnyGame, seat: Seat, weights: Mapping[str, float] | None = None, plan: Plan = ()) -> None:
        self.game = game
        self.seat = seat
        self.weights = weights
        self.plan = plan
        self.asked = 0

    def evaluate(self, state: State) -> float:
        """What a position is worth as it stands."""
        self.asked += 1
        value = self.game.judge.evaluate(state, self.seat, self.weights)
        return value + self.game.plans.bias(state, self.seat, self.plan) if self.plan else value

    def promises(self, state: State) -> tuple[float, Parts]:
        """What a position is worth with what a combat under way promises, and what each feature adds to it."""
        self.asked += 1
        parts = self.weighted(state)
        value = sum(parts.values())
        if self.plan:
            value += self.game.plans.bias(state, self.seat, self.plan)
        return value + self.game.judge.pending(state, self.seat), parts

    def weighted(self, state: State) -> Parts:
        """What each feature adds to the evaluation."""
        weights = self.weights or self.game.judge.weights(self.game.judge.side(state, self.seat))
        return {name: weights[name] * value for name, value in self.game.judge.features(state, self.seat).items()}

    def expected(self, leaves: Iterable[tuple[float, State]]) -> Parts:
        """What each feature adds on average over positions, by their probabilities."""
        total: Parts = {}
        for probability, state in leaves:
            for key, value in self.weighted(state).items():
                total[key] = total.get(key, 0.0) + probability * value
        return total


def reasons(now: Parts, then: Parts) -> Reasons:
    """The features that differ most between a position and what it leads to, the largest first."""
    gains = [(key, round(then.get(key, 0.0) - now.get(key, 0.0), 2)) for key in {**now, **then}]
    gains = [(key, gain) for key, gain in gains if abs(gain) >= LEAST_REASON]
    return sorted(gains, key=lambda reason: -abs(reason[1]))[:MOST_REASONS]
