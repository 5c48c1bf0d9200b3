"""Lays a grid on the earth: a similarity or an affine map through control points, with a local warp for the rest."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tools.cartography.plane import Plane, Point

KM_PER_DEGREE = 111.2


@dataclass(frozen=True)
class Control:
    """A place on the earth whose spot on the grid is known."""

    name: str
    lonlat: Point
    spot: Point


@dataclass(frozen=True)
class Fit:
    """The way from longitude and latitude to the hex plane."""

    origin: Point
    matrix: tuple[float, float, float, float, float, float]  # x = a e + b n + c, y = d e + f n + g (e, n in km)
    warp_km: float = 0.0
    anchors: tuple[tuple[Point, Point], ...] = ()  # (kilometres, weights of the warp)

    def km(self, lonlat: Point) -> Point:
        """Kilometres east and north of the origin."""
        lon0, lat0 = self.origin
        return (lonlat[0] - lon0) * KM_PER_DEGREE * math.cos(math.radians(lat0)), (lonlat[1] - lat0) * KM_PER_DEGREE

    def straight(self, lonlat: Point) -> Point:
        """The point on the plane before the warp."""
        e, n = self.km(lonlat)
        a, b, c, d, f, g = self.matrix
        return a * e + b * n + c, d * e + f * n + g

    def __call__(self, lonlat: Point) -> Point:
        """The point on the plane."""
        x, y = self.straight(lonlat)
        here = self.km(lonlat)
        for place, (wx, wy) in self.anchors:
            k = _kernel(math.dist(here, place), self.warp_km)
            x, y = x + k * wx, y + k * wy
        return x, y


def _kernel(km: float, radius: float) -> float:
    return math.exp(-((km / radius) ** 2))


def solve(rows: list[list[float]], right: list[float]) -> list[float]:
    """Solves a small linear system by elimination with pivoting."""
    n = len(right)
    work = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(work[r][i]))
        work[i], work[pivot] = work[pivot], work[i]
        for r in range(i + 1, n):
            factor = work[r][i] / work[i][i]
            work[r] = [a - factor * b for a, b in zip(work[r], work[i], strict=True)]
    out = [0.0] * n
    for i in reversed(range(n)):
        out[i] = (work[i][n] - sum(work[i][j] * out[j] for j in range(i + 1, n))) / work[i][i]
    return out


def _least_squares(rows: list[list[float]], right: list[float]) -> list[float]:
    n = len(rows[0])
    normal = [[sum(r[i] * r[j] for r in rows) for j in range(n)] for i in range(n)]
    return solve(normal, [sum(r[i] * y for r, y in zip(rows, right, strict=True)) for i in range(n)])


def _matrix(kind: str, km: list[Point], spots: list[Point]) -> tuple[float, ...]:
    if kind == "affine":
        rows = [[e, n, 1.0] for e, n in km]
        return (*_least_squares(rows, [s[0] for s in spots]), *_least_squares(rows, [s[1] for s in spots]))
    rows = [[e, -n, 1.0, 0.0] for e, n in km] + [[n, e, 0.0, 1.0] for e, n in km]
    a, b, c, g = _least_squares(rows, [s[0] for s in spots] + [s[1] for s in spots])
    return a, -b, c, b, a, g


def fit_controls(controls: list[Control], kind: str, warp_km: float = 0.0, stiffness: float = 0.15) -> Fit:
    """Fits by least squares; with `warp_km` the residuals are then bent away around each control point."""
    origin = (
        sum(c.lonlat[0] for c in controls) / len(controls),
        sum(c.lonlat[1] for c in controls) / len(controls),
    )
    flat = Fit(origin, (1, 0, 0, 0, 1, 0))
    km = [flat.km(c.lonlat) for c in controls]
    base = Fit(origin, _matrix(kind, km, [c.spot for c in controls]))  # type: ignore[arg-type]
    if not warp_km:
        return base
    kernel = [[_kernel(math.dist(p, q), warp_km) + (stiffness if p is q else 0.0) for q in km] for p in km]
    rest = [(c.spot[0] - base.straight(c.lonlat)[0], c.spot[1] - base.straight(c.lonlat)[1]) for c in controls]
    wx, wy = solve(kernel, [r[0] for r in rest]), solve(kernel, [r[1] for r in rest])
    return Fit(origin, base.matrix, warp_km, tuple(zip(km, zip(wx, wy, strict=True), strict=True)))


def fit_from_config(table: dict[str, Any], plane: Plane, locate: Callable[[str], Point]) -> tuple[Fit, list[Control]]:
    """Reads `[fit]` (README.md); a control point without `lonlat` must be a place that the geography knows."""
    controls = [
        Control(
            row["name"], tuple(row["lonlat"]) if "lonlat" in row else locate(row["name"]), plane.parse_spot(row["at"])
        )
        for row in table["control"]
    ]
    found = fit_controls(
        controls, table.get("kind", "similarity"), table.get("warp_km", 0.0), table.get("stiffness", 0.15)
    )
    return found, controls


def report(fit: Fit, controls: list[Control]) -> list[str]:
    """One line a control point: how far the fit misses it, in hexes, before and after the warp."""
    a, b, _, d, f, _ = fit.matrix
    scale = 1 / math.sqrt(abs(a * f - b * d))
    lines = [f"{scale:.3f} km a hex, turned {math.degrees(math.atan2(d, a)):.2f} degrees"]
    before = [math.dist(fit.straight(c.lonlat), c.spot) for c in controls]
    after = [math.dist(fit(c.lonlat), c.spot) for c in controls]
    lines += [f"{c.name:32} {x:5.2f} {y:5.2f}" for c, x, y in zip(controls, before, after, strict=True)]
    rms = [math.sqrt(sum(v * v for v in values) / len(values)) for values in (before, after)]
    return [*lines, f"{'root mean square':32} {rms[0]:5.2f} {rms[1]:5.2f}"]
