"""`random`: any candidate."""

from __future__ import annotations

from salient.bots.player import Choice, Player
from salient.kernel import State, candidates


class Random(Player):
    """Plays any candidate, each as likely."""

    def choose(self, state: State) -> Choice:
        return Choice(self.random.choice(candidates(state)), [])
