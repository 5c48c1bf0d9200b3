"""Every kind of decision refuses what is not allowed with the rule and the real cause."""

from __future__ import annotations

import random

import pytest

from games.bulge.positions import number, position
from salient import legal, load, step
from salient.kernel import OVER, actor, candidates, why_not
from salient.text import LANGUAGES, say

OPTIONS = ({}, {"set-up": "free"}, {"aircraft": "lost"}, {"campaign": "two"})


@pytest.mark.parametrize(
    ("stack", "action", "refusal"),
    [
        ("AirInitiative()", "pass", ("5.2", "roll-first")),
        ("ChooseFirst(0)", "pass", ("5.2", "choose-first-first")),
        ("AirRound(0,0) Fly(0)", "fly allied-bomber-allied-base 0105", ("5.3", "place-aircraft-first")),
        ("AirRound(0,0) Fly(0)", "fly axis-bomber-0105 0106", ("5.3", "no-aircraft-at-home")),
        ("AirRound(0,0) Fly(0)", "fight 0105", ("5.3", "place-aircraft-first")),
        ("AirBattles(0,0)", "fight 0209", ("5.4", "no-battle-there")),
        ("AirBattles(0,0)", "pass", ("5.4", "choose-battle-first")),
    ],
)
def test_5_4_air_refusals(stack, action, refusal):
    """Chapter 5."""
    below = "\n".join(f"{h} allied-infantry 1, axis-fighter 1" for h in ("0105", "0106"))
    lines = f"{below}\naxis-base axis-fighter 1, axis-bomber 1"
    assert position(lines, f"Turn(air-combat) {stack}", 5).refusal(action) == refusal


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("attack 0805 0806", ("6.3", "nobody-to-attack-with")),
        ("attack 0707 0806", ("6.5", "no-supply-to-attack")),
        ("attack 0709 0808", ("6.4", "no-enemy-there")),
        ("attack 0709 0805", ("6.4", "not-adjacent")),
        ("resolve", ("6.3", "attack-first")),
        ("move axis-infantry-0806 0706 1", ("6.3", "attack-first")),
    ],
)
def test_6_3_attack_refusals(combat, action, refusal):
    """Chapter 6."""
    lines = """0806 axis-infantry 1, axis-supply 2
    0805 allied-infantry 1
    0707 axis-infantry 1
    0607 axis-infantry 1
    0709 axis-infantry 1, axis-supply 1
    front 0607 0709"""
    assert combat("axis", lines).refusal(action) == refusal


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("pay 0105", ("6.5", "no-supply-there")),
        ("pay 0608", ("6.5", "supply-too-far")),
        ("pay 0706", ("6.5", "supply-behind-enemy-front")),
        ("pay 0807", ("6.5", "supply-among-enemies")),
        ("resolve", ("6.5", "pay-first")),
    ],
)
def test_6_5_payment_refusals(combat, action, refusal):
    """Each token that cannot pay, and why."""
    lines = """0806 axis-infantry 1, axis-supply 1
    0707 axis-supply 1
    0706 axis-supply 1
    0807 axis-supply 1, allied-truck 1
    0608 axis-supply 1
    0805 allied-infantry 1
    front 0806 0707 0807 0608"""
    assert combat("axis", lines).play("attack 0806 0805").refusal(action) == refusal


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("activate 0105", ("7.3", "nobody-to-move")),
        ("activate 0708", ("7.3", "no-supply-to-move")),
        ("move axis-infantry-0209 0208 1", ("7.3", "activate-first")),
        ("blitz 0209", ("7.3", "activate-first")),
    ],
)
def test_7_3_activation_refusals(moving, action, refusal):
    """Before a hex is activated."""
    assert moving("axis", "0209 axis-infantry 1, axis-supply 1\n0708 axis-infantry 1").refusal(action) == refusal


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("move axis-infantry-0209 0309 2", ("7.10", "not-so-many")),
        ("move axis-infantry-0209 0509 1", ("4.2", "too-far")),
        ("move axis-infantry-0310 0309 1", ("7.2", "move-first")),
        ("move axis-truck-0209 0309 1", ("7.2", "move-first")),
        ("activate 0310", ("7.2", "move-first")),
        ("blitz 0209", ("4.3.1", "no-tanks-to-blitz")),
    ],
)
def test_7_2_movement_refusals(moving, action, refusal):
    """While the units of a hex move."""
    lines = "0209 axis-infantry 1, axis-truck 1, axis-supply 2\n0310 axis-infantry 1"
    assert moving("axis", lines).play("activate 0209").refusal(action) == refusal


