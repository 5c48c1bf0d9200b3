"""A player's own data of a game: rows that replace ours, checked before they are kept (docs/MAPS.md)."""

from __future__ import annotations

import csv
import difflib
import io
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from salient.games import open_afresh
from salient.hexes.board import Board
from salient.hexes.check import check_board
from salient.hexes.load import COLUMNS, KEYS, load_board
from salient.hexes.rows import REMOVED, DataError, Fault

# Counters, set-up and arrivals: read by the game itself. Their rows can be changed, not taken away.
COUNTERS: dict[str, tuple[str, ...]] = {
    "units.csv": ("unit",),
    "setup.csv": ("hex",),
    "reinforcements.csv": ("formation",),
    "pieces.csv": ("piece",),
}
START_COLUMNS = {"units.csv": "start", "setup.csv": "hex"}
FILE_KEYS: dict[str, tuple[str, ...]] = {
    **{name: key for name, key in KEYS.items() if name not in ("control.csv", "lines.csv")},
    **COUNTERS,
}
Row = dict[str, str]
Key = tuple[str, ...]
# Findings that only say that a line of water or road is not finished yet: the next change may finish it.
UNFINISHED = ("fault-loose-water", "fault-loose-road")


class Refused(Exception):
    """A change that cannot be, with every reason."""

    def __init__(self, *reasons: Fault) -> None:
        super().__init__(" ".join(map(str, reasons)))
        self.reasons = reasons


@dataclass(frozen=True)
class Difference:
    """One row of the player's against ours: one of them may be missing."""

    file: str
    key: Key
    ours: Row | None
    own: Row | None


@dataclass(frozen=True)
class Verdict:
    """What is said of a change that was kept: control facts it contradicts, and lines that are not finished."""

    conflicts: tuple[Fault, ...]
    findings: tuple[Fault, ...]


