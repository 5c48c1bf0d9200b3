"""What every row of a map must satisfy, each fault as a sentence."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from salient.hexes.board import Rows, is_water
from salient.hexes.control_facts import fact_faults
from salient.hexes.grid import Grid
from salient.hexes.rows import SOURCES, Fault, Problem, Row, name_faults, source_faults

LINE_KINDS = ("frontier",)
POINTS = re.compile(r"-?\d+,-?\d+( -?\d+,-?\d+)+")
SIZES = ("city", "town", "village", "hamlet", "region")


def row_problems(grid: Grid, rows: Rows, legend: Mapping[str, Any]) -> list[Problem]:
    """Return every fault of the rows of a map against its grid and its terrain.toml."""
    known = {row["hex"] for row in rows["hexes.csv"]}
    checker = _Checker(grid, known, {row["area"] for row in rows["areas.csv"]}, legend)
    checks = {
        "hexes.csv": checker.hex_row,
        "hexsides.csv": checker.hexside_row,
        "roads.csv": checker.road_row,
        "places.csv": checker.place_row,
        "areas.csv": checker.area_row,
        "zones.csv": checker.zone_row,
        "lines.csv": checker.line_row,
        "control.csv": checker.control_row,
    }
    problems: list[Problem] = []
    for name, check in checks.items():
        for row in rows[name]:
            causes = list(check(row))
            if row["source"] not in SOURCES:
                causes += source_faults(row["source"])
            problems += [Problem(row.file, row.line, cause) for cause in causes]
    return problems


class _Checker:
    def __init__(self, grid: Grid, known: set[str], areas: set[str], legend: Mapping[str, Any]) -> None:
        self.grid = grid
        self.known = known
        self.sound = {label for label in known if not list(self._number(label))}
        self.areas = areas
        self.legend = legend

    def hex_row(self, row: Row) -> Iterator[Fault]:
        if row["hex"] not in self.sound:
            yield from self._number(row["hex"])
        yield from self._key("terrain", row["terrain"])
        for feature in row["features"].split():
            yield from self._key("feature", feature)

    def hexside_row(self, row: Row) -> Iterator[Fault]:
        yield from self._pair(row)
        yield from self._key("hexside", row["kind"])
        entry = self.legend.get("hexside", {}).get(row["kind"], {})
        if row["bridge"] and not is_water(row["kind"], entry):
            yield Fault("fault-bridge", text=row["bridge"], text_kind=row["kind"])

    def road_row(self, row: Row) -> Iterator[Fault]:
        yield from self._pair(row)
        yield from self._key("road", row["class"])

    def place_row(self, row: Row) -> Iterator[Fault]:
        if not row["name"]:
            yield Fault("fault-place-name")
        yield from self._on_map(row["hex"])
        if row["size"] not in SIZES:
            known = ", ".join(SIZES)
            yield Fault("fault-size", text=row["size"], text_known=known)

    def area_row(self, row: Row) -> Iterator[Fault]:
        yield from name_faults(row["area"])
        if row["area"] in self.known:
            yield Fault("fault-area-hex", text=row["area"])
        for label in (row["hexes"] + " " + row["roads"]).split():
            yield from self._on_map(label)
        for area in row["areas"].split():
            if area not in self.areas:
                yield Fault("fault-area", text=area)

    def zone_row(self, row: Row) -> Iterator[Fault]:
        yield from self._key("zone", row["zone"])
        yield from self._on_map(row["hex"])

    def line_row(self, row: Row) -> Iterator[Fault]:
        if row["kind"] not in LINE_KINDS:
            yield Fault("fault-line-kind", text=row["kind"], text_known=", ".join(LINE_KINDS))
        if not POINTS.fullmatch(row["points"]):
            yield Fault("fault-line-points")

    def control_row(self, row: Row) -> Iterator[Fault]:
        yield from fact_faults(row, self.grid, self.known)

    def _number(self, label: str) -> Iterator[Fault]:
        try:
            self.grid.parse(label)
        except ValueError:
            yield Fault("fault-hex-number", text=label)

    def _on_map(self, label: str) -> Iterator[Fault]:
        if label in self.sound:
            return
        faults = list(self._number(label))
        yield from faults
        if not faults and label not in self.known:
            yield Fault("fault-hex", text=label)

    def _pair(self, row: Row) -> Iterator[Fault]:
        a, b = row["a"], row["b"]
        faults = [*self._on_map(a), *self._on_map(b)]
        yield from faults
        if faults:
            return
        if a >= b:
            yield Fault("fault-order", text=a, text_b=b)
        if not self.grid.adjacent(a, b):
            yield Fault("fault-touch", text=a, text_b=b)

    def _key(self, section: str, key: str) -> Iterator[Fault]:
        if key not in self.legend.get(section, {}):
            yield Fault("fault-key", text=key, text_section=section)
