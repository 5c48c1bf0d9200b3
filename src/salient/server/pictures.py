"""Pictures of a position for reports: the map image with simple counters above it, as SVG in HTML."""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any

from salient.kernel import AnyGame
from salient.server.mapfiles import geometry_of, map_png, scales_of

COUNTER = 1.1
MOST_SHOWN = 4
LEAN = 0.12
MOST_WIDTH = 1200


def picture_scale(game: AnyGame) -> float:
    """The largest scale at which a picture fits a page."""
    wide_enough = [scale for scale in scales_of(game) if geometry_of(game.id, scale)["width"] <= MOST_WIDTH]
    return max(wide_enough, default=scales_of(game)[0])


def definitions(game: AnyGame, lang: str, folder: Path) -> str:
    """What all pictures of a report share: the map, once."""
    scale = picture_scale(game)
    geometry = geometry_of(game.id, scale)
    image = base64.b64encode(map_png(game, scale, lang, folder)).decode()
    width, height = geometry["width"], geometry["height"]
    drawn = f'<image width="{width}" height="{height}" href="data:image/png;base64,{image}"/>'
    sheet = f'<symbol id="map" viewBox="0 0 {width} {height}">{drawn}</symbol>'
    return f'<svg width="0" height="0" aria-hidden="true"><defs>{sheet}</defs></svg>'


def picture(game: AnyGame, view: Mapping[str, Any], title: str) -> str:
    """A position as a seat sees it."""
    geometry = geometry_of(game.id, picture_scale(game))
    width, height = geometry["width"], geometry["height"]
    stacks: dict[str, list[str]] = defaultdict(list)
    for unit, seen in view["units"].items():
        stacks[seen.get("where", "")].append(unit)
    drawn = "".join(_stack(game, view, geometry, where, units) for where, units in stacks.items())
    return (
        f'<figure><svg viewBox="0 0 {width} {height}" width="{width}" role="img" aria-label="{escape(title)}">'
        f'<use href="#map" width="{width}" height="{height}"/>{drawn}</svg>'
        f"<figcaption>{escape(title)}</figcaption></figure>"
    )


def _stack(
    game: AnyGame, view: Mapping[str, Any], geometry: Mapping[str, Any], where: str, units: Iterable[str]
) -> str:
    if where in geometry["centres"]:
        x, y = geometry["centres"][where]
    elif where in geometry["areas"]:
        area = geometry["areas"][where]
        x, y = area["x"] + area["width"] / 2, area["y"] + area["height"] / 2
    else:
        return ""
    from salient.svg.counters import counter

    side = geometry["size"] * COUNTER
    components = game.components()
    shown = list(units)
    spots = _side_by_side(len(shown)) if components.get("stacks") == "spread" else _on_top(len(shown))
    drawn = []
    for unit, (dx, dy, scale) in zip(shown, spots, strict=False):
        size = side * scale
        left, top = x + dx * side - size / 2, y + dy * side - size / 2
        drawn.append(
            f'<svg x="{left:.1f}" y="{top:.1f}" width="{size:.1f}" height="{size:.1f}" viewBox="0 0 100 100">'
            f"{counter(unit, components['units'][unit], view['units'][unit])}</svg>"
        )
    return "".join(drawn)


def _on_top(count: int) -> list[tuple[float, float, float]]:
    """Where the counters of a stack lie, in sides of a counter from its middle, and how large they are."""
    return [(level * LEAN, -level * LEAN, 1.0) for level in range(min(count, MOST_SHOWN))]


def _side_by_side(count: int) -> list[tuple[float, float, float]]:
    """The same for stacks whose counters lie beside each other, as on the table."""
    columns = 1 if count < 2 else 2 if count <= 4 else 3
    scale = 0.7 if count < 3 else 0.62 if count <= 4 else 0.5
    rows = -(-count // columns)
    spots = []
    for i in range(count):
        row, column = divmod(i, columns)
        in_row = min(columns, count - row * columns)
        spots.append(((column - (in_row - 1) / 2) * scale, (row - (rows - 1) / 2) * scale, scale))
    return spots
