"""Looking: log, replay, earlier positions, why not, previews, overlays, dice, report. Nothing here changes a game."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse

from salient.bots.advice import next_best
from salient.bots.deeds import deeds, weighed
from salient.kernel import CHANCE, OVER, Prompt, Record, SeededDice, VerifiedDice, actor, legal, step
from salient.kernel.frames import TAKE_UP
from salient.kernel.messages import SalientError
from salient.kernel.shared_dice import SharedDice
from salient.server.access import Lang, Requester, Seat, TheRequester, TheTable, Viewer, as_seen, viewer_for
from salient.server.answers import DiceAnswer, LogPage, Past, Reasons, ReplayPage, Verdict, WhyNot
from salient.server.dicestats import dice_statistics
from salient.server.heavy import HeavyReads
from salient.server.live import LiveGame, stage_of
from salient.server.problems import RequestProblem, not_your_turn, sentence
from salient.server.report import report_html
from salient.server.routes_games import GameId, download
from salient.server.settings import Settings
from salient.server.table import GameTable
from salient.server.views import OverlayAnswer, Preview
from salient.server.wire import MOST_ENTRIES, entries_json, message_json, with_text
from salient.text import describe_action, name, say, say_error, stage_text

router = APIRouter(prefix="/api/games/{game_id}", tags=["look"])

Since = Annotated[int, Query(ge=0, le=10**9)]
Limit = Annotated[int, Query(ge=1, le=MOST_ENTRIES)]
MOST_PLIES = 30  # that one decision of a bot may set off
MOST_INSTEAD = 4  # actions that are told of what could have been done instead
NEXT_BEST_SECONDS = 2.0
ActionText = Annotated[str, Query(min_length=1, max_length=500, description="An action, as in the legal list.")]


@dataclass(frozen=True)
class Look:
    """A question about a game, and who asks it."""

    settings: Settings
    heavy: HeavyReads
    game_id: str
    table: GameTable
    requester: Requester
    lang: str
    seat: str | None

    @contextmanager
    def at(self) -> Iterator[tuple[LiveGame, Viewer]]:
        """The game, locked, and the viewer."""
        with self.table.playing(self.game_id) as live:
            seen = as_seen(live, self.requester)
            yield seen, viewer_for(seen, self.requester, self.seat, self.lang)

    def still(self) -> tuple[LiveGame, Viewer]:
        """The game as it is now, without its lock, and the viewer."""
        with self.at() as (live, viewer):
            return live.still(), viewer

    async def slowly(self, read: Callable[[], Response]) -> Response:
        """The answer to a long question, without holding up anybody else."""
        return await self.heavy.run(self.requester.key, read)


async def _look(
    request: Request, game_id: GameId, table: TheTable, requester: TheRequester, lang: Lang, seat: Seat = None
) -> Look:
    state = request.app.state
    return Look(state.settings, state.heavy, game_id, table, requester, lang, seat)


Looking = Annotated[Look, Depends(_look)]


@router.get("/log", response_model=LogPage)
def log(look: Looking, since: Since = 0, limit: Limit = MOST_ENTRIES) -> Response:
    """The log in words after ply `since`, a page of at most `limit` actions."""
    live, viewer = look.still()
    start = min(since, live.ply)
    entries = entries_json(live, viewer, start, min(start + limit, live.ply), changes=False)
    return JSONResponse({"seen": live.seen, "ply": live.ply, "entries": entries})


@router.get("/replay", response_model=ReplayPage)
async def replay(look: Looking, since: Since = 0, limit: Limit = MOST_ENTRIES) -> Response:
    """The view at ply `since` and at most `limit` changes after it: a page of what a scrubber needs."""

    def read() -> Response:
        live, viewer = look.still()
        first = min(since, live.ply)
        start = live.game.view.observe(live.session.state_at(first), viewer.seat)
        entries = entries_json(live, viewer, first, min(first + limit, live.ply))
        return JSONResponse({"seen": live.seen, "ply": live.ply, "start": start, "entries": entries})

    return await look.slowly(read)


@router.get("/at/{ply}", response_model=Past)
def at_ply(look: Looking, ply: Annotated[int, Path(ge=0)]) -> Response:
    """The position after the first `ply` actions."""
    with look.at() as (live, viewer):
        state = live.session.state_at(checked_ply(live, ply))
        heading = stage_text(live.game, stage_of(live.game, state), viewer.lang)
        view = live.game.view.observe(state, viewer.seat)
        return JSONResponse({"ply": ply, "actor": actor(state), "heading": heading, "view": view})


def checked_ply(live: LiveGame, ply: int) -> int:
    """A ply that the game has reached."""
    if ply > live.ply:
        raise RequestProblem(404, "not-found", "no-such-ply", n=live.ply)
    return ply


@router.get("/why", response_model=WhyNot)
def why(look: Looking, action: ActionText) -> Response:
    """Why an action is not allowed now: every reason with its rule."""
    with look.at() as (live, viewer):
        chosen = live.game.read(action)
        if not viewer.decides(live):
            raise not_your_turn()
        refusals = live.game.why_not(live.session.state, chosen)
        said = [message_json(live.game, refusal, viewer.lang) for refusal in refusals]
        return JSONResponse({"legal": not said, "refusals": said})


@router.get("/preview", response_model=Preview)
def preview(look: Looking, action: ActionText) -> Response:
    """What a legal action would do: path and cost, or the full odds."""
    with look.at() as (live, viewer):
        chosen = live.game.read(action)
        if not viewer.decides(live) or chosen not in legal(live.session.state):
            raise RequestProblem(409, "not-possible", "preview-illegal")
        return JSONResponse(with_text(live.game, live.game.view.preview(live.session.state, chosen), viewer.lang))


@router.get("/rolls/{ply}", response_model=Preview)
def rolled(look: Looking, ply: Annotated[int, Path(ge=1)]) -> Response:
    """The odds of the roll that led to a ply, as they stood when the die fell; nothing if it had none."""
    with look.at() as (live, viewer):
        state = live.session.state_at(checked_ply(live, ply) - 1)
        known = live.game.view.preview(state, live.session.actions[ply - 1]) if actor(state) == CHANCE else {}
        return JSONResponse(with_text(live.game, known, viewer.lang))


@router.get("/position", response_class=PlainTextResponse)
def position(look: Looking) -> Response:
    """The position as text, for programs that play a seat; what the seat may not see is drawn anew each time."""
    with look.at() as (live, viewer):
        if viewer.seat not in viewer.seats and live.actor != OVER:
            raise RequestProblem(403, "forbidden", "players-only")
        seen = live.game.resample(live.session.state, viewer.seat, SeededDice(secrets.token_hex(16)))
        return PlainTextResponse(live.game.write_position(seen))


@router.get("/overlay/{overlay}", response_model=OverlayAnswer)
def read_overlay(
    look: Looking, overlay: Annotated[str, Path(max_length=64)], ply: Annotated[int | None, Query(ge=0)] = None
) -> Response:
    """One overlay as far as the seat may see it, now or at an earlier ply."""
    with look.at() as (live, viewer):
        if overlay not in live.game.components()["overlays"]:
            raise RequestProblem(404, "not-found", "no-such-overlay", title=live.game.title, overlay=overlay)
        state = live.session.state if ply is None else live.session.state_at(checked_ply(live, ply))
        values = dict(live.game.view.overlay(state, viewer.seat, overlay))
        legend = [line | {"text": name(live.game, line["key"], viewer.lang)} for line in values["legend"]]
        return JSONResponse(values | {"legend": legend})


@router.get("/reasons/{ply}", response_model=Reasons)
async def reasons(look: Looking, ply: Annotated[int, Path(ge=1)]) -> Response:
    """Why the bot did what it did, and what it could have done instead."""

    def read() -> Response:
        live, viewer = look.still()
        checked_ply(live, ply)
        readable = viewer.may_read(live, live.session.actors[ply - 1], str(live.session.actions[ply - 1][0]))
        known = live.reasons(ply) if readable else []
        messages = [*done(live, ply), *weighed(known), *instead(live, viewer, ply)] if known else []
        return JSONResponse({"ply": ply, "reasons": [say(live.game, message, viewer.lang) for message in messages]})

    return await look.slowly(read)


def instead(live: LiveGame, viewer: Viewer, ply: int) -> list[Prompt]:
    """The next best thing by a captain's judgement, from what the viewer may know; nothing if none is found soon."""
    game, seat, played = live.game, live.session.actors[ply - 1], live.session.actions[ply - 1]
    state = game.resample(live.session.state_at(ply - 1), viewer.seat or seat, SeededDice(ply))
    said = []
    for action in next_best(game, state, seat, played, time.monotonic() + NEXT_BEST_SECONDS):
        frame = state.stack[-1]
        if frame.role(action) != TAKE_UP and not frame.ending(action):
            said.append(describe_action(game, action, viewer.lang))
        state = step(state, action, trusted=True)
    return [Prompt("", "next-best", text="; ".join(said[:MOST_INSTEAD]))] if said else []


