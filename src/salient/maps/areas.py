"""Off-map areas as panels outside the map edge."""

import math
from dataclasses import dataclass

from salient.hexes.layout import Point
from salient.hexes.rows import Row
from salient.maps.canvas import UNIT, Canvas, gap, mix
from salient.maps.fonts import fitted
from salient.maps.style import FAINT_INK, INK
from salient.maps.svg import element, group, path, polygon, text

DEPTH = 1.15 * UNIT
# Boxes that hold counters, and those between the map and them, each at its own hex.
BOX_KIND, BOX_DEPTH = "off-map-box", 2.1 * UNIT
BLOCK_KIND, BLOCK_DEPTH, BLOCK_WIDTH = "blocking-position", 1.5 * UNIT, 1.7 * UNIT
GAP = 0.34 * UNIT
# A box as long as this has its name at both ends.
LONG_BOX = 8.0 * UNIT
# Below so many pixels a name under its letter is left out.
LEAST_NAME = 9.0
SIDES = ("west", "north", "east", "south")
OUTWARD = {"west": (-1, 0), "north": (0, -1), "east": (1, 0), "south": (0, 1)}


@dataclass(frozen=True)
class Panel:
    """Where an area's panel lies: the side of the map and its rectangle."""

    area: str
    letter: str
    title: str
    side: str
    left: float
    top: float
    width: float
    height: float

    @property
    def centre(self) -> Point:
        """The middle of the panel."""
        return self.left + self.width / 2, self.top + self.height / 2


def panels(canvas: Canvas) -> list[Panel]:
    """Return the panels of all areas that touch the map edge, side by side without overlap."""
    found = []
    for side in SIDES:
        areas = [area for area in canvas.board.areas if _side(canvas, area) == side]
        blocks = [area for area in areas if canvas.board.areas[area].kind == BLOCK_KIND]
        for area in blocks:
            middle = sum(_span(canvas, area, side)) / 2
            span = middle - BLOCK_WIDTH / 2, middle + BLOCK_WIDTH / 2
            found.append(_panel(canvas, area, side, span, GAP, BLOCK_DEPTH))
        out = GAP + (BLOCK_DEPTH + 0.15 * UNIT if blocks else 0.0)
        spans = [(area, *_span(canvas, area, side)) for area in areas if area not in blocks]
        spans.sort(key=lambda span: (span[1] + span[2], span[0]))
        for area, low, high in _parted(spans):
            depth = BOX_DEPTH if canvas.board.areas[area].kind == BOX_KIND else DEPTH
            found.append(_panel(canvas, area, side, (low, high), out, depth))
    return found


def _side(canvas: Canvas, area: str) -> str:
    """Return the side of the map on which an area lies: as stated, none if hidden, else where its hexes point off."""
    stated = canvas.board.areas[area].label_at.lower()
    if stated == "hidden":
        return ""
    if stated in SIDES:
        return stated
    x = y = 0.0
    for here in canvas.board.areas[area].hexes:
        for direction, near in enumerate(canvas.board.neighbours[here]):
            if canvas.is_off(near):
                mid, centre = canvas.middle(here, direction), canvas.centres[here]
                x, y = x + mid[0] - centre[0], y + mid[1] - centre[1]
    if x == y == 0.0:
        return ""
    if abs(x) >= abs(y):
        return "east" if x > 0 else "west"
    return "south" if y > 0 else "north"


def _edge_hexes(canvas: Canvas, area: str) -> list[int]:
    hexes = canvas.board.areas[area].hexes
    return [here for here in hexes if any(map(canvas.is_off, canvas.board.neighbours[here]))] or list(hexes)


def _span(canvas: Canvas, area: str, side: str) -> tuple[float, float]:
    axis = 0 if side in ("north", "south") else 1
    along = [canvas.centres[here][axis] for here in _edge_hexes(canvas, area)]
    if not along:
        end = canvas.bounds[axis + 2]
        along = [end - 3.4 * UNIT, end - 0.8 * UNIT]
    return min(along) - 0.8 * UNIT, max(along) + 0.8 * UNIT


def _parted(spans: list[tuple[str, float, float]]) -> list[tuple[str, float, float]]:
    """Return the spans with overlaps parted in their middle and a thin gap kept between them."""
    parted = list(spans)
    for i in range(len(parted) - 1):
        (a, a_low, a_high), (b, b_low, b_high) = parted[i], parted[i + 1]
        if a_high > b_low - 0.1 * UNIT:
            cut = (a_high + b_low) / 2
            parted[i], parted[i + 1] = (a, a_low, cut - 0.04 * UNIT), (b, cut + 0.04 * UNIT, b_high)
    return [(area, low, max(high, low + 0.4 * UNIT)) for area, low, high in parted]


def _panel(canvas: Canvas, area: str, side: str, span: tuple[float, float], out: float, depth: float) -> Panel:
    """Return the panel of an area on a side: its span along it, how far out it begins, and its depth."""
    left, top, right, bottom = canvas.bounds
    low, high = span
    named = canvas.entry("area", area)
    title = canvas.name("area", area) if named else _row(canvas, area).values.get("name", "")
    letter = area if len(area) <= 3 else ""
    if canvas.board.areas[area].kind == BLOCK_KIND:
        title, _, letter = title.rpartition(" ")
    if side == "west":
        return Panel(area, letter, title, side, left - out - depth, low, depth, high - low)
    if side == "east":
        return Panel(area, letter, title, side, right + out, low, depth, high - low)
    if side == "north":
        return Panel(area, letter, title, side, low, top - out - depth, high - low, depth)
    return Panel(area, letter, title, side, low, bottom + out, high - low, depth)


