"""What every game promises about words: each prompt, event, result and action met is said in every language."""

from __future__ import annotations

import random
from typing import Any

import pytest

from salient.kernel import AnyGame, State, legal, step
from salient.kernel.messages import EventList, Message
from salient.lab.playouts import random_options
from salient.text import LANGUAGES, catalog, describe_action, say


def messages_met(game: AnyGame, seed: int) -> list[Message]:
    """The prompts and events of one random game."""
    rng = random.Random(seed)
    state = game.new("", random_options(game, rng))
    events = EventList()
    met: dict[str, Message] = {}
    while actions := legal(state):
        prompt = state.stack[-1].prompt(state)
        met.setdefault(prompt.key, prompt)
        state = step(state, rng.choice(actions), events, trusted=True)
    for event in events:
        met.setdefault(event.key, event)
    return list(met.values())


@pytest.mark.parametrize("seed", [1, 2])
def test_every_message_met_has_a_rule_and_a_sentence(game: AnyGame, seed: int) -> None:
    for message in messages_met(game, seed):
        assert message.rule, message
        for lang in LANGUAGES:
            assert message.key in catalog(game, lang)["message"], message
            sentence = say(game, message, lang)
            assert "{" not in sentence, f"{message} leaves a place open: {sentence}"


def test_every_result_met_has_a_sentence(walk: Any) -> None:
    for end in walk.ends:
        for lang in LANGUAGES:
            assert walk.game.result(end).key in catalog(walk.game, lang)["message"]


def test_every_legal_action_is_described(walk: Any) -> None:
    for state in walk.positions:
        for action in legal(state)[:10]:
            for lang in LANGUAGES:
                assert "{" not in describe_action(walk.game, action, lang)


def words_met(game: AnyGame, state: State, overlays: list[str]) -> set[str]:
    """The words of a position that a client shows by their names."""
    seen = game.view.observe(state, game.seats[0])
    parts = game.components()
    return {
        *(badge["key"] for unit in seen["units"].values() for badge in unit["badges"]),
        *(marker["key"] for marker in seen["markers"]),
        *(place["id"] for place in parts["places"] if place["kind"] == "box"),
        *game.judge.features(state, game.seats[0]),
        *(
            entry["key"]
            for overlay in overlays
            for seat in game.seats
            for entry in game.view.overlay(state, seat, overlay)["legend"]
        ),
    }


def test_every_word_met_has_a_name(walk: Any) -> None:
    """Marks, boxes, overlays' legends, and the features that are a computer player's reasons."""
    met = set().union(*(words_met(walk.game, state, overlays) for state, overlays in walk.overlaid()))
    for lang in LANGUAGES:
        assert sorted(met - set(catalog(walk.game, lang)["name"])) == []
