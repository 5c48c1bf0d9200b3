"""Orders, and the planner that tries them: possible orders only, told in words, the best so far at any moment."""

from __future__ import annotations

from functools import cache

import pytest

from salient import bots, load
from salient.bots.general import General
from salient.bots.opinion import Opinion
from salient.bots.planner import Intent
from salient.bots.playout import FAR, Played, Rehearsal, _Play
from salient.common.stacks import on_map, put
from salient.kernel import Order, actor, legal
from salient.lab.playouts import random_states
from salient.text import LANGUAGES, say

ARNHEM = load("target-arnhem")
BRIDGE = """
position target-arnhem
turn 4
points wehrmacht=4 ss=0 1abn=2 82abn=0 101abn=0
0103 69
1404 1Para
1504 Kussin
stack Turn(allied-impulse-1) EndOfImpulse(0) Impulse(0)
"""


@pytest.mark.parametrize("name", ["target-arnhem", "bulge", "deadly-woods", "ardennes44"])
def test_every_order_is_said_in_every_language(name):
    game = load(name)
    for state in list(random_states(game, 4, "", 300))[::60]:
        for seat in game.seats:
            for formation in game.plans.formations(state, seat):
                for order in game.plans.orders(state, seat, formation):
                    for lang in LANGUAGES:
                        said = say(game, order.said(), lang)
                        assert order.kind not in said or (lang == "en" and order.kind in ("hold", "garrison", "delay"))
                        assert "{" not in said
                        assert game.notation.kinds["place"].write(order.place) in said


def test_a_unit_at_the_place_of_its_order_is_worth_more():
    near = ARNHEM.read_position(BRIDGE)
    far = ARNHEM.read_position(BRIDGE.replace("1404 1Para", "1304 1Para"))
    plan = (Order("1abn", "attack", ARNHEM.notation.kinds["hex"].read("1504")),)
    assert ARNHEM.plans.bias(near, "allied", plan) > ARNHEM.plans.bias(far, "allied", plan) > 0


def test_an_order_that_can_no_longer_be_given_is_dropped():
    state = ARNHEM.read_position(BRIDGE)
    planner = bots.make("planner", ARNHEM, "allied", 1)
    hexes = ARNHEM.notation.kinds["hex"]
    told = Intent("bold", (Order("101abn", "hold", hexes.read("0803")), Order("1abn", "hold", hexes.read("1504"))))
    kept = planner._possible(state, told)
    assert kept == Intent("bold", (Order("1abn", "attack", hexes.read("1504")),))


@pytest.mark.parametrize("name", ["deadly-woods", "ardennes44"])
def test_troops_nearer_to_the_place_of_their_order_follow_it_more(name):
    """To attack or garrison a place is followed more when units of the formation stand in it, not others."""
    game = load(name)
    state = game.new()
    present = [u for u in range(len(state.where)) if on_map(state, u)]
    for seat in game.seats:
        for formation in game.plans.formations(state, seat):
            for order in game.plans.orders(state, seat, formation):
                if order.kind not in ("delay", "hold"):
                    before = game.plans.bias(state, seat, (order,))
                    gains = [game.plans.bias(moved(state, u, order.place), seat, (order,)) - before for u in present]
                    assert before >= 0
                    assert 0 < sum(gain > 0 for gain in gains) < len(present) / 2


def moved(state, unit, place):
    there = state.clone()
    put(there, unit, place)
    return there


def test_the_general_plans_the_same_with_and_without_a_helper():
    """It answers no plan and at least one plan of the enemy; a helper that died changes nothing."""
    state = ARNHEM.read_position(BRIDGE)
    found = []
    for alone in (True, False):
        general = bots.make("general@10", ARNHEM, "allied", 1)
        assert isinstance(general, General)
        general.alone = alone
        choice = general.choose(state)
        found.append((choice, general.plan, general.considered, general.answered))
        assert (general.helper is None) == alone
        if general.helper:
            for process in general.helper._processes.values():
                process.kill()
            general.stage = ()
            assert general.choose(state).action in legal(state)
        general.close()
    assert found[0] == found[1]
    assert found[0][3][0] == Intent()
    assert len(found[0][3]) > 1


PHASES = {
    "target-arnhem": "allied-impulse-1",
    "bulge": "axis-movement",
    "deadly-woods": "rounds",
    "ardennes44": "german-movement",
}


@cache
def beginning(name):
    """Where an important part of the first turn begins, with many things to do."""
    game = load(name)
    for state in random_states(game, 1, "", 2000):
        is_open = actor(state) in game.seats and len(game.judge.candidates(state)) > 10
        if is_open and game.stage(state).phase == PHASES[name]:
            return game, state
    raise AssertionError(f"{name} never comes to {PHASES[name]}")


