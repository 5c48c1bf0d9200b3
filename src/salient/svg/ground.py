"""The map beneath a picture: drawn once for each scale and language, and kept in the user's cache folder."""

from __future__ import annotations

import hashlib
import os
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import platformdirs

from salient import maps
from salient.common.boards import board_of
from salient.games import load
from salient.hexes.board import Board
from salient.kernel import AnyGame, Unreadable

SCALES = (12.0, 16.0, 24.0, 36.0, 48.0)
MOST_WIDTH = 1250


def board_with_map(game: AnyGame) -> Board:
    """The board of a game; Unreadable if it is not played on hexes."""
    board = board_of(game)
    if board is None:
        raise Unreadable("no-map-of", text=game.id)
    return board


@cache
def geometry(game_id: str, scale: float) -> dict[str, Any]:
    """Where everything lies in the image of a scale."""
    return maps.geometry(board_with_map(load(game_id)), scale)


def usual_scale(game: AnyGame) -> float:
    """The largest scale at which the whole map fits a page."""
    return max((scale for scale in SCALES if geometry(game.id, scale)["width"] <= MOST_WIDTH), default=SCALES[0])


@lru_cache(maxsize=4)
def map_image(game_id: str, scale: float, lang: str) -> bytes:
    """The map as PNG, from the cache if it was drawn before by this renderer from these data."""
    board = board_with_map(load(game_id))
    name = f"{game_id}-{board.data_hash[:12]}-{_renderer()}-{scale:g}-{lang}.png"
    file = platformdirs.user_cache_path("salient") / "maps" / name
    if not file.exists():
        image = maps.render_png(board, maps.Options(scale, lang, maps.CLIENT_LAYERS))
        try:
            _write(file, image)
        except OSError:
            return image
    return file.read_bytes()


def _write(file: Path, image: bytes) -> None:
    """Write the whole file or none, whoever else draws at the same time."""
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(image)
    unfinished.replace(file)


@cache
def _renderer() -> str:
    """A hash of the renderer's own files, so that a new version draws anew."""
    digest = hashlib.sha256()
    for file in sorted(Path(str(maps.__file__)).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:8]
