"""Map images: rendered once per map, scale and language, and kept on the disk."""

from __future__ import annotations

import hashlib
import os
import threading
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from salient.common import boards
from salient.games import load
from salient.hexes.board import Board
from salient.kernel import AnyGame
from salient.server.problems import RequestProblem

SCALES = (8.5, 12.0, 17.0, 24.0, 48.0, 96.0)
USUAL_SCALE = 48.0
MOST_PIXELS = 24_000_000

PREVIEWS = Path(__file__).parent.parent / "web" / "maps"

_rendering = threading.Lock()


def has_map(game: AnyGame) -> bool:
    """Whether a game is played on a board of hexes."""
    return boards.board_of(game) is not None


def board_of(game: AnyGame) -> Board:
    """The board of a game; RequestProblem if it has none."""
    board = boards.board_of(game)
    if board is None:
        raise RequestProblem(404, "not-found", "no-map", title=game.title)
    return board


def preview_of(game: AnyGame) -> str | None:
    """The file of the client with a small picture of a map, which is seen while the sharp one is drawn."""
    name = f"{game.id}.webp"
    return name if (PREVIEWS / name).is_file() else None


@cache
def geometry_of(game_id: str, scale: float) -> dict[str, Any]:
    """Where everything lies in the map image of a scale."""
    from salient import maps

    return maps.geometry(board_of(load(game_id)), scale)


def scales_of(game: AnyGame) -> list[float]:
    """The scales at which a map is not too large for a browser."""
    usual = geometry_of(game.id, USUAL_SCALE)
    pixels = usual["width"] * usual["height"]
    return [scale for scale in SCALES if pixels * (scale / USUAL_SCALE) ** 2 <= MOST_PIXELS]


def checked_scale(game: AnyGame, scale: float) -> float:
    """The scale, if the map has it."""
    if scale not in scales_of(game):
        raise RequestProblem(
            422, "invalid", "invalid", cause=f"scale: {', '.join(f'{known:g}' for known in scales_of(game))}"
        )
    return scale


def map_tag(game: AnyGame, scale: float, lang: str) -> str:
    """What names a version of an image: the map's data, the renderer, scale and language."""
    return f"{board_of(game).data_hash[:12]}-{_renderer()}-{scale:g}-{lang}"


@cache
def _renderer() -> str:
    """A hash of the renderer's own files, so that a new version draws anew."""
    digest = hashlib.sha256()
    for file in sorted((Path(__file__).parent.parent / "maps").glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:8]


def map_file(game: AnyGame, scale: float, lang: str, folder: Path) -> Path:
    """Where the map's image is kept once it is drawn."""
    return folder / f"{game.id}-{map_tag(game, scale, lang)}.png"


def map_png(game: AnyGame, scale: float, lang: str, folder: Path) -> bytes:
    """The map's image without counters."""
    file = map_file(game, scale, lang, folder)
    with _rendering:
        if not file.exists():
            folder.mkdir(parents=True, exist_ok=True)
            unfinished = file.with_suffix(".part")
            unfinished.write_bytes(_in_other_process(game.id, scale, lang))
            unfinished.replace(file)
    return file.read_bytes()


def end_with_the_server() -> None:
    """A process that is killed takes those along that it has started."""

    def watch(server: BaseProcess) -> None:
        server.join()
        os._exit(1)

    if server := parent_process():
        threading.Thread(target=watch, args=(server,), daemon=True).start()


def _in_other_process(game_id: str, scale: float, lang: str) -> bytes:
    """Render without holding up everybody else: the rasteriser keeps the interpreter to itself while it works."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=end_with_the_server) as pool:
        return pool.submit(_render, game_id, scale, lang).result()


def _render(game_id: str, scale: float, lang: str) -> bytes:
    from salient import maps

    return maps.render_png(board_of(load(game_id)), maps.Options(scale, lang, maps.CLIENT_LAYERS))
