"""Reading a map from its data folder, with every problem reported at once.

A folder of a player's own corrections (an overlay) has files of the same names: a CSV row there replaces the row with
the same key or is added, a row whose source is `removed` takes the row with its key away, and TOML keys replace keys.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from salient.hexes.board import Board, compile_board
from salient.hexes.grid import Grid, grid_faults
from salient.hexes.rows import (
    OVERLAY,
    REMOVED,
    DataError,
    Fault,
    Key,
    Problem,
    Row,
    by_key,
    merged,
    read_csv,
    read_text,
    read_toml,
    source_faults,
    toml_line,
)
from salient.hexes.validate import row_problems

COLUMNS = {
    "hexes.csv": ("hex", "terrain", "features", "source"),
    "hexsides.csv": ("a", "b", "kind", "name", "bridge", "source"),
    "roads.csv": ("a", "b", "class", "name", "source"),
    "places.csv": ("name", "hex", "size", "source"),
    "areas.csv": ("area", "kind", "name", "hexes", "areas", "roads", "label_at", "source"),
    "zones.csv": ("zone", "hex", "value", "source"),
    "lines.csv": ("line", "kind", "points", "source"),
    "control.csv": ("at", "check", "value", "fact", "source"),
}
KEYS = {
    "hexes.csv": ("hex",),
    "hexsides.csv": ("a", "b"),
    "roads.csv": ("a", "b"),
    "places.csv": ("name", "hex"),
    "areas.csv": ("area",),
    "zones.csv": ("zone", "hex"),
    "lines.csv": ("line",),
    "control.csv": ("at", "check", "value"),
}
REQUIRED = ("grid.toml", "terrain.toml", "hexes.csv")
FILES = ("grid.toml", "terrain.toml", *COLUMNS)
# Control facts are about the map, not of it, and lines are only drawn: a record stays valid when one is added.
HASHED = tuple(name for name in FILES if name not in ("control.csv", "lines.csv"))
SECTIONS = ("terrain", "feature", "hexside", "road", "zone")

Folder = Path | Traversable


def load_board(folder: Folder, overlay: Folder | None = None) -> Board:
    """Read, validate and compile the map in a folder, with a player's own corrections if given."""
    problems: list[Problem] = []
    texts = _texts(folder, "", problems)
    own = {} if overlay is None else _texts(overlay, OVERLAY, problems)
    if overlay is not None and not overlay.is_dir():
        problems.append(Problem("overlay", 0, Fault("fault-overlay")))
    missing = Fault("fault-file")
    problems += [Problem(name, 0, missing) for name in REQUIRED if name not in texts]
    tables = {name: _table(name, texts, own, problems) for name in ("grid.toml", "terrain.toml")}
    rows = {name: _rows(name, texts, own, problems) for name in COLUMNS}
    stated = _Stated(texts, own)
    if "grid.toml" in texts:
        problems += _grid_problems(stated, tables["grid.toml"])
    problems += _shape_problems(stated, tables["terrain.toml"])
    if any(problem.file.endswith(".toml") for problem in problems):
        raise DataError(problems)
    grid = Grid.from_table(tables["grid.toml"])
    problems += row_problems(grid, rows, tables["terrain.toml"])
    problems += _legend_problems(stated, tables["terrain.toml"])
    if problems:
        raise DataError(problems)
    return compile_board(grid, rows, tables["terrain.toml"], _data_hash(texts, own))


def data_hash(folder: Folder, overlay: Folder | None = None) -> str:
    """Return the sha256 over the map files of a folder, the same on every platform."""
    return _data_hash(_texts(folder, "", []), {} if overlay is None else _texts(overlay, OVERLAY, []))


def _data_hash(texts: Mapping[str, str], own: Mapping[str, str]) -> str:
    digest = hashlib.sha256()
    for prefix, files in (("", texts), (OVERLAY, own)):
        for name in HASHED:
            if name in files:
                body = files[name].encode()
                digest.update(f"{prefix}{name} {len(body)}\n".encode() + body)
    return digest.hexdigest()


def _texts(folder: Folder, prefix: str, problems: list[Problem]) -> dict[str, str]:
    """Return the text of every map file present that can be read."""
    present = [name for name in FILES if (folder / name).is_file()]
    texts = {name: read_text(folder / name, prefix + name, problems) for name in present}
    return {name: text for name, text in texts.items() if text is not None}


# ---- TOML ------------------------------------------------------------------------


def _table(name: str, texts: Mapping[str, str], own: Mapping[str, str], problems: list[Problem]) -> dict[str, Any]:
    ours = read_toml(texts.get(name, ""), name, problems)
    return merged(ours, read_toml(own.get(name, ""), f"{OVERLAY}{name}", problems))


def _grid_problems(stated: _Stated, table: Mapping[str, Any]) -> Iterator[Problem]:
    for fault in grid_faults(table):
        yield stated("grid.toml", (str(fault.args["text"]),), fault)


def _shape_problems(stated: _Stated, legend: Mapping[str, Any]) -> Iterator[Problem]:
    for section in SECTIONS:
        entries = legend.get(section, {})
        if not (isinstance(entries, dict) and all(isinstance(entry, dict) for entry in entries.values())):
            yield stated("terrain.toml", (section,), Fault("fault-section", text=section))


def _legend_problems(stated: _Stated, legend: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a problem for each entry of terrain.toml without a valid source."""
    for section in SECTIONS:
        for key, entry in legend.get(section, {}).items():
            for cause in source_faults(entry.get("source", "")):
                yield stated("terrain.toml", (section, key), cause)


@dataclass(frozen=True)
class _Stated:
    """Names the line that a problem comes from: a player's own, if it says anything of it, else ours."""

    texts: Mapping[str, str]
    own: Mapping[str, str]

    def __call__(self, name: str, path: Key, cause: Fault) -> Problem:
        own = toml_line(self.own.get(name, ""), path)
        if own:
            return Problem(f"{OVERLAY}{name}", own, cause)
        return Problem(name, toml_line(self.texts.get(name, ""), path), cause)


# ---- CSV -------------------------------------------------------------------------


def _rows(name: str, texts: Mapping[str, str], own: Mapping[str, str], problems: list[Problem]) -> tuple[Row, ...]:
    rows = _keyed(name, name, texts.get(name, ""), problems)
    for key, row in _keyed(name, f"{OVERLAY}{name}", own.get(name, ""), problems).items():
        if row["source"] != REMOVED:
            rows[key] = row
        elif rows.pop(key, None) is None:
            cause = Fault("fault-remove", text=" ".join(key))
            problems.append(Problem(row.file, row.line, cause))
    return tuple(rows.values())


def _keyed(name: str, file: str, text: str, problems: list[Problem]) -> dict[Key, Row]:
    rows = read_csv(text, file, COLUMNS[name], problems) if text else []
    return by_key(rows, KEYS[name], problems)
