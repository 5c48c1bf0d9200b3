"""A study: a small TOML file that says what is played, by whom, with which changes, and when it is enough."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from salient import bots
from salient.common.data import own_folder
from salient.games import PACKAGES, load
from salient.hexes.rows import DataError, Problem
from salient.kernel import AnyGame, Unreadable
from salient.kernel.game import no_such_seat
from salient.kernel.messages import SalientError
from salient.lab import variations
from salient.lab.trial import Row, Task

VERSION = 1
KEYS = {
    "study", "title", "about", "game", "scenarios", "options", "players", "swap", "seed", "games", "stop", "luck",
    "seconds", "variation", "finding",
}  # fmt: skip
VARIATION_KEYS = {"name", "options", "rows"}
ROW_KEYS = {"file", "row", "where", "set", "add"}
STOP_KEYS = {"seat", "less", "more", "error", "most"}
NUMBER, WHOLE, TEXT, TRUTH, TABLE, LIST = "number", "whole", "text", "truth", "table", "list"
TABLES = "list-of-tables"
KINDS = {
    "title": TEXT, "about": TEXT, "finding": TEXT, "game": TEXT, "scenarios": LIST, "options": TABLE,
    "players": TABLES, "swap": TRUTH, "seed": WHOLE, "games": WHOLE, "stop": TABLE, "luck": TRUTH, "seconds": NUMBER,
    "variation": TABLES, "name": TEXT, "rows": TABLES, "file": TEXT, "where": TABLE, "set": TABLE, "add": TABLE,
    "seat": TEXT, "less": NUMBER, "more": NUMBER, "error": NUMBER, "most": WHOLE,
}  # fmt: skip


class StudyError(Unreadable):
    """A study file that cannot be used: the file, the line and the cause."""

    def __init__(self, file: Path, line: int, cause: SalientError) -> None:
        super().__init__("at-file-line" if line else "at-file", text_file=file.name, n=line, text=str(cause))
        self.__cause__ = cause


@dataclass(frozen=True)
class Stop:
    """A sequential test: stop when the games tell a seat's share of wins `less` from `more` with so little error."""

    seat: str
    less: float = 0.45
    more: float = 0.55
    error: float = 0.05
    most: int = 400

    def decided(self, rows: Sequence[Row]) -> int:
        """After how many games the question is decided; 0 if it is not. Wald's test, in the order of the games."""
        bound = math.log((1 - self.error) / self.error)
        total = 0.0
        for count, row in enumerate(rows, start=1):
            won = row["winner"] == self.seat
            total += math.log(self.more / self.less) if won else math.log((1 - self.more) / (1 - self.less))
            if abs(total) >= bound or count == self.most:
                return count
        return 0


@dataclass(frozen=True)
class Cell:
    """Games that differ only in their dice: a scenario, players, a variation."""

    number: int
    scenario: str
    players: tuple[tuple[str, str], ...]
    variation: str
    options: tuple[tuple[str, str], ...]
    data: tuple[tuple[str, str], ...] = field(repr=False, default=())

    @property
    def title(self) -> str:
        """The cell in words."""
        return ", ".join([self.variation, self.scenario, " - ".join(who for _, who in self.players)])


