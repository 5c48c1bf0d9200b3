"""Games: start, list, resume, rename, delete, invite, join, import and export."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from salient.games import PACKAGES, load
from salient.kernel import OVER, AnyGame, Record
from salient.kernel.record import RecordedMove, write_pairs
from salient.server import matches
from salient.server.access import (
    Lang,
    Requester,
    Seat,
    TheRequester,
    TheTable,
    Viewer,
    as_seen,
    viewer_for,
    visible_seats,
)
from salient.server.answers import GameLine, Invitation, Joined
from salient.server.heavy import HeavyReads
from salient.server.limits import Limits, household
from salient.server.live import LiveGame, is_bot
from salient.server.models import Change, Import, Invite, Join, NewGame, Snapshot, Started
from salient.server.problems import RequestProblem, no_such_game
from salient.server.security import new_token, token_hash
from salient.server.store import LONGEST_LIST, NOTE, UNDOING, GameRow
from salient.server.table import GameTable
from salient.server.wire import snapshot_json, summary_json

router = APIRouter(prefix="/api/games", tags=["games"])

GameId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{8,32}$")]


@router.get("", response_model=list[GameLine])
def list_games(
    table: TheTable,
    requester: TheRequester,
    lang: Lang,
    before: Annotated[
        float | None, Query(description="Only games that changed earlier: the last one's `changed`.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=LONGEST_LIST)] = LONGEST_LIST,
) -> Response:
    """The games of the tokens sent, or all on your own machine; the latest change first, a page at a time."""
    ids = None if requester.is_local else {grant.game_id for grant in requester.grants}
    person = requester.person.id if requester.person else None
    rows = [row for row in table.store.games(ids, before, limit, person) if requester.knows(row)]
    return JSONResponse([summary_json(row, _known(row), requester, lang, table.broken.get(row.id)) for row in rows])


def _known(row: GameRow) -> AnyGame | None:
    return load(row.game) if row.game in PACKAGES else None


@router.post("", status_code=201, response_model=Started)
def create_game(order: NewGame, request: Request, table: TheTable, requester: TheRequester, lang: Lang) -> Response:
    """Start a game; the token in the answer is its owner's."""
    may_create(request, table, requester, any(is_bot(player) for player in order.seats.values()))
    return _started(table, matches.start(table, order, requester.key), lang)


def may_create(request: Request, table: GameTable, requester: Requester, with_bot: bool) -> None:
    """Problem if the requester has started too many games, or has too many open."""
    limits: Limits = request.app.state.limits
    if limits.local:
        return
    limits.spend("creations", requester.key, household(requester.address))
    games, bot_games = table.store.open_games(requester.key)
    if games >= limits.allowance.open_games:
        raise RequestProblem(429, "too-many", "too-many-games", n=games)
    if with_bot and bot_games >= limits.allowance.bot_games:
        raise RequestProblem(429, "too-many", "too-many-bot-games", n=bot_games)


@router.post("/import", status_code=201, response_model=Started)
async def import_game(
    order: Import, request: Request, table: TheTable, requester: TheRequester, lang: Lang
) -> Response:
    """Take up the game of a record; a record that does not replay is refused with the line or move and the cause."""
    heavy: HeavyReads = request.app.state.heavy

    def read() -> Response:
        may_create(request, table, requester, any(is_bot(player) for player in (order.seats or {}).values()))
        return _started(table, matches.import_record(table, order, requester.key), lang)

    return await heavy.run(requester.key, read)


def _started(table: GameTable, started: tuple[str, str], lang: str) -> Response:
    game_id, token = started
    owner = Requester(tuple(table.store.grants([token_hash(token)])), is_local=False)
    with table.playing(game_id) as live:
        snapshot = snapshot_json(live, viewer_for(live, owner, None, lang))
    return JSONResponse({"id": game_id, "token": token, "snapshot": snapshot}, status_code=201)


@router.get("/{game_id}", response_model=Snapshot)
def read_game(game_id: GameId, table: TheTable, requester: TheRequester, lang: Lang, seat: Seat = None) -> Response:
    """The present position."""
    with table.playing(game_id) as live:
        seen = as_seen(live, requester)
        return JSONResponse(snapshot_json(seen, viewer_for(seen, requester, seat, lang)))


@router.patch("/{game_id}", response_model=Snapshot)
def change_game(game_id: GameId, change: Change, table: TheTable, requester: TheRequester, lang: Lang) -> Response:
    """Change name, pace, pause or players; a seat that somebody joined is taken back if it gets another player."""
    with table.playing(game_id) as live:
        _owner_only(live.row, requester)
        values: dict[str, Any] = change.model_dump(exclude_none=True, exclude={"seats"})
        if change.seats is not None:
            matches.players(live.game, change.seats)
            for seat in change.seats:
                _refuse_if_taken(live, seat)
            for seat in change.seats:
                table.store.revoke(game_id, seat)
            values["seats"] = live.row.seats | change.seats
        if values:
            table.change_row(live, **values)
        if not visible_seats(live, requester):
            return JSONResponse(summary_json(live.row, live.game, requester, lang))
        return JSONResponse(snapshot_json(live, viewer_for(live, requester, None, lang)))


