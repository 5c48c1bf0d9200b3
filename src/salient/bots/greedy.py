"""`greedy`: the best single action by the evaluation."""

from __future__ import annotations

from salient.bots.chance import Leaves, outcomes
from salient.bots.player import Choice, Player, expected_features, reasons
from salient.kernel import State, legal, step

TOO_MANY_OUTCOMES = 36


class Greedy(Player):
    """Plays the action after which the position is worth most, on average over a roll that follows at once."""

    def choose(self, state: State) -> Choice:
        actions = legal(state)
        if len(actions) == 1:
            return Choice(actions[0], [])
        seen = self.imagine(state)
        leaves = [self.after(step(seen, action, trusted=True)) for action in actions]
        values = [sum(share * self.game.evaluate(leaf, self.seat) for share, leaf in group) for group in leaves]
        best = max(values)
        chosen = self.random.choice([i for i, value in enumerate(values) if value == best])
        before = self.game.features(seen, self.seat)
        return Choice(actions[chosen], reasons(before, expected_features(self.game, self.seat, leaves[chosen])))

    def after(self, state: State) -> Leaves:
        """The positions to judge: those after the roll, if they are few."""
        following = outcomes(state)
        return following if len(following) <= TOO_MANY_OUTCOMES else [(1.0, state)]
