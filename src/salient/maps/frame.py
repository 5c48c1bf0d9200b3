"""The sheet around the map: border, title cartouche, legend, scale bar, compass rose and credits."""

import math
from dataclasses import dataclass

from salient.hexes.layout import ROOT3, Point
from salient.maps.around import Around, draw_table, draw_track, table_height, track_height
from salient.maps.canvas import UNIT, Canvas, words
from salient.maps.fonts import fitted, text_width
from salient.maps.legend import ENTRY_HEIGHT, SAMPLE_WIDTH, TYPE_SIZE, LegendEntry
from salient.maps.locator import draw_locator, shape
from salient.maps.style import FAINT_INK, INK, PAPER, SHEET
from salient.maps.svg import element, group, path, polygon, text
from salient.maps.texts import word

Rect = tuple[float, float, float, float]
LEGEND_ROW = 1.0
LEGEND_COLUMN = 4.6
# The locator map's width, with its margin, beside a legend of its own band.
LOCATOR_ROOM = 5.2


@dataclass(frozen=True)
class Sheet:
    """The sheet of paper: the map's own rectangle, the panel beside or below it, and the unit of the frame's type."""

    content: Rect
    outer: Rect
    panel: Rect
    unit: float
    is_tall: bool


def lay_sheet(content: Rect, legend_length: int, around: Around) -> Sheet:
    """Return the sheet for a map: the panel to the right of a tall map, below a wide one and as deep as it needs."""
    left, top, right, bottom = content
    width, height = right - left, bottom - top
    is_tall = height > width * 1.15
    unit = math.sqrt(width * height) / (18 if is_tall else 27)
    margin = 0.75 * unit
    if is_tall:
        panel = (right + 0.3 * unit, top, right + 8.4 * unit, bottom)
    else:
        depth = _first_band(around) + _legend_band(legend_length, width / unit - LOCATOR_ROOM, around)
        depth += track_height(len(around.turns), width, unit) / unit + 0.6
        panel = (left, bottom + 0.3 * unit, right, bottom + (0.3 + depth) * unit)
    outer = (left - margin, top - margin, panel[2] + margin, panel[3] + margin)
    return Sheet(content, outer, panel, unit, is_tall)


def _first_band(around: Around) -> float:
    """Return the depth, in units of type, of the band with the title, and with the tables if there are any."""
    return max(6.2, *(table_height(table, 1.0) + 0.5 for table in around.tables), 0.0)


def _legend_band(entries: int, width: float, around: Around) -> float:
    """Return the depth of the legend's own band: none if it fits beside the title, where no table stands."""
    return LEGEND_ROW * math.ceil(entries / int(width / LEGEND_COLUMN)) + 0.4 if around.tables else 0.0


def draw_ground(sheet: Sheet, is_textured: bool) -> str:
    """Return the paper and its border lines."""
    left, top, right, bottom = sheet.outer
    u = sheet.unit
    parts = [_rect(sheet.outer, 0.0, fill=SHEET)]
    if is_textured:
        parts.append(_rect(sheet.outer, 0.0, fill="url(#paper)"))
    parts.append(_rect(sheet.outer, 0.26 * u, fill="none", stroke=INK, stroke_width=0.07 * u))
    parts.append(_rect(sheet.outer, 0.38 * u, fill="none", stroke=INK, stroke_width=0.018 * u))
    for x, y in ((left, top), (right, top), (left, bottom), (right, bottom)):
        dx, dy = (1 if x == left else -1), (1 if y == top else -1)
        corner = (x + dx * 0.38 * u, y + dy * 0.38 * u)
        parts.append(path(_diamond(corner, 0.17 * u), fill=SHEET, stroke=INK, stroke_width=0.03 * u))
        parts.append(path(_diamond(corner, 0.08 * u), fill=INK))
    return group(parts)


def _rect(rect: Rect, inset: float, **attributes: object) -> str:
    left, top, right, bottom = rect
    return element(
        "rect",
        "",
        x=left + inset,
        y=top + inset,
        width=right - left - 2 * inset,
        height=bottom - top - 2 * inset,
        **attributes,
    )


def _diamond(at: Point, reach: float) -> str:
    x, y = at
    return polygon([(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)])


def draw_panel(canvas: Canvas, sheet: Sheet, found: list[LegendEntry], around: Around) -> str:
    """Return the title, the legend, the compass, the scale bar, the turn track and the tables in the sheet's panel."""
    draw = _tall_panel if sheet.is_tall else _wide_panel
    return draw(canvas, sheet, found, around)


