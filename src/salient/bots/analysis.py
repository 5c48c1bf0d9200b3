"""The analysis of a finished game: how the chances went, luck and skill apart, and the decisions that cost most.

Luck is what a roll gave beyond what it promised on average. A decision is compared with the one that a captain would
have made, and with its second and third best: all are played out with the enemy's reply on the same dice, so that no
die speaks for or against it. To take a unit in hand and to move it is one decision, and so is an attack with all that
join it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from salient.bots.captain import Captain
from salient.bots.lookahead import Lookahead, Node, Outlook, takes_in_hand
from salient.bots.opinion import Opinion, Reasons
from salient.bots.playout import Horizon, Rehearsal, luck_of
from salient.bots.value import win_probability
from salient.kernel import CHANCE, Action, AnyGame, Record, Seat, State, actor, candidates, settle, step

SUSPECTS = 10  # decisions that are played out
OTHERS = 3  # decisions that each is compared with
PICKING, TELLING = range(2), range(2, 6)  # rows of dice: to find the best of those, and to compare it
MOST = 4_000  # evaluations, beyond which a playout is shortened
WIN = "win"
WORST = 3  # decisions that are told
LEAST_COST = 0.01  # of the probability of winning where both are as likely to win, less where a game is decided

Progress = Callable[[int, int], None]
Deed = tuple[Action, ...]  # a decision: what takes something in hand, and what is done with it


@dataclass(frozen=True)
class Point:
    """The first seat's chances where a phase begins."""

    ply: int
    heading: str
    share: float


@dataclass(frozen=True)
class Mistake:
    """A decision, what it cost of the probability of winning, and what was better, with its reasons."""

    ply: int
    heading: str
    seat: Seat
    played: Action
    better: Action
    cost: float
    reasons: Reasons


@dataclass(frozen=True)
class Analysis:
    """What there is to say about a game. Luck and skill are the first seat's, in shares of a game."""

    winner: Seat | None
    points: tuple[Point, ...]
    luck: float
    skill: float
    worst: tuple[Mistake, ...]


@dataclass(frozen=True)
class _Suspect:
    ply: int
    state: State
    played: Deed
    others: tuple[Deed, ...]  # a captain's choice, and what it found second and third best
    regret: float
    reasons: Reasons


def analyse(game: AnyGame, record: Record, tell: Progress = lambda done, total: None) -> Analysis:
    """Look at every decision and every roll of a record."""
    steps = list(_steps(game, record))
    total = len(steps) + SUSPECTS
    first = game.seats[0]
    captains = {seat: Captain(game, seat, "analysis") for seat in game.seats}
    points: list[Point] = []
    suspects: list[_Suspect] = []
    luck, heading, decided = 0.0, "", 0
    for ply, (state, action) in enumerate(steps):
        if game.view.heading(state) != heading and actor(state) != CHANCE:
            heading = game.view.heading(state)
            points.append(Point(ply, heading, win_probability(game, state, first)))
        if actor(state) == CHANCE:
            luck += luck_of(game, state, step(state, action, trusted=True), first)[0]
        elif ply >= decided:
            deed = _deed(steps, ply)
            decided = ply + len(deed)
            suspects += _suspect(captains[actor(state)], ply, state, deed)
        tell(ply + 1, total)
    last = step(steps[-1][0], steps[-1][1], trusted=True) if steps else record.start(game)
    end = win_probability(game, last, first)
    points.append(Point(len(steps), game.view.heading(last), end))
    result = game.result(last)
    suspects.sort(key=lambda suspect: -suspect.regret)
    worst: list[Mistake] = []
    for number, suspect in enumerate(suspects[:SUSPECTS]):
        worst += _mistake(game, suspect)
        tell(len(steps) + number + 1, total)
    worst.sort(key=lambda mistake: -mistake.cost)
    skill = end - points[0].share - luck
    return Analysis(result.winner if result else None, tuple(points), luck, skill, tuple(worst[:WORST]))


def _steps(game: AnyGame, record: Record) -> Iterator[tuple[State, Action]]:
    state = record.start(game)
    for move in record.moves:
        action = game.read(move.text)
        yield state, action
        state = step(state, action, trusted=True)


def _deed(steps: Sequence[tuple[State, Action]], ply: int) -> Deed:
    """The actions of the decision that begins at a ply."""
    last = ply
    while last + 1 < len(steps) and takes_in_hand(steps[ply][0], steps[last + 1][0]):
        last += 1
    return tuple(action for _, action in steps[ply : last + 1])


