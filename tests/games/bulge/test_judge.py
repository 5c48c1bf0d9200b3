"""What the computer players see: what was mended equals what is counted afresh, to the last digit."""

from __future__ import annotations

import random

import pytest

from games.bulge.positions import GROUND, position
from salient import load
from salient.games.bulge.components import ALLIED, AXIS, INFANTRY
from salient.games.bulge.model import put
from salient.games.bulge.survey import survey
from salient.kernel import OVER, actor
from salient.lab.playouts import random_states

GAME = load("bulge")


def afresh(s):
    s = s.clone()
    s.clear_caches()
    return s


@pytest.mark.parametrize(("seed", "share"), [(0, 1.0), (1, 0.3), (2, 0.05)])
def test_a_mended_survey_equals_a_fresh_one(seed, share):
    """Looked at always or now and then, so that few or many pieces have changed in between."""
    rng = random.Random(seed)
    looked = 0
    for s in random_states(GAME, seed, "historical", 2000):
        if rng.random() < share and actor(s) != OVER:
            assert GAME.judge.features(s, "axis") == GAME.judge.features(afresh(s), "axis")
            assert s.surveyed == survey(afresh(s))
            looked += 1
    assert looked > 25


def test_pieces_moved_off_and_on_again_leave_no_trace():
    s = GAME.new()
    before = survey(s)
    h = next(h for h, squares in before.hosts[AXIS].pieces.items() if squares[INFANTRY])
    put(s, AXIS, INFANTRY, h, 2)
    assert survey(s).hosts[AXIS].influence > before.hosts[AXIS].influence
    assert survey(s).prospects[AXIS].fed[h] > before.prospects[AXIS].fed[h]
    put(s, AXIS, INFANTRY, h, -2)
    assert survey(s) == before


def test_the_front_line_decides_who_can_pay():
    """Tokens behind the enemy's front pay for nobody next to them, though no piece has moved."""
    s = GAME.new()
    before = survey(s)
    s.control = s.control & ~GROUND.axis_start
    after = survey(s)
    assert after.hosts == before.hosts
    assert after.prospects[AXIS].payers != before.prospects[AXIS].payers
    assert after == survey(afresh(s))


def test_infantry_beside_the_enemy_threatens_him():
    s = GAME.new()
    before = survey(s).prospects[ALLIED]
    h = min(h for h in range(len(GROUND.board)) if before.able >> h & 1)
    put(s, ALLIED, INFANTRY, h, 1)
    assert survey(s).prospects[ALLIED].threats[h] > before.threats[h]


# ---- towns open to a breakthrough ------------------------------------------------------------------------------


def features(lines: str, stack: str = "Turn(allied-movement) Movement(1,0) Activate(1)") -> dict[str, float]:
    table = position(f"0105 allied-infantry 1, allied-supply 1\n{lines}", stack)
    return GAME.judge.features(table.state, "axis")


TANKS = "0607 axis-tank 20, axis-infantry 4, axis-supply 3\n0606 allied-infantry 1"


def test_a_garrison_behind_the_front_closes_a_town():
    """The one man in 0606 will not stop the tanks; 0605 behind him, two points, lies open until somebody is there."""
    alone, garrisoned = features(TANKS), features(f"{TANKS}\n0605 allied-infantry 1")
    assert alone["exposed"] - garrisoned["exposed"] == pytest.approx(0.8 * 2)  # turn 2: 0.6 + 0.8 * 2 / 8
    assert alone["peril"] > garrisoned["peril"]
    assert alone["raids"] == garrisoned["raids"]


@pytest.mark.parametrize(("garrison", "holds"), [(1, False), (6, True)])
def test_two_tanks_drive_out_one_man_and_not_six(garrison, holds):
    lines = f"0607 axis-tank 2, axis-supply 3\n0606 allied-infantry {garrison}\n0105 allied-infantry 1, allied-supply 1"
    state = position(lines, "Turn(allied-movement) Movement(1,0) Activate(1)").state
    assert (not survey(state).weak) is holds


def test_tanks_without_supply_open_nothing():
    assert features(TANKS.replace(", axis-supply 3", ""))["exposed"] == 0


def test_a_truck_that_brings_a_garrison_closes_a_town():
    stack = "Turn(allied-reinforcement) Convoys(1,0) Trucks(1)"
    driven = f"{TANKS}\n0605 allied-truck 1"
    empty, loaded = features(driven, stack), features(f"{driven}\naboard 0605 infantry=2", stack)
    assert loaded["exposed"] < empty["exposed"]
    assert features(f"{driven}\naboard 0605 supply=2", stack)["exposed"] == empty["exposed"]
