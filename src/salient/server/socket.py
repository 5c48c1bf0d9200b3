"""Sockets: what happens in a game, pushed to one viewer; and what a person is told, wherever that person is."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from typing import Annotated, Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from salient.server.access import Viewer, as_seen, asker_for, viewer_for
from salient.server.database import storage_problem
from salient.server.limits import Limits, household
from salient.server.live import LiveGame
from salient.server.presence import Presence
from salient.server.problems import RequestProblem
from salient.server.routes_games import GameId
from salient.server.table import GameTable
from salient.server.wire import mark_of, update_json

router = APIRouter()
personal = APIRouter()

SECONDS_TO_GREET = 15
SECONDS_BETWEEN_WORDS = 0.2  # of one client: who says more at once is read more slowly


class Greeting(BaseModel):
    """What a client says first, and again to change its seat or its language."""

    model_config = ConfigDict(extra="forbid")

    token: Annotated[str, StringConstraints(max_length=100)] | None = None
    seat: Annotated[str, StringConstraints(max_length=32)] | None = None
    lang: Annotated[str, StringConstraints(pattern="^[a-z]{2,3}$")] = "en"
    since: Annotated[int, Field(ge=0, le=10**9)] | None = None
    held: Annotated[str, StringConstraints(max_length=64)] | None = None


@router.websocket("/api/games/{game_id}/socket")
async def socket(websocket: WebSocket, game_id: GameId) -> None:
    """Updates after every change; the first message of the client says who it is and what it has seen."""
    await _serve(websocket, Link(websocket, game_id))


@personal.websocket("/api/notices/socket")
async def notice_socket(websocket: WebSocket) -> None:
    """Says that there is a new notice, within a moment; for whoever has signed in."""
    await _serve(websocket, PersonalLink(websocket))


async def _serve(websocket: WebSocket, link: Line) -> None:
    """Hold a socket open as long as the client keeps to the rules."""
    await websocket.accept()
    try:
        limits: Limits = websocket.app.state.limits
        with limits.socket(household(websocket.client.host) if websocket.client else ""):
            async with asyncio.timeout(SECONDS_TO_GREET):
                greeting = Greeting.model_validate(await websocket.receive_json())
            await link.run(greeting)
    except RequestProblem as problem:
        await websocket.send_json({"type": "error", **problem.body(link.greeting.lang)})
        await websocket.close(1008)
    except SQLAlchemyError as error:
        await websocket.send_json({"type": "error", **storage_problem(error).body(link.greeting.lang)})
        await websocket.close(1013)
    except (ValidationError, ValueError, RecursionError, KeyError, TimeoutError):
        await websocket.close(1003)
    except WebSocketDisconnect:
        pass


class Line:
    """One open socket that is told when something is new."""

    def __init__(self, websocket: WebSocket, topic: str) -> None:
        self.websocket = websocket
        self.topic = topic
        self.table: GameTable = websocket.app.state.table
        self.limits: Limits = websocket.app.state.limits
        self.loop = asyncio.get_running_loop()
        self.news: set[str] = set()
        self.awake = asyncio.Event()
        self.greeting = Greeting()

    def hear(self, what: str) -> None:
        """Note that something is new; from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop may have closed while a bot's thread still told
            self.loop.call_soon_threadsafe(self._note, what)

    def _note(self, what: str) -> None:
        self.news.add(what)
        self.awake.set()

    async def run(self, greeting: Greeting) -> None:
        """Greet, then tell until the client leaves or there is nothing more to tell."""
        self.greeting = greeting
        person = await run_in_threadpool(self._begin)
        with self.limits.socket(person), self.table.listening(self.topic, self.hear):
            await self._greet()
            listening = asyncio.create_task(self._listen())
            try:
                await self._tell(listening)
            finally:
                listening.cancel()

    async def _listen(self) -> None:
        while True:
            said = Greeting.model_validate(await self.websocket.receive_json())
            changed = said.model_dump(include={"seat", "lang", "since", "held"} & said.model_fields_set)
            self.greeting = self.greeting.model_copy(update=changed)
            self._note("update")
            await asyncio.sleep(SECONDS_BETWEEN_WORDS)

    async def _tell(self, listening: asyncio.Task[None]) -> None:
        more = True
        while more:
            waking = asyncio.create_task(self.awake.wait())
            await asyncio.wait({waking, listening}, return_when=asyncio.FIRST_COMPLETED)
            waking.cancel()
            if listening.done():
                listening.result()
            news, self.news = self.news, set()
            self.awake.clear()
            more = await self._hand_on(news)

    def _begin(self) -> str:
        """Who listens, for the share of sockets that one person may have; empty for who has not signed in."""
        person = asker_for(self.websocket, []).person
        return person.id if person else ""

    async def _greet(self) -> None:
        """What is told first."""

    async def _hand_on(self, news: set[str]) -> bool:
        """Tell what is new; whether there can be more."""
        raise NotImplementedError


