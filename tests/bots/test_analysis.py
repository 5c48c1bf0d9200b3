"""The analysis finds what cost a game, and does not blame what was best."""

from __future__ import annotations

import pytest

from salient import load
from salient.bots.analysis import analyse, judged
from salient.bots.captain import Captain
from salient.kernel import Record, SeededDice, Session
from salient.lab.simulate import Match, play_one

GAME = load("target-arnhem")
POSITION = """
position target-arnhem
turn {turn}
points wehrmacht=4 ss=2 1abn=4 82abn=0 101abn=0
{units}
stack Turn(allied-impulse-1) EndOfImpulse(0) Impulse({side})
"""

BLUNDERS = [  # turn, units, side, what was played
    (8, "0103 69\n1504 1Para\n1605 406\n1505 Kerutt", 0, "move 1Para 1503"),
    (9, "0103 69\n1504 1Para, 1Airl\n1605 406", 0, "move 1Para 1503"),
]


@pytest.mark.parametrize(("turn", "units", "side", "played"), BLUNDERS)
def test_a_garrison_that_walks_out_of_arnhem_is_a_mistake(turn, units, side, played):
    state = GAME.read_position(POSITION.format(turn=turn, units=units, side=side))
    mistake = judged(GAME, state, GAME.read(played))
    assert mistake is not None
    assert mistake.cost > 0.02
    assert mistake.better != mistake.played


def test_what_the_captain_plays_is_no_mistake():
    state = GAME.read_position(POSITION.format(turn=8, units=BLUNDERS[0][1], side=0))
    assert judged(GAME, state, Captain(GAME, "allied", "analysis").choose(state).action) is None


def test_luck_and_skill_add_up_to_the_result():
    played = play_one(Match("target-arnhem", ("random", "random"), seed=5), 0)
    found = analyse(GAME, Record.parse(played.record))
    assert found.winner == played.winner
    assert found.points[0].share + found.luck + found.skill == pytest.approx(float(played.winner == "allied"))
    assert [point.ply for point in found.points] == sorted({point.ply for point in found.points})


def test_a_game_that_has_not_begun_has_nothing_to_analyse():
    session = Session(GAME, SeededDice(1), "", {}, {}, "empty")
    found = analyse(GAME, Record.parse(session.record().text()))
    assert found.worst == ()
    assert found.winner is None
