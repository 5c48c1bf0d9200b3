"""`captain`: carries each action through to its end, and does the most valuable thing first."""

from __future__ import annotations

from collections.abc import Iterable

from salient.bots.chance import Leaves
from salient.bots.lookahead import Lookahead, Outlook
from salient.bots.memory import Memory
from salient.bots.player import Choice, Player, expected_features, reasons
from salient.kernel import Action, Frame, Game, Seat, State, actor, legal, step

Question = tuple[Frame, ...]  # the stack of a position: what is to be decided


class Captain(Player):
    """Weighs every action by all that it sets off: joint attacks, exact odds, losses, advances."""

    def __init__(self, game: Game, seat: Seat, seed: int | str = 0) -> None:
        super().__init__(game, seat, seed)
        self.memory = Memory(game)
        self.plan: list[tuple[Question, Choice]] = []

    def choose(self, state: State) -> Choice:
        planned = self._planned(state)
        if planned:
            return planned
        actions = self.game.candidates(state)
        if len(actions) == 1:
            return Choice(actions[0], [])
        seen = self.imagine(state)
        look = Lookahead(self.game, self.seat, seen)
        named = look.best_set(seen, self.game.piece_worth)
        if named:
            return self._name(seen, *named)
        return self._weigh(seen, actions, look)

    def _planned(self, state: State) -> Choice | None:
        """The next choice of the plan; the plan is dropped where the game has gone another way."""
        if self.plan:
            question, choice = self.plan.pop(0)
            if question == state.stack and choice.action in legal(state):
                return choice
        self.plan = []
        return None

    def _name(self, seen: State, named: list[Action], ahead: Outlook) -> Choice:
        """Name the pieces of a set one after the other, as planned."""
        why = self._reasons(seen, ahead.leaves)
        self._remember(seen, named, why)
        return self.plan.pop(0)[1]

    def _weigh(self, seen: State, actions: list[Action], look: Lookahead) -> Choice:
        now = look.judge(seen)
        ahead: dict[Action, Outlook] = {}

        def gain(action: Action) -> float:
            after = look.after(seen, action)
            look.judged = 0
            ends = len(action) == 1 and after.over  # a bare word such as `pass`
            ahead[action] = now if ends else look.outlook(after)
            return ahead[action].value - now.value

        action = self.best(self.memory.weigh(seen, actions, gain))
        why = self._reasons(seen, ahead[action].leaves)
        self._remember(step(seen, action, trusted=True), ahead[action].line, why)
        return Choice(action, why)

    def _remember(self, seen: State, line: Iterable[Action], why: list[tuple[str, float]]) -> None:
        """Plan to make the choices that follow as they were weighed, until the same question is asked again."""
        self.plan = []
        for action in line:
            if actor(seen) != self.seat or any(question == seen.stack for question, _ in self.plan):
                return
            self.plan.append((seen.stack, Choice(action, why)))
            seen = step(seen, action, trusted=True)

    def _reasons(self, seen: State, leaves: Leaves) -> list[tuple[str, float]]:
        before = self.game.features(seen, self.seat)
        return reasons(before, expected_features(self.game, self.seat, leaves))