@dataclass(frozen=True)
class Study:
    """A study that was read and checked."""

    file: Path
    title: str
    about: str
    game: str
    seed: int
    games: int
    stop: Stop | None
    luck: bool
    seconds: float
    cells: tuple[Cell, ...]
    finding: str = ""

    @property
    def folder(self) -> Path:
        """Where the results go: beside the file."""
        return self.file.with_suffix(".results")

    @property
    def fingerprint(self) -> str:
        """What must not change while results are added: everything but the number of games."""
        parts = [self.game, self.seed, self.luck, [(cell.title, cell.options, cell.data) for cell in self.cells]]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]

    @property
    def most(self) -> int:
        """How many games a cell has at most."""
        return self.stop.most if self.stop else self.games

    def task(self, cell: Cell, index: int) -> Task:
        """Game `index` of a cell: the same dice in all cells."""
        seed = f"{self.seed}/{index}"
        return Task(
            cell.number,
            index,
            self.game,
            cell.scenario,
            cell.options,
            cell.players,
            seed,
            self.seconds,
            self.luck,
            cell.data,
        )

    def counted(self, cell: Cell, rows: Mapping[tuple[int, int], Row]) -> list[Row]:
        """The games of a cell that count, in order: without gaps, and no more than the stopping rule takes."""
        found: list[Row] = []
        while len(found) < self.most and (cell.number, len(found)) in rows:
            found.append(rows[cell.number, len(found)])
        return found[: self.stop.decided(found) or None] if self.stop else found

    def is_done(self, cell: Cell, rows: Mapping[tuple[int, int], Row]) -> bool:
        """Whether a cell needs no more games."""
        found = self.counted(cell, rows)
        return len(found) >= self.most or bool(self.stop and self.stop.decided(found))

    def tasks(self, rows: Mapping[tuple[int, int], Row]) -> Iterator[Task]:
        """The games that are still to play, cells in turn; a cell that is decided meanwhile gets no more."""
        for index in range(self.most):
            for cell in self.cells:
                if (cell.number, index) not in rows and not self.is_done(cell, rows):
                    yield self.task(cell, index)


# ---- reading ---------------------------------------------------------------------------


def read_study(file: Path, check_data: bool = True) -> Study:
    """Read and check a study file; StudyError names the line. The data of each variation are tried out."""
    try:
        text = file.read_bytes().decode()
        values = tomllib.loads(text)
    except UnicodeDecodeError as error:
        cause = Unreadable("fault-utf8", n=error.start)
        raise StudyError(file, 0, cause) from cause
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column \d+\)$", str(error))
        cause = Unreadable("study-toml", text=str(error))
        raise StudyError(file, int(place[1]) if place else 0, cause) from cause
    return _Reader(file, text, values).study(check_data)


def _is_of(kind: str, value: Any) -> bool:
    """Whether a value of a study is of the kind that its key asks for."""
    if kind == TABLES:
        return isinstance(value, list) and all(isinstance(each, dict) for each in value)
    if kind == TRUTH or isinstance(value, bool):
        return kind == TRUTH and isinstance(value, bool)
    asked = {NUMBER: (int, float), WHOLE: (int,), TEXT: (str,), TABLE: (dict,), LIST: (list,)}
    return isinstance(value, asked[kind])


