"""Reading a game's data files, with a player's own corrections laid over them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from salient.common.columns import Columns, column_faults, value_faults, whole
from salient.hexes.board import Board
from salient.hexes.rows import (
    REMOVED,
    DataError,
    Fault,
    Problem,
    Row,
    by_key,
    merged,
    read_csv,
    read_text,
    read_toml,
    source_faults,
)

OWN_DATA = "SALIENT_DATA"
OVERLAY = "overlay/"  # what problems call a player's folder


class Part:
    """A part of a game's data: its attributes are set once, when it is made."""

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(self, name):  # to ask `__dict__` would make every later look at an attribute five times as slow
            raise AttributeError(f"{type(self).__name__}.{name} is set for good")
        super().__setattr__(name, value)


def data_folder(package: str) -> Traversable:
    """The folder of a game's own data."""
    return files(package) / "data"


def own_folder(game_id: str) -> Path | None:
    """The player's corrections to a game: `$SALIENT_DATA/<game id>`, if there is such a folder."""
    root = os.environ.get(OWN_DATA)
    folder = Path(root) / game_id if root else None
    return folder if folder and folder.is_dir() else None


def read_rows(
    folder: Traversable,
    name: str,
    key: str,
    own: Path | None = None,
    columns: Columns | None = None,
    complete: bool = False,
) -> list[dict[str, str]]:
    """The rows of a CSV file by their key column, a player's own in place of ours, or beside them.

    `columns` says what the columns may hold. Of a `complete` table no row can be taken away and none can be added.
    DataError names every problem with file and line.
    """
    problems: list[Problem] = []
    rows = _rows(folder / name, name, key, columns or {}, (), problems)
    ours = set(rows)
    if own and (own / name).is_file():
        header = tuple(next(iter(rows.values())).values)
        for its, row in _rows(own / name, f"{OVERLAY}{name}", key, columns or {}, header, problems).items():
            fault = _overlay_fault(row, its, ours, complete)
            if fault:
                problems.append(Problem(row.file, row.line, fault))
            elif row["source"] == REMOVED:
                del rows[its]
            else:
                rows[its] = row
    if problems:
        raise DataError(problems)
    return [dict(row.values) for row in rows.values()]


def read_values(
    folder: Traversable, name: str, own: Path | None = None, columns: Columns | None = None
) -> dict[str, Any]:
    """The values of a TOML file, a player's own in place of ours: each of a name and of a kind that ours has.

    `columns` says what some of them may be. DataError names every problem with the file.
    """
    problems: list[Problem] = []
    values = read_toml((folder / name).read_text(encoding="utf-8"), name, problems)
    if own and (own / name).is_file():
        file = f"{OVERLAY}{name}"
        theirs = read_toml(read_text(own / name, file, problems) or "", file, problems)
        faults = [*value_faults(theirs, values), *column_faults(_as_text(merged(values, theirs)), columns or {}, "")]
        problems += [Problem(file, 0, fault) for fault in faults]
        values = merged(values, theirs)
    if problems:
        raise DataError(problems)
    return values


def zone_numbers(board: Board, zone: str) -> dict[int, int]:
    """By hex of a zone, ascending: the number that its row gives it; DataError for those that give none."""
    rows = [row for row in board.rows["zones.csv"] if row["zone"] == zone]
    faults = [(row, whole(row["value"])) for row in rows]
    problems = [
        Problem(row.file, row.line, Fault(fault.key, text_column="value", **fault.args))
        for row, fault in faults
        if fault
    ]
    if problems:
        raise DataError(problems)
    values = board.zone_values[zone]
    return {h: int(values[h]) for h in sorted(board.zones[zone])}


def stray_files(folder: Traversable, own: Path) -> list[Problem]:
    """The tables in a player's folder that the game has none of: a name that is misspelt would have no effect."""
    found = sorted(file.relative_to(own).as_posix() for file in own.rglob("*") if file.suffix in (".csv", ".toml"))
    strays = [name for name in found if not name.startswith("text/") and not (folder / name).is_file()]
    return [Problem(f"{OVERLAY}{name}", 0, Fault("fault-stray")) for name in strays]


def data_hash(*parts: Iterable[object]) -> str:
    """A short stable fingerprint of all that was read."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(repr(list(part)).encode())
    return digest.hexdigest()[:16]


def _rows(
    file: Traversable, name: str, key: str, columns: Columns, header: Sequence[str], problems: list[Problem]
) -> dict[str, Row]:
    """The sound rows of a file by their key; what is wrong is added to the problems."""
    text = read_text(file, name, problems)
    if text is None:
        return {}
    sound = []
    for row in read_csv(text, name, sorted({*header, key, "source"}), problems):
        faults = _row_faults(row, columns, key) if not header or row["source"] != REMOVED else []
        problems += [Problem(name, row.line, fault) for fault in faults]
        if not faults:
            sound.append(row)
    return {row[key]: row for row in by_key(sound, (key,), problems).values()}


def _row_faults(row: Row, columns: Columns, key: str) -> list[Fault]:
    return [*source_faults(row["source"]), *column_faults(row.values, columns, key)]


def _as_text(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}


def _overlay_fault(row: Row, key: str, ours: Collection[str], complete: bool) -> Fault | None:
    """Why a player's row cannot be laid over ours."""
    if key not in ours and row["source"] == REMOVED:
        return Fault("fault-remove", text=key)
    if complete and (key not in ours or row["source"] == REMOVED):
        return Fault("fault-complete", text=key)
    return None
