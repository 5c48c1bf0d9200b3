"""Looking after a server for people: suspend, rename, end games, read reports. Everything is written down."""

from __future__ import annotations

import getpass
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from salient.cli.shared import Language, out, spoken
from salient.cli.speaking import SpokenCommand, SpokenGroup
from salient.kernel import Unreadable
from salient.kernel.messages import SalientError
from salient.text import phrase

if TYPE_CHECKING:
    from salient.server.between.referee import Referee
    from salient.server.people.accounts import Accounts, Person

TRIES = 20

app = typer.Typer(cls=SpokenGroup, no_args_is_help=True)
app.callback()(spoken)

Data = Annotated[str | None, typer.Option("--data")]
SettingsFile = Annotated[Path | None, typer.Option("--settings")]
Name = Annotated[str, typer.Argument(metavar="NAME")]


@contextmanager
def _accounts(data: str | None, settings: Path | None, lang: str) -> Iterator[Accounts]:
    """The people of a server's database; what the server would answer with is said here."""
    from salient.server.app import open_store
    from salient.server.people.accounts import Accounts
    from salient.server.problems import RequestProblem
    from salient.server.settings import settings_for

    store = open_store(settings_for(data, "127.0.0.1", file=settings))
    try:
        yield Accounts(store)
    except RequestProblem as problem:
        raise SalientError(problem.body(lang)["message"]) from problem
    finally:
        store.close()


def _known(accounts: Accounts, name: str) -> Person:
    found = accounts.by_name(name)
    if found is None:
        raise Unreadable("nobody-called", text=name)
    return found


def _note(accounts: Accounts, what: str, whom: str, details: str = "") -> None:
    from salient.server.people.accounts import note_in_audit

    with accounts.store.writing() as db:
        note_in_audit(db, os.environ.get("SUDO_USER") or getpass.getuser(), what, whom, details)


@app.command(cls=SpokenCommand)
def suspend(
    name: Name,
    days: Annotated[float, typer.Option("--days", min=0.01)] = 7.0,
    data: Data = None,
    settings: SettingsFile = None,
    lang: Language = "en",
) -> None:
    """Let a person only look, for some days."""
    with _accounts(data, settings, lang) as accounts:
        accounts.suspend(_known(accounts, name), time.time() + days * 86400)
        _note(accounts, "suspend", name, f"{days:g} days")


@app.command(cls=SpokenCommand)
def unsuspend(name: Name, data: Data = None, settings: SettingsFile = None, lang: Language = "en") -> None:
    """Let a person play again."""
    with _accounts(data, settings, lang) as accounts:
        accounts.suspend(_known(accounts, name), 0.0)
        _note(accounts, "unsuspend", name)


@app.command(cls=SpokenCommand)
def rename(
    name: Name,
    new: Annotated[str, typer.Argument(metavar="NEW")],
    data: Data = None,
    settings: SettingsFile = None,
    lang: Language = "en",
) -> None:
    """Give a person another name."""
    with _accounts(data, settings, lang) as accounts:
        accounts.rename(_known(accounts, name), new)
        _note(accounts, "rename", name, new)


@app.command(cls=SpokenCommand)
def end_game(
    game: Annotated[str, typer.Argument(metavar="GAME-ID")],
    data: Data = None,
    settings: SettingsFile = None,
    lang: Language = "en",
) -> None:
    """End a game without a winner."""
    from salient.server.between.referee import Referee
    from salient.server.post import Post
    from salient.server.settings import settings_for
    from salient.server.table import GameTable

    with _accounts(data, settings, lang) as accounts:
        table = GameTable(accounts.store)
        referee = Referee(table, Post(accounts.store, settings_for(data, "127.0.0.1", file=settings)))
        _try_again(lambda: _end(referee, game))
        _note(accounts, "end-game", game)


def _end(referee: Referee, game: str) -> None:
    with referee.table.playing(game) as live:
        referee.end(live, None, "administrator", "")


def _try_again(change: Callable[[], None]) -> None:
    """Do something while the server plays on: what a move was faster than is done after it."""
    from salient.server.problems import Stale

    for _ in range(TRIES):
        with suppress(Stale):
            return change()
    raise Unreadable("game-busy")


@app.command(cls=SpokenCommand)
def reports(data: Data = None, settings: SettingsFile = None, lang: Language = "en") -> None:
    """The reports that nobody has closed."""
    from sqlalchemy import select

    from salient.server.tables import REPORTS

    with _accounts(data, settings, lang) as accounts, accounts.store.reading() as db:
        rows = db.execute(select(REPORTS).where(REPORTS.c.closed.is_(None)).order_by(REPORTS.c.id)).all()
        names = accounts.names({row.by_id for row in rows} | {row.about_id for row in rows})
        for row in rows:
            by, about = names.get(row.by_id, "?"), names.get(row.about_id, "?")
            who = phrase("report-about", lang, text=by, text_b=about)
            out.print(f"{row.id}  {_day(row.created)}  {who}  {row.game_id}\n   {row.text}", markup=False)


@app.command(cls=SpokenCommand)
def close_report(
    number: Annotated[int, typer.Argument(metavar="NUMBER")],
    verdict: Annotated[str, typer.Argument(metavar="VERDICT")],
    data: Data = None,
    settings: SettingsFile = None,
    lang: Language = "en",
) -> None:
    """Close a report."""
    from sqlalchemy import update

    from salient.server.tables import REPORTS

    with _accounts(data, settings, lang) as accounts:
        with accounts.store.writing() as db:
            closed = db.execute(update(REPORTS).where(REPORTS.c.id == number).values(closed=verdict)).rowcount
        if not closed:
            raise Unreadable("no-such-report", n=number)
        _note(accounts, "close-report", str(number), verdict)


@app.command(cls=SpokenCommand)
def audit(data: Data = None, settings: SettingsFile = None, lang: Language = "en") -> None:
    """What administrators have done."""
    from sqlalchemy import select

    from salient.server.tables import AUDIT

    with _accounts(data, settings, lang) as accounts, accounts.store.reading() as db:
        for row in db.execute(select(AUDIT).order_by(AUDIT.c.id)):
            out.print(f"{_day(row.at)}  {row.who}  {row.what}  {row.whom}  {row.details}", markup=False)


def _day(at: float) -> str:
    return datetime.fromtimestamp(at).isoformat(" ", "minutes")
