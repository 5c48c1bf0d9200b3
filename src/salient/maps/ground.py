"""Terrain: organic regions of each ground with trees, hachures, tufts and furrows scattered the same way every time."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator

from salient.hexes.layout import Point
from salient.maps.canvas import UNIT, Canvas, distance_to_segment, noise
from salient.maps.style import FAINT_INK, GROUND_FEATURES, GROUNDS, WATERS, Ground
from salient.maps.svg import disc, group, num, path, polygon, polyline, pt

HEX_AREA = 1.5 * math.sqrt(3.0)
# Spacing of the lattice on which symbols are scattered, so that the densest ground uses about every point.
LATTICE = 0.345
DENSEST = HEX_AREA / (LATTICE * LATTICE * math.sqrt(3.0) / 2)

IsFree = Callable[[int, Point], bool]


def ground_looks(canvas: Canvas, here: int) -> list[str]:
    """Return the grounds of a hex: its terrain, then its features that cover the ground."""
    looks = [canvas.look("terrain", canvas.board.terrain[here])]
    return looks + [GROUND_FEATURES[look] for look in sorted(canvas.feature_looks(here)) if look in GROUND_FEATURES]


def draw_ground(canvas: Canvas, is_free: IsFree) -> str:
    """Return the terrain of the whole map; symbols keep to places where `is_free` lets them."""
    regions: dict[str, list[int]] = defaultdict(list)
    for here in range(len(canvas.board)):
        for look in ground_looks(canvas, here):
            regions[look].append(here)
    base = path(canvas.field, fill=GROUNDS["clear"].fill)
    fills = [_fill(canvas, look, regions[look]) for look in GROUNDS if look in regions and look != "clear"]
    return group([base, *fills, *_symbols(canvas, is_free)])


def _fill(canvas: Canvas, look: str, hexes: list[int]) -> str:
    ground = GROUNDS[look]
    outline = canvas.soft_outline(hexes, 0.02 if ground.is_water else 0.1)
    if ground.is_water:
        return path(outline, fill=ground.fill, stroke=ground.edge, stroke_width=0.05 * UNIT)
    soft = path(outline, fill="none", stroke=ground.edge, stroke_width=0.1 * UNIT, stroke_opacity=0.25)
    return path(outline, fill=ground.fill, stroke=ground.edge, stroke_width=0.018 * UNIT) + soft


# ---- symbols ---------------------------------------------------------------------


class _Ink:
    """The paths of all symbols, gathered by style so that neighbours melt into each other."""

    def __init__(self) -> None:
        self.rims: dict[str, list[str]] = defaultdict(list)
        self.crowns: dict[str, list[str]] = defaultdict(list)
        self.lights: dict[str, list[str]] = defaultdict(list)
        self.strokes: dict[str, list[str]] = defaultdict(list)


def _symbols(canvas: Canvas, is_free: IsFree) -> list[str]:
    ink = _Ink()
    grounds = [[GROUNDS[look] for look in ground_looks(canvas, here)] for here in range(len(canvas.board))]
    for here, point in _lattice(canvas):
        for ground in grounds[here]:
            _scatter(ink, ground, here, point, is_free)
    return _inked(ink)


def _inked(ink: _Ink) -> list[str]:
    strokes = [
        path("".join(d), fill="none", stroke=colour, stroke_width=0.016 * UNIT, stroke_linecap="round")
        for colour, d in ink.strokes.items()
    ]
    trees = []
    for colour in ink.rims:
        trees.append(path("".join(ink.rims[colour]), fill=colour))
    for colour, d in [*ink.crowns.items(), *ink.lights.items()]:
        trees.append(path("".join(d), fill=colour))
    return [*strokes, *trees]


def _lattice(canvas: Canvas) -> Iterator[tuple[int, Point]]:
    """Yield points spread evenly but not regularly over the map, from north to south."""
    left, top, right, bottom = canvas.bounds
    step, rise = LATTICE * UNIT, LATTICE * UNIT * math.sqrt(3.0) / 2
    for row in range(int((bottom - top) / rise) + 1):
        for column in range(int((right - left) / step) + 1):
            x = left + (column + 0.5 * (row % 2)) * step + 0.46 * step * noise("x", row, column)
            y = top + row * rise + 0.46 * rise * noise("y", row, column)
            here = canvas.hex_at(x, y)
            if here is not None:
                yield here, (x, y)


def _scatter(ink: _Ink, ground: Ground, here: int, point: Point, is_free: IsFree) -> None:
    """Put at most one symbol of a ground at a lattice point."""
    chance = (noise("kind", point) + 1) / 2 * DENSEST
    if chance < ground.trees:
        if is_free(here, point):
            _tree(ink, ground.tree_colours, point)
    elif chance < ground.trees + ground.hachures:
        if is_free(here, point):
            ink.strokes[ground.hachure_colour].append(_hachure(point))
    elif chance < ground.trees + ground.hachures + ground.tufts:
        if is_free(here, point):
            ink.strokes["#7c8d69"].append(_tuft(point))
    elif chance < ground.trees + ground.hachures + ground.tufts + ground.furrows and is_free(here, point):
        ink.strokes["#dccfa6"].append(_furrows(point))


def _tree(ink: _Ink, colours: tuple[str, str, str], point: Point) -> None:
    rim, crown, light = colours
    x, y = point
    radius = UNIT * (0.105 + 0.02 * noise("size", point))
    if noise("spruce", point) > 0.25:
        height = radius * 2.5
        ink.rims[rim].append(_spruce((x, y), radius * 1.02, height, 0.0))
        ink.crowns[crown].append(_spruce((x, y), radius * 0.78, height * 0.8, -0.03 * UNIT))
        ink.lights[light].append(
            f"M{pt((x, y - height * 0.58))}l{num(-radius * 0.5)} {num(height * 0.62)}h{num(radius * 0.3)}Z"
        )
    else:
        ink.rims[rim].append(disc((x + 0.012 * UNIT, y + 0.018 * UNIT), radius))
        ink.crowns[crown].append(disc((x, y), radius * 0.84))
        ink.lights[light].append(disc((x - radius * 0.28, y - radius * 0.3), radius * 0.38))


def _spruce(foot: Point, half: float, height: float, lift: float) -> str:
    x, y = foot
    base = y + 0.42 * height + lift
    tip, waist = y - 0.58 * height - lift * 0.4, base - 0.45 * height
    return (
        f"M{pt((x, tip))}L{pt((x + half * 0.62, waist))}L{pt((x + half * 0.42, waist))}L{pt((x + half, base))}"
        f"L{pt((x - half, base))}L{pt((x - half * 0.42, waist))}L{pt((x - half * 0.62, waist))}Z"
    )


def _hachure(point: Point) -> str:
    """Return a small brow with strokes running down from it."""
    x, y = point
    turn = 0.5 * noise("turn", point)
    width = UNIT * (0.14 + 0.03 * noise("width", point))
    parts = []
    for i in range(-2, 3):
        angle = math.pi / 2 + turn + i * 0.24
        start = (x + i * width * 0.42, y + 0.03 * UNIT * i * i / 2 + i * turn * 0.05 * UNIT)
        reach = UNIT * (0.13 - 0.012 * i * i)
        parts.append(polyline([start, (start[0] + reach * math.cos(angle), start[1] + reach * math.sin(angle))]))
    brow = f"M{pt((x - width, y + 0.05 * UNIT))}Q{pt((x, y - 0.06 * UNIT))} {pt((x + width, y + 0.05 * UNIT))}"
    return brow + "".join(parts)


def _tuft(point: Point) -> str:
    x, y = point
    w, h = 0.1 * UNIT, 0.09 * UNIT
    blades = "".join(
        polyline([(x + i * w * 0.35, y), (x + i * w * 0.6, y - h * (1.2 - 0.3 * abs(i)))]) for i in (-1, 0, 1)
    )
    return polyline([(x - w, y), (x + w, y)]) + blades


def _furrows(point: Point) -> str:
    angle = math.pi * noise("field", point)
    cos, sin = math.cos(angle), math.sin(angle)
    parts = []
    for i in range(4):
        out, half = (i - 1.5) * 0.055 * UNIT, UNIT * (0.13 + 0.03 * noise("furrow", point, i))
        x, y = point[0] - out * sin, point[1] + out * cos
        parts.append(polyline([(x - half * cos, y - half * sin), (x + half * cos, y + half * sin)]))
    return "".join(parts)


def keeps_clear_of_water(canvas: Canvas, here: int, point: Point, margin: float = 0.1) -> bool:
    """Say whether a point of a hex lies off the waters along its hexsides."""
    for direction, side in enumerate(canvas.board.sides[here]):
        if side is not None:
            look = canvas.look("hexside", side.kind)
            if look in WATERS:
                reach = (WATERS[look].casing_width / 2 + margin) * UNIT
                if distance_to_segment(point, *canvas.side(here, direction)) < reach:
                    return False
    return True


def ground_swatch(look: str) -> str:
    """Return a sample of a ground in a hex of one drawing unit around the origin."""
    ground = GROUNDS[look]
    corners = [(UNIT * math.cos(math.radians(60 * i)), UNIT * math.sin(math.radians(60 * i))) for i in range(6)]
    ink = _Ink()
    for row in range(-3, 4):
        for column in range(-3, 4):
            x = (column + 0.5 * (row % 2)) * LATTICE * UNIT + 4 * noise("sx", row, column)
            y = row * LATTICE * UNIT * 0.87 + 4 * noise("sy", row, column)
            if abs(y) < 0.68 * UNIT and abs(x) + abs(y) / math.sqrt(3.0) < 0.84 * UNIT:
                _scatter(ink, ground, 0, (x, y), lambda here, point: True)
    return group([path(polygon(corners), fill=ground.fill, stroke=FAINT_INK, stroke_width=0.02 * UNIT), *_inked(ink)])
