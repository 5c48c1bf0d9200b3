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
            must_decide(live, viewer)
            return live.roll_typed(body.faces)
        live.game.read(body.action or "")
        must_decide(live, viewer)
        return live.act(live.actor, body.action or "")

    return change_game(table, game_id, body.seen, change, asker, lang, seat)


@router.post("/undo", response_model=Update)
def undo(game_id: GameId, body: Undo, table: TheTable, asker: TheAsker, lang: Lang, seat: Seat = None) -> Response:
    """Take back the last action or order, or all since a ply; not past dice, secrets shown or others' decisions."""

    def change(live: LiveGame, viewer: Viewer) -> list[Entry]:
        return live.undo(_undo_target(live, viewer, live.last_order() if body.to is None else body.to))

    return change_game(table, game_id, body.seen, change, asker, lang, seat)


@router.post("/reset", response_model=Update)
def reset(game_id: GameId, body: Redo, table: TheTable, asker: TheAsker, lang: Lang, seat: Seat = None) -> Response:
    """Take back everything that can be: "reset my turn"."""

    def change(live: LiveGame, viewer: Viewer) -> list[Entry]:
        lowest = live.lowest_undo(viewer.hands(live))
        return live.undo(_undo_target(live, viewer, live.ply if lowest is None else lowest))

    return change_game(table, game_id, body.seen, change, asker, lang, seat)


@router.post("/redo", response_model=Update)
def redo(game_id: GameId, body: Redo, table: TheTable, asker: TheAsker, lang: Lang, seat: Seat = None) -> Response:
    """Play again what was taken back last, one action."""

    def change(live: LiveGame, viewer: Viewer) -> list[Entry]:
        if not live.redo:
            raise Problem(409, "not-possible", "nothing-to-redo")
        must_decide(live, viewer)
        return live.act(*live.redo[0], kind="redo")

    return change_game(table, game_id, body.seen, change, asker, lang, seat)


def must_decide(live: LiveGame, viewer: Viewer) -> None:
    """NotYourTurn unless the viewer decides now."""
    if not viewer.decides(live):
        raise NotYourTurn(viewer.seat, live.actor)


def _undo_target(live: LiveGame, viewer: Viewer, to: int) -> int:
    lowest = live.lowest_undo(viewer.hands(live))
    if lowest is None or not lowest <= to < live.ply:
        raise NothingToUndo
    return to


def change_game(
    table: Table, game_id: str, seen: int, change: Change, asker: Asker, lang: str, seat: str | None
) -> Response:
    """Make a change and answer with it; a refusal comes with the present position."""
    with table.playing(game_id) as live:
        viewer = viewer_for(live, asker, seat, lang)
        try:
            table.commit(live, seen, lambda: change(live, viewer))
        except (Stale, SalientError) as error:
            raise refusal_of(table, game_id, asker, lang, seat, error) from error
        return JSONResponse(update_json(table, live, viewer_for(live, asker, seat, lang), seen))


def refusal_of(
    table: Table, game_id: str, asker: Asker, lang: str, seat: str | None, error: Stale | SalientError
) -> Problem:
    """The answer to what the rules or the moment do not allow."""
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
