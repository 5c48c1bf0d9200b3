"""Reading a game's data files, with a player's own corrections laid over them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from salient.common.columns import Columns, column_faults
from salient.hexes.rows import DataError, Problem, by_key, read_csv, read_text, source_faults

OWN_DATA = "SALIENT_DATA"


class Part:
    """A part of a game's data: its attributes are set once, when it is made."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.__dict__:
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
    text = read_text(file, name, problems)
    if text is None:
        return {}
    sound = []
    for row in read_csv(text, name, sorted({*header, key, "source"}), problems):
        faults = [*source_faults(row["source"]), *column_faults(row.values, columns, key)]
        problems += [Problem(name, row.line, fault) for fault in faults]
        if not faults:
            sound.append(row)
    return {row[key]: dict(row.values) for row in by_key(sound, (key,), problems).values()}
