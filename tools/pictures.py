"""Draw the pictures of the maps: `python -m tools.pictures [GAME ...]`.

For the README docs/pictures/map-<game>.png, for the lobby src/salient/web/thumbs/<game>.png. Run it after a change of a
map or of the renderer.
"""

import io
import sys
from pathlib import Path

from PIL import Image

from salient.hexes.load import load_board
from salient.maps.sheet import CLIENT_LAYERS, PRINT_LAYERS, Options, geometry, render_png

ROOT = Path(__file__).parent.parent
GAMES = ("target-arnhem", "bulge", "deadly-woods", "ardennes44")
# A map that is taller than wide would dwarf the others at their width.
PICTURE_WIDTH, PICTURE_HEIGHT = 1400, 1500
THUMB_WIDTH = 320
# Drawn larger and reduced, fine lines come out smoother.
OVERSAMPLING = 2


def main(games: list[str]) -> None:
    """Draw the pictures of some games, or of all."""
    for game in games or GAMES:
        board = load_board(ROOT / "src" / "salient" / "games" / game.replace("-", "_") / "data")
        size = geometry(board, 1.0)
        fit = min(PICTURE_WIDTH / size["width"], PICTURE_HEIGHT / size["height"])
        framed = _drawn(render_png(board, Options(fit * OVERSAMPLING, "en", PRINT_LAYERS)))
        picture = _reduced(framed, min(PICTURE_WIDTH / framed.width, PICTURE_HEIGHT / framed.height))
        _save(picture, 256, ROOT / "docs" / "pictures" / f"map-{game}.png")
        bare = _drawn(render_png(board, Options(fit * OVERSAMPLING, "en", CLIENT_LAYERS)))
        _save(_reduced(bare, THUMB_WIDTH / bare.width), 96, ROOT / "src" / "salient" / "web" / "thumbs" / f"{game}.png")


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
