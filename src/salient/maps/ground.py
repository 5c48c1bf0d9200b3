"""Terrain: natural regions of each ground with trees, hachures, tufts and furrows scattered the same way every time."""

import json
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from salient.hexes.layout import Point
from salient.maps.canvas import UNIT, Canvas, noise
from salient.maps.natural import bend, natural_outline
from salient.maps.style import FAINT_INK, GROUND_FEATURES, GROUNDS, Ground, UnknownLook
from salient.maps.svg import group, num, path, polygon

RELIEF = Path(__file__).parent / "relief"
SHADE, SHADE_STEP, LIGHT, LIGHT_STEP = "#4a3a26", "0.05", "#ffffff", "0.13"
HEX_AREA = 1.5 * math.sqrt(3.0)
# Spacing of the lattice on which symbols are scattered, so that the densest ground uses about every point.
LATTICE = 0.345
DENSEST = HEX_AREA / (LATTICE * LATTICE * math.sqrt(3.0) / 2)
# The lattice repeats after so many points: an even number of rows, so that it joins itself.
TILE_COLUMNS, TILE_ROWS = 34, 40
TILE_WIDTH = TILE_COLUMNS * LATTICE * UNIT
TILE_HEIGHT = TILE_ROWS * LATTICE * UNIT * math.sqrt(3.0) / 2
# From the least to the densest: lesser woods reach under denser ones, so that a forest has no bare seam.
WOODED = ("light-woods", "woods", "forest", "rough-woods")
# Below so many pixels a hex size, trees and furrows would be dust.
SYMBOLS_FROM = 18.0


def ground_looks(canvas: Canvas, here: int) -> list[str]:
    """Return the grounds of a hex: its terrain, then its features that cover the ground."""
    looks = [canvas.look("terrain", canvas.board.terrain[here])]
    return looks + [GROUND_FEATURES[look] for look in sorted(canvas.feature_looks(here)) if look in GROUND_FEATURES]


def draw_ground(canvas: Canvas) -> str:
    """Return the terrain of the whole map, with its symbols where the scale lets them be seen."""
    found: dict[str, list[int]] = defaultdict(list)
    for here in range(len(canvas.board)):
        for look in ground_looks(canvas, here):
            found[look].append(here)
    for i, look in enumerate(WOODED[:-1]):
        if look in found:
            found[look] = sorted(set(found[look]).union(*(found.get(denser, ()) for denser in WOODED[i + 1 :])))
    base = path(canvas.field, fill=GROUNDS["clear"].fill)
    fills = [_fill(canvas, look, found[look]) for look in GROUNDS if look in found and look != "clear"]
    return group([base, *fills, *(_symbols(canvas) if canvas.scale >= SYMBOLS_FROM else [])])


def draw_relief(canvas: Canvas) -> str:
    """Return the ground in shade and in light, step by step, from the file that terrain.toml names."""
    file = str(canvas.entry("map", "relief").get("file", ""))
    if not file:
        return ""
    steps = _relief(file)
    shades = [path(d, fill=SHADE, fill_opacity=SHADE_STEP) for d in steps["shade"]]
    return group([*shades, *(path(d, fill=LIGHT, fill_opacity=LIGHT_STEP) for d in steps["light"])])


@cache
def _relief(file: str) -> dict[str, list[str]]:
    if not (RELIEF / file).is_file():
        raise UnknownLook(f"terrain.toml: [map.relief] names {file!r}, which is not in {RELIEF}.")
    steps: dict[str, list[str]] = json.loads((RELIEF / file).read_text(encoding="utf-8"))
    return steps


def _fill(canvas: Canvas, look: str, hexes: list[int]) -> str:
    ground = GROUNDS[look]
    if ground.is_water:
        outline = canvas.soft_outline(hexes, 0.02)
        return path(outline, fill=ground.fill, stroke=ground.edge, stroke_width=0.05 * UNIT)
    outline = natural_outline(canvas, hexes)
    if not ground.trees:
        return path(outline, fill=ground.fill, stroke=ground.edge, stroke_width=0.022 * UNIT)
    # The bushes along the edge of a wood, denser where the wood is.
    width = (0.06 + 0.0015 * ground.trees) * UNIT
    dash = f"0 {num(width * (2.2 - 0.045 * ground.trees))} 0 {num(width * 1.3)}"
    bushes = {"stroke": ground.tree_colours[1], "stroke_linecap": "round", "stroke_dasharray": dash}
    return path(outline, fill=ground.fill, stroke_width=width, **bushes)


# ---- symbols ---------------------------------------------------------------------


@dataclass(frozen=True)
class Seed:
    """A point of the lattice, the chance that decides what grows there, and the variant of it."""

    x: float
    y: float
    chance: float
    variant: int


@cache
def _seeds() -> tuple[Seed, ...]:
    """Return one tile of the lattice, even but not regular, from north to south."""
    step, rise = LATTICE * UNIT, LATTICE * UNIT * math.sqrt(3.0) / 2
    found = []
    for row in range(TILE_ROWS):
        for column in range(TILE_COLUMNS):
            x = (column + 0.5 * (row % 2)) * step + 0.46 * step * noise("x", row, column)
            y = row * rise + 0.46 * rise * noise("y", row, column)
            chance = (noise("kind", row, column) + 1) / 2 * DENSEST
            found.append(Seed(x, y, chance, int((noise("variant", row, column) + 1) * 4) % 8))
    return tuple(found)


