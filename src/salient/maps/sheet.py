"""Putting a map together: layers, sizes, SVG and PNG, and the pixel geometry that the web client uses."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from math import ceil
from typing import Any
from xml.etree import ElementTree

import resvg_py

from salient.hexes.board import Board
from salient.hexes.layout import Point
from salient.kernel import Unreadable
from salient.maps import frame, pdf
from salient.maps.areas import Panel, draw_areas, exits, panels
from salient.maps.around import NOTHING, Around
from salient.maps.canvas import UNIT, Canvas
from salient.maps.fonts import font_files
from salient.maps.ground import draw_ground, draw_relief
from salient.maps.legend import entries
from salient.maps.names import Names
from salient.maps.roads import Roads
from salient.maps.style import GRID_INK, INK, SHEET, SOURCE_COLOURS
from salient.maps.svg import element, group, path, polygon, polyline
from salient.maps.symbols import draw_dots, draw_settlements, draw_side_marks, draw_town_grounds
from salient.maps.texts import word
from salient.maps.water import Waters, draw_bridge_decks, draw_bridge_rails
from salient.maps.zones import draw_frontiers, draw_marks, draw_tints, draw_westwall, draw_zone_lines, marks

LAYERS = ("terrain", "relief", "water", "roads", "grid", "numbers", "places", "areas", "zones", "frame", "provenance")
PRINT_LAYERS = tuple(layer for layer in LAYERS if layer != "provenance")
CLIENT_LAYERS = tuple(layer for layer in PRINT_LAYERS if layer != "frame")

# Space around the hexes and area panels, in hex sizes, when there is no frame.
MARGIN = 0.3
# On paper a hex size of a large map is about seven millimetres: letters are ranked as for a near zoom.
PRINTED_SCALE = 60.0

Rect = tuple[float, float, float, float]


@dataclass(frozen=True)
class Options:
    """How a map is drawn: `scale` is the pixels from hex centre to hex corner; a printer has real paper under it."""

    scale: float = 40.0
    language: str = "en"
    layers: Collection[str] = PRINT_LAYERS
    is_for_printer: bool = False
    around: Around = NOTHING

    def __post_init__(self) -> None:
        word("legend", self.language)
        unknown = [layer for layer in self.layers if layer not in LAYERS]
        if unknown:
            raise Unreadable("map-layers", text=unknown[0], texts_known=tuple(LAYERS))
        if self.scale <= 0:
            raise Unreadable("map-scale", text=f"{self.scale:g}")


class Drawing:
    """A board with everything that is drawn of it in place."""

    def __init__(self, board: Board, options: Options) -> None:
        self.options = options
        self.canvas = Canvas(board, options.language, options.scale)
        self.panels = panels(self.canvas)
        self.roads = Roads(self.canvas, exits(self.canvas, self.panels))
        self.waters = Waters(self.canvas)
        self.marks = marks(self.canvas, self.roads)
        self.names = Names(self.canvas, self.roads, self.waters, self.marks)

    def svg(self) -> str:
        """Return the whole drawing."""
        content = content_rect(self.canvas, self.panels)
        legend = entries(self.canvas, "areas" in self.options.layers, "provenance" in self.options.layers)
        around = self.options.around
        sheet = frame.lay_sheet(content, len(legend), around)
        has_frame = "frame" in self.options.layers
        left, top, right, bottom = sheet.outer if has_frame else content
        ratio = self.options.scale / UNIT
        width, height = ceil((right - left) * ratio), ceil((bottom - top) * ratio)
        body = [self._definitions()]
        if has_frame:
            body.append(frame.draw_ground(sheet, not self.options.is_for_printer))
        else:
            body.append(
                element("rect", x=left, y=top, width=right - left + UNIT, height=bottom - top + UNIT, fill=SHEET)
            )
        body += self._map()
        if has_frame:
            body.append(frame.draw_panel(self.canvas, sheet, legend, around))
        view = f"{left:.2f} {top:.2f} {width / ratio:.2f} {height / ratio:.2f}"
        return element(
            "svg",
            "\n" + "\n".join(part for part in body if part) + "\n",
            xmlns="http://www.w3.org/2000/svg",
            width=width,
            height=height,
            viewBox=view,
        )

    def _map(self) -> list[str]:
        """Return the layers from the ground up: those within the field, those within the map's edges, the rest."""
        # A clip costs a mask of the whole picture, so only maps with cut edges pay for the second kind, and on a plain
        # sheet the ground is trimmed by painting the sheet over what lies outside the field.
        edges = "url(#bounds)" if self.canvas.partial else None
        is_plain = "frame" not in self.options.layers and not self.canvas.partial
        ground = self._ground()
        return [
            group(ground) + self._sheet_around_field() if is_plain else group(ground, clip_path="url(#field)"),
            group(self._lines(), clip_path=edges),
            *self._shown(("roads", self.roads.draw)),
            group(self._signs(), clip_path=edges),
            *self._words(),
        ]

    def _ground(self) -> list[str]:
        canvas = self.canvas
        return self._shown(
            ("terrain", lambda: draw_ground(canvas)),
            ("relief", lambda: draw_relief(canvas)),
            ("zones", lambda: draw_tints(canvas)),
            ("zones", lambda: draw_frontiers(canvas)),
            ("water", self.waters.draw),
        )

    def _lines(self) -> list[str]:
        canvas = self.canvas
        return self._shown(
            ("places", lambda: draw_town_grounds(canvas)),
            ("water", lambda: draw_bridge_decks(canvas, self.waters)),
            ("grid", self._grid),
        )

    def _signs(self) -> list[str]:
        canvas = self.canvas
        return self._shown(
            ("water", lambda: draw_bridge_rails(canvas, self.waters)),
            ("terrain", lambda: draw_westwall(canvas)),
            ("terrain", lambda: draw_side_marks(canvas)),
            ("places", lambda: draw_settlements(canvas, self.roads)),
            ("zones", lambda: draw_zone_lines(canvas)),
            ("provenance", self._provenance),
            ("places", lambda: draw_dots(canvas, self.names.shown, self.names.points)),
            ("terrain", self._closed_hexes),
            ("numbers", self.names.draw_numbers),
        )

    def _words(self) -> list[str]:
        return self._shown(
            ("zones", lambda: draw_marks(self.marks)),
            ("water", self.names.draw_waters),
            ("roads", self.names.draw_roads),
            ("places", self.names.draw_places),
            ("grid", self._edge),
            ("areas", lambda: draw_areas(self.canvas, self.panels)),
        )

    def _shown(self, *layers: tuple[str, Callable[[], str]]) -> list[str]:
        return [draw() for layer, draw in layers if layer in self.options.layers]

    def _sheet_around_field(self) -> str:
        left, top, right, bottom = content_rect(self.canvas, self.panels)
        around = polygon([(left, top), (right + UNIT, top), (right + UNIT, bottom + UNIT), (left, bottom + UNIT)])
        return path(around + self.canvas.field, fill=SHEET, fill_rule="evenodd")

    def _definitions(self) -> str:
        left, top, right, bottom = self.canvas.bounds
        bounds = element("rect", x=left, y=top, width=right - left, height=bottom - top)
        return element(
            "defs",
            element("clipPath", bounds, id="bounds")
            + element("clipPath", path(self.canvas.field), id="field", clip_path="url(#bounds)")
            + PAPER_TEXTURE
            + CLOSED_HATCH,
        )

    def _grid(self) -> str:
        sides = ""
        for here, around in enumerate(self.canvas.board.neighbours):
            sides += "".join(polyline(self.canvas.side(here, d)) for d, near in enumerate(around) if near > here)
        lines = path(sides, stroke_width=0.017 * UNIT, stroke_opacity=0.5)
        seam = path(self._seam(), stroke_width=0.03 * UNIT, stroke_opacity=0.75, stroke_dasharray="20 8 3 8")
        return group([lines, seam], stroke=GRID_INK, stroke_linecap="round", fill="none")

    def _seam(self) -> str:
        """Return the line along which two sheets of a map meet."""
        board = self.canvas.board
        is_west = [board.grid.parse(label)[0] >= board.grid.west_columns_from for label in board.labels]
        return "".join(
            polyline(self.canvas.side(here, direction))
            for here, around in enumerate(board.neighbours)
            for direction, near in enumerate(around)
            if near >= 0 and is_west[here] and not is_west[near]
        )

    def _edge(self) -> str:
        """Return the line around the map."""
        border = path(self.canvas.field, fill="none", stroke=INK, stroke_width=0.045 * UNIT, stroke_linejoin="round")
        left, top, right, bottom = self.canvas.bounds
        whole = self.canvas.layout.bounds(self.canvas.board.labels)
        if self.canvas.bounds == whole:
            return border
        sides = [[(left, top), (left, bottom)], [(left, top), (right, top)]]
        sides += [[(right, top), (right, bottom)], [(left, bottom), (right, bottom)]]
        cut = "".join(
            polyline(side) for side, a, b in zip(sides, self.canvas.bounds, whole, strict=True) if abs(a - b) > 1.0
        )
        edge = path(cut, stroke=INK, stroke_width=0.09 * UNIT, clip_path="url(#field)")
        return group([group([border], clip_path="url(#bounds)"), edge])

    def _closed_hexes(self) -> str:
        outlines = "".join(polygon(self.canvas.corners[here]) for here in sorted(self.canvas.partial))
        return path(outlines, fill="url(#closed)")

    def _provenance(self) -> str:
        """Return each hex tinted by the source of its row, and its waters and roads dotted by theirs."""
        board, canvas = self.canvas.board, self.canvas
        tints = dict.fromkeys(SOURCE_COLOURS, "")
        for here, source in enumerate(board.sources):
            tints[source] += polygon(canvas.corners[here])
        dots = []
        for file in ("hexsides.csv", "roads.csv"):
            for row in board.rows[file]:
                here = board.index[row["a"]]
                direction = board.direction(here, board.index[row["b"]])
                if direction is not None:
                    x, y = canvas.middle(here, direction)
                    colour = SOURCE_COLOURS[row["source"]]
                    dots.append(
                        element("circle", cx=x, cy=y, r=0.07 * UNIT, fill=colour, stroke="#fff", stroke_width=1.5)
                    )
        fills = [path(d, fill=SOURCE_COLOURS[source], fill_opacity=0.3) for source, d in tints.items()]
        return group([*fills, *dots])