class _Reader:
    def __init__(self, file: Path, text: str, values: dict[str, Any]) -> None:
        self.file = file
        self.lines = text.splitlines()
        self.values = values

    def line_of(self, *words: str) -> int:
        """The first line that has all these words, whole ones; else the first that has the first of them; else 0."""
        whole = [re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])") for word in words]
        lines = [(number, line) for number, line in enumerate(self.lines, start=1) if not line.lstrip().startswith("#")]
        for asked in (whole, whole[:1]):
            for number, line in lines:
                if all(word.search(line) for word in asked):
                    return number
        return 0

    def fail(self, cause: SalientError, *words: str) -> StudyError:
        return StudyError(self.file, self.line_of(*words), cause)

    def study(self, check_data: bool) -> Study:
        values = self.values
        version = values.get("study")
        if version != VERSION:
            raise self.fail(Unreadable("study-version", text=repr(version)), "study")
        self.only(values, KEYS)
        game = self.known(lambda: load(values.get("game", "")), "game")
        stop = self.stop(game)
        if not stop and values.get("games", 0) <= 0:
            raise self.fail(Unreadable("study-how-many"), "games")
        return Study(
            self.file,
            values.get("title", self.file.stem),
            values.get("about", "").strip(),
            game.id,
            values.get("seed", 1),
            values.get("games", 0),
            stop,
            values.get("luck", True),
            float(values.get("seconds", bots.SECONDS)),
            tuple(self.cells(game, check_data)),
            values.get("finding", "").strip(),
        )

    def only(self, values: Mapping[str, Any], known: set[str]) -> None:
        """Refuse what a table of a study does not have, and values of another kind."""
        for key, value in values.items():
            if key not in known:
                names = tuple(sorted(known))
                raise self.fail(Unreadable("study-no-key", text=key, texts_known=names), key)
            kind = KINDS.get(key)
            if kind and not _is_of(kind, value):
                raise self.fail(Unreadable(f"study-{kind}", text=key, text_given=repr(value)), key)

    def known(self, read: Any, *words: str) -> Any:
        try:
            return read()
        except SalientError as error:
            raise self.fail(error, *words) from error

    def stop(self, game: AnyGame) -> Stop | None:
        given = self.values.get("stop")
        if not given:
            return None
        self.only(given, STOP_KEYS)
        seat = given.get("seat", "")
        if seat not in game.seats:
            raise self.fail(no_such_seat(game, seat), "seat", seat)
        stop = Stop(**given)
        if not (0 < stop.less < stop.more < 1 and 0 < stop.error < 0.5 and stop.most > 0):
            raise self.fail(Unreadable("study-stop"), "stop")
        return stop

    def cells(self, game: AnyGame, check_data: bool) -> Iterator[Cell]:
        scenarios = self.values.get("scenarios") or [game.scenarios[0].id]
        for scenario in scenarios:
            self.known(lambda: game.scenario(scenario), str(scenario))  # noqa: B023
        shared = {str(key): str(value) for key, value in self.values.get("options", {}).items()}
        self.known(lambda: game.chosen_options(shared), next(iter(shared), "options"))
        self.distinct_names()
        number = 0
        for variation in [{"name": "base"}, *self.values.get("variation", [])]:
            options, data = self.variation(game, scenarios[0], shared, variation, check_data)
            for scenario in scenarios:
                for players in self.players(game):
                    yield Cell(number, scenario, players, variation["name"], tuple(options.items()), data)
                    number += 1

    def players(self, game: AnyGame) -> Iterator[tuple[tuple[str, str], ...]]:
        given = self.values.get("players") or [dict.fromkeys(game.seats, bots.DEFAULT)]
        for each in given:
            if set(each) != set(game.seats):
                wrong = sorted(set(each) - set(game.seats))
                raise self.fail(Unreadable("study-players", texts=game.seats), *wrong or ["players"])
            for who in map(str, each.values()):
                if not bots.is_player(who):
                    raise self.fail(bots.no_such_level(who, bots.LEVELS), who)
            seated = tuple((seat, self.beside(each[seat])) for seat in game.seats)
            yield seated
            if self.values.get("swap") and len({who for _, who in seated}) > 1:
                yield tuple((seat, who) for seat, (_, who) in zip(game.seats, reversed(seated), strict=True))

    def beside(self, who: str) -> str:
        """A program named by a relative path is looked for beside the study file."""
        command = who.removeprefix(bots.COMMAND)
        if who != command and command.startswith("./"):
            return f"{bots.COMMAND}{self.file.parent.resolve() / command[2:]}"
        return who

    # ---- variations -----------------------------------------------------------------------

    def distinct_names(self) -> None:
        """Results are told apart by the names of variations."""
        names = ["base"]
        for given in self.values.get("variation", []):
            name = given.get("name")
            if not name or name in names:
                raise self.fail(Unreadable("study-no-name"), "name" if name else "variation", str(name or ""))
            names.append(name)

    def variation(
        self, game: AnyGame, scenario: str, shared: dict[str, str], given: Mapping[str, Any], check_data: bool
    ) -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
        self.only(given, VARIATION_KEYS)
        name = given["name"]
        options = shared | {str(key): str(value) for key, value in given.get("options", {}).items()}
        self.known(lambda: game.chosen_options(options), name)
        changed: dict[str, dict[str, dict[str, str]]] = {}
        for change in given.get("rows", []):
            self.change(game, change, changed)
        data = tuple((file, _csv_text(rows)) for file, rows in changed.items())
        if data and check_data:
            try:
                variations.check(game.id, scenario, data)
            except (DataError, variations.BadData) as error:
                told = _by_row(error, changed) if isinstance(error, DataError) else error
                cause = Unreadable("study-breaks-data", text_name=name, text=str(told))
                cause.__cause__ = told
                raise self.fail(cause, "name", name) from cause
        return options, data

    def change(self, game: AnyGame, change: Mapping[str, Any], changed: dict[str, dict[str, dict[str, str]]]) -> None:
        self.only(change, ROW_KEYS)
        name = str(change.get("file", ""))
        rows = changed.get(name, {}) | {}
        every = _rows(game.id, name)
        if every is None:
            raise self.fail(Unreadable("study-no-file", text=name), "file", name)
        picked = self.picked(change, every, name)
        for key in picked:
            row = dict(rows.get(key, every[key]))
            for column, value in {**change.get("set", {}), **change.get("add", {})}.items():
                if column not in row:
                    no_column = {"text": column, "text_file": name, "texts_known": tuple(row)}
                    raise self.fail(Unreadable("study-no-column", **no_column), column, name)
                row[column] = str(value) if column in change.get("set", {}) else self.sum(row, column, value)
            rows[key] = row
        changed[name] = rows

    def sum(self, row: Mapping[str, str], column: str, value: Any) -> str:
        try:
            return str(int(row[column] or 0) + int(value))
        except (TypeError, ValueError):
            args = {"text": str(value), "text_column": column, "text_here": row[column]}
            cause = Unreadable("study-no-sum", **args)
            raise self.fail(cause, "add", column) from cause

    def picked(self, change: Mapping[str, Any], every: Mapping[str, dict[str, str]], name: str) -> list[str]:
        if "row" in change:
            key = str(change["row"])
            if key not in every:
                raise self.fail(Unreadable("study-no-row", text=key, text_file=name), key)
            return [key]
        where = {str(column): str(value) for column, value in change.get("where", {}).items()}
        found = [key for key, row in every.items() if where and all(row.get(c) == v for c, v in where.items())]
        if not found:
            asked = ", ".join(f"{column} = {value}" for column, value in where.items())
            key = "study-no-such-rows" if asked else "study-which-row"
            raise self.fail(Unreadable(key, text=asked, text_file=name), name, *where)
        return found


