"""Pictures of positions: the map with its counters as SVG, whole or a section, with arrows and coloured hexes.

import salient, salient.svg
state = salient.load("target-arnhem").new()
salient.svg.board(state, section="1503+3", arrows=[("1004", "1503")], fill={"1503": "#d55e00"})

A notebook shows the value; `str` of it is SVG text, `salient.svg.png(it)` an image. Positions and records show
themselves.
"""

from __future__ import annotations

import base64
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from salient.games import game_of, load
from salient.kernel import AnyGame, Record, State, Unreadable
from salient.kernel.game import everything
from salient.maps.sheet import svg_to_png
from salient.svg.counters import SANS, counter, side_colour
from salient.svg.ground import board_with_map, geometry, map_image, usual_scale
from salient.text import heading

COUNTER = 1.2  # the side of a counter in hex sizes
MOST_SHOWN = 4
SCALE_COLOURS = ("#56b4e9", "#0072b2", "#cc79a7", "#d55e00", "#7a2d00")
NAMED_COLOURS = {
    "allied": "#e69f00",
    "german": "#0072b2",
    "axis": "#0072b2",
    "both": "#cc79a7",
    "contested": "#cc79a7",
    "supplied": "#009e73",
    "cut": "#d55e00",
}
ARROW = "#a3132c"

Point = tuple[float, float]
Box = tuple[float, float, float, float]


class Arrow(NamedTuple):
    """An arrow from the middle of a hex to that of another."""

    tail: str
    head: str
    colour: str = ARROW


