"""The socket: updates after every change, from where the client stopped."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from salient.server import socket as server_socket
from server.tabletop import heard, play, serve, start

HOST = {"Host": "127.0.0.1:8044"}


def connect(client: TestClient, game_id: str) -> Any:
    return client.websocket_connect(f"/api/games/{game_id}/socket", headers=HOST)


def test_each_change_is_pushed_with_its_events(client: TestClient) -> None:
    """An action by another browser arrives as typed and rendered events with ply numbers."""
    game_id = start(client)["id"]
    with connect(client, game_id) as socket:
        socket.send_json({"lang": "en", "since": None})
        first = socket.receive_json()
        assert (first["type"], first["entries"], first["snapshot"]["actor"]) == ("update", [], "blue")
        play(client, game_id, "hide 4")
        assert heard(socket)["change"]["actor"] == "red"
        play(client, game_id, "move r1 2")
        update = heard(socket)
        assert [entry["ply"] for entry in update["entries"]] == [2]
        assert update["entries"][0]["events"][0]["text"] == "First unit moves to 2."


def test_who_says_much_at_once_is_read_slowly(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty words in a moment are heard over seconds: nobody else waits for them."""
    heard_words: list[str] = []
    monkeypatch.setattr(server_socket.Line, "_note", lambda link, what: heard_words.append(what))
    with connect(client, start(client)["id"]) as socket:
        socket.send_json({})
        socket.receive_json()
        for _ in range(50):
            socket.send_json({"lang": "de"})
        time.sleep(3 * server_socket.SECONDS_BETWEEN_WORDS)
    assert 1 <= len([what for what in heard_words if what == "update"]) <= 5


def test_a_client_that_comes_again_gets_what_it_missed(client: TestClient) -> None:
    """`since` is the last `seen`: what was taken back meanwhile is cut, what is new follows."""
    game_id = start(client)["id"]
    seen = play(client, game_id, "hide 4", "move r1 2")["seen"]
    undone = client.post(f"/api/games/{game_id}/undo", json={"seen": seen}).json()
    client.post(f"/api/games/{game_id}/actions", json={"seen": undone["seen"], "action": "move r2 2"})
    with connect(client, game_id) as socket:
        socket.send_json({"since": seen})
        update = heard(socket)
    assert update["cut"] == 1
    assert [(entry["ply"], entry["action"]) for entry in update["entries"]] == [(2, "move r2 2")]


def test_seat_and_language_can_be_changed(client: TestClient) -> None:
    """A later message changes whose eyes the updates have, and their language."""
    game_id = start(client)["id"]
    with connect(client, game_id) as socket:
        socket.send_json({"seat": "red"})
        assert heard(socket)["snapshot"]["seat"] == "red"
        socket.send_json({"seat": "blue", "lang": "fr"})
        change = heard(socket)["change"]
        assert change["seat"] == "blue"
        assert change["prompt"]["text"] != "Hide the trap."


def test_a_deleted_game_says_goodbye(client: TestClient) -> None:
    """The socket is told and closed."""
    game_id = start(client)["id"]
    with connect(client, game_id) as socket:
        socket.send_json({})
        socket.receive_json()
        client.delete(f"/api/games/{game_id}")
        assert heard(socket, "gone") == {"type": "gone"}


def test_a_stranger_is_told_no(tmp_path: Path, registered_tiny: str) -> None:
    """A wrong token gets an error in words where tokens are needed."""
    with serve(tmp_path, host="0.0.0.0") as client:
        game_id = start(client)["id"]
        with connect(client, game_id) as socket:
            socket.send_json({"token": "guess"})
            assert socket.receive_json()["error"] == "not-found"


def test_a_greeting_that_is_none_closes_the_socket(client: TestClient) -> None:
    """Nonsense is not answered."""
    game_id = start(client)["id"]
    with connect(client, game_id) as socket:
        socket.send_text("hello")
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()
