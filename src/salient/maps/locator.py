"""The locator map: where in Western Europe the map lies."""

import math
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from salient.hexes.layout import Point
from salient.maps.canvas import Canvas
from salient.maps.style import COLOURS, FAINT_INK, INK, PAPER
from salient.maps.svg import element, group, path, polygon, polyline, text

Rect = tuple[float, float, float, float]
Project = Callable[[Sequence[float]], Point]
SEA, WATER = "#c9dce4", "#7fb0c8"


@cache
def europe() -> dict[str, Any]:
    """The sketch of Western Europe: land, waters, frontiers and cities by longitude and latitude."""
    return tomllib.loads((Path(__file__).parent / "europe.toml").read_text(encoding="utf-8"))


def shape() -> float:
    """Return the width of a locator map of height 1."""
    west, south, east, north = europe()["window"]
    return float((east - west) * _narrowing() / (north - south))


def _narrowing() -> float:
    """Return how much shorter a degree of longitude is than one of latitude."""
    _, south, _, north = europe()["window"]
    return math.cos(math.radians((south + north) / 2))


def draw_locator(canvas: Canvas, rect: Rect, u: float) -> str:
    """Return the locator map in a rectangle, with the map's extent; nothing if terrain.toml does not tell it."""
    corners = canvas.entry("map", "extent").get("corners", ())
    if not corners:
        return ""
    left, top, right, bottom = rect
    west, south, _, north = europe()["window"]
    per_degree = (bottom - top) / (north - south)

    def place(at: Sequence[float]) -> Point:
        return left + (at[0] - west) * _narrowing() * per_degree, top + (north - at[1]) * per_degree

    box = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    land = _lands(place, u)
    extent = path(
        polygon([place(corner) for corner in corners]), fill=COLOURS["red"], fill_opacity=0.22,
        stroke=COLOURS["red"], stroke_width=0.05 * u,
    )  # fmt: skip
    clip = element("clipPath", element("rect", **box), id="locator")
    inside = group([element("rect", **box, fill=SEA), land, extent, _cities(canvas, place, u)])
    edge = element("rect", **box, fill="none", stroke=INK, stroke_width=0.05 * u)
    return element("defs", clip) + group([inside], clip_path="url(#locator)") + edge


def _lands(place: Project, u: float) -> str:
    sketch = europe()
    lines = {
        kind: "".join(polyline([place(at) for at in line]) for line in sketch[kind]) for kind in ("rivers", "frontiers")
    }
    return group(
        [
            path(polygon([place(at) for at in sketch["land"]]), fill=PAPER, stroke=FAINT_INK, stroke_width=0.02 * u),
            path("".join(polygon([place(at) for at in ring]) for ring in sketch["waters"]), fill=SEA),
            path(lines["rivers"], fill="none", stroke=WATER, stroke_width=0.03 * u, stroke_linejoin="round"),
            path(
                lines["frontiers"],
                fill="none",
                stroke=FAINT_INK,
                stroke_width=0.025 * u,
                stroke_dasharray=f"{0.1 * u:.1f} {0.06 * u:.1f}",
            ),
        ]
    )


def _cities(canvas: Canvas, place: Project, u: float) -> str:
    """Return each city as a dot with its name."""
    parts = []
    for city in europe()["city"]:
        x, y = place(city["at"])
        named = city["name"].get(canvas.language, city["name"]["en"])
        is_left = city.get("is_left", False)
        parts.append(element("circle", cx=x, cy=y, r=0.06 * u, fill=INK))
        at = x + (-0.13 if is_left else 0.13) * u, y + 0.09 * u
        parts.append(text(named, at, 0.27 * u, "regular", INK, "end" if is_left else "start"))
    return group(parts)
