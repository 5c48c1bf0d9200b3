"""Writing SVG: numbers, paths and elements as short text."""

import math
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

from salient.hexes.layout import Point
from salient.maps.fonts import FACES, FALLBACKS
from salient.maps.style import HALO, INK


def num(value: float) -> str:
    """Return a number with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def pt(point: Point) -> str:
    """Return a point as path coordinates."""
    x, y = point
    return f"{x:.1f}".removesuffix(".0") + " " + f"{y:.1f}".removesuffix(".0")


def element(name: str, body: str = "", /, **attributes: object) -> str:
    """Return an SVG element; underscores of attribute names become hyphens."""
    parts = [name]
    for key, value in attributes.items():
        if value is not None and value != "":
            text = num(value) if isinstance(value, float) else str(value)
            parts.append(f"{key.strip('_').replace('_', '-')}={quoteattr(text)}")
    head = " ".join(parts)
    return f"<{head}>{body}</{name}>" if body else f"<{head}/>"


def group(items: Iterable[str], **attributes: object) -> str:
    """Return a group of elements, or nothing when there are none."""
    body = "\n".join(item for item in items if item)
    return element("g", "\n" + body + "\n", **attributes) if body else ""


def path(d: str, **attributes: object) -> str:
    """Return a path, or nothing when it is empty."""
    return element("path", "", d=d, **attributes) if d else ""


def polygon(points: Sequence[Point]) -> str:
    """Return the path data of a closed polygon."""
    return "M" + "L".join(pt(point) for point in points) + "Z"


def polyline(points: Sequence[Point]) -> str:
    """Return the path data of an open line."""
    return "M" + "L".join(pt(point) for point in points)


def disc(centre: Point, radius: float) -> str:
    """Return the path data of a circle."""
    x, y = centre
    r = num(radius)
    return f"M{pt((x - radius, y))}a{r} {r} 0 1 0 {num(2 * radius)} 0a{r} {r} 0 1 0 {num(-2 * radius)} 0Z"


def box(centre: Point, width: float, height: float, angle: float = 0.0) -> str:
    """Return the path data of a rectangle turned by an angle in radians."""
    cos, sin = math.cos(angle), math.sin(angle)
    half = [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]
    return polygon([(centre[0] + x * cos - y * sin, centre[1] + x * sin + y * cos) for x, y in half])


def text(
    words: str,
    at: Point,
    size: float,
    face: str = "regular",
    fill: str = INK,
    anchor: str = "middle",
    halo: float = 0.0,
    spacing: float = 0.0,
    **attributes: object,
) -> str:
    """Return a line of text whose baseline starts, is centred or ends at a point; `halo` is a width in ems."""
    return element(
        "text",
        escape(words),
        x=float(at[0]),
        y=float(at[1]),
        text_anchor=None if anchor == "start" else anchor,
        **type_attributes(size, face, fill, halo, spacing),
        **attributes,
    )


def type_attributes(size: float, face: str, fill: str, halo: float, spacing: float) -> dict[str, object]:
    """Return the attributes that set text in one of the bundled faces."""
    look = FACES[face]
    attributes: dict[str, object] = {
        "font_family": f"{look.family}, {FALLBACKS[look.family]}",
        "font_weight": look.weight,
        "font_style": None if look.style == "normal" else look.style,
        "font_size": float(size),
        "fill": fill,
    }
    if spacing:
        attributes["letter_spacing"] = float(spacing * size)
    if halo:
        attributes |= {
            "stroke": HALO,
            "stroke_width": float(halo * size),
            "stroke_linejoin": "round",
            "paint_order": "stroke",
        }
    return attributes