PAPER_TEXTURE = (
    '<filter id="fibre" x="0" y="0" width="1" height="1"><feTurbulence type="fractalNoise" baseFrequency="0.06 0.09" '
    'numOctaves="3" seed="7" stitchTiles="stitch"/><feColorMatrix values="0 0 0 0 0.42  0 0 0 0 0.33  0 0 0 0 0.2  '
    '0 0 0 0.4 -0.13"/></filter><pattern id="paper" width="800" height="800" patternUnits="userSpaceOnUse">'
    '<rect width="800" height="800" filter="url(#fibre)"/></pattern>'
)
CLOSED_HATCH = (
    '<pattern id="closed" width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="14" height="14" fill="#e9dcbd" fill-opacity="0.45"/>'
    '<path d="M0 0V14" stroke="#7d6c52" stroke-width="2.5" stroke-opacity="0.45"/></pattern>'
)


def content_rect(canvas: Canvas, placed: list[Panel]) -> Rect:
    """Return the rectangle of the map with its area panels and the margin, in drawing units."""
    left, top, right, bottom = canvas.bounds
    for panel in placed:
        left, top = min(left, panel.left), min(top, panel.top)
        right, bottom = max(right, panel.left + panel.width), max(bottom, panel.top + panel.height)
    margin = MARGIN * UNIT
    return left - margin, top - margin, right + margin, bottom + margin


