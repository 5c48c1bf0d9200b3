"""The renderer's own words, from the shared catalogs."""

from __future__ import annotations

from salient.text import name


def word(key: str, language: str) -> str:
    """Return one of the renderer's words; a language that nobody speaks is refused with those there are."""
    return name(None, f"map-{key}", language)
