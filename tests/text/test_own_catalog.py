"""A player's own catalogs: used where they can be, named by file and line where they cannot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from salient.kernel import AnyGame, Refusal
from salient.kernel.messages import Event
from salient.text import languages, name, say
from salient.text.catalog import _languages, _merged

SPANISH = """[message]
not-offered = "No es una de las opciones."
game-over = ""
no-verb = "Una acción {con un verbo."
write-it = "Escríbelo: {texto}."
no-such-sentence = "Nada."
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("SALIENT_DATA", str(tmp_path))
    _merged.cache_clear()
    _languages.cache_clear()
    (tmp_path / "text").mkdir()
    yield tmp_path
    _merged.cache_clear()


def test_a_language_of_the_players_own(own: Path, crossing: AnyGame, caplog: pytest.LogCaptureFixture) -> None:
    """What is good is used; what is not is named with its line, and English stands in its place."""
    file = own / "text" / "es.toml"
    file.write_text(SPANISH, "utf-8")
    assert languages()[-1] == "es"
    assert say(crossing, Refusal("", "not-offered"), "es") == "No es una de las opciones."
    assert say(crossing, Refusal("", "game-over"), "es") == "The game is over."
    assert say(crossing, Refusal("", "no-verb"), "es") == "An action begins with a verb."
    assert say(crossing, Event("4", "unit-lost", unit=1), "es") == "Second unit is lost."
    told = [record.getMessage().removeprefix(f"{file}, ") for record in caplog.records]
    assert told == [
        "line 3: message.game-over is not used: it is not translated",
        "line 4: message.no-verb is not used: no place begins with '{con un verbo.'",
        "line 5: message.write-it is not used: there is no {texto} to print",
        "line 6: message.no-such-sentence is not used: the program has no such sentence",
    ]


def test_words_for_one_game(own: Path, crossing: AnyGame, caplog: pytest.LogCaptureFixture) -> None:
    """`<game>/text/<lang>.toml` changes words of one game; a name without a usual form is refused."""
    folder = own / crossing.id / "text"
    folder.mkdir(parents=True)
    (folder / "it.toml").write_text('[name]\nred = { name = "Rossi" }\nblue = { the = "gli Azzurri" }\n', "utf-8")
    assert (name(crossing, "red", "it"), name(crossing, "blue", "it")) == ("Rossi", "Blu")
    assert "line 3: name.blue is not used: a name needs" in caplog.text


def test_a_file_that_is_no_toml(own: Path, crossing: AnyGame, caplog: pytest.LogCaptureFixture) -> None:
    (own / "text" / "it.toml").write_text('[message]\nnot-offered = "open\n', "utf-8")
    assert name(crossing, "red", "it") == "Rosso"
    assert "the file is not used" in caplog.text
    assert "line 2" in caplog.text
