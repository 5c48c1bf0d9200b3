"""Reading a game's data files, with a player's own corrections laid over them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from salient.common.columns import Columns, column_faults, value_faults, whole
from salient.common.weights import Weights, read_weights
from salient.hexes.board import Board
from salient.hexes.load import load_board
from salient.hexes.rows import (
    OVERLAY,
    REMOVED,
    DataError,
    Fault,
    Problem,
    Row,
    by_key,
    merged,
    name_faults,
    read_csv,
    read_text,
    read_toml,
    source_faults,
    toml_line,
)

RowColumns = Callable[[Mapping[str, str]], Columns]  # what the columns of a row may hold, by what else it says
OWN_DATA = "SALIENT_DATA"


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


class Reader:
    """The one door to a game's files: ours, with a player's own rows and values laid over them.

        with Reader(folder, own) as files:
            board, units = files.board(), files.rows("units.csv", "unit", columns)

    What is wrong is gathered over all files, and DataError names all of it when the block ends. Until then ours stands
    for what is not sound, so that the rest can be looked at too.
    """

    def __init__(self, folder: Traversable, own: Path | None = None) -> None:
        self.folder = folder
        self.own = own
        self.problems: list[Problem] = _strays(folder, own) if own and own.is_dir() else []
        self.knows_places = True

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, DataError):
            self.problems += error.problems
        if self.problems:  # another error in the block comes of them
            raise DataError([self._at_removal(problem) for problem in self.problems]) from None

    def board(self) -> Board:
        """The map; ours alone if the player's is not sound."""
        try:
            return load_board(self.folder, self.own)
        except DataError as error:
            self.problems += error.problems
            self.knows_places = False
            return load_board(self.folder)

    def rows(
        self, name: str, key: str, columns: Columns | RowColumns | None = None, complete: bool = False
    ) -> list[dict[str, str]]:
        """The rows of a CSV file by their key column, a player's own in place of ours, or beside them.

        `columns` says what the columns may hold, of every row or of the row given. Of a `complete` table no row can be
        taken away and none can be added.
        """
        problems: list[Problem] = []
        rows = _rows(read_text(self.folder / name, name, problems), name, key, columns, (), problems)
        text = self._own_text(name)
        if text is not None:
            header = tuple(next(iter(rows.values())).values)
            theirs = _rows(text, f"{OVERLAY}{name}", key, columns, header, problems)
            _lay_over(rows, theirs, complete, problems)
        self.problems += [each for each in problems if self.knows_places or each.cause.key != "fault-place"]
        return [dict(row.values) for row in rows.values()]

    def values(self, name: str, columns: Columns | None = None) -> dict[str, Any]:
        """The values of a TOML file, a player's own in place of ours: each of a name and of a kind that ours has.

        `columns` says what some of them may be.
        """
        ours = read_toml((self.folder / name).read_text(encoding="utf-8"), name, self.problems)
        text = self._own_text(name)
        if text is None:
            return ours
        theirs = read_toml(text, f"{OVERLAY}{name}", self.problems)
        values = merged(ours, theirs)
        bounds = column_faults(_as_text(values), columns or {}, "")
        faults = [*value_faults(theirs, ours), *(((str(fault.args["text_column"]),), fault) for fault in bounds)]
        self.told(name, faults)
        return ours if faults else values

    def weights(self, sides: Collection[str]) -> Weights:
        """What the judge's features are worth to each side."""
        try:
            return read_weights(self.folder, sides, self.own)
        except DataError as error:
            self.problems += error.problems
            return read_weights(self.folder, sides)

    def told(self, name: str, faults: Iterable[tuple[Sequence[str], Fault]]) -> None:
        """Tell what is wrong with the values of a TOML file, each by its path in it."""
        text = self._own_text(name) or ""
        self.problems += [Problem(f"{OVERLAY}{name}", toml_line(text, path), fault) for path, fault in faults]

    def _own_text(self, name: str) -> str | None:
        """The text of a player's file; None if there is none. What is wrong with it is told."""
        if not self.own or not (self.own / name).is_file():
            return None
        return read_text(self.own / name, f"{OVERLAY}{name}", self.problems) or ""

    def _at_removal(self, problem: Problem) -> Problem:
        """A row that the rules name: where the player has taken it away."""
        if problem.cause.key != "fault-needed":
            return problem
        rows = read_csv(self._own_text(problem.file) or "", f"{OVERLAY}{problem.file}", ("source",), [])
        lost = problem.cause.args["text"]
        row = next((row for row in rows if row["source"] == REMOVED and lost in row.values.values()), None)
        return Problem(row.file, row.line, problem.cause) if row else problem


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


def data_hash(*parts: Iterable[object]) -> str:
    """A short stable fingerprint of all that was read."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(repr(list(part)).encode())
    return digest.hexdigest()[:16]


def _strays(folder: Traversable, own: Path) -> list[Problem]:
    """The tables in a player's folder that the game has none of: a name that is misspelt would have no effect."""
    found = sorted(file.relative_to(own).as_posix() for file in own.rglob("*") if file.suffix in (".csv", ".toml"))
    strays = [name for name in found if not name.startswith("text/") and not (folder / name).is_file()]
    return [Problem(f"{OVERLAY}{name}", 0, Fault("fault-stray")) for name in strays]


def _rows(
    text: str | None,
    file: str,
    key: str,
    columns: Columns | RowColumns | None,
    header: Sequence[str],
    problems: list[Problem],
) -> dict[str, Row]:
    """The sound rows of a text by their key; what is wrong is added to the problems."""
    if text is None:
        return {}
    sound = []
    for row in read_csv(text, file, sorted({*header, key, "source"}), problems):
        faults = [] if header and row["source"] == REMOVED else _row_faults(row, columns, key)
        problems += [Problem(file, row.line, fault) for fault in faults]
        if not faults:
            sound.append(row)
    return {row[key]: row for row in by_key(sound, (key,), problems).values()}


def _row_faults(row: Row, columns: Columns | RowColumns | None, key: str) -> list[Fault]:
    checks = columns(row.values) if callable(columns) else columns or {}
    return [*name_faults(row[key]), *source_faults(row["source"]), *column_faults(row.values, checks, key)]


def _as_text(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}


def _lay_over(rows: dict[str, Row], theirs: Mapping[str, Row], complete: bool, problems: list[Problem]) -> None:
    """Put a player's rows in the place of ours, or beside them; what cannot be is added to the problems."""
    ours = {key.casefold(): key for key in rows}
    for key, row in theirs.items():
        fault = _overlay_fault(row, key, ours, complete)
        if fault:
            problems.append(Problem(row.file, row.line, fault))
        elif row["source"] == REMOVED:
            del rows[key]
        else:
            rows[key] = row


def _overlay_fault(row: Row, key: str, ours: Mapping[str, str], complete: bool) -> Fault | None:
    """Why a player's row cannot be laid over ours, which are known by their names without capitals."""
    alike = ours.get(key.casefold())
    if key != alike and row["source"] == REMOVED:
        return Fault("fault-remove", text=key)
    if complete and (key != alike or row["source"] == REMOVED):
        return Fault("fault-complete", text=key)
    if alike and key != alike:
        return Fault("fault-alike", text=key, text_ours=alike)
    return None
