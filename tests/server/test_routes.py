"""Every route, tried by who has no business there: nothing is shown, nothing is changed, nothing fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from server.people import PASSWORD, Browser, meet, public

LINK = {"number": 1, "link": "0" * 64}
BODIES: dict[str, Any] = {
    "/api/games/{game_id}/actions": {"seen": 1, "action": "end"},
    "/api/games/{game_id}/undo": {"seen": 1},
    "/api/games/{game_id}/reset": {"seen": 1},
    "/api/games/{game_id}/redo": {"seen": 1},
    "/api/games/{game_id}/orders": {"seen": 1, "actions": ["end"]},
    "/api/games/{game_id}/previews": {"actions": ["end"]},
    "/api/games/{game_id}/invitations": {"seat": "red"},
    "/api/games/{game_id}/join": {"invitation": "stolen"},
    "/api/games/{game_id}/offers": {"kind": "draw"},
    "/api/games/{game_id}/answers": {"kind": "draw", "yes": True},
    "/api/games/{game_id}/shares": {"show": {"active": LINK}},
    "/api/games/{game_id}/chat": {"text": "hello"},
    "/api/games/{game_id}/note": {"text": "mine"},
    "/api/games/{game_id}": {"name": "mine now"},
}
VALUES = {"game_id": "", "ply": "1", "overlay": "none", "name": "Ann", "kind": "block", "key_id": "0" * 12}
VALUES |= {"offer_id": "0" * 16, "game": "tiny"}
QUERIES = {"/api/games/{game_id}/why": "?action=end", "/api/games/{game_id}/preview": "?action=end"}
HARMLESS = ("/api/games/{game_id}/note", "/api/games/{game_id}/hide")


def game_routes(client: TestClient) -> list[tuple[str, str]]:
    """Method and pattern of every route below one game."""
    return [(method, pattern) for method, pattern in all_routes(client) if "{game_id}" in pattern]


def all_routes(client: TestClient) -> list[tuple[str, str]]:
    """Method and pattern of every route of the API."""
    schema = client.get("/api/openapi.json").json()
    return [(method.upper(), path) for path, methods in schema["paths"].items() for method in methods]


def ask(who: Browser, method: str, pattern: str, game_id: str, **headers: str) -> Any:
    path = pattern
    for name, value in (VALUES | {"game_id": game_id}).items():
        path = path.replace(f"{{{name}}}", value)
    body = BODIES.get(pattern, {}) if method in ("POST", "PATCH", "PUT") else None
    return who.ask(method, path + QUERIES.get(pattern, ""), body, **headers)


@pytest.fixture
def server(tmp_path: Path, registered_tiny: str) -> Iterator[TestClient]:
    with public(tmp_path) as client:
        yield client


def test_the_list_of_routes_is_the_applications(server: TestClient) -> None:
    """No route hides from this test: what is served is described."""
    described = set(all_routes(server))
    routes = [route for route in _flat(server.app) if isinstance(route, APIRoute)]  # type: ignore[attr-defined]
    served = {(method, route.path) for route in routes for method in route.methods}
    assert not {pair for pair in served if pair[1].startswith("/api")} - described
    assert len(game_routes(server)) >= 35


def _flat(app: Any) -> list[Any]:
    found: list[Any] = []
    for route in getattr(app, "routes", []):
        inner = getattr(route, "original_router", None) or getattr(route, "router", None)
        found += _flat(inner) if inner is not None else [route]
    return found


def test_strangers_get_nothing_of_a_private_game(server: TestClient) -> None:
    """Nobody, somebody else, with a stolen invitation, a replayed token or a void key: no route answers."""
    ann, ben, eve = (Browser(server, name) for name in ("Ann", "Ben", "Eve"))
    game_id = meet(ann, ben, watch=False)
    ann.play(game_id, "hide 3")
    table = server.app.state.table  # type: ignore[attr-defined]
    before = table.store.version(game_id)
    old = Browser(server)
    old.cookies = dict(ben.cookies)
    ben.post("/api/people/sign-out")
    strangers: list[tuple[Browser, dict[str, str]]] = [(Browser(server), {}), (eve, {}), (old, {})]
    strangers += [(Browser(server), {"X-Salient-Token": "guess"}), (Browser(server), {"Authorization": "Bearer void"})]
    for who, headers in strangers:
        for method, pattern in game_routes(server):
            answer = ask(who, method, pattern, game_id, **headers)
            allowed = (401, 403, 404) if pattern not in HARMLESS else (200, 204, 401, 403, 404)
            assert answer.status_code in allowed, (method, pattern, answer.status_code, answer.text[:200])
            assert "hide 3" not in answer.text
    assert table.store.version(game_id) == before


def test_a_spectator_and_a_suspended_player_change_nothing(server: TestClient) -> None:
    """Looking is open, every change is refused, and no secret is in any answer."""
    ann, ben, eve = (Browser(server, name) for name in ("Ann", "Ben", "Eve"))
    game_id = meet(ann, ben)
    ann.play(game_id, "hide 3")
    server.app.state.accounts.change(server.app.state.accounts.by_name("Ben").id, suspended_until=9e12)  # type: ignore[attr-defined]
    table = server.app.state.table  # type: ignore[attr-defined]
    before = table.store.version(game_id)
    for who in (eve, ben):
        for method, pattern in game_routes(server):
            answer = ask(who, method, pattern, game_id)
            assert answer.status_code < 500, (method, pattern, answer.text[:200])
            assert "hide 3" not in answer.text
            assert '"trap"' not in answer.text
            if method != "GET" and pattern not in HARMLESS and not pattern.endswith("/previews"):
                assert answer.status_code >= 400, (method, pattern)
    assert table.store.version(game_id) == before


def test_the_other_seat_cannot_act_for_the_one_to_move(server: TestClient) -> None:
    """Blue has the move; red's attempts at all that changes the position are refused."""
    ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
    game_id = meet(ann, ben)
    for what, body in (("actions", {"seen": 0, "action": "hide 2"}), ("undo", {"seen": 0}), ("reset", {"seen": 0})):
        assert ben.post(f"/api/games/{game_id}/{what}", body).status_code in (403, 409)
    assert ben.get(f"/api/games/{game_id}/why?action=hide 2").status_code == 403
    assert ann.get(f"/api/games/{game_id}").json()["ply"] == 0


def test_no_route_fails_on_nothing(server: TestClient) -> None:
    """Every route of the API, by somebody signed in, with an empty body and odd values: never a server error."""
    ann = Browser(server, "Ann")
    for method, pattern in all_routes(server):
        if pattern in ("/api/people/sign-out", "/metrics"):
            continue
        for game_id in ("no-such-game", "x"):
            answer = ask(ann, method, pattern, game_id)
            assert answer.status_code < 500, (method, pattern, answer.text[:200])
    assert ann.post("/api/people/sign-in", {"name": "Ann", "password": PASSWORD}).status_code == 200
