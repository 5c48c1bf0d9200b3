"""A player's own rows: everything wrong is named with file and line, and the other games are still there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from salient.common.columns import Columns, like, maybe, one_of, place_in, whole
from salient.common.data import Reader
from salient.games import game_of, load
from salient.games.bulge.movement import road_reach
from salient.hexes.rows import DataError
from salient.kernel import AnyGame, legal, step

HEADER = "unit,side,strength,start,values,source\n"
COLUMNS: Columns = {
    "side": one_of("allied", "german"),
    "strength": whole,
    "start": maybe(place_in({"0101"})),
    "values": like("4-5-3", r"\d-\d-\d"),
}


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Our data with one sound row, and an empty folder of the player's."""
    ours, own = tmp_path / "ours", tmp_path / "own"
    ours.mkdir()
    own.mkdir()
    (ours / "units.csv").write_text(f"{HEADER}one,allied,3,0101,4-5-3,house\n", encoding="utf-8")
    return ours, own


def problems(folders: tuple[Path, Path], text: str) -> list[str]:
    """What is said of the player's file."""
    (folders[1] / "units.csv").write_bytes(text.encode())
    with pytest.raises(DataError) as caught, Reader(*folders) as files:
        files.rows("units.csv", "unit", COLUMNS)
    return [str(problem) for problem in caught.value.problems]


def test_a_sound_row_replaces_ours(folders: tuple[Path, Path]) -> None:
    """The row with the same key counts, whatever program wrote the file."""
    (folders[1] / "units.csv").write_bytes(b"\xef\xbb\xbf" + f"{HEADER}one,german,4,,1-1-1,house\r\n".encode())
    with Reader(*folders) as files:
        (row,) = files.rows("units.csv", "unit", COLUMNS)
    assert (row["side"], row["strength"]) == ("german", "4")


def test_every_problem_is_named_at_once(folders: tuple[Path, Path]) -> None:
    """Two rows with five faults: file, line, column and what would be right."""
    text = f"{HEADER}one,axis,three,9999,4-5,house\ntwo,allied,1,,1-1-1,hearsay\n"
    assert problems(folders, text) == [
        "overlay/units.csv, line 2: side: “axis” is not known: give one of allied, german.",
        "overlay/units.csv, line 2: start: “9999” is not a place of this game.",
        "overlay/units.csv, line 2: strength: “three” is not a whole number.",
        "overlay/units.csv, line 2: values: “4-5” is not written like 4-5-3.",
        "overlay/units.csv, line 3: unknown source “hearsay”: "
        "give one of rulebook, derived, geography, history, house.",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("unit,side\none,allied\n", "line 1: the header lacks the columns source, start, strength, values."),
        (f"{HEADER}one,allied,3\n", "line 2: the row has 3 fields, the header 6: check the commas."),
        ("", "line 1: the header lacks the columns source, start, strength, unit, side, values."),
    ],
)
def test_a_file_of_another_shape(folders: tuple[Path, Path], text: str, problem: str) -> None:
    """Missing columns, missing fields, nothing at all."""
    (found,) = problems(folders, text)
    assert found.split(": ", 1)[0] == f"overlay/units.csv, {problem.split(': ', 1)[0]}"
    assert found.split(": ", 1)[1].split()[:3] == problem.split(": ", 1)[1].split()[:3]


def test_the_other_games_run_beside_bad_data(tmp_path: Path) -> None:
    """A sentence instead of a traceback; three games are listed, the fourth is explained."""
    folder = tmp_path / "ardennes44"
    folder.mkdir()
    ours = Path(__file__).parents[2] / "src/salient/games/ardennes44/data/units.csv"
    head, first, *_ = ours.read_text(encoding="utf-8").splitlines()
    (folder / "units.csv").write_text(f"{head}\n{first.replace('veteran', 'brave')}\n", encoding="utf-8")
    command = [sys.executable, "-c", "from salient.cli import app; app()", "games"]
    told = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "SALIENT_DATA": str(tmp_path), "COLUMNS": "200"}
    )
    assert "Traceback" not in told.stderr
    assert "overlay/units.csv, line 2: morale: “brave” is not known" in told.stderr
    assert [game in told.stdout for game in ("(bulge)", "(deadly-woods)", "(ardennes44)")] == [True, True, False]


def test_a_row_that_stands_twice_is_named(folders: tuple[Path, Path]) -> None:
    """Which of two rows with one key counts is not left to their order."""
    row = "one,german,4,,1-1-1,house\n"
    assert problems(folders, f"{HEADER}{row}{row}") == [
        "overlay/units.csv, line 3: one is already on line 2: keep one of the two rows."
    ]


def test_two_data_sets_of_a_game_are_played_side_by_side(tmp_path: Path) -> None:
    """A stronger Spindler in one, ours in the other; each position and record knows which it belongs to."""
    ours = load("target-arnhem")
    rows = (Path(__file__).parents[2] / "src/salient/games/target_arnhem/data/units.csv").read_text(encoding="utf-8")
    head, *units = rows.splitlines()
    (row,) = (row for row in units if row.startswith("9SS/Spindler,"))
    at = head.split(",").index("strength")
    stronger = row.split(",")
    stronger[at] = str(int(stronger[at]) + 5)
    (tmp_path / "units.csv").write_text("\n".join((head, ",".join(stronger))), encoding="utf-8")
    theirs = load("target-arnhem", tmp_path)
    first, second = ours.new(), theirs.new()
    assert [game_of(s).data is s.data for s in (first, second)] == [True, True]
    printed = [game.components()["units"]["9SS/Spindler"]["values"].split("-")[0] for game in (ours, theirs)]
    assert int(printed[1]) == int(printed[0]) + 5
    assert ours.data_hash != theirs.data_hash