@pytest.mark.parametrize("name", PHASES)
def test_a_planner_compares_plans_in_every_game_within_its_means(name):
    """Where playouts are dear they are shortened, so that there is always another plan to compare with."""
    game, state = beginning(name)
    planner = bots.make("planner@25", game, actor(state), 1)
    assert planner.choose(state).action in legal(state)
    assert len(planner.considered) > 1
    assert planner.spent < 2 * planner.means
    assert planner.horizon != FAR


@pytest.mark.parametrize("name", PHASES)
def test_a_playout_that_is_too_dear_is_shortened_and_says_how_far_it_went(name):
    game, state = beginning(name)
    short = Rehearsal(state, Opinion(game, actor(state)), quick=True).on(0, most=1)
    assert not short.horizon.replying
    assert short.decisions <= short.horizon.decisions
    again = Rehearsal(state, Opinion(game, actor(state)), quick=True).on(0, horizon=short.horizon)
    assert again == short


def test_what_is_weighed_first_is_weighed_once_for_all_rows():
    game, state = beginning("target-arnhem")
    rehearsal = Rehearsal(state, Opinion(game, actor(state)), quick=True)
    first, second = (rehearsal.on(0).asked for _ in range(2))
    assert second < first


def test_a_playout_that_looks_far_ends_when_the_turn_after_the_next_begins():
    """The opinion leads the seat through the whole turn, and no longer."""
    state = ARNHEM.read_position(BRIDGE)
    play = _Play(Rehearsal(state, Opinion(ARNHEM, "allied")), 0, (), FAR)
    turns = set()
    while play.goes_on(None):
        turns.add((play.state.turn, play.is_led))
        play.step()
    assert turns == {(4, True), (5, False), (6, False)}
    assert (play.state.turn, actor(play.state)) == (6, "allied")


def test_a_planner_that_looks_far_plans_a_whole_turn_at_once():
    state = ARNHEM.read_position(BRIDGE)
    planner = bots.make("planner", ARNHEM, "allied", 1)
    planner.choose(state)
    assert planner.horizon == FAR
    assert {Intent(), Intent("bold")} < set(planner.considered)
    assert any(plan.whim for plan in planner.considered)
    assert not planner._is_due(ARNHEM.read_position(BRIDGE.replace("allied-impulse-1", "allied-impulse-2")))
    assert planner._is_due(ARNHEM.read_position(BRIDGE.replace("turn 4", "turn 5")))


@pytest.mark.parametrize(
    ("better", "follows"), [((0.1, 0.1), "bold"), ((0.3, -0.28), "plain"), ((0.001, 0.001), "plain")]
)
def test_a_plan_is_followed_only_if_it_is_better_beyond_doubt(monkeypatch, better, follows):
    """It gains on every row; on the odd rows only; on every row, but next to nothing."""

    def promised(rehearsal, row, **_):
        gain = better[row % 2] if rehearsal.opinion.weights == bold else -0.1 if rehearsal.opinion.weights else 0.0
        return Played(0.5 + gain, 100, True, FAR, 9)

    planner = bots.make("planner", ARNHEM, "allied", 1)
    bold = planner.opinion_of(Intent("bold")).weights
    monkeypatch.setattr(Rehearsal, "on", promised)
    planner.choose(ARNHEM.read_position(BRIDGE))
    assert planner.plan.stance == follows


def test_nothing_is_planned_far_ahead_where_the_game_is_decided(monkeypatch):
    monkeypatch.setattr(Rehearsal, "on", lambda *_, **__: Played(0.99, 100, True, FAR, 9))
    planner = bots.make("planner", ARNHEM, "allied", 1)
    planner.choose(ARNHEM.read_position(BRIDGE))
    assert planner.considered == {Intent(): 0.99}


def test_a_whim_shifts_all_weights_and_is_told():
    planner = bots.make("planner", ARNHEM, "allied", 1)
    plain = ARNHEM.judge.weights("allied")
    weights = planner.opinion_of(Intent(whim=7)).weights
    assert weights == planner.opinion_of(Intent(whim=7)).weights != planner.opinion_of(Intent(whim=8)).weights
    assert all(0.05 < weights[name] / plain[name] < 20 for name in plain)
    assert len({weights[name] / plain[name] for name in plain}) == len(plain)
    planner.plan = Intent(whim=7)
    assert [say(ARNHEM, each, "en") for each in planner.told()] == ["In mind: an idea of its own."]
