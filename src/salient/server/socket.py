"""The socket: pushes what happens in a game to one viewer."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from starlette.concurrency import run_in_threadpool

from salient.server.access import asker_for, viewer_for
from salient.server.limits import Limits
from salient.server.problems import Problem
from salient.server.routes_games import GameId
from salient.server.table import Table
from salient.server.wire import update_json

router = APIRouter()

SECONDS_TO_GREET = 15


class Greeting(BaseModel):
    """What a client says first, and again to change its seat or its language."""

    model_config = ConfigDict(extra="forbid")

    token: Annotated[str, StringConstraints(max_length=100)] | None = None
    seat: Annotated[str, StringConstraints(max_length=32)] | None = None
    lang: Annotated[str, StringConstraints(pattern="^[a-z]{2,3}$")] = "en"
    since: Annotated[int, Field(ge=0, le=10**9)] | None = None


@router.websocket("/api/games/{game_id}/socket")
async def socket(websocket: WebSocket, game_id: GameId) -> None:
    """Updates after every change; the first message of the client says who it is and what it has seen."""
    await websocket.accept()
    link = Link(websocket, game_id)
    try:
        limits: Limits = websocket.app.state.limits
        with limits.socket(websocket.client.host if websocket.client else ""):
            greeting = Greeting.model_validate(await asyncio.wait_for(websocket.receive_json(), SECONDS_TO_GREET))
            await link.run(greeting)
    except Problem as problem:
        await websocket.send_json({"type": "error", **problem.body(link.greeting.lang)})
        await websocket.close(1008)
    except (ValidationError, ValueError, RecursionError, KeyError, TimeoutError):
        await websocket.close(1003)
    except WebSocketDisconnect:
        pass


class Link:
    """One open socket."""

    def __init__(self, websocket: WebSocket, game_id: str) -> None:
        self.websocket = websocket
        self.game_id = game_id
        self.table: Table = websocket.app.state.table
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
        """Greet, then push until the client leaves or the game is deleted."""
        self.greeting = greeting
        listeners = self.table.listeners.setdefault(self.game_id, set())
        listeners.add(self.hear)
        try:
            await self._push()
            listening = asyncio.create_task(self._listen())
            try:
                await self._tell(listening)
            finally:
                listening.cancel()
        finally:
            listeners.discard(self.hear)
            if not listeners:
                self.table.listeners.pop(self.game_id, None)

    async def _listen(self) -> None:
        while True:
            said = Greeting.model_validate(await self.websocket.receive_json())
            changed = said.model_dump(include={"seat", "lang"} & said.model_fields_set)
            self.greeting = self.greeting.model_copy(update=changed)
            self._note("update")

    async def _tell(self, listening: asyncio.Task[None]) -> None:
        while True:
            waking = asyncio.create_task(self.awake.wait())
            await asyncio.wait({waking, listening}, return_when=asyncio.FIRST_COMPLETED)
            waking.cancel()
            if listening.done():
                listening.result()
            news, self.news = self.news, set()
            self.awake.clear()
            if "gone" in news:
                await self.websocket.send_json({"type": "gone"})
                await self.websocket.close()
                return
            if "update" in news:
                await self._push()
            if "chat" in news:
                await self.websocket.send_json({"type": "chat"})

    async def _push(self) -> None:
        update = await run_in_threadpool(self._update)
        self.greeting = self.greeting.model_copy(update={"since": update["seen"]})
        await self.websocket.send_json({"type": "update", **update})

    def _update(self) -> dict[str, Any]:
        """The update since the last one; rights are looked up each time, for a seat can be taken back."""
        asker = asker_for(self.websocket, [self.greeting.token or ""])
        with self.table.playing(self.game_id) as live:
            viewer = viewer_for(live, asker, self.greeting.seat, self.greeting.lang)
            return update_json(self.table, live, viewer, self.greeting.since)
