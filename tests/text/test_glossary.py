"""Printed terms: no text of a game uses a word that its rulebook has another one for."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from salient import game_ids, load
from salient.text import LANGUAGES
from salient.text.catalog import own_catalog, package_of

GLOSSARY = tomllib.loads((Path(__file__).parent / "glossary.toml").read_text("utf-8"))
WEB = files("salient.web")


def texts(game_id: str, lang: str) -> Iterator[tuple[str, str]]:
    """Every text of a game in a language, with where it stands."""
    for table, entries in own_catalog(package_of(load(game_id)), lang).items():
        yield from ((f"{table}.{key}", text) for key, text in entries.items())
    digest = json.loads((WEB / "help" / f"{game_id}.{lang}.json").read_text("utf-8"))
    for entry in digest["rules"]:
        yield f"digest {entry['rule']}", f"{entry['title']}. {entry['text']}"
    yield from ((f"glossary {entry['term']}", f"{entry['term']}: {entry['text']}") for entry in digest["glossary"])
    lesson = json.loads((WEB / "lessons" / f"{game_id}.{lang}.json").read_text("utf-8"))
    yield from ((f"lesson {key}", text) for key, text in lesson.items())
    yield "story", json.loads((WEB / "i18n" / f"{lang}.json").read_text("utf-8"))[f"story.{game_id}"]


def shared_texts(lang: str) -> Iterator[tuple[str, str]]:
    """The texts of no game: shared catalog, server, client."""
    for package in ("salient.text", "salient.server"):
        for table, entries in own_catalog(package, lang).items():
            yield from ((f"{package} {table}.{key}", text) for key, text in entries.items())
    yield from json.loads((WEB / "i18n" / f"{lang}.json").read_text("utf-8")).items()


def faults(found: Iterator[tuple[str, str]], forbidden: dict[str, str]) -> list[str]:
    return [
        f"{where}: {match[0]!r}, say {right!r}"
        for where, text in found
        for pattern, right in forbidden.items()
        if (match := re.search(pattern, text.replace("\u00a0", " ").replace("\u202f", " ").replace("’", "'")))
    ]


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_game_speaks_as_its_rulebook(game_id: str, lang: str) -> None:
    forbidden = GLOSSARY["all"][lang] | GLOSSARY.get(game_id, {}).get(lang, {})
    assert faults(texts(game_id, lang), forbidden) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_program_speaks_alike(lang: str) -> None:
    assert faults(shared_texts(lang), GLOSSARY["all"][lang]) == []
