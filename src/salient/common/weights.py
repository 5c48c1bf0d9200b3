"""Reading what each feature of a game is worth to each side: `data/weights.toml`, a player's own file laid over it.

    [allied]
    arnhem = {value = 9.0, range = [0.0, 30.0], source = "house"}

A weight is a number within its range, by a source: `house` was set by hand, `measured` was found by games played.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from salient.hexes.rows import OVERLAY, DataError, Fault, Problem, read_text, read_toml, toml_line

FILE = "weights.toml"
SOURCES = ("house", "measured")
Weights = dict[str, dict[str, float]]  # by side and feature


def read_weights(folder: Traversable, sides: Collection[str], own: Path | None = None) -> Weights:
    """The weights by side and feature: those of our file, and a player's own in their place.

    DataError with file and line if a name or a value is wrong.
    """
    table = tomllib.loads((folder / FILE).read_text(encoding="utf-8"))
    names = dict.fromkeys(name for side in sides for name in table.get(side, {}))
    found = _read(folder / FILE, FILE, sides, names)
    problems = [
        Problem(FILE, 0, Fault("fault-weight-missing", text=name, text_side=side))
        for side in sides
        for name in names
        if name not in found.get(side, {})
    ]
    if problems:
        raise DataError(problems)
    if own and (own / FILE).is_file():
        for side, weights in _read(own / FILE, f"{OVERLAY}{FILE}", sides, names).items():
            found[side] |= weights
    return found


def read_weight_file(file: Path, sides: Collection[str], names: Collection[str]) -> Weights:
    """The weights that a file names, for trying them out: those that it leaves out stay as they are."""
    return _read(file, file.name, sides, names)


def read_ranges(file: Traversable) -> dict[str, dict[str, tuple[float, float]]]:
    """Between what each weight of a file may be tuned, by side and feature."""
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    return {
        side: {name: (float(entry["range"][0]), float(entry["range"][1])) for name, entry in entries.items()}
        for side, entries in table.items()
    }


def _read(file: Traversable, name: str, sides: Collection[str], names: Collection[str]) -> Weights:
    problems: list[Problem] = []
    text = read_text(file, name, problems) or ""
    table = read_toml(text, name, problems)
    problems += [Problem(name, toml_line(text, path), cause) for path, cause in _faults(table, sides, names)]
    if problems:
        raise DataError(problems)
    return {
        side: {feature: float(entry["value"]) for feature, entry in entries.items()} for side, entries in table.items()
    }


def _faults(
    table: Mapping[str, Any], sides: Collection[str], names: Collection[str]
) -> Iterator[tuple[tuple[str, ...], Fault]]:
    for side, entries in table.items():
        if side not in sides or not isinstance(entries, dict):
            known = ", ".join(f"[{each}]" for each in sides)
            yield (side,), Fault("fault-weight-side", text=side, text_known=known)
            continue
        for name, entry in entries.items():
            for fault in _entry_faults(name, entry, names):
                yield (side, name), fault


def _entry_faults(name: str, entry: Any, names: Collection[str]) -> Iterator[Fault]:
    if name not in names:
        known = ", ".join(get_close_matches(name, names, 3, 0.4) or sorted(names))
        yield Fault("fault-weight-unknown", text=name, text_known=known)
        return
    if not isinstance(entry, dict) or set(entry) != {"value", "range", "source"}:
        yield Fault("fault-weight-shape", text=name)
        return
    bounds = entry["range"]
    if not (isinstance(bounds, list) and len(bounds) == 2 and all(_is_number(bound) for bound in bounds)):
        yield Fault("fault-weight-range", text=name)
    elif not _is_number(entry["value"]) or not bounds[0] <= entry["value"] <= bounds[1]:
        least, most, given = f"{bounds[0]:g}", f"{bounds[1]:g}", str(entry["value"])
        yield Fault("fault-weight-value", text=name, text_given=given, text_least=least, text_most=most)
    if entry["source"] not in SOURCES:
        known = ", ".join(SOURCES)
        yield Fault("fault-source", text=str(entry["source"]), text_known=known)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
