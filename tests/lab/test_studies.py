"""Studies: files that are refused by line, runs that can be killed, tables without gaps, players that fail, reports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from salient.kernel import Record, SalientError
from salient.lab.executors import Executor, Local, Serial, executor
from salient.lab.journal import GAMES, JOURNAL, TURNS, OtherStudy
from salient.lab.report import figures, write_report
from salient.lab.runner import open_journal, run_study
from salient.lab.study import Stop, Study, StudyError, read_study
from salient.lab.trial import Row

PLAYED = """study = 1
title = "A try"
game = "target-arnhem"
games = {games}
luck = false
seed = 5
[[players]]
allied = "random"
german = "random"
"""
LATER = """[[variation]]
name = "Guards later"
rows = [{ file = "units.csv", row = "5Gds", add = { turn = 1 } }]
"""


def written(folder: Path, text: str = "", games: int = 4) -> Path:
    file = folder / "try.toml"
    file.write_text(PLAYED.format(games=games) + text)
    return file


def played(study: Study, where: Executor | None = None) -> list[Row]:
    journal = open_journal(study)
    place = where or Serial()
    try:
        return run_study(study, place, journal)
    finally:
        journal.close()
        place.close()


def games_of(rows: list[Row]) -> list[dict[str, Any]]:
    """All that must be equal wherever a game is played: everything but the time it took."""
    return [{k: v for k, v in row.items() if k != "seconds" and not k.startswith("thinking")} for row in rows]


# ---- files ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("study = 2", r"try.toml, line 1: this program reads studies of version 1 \('study = 1'\), not 2"),
        ("study = \ngame = 1", r"try.toml: Invalid value \(at line 1"),
        ('study = 1\ngame = "chess"', "line 2: There is no game 'chess'"),
        ('study = 1\ngame = "bulge"', "say how many games each cell has"),
        ('study = 1\ngame = "bulge"\ngames = 1\ncolour = 1', "line 4: a study has no 'colour'"),
        ('study = 1\ngame = "bulge"\ngames = 1\nscenarios = ["spring"]', "line 4: .* has no scenario 'spring'"),
        ('study = 1\ngame = "bulge"\ngames = 1\n[options]\nweather = "mud"', "line 5: .* has no option 'weather'"),
        ('study = 1\ngame = "bulge"\n[stop]\nseat = "red"', "line 4: .* has no seat 'red'"),
        ('study = 1\ngame = "bulge"\n[stop]\nseat = "axis"\nless = 0.7', "line 3: 0 < less < more < 1"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_its_line(tmp_path: Path, text: str, cause: str) -> None:
    file = tmp_path / "try.toml"
    file.write_text(text)
    with pytest.raises(StudyError, match=cause):
        read_study(file)


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ('{ file = "units.csv", row = "6Gds", set = { turn = 1 } }', "line 12: units.csv has no row '6Gds'"),
        ('{ file = "units.csv", row = "5Gds", set = { fuel = 1 } }', "line 12: units.csv has no column 'fuel'"),
        (
            '{ file = "fuel.csv", row = "5Gds", set = { fuel = 1 } }',
            "line 12: Target Arnhem has no data file 'fuel.csv'",
        ),
        ('{ file = "../../x.csv", row = "5Gds", set = { fuel = 1 } }', "has no data file"),
        ('{ file = "units.csv", row = "5Gds", add = { name = 1 } }', "is no number to add to"),
        ('{ file = "units.csv", where = { side = "red" }, set = { turn = 1 } }', "line 12: no row of units.csv has"),
        (
            '{ file = "units.csv", row = "5Gds", set = { start = "9999" } }',
            "line 11: variation 'Changed' breaks the data: ",
        ),
    ],
)
def test_a_variation_that_cannot_be_is_named_with_its_line(tmp_path: Path, change: str, cause: str) -> None:
    file = written(tmp_path, f'[[variation]]\nname = "Changed"\nrows = [{change}]\n')
    with pytest.raises(StudyError, match=cause):
        read_study(file)


def test_a_player_that_is_not_there_is_named(tmp_path: Path) -> None:
    file = written(tmp_path)
    file.write_text(file.read_text().replace('german = "random"', 'german = "rommel"'))
    with pytest.raises(StudyError, match="line 9: There is no computer player 'rommel'"):
        read_study(file)


# ---- running ---------------------------------------------------------------------------


def test_tables_hold_every_game_once(tmp_path: Path) -> None:
    """Two cells of four games: same dice, other data; each game with its record, which names its data and replays."""
    study = read_study(written(tmp_path, LATER))
    rows = played(study)
    games = pq.read_table(study.folder / GAMES).to_pylist()
    assert [(row["cell"], row["index"]) for row in games] == [(cell, index) for cell in (0, 1) for index in range(4)]
    assert {row["variation"] for row in games} == {"base", "Guards later"}
    assert games[0]["data"] != games[4]["data"]
    assert games[0]["seed"] == games[4]["seed"]
    record = Record.parse(games[0]["record"])
    assert record.header["data"] == games[0]["data"]
    assert len(record.moves) == games[0]["plies"]
    turns = pq.read_table(study.folder / TURNS).to_pylist()
    assert sum(len(row["by_turn"]) for row in rows) == len(turns)
    assert turns[0]["hexes_allied"]
    assert {"pieces_german", "strength_german", "track_ss", "worth"} <= set(turns[0])


def test_a_study_goes_on_where_it_was(tmp_path: Path) -> None:
    """Killed by SIGKILL in the middle, a line cut in two: what was finished is there, nothing is there twice."""
    study = read_study(written(tmp_path, LATER, games=9))
    command = [sys.executable, "-m", "salient.cli", "study", "run", str(study.file)]
    begun = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    journal = study.folder / JOURNAL
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not journal.exists() or journal.read_text().count("\n") < 5):
        time.sleep(0.05)
    begun.kill()
    begun.wait()
    with journal.open("a") as stream:
        stream.write('{"cell": 0, "index": 8, "win')
    kept = [json.loads(line) for line in journal.read_text().splitlines()[1:-1]]
    assert 4 <= len(kept) < 18
    rows = played(study)
    assert len(rows) == 18
    lines = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
    assert lines[: len(kept)] == kept
    assert len({(row["cell"], row["index"]) for row in lines}) == len(lines) == 18
    (tmp_path / "again").mkdir()
    assert games_of(rows) == games_of(played(read_study(written(tmp_path / "again", LATER, games=9))))


def test_results_of_another_study_are_not_mixed(tmp_path: Path) -> None:
    played(read_study(written(tmp_path, games=1)))
    assert len(played(read_study(written(tmp_path, games=2)))) == 2
    file = written(tmp_path)
    file.write_text(file.read_text().replace("seed = 5", "seed = 6"))
    with pytest.raises(OtherStudy, match="another version of this study"):
        open_journal(read_study(file))
    open_journal(read_study(file), fresh=True).close()


def test_several_processes_give_the_same_games(tmp_path: Path) -> None:
    """Two processes, one of them killed while it plays: game by game as in one."""
    study = read_study(written(tmp_path, LATER, games=5))
    (tmp_path / "alone").mkdir()
    alone = played(read_study(written(tmp_path / "alone", LATER, games=5)))
    place = Local(2)
    journal = open_journal(study)
    seen = 0

    def kill_one(row: Row) -> None:
        nonlocal seen
        seen += 1
        if seen == 3:
            os.kill(next(iter(place.pool._processes)), signal.SIGKILL)

    rows = run_study(study, place, journal, kill_one)
    place.close()
    journal.close()
    assert games_of(rows) == games_of(alone)
    assert not any(row["fault"] for row in rows)


def test_a_dask_cluster_that_loses_a_worker_gives_the_same_games(tmp_path: Path) -> None:
    study = read_study(written(tmp_path, LATER, games=4))
    (tmp_path / "alone").mkdir()
    alone = played(read_study(written(tmp_path / "alone", LATER, games=4)))
    place = executor("dask", 2)
    assert place.workers == 2
    journal = open_journal(study)
    seen = 0

    def kill_one(row: Row) -> None:
        nonlocal seen
        seen += 1
        if seen == 2:
            os.kill(next(iter(place.client.run(os.getpid).values())), signal.SIGKILL)

    rows = run_study(study, place, journal, kill_one)
    place.close()
    journal.close()
    assert games_of(rows) == games_of(alone)
    assert not any(row["fault"] for row in rows)


def test_an_executor_that_is_not_there_is_named() -> None:
    with pytest.raises(SalientError, match="not on 'abacus'"):
        executor("abacus")


def test_a_sequential_test_stops_when_it_is_decided() -> None:
    stop = Stop("allied", 0.4, 0.6, 0.05, 100)
    won, lost = {"winner": "allied"}, {"winner": "german"}
    assert stop.decided([won] * 7) == 0
    assert stop.decided([won] * 30) == 8
    assert stop.decided([won, lost] * 10) == 0
    assert stop.decided([won, lost] * 60) == 100


def test_a_stopping_rule_ends_a_study(tmp_path: Path) -> None:
    """Random players: the Germans win almost always, and after a few games nothing more is played."""
    file = written(tmp_path, '[stop]\nseat = "german"\nless = 0.4\nmore = 0.6\nmost = 60\n')
    study = read_study(file)
    rows = played(study)
    assert study.stop is not None
    assert len(rows) == study.stop.decided(rows) < 60


# ---- players that fail ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("raise SystemExit(3)", "ended by itself with code 3"),
        ("__import__('time').sleep(60)", "gave no answer within 0.3 seconds"),
        ("print('best surrender', flush=True)", "answered 'surrender', which is not legal here"),
    ],
    ids=["crashes", "hangs", "answers illegally"],
)
def test_a_player_that_fails_loses_and_the_study_goes_on(tmp_path: Path, answer: str, fault: str) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('salient'): print('ready', flush=True)\n"
        "    if line.startswith('quit'): break\n"
        f"    if line.startswith('go'): {answer}\n"
    )
    file = written(tmp_path, games=2)
    text = file.read_text().replace('german = "random"', f'german = "cmd:{sys.executable} {bot}"')
    file.write_text(text.replace("seed = 5", "seed = 5\nseconds = 0.3"))
    study = read_study(file)
    rows = played(study)
    assert [row["winner"] for row in rows] == ["allied", "allied"]
    assert all(row["failed"] == "german" and fault in row["fault"] and "bot.py" in row["fault"] for row in rows)
    assert all(Record.parse(row["record"]).header["game"] == "target-arnhem" for row in rows)
    assert figures(study, rows)["cells"][0]["faults"] == 2


# ---- reports -------------------------------------------------------------------------------


def test_the_report_has_plots_and_maps_and_needs_nothing_else(tmp_path: Path) -> None:
    study = read_study(written(tmp_path, LATER, games=3))
    rows = played(study)
    page = tmp_path / "try.html"
    write_report(study, rows, page)
    text = page.read_text()
    for part in ("Who wins", "What the variations change", "Where it happened", "Guards later", 'href="#ground"'):
        assert part in text
    assert text.count("<figure>") >= 9
    assert "http://" not in text.replace("http://www.w3.org", "")
    told = figures(study, rows)
    assert [cell["games"] for cell in told["cells"]] == [3, 3]
    assert told["effects"][0]["low"] <= told["effects"][0]["change"] <= told["effects"][0]["high"]


def test_a_study_without_games_has_no_report(tmp_path: Path) -> None:
    study = read_study(written(tmp_path))
    with pytest.raises(SalientError, match="has no finished games yet"):
        write_report(study, [], tmp_path / "try.html")
