"""The application: routes, layers, error answers, and the client's files."""

from __future__ import annotations

import logging
import mimetypes
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import Scope

from salient.kernel.messages import SalientError
from salient.server import routes_games, routes_library, routes_look, routes_play, socket
from salient.server.bots import Bots
from salient.server.problems import Cause, Problem, sentence
from salient.server.security import Guard, language
from salient.server.sessions import Table
from salient.server.settings import VERSION, Settings
from salient.server.store import Store
from salient.text import languages

log = logging.getLogger("salient.server")

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("image/svg+xml", ".svg")


class ClientFiles(StaticFiles):
    """The client's files; browsers ask each time whether they have changed."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


def build_app(settings: Settings) -> FastAPI:
    """The server's application."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = Store(settings.url)
        app.state.table = Table(store)
        bots = Bots(app.state.table, settings)
        await bots.resume()
        yield
        await bots.stop()
        store.close()

    app = FastAPI(
        title="Salient",
        version=VERSION,
        description="Play and study hex-and-counter wargames. The companion page docs/API.md explains the whole.",
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.settings = settings
    for routes in (routes_library, routes_games, routes_play, routes_look, socket):
        app.include_router(routes.router)
    app.mount("/", ClientFiles(directory=str(resources.files("salient") / "web"), html=True, check_dir=False))
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(SalientError, _unreadable)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _crash)
    app.add_middleware(Guard, settings=settings)
    return app


# ---- error answers ------------------------------------------------------------


def _lang(request: Request) -> str:
    asked = request.query_params.get("lang", "")
    return asked if asked in languages() else language(request.headers.get("accept-language", ""))


def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return JSONResponse(error.body(_lang(request)), status_code=error.status)


def _unreadable(request: Request, error: Exception) -> Response:
    assert isinstance(error, SalientError)
    return _problem(request, Problem(422, "unreadable", "said", text=Cause(None, error)))


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    cause = f"{'.'.join(str(part) for part in first['loc'][1:])}: {first['msg']}"
    return _problem(request, Problem(422, "invalid", "invalid", cause=cause))


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not-found", 405: "not-allowed"}.get(error.status_code, "bad-request")
    message = sentence("no-such-page", _lang(request)) if error.status_code == 404 else str(error.detail)
    return JSONResponse({"error": code, "message": message}, status_code=error.status_code)


def _crash(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "server-error", "message": sentence("server-error", _lang(request))}, status_code=500)
