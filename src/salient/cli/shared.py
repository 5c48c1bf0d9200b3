"""What all commands share: consoles, options, progress, reading records and positions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console

from salient.games import load
from salient.kernel import AnyGame, Record, State, Unreadable
from salient.kernel.messages import Message
from salient.text import languages, say

T = TypeVar("T")


def known_language(lang: str) -> str:
    """The language, if there is one of that name."""
    if lang not in languages():
        raise Unreadable("no-such-language", text=lang, texts_known=languages())
    return lang


GameName = Annotated[str, typer.Argument(metavar="GAME")]
Language = Annotated[str, typer.Option("--lang", callback=known_language)]


def spoken(lang: Language = "en") -> None:
    """Every group of commands takes the language too, for its help."""


Json = Annotated[bool, typer.Option("--json")]
ScenarioName = Annotated[str, typer.Option("--scenario")]
Options = Annotated[list[str] | None, typer.Option("--option")]
Jobs = Annotated[int, typer.Option("--jobs", min=1)]

out = Console(highlight=False, emoji=False, soft_wrap=False)
err = Console(stderr=True, highlight=False, emoji=False)


def print_json(values: Any) -> None:
    """JSON on one stream, without colours or wrapping."""
    typer.echo(json.dumps(values, ensure_ascii=False, indent=2))


def chosen_options(options: list[str] | None) -> dict[str, str]:
    """`NAME=CHOICE` words as a mapping."""
    for option in options or ():
        if "=" not in option:
            raise Unreadable("option-form", text=option)
    return dict(option.split("=", 1) for option in options or ())


def beyond_the_end(moves: int) -> Unreadable:
    """The error of a move that a record does not have."""
    return Unreadable("beyond-the-end", n=moves)


def read_record(path: Path) -> tuple[Record, AnyGame]:
    """A record and its game, from a file."""
    record = Record.parse(path.read_text(encoding="utf-8"))
    return record, load(record.header["game"])


def read_state(game: AnyGame, path: Path, ply: int | None = None) -> State:
    """The position of a file: a position's text, or a record's position after `ply` moves (all if not given)."""
    text = path.read_text(encoding="utf-8")
    if not text.startswith("salient-record"):
        return game.read_position(text)
    states = list(Record.parse(text).replay(game))
    if ply is not None and not 0 <= ply < len(states):
        raise beyond_the_end(len(states) - 1)
    return states[-1 if ply is None else ply]


def sentence(game: AnyGame, message: Message | dict[str, Any], lang: str) -> str:
    """A message with its rule's number."""
    rule = message.rule if isinstance(message, Message) else message["rule"]
    return f"{say(game, message, lang)} [{rule}]" if rule else say(game, message, lang)


def with_progress(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The items, with a bar on the error stream while they come."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task(what, total=total)
        for item in items:
            yield item
            progress.advance(task)


@contextmanager
def told_how_far(what: str) -> Iterator[Callable[[int, int], None]]:
    """Whom to tell how much is done, of how much: a bar on the error stream shows it."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
