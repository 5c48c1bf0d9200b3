"""Every route, tried by who has no business there: nothing is shown, nothing is changed, nothing fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from server.people import ORIGIN, PASSWORD, Browser, meet, public

LINK = {"number": 1, "link": "0" * 64, "against": "0" * 64}
BODIES: dict[str, Any] = {
    "/api/games/{game_id}/actions": {"seen": 1, "action": "end"},
    "/api/games/{game_id}/undo": {"seen": 1},
    "/api/games/{game_id}/reset": {"seen": 1},
    "/api/games/{game_id}/redo": {"seen": 1},
    "/api/games/{game_id}/hint": {"seen": 1},
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
OPEN = {  # to strangers; every other route asks who you are
    ("POST", "/api/people/register"),
    ("POST", "/api/people/sign-in"),
    ("POST", "/api/people/sign-out"),
    ("POST", "/api/people/forgot"),
    ("POST", "/api/people/reset"),
    ("POST", "/api/people/confirm"),
    ("GET", "/api/people/{name}"),
    ("GET", "/api/about"),
    ("GET", "/api/library"),
    ("GET", "/api/library/{game}/components"),
    ("GET", "/api/library/{game}/catalog"),
    ("GET", "/api/library/{game}/tables"),
    ("GET", "/api/library/{game}/hexes"),
    ("GET", "/api/library/{game}/map"),
    ("GET", "/api/library/{game}/map.png"),
    ("GET", "/api/games"),
    ("POST", "/api/games"),
    ("POST", "/api/games/import"),
    ("GET", "/api/puzzles"),
    ("GET", "/api/puzzles/{name}"),
    ("GET", "/api/puzzles/{name}/board.svg"),
    ("POST", "/api/puzzles/{name}/answers"),
    ("GET", "/api/health"),
    ("GET", "/api/ready"),
    ("GET", "/metrics"),
}
HARMLESS = tuple(f"/api/games/{{game_id}}/{what}" for what in ("note", "hide", "advice", "analysis"))  # one's own


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


def test_a_spectator_a_suspended_player_and_a_reading_key_change_nothing(server: TestClient) -> None:
    """Looking is open, every change is refused, and no secret is in any answer."""
    ann, ben, eve = (Browser(server, name) for name in ("Ann", "Ben", "Eve"))
    game_id = meet(ann, ben)
    ann.play(game_id, "hide 3")
    key = ben.post("/api/people/me/keys", {"name": "reader", "scopes": ["read"]}).json()["key"]
    reading = {"Authorization": f"Bearer {key}"}
    server.app.state.accounts.change(server.app.state.accounts.by_name("Ben").id, suspended_until=9e12)  # type: ignore[attr-defined]
    table = server.app.state.table  # type: ignore[attr-defined]
    before = table.store.version(game_id)
    for who, headers in ((eve, {}), (ben, {}), (Browser(server), reading)):
        for method, pattern in game_routes(server):
            answer = ask(who, method, pattern, game_id, **headers)
            assert answer.status_code < 500, (method, pattern, answer.text[:200])
            assert "hide 3" not in answer.text
            assert '"trap"' not in answer.text
            if method != "GET" and pattern not in HARMLESS and not pattern.endswith("/previews"):
                assert answer.status_code >= 400, (method, pattern)
    assert table.store.version(game_id) == before


PLAYERS_OWN = tuple(f"/api/games/{{game_id}}/{what}" for what in ("chat", "offers", "resign", "abandon"))


def test_the_other_seat_changes_nothing_and_learns_no_secret(server: TestClient) -> None:
    """Whoever has not the move tries every route, first red, then blue. What is one's own works, and is tried last."""
    ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
    game_id = meet(ann, ben)
    own = [("POST", pattern) for pattern in PLAYERS_OWN]
    assert set(own) < set(game_routes(server))
    refuse_changes(ben, server, game_id, own)
    ann.play(game_id, "hide 3")
    refuse_changes(ann, server, game_id, own)
    for method, pattern in game_routes(server):
        if method == "GET":
            assert "hide 3" not in ask(ben, method, pattern, game_id).text, pattern
    assert [ask(ann, *each, game_id).status_code for each in own] == [204, 200, 200, 409]  # it is over by then
    assert ben.get(f"/api/games/{game_id}").json()["result"]["winner"] == "red"


