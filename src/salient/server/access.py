"""Who asks, and what that person may see and play."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from salient.kernel import CHANCE, OVER
from salient.server.limits import household
from salient.server.live import LiveGame, is_bot
from salient.server.people.accounts import Accounts, Person
from salient.server.presence import SPECTATOR
from salient.server.problems import RequestProblem, no_such_game
from salient.server.security import SAFE_METHODS, language, token_hash
from salient.server.settings import Settings, is_loopback
from salient.server.store import GameRow, Grant
from salient.server.table import GameTable
from salient.text import languages

MOST_TOKENS = 200
COOKIE = "salient"
ALL_SCOPES = frozenset({"read", "play"})


@dataclass(frozen=True)
class Requester:
    """Who asks: by tokens of games, as a person who signed in, or on the machine on which nobody else can ask."""

    grants: tuple[Grant, ...]
    is_local: bool
    address: str = ""
    person: Person | None = None
    scopes: frozenset[str] = ALL_SCOPES

    @property
    def key(self) -> str:
        """Whose share of the server is used up by the requester's requests."""
        if self.person is not None:
            return self.person.id
        return "" if self.is_local else household(self.address)

    def owns(self, row: GameRow) -> bool:
        """Whether the requester manages a game: by the owner's token, or on this machine without any token.

        A game between people who signed in has no owner: the referee keeps it.
        """
        if row.terms is not None:
            return False
        granted = [grant.role for grant in self.grants if grant.game_id == row.id]
        mine = self.person is not None and row.creator == self.person.id
        return mine or ("owner" in granted if granted else self.is_local)

    def seats(self, row: GameRow) -> frozenset[str]:
        """The seats that the requester plays: an owner's human ones, the one joined as a guest, a person's own."""
        joined = {grant.seat for grant in self.grants if grant.game_id == row.id and grant.role == "seat"}
        own = {seat for seat, player in row.seats.items() if player == "human" and self.owns(row)}
        as_person = {seat for seat, player in row.seats.items() if self.person and player == f"person:{self.person.id}"}
        return frozenset(own | as_person | {seat for seat in joined if row.seats.get(seat) == "link"})

    def watches(self, row: GameRow) -> bool:
        """Whether anybody may look on."""
        return bool(row.terms and row.terms.get("watch"))

    def delay(self, row: GameRow) -> float:
        """How many seconds later the requester sees what happens: none for who plays, what was agreed on for others."""
        return 0.0 if self.seats(row) else float((row.terms or {}).get("delay", 0.0))

    def knows(self, row: GameRow) -> bool:
        """Whether the requester may see a game."""
        return self.owns(row) or bool(self.seats(row)) or self.watches(row)


@dataclass(frozen=True)
class Viewer:
    """A requester at one game: what is theirs, whose eyes they look with, and their language."""

    owner: bool
    seats: frozenset[str]
    seat: str
    lang: str

    def decides(self, live: LiveGame) -> bool:
        """Whether the decision is the viewer's, or the die that people roll."""
        if live.actor == CHANCE:
            return bool(live.typists(live.ply) & self.seats)
        return live.actor in self.seats

    def may_read(self, live: LiveGame, seat: str, verb: str) -> bool:
        """Whether the viewer may read an action of a seat: not if it is secret, another's, and the game goes on."""
        return verb not in live.game.secret_verbs or seat == self.seat or live.actor == OVER


def asker_for(connection: HTTPConnection, tokens: list[str]) -> Requester:
    """The requester behind a request or a socket, with these tokens of games."""
    table: GameTable = connection.app.state.table
    settings: Settings = connection.app.state.settings
    known = [token for token in tokens if token][:MOST_TOKENS]
    grants = table.store.grants(token_hash(token) for token in known) if known else []
    client = connection.client.host if connection.client else ""
    home = settings.local and is_loopback(client) and host_is_loopback(connection.headers.get("host", ""))
    person, scopes = _person_of(connection) if settings.public else (None, ALL_SCOPES)
    return Requester(tuple(grants), home, client, person, scopes)


def _person_of(connection: HTTPConnection) -> tuple[Person | None, frozenset[str]]:
    """The person of a key (Authorization: Bearer KEY), or of the browser's cookie."""
    accounts: Accounts = connection.app.state.accounts
    scheme, _, key = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        found = accounts.of_key(key.strip()[:100])
        if found is None:
            raise RequestProblem(403, "forbidden", "key-void")
        return found
    cookie = connection.cookies.get(COOKIE, "")
    return (accounts.signed_in(cookie[:100]) if cookie else None), ALL_SCOPES


