"""Decisions refuse what is not allowed with the rule and the real cause."""

from __future__ import annotations

import random

import pytest

from games.deadly_woods.positions import PLAIN_GAME
from salient import legal, step
from salient.kernel import OVER, actor, why_not
from salient.text import LANGUAGES, say


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("first supply", ("14.2", "supply-check-is-nobodys")),
        ("first german-mc", ("5.1", "not-your-chit")),
        ("first reaction", ("5.1", "chit-not-available")),
        ("pass", ("5.1", "first-chit-first")),
    ],
)
def test_5_1_the_first_chit(phase, action, refusal):
    """Turn 8: the Allies open with one of their chits."""
    assert phase("cup", "2519 99/393\n4019 12VG/27", turn=8).refusal(action) == refusal


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("formation 9SS", ("14.7", "formation-not-on-map")),
        ("move 2Pz/3 2517", ("14.7", "formation-first")),
    ],
)
def test_14_7_naming_formations(playing, action, refusal):
    """Only formations on the map are named, and they come first."""
    assert playing("formations", "2518 2Pz/3\n2618 12VG/27").refusal(action) == refusal


def test_14_4_choosing_a_mode(playing):
    """A Move/Combat chit is not played as Patton, and nothing else comes first."""
    table = playing("allied-mc", "2519 99/393\n4019 12VG/27")
    assert table.refusal("play patton") == ("14.4", "mode-of-other-chit")
    assert table.refusal("select 99/393") == ("14.4", "mode-first")


def test_6_2_removing_the_excess(moving):
    """Only units of the overstacked hex can be removed."""
    table = moving("german", "2519 12VG/27, 26VG/39\n2518 18VG/293\n4519 9VG/36")
    table.play("select 18VG/293", "move 18VG/293 2519", "pass")
    assert table.refusal("remove 9VG/36") == ("6.2", "remove-from-that-hex")
    assert table.refusal("pass") == ("6.2", "remove-first")


def test_11_4_choosing_a_retreat(fighting):
    """A retreat ends where the rule allows it, and comes before everything else."""
    table = fighting("german", "2517 99/393\n2518 2Pz/3, 2Pz/304")
    table.play("attack 2517", "join 2Pz/3", "join 2Pz/304", "resolve", "roll 3")
    assert table.choices("retreat")
    assert table.refusal("retreat 99/393 2516") == ("11.4", "no-retreat-there")
    assert table.refusal("pass") == ("11.4", "retreat-first")


def random_action(game, rng):
    """Any verb with any arguments of its kinds."""
    verb = rng.choice(list(game.notation.verbs))
    kinds = [game.notation.kinds[kind] for kind in game.notation.verbs[verb]]
    return (verb, *(rng.choice(_values(kind)) for kind in kinds))


def _values(kind):
    return list(getattr(kind, "words", None) or range(len(getattr(kind, "names", range(9)))))


@pytest.mark.parametrize("seed", range(2))
def test_no_refusal_is_vague_and_no_legal_action_is_refused(seed):
    """In a random game: nothing speaks against a legal action, and something particular against any other."""
    game, rng = PLAIN_GAME, random.Random(seed)
    state = game.new("attack")
    while actor(state) != OVER:
        actions = legal(state)
        assert why_not(state, rng.choice(actions)) == []
        action = random_action(game, rng)
        if action not in actions:
            (refusal,) = why_not(state, action)
            assert refusal.key != "not-offered"
            assert not any("{" in say(game, refusal, lang) for lang in LANGUAGES), refusal
        state = step(state, rng.choice(actions), trusted=True)