def _suspect(captain: Captain, ply: int, state: State, played: Deed) -> Iterator[_Suspect]:
    """The decision, if a captain makes another one; if both begin alike, what follows is looked at."""
    captain.plan = []
    choice = captain.choose(state) if len(candidates(state)) > 1 else None
    known = captain.memory.ranked(state)
    captain.memory.played(played[0])
    if choice is None or choice.action == played[0]:
        if len(played) > 1:
            yield from _suspect(captain, ply + 1, step(state, played[0], trusted=True), played[1:])
        return
    firsts = [each for each in known if each not in (choice.action, played[0])][: OTHERS - 1]
    better = _begun(captain, state, choice.action)
    regret = _promise(captain.opinion, state, better) - _promise(captain.opinion, state, played)
    yield _Suspect(ply, state, played, (better, *((each,) for each in firsts)), regret, choice.reasons)


def _begun(captain: Captain, state: State, action: Action) -> Deed:
    """A captain's decision that an action begins, as far as it is planned."""
    deed, now = [action], step(state, action, trusted=True)
    for _, planned in captain.plan:
        if not takes_in_hand(state, now):
            break
        deed.append(planned.action)
        now = step(now, planned.action, trusted=True)
    return tuple(deed)


def judged(game: AnyGame, state: State, *played: Action) -> Mistake | None:
    """A single decision: what it cost if another was better."""
    captain = Captain(game, actor(state), "analysis")
    found = [mistake for suspect in _suspect(captain, 0, state, played) for mistake in _mistake(game, suspect)]
    return found[0] if found else None


def _promise(opinion: Opinion, state: State, deed: Deed) -> float:
    """How likely the seat wins once what a decision sets off is over, dice averaged."""
    look = _Chances(opinion, state)
    *begun, action = deed
    for each in begun:
        state = step(state, each, trusted=True)
    after = look.after(state, action)
    ends = not begun and state.stack[-1].ending(action) and after.over
    return (look.judge(look.here) if ends else look.outlook(after)).parts[WIN]


class _Chances(Lookahead):
    """Looks ahead as ever, and averages the probability of winning instead of the features."""

    def judge(self, node: Node) -> Outlook:
        share = win_probability(self.game, _settled(node.state), self.seat)
        return super().judge(node)._replace(parts={WIN: share})


def _settled(leaf: State) -> State:
    """Where the play goes on from a position in which the look ahead stopped: at the next decision or roll."""
    on = leaf.clone()
    settle(on)
    return on


def _mistake(game: AnyGame, suspect: _Suspect) -> Iterator[Mistake]:
    """The suspect, if the enemy's reply bears it out on the same dice, beyond the doubt that they leave.

    What it is compared with was the best of some on the first rows; only the other rows count.
    """
    seat, state = actor(suspect.state), suspect.state
    quick, horizon = _affordable(game, suspect)
    deeds = (suspect.played, *suspect.others)
    rehearsals = {deed: Rehearsal(state, Opinion(game, seat), quick=quick) for deed in deeds}

    def promises(deed: Deed, rows: Iterable[int]) -> list[float]:
        return [rehearsals[deed].on(row, deed, horizon).promise for row in rows]

    best = max(suspect.others, key=lambda deed: fmean(promises(deed, PICKING)))
    better, played = (promises(deed, TELLING) for deed in (best, suspect.played))
    costs = [one - other for one, other in zip(better, played, strict=True)]
    cost, share = fmean(costs), fmean(better)
    if cost >= LEAST_COST * 4 * share * (1 - share) and cost > stdev(costs) / sqrt(len(costs)):
        heading = game.view.heading(state)
        told = [max(deed, key=len) for deed in (suspect.played, best)]  # the action that says most
        reasons = suspect.reasons if best == suspect.others[0] else []
        yield Mistake(suspect.ply, heading, seat, told[0], told[1], cost, reasons)


def _affordable(game: AnyGame, suspect: _Suspect) -> tuple[bool, Horizon]:
    """Whether replies must be quick, and how far playouts of a decision can go."""
    for quick in (False, True):
        rehearsal = Rehearsal(suspect.state, Opinion(game, actor(suspect.state)), quick=quick)
        horizon = rehearsal.on(0, suspect.played, most=MOST).horizon
        if horizon.replying:
            break
    return quick, horizon
