"""Rows of CSV data, how they are read, and the problems found in them."""

import csv
import io
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from salient.kernel.messages import Argument, Message, english

Key = tuple[str, ...]
V = TypeVar("V")
SOURCES = ("rulebook", "derived", "geography", "history", "house")
REMOVED = "removed"  # the source of a player's row that takes ours away
OVERLAY = "overlay/"  # what problems call a player's folder


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a CSV file: where it stands and what it says."""

    file: str
    line: int
    values: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.values[column]


class Fault(Message):
    """What is wrong with a row: the sentence of a key in the message catalogs."""

    __slots__ = ()

    def __init__(self, key: str, **args: Argument) -> None:
        super().__init__("", key, **args)

    def __str__(self) -> str:
        return english(self)


def source_faults(source: object) -> Iterator[Fault]:
    """Yield a fault when a fact has a source of no known kind."""
    if source not in SOURCES:
        known = ", ".join(SOURCES)
        yield Fault("fault-source", text=str(source), text_known=known)


def name_faults(name: str) -> Iterator[Fault]:
    """Yield a fault when a row's name is none that players can write in orders and lists."""
    if not re.fullmatch(r"[^\s;,]+", name):
        yield Fault("fault-name", text=name)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong at a line of a data file; line 0 means the whole file."""

    file: str
    line: int
    cause: Fault

    def __str__(self) -> str:
        if not self.line:
            return f"{self.file}: {self.cause}"
        return str(Fault("at-file-line", text_file=self.file, n=self.line, text=str(self.cause)))


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems by file and line, each once."""
    found = {(each.file, each.line, str(each.cause)): each for each in problems}
    return tuple(found[place] for place in sorted(found))


class DataError(Exception):
    """Map data that cannot be used, with every problem found in it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = in_order(problems)
        super().__init__(problems)

    def __str__(self) -> str:
        heading = str(Fault("data-problems", n=len(self.problems)))
        return "\n".join([heading, *(f"  {problem}" for problem in self.problems)])


class Named(dict[str, V]):
    """What the rows of a file are about, by name; DataError if the rules name what has no row."""

    def __init__(self, file: str, values: Mapping[str, V]) -> None:
        super().__init__(values)
        self.file = file

    def __missing__(self, name: str) -> NoReturn:
        raise DataError([self._lack(name)])

    def of(self, *names: str) -> tuple[V, ...]:
        """What the rules name; DataError tells of all that have no row."""
        lacks = [self._lack(name) for name in names if name not in self]
        if lacks:
            raise DataError(lacks)
        return tuple(self[name] for name in names)

    def _lack(self, name: str) -> Problem:
        return Problem(self.file, 0, Fault("fault-needed", text=name))


# ---- reading ---------------------------------------------------------------------


def read_text(path: Path | Traversable, file: str, problems: list[Problem]) -> str | None:
    """The text of a file with plain line ends and no byte-order mark; None, and a problem, if it is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        problems.append(Problem(file, 0, Fault("fault-utf8", n=error.start)))
        return None


def read_toml(text: str, file: str, problems: list[Problem]) -> dict[str, Any]:
    """The values of a TOML text; empty, and a problem, if it is not valid."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        problems.append(Problem(file, int(line[1]) if line else 0, Fault("fault-toml", text=str(error))))
        return {}


def toml_line(text: str, path: Sequence[str]) -> int:
    """The line of a TOML text that says something of a value, or else of the tables around it; 0 if none does."""
    table: Key = ()
    lines: dict[Key, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        statement = line.partition("#")[0].strip()
        name, equals, _ = statement.partition("=")
        if statement.startswith("["):
            table = _names(statement.strip("[]"))
            lines.setdefault(table, number)
        elif equals:
            lines.setdefault((*table, *_names(name)), number)
    around = (tuple(path[:length]) for length in range(len(path), 0, -1))
    return next((lines[place] for place in around if place in lines), 0)


def _names(dotted: str) -> Key:
    return tuple(name.strip("\"' ") for name in dotted.split("."))


def merged(ours: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The values of two TOML texts, the second's in place of the first's, table by table."""
    found = dict(ours)
    for key, value in own.items():
        old = found.get(key)
        found[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return found


def read_csv(text: str, file: str, columns: Sequence[str], problems: list[Problem]) -> list[Row]:
    """The rows of a CSV text that must have some columns; what is wrong with it is added to the problems."""
    reader = csv.reader(io.StringIO(text), strict=True)
    header = next(reader, [])
    missing = [column for column in columns if column not in header]
    if missing:
        problems.append(Problem(file, 1, Fault("fault-columns", text=", ".join(missing), n=len(missing))))
        return []
    rows = []
    try:
        for cells in reader:
            if len(cells) == len(header):
                values = dict(zip(header, [cell.strip() for cell in cells], strict=True))
                rows.append(Row(file, reader.line_num, values))
            elif cells:
                cause = Fault("fault-fields", n=len(cells), n_header=len(header))
                problems.append(Problem(file, reader.line_num, cause))
    except csv.Error as error:
        cause = Fault("fault-csv", text=str(error))
        problems.append(Problem(file, reader.line_num, cause))
    return rows


def by_key(rows: Iterable[Row], columns: Sequence[str], problems: list[Problem]) -> dict[Key, Row]:
    """Rows by what they say in their key columns; a second row with the same key is a problem."""
    found: dict[Key, Row] = {}
    for row in rows:
        key = tuple([row.values[column] for column in columns])
        if key in found:
            twice, first = " ".join(key), found[key].line
            problems.append(Problem(row.file, row.line, Fault("fault-twice", text=twice, n=first)))
        else:
            found[key] = row
    return found
