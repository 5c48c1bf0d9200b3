"""The library: games, components, names and maps. It changes only with the program, so browsers keep it."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from salient.bots import DEFAULT
from salient.common.places import place_names
from salient.games import game_ids, listed_games, load
from salient.kernel import AnyGame, GameListing
from salient.server.access import Lang, TheRequester
from salient.server.answers import About, GameTitle, HexFact, MapAnswer, Names
from salient.server.gametables import game_tables
from salient.server.heavy import HeavyReads
from salient.server.mapfiles import (
    USUAL_SCALE,
    board_of,
    checked_scale,
    geometry_of,
    map_file,
    map_png,
    map_tag,
    preview_of,
    scales_of,
)
from salient.server.problems import RequestProblem
from salient.server.settings import VERSION
from salient.server.thinker import levels
from salient.server.views import Components, TableOfGame
from salient.text import catalog, full_name, languages, name

log = logging.getLogger(__name__)
router = APIRouter(prefix="/api", tags=["library"])

FOR_EVER = "public, max-age=31536000, immutable"


def _game(game: Annotated[str, Path(max_length=64)]) -> AnyGame:
    if game not in game_ids():
        raise RequestProblem(404, "not-found", "no-such-page")
    return load(game)


TheGame = Annotated[AnyGame, Depends(_game)]
Scale = Annotated[float, Query(description="Pixels from the centre of a hex to a corner.")]


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


@router.get("/about", response_model=About)
def about(request: Request) -> Response:
    """What this server is."""
    local = request.app.state.settings.local
    return JSONResponse(
        {
            "version": VERSION,
            "languages": list(languages()),
            "local": local,
            "public": request.app.state.settings.public,
            "levels": list(levels()),
            "level": DEFAULT,
        }
    )


@router.get("/library", response_model=list[GameTitle])
def library(lang: Lang, keep: Keep) -> Response:
    """Every game whose data can be read, with its seats, scenarios and options; none is loaded for it."""
    games, errors = listed_games()
    for error in errors:
        log.warning("A game is not offered. %s", error)
    return keep.json([_described(game, lang) for game in games])


def _described(game: GameListing, lang: str) -> dict[str, Any]:
    def named(key: str) -> dict[str, str]:
        return {"id": key, "name": name(game, key, lang)}

    return {
        **named(game.id),
        "title": name(game, game.id, lang),
        "seats": [named(seat) for seat in game.seats],
        "rules_version": game.rules_version,
        "scenarios": [named(s.id) | {"turns": s.turns, "rule": s.rule} for s in game.scenarios],
        "options": [named(o.id) | {"rule": o.rule, "choices": [named(c) for c in o.choices]} for o in game.options],
    }


@router.get("/library/{game}/components", response_model=Components)
def components(game: TheGame, keep: Keep, lang: Lang) -> Response:
    """What never changes: counters, boxes, tracks, overlays, the sequence of play; names in the reader's language."""
    return keep.json(_named(game, game.components(), lang))


def _named(game: AnyGame, part: Any, lang: str) -> Any:
    """Components with every `name` in a language."""
    if isinstance(part, list):
        return [_named(game, each, lang) for each in part]
    if not isinstance(part, dict):
        return part
    return {
        key: full_name(game, value, lang) if key == "name" else _named(game, value, lang) for key, value in part.items()
    }


@router.get("/library/{game}/catalog", response_model=Names)
def names(game: TheGame, lang: Lang, keep: Keep) -> Response:
    """The names of units, sides, phases, badges, markers and so on in a language."""
    return keep.json({"lang": lang, "names": catalog(game, lang)["name"]})


@router.get("/library/{game}/tables", response_model=list[TableOfGame])
def tables(game: TheGame, keep: Keep) -> Response:
    """Every table of the game: combat, terrain, turns, rolls."""
    return keep.json(game_tables(game))


@router.get("/library/{game}/hexes", response_model=dict[str, HexFact])
def hexes(game: TheGame, keep: Keep) -> Response:
    """Terrain, features, place and source of every hex."""
    board = board_of(game)
    regions = {index: place.name for place in board.places for index in place.hexes}
    places = regions | place_names(board)
    answer = {}
    for index, label in enumerate(board.labels):
        fact = {
            "terrain": board.terrain[index],
            "features": sorted(board.features[index]),
            "source": board.sources[index],
        }
        answer[label] = fact | ({"place": places[index]} if index in places else {})
    return keep.json(answer)


@router.get("/library/{game}/map", response_model=MapAnswer)
def map_geometry(game: TheGame, keep: Keep, lang: Lang, scale: Scale = USUAL_SCALE) -> Response:
    """Where everything lies in the map image of a scale, and the addresses of the images."""
    board_of(game)
    geometry = geometry_of(game.id, checked_scale(game, scale))
    path = f"/api/library/{game.id}/map.png?lang={lang}"
    scales = scales_of(game)
    images = {f"{known:g}": f"{path}&scale={known:g}&v={map_tag(game, known, lang)}" for known in scales}
    preview = preview_of(game)
    return keep.json({"scales": scales, "scale": scale, "images": images, "preview": preview, "geometry": geometry})


@router.get("/library/{game}/map.png", response_class=Response)
async def map_image(
    game: TheGame, request: Request, keep: Keep, lang: Lang, requester: TheRequester, scale: Scale = USUAL_SCALE
) -> Response:
    """The map without counters; one that must be drawn first waits its turn."""
    drawing: HeavyReads = request.app.state.drawing
    folder: FilePath = request.app.state.settings.data / "maps"

    def is_drawn() -> bool:
        board_of(game)
        return map_file(game, checked_scale(game, scale), lang, folder).exists()

    def answer() -> Response:
        tag = map_tag(game, scale, lang)
        return keep.answer(tag, lambda: Response(map_png(game, scale, lang, folder), media_type="image/png"))

    if await run_in_threadpool(is_drawn):
        return await run_in_threadpool(answer)
    return await drawing.run(requester.key, answer)
