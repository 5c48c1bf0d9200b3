"""The server's own sentences exist in every language, with the same places."""

from __future__ import annotations

import pytest

from salient.text import LANGUAGES, places
from salient.text.catalog import own_catalog


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_is_translated_with_its_places(lang: str) -> None:
    """No key is missing in a language and no place is lost in translation."""
    english, other = (own_catalog("salient.server", tag)["message"] for tag in ("en", lang))
    assert {key: places(text) for key, text in other.items()} == {key: places(text) for key, text in english.items()}
