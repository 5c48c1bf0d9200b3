"""Rows of map data and the problems found in them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

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