def refuse_changes(who: Browser, server: TestClient, game_id: str, own: list[tuple[str, str]]) -> None:
    """All routes but somebody's own refuse to change anything."""
    table = server.app.state.table  # type: ignore[attr-defined]
    before = table.store.version(game_id)
    for method, pattern in [each for each in game_routes(server) if each not in own]:
        answer = ask(who, method, pattern, game_id)
        assert answer.status_code < 500, (method, pattern, answer.text[:200])
        if method != "GET" and pattern not in HARMLESS:
            assert answer.status_code in (403, 404, 409, 422), (method, pattern, answer.status_code)
    assert table.store.version(game_id) == before


def test_a_stolen_invitation_and_a_token_of_before_open_nothing(tmp_path: Path, registered_tiny: str) -> None:
    """An invitation is no token, works once, and who lost the seat has lost it: on every route."""
    with public(tmp_path) as server:
        ann = Browser(server)
        started = ann.post("/api/games", {"game": "tiny"}).json()
        path, owner = f"/api/games/{started['id']}", {"X-Salient-Token": started["token"]}

        def invited() -> str:
            return str(ann.post(f"{path}/invitations", {"seat": "red"}, **owner).json()["invitation"])

        void, stolen = invited(), invited()
        assert ann.post(f"{path}/join", {"invitation": void}).status_code == 403
        refuse_everything(server, started["id"], void, stolen)
        guest = ann.post(f"{path}/join", {"invitation": stolen}).json()["token"]
        assert ann.post(f"{path}/join", {"invitation": stolen}).status_code == 403
        refuse_everything(server, started["id"], void, stolen)
        assert ann.get(path, **{"X-Salient-Token": guest}).status_code == 200
        ann.post(f"{path}/resign", **{"X-Salient-Token": guest})
        assert ann.ask("PATCH", path, {"seats": {"red": "human"}}, **owner).status_code == 200
        refuse_everything(server, started["id"], guest)


def refuse_everything(server: TestClient, game_id: str, *tokens: str) -> None:
    """No route of a game answers who has only these."""
    for token in tokens:
        for method, pattern in game_routes(server):
            answer = ask(Browser(server), method, pattern, game_id, **{"X-Salient-Token": token})
            assert answer.status_code in (401, 403, 404), (method, pattern, answer.status_code, answer.text[:200])


def guarded(client: TestClient) -> list[tuple[str, str]]:
    """Every route that is not about one game and not open to all."""
    return [each for each in all_routes(client) if "{game_id}" not in each[1] and each not in OPEN]


def test_who_has_not_signed_in_reaches_no_route_but_those_that_are_open(server: TestClient) -> None:
    """A new route must be named here or ask who comes; a void session and a void key are nobody's."""
    ann = Browser(server, "Ann")
    old = Browser(server)
    old.cookies = dict(ann.cookies)
    ann.post("/api/people/sign-out")
    assert len(guarded(server)) >= 18
    for method, pattern in guarded(server):
        assert ask(Browser(server), method, pattern, "").status_code == 401, (method, pattern)
        assert ask(old, method, pattern, "").status_code == 401, (method, pattern)
        assert ask(Browser(server), method, pattern, "", Authorization="Bearer void").status_code == 403, pattern


def test_a_suspended_person_a_reading_key_and_a_foreign_page_change_nothing(server: TestClient) -> None:
    """Every route that changes something refuses them before it looks at what they want."""
    ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
    key = ben.post("/api/people/me/keys", {"name": "reader", "scopes": ["read"]}).json()["key"]
    accounts = server.app.state.accounts  # type: ignore[attr-defined]
    accounts.change(accounts.by_name("Ann").id, suspended_until=9e12)
    refused = [
        (ann, {}),
        (Browser(server), {"Authorization": f"Bearer {key}"}),
        (ben, {"Origin": "https://evil.example"}),
    ]
    for method, pattern in guarded(server):
        for who, headers in refused if method != "GET" else []:
            assert ask(who, method, pattern, "", **headers).status_code == 403, (method, pattern, headers)


