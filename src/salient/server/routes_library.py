"""The library: games, components, names and maps. It changes only with the program, so browsers keep it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from salient import maps
from salient.games import games, load
from salient.hexes.board import Board
from salient.kernel import Game
from salient.server.access import Lang
from salient.server.models import REFUSALS
from salient.server.problems import Problem
from salient.server.settings import VERSION
from salient.server.thinker import levels
from salient.text import LANGUAGES, catalog, name
from salient.text.catalog import package_of

router = APIRouter(prefix="/api", tags=["library"], responses=REFUSALS)

SCALES = (0.5, 1.0, 2.0)
FOR_EVER = "public, max-age=31536000, immutable"


def _game(game: Annotated[str, Path(max_length=64)]) -> Game:
    if game not in games():
        raise Problem(404, "not-found", "no-such-page")
    return load(game)


TheGame = Annotated[Game, Depends(_game)]
Scale = Annotated[float, Query(description="0.5, 1 or 2.")]


class Cached:
    """Answers with an ETag; not at all if the browser has it, for ever if the address names the data."""

    def __init__(self, request: Request, v: str = "", if_none_match: Annotated[str, Header()] = "") -> None:
        self.headers = {"Cache-Control": FOR_EVER if v else "no-cache", "Vary": "Accept-Language"}
        self.known = if_none_match

    def answer(self, tag: str, body: Callable[[], Response]) -> Response:
        """The body, unless the browser holds the version with this tag."""
        headers = self.headers | {"ETag": f'"{tag}"'}
        if f'"{tag}"' in self.known:
            return Response(status_code=304, headers=headers)
        response = body()
        response.headers.update(headers)
        return response

    def json(self, value: Any) -> Response:
        """A JSON value, tagged by its content."""
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        tag = hashlib.sha256(text.encode()).hexdigest()[:20]
        return self.answer(tag, lambda: Response(text, media_type="application/json"))


Keep = Annotated[Cached, Depends()]


@router.get("/about")
def about(request: Request) -> Response:
    """What this server is."""
    local = request.app.state.settings.local
    return JSONResponse({"version": VERSION, "languages": list(LANGUAGES), "local": local, "levels": list(levels())})


@router.get("/library")
def library(lang: Lang, keep: Keep) -> Response:
    """Every game with its seats, scenarios and options."""
    return keep.json([_described(load(game_id), lang) for game_id in games()])


def _described(game: Game, lang: str) -> dict[str, Any]:
    def named(key: str) -> dict[str, str]:
        return {"id": key, "name": name(game, key, lang)}

    return {
        **named(game.id),
        "title": game.title,
        "seats": [named(seat) for seat in game.seats],
        "rules_version": game.rules_version,
        "data_hash": game.data_hash,
        "scenarios": [named(s.id) | {"turns": s.turns, "rule": s.rule} for s in game.scenarios],
        "options": [named(o.id) | {"rule": o.rule, "choices": [named(c) for c in o.choices]} for o in game.options],
    }


@router.get("/library/{game}/components")
def components(game: TheGame, keep: Keep) -> Response:
    """What never changes: counters, boxes, tracks, overlays, the sequence of play."""
    return keep.json(game.components())


@router.get("/library/{game}/catalog")
def names(game: TheGame, lang: Lang, keep: Keep) -> Response:
    """The names of units, sides, phases, badges, markers and so on in a language."""
    return keep.json({"lang": lang, "names": catalog(game, lang)["name"]})


@router.get("/library/{game}/hexes")
def hexes(game: TheGame, keep: Keep) -> Response:
    """Terrain, features, place and source of every hex."""
    board = board_of(game)
    places = {index: place.name for place in board.places for index in place.hexes}
    answer = {}
    for index, label in enumerate(board.labels):
        fact = {
            "terrain": board.terrain[index],
            "features": sorted(board.features[index]),
            "source": board.sources[index],
        }
        answer[label] = fact | ({"place": places[index]} if index in places else {})
    return keep.json(answer)


@router.get("/library/{game}/map")
def map_geometry(game: TheGame, keep: Keep, scale: Scale = 1.0) -> Response:
    """Where everything lies in the map image of a scale, and the addresses of the images."""
    board_of(game)
    base = f"/api/library/{game.id}/map.png?v={game.data_hash[:16]}-{VERSION}"
    images = {f"{known:g}": f"{base}&scale={known:g}" for known in SCALES}
    value = {"scales": SCALES, "scale": _scale(scale), "images": images, "geometry": geometry_of(game.id, scale)}
    return keep.json(value)


@router.get("/library/{game}/map.png", response_class=Response)
def map_image(game: TheGame, request: Request, keep: Keep, scale: Scale = 1.0) -> Response:
    """The map without counters."""
    board_of(game)
    tag = f"{game.data_hash[:16]}-{VERSION}-{_scale(scale):g}"
    folder: FilePath = request.app.state.settings.data / "maps"
    return keep.answer(tag, lambda: Response(map_png(game, scale, folder, tag), media_type="image/png"))


def _scale(scale: float) -> float:
    if scale not in SCALES:
        raise Problem(422, "invalid", "invalid", cause=f"scale: {', '.join(f'{known:g}' for known in SCALES)}")
    return scale


def board_of(game: Game) -> Board:
    """The board of a game; Problem if it has none."""
    board = getattr(import_module(f"{package_of(game)}.model"), "BOARD", None)
    if not isinstance(board, Board):
        raise Problem(404, "not-found", "no-map", title=game.title)
    return board


@cache
def geometry_of(game_id: str, scale: float) -> Any:
    """Where everything lies in the map image of a scale."""
    return maps.geometry(board_of(load(game_id)), scale)


def map_png(game: Game, scale: float, folder: FilePath, tag: str) -> bytes:
    """The map's image, rendered once and kept in `folder`."""
    file = folder / f"{game.id}-{tag}.png"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = file.with_suffix(".part")
        unfinished.write_bytes(maps.render_png(board_of(game), scale))
        unfinished.replace(file)
    return file.read_bytes()
