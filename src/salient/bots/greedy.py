"""`greedy`: the best single action by the evaluation."""

from __future__ import annotations

from collections.abc import Mapping

from salient.bots.chance import MOST_OUTCOMES, Leaves, outcomes
from salient.bots.clock import Clock
from salient.bots.lookahead import LONGEST_SEQUENCE, declares
from salient.bots.memory import Memory
from salient.bots.opinion import reasons
from salient.bots.player import Choice, Player, ends_phase
from salient.kernel import Action, AnyGame, Seat, State, candidates, step
from salient.kernel.frames import DECISION


class Greedy(Player):
    """Plays the action after which the position is worth most, on average over a roll that follows at once."""

    def __init__(
        self, game: AnyGame, seat: Seat, seed: int | str = 0, weights: Mapping[str, float] | None = None
    ) -> None:
        super().__init__(game, seat, seed, weights)
        self.memory = Memory(game)

    def decide(self, state: State, clock: Clock) -> Choice:
        actions = self.noticed(state)
        if len(actions) == 1 or clock.is_over:
            return Choice(actions[0], [])
        seen = self.imagine(state)
        now = self.opinion.evaluate(seen)
        leaves: dict[Action, Leaves] = {}
        naming: set[Action] = set()

        def gain(action: Action) -> float:
            named = step(seen, action, trusted=True)
            after = carried_out(seen, named)
            if after is not named:
                naming.add(action)
            leaves[action] = [(1.0, seen)] if ends_phase(action, seen, after) else self.after(after)
            return sum(share * self.opinion.evaluate(leaf) for share, leaf in leaves[action]) - now

        gains = self.memory.weigh(seen, actions, gain, clock)
        action = self.best(gains)
        if action in naming:  # pieces are named in order, so the first one that gains does not shut out the best
            action = next((piece for piece in actions if piece in naming and gains[piece] > 0), action)
        return Choice(action, reasons(self.opinion.weighted(seen), self.opinion.expected(leaves[action])))

    def after(self, state: State) -> Leaves:
        """The positions to judge: those after the roll, if they are few."""
        following = outcomes(state)
        return following if len(following) <= MOST_OUTCOMES else [(1.0, state)]


def carried_out(before: State, after: State) -> State:
    """Where a piece that was only named leads once its set is done, with no more pieces than that takes."""
    state = after
    for _ in range(LONGEST_SEQUENCE):
        if not declares(before, state):
            break
        actions = candidates(state)
        done = next((action for action in actions if state.stack[-1].ending(action) == DECISION), None)
        if done:
            return step(state, done, trusted=True)
        state = step(state, actions[0], trusted=True)
    return after
