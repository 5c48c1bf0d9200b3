"""Rows and values of a player's own are laid over ours; what cannot be is named with its file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from salient.common.columns import Columns, between
from salient.common.data import Reader, data_folder
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
    with Reader(*folders) as files:
        rows = files.rows("table.csv", "die", complete=complete)
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
    with Reader(*folders) as files:
        values = files.values("scenario.toml", TURNS)
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
    with pytest.raises(DataError) as caught, Reader(*folders) as files:
        files.values("scenario.toml", TURNS)
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
    """The Poles drop on a day of their own; another unit may be left out. The line that takes them away is named."""
    header = "unit,name,side,pool,symbol,size,vehicle,strength,resistance,fortified,start,turn,source\n"
    (tmp_path / "units.csv").write_text(f"{header}9SS/Spindler,,,,,,,,,,,,removed\n", encoding="utf-8")
    assert "9SS/Spindler" not in open_afresh("target-arnhem", tmp_path).components()["units"]
    (tmp_path / "units.csv").write_text(f"{header}PP,,,,,,,,,,,,removed\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"overlay/units\.csv, line 2: the rules of the game name “PP”"):
        open_afresh("target-arnhem", tmp_path)


def test_all_that_the_rules_name_is_told_at_once(tmp_path: Path) -> None:
    """Two units with rules of their own are taken away: each with its line, and the third row is no fault."""
    ours = Path(str(data_folder("salient.games.ardennes44"))) / "units.csv"
    head = ours.read_text(encoding="utf-8").splitlines()[0]
    gone = [
        ",".join({"unit": unit, "source": "removed"}.get(name, "") for name in head.split(","))
        for unit in ("653PzJ", "28/630", "VdH")
    ]
    (tmp_path / "units.csv").write_text("\n".join((head, *gone)), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        open_afresh("ardennes44", tmp_path)
    assert [(problem.file, problem.line, problem.cause.args["text"]) for problem in caught.value.problems] == [
        ("overlay/units.csv", 2, "653PzJ"),
        ("overlay/units.csv", 4, "VdH"),
    ]


BROKEN = {  # by file: what a player wrote
    "hexes.csv": "hex,terrain,features,source\n0103,swamp,,house\n01x3,clear,,house\n",
    "units.csv": "unit,name,side,pool,symbol,size,vehicle,strength,resistance,fortified,start,turn,source\n"
    "PP,Poles,allied,1abn,parachute,brigade,0,many,4,0,drop,3,house\n"
    "504,,british,1abn,,,0,4,0,0,9999,3,house\n"
    "pp,,allied,1abn,,,0,4,4,0,drop,3,house\n"
    "the 504,,allied,1abn,,,0,4,4,0,drop,3,house\n",
    "tables/combat.csv": "{head}\n7{cells},house\n",
    "scenarios/historical.toml": "first_impulse_extra_actions = 2\n\nturns = 'ten'\n",
    "weights.toml": "[german]\nlosses = {value = 99.0, range = [0.0, 30.0], source = 'house'}\n",
    "unit.csv": "unit\n",
}


def test_everything_that_is_wrong_in_all_files_is_told_at_once(tmp_path: Path) -> None:
    """Map, counters, tables, scenario, weights and a file of another name: file and line of each fault.

    Where a map is not sound nobody is told that a place is missing: it may be in the row that could not be read.
    """
    table = Path(str(data_folder("salient.games.target_arnhem"))) / "tables/combat.csv"
    head = table.read_text(encoding="utf-8").splitlines()[0]
    for name, text in BROKEN.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        filled = text.replace("{head}", head).replace("{cells}", ",0/1" * (head.count(",") - 1))
        (tmp_path / name).write_text(filled, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        open_afresh("target-arnhem", tmp_path)
    told = [
        (problem.file.removeprefix("overlay/"), problem.line, problem.cause.key) for problem in caught.value.problems
    ]
    assert sorted(told) == [
        ("hexes.csv", 2, "fault-key"),
        ("hexes.csv", 3, "fault-hex-number"),
        ("scenarios/historical.toml", 3, "fault-between"),
        ("scenarios/historical.toml", 3, "fault-value-kind"),
        ("tables/combat.csv", 2, "fault-complete"),
        ("unit.csv", 0, "fault-stray"),
        ("units.csv", 2, "fault-number"),
        ("units.csv", 3, "fault-between"),
        ("units.csv", 3, "fault-word"),
        ("units.csv", 4, "fault-alike"),
        ("units.csv", 5, "fault-name"),
        ("weights.toml", 2, "fault-weight-value"),
    ]


@pytest.mark.parametrize(
    ("line", "number", "told"),
    [
        ("[terrain.swamp]\nlook = 'marsh'\nsource = 'house'\ngloss = 'x'", 1, "terrain.swamp.infantry"),
        ("[terrain.woods]\ninfantry = 'two'", 2, "terrain.woods.infantry"),
        ("[hexside.minor-river]\ninfantry = 'al'", 2, "hexside.minor-river.infantry"),
        ("[movement.bridge]\n# nothing\nmotorized = true", 3, "movement.bridge.motorized"),
        ("movement = 1", 1, "movement"),
    ],
)
def test_a_legend_that_the_rules_cannot_read_is_told(tmp_path: Path, line: str, number: int, told: str) -> None:
    """What steps cost in The Deadly Woods stands in the legend of its map."""
    (tmp_path / "terrain.toml").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        open_afresh("deadly-woods", tmp_path)
    (problem,) = caught.value.problems
    assert (problem.file, problem.line, problem.cause.args["text"]) == ("overlay/terrain.toml", number, told)


def test_of_many_names_the_nearest_are_told(tmp_path: Path) -> None:
    """A battalion with a slip of the pen: three of hundreds, not all."""
    (tmp_path / "scenarios").mkdir()
    ours = Path(str(data_folder("salient.games.ardennes44"))) / "scenarios/patton.csv"
    head = ours.read_text(encoding="utf-8").splitlines()[0]
    row = ",".join({"unit": "28/109/33", "source": "house"}.get(name, "") for name in head.split(","))
    (tmp_path / "scenarios/patton.csv").write_text(f"{head}\n{row}\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        open_afresh("ardennes44", tmp_path)
    told = next(problem for problem in caught.value.problems if "unit" in str(problem.cause.args["text_column"]))
    assert "28/109/3, " in str(told)
    assert str(told).count(",") == 4
