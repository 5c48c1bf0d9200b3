"""What the columns and values of a data file may hold: a check gives None, or the fault of a value."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from salient.hexes.rows import Fault, source_faults

Check = Callable[[str], Fault | None]
Columns = Mapping[str, Check]
FEW, ALIKE = 20, 3  # words that are told all, and how many else
Path = tuple[str, ...]  # of a value in a TOML file: its tables and its name


def whole(text: str) -> Fault | None:
    """A whole number, not below zero."""
    if text.isascii() and text.isdigit():
        return None
    return Fault("fault-number", text=text)


def between(least: int, most: int) -> Check:
    """A whole number within bounds."""

    def check(text: str) -> Fault | None:
        if whole(text) is None and least <= int(text) <= most:
            return None
        return Fault("fault-between", text=text, n=least, n_most=most)

    return check


def one_of(*words: str) -> Check:
    """One of some words; of many those are told that are written much alike."""

    def check(text: str) -> Fault | None:
        if text in words:
            return None
        alike = words if len(words) <= FEW else (*get_close_matches(text, words, ALIKE, 0), "…")
        return Fault("fault-word", text=text, text_known=", ".join(alike))

    return check


def like(example: str, pattern: str) -> Check:
    """A text of a certain shape, such as 4-3-6."""

    def check(text: str) -> Fault | None:
        if re.fullmatch(pattern, text):
            return None
        return Fault("fault-shape", text=text, text_example=example)

    return check


def place_in(labels: Collection[str]) -> Check:
    """A hex of the map, or another place by its name."""

    def check(text: str) -> Fault | None:
        return None if text in labels else Fault("fault-place", text=text)

    return check


def maybe(check: Check) -> Check:
    """The same, or nothing."""
    return lambda text: check(text) if text else None


flag = one_of("0", "1")


def column_faults(row: Mapping[str, str], columns: Columns, key: str) -> list[Fault]:
    """Everything wrong in a row, each fault with its column; `*` stands for all columns not named."""
    checks = dict.fromkeys(set(row) - {key, "source"}, columns["*"]) if "*" in columns else {}
    checks |= {name: check for name, check in columns.items() if name != "*"}
    found = ((name, check(row[name])) for name, check in sorted(checks.items()))
    return [Fault(fault.key, text_column=name, **fault.args) for name, fault in found if fault is not None]


def value_faults(values: Mapping[str, Any], ours: Mapping[str, Any], within: Path = ()) -> Iterator[tuple[Path, Fault]]:
    """Everything in a player's TOML that ours has no name for, or that is of another kind there, by its path."""
    for name, value in values.items():
        path = (*within, name)
        if name not in ours:
            yield path, Fault("fault-value-unknown", text=name, text_known=", ".join(ours))
        elif isinstance(value, dict) and isinstance(ours[name], dict):
            yield from value_faults(value, ours[name], path)
        elif name == "source":
            yield from ((path, fault) for fault in source_faults(value))
        elif not _of_one_kind(value, ours[name]):
            yield path, Fault("fault-value-kind", text=name, text_found=str(value), text_example=str(ours[name]))


def _of_one_kind(value: Any, example: Any) -> bool:
    """Whether both are words, whole numbers not below zero, or lists of one of them."""
    if isinstance(value, list) and isinstance(example, list):
        return all(_of_one_kind(each, example[0]) for each in value)
    return type(value) is type(example) and (not isinstance(value, int) or value >= 0)
