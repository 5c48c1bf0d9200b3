"""Maps of a study: where units stood, and where the front ran turn by turn."""

from __future__ import annotations

import base64
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from salient.hexes.board import Board
from salient.kernel import AnyGame
from salient.lab.trial import Row
from salient.svg.ground import board_with_map, geometry, map_image, usual_scale
from salient.text import name, phrase

MOST_GAMES = 60  # so many games are enough for a front line
FRONTS = ("#1b1464", "#6a2c91", "#b5367a", "#e8634f", "#f6a33b")


def ground(game: AnyGame, lang: str) -> str:
    """The map of a page, once, for all its pictures to use."""
    from PIL import Image

    scale = usual_scale(game)
    places = geometry(game.id, scale)
    small = io.BytesIO()
    Image.open(io.BytesIO(map_image(game.id, scale, lang))).convert("RGB").save(small, "jpeg", quality=82)
    image = base64.b64encode(small.getvalue()).decode()
    sized = f'width="{places["width"]}" height="{places["height"]}"'
    return (
        '<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>'
        f'<image id="ground" {sized} href="data:image/jpeg;base64,{image}"/></defs></svg>'
    )


def _picture(game: AnyGame, body: str, title: str, legend: str = "") -> str:
    places = geometry(game.id, usual_scale(game))
    width, height = places["width"], places["height"]
    return (
        f'<figure>{legend}<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">'
        f'<use href="#ground" opacity="0.8"/>{body}</svg><figcaption>{escape(title)}</figcaption></figure>'
    )


def heat(game: AnyGame, rows: Sequence[Row], side: str, lang: str) -> str:
    """Where the units of a side stood, over all turns of all games."""
    board, places = board_with_map(game), geometry(game.id, usual_scale(game))
    stood: Counter[str] = Counter()
    for row in rows:
        for turn in row["by_turn"]:
            stood.update(set(turn.get(f"hexes_{side}", ())))
    most = max(stood.values(), default=1)
    cells = []
    for label, count in stood.items():
        if label in board.index:
            points = " ".join(f"{x:.0f},{y:.0f}" for x, y in places["corners"][label])
            strength = 0.85 * (count / most) ** 0.5
            cells.append(f'<polygon points="{points}" fill="{_heat_colour(side)}" fill-opacity="{strength:.2f}"/>')
    return _picture(game, "".join(cells), phrase("study-stood", lang, side=name(game, side, lang)))


def _heat_colour(side: str) -> str:
    return {"allied": "#c4500a"}.get(side, "#123f7a")


def fronts(game: AnyGame, rows: Sequence[Row], lang: str) -> str:
    """The line between the hexes nearer to one side and those nearer to the other, in the middle of all games."""
    board, places = board_with_map(game), geometry(game.id, usual_scale(game))
    columns = {key for row in rows for turn in row["by_turn"] for key in turn if key.startswith("hexes_")}
    sides = sorted(column.removeprefix("hexes_") for column in columns)
    if len(sides) != 2:
        return ""
    last = max(turn["turn"] for row in rows for turn in row["by_turn"])
    chosen = sorted({1 + round(i * (last - 1) / (len(FRONTS) - 1)) for i in range(len(FRONTS))})
    drawn: list[str] = []
    legend: list[str] = []
    for colour, turn in zip(FRONTS, chosen, strict=False):
        path = _front(board, places["corners"], _shares(board, rows, turn, sides))
        for stroke, width in (("#fbf7ec", 0.34), (colour, 0.22)):
            drawn.append(
                f'<path d="{path}" fill="none" stroke="{stroke}" stroke-width="{places["size"] * width:.1f}" '
                'stroke-linecap="round"/>'
            )
        swatch = f'<i class="line" style="background: {colour}"></i>'
        legend.append(f"<span>{swatch}{escape(phrase('turn', lang, n=turn))}</span>")
    return _picture(game, "".join(drawn), phrase("study-front", lang), f'<p class="legend">{"".join(legend)}</p>')


def _shares(board: Board, rows: Sequence[Row], turn: int, sides: Sequence[str]) -> list[float]:
    """In which share of games each hex is nearer to the first side."""
    nearer, count = [0.0] * len(board.labels), 0
    for row in rows[:MOST_GAMES]:
        found = next((each for each in row["by_turn"] if each["turn"] == turn), None)
        if found is None:
            continue
        count += 1
        first, second = (_distances(board, found.get(f"hexes_{side}", ())) for side in sides)
        for here in range(len(nearer)):
            nearer[here] += 1.0 if first[here] < second[here] else 0.5 if first[here] == second[here] else 0.0
    return [value / max(1, count) for value in nearer]


def _distances(board: Board, labels: Iterable[str]) -> list[int]:
    """How far every hex is from the nearest of these."""
    distance = [10_000] * len(board.labels)
    edge = [board.index[label] for label in set(labels) if label in board.index]
    for here in edge:
        distance[here] = 0
    while edge:
        following = []
        for here in edge:
            for near in board.neighbours[here]:
                if near >= 0 and distance[near] == 10_000:
                    distance[near] = distance[here] + 1
                    following.append(near)
        edge = following
    return distance


def _front(board: Board, corners: dict[str, list[list[float]]], shares: Sequence[float]) -> str:
    lines = []
    for here, around in enumerate(board.neighbours):
        for direction, near in enumerate(around):
            if near > here and (shares[here] > 0.5) != (shares[near] > 0.5):
                ends = corners[board.labels[here]]
                (x, y), (to_x, to_y) = ends[direction - 1], ends[direction]
                lines.append(f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}")
    return "".join(lines)
