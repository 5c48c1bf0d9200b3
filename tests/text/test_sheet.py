"""The sheet of all sentences: as the catalogs say it now, and without what cannot be right in a language."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from salient import game_ids, load
from salient.kernel.messages import Message
from salient.text import LANGUAGES, catalog, places, say
from salient.text.catalog import own_catalog, package_of
from salient.text.template import Filling, fill

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from words import OTHERS, SHEETS, arguments, is_number, plain_sheet, sheet, variants

SHEET_NAMES = (*game_ids(), *OTHERS)

ANYWHERE = [
    (r"  | [.,]|\( | \)|\.\.|,,", "a space or a sign too many"),
    (r"[{}|]", "a place that was not filled"),
    (r"\bNone\b(?! of)|\b(True|False)\b", "a word of the program"),
    (r"(?<![\d.,])1 × ", "a multiplication instead of a name"),
]
ARTICLES = {
    "en": r"(?i)\b(the|an?) (the|an?) |\ba (infantry|artillery|armour|attack|enemy|asset|hex \w+ hexes)\b",
    "it": r"(?i)\b(il|lo|la|i|gli|le|del|dello|della|dei|degli|delle|al|dal|nel|sul) (il|lo|i|gli|le|una?) "
    r"|\b(di|da|in|su) (il|lo|i|gli)\b|\ba (il|lo|gli|l’)",
    "fr": r"(?i)\b(le|la|les|des|du|au|aux) (le|les|une?|des) |\b(de|à) (le|les) (?!\w+(er|ir|re)\b)",
    "de": r"(?i)\b(ein|einen|einem) (der|die|das|eine?) |\b(dem|des|vom|zum|im) (der|die|das|eine?) "
    r"|\b(von|zu|mit) (der|die) die\b",
}
NO_ENGLISH = (
    r"(?i:\b(the|and|with|from|your|units|hexes)\b)|"
    r"\b(attacks?|turns?|moves?|Infantry|Armou?red|Battalion|Army|Airborne|"
    r"Parachute|Engineers|Traffic|Delay|Heavy|Tank|Destroyer|Field)\b"
)
ENGLISH_NAMES = (  # what keeps its English name everywhere, and what people type
    r"Royal Tank Regiment|Army Group Royal Artillery|Special Air Service|Fife and Forfar Yeomanry|attack \d{4}|"
    r"\w+\.csv| \.(svg|png|gif)|://\.\.\.|move 5Gds 0203|\(turn, phase, move\)"
)


@cache
def lines(game_id: str, lang: str) -> tuple[str, ...]:
    if game_id in OTHERS:
        return tuple(plain_sheet(game_id, OTHERS[game_id](lang), lang))
    return tuple(sheet(load(game_id), lang, arguments()[game_id]))


def sentences(game_id: str, lang: str) -> Iterator[str]:
    """The lines without their keys; the table of commands of the terminal has columns and is no sentence."""
    texts = (line.partition(": ")[2] for line in lines(game_id, lang)[1:] if not line.startswith("play help: "))
    return (text.replace("\u00a0", "").replace("\u202f", "") for text in texts)


@pytest.mark.parametrize("game_id", SHEET_NAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sheet_is_what_the_catalogs_say(game_id: str, lang: str) -> None:
    """A change of words is a visible diff: `python tools/words.py` writes the sheet anew."""
    kept = (SHEETS / f"{game_id}.{lang}.txt").read_text("utf-8").splitlines()
    assert list(lines(game_id, lang)) == kept, "run: python tools/words.py"


def faults(sentence: str, lang: str) -> Iterator[str]:
    """What cannot be right in a sentence of a language."""
    checks = [*ANYWHERE, (ARTICLES[lang], "article before article"), (one_of_many(lang), "1 of many")]
    if lang != "en":
        checks.append((NO_ENGLISH, "English"))
    plain = re.sub(ENGLISH_NAMES, "…", sentence)
    return (what for pattern, what in checks if re.search(pattern, plain))


@cache
def one_of_many(lang: str) -> str:
    """The figure 1 before a word that is a plural somewhere in the language: of a name, or of `{n|one|many}`."""
    one, many = set[str](), set[str]()
    for package in ("salient.text", *(package_of(load(game_id)) for game_id in game_ids())):
        for table in own_catalog(package, lang).values():
            for entry in table.values():
                one.add(entry.forms.get("one", ""))
                many.add(entry.forms.get("many", ""))
                for singular, plural in re.findall(r"\{n\w*\|([^{}|:]+)\|([^{}|:]+)\}", entry):
                    one.add(singular.split()[0])
                    many.add(plural.split()[0])
    plurals = sorted(word for word in many - one if len(word) > 2)
    return rf"(?<![\d.,:/+\u2212-])1 ({'|'.join(map(re.escape, plurals))})\b"


@pytest.mark.parametrize("game_id", SHEET_NAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_that_cannot_be_right(game_id: str, lang: str) -> None:
    """No article before an article, 1 before a plural, English in another language, double space."""
    assert [(sentence, what) for sentence in sentences(game_id, lang) for what in faults(sentence, lang)] == []


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_number_that_changes_no_word_may_be_one(game_id: str, lang: str) -> None:
    """Every sentence with every number in it set to 0, 1 and 2, also those that no sheet varies."""
    game, kept = load(game_id), arguments()[game_id]
    for key in own_catalog(package_of(game), lang)["message"]:
        for args in variants(game, key, kept.get(key, [])):
            for n in (0, 1, 2):
                counted = {place: n if place.partition("_")[0] == "n" else value for place, value in args.items()}
                sentence = say(game, Message("", key, **counted), lang).replace("\u00a0", "").replace("\u202f", "")
                assert not list(faults(sentence, lang)), (key, sentence)


@pytest.mark.parametrize(
    ("lang", "sentence", "what"),
    [
        ("it", "Ritira le unità del il nemico.", "article before article"),
        ("it", "Restano 1 punti.", "1 of many"),
        ("it", "Piazza Traffic in 0101.", "English"),
        ("it", "Due  spazi.", "a space or a sign too many"),
        ("fr", "Il y a 1 dés.", "1 of many"),
        ("fr", "Le le pont saute.", "article before article"),
        ("fr", "Le pont de les Alliés.", "article before article"),
        ("fr", "The pont.", "English"),
        ("de", "Wirf 1 Stufen.", "1 of many"),
        ("de", "Ein der Angriff.", "article before article"),
        ("de", "Greife with Panzern an.", "English"),
        ("en", "Roll 1 dice.", "1 of many"),
        ("en", "Take the the bridge.", "article before article"),
        ("en", "A {place} is left.", "a place that was not filled"),
    ],
)
def test_what_is_forbidden_is_found(lang: str, sentence: str, what: str) -> None:
    """The checks can fail: each kind of mistake in each language is named."""
    assert what in list(faults(sentence, lang))


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_every_gender_is_met(lang: str) -> None:
    """Sentences that agree with a name are on a sheet with a name of each gender that their branches tell apart."""
    for game_id in game_ids():
        own = own_catalog(package_of(load(game_id)), lang)
        branching = [key for key, text in own["message"].items() if re.search(r"\|[mfn]:", text)]
        for key in branching:
            said = {line for line in lines(game_id, lang) if line.startswith(f"{key}: ")}
            assert len(said) > 1, (game_id, key)


@pytest.mark.parametrize("game_id", game_ids())
def test_enough_was_met_in_random_games(game_id: str) -> None:
    """The arguments kept are those of the present messages: if most are unknown, collect them anew."""
    known = own_catalog(package_of(load(game_id)), "en")["message"]
    met = set(arguments()[game_id]) & set(known)
    assert len(met) >= 0.25 * len(known), "run: python tools/words.py --collect"


@pytest.mark.parametrize("each", OTHERS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_number_of_the_program_may_be_one(each: str, lang: str) -> None:
    """The sentences of no game: with every number in them set to 0, 1 and 2."""
    joints, found = catalog(None, lang)["name"], set()
    for key, template in OTHERS[each](lang).items():
        held = places(template)
        for n in (0, 1, 2) if any(map(is_number, held)) else ():
            args = {place: n if is_number(place) else "…" for place in held}
            sentence = fill(template, Filling(args, lang, joints)).replace("\u00a0", "").replace("\u202f", "")
            found |= {(key, sentence) for _ in faults(sentence, lang)}
    assert found == set()
