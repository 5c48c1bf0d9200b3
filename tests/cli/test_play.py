"""The terminal game: whole games by typed notation, questions, undo, saving, dice of one's own."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import tiny
from cli.conftest import Run, refused
from salient import game_ids, load
from salient.kernel import CHANCE, Record, Roller, SeededDice, Session
from salient.lab.playouts import play_session
from salient.text.typography import typeset


def lines(*typed: str) -> str:
    return "\n".join(typed) + "\n"


def test_a_whole_game_for_two(run: Run) -> None:
    typed = lines("hide 4", "end", "end", "end", "end", "end")
    result = run("play", "tiny", typed=typed)
    assert result.exit_code == 0
    assert "Blue: Hide the trap. [1]" in result.stdout
    assert "== Turn 5" in result.stdout
    assert "Blue holds and wins. [5]" in result.stdout


def test_the_readers_language(run: Run) -> None:
    shown = run("play", "tiny", "--lang", "it", typed=lines("hide 4", "move r1 2", "?", "quit")).stdout
    assert "Prima unità muove in 2. [2]" in shown
    assert "5 azioni permesse in tutto." in shown


def test_questions(run: Run) -> None:
    typed = lines("hide 4", "?", "? r2", "?3", "? 9", "why move r1 5", "why end", "odds end", "help", "map", "quit")
    shown = run("play", "tiny", typed=typed).stdout
    assert "  move r1  2\n  move r2  2\n  probe  2 3 4\n  end\n" in shown
    assert "6 legal actions in all." in shown
    assert "No legal action mentions 9." in shown
    assert "A unit moves 1 field a turn. [2]" in shown
    assert "It is legal: End the turn." in shown
    assert "end is legal, but it is not an attack, so it has no odds." in shown
    assert "move UNIT FIELD" in shown
    assert "This game has no hex map." in shown


def test_units_show_only_what_the_seat_may_see(run: Run) -> None:
    shown = run("play", "tiny", typed=lines("hide 4", "units", "units blue", "units green", "quit")).stdout
    assert "First unit" in shown
    assert "There is no side green: red, blue." in shown


def test_the_map_as_text(run: Run) -> None:
    shown = run("play", "target-arnhem", typed=lines("map", "map 0103", "map 9999", "quit")).stdout
    assert "1601  1602  1603" in shown
    assert "There is no hex 9999 on this map." in shown


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("fly r1", "“fly” is not an action in this game"),
        ("move r9 2", "“r9” is not a valid unit. Choose r1 or r2"),
        ("move r1 9", "“9” is not a valid field"),
        ("move r1", "Write it like this: move UNIT FIELD"),
        ("move r1 5", "move r1 5: A unit moves 1 field a turn. [2]"),
        ("save", "Name a file"),
        ("load missing", "No such file"),
        ("why", "Name an action, for example: why "),
    ],
)
def test_bad_lines_are_refused_and_change_nothing(run: Run, line: str, cause: str) -> None:
    shown = run("play", "tiny", typed=lines("hide 4", line, "save after", "quit")).stdout
    assert cause in shown
    assert [move.text for move in Record.parse(Path("after").read_text()).moves] == ["hide 4"]


def test_undo_stops_at_dice(run: Run) -> None:
    shown = run("play", "tiny", "--seed", 1, typed=lines("hide 2", "move r1 2", "end", "undo", "quit")).stdout
    assert "Ambush of First unit" in shown
    assert "Nothing to undo: you cannot go back past a die roll" in shown


def test_undo_takes_back(run: Run) -> None:
    typed = lines("hide 2", "move r1 2", "undo", "move r2 2", "save game", "quit")
    assert "Undone: move r1 2." in run("play", "tiny", typed=typed).stdout
    assert [move.text for move in Record.parse(Path("game").read_text()).moves] == ["hide 2", "move r2 2"]


def test_typed_dice_are_asked_until_they_fit(run: Run) -> None:
    typed = lines("hide 2", "move r1 2", "end", "0", "seven", "7", "3", "save game", "quit")
    shown = run("play", "tiny", "--dice", "typed", typed=typed).stdout
    assert shown.count("A 6-sided die shows 1 to 6, not") == 2
    assert shown.count("Type numbers from 1 to 6") == 1
    record = Record.parse(Path("game").read_text())
    assert record.header["dice"] == "typed"
    assert record.moves[-1].text == "roll 3"


def test_a_game_is_kept_and_taken_up_with_its_dice(run: Run) -> None:
    """Leaving and coming back does not change the dice, and the finished record verifies."""
    left = run("play", "tiny", typed=lines("hide 2", "move r1 2"))
    assert "You left after move 2" in left.stdout
    finished = run("play", "tiny", "--resume", typed=lines("end", "end", "end", "end", "end"))
    assert "wins. [5]" in finished.stdout
    kept = next(Path("data").rglob("tiny.salient"))
    assert Record.parse(kept.read_text()).verify(tiny.GAME)
    assert "secret" in Record.parse(kept.read_text()).header
    assert not list(Path("data").rglob("*.secret"))


def test_save_and_load_within_a_game(run: Run) -> None:
    typed = lines("hide 2", "save monday", "move r1 2", "load monday", "save again", "quit")
    shown = run("play", "tiny", typed=typed).stdout
    assert "Loaded monday, after move 1." in shown
    assert Path("again").read_text() == Path("monday").read_text()


def test_a_game_without_its_secret_goes_on_with_other_dice(run: Run) -> None:
    run("play", "tiny", typed=lines("hide 2", "save game", "quit"))
    Path("game.secret").unlink()
    shown = run("play", "tiny", "--load", "game", typed=lines("move r1 2", "end", "quit")).stdout
    assert "new dice are used" in shown
    assert "Ambush of First unit" in shown


def test_against_a_computer(run: Run) -> None:
    shown = run(
        "play", "tiny", "--seat", "red", "--bot", "random", typed=lines("end", "end", "end", "end", "end")
    ).stdout
    assert "The trap is hidden. [1]" in shown
    assert "Hide the trap." not in shown
    assert "Blue holds and wins. [5]" in shown


def test_the_computer_gives_its_reasons(run: Run) -> None:
    shown = run(
        "play", "tiny", "--seat", "blue", "--bot", "greedy", "--seed", 1, typed=lines("reasons", "hide 4")
    ).stdout
    assert "The computer has not given any reasons." in shown
    typed = lines("zone 82abn 1104", "done", "reasons", "quit")
    words = ("--seat", "allied", "--bot", "greedy", "--option", "supply-zones=historical", "--lang", "it")
    shown = run("play", "target-arnhem", *words, typed=typed).stdout
    assert re.search(r"^  [+-][0-9.]+ [A-Z]", shown.replace("allied> ", ""), re.MULTILINE)


def test_the_computers_decision_cannot_be_taken_back(run: Run) -> None:
    shown = run("play", "tiny", "--bot", "random", typed=lines("undo", "quit")).stdout
    assert "Nothing to undo" in shown


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (["--seat", "green"], "no seat “green”: red and blue"),
        (["--bot", "genius"], "no computer player “genius”"),
        (["--dice", "loaded"], "dice “loaded”: choose verified or typed"),
        (["--scenario", "short"], "no scenario “short”"),
        (["--option", "probe=maybe"], "“maybe” is not one of yes and no"),
        (["--load", "missing"], "There is no file “missing”"),
        (["--resume"], "There is no file"),
        (["--lang", "xx"], "no language “xx”"),
    ],
)
def test_mistakes_when_starting(run: Run, words: list[str], cause: str) -> None:
    assert cause in refused(run("play", "tiny", *words))


@pytest.mark.parametrize(
    ("lang", "words", "cause"),
    [
        ("it", ["--seat", "green"], "Non c'è un posto «green»: red e blue."),
        ("fr", ["--load", "missing"], "Il n'y a pas de fichier « missing »."),
        ("fr", ["--load", "broken"], "Ligne 2 : Ni un en-tête"),
    ],
)
def test_mistakes_in_the_readers_language(run: Run, lang: str, words: list[str], cause: str) -> None:
    Path("broken").write_text("salient-record 1\nrubbish\n")
    assert " ".join(typeset(cause, lang).split()) in refused(run("play", "tiny", "--lang", lang, *words))


def test_the_record_of_another_game_is_refused(run: Run) -> None:
    run("play", "tiny", typed=lines("hide 2", "save game", "quit"))
    assert "a record of tiny, not of target-arnhem" in refused(run("play", "target-arnhem", "--load", "game"))


class NotedDice(SeededDice):
    """Seeded dice that note each face by the place in the log."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.faces: dict[int, list[str]] = {}

    def roller(self, ply: int, purpose: str) -> Roller:
        roller, noted = super().roller(ply, purpose), self.faces.setdefault(ply, [])

        class Noting:
            def die(self, sides: int) -> int:
                noted.append(str(roller.die(sides)))
                return int(noted[-1])

        return Noting()


