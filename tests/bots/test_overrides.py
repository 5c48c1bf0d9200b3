"""`tools/overrides.py`: what comes of a plan beside a captain's play, on the same dice and without their luck."""

from __future__ import annotations

import pytest
from tools.overrides import PARTS, Course, compared, told

from salient import bots, load
from salient.bots.planner import Intent
from salient.kernel import OVER, Order, actor

ARNHEM = load("target-arnhem")
POSITION = """
position target-arnhem
turn {turn}
points wehrmacht=4 ss=0 1abn=2 82abn=0 101abn=0
0103 69
1404 1Para
1504 Kussin
stack Turn(allied-impulse-1) EndOfImpulse(0) Impulse(0)
"""


def planner_with(plan):
    planner = bots.make("planner", ARNHEM, "allied", 1)
    planner.plan = plan
    return planner


def test_the_same_plan_is_no_other_way():
    state = ARNHEM.read_position(POSITION.format(turn=9))
    assert compared(planner_with(Intent()), state) is None
    courses = [Course(planner_with(Intent()), state, Intent(), 3) for _ in range(2)]
    assert courses[0].played(2) == courses[1].played(2)
    assert courses[0].deeds == courses[1].deeds != []


def test_another_way_is_judged_after_each_of_the_next_parts():
    """Told to take Eindhoven, the only brigade leaves the hex where all others come in: that costs chances at once."""
    state = ARNHEM.read_position(POSITION.format(turn=4))
    order = Order("xxx", "attack", ARNHEM.notation.kinds["hex"].read("0503"))
    gains = compared(planner_with(Intent("plain", (order,))), state)
    assert gains is not None
    assert len(gains) == PARTS
    assert gains[0] < -0.05


def test_a_course_ends_with_the_game_and_its_luck_is_taken_off():
    course = Course(planner_with(Intent()), ARNHEM.read_position(POSITION.format(turn=9)), Intent(), 5)
    values = course.played(PARTS)
    assert actor(course.state) == OVER
    winner = ARNHEM.result(course.state).winner
    assert values[-1] == pytest.approx(float(winner == "allied") - course.luck)


def test_means_are_told_in_points_with_their_error():
    assert told("after 1:", [0.01, 0.03]) == "after 1: +2.0 (± 2.0)"
    assert told("after 1:", [0.05]) == "after 1: +5.0 (± 0.0)"
