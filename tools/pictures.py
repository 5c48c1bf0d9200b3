"""Draw the pictures of the maps: `python -m tools.pictures [GAME ...]`.

For the README docs/pictures/map-<game>.png and two nearer views of it, for the lobby src/salient/web/thumbs/<game>.png,
for the first look at a game src/salient/web/maps/<game>.webp. Run it after a change of a map or of the renderer; a test
compares what the first look was drawn from (src/salient/web/maps/drawn.json) with what would be drawn now.
"""

import hashlib
import io
import json
import sys
from pathlib import Path

from PIL import Image

from salient.hexes.board import Board
from salient.hexes.load import load_board
from salient.maps.around import read_around
from salient.maps.sheet import CLIENT_LAYERS, PRINT_LAYERS, Options, geometry, render_png, render_svg, svg_to_png

ROOT = Path(__file__).parent.parent
WEB = ROOT / "src" / "salient" / "web"
DRAWN = WEB / "maps" / "drawn.json"
GAMES = ("target-arnhem", "bulge", "deadly-woods", "ardennes44")
# A map that is taller than wide would dwarf the others at their width.
PICTURE_WIDTH, PICTURE_HEIGHT = 1400, 1500
THUMB_WIDTH = 320
# The picture that a player sees first: small enough to ship, large enough to read.
PREVIEW_WIDTH, MOST_PREVIEW_SCALE = 1500, 30.0
VIEWS = {"middle": 40.0, "near": 90.0}
VIEW_SIZE = (1000, 700)
FAMOUS = {"target-arnhem": "Nijmegen", "bulge": "Bastogne", "deadly-woods": "St. Vith", "ardennes44": "Stavelot"}


def main(games: list[str]) -> None:
    """Draw the pictures of some games, or of all."""
    for game in games or GAMES:
        data = data_of(game)
        board = load_board(data)
        size = geometry(board, 1.0)
        fit = min(PICTURE_WIDTH / size["width"], PICTURE_HEIGHT / size["height"])
        around = read_around(data)
        # At its own size, not reduced: names below the least legible size would not be drawn so small.
        framed = _drawn(render_png(board, Options(fit, "en", PRINT_LAYERS, around=around)))
        picture = _reduced(framed, min(1.0, PICTURE_WIDTH / framed.width))
        _save(picture, 256, ROOT / "docs" / "pictures" / f"map-{game}.png")
        _draw_views(game, board)
        svg = first_look(game)
        bare = _drawn(svg_to_png(svg))
        bare.save(WEB / "maps" / f"{game}.webp", quality=72, method=6)
        _save(_reduced(bare, THUMB_WIDTH / bare.width), 96, WEB / "thumbs" / f"{game}.png")
        kept = json.loads(DRAWN.read_text("utf-8")) if DRAWN.is_file() else {}
        DRAWN.write_text(json.dumps(kept | {game: fingerprint(svg)}, indent=2, sort_keys=True) + "\n", "utf-8")


def data_of(game: str) -> Path:
    """The folder of a game's data."""
    return ROOT / "src" / "salient" / "games" / game.replace("-", "_") / "data"


def first_look(game: str) -> str:
    """The map that a player sees first, as SVG."""
    board = load_board(data_of(game))
    scale = min(MOST_PREVIEW_SCALE, PREVIEW_WIDTH / geometry(board, 1.0)["width"])
    return render_svg(board, Options(scale, "en", CLIENT_LAYERS))


def fingerprint(svg: str) -> str:
    """A short hash of a drawing."""
    return hashlib.sha256(svg.encode()).hexdigest()[:16]


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
