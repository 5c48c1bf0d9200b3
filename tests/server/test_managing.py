"""Listing, renaming, deleting, records, restart."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from salient.kernel import Record
from salient.server.matches import new_id
from server.tabletop import finish, play, serve, start


def test_games_are_listed_renamed_and_deleted(client: TestClient) -> None:
    """The latest change comes first; a deleted game is gone."""
    first, second = start(client, name="A")["id"], start(client, name="B")["id"]
    play(client, first, "hide 2")
    assert [line["name"] for line in client.get("/api/games").json()] == ["A", "B"]
    assert client.patch(f"/api/games/{second}", json={"name": "C"}).json()["name"] == "C"
    assert client.delete(f"/api/games/{first}").status_code == 204
    assert [line["name"] for line in client.get("/api/games").json()] == ["C"]
    assert client.get(f"/api/games/{first}").status_code == 404


def test_the_id_of_a_game_is_no_option_of_a_command_line() -> None:
    """`salient admin end-game -dX` would be told that there is no such option."""
    assert all(new_id()[0].isalnum() for _ in range(300))


@pytest.mark.parametrize(
    ("order", "cause"),
    [
        ({"game": "chess"}, "There is no game “chess”"),
        ({"game": "tiny", "scenario": "huge"}, "no scenario “huge”"),
        ({"game": "tiny", "options": {"probe": "maybe"}}, "“maybe” is not one of yes and no"),
        ({"game": "tiny", "seats": {"green": "human"}}, "no seat “green”"),
        ({"game": "tiny", "seats": {"red": "bot:omniscient"}}, "no computer player “omniscient”"),
        ({"game": "tiny", "seats": {"red": "link"}}, "seats.red"),
        ({"game": "tiny", "pace": -1}, "pace"),
        ({"game": "tiny", "colour": "red"}, "colour"),
    ],
)
def test_a_game_that_cannot_be_started_is_refused_with_the_cause(
    client: TestClient, order: dict[str, object], cause: str
) -> None:
    """422 with a sentence that names what is wrong; nothing is kept."""
    response = client.post("/api/games", json=order)
    assert response.status_code == 422
    assert cause in response.json()["message"]
    assert client.get("/api/games").json() == []


def test_a_restarted_server_goes_on_where_it_stopped(tmp_path: Path, registered_tiny: str) -> None:
    """Position, redo list and dice are the same after a restart."""
    with serve(tmp_path) as client:
        game_id = start(client)["id"]
        seen = play(client, game_id, "hide 2", "move r1 2", "move r2 2")["seen"]
        client.post(f"/api/games/{game_id}/undo", json={"seen": seen})
        before = client.get(f"/api/games/{game_id}").json()
    with serve(tmp_path) as client:
        assert client.get(f"/api/games/{game_id}").json() == before
        assert client.post(f"/api/games/{game_id}/redo", json={"seen": before["seen"]}).json()["ply"] == 3
        finish(client, game_id)
        assert client.get(f"/api/games/{game_id}/verify").json()["ok"] is True


def test_a_finished_record_goes_out_and_comes_in_with_its_proof(client: TestClient) -> None:
    """The exported text verifies by itself, is imported, and verifies again."""
    game_id = start(client, name="Ärger / Test")["id"]
    finish(client, game_id)
    response = client.get(f"/api/games/{game_id}/record")
    assert 'filename="rger---Test.salient"' in response.headers["content-disposition"]
    assert "secret" in Record.parse(response.text).header
    copy = client.post("/api/games/import", json={"record": response.text, "name": "Copy"}).json()
    assert copy["snapshot"]["actor"] == "over"
    assert client.get(f"/api/games/{copy['id']}/verify").json()["ok"] is True


def test_an_unfinished_record_is_continued_with_new_dice(client: TestClient) -> None:
    """The server rolls on, and says that these dice cannot be proved."""
    game_id = start(client)["id"]
    play(client, game_id, "hide 2", "move r1 2", "end")
    record = client.get(f"/api/games/{game_id}/record").text
    assert "secret:" not in record
    copy = client.post("/api/games/import", json={"record": record}).json()
    assert copy["snapshot"]["dice"] == {"kind": "seeded", "commitment": None, "needed": [], "typists": []}
    assert copy["snapshot"]["view"] == client.get(f"/api/games/{game_id}").json()["view"]
    assert finish(client, copy["id"])["actor"] == "over"


GOOD_HEADER = (
    "salient-record 1\ngame: tiny\nrules: 1\ndata: none\nscenario: standard\nseats: red=human blue=human\ndice: typed\n"
)


@pytest.mark.parametrize(
    ("record", "cause"),
    [
        ("", "Line 1: A record begins with"),
        ("salient-record 9\n", "reads format 1"),
        ("salient-record 1\ngame: tiny\n", "The header has no line “rules"),
        (GOOD_HEADER.replace("tiny", "chess"), "There is no game “chess”"),
        (GOOD_HEADER.replace("rules: 1", "rules: 99"), "Rules version 99"),
        (GOOD_HEADER.replace("standard", "huge"), "no scenario “huge”"),
        (GOOD_HEADER + "\n1. blue hide 9\n", "Move 1: “9” is not a valid field"),
        (GOOD_HEADER + "\n1. red hide 2\n", "Move 1: Red cannot act now"),
        (GOOD_HEADER + "\n1. blue hide 2\n3. red end\n", "Move 2 is missing"),
        (GOOD_HEADER + "\nrubbish\n", "Neither a header"),
    ],
)
def test_a_bad_record_is_refused_with_line_or_move_and_cause(client: TestClient, record: str, cause: str) -> None:
    """Nothing is imported and nothing that was there is lost."""
    kept = start(client)["id"]
    response = client.post("/api/games/import", json={"record": record})
    assert response.status_code == 422
    assert cause in response.json()["message"]
    assert [line["id"] for line in client.get("/api/games").json()] == [kept]


def test_a_record_with_a_changed_roll_is_refused(client: TestClient) -> None:
    """The dice of a finished game are checked against its secret when it is imported."""
    game_id = start(client)["id"]
    play(client, game_id, "hide 2", "move r1 2", "end")
    finish(client, game_id)
    record = client.get(f"/api/games/{game_id}/record").text
    line = next(line for line in record.splitlines() if "chance roll" in line)
    lie = f"{line[:-1]}{int(line[-1]) % 6 + 1}"
    response = client.post("/api/games/import", json={"record": record.replace(line, lie)})
    assert response.status_code == 422
    assert "Move 4" in response.json()["message"]


def test_a_game_of_other_rules_can_still_be_saved(
    client: TestClient, crossing: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the program no longer replays a game, it says so, and the record can be downloaded."""
    game_id = start(client)["id"]
    play(client, game_id, "hide 2")
    client.app.state.table.live.clear()  # type: ignore[attr-defined]
    monkeypatch.setattr("tiny.model.HIDING_PLACES", ("3", "4"))
    refused = client.get(f"/api/games/{game_id}")
    assert (refused.status_code, refused.json()["error"]) == (409, "does-not-replay")
    (line,) = client.get("/api/games?lang=it").json()
    assert "non può riprodurre la partita" in line["broken"]
    assert "1. blue hide 2" in client.get(f"/api/games/{game_id}/record").text
    assert client.delete(f"/api/games/{game_id}").status_code == 204


