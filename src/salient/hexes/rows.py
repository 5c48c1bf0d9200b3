"""Rows of CSV data, how they are read, and the problems found in them."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path

Key = tuple[str, ...]
SOURCES = ("rulebook", "derived", "geography", "history", "house")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a CSV file: where it stands and what it says."""

    file: str
    line: int
    values: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.values[column]


class Fault(str):
    """A sentence about what is wrong, with its key and arguments in the message catalogs."""

    __slots__ = ("args", "key")
    key: str
    args: dict[str, str | int]

    def __new__(cls, key: str, sentence: str, **args: str | int) -> "Fault":
        fault = super().__new__(cls, sentence)
        fault.key, fault.args = key, args
        return fault

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, str | int]]:
        """What a copy in another process is made from."""
        return (self.key, str(self)), self.args


def source_faults(source: object) -> Iterator[str]:
    """Yield a sentence when a fact has a source of no known kind."""
    if source not in SOURCES:
        known = ", ".join(SOURCES)
        sentence = f"unknown source {source!r}: give one of {known}."
        yield Fault("fault-source", sentence, text=str(source), text_known=known)


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something wrong at a line of a data file; line 0 means the whole file."""

    file: str
    line: int
    cause: str

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{place}: {self.cause}"


class DataError(Exception):
    """Map data that cannot be used, with every problem found in it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        count = len(self.problems)
        heading = f"The data has {count} problem{'' if count == 1 else 's'}; correct the lines named here:"
        super().__init__("\n".join([heading, *(f"  {problem}" for problem in self.problems)]))

    def __reduce__(self) -> tuple[type["DataError"], tuple[tuple[Problem, ...]]]:
        """What a copy in another process is made from."""
        return DataError, (self.problems,)


# ---- reading ---------------------------------------------------------------------


def read_text(path: Path | Traversable, file: str, problems: list[Problem]) -> str | None:
    """The text of a file with plain line ends and no byte-order mark; None, and a problem, if it is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        sentence = f"the file is not UTF-8 text (byte {error.start})."
        problems.append(Problem(file, 0, Fault("fault-utf8", sentence, n=error.start)))
        return None


def read_csv(text: str, file: str, columns: Sequence[str], problems: list[Problem]) -> list[Row]:
    """The rows of a CSV text that must have some columns; what is wrong with it is added to the problems."""
    reader = csv.reader(io.StringIO(text), strict=True)
    header = next(reader, [])
    missing = [column for column in columns if column not in header]
    if missing:
        sentence = f"the header lacks the column{'s' if len(missing) > 1 else ''} {', '.join(missing)}."
        problems.append(Problem(file, 1, Fault("fault-columns", sentence, text=", ".join(missing), n=len(missing))))
        return []
    rows = []
    try:
        for cells in reader:
            if len(cells) == len(header):
                values = dict(zip(header, [cell.strip() for cell in cells], strict=True))
                rows.append(Row(file, reader.line_num, values))
            elif cells:
                sentence = f"the row has {len(cells)} fields, the header {len(header)}: check the commas."
                cause = Fault("fault-fields", sentence, n=len(cells), n_header=len(header))
                problems.append(Problem(file, reader.line_num, cause))
    except csv.Error as error:
        cause = Fault("fault-csv", f"the row cannot be read as CSV: {error}.", text=str(error))
        problems.append(Problem(file, reader.line_num, cause))
    return rows


def by_key(rows: Iterable[Row], columns: Sequence[str], problems: list[Problem]) -> dict[Key, Row]:
    """Rows by what they say in their key columns; a second row with the same key is a problem."""
    found: dict[Key, Row] = {}
    for row in rows:
        key = tuple([row.values[column] for column in columns])
        if key in found:
            twice, first = " ".join(key), found[key].line
            sentence = f"{twice} is already on line {first}: keep one of the two rows."
            problems.append(Problem(row.file, row.line, Fault("fault-twice", sentence, text=twice, n=first)))
        else:
            found[key] = row
    return found
