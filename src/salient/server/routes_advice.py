"""Advice: what the computer would do, and the analysis of a finished game. Nothing here changes a game."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from salient.bots.advice import Advice
from salient.bots.analysis import Analysis, Mistake
from salient.bots.deeds import deeds, weighed
from salient.kernel import OVER, SeededDice, State, step
from salient.server.access import Viewer
from salient.server.adviser import Adviser, Hint, Study
from salient.server.answers import AdviceAnswer, AnalysisAnswer
from salient.server.live import LiveGame, stage_of
from salient.server.problems import Problem, not_your_turn
from salient.server.routes_look import Looking
from salient.server.wire import action_json, with_text
from salient.text import describe_action, say, stage_text

router = APIRouter(prefix="/api/games/{game_id}", tags=["advice"])

Json = dict[str, Any]


@router.get("/advice", response_model=AdviceAnswer)
async def advice(look: Looking, request: Request) -> Response:
    """What the computer would do in the asker's place: two plans at most. Not in games between people."""
    adviser: Adviser = request.app.state.adviser

    def think() -> Response:
        live, viewer = look.still()
        if live.row.terms is not None or "link" in live.row.seats.values():
            raise Problem(403, "forbidden", "no-advice")
        if not viewer.decides(live) or live.actor not in live.game.seats:
            raise not_your_turn()
        state = live.game.resample(live.session.state, live.actor, SeededDice(live.ply))  # no plan knows a secret
        plans = adviser.advice(Hint(live.game.id, live.actor, state.as_json(), live.ply))
        return JSONResponse({"seen": live.seen, "plans": [_plan_json(live, viewer, plan, state) for plan in plans]})

    return await adviser.waiting.run(look.asker.key, think)


def _plan_json(live: LiveGame, viewer: Viewer, plan: Advice, state: State) -> Json:
    """A plan with the ways and the odds of its beginning, and why in sentences."""
    game, lang = live.game, viewer.lang
    paths, odds, before = [], None, state
    for action in plan.actions:
        seen = game.view.preview(state, action)
        if "path" in seen:
            paths.append(seen["path"])
        odds = seen.get("odds", odds)
        state = step(state, action, trusted=True)
    why = [*plan.told, *deeds(game, before, state, live.actor), *weighed(plan.reasons)]
    return {
        "share": plan.share,
        "actions": [action_json(game, action, False, "", lang) for action in plan.actions],
        "told": [say(game, message, lang) for message in why],
        "paths": paths,
        "odds": with_text(game, odds, lang),
    }


@router.get("/analysis", response_model=AnalysisAnswer)
def analysis(look: Looking, request: Request) -> Response:
    """The analysis of a finished game as far as it is: the first question begins it, in the background."""
    adviser: Adviser = request.app.state.adviser
    live, viewer = look.still()
    if live.actor != OVER and not live.session.ended:
        raise Problem(409, "not-possible", "analyse-later")

    def study() -> Study:
        return Study(live.game.id, live.session.record().text())

    job = adviser.analysis(live.row.id, live.seen, look.asker.key, study)
    state = "failed" if job.failed else "done" if job.found else "running"
    found = _found_json(live, viewer, job.found) if job.found else {}
    return JSONResponse({"state": state, "done": job.done, "total": job.total, **found})


def _found_json(live: LiveGame, viewer: Viewer, found: Analysis) -> Json:
    worst = [_mistake_json(live, viewer, mistake) for mistake in found.worst]
    return {"luck": round(found.luck, 3), "skill": round(found.skill, 3), "worst": worst}


def _mistake_json(live: LiveGame, viewer: Viewer, mistake: Mistake) -> Json:
    game, lang = live.game, viewer.lang
    return {
        "ply": mistake.ply,
        "heading": stage_text(game, stage_of(game, live.session.state_at(mistake.ply)), lang),
        "seat": mistake.seat,
        "played": describe_action(game, mistake.played, lang),
        "better": describe_action(game, mistake.better, lang),
        "cost": round(mistake.cost, 3),
        "reasons": [say(game, message, lang) for message in weighed(mistake.reasons)],
    }
