"""Reading a game's data files, with a player's own corrections laid over them."""

from __future__ import annotations

import csv
import hashlib
import os
from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from salient.hexes.rows import DataError, Fault, Problem
from salient.hexes.validate import source_faults

OWN_DATA = "SALIENT_DATA"


def data_folder(package: str) -> Traversable:
    """The folder of a game's own data."""
    return files(package) / "data"


def own_folder(game_id: str) -> Path | None:
    """The player's corrections to a game: `$SALIENT_DATA/<game id>`, if there is such a folder."""
    root = os.environ.get(OWN_DATA)
    folder = Path(root) / game_id if root else None
    return folder if folder and folder.is_dir() else None


def read_rows(folder: Traversable, name: str, key: str, own: Path | None = None) -> list[dict[str, str]]:
    """The rows of a CSV file by their key column, a row of the player's own replacing ours."""
    rows = {row[key]: row for row in _rows(folder / name, name)}
    if own and (own / name).is_file():
        rows |= {row[key]: row for row in _rows(own / name, f"own {name}")}
    return list(rows.values())


def data_hash(*parts: Iterable[object]) -> str:
    """A short stable fingerprint of all that was read."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(repr(list(part)).encode())
    return digest.hexdigest()[:16]


def _rows(file: Traversable, name: str) -> list[dict[str, str]]:
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    for line, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            cause = Fault("fault-row", "the row does not have as many fields as the header: check the commas.")
            raise DataError([Problem(name, line, cause)])
        faults = [Problem(name, line, cause) for cause in source_faults(row["source"])]
        if faults:
            raise DataError(faults)
    return rows
