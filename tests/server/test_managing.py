"""Listing, renaming, deleting, records, restart."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from salient.kernel import Record
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


@pytest.mark.parametrize(
    ("order", "cause"),
    [
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"game": "tiny", "scenario": "huge"}, "no scenario 'huge'"),
        ({"game": "tiny", "options": {"probe": "maybe"}}, "'maybe' is not one of yes, no"),
        ({"game": "tiny", "seats": {"green": "human"}}, "no seat 'green'"),
        ({"game": "tiny", "seats": {"red": "bot:omniscient"}}, "no bot 'omniscient'"),
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
    assert copy["snapshot"]["dice"] == {"kind": "seeded", "commitment": None, "needed": []}
    assert copy["snapshot"]["view"] == client.get(f"/api/games/{game_id}").json()["view"]
    assert finish(client, copy["id"])["actor"] == "over"


GOOD_HEADER = (
    "salient-record 1\ngame: tiny\nrules: 1\ndata: none\nscenario: standard\nseats: red=human blue=human\ndice: typed\n"
)


@pytest.mark.parametrize(
    ("record", "cause"),
    [
        ("", "Line 1: a record begins with"),
        ("salient-record 9\n", "reads format 1"),
        ("salient-record 1\ngame: tiny\n", "The header has no line 'rules"),
        (GOOD_HEADER.replace("tiny", "chess"), "There is no game 'chess'"),
        (GOOD_HEADER.replace("rules: 1", "rules: 99"), "Rules version 99"),
        (GOOD_HEADER.replace("standard", "huge"), "no scenario 'huge'"),
        (GOOD_HEADER + "\n1. blue hide 9\n", "Move 1: '9' is no field"),
        (GOOD_HEADER + "\n1. red hide 2\n", "Move 1: red may not act now"),
        (GOOD_HEADER + "\n1. blue hide 2\n3. red end\n", "move 2 is missing"),
        (GOOD_HEADER + "\nrubbish\n", "neither a header"),
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
    assert "1. blue hide 2" in client.get(f"/api/games/{game_id}/record").text
    assert client.delete(f"/api/games/{game_id}").status_code == 204
