"""Gorges: hachures on the banks of rivers that run through rough ground, pointing down to the water."""

from collections.abc import Iterable, Iterator

from salient.hexes.layout import Point
from salient.maps.canvas import UNIT, Canvas, gap, mix
from salient.maps.svg import path, polyline

GORGE_LOOKS = ("rough", "rough-woods")
INK = "#6a5433"
# Where a hachure begins and ends beside the middle of the water, and how far the next one is.
NEAR, FAR, FARTHER = 0.1 * UNIT, 0.19 * UNIT, 0.24 * UNIT
SPACING = 0.075 * UNIT
# How far out a bank is asked for its ground.
PROBE = 0.4 * UNIT
# Below so many pixels a hex size, hachures would be dust.
FROM = 18.0

Bend = tuple[Point, Point, Point]  # a quadratic curve: from, by way of, to


def draw_gorges(canvas: Canvas, bends: Iterable[tuple[Bend, Iterable[int]]]) -> str:
    """Return the hachures along bends of water, each with the hexes around it."""
    if canvas.scale < FROM:
        return ""
    lines = "".join(_hachures(canvas, bend, list(hexes)) for bend, hexes in bends)
    return path(lines, stroke=INK, stroke_width=0.022 * UNIT, stroke_opacity=0.8, stroke_linecap="round")


def _hachures(canvas: Canvas, bend: Bend, hexes: list[int]) -> str:
    rough = {here for here in hexes if canvas.look("terrain", canvas.board.terrain[here]) in GORGE_LOOKS}
    if not rough:
        return ""
    found = ""
    for i, (at, (nx, ny)) in enumerate(_along(bend)):
        for side in (-1, 1):
            bank = at[0] + side * nx * PROBE, at[1] + side * ny * PROBE
            if min(hexes, key=lambda here: gap(canvas.centres[here], bank)) in rough:
                far = FAR if i % 2 else FARTHER
                ends = [(at[0] + side * nx * out, at[1] + side * ny * out) for out in (NEAR, far)]
                found += polyline(ends)
    return found


def _along(bend: Bend) -> Iterator[tuple[Point, Point]]:
    """Points along a bend, evenly spaced, each with the direction across it."""
    a, by, b = bend
    steps = max(2, round((gap(a, by) + gap(by, b)) / SPACING))
    for i in range(steps):
        t = (i + 0.5) / steps
        start, end = mix(a, by, t), mix(by, b, t)
        length = max(1e-9, gap(start, end))
        yield mix(start, end, t), ((start[1] - end[1]) / length, (end[0] - start[0]) / length)