class PersonalLink(Line):
    """A socket that tells a person of notices."""

    def __init__(self, websocket: WebSocket) -> None:
        super().__init__(websocket, "")

    def _begin(self) -> str:
        person = super()._begin()
        if not person:
            raise RequestProblem(401, "sign-in", "sign-in")
        self.topic = f"@{person}"
        return person

    async def _hand_on(self, news: set[str]) -> bool:
        await self.websocket.send_json({"type": "notice"})
        return True


class Link(Line):
    """A socket at a table."""

    def __init__(self, websocket: WebSocket, game_id: str) -> None:
        super().__init__(websocket, game_id)
        self.presence: Presence = websocket.app.state.presence
        self.later: asyncio.TimerHandle | None = None
        self.name = secrets.token_urlsafe(12)

    async def run(self, greeting: Greeting) -> None:
        """Be at the table for as long as the socket is open."""
        self.table.links[self.name] = self.knows
        try:
            await super().run(greeting)
        finally:
            del self.table.links[self.name]
            if self.later is not None:
                self.later.cancel()
            self.presence.leave(self)

    def knows(self, seen: int, mark: str) -> None:
        """Note what the client has been told, here or elsewhere; with the game's lock held."""
        self.greeting = self.greeting.model_copy(update={"since": seen, "held": mark})

    async def _greet(self) -> None:
        await self._push(first=True)

    async def _hand_on(self, news: set[str]) -> bool:
        if "gone" in news:
            await self.websocket.send_json({"type": "gone"})
            await self.websocket.close()
            return False
        if "update" in news:
            await self._push()
        if "chat" in news:
            await self.websocket.send_json({"type": "chat"})
        if "presence" in news:
            await self.websocket.send_json({"type": "presence", **self.presence.at(self.topic)})
        return True

    async def _push(self, first: bool = False) -> None:
        """Send an update if there is one; the first one comes always, with the name of the socket."""
        update, more_in = await run_in_threadpool(self._update, first)
        if self.later is not None:
            self.later.cancel()
        self.later = None if more_in is None else self.loop.call_later(more_in, self._note, "update")
        if update is not None:
            await self.websocket.send_json({"type": "update", **({"link": self.name} if first else {}), **update})

    def _update(self, first: bool) -> tuple[dict[str, Any] | None, float | None]:
        """The update since the last one, if any, and in how many seconds there is more for who sees things later.

        Rights are looked up each time, for a seat can be taken back.
        """
        requester = asker_for(self.websocket, [self.greeting.token or ""])
        with self.table.playing(self.topic, trusting=True) as present:
            live = as_seen(present, requester)
            viewer = viewer_for(live, requester, self.greeting.seat, self.greeting.lang)
            self.presence.sit(self, self.topic, viewer.seats, requester.key or str(id(self)))
            now, delay = time.time(), requester.delay(present.row)
            next_at = present.more_at(now - delay) if delay else None
            more_in = None if next_at is None else max(0.05, next_at + delay - now + 0.05)
            return self._new(live, viewer, first), more_in

    def _new(self, live: LiveGame, viewer: Viewer, first: bool) -> dict[str, Any] | None:
        since, held, mark = self.greeting.since, self.greeting.held, mark_of(live, viewer)
        if not first and (since, held) == (live.seen, mark):
            return None
        self.knows(live.seen, mark)
        return update_json(live, viewer, since, held)
