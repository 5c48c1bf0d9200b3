"""The tables of a game as its data has them: combat, terrain, turns, rolls; a player's own rows replace ours."""

from __future__ import annotations

import csv
from importlib.resources.abc import Traversable
from typing import Any

from salient.common.data import Reader, data_folder, own_folder
from salient.kernel import AnyGame
from salient.text.catalog import package_of

HIDDEN = frozenset({"source", "slot"})  # where a row comes from, and keys that players do not know
BESIDE = ("pieces.csv",)  # tables that lie beside the folder of tables


def game_tables(game: AnyGame) -> list[dict[str, Any]]:
    """Every table: `key`, its columns and its rows, all as text."""
    folder = data_folder(package_of(game))
    names = [name for name in BESIDE if (folder / name).is_file()]
    tables = folder / "tables"
    if tables.is_dir():
        names += sorted(f"tables/{file.name}" for file in tables.iterdir() if file.name.endswith(".csv"))
    return [_table(game, folder, name) for name in names]


def _table(game: AnyGame, folder: Traversable, name: str) -> dict[str, Any]:
    header = next(csv.reader([(folder / name).read_text("utf-8").partition("\n")[0]]))
    shown = [column for column in header if column not in HIDDEN]
    with Reader(folder, own_folder(game.id)) as files:
        rows = files.rows(name, header[0])
    key = name.rpartition("/")[2].removesuffix(".csv")
    return {"key": key, "columns": shown, "rows": [[row[column] for column in shown] for row in rows]}
