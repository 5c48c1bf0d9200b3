"""Studies: files that are refused by line, runs that can be killed, tables without gaps, players that fail, reports."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from html import unescape
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
from salient.text import LANGUAGES, say_error

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
        ("study = 2", r"try.toml, line 1: this program reads studies of version 1 \(“study = 1”\), not 2"),
        ("study = \ngame = 1", r"try.toml, line 1: this is not TOML: Invalid value"),
        ('study = 1\ngame = "chess"', "line 2: There is no game “chess”"),
        ('study = 1\ngame = "bulge"', "say how many games each cell has"),
        ('study = 1\ngame = "bulge"\ngames = 1\ncolour = 1', "line 4: there is no “colour” here"),
        ('study = 1\ngame = "bulge"\ngames = 1\nscenarios = ["spring"]', "line 4: .*no scenario “spring”"),
        ('study = 1\ngame = "bulge"\ngames = 1\n[options]\nweather = "mud"', "line 5: .*no option “weather”"),
        ('study = 1\ngame = "bulge"\n[stop]\nseat = "red"', "line 4: .*no seat “red”"),
        ('study = 1\ngame = "bulge"\n[stop]\nseat = "axis"\nless = 0.7', "line 3: 0 < less < more < 1"),
        ('study = 1\ngame = "bulge"\ngames = "many"', "line 3: “games” must be a whole number, not 'many'"),
        ('study = 1\ngame = "bulge"\ngames = 2.5', "line 3: “games” must be a whole number, not 2.5"),
        ('study = 1\ngame = "bulge"\ngames = 1\nluck = "no"', "line 4: “luck” must be true or false, not 'no'"),
        ('study = 1\ngame = "bulge"\ngames = 1\nseconds = "x"', "line 4: “seconds” must be a number"),
        ('study = 1\ngame = "bulge"\ngames = 1\nscenarios = "x"', "line 4: “scenarios” must be a list"),
        ('study = 1\ngame = "bulge"\ngames = 1\noptions = 3', "line 4: “options” must be a table"),
        ('study = 1\ngame = "bulge"\ngames = 1\nvariation = 3', "line 4: “variation” must be a list of tables"),
        ('study = 1\ngame = "bulge"\n[stop]\nseat = "axis"\nless = "x"', "line 5: “less” must be a number"),
        ('study = 1\ngame = "bulge"\ngames = 1\n[[players]]\naxis = 3\nallied = "random"', "line 5: .* player “3”"),
        ('study = 1\ngame = "bulge"\ngames = 1\n[[players]]\nred = "random"', "line 5: name one player for each"),
        ('study = 1\ngame = "bulge"\ngames = 1\n[[variation]]\nname = "base"', "line 5: every variation has a name"),
        ('study = 1\ngame = "bulge"\ngames = 1\n[[variation]]', "line 4: every variation has a name"),
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
        ('{ file = "units.csv", row = "6Gds", set = { turn = 1 } }', "line 12: units.csv has no row “6Gds”"),
        ('{ file = "units.csv", row = "5Gds", set = { fuel = 1 } }', "line 12: units.csv has no column “fuel”"),
        (
            '{ file = "fuel.csv", row = "5Gds", set = { fuel = 1 } }',
            "line 12: the game has no data file “fuel.csv”",
        ),
        ('{ file = "../../x.csv", row = "5Gds", set = { fuel = 1 } }', "has no data file"),
        ('{ file = "units.csv", row = "5Gds", add = { name = 1 } }', "line 12: 1 cannot be added to “5th Guards"),
        ('{ file = "units.csv", row = "5Gds", add = { turn = "x" } }', "line 12: x cannot be added to “0”"),
        ('{ file = "units.csv", row = "5Gds", set = 3 }', "line 12: “set” must be a table"),
        (
            '{ file = "units.csv", row = "5Gds", set = { turn = "x" } }',
            "line 11: variation “Changed” breaks the data. .*\n  units.csv, 5Gds: turn: “x” is not a whole number",
        ),
        ('{ file = "units.csv", where = { side = "red" }, set = { turn = 1 } }', "line 12: no row of units.csv has"),
        (
            '{ file = "units.csv", row = "5Gds", set = { start = "9999" } }',
            "line 11: variation “Changed” breaks the data. ",
        ),
    ],
)
def test_a_variation_that_cannot_be_is_named_with_its_line(tmp_path: Path, change: str, cause: str) -> None:
    file = written(tmp_path, f'[[variation]]\nname = "Changed"\nrows = [{change}]\n')
    with pytest.raises(StudyError, match=cause):
        read_study(file)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / "try.toml"
    file.write_bytes(b"study = 1\n\xff")
    with pytest.raises(StudyError, match=r"try.toml: the file is not UTF-8 text \(byte 10\)"):
        read_study(file)


def test_what_is_wrong_is_said_in_the_readers_language(tmp_path: Path) -> None:
    change = '{ file = "units.csv", row = "5Gds", set = { turn = "x" } }'
    file = written(tmp_path, f'[[variation]]\nname = "Changed"\nrows = [{change}]\n')
    with pytest.raises(StudyError) as info:
        read_study(file)
    told = say_error(None, info.value, "it").splitlines()
    assert told[0].startswith("try.toml, riga 11: la variante «Changed» rompe i dati. ")
    assert told[1] == "  units.csv, 5Gds: turn: «x» non è un numero intero."


def test_a_damaged_line_of_results_is_named(tmp_path: Path) -> None:
    study = read_study(written(tmp_path, games=2))
    played(study)
    lines = (study.folder / JOURNAL).read_text().splitlines()
    (study.folder / JOURNAL).write_text("\n".join([lines[0], "rubbish", *lines[1:], ""]))
    with pytest.raises(StudyError, match=r"journal.jsonl, line 2: this is not the line of a game"):
        open_journal(study)


def test_a_player_that_is_not_there_is_named(tmp_path: Path) -> None:
    file = written(tmp_path)
    file.write_text(file.read_text().replace('german = "random"', 'german = "rommel"'))
    with pytest.raises(StudyError, match="line 9: There is no computer player “rommel”"):
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
    with pytest.raises(SalientError, match="“abacus” is not a valid executor"):
        executor("abacus")


def test_a_cluster_that_is_not_there_is_named() -> None:
    with pytest.raises(SalientError, match="dask://x:y:z cannot be used: ") as caught:
        executor("dask://x:y:z")
    assert say_error(None, caught.value, "de").startswith("dask://x:y:z ist nicht brauchbar: ")


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
        ("__import__('time').sleep(60)", "gave no answer within 0.3 s"),
        ("print('best surrender', flush=True)", "answered “surrender”, which is not legal here"),
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
    finding = 'finding = "It <hardly> matters."\n'
    file = written(tmp_path, LATER, games=3)
    file.write_text(finding + file.read_text())
    study = read_study(file)
    rows = played(study)
    page = tmp_path / "try.html"
    write_report(study, rows, page)
    text = page.read_text()
    for part in (
        "Who wins",
        "What the variations change",
        "Where it happened",
        "Guards later",
        'href="#ground"',
        "It &lt;hardly&gt;",
    ):
        assert part in text
    assert text.count("<figure>") >= 9
    assert "http://" not in text.replace("http://www.w3.org", "")
    told = figures(study, rows)
    assert [cell["games"] for cell in told["cells"]] == [3, 3]
    assert told["effects"][0]["low"] <= told["effects"][0]["change"] <= told["effects"][0]["high"]


def told_on(page: Path) -> set[str]:
    """What a page tells: its words, and those that its plots draw (which stand beside their outlines as comments)."""
    text = page.read_text(encoding="utf-8")
    drawn = re.findall(r"<!-- (.*?) -->", text)
    printed = re.findall(r">([^<>]+)<", re.sub(r"<!--.*?-->|<style.*?</style>", "", text, flags=re.DOTALL))
    return {unescape(each).strip() for each in (*drawn, *printed) if re.search(r"[^\W\d_]{2}", each)}


def test_the_report_is_in_the_language_of_its_reader(tmp_path: Path) -> None:
    """With luck, a variation and a fault: what stays English is the author's, or the same word in both languages."""
    study = replace(read_study(written(tmp_path, LATER, games=2)), luck=True)
    rows = [row | {"luck": 1.5, "odds": [*row["odds"], "3 dice"]} for row in played(study)]
    rows[0] |= {"fault": "It stopped.", "failed": "german"}
    told = {}
    for lang in LANGUAGES:
        page = tmp_path / f"{lang}.html"
        write_report(study, rows, page, lang)
        assert f'<html lang="{lang}">' in page.read_text(encoding="utf-8")
        told[lang] = told_on(page)
    assert {"Who wins", "won by the Germans", "Odds chosen", "3 dice", "Luck and victory", "Faults"} <= told["en"]
    assert {"Chi vince", "vinte dai Tedeschi", "Obiettivo Arnhem, 4 partite"} <= told["it"]
    assert {"Qui gagne", "gagnées par les Allemands", "Objectif Arnhem, 4 parties"} <= told["fr"]
    assert {"Wer gewinnt", "gewonnen von den Deutschen", "Ziel Arnheim, 4 Partien"} <= told["de"]
    for lang in ("it", "fr", "de"):
        assert told[lang] & told["en"] <= {study.title, "Wehrmacht", "SS", "actions"}, lang


def test_a_study_without_games_has_no_report(tmp_path: Path) -> None:
    study = read_study(written(tmp_path))
    with pytest.raises(SalientError, match="has no finished games yet") as caught:
        write_report(study, [], tmp_path / "try.html")
    assert say_error(None, caught.value, "it").startswith("try.toml non ha ancora partite finite")


# ---- the studies that are kept ----------------------------------------------------------

KEPT = Path(__file__).parents[2] / "docs" / "studies"


@pytest.mark.parametrize(
    ("game", "least"), [("target-arnhem", 200), ("bulge", 200), ("deadly-woods", 40), ("ardennes44", 40)]
)
def test_a_study_of_every_game_is_kept_with_its_finding(game: str, least: int) -> None:
    study = read_study(KEPT / f"{game}.toml", check_data=False)
    page = " ".join(unescape((KEPT / f"{game}.html").read_text("utf-8")).split())
    assert study.most * len(study.cells) >= least
    assert f"{study.most * len(study.cells)} games" in page
    assert study.finding
    assert " ".join(study.finding.split()) in page
