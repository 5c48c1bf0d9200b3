"""Playing a position out: by opinions of both sides, to the end of a part of the turn or until the seat's next turn.

What a roll gives beyond its average is taken off what the playout promises, as backgammon programs do. That changes
nothing on average, and leaves much less of the promise to the dice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple

from salient.bots.captain import Captain
from salient.bots.chance import MOST_OUTCOMES, outcomes
from salient.bots.clock import Clock
from salient.bots.greedy import Greedy
from salient.bots.memory import Memory, stage_of
from salient.bots.opinion import Opinion
from salient.bots.player import Player
from salient.bots.value import win_probability
from salient.kernel import CHANCE, OVER, Action, AnyGame, ChanceFrame, Seat, SeededDice, State, actor, step

LONGEST = 400  # decisions, of a turn


class Horizon(NamedTuple):
    """How far a playout goes: with the enemy's reply or without, after how many decisions of the part at most.

    Or until so many turns from the one at hand have begun; the opinion then leads the seat until this turn ends.
    """

    replying: bool = True
    decisions: float = inf
    turns: int = 0


class Played(NamedTuple):
    """What a playout promises the seat, what it cost, and how far it went."""

    promise: float
    asked: int  # evaluations
    rolled: bool  # whether any die was in it
    horizon: Horizon
    decisions: int  # of the part


REPLY = Horizon()
FAR = Horizon(turns=2)  # to the end of this turn and of the next one


class Rehearsal:
    """An opinion to be played out on any number of rows of dice; what its captain weighs first is weighed once.

    The opinion is for the part of a turn that is in question, or for the whole turn if the horizon lies in a later one;
    what comes then is played by the game's own weights, replies by those that are given; if it must be quick, by greedy
    players.
    """

    def __init__(
        self, seen: State, opinion: Opinion, replies: Mapping[Seat, Opinion] | None = None, quick: bool = False
    ) -> None:
        self.seen = seen
        self.opinion = opinion
        self.game: AnyGame = opinion.game
        self.stage = stage_of(self.game, seen)
        self.replies = replies or {}
        self.quick = quick
        self.weighed: Memory | None = None  # what was weighed at the captain's first decision

    def on(
        self,
        row: int,
        first: Sequence[Action] = (),
        horizon: Horizon = REPLY,
        most: float = inf,
        clock: Clock | None = None,
    ) -> Played:
        """Play on a row of dice: the same fight falls the same in every position that is played out with it.

        `first` are the actions to begin with. If all that is wanted costs more evaluations than `most`, the reply is
        left out, or what comes after so many decisions: the horizon that is given back tells.
        """
        play = _Play(self, row, first, horizon)
        while play.goes_on(clock):
            if play.part is not None and (not horizon.replying or play.asked > most):
                return play.part
            if play.part is None and play.is_between and (play.decided >= horizon.decisions or play.asked > most):
                return play.told(Horizon(False, play.decided))
            play.step()
        return play.told(horizon)

    def captain(self, row: int) -> Captain:
        """Who plays the part by the opinion."""
        captain = Captain(self.game, self.opinion.seat, row)
        captain.follow(Opinion(self.game, self.opinion.seat, self.opinion.weights, self.opinion.plan))
        return captain


class _Play:
    """A rehearsal on one row of dice, as far as it has gone."""

    def __init__(self, rehearsal: Rehearsal, row: int, first: Sequence[Action], horizon: Horizon) -> None:
        self.rehearsal, self.row, self.turns = rehearsal, row, horizon.turns
        self.game, self.seat = rehearsal.game, rehearsal.opinion.seat
        self.own = rehearsal.captain(row)
        self.others = {seat: self._other(seat) for seat in self.game.seats}
        self.state = rehearsal.seen
        for action in first:
            self.state = step(self.state, action, trusted=True)
        self.luck = 0.0
        self.count = self.judged = self.decided = 0
        self.begun = self.rolled = False
        self.part: Played | None = None  # as it was at the end of the part

    def _other(self, seat: Seat) -> Player:
        opinion = self.rehearsal.replies.get(seat) or Opinion(self.game, seat)
        if self.rehearsal.quick:
            greedy = Greedy(self.game, seat, self.row)
            greedy.opinion = Opinion(self.game, seat, opinion.weights, opinion.plan)
            return greedy
        captain = Captain(self.game, seat, self.row)
        captain.follow(Opinion(self.game, seat, opinion.weights, opinion.plan))
        return captain

    @property
    def asked(self) -> int:
        """How many evaluations it has taken."""
        return self.own.opinion.asked + self.judged + sum(player.opinion.asked for player in self.others.values())

    def told(self, horizon: Horizon) -> Played:
        """What has come of it: how likely the seat wins from here, without the luck it has had."""
        self.judged += 1
        promise = win_probability(self.game, self.state, self.seat) - self.luck
        return Played(promise, self.asked, self.rolled, horizon, self.decided)

    @property
    def is_between(self) -> bool:
        """Whether the question of the beginning is asked again."""
        seen = self.rehearsal.seen.stack
        return len(self.state.stack) == len(seen) and type(self.state.stack[-1]) is type(seen[-1])

    def goes_on(self, clock: Clock | None) -> bool:
        """Whether there is more to play; takes note of the end of the part."""
        who = actor(self.state)
        if who == OVER or self.count >= LONGEST * max(1, self.turns) or (clock is not None and clock.is_over):
            return False
        if self.count and who == self.seat and self._is_far_enough():
            return False
        if self.part is None and who != CHANCE and not self._is_in_part():
            self.part = self.told(Horizon(False))
        return True

    def _is_far_enough(self) -> bool:
        if self.turns:
            return self._turns_begun() >= self.turns
        return _is_next_turn(self.game, self.rehearsal.seen, self.state)

    def _turns_begun(self) -> int:
        return self.game.stage(self.state).turn - self.game.stage(self.rehearsal.seen).turn

    @property
    def is_led(self) -> bool:
        """Whether the seat still plays by the opinion that is played out."""
        return self._turns_begun() == 0 if self.turns else self.part is None

    def _is_in_part(self) -> bool:
        stage = self.rehearsal.stage
        return stage_of(self.game, self.state)[: len(stage)] == stage

    def step(self) -> None:
        """One decision or roll."""
        self.count += 1
        who = actor(self.state)
        if who == CHANCE:
            before, self.state = self.state, step(self.state, rolled(self.game, self.state, self.row), trusted=True)
            gained, judged = luck_of(self.game, before, self.state, self.seat)
            self.luck += gained
            self.judged += judged
            self.rolled = True
        elif who == self.seat and self.is_led:
            self.decided += self.is_between
            self.state = step(self.state, self._own_action(), trusted=True)
        else:
            self.state = step(self.state, self.others[who].choose(self.state).action, trusted=True)

    def _own_action(self) -> Action:
        """What the captain does; its first decision is the same on every row, unless dice came before it."""
        rehearsal, is_first = self.rehearsal, not (self.begun or self.rolled)
        self.begun = True
        if is_first and rehearsal.weighed is not None:
            self.own.memory = rehearsal.weighed.copy()
        action = self.own.choose(self.state).action
        if is_first and rehearsal.weighed is None:
            rehearsal.weighed = self.own.memory.copy()
            rehearsal.weighed.touched = set()
        return action


def rolled(game: AnyGame, state: State, row: int) -> Action:
    """The roll that is due, by the name of a row of dice, by what is rolled for and when."""
    frame = state.stack[-1]
    assert isinstance(frame, ChanceFrame)
    return frame.sample(state, SeededDice(f"{row} {frame!r} {game.judge.elapsed(state)}"))


def luck_of(game: AnyGame, before: State, after: State, seat: Seat) -> tuple[float, int]:
    """What a roll gave a seat beyond its average, and how many evaluations it took to tell.

    Nothing is said of a roll with very many outcomes.
    """
    following = outcomes(before)
    if len(following) > MOST_OUTCOMES:
        return 0.0, 0
    average = sum(share * win_probability(game, each, seat) for share, each in following)
    return win_probability(game, after, seat) - average, len(following) + 1


def _is_next_turn(game: AnyGame, seen: State, state: State) -> bool:
    return len(state.stack) <= len(seen.stack) and game.judge.elapsed(state) != game.judge.elapsed(seen)
