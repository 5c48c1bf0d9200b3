"""Advice: what the computer would do, and the analysis of a finished game. Only the record learns of a hint."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from salient.bots.advice import Advice
from salient.bots.analysis import Analysis, Mistake
from salient.bots.deeds import deeds, weighed
from salient.kernel import OVER, SeededDice, State, step
from salient.kernel.record import has_hint
from salient.server.access import Viewer
from salient.server.adviser import Adviser, Hint, Study
from salient.server.answers import AdviceAnswer, AnalysisAnswer
from salient.server.legal import action_json
from salient.server.live import LiveGame, stage_of
from salient.server.models import Redo, Update
from salient.server.problems import RequestProblem, not_your_turn
from salient.server.routes_look import Looking
from salient.server.routes_play import Moving, change_game
from salient.server.store import Entry
from salient.server.wire import with_text
from salient.text import describe_action, say, stage_text

router = APIRouter(prefix="/api/games/{game_id}", tags=["advice"])

Json = dict[str, Any]


@router.post("/hint", response_model=Update)
def hint(body: Redo, mover: Moving) -> Response:
    """Note in the record that the computer is asked what to do now; then `advice` may be asked for."""

    def change(live: LiveGame, viewer: Viewer) -> list[Entry]:
        _may_ask(live, viewer)
        return live.note_hint()

    return change_game(mover, body.seen, change)


@router.get("/advice", response_model=AdviceAnswer)
def advice(look: Looking, request: Request) -> Response:
    """What the computer would do in the requester's place, as far as it has thought: two plans at most."""
    adviser: Adviser = request.app.state.adviser
    live, viewer = look.still()
    _may_ask(live, viewer)
    if not has_hint(live.session.comments.get(live.ply, "")):
        raise RequestProblem(409, "not-possible", "hint-not-asked")
    state = live.game.resample(live.session.state, live.actor, SeededDice(live.ply))  # no plan knows a secret
    ask = Hint(live.game.id, live.actor, state.as_json(), live.ply)
    job = adviser.advice(live.row.id, live.seen, look.requester.key, lambda: ask)
    plans = [_plan_json(live, viewer, plan, state) for plan in job.found or ()]
    return JSONResponse({"seen": live.seen, "state": job.state, "done": job.done, "total": job.total, "plans": plans})


@router.delete("/advice", status_code=204)
def forget_advice(look: Looking, request: Request) -> Response:
    """Stop thinking about the hints that one has asked for."""
    adviser: Adviser = request.app.state.adviser
    look.still()
    adviser.forget_hints(look.requester.key)
    return Response(status_code=204)


def _may_ask(live: LiveGame, viewer: Viewer) -> None:
    """Problem unless the viewer decides now, in a game that is not between people."""
    if live.row.terms is not None or "link" in live.row.seats.values():
        raise RequestProblem(403, "forbidden", "no-advice")
    if not viewer.decides(live) or live.actor not in live.game.seats:
        raise not_your_turn()


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
        "actions": [action_json(game, action, lang) for action in plan.actions],
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
        raise RequestProblem(409, "not-possible", "analyse-later")

    def study() -> Study:
        return Study(live.game.id, live.session.record().text())

    job = adviser.analysis(live.row.id, live.seen, look.requester.key, study)
    found = _found_json(live, viewer, job.found) if job.found else {}
    return JSONResponse({"state": job.state, "done": job.done, "total": job.total, **found})


@router.delete("/analysis", status_code=204)
def stop_analysis(look: Looking, request: Request) -> Response:
    """Stop the analysis that one has begun."""
    adviser: Adviser = request.app.state.adviser
    live, _ = look.still()
    adviser.studies.stop((live.row.id, live.seen), look.requester.key)
    return Response(status_code=204)


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
