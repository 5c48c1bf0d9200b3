"""Text views of a position: the map, the units, the legal actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from salient.hexes.board import Board
from salient.hexes.layout import ROOT3, Layout
from salient.kernel import Action, AnyGame
from salient.text import full_name, name, phrase

CELL = 5
# Characters and lines from hex to hex, divided by the distances of a hex of size 1.
STRETCH = {"flat": (CELL / 1.5, 2 / ROOT3), "pointy": ((CELL + 1) / ROOT3, 2 / 1.5)}
COLOURS = ("cyan", "red")
WINDOW = 6


# ---- the map -----------------------------------------------------------------------


def text_map(game: AnyGame, board: Board, seen: dict[str, Any], lang: str, centre: str = "") -> Text:
    """The hexes by their numbers, each with its units by side and count, or its terrain; around `centre` if given."""
    labels = board.labels
    if centre:
        labels = tuple(board.labels[h] for h in sorted(board.within(board.index[centre], WINDOW)))
    held = _held(game, seen)
    layout = Layout.fitting(board.grid, 1, labels)
    across, down = STRETCH[board.grid.orientation]
    lines: dict[int, list[tuple[int, str, str]]] = {}
    for label in labels:
        x, y = layout.centre(label)
        column, line = round(x * across), round(y * down)
        lines.setdefault(line, []).append((column, label, "dim"))
        lines.setdefault(line + 1, []).append((column, *_content(game, board, label, held, lang)))
    text = Text()
    for line in range(min(lines), max(lines) + 1):
        _write_line(text, sorted(lines.get(line, [])))
    text.append(_map_legend(board, labels, lang), "dim")
    return text


def _write_line(text: Text, cells: list[tuple[int, str, str]]) -> None:
    width = 0
    for column, content, style in cells:
        text.append(" " * (column - width))
        text.append(content, style)
        width = column + len(content)
    text.append("\n")


def _held(game: AnyGame, seen: dict[str, Any]) -> dict[str, dict[str, int]]:
    """How many units of each side stand where."""
    sides = {unit: values["side"] for unit, values in game.components()["units"].items()}
    held: dict[str, dict[str, int]] = {}
    for unit, values in seen["units"].items():
        if "where" in values:
            here = held.setdefault(values["where"], {})
            here[sides[unit]] = here.get(sides[unit], 0) + 1
    return held


def _content(game: AnyGame, board: Board, label: str, held: dict[str, dict[str, int]], lang: str) -> tuple[str, str]:
    if label in held:
        marks = [f"{name(game, side, lang)[0]}{count}" for side, count in sorted(held[label].items())]
        side = next(iter(held[label]))
        return "".join(marks)[: CELL - 1], f"bold {COLOURS[game.seats.index(side) % 2]}"
    here = board.index[label]
    features = sorted(board.features[here])
    return " ".join(key[:2] for key in (features or [board.terrain[here]]))[: CELL - 1], "green"


def _map_legend(board: Board, labels: Sequence[str], lang: str) -> str:
    keys = {board.terrain[board.index[label]] for label in labels}
    keys |= {key for label in labels for key in board.features[board.index[label]]}
    entries = {**board.legend.get("terrain", {}), **board.legend.get("feature", {})}
    return "\n" + "  ".join(f"{key[:2]} {entries.get(key, {}).get('name', {}).get(lang, key)}" for key in sorted(keys))


# ---- units -------------------------------------------------------------------------


def units_table(game: AnyGame, seen: dict[str, Any], lang: str, side: str = "") -> Table:
    """The units that a seat may see, by side: where they stand, their values and marks."""
    parts = game.components()["units"]
    table = Table(box=None, header_style="bold")
    for column in ("units-side", "units-unit", "units-name", "units-where", "units-values", "units-marks"):
        table.add_column(phrase(column, lang))
    for unit, values in seen["units"].items():
        about = parts[unit]
        if side not in ("", about["side"]):
            continue
        marks = [
            name(game, badge["key"], lang) + (f" {badge['n']}" if "n" in badge else "") for badge in values["badges"]
        ]
        table.add_row(
            name(game, about["side"], lang),
            unit,
            full_name(game, about["name"], lang),
            name(game, values.get("where", "?"), lang),
            _values(values.get("values", about["values"])),
            ", ".join(marks),
            style=COLOURS[game.seats.index(about["side"]) % 2],
        )
    return table


def _values(values: str | Sequence[object]) -> str:
    return values if isinstance(values, str) else "-".join(str(value) for value in values)


# ---- legal actions -----------------------------------------------------------------


def legal_lines(game: AnyGame, actions: Sequence[Action], words: Sequence[str] = ()) -> list[str]:
    """The legal actions that mention all `words`; those that differ in their last argument only share a line."""
    wanted = {word.casefold() for word in words}
    lines: dict[tuple[str, ...], list[str]] = {}
    for action in actions:
        parts = tuple(game.write(action).split())
        if wanted <= {part.casefold() for part in parts}:
            lines.setdefault(parts[:-1] if len(parts) > 1 else parts, []).append(parts[-1] if len(parts) > 1 else "")
    return [f"{' '.join(head)}  {' '.join(last)}".rstrip() for head, last in lines.items()]
