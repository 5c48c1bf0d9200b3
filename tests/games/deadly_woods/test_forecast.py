"""The forecast of a combat is what the engine does: every die of random combats is rolled to its end (T-86)."""

from __future__ import annotations

import random

import pytest

from games.deadly_woods.positions import PLAIN_GAME, UNITS
from salient.common.odds import ADVANCE, CLEARED, HOLDS, Way
from salient.common.stacks import occupied, units_at
from salient.games.deadly_woods.combat import CombatRoll, odds, result_of
from salient.games.deadly_woods.losses import Lose
from salient.games.deadly_woods.model import WoodsState
from salient.games.deadly_woods.results import Advance, Convert
from salient.games.deadly_woods.retreats import Stand
from salient.games.deadly_woods.view import forecast
from salient.kernel import CHANCE, OVER, Action, SeededDice, Session, candidates, settle

COMBATS = 30


def combats(seed: int) -> list[WoodsState]:
    """Positions of a random game in which the die of a combat is about to fall."""
    game, chosen = PLAIN_GAME, random.Random(seed)
    session = Session(game, SeededDice(seed))
    found: list[WoodsState] = []
    while session.actor != OVER and len(found) < COMBATS:
        if session.actor == CHANCE:
            state = session.state
            assert isinstance(state, WoodsState)
            if isinstance(state.stack[-1], CombatRoll):
                found.append(state)
            session.roll()
            continue
        actions = game.judge.candidates(session.state)
        fights = [action for action in actions if action[0] in ("attack", "join", "resolve")]
        session.play(session.actor, chosen.choice(fights or actions))
    return found


def ended(s: WoodsState, die: int) -> tuple[int, int, str]:
    """The losses of both sides and the end of a combat that is played out, every retreat made."""
    frame = s.stack[-1]
    assert isinstance(frame, CombatRoll)
    floor, lost = len(s.stack) - 1, [0, 0]

    def after(now: WoodsState, action: Action) -> WoodsState:
        then = now.clone()

        def count(rule: str, key: str, **args: object) -> None:
            if rule != "6.2" and key in ("loses-step", "eliminated", "cannot-retreat-lost"):
                u = int(str(args["unit"]))
                steps = UNITS.steps[u] - then.lost[u] if key == "cannot-retreat-lost" else 1
                lost[UNITS.side[u] != frame.side] += steps

        then.stack[-1].apply(then, action, count)
        settle(then, count, floor=floor)
        return then

    s = after(s, ("roll", die))
    while len(s.stack) > floor and not isinstance(s.stack[-1], Advance):
        s = after(s, answer(s, frame.side))
    if occupied(s, 1 - frame.side) >> frame.hex & 1:
        return lost[0], lost[1], HOLDS
    return lost[0], lost[1], ADVANCE if len(s.stack) > floor else CLEARED


def answer(s: WoodsState, side: int) -> Action:
    """No conversion, no stand, no demolition; losses fall where most steps are left."""
    frame = s.stack[-1]
    if isinstance(frame, (Convert, Stand)):
        return ("pass",)
    if isinstance(frame, Lose):
        return ("lose", max(frame.units, key=lambda u: UNITS.steps[u] - s.lost[u]))
    choices = candidates(s)
    return next((action for action in choices if action in (("pass",), ("done",))), choices[0])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_die_ends_as_forecast(seed: int) -> None:
    """Losses of both sides and the end of a combat, through exchanges and retreats."""
    for s in combats(seed):
        frame = s.stack[-1]
        assert isinstance(frame, CombatRoll)
        b = frame.battle
        defenders = units_at(s, b.hex)
        for die in range(1, 7):
            way = forecast(s, b, result_of(s, b, odds(s, b).column, die), defenders)
            assert way == Way(way.result, *ended(s, die)), die
