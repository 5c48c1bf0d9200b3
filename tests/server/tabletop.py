"""What the server's tests share: a client at home, moves, and patience."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from salient.server import Settings, create_app
from server.thinking import register_tiny

HOME = ("127.0.0.1", 50000)


def serve(data: Path, **settings: Any) -> TestClient:
    """A server over `data`, asked from its own machine."""
    app = create_app(Settings(data, **{"worker_setup": register_tiny, **settings}))
    return TestClient(app, base_url="http://127.0.0.1:8044", client=HOME, raise_server_exceptions=False)


def start(client: TestClient, **order: Any) -> dict[str, Any]:
    """A new tiny game: the whole answer."""
    response = client.post("/api/games", json={"game": "tiny", **order})
    assert response.status_code == 201, response.text
    answer: dict[str, Any] = response.json()
    return answer


def play(client: TestClient, game_id: str, *actions: str, headers: dict[str, str] | None = None) -> dict[str, Any]:
    """Submit actions one after the other; the last update."""
    update: dict[str, Any] = {}
    seen = client.get(f"/api/games/{game_id}", headers=headers).json()["seen"]
    for action in actions:
        response = client.post(f"/api/games/{game_id}/actions", json={"seen": seen, "action": action}, headers=headers)
        assert response.status_code == 200, response.text
        update = response.json()
        seen = update["seen"]
    return update


def heard(socket: Any, kind: str = "update") -> dict[str, Any]:
    """The next message of a kind that a socket brings; others in between are passed over."""
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message["type"] == kind:
            return message


def finish(client: TestClient, game_id: str) -> dict[str, Any]:
    """Play a game to its end, as its only player; the last snapshot."""
    snapshot: dict[str, Any] = client.get(f"/api/games/{game_id}").json()
    while snapshot["actor"] != "over":
        snapshot = play(client, game_id, snapshot["legal"][0]["text"])["snapshot"]
    return snapshot


def eventually(condition: Callable[[], Any], seconds: float = 20.0) -> Any:
    """What `condition` gives once it gives something true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError("it did not happen in time")
