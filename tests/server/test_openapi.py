"""The OpenAPI description is true: real answers of every route are held against it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from jsonschema import Draft202012Validator

from server.people import PASSWORD, Browser, meet, public
from server.tabletop import finish, play, serve, start

NOT_JSON = {"/metrics", "/api/library/{game}/map.png", "/api/games/{game_id}/record", "/api/games/{game_id}/report"}
NOT_JSON |= {"/api/games/{game_id}/position", "/api/puzzles/{name}/board.svg"}


ABOUT_A_GAME = {"situation", "curve", "luck", "dice", "log", "replay", "why", "preview", "previews", "orders"}
ABOUT_A_GAME |= {"{overlay}", "{ply}", "openings", "advice", "presence", "components", "hexes", "map", "tables"}


class Described:
    """Looks at every answer of a server and holds it against the description."""

    def __init__(self, client: TestClient) -> None:
        self.schema = client.get("/api/openapi.json").json()
        self.seen: set[tuple[str, str]] = set()
        self.patterns = [
            (re.compile("^" + re.sub(r"\{[^}]+\}", "[^/]+", path) + "$"), path) for path in sorted(self.schema["paths"])
        ]
        self.patterns.sort(key=lambda pair: pair[1].count("{"))
        client.event_hooks = {"response": [self.check]}

    def check(self, response: Any) -> None:
        """Fail if an answer is not what is described."""
        response.read()
        path, method = response.request.url.path, response.request.method
        if not path.startswith("/api"):
            return
        pattern = next((known for shape, known in self.patterns if shape.match(path)), None)
        assert pattern, f"{path} is not described"
        described = self.schema["paths"][pattern][method.lower()]["responses"]
        status = str(response.status_code)
        assert status in described, (method, pattern, status, response.text[:200])
        content = described[status].get("content", {})
        if status.startswith("2"):
            self.seen.add((method, pattern))
        if "json" not in response.headers.get("content-type", ""):
            assert not content or pattern in NOT_JSON, (method, pattern)
            return
        schema = content["application/json"]["schema"]
        assert schema, f"{method} {pattern} is not described"
        whole = {**schema, "components": self.schema["components"]}
        errors = [
            f"{list(e.path)}: {e.message[:200]}" for e in Draft202012Validator(whole).iter_errors(response.json())
        ]
        assert not errors, (method, pattern, errors[:3])

    def missing(self) -> set[tuple[str, str]]:
        """The routes of which no successful answer was seen."""
        every = {(method.upper(), path) for path, methods in self.schema["paths"].items() for method in methods}
        return every - self.seen - {("GET", "/metrics")}


@pytest.fixture
def server(tmp_path: Path, registered_tiny: str) -> Iterator[TestClient]:
    with public(tmp_path, thinkers=0) as client:
        yield client


def people(ann: Browser, ben: Browser, eve: Browser) -> None:
    """Everything that persons do with their accounts, and with each other."""
    ann.get("/api/people/me")
    ann.ask("PATCH", "/api/people/me", {"about": "I play slowly.", "mail": False})
    ann.post("/api/people/me/keys", {"name": "mine"})
    key = ann.get("/api/people/me/keys").json()[0]["id"]
    ann.ask("DELETE", f"/api/people/me/keys/{key}")
    ann.post("/api/people/me/bots", {"name": "Annbot"})
    ann.get("/api/people/me/export")
    ann.get("/api/people/Ben")
    for method in ("PUT", "DELETE"):
        ann.ask(method, "/api/people/Eve/mute")
    ann.post("/api/people/Eve/report", {"text": "rude"})
    ann.post("/api/people/me/mail", {"mail": "ann@example.org"})
    ann.post("/api/people/forgot", {"mail": "ann@example.org"})
    accounts = ann.server.app.state.accounts  # type: ignore[attr-defined]
    me = accounts.by_name("Ann")
    code = accounts.new_code(me, "confirm", "ann@example.org")
    ann.post("/api/people/confirm", {"code": code})
    ann.post("/api/people/reset", {"code": accounts.new_code(me, "reset", "ann@example.org"), "password": PASSWORD})
    ann.post("/api/people/sign-in", {"name": "Ann", "password": PASSWORD})
    ann.post("/api/people/me/password", {"old": PASSWORD, "new": PASSWORD})
    ann.post("/api/people/sign-in", {"name": "Ann", "password": PASSWORD})
    ann.get("/api/notices")
    ann.post("/api/notices/read")
    push = {"endpoint": "https://push.example/1", "p256dh": "x" * 80, "auth": "y" * 20}
    ann.post("/api/notices/push", push)
    ben.get("/api/notices/waiting")
    eve.post("/api/people/sign-out")


def between(ann: Browser, ben: Browser) -> None:
    """Two games between persons: offers, talk, shares, the end, a rematch."""
    made = ann.post("/api/room", {"game": "tiny", "dice": "verified"})
    assert made.json() == {"game": None}
    ann.ask("DELETE", f"/api/room/{ann.get('/api/room').json()[0]['id']}")
    game_id = meet(ann, ben, dice="shared", timeout="claim")
    path = f"/api/games/{game_id}"
    ann.post(f"{path}/shares", {"commit": {"active": "0" * 64, "passive": "1" * 64}})
    ann.post(f"{path}/chat", {"text": "hello"})
    ben.get(f"{path}/chat")
    ben.ask("PUT", f"{path}/note", {"text": "mine"})
    ben.get(f"{path}/note")
    for kind in ("draw", "pause"):
        ann.post(f"{path}/offers", {"kind": kind})
        ben.post(f"{path}/answers", {"kind": kind, "yes": kind == "pause"})
    ann.post(f"{path}/resume")
    ann.post(f"{path}/claim")
    ann.post(f"{path}/resign")
    ann.get(f"{path}/verify")
    ann.post(f"{path}/hide")
    second = meet(ann, ben)
    ben.post(f"/api/games/{second}/abandon")
    running = meet(ann, ben)
    store = ann.server.app.state.table.store  # type: ignore[attr-defined]
    row = store.game(running)
    store.change(running, terms={**(row.terms or {}), "timeout": "claim"}, deadline=1.0)
    ben.post(f"/api/games/{running}/claim")
    ann.post(f"{path}/rematch")


def test_every_answer_of_a_public_server_is_as_described(server: TestClient) -> None:
    """Persons, the waiting room, the referee, notices."""
    described = Described(server)
    ann, ben, eve = (Browser(server, name) for name in ("Ann", "Ben", "Eve"))
    people(ann, ben, eve)
    between(ann, ben)
    eve.post("/api/people/sign-in", {"name": "Eve", "password": PASSWORD})
    eve.ask("DELETE", "/api/people/me", {"password": PASSWORD})
    online = ("/api/people", "/api/room", "/api/notices")
    assert {pair for pair in described.missing() if pair[1].startswith(online)} == set()
    of_games = {f"/api/games/{{game_id}}/{word}" for word in ("resign", "abandon", "offers", "answers", "resume")}
    of_games |= {f"/api/games/{{game_id}}/{word}" for word in ("claim", "shares", "rematch", "hide", "chat", "note")}
    assert {pair for pair in described.missing() if pair[1] in of_games} == set()


@pytest.mark.parametrize("game", ["target-arnhem", "bulge", "deadly-woods", "ardennes44"])
def test_every_answer_about_a_game_is_as_described(tmp_path: Path, game: str) -> None:
    """Some random play of each game, and every way to look at it."""
    with serve(tmp_path, thinkers=0) as client:
        described = Described(client)
        path = f"/api/games/{start(client, game=game)['id']}"
        for _ in range(12):
            snapshot = client.get(path).json()
            action = snapshot["legal"][len(snapshot["legal"]) // 2]["text"]
            body, query = {"seen": snapshot["seen"], "action": action}, {"held": snapshot["mark"]}
            assert "change" in client.post(f"{path}/actions", params=query, json=body).json()
        look(client, path, game)
        client.get(f"/api/library/{game}/components")
        client.get(f"/api/library/{game}/hexes")
        client.get(f"/api/library/{game}/map")
        client.get(f"/api/library/{game}/tables")
        assert {path.rpartition("/")[2] for _, path in described.seen} >= ABOUT_A_GAME


def look(client: TestClient, path: str, game: str) -> None:
    """All that can be asked about a game."""
    present = client.get(path).json()
    action = present["legal"][0]["text"]
    client.post(f"{path}/hint", json={"seen": present["seen"]})
    overlays = client.get(f"/api/library/{game}/components").json()["overlays"]
    asked = [
        "log",
        "replay",
        "at/0",
        f"why?action={action}",
        f"preview?action={action}",
        "reasons/1",
        "rolls/1",
        "dice",
        "luck",
    ]
    asked += [
        "curve",
        "openings",
        "record",
        "position",
        "verify",
        "presence",
        "advice",
        "analysis",
        *(["situation"] if game != "tiny" else []),
    ]
    for what in [*asked, *(f"overlay/{overlay}" for overlay in overlays)]:
        client.get(f"{path}/{what}")
    seen = client.get(path).json()["seen"]
    client.post(f"{path}/previews", json={"actions": [action]})
    client.post(f"{path}/orders", json={"seen": seen, "actions": [action]})


def test_every_answer_on_ones_own_machine_is_as_described(client: TestClient) -> None:
    """The rest: library, problems, a game from start to end, taken back, changed, exported, imported, deleted."""
    described = Described(client)
    for what in ("about", "library", "health", "ready", "games", "puzzles", "puzzles/target-arnhem-attack"):
        client.get(f"/api/{what}")
    for what in ("components", "catalog", "hexes", "map", "map.png", "tables"):
        client.get(f"/api/library/target-arnhem/{what}")
    client.get("/api/puzzles/target-arnhem-attack/board.svg")
    client.post("/api/puzzles/target-arnhem-attack/answers", json={"action": "pass"})
    best = client.get("/api/puzzles/target-arnhem-attack").json()["legal"][0]["text"]
    client.post("/api/puzzles/target-arnhem-attack/answers", json={"action": best})
    game_id = start(client)["id"]
    path = f"/api/games/{game_id}"
    play(client, game_id, "hide 3", "move r1 2")
    for what in ("undo", "redo", "undo", "redo", "reset", "actions"):
        seen = client.get(path).json()["seen"]
        client.post(f"{path}/{what}", json={"seen": seen} | ({"action": "no"} if what == "actions" else {}))
    client.patch(path, json={"name": "mine"})
    look(client, path, "tiny")
    client.delete(f"{path}/advice")
    client.get(f"{path}/report")
    invited = client.post(f"{path}/invitations", json={"seat": "blue"}).json()
    finish(client, game_id)
    client.get(f"{path}/verify")
    client.get(f"{path}/analysis")
    client.delete(f"{path}/analysis")
    client.post(f"{path}/join", json={"invitation": invited["invitation"]})
    record = client.get(f"{path}/record").text
    copy = client.post("/api/games/import", json={"record": record}).json()["id"]
    client.delete(f"/api/games/{copy}")
    people_only = [
        "resign",
        "abandon",
        "offers",
        "answers",
        "resume",
        "claim",
        "shares",
        "rematch",
        "hide",
        "chat",
        "note",
        "situation",
        "{overlay}",
    ]
    assert {pair for pair in described.missing() if pair[1].rsplit("/", 1)[-1] not in people_only} == set()
