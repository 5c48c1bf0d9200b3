"""The catalogs of every game: the same keys and the same places in every language, and a sentence for each verb."""

from __future__ import annotations

import pytest

import tiny
from salient import game_ids, load
from salient.kernel import AnyGame
from salient.server.mapfiles import board_of
from salient.text import LANGUAGES, action_places, catalog, places
from salient.text.catalog import TABLES, own_catalog, package_of

GAMES = (*game_ids(), "tiny")
PACKAGES = ("shared", *GAMES)


def game_of(game_id: str) -> AnyGame:
    return tiny.GAME if game_id == "tiny" else load(game_id)


def catalogs(game_id: str) -> dict[str, dict[str, dict[str, str]]]:
    package = "salient.text" if game_id == "shared" else package_of(game_of(game_id))
    return {lang: own_catalog(package, lang) for lang in LANGUAGES}


@pytest.mark.parametrize("game_id", PACKAGES)
@pytest.mark.parametrize("table", TABLES)
def test_the_languages_have_the_same_keys(game_id: str, table: str) -> None:
    by_language = catalogs(game_id)
    for lang in LANGUAGES:
        assert set(by_language[lang][table]) == set(by_language["en"][table]), lang


@pytest.mark.parametrize("game_id", PACKAGES)
def test_the_languages_have_the_same_places(game_id: str) -> None:
    by_language = catalogs(game_id)
    for table in TABLES:
        for key, template in by_language["en"][table].items():
            for lang in LANGUAGES:
                assert places(by_language[lang][table][key]) == places(template), (table, key, lang)


@pytest.mark.parametrize("game_id", PACKAGES)
def test_every_brace_belongs_to_a_place(game_id: str) -> None:
    for lang, tables in catalogs(game_id).items():
        for table, sentences in tables.items():
            for key, template in sentences.items():
                assert template.strip() == template != "", (lang, table, key)
                assert template.count("{") == template.count("}"), (lang, table, key)
                assert table != "name" or not places(template), (lang, key)


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_verb_has_a_sentence_with_its_arguments(game_id: str, lang: str) -> None:
    game = game_of(game_id)
    sentences = catalog(game, lang)["action"]
    for verb in game.notation.verbs:
        assert verb in sentences, verb
        assert places(sentences[verb]) <= set(action_places(game, verb)), verb


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_everything_that_a_client_names_has_a_name(game_id: str, lang: str) -> None:
    game = game_of(game_id)
    names = catalog(game, lang)["name"]
    parts = game.components()
    keys = [
        *game.seats,
        *(scenario.id for scenario in game.scenarios),
        *(word for option in game.options for word in (option.id, *option.choices)),
        *(track["id"] for track in parts["tracks"]),
        *(phase["key"] for phase in parts["sequence"]),
        *parts["markers"],
        *parts["overlays"],
    ]
    assert sorted({key for key in keys if key not in names}) == []


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_terrain_has_a_name(game_id: str, lang: str) -> None:
    game = load(game_id)
    board = board_of(game)
    kinds = {kind for index in range(len(board.labels)) for kind in (board.terrain[index], *board.features[index])}
    assert sorted(kinds - set(catalog(game, lang)["name"])) == []
