"""Every command: what it prints, what programs read, and one sentence for each mistake."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import Result

import tiny
from cli.conftest import Run, refused
from salient import actor, bots, load
from salient.cli import coverage
from salient.kernel import Record
from salient.kernel.engine import legal, step
from salient.lab.playouts import random_states

# ---- games, maps, rules ------------------------------------------------------------


def test_games_are_listed(run: Run) -> None:
    result = run("games")
    assert result.exit_code == 0
    for word in ("Crossing", "(tiny)", "red (Red)", "standard (Standard), 5 turns", "probe: yes, no"):
        assert word in result.stdout


def test_games_as_json(run: Run) -> None:
    games = {game["id"]: game for game in json.loads(run("games", "--json").stdout)}
    assert games["tiny"]["seats"] == ["red", "blue"]
    assert games["tiny"]["options"] == [{"id": "probe", "choices": ["yes", "no"], "rule": "3"}]


def test_a_map_is_checked_and_drawn(run: Run, tmp_path: Path) -> None:
    assert "hexes: 88" in run("map", "check", "target-arnhem").stdout
    assert json.loads(run("map", "check", "target-arnhem", "--json").stdout)["findings"] == []
    drawn = run("map", "target-arnhem", "--svg", tmp_path / "map.svg", "--layer", "grid", "--lang", "it")
    assert drawn.exit_code == 0
    assert (tmp_path / "map.svg").read_text().lstrip().startswith("<")


@pytest.mark.parametrize("game", ["target-arnhem", "bulge", "deadly-woods", "ardennes44"])
def test_every_map_is_sound_and_meets_its_control_facts(run: Run, game: str) -> None:
    report = json.loads(run("map", "check", game, "--json").stdout)
    facts = report["counts"]["control_facts"]
    assert report["findings"] == []
    assert facts["met"] == facts["stated"] >= 20


@pytest.mark.parametrize(
    ("file", "rows", "problem"),
    [
        (
            "hexsides.csv",
            "a,b,kind,name,bridge,source\n2016,2018,river,Our,,house\n",
            "overlay/hexsides.csv, line 2: hexes 2016 and 2018 do not touch.",
        ),
        (
            "hexsides.csv",
            "a,b,kind,name,bridge,source\n1535,1536,,,bridge,house\n",
            "overlay/hexsides.csv, line 2: there is a bridge (bridge) but no water under it",
        ),
        (
            "hexes.csv",
            "hex,terrain,features,source\n2016,swamp,,house\n",
            "overlay/hexes.csv, line 2: unknown terrain “swamp”: terrain.toml has no [terrain.swamp].",
        ),
        (
            "hexes.csv",
            "hex,terrain,features,source\n2016,clear,,house\n2016,forest,,house\n",
            "overlay/hexes.csv, line 3: 2016 is already on line 2: keep one of the two rows.",
        ),
    ],
    ids=["hexes-that-do-not-touch", "bridge-without-river", "unknown-terrain", "duplicate-hex"],
)
def test_an_editors_error_is_reported_with_file_line_and_cause(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, rows: str, problem: str
) -> None:
    monkeypatch.setenv("SALIENT_DATA", str(tmp_path / "own"))
    (tmp_path / "own" / "ardennes44").mkdir(parents=True)
    (tmp_path / "own" / "ardennes44" / file).write_text(rows)
    assert problem in refused(run("map", "check", "ardennes44"))


def test_a_correction_that_breaks_a_control_fact_is_found(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SALIENT_DATA", str(tmp_path / "own"))
    (tmp_path / "own" / "ardennes44").mkdir(parents=True)
    (tmp_path / "own" / "ardennes44" / "hexsides.csv").write_text(
        "a,b,kind,name,bridge,source\n2016,2115,river,Our,,house\n"
    )
    found = run("map", "check", "ardennes44")
    assert found.exit_code == 1
    said = " ".join(found.stdout.split())
    assert "E2016/2115 is the Dasburg bridge over the Our (2016/2115 unbuilt-bridge Our)." in said


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (["map", "tiny"], "no map of “tiny”"),
        (["map", "../x"], "no map of “../x”"),
        (["map", "target-arnhem"], "Name a file to draw to"),
        (["map", "show", "target-arnhem"], "salient map check GAME"),
        (["map", "target-arnhem", "--svg", "x.svg", "--layer", "moon"], "There is no map layer “moon”"),
        (["games", "--lang", "xx"], "no language “xx”"),
        (["rules", "tiny"], "There is no list of rules for Crossing"),
        (["rules", "chess"], "no game “chess”"),
    ],
)
def test_mistakes_about_the_library(run: Run, words: list[str], cause: str) -> None:
    assert cause in refused(run(*words))


RULES = """
| rule | words | module | status |
|---|---|---|---|
| 4.1 | a unit moves | `movement.py` | done |
| 4.10 | roads | movement.py | done |
| 5.3b | bombardment | combat.py | done |
"""


def test_rules_are_matched_with_tests_by_their_number(tmp_path: Path) -> None:
    (tmp_path / "test_4_movement.py").write_text(
        "def test_4_1_moves(): ...\ndef test_4_1_3_hexes(): ...\ndef test_4_10_roads(): ...\ndef test_9_2_x(): ...\n"
        "def test_5_3b_needs_supply(): ...\n"
    )
    rows = coverage.table_rows(RULES)
    assert rows[0] == ("4.1", "a unit moves", "movement.py", "done")
    assert coverage.tests_by_rule(tmp_path, {row[0] for row in rows}) == {
        "4.1": ["test_4_1_moves", "test_4_1_3_hexes"],
        "4.10": ["test_4_10_roads"],
        "9.2": ["test_9_2_x"],
        "5.3b": ["test_5_3b_needs_supply"],
    }


def test_rules_of_a_game(run: Run) -> None:
    report = json.loads(run("rules", "target-arnhem", "--json").stdout)
    assert {rule["number"] for rule in report["rules"]} >= {"3.1", "5.3", "9.1"}
    shown = run("rules", "target-arnhem").stdout
    assert f"{report['per_cent']:.0f} per cent covered" in shown


# ---- records -----------------------------------------------------------------------


def test_verify_praises_a_true_record(run: Run, record_file: Path) -> None:
    result = run("verify", record_file)
    assert result.exit_code == 0
    assert "finished, dice checked against the secret" in result.stdout


def verify_edited(run: Run, file: Path, old: str, new: str, *words: str) -> Result:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    return run("verify", file, *words)


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        ("3. red move r2 2", "3. red move r1 2", "Move 3: move r1 2: First unit has moved this turn. [2]"),
        ("3. red move r2 2", "3. red move r9 2", "Move 3: “r9” is not a valid unit. Choose r1 or r2."),
        ("3. red move", "3. blue move", "Move 3: Blue cannot act now; it is up to: Red."),
        ("3. red move r2 2\n", "", "Move 3 is missing"),
        ("game: tiny", "game: chess", "no game “chess”"),
        ("salient-record 1", "hello", "A record begins with"),
        ("secret: 00", "secret: 11", "The secret does not match the commitment"),
        ("salient-record 1", "salient-record 2\x1b[31m", "Line 1: There is a control character in it."),
        ("3. red move", "3. red \x1b]0;x\x07 move", "There is a control character in it."),
    ],
)
def test_verify_names_what_is_false(run: Run, record_file: Path, old: str, new: str, cause: str) -> None:
    result = verify_edited(run, record_file, old, new)
    assert result.exit_code == 1
    assert cause in result.stdout
    assert "\x1b" not in result.stdout


def test_verify_speaks_the_readers_language(run: Run, record_file: Path) -> None:
    result = verify_edited(run, record_file, "3. red move r2 2", "3. red move r1 2", "--lang", "fr")
    assert "Première unité a déjà bougé ce tour. [2]" in result.stdout


def test_verify_goes_on_after_a_bad_file(run: Run, record_file: Path, tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    result = run("verify", tmp_path / "missing", tmp_path / "binary", record_file, "--json")
    answers = json.loads(result.stdout)
    assert result.exit_code == 1
    assert [answer["ok"] for answer in answers] == [False, False, True]
    assert "There is no file" in answers[0]["text"]
    assert "UTF-8" in answers[1]["text"]


def test_replay_tells_the_game(run: Run, record_file: Path) -> None:
    told = run("replay", record_file, "--lang", "it").stdout
    assert "== Turno 1" in told
    assert "2. Rosso: move r1 2" in told
    assert "Prima unità muove in 2. [2]" in told
    assert "vince. [5]" in told


def test_replay_as_json_and_to_a_move(run: Run, record_file: Path) -> None:
    told = json.loads(run("replay", record_file, "--to", 2, "--json").stdout)
    assert [move["action"] for move in told] == ["hide 2", "move r1 2"]
    assert told[1]["events"][0]["text"] == "First unit moves to 2."


def test_replay_writes_a_position(run: Run, record_file: Path) -> None:
    text = run("replay", record_file, "--to", 2, "--position").stdout
    assert tiny.GAME.read_position(text).key() == list(Record.parse(record_file.read_text()).replay(tiny.GAME))[2].key()


def test_mistakes_in_replay(run: Run, record_file: Path, tmp_path: Path) -> None:
    assert "There is no file" in refused(run("replay", tmp_path / "missing"))
    assert "is a folder" in refused(run("replay", tmp_path))
    assert "give a number from 0 to" in refused(run("replay", record_file, "--to", 999))


# ---- study -------------------------------------------------------------------------


def test_perft(run: Run) -> None:
    assert "perft 3: 75" in run("perft", "tiny", "--depth", 3).stdout
    assert json.loads(run("perft", "tiny", "--depth", 2, "--divide", "--json").stdout) == {
        "game": "tiny",
        "depth": 2,
        "lines": 18,
        "divide": {"hide 2": 6, "hide 3": 6, "hide 4": 6},
    }
    assert "perft 0: 1" in run("perft", "tiny", "--depth", 0).stdout


def test_perft_of_a_position(run: Run, tmp_path: Path) -> None:
    state = step(tiny.GAME.new(), ("hide", "2"))
    (tmp_path / "position").write_text(tiny.GAME.write_position(state))
    assert (
        f"perft 1: {len(legal(state))}"
        in run("perft", "tiny", "--depth", 1, "--position", tmp_path / "position").stdout
    )


def test_fuzz_reports_and_keeps_failures(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert "5 games" in run("fuzz", "tiny", "--games", 5).stdout
    monkeypatch.setattr(tiny.Tiny, "check", lambda self, s: ["astray"] if s.at[0] == 3 else [])
    result = run("fuzz", "tiny", "--games", 20, "--json", "--out", tmp_path / "failures")
    report = json.loads(result.stdout)
    assert result.exit_code == 1
    assert report["failures"][0]["cause"] == "astray"
    assert Path(report["failures"][0]["file"]).is_file()


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """Computer players that take the first legal action."""

    def make(level: str, *_: object) -> SimpleNamespace:
        return SimpleNamespace(choose=lambda state: (legal(state)[0], []), close=lambda: None)

    monkeypatch.setattr(bots, "seated", make)


@pytest.mark.usefixtures("steady")
def test_sim_reports_rates(run: Run, tmp_path: Path) -> None:
    words = ("sim", "tiny", "--bots", "random,greedy", "--games", 6, "--swap", "--seed", 4)
    shown = run(*words, "--out", tmp_path / "sim.json").stdout
    assert "95 per cent interval" in shown
    written = json.loads((tmp_path / "sim.json").read_text())
    report = json.loads(run(*words, "--json").stdout)
    assert report["games"] == 6
    assert report["seats"] == written["seats"]
    assert report["seats"]["red"]["wins"] + report["seats"]["blue"]["wins"] == 6
    assert Record.parse(written["played"][0]["record"]).verify(tiny.GAME)


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (["sim", "tiny", "--bots", "greedy"], "Name 2 computer players, for red and blue"),
        (["sim", "tiny", "--bots", "genius,random"], "no computer player “genius”"),
        (["sim", "tiny", "--scenario", "short"], "no scenario “short”"),
        (["sim", "tiny", "--option", "fog=yes"], "no option “fog”"),
        (["sim", "tiny", "--option", "fog"], "Write an option as NAME=CHOICE"),
        (["sim", "chess"], "no game “chess”"),
        (["perft", "tiny", "--position", "missing"], "There is no file “missing”"),
        (["fuzz", "tiny", "--scenario", "short"], "no scenario “short”"),
        (["odds", "tiny", "missing", "end"], "There is no file “missing”"),
    ],
)
def test_mistakes_in_studies(run: Run, words: list[str], cause: str) -> None:
    assert cause in refused(run(*words))


def test_mistakes_in_odds(run: Run, record_file: Path) -> None:
    assert "not an action in this game" in refused(run("odds", "tiny", record_file, "fly"))
    assert "The game is over" in refused(run("odds", "tiny", record_file, "end"))
    assert "it has no odds" in refused(run("odds", "tiny", record_file, "move r1 2", "--move", 1))
    assert "from 0 to" in refused(run("odds", "tiny", record_file, "end", "--move", 999))
    assert "moved this turn" in refused(run("odds", "tiny", record_file, "move r1 2; move r1 2", "--move", 1))
    assert "Write the attack" in refused(run("odds", "tiny", record_file, ";"))


def test_odds_of_an_attack(run: Run, tmp_path: Path) -> None:
    game = load("target-arnhem")
    state = next(
        state
        for state in random_states(game, 1)
        if any(action[0] == "attack" for action in legal(state)) and actor(state) == "allied"
    )
    attack = game.write(next(action for action in legal(state) if action[0] == "attack"))
    (tmp_path / "position").write_text(game.write_position(state))
    odds = json.loads(run("odds", "target-arnhem", tmp_path / "position", attack, "--json").stdout)["odds"]
    assert sum(Fraction(outcome["probability"]) for outcome in odds["outcomes"]) == 1
    shown = run("odds", "target-arnhem", tmp_path / "position", attack, "--lang", "fr").stdout
    assert f"Attaque contre {attack.split()[1]}" in shown
    assert f"colonne {odds['column']}" in shown


# ---- benchmarks --------------------------------------------------------------------


def test_bench_with_its_smallest_settings(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    """One game, one round, one measure: each figure beside its goal."""
    assert run("bench", "--game", "bulge", "--rounds", 1, "--measure", "positions", "--json").exit_code == 0
    figures = {figure["measure"]: figure for figure in json.loads(capfd.readouterr().out)}
    assert set(figures) == {"clones", "largest", "range"}
    assert all(figure["game"] == "bulge" and figure["value"] > 0 for figure in figures.values())
    size = figures["largest"]
    assert size["met"] is (size["value"] <= size["goal"])


def test_bench_of_an_unknown_game(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("bench", "--game", "chess").exit_code == 2
    assert "invalid choice: 'chess'" in capfd.readouterr().err
