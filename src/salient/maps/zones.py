"""Zones: boundaries between hexes, tints, front lines and marks."""

import math
from dataclasses import dataclass
from itertools import pairwise

from salient.hexes.grid import Axial
from salient.hexes.layout import Point
from salient.maps.canvas import UNIT, Canvas, gap, mix
from salient.maps.roads import Roads
from salient.maps.style import COLOURS, split_zone_look
from salient.maps.svg import group, path, polygon, polyline
from salient.maps.symbols import (
    airfield,
    arrow,
    badge,
    bunker,
    jerrycan,
    narrows,
    parachute,
    star,
    westwall_line,
)

LINES = ("boundary", "between", "tint", "label")
TINTS = {"tint": 0.13, "label": 0.1}
SLOTS = ((0.52, -0.3), (-0.52, -0.3), (0.5, 0.38), (-0.5, 0.38))
RADII = {"star": 0.23, "drop-zone": 0.24, "fuel": 0.15, "mark": 0.23, "entry": 0.25}
UPWARDS = -math.pi / 2
FEATURE_MARKS = {"star": star, "fuel": jerrycan, "bottleneck": narrows, "airfield": airfield}


@dataclass(frozen=True)
class Mark:
    """A symbol in a hex: what it is, what it says and where it lies."""

    shape: str
    colour: str
    value: str
    at: Point
    angle: float

    @property
    def radius(self) -> float:
        """Its size in drawing units."""
        return RADII.get(self.shape, 0.17) * UNIT


def zone_shapes(canvas: Canvas) -> list[tuple[str, str, str]]:
    """Return (zone, shape, colour) of every zone that is drawn."""
    found = []
    for zone in canvas.board.zones:
        shape, colour = split_zone_look(canvas.look("zone", zone))
        if shape != "hidden":
            found.append((zone, shape, colour))
    return found


# ---- regions -----------------------------------------------------------------------


def draw_tints(canvas: Canvas) -> str:
    """Return the faint fills of tinted and of named zones."""
    return group(
        path(canvas.soft_outline(canvas.board.zones[zone], 0.0), fill=COLOURS[colour], fill_opacity=TINTS[shape])
        for zone, shape, colour in zone_shapes(canvas)
        if shape in TINTS
    )


def draw_zone_lines(canvas: Canvas) -> str:
    """Return the dashed boundaries and the front lines, none of them along the map edge."""
    parts = []
    for zone, shape, colour in zone_shapes(canvas):
        if shape == "label":
            lines = "".join(polyline(line) for line in border_lines(canvas, zone, 0.03))
            parts.append(path(lines, stroke=COLOURS[colour], stroke_width=0.022 * UNIT, stroke_opacity=0.45))
        elif shape in LINES:
            partners = _partners(canvas, zone) if shape == "between" else None
            lines = "".join(polyline(line) for line in border_lines(canvas, zone, 0.06, partners))
            width = canvas.at_least(0.06, 1.6)
            dash = f"{2.6 * width:.0f} {1.5 * width:.0f}"
            band = {"stroke": COLOURS[colour], "stroke_width": width, "stroke_opacity": 0.7, "stroke_dasharray": dash}
            parts.append(path(lines, **band))
        elif shape == "front":
            parts.append(_front(canvas, zone, COLOURS[colour]))
    return group(parts, fill="none", stroke_linejoin="round")


def _partners(canvas: Canvas, zone: str) -> frozenset[int]:
    """Return the hexes of the later zones that are drawn only where two of them meet: one line, not two."""
    zones = [name for name, shape, _ in zone_shapes(canvas) if shape == "between"]
    return frozenset().union(*(canvas.board.zones[name] for name in zones[zones.index(zone) + 1 :]))


def border_lines(canvas: Canvas, zone: str, inset: float, partners: frozenset[int] | None = None) -> list[list[Point]]:
    """Return the border of a zone, a little inside it and off the waters along it.

    The map edge is skipped and, if partners are given, all but the border with them.
    """
    hexes = canvas.board.zones[zone]
    lines: list[list[Point]] = []
    for loop in canvas.outline(hexes):
        points = [_inset(canvas, hexes, key, inset + canvas.banks.get(key, 0.0)) for key, _, _ in loop]
        beyond = [canvas.board.neighbours[here][direction] for _, here, direction in loop]
        is_open = [not canvas.is_off(near) and (partners is None or near in partners) for near in beyond]
        if all(is_open):
            lines.append([*points, points[0]])
            continue
        first = is_open.index(False)
        line: list[Point] = []
        for step in range(first + 1, first + 1 + len(loop)):
            i = step % len(loop)
            if is_open[i]:
                line = line or [points[i]]
                line.append(points[(i + 1) % len(loop)])
            elif line:
                lines.append(line)
                line = []
    return lines


def _inset(canvas: Canvas, hexes: frozenset[int], corner: Axial, inset: float) -> Point:
    point = canvas.corner_points[corner]
    near = [canvas.centres[here] for here in canvas.hexes_at[corner] if here in hexes]
    middle = sum(x for x, _ in near) / len(near), sum(y for _, y in near) / len(near)
    return mix(point, middle, inset * UNIT / max(1.0, gap(point, middle)))