class Picture(str):
    """SVG text that a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def board(
    state: State,
    *,
    seat: str = "",
    section: str = "",
    overlay: str = "",
    arrows: Iterable[Sequence[str]] = (),
    fill: Mapping[str, str] | None = None,
    counters: bool = True,
    caption: str = "",
    scale: float | None = None,
    lang: str = "en",
) -> Picture:
    """A position as a picture.

    seat      what this seat may see; both seats together if not named
    section   a part of the map: "1503+3" (a hex and so many around it) or "0801-1505" (between two hexes)
    overlay   one of the game's overlays: supply, zones of control, control ...
    arrows    pairs of hexes, or triples with a colour
    fill      colours by hex
    scale     pixels from hex centre to corner; what fits a page if not given
    """
    game = game_of(state)
    size = scale or usual_scale(game)
    places = geometry(game.id, size)
    box = section_box(game, section, size)
    body = [_ground(game, size, lang, box)]
    body.append(_fills({**_overlay(game, state, seat or game.seats[0], overlay), **(fill or {})}, game, places))
    body.append(pieces(state, seat=seat, scale=size, counters=counters))
    body += [_arrow(Arrow(*arrow), game, places) for arrow in arrows]
    left, top, width, height = box
    if caption:
        body.append(caption_of(caption, left, top, size))
    shown = f"{left:g} {top:g} {width:g} {height:g}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="{shown}">'
    return Picture(f"{head}<title>{escape(caption or heading(game, state, lang))}</title>{''.join(body)}</svg>")


def record(game_record: Record, ply: int | None = None, **settings: Any) -> Picture:
    """The position of a record after `ply` moves, the last one if not given; the settings are those of `board`."""
    states = list(game_record.replay(load(game_record.header["game"])))
    if ply is not None and not 0 <= ply < len(states):
        raise Unreadable("beyond-the-end", n=len(states) - 1)
    return board(states[-1 if ply is None else ply], **settings)


def png(picture: str) -> bytes:
    """A picture as PNG, set in the bundled fonts."""
    return svg_to_png(picture)


# ---- what lies on the map ----------------------------------------------------------


def pieces(state: State, *, seat: str = "", scale: float, counters: bool = True) -> str:
    """What lies on the map at a scale, without the map: front lines, markers, counters."""
    game = game_of(state)
    places = geometry(game.id, scale)
    view = everything(game, state) if not seat else game.view.observe(state, seat)
    drawn = [_edge(edge, game, places) for edge in view.get("edges", ())]
    drawn += [_marker(marker, places) for marker in view["markers"]]
    if counters:
        stacks: dict[str, list[str]] = defaultdict(list)
        for unit, seen in view["units"].items():
            stacks[seen.get("where", "")].append(unit)
        drawn += [_stack(game, view, places, where, units) for where, units in stacks.items()]
    return "".join(drawn)


def _centre(where: str, places: Mapping[str, Any]) -> Point | None:
    if where in places["centres"]:
        x, y = places["centres"][where]
        return x, y
    if where in places["areas"]:
        area = places["areas"][where]
        return area["x"] + area["width"] / 2, area["y"] + area["height"] / 2
    return None


def _stack(game: AnyGame, view: Mapping[str, Any], places: Mapping[str, Any], where: str, units: list[str]) -> str:
    centre = _centre(where, places)
    if centre is None:
        return ""
    printed = game.components()
    side = places["size"] * COUNTER
    spread = printed.get("stacks") == "spread"
    drawn: list[str] = []
    for x, y, width in _spots(centre, len(units), side, spread):
        unit = units[len(drawn)]
        drawn.append(
            f'<svg x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{width:.1f}" viewBox="0 0 100 100">'
            f"{counter(unit, printed['units'][unit], view['units'][unit])}</svg>"
        )
    return "".join(drawn)


def _spots(centre: Point, count: int, side: float, spread: bool) -> list[tuple[float, float, float]]:
    """Where the counters of a hex lie: on each other, a little shifted, or side by side."""
    x, y = centre
    if not spread:
        leans = [level * side * 0.12 for level in range(min(count, MOST_SHOWN))]
        return [(x - side / 2 + lean, y - side / 2 - lean, side) for lean in leans]
    columns = 1 if count < 2 else 2 if count <= 4 else 3
    width = side * (0.8 if count < 2 else 0.62 if count <= 4 else 0.45)
    rows = -(-count // columns)
    spots = []
    for i in range(count):
        row = i // columns
        in_row = min(columns, count - row * columns)
        across, down = i % columns - in_row / 2, row - rows / 2
        spots.append((x + across * width, y + down * width, width))
    return spots


def _marker(marker: Mapping[str, Any], places: Mapping[str, Any]) -> str:
    centre = _centre(marker["where"], places)
    if centre is None:
        return ""
    size = places["size"]
    x, y = centre[0] - size * 0.55, centre[1] + size * 0.55
    colour = side_colour(marker.get("side", ""))
    label = escape(str(marker.get("label", ""))[:3])
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size * 0.27:.1f}" fill="{colour}" stroke="#fff" '
        f'stroke-width="{size * 0.05:.1f}"><title>{escape(marker["key"])}</title></circle>'
        f'<text x="{x:.1f}" y="{y + size * 0.1:.1f}" font-family="{SANS}" font-size="{size * 0.3:.1f}" fill="#fff" '
        f'text-anchor="middle">{label}</text>'
    )


def _edge(edge: Mapping[str, Any], game: AnyGame, places: Mapping[str, Any]) -> str:
    """What lies on hexsides: a front line, or a mark across each side."""
    lines = "".join(_side(a, b, game, places) for a, b in edge["sides"])
    size = places["size"]
    looks = {"line": [("#fffdf5", 0.26), ("#3b3f46", 0.12)], "cut": [("#d55e00", 0.16)], "bridge": [("#0072b2", 0.16)]}
    return "".join(
        f'<path d="{lines}" fill="none" stroke="{colour}" stroke-width="{width * size:.1f}" stroke-linecap="round"/>'
        for colour, width in looks[edge["look"]]
    )


def _side(a: str, b: str, game: AnyGame, places: Mapping[str, Any]) -> str:
    if a not in places["corners"] or b not in places["corners"]:
        return ""
    near = {tuple(round(value) for value in corner) for corner in places["corners"][b]}
    ends = [corner for corner in places["corners"][a] if _is_among(corner, near)]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in ends[:2]) if len(ends) >= 2 else ""


def _is_among(corner: Sequence[float], near: set[tuple[int, ...]]) -> bool:
    x, y = round(corner[0]), round(corner[1])
    return any((x + i, y + j) in near for i in (-1, 0, 1) for j in (-1, 0, 1))


# ---- what is laid over it ------------------------------------------------------------


def _overlay(game: AnyGame, state: State, seat: str, name: str) -> dict[str, str]:
    if not name:
        return {}
    known = game.components()["overlays"]
    if name not in known:
        raise Unreadable("unknown-word", word_what="overlay", text=name, texts_known=tuple(known))
    return {label: value_colour(value) for label, value in game.view.overlay(state, seat, name)["hexes"].items()}


def value_colour(value: Any) -> str:
    """The colour of an overlay's value: by its name, or stronger for larger numbers."""
    if isinstance(value, str):
        return NAMED_COLOURS.get(value, "#5f7787")
    return SCALE_COLOURS[min(len(SCALE_COLOURS) - 1, max(0, int(value) - 1))]


