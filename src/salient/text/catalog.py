"""Catalogs: the sentences of one game in one language, above those that all games share."""

from __future__ import annotations

import sys
import tomllib
from functools import cache
from importlib import resources

from salient.kernel import Game, Unreadable

LANGUAGES = ("en", "it", "fr")
TABLES = ("message", "action", "name", "play")

Catalog = dict[str, dict[str, str]]


def catalog(game: Game | None, lang: str) -> Catalog:
    """Every sentence for a game in a language, by table and key; the shared ones alone without a game."""
    if lang not in LANGUAGES:
        sentence = f"There is no language {lang!r}: one of {', '.join(LANGUAGES)}."
        raise Unreadable(sentence, "no-such-language", text=lang, texts_known=LANGUAGES)
    return _merged("" if game is None else package_of(game), lang)


def package_of(game: Game) -> str:
    """The package that holds a game, and its `text` folder."""
    package = sys.modules[type(game).__module__].__package__
    assert package, f"{game.id} is not in a package"
    return package


def own_catalog(package: str, lang: str) -> Catalog:
    """The sentences of one package's `<lang>.toml` alone."""
    folder = resources.files(package)
    if package != __package__:
        folder /= "text"
    tables = tomllib.loads((folder / f"{lang}.toml").read_text(encoding="utf-8"))
    unknown = set(tables) - set(TABLES)
    if unknown:
        raise Unreadable(f"{package}: {lang}.toml has a table {min(unknown)!r}; it may have {', '.join(TABLES)}.")
    return {table: tables.get(table, {}) for table in TABLES}


@cache
def _merged(package: str, lang: str) -> Catalog:
    shared = own_catalog(str(__package__), lang)
    if not package:
        return shared
    own = own_catalog(package, lang)
    return {table: shared[table] | own[table] for table in TABLES}
