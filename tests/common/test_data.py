"""Rows and values of a player's own are laid over ours; what cannot be is named with its file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from salient.common.columns import Columns, between
from salient.common.data import read_rows, read_values
from salient.games import open_afresh
from salient.hexes.rows import DataError

TURNS: Columns = {"turns": between(1, 22)}


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Our data, three rows and a scenario, and an empty folder of the player's."""
    ours, own = tmp_path / "ours", tmp_path / "own"
    ours.mkdir()
    own.mkdir()
    (ours / "table.csv").write_text("die,result,source\n1,hit,house\n2,miss,house\n3,miss,house\n", encoding="utf-8")
    scenario = 'rule = "9"\nturns = 9\nheld = ["0101"]\nsource = "rulebook"\n[pools]\nss = 2\nwehrmacht = 0\n'
    (ours / "scenario.toml").write_text(scenario, encoding="utf-8")
    return ours, own


def results(folders: tuple[Path, Path], own: str, complete: bool = False) -> dict[str, str]:
    """The table with a player's rows."""
    (folders[1] / "table.csv").write_text(f"die,result,source\n{own}", encoding="utf-8")
    rows = read_rows(folders[0], "table.csv", "die", folders[1], complete=complete)
    return {row["die"]: row["result"] for row in rows}


def test_rows_are_replaced_added_and_taken_away(folders: tuple[Path, Path]) -> None:
    """A row taken away needs nothing but its key."""
    assert results(folders, "1,rout,house\n2,,removed\n4,hit,house\n") == {"1": "rout", "3": "miss", "4": "hit"}


def test_only_what_is_there_can_be_taken_away(folders: tuple[Path, Path]) -> None:
    """A slip in the key is told."""
    with pytest.raises(DataError, match=r"overlay/table\.csv, line 3: there is no row 7 to remove\."):
        results(folders, "1,,removed\n7,,removed\n")


@pytest.mark.parametrize("row", ["2,,removed", "4,hit,house"])
def test_a_complete_table_keeps_its_rows(folders: tuple[Path, Path], row: str) -> None:
    """A die has as many sides as before; what its rows say can be changed."""
    assert results(folders, "2,hit,house\n", complete=True)["2"] == "hit"
    with pytest.raises(DataError, match=r"overlay/table\.csv, line 2: .: no row of this table can be added"):
        results(folders, f"{row}\n", complete=True)


def test_values_are_replaced_table_by_table(folders: tuple[Path, Path]) -> None:
    """What the player does not name stays as it is."""
    (folders[1] / "scenario.toml").write_text("turns = 12\n[pools]\nss = 0\n", encoding="utf-8")
    values = read_values(folders[0], "scenario.toml", folders[1], TURNS)
    assert (values["turns"], values["rule"], values["pools"]) == (12, "9", {"ss": 0, "wehrmacht": 0})


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("turn = 9", "there is no value “turn”: give one of rule, turns, held, source, pools."),
        ("turns = 'ten'", "turns: “ten” is not of the kind of 9."),
        ("turns = -1", "turns: “-1” is not of the kind of 9."),
        ("turns = true", "turns: “True” is not of the kind of 9."),
        ("turns = 0", "turns: “0” is not a whole number from 1 to 22."),
        ("held = [1]", "held: “[1]” is not of the kind of ['0101']."),
        ("pools = 3", "pools: “3” is not of the kind of {'ss': 2, 'wehrmacht': 0}."),
        ("source = 'hearsay'", "unknown source “hearsay”"),
        ("turns = ", "the file is not valid TOML"),
    ],
)
def test_a_value_of_another_name_or_kind_is_told(folders: tuple[Path, Path], line: str, told: str) -> None:
    """One sentence with the name of the player's file."""
    (folders[1] / "scenario.toml").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_values(folders[0], "scenario.toml", folders[1], TURNS)
    assert "overlay/scenario.toml" in str(caught.value)
    assert told in str(caught.value)


def test_a_file_that_the_game_does_not_have_is_told(tmp_path: Path) -> None:
    """A misspelt name would have no effect without a word; texts and notes are not tables."""
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "en.toml").write_text("", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "unit.csv").write_text("unit\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        open_afresh("target-arnhem", tmp_path)
    assert [problem.file for problem in caught.value.problems] == ["overlay/unit.csv"]


def test_a_unit_that_the_rules_name_stays(tmp_path: Path) -> None:
    """The Poles drop on a day of their own; another unit may be left out."""
    header = "unit,name,side,pool,symbol,size,vehicle,strength,resistance,fortified,start,turn,source\n"
    (tmp_path / "units.csv").write_text(f"{header}9SS/Spindler,,,,,,,,,,,,removed\n", encoding="utf-8")
    assert "9SS/Spindler" not in open_afresh("target-arnhem", tmp_path).components()["units"]
    (tmp_path / "units.csv").write_text(f"{header}PP,,,,,,,,,,,,removed\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"units\.csv: the rules of the game name “PP”"):
        open_afresh("target-arnhem", tmp_path)
