"""Tournaments and the explorer of openings from the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cli.conftest import Run

FIRST = f"cmd:{sys.executable} {Path(__file__).parents[2] / 'examples' / 'bots' / 'first.py'}"


def test_a_tournament_and_its_openings(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    result = run("tournament", "bulge", "--players", f"random,{FIRST}", "--games", 1, "--out", folder)
    assert result.exit_code == 0, result.output
    assert "first.py" in result.output
    assert "The side axis is worth" in result.output
    result = run("explore", "bulge", folder / "tournament.results", "--depth", 2, "--json")
    told = json.loads(result.stdout)
    assert sum(line["games"] for line in told if line["level"] == 0) == 2
    result = run("explore", "bulge", folder / "tournament.results", "--moves", told[0]["action"])
    assert result.exit_code == 0
    assert "2 games." in result.output
    assert run("tournament", "bulge", "--players", "random").exit_code == 2
