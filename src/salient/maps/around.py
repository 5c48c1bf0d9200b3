"""What a player looks up while he plays, beside the map: the turn track and the game's tables."""

import csv
import io
import re
import tomllib
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from math import ceil
from pathlib import Path

from salient.maps.canvas import Canvas
from salient.maps.fonts import fitted, text_width
from salient.maps.style import FAINT_INK, INK, PAPER
from salient.maps.svg import element, group, path, polyline, text
from salient.maps.texts import word

Rect = tuple[float, float, float, float]
# Tables of a game that are printed, by file; the first column names the row.
TABLES = ("terrain", "combat")
ROW_HEIGHT = 0.44


@dataclass(frozen=True)
class SheetTable:
    """A table of the game: its kind, its heads and its rows."""

    kind: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Around:
    """The turns, each with its date, and the tables that stand beside a map."""

    turns: tuple[tuple[str, str], ...] = ()
    tables: tuple[SheetTable, ...] = ()


NOTHING = Around()


def read_around(folder: Path | Traversable) -> Around:
    """Return what a game's data folder has to be printed beside its map."""
    tables = [_table(folder / "tables" / f"{kind}.csv", kind) for kind in TABLES]
    return Around(_turns(folder), tuple(table for table in tables if table is not None))


def _rows(file: Path | Traversable) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8")))) if file.is_file() else []


def _table(file: Path | Traversable, kind: str) -> SheetTable | None:
    rows = _rows(file)
    if not rows:
        return None
    heads = tuple(head for head in rows[0] if head != "source")
    return SheetTable(kind, heads, tuple(tuple(row[head] for head in heads) for row in rows))


def _turns(folder: Path | Traversable) -> tuple[tuple[str, str], ...]:
    dated = _rows(folder / "tables" / "turns.csv")
    if dated:
        return tuple((row["turn"], row.get("dates") or f"{row['date']} {row['half']}") for row in dated)
    scenarios = [file for file in (folder / "scenarios").iterdir() if file.name.endswith(".toml")]
    last = max((tomllib.loads(file.read_text(encoding="utf-8")).get("turns", 0) for file in scenarios), default=0)
    return tuple((str(turn), "") for turn in range(1, last + 1))


# ---- drawing -----------------------------------------------------------------------


def draw_track(canvas: Canvas, turns: tuple[tuple[str, str], ...], rect: Rect, u: float) -> str:
    """Return the turn track: boxes for a marker, numbered and dated, in as many rows as it takes."""
    left, top, right, _ = rect
    columns = max(1, int((right - left) / (1.5 * u)))
    rows = ceil(len(turns) / columns)
    columns = ceil(len(turns) / rows)
    width = min(2.2 * u, (right - left) / columns)
    parts = [text(word("turns", canvas.language), (left, top + 0.4 * u), 0.42 * u, "bold", anchor="start")]
    for i, (turn, english) in enumerate(turns):
        date = _dated(english, canvas.language)
        x, y = left + i % columns * width, top + (0.6 + i // columns * 1.15) * u
        box = {"x": x + 0.04 * u, "y": y, "width": width - 0.08 * u, "height": 1.05 * u, "rx": 0.08 * u}
        parts.append(element("rect", **box, fill=PAPER, stroke=FAINT_INK, stroke_width=0.02 * u))
        parts.append(text(turn, (x + 0.16 * u, y + 0.4 * u), 0.36 * u, "bold", anchor="start"))
        size = fitted(date, "italic", 0.27 * u, width - 0.25 * u) if date else 0.0
        parts.append(text(date, (x + width / 2, y + 0.9 * u), size, "italic", FAINT_INK) if date else "")
    return group(parts)


def _dated(english: str, language: str) -> str:
    """Return dates such as 30-31 Dec with the month in a language."""
    return re.sub("Dec|Jan", lambda month: word(f"month-{month[0].lower()}", language), english)


def track_height(count: int, width: float, u: float) -> float:
    """Return how deep a turn track is."""
    columns = max(1, int(width / (1.5 * u)))
    return (0.8 + 1.15 * ceil(count / columns)) * u if count else 0.0


def table_height(table: SheetTable, u: float) -> float:
    """Return how deep a table is."""
    return (1.0 + ROW_HEIGHT * (len(table.rows) + 1)) * u


def draw_table(canvas: Canvas, table: SheetTable, rect: Rect, u: float) -> str:
    """Return a table under its title, its first column to the left and the others centred."""
    left, top, right, _ = rect
    names = [_row_name(canvas, row[0]) for row in table.rows]
    first = max(text_width(name, "regular", 0.3 * u) for name in names) + 0.3 * u
    step = (right - left - first) / max(1, len(table.heads) - 1)
    parts = [text(word(table.kind, canvas.language), (left, top + 0.4 * u), 0.42 * u, "bold", anchor="start")]
    y = top + 0.62 * u
    for i, head in enumerate(table.heads[1:]):
        label = _head(canvas, head)
        size = fitted(label, "sans", 0.27 * u, step - 0.06 * u)
        parts.append(text(label, (left + first + (i + 0.5) * step, y + 0.3 * u), size, "sans", FAINT_INK))
    for j, (name, row) in enumerate(zip(names, table.rows, strict=True)):
        base = y + (j + 1) * ROW_HEIGHT * u
        if j % 2 == 0:
            stripe = {"x": left, "y": base, "width": right - left, "height": ROW_HEIGHT * u}
            parts.append(element("rect", **stripe, fill=PAPER, fill_opacity=0.6))
        parts.append(text(name, (left + 0.08 * u, base + 0.31 * u), 0.3 * u, "regular", anchor="start"))
        for i, value in enumerate(row[1:]):
            shown = VALUES.get(value, value)
            size = fitted(shown, "sans", 0.29 * u, step - 0.04 * u)
            parts.append(text(shown, (left + first + (i + 0.5) * step, base + 0.31 * u), size, "sans", INK))
    rule = path(polyline([(left, y + 0.4 * u), (right, y + 0.4 * u)]), stroke=INK, stroke_width=0.02 * u)
    return group([*parts, rule])


VALUES = {"": "–", "yes": "+", "no": "–"}


def _row_name(canvas: Canvas, key: str) -> str:
    """Return a row's name: the terrain's, the feature's or the road's in the legend, else its own key."""
    for section in ("terrain", "feature", "road"):
        if canvas.entry(section, key):
            return canvas.name(section, key)
    return word(f"row-{key}", canvas.language) if key in OTHER_ROWS else key


OTHER_ROWS = ("improved-position", "forest-road")
HEADS = ("foot", "motor", "vehicle", "motor_frozen", "vehicle_frozen", "dcb", "armor")


def _head(canvas: Canvas, head: str) -> str:
    return word(f"head-{head.replace('_', '-')}", canvas.language) if head in HEADS else head
