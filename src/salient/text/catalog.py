"""Catalogs: the sentences of one game in one language, above those that all games share, below those of the player."""

from __future__ import annotations

import logging
import os
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from salient.common.data import OWN_DATA
from salient.kernel import AnyGame, GameListing, Unreadable
from salient.text.template import Name, places
from salient.text.typography import typeset

LANGUAGES = ("en", "it", "fr", "de")
TABLES = ("message", "action", "ending", "left", "name", "play", "help")

Catalog = dict[str, dict[str, Name]]

log = logging.getLogger("salient.text")


def catalog(game: AnyGame | GameListing | None, lang: str) -> Catalog:
    """Every sentence for a game in a language, by table and key; the shared ones alone without a game."""
    if lang not in languages():
        raise Unreadable("no-such-language", text=lang, texts_known=languages())
    return _merged("", "", lang) if game is None else _merged(package_of(game), game.id, lang)


def package_of(game: AnyGame | GameListing) -> str:
    """The package that holds a game, and its `text` folder."""
    if isinstance(game, GameListing):
        return game.package
    package = sys.modules[type(game).__module__].__package__
    assert package, f"{game.id} is not in a package"
    return package


def _folder(package: str) -> Traversable:
    """The folder of a package, which is not imported: a game in a list is not loaded for its words."""
    parent, _, name = package.rpartition(".")
    return resources.files(parent) / name if parent else resources.files(package)


@cache
def own_catalog(package: str, lang: str) -> Catalog:
    """The sentences of one package's `<lang>.toml` alone."""
    folder = _folder(package)
    if package != __package__:
        folder /= "text"
    tables = tomllib.loads((folder / f"{lang}.toml").read_text(encoding="utf-8"))
    unknown = set(tables) - set(TABLES)
    if unknown:
        raise ValueError(f"{package}: {lang}.toml has a table {min(unknown)!r}; it may have {', '.join(TABLES)}.")
    return {table: {key: _entry(value, lang) for key, value in tables.get(table, {}).items()} for table in TABLES}


def _entry(value: Any, lang: str) -> Name:
    if isinstance(value, str):
        return Name(typeset(value, lang))
    return Name.of({form: typeset(text, lang) for form, text in value.items()})


@cache
def _merged(package: str, game_id: str, lang: str) -> Catalog:
    packages = [str(__package__), *([package] if package else [])]
    shipped = [
        own_catalog(each, known) for known in dict.fromkeys(("en", lang)) if known in LANGUAGES for each in packages
    ]
    words = _over(*shipped)
    words["name"] = _map_names(package, game_id, lang) | words["name"]
    for file in _player_files(game_id, lang):
        words = _over(words, _player_catalog(file, words, lang))
    return words


def _map_names(package: str, game_id: str, lang: str) -> dict[str, Name]:
    """The game's title and its terrain, as the map prints them."""
    file = _folder(package) / "data" / "terrain.toml" if package else None
    if file is None or not file.is_file():
        return {}
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    entries = {key: entry["name"] for part in ("terrain", "feature") for key, entry in tables.get(part, {}).items()}
    entries[game_id] = tables["map"]["title"]
    return {key: Name(typeset(name.get(lang, name["en"]), lang)) for key, name in entries.items()}


def _over(*catalogs: Catalog) -> Catalog:
    """Catalogs laid one over the other, the last on top."""
    return {table: {key: text for words in catalogs for key, text in words[table].items()} for table in TABLES}


# ---- a player's own -------------------------------------------------------------------------------------


def languages() -> tuple[str, ...]:
    """The program's languages, and those for which the player has a catalog of his own."""
    return _languages(os.environ.get(OWN_DATA, ""))


@cache
def _languages(root: str) -> tuple[str, ...]:
    own = sorted(file.stem for file in (Path(root) / "text").glob("*.toml")) if root else []
    return tuple(dict.fromkeys((*LANGUAGES, *own)))


def _player_files(game_id: str, lang: str) -> list[Path]:
    """`$SALIENT_DATA/text/<lang>.toml`, and for a game `$SALIENT_DATA/<game>/text/<lang>.toml` above it."""
    root = os.environ.get(OWN_DATA)
    folders = [Path(root), *([Path(root) / game_id] if game_id else [])] if root else []
    files = [folder / "text" / f"{lang}.toml" for folder in folders]
    return [file for file in files if file.is_file()]


def _player_catalog(file: Path, known: Catalog, lang: str) -> Catalog:
    """The usable sentences of a player's file; every other is named with its line, and the program's own stands."""
    empty: Catalog = {table: {} for table in TABLES}
    try:
        text = file.read_text(encoding="utf-8")
        tables = tomllib.loads(text)
    except (OSError, ValueError) as error:
        log.warning("%s: the file is not used: %s", file, error)
        return empty
    for table, key, value in _entries(tables):
        cause = _fault(known.get(table, {}).get(key), value)
        if cause:
            log.warning("%s, line %d: %s.%s is not used: %s", file, line_of(text, table, key), table, key, cause)
        else:
            empty[table][key] = _entry(value, lang)
    return empty


def _entries(tables: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for table, entries in tables.items():
        for key, value in entries.items() if isinstance(entries, dict) else [("", entries)]:
            yield table, key, value


def _fault(known: Name | None, value: Any) -> str:
    """Why a player's entry cannot be used; nothing if it can."""
    if known is None:
        return "the program has no such sentence"
    if isinstance(value, dict):
        strings = all(isinstance(text, str) for text in value.values())
        return (
            "" if strings and ("name" in value or "one" in value) else "a name needs `name` or `one`, all of them texts"
        )
    if not isinstance(value, str) or not value.strip():
        return "it is not translated"
    try:
        strange = places(value) - places(known)
    except ValueError as error:
        return str(error)
    return f"there is no {{{min(strange)}}} to print" if strange else ""


def line_of(text: str, table: str, key: str) -> int:
    """The line of a TOML text that holds a key of a table; 1 if it is not found."""
    here = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip().startswith("["):
            here = line.strip().strip("[]")
        elif here == table and line.partition("=")[0].strip().strip('"') == key:
            return number
    return 1