def done(live: LiveGame, ply: int) -> list[Prompt]:
    """What the action that led to a ply brought about, until its seat decides again on the same ground."""
    before = live.session.state_at(ply - 1)
    seat, state, depth = live.session.actors[ply - 1], before, len(before.stack)
    for action in live.session.actions[ply - 1 : ply - 1 + MOST_PLIES]:
        state = step(state, action, trusted=True)
        if actor(state) == OVER or (actor(state) == seat and len(state.stack) <= depth):
            break
    return deeds(live.game, before, state, seat)


@router.get("/dice", response_model=DiceAnswer)
async def dice(look: Looking) -> Response:
    """Every roll, the statistics of each side, the commitment and, when the game is over, the secret."""

    def read() -> Response:
        live, _ = look.still()
        source = live.session.dice
        answer: dict[str, Any] = {"kind": source.kind, "commitment": None, "secret": None}
        if isinstance(source, (VerifiedDice, SharedDice)):
            answer["commitment"] = source.commitment
            answer["secret"] = source.secret.hex() if live.actor == OVER else None
        return JSONResponse(answer | dice_statistics(live))

    return await look.slowly(read)


@router.get("/verify", response_model=Verdict)
async def verify(look: Looking) -> Response:
    """Replay the finished game and check every die against the revealed secret."""

    def read() -> Response:
        live, _ = look.still()
        if live.actor != OVER:
            raise RequestProblem(409, "not-possible", "verify-later")
        rolls = live.session.actors.count(CHANCE)
        try:
            Record.parse(live.session.record().text()).verify(live.game)
        except SalientError as error:
            cause = say_error(live.game, error, look.lang)
            return JSONResponse({"ok": False, "message": sentence("not-verified", look.lang, cause=cause)})
        return JSONResponse({"ok": True, "message": sentence("verified", look.lang, n=rolls)})

    return await look.slowly(read)


@router.get("/report", response_class=HTMLResponse)
async def report(look: Looking) -> Response:
    """The after-action report: the game in words with pictures of the map, in one HTML file."""

    def read() -> Response:
        live, viewer = look.still()
        text = report_html(live, viewer, look.settings.data / "maps")
        return HTMLResponse(text, headers=download(live.row.name, "html"))

    return await look.slowly(read)
