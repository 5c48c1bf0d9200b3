"""How a game stands: the situation, the advantage over time, the luck of the dice. Nothing here changes a game."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse

from salient.server.answers import Curve, Luck
from salient.server.routes_look import Looking, Since, checked_ply
from salient.server.standing import curve_json, luck_json, luck_of, situation_json
from salient.server.views import Situation

router = APIRouter(prefix="/api/games/{game_id}", tags=["look"])


@router.get("/situation", response_model=Situation)
def situation(look: Looking, ply: Annotated[int | None, Query(ge=0)] = None) -> Response:
    """What the game is about and how it stands, now or at an earlier ply."""
    with look.at() as (live, viewer):
        state = live.session.state if ply is None else live.session.state_at(checked_ply(live, ply))
        return JSONResponse({"seen": live.seen, **situation_json(live, viewer, state)})


@router.get("/curve", response_model=Curve)
async def curve(look: Looking, since: Since = 0) -> Response:
    """The advantage of the first seat over that of the start, phase by phase from ply `since`."""

    def read() -> Response:
        live, viewer = look.still()
        return JSONResponse(curve_json(live, viewer, since))

    return await look.slowly(read)


@router.get("/luck", response_model=Luck)
async def luck(look: Looking) -> Response:
    """Every combat with what was to be expected and what the dice said, and the sum of each side."""

    def read() -> Response:
        live, _ = look.still()
        fights = luck_json(live)
        return JSONResponse({"fights": fights, "sides": [luck_of(fights, seat) for seat in live.game.seats]})

    return await look.slowly(read)
