"""Rivers that run through the middle of hexes: past hexsides with the look `through`, and through towns."""

from collections import defaultdict
from collections.abc import Callable

from salient.hexes.board import is_water
from salient.hexes.grid import Axial
from salient.hexes.layout import Point
from salient.maps.canvas import Canvas, mix
from salient.maps.style import THROUGH
from salient.maps.svg import pt


def valley_hexes(canvas: Canvas) -> set[int]:
    """Return the hexes that a river runs through: those with a hidden feature that is water."""
    entries = canvas.board.legend.get("feature", {})
    wet = {key for key, entry in entries.items() if is_water(key, entry) and canvas.look("feature", key) == "hidden"}
    return {here for here, features in enumerate(canvas.board.features) if features & wet}


def valley_courses(canvas: Canvas, is_end: Callable[[Axial], bool]) -> str:
    """Return one path of all rivers through hexes; `is_end` tells the corners at which a river along hexsides ends."""
    return "".join(_bend(canvas.centres[here], points) for here, points in sorted(valley_ways(canvas, is_end).items()))


def valley_ways(canvas: Canvas, is_end: Callable[[Axial], bool]) -> dict[int, list[Point]]:
    """Return the points at which rivers enter and leave each hex that they run through."""
    ways: dict[int, list[Point]] = defaultdict(list)
    board = canvas.board
    for row in board.rows["hexsides.csv"]:
        if canvas.look("hexside", row["kind"]) == THROUGH:
            a, b = board.index[row["a"]], board.index[row["b"]]
            middle = mix(canvas.centres[a], canvas.centres[b])
            ways[a].append(middle)
            ways[b].append(middle)
    taken: set[Axial] = set()
    for here in sorted(valley_hexes(canvas), key=lambda h: len(ways[h])):
        for corner in canvas.corner_ids[here]:
            if is_end(corner) and corner not in taken:
                taken.add(corner)
                ways[here].append(canvas.corner_points[corner])
    return dict(ways)


def _bend(centre: Point, points: list[Point]) -> str:
    """Return a bend from the first point to the second, and a branch to each further one."""
    if len(points) < 2:
        return "".join(f"M{pt(point)}L{pt(centre)}" for point in points)
    first, second, *others = points
    heart = mix(centre, mix(first, second))
    branches = "".join(f"M{pt(point)}Q{pt(centre)} {pt(heart)}" for point in others)
    return f"M{pt(first)}Q{pt(centre)} {pt(second)}{branches}"
