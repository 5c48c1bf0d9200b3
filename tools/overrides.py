"""Tells what comes of the plans that a planner prefers to a captain's play, beside what they promised.

    python tools/overrides.py target-arnhem               20 parts of a turn that it plays in another way
    python tools/overrides.py bulge "" 10 general         so many, of a level

Positions are those of captains' games in which a part begins and nothing is decided. Both ways are played on by
captains, on dice that the planner has not seen, and judged where the seat's next parts begin, without the luck of the
rolls. A plan for a whole turn is followed until the turn ends.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import fmean, stdev

from salient import bots, load
from salient.bots.captain import Captain
from salient.bots.memory import stage_of
from salient.bots.planner import Intent, Planner
from salient.bots.playout import luck_of, rolled
from salient.bots.value import win_probability
from salient.kernel import CHANCE, OVER, Action, AnyGame, SeededDice, Session, State, actor, step

OPEN = (0.1, 0.9)  # chances between which a game is not decided
EVERY = 5  # parts from one position to the next
ROWS = range(1000, 1006)  # of dice, none of which a planner uses
PARTS = 7  # of the seat, after which both ways are judged


def positions(game: AnyGame, scenario: str) -> Iterator[State]:
    """Where parts of captains' games begin that are still open, one in so many."""
    count = 0
    for number in range(100):
        session = Session(game, SeededDice(f"overrides {number}"), scenario, {}, {}, "overrides")
        minds = {seat: bots.make("captain", game, seat, number) for seat in game.seats}
        known: tuple[object, ...] = ()
        while session.actor != OVER:
            if session.actor == CHANCE:
                session.roll()
                continue
            part = (session.actor, *stage_of(game, session.state)[:2])
            if part != known and OPEN[0] < win_probability(game, session.state, session.actor) < OPEN[1]:
                count += 1
                if count % EVERY == 0:
                    yield session.state
            known = part
            session.play(session.actor, minds[session.actor].choose(session.state).action)


class Course:
    """How a position is played on, on a row of dice: the part or the turn at hand by a plan, all else by captains."""

    def __init__(self, planner: Planner, seen: State, plan: Intent, row: int) -> None:
        self.game, self.seat, self.row = planner.game, planner.seat, row
        self.minds = {seat: Captain(self.game, seat, row) for seat in self.game.seats}
        self.hand = Captain(self.game, self.seat, row)
        self.hand.follow(planner.opinion_of(plan))
        self.state, self.luck = seen, 0.0
        self.part = stage_of(self.game, seen)[:2]
        self.turn = planner.turn
        self.deeds: list[Action] = []  # of the part at hand

    def played(self, parts: int) -> list[float]:
        """The chances where each of the seat's next parts begins, without the luck of the rolls; the last one stays."""
        found: list[float] = []
        known, is_first = self.part, True
        while len(found) < parts and actor(self.state) != OVER:
            who, part = actor(self.state), stage_of(self.game, self.state)[:2]
            is_first = is_first and (who == CHANCE or self._is_led(part))
            if who == CHANCE:
                self._roll()
                continue
            if who == self.seat and part != known:
                known = part
                found.append(self._chances())
            led = is_first and who == self.seat
            self._act(self.hand if led else self.minds[who], led)
        return found + [self._chances()] * (parts - len(found))

    def _is_led(self, part: tuple[object, ...]) -> bool:
        return part == self.part or self.game.stage(self.state).turn == self.turn

    def _chances(self) -> float:
        return win_probability(self.game, self.state, self.seat) - self.luck

    def _roll(self) -> None:
        before, self.state = self.state, step(self.state, rolled(self.game, self.state, self.row), trusted=True)
        self.luck += luck_of(self.game, before, self.state, self.seat)[0]

    def _act(self, mind: Captain, led: bool) -> None:
        action = mind.choose(self.state).action
        if led:
            self.deeds.append(action)
        self.state = step(self.state, action, trusted=True)


def compared(planner: Planner, seen: State) -> list[float] | None:
    """What the plan gains after each of the seat's next parts, on average; None if it is played as a captain would."""
    gains = []
    for row in ROWS:
        plan, plain = (Course(planner, seen, each, row) for each in (planner.plan, Intent()))
        after = [course.played(PARTS) for course in (plan, plain)]
        if row == ROWS[0] and plan.deeds == plain.deeds:
            return None
        gains.append([with_plan - without for with_plan, without in zip(*after, strict=True)])
    return [fmean(each) for each in zip(*gains, strict=True)]


def told(name: str, values: Sequence[float]) -> str:
    """A mean and its 95 per cent error, in points of a hundred."""
    error = 196 * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{name} {100 * fmean(values):+.1f} (± {error:.1f})"


def main(name: str, scenario: str = "", most: int = 20, level: str = "planner") -> None:
    """Print a line for each part that is played in another way, and the averages so far."""
    game = load(name)
    gains: list[list[float]] = []
    promised: list[float] = []
    asked = 0
    for state in positions(game, scenario):
        planner = bots.make(level, game, actor(state), asked)
        assert isinstance(planner, Planner), "only planners have plans"
        asked += 1
        seen = planner.imagine(state)
        planner.choose(state)
        planner.close()
        considered = planner.considered
        found = compared(planner, seen) if planner.plan != Intent() and Intent() in considered else None
        if found is None:
            continue
        gains.append(found)
        promised.append(considered[planner.plan] - considered[Intent()])
        print(f"{game.view.heading(state)}: {planner.plan}: " + " ".join(f"{each:+.3f}" for each in found))
        means = [told(f"after {i + 1}:", [each[i] for each in gains]) for i in range(PARTS)]
        print(f"  {len(gains)} of {asked}: {told('promised', promised)}; {', '.join(means)}", flush=True)
        if len(gains) >= most:
            return


if __name__ == "__main__":
    main(*sys.argv[1:3], *map(int, sys.argv[3:4]), *sys.argv[4:5])
