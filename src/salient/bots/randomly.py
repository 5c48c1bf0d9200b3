"""`random`: any legal action."""

from __future__ import annotations

from salient.bots.player import Choice, Player
from salient.kernel import State, legal


class Random(Player):
    """Plays any legal action, each as likely."""

    def choose(self, state: State) -> Choice:
        return Choice(self.random.choice(legal(state)), [])
