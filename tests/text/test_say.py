"""Sentences: places, lists, plural forms, names, in every language."""

from __future__ import annotations

import pytest

from salient.kernel import AnyGame, Unreadable
from salient.kernel.messages import Event, Prompt, Refusal
from salient.text import catalog, describe_action, name, say


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "First unit moves to 2."),
        ("it", "Prima unità muove in 2."),
        ("fr", "Première unité va en 2."),
    ],
)
def test_places_are_filled_by_kind(crossing: AnyGame, lang: str, sentence: str) -> None:
    assert say(crossing, Event("2", "moved", unit=0, field_to="2"), lang) == sentence


@pytest.mark.parametrize(
    ("units", "sentence"),
    [
        ((), "Move none, probe, or end the turn."),
        ((0,), "Move First unit, probe, or end the turn."),
        ((0, 1), "Move First unit and Second unit, probe, or end the turn."),
        ((0, 1, 0), "Move First unit, Second unit and First unit, probe, or end the turn."),
    ],
)
def test_lists_read_naturally(crossing: AnyGame, units: tuple[int, ...], sentence: str) -> None:
    assert say(crossing, Prompt("2", "move-or-end", units=units), "en") == sentence


@pytest.mark.parametrize(
    ("lang", "count", "words"),
    [
        ("en", 0, "0 units lost"),
        ("en", 1, "1 unit lost"),
        ("en", 2, "2 units lost"),
        ("it", 1, "1 unità persa"),
        ("it", 0, "0 unità perse"),
        ("fr", 0, "0 unité perdue"),
        ("fr", 2, "2 unités perdues"),
    ],
)
def test_plural_forms_follow_the_language(crossing: AnyGame, lang: str, count: int, words: str) -> None:
    assert words in say(crossing, Event("4", "ambushed", unit=0, n_roll=2, n_lost=count), lang)


def test_json_messages_are_said_alike(crossing: AnyGame) -> None:
    message = Event("3", "probed", field="3", word_result="clear")
    assert say(crossing, message.as_json(), "it") == say(crossing, message, "it") == "Esplorazione di 3: nulla."


def test_ids_stand_for_indices(crossing: AnyGame) -> None:
    assert say(crossing, {"key": "unit-lost", "args": {"unit": "r2"}}, "en") == "Second unit is lost."


def test_shared_sentences_are_known_to_every_game(crossing: AnyGame) -> None:
    assert say(crossing, Refusal("2", "not-offered"), "fr") == "Ce n’est pas un des choix de cette décision."


def test_actions_are_described(crossing: AnyGame) -> None:
    assert describe_action(crossing, ("move", 1, "3"), "en") == "Move Second unit to field 3"
    assert describe_action(crossing, ("end",), "it") == "Termina il turno"
    assert describe_action(crossing, ("roll", 4), "fr") == "Jet\u00a0: 4"


def test_names_fall_back_to_their_key(crossing: AnyGame) -> None:
    assert name(crossing, "red", "it") == "Rosso"
    assert name(crossing, "chance", "it") == "Dadi"
    assert name(crossing, "0305", "it") == "0305"


def test_an_unknown_message_shows_its_key(crossing: AnyGame) -> None:
    assert say(crossing, Event("9", "never-written"), "en") == "never-written"


def test_an_unknown_language_is_refused(crossing: AnyGame) -> None:
    with pytest.raises(Unreadable, match="no language “xx”: en, it, fr and de"):
        catalog(crossing, "xx")
