"""Orders and previews: several actions tried, looked at, and carried out as one."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from salient.kernel import SalientError, legal
from salient.server import orders
from salient.server.access import Viewer
from salient.server.answers import PlanAnswer, PreviewsAnswer
from salient.server.live import LiveGame
from salient.server.mapfiles import board_of
from salient.server.models import Order, Previews, Update
from salient.server.problems import not_your_turn
from salient.server.routes_look import Looking
from salient.server.routes_play import Moving, change_game, must_decide, refusal_of
from salient.server.store import Entry
from salient.server.wire import with_text

router = APIRouter(prefix="/api/games/{game_id}", tags=["play"])


@router.post("/previews", response_model=PreviewsAnswer)
def previews(body: Previews, look: Looking) -> Response:
    """What each of some legal actions would do, in one answer; others are left out."""
    with look.at() as (live, viewer):
        if not viewer.decides(live):
            raise not_your_turn()
        state = live.session.state
        offered = {live.game.write(action): action for action in legal(state)}
        known = [text for text in dict.fromkeys(body.actions) if text in offered]
        shown = {
            text: with_text(live.game, live.game.view.preview(state, offered[text]), viewer.lang) for text in known
        }
        return JSONResponse({"seen": live.seen, "previews": shown})


@router.post("/orders", response_model=PlanAnswer | Update)
def order(body: Order, mover: Moving) -> Response:
    """Try an order; with `commit` carry it out as one, and take it back by one undo."""
    if body.commit:

        def carry_out(live: LiveGame, viewer: Viewer) -> list[Entry]:
            must_decide(live, viewer)
            return live.act_all(live.actor, _plan(live, body).actions)

        return change_game(mover, body.seen, carry_out)
    with mover.table.playing(mover.game_id) as live:
        try:
            must_decide(live, mover.viewer(live))
            return JSONResponse({"seen": live.seen, **_plan_json(live, _plan(live, body), mover.lang)})
        except SalientError as error:
            raise refusal_of(mover, error) from error


def _plan(live: LiveGame, body: Order) -> orders.Plan:
    game, state = live.game, live.session.state
    if body.actions is not None:
        return orders.listed(game, state, body.actions)
    if body.each is not None:
        return orders.all_that_can(game, state, body.each)
    units = [int(game.notation.kinds["unit"].read(unit)) for unit in body.units]
    if body.begin is not None:
        return orders.begun_with(game, state, body.begin, units)
    goal = int(game.notation.kinds["hex"].read(body.to))
    return orders.towards(game, board_of(game), state, units, body.verb, goal)


def _plan_json(live: LiveGame, plan: orders.Plan, lang: str) -> dict[str, Any]:
    unit, place = live.game.notation.kinds["unit"], live.game.notation.kinds.get("hex")
    return {
        "actions": [live.game.write(action) for action in plan.actions],
        "ends": {unit.write(u): place.write(h) for u, h in plan.ends.items()} if place else {},
        "stragglers": [unit.write(u) for u in plan.stragglers],
        "held": [unit.write(u) for u in plan.held],
        "preview": _going_on(live, plan, lang),
    }


def _going_on(live: LiveGame, plan: orders.Plan, lang: str) -> dict[str, Any]:
    """What going on from where an order leads would do."""
    onward = orders.going_on(plan.after) if plan.after else None
    if plan.after is None or onward is None:
        return {}
    return dict(with_text(live.game, live.game.view.preview(plan.after, onward), lang))