def _fills(fill: Mapping[str, str], game: AnyGame, places: Mapping[str, Any]) -> str:
    drawn = []
    for label, colour in fill.items():
        _known_hex(game, label)
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places["corners"][label])
        drawn.append(f'<polygon points="{points}" fill="{escape(colour, quote=True)}" fill-opacity="0.45"/>')
    return "".join(drawn)


def _arrow(arrow: Arrow, game: AnyGame, places: Mapping[str, Any]) -> str:
    for label in (arrow.tail, arrow.head):
        _known_hex(game, label)
    (x, y), (to_x, to_y) = places["centres"][arrow.tail], places["centres"][arrow.head]
    length = max(1.0, ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5)
    size = places["size"]
    along, across = ((to_x - x) / length, (to_y - y) / length), ((y - to_y) / length, (to_x - x) / length)
    neck = (to_x - along[0] * size * 0.7, to_y - along[1] * size * 0.7)
    wings = [(neck[0] + across[0] * side, neck[1] + across[1] * side) for side in (size * 0.35, -size * 0.35)]
    tip = " ".join(f"{px:.1f},{py:.1f}" for px, py in (wings[0], (to_x, to_y), wings[1]))
    colour = escape(arrow.colour, quote=True)
    return (
        f'<g opacity="0.85"><path d="M{x:.1f} {y:.1f}L{neck[0]:.1f} {neck[1]:.1f}" stroke="{colour}" '
        f'stroke-width="{size * 0.22:.1f}" stroke-linecap="round"/><polygon points="{tip}" fill="{colour}"/></g>'
    )


def caption_of(text: str, left: float, top: float, size: float) -> str:
    height = max(14.0, size * 0.9)
    width = height * (1 + 0.5 * len(text))
    return (
        f'<rect x="{left}" y="{top}" width="{width:.1f}" height="{height * 1.5:.1f}" fill="#fbf7ec" opacity="0.9"/>'
        f'<text x="{left + height * 0.5:.1f}" y="{top + height * 1.05:.1f}" font-family="{SANS}" '
        f'font-size="{height:.1f}" fill="#1d160a">{escape(text)}</text>'
    )


# ---- the ground ------------------------------------------------------------------------


def _known_hex(game: AnyGame, label: str) -> None:
    if label not in board_with_map(game).index:
        raise Unreadable("unknown-name", word_what="hex", text=label)


def section_box(game: AnyGame, section: str, scale: float) -> Box:
    """The part of the map image to show: left, top, width, height."""
    places = geometry(game.id, scale)
    if not section:
        return 0.0, 0.0, float(places["width"]), float(places["height"])
    first, mark, second = section.partition("+" if "+" in section else "-")
    _known_hex(game, first)
    labels = [first]
    if mark == "-":
        _known_hex(game, second)
        labels.append(second)
    around = float(second) if mark == "+" and second.isdigit() else 0.5
    margin = (around + 0.6) * scale * 1.75
    xs = [places["centres"][label][0] for label in labels]
    ys = [places["centres"][label][1] for label in labels]
    left, top = max(0.0, min(xs) - margin), max(0.0, min(ys) - margin)
    right, bottom = min(places["width"], max(xs) + margin), min(places["height"], max(ys) + margin)
    return round(left), round(top), round(right - left), round(bottom - top)


def _ground(game: AnyGame, scale: float, lang: str, box: Box) -> str:
    image = map_image(game.id, scale, lang)
    left, top, width, height = box
    places = geometry(game.id, scale)
    if (width, height) != (places["width"], places["height"]):
        image = _cut(image, box)
    text = base64.b64encode(image).decode()
    return (
        f'<image x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" href="data:image/png;base64,{text}"/>'
    )


def _cut(image: bytes, box: Box) -> bytes:
    from PIL import Image

    left, top, width, height = (int(value) for value in box)
    part = io.BytesIO()
    Image.open(io.BytesIO(image)).crop((left, top, left + width, top + height)).save(part, "png")
    return part.getvalue()
