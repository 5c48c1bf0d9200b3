"""What a player remembers of the actions it has weighed in this phase, so as not to weigh them all again."""

from __future__ import annotations

from collections.abc import Callable

from salient.kernel import Action, Game, State

LEAST_WEIGHED_AGAIN = 5


class Memory:
    """The gains of actions when they were last weighed in the current phase."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.phase = ""
        self.gains: dict[tuple[object, ...], dict[Action, float]] = {}  # by kind of decision

    def weigh(self, state: State, actions: list[Action], gain: Callable[[Action], float]) -> dict[Action, float]:
        """The gains of the actions that may be best now.

        All actions are weighed when a phase begins and when they first appear. Later those that promised most are
        weighed again, until none that is left promised more than the best one gains.
        """
        gains = self._gains(state)
        known = sorted((action for action in actions if action in gains), key=lambda action: -gains[action])
        fresh = {action: gain(action) for action in actions if action not in gains}
        best = max(fresh.values(), default=float("-inf"))
        for count, action in enumerate(known):
            if count >= LEAST_WEIGHED_AGAIN and gains[action] <= best:
                break
            fresh[action] = gain(action)
            best = max(best, fresh[action])
        gains |= fresh
        return fresh

    def _gains(self, state: State) -> dict[Action, float]:
        phase = self.game.heading(state)
        if phase != self.phase:
            self.phase, self.gains = phase, {}
        return self.gains.setdefault((type(state.stack[-1]), len(state.stack)), {})
