"""Reading a game's data files, with a player's own corrections laid over them."""

from __future__ import annotations

import csv
import hashlib
import os
from collections.abc import Iterable, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from salient.common.columns import Columns, column_faults
from salient.hexes.rows import DataError, Fault, Problem, source_faults

OWN_DATA = "SALIENT_DATA"


def data_folder(package: str) -> Traversable:
    """The folder of a game's own data."""
    return files(package) / "data"


def own_folder(game_id: str) -> Path | None:
    """The player's corrections to a game: `$SALIENT_DATA/<game id>`, if there is such a folder."""
    root = os.environ.get(OWN_DATA)
    folder = Path(root) / game_id if root else None
    return folder if folder and folder.is_dir() else None


def read_rows(
    folder: Traversable, name: str, key: str, own: Path | None = None, columns: Columns | None = None
) -> list[dict[str, str]]:
    """The rows of a CSV file by their key column, a row of the player's own replacing ours.

    `columns` says what the columns may hold. DataError names every problem with file and line.
    """
    problems: list[Problem] = []
    ours = _rows(folder / name, name, key, columns or {}, (), problems)
    rows = dict(ours)
    if own and (own / name).is_file():
        header = tuple(next(iter(ours.values())))
        rows |= _rows(own / name, f"overlay/{name}", key, columns or {}, header, problems)
    if problems:
        raise DataError(problems)
    return list(rows.values())


def data_hash(*parts: Iterable[object]) -> str:
    """A short stable fingerprint of all that was read."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(repr(list(part)).encode())
    return digest.hexdigest()[:16]


def _rows(
    file: Traversable, name: str, key: str, columns: Columns, header: Sequence[str], problems: list[Problem]
) -> dict[str, dict[str, str]]:
    """The sound rows of a file by their key; what is wrong is added to the problems."""
    reader = csv.DictReader(_text(file, name, problems).splitlines())
    missing = sorted({*header, key, "source"} - set(reader.fieldnames or ()))
    if missing:
        names = ", ".join(missing)
        fault = Fault("fault-columns", f"the header lacks the columns {names}.", n=len(missing), text=names)
        problems.append(Problem(name, 1, fault))
        return {}
    rows: dict[str, dict[str, str]] = {}
    for row in reader:
        faults = _row_faults(row, columns, key)
        problems += [Problem(name, reader.line_num, fault) for fault in faults]
        if not faults:
            rows[row[key]] = row
    return rows


def _row_faults(row: dict[str, str], columns: Columns, key: str) -> list[str]:
    if None in row or None in row.values():
        return [Fault("fault-row", "the row does not have as many fields as the header: check the commas.")]
    return [*source_faults(row["source"]), *column_faults(row, columns, key)]


def _text(file: Traversable, name: str, problems: list[Problem]) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        sentence = f"the file is not UTF-8 text (byte {error.start})."
        problems.append(Problem(name, 0, Fault("fault-utf8", sentence, n=error.start)))
        return ""
