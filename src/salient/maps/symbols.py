"""Symbols of towns, features and zones."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from salient.hexes.board import Place
from salient.hexes.layout import Point
from salient.maps.canvas import UNIT, Canvas, gap, mix, noise
from salient.maps.roads import Roads
from salient.maps.style import COLOURS, INK, PAPER
from salient.maps.svg import box, disc, group, path, polygon, polyline, text


@dataclass(frozen=True)
class Settlement:
    """How a settlement is drawn: its reach and the size of a block in hex sizes, and its number of blocks."""

    radius: float
    block: float
    blocks: int
    has_ground: bool = False


SETTLEMENTS = {
    "village": Settlement(0.27, 0.12, 4),
    "town": Settlement(0.4, 0.125, 9, has_ground=True),
    "city": Settlement(0.72, 0.13, 34, has_ground=True),
    "fortress": Settlement(0.42, 0.14, 9, has_ground=True),
}
ROOFS = "#a8533d"
ROOF_EDGE = "#5c2a1d"
TOWN_GROUND = "#e6cfa8"
DOTS = {"city": 0.13, "town": 0.105, "village": 0.08, "hamlet": 0.055}
DOT_PIXELS = {"city": 4.0, "town": 2.8, "village": 1.8, "hamlet": 1.5}
# Below so many pixels a hex size a town is a dot.
BLOCKS_FROM = 20.0


def settlement_look(canvas: Canvas, here: int) -> str:
    """Return the largest settlement look of a hex, or nothing."""
    looks = canvas.feature_looks(here)
    if canvas.look("terrain", canvas.board.terrain[here]) == "city" or ("town" in looks and here in canvas.cities):
        looks = looks | {"city"}
    return next((look for look in ("city", "fortress", "town", "village") if look in looks), "")


def settlement_radius(canvas: Canvas, here: int) -> float:
    """Return how far the blocks of a hex's settlement reach, 0 without one."""
    look = settlement_look(canvas, here) if canvas.scale >= BLOCKS_FROM else ""
    return SETTLEMENTS[look].radius * UNIT if look else 0.0


def dot_radius(canvas: Canvas, size: str) -> float:
    """Return the radius of a place's dot."""
    return canvas.at_least(DOTS[size], DOT_PIXELS[size])


def draw_town_grounds(canvas: Canvas) -> str:
    """Return what lies under the roads and blocks of towns and cities."""
    built = [here for here in range(len(canvas.board)) if settlement_radius(canvas, here)]
    grounds = [(here, SETTLEMENTS[settlement_look(canvas, here)]) for here in built]
    d = "".join(disc(canvas.centres[here], (town.radius + 0.08) * UNIT) for here, town in grounds if town.has_ground)
    return path(d, fill=TOWN_GROUND, fill_opacity=0.85)


def draw_settlements(canvas: Canvas, roads: Roads) -> str:
    """Return the blocks of every settlement, along and between its roads."""
    built = [here for here in range(len(canvas.board)) if settlement_radius(canvas, here)]
    d = "".join(
        settlement_blocks(
            settlement_look(canvas, here), canvas.centres[here], 0.3 * noise("streets", here), roads.near(here)
        )
        for here in built
    )
    return path(d, fill=ROOFS, stroke=ROOF_EDGE, stroke_width=0.012 * UNIT)


def settlement_blocks(look: str, at: Point, turn: float, roads: Sequence[Point] = ()) -> str:
    """Return the blocks of a settlement: always as many, on the free spots nearest to its middle."""
    town = SETTLEMENTS[look]
    block = town.block * UNIT
    cos, sin = math.cos(turn), math.sin(turn)
    pitch = block * 1.34
    steps = int(1.5 * town.radius * UNIT / pitch) + 1
    spots = []
    for i in range(-steps, steps + 1):
        for j in range(-steps, steps + 1):
            u, v = (i + 0.5) * pitch, (j + 0.5) * pitch
            point = (at[0] + u * cos - v * sin, at[1] + u * sin + v * cos)
            if all(gap(point, road) > block * 0.84 for road in roads):
                spots.append((math.hypot(u, v * 1.04), point))
    nearest = [point for _, point in sorted(spots)[: town.blocks]]
    return "".join(box(point, block, block * 0.92, turn) for point in nearest)


def place_points(canvas: Canvas, roads: Roads) -> dict[str, Point]:
    """Return where each place's dot lies: the hex centre, and beside it for further places of a hex."""
    taken: dict[int, int] = {}
    found = {}
    for place in canvas.board.places:
        here = place.hexes[0]
        centre = canvas.centres[here]
        if place.size == "region":
            xs = [canvas.centres[i][0] for i in place.hexes]
            ys = [canvas.centres[i][1] for i in place.hexes]
            found[place.name] = sum(xs) / len(xs), sum(ys) / len(ys)
            continue
        count = taken.get(here, 0)
        taken[here] = count + 1
        found[place.name] = centre if count == 0 else _beside(roads, here, centre, count)
    return found