def test_two_boards_of_bulge_are_played_side_by_side(tmp_path: Path) -> None:
    """One has a road less and a formation less, so that piles have other numbers: neither takes from the other."""
    (tmp_path / "roads.csv").write_text("a,b,class,name,source\n0309,0310,,,removed\n", encoding="utf-8")
    head = "formation,name,nation,chart,turn,infantry,tank,artillery,truck,source"
    (tmp_path / "reinforcements.csv").write_text(f"{head}\n12SS,,,,,,,,,removed\n", encoding="utf-8")
    ours, theirs = load("bulge"), load("bulge", tmp_path)
    assert ["axis-tank-12SS" in game.components()["units"] for game in (ours, theirs)] == [True, False]
    for game, joined in ((ours, True), (theirs, False), (ours, True)):
        ground, s = game.data.ground, game.new()
        here, there = (ground.board.index[label] for label in ("0309", "0310"))
        assert bool(road_reach(ground, 1 << here, 0, 1 << here) >> there & 1) is joined
        assert game_of(s).data is s.data
        assert game.read_position(game.write_position(s)).key() == s.key()


def test_bad_rows_of_one_folder_leave_the_game_with_ours(tmp_path: Path) -> None:
    """The error names file and line; the game as we ship it goes on in the same process."""
    (tmp_path / "units.csv").write_text("unit,side\nPP,allied\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"overlay/units\.csv, line 1"):
        load("target-arnhem", tmp_path)
    assert load("target-arnhem").new().turn == 1


def test_reaches_of_two_data_sets_are_told_apart(tmp_path: Path) -> None:
    """A faster regiment in one, ours in the other, asked in turn: nothing that was found for one serves the other."""
    folder = Path(__file__).parents[2] / "src/salient/games/deadly_woods/data"
    head, *units = (folder / "units.csv").read_text(encoding="utf-8").splitlines()
    (row,) = (row for row in units if row.startswith("12VG/27,"))
    (tmp_path / "units.csv").write_text(f"{head}\n{row.replace('6-5-3', '6-5-6')}\n", encoding="utf-8")
    at_2517 = """position deadly-woods
        turn 4 initiative 1
        2517 12VG/27 active
        stack Turn(rounds) Rounds() EndRound() Stacking(1) Movement(1,false,false) MoveUnit(1,113,false)"""
    games = [load("deadly-woods"), load("deadly-woods", tmp_path)]
    reached = [len(legal(game.read_position(at_2517))) for game in (*games, *games)]
    assert reached[0] < reached[1]
    assert reached[:2] == reached[2:]


def test_two_maps_of_ardennes_are_played_side_by_side(tmp_path: Path) -> None:
    """One lacks a road and a battalion, so that units have other numbers: neither takes from the other."""
    (tmp_path / "roads.csv").write_text("a,b,class,name,source\n0224,0323,,,removed\n", encoding="utf-8")
    rows = (Path(__file__).parents[2] / "src/salient/games/ardennes44/data/units.csv").read_text(encoding="utf-8")
    head = rows.splitlines()[0]
    gone = ",".join({"unit": "28/630", "source": "removed"}.get(name, "") for name in head.split(","))
    (tmp_path / "units.csv").write_text(f"{head}\n{gone}\n", encoding="utf-8")
    ours, theirs = load("ardennes44"), load("ardennes44", tmp_path)
    assert ["28/630" in game.components()["units"] for game in (ours, theirs)] == [True, False]
    found = [_reach_and_worth(game) for game in (ours, theirs, ours, theirs)]
    assert found[0] != found[1]
    assert found[:2] == found[2:]


@pytest.mark.parametrize(
    ("file", "row", "told"),
    [
        ("tables/combat.csv", "1-1,FF,EX,FF+1,ENG,A1/ENG,A2,house", "line 2: 6: “A2” is not known: give one of A1, "),
        (
            "tables/stands.csv",
            "d0,determined,maybe,house",
            "line 2: result: “maybe” is not known: give one of yes-ex, ",
        ),
        ("tables/terrain.csv", "clear,1,much,1,1,1,0,yes,house", "line 2: motor: “much” is not written like 1.5."),
        ("scenarios/patton.csv", "4/12/3,northwest,,,house", "line 2: hex: “northwest” is not a place of this game."),
    ],
)
def test_what_the_rules_of_ardennes_do_not_know_is_told(tmp_path: Path, file: str, row: str, told: str) -> None:
    """A slip in a table is named at once, not when it is looked up in the middle of a game."""
    ours = Path(__file__).parents[2] / "src/salient/games/ardennes44/data" / file
    (tmp_path / file).parent.mkdir()
    (tmp_path / file).write_text(f"{ours.read_text(encoding='utf-8').splitlines()[0]}\n{row}\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load("ardennes44", tmp_path)
    assert f"overlay/{file}, {told}" in str(caught.value)


def _reach_and_worth(game: AnyGame) -> tuple[list[str], dict[str, float]]:
    """Where a tank battalion may go from 0224, and what the judge says of the first position."""
    lines = "turn 4 player 1\n0224 2Pz/3/1\nstack Turn(german-movement) Movement(1,1) Select(1)"
    s = step(
        game.read_position(f"position ardennes44\n{lines}"), ("select", game.notation.kinds["unit"].read("2Pz/3/1"))
    )
    return [game.write(action) for action in legal(s)], game.judge.features(game.new(), "german")
