"""What a player remembers of the actions it has weighed in this phase, so as not to weigh them all again."""

from __future__ import annotations

from collections.abc import Callable

from salient.bots.clock import Clock
from salient.kernel import Action, AnyGame, State

LEAST_WEIGHED_AGAIN = 5


def stage_of(game: AnyGame, state: State) -> tuple[object, ...]:
    """What tells one phase from another: time and phase, and the kinds of decisions beneath the one at hand."""
    return (game.judge.elapsed(state), game.stage(state).phase, *map(type, state.stack[:-1]))


class Memory:
    """The gains of actions when they were last weighed in the current phase."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.phase: tuple[object, ...] = ()
        self.touched: set[object] = set()  # units and places that the actions played since then have named
        self.gains: dict[tuple[object, ...], dict[Action, float]] = {}  # by kind of decision

    def weigh(
        self, state: State, actions: list[Action], gain: Callable[[Action], float], clock: Clock
    ) -> dict[Action, float]:
        """The gains of the actions that may be best now, at least of one; of some of them if time runs out.

        All actions are weighed when a phase begins and when they first appear. Later those are weighed again that
        name a unit or a place of what was played last, and those that promised most, until none that is left promised
        more than the best one gains.
        """
        gains = self._gains(state)
        for action in [action for action in gains if not self.touched.isdisjoint(action[1:])]:
            del gains[action]
        self.touched = set()
        known = sorted((action for action in actions if action in gains), key=lambda action: -gains[action])
        fresh: dict[Action, float] = {}
        for action in [action for action in actions if action not in gains]:
            if fresh and clock.is_over:
                break
            fresh[action] = gain(action)
        best = max(fresh.values(), default=float("-inf"))
        for count, action in enumerate(known):
            enough = count >= LEAST_WEIGHED_AGAIN and gains[action] <= best
            if enough or (fresh and clock.is_over):
                break
            fresh[action] = gain(action)
            best = max(best, fresh[action])
        gains |= fresh
        return fresh

    def copy(self) -> Memory:
        """The same memory, for another player."""
        other = Memory(self.game)
        other.phase, other.touched = self.phase, set(self.touched)
        other.gains = {kind: dict(gains) for kind, gains in self.gains.items()}
        return other

    def ranked(self, state: State) -> dict[Action, float]:
        """The gains of what has been weighed for the decision at hand, the most promising first."""
        return dict(sorted(self._gains(state).items(), key=lambda pair: -pair[1]))

    def played(self, action: Action) -> None:
        """Note what an action names: what was known of other actions of the same units and places is out of date."""
        self.touched.update(action[1:])

    def _gains(self, state: State) -> dict[Action, float]:
        phase = stage_of(self.game, state)
        if phase != self.phase:
            self.phase, self.gains = phase, {}
        return self.gains.setdefault((type(state.stack[-1]), len(state.stack)), {})