def _beside(roads: Roads, here: int, centre: Point, count: int) -> Point:
    spots = [
        (
            centre[0] + 0.55 * UNIT * math.cos(math.radians(angle)),
            centre[1] + 0.5 * UNIT * math.sin(math.radians(angle)),
        )
        for angle in (150, 30, 210, 330)
    ]
    spots.sort(key=lambda spot: -round(min(roads.distance(here, spot), 0.3 * UNIT)))
    return spots[(count - 1) % len(spots)]


def draw_dots(canvas: Canvas, places: Sequence[Place], points: dict[str, Point]) -> str:
    """Return a dot for every place whose hex has no settlement of its own, and for further places of a hex."""
    dots: dict[str, str] = {PAPER: "", ROOFS: ""}
    for place in places:
        at, here = points[place.name], place.hexes[0]
        if place.size in DOTS and not (settlement_radius(canvas, here) and at == canvas.centres[here]):
            is_red = place.size in ("city", "town") and canvas.scale < BLOCKS_FROM
            dots[ROOFS if is_red else PAPER] += disc(at, dot_radius(canvas, place.size))
    width = canvas.at_least(0.028, 0.7)
    return group(path(d, fill=fill, stroke=INK, stroke_width=width) for fill, d in dots.items())


# ---- features and zone symbols -----------------------------------------------------


def star(at: Point, radius: float, value: str = "") -> str:
    """Return a victory star, with its value."""
    points = []
    for i in range(10):
        angle = math.radians(-90 + 36 * i)
        reach = radius if i % 2 == 0 else radius * 0.45
        points.append((at[0] + reach * math.cos(angle), at[1] + reach * math.sin(angle)))
    body = path(polygon(points), fill="#e8b923", stroke="#6d1f14", stroke_width=radius * 0.13, stroke_linejoin="round")
    if not value:
        return body
    return body + text(value, (at[0], at[1] + radius * 0.35), radius * 0.95, "bold", "#4a120b")


def parachute(at: Point, radius: float, value: str = "") -> str:
    """Return a parachute with a number under it."""
    x, y = at
    r = radius
    scallops = "".join(
        f"Q{x + r * (i + 1) / 3:.1f} {y - r * 0.22:.1f} {x + r * i / 3:.1f} {y:.1f}" for i in (1, -1, -3)
    )
    canopy = f"M{x - r:.1f} {y:.1f}A{r:.1f} {r * 0.95:.1f} 0 0 1 {x + r:.1f} {y:.1f}{scallops}Z"
    load = (x, y + r * 0.95)
    cords = "".join(polyline([(x + i * r, y), load]) for i in (-1, -0.33, 0.33, 1))
    parts = [
        path(cords, fill="none", stroke=INK, stroke_width=r * 0.06),
        path(canopy, fill="#f7f0de", stroke=COLOURS["blue"], stroke_width=r * 0.13, stroke_linejoin="round"),
    ]
    if value:
        parts.append(text(value, (x, y + r * 1.25), r * 0.95, "bold", COLOURS["blue"], halo=0.2))
    return "".join(parts)


def jerrycan(at: Point, radius: float) -> str:
    """Return a fuel can."""
    x, y = at
    body = box((x, y + radius * 0.12), radius * 1.3, radius * 1.6)
    cross = polyline([(x - radius * 0.45, y - radius * 0.4), (x + radius * 0.45, y + radius * 0.65)]) + polyline(
        [(x + radius * 0.45, y - radius * 0.4), (x - radius * 0.45, y + radius * 0.65)]
    )
    spout = box((x + radius * 0.35, y - radius * 0.85), radius * 0.4, radius * 0.35)
    handle = box((x - radius * 0.25, y - radius * 0.82), radius * 0.6, radius * 0.16)
    return path(body + spout + handle, fill="#6f7a4a", stroke="#2f331d", stroke_width=radius * 0.12) + path(
        cross, stroke="#2f331d", stroke_width=radius * 0.12, fill="none"
    )


def arrow(at: Point, angle: float, length: float, colour: str) -> str:
    """Return a broad arrow whose head lies at a point."""
    shape = [(0, 0), (-0.42, -0.3), (-0.42, -0.13), (-1, -0.17), (-1, 0.17), (-0.42, 0.13), (-0.42, 0.3)]
    cos, sin = math.cos(angle), math.sin(angle)
    points = [(at[0] + length * (u * cos - v * sin), at[1] + length * (u * sin + v * cos)) for u, v in shape]
    return path(polygon(points), fill=colour, stroke=PAPER, stroke_width=length * 0.05, stroke_linejoin="round")


