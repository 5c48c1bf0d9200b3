"""The sheet of all sentences: as the catalogs say it now, and without what cannot be right in a language."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from salient import game_ids, load
from salient.text import LANGUAGES
from salient.text.catalog import own_catalog, package_of

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from words import SHEETS, arguments, sheet

ANYWHERE = [
    (r"  | [.,]|\( | \)|\.\.|,,", "a space or a sign too many"),
    (r"[{}|]", "a place that was not filled"),
    (r"\bNone\b(?! of)|\b(True|False)\b", "a word of the program"),
    (r"(?<![\d.,])1 × ", "a multiplication instead of a name"),
]
ARTICLES = {
    "en": r"\b(the|an?) (the|an?) |\ba (infantry|artillery|armour|attack|enemy|asset|hex \w+ hexes)\b",
    "it": r"\b(il|lo|la|i|gli|le) (il|lo|i|gli|le|una?) |\b(di|da|in|su) (il|lo|i|gli)\b|\ba (il|lo|gli|l’)",
    "fr": r"\b(le|la|les|des) (le|les|une?|des) |\b(de|à) (le|les) (?!\w+(er|ir|re)\b)",
    "de": r"\b(ein|eine|einen|einem) (der|die|das|ein|eine)\b|\b(von|zu|mit) (der|die) die\b",
}
NO_ENGLISH = (
    r"\b(the|and|with|from|your|units|hexes|attacks?|turns?|moves?|Infantry|Armou?red|Battalion|Army|Airborne|"
    r"Parachute|Engineers|Traffic|Delay|Heavy|Tank|Destroyer|Field)\b"
)
ENGLISH_NAMES = (  # what keeps its English name everywhere
    r"Royal Tank Regiment|Army Group Royal Artillery|Special Air Service|Fife and Forfar Yeomanry|attack \d{4}"
)


@cache
def lines(game_id: str, lang: str) -> tuple[str, ...]:
    return tuple(sheet(load(game_id), lang, arguments()[game_id]))


def sentences(game_id: str, lang: str) -> Iterator[str]:
    """The lines without their keys."""
    return (line.partition(": ")[2].replace("\u00a0", "").replace("\u202f", "") for line in lines(game_id, lang)[1:])


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sheet_is_what_the_catalogs_say(game_id: str, lang: str) -> None:
    """A change of words is a visible diff: `python tools/words.py` writes the sheet anew."""
    kept = (SHEETS / f"{game_id}.{lang}.txt").read_text("utf-8").splitlines()
    assert list(lines(game_id, lang)) == kept, "run: python tools/words.py"


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_that_cannot_be_right(game_id: str, lang: str) -> None:
    forbidden = [*ANYWHERE, (ARTICLES[lang], "article before article"), (_one_of_many(game_id, lang), "1 of many")]
    for sentence in sentences(game_id, lang):
        for pattern, what in forbidden:
            assert not re.search(pattern, sentence), f"{what}: {sentence}"


def _one_of_many(game_id: str, lang: str) -> str:
    """The figure 1 before the plural of a name."""
    names = own_catalog(package_of(load(game_id)), lang)["name"].values()
    plurals = {name.forms["many"] for name in names if name.forms.get("many", name) != name.forms.get("one", name)}
    return rf"(?<!\d)1 ({'|'.join(map(re.escape, sorted(plurals))) or 'no such name'})\b"


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_no_english_word_in_another_language(game_id: str, lang: str) -> None:
    for sentence in sentences(game_id, lang):
        found = re.search(NO_ENGLISH, re.sub(ENGLISH_NAMES, "", sentence))
        assert not found, f"{found}: {sentence}"


@pytest.mark.parametrize("game_id", game_ids())
def test_enough_was_met_in_random_games(game_id: str) -> None:
    """The arguments kept are those of the present messages: if most are unknown, collect them anew."""
    known = own_catalog(package_of(load(game_id)), "en")["message"]
    met = set(arguments()[game_id]) & set(known)
    assert len(met) >= 0.25 * len(known), "run: python tools/words.py --collect"