def host_is_loopback(host: str) -> bool:
    """Whether a Host header names this machine itself."""
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    return is_loopback(name.strip("[]"))


def as_seen(live: LiveGame, requester: Requester) -> LiveGame:
    """The game as the requester may see it now, with its lock held: who looks on may see it later."""
    delay = requester.delay(live.row)
    return live.before(time.time() - delay) if delay else live


def visible_seats(live: LiveGame, requester: Requester) -> list[str]:
    """The seats whose views the requester may have: the own ones, and all if only bots play or the game is over."""
    seats = requester.seats(live.row)
    open_to_all = live.actor == OVER or all(is_bot(player) for player in live.row.seats.values())
    return [seat for seat in live.game.seats if seat in seats or open_to_all]


def viewer_for(live: LiveGame, requester: Requester, seat: str | None, lang: str) -> Viewer:
    """The viewer of a game; RequestProblem if the game or the seat is not visible to the requester."""
    if not requester.knows(live.row):
        raise no_such_game()
    visible = visible_seats(live, requester)
    if seat is not None and seat not in live.game.seats:
        raise RequestProblem(422, "invalid", "no-such-seat", title=live.game.title, seat=seat)
    if seat is not None and seat not in visible:
        raise RequestProblem(403, "forbidden", "anothers-seat")
    if not visible and not requester.watches(live.row):
        raise RequestProblem(403, "forbidden", "no-seat-here")
    seats = requester.seats(live.row)
    chosen = seat or (live.actor if live.actor in seats else visible[0] if visible else SPECTATOR)
    return Viewer(requester.owns(live.row), seats, chosen, lang)


# ---- for routes ---------------------------------------------------------------
# What needs no database is async: it is done at once, and not in a thread that must be called first.


async def _table(request: Request) -> GameTable:
    """The server's table."""
    table: GameTable = request.app.state.table
    return table


async def _asker(request: Request, x_salient_token: Annotated[str, Header(max_length=20_000)] = "") -> Requester:
    """Send the tokens of your games, separated by commas; none on your own machine."""
    tokens = [token.strip() for token in x_salient_token.split(",") if token.strip()]
    if tokens or request.app.state.settings.public:
        requester = await run_in_threadpool(asker_for, request, tokens)
    else:
        requester = asker_for(request, tokens)
    if requester.person is not None and request.method not in SAFE_METHODS:
        _may_change(request, requester)
    return requester


def _may_change(request: Request, requester: Requester) -> None:
    """Problem unless the person may change something, and it is the person who asks, not another site's page."""
    assert requester.person is not None
    headers = request.headers
    by_key = headers.get("authorization", "").lower().startswith("bearer")
    if not by_key and "origin" not in headers and headers.get("sec-fetch-site") != "same-origin":
        raise RequestProblem(403, "forbidden", "other-origin")
    if "play" not in requester.scopes:
        raise RequestProblem(403, "forbidden", "key-reads-only")
    if requester.person.suspended:
        raise RequestProblem(403, "suspended", "suspended")
    request.app.state.limits.spend("requests", requester.person.id)


async def _signed_in(requester: Annotated[Requester, Depends(_asker)]) -> Person:
    """The person who asks; RequestProblem if nobody has signed in."""
    if requester.person is None:
        raise RequestProblem(401, "sign-in", "sign-in")
    return requester.person


async def _at_the_browser(request: Request, person: Annotated[Person, Depends(_signed_in)]) -> Person:
    """The person, signed in by password: keys of programs do not reach the account."""
    if request.headers.get("authorization"):
        raise RequestProblem(403, "forbidden", "not-by-key")
    return person


async def _lang(
    lang: Annotated[str | None, Query(pattern="^[a-z]{2,3}$", description="Language of the answer's words.")] = None,
    accept_language: Annotated[str, Header()] = "",
) -> str:
    return lang if lang in languages() else language(accept_language)


TheTable = Annotated[GameTable, Depends(_table)]
TheRequester = Annotated[Requester, Depends(_asker)]
ThePerson = Annotated[Person, Depends(_signed_in)]
TheOwnPerson = Annotated[Person, Depends(_at_the_browser)]
Lang = Annotated[str, Depends(_lang)]
Seat = Annotated[str | None, Query(max_length=32, description="Whose eyes to look with.")]