def badge(at: Point, radius: float, value: str, colour: str) -> str:
    """Return a disc with a value in it."""
    body = path(disc(at, radius), fill=PAPER, stroke=colour, stroke_width=radius * 0.18)
    size = radius * (1.2 if len(value) < 2 else 0.95 if len(value) < 3 else 0.7)
    return body + (text(value, (at[0], at[1] + size * 0.32), size, "bold", colour) if value else "")


def bunker(at: Point, radius: float) -> str:
    """Return a row of dragon's teeth."""
    x, y = at
    tooth = radius * 0.5
    teeth = "".join(
        polygon(
            [
                (x + i * tooth, y + tooth * 0.5),
                (x + (i + 0.5) * tooth, y - tooth * 0.6),
                (x + (i + 1) * tooth, y + tooth * 0.5),
            ]
        )
        for i in (-2, -1, 0, 1)
    )
    return path(teeth, fill="#8d8a82", stroke="#3b3933", stroke_width=radius * 0.07, stroke_linejoin="round")


def airfield(at: Point, radius: float) -> str:
    """Return crossed runways."""
    x, y = at
    runways = polyline([(x - radius, y + radius * 0.5), (x + radius, y - radius * 0.5)]) + polyline(
        [(x - radius * 0.7, y - radius * 0.6), (x + radius * 0.7, y + radius * 0.6)]
    )
    return path(runways, stroke="#8d8a82", stroke_width=radius * 0.24, fill="none", stroke_linecap="square")


def narrows(at: Point, radius: float) -> str:
    """Return the two brackets of a bottleneck."""
    x, y = at
    left = f"M{x - radius:.1f} {y - radius:.1f}Q{x - radius * 0.4:.1f} {y:.1f} {x - radius:.1f} {y + radius:.1f}"
    right = f"M{x + radius:.1f} {y - radius:.1f}Q{x + radius * 0.4:.1f} {y:.1f} {x + radius:.1f} {y + radius:.1f}"
    return path(left + right, fill="none", stroke=COLOURS["violet"], stroke_width=radius * 0.22, stroke_linecap="round")


def westwall_line(canvas: Canvas, hexes: set[int]) -> str:
    """Return dragon's teeth along the western hexsides of the Westwall hexes, off the waters there."""
    teeth = ""
    for here in sorted(hexes):
        x, _ = canvas.centres[here]
        for direction, near in enumerate(canvas.board.neighbours[here]):
            if near not in hexes and canvas.middle(here, direction)[0] < x - 0.3 * UNIT:
                start, end = canvas.side(here, direction)
                inset = 0.24 if canvas.board.sides[here][direction] is None else 0.3
                centre = canvas.centres[here]
                teeth += _teeth(mix(start, centre, inset), mix(end, centre, inset))
    return path(teeth, fill="#97938a", stroke="#45413a", stroke_width=0.012 * UNIT, stroke_linejoin="round")


def _teeth(a: Point, b: Point) -> str:
    length = math.hypot(b[0] - a[0], b[1] - a[1])
    count = max(2, round(length / (0.17 * UNIT)))
    size = 0.085 * UNIT
    parts = []
    for i in range(count):
        x, y = (a[0] + (b[0] - a[0]) * (i + 0.5) / count, a[1] + (b[1] - a[1]) * (i + 0.5) / count)
        parts.append(polygon([(x - size * 0.8, y + size * 0.6), (x, y - size * 0.8), (x + size * 0.8, y + size * 0.6)]))
    return "".join(parts)


def draw_side_marks(canvas: Canvas) -> str:
    """Return slopes, walls, Westwall and front lines that lie along hexsides."""
    marks = []
    for row in canvas.board.rows["hexsides.csv"]:
        look = canvas.look("hexside", row["kind"])
        here, near = canvas.board.index[row["a"]], canvas.board.index[row["b"]]
        direction = canvas.board.direction(here, near)
        if direction is None:
            continue
        start, end = canvas.side(here, direction)
        if look == "westwall":
            marks.append(path(_teeth(start, end), fill="#97938a", stroke="#45413a", stroke_width=0.012 * UNIT))
        elif look in ("front", "wall"):
            colour = COLOURS["red"] if look == "front" else INK
            marks.append(path(polyline([start, end]), stroke=colour, stroke_width=0.06 * UNIT, stroke_linecap="round"))
        elif look == "slope":
            marks.append(_slope(start, end, canvas.centres[near]))
    return group(marks)


def _slope(start: Point, end: Point, low: Point) -> str:
    """Return ticks along a hexside that point to the lower hex."""
    ticks = ""
    for i in range(1, 7):
        x, y = start[0] + (end[0] - start[0]) * i / 7, start[1] + (end[1] - start[1]) * i / 7
        ticks += polyline([(x, y), (x + (low[0] - x) * 0.16, y + (low[1] - y) * 0.16)])
    return path(ticks, stroke="#8a6a3f", stroke_width=0.02 * UNIT, fill="none")
