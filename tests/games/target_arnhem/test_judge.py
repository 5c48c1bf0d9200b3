"""What the computer players see: what was mended equals what is counted afresh, to the last digit."""

from __future__ import annotations

import random

import pytest

from games.target_arnhem.positions import GROUND, PLAIN_GAME, UNITS
from salient.common.sides import ALLIED, GERMAN
from salient.games.target_arnhem.model import DIVISIONS, STACKING_LIMIT, occupied, put
from salient.games.target_arnhem.survey import survey
from salient.hexes.masks import bits
from salient.kernel import OVER, actor
from salient.lab.playouts import random_states

GAME = PLAIN_GAME


def afresh(s):
    s = s.clone()
    s.clear_caches()
    return s


def is_as_afresh(s):
    fresh = afresh(s)
    same = GAME.judge.features(s, "allied") == GAME.judge.features(fresh, "allied")
    return same and s.surveyed == fresh.surveyed


@pytest.mark.parametrize(("seed", "share"), [(0, 1.0), (1, 0.3), (2, 0.05)])
def test_a_mended_survey_equals_a_fresh_one(seed, share):
    """Looked at always or now and then, so that few or many units have changed in between."""
    rng = random.Random(seed)
    looked = 0
    for s in random_states(GAME, seed, "historical", 2000):
        if rng.random() < share and actor(s) != OVER:
            assert is_as_afresh(s)
            looked += 1
    assert looked > 20


def test_any_units_anywhere_are_counted_as_afresh():
    """Places, damage, zones and supply change at random, many at once, and sides change places."""
    rng = random.Random(1)
    s = GAME.new()
    for _ in range(300):
        for _ in range(rng.randint(1, 6)):
            u = rng.randrange(len(s.where))
            free = ~occupied(s, 1 - UNITS.side[u])
            put(
                s,
                u,
                rng.choice(
                    [
                        *(h for h in range(GROUND.hexes) if free >> h & 1),
                        GROUND.waiting,
                        GROUND.eliminated,
                    ]
                ),
            )
            s.damage[u] = 0 if s.where[u] >= GROUND.waiting else rng.randint(0, 1)
        s.zones[rng.choice(DIVISIONS)] = rng.randrange(-1, GROUND.hexes)
        s.impulse = rng.randint(0, 3)
        assert is_as_afresh(s)


def test_four_units_that_take_the_place_of_an_enemy_are_too_many():
    s = GAME.new()
    h = next(h for h in bits(GROUND.red_road) if h in s.where)
    for u in [u for u in UNITS.of_side[GERMAN] if s.where[u] == h]:
        put(s, u, GROUND.eliminated)
    put(s, UNITS.of_side[GERMAN][0], h)
    survey(s)
    put(s, UNITS.of_side[GERMAN][0], GROUND.eliminated)
    for u in UNITS.of_side[ALLIED][: STACKING_LIMIT + 1]:
        put(s, u, h)
    assert survey(s).crowded >> h & 1
    assert is_as_afresh(s)


def test_units_far_from_the_road_are_counted_by_how_far_they_are():
    s = GAME.new()
    u = next(u for u in UNITS.of_side[GERMAN] if s.where[u] < GROUND.hexes)
    put(s, u, GROUND.entry)
    near = survey(s).costs[GERMAN].far
    put(s, u, max(range(GROUND.hexes), key=lambda h: GROUND.board.distance(h, GROUND.entry)))
    assert survey(s).costs[GERMAN].far > near
