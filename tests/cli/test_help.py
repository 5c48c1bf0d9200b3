"""Help and refusals of the command line, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from cli.conftest import Run
from salient.cli import app
from salient.cli.speaking import help_of, typed
from salient.text import LANGUAGES, catalog
from salient.text.typography import typeset


def commands(command: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every command with the words that call it."""
    yield path, command
    for word, each in getattr(command, "commands", {}).items():
        yield from commands(each, f"{path} {word}".strip())


COMMANDS = dict(commands(typer.main.get_command(app)))


def test_every_command_and_option_has_words_and_no_word_is_left_over() -> None:
    needed = {"salient", "--help"}
    known = catalog(None, "en")["help"]
    for path, command in COMMANDS.items():
        needed |= {path} - {""}
        for param in command.params:
            own = f"{path} {typed(param)}".strip()
            needed.add(own if own in known else typed(param))
    assert needed == set(known)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("path", COMMANDS)
def test_help_speaks_the_language_asked_for(run: Run, path: str, lang: str) -> None:
    """Every line of a command's help, its own and its options', wherever --lang stands."""
    command = COMMANDS[path]
    before, after = run("--lang", lang, *path.split(), "--help"), run(*path.split(), "--help", "--lang", lang)
    assert before.exit_code == after.exit_code == 0
    assert before.stdout == after.stdout
    said = re.sub(r"\s+", " ", before.stdout)
    for word in (path or "salient", *(typed(param) for param in command.params)):
        words = help_of("" if word in (path, "salient") else path, word, lang)
        for part in words.split():
            assert part in said, (word, part)


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_no_help_is_left_in_english(lang: str) -> None:
    english, own = catalog(None, "en")["help"], catalog(None, lang)["help"]
    assert {key for key in own if own[key] == english[key]} == set()


@pytest.mark.parametrize(
    ("words", "german"),
    [
        (("play",), "GAME fehlt."),
        (("play", "x", "--sead", "1"), "Die Option --sead gibt es nicht. Meintest du --load, --seat, --seed?"),
        (("play", "a", "b"), "Auf der Befehlszeile stehen zu viele Wörter."),
        (("serve", "--port", "x"), "--port braucht eine Zahl von 1 bis 65535."),
        (("serve", "--port"), "--port braucht einen Wert."),
        (("serve", "--public=1"), "--public hat keinen Wert."),
        (("sim", "bulge", "--games", "0"), "--games braucht eine Zahl von mindestens 1."),
        (("plax",), "Den Befehl „plax“ gibt es nicht: play oder replay."),
        (("study", "rum"), "Den Befehl „rum“ gibt es nicht: run."),
        (("--nothing",), "Die Option --nothing gibt es nicht."),
        (("map", "bulge", "--png", "x.png", "--layer", "snow"), "Die Kartenschicht „snow“ gibt es nicht"),
        (("map", "bulge", "--pdf", "x.pdf", "--paper", "B5"), "Das Papierformat „B5“ gibt es nicht"),
    ],
)
def test_a_command_line_that_cannot_be_read(run: Run, words: tuple[str, ...], german: str) -> None:
    result = run("--lang", "de", *words)
    assert result.exit_code == 2
    assert typeset(german, "de") in re.sub(r"\s+", " ", result.stderr)