def _tall_panel(canvas: Canvas, sheet: Sheet, found: list[LegendEntry], around: Around) -> str:
    left, top, right, bottom = sheet.panel
    u, middle = sheet.unit, (left + right) / 2
    title = _cartouche(canvas, (left, top + 0.3 * u, right, top + 3.0 * u), u)
    rose = _compass(canvas, (left + 1.9 * u, top + 5.7 * u), 1.25 * u)
    europe = draw_locator(canvas, (right - 4.2 * u * shape(), top + 3.4 * u, right, top + 7.6 * u), u)
    foot = bottom - 2.4 * u
    bar = _scale_bar(canvas, (middle, bottom - 1.75 * u), 5.2 * u, u)
    parts = [title, rose, europe, bar, _credit(canvas, sheet)]
    if around.turns:
        foot -= track_height(len(around.turns), right - left, u)
        parts.append(draw_track(canvas, around.turns, (left, foot, right, bottom), u))
    for table in around.tables:
        foot -= table_height(table, u) + 0.3 * u
        parts.append(draw_table(canvas, table, (left, foot, right, bottom), u))
    legend_top = top + 8.6 * u
    parts.append(text(word("legend", canvas.language), (middle, legend_top), 0.62 * u, "bold", spacing=0.08))
    parts.append(_flow(found, (left + 0.1 * u, legend_top + 0.3 * u, right, foot - 0.4 * u), 0.6 * u))
    return group(parts)


def _wide_panel(canvas: Canvas, sheet: Sheet, found: list[LegendEntry], around: Around) -> str:
    left, top, right, bottom = sheet.panel
    u = sheet.unit
    side = 7.6 * u
    title = _cartouche(canvas, (left, top + 0.5 * u, left + side, top + 3.2 * u), u)
    bar = _scale_bar(canvas, (left + 2.9 * u, top + 4.5 * u), 4.6 * u, u)
    rose = _compass(canvas, (left + side - 1.0 * u, top + 4.8 * u), 1.0 * u)
    parts = [title, bar, rose, _credit(canvas, sheet)]
    foot = bottom - 0.6 * u - track_height(len(around.turns), right - left, u)
    if around.turns:
        parts.append(draw_track(canvas, around.turns, (left, foot, right, bottom), u))
    edge, start = right, left + side + 0.7 * u
    width = (right - start) / max(1, len(around.tables)) - 0.5 * u
    for table in reversed(around.tables):
        parts.append(draw_table(canvas, table, (edge - width, top + 0.35 * u, edge, foot), u))
        edge -= width + 0.5 * u
    head, foot = (_first_band(around) if around.tables else 0.35) * u + top, foot - 0.3 * u
    beside = right - (foot - head) * shape()
    parts.append(draw_locator(canvas, (beside, head, right, foot), u))
    room = (left if around.tables else start, head, beside - 0.4 * u, foot)
    return group([*parts, _flow(found, room, 0.38 * u)])


# ---- parts -------------------------------------------------------------------------


def _cartouche(canvas: Canvas, rect: Rect, u: float) -> str:
    left, top, right, bottom = rect
    middle, width = (left + right) / 2, right - left
    title = words(canvas.entry("map", "title"), canvas.language)
    subtitle = words(canvas.entry("map", "subtitle"), canvas.language)
    if not title:
        return ""
    size = fitted(title, "bold", 1.05 * u, width - 0.9 * u, 0.03)
    small = fitted(subtitle, "italic", 0.44 * u, width - 0.9 * u)
    parts = [
        _rect(rect, 0.0, rx=0.28 * u, fill=PAPER, stroke=INK, stroke_width=0.06 * u),
        _rect(rect, 0.13 * u, rx=0.2 * u, fill="none", stroke="#9c2f22", stroke_width=0.025 * u),
        text(title, (middle, top + 1.35 * u), size, "bold", INK, spacing=0.03),
        text(subtitle, (middle, bottom - 0.5 * u), small, "italic", INK),
        path(_diamond((middle, top + 1.72 * u), 0.075 * u), fill="#9c2f22"),
    ]
    for sign in (-1, 1):
        x = middle + sign * 0.2 * u
        parts.append(
            path(f"M{x:.1f} {top + 1.72 * u:.1f}h{sign * 1.6 * u:.1f}", stroke="#9c2f22", stroke_width=0.025 * u)
        )
    return group(parts)


