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
    printed = game.view.components()["units"]
    shown = list(units)[:MOST_SHOWN]
    drawn = []
    for level, unit in enumerate(shown):
        lean = level * side * 0.12
        drawn.append(
            f'<svg x="{x - side / 2 + lean:.1f}" y="{y - side / 2 - lean:.1f}" width="{side:.1f}" height="{side:.1f}" '
            f'viewBox="0 0 100 100">{counter(unit, printed[unit], view["units"][unit])}</svg>'
        )
    return "".join(drawn)
