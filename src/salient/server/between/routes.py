"""The API between people: waiting room, resigning, offers, clocks, rematch, talk, notices."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, Field, StringConstraints

from salient.kernel import OVER
from salient.kernel.shared_dice import MOST_LINKS
from salient.server.access import Lang, Requester, ThePerson, TheRequester, TheTable, as_seen, viewer_for
from salient.server.answers import Begun, ChatLine, NoteText, Notices, OfferLine, PresenceAnswer, WaitingGame
from salient.server.between.referee import Referee, Shown
from salient.server.between.room import ALL_RATINGS, Room, checked_terms
from salient.server.between.talk import Talk
from salient.server.live import LiveGame
from salient.server.models import Body, Snapshot, Word, without_control_characters
from salient.server.people.accounts import Accounts
from salient.server.post import Post
from salient.server.problems import RequestProblem, Stale
from salient.server.routes_games import GameId, may_create
from salient.server.table import GameTable
from salient.server.vapid import public_key
from salient.server.wire import awaits, snapshot_json

room = APIRouter(prefix="/api/room", tags=["room"])
games = APIRouter(prefix="/api/games/{game_id}", tags=["between people"])
notices = APIRouter(prefix="/api/notices", tags=["notices"])

TRIES = 5

Line = Annotated[
    str, StringConstraints(max_length=500, strip_whitespace=True), AfterValidator(without_control_characters)
]
OfferId = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]
Rating = Annotated[float, Field(ge=0, le=9999)]


class NewOffer(Body):
    """A game that looks for an opponent."""

    kind: Literal["table", "ticket", "invite"] = "table"
    game: Word
    scenario: Word = ""
    options: dict[Word, Word] = Field(default_factory=dict, max_length=50)
    seat: Word = ""
    pace: Literal["live", "fast", "slow", "none"] = "slow"
    base: Annotated[float, Field(ge=0, le=30 * 86400)] | None = None
    increment: Annotated[float, Field(ge=0, le=3600)] = 0.0
    timeout: Literal["lose", "claim"] = "lose"
    dice: Literal["shared", "verified"] = "shared"
    rated: bool = True
    watch: bool = True
    delay: Annotated[float, Field(ge=0, le=7 * 86400, description="Seconds after which spectators see a move.")] = 0.0
    lowest: Rating = ALL_RATINGS[0]
    highest: Rating = ALL_RATINGS[1]
    note: Line = ""
    invite: Annotated[str, StringConstraints(max_length=40)] = ""


class Proposal(Body):
    """A draw, a pause, or to go back to a ply."""

    kind: Literal["draw", "undo", "pause"]
    to: Annotated[int, Field(ge=0, le=10**9)] | None = None


class Reply(Body):
    """Yes or no to a proposal."""

    kind: Literal["draw", "undo", "pause", "resume"]
    yes: bool


Hex = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]


class Link(Body):
    """A link of a chain, its number, and the head of the other's chain that it is shown against."""

    number: Annotated[int, Field(ge=1, le=MOST_LINKS)]
    link: Hex
    against: Hex


class Shares(Body):
    """A player's part of shared dice: new commitments, and links to show (docs/DICE.md)."""

    commit: dict[Literal["active", "passive"], Hex] = Field(default_factory=dict, max_length=2)
    show: dict[Literal["active", "passive"], Link] = Field(default_factory=dict, max_length=2)


class Saying(Body):
    """Something said."""

    text: Annotated[Line, Field(min_length=1)]


class Note(Body):
    """A note to oneself."""

    text: Annotated[str, StringConstraints(max_length=5000)]


class Subscription(Body):
    """Where a browser takes pushes."""

    endpoint: Annotated[str, StringConstraints(max_length=1000, pattern="^https?://")]
    p256dh: Annotated[str, StringConstraints(max_length=200)]
    auth: Annotated[str, StringConstraints(max_length=100)]


# ---- the waiting room ------------------------------------------------------------


def _room(request: Request) -> Room:
    found: Room = request.app.state.room
    return found


@room.get("", response_model=list[OfferLine])
def list_offers(request: Request, person: ThePerson) -> Response:
    """The games that look for an opponent, and your own offers and tickets."""
    return JSONResponse(_room(request).offers(person))


@room.post("", status_code=201, response_model=Begun)
def open_offer(
    body: NewOffer, request: Request, table: TheTable, requester: TheRequester, person: ThePerson
) -> Response:
    """Offer a game to all, to one by name, or to whom the match maker finds; the `game` if it began at once."""
    may_create(request, table, requester, with_bot=False)
    terms = checked_terms(
        body.pace, body.base, body.increment, body.rated, body.watch, body.delay, body.timeout, body.dice
    )
    kept = body.model_dump(include={"game", "scenario", "options", "seat", "lowest", "highest", "note"})
    invited = _room(request).accounts.known(body.invite) if body.kind == "invite" else None
    game_id = _room(request).open(person, body.kind, kept | {"terms": terms}, invited)
    request.app.state.post.wake()
    return JSONResponse({"game": game_id}, status_code=201)