def render_svg(board: Board, options: Options | None = None) -> str:
    """Return a board as SVG text."""
    return Drawing(board, options or Options()).svg()


def render_png(board: Board, options: Options | None = None) -> bytes:
    """Return a board as PNG bytes, set in the bundled fonts so that it is the same on every machine."""
    return svg_to_png(render_svg(board, options))


def render_pdf(board: Board, paper: str = "A1", language: str = "en", around: Around = NOTHING) -> bytes:
    """Return a board as PDF: on one sheet of A2 or more, in tiles of A3 or less."""
    if paper not in pdf.PAPERS:
        raise Unreadable("map-paper", text=paper, texts_known=tuple(pdf.PAPERS))
    options = Options(PRINTED_SCALE, language, PRINT_LAYERS, is_for_printer=True, around=around)
    svg = render_svg(board, options)
    head = ElementTree.fromstring(svg)
    size = float(head.get("width", "1")), float(head.get("height", "1"))
    return (pdf.tiled_pdf if paper in pdf.TILES else pdf.sheet_pdf)(svg, size, paper)


def svg_to_png(svg: str) -> bytes:
    """Return SVG text as PNG bytes, set in the bundled fonts."""
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=font_files()))


def geometry(board: Board, scale: float = 40.0) -> dict[str, Any]:
    """Return where everything lies in an image drawn at this scale without the frame layer, ready for JSON.

    `centres` and `corners` are by hex number, in pixels from the top left of the image; corner `i` lies between
    direction `i` and direction `i + 1` of the grid. `areas` are the rectangles of the off-map panels.
    """
    canvas = Canvas(board)
    placed = panels(canvas)
    left, top, right, bottom = content_rect(canvas, placed)
    ratio = scale / UNIT

    def pixel(point: Point) -> list[float]:
        return [round((point[0] - left) * ratio, 2), round((point[1] - top) * ratio, 2)]

    return {
        "size": scale,
        "orientation": board.grid.orientation,
        "width": ceil((right - left) * ratio),
        "height": ceil((bottom - top) * ratio),
        "centres": {label: pixel(canvas.centres[i]) for i, label in enumerate(board.labels)},
        "corners": {label: [pixel(point) for point in canvas.corners[i]] for i, label in enumerate(board.labels)},
        "areas": {
            panel.area: {
                "x": pixel((panel.left, panel.top))[0],
                "y": pixel((panel.left, panel.top))[1],
                "width": round(panel.width * ratio, 2),
                "height": round(panel.height * ratio, 2),
            }
            for panel in placed
        },
    }
