"""Natural outlines: the rounded border of a region of hexes, bent by a field of noise that is the same on every map."""

import math
from collections.abc import Collection
from functools import cache

from salient.hexes.layout import Point
from salient.maps.canvas import UNIT, Canvas, mix, noise
from salient.maps.svg import pt

# Wave lengths and reaches of the bends, in drawing units: bays and tongues of a wood, then its ragged edge.
OCTAVES = ((1.05 * UNIT, 0.26 * UNIT, 0), (0.4 * UNIT, 0.085 * UNIT, 7))
TABLE = 64
# Points taken on the way from the middle of a hexside to that of the next.
STEPS = 4


@cache
def _knots(seed: int) -> list[list[Point]]:
    return [[(noise("wx", seed, i, j), noise("wy", seed, i, j)) for i in range(TABLE)] for j in range(TABLE)]


def bend(point: Point) -> Point:
    """Return how far the ground is shifted at a point."""
    dx = dy = 0.0
    for wave, reach, seed in OCTAVES:
        knots = _knots(seed)
        u, v = point[0] / wave, point[1] / wave
        i, j = math.floor(u), math.floor(v)
        u, v = u - i, v - j
        u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
        above, below = knots[j % TABLE], knots[(j + 1) % TABLE]
        a, b, c, d = above[i % TABLE], above[(i + 1) % TABLE], below[i % TABLE], below[(i + 1) % TABLE]
        w00, w10, w01, w11 = (1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v
        dx += reach * (a[0] * w00 + b[0] * w10 + c[0] * w01 + d[0] * w11)
        dy += reach * (a[1] * w00 + b[1] * w10 + c[1] * w01 + d[1] * w11)
    return dx, dy


def natural_outline(canvas: Canvas, hexes: Collection[int]) -> str:
    """Return the path of a region with bays and tongues; at the map edge it runs on beyond it."""
    return "".join(_smooth(_bent_loop(canvas, loop)) for loop in canvas.outline(hexes))


def _bent_loop(canvas: Canvas, loop: list[tuple[tuple[int, int], int, int]]) -> list[Point]:
    middles = [canvas.middle(here, direction) for _, here, direction in loop]
    points = []
    for i, (_, here, direction) in enumerate(loop):
        following = (i + 1) % len(loop)
        corner = canvas.corner_points[loop[following][0]]
        is_edge = canvas.board.neighbours[here][direction] < 0
        is_edge_next = canvas.board.neighbours[loop[following][1]][loop[following][2]] < 0
        for step in range(STEPS):
            share = step / STEPS
            at = _arc(middles[i], corner, middles[following], share)
            if is_edge if share < 0.5 else is_edge_next:
                points.append(mix(canvas.centres[here], at, 1.4))
            else:
                dx, dy = bend(at)
                points.append((at[0] + dx, at[1] + dy))
    return points


def _arc(start: Point, corner: Point, end: Point, share: float) -> Point:
    return mix(mix(start, corner, share), mix(corner, end, share), share)


def _smooth(points: list[Point]) -> str:
    """Return a closed curve whose bends lie at the points."""
    parts = [f"M{pt(mix(points[-1], points[0]))}"]
    for i, point in enumerate(points):
        parts.append(f"Q{pt(point)} {pt(mix(point, points[(i + 1) % len(points)]))}")
    return "".join(parts) + "Z"
