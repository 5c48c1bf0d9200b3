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
    assert "The side Axis is worth" in result.output
    result = run("explore", "bulge", folder / "tournament.results", "--depth", 2, "--json")
    told = json.loads(result.stdout)
    assert sum(line["games"] for line in told if line["level"] == 0) == 2
    result = run("explore", "bulge", folder / "tournament.results", "--moves", told[0]["action"])
    assert result.exit_code == 0
    assert "2 games." in result.output
    assert run("tournament", "bulge", "--players", "random").exit_code == 2


def test_a_problem_is_shown_and_answers_are_judged(run: Run) -> None:
    result = run("puzzle")
    assert "target-arnhem-attack" in result.output
    problem = json.loads(run("puzzle", "target-arnhem-attack", "--json").stdout)[0]
    shown = run("puzzle", "target-arnhem-attack")
    assert "What do you do?" in shown.output
    assert problem["best"][0] in shown.output
    assert "nothing is better" in run("puzzle", "target-arnhem-attack", "--answer", problem["best"][0]).output
    others = [line.split("  ")[1] for line in shown.output.splitlines() if line.startswith("  ") and "(" in line]
    wrong = next(text for text in others if text not in problem["best"])
    assert "the best is" in run("puzzle", "target-arnhem-attack", "--answer", wrong).output
    assert "%" in run("puzzle", "target-arnhem-attack", "--player", "random").output
    assert run("puzzle", "mate-in-two").exit_code == 2
