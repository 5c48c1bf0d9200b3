"""docs/MAPS.md counts what the maps have."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from salient.hexes.board import Board
from salient.hexes.check import check_board
from salient.hexes.load import load_board

ROOT = Path(__file__).parents[2]
MAPS = (ROOT / "docs" / "MAPS.md").read_text(encoding="utf-8")
GAMES = {
    "Target Arnhem": "target_arnhem",
    "Battle of the Bulge": "bulge",
    "The Deadly Woods": "deadly_woods",
    "Ardennes '44": "ardennes44",
}
SOURCES = ("rulebook", "derived", "geography", "history", "house")


def board_of(game: str) -> Board:
    return load_board(ROOT / "src" / "salient" / "games" / GAMES[game] / "data")


def row_of(game: str, columns: int) -> list[str]:
    """The cells of the game's row in the table that has so many columns."""
    found = [line.strip("| ").split(" | ") for line in MAPS.splitlines() if line.startswith(f"| {game} |")]
    return next(cells for cells in found if len(cells) == columns and cells[1][0].isdigit())


@pytest.mark.parametrize("game", GAMES)
def test_rows_by_source(game: str) -> None:
    counted: Counter[str] = Counter()
    for file, sources in check_board(board_of(game)).counts.sources.items():
        counted.update(sources if file != "control.csv" else {})
    assert [int(cell.replace(",", "")) for cell in row_of(game, 6)[1:]] == [counted[source] for source in SOURCES]


@pytest.mark.parametrize("game", GAMES)
def test_control_facts_in_the_trust_table(game: str) -> None:
    facts = check_board(board_of(game)).counts.control_facts
    assert row_of(game, 5)[1] == f"{facts['met']} of {facts['stated']}"


def test_statements_and_deviations() -> None:
    rows = list(csv.DictReader((ROOT / "tests" / "maps" / "statements.csv").open(encoding="utf-8")))
    deviating = sum(bool(row["deviates"]) for row in rows)
    numbers = {9: "Nine"}
    assert f"{len(rows)} statements in `statements.csv`" in MAPS
    assert f"{numbers[deviating]} of the {len(rows)} do not hold" in MAPS


@pytest.mark.parametrize("game", ["The Deadly Woods", "Ardennes '44"])
def test_ground_of_our_own_choice(game: str) -> None:
    """ "Ground of 447 of 1,305 hexes" is ours."""
    board = board_of(game)
    own = sum(source == "house" for source in board.sources)
    stated = re.search(r"ground of ([\d,]+) of ([\d,]+) hexes", row_of(game, 5)[4])
    assert stated
    assert [int(number.replace(",", "")) for number in stated.groups()] == [own, len(board)]
