"""`random`: any candidate."""

from __future__ import annotations

from salient.bots.clock import Clock
from salient.bots.player import Choice, Player
from salient.kernel import State


class Random(Player):
    """Plays any candidate, each as likely."""

    def decide(self, state: State, clock: Clock) -> Choice:
        return Choice(self.random.choice(self.noticed(state)), [])
