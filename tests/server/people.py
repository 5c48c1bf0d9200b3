"""What the tests of people share: a public server, and persons at browsers of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from server.tabletop import serve

ORIGIN = "http://127.0.0.1:8044"
PASSWORD = "correct horse"


def public(data: Path, **settings: Any) -> TestClient:
    """A server for strangers."""
    from salient.server.limits import Allowance

    often = "100000/second"
    generous = Allowance(often, often, often, often, often, often)
    values = {"public": True, "address": "https://play.example", "allowance": generous, "hosts": ("testserver",)}
    return serve(data, **(values | settings))


class Browser:
    """A browser of one person."""

    def __init__(self, server: TestClient, name: str = "") -> None:
        self.server = server
        self.cookies: dict[str, str] = {}
        self.name = name
        if name:
            answer = self.post("/api/people/register", {"name": name, "password": PASSWORD})
            assert answer.status_code == 201, answer.text

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """One request with this browser's cookies."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"Origin": ORIGIN, **({"Cookie": cookie} if cookie else {}), **headers}
        self.server.cookies.clear()
        answer = self.server.request(method, path, json=body, headers=sent)
        for name, value in answer.cookies.items():
            self.cookies[name] = value
        self.server.cookies.clear()
        return answer

    def get(self, path: str, **headers: str) -> Any:
        """Read."""
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        """Change."""
        return self.ask("POST", path, body if body is not None else {}, **headers)

    def play(self, game_id: str, action: str) -> Any:
        """Submit an action."""
        seen = self.get(f"/api/games/{game_id}").json()["seen"]
        return self.post(f"/api/games/{game_id}/actions", {"seen": seen, "action": action})


def meet(one: Browser, two: Browser, **offer: Any) -> str:
    """A game between two persons, who met in the waiting room; the first plays blue."""
    made = one.post("/api/room", {"game": "tiny", "seat": "blue", "dice": "verified", **offer})
    assert made.status_code == 201, made.text
    (found,) = [each for each in two.get("/api/room").json() if each["by"] == one.name]
    joined = two.post(f"/api/room/{found['id']}/join")
    assert joined.status_code == 200, joined.text
    return str(joined.json()["game"])
