"""Playing: submit an action, take back, reset, redo. An answer means that it is on the disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response
from fastapi.responses import JSONResponse

from salient.kernel import Illegal, MoreDice, NotYourTurn, SalientError
from salient.kernel.session import NothingToUndo
from salient.server.access import Lang, Requester, Seat, TheRequester, TheTable, Viewer, as_seen, viewer_for
from salient.server.live import LiveGame
from salient.server.models import Redo, Submission, Undo, Update
from salient.server.problems import RequestProblem, Stale, not_your_turn
from salient.server.routes_games import GameId
from salient.server.store import Entry
from salient.server.table import GameTable
from salient.server.wire import mark_of, message_json, position_json, update_json
from salient.text import say_error

router = APIRouter(prefix="/api/games/{game_id}", tags=["play"])

Change = Callable[[LiveGame, Viewer], list[Entry]]
Held = Annotated[str | None, Query(max_length=64, description="The `mark` of your snapshot: only what is new comes.")]
LinkName = Annotated[str | None, Query(max_length=32, description="Your socket: it does not tell this again.")]


@dataclass(frozen=True)
class Mover:
    """Who changes a game, and what they know of it."""

    game_id: str
    table: GameTable
    requester: Requester
    lang: str
    seat: str | None
    held: str | None
    link: str | None

    def viewer(self, live: LiveGame) -> Viewer:
        """With whose eyes the mover looks at the game as it is now."""
        return viewer_for(as_seen(live, self.requester), self.requester, self.seat, self.lang)


async def _mover(
    game_id: GameId,
    table: TheTable,
    requester: TheRequester,
    lang: Lang,
    seat: Seat = None,
    held: Held = None,
    link: LinkName = None,
) -> Mover:
    return Mover(game_id, table, requester, lang, seat, held, link)


Moving = Annotated[Mover, Depends(_mover)]


@router.post("/actions", response_model=Update)
def submit(body: Submission, mover: Moving) -> Response:
    """Play an action; the dice that follow are rolled and committed with it."""

    def change(live: LiveGame, viewer: Viewer) -> list[Entry]:
        if body.faces is not None:
            must_decide(live, viewer)
            return live.roll_typed(body.faces)
        action = live.game.read(body.action or "")
        must_decide(live, viewer)
        return live.act(live.actor, action)

    return change_game(mover, body.seen, change)


@router.post("/undo", response_model=Update)
def undo(body: Undo, mover: Moving) -> Response:
    """Take back the last action or order, or all since a ply; not past dice, secrets shown or others' decisions."""

    def change(live: LiveGame, viewer: Viewer) -> list[Entry]:
        return live.undo(_undo_target(live, viewer, live.last_order() if body.to is None else body.to))

    return change_game(mover, body.seen, change)


@router.post("/reset", response_model=Update)
def reset(body: Redo, mover: Moving) -> Response:
    """Take back everything that can be: "reset my turn"."""

    def change(live: LiveGame, viewer: Viewer) -> list[Entry]:
        lowest = live.lowest_undo(viewer.seats)
        return live.undo(_undo_target(live, viewer, live.ply if lowest is None else lowest))

    return change_game(mover, body.seen, change)


@router.post("/redo", response_model=Update)
def redo(body: Redo, mover: Moving) -> Response:
    """Play again what was taken back last, one action."""

    def change(live: LiveGame, viewer: Viewer) -> list[Entry]:
        if not live.redo:
            raise RequestProblem(409, "not-possible", "nothing-to-redo")
        must_decide(live, viewer)
        seat, text = live.redo[0]
        return live.act(seat, live.game.read(text), kind="redo")

    return change_game(mover, body.seen, change)


def must_decide(live: LiveGame, viewer: Viewer) -> None:
    """NotYourTurn unless the viewer decides now."""
    if not viewer.decides(live):
        raise NotYourTurn(viewer.seat, live.actor)


def _undo_target(live: LiveGame, viewer: Viewer, to: int) -> int:
    lowest = live.lowest_undo(viewer.seats)
    if lowest is None or not lowest <= to < live.ply:
        raise NothingToUndo
    return to


def change_game(mover: Mover, seen: int, change: Change) -> Response:
    """Make a change and answer with it; a refusal comes with the present position.

    What succeeds was made at the present position, for the store takes nothing else. So the store is asked what that
    is only before something is refused.
    """
    try:
        return _changed(mover, seen, change, trusting=True)
    except (Stale, SalientError, RequestProblem):
        pass
    try:
        return _changed(mover, seen, change)
    except (Stale, SalientError) as error:
        raise refusal_of(mover, error) from error


def _changed(mover: Mover, seen: int, change: Change, trusting: bool = False) -> Response:
    table = mover.table
    with table.playing(mover.game_id, trusting) as live:
        viewer = mover.viewer(live)
        if mover.requester.delay(live.row):
            raise NotYourTurn(viewer.seat, "")
        if (live.row.clock or {}).get("paused"):
            raise RequestProblem(409, "not-possible", "game-paused")
        table.commit(live, seen, lambda: change(live, viewer))
        viewer = mover.viewer(live)
        answer = update_json(live, viewer, seen, mover.held)
        if mover.link and (told := table.links.get(mover.link)):
            told(live.seen, mark_of(live, viewer))
        return JSONResponse(answer)


def refusal_of(mover: Mover, error: Stale | SalientError) -> RequestProblem:
    """The answer to what the rules or the moment do not allow."""
    lang = mover.lang
    with mover.table.playing(mover.game_id) as present:
        live, viewer = as_seen(present, mover.requester), mover.viewer(present)
        more: dict[str, Any] = position_json(live, viewer, mover.held)
        if isinstance(error, Stale):
            return RequestProblem(409, "stale", "stale", more)
        if isinstance(error, Illegal):
            refusals = [message_json(live.game, refusal, lang) for refusal in error.refusals]
            text = " ".join(refusal["text"] for refusal in refusals)
            return RequestProblem(422, "illegal", "said", more | {"refusals": refusals}, text=text)
        if isinstance(error, NotYourTurn):
            return not_your_turn(more)
        if isinstance(error, NothingToUndo):
            return RequestProblem(409, "not-possible", "nothing-to-undo", more)
        text = say_error(live.game, error, lang)
        if isinstance(error, MoreDice):
            return RequestProblem(422, "more-dice", "said", more | {"needed": list(error.sides)}, text=text)
        return RequestProblem(422, "unreadable", "said", more, text=text)
