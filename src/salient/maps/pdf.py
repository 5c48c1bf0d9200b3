"""A map for the printer: one sheet of the size of a printed board, or tiles to be glued together."""

import tempfile
from math import ceil
from pathlib import Path

from salient.kernel import Unreadable
from salient.maps.fonts import FOLDER

# Long and short side of the papers, in millimetres.
PAPERS = {"A0": (1189.0, 841.0), "A1": (841.0, 594.0), "A2": (594.0, 420.0), "A3": (420.0, 297.0), "A4": (297.0, 210.0)}
SHEET_MARGIN = 10.0
TILE_MARGIN = 12.0
# What two neighbouring tiles both show, to be cut off or glued under.
OVERLAP = 8.0
# The size at which a map in tiles is drawn.
TILED_SHEET = "A1"
TILES = ("A3", "A4")


def sheet_pdf(svg: str, size: tuple[float, float], paper: str = "A1") -> bytes:
    """Return a map on one page, as large as the paper lets it be."""
    long, short = PAPERS[paper]
    page = (long, short) if size[0] >= size[1] else (short, long)
    width = _fitted(size, page)
    body = f"#set page(width: {page[0]}mm, height: {page[1]}mm, margin: 0mm)\n#align(center + horizon, {_image(width)})"
    return _compiled(svg, body)


def tiled_pdf(svg: str, size: tuple[float, float], paper: str = "A3") -> bytes:
    """Return a map of the size of a printed board on as many pages as it takes, row by row, with marks to cut at."""
    long, short = PAPERS[TILED_SHEET]
    board = (long, short) if size[0] >= size[1] else (short, long)
    width = _fitted(size, board)
    height = width * size[1] / size[0]
    page = PAPERS[paper]
    room = page[0] - 2 * TILE_MARGIN, page[1] - 2 * TILE_MARGIN
    columns = ceil((width - OVERLAP) / (room[0] - OVERLAP))
    rows = ceil((height - OVERLAP) / (room[1] - OVERLAP))
    pages = []
    for row in range(rows):
        for column in range(columns):
            x, y = column * (room[0] - OVERLAP), row * (room[1] - OVERLAP)
            window = f"width: {room[0]}mm, height: {room[1]}mm"
            tile = f"box({window}, clip: true, move(dx: {-x:.2f}mm, dy: {-y:.2f}mm, {_image(width)}))"
            name = f"{chr(ord('A') + row)}{column + 1}"
            pages.append(
                f"#place(top + left, dx: {TILE_MARGIN}mm, dy: {TILE_MARGIN}mm, "
                f"rect({window}, inset: 0mm, stroke: 0.2pt + gray, {tile}))\n"
                f"#place(bottom + right, dx: -{TILE_MARGIN}mm, dy: -4mm, text(8pt, [{name}]))"
            )
    head = f'#set page(width: {page[0]}mm, height: {page[1]}mm, margin: 0mm)\n#set text(font: "Alegreya Sans")\n'
    return _compiled(svg, head + "\n#pagebreak()\n".join(pages))


def _fitted(size: tuple[float, float], page: tuple[float, float]) -> float:
    """Return the width, in millimetres, at which a drawing fits a page."""
    return min(page[0] - 2 * SHEET_MARGIN, (page[1] - 2 * SHEET_MARGIN) * size[0] / size[1])


def _image(width: float) -> str:
    return f'image("map.svg", width: {width:.2f}mm)'


def _compiled(svg: str, body: str) -> bytes:
    """Return a page description with the map as PDF, set in the bundled fonts, which it embeds."""
    try:
        import typst
    except ImportError:
        raise Unreadable("map-no-printer") from None
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "map.svg").write_text(svg, encoding="utf-8")
        main = Path(folder) / "main.typ"
        main.write_text(body, encoding="utf-8")
        return bytes(typst.compile(str(main), font_paths=[str(FOLDER)], ignore_system_fonts=True))
