"""`salient analyse`, `salient tune value`, and the words `hint` and `plan` of the terminal game."""

from __future__ import annotations

from pathlib import Path

import pytest

import tiny
from cli.conftest import Run, refused


def lines(*typed: str) -> str:
    return "\n".join(typed) + "\n"


def test_analyse_tells_a_game_and_writes_a_page(run: Run, record_file: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    shown = run("analyse", record_file, "--out", page)
    assert shown.exit_code == 0, shown.output
    assert "at the start" in shown.stdout
    assert "by luck" in shown.stdout
    assert "<polyline" in page.read_text(encoding="utf-8")


def test_analyse_speaks_the_readers_language(run: Run, record_file: Path) -> None:
    assert "durch Glück" in run("analyse", record_file, "--lang", "de").stdout


def test_analyse_refuses_what_is_no_record(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Sir", encoding="utf-8")
    assert "A record begins with" in refused(run("analyse", file))


def test_analyse_refuses_a_record_that_does_not_replay(run: Run, record_file: Path) -> None:
    record_file.write_text(record_file.read_text().replace("3. red move r2 2", "3. red move r1 2"))
    assert refused(run("analyse", record_file)).startswith("Move 3: move r1 2: ")


def test_tune_value_plays_fits_and_goes_on(run: Run, tmp_path: Path) -> None:
    """Twenty games are played once; the second time they are there."""
    words = ("tune", "value", "tiny", "--games", 20, "--level", "random", "--records", tmp_path, "--out", "tiny.toml")
    assert "20 games" in run(*words).stdout
    (folder,) = (tmp_path / "tiny").iterdir()
    assert len(list(folder.glob("*.salient"))) == 20
    (folder / "0.salient").unlink()
    assert "20 games" in run(*words).stdout
    assert "[coefficients]" in Path("tiny.toml").read_text(encoding="utf-8")


def test_tune_value_fits_games_of_several_levels_together(run: Run, tmp_path: Path) -> None:
    """Games of other players are kept beside the first ones; two levels swap seats from game to game."""
    words = ("tune", "value", "tiny", "--records", tmp_path, "--out", "tiny.toml")
    run(*words, "--games", 20, "--level", "random")
    assert "24 games" in run(*words, "--games", 4, "--level", "random,greedy@50").stdout
    folders = sorted((tmp_path / "tiny").iterdir())
    assert [len(list(folder.glob("*.salient"))) for folder in folders] == [20, 4]
    headers = [(folders[1] / f"{i}.salient").read_text(encoding="utf-8") for i in (0, 1)]
    assert headers[0].index("random") < headers[0].index("greedy@50")
    assert headers[1].index("greedy@50") < headers[1].index("random")


def test_tune_value_wants_enough_games(run: Run, tmp_path: Path) -> None:
    words = ("tune", "value", "tiny", "--games", 3, "--level", "random", "--records", tmp_path)
    assert "3 games are too few" in refused(run(*words))


def test_tune_guide_tests_what_it_found_and_goes_on(run: Run, tmp_path: Path) -> None:
    """Equal captains of a game of luck: nothing is proved, nothing is written, and the journal is not played again."""
    words = ("tune", "guide", "tiny", "--rounds", 2, "--pairs", 1, "--most", 2, "--records", tmp_path)
    assert "Nothing is written" in run(*words).stdout
    journal = tmp_path / "tiny-guide-1.jsonl"
    before = journal.read_text()
    assert len(before.splitlines()) == 4
    assert "4 games" in run(*words).stdout
    assert journal.read_text() == before


def test_a_level_takes_a_file_of_weights(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    words = ("sim", "target-arnhem", "--bots", f"captain+{file},random", "--games", 1)
    assert "There is no file of weights" in refused(run(*words))
    file.write_text('[allied]\ncourage = {value = 1.0, range = [0.0, 3.0], source = "house"}\n')
    assert "mine.toml, line 2: there is no feature “courage” to weigh" in refused(run(*words))


def test_hint_and_plan_in_the_terminal(run: Run) -> None:
    shown = run("play", "tiny", "--seat", "blue", "--bot", "random", "--seed", 1, typed=lines("hint", "plan", "quit"))
    assert "hide" in shown.stdout
    assert "The computer has no plan to tell." in shown.stdout


def test_a_hint_is_marked_in_the_saved_record(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "asked.salient"
    run("play", "tiny", typed=lines("hint", "hide 2", f"save {file}", "quit"))
    assert "1. blue hide 2 ; hint\n" in file.read_text(encoding="utf-8")


def test_a_judge_that_fails_does_not_end_the_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> float:
        raise ZeroDivisionError("no such number")

    monkeypatch.setattr(tiny.GAME.judge, "evaluate", fail)
    shown = run("play", "tiny", "--seat", "red", "--bot", "greedy", "--seed", 1, typed=lines("quit"))
    told = " ".join(shown.output.split())  # lines are folded at the window's width
    assert "could not decide (ZeroDivisionError: no such number) and plays the first action that is legal" in told
    assert "Traceback" not in shown.output
