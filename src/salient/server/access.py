"""Who asks, and what that person may see and play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header, Query, Request

from salient.kernel import CHANCE, OVER
from salient.server.live import LiveGame, is_bot
from salient.server.problems import Problem, no_such_game
from salient.server.security import language, token_hash
from salient.server.settings import Settings, is_loopback
from salient.server.store import GameRow, Grant
from salient.server.table import Table

MOST_TOKENS = 200


@dataclass(frozen=True)
class Asker:
    """The tokens of a request, and whether it comes from the machine on which nobody else can ask."""

    grants: tuple[Grant, ...]
    at_home: bool
    address: str = ""

    @property
    def key(self) -> str:
        """Whose share of the server is used up by the asker's requests."""
        return "" if self.at_home else self.address

    def owns(self, game_id: str) -> bool:
        """Whether the asker manages a game: by the owner's token, or at home, where who holds no token is the owner."""
        granted = [grant.role for grant in self.grants if grant.game_id == game_id]
        return "owner" in granted if granted else self.at_home

    def seats(self, row: GameRow) -> frozenset[str]:
        """The seats that the asker plays: an owner the human ones, a guest the one joined."""
        joined = {grant.seat for grant in self.grants if grant.game_id == row.id and grant.role == "seat"}
        own = {seat for seat, player in row.seats.items() if player == "human" and self.owns(row.id)}
        return frozenset(own | {seat for seat in joined if row.seats.get(seat) == "link"})

    def knows(self, row: GameRow) -> bool:
        """Whether the asker has anything to do with a game."""
        return self.owns(row.id) or bool(self.seats(row))


@dataclass(frozen=True)
class Viewer:
    """An asker at one game: what is theirs, whose eyes they look with, and their language."""

    owner: bool
    seats: frozenset[str]
    seat: str
    lang: str

    def hands(self, live: LiveGame) -> frozenset[str]:
        """Whom the viewer acts for: the own seats, and the dice if people roll them."""
        return self.seats | {CHANCE} if live.typed and self.seats else self.seats

    def decides(self, live: LiveGame) -> bool:
        """Whether the decision is the viewer's."""
        return live.actor in self.hands(live)

    def may_read(self, live: LiveGame, seat: str, verb: str) -> bool:
        """Whether the viewer may read an action of a seat: not if it is secret, another's, and the game goes on."""
        return verb not in live.game.secret_verbs or seat == self.seat or live.actor == OVER


def asker_for(table: Table, settings: Settings, tokens: list[str], client: str, host: str) -> Asker:
    """The asker with these tokens."""
    known = [token for token in tokens if token][:MOST_TOKENS]
    grants = table.store.grants(token_hash(token) for token in known) if known else []
    return Asker(tuple(grants), settings.local and is_loopback(client) and host_is_loopback(host), client)


def host_is_loopback(host: str) -> bool:
    """Whether a Host header names this machine itself."""
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    return is_loopback(name.strip("[]"))


def visible_seats(live: LiveGame, asker: Asker) -> list[str]:
    """The seats whose views the asker may have: the own ones, and all if only bots play or the game is over."""
    seats = asker.seats(live.row)
    open_to_all = live.actor == OVER or all(is_bot(player) for player in live.row.seats.values())
    return [seat for seat in live.game.seats if seat in seats or open_to_all]


def viewer_for(live: LiveGame, asker: Asker, seat: str | None, lang: str) -> Viewer:
    """The viewer of a game; Problem if the game or the seat is none of the asker's business."""
    if not asker.knows(live.row):
        raise no_such_game()
    visible = visible_seats(live, asker)
    if seat is not None and seat not in live.game.seats:
        raise Problem(422, "invalid", "no-such-seat", title=live.game.title, seat=seat)
    if seat is not None and seat not in visible:
        raise Problem(403, "forbidden", "anothers-seat")
    if not visible:
        raise Problem(403, "forbidden", "no-seat-here")
    seats = asker.seats(live.row)
    chosen = seat or (live.actor if live.actor in seats else visible[0])
    return Viewer(asker.owns(live.row.id), seats, chosen, lang)


# ---- for routes ---------------------------------------------------------------


def table_of(request: Request) -> Table:
    """The server's table."""
    table: Table = request.app.state.table
    return table


def _asker(request: Request, x_salient_token: Annotated[str, Header(max_length=20_000)] = "") -> Asker:
    """Send the tokens of your games, separated by commas; none on your own machine."""
    tokens = [token.strip() for token in x_salient_token.split(",")]
    client = request.client.host if request.client else ""
    return asker_for(table_of(request), request.app.state.settings, tokens, client, request.headers.get("host", ""))


def _lang(
    lang: Annotated[str | None, Query(pattern="^[a-z]{2,3}$", description="Language of the answer's words.")] = None,
    accept_language: Annotated[str, Header()] = "",
) -> str:
    return lang or language(accept_language)


TheTable = Annotated[Table, Depends(table_of)]
TheAsker = Annotated[Asker, Depends(_asker)]
Lang = Annotated[str, Depends(_lang)]
Seat = Annotated[str | None, Query(max_length=32, description="Whose eyes to look with.")]
