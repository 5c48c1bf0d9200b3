"""What all commands share: consoles, options, progress, and errors as one sentence with exit code 2."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from typer.core import TyperGroup

from salient.games import load
from salient.hexes.rows import DataError
from salient.kernel import Game, Record, State, Unreadable
from salient.kernel.messages import Message, SalientError
from salient.text import LANGUAGES, languages, phrase, say, say_data_error, say_error

T = TypeVar("T")

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's id, as `salient games` lists it.")]
Language = Annotated[str, typer.Option("--lang", help=f"Language: {', '.join(LANGUAGES)}.")]
Json = Annotated[bool, typer.Option("--json", help="Write JSON for programs.")]
ScenarioName = Annotated[str, typer.Option("--scenario", help="The scenario; the game's first one if not named.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", help="An option of the game, NAME=CHOICE; may be repeated.")
]
Jobs = Annotated[int, typer.Option("--jobs", min=1, help="Processes to work with.")]

out = Console(highlight=False, soft_wrap=False)
err = Console(stderr=True, highlight=False)


class SentenceGroup(TyperGroup):
    """Commands whose errors are a sentence, not a traceback."""

    def invoke(self, ctx: Any) -> Any:
        lang = asked_language([*ctx._protected_args, *ctx.args])
        try:
            return super().invoke(ctx)
        except SalientError as error:
            cause = say_error(None, error, lang)
        except DataError as error:
            cause = say_data_error(error, lang)
        except FileNotFoundError as error:
            cause = phrase("no-such-file", lang, file=error.filename)
        except IsADirectoryError as error:
            cause = phrase("is-a-folder", lang, file=error.filename)
        except UnicodeDecodeError:
            cause = phrase("no-text-file", lang)
        except OSError as error:
            cause = f"{error.filename or 'A file'}: {error.strerror or error}."
        except KeyboardInterrupt:
            raise typer.Exit(130) from None
        err.print(cause, style="red", markup=False)
        raise typer.Exit(2)


def asked_language(words: list[str]) -> str:
    """The language that a command line asks for with --lang; English if it asks for none that there is."""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word == "--lang" and following in languages():
            return following
        if word.removeprefix("--lang=") in languages():
            return word.removeprefix("--lang=")
    return "en"


def print_json(values: Any) -> None:
    """JSON on one stream, without colours or wrapping."""
    typer.echo(json.dumps(values, ensure_ascii=False, indent=2))


def chosen_options(options: list[str] | None) -> dict[str, str]:
    """`NAME=CHOICE` words as a mapping."""
    for option in options or ():
        if "=" not in option:
            raise Unreadable(f"Write an option as NAME=CHOICE, not {option!r}.", "option-form", text=option)
    return dict(option.split("=", 1) for option in options or ())


def known_language(lang: str) -> str:
    """The language, if there is one of that name."""
    if lang not in languages():
        sentence = f"There is no language {lang!r}: one of {', '.join(languages())}."
        raise Unreadable(sentence, "no-such-language", text=lang, texts_known=languages())
    return lang


def beyond_the_end(moves: int) -> Unreadable:
    """The error of a move that a record does not have."""
    return Unreadable(f"The record has {moves} moves: give a number from 0 to {moves}.", "beyond-the-end", n=moves)


def read_record(path: Path) -> tuple[Record, Game]:
    """A record and its game, from a file."""
    record = Record.parse(path.read_text(encoding="utf-8"))
    return record, load(record.header["game"])


def read_state(game: Game, path: Path, ply: int | None = None) -> State:
    """The position of a file: a position's text, or a record's position after `ply` moves (all if not given)."""
    text = path.read_text(encoding="utf-8")
    if not text.startswith("salient-record"):
        return game.read_position(text)
    states = list(Record.parse(text).replay(game))
    if ply is not None and not 0 <= ply < len(states):
        raise beyond_the_end(len(states) - 1)
    return states[-1 if ply is None else ply]


def sentence(game: Game, message: Message | dict[str, Any], lang: str) -> str:
    """A message with its rule's number."""
    rule = message.rule if isinstance(message, Message) else message["rule"]
    return f"{say(game, message, lang)} [{rule}]" if rule else say(game, message, lang)


def with_progress(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The items, with a bar on the error stream while they come."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task(what, total=total)
        for item in items:
            yield item
            progress.advance(task)
