"""The situation of every game: plain values, sentences for every message, places that exist."""

from __future__ import annotations

import json
import random

from salient.kernel import OVER, AnyGame, actor, candidates, step
from salient.text import LANGUAGES, catalog


def test_the_situation_can_be_told_at_any_time(game: AnyGame) -> None:
    """Random play for a while: JSON values, known messages, places on the map, every unit a counter."""
    rng = random.Random(7)
    state = game.new()
    parts = game.components()
    for ply in range(400):
        if actor(state) == OVER:
            break
        if ply % 40 == 0:
            told = game.view.situation(state)
            json.dumps(told)
            for goal in [*told.get("objectives", ()), *told.get("notes", ())]:
                assert goal["side"] in game.seats
                assert all(goal["key"] in catalog(game, lang)["message"] for lang in LANGUAGES)
            for row in told.get("arrivals", ()):
                assert set(row["units"]) <= set(parts["units"])
            assert set(told.get("forces", game.seats)) == set(game.seats)
        state = step(state, rng.choice(candidates(state)), trusted=True)


def test_news_are_events_with_a_sentence(game: AnyGame) -> None:
    for lang in LANGUAGES:
        assert sorted(game.news - set(catalog(game, lang)["message"])) == []