def _flow(found: list[LegendEntry], rect: Rect, size: float) -> str:
    """Return legend entries in as many columns as let them be largest, at most of the type size wanted."""
    left, top, right, bottom = rect
    longest = max(text_width(entry.name, "regular", TYPE_SIZE) for entry in found)

    def fit(columns: int) -> float:
        rows = math.ceil(len(found) / columns)
        across = (right - left) / columns / (SAMPLE_WIDTH * 1.4 + longest)
        return min(size / TYPE_SIZE, (bottom - top) / rows / ENTRY_HEIGHT, across)

    columns = max(range(1, 7), key=fit)
    rows, scale = math.ceil(len(found) / columns), fit(columns)
    width = (right - left) / columns
    parts = []
    for i, entry in enumerate(found):
        column, row = divmod(i, rows)
        x, y = left + column * width, top + (row + 0.5) * ENTRY_HEIGHT * scale
        room = width - SAMPLE_WIDTH * scale * 1.35
        letters = fitted(entry.name, "regular", TYPE_SIZE * scale, room)
        at = f"translate({x + SAMPLE_WIDTH * scale * 0.55:.1f} {y:.1f}) scale({scale:.3f})"
        parts.append(group([entry.sample], transform=at))
        parts.append(
            text(entry.name, (x + SAMPLE_WIDTH * scale * 1.25, y + letters * 0.31), letters, "regular", anchor="start")
        )
    return group(parts)


def _compass(canvas: Canvas, at: Point, radius: float) -> str:
    """Return a compass rose turned to geographic north."""
    x, y = at
    degrees = float(canvas.entry("map", "north").get("degrees", 0.0))
    parts = [
        element("circle", cx=x, cy=y, r=radius * 0.66, fill="none", stroke=FAINT_INK, stroke_width=radius * 0.02),
        element("circle", cx=x, cy=y, r=radius * 0.6, fill="none", stroke=FAINT_INK, stroke_width=radius * 0.01),
    ]
    for turn in (45, 135, 225, 315):
        parts.append(_ray(at, radius * 0.62, radius * 0.15, turn, "#8d7a5a"))
    for turn in (90, 180, 270, 0):
        parts.append(_ray(at, radius * (1.0 if turn == 0 else 0.86), radius * 0.17, turn, INK))
    parts.append(text(word("north", canvas.language), (x, y - radius * 1.07), radius * 0.42, "bold"))
    return group(parts, transform=f"rotate({degrees:g} {x:.1f} {y:.1f})" if degrees else None)


def _ray(at: Point, length: float, half: float, turn: float, dark: str) -> str:
    """Return one point of the rose, half dark and half light."""
    angle = math.radians(turn - 90)
    tip = (at[0] + length * math.cos(angle), at[1] + length * math.sin(angle))
    sides = [
        (at[0] + half * math.cos(angle + sign * math.pi / 4), at[1] + half * math.sin(angle + sign * math.pi / 4))
        for sign in (-1, 1)
    ]
    shades = zip(sides, (PAPER, dark), strict=True)
    return "".join(
        path(polygon([at, side, tip]), fill=fill, stroke=INK, stroke_width=length * 0.014) for side, fill in shades
    )


def _scale_bar(canvas: Canvas, at: Point, room: float, u: float) -> str:
    """Return a bar of about the room given, in round kilometres."""
    km = ROOT3 * UNIT / canvas.board.grid.km
    steps = [value for value in (1, 2, 2.5, 5, 10, 20, 25, 50) if 4 * value * km <= room] or [1]
    step = steps[-1]
    length = 4 * step * km
    left, y = at[0] - length / 2, at[1]
    parts = []
    for i in range(4):
        fill = INK if i % 2 == 0 else PAPER
        x = left + i * step * km
        parts.append(
            element("rect", x=x, y=y, width=step * km, height=0.16 * u, fill=fill, stroke=INK, stroke_width=0.02 * u)
        )
    for i in (0, 2, 4):
        parts.append(text(f"{i * step:g}", (left + i * step * km, y - 0.14 * u), 0.36 * u, "sans"))
    note = f"{word('kilometres', canvas.language)} · 1 {word('hex', canvas.language)} = {canvas.board.grid.km:g} km"
    return group([*parts, text(note, (at[0], y + 0.56 * u), 0.36 * u, "italic")])


def _credit(canvas: Canvas, sheet: Sheet) -> str:
    """Return the credits inside the border at the foot of the sheet."""
    left, _, right, bottom = sheet.outer
    line = word("credit", canvas.language)
    size = fitted(line, "italic", 0.24 * sheet.unit, 0.9 * (right - left))
    return text(line, ((left + right) / 2, bottom - 0.55 * sheet.unit), size, "italic", FAINT_INK)
