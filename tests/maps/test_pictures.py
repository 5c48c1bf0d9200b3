"""The pictures that `python -m tools.pictures` draws: there, of the size they should have, and shown."""

import json
import struct
from pathlib import Path

import pytest
from tools import pictures

ROOT = Path(__file__).parents[2]
GAMES = ("target-arnhem", "bulge", "deadly-woods", "ardennes44")


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.parametrize("game", GAMES)
def test_the_readme_shows_a_picture_of_every_map(game: str) -> None:
    assert f"docs/pictures/map-{game}.png" in (ROOT / "README.md").read_text(encoding="utf-8")
    picture = (ROOT / "docs" / "pictures" / f"map-{game}.png").read_bytes()
    assert 1200 <= size_of(picture)[0] <= 1400
    assert len(picture) < 1_200_000


@pytest.mark.parametrize("game", GAMES)
def test_the_lobby_has_a_small_picture_of_every_map(game: str) -> None:
    picture = (ROOT / "src" / "salient" / "web" / "thumbs" / f"{game}.png").read_bytes()
    assert size_of(picture)[0] == 320
    assert len(picture) < 80_000


@pytest.mark.parametrize("game", GAMES)
def test_the_first_look_at_a_game_is_shipped_with_the_client(game: str) -> None:
    """No drawing stands between a player and the map."""
    picture = (ROOT / "src" / "salient" / "web" / "maps" / f"{game}.webp").read_bytes()
    assert picture[8:12] == b"WEBP"
    assert len(picture) < 600_000


@pytest.mark.parametrize("game", GAMES)
def test_the_first_look_is_of_the_present_map(game: str) -> None:
    """Drawn from today's data by today's renderer; if not: `python -m tools.pictures`."""
    kept = json.loads(pictures.DRAWN.read_text("utf-8"))
    assert pictures.fingerprint(pictures.first_look(game)) == kept[game], "run: python -m tools.pictures"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("view", ["middle", "near"])
def test_the_docs_show_each_map_from_nearer(game: str, view: str) -> None:
    name = f"pictures/map-{game}-{view}.png"
    assert name in (ROOT / "docs" / "MAPS.md").read_text(encoding="utf-8")
    assert (ROOT / "docs" / name).is_file()
