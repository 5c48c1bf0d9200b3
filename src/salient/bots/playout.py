"""Playing a position out: by opinions of both sides, until it is the seat's turn again, with the luck taken out.

What a roll gives beyond its average is taken off what the playout promises, as backgammon programs do. That changes
nothing on average, and leaves much less of the promise to the dice.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from math import inf

from salient.bots.captain import Captain
from salient.bots.chance import MOST_OUTCOMES, outcomes
from salient.bots.greedy import Greedy
from salient.bots.memory import stage_of
from salient.bots.opinion import Opinion
from salient.bots.player import Player
from salient.bots.value import win_probability
from salient.kernel import CHANCE, OVER, Action, AnyGame, ChanceFrame, Seat, SeededDice, State, actor, step

LONGEST = 400  # decisions


def play_out(
    seen: State,
    opinion: Opinion,
    row: int,
    first: Sequence[Action] = (),
    replies: Mapping[Seat, Opinion] | None = None,
    quick: bool = False,
    deadline: float = inf,
) -> float:
    """How likely a seat wins by an opinion once all has been played until its next turn, luck taken out.

    The opinion is for the part of a turn that is in question; what comes later is played by the game's own weights,
    replies by those that are given; if it must be quick, by greedy players. `row` names the dice: the same fight falls
    the same in every position that is played out with it. `first` are the actions to begin with.
    """
    game, seat, stage = opinion.game, opinion.seat, stage_of(opinion.game, seen)
    own, others = _player(opinion, row), {}
    for each in game.seats:
        others[each] = _player((replies or {}).get(each) or Opinion(game, each), row, quick)
    state = seen
    for action in first:
        state = step(state, action, trusted=True)
    luck = 0.0
    for count in range(LONGEST):
        who = actor(state)
        if who == OVER or time.monotonic() >= deadline:
            break
        if count and who == seat and _is_next_turn(game, seen, state):
            break
        if who == CHANCE:
            before, state = state, step(state, rolled(game, state, row), trusted=True)
            luck += luck_of(game, before, state, seat)
        else:
            planned = who == seat and stage_of(game, state)[: len(stage)] == stage
            state = step(state, (own if planned else others[who]).choose(state).action, trusted=True)
    opinion.asked += sum(player.opinion.asked for player in others.values())
    return win_probability(game, state, seat) - luck


def _player(opinion: Opinion, row: int, quick: bool = False) -> Player:
    if quick:
        greedy = Greedy(opinion.game, opinion.seat, row)
        greedy.opinion = opinion
        return greedy
    captain = Captain(opinion.game, opinion.seat, row)
    captain.follow(opinion)
    return captain


def rolled(game: AnyGame, state: State, row: int) -> Action:
    """The roll that is due, by the name of a row of dice, by what is rolled for and when."""
    frame = state.stack[-1]
    assert isinstance(frame, ChanceFrame)
    return frame.sample(state, SeededDice(f"{row} {frame!r} {game.judge.elapsed(state)}"))


def luck_of(game: AnyGame, before: State, after: State, seat: Seat) -> float:
    """What a roll gave a seat beyond its average; nothing is said of a roll with very many outcomes."""
    following = outcomes(before)
    if len(following) > MOST_OUTCOMES:
        return 0.0
    return win_probability(game, after, seat) - sum(
        share * win_probability(game, each, seat) for share, each in following
    )


def _is_next_turn(game: AnyGame, seen: State, state: State) -> bool:
    return len(state.stack) <= len(seen.stack) and game.judge.elapsed(state) != game.judge.elapsed(seen)