def test_4_3_1_a_blitz_elsewhere(moving):
    """The token is paid for the hex that moves."""
    table = moving("axis", "0209 axis-tank 1, axis-supply 2\n0510 axis-tank 1, axis-supply 2").play("activate 0209")
    assert table.refusal("blitz 0510") == ("4.3.1", "blitz-elsewhere")


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("drive allied-truck-0604", ("4.7", "no-truck-ready")),
        ("drive axis-truck-0509", ("4.7", "no-truck-ready")),
        ("drive allied-truck-0703", ("4.7", "no-road-for-truck")),
        ("leave allied-truck-0705", ("7.9", "not-at-the-edge")),
        ("load allied-supply-0705 1", ("4.7", "trucks-first")),
        ("stop 0705", ("4.7", "trucks-first")),
    ],
)
def test_4_7_truck_refusals(trucks, action, refusal):
    """Before a truck drives."""
    assert trucks("allied", "0705 allied-truck 1\n0703 allied-truck 1\n0509 axis-truck 1").refusal(action) == refusal


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("stop 0703", ("4.7", "truck-cannot-reach")),
        ("load allied-tank-0705 1", ("4.7.2", "nothing-to-load")),
        ("load allied-supply-0705 3", ("4.7.2", "nothing-to-load")),
        ("load allied-supply-0209 1", ("4.7.2", "nothing-to-load")),
        ("leave allied-truck-0705", ("4.7", "finish-drive-first")),
        ("pass", ("4.7", "finish-drive-first")),
    ],
)
def test_4_7_drive_refusals(trucks, action, refusal):
    """While a truck drives."""
    lines = "0705 allied-truck 1, allied-tank 1, allied-supply 2\n0209 axis-supply 1"
    assert trucks("allied", lines).play("drive allied-truck-0705").refusal(action) == refusal


def test_8_1_arrival_refusals(arriving):
    """Something that is no arrival."""
    table = arriving("allied", "1Inf allied-infantry 1")
    assert table.refusal("activate 0105") == ("8.1", "arrivals-first")
    assert table.refusal("arrive allied-truck-allied-base 0105 1") == ("8.1", "not-on-a-chart")


def test_6_8_a_roll_that_cannot_be(combat):
    """Two dice cannot destroy two infantry."""
    table = position("0805 allied-infantry 2", f"Turn(ground-combat) BattleRoll(0,{number('0805')},2)")
    assert table.refusal("roll 2 0 0 0 0 0 0 0") == ("6.7", "roll-first")
    assert table.refusal("pass") == ("6.7", "roll-first")


@pytest.mark.parametrize("seed", range(4))
def test_no_refusal_is_vague_and_no_legal_action_is_refused(seed):
    """In a random game: nothing speaks against a legal action, and something particular against any other."""
    game, rng = load("bulge"), random.Random(seed)
    state = game.new("", OPTIONS[seed])
    verbs = [verb for verb in game.notation.verbs if verb != "roll"]
    while actor(state) != OVER:
        actions = legal(state)
        assert why_not(state, rng.choice(actions)) == []
        verb = rng.choice(verbs)
        kinds = [game.notation.kinds[kind] for kind in game.notation.verbs[verb]]
        values = [getattr(kind, "names", None) or getattr(kind, "words", None) for kind in kinds]
        action = (verb, *(rng.randrange(9) if names is None else _pick(rng, names) for names in values))
        if action not in actions:
            (refusal,) = why_not(state, action)
            assert refusal.key != "not-offered"
            assert not any("{" in say(game, refusal, lang) for lang in LANGUAGES), refusal
        onward = actions if rng.random() < 0.3 else candidates(state)  # take-backs alone would go round for long
        state = step(state, rng.choice(onward), trusted=True)


def _pick(rng: random.Random, names):
    return rng.choice(names) if names[0] == "axis" else rng.randrange(len(names))