class OwnData:
    """The folder of a player's own rows of one game."""

    def __init__(self, game_id: str, folder: Path) -> None:
        self.game_id = game_id
        self.folder = folder
        self.ours: Traversable = resources.files("salient.games") / game_id.replace("-", "_") / "data"
        self._loaded: tuple[object, Board] | None = None

    # ---- reading ----------------------------------------------------------------

    def board(self) -> Board:
        """The map with the player's corrections, read again when they have changed."""
        there = self.folder.is_dir()
        state = [(file.name, file.stat().st_mtime_ns) for file in sorted(self.folder.iterdir())] if there else []
        if self._loaded is None or self._loaded[0] != state:
            self._loaded = state, load_board(self.ours, self.folder if there else None)
        return self._loaded[1]

    def files(self) -> list[str]:
        """The files of this game that can be changed."""
        return [name for name in FILE_KEYS if (self.ours / name).is_file()]

    def columns(self, file: str) -> list[str]:
        """The columns of a file, in its order."""
        return next(csv.reader(io.StringIO(self._text(self.ours / file))), list(COLUMNS.get(file, ())))

    def rows(self, file: str) -> dict[Key, Row]:
        """The rows in force: ours, with the player's in their place."""
        rows = self._rows(self.ours / file, file)
        for key, row in self.own_rows(file).items():
            if row["source"] == REMOVED:
                rows.pop(key, None)
            else:
                rows[key] = row
        return rows

    def own_rows(self, file: str) -> dict[Key, Row]:
        """The player's rows of a file, those that take one of ours away included."""
        return self._rows(self.folder / file, file)

    @staticmethod
    def _text(path: Path | Traversable) -> str:
        return path.read_text(encoding="utf-8-sig").replace("\r\n", "\n") if path.is_file() else ""

    def _rows(self, path: Path | Traversable, file: str) -> dict[Key, Row]:
        found = {}
        for row in csv.DictReader(io.StringIO(self._text(path))):
            found[tuple(row[column] for column in FILE_KEYS[file])] = row
        return found

    # ---- changing ---------------------------------------------------------------

    def change(self, file: str, row: Row) -> Verdict:
        """Keep a row of the player's own if it can be; Refused, with nothing changed, if it cannot."""
        self._known(file)
        columns = self.columns(file)
        unknown = [column for column in row if column not in columns]
        if unknown:
            names = ", ".join(unknown)
            raise Refused(Fault("fault-own-column", text_file=file, text=names))
        key = tuple(row.get(column, "").strip() for column in FILE_KEYS[file])
        if not all(key):
            names = ", ".join(FILE_KEYS[file])
            raise Refused(Fault("fault-own-key", text_file=file, text=names))
        if file == "hexsides.csv" and row.get("bridge") and not row.get("kind"):
            raise Refused(Fault("fault-own-bridge", text=key[0], text_b=key[1]))
        before = self.rows(file).get(key, {})
        full = {column: row.get(column, before.get(column, "")).strip() for column in columns}
        full["source"] = full["source"] or "rulebook"
        return self._try(file, self.own_rows(file) | {key: full})

    def remove(self, file: str, key: Key) -> Verdict:
        """Take a row away: the player's own vanishes, one of ours is marked as removed."""
        self._known(file)
        own, ours = self.own_rows(file), self._rows(self.ours / file, file)
        if key not in self.rows(file):
            name = " ".join(key)
            raise Refused(Fault("fault-own-row", text_file=file, text=name))
        own.pop(key, None)
        if key in ours:
            if file in COUNTERS:
                raise Refused(Fault("fault-own-unit"))
            own[key] = ours[key] | {"source": REMOVED}
        return self._try(file, own)

    def revert(self, file: str, key: Key) -> Verdict:
        """Go back to our row."""
        self._known(file)
        own = self.own_rows(file)
        if own.pop(key, None) is None:
            name = " ".join(key)
            raise Refused(Fault("fault-own-ours", text_file=file, text=name))
        return self._try(file, own)

    def _known(self, file: str) -> None:
        if file not in self.files():
            known = ", ".join(self.files())
            raise Refused(Fault("fault-own-file", text=file, text_known=known))

    def _try(self, file: str, rows: dict[Key, Row]) -> Verdict:
        """Load the game with the rows in a copy of the folder; only what loads is written to the folder itself."""
        known = set(map(str, check_board(self.board()).findings))
        with tempfile.TemporaryDirectory() as copy:
            trial = OwnData(self.game_id, Path(copy) / self.game_id)
            if self.folder.is_dir():
                shutil.copytree(self.folder, trial.folder)
            trial._write(file, rows)
            verdict = trial._verdict(file, known)
        self._write(file, rows)
        return verdict

    def _verdict(self, file: str, known: set[str]) -> Verdict:
        try:
            board = self.board()
        except DataError as error:
            raise Refused(*(problem.cause for problem in error.problems)) from None
        if file in COUNTERS:
            self._check_counters(file, board)
        found = check_board(board).findings
        conflicts = tuple(problem.cause for problem in found if problem.file == "control.csv")
        others = [problem.cause for problem in found if problem.file != "control.csv"]
        new = [problem.cause for problem in found if problem.file != "control.csv" and str(problem) not in known]
        wrong = [cause for cause in new if cause.key not in UNFINISHED]
        if wrong:
            raise Refused(*wrong)
        return Verdict(conflicts, tuple(others))

    def _check_counters(self, file: str, board: Board) -> None:
        """A unit starts on the map, and the game itself can be loaded with it."""
        for key, row in self.own_rows(file).items():
            start = row.get(START_COLUMNS.get(file, ""), "")
            if start.isdigit() and start not in board.index:
                raise Refused(Fault("fault-own-off", text=key[0], text_b=start))
        try:
            open_afresh(self.game_id, self.folder)
        except DataError as error:
            raise Refused(*(problem.cause for problem in error.problems)) from None

    def _write(self, file: str, rows: dict[Key, Row]) -> None:
        """Replace a file at one stroke, sorted; a file without rows goes."""
        path = self.folder / file
        if not rows:
            path.unlink(missing_ok=True)
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.write_text(_csv(self.columns(file), [rows[key] for key in sorted(rows)]), encoding="utf-8")
        fresh.replace(path)

    # ---- telling the difference ---------------------------------------------------

    def differences(self) -> Iterator[Difference]:
        """Every row of the player's own, beside ours."""
        for file in self.files():
            ours = self._rows(self.ours / file, file)
            for key, row in sorted(self.own_rows(file).items()):
                yield Difference(file, key, ours.get(key), None if row["source"] == REMOVED else row)

    def patch(self) -> str:
        """Our files with the player's rows in them, as a patch for the project."""
        parts = []
        for file in self.files():
            if self.own_rows(file):
                ours = self._text(self.ours / file)
                path = f"src/salient/games/{self.game_id.replace('-', '_')}/data/{file}"
                merged = _csv(self.columns(file), self._merged(file))
                lines = difflib.unified_diff(
                    ours.splitlines(keepends=True), merged.splitlines(keepends=True), f"a/{path}", f"b/{path}"
                )
                parts.append("".join(lines))
        return "".join(parts)

    def _merged(self, file: str) -> list[Row]:
        """Our rows in our order, changed in place; new ones where the order of keys has them."""
        rows, ours = self.rows(file), list(self._rows(self.ours / file, file))
        order = [key for key in ours if key in rows]
        for key in sorted(rows.keys() - set(ours)):
            order.insert(next((i for i, other in enumerate(order) if other > key), len(order)), key)
        return [rows[key] for key in order]


def _csv(columns: list[str], rows: list[Row]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