def typed_line(text: str, faces: list[str]) -> str:
    """What a player types: the faces of all dice of a roll, or an action, such as the chit drawn."""
    return text if text.startswith("draw ") else " ".join(faces) or text


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_can_be_typed_to_its_end(run: Run, game_id: str) -> None:
    """A random game, typed action by action and die by die, ends as it did."""
    game, dice = load(game_id), NotedDice(5)
    shortest = min(game.scenarios, key=lambda scenario: scenario.turns).id
    session = Session(game, dice, shortest)
    play_session(session, seed=5)
    moves = [move.text for move in session.record().moves]
    rolls = [session.roll_number(ply) if seat == CHANCE else -1 for ply, seat in enumerate(session.actors)]
    typed = lines(*(typed_line(text, dice.faces.get(roll, [])) for text, roll in zip(moves, rolls, strict=True)))
    result = run("play", game_id, "--scenario", shortest, "--dice", "typed", typed=typed)
    kept = Record.parse(next(Path("data").rglob(f"{game_id}.salient")).read_text())
    assert [move.text for move in kept.moves] == moves
    ending = game.result(session.state)
    assert ending is not None
    assert result.stdout.rstrip().endswith(f"[{ending.rule}]")


def test_a_program_of_ones_own_plays_the_other_side(run: Run, tmp_path: Path) -> None:
    """The tiny game against a program that takes the first legal action; what it does wrong ends the game, kept."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('salient'): print('ready', flush=True)\n"
        "    if line.startswith('legal'): first = next(sys.stdin)\n"
        "    if line.startswith('go'): print('best', first, flush=True)\n"
        "    if line.startswith('quit'): break\n"
    )
    command = f"cmd:{sys.executable} {bot}"
    result = run("play", "tiny", "--seat", "red", "--bot", command, "--seed", "1", typed=lines("end", "quit"))
    assert result.exit_code == 0, result.output
    bot.write_text(bot.read_text().replace("'best', first", "'best nothing'"))
    result = run("play", "tiny", "--seat", "red", "--bot", command, "--seed", "1", typed=lines("end", "quit"))
    assert result.exit_code == 2
    assert "which is not legal here" in result.stderr
    assert list(Path("data").rglob("tiny.salient"))
