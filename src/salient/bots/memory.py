"""What a player remembers of the actions it has weighed in this phase, so as not to weigh them all again."""

from __future__ import annotations

from salient.kernel import Action, Game, State

MOST_WEIGHED_AGAIN = 16


class Memory:
    """The gains of actions when they were last weighed in the current phase."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.phase: tuple[object, ...] = ()
        self.gains: dict[Action, float] = {}

    def worth_weighing(self, state: State, actions: list[Action]) -> list[Action]:
        """The actions that are new and those that promised most, in their order."""
        phase = (self.game.heading(state), type(state.stack[-1]), len(state.stack))
        if phase != self.phase:
            self.phase, self.gains = phase, {}
        known = sorted((action for action in actions if action in self.gains), key=lambda action: -self.gains[action])
        promising = set(known[:MOST_WEIGHED_AGAIN])
        return [action for action in actions if action in promising or action not in self.gains]

    def note(self, action: Action, gain: float) -> None:
        """Remember what an action was worth."""
        self.gains[action] = gain
