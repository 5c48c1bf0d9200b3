"""`captain`: carries each action through to its end, and does the most valuable thing first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from salient.bots.clock import Clock
from salient.bots.lookahead import Lookahead, Outlook
from salient.bots.memory import Memory
from salient.bots.opinion import Opinion, Reasons, reasons
from salient.bots.player import Choice, Player
from salient.kernel import Action, AnyFrame, AnyGame, Seat, State, actor, legal, step

Question = tuple[AnyFrame, ...]  # the stack of a position: what is to be decided


class Captain(Player):
    """Weighs every action by all that it sets off: joint attacks, exact odds, losses, advances."""

    def __init__(
        self, game: AnyGame, seat: Seat, seed: int | str = 0, weights: Mapping[str, float] | None = None
    ) -> None:
        super().__init__(game, seat, seed, weights)
        self.memory = Memory(game)
        self.plan: list[tuple[Question, Choice]] = []

    def follow(self, opinion: Opinion) -> None:
        """Judge by another opinion from now on: what was planned and weighed by the last one is forgotten."""
        self.opinion = opinion
        self.memory = Memory(self.game)
        self.plan = []

    def decide(self, state: State, clock: Clock) -> Choice:
        choice = self._planned(state) or self._decide(state, clock)
        self.memory.played(choice.action)
        return choice

    def _decide(self, state: State, clock: Clock) -> Choice:
        actions = self.noticed(state)
        if len(actions) == 1 or clock.is_over:
            return Choice(actions[0], [])
        seen = self.imagine(state)
        look = Lookahead(self.opinion, seen)
        named = look.best_set(seen, self.game.judge.piece_worth, clock)
        if named:
            return self._name(seen, *named)
        return self._weigh(seen, actions, look, clock)

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
        why = reasons(self.opinion.weighted(seen), ahead.parts)
        self._remember(seen, named, why)
        return self.plan.pop(0)[1]

    def _weigh(self, seen: State, actions: list[Action], look: Lookahead, clock: Clock) -> Choice:
        now = look.judge(look.here)
        ahead: dict[Action, Outlook] = {}

        def gain(action: Action) -> float:
            after = look.after(seen, action)
            look.judged = 0
            ends = seen.stack[-1].ending(action) and after.over
            ahead[action] = now if ends else look.outlook(after)
            return ahead[action].value - now.value

        action = self.best(self.memory.weigh(seen, actions, gain, clock))
        why = reasons(now.parts, ahead[action].parts)
        self._remember(step(seen, action, trusted=True), ahead[action].line, why)
        return Choice(action, why)

    def _remember(self, seen: State, line: Iterable[Action], why: Reasons) -> None:
        """Plan to make the choices that follow as they were weighed, until the same question is asked again."""
        self.plan = []
        for action in line:
            if actor(seen) != self.seat or any(question == seen.stack for question, _ in self.plan):
                return
            self.plan.append((seen.stack, Choice(action, why)))
            seen = step(seen, action, trusted=True)
