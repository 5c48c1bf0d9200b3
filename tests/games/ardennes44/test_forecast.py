"""The forecast of a combat is what the engine does: every die of random combats is rolled to its end (T-85, T-86)."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from games.ardennes44.positions import TABLES, UNITS
from salient import load
from salient.common.odds import ADVANCE, CLEARED, ENGAGED, HOLDS, Way, Ways
from salient.common.stacks import occupied, units_at
from salient.games.ardennes44.advances import Advance
from salient.games.ardennes44.gambles import Forecast, _with_loss
from salient.games.ardennes44.losses import Lose
from salient.games.ardennes44.model import ArdennesState, steps_left
from salient.games.ardennes44.results import Determined, Firefight, FirefightRoll, StandRoll
from salient.games.ardennes44.strengths import Battle, odds, result_of
from salient.games.ardennes44.support import CombatRoll
from salient.kernel import CHANCE, OVER, Action, SeededDice, Session, candidates, settle

COMBATS = 25


def combats(seed: int) -> list[ArdennesState]:
    """Positions of a random game in which the die of a combat is about to fall."""
    game, chosen = load("ardennes44"), random.Random(seed)
    session = Session(game, SeededDice(seed), "six-turns")
    found: list[ArdennesState] = []
    while session.actor != OVER and len(found) < COMBATS:
        if session.actor == CHANCE:
            state = session.state
            assert isinstance(state, ArdennesState)
            if isinstance(state.stack[-1], CombatRoll):
                found.append(state)
            session.roll()
            continue
        actions = game.judge.candidates(session.state)
        fights = [action for action in actions if action[0] in ("attack", "join", "resolve")]
        session.play(session.actor, chosen.choice(fights or actions))
    return found


class Walk:
    """Plays a combat as a way says, and compares."""

    def __init__(self, s: ArdennesState, b: Battle) -> None:
        self.battle = b
        self.floor = len(s.stack) - 1
        self.lost = [0, 0]  # steps of the attacker and of the defender

    def after(self, s: ArdennesState, action: Action) -> ArdennesState:
        then = s.clone()

        def count(rule: str, key: str, **args: object) -> None:
            if rule != "8.3" and key in ("loses-step", "leaves-remnant", "eliminated"):
                u = int(str(args["unit"]))
                self.lost[UNITS.side[u] != self.battle.side] += steps_left(then, u) if key == "eliminated" else 1

        then.stack[-1].apply(then, action, count)
        settle(then, count, floor=self.floor)
        return then

    def over(self, s: ArdennesState) -> bool:
        return len(s.stack) <= self.floor or isinstance(s.stack[-1], Advance)

    def follow(self, s: ArdennesState, way: Way) -> None:
        """Decide until the next die or the end, and compare losses and end."""
        while not self.over(s) and not isinstance(s.stack[-1], (FirefightRoll, StandRoll)):
            s = self.after(s, self.answer(s, way))
        assert self.lost == [way.attacker, way.defender], way
        if way.then:
            self.roll(s, way.then)
        else:
            assert self.end(s) == way.end, way

    def roll(self, s: ArdennesState, ways: Ways) -> None:
        """Roll every face; each belongs to one of the ways, as often as it says."""
        shares: dict[Way, Fraction] = {}
        for die in range(1, 7):
            self.lost = [0, 0]
            then = self.after(s, ("roll", die))
            way = _meant(s, ways, die)
            self.follow(then, way)
            shares[way] = shares.get(way, Fraction(0)) + Fraction(1, 6)
        assert shares == {way: share for share, way in ways}

    def answer(self, s: ArdennesState, way: Way) -> Action:
        frame = s.stack[-1]
        lead = UNITS.ids.index(way.lead) if way.lead else -1
        if isinstance(frame, Firefight):
            return ("lead", lead)
        if isinstance(frame, Determined):
            return ("stand", lead) if lead >= 0 else ("pass",)
        if isinstance(frame, Lose) and UNITS.side[frame.units[0]] != self.battle.side:
            after = _with_loss(s, self.battle.hex)
            return next(("lose", u) for u in frame.units if after.lost[u] != s.lost[u] or after.where[u] != s.where[u])
        return candidates(s)[0]

    def end(self, s: ArdennesState) -> str:
        if not occupied(s, 1 - self.battle.side) >> self.battle.hex & 1:
            return ADVANCE if not len(s.stack) <= self.floor else CLEARED
        return ENGAGED if all(s.engaged >> u & 1 for u in units_at(s, self.battle.hex)) else HOLDS


def _meant(s: ArdennesState, ways: Ways, die: int) -> Way:
    """The way of a face, by the words of its result."""
    said: list[str] = []

    def listen(rule: str, key: str, **args: object) -> None:
        if key in ("combat-result", "firefight-result"):
            said.append(str(args["word_result"]))
        elif key.startswith("stand-"):
            said.append(key)

    then = s.clone()
    then.stack[-1].apply(then, ("roll", die), listen)
    return next(way for _, way in ways if way.result == said[0])


@pytest.mark.parametrize("seed", [1, 5, 7])
def test_every_die_ends_as_forecast(seed: int) -> None:
    """Losses of both sides and the end of a combat, through firefights, stands, exchanges, retreats and evasions."""
    for s in combats(seed):
        frame = s.stack[-1]
        assert isinstance(frame, CombatRoll)
        column = odds(s, frame.battle).column
        forecast = Forecast(s, frame.battle).ways(result_of(TABLES, column, die) for die in range(1, 7))
        Walk(s, frame.battle).roll(s, forecast)
