"""What the columns of a data file may hold: a check gives None, or the fault of a value."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from salient.hexes.rows import Fault

Check = Callable[[str], Fault | None]
Columns = Mapping[str, Check]


def whole(text: str) -> Fault | None:
    """A whole number, not below zero."""
    if text.isascii() and text.isdigit():
        return None
    return Fault("fault-number", text=text)


def one_of(*words: str) -> Check:
    """One of a few words."""

    def check(text: str) -> Fault | None:
        known = ", ".join(words)
        return None if text in words else Fault("fault-word", text=text, text_known=known)

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