def exits(canvas: Canvas, placed: list[Panel]) -> dict[tuple[int, int], str]:
    """Return the (hex, direction) in which roads leave into areas (the `roads` column of areas.csv), with the side."""
    found: dict[tuple[int, int], str] = {}
    for panel in placed:
        for here in _road_hexes(canvas, panel.area):
            direction = _direction_out(canvas, here, panel)
            if direction is not None:
                found[here, direction] = panel.side
    return found


def _row(canvas: Canvas, area: str) -> Row:
    return next(row for row in canvas.board.rows["areas.csv"] if row["area"] == area)


def _road_hexes(canvas: Canvas, area: str) -> list[int]:
    return [canvas.board.index[label] for label in _row(canvas, area).values.get("roads", "").split()]


def _direction_out(canvas: Canvas, here: int, panel: Panel) -> int | None:
    """Return the off-map direction of a hex that points best to a panel: out of its side, then to its middle."""
    out, (x, y) = OUTWARD[panel.side], canvas.centres[here]
    middle = panel.centre
    length = max(1.0, gap((x, y), middle))
    aim = (out[0] + 0.3 * (middle[0] - x) / length, out[1] + 0.3 * (middle[1] - y) / length)
    ways = []
    for direction, near in enumerate(canvas.board.neighbours[here]):
        if canvas.is_off(near):
            mid = canvas.middle(here, direction)
            ways.append(((mid[0] - x) * aim[0] + (mid[1] - y) * aim[1], direction))
    return max(ways)[1] if ways else None


# ---- drawing -----------------------------------------------------------------------


def draw_areas(canvas: Canvas, placed: list[Panel]) -> str:
    """Return every panel with its letter and name, and a mark at each hexside through which it is left."""
    return group([*(_draw_panel(canvas, panel) for panel in placed), _doors(canvas, placed)])


def _draw_panel(canvas: Canvas, panel: Panel) -> str:
    frame = element(
        "rect",
        x=panel.left,
        y=panel.top,
        width=panel.width,
        height=panel.height,
        rx=0.14 * UNIT,
        fill="#d9ceb0",
        stroke=FAINT_INK,
        stroke_width=0.02 * UNIT,
    )
    inner = element(
        "rect",
        x=panel.left + 6,
        y=panel.top + 6,
        width=panel.width - 12,
        height=panel.height - 12,
        rx=0.1 * UNIT,
        fill="none",
        stroke="#f3ead3",
        stroke_width=0.015 * UNIT,
    )
    return frame + inner + _inscription(canvas, panel)


def _inscription(canvas: Canvas, panel: Panel) -> str:
    """Return the letter and the name, written along the panel; twice along a long box, whose middle holds counters."""
    is_box = canvas.board.areas[panel.area].kind == BOX_KIND
    if not is_box or max(panel.width, panel.height) < LONG_BOX:
        return _written(canvas, panel, panel.centre)
    ends = (panel.left, panel.top), (panel.left + panel.width, panel.top + panel.height)
    (left, top), (x, y) = mix(*ends, 0.25), panel.centre
    is_upright = panel.side in ("west", "east")
    first, second = ((x, top), (x, 2 * y - top)) if is_upright else ((left, y), (2 * x - left, y))
    return _written(canvas, panel, first) + _written(canvas, panel, second)


def _written(canvas: Canvas, panel: Panel, at: Point) -> str:
    x, y = at
    length = (panel.height if panel.side in ("west", "east") else panel.width) - 0.12 * UNIT
    has_letter = bool(panel.letter)
    title = panel.title if has_letter else panel.title or panel.area
    size = fitted(title, "italic", 0.27 * UNIT if has_letter else canvas.at_least(0.5, 9.0), length, 0.04)
    parts = []
    is_named = bool(title) and size >= max(0.12 * UNIT, LEAST_NAME * UNIT / canvas.scale)
    if has_letter:
        lift = 0.02 if is_named else 0.2
        parts.append(text(panel.letter, (x, y + lift * UNIT), canvas.at_least(0.52, 9.0), "bold", INK))
    if is_named:
        drop = 0.36 * UNIT if has_letter else 0.12 * UNIT
        parts.append(text(title, (x, y + drop), size, "italic", INK, spacing=0.04))
    turn = {"west": -90, "east": 90}.get(panel.side, 0)
    return group(parts, transform=f"rotate({turn} {x:.1f} {y:.1f})" if turn else None)


def _doors(canvas: Canvas, placed: list[Panel]) -> str:
    """Return a small triangle outside each touched hex without a road, which points into it."""
    marks = ""
    for panel in placed:
        for here in sorted(set(_edge_hexes(canvas, panel.area)) - set(_road_hexes(canvas, panel.area))):
            direction = _direction_out(canvas, here, panel)
            if direction is not None:
                tip = mix(canvas.centres[here], canvas.middle(here, direction), 1.04)
                out = mix(canvas.centres[here], canvas.middle(here, direction), 1.2)
                angle = math.atan2(out[1] - tip[1], out[0] - tip[0]) + math.pi / 2
                dx, dy = 0.09 * UNIT * math.cos(angle), 0.09 * UNIT * math.sin(angle)
                marks += polygon([tip, (out[0] + dx, out[1] + dy), (out[0] - dx, out[1] - dy)])
    return path(marks, fill=FAINT_INK)