def test_a_program_reaches_no_part_of_the_account(server: TestClient) -> None:
    """A key that may play reads who it is, and no more: neither keys nor passwords nor the data of the person."""
    ann = Browser(server, "Ann")
    key = ann.post("/api/people/me/keys", {"name": "player"}).json()["key"]
    for method, pattern in guarded(server):
        if pattern.startswith("/api/people/me") and (method, pattern) != ("GET", "/api/people/me"):
            answer = ask(Browser(server), method, pattern, "", Authorization=f"Bearer {key}")
            assert answer.status_code == 403, (method, pattern)


def test_sockets_are_for_who_may_look_from_the_servers_own_pages(server: TestClient) -> None:
    """A foreign page, a stranger, a stolen cookie that was signed out: no socket tells anything."""
    ann, ben, eve = (Browser(server, name) for name in ("Ann", "Ben", "Eve"))
    game_id = meet(ann, ben, watch=False)
    old = dict(ben.cookies)
    ben.post("/api/people/sign-out")
    for path in (f"/api/games/{game_id}/socket", "/api/notices/socket"):
        for cookies in (eve.cookies if "games" in path else {}, old, {}):
            cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
            headers = {"Host": "127.0.0.1:8044", "Origin": ORIGIN, "Cookie": cookie}
            with server.websocket_connect(path, headers=headers) as link:
                link.send_json({})
                assert link.receive_json()["type"] == "error"
        cookie = "; ".join(f"{name}={value}" for name, value in ann.cookies.items())
        for origin in ("https://evil.example", "null", "http://127.0.0.1:9", "http://["):
            foreign = {"Host": "127.0.0.1:8044", "Origin": origin, "Cookie": cookie}
            with pytest.raises(WebSocketDisconnect), server.websocket_connect(path, headers=foreign) as link:
                link.receive_json()


DIGITS = "9" * 5000
ODD = (DIGITS, f"-{DIGITS}", f"[{DIGITS}]", f'{{"x": {DIGITS}}}', "1e400", "NaN", '"\\ud800"', '"\\u0000"', "null")


def test_no_body_however_odd_makes_a_route_fail(server: TestClient) -> None:
    """Numbers of 5,000 digits and other odd values in every field of every body, and bodies that are none."""
    ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
    game_id = meet(ann, ben)
    schema = server.get("/api/openapi.json").json()
    tried = 0
    for method, pattern in all_routes(server):
        operation = schema["paths"][pattern][method.lower()]
        if "requestBody" not in operation:
            continue
        reference = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        fields = schema["components"]["schemas"][reference.rsplit("/", 1)[1]]["properties"]
        rest = {name: json.dumps(value) for name, value in BODIES.get(pattern, {}).items()}
        bodies = [rest | {name: odd} for name in fields for odd in ODD]
        texts = ["{" + ", ".join(f'"{name}": {value}' for name, value in body.items()) + "}" for body in bodies]
        for text in (*texts, DIGITS, "[" * 30_000, '{"a":' * 20_000, "", "\x00"):
            answer = ask_raw(ann, method, pattern, game_id, text)
            tried += 1
            assert answer.status_code < 500, (method, pattern, text[:80], answer.text[:200])
    assert tried > 500


def ask_raw(who: Browser, method: str, pattern: str, game_id: str, text: str) -> Any:
    path = pattern
    for name, value in (VALUES | {"game_id": game_id}).items():
        path = path.replace(f"{{{name}}}", value)
    cookie = "; ".join(f"{name}={value}" for name, value in who.cookies.items())
    headers = {"Origin": ORIGIN, "Cookie": cookie, "Content-Type": "application/json"}
    who.server.cookies.clear()
    return who.server.request(method, path, content=text, headers=headers)


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