@room.post("/{offer_id}/join", response_model=Begun)
def join_offer(offer_id: OfferId, request: Request, person: ThePerson) -> Response:
    """Sit down; the game begins."""
    return JSONResponse({"game": _room(request).join(person, offer_id)})


@room.delete("/{offer_id}", status_code=204)
def close_offer(offer_id: OfferId, request: Request, person: ThePerson) -> Response:
    """Take an offer back, or refuse an invitation."""
    _room(request).close(person, offer_id)
    return Response(status_code=204)


# ---- the referee -------------------------------------------------------------------


def _as_player(
    request: Request,
    table: GameTable,
    game_id: str,
    requester: Requester,
    lang: str,
    do: Callable[[Referee, LiveGame, str], Any],
) -> Response:
    """Let a player of a game do something with the referee; the game's snapshot.

    If the other player does something in the same moment at another process, it is done after that.
    """
    for _ in range(TRIES):
        with contextlib.suppress(Stale), table.playing(game_id) as live:
            viewer = viewer_for(live, requester, None, lang)
            seats = [seat for seat in live.game.seats if seat in viewer.seats]
            if len(seats) != 1:
                raise RequestProblem(403, "forbidden", "players-only")
            do(request.app.state.referee, live, seats[0])
            return JSONResponse(snapshot_json(live, viewer_for(live, requester, None, lang)))
    raise Stale


@games.post("/resign", response_model=Snapshot)
def resign(game_id: GameId, request: Request, table: TheTable, requester: TheRequester, lang: Lang) -> Response:
    """Give up: the other side wins."""
    return _as_player(request, table, game_id, requester, lang, lambda referee, live, seat: referee.resign(live, seat))


@games.post("/abandon", response_model=Snapshot)
def abandon(game_id: GameId, request: Request, table: TheTable, requester: TheRequester, lang: Lang) -> Response:
    """Leave a game for good; it counts as lost, and as left."""
    leave = "abandoned"
    return _as_player(
        request, table, game_id, requester, lang, lambda referee, live, seat: referee.resign(live, seat, leave)
    )


@games.post("/offers", response_model=Snapshot)
def propose(
    body: Proposal, game_id: GameId, request: Request, table: TheTable, requester: TheRequester, lang: Lang
) -> Response:
    """Offer a draw or a pause, or ask to go back beyond the barrier."""
    request.app.state.limits.spend("talk", requester.key)
    return _as_player(
        request,
        table,
        game_id,
        requester,
        lang,
        lambda referee, live, seat: referee.offer(live, seat, body.kind, body.to),
    )


@games.post("/answers", response_model=Snapshot)
def answer(
    body: Reply, game_id: GameId, request: Request, table: TheTable, requester: TheRequester, lang: Lang
) -> Response:
    """Take or refuse an offer; `no` to one's own takes it back."""
    return _as_player(
        request,
        table,
        game_id,
        requester,
        lang,
        lambda referee, live, seat: referee.answer(live, seat, body.kind, body.yes),
    )


@games.post("/resume", response_model=Snapshot)
def resume(game_id: GameId, request: Request, table: TheTable, requester: TheRequester, lang: Lang) -> Response:
    """Go on with an adjourned game: at once if your own time then runs, else as soon as the other agrees."""
    request.app.state.limits.spend("talk", requester.key)
    return _as_player(request, table, game_id, requester, lang, lambda referee, live, seat: referee.resume(live, seat))


@games.post("/claim", response_model=Snapshot)
def claim(game_id: GameId, request: Request, table: TheTable, requester: TheRequester, lang: Lang) -> Response:
    """Win on time, where it was agreed that this must be claimed."""
    return _as_player(request, table, game_id, requester, lang, lambda referee, live, seat: referee.claim(live, seat))


@games.post("/shares", response_model=Snapshot)
def share(
    body: Shares, game_id: GameId, request: Request, table: TheTable, requester: TheRequester, lang: Lang
) -> Response:
    """Commit to a chain, or show links of it; dice that wait for them fall."""

    def do(referee: Referee, live: LiveGame, seat: str) -> None:
        commit: dict[str, bytes] = {role: bytes.fromhex(head) for role, head in body.commit.items()}
        show: dict[str, Shown] = {
            role: (shown.number, bytes.fromhex(shown.link), bytes.fromhex(shown.against))
            for role, shown in body.show.items()
        }
        referee.share(live, seat, commit, show)

    return _as_player(request, table, game_id, requester, lang, do)


