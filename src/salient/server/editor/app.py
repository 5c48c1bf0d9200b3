"""The editor's application: its page, the facts at a hex, changes, the difference from ours."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import resources
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BaseModel

from salient import maps
from salient.hexes.rows import SOURCES, Fault
from salient.hexes.validate import SIZES
from salient.maps import CLIENT_LAYERS, Options
from salient.server.app import ClientFiles
from salient.server.editor.near import facts, surroundings
from salient.server.editor.own import COUNTERS, FILE_KEYS, OwnData, Refused, Verdict
from salient.server.security import ANSWER_HEADERS, language
from salient.text import languages, say

SCALE = 48.0
PICTURE_SCALE = 24.0
BRIDGES = ("", "bridge", "blown", "unbuilt")
# A page elsewhere cannot know the address, and a browser says where a request comes from.
LOCAL = ("127.0.0.1", "localhost", "::1")


class Change(BaseModel):
    """A row to be kept, taken away, or given back."""

    file: str
    row: dict[str, str]


class Key(BaseModel):
    """Which row is meant."""

    file: str
    key: list[str]


def _file(own: OwnData, file: str) -> dict[str, Any]:
    """The columns of a file, its key, and whether its rows can only be changed."""
    return {"columns": own.columns(file), "key": FILE_KEYS[file], "stays": file in (*COUNTERS, "hexes.csv")}


def build_editor(own: OwnData) -> FastAPI:
    """The application that edits one game's data."""
    app = FastAPI(title="Salient editor", openapi_url=None, docs_url=None, redoc_url=None)
    app.middleware("http")(_guard)
    app.add_exception_handler(Refused, _refused)
    app.include_router(_looking(own))
    app.include_router(_changing(own))
    app.mount("/", ClientFiles(directory=str(resources.files("salient") / "web"), html=True))
    return app


async def _guard(request: Request, call_next: Any) -> Response:
    origin = request.headers.get("origin")
    if request.url.hostname not in LOCAL or (origin and origin != f"http://{request.headers.get('host')}"):
        return PlainTextResponse("The editor answers its own machine only.", status_code=403)
    response: Response = await call_next(request)
    response.headers.update(ANSWER_HEADERS)
    return response


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return JSONResponse({"reasons": _said(error.reasons, _language(request))}, status_code=422)


def _language(request: Request) -> str:
    asked = request.query_params.get("lang", "")
    return asked if asked in languages() else language(request.headers.get("accept-language", ""))


def _said(faults: Sequence[Fault], lang: str) -> list[str]:
    return [say(None, fault, lang) for fault in faults]


def _looking(own: OwnData) -> APIRouter:
    """The map, the facts at a hex, and what is near it."""
    router = APIRouter(prefix="/api/edit")

    @router.get("")
    def about() -> dict[str, Any]:
        board = own.board()
        return {
            "game": own.game_id,
            "folder": str(own.folder),
            "scale": SCALE,
            "geometry": maps.geometry(board, SCALE),
            "files": {file: _file(own, file) for file in own.files()},
            "choices": _choices(board.legend),
        }

    @router.get("/map.png")
    def picture() -> Response:
        # The rasteriser keeps the interpreter to itself while it works: in a process of its own it holds up nobody.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            png = pool.submit(_whole_map, own.game_id, own.folder).result()
        return Response(png, media_type="image/png", headers={"Cache-Control": "no-store"})

    @router.get("/hex/{label}")
    def at_hex(label: str) -> dict[str, Any]:
        _on_map(own, label)
        return {"hex": label, "facts": facts(own, label)}

    @router.get("/near/{label}")
    def near(label: str) -> dict[str, Any]:
        _on_map(own, label)
        return surroundings(own.board(), label, SCALE)

    return router


def _changing(own: OwnData) -> APIRouter:
    """Changes, one at a time, and how they differ from ours."""
    router = APIRouter(prefix="/api/edit")
    busy = threading.Lock()

    @router.post("/change")
    def change(wanted: Change, request: Request) -> dict[str, list[str]]:
        with busy:
            return _told(own.change(wanted.file, wanted.row), _language(request))

    @router.post("/remove")
    def remove(wanted: Key, request: Request) -> dict[str, list[str]]:
        with busy:
            return _told(own.remove(wanted.file, tuple(wanted.key)), _language(request))

    @router.post("/revert")
    def revert(wanted: Key, request: Request) -> dict[str, list[str]]:
        with busy:
            return _told(own.revert(wanted.file, tuple(wanted.key)), _language(request))

    @router.get("/diff")
    def diff() -> list[dict[str, Any]]:
        return [
            {"file": found.file, "key": found.key, "ours": found.ours, "own": found.own} for found in own.differences()
        ]

    @router.get("/patch")
    def patch() -> Response:
        name = f"{own.game_id}.patch"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return PlainTextResponse(own.patch(), headers=headers)

    return router


def _whole_map(game_id: str, folder: Path) -> bytes:
    return maps.render_png(OwnData(game_id, folder).board(), Options(PICTURE_SCALE, layers=CLIENT_LAYERS))


def _on_map(own: OwnData, label: str) -> None:
    if label not in own.board().index:
        raise Refused(Fault("fault-hex", text=label))


def _told(verdict: Verdict, lang: str) -> dict[str, list[str]]:
    return {"conflicts": _said(verdict.conflicts, lang), "findings": _said(verdict.findings, lang)}


def _choices(legend: Any) -> dict[str, list[str]]:
    keys = {section: list(legend.get(section, {})) for section in ("terrain", "feature", "hexside", "road", "zone")}
    return keys | {"size": list(SIZES), "source": list(SOURCES), "bridge": list(BRIDGES)}


def run_editor(own: OwnData, port: int, open_browser: bool) -> None:
    """Serve the editor on this machine until it is stopped."""
    address = f"http://127.0.0.1:{port}/edit.html"
    if open_browser:
        threading.Timer(1.0, webbrowser.open, [address]).start()
    uvicorn.run(build_editor(own), host="127.0.0.1", port=port, log_level="warning")
