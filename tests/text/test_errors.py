"""Errors that people meet are sentences in their language."""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

import salient
from salient import load
from salient.hexes.load import load_board
from salient.hexes.rows import DataError
from salient.kernel import AnyGame, Record, ScriptedDice, SeededDice, Session, step
from salient.kernel.messages import SalientError
from salient.text import LANGUAGES, catalog, say_data_error, say_error
from salient.text.typography import typeset


def caught(call: Callable[[], object]) -> SalientError:
    with pytest.raises(SalientError) as info:
        call()
    return info.value


@pytest.mark.parametrize(
    ("text", "italian"),
    [
        ("", "Un'azione comincia con un verbo."),
        ("fly", "«fly» non è un'azione di questo gioco. Le azioni: hide, move, probe, end e roll."),
        ("move r1", "Si scrive: move UNIT FIELD."),
        ("move r9 2", "«r9» non è valido (unità): scegli r1 o r2."),
        ("move r1 9", "«9» non è valido (field): scegli 1, 2, 3, 4 o 5."),
        ("roll six", "«six» non è un numero intero."),
    ],
)
def test_unreadable_actions(crossing: AnyGame, text: str, italian: str) -> None:
    assert say_error(crossing, caught(lambda: crossing.read(text)), "it") == typeset(italian, "it")


@pytest.mark.parametrize(
    ("scenario", "options", "french"),
    [
        ("short", {}, "Le scénario « short » n'existe pas. Scénarios : standard et long."),
        ("", {"fog": "yes"}, "L'option « fog » n'existe pas. Options : probe."),
        ("", {"probe": "maybe"}, "Sonder : « maybe » n'est pas parmi yes et no."),
    ],
)
def test_unknown_choices(crossing: AnyGame, scenario: str, options: dict[str, str], french: str) -> None:
    assert say_error(crossing, caught(lambda: crossing.new(scenario, options)), "fr") == typeset(french, "fr")


def test_a_false_die(crossing: AnyGame) -> None:
    error = caught(lambda: ScriptedDice([7]).die(6))
    assert say_error(crossing, error, "it") == "Un dado a 6 facce mostra da 1 a 6, non 7."


def test_illegal_actions_carry_their_rule(crossing: AnyGame) -> None:
    state = step(crossing.new(), ("hide", "2"))
    error = caught(lambda: step(state, ("move", 0, "5")))
    assert say_error(crossing, error, "it") == "move r1 5: Un’unità muove di 1 campo per turno. [2]"


def test_the_wrong_seat(crossing: AnyGame) -> None:
    error = caught(lambda: Session(crossing, SeededDice(1)).play("red", ("end",)))
    assert say_error(crossing, error, "fr") == typeset(
        "Rouge : ce n'est pas le moment d'agir. La décision revient à : Bleu.", "fr"
    )


def test_a_divergent_record_names_its_move(crossing: AnyGame) -> None:
    session = Session(crossing, SeededDice(1))
    session.play("blue", ("hide", "2"))
    record = Record.parse(session.record().text().replace("hide 2", "hide 9"))
    error = caught(lambda: record.verify(crossing))
    assert say_error(crossing, error, "it").startswith("Mossa 1: «9» non è valido")


@pytest.mark.parametrize(
    ("text", "italian"),
    [
        ("hello", "Riga 1: Una registrazione comincia con «salient-record 1»."),
        ("salient-record 1\nrubbish", "Riga 2: Né un'intestazione, né un titolo, né una mossa numerata: «rubbish»."),
        ("salient-record 1\n2. red end", "Riga 2: Manca la mossa 1 (trovata la mossa 2)."),
        ("salient-record 1\ngame: tiny", "Nell'intestazione manca la riga «rules: …»."),
    ],
)
def test_records_that_cannot_be_read(text: str, italian: str) -> None:
    assert say_error(None, caught(lambda: Record.parse(text)), "it") == typeset(italian, "it")


@pytest.mark.parametrize(
    ("line", "french"),
    [
        ("9999 406", "Ligne 2 : "),
        ("0903 406, 406", "Ligne 2 : 406 se trouve à deux endroits."),
        ("0903 406 damage=many", "Ligne 2 : « 0903 406 damage=many » : ligne incompréhensible."),
        ("stack Lunch()", "Ligne 2 : « Lunch() » n'est pas une décision de ce jeu."),
    ],
)
def test_positions_that_cannot_be_read(line: str, french: str) -> None:
    game = load("target-arnhem")
    error = caught(lambda: game.read_position(f"position target-arnhem\n{line}"))
    assert say_error(game, error, "fr").startswith(typeset(french, "fr"))


FOLDERS = ("kernel", "common", "games", "bots", "server", "lab", "maps", "svg", "cli")


def test_every_error_has_its_sentence_in_all_languages() -> None:
    """An Unreadable names its sentence in the catalogs; the code holds none."""
    source = Path(salient.__file__).parent
    for file in (path for folder in FOLDERS for path in sorted((source / folder).rglob("*.py"))):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Unreadable":
                key = node.args[0]
                if isinstance(key, ast.Constant):
                    for lang in LANGUAGES:
                        assert key.value in catalog(None, lang)["message"], (file.name, key.value, lang)


def test_every_fault_of_data_has_its_sentence_in_all_languages() -> None:
    """A Fault names its sentence in the catalogs; the code holds none."""
    source = Path(salient.__file__).parent
    for file in (
        path for folder in ("hexes", "common", "server/editor") for path in sorted((source / folder).rglob("*.py"))
    ):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Fault":
                key = node.args[0]
                if isinstance(key, ast.Constant):
                    for lang in LANGUAGES:
                        assert key.value in catalog(None, lang)["message"], (file.name, key.value, lang)


@pytest.mark.parametrize(
    ("row", "german"),
    [
        ("2016,swamp,,house", "overlay/hexes.csv, Zeile 2: terrain: „swamp“ ist unbekannt, terrain.toml hat kein"),
        ("2016,clear,,guess", "overlay/hexes.csv, Zeile 2: unbekannte Quelle „guess“: nenne eine von rulebook"),
        ("20x6,clear,,house", "overlay/hexes.csv, Zeile 2: „20x6“ ist keine Hexfeldnummer"),
        ("2016,clear", "overlay/hexes.csv, Zeile 2: die Zeile hat 2 Felder, der Kopf 4"),
    ],
)
def test_a_map_that_cannot_be_read(tmp_path: Path, row: str, german: str) -> None:
    """A player's own map rows: every problem with file and line in his language."""
    (tmp_path / "hexes.csv").write_text(f"hex,terrain,features,source\n{row}\n", "utf-8")
    with pytest.raises(DataError) as info:
        load_board(files("salient.games.ardennes44") / "data", tmp_path)
    told = say_data_error(info.value, "de").splitlines()
    assert told[0] == "Die Daten haben 1 Fehler; berichtige die genannten Zeilen:"
    assert told[1].strip().startswith(german)
