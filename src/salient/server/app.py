"""The application: routes, layers, error answers, and the client's files."""

from __future__ import annotations

import asyncio
import logging
import mimetypes
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.types import Scope

from salient.kernel.messages import SalientError
from salient.server import (
    routes_advice,
    routes_games,
    routes_lab,
    routes_library,
    routes_look,
    routes_orders,
    routes_play,
    routes_standing,
    socket,
    watch,
)
from salient.server.adviser import Adviser
from salient.server.between import routes as between
from salient.server.between.referee import Referee
from salient.server.between.room import Room
from salient.server.between.talk import Talk
from salient.server.bots import Bots
from salient.server.bus import Bus, Heard
from salient.server.database import storage_problem, trouble
from salient.server.described import DescribedApp
from salient.server.heavy import HeavyReads
from salient.server.limits import Limits
from salient.server.memory import keep_clear
from salient.server.openings import Openings
from salient.server.people.accounts import Accounts
from salient.server.post import Post
from salient.server.presence import Presence
from salient.server.problems import Cause, RequestProblem, Stale, sentence
from salient.server.seal import NoKey, Seal, read_key
from salient.server.security import Guard, language
from salient.server.settings import VERSION, Settings
from salient.server.store import Store
from salient.server.table import GameTable
from salient.server.watch import Metrics
from salient.text import languages

log = logging.getLogger("salient.server")

SECONDS_A_LOOK = 1.0
SECONDS_TO_CATCH_UP = 5.0

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("image/svg+xml", ".svg")


class ClientFiles(StaticFiles):
    """The client's files; browsers ask each time whether they have changed."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


def open_store(settings: Settings) -> Store:
    """The server's store; CannotOpen, with a sentence, if it cannot be used."""
    try:
        seal = Seal(read_key(settings.key))
    except NoKey as error:
        raise SalientError(sentence("key-unreadable", "en", file=settings.key)) from error
    except OSError as error:
        raise trouble(error) from error
    store = Store(settings.url, seal)
    if not store.has_this_key():
        store.close()
        raise SalientError(sentence("key-other", "en", file=settings.key))
    return store


async def keep_time(referee: Referee) -> None:
    """End the games whose time runs out, within a second or two."""
    while True:
        await asyncio.sleep(SECONDS_A_LOOK)
        try:
            await asyncio.to_thread(referee.sweep)
        except Exception as error:
            log.warning("The clocks wait: %s", type(error).__name__)


async def keep_up(table: GameTable) -> None:
    """See now and then what another process has changed and did not tell: one that died, or `salient admin`."""
    while True:
        await asyncio.sleep(SECONDS_TO_CATCH_UP)
        try:
            await asyncio.to_thread(table.catch_up)
        except Exception as error:
            log.warning("What others changed waits: %s", type(error).__name__)


def heard_by(table: GameTable, presence: Presence) -> Heard:
    """What is done with what another process says."""

    def heard(origin: str, topic: str, what: str) -> None:
        if not origin:
            presence.ask_all()
        if not presence.heard(origin, topic, what):
            table.heard(topic, what)

    return heard


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the store and begin all that runs besides requests; at the end, stop it."""
    settings: Settings = app.state.settings
    store = open_store(settings)
    table = app.state.table = GameTable(store)
    app.state.heavy, app.state.drawing = HeavyReads(), HeavyReads()
    app.state.adviser = Adviser(settings.worker_setup)
    app.state.openings = Openings(store, settings.openings)
    app.state.accounts = accounts = Accounts(store)
    app.state.presence = presence = Presence(store, table.tell)
    app.state.post = post = Post(store, settings, presence)
    app.state.talk = Talk(store)
    app.state.room = Room(table, accounts, post)
    app.state.referee = referee = Referee(table, post)
    post.tell_person = lambda person_id: table.tell(f"@{person_id}", "notice")
    bots = Bots(table, settings)
    await bots.start()
    bus = Bus(store, heard_by(table, presence))
    bus.start()
    enough = threading.Event()
    looking = asyncio.create_task(asyncio.to_thread(table.look_over, enough))
    always = post.run(), keep_time(referee), keep_up(table), presence.run(), keep_clear()
    running = [asyncio.create_task(each) for each in always]
    yield
    enough.set()
    for task in running:
        task.cancel()
    await asyncio.to_thread(bus.stop)
    await bots.stop()
    await asyncio.to_thread(app.state.adviser.close)
    await asyncio.gather(looking, return_exceptions=True)
    store.close()


def build_app(settings: Settings) -> FastAPI:
    """The server's application."""
    app = DescribedApp(
        title="Salient",
        version=VERSION,
        description="Play and study hex-and-counter wargames. The companion page docs/API.md explains the whole.",
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.settings = settings
    app.state.limits = Limits(settings.allowance, settings.local)
    app.state.metrics = Metrics()
    _include_routes(app, settings.public)
    app.mount("/", ClientFiles(directory=str(resources.files("salient") / "web"), html=True, check_dir=False))
    app.add_exception_handler(RequestProblem, _problem)
    app.add_exception_handler(SalientError, _unreadable)
    app.add_exception_handler(Stale, _stale)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(SQLAlchemyError, _storage)
    app.add_exception_handler(OSError, _storage)
    app.add_exception_handler(Exception, _crash)
    app.add_middleware(Guard, settings=settings)
    return app


def _include_routes(app: FastAPI, public: bool) -> None:
    if public:
        from salient.server.people import routes as people

        for online in (people.router, between.room, between.notices, socket.personal):
            app.include_router(online)
    app.include_router(routes_play.router)  # first, for routes are looked through in their order
    app.include_router(between.games)
    for routes in (
        routes_library,
        routes_games,
        routes_orders,
        routes_look,
        routes_standing,
        routes_advice,
        routes_lab,
        socket,
        watch,
    ):
        app.include_router(routes.router)


# ---- error answers ------------------------------------------------------------


def _lang(request: Request) -> str:
    asked = request.query_params.get("lang", "")
    return asked if asked in languages() else language(request.headers.get("accept-language", ""))


def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestProblem)
    return JSONResponse(error.body(_lang(request)), status_code=error.status, headers=error.headers)


def _stale(request: Request, error: Exception) -> Response:
    return _problem(request, RequestProblem(409, "stale", "stale"))


def _unreadable(request: Request, error: Exception) -> Response:
    assert isinstance(error, SalientError)
    return _problem(request, RequestProblem(422, "unreadable", "said", text=Cause(None, error)))


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    cause = f"{'.'.join(str(part) for part in first['loc'][1:])}: {first['msg']}"
    return _problem(request, RequestProblem(422, "invalid", "invalid", cause=cause))


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not-found", 405: "not-allowed"}.get(error.status_code, "bad-request")
    message = sentence("no-such-page", _lang(request)) if error.status_code == 404 else str(error.detail)
    return JSONResponse({"error": code, "message": message}, status_code=error.status_code)


def _storage(request: Request, error: Exception) -> Response:
    log.error("Storage: %s", type(error).__name__, exc_info=error)
    return _problem(request, storage_problem(error))


def _crash(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "server-error", "message": sentence("server-error", _lang(request))}, status_code=500)
