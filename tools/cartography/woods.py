"""Woods: the share of wild land in each hex, from land cover where it is known and from polygons elsewhere."""

from collections.abc import Callable, Iterable

from tools.cartography.geography import Feature, Line, inside
from tools.cartography.plane import Hex, Plane, Point


def cover_by_hex(
    plane: Plane, project: Callable[[Point], Point], cells: Iterable[tuple[Point, float, float]], at_least: int = 3
) -> dict[Hex, tuple[float, float]]:
    """Mean (wild, built-up) share of the land cover cells in each hex that has enough of them."""
    sums: dict[Hex, list[float]] = {}
    for lonlat, wild, built in cells:
        hex_ = plane.at(project(lonlat))
        if hex_:
            entry = sums.setdefault(hex_, [0.0, 0.0, 0.0])
            entry[0], entry[1], entry[2] = entry[0] + 1, entry[1] + wild, entry[2] + built
    return {h: (wild / n, built / n) for h, (n, wild, built) in sums.items() if n >= at_least}


def polygon_share(plane: Plane, project: Callable[[Point], Point], features: Iterable[Feature]) -> dict[Hex, float]:
    """The share of each hex, per cent, that lies in any of the polygons."""
    shapes: list[tuple[list[Line], float, float, float, float]] = []
    for feature in features:
        rings = [[project(p) for p in ring] for ring in feature.lines]
        xs, ys = [p[0] for r in rings for p in r], [p[1] for r in rings for p in r]
        shapes.append((rings, min(xs), max(xs), min(ys), max(ys)))
    shares = {}
    for hex_, (x, y) in plane.hexes.items():
        near = [s[0] for s in shapes if s[1] - 1 < x < s[2] + 1 and s[3] - 1 < y < s[4] + 1]
        if near:
            points = plane.samples(hex_)
            shares[hex_] = 100 * sum(any(inside(p, rings) for rings in near) for p in points) / len(points)
    return shares


def terrain_for(share: float, classes: list[tuple[str, float]], otherwise: str) -> str:
    """The first class whose threshold the share reaches (list them from dense to thin)."""
    return next((name for name, threshold in classes if share >= threshold), otherwise)
