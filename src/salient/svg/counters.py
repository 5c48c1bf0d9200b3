"""Counters as SVG, like those of the web client: colours of the nations, NATO symbols, values, marks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from html import escape
from importlib import resources
from typing import Any, NamedTuple
from xml.etree import ElementTree

SVG = "http://www.w3.org/2000/svg"


class Colours(NamedTuple):
    """The colours of a counter; the stripe is empty if it has none."""

    body: str
    edge: str
    ink: str
    box: str
    stripe: str = ""


GERMAN = Colours("#8d9683", "#5e6657", "#141812", "#c3cab9")
US = Colours("#8f8f52", "#62622f", "#15150a", "#cdcd9a")
BRITISH = Colours("#c4ab73", "#8f783f", "#1d160a", "#eadcb5")
COLOURS = {
    "german": GERMAN,
    "axis": GERMAN,
    "ss": Colours("#33363a", "#0f1113", "#f4f1ea", "#55595f", "#e8862e"),
    "luftwaffe": Colours("#8fa6b5", "#5f7787", "#10181e", "#c5d5de"),
    "us": US,
    "us-82": US._replace(stripe="#2f6da8"),
    "us-101": US._replace(stripe="#f4f1ea"),
    "british": BRITISH,
    "allied": BRITISH,
    "british-airborne": BRITISH._replace(stripe="#a5273f"),
}
NEUTRAL = Colours("#b8b5ac", "#827f76", "#1a1916", "#dedbd2")
SIDE_COLOURS = {"german": "#5b6b4e", "axis": "#5b6b4e", "allied": "#b07a1e"}
OTHER_SIDE = "#5f7787"
ALARMS = {"damage", "loss", "step-loss", "routed", "disrupted", "out-of-supply", "out-of-fuel"}
SANS = "Alegreya Sans, Arial, sans-serif"


@cache
def symbols() -> dict[str, str]:
    """The drawings of the client's sprite sheet, by `unit-<symbol>` and `size-<size>`."""
    sheet = (resources.files("salient") / "web" / "symbols.svg").read_text(encoding="utf-8")
    found = {}
    for group in ElementTree.fromstring(sheet).iter(f"{{{SVG}}}g"):
        if "id" in group.attrib:
            inside = "".join(ElementTree.tostring(part, "unicode") for part in group)
            found[group.attrib["id"]] = inside.replace("ns0:", "").replace(f' xmlns:ns0="{SVG}"', "")
    return found


def side_colour(side: str) -> str:
    """The colour that stands for a side in lines and charts."""
    return SIDE_COLOURS.get(side, OTHER_SIDE)


def counter(unit: str, about: Mapping[str, Any], seen: Mapping[str, Any]) -> str:
    """A counter in a square of 100 by 100: its printed parts (`components`) and what is seen of it (`observe`)."""
    colours = COLOURS.get(about.get("colour", ""), COLOURS.get(about["side"], NEUTRAL))
    values = _values(seen.get("values", about["values"]))
    title = escape(f"{about['name']} ({unit})")
    size = symbols().get(f"size-{about.get('size') or ''}", "")
    symbol = symbols().get(f"unit-{about['symbol']}", symbols().get("unit-unit", ""))
    stripe = f'<path d="M3 62.5h92v5h-92z" fill="{colours.stripe}"/>' if colours.stripe else ""
    letters = 34 if len(values) <= 5 else 25
    return (
        f"<title>{title}</title>"
        '<rect x="5" y="6" width="94" height="94" rx="9" fill="#000" fill-opacity=".35"/>'
        f'<rect x="1.5" y="1.5" width="95" height="95" rx="8" fill="{colours.body}" stroke="{colours.edge}" '
        f'stroke-width="3"/>{stripe}'
        f'<g color="{colours.ink}">{size}<rect x="21.8" y="23" width="54.4" height="36.3" fill="{colours.box}"/>'
        f"{symbol}</g>"
        f'<text x="49" y="92" font-family="{SANS}" font-weight="700" font-size="{letters}" text-anchor="middle" '
        f'fill="{colours.ink}">{escape(values)}</text>' + _badges(seen)
    )


def _values(values: Any) -> str:
    return "-".join(str(value) for value in values) if isinstance(values, (list, tuple)) else str(values)


def _badges(seen: Mapping[str, Any]) -> str:
    drawn = []
    for index, badge in enumerate(seen.get("badges", ())[:4]):
        x, y = 12 if index % 2 else 86, 40 + index // 2 * 30
        fill, ink = ("#b3261e", "#fff") if badge["key"] in ALARMS else ("#f4f1ea", "#1a1916")
        sign = escape(str(badge.get("n", badge["key"][0].upper())))
        drawn.append(
            f'<circle cx="{x}" cy="{y}" r="14" fill="{fill}" stroke="#fff" stroke-width="2.5"/>'
            f'<text x="{x}" y="{y + 7.5}" font-family="{SANS}" font-size="21" text-anchor="middle" '
            f'fill="{ink}">{sign}</text>'
        )
    return "".join(drawn)