def _symbols(canvas: Canvas) -> list[str]:
    grounds = [[GROUNDS[look] for look in ground_looks(canvas, here)] for here in range(len(canvas.board))]
    ink: dict[tuple[int, str], list[str]] = defaultdict(list)
    for seed, at in _lattice(canvas):
        # The ground is bent at its edges, so what grows at a point belongs to the hex that was bent there.
        dx, dy = bend(at)
        here = canvas.hex_at(at[0] - dx, at[1] - dy)
        if here is not None:
            for ground in grounds[here]:
                _plant(ink, ground, seed, at)
    return _inked(ink)


def _lattice(canvas: Canvas) -> Iterator[tuple[Seed, Point]]:
    """Yield points spread evenly over the map."""
    left, top, right, bottom = canvas.bounds
    for j in range(math.ceil((bottom - top) / TILE_HEIGHT)):
        for i in range(math.ceil((right - left) / TILE_WIDTH)):
            for seed in _seeds():
                yield seed, (left + i * TILE_WIDTH + seed.x, top + j * TILE_HEIGHT + seed.y)


def _plant(ink: dict[tuple[int, str], list[str]], ground: Ground, seed: Seed, at: Point) -> None:
    """Put at most one symbol of a ground at a point; ink of a lower rank lies below."""
    start = f"M{at[0]:.0f} {at[1]:.0f}"
    trees, rough = ground.trees, ground.trees + ground.hachures
    if seed.chance < trees:
        shade, crown = _trees()[seed.variant]
        ink[1, ground.tree_colours[0]].append(start + shade)
        ink[2, ground.tree_colours[1]].append(start + crown)
    elif seed.chance < rough:
        ink[0, ground.hachure_colour].append(start + _hachures()[seed.variant])
    elif seed.chance < rough + ground.tufts:
        ink[0, "#7c8d69"].append(start + TUFT)
    elif seed.chance < rough + ground.tufts + ground.furrows:
        ink[0, "#dccfa6"].append(start + _furrows()[seed.variant])


def _inked(ink: dict[tuple[int, str], list[str]]) -> list[str]:
    parts = []
    for (rank, colour), d in sorted(ink.items()):
        line = {"fill": "none", "stroke": colour, "stroke_width": 0.016 * UNIT, "stroke_linecap": "round"}
        parts.append(path("".join(d), **(line if rank == 0 else {"fill": colour})))
    return parts


# Symbols are written relative to their point, so that a map repeats a few short strings.


@cache
def _trees() -> tuple[tuple[str, str], ...]:
    """Return the variants of a tree: its shaded side and its crown."""
    found = []
    for variant in range(8):
        radius = UNIT * (0.088 + 0.006 * variant)
        if variant % 3 == 2:
            height = radius * 2.5
            shade = f"m0 {num(-height * 0.6)}l{num(radius)} {num(height)}h{num(-2 * radius)}z"
            crown = f"m0 {num(-height * 0.6)}l{num(radius * 0.3)} {num(height * 0.86)}h{num(-radius * 1.05)}z"
        else:
            shade = _round(radius, 0.12 * radius)
            crown = _round(radius * 0.74, -0.12 * radius)
        found.append((shade, crown))
    return tuple(found)


def _round(radius: float, shift: float) -> str:
    r = num(radius)
    return f"m{num(shift - radius)} {num(shift)}a{r} {r} 0 1 0 {num(2 * radius)} 0a{r} {r} 0 1 0 {num(-2 * radius)} 0z"


@cache
def _hachures() -> tuple[str, ...]:
    """Return the variants of a small brow with strokes running down from it."""
    found = []
    for variant in range(8):
        turn, width = 0.14 * (variant - 3.5), UNIT * (0.12 + 0.006 * variant)
        parts = f"m{num(-width)} 5q{num(width)} -11 {num(2 * width)} 0m{num(-width)} -5"
        for i in range(-2, 3):
            angle = math.pi / 2 + turn + i * 0.24
            reach = UNIT * (0.13 - 0.012 * i * i)
            x, dx, dy = i * width * 0.42, reach * math.cos(angle), reach * math.sin(angle)
            parts += f"m{num(x)} 0l{num(dx)} {num(dy)}m{num(-x - dx)} {num(-dy)}"
        found.append(parts)
    return tuple(found)


TUFT = "m-10 0h20m-13.5 0l-2.5 -8m6 8v-11m3.5 11l2.5 -8"


@cache
def _furrows() -> tuple[str, ...]:
    """Return the variants of a ploughed field."""
    found = []
    for variant in range(8):
        angle = math.pi * variant / 8
        cos, sin = math.cos(angle), math.sin(angle)
        parts = ""
        for i in range(4):
            out, half = (i - 1.5) * 5.5, 11 + 2 * ((variant + i) % 3)
            x, y = -out * sin - half * cos, out * cos - half * sin
            dx, dy = 2 * half * cos, 2 * half * sin
            parts += f"m{num(x)} {num(y)}l{num(dx)} {num(dy)}m{num(-x - dx)} {num(-y - dy)}"
        found.append(parts)
    return tuple(found)


def ground_swatch(look: str) -> str:
    """Return a sample of a ground in a hex of one drawing unit around the origin."""
    ground = GROUNDS[look]
    corners = [(UNIT * math.cos(math.radians(60 * i)), UNIT * math.sin(math.radians(60 * i))) for i in range(6)]
    ink: dict[tuple[int, str], list[str]] = defaultdict(list)
    for seed in _seeds():
        x, y = seed.x - 2 * UNIT, seed.y - 2 * UNIT
        if abs(y) < 0.68 * UNIT and abs(x) + abs(y) / math.sqrt(3.0) < 0.84 * UNIT:
            _plant(ink, ground, seed, (x, y))
    return group([path(polygon(corners), fill=ground.fill, stroke=FAINT_INK, stroke_width=0.02 * UNIT), *_inked(ink)])