@games.post("/rematch", response_model=Begun)
def rematch(
    game_id: GameId, request: Request, table: TheTable, requester: TheRequester, person: ThePerson, lang: Lang
) -> Response:
    """Once more with sides changed: offers it, or begins if the other has offered it already."""
    with table.playing(game_id) as live:
        viewer_for(live, requester, None, lang)
        seats = requester.seats(live.row)
        if live.actor != OVER or len(seats) != 1 or live.row.terms is None:
            raise RequestProblem(409, "not-possible", "rematch-later")
        still, seat = live.still(), next(iter(seats))
    return JSONResponse({"game": _room(request).rematch(still, person, seat) or None})


@games.post("/hide", status_code=204)
def hide(game_id: GameId, request: Request, table: TheTable, person: ThePerson) -> Response:
    """Show a game that is over no longer in your list."""
    row = table.store.game(game_id)
    if row is None or f"person:{person.id}" not in row.seats.values():
        raise RequestProblem(404, "not-found", "no-such-game")
    if not row.over:
        raise RequestProblem(409, "not-possible", "another-plays")
    request.app.state.talk.hide(game_id, person.id)
    return Response(status_code=204)


# ---- presence and talk -------------------------------------------------------------


@games.get("/presence", response_model=PresenceAnswer)
def presence(game_id: GameId, request: Request, table: TheTable, requester: TheRequester, lang: Lang) -> Response:
    """Who is at the table now: the seats, and how many look on."""
    with table.playing(game_id) as live:
        viewer_for(as_seen(live, requester), requester, None, lang)
    return JSONResponse(request.app.state.presence.at(game_id))


def _talk(request: Request) -> Talk:
    found: Talk = request.app.state.talk
    return found


@games.get("/chat", response_model=list[ChatLine])
def read_chat(
    game_id: GameId,
    request: Request,
    table: TheTable,
    requester: TheRequester,
    lang: Lang,
    since: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> Response:
    """What the players said; for others when the game is over."""
    with table.playing(game_id) as present:
        live = as_seen(present, requester)
        viewer = viewer_for(live, requester, None, lang)
        if not viewer.seats and live.actor != OVER:
            raise RequestProblem(403, "forbidden", "players-only")
    accounts: Accounts = request.app.state.accounts
    unheard = accounts.bonds(requester.person.id, "mute", "block") if requester.person else set()
    return JSONResponse(_talk(request).lines(game_id, since, unheard))


@games.post("/chat", status_code=204)
def say(
    body: Saying, game_id: GameId, request: Request, table: TheTable, requester: TheRequester, lang: Lang
) -> Response:
    """Say something to the other player."""
    request.app.state.limits.spend("talk", requester.key)
    with table.playing(game_id) as live:
        seats = viewer_for(live, requester, None, lang).seats
        if not seats:
            raise RequestProblem(403, "forbidden", "players-only")
        seat = live.actor if live.actor in seats else min(seats)
        name = requester.person.name if requester.person else ""
        author = requester.person.id if requester.person else f"{game_id} {seat}"
        _talk(request).say(game_id, author, name, seat, body.text)
    table.tell(game_id, "chat")
    return Response(status_code=204)


@games.get("/note", response_model=NoteText)
def read_note(game_id: GameId, request: Request, person: ThePerson) -> Response:
    """Your note to a game, for your eyes only."""
    return JSONResponse({"text": _talk(request).note(game_id, person.id)})


@games.put("/note", status_code=204)
def keep_note(body: Note, game_id: GameId, request: Request, person: ThePerson) -> Response:
    """Keep a note to a game that you play."""
    if not _talk(request).keep_note(game_id, person.id, body.text):
        raise RequestProblem(404, "not-found", "no-such-game")
    return Response(status_code=204)


# ---- notices -----------------------------------------------------------------------


@notices.get("", response_model=Notices)
def list_notices(request: Request, person: ThePerson, lang: Lang) -> Response:
    """What you were told, the latest first, in words; and the key for web push."""
    post: Post = request.app.state.post
    told = [notice | {"text": post.words(notice, lang)} for notice in post.notices(person.id)]
    return JSONResponse({"notices": told, "push_key": public_key(post.store.seal.key)})


@notices.post("/read", status_code=204)
def mark_read(request: Request, person: ThePerson) -> Response:
    """All have been seen."""
    request.app.state.post.mark_read(person.id)
    return Response(status_code=204)


@notices.post("/push", status_code=204)
def subscribe(body: Subscription, request: Request, person: ThePerson) -> Response:
    """Take pushes at this browser."""
    request.app.state.post.subscribe(person.id, body.endpoint, body.p256dh, body.auth)
    return Response(status_code=204)


@notices.get("/waiting", response_model=list[WaitingGame])
def waiting(table: TheTable, requester: TheRequester, person: ThePerson) -> Response:
    """The games that wait for your move, the one whose time runs out first at the head."""
    mine = [row for row in table.store.games((), person=person.id) if awaits(row, requester)]
    mine.sort(key=lambda row: row.deadline or row.changed + 10**9)
    return JSONResponse([{"id": row.id, "name": row.name, "deadline": row.deadline} for row in mine])