def _rows(game_id: str, name: str) -> dict[str, dict[str, str]] | None:
    """The rows of a game's data file, a player's own laid over them, by their first column (`a/b` for hexsides)."""
    ours = resources.files(PACKAGES[game_id]) / "data" / name
    if not name.endswith(".csv") or ".." in name or not ours.is_file():
        return None
    texts = [ours.read_text(encoding="utf-8")]
    own = own_folder(game_id)
    if own and (own / name).is_file():
        texts.append((own / name).read_text(encoding="utf-8"))
    found = {}
    for text in texts:
        for row in csv.DictReader(text.splitlines()):
            first, second = list(row)[:2]
            found[f"{row['a']}/{row['b']}" if (first, second) == ("a", "b") else row[first]] = row
    return found


def _by_row(error: DataError, changed: Mapping[str, Mapping[str, Mapping[str, str]]]) -> DataError:
    """Problems of changed data named by row: their lines are those of a file that nobody sees."""
    found = []
    for problem in error.problems:
        file = problem.file.removeprefix("overlay/")
        rows = list(changed.get(file, ()))
        place = f"{file}, {rows[problem.line - 2]}" if 2 <= problem.line < len(rows) + 2 else file
        found.append(Problem(place, 0, problem.cause))
    return DataError(found)


def _csv_text(rows: Mapping[str, Mapping[str, str]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(next(iter(rows.values()))), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows.values())
    return text.getvalue()
