"""Draw the pictures of the maps: `python -m tools.pictures [GAME ...]`.

For the README docs/pictures/map-<game>.png and two nearer views of it, for the lobby src/salient/web/thumbs/<game>.png,
for the first look at a game src/salient/web/maps/<game>.webp. Run it after a change of a map or of the renderer.
"""

import io
import sys
from pathlib import Path

from PIL import Image

from salient.hexes.board import Board
from salient.hexes.load import load_board
from salient.maps.around import read_around
from salient.maps.sheet import CLIENT_LAYERS, PRINT_LAYERS, Options, geometry, render_png

ROOT = Path(__file__).parent.parent
GAMES = ("target-arnhem", "bulge", "deadly-woods", "ardennes44")
# A map that is taller than wide would dwarf the others at their width.
PICTURE_WIDTH, PICTURE_HEIGHT = 1400, 1500
THUMB_WIDTH = 320
# The picture that a player sees first: small enough to ship, large enough to read.
PREVIEW_WIDTH, MOST_PREVIEW_SCALE = 1500, 30.0
VIEWS = {"middle": 40.0, "near": 90.0}
VIEW_SIZE = (1000, 700)
FAMOUS = {"target-arnhem": "Nijmegen", "bulge": "Bastogne", "deadly-woods": "St. Vith", "ardennes44": "Stavelot"}
# Drawn larger and reduced, fine lines come out smoother.
OVERSAMPLING = 2


def main(games: list[str]) -> None:
    """Draw the pictures of some games, or of all."""
    for game in games or GAMES:
        data = ROOT / "src" / "salient" / "games" / game.replace("-", "_") / "data"
        board = load_board(data)
        size = geometry(board, 1.0)
        fit = min(PICTURE_WIDTH / size["width"], PICTURE_HEIGHT / size["height"])
        around = read_around(data)
        framed = _drawn(render_png(board, Options(fit * OVERSAMPLING, "en", PRINT_LAYERS, around=around)))
        picture = _reduced(framed, min(PICTURE_WIDTH / framed.width, PICTURE_HEIGHT / framed.height))
        _save(picture, 256, ROOT / "docs" / "pictures" / f"map-{game}.png")
        _draw_views(game, board)
        web = ROOT / "src" / "salient" / "web"
        bare = _drawn(
            render_png(board, Options(min(MOST_PREVIEW_SCALE, PREVIEW_WIDTH / size["width"]), "en", CLIENT_LAYERS))
        )
        (web / "maps").mkdir(exist_ok=True)
        bare.save(web / "maps" / f"{game}.webp", quality=72, method=6)
        _save(_reduced(bare, THUMB_WIDTH / bare.width), 96, web / "thumbs" / f"{game}.png")


def _draw_views(game: str, board: Board) -> None:
    """Draw a middle and a near view around a famous place."""
    for view, scale in VIEWS.items():
        place = next(place for place in board.places if place.name == FAMOUS[game])
        x, y = geometry(board, scale)["centres"][board.labels[place.hexes[0]]]
        image = _drawn(render_png(board, Options(scale, "en", CLIENT_LAYERS)))
        left = min(max(0, round(x - VIEW_SIZE[0] / 2)), max(0, image.width - VIEW_SIZE[0]))
        top = min(max(0, round(y - VIEW_SIZE[1] / 2)), max(0, image.height - VIEW_SIZE[1]))
        part = image.crop((left, top, min(image.width, left + VIEW_SIZE[0]), min(image.height, top + VIEW_SIZE[1])))
        _save(part, 256, ROOT / "docs" / "pictures" / f"map-{game}-{view}.png")


def _drawn(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def _reduced(image: Image.Image, ratio: float) -> Image.Image:
    return image.resize((round(image.width * ratio), round(image.height * ratio)), Image.Resampling.LANCZOS)


def _save(image: Image.Image, colours: int, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    palette = image.quantize(colours, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    palette.save(file, optimize=True)
    print(f"{file.relative_to(ROOT)}: {image.width} x {image.height}, {file.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
