"""`random`: any candidate."""

from __future__ import annotations

from math import inf

from salient.bots.player import Choice, Player
from salient.kernel import State


class Random(Player):
    """Plays any candidate, each as likely."""

    def choose(self, state: State, deadline: float = inf) -> Choice:
        return Choice(self.random.choice(self.noticed(state)), [])