def _front(canvas: Canvas, zone: str, colour: str) -> str:
    """Return a front line with teeth towards the side that holds the zone."""
    lines = border_lines(canvas, zone, 0.08)
    teeth = ""
    for line in lines:
        for a, b in pairwise(line):
            teeth += _tooth(a, b, 0.3) + _tooth(a, b, 0.7)
    body = "".join(polyline(line) for line in lines)
    halo = path(body, stroke="#f7f0de", stroke_width=0.11 * UNIT, stroke_opacity=0.7)
    return halo + path(body, stroke=colour, stroke_width=canvas.at_least(0.055, 1.4)) + path(teeth, fill=colour)


def _tooth(a: Point, b: Point, share: float) -> str:
    length = max(1.0, gap(a, b))
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    x, y = mix(a, b, share)
    half, rise = 0.08 * UNIT, 0.13 * UNIT
    # The outline runs clockwise on the screen, so the inside lies to the right of its direction.
    return polygon([(x - ux * half, y - uy * half), (x - uy * rise, y + ux * rise), (x + ux * half, y + uy * half)])


def draw_frontiers(canvas: Canvas) -> str:
    """Return the frontiers of states as faint dashes and dots."""
    lines = ""
    for row in canvas.board.rows["lines.csv"]:
        pairs = [pair.split(",") for pair in row["points"].split()]
        lines += polyline([(float(x), float(y)) for x, y in pairs])
    width = canvas.at_least(0.045, 1.1)
    dash = f"{5 * width:.0f} {2.2 * width:.0f} 0 {2.2 * width:.0f}"
    return path(
        lines,
        fill="none",
        stroke=COLOURS["violet"],
        stroke_width=width,
        stroke_opacity=0.5,
        stroke_dasharray=dash,
        stroke_linecap="round",
        stroke_linejoin="round",
    )


# ---- marks -------------------------------------------------------------------------


def marks(canvas: Canvas, roads: Roads) -> list[Mark]:
    """Return the symbols of zones and features, each in a free corner of its hex."""
    wanted: dict[int, list[tuple[str, str, str]]] = {}
    for zone, shape, colour in zone_shapes(canvas):
        if shape in RADII:
            for here, value in sorted(canvas.board.zone_values[zone].items()):
                wanted.setdefault(here, []).append((shape, colour, value))
    for here in range(len(canvas.board)):
        for look in sorted(canvas.feature_looks(here) & FEATURE_MARKS.keys()):
            wanted.setdefault(here, []).append((look, "black", ""))
    found = []
    for here, symbols in sorted(wanted.items()):
        slots = _slots(canvas, roads, here)
        for i, (shape, colour, value) in enumerate(symbols):
            found.append(Mark(shape, colour, value, slots[i % len(slots)], _inward(canvas, here)))
    return found


def _inward(canvas: Canvas, here: int) -> float:
    """Return the angle from the map edge into a hex, upwards in a hex inside the map."""
    x, y = canvas.centres[here]
    out = [canvas.middle(here, d) for d, near in enumerate(canvas.board.neighbours[here]) if canvas.is_off(near)]
    dx, dy = sum(x - px for px, _ in out), sum(y - py for _, py in out)
    return math.atan2(dy, dx) if abs(dx) + abs(dy) > 1.0 else UPWARDS


def _slots(canvas: Canvas, roads: Roads, here: int) -> list[Point]:
    x, y = canvas.centres[here]
    spots = [(x + u * UNIT, y + v * UNIT) for u, v in SLOTS]
    return sorted(spots, key=lambda spot: -round(min(roads.distance(here, spot), 0.3 * UNIT) / (0.06 * UNIT)))


def draw_marks(found: list[Mark]) -> str:
    """Return all symbols."""
    return group(_draw_mark(mark) for mark in found)


def _draw_mark(mark: Mark) -> str:
    return draw_symbol(mark.shape, mark.at, mark.radius, mark.value, mark.colour, mark.angle)


def draw_symbol(shape: str, at: Point, radius: float, value: str, colour: str, angle: float = UPWARDS) -> str:
    """Return one symbol by its look; the angle is that of an arrow."""
    if shape == "star":
        return star(at, radius, value)
    if shape == "drop-zone":
        return parachute((at[0], at[1] - radius * 0.2), radius, value)
    if shape == "entry":
        reach = radius * (1.45 if value else 1.0)
        tip = at[0] + reach * math.cos(angle), at[1] + reach * math.sin(angle)
        letter = badge(at, radius * 0.86, value, COLOURS[colour]) if value else ""
        return arrow(tip, angle, radius * (1.6 if value else 2.0), COLOURS[colour]) + letter
    if shape == "mark":
        return badge(at, radius, value, COLOURS[colour])
    if shape == "westwall":
        return bunker(at, radius)
    return FEATURE_MARKS[shape](at, radius)


def draw_westwall(canvas: Canvas) -> str:
    """Return the Westwall of the hexes that have it."""
    hexes = {here for here in range(len(canvas.board)) if "westwall" in canvas.feature_looks(here)}
    return westwall_line(canvas, hexes) if hexes else ""
