"""Playing: submit an action, take back, reset, redo. An answer means that it is on the disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from salient.kernel import Illegal, MoreDice, NotYourTurn, SalientError
from salient.kernel.session import NothingToUndo
from salient.server.access import Asker, Lang, Seat, TheAsker, TheTable, Viewer, viewer_for
from salient.server.live import LiveGame
from salient.server.models import REFUSALS, Redo, Submission, Undo, Update
from salient.server.problems import Problem, Stale, not_your_turn
from salient.server.routes_games import GameId
from salient.server.store import Entry
from salient.server.table import Table
from salient.server.wire import message_json, snapshot_json, update_json
from salient.text import say_error

router = APIRouter(prefix="/api/games/{game_id}", tags=["play"], responses=REFUSALS)

Change = Callable[[LiveGame, Viewer], list[Entry]]


@router.post("/actions", response_model=Update)
def submit(
    game_id: GameId, body: Submission, table: TheTable, asker: TheAsker, lang: Lang, seat: Seat = None
) -> Response:
    """Play an action; the dice that follow are rolled and committed with it."""

    def change(live: LiveGame, viewer: Viewer) -> list[Entry]:
        if body.faces is not None:
            _must_decide(live, viewer)
            return live.roll_typed(body.faces)
        live.game.read(body.action or "")
        _must_decide(live, viewer)
        return live.act(live.actor, body.action or "")

    return _change(table, game_id, body.seen, change, asker, lang, seat)


@router.post("/undo", response_model=Update)
def undo(game_id: GameId, body: Undo, table: TheTable, asker: TheAsker, lang: Lang, seat: Seat = None) -> Response:
    """Take back the last action, or all since a ply; not past dice, secrets shown or the other side's decisions."""

    def change(live: LiveGame, viewer: Viewer) -> list[Entry]:
        return live.undo(_undo_target(live, viewer, live.ply - 1 if body.to is None else body.to))

    return _change(table, game_id, body.seen, change, asker, lang, seat)


@router.post("/reset", response_model=Update)
def reset(game_id: GameId, body: Redo, table: TheTable, asker: TheAsker, lang: Lang, seat: Seat = None) -> Response:
    """Take back everything that can be: "reset my turn"."""

    def change(live: LiveGame, viewer: Viewer) -> list[Entry]:
        lowest = live.lowest_undo(viewer.hands(live))
        return live.undo(_undo_target(live, viewer, live.ply if lowest is None else lowest))

    return _change(table, game_id, body.seen, change, asker, lang, seat)


@router.post("/redo", response_model=Update)
def redo(game_id: GameId, body: Redo, table: TheTable, asker: TheAsker, lang: Lang, seat: Seat = None) -> Response:
    """Play again what was taken back last, one action."""

    def change(live: LiveGame, viewer: Viewer) -> list[Entry]:
        if not live.redo:
            raise Problem(409, "not-possible", "nothing-to-redo")
        _must_decide(live, viewer)
        return live.act(*live.redo[0], kind="redo")

    return _change(table, game_id, body.seen, change, asker, lang, seat)


def _must_decide(live: LiveGame, viewer: Viewer) -> None:
    if not viewer.decides(live):
        raise NotYourTurn(viewer.seat, live.actor)


def _undo_target(live: LiveGame, viewer: Viewer, to: int) -> int:
    lowest = live.lowest_undo(viewer.hands(live))
    if lowest is None or not lowest <= to < live.ply:
        raise NothingToUndo
    return to


def _change(
    table: Table, game_id: str, seen: int, change: Change, asker: Asker, lang: str, seat: str | None
) -> Response:
    with table.playing(game_id) as live:
        viewer = viewer_for(live, asker, seat, lang)
        try:
            table.commit(live, seen, lambda: change(live, viewer))
        except (Stale, SalientError) as error:
            raise _refused(table, game_id, asker, lang, seat, error) from error
        return JSONResponse(update_json(table, live, viewer_for(live, asker, seat, lang), seen))


def _refused(
    table: Table, game_id: str, asker: Asker, lang: str, seat: str | None, error: Stale | SalientError
) -> Problem:
    with table.playing(game_id) as live:
        viewer = viewer_for(live, asker, seat, lang)
        more: dict[str, Any] = {"snapshot": snapshot_json(table, live, viewer)}
        if isinstance(error, Stale):
            return Problem(409, "stale", "stale", more)
        if isinstance(error, Illegal):
            refusals = [message_json(live.game, refusal, lang) for refusal in error.refusals]
            text = " ".join(refusal["text"] for refusal in refusals)
            return Problem(422, "illegal", "said", more | {"refusals": refusals}, text=text)
        if isinstance(error, NotYourTurn):
            return not_your_turn(more)
        if isinstance(error, NothingToUndo):
            return Problem(409, "not-possible", "nothing-to-undo", more)
        text = say_error(live.game, error, lang)
        if isinstance(error, MoreDice):
            return Problem(422, "more-dice", "said", more | {"needed": list(error.sides)}, text=text)
        return Problem(422, "unreadable", "said", more, text=text)