DAMAGE = {
    "summary that is no JSON": "UPDATE games SET summary = '{oops' WHERE id = :id",
    "summary of another shape": "UPDATE games SET summary = '[1, 2]' WHERE id = :id",
    "stage that is none": "UPDATE games SET summary = json_set(summary, '$.stage', json('[1, 99]')) WHERE id = :id",
    "seats that are no JSON": "UPDATE games SET seats = 'x' WHERE id = :id",
    "options that are none": """UPDATE games SET options = '{"colour": "red"}' WHERE id = :id""",
    "unknown game": "UPDATE games SET game = 'chess' WHERE id = :id",
    "unknown scenario": "UPDATE games SET scenario = 'huge' WHERE id = :id",
    "secret that is none": "UPDATE games SET sealed = 'zz' WHERE id = :id",
    "action that is none": "UPDATE entries SET action = 'fly away' WHERE game_id = :id",
    "action that was another": "UPDATE entries SET action = 'hide 4' WHERE game_id = :id AND n = 0",
    "entry that is missing": "DELETE FROM entries WHERE game_id = :id AND n = 0",
    "action of another seat": "UPDATE entries SET seat = 'green' WHERE game_id = :id",
    "step back too far": "UPDATE entries SET kind = 'undo', ply = 7 WHERE game_id = :id",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_game_harms_nothing_but_itself(tmp_path: Path, registered_tiny: str, damage: str) -> None:
    """The server starts, lists it with a sentence, exports and deletes it; the other games are played on."""
    with serve(tmp_path) as client:
        bad = start(client, name="Bad", seats={"red": "bot:random"})["id"]
        play(client, bad, "hide 2")
    database = next(path for path in tmp_path.rglob("*") if path.suffix in (".db", ".sqlite"))
    with closing(sqlite3.connect(database)) as db, db:
        db.execute(DAMAGE[damage], {"id": bad})
        db.execute("UPDATE games SET summary = json_set(summary, '$.program', 'old') WHERE json_valid(summary)")
    with serve(tmp_path) as client:
        good = start(client, name="Good")["id"]
        play(client, good, "hide 3")
        opened = client.get(f"/api/games/{bad}")
        lines = {line["id"]: line for line in client.get("/api/games?lang=fr").json()}
        assert lines[good]["broken"] is None
        assert (opened.status_code == 200) == damage.startswith(("summary", "stage"))
        if opened.status_code != 200:
            assert opened.json()["error"] == "does-not-replay"
            assert "Cette version du programme" in lines[bad]["broken"]
        assert client.get(f"/api/games/{bad}/record").text.startswith("salient-record 1")
        assert client.delete(f"/api/games/{bad}").status_code == 204
        assert [line["id"] for line in client.get("/api/games").json()] == [good]
