"""What the computer players see: counted piece by piece, the same for both sides, and only legal actions weighed."""

from __future__ import annotations

import random

import pytest

from games.deadly_woods.positions import GROUND, PLAIN_GAME, UNITS, stage
from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import put
from salient.games.deadly_woods.lines import kept
from salient.games.deadly_woods.model import set_lost
from salient.games.deadly_woods.results import Convert
from salient.games.deadly_woods.supply import supplied_hexes
from salient.games.deadly_woods.survey import survey
from salient.hexes.masks import bits
from salient.kernel import OVER, actor, legal
from salient.lab.playouts import random_states


def fresh(s):
    s = s.clone()
    s.surveyed = None
    return survey(s)


@pytest.mark.parametrize("seed", range(3))
def test_a_mended_survey_equals_a_fresh_one(seed):
    """Surveyed only now and then, so that many pieces have changed in between."""
    rng = random.Random(seed)
    looked = 0
    for s in random_states(PLAIN_GAME, seed, "attack", 3000):
        if rng.random() < 0.05:
            assert survey(s) == fresh(s)
            looked += 1
    assert looked > 50


def test_pieces_moved_off_and_on_again_leave_no_trace():
    s = PLAIN_GAME.new("attack", {})
    before = survey(s)
    u, home = UNITS.index["99/393"], s.where[UNITS.index["99/393"]]
    put(s, u, GROUND.eliminated)
    assert survey(s).losses[ALLIED] > before.losses[ALLIED]
    put(s, u, home)
    set_lost(s, u, 1)
    assert survey(s) != before
    set_lost(s, u, 0)
    assert survey(s) == before


def test_what_one_side_gains_the_other_loses():
    for s in random_states(PLAIN_GAME, 5, "attack", 400):
        if actor(s) == OVER:
            break
        german, allied = (PLAIN_GAME.judge.features(s, seat) for seat in ("german", "allied"))
        assert german == {name: -value for name, value in allied.items()}


def test_only_legal_actions_are_weighed():
    narrowed = 0
    for s in random_states(PLAIN_GAME, 6, "attack", 1500):
        actions = legal(s)
        chosen = PLAIN_GAME.judge.candidates(s)
        assert set(chosen) <= set(actions)
        assert bool(chosen) == bool(actions)
        narrowed += len(chosen) < len(actions)
    assert narrowed > 50


def test_a_victory_hex_is_worth_more_than_anything_near_it():
    s = PLAIN_GAME.new("attack", {})
    target = next(h for h in bits(GROUND.victory) if GROUND.board.adjacent[h])
    before = PLAIN_GAME.judge.evaluate(s, "german")
    s.german_held |= 1 << target
    put(s, UNITS.index["1SS/Peiper"], target)
    assert s.where[UNITS.index["1SS/Peiper"]] == target
    assert UNITS.side[UNITS.index["1SS/Peiper"]] == GERMAN
    assert PLAIN_GAME.judge.evaluate(s, "german") > before


def test_peiper_finds_his_fuel_and_a_road_is_worth_more_than_a_step():
    """Fuel counts on the first two turns, half while the way to it is open; no retreat is turned into losses."""
    s = PLAIN_GAME.new("attack", {})
    closed = PLAIN_GAME.judge.features(s, "german")["fuel"]
    s.fuel = 1
    assert PLAIN_GAME.judge.features(s, "german")["fuel"] == 1.0 > closed
    s.turn = 3
    assert PLAIN_GAME.judge.features(s, "german")["fuel"] == 0.0
    s.stack = (Convert(GERMAN, GROUND.board.index["3609"], (UNITS.index["1SS/Peiper"],), "DR"),)
    assert PLAIN_GAME.judge.candidates(s) == [("pass",)]


# ---- supply lines ----------------------------------------------------------------------------------------------

RAIDED = "2519 2Pz/3\n2815 10A/CCA"  # a combat command to the north-east of Bastogne, nobody on the road


@pytest.mark.parametrize(("guard", "is_kept"), [("", False), ("\n2717 26VG/39", True), ("\n3110 26VG/39", False)])
def test_a_guard_on_the_road_keeps_it(guard, is_kept):
    """2617 is in supply; the combat command could slip in, unless somebody's zone of control bars the way."""
    s = stage(RAIDED + guard)
    h = GROUND.board.index["2617"]
    assert supplied_hexes(s, GERMAN) >> h & 1
    assert bool(kept(s) >> h & 1) is is_kept


@pytest.mark.parametrize("seed", range(2))
def test_what_is_kept_is_in_supply_now(seed):
    """Allied units that slip through can only take supply away."""
    looked = 0
    for s in random_states(PLAIN_GAME, seed, "attack", 600):
        assert not kept(s) & ~supplied_hexes(s, GERMAN)
        looked += 1
    assert looked > 100
