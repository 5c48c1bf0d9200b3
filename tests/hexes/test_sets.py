"""Units and hexes are plain ints when the program runs, and apart for the type checker."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mypy import api

import salient
from salient.hexes.masks import bits, hexes_of, units_of
from salient.hexes.sets import NO_HEXES, NO_UNITS, HexSet, UnitSet

GIVEN = """
from salient.common.fields import hex_set, unit_set
from salient.common.stacks import StackState, occupied, present, standing
from salient.hexes.masks import bits
from salient.hexes.sets import HexId, HexSet, UnitId, UnitSet

class Position(StackState):
    engaged: UnitSet = unit_set()
    fired: UnitSet = unit_set()
    held: HexSet = hex_set()

def lead(unit: UnitId) -> None: ...

def main(s: Position, h: HexId) -> None:
"""
FINE = [
    "s.fired = s.engaged & s.fired | present(s)",
    "s.held |= occupied(s, 0)",
    "lead(bits(s.engaged)[0])",
    "standing(s, s.held & ~occupied(s, 1))",
    "s.engaged >> 3 & 1",
]
MIXED = [
    "s.engaged & s.held",
    "s.held = s.engaged",
    "s.held |= present(s)",
    "standing(s, s.engaged)",
    "lead(h)",
    "lead(bits(s.held)[0])",
]


def test_sets_are_plain_ints() -> None:
    assert UnitSet is int
    assert HexSet is int
    assert NO_UNITS == NO_HEXES == 0
    assert bits(units_of([3, 1])) == bits(hexes_of([1, 3])) == [1, 3]


def test_mypy_tells_units_from_hexes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets of units and of hexes are not mixed, a hex is not taken for a unit: those lines are errors, no others."""
    monkeypatch.setenv("MYPYPATH", str(Path(salient.__file__).parents[1]))
    file = tmp_path / "snippet.py"
    file.write_text(GIVEN + "".join(f"    {line}\n" for line in FINE + MIXED), encoding="utf-8")
    told, _, _ = api.run(["--strict", f"--cache-dir={tmp_path / 'cache'}", str(file)])
    lines = file.read_text(encoding="utf-8").splitlines()
    wrong = {int(number) for number in re.findall(r"snippet\.py:(\d+): error", told)}
    assert [lines[number - 1].strip() for number in sorted(wrong)] == MIXED, told
