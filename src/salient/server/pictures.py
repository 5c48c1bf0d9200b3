"""Pictures of a position for reports: the map image with simple counters above it, as SVG in HTML."""

from __future__ import annotations

import base64
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any

from salient.kernel import Game
from salient.server.mapfiles import geometry_of, map_png, scales_of

SIDE_COLOURS = {"allied": ("#c4ab73", "#1d160a"), "german": ("#8d9683", "#141812"), "axis": ("#8d9683", "#141812")}
OTHER_COLOURS = ("#b8b5ac", "#1a1916")
COUNTER = 1.1
MOST_SHOWN = 4
MOST_WIDTH = 1200


@cache
def symbols() -> dict[str, str]:
    """The NATO symbols of the client's sprite sheet, by id."""
    sheet = (resources.files("salient") / "web" / "symbols.svg").read_text(encoding="utf-8")
    return dict(re.findall(r'(?s)(?=<symbol id="(unit-[^"]+)")(<symbol .*?</symbol>)', sheet))


def picture_scale(game: Game) -> float:
    """The largest scale at which a picture fits a page."""
    wide_enough = [scale for scale in scales_of(game) if geometry_of(game.id, scale)["width"] <= MOST_WIDTH]
    return max(wide_enough, default=scales_of(game)[0])


def definitions(game: Game, lang: str, folder: Path) -> str:
    """What all pictures of a report share: the map, once, and the symbols in use."""
    scale = picture_scale(game)
    geometry = geometry_of(game.id, scale)
    image = base64.b64encode(map_png(game, scale, lang, folder)).decode()
    width, height = geometry["width"], geometry["height"]
    used = {f"unit-{unit['symbol']}" for unit in game.components()["units"].values()}
    shared = "".join(text for key, text in symbols().items() if key in used)
    drawn = f'<image width="{width}" height="{height}" href="data:image/png;base64,{image}"/>'
    sheet = f'<symbol id="map" viewBox="0 0 {width} {height}">{drawn}</symbol>'
    return f'<svg width="0" height="0" aria-hidden="true"><defs>{sheet}{shared}</defs></svg>'


def picture(game: Game, view: Mapping[str, Any], title: str) -> str:
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


def _stack(game: Game, view: Mapping[str, Any], geometry: Mapping[str, Any], where: str, units: Iterable[str]) -> str:
    if where in geometry["centres"]:
        x, y = geometry["centres"][where]
    elif where in geometry["areas"]:
        area = geometry["areas"][where]
        x, y = area["x"] + area["width"] / 2, area["y"] + area["height"] / 2
    else:
        return ""
    side = geometry["size"] * COUNTER
    printed = game.components()["units"]
    shown = list(units)[:MOST_SHOWN]
    drawn = []
    for level, unit in enumerate(shown):
        lean = level * side * 0.12
        values = view["units"][unit].get("values", printed[unit]["values"])
        drawn.append(_counter(printed[unit], values, x - side / 2 + lean, y - side / 2 - lean, side))
    return "".join(drawn)


def _counter(unit: Mapping[str, Any], values: Any, x: float, y: float, side: float) -> str:
    body, ink = SIDE_COLOURS.get(unit["side"], OTHER_COLOURS)
    text = "-".join(str(value) for value in values) if isinstance(values, (list, tuple)) else str(values)
    return (
        f'<svg x="{x:.1f}" y="{y:.1f}" width="{side:.1f}" height="{side:.1f}" viewBox="0 0 100 100" color="{ink}">'
        f"<title>{escape(unit['name'])}</title>"
        f'<rect x="2" y="2" width="96" height="96" rx="9" fill="{body}" stroke="{ink}" stroke-width="3"/>'
        f'<use href="#unit-{escape(unit["symbol"])}" x="18" y="10" width="64" height="44"/>'
        f'<text x="50" y="90" font-size="36" font-weight="600" text-anchor="middle" fill="{ink}">{escape(text)}</text>'
        "</svg>"
    )