def _owner_only(row: GameRow | None, requester: Requester) -> None:
    if row is None or not requester.knows(row):
        raise no_such_game()
    if row.terms is not None:
        raise RequestProblem(403, "forbidden", "referee-only")
    if not requester.owns(row):
        raise RequestProblem(403, "forbidden", "owner-only")


def _refuse_if_taken(live: LiveGame, seat: str) -> None:
    """A seat that somebody joined stays that person's until the game is over."""
    if live.row.seats.get(seat) == "link" and live.actor != OVER:
        raise RequestProblem(409, "not-possible", "another-plays")


@router.delete("/{game_id}", status_code=204)
def delete_game(game_id: GameId, table: TheTable, requester: TheRequester) -> Response:
    """Delete a game for ever."""
    row = table.store.game(game_id)
    _owner_only(row, requester)
    if row is not None and "link" in row.seats.values() and not row.over:
        raise RequestProblem(409, "not-possible", "another-plays")
    table.delete(game_id)
    return Response(status_code=204)


@router.post("/{game_id}/invitations", status_code=201, response_model=Invitation)
def invite(game_id: GameId, body: Invite, table: TheTable, requester: TheRequester) -> Response:
    """A secret link by which somebody can take a seat, once; an earlier link to that seat is void."""
    with table.playing(game_id) as live:
        _owner_only(live.row, requester)
        matches.players(live.game, {body.seat: "human"})
        _refuse_if_taken(live, body.seat)
        invitation = new_token()
        table.store.invite(game_id, body.seat, token_hash(invitation))
    link = f"/#join/{game_id}/{invitation}"
    return JSONResponse({"seat": body.seat, "invitation": invitation, "link": link}, status_code=201)


@router.post("/{game_id}/join", response_model=Joined)
def join(game_id: GameId, body: Join, table: TheTable) -> Response:
    """Take the seat of an invitation; the token in the answer plays it."""
    token = new_token()
    seat = table.store.join(game_id, token_hash(body.invitation), token_hash(token))
    if seat is None:
        raise RequestProblem(403, "forbidden", "link-used")
    with table.playing(game_id) as live:
        table.row_changed(live)
    return JSONResponse({"seat": seat, "token": token})


@router.get("/{game_id}/record", response_class=PlainTextResponse)
def export_record(game_id: GameId, table: TheTable, requester: TheRequester, lang: Lang) -> Response:
    """The record of the game: everything, as text that can be read, kept, verified and imported."""
    try:
        with table.playing(game_id) as live:
            seen = as_seen(live, requester)
            _refuse_secrets(seen, viewer_for(seen, requester, None, lang))
            text, name = seen.session.record().text(), live.row.name
    except RequestProblem as problem:
        row = table.store.game(game_id)
        if problem.error != "does-not-replay" or row is None or not requester.owns(row):
            raise
        text, name = _unreplayed_record(table, row).text(), row.name
    return PlainTextResponse(text, headers=download(name, "salient"))


def _refuse_secrets(live: LiveGame, viewer: Viewer) -> None:
    session = live.session
    for seat, action in zip(session.actors, session.actions, strict=True):
        if live.actor != OVER and str(action[0]) in live.game.secret_verbs and seat not in viewer.seats:
            raise RequestProblem(409, "not-possible", "record-secret")


def _unreplayed_record(table: GameTable, row: GameRow) -> Record:
    """The record of a game that this version cannot replay, from its journal alone."""
    header = {"game": row.game, "rules": "?", "data": "?", "name": row.dice_name, "scenario": row.scenario}
    header |= {"options": _pairs(row.options), "seats": _pairs(row.seats), "dice": row.dice}
    moves: list[RecordedMove] = []
    for entry in table.store.journal(row.id, 0, row.seen):
        if entry.kind in UNDOING:
            del moves[entry.ply :]
        elif entry.kind != NOTE:
            moves.append(RecordedMove(entry.seat, entry.action))
    return Record(header, moves)


def _pairs(values: dict[str, Any]) -> str:
    return write_pairs({str(name): str(value) for name, value in values.items()})


def download(name: str, suffix: str) -> dict[str, str]:
    """The header that makes a browser save the answer under the game's name."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name).strip("-") or "game"
    return {"Content-Disposition": f'attachment; filename="{plain}.{suffix}"'}
