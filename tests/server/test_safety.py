"""Who may ask, and what never leaves the server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from salient.server.settings import IMPORT_LIMIT
from server.tabletop import finish, play, serve, start


@pytest.fixture
def public(tmp_path: Path, registered_tiny: str) -> Iterator[TestClient]:
    """A server that others can reach: tokens are needed."""
    with serve(tmp_path, host="0.0.0.0") as client:
        yield client


def token(value: str) -> dict[str, str]:
    return {"X-Salient-Token": value}


# ---- origin, host, size -------------------------------------------------------


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "file://"])
def test_pages_of_others_may_change_nothing(client: TestClient, origin: str) -> None:
    """An unsafe request with a foreign Origin is refused before anything sees it; so is a socket."""
    response = client.post("/api/games", json={"game": "tiny"}, headers={"Origin": origin})
    assert (response.status_code, response.json()["error"]) == (403, "forbidden")
    assert client.get("/api/games").json() == []


def test_a_foreign_socket_is_closed_at_once(client: TestClient) -> None:
    """The handshake of a page from elsewhere is refused."""
    game_id = start(client)["id"]
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(
            f"/api/games/{game_id}/socket", headers={"Origin": "http://evil.example", "Host": "127.0.0.1:8044"}
        ) as socket,
    ):
        socket.receive_json()


def test_the_own_page_may(client: TestClient) -> None:
    """The same request from the server's own page is accepted."""
    headers = {"Origin": "http://127.0.0.1:8044"}
    assert client.post("/api/games", json={"game": "tiny"}, headers=headers).status_code == 201


def test_a_name_that_is_not_the_servers_is_refused(client: TestClient) -> None:
    """A rebound domain name reaches nothing, not even the list."""
    assert client.get("/api/games", headers={"Host": "evil.example:8044"}).status_code == 403


def test_a_cross_site_request_without_origin_is_refused(client: TestClient) -> None:
    """Browsers that send no Origin say where the request comes from in Sec-Fetch-Site."""
    response = client.post("/api/games", json={"game": "tiny"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert response.status_code == 403


def test_every_answer_has_a_strict_policy(client: TestClient) -> None:
    """No inline scripts or styles, nothing from elsewhere, no frames; also on errors."""
    for path in ("/", "/api/games", "/api/games/unknown-game", "/nowhere"):
        policy = client.get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert client.get(path).headers["x-content-type-options"] == "nosniff"


def test_large_bodies_are_refused(client: TestClient) -> None:
    """Imports have a generous limit, everything else a small one; also without a stated length."""
    big = client.post("/api/games/import", json={"record": "x" * (IMPORT_LIMIT + 1)})
    assert (big.status_code, big.json()["error"]) == (413, "too-large")
    assert client.post("/api/games", json={"game": "x" * 100_000}).status_code == 413
    pieces = (b"x" * 10_000 for _ in range(20))
    unstated = client.post("/api/games", content=pieces, headers={"Content-Type": "application/json"})
    assert unstated.status_code == 413


# ---- tokens -------------------------------------------------------------------


def test_a_public_server_shows_a_game_only_to_its_tokens(public: TestClient) -> None:
    """Without the owner's token a game is not there; with it, it is."""
    game = start(public)
    assert public.get("/api/games").json() == []
    assert public.get(f"/api/games/{game['id']}").status_code == 404
    assert public.get(f"/api/games/{game['id']}", headers=token("guess")).status_code == 404
    assert public.delete(f"/api/games/{game['id']}").status_code == 404
    assert public.get(f"/api/games/{game['id']}", headers=token(game["token"])).status_code == 200
    assert [line["id"] for line in public.get("/api/games", headers=token(game["token"])).json()] == [game["id"]]


def test_a_seat_joined_by_link_is_the_guests_alone(public: TestClient) -> None:
    """The link works once; then the guest plays the seat, and the owner can neither see nor play it."""
    game = start(public)
    game_id, owner = game["id"], token(game["token"])
    invitation = public.post(f"/api/games/{game_id}/invitations", json={"seat": "blue"}, headers=owner).json()
    assert invitation["link"] == f"/#join/{game_id}/{invitation['invitation']}"
    joined = public.post(f"/api/games/{game_id}/join", json={"invitation": invitation["invitation"]}).json()
    assert joined["seat"] == "blue"
    assert public.post(f"/api/games/{game_id}/join", json={"invitation": invitation["invitation"]}).status_code == 403
    guest = token(joined["token"])
    assert public.get(f"/api/games/{game_id}?seat=blue", headers=owner).status_code == 403
    refused = public.post(f"/api/games/{game_id}/actions", json={"seen": 0, "action": "hide 2"}, headers=owner)
    assert (refused.status_code, refused.json()["error"]) == (403, "not-your-turn")
    assert play(public, game_id, "hide 2", headers=guest)["ply"] == 1
    assert public.delete(f"/api/games/{game_id}", headers=guest).status_code == 403
    assert public.patch(f"/api/games/{game_id}", json={"seats": {"blue": "human"}}, headers=owner).status_code == 409
    assert public.get(f"/api/games/{game_id}", headers=guest).status_code == 200


def test_a_typed_die_is_typed_and_taken_back_by_whose_roll_it_is(public: TestClient) -> None:
    """Red ends its move and rolls; blue, joined by link, can neither type the die nor undo it (T-73)."""
    game = start(public, dice="typed")
    path, owner = f"/api/games/{game['id']}", token(game["token"])
    invitation = public.post(f"{path}/invitations", json={"seat": "blue"}, headers=owner).json()["invitation"]
    guest = token(public.post(f"{path}/join", json={"invitation": invitation}).json()["token"])
    play(public, game["id"], "hide 2", headers=guest)
    seen = play(public, game["id"], "move r1 2", "end", headers=owner)["seen"]
    waiting = public.get(path, headers=guest).json()
    assert (waiting["yours"], waiting["dice"]["typists"]) == (False, ["red"])
    assert public.post(f"{path}/actions", json={"seen": seen, "faces": [1]}, headers=guest).status_code == 403
    rolled = play(public, game["id"], "roll 1", headers=owner)
    assert public.get(path, headers=guest).json()["undo_to"] is None
    assert public.post(f"{path}/undo", json={"seen": rolled["seen"]}, headers=guest).status_code == 409
    assert public.post(f"{path}/undo", json={"seen": rolled["seen"]}, headers=owner).status_code == 200


def test_tokens_are_not_kept_in_the_clear(public: TestClient, tmp_path: Path) -> None:
    """The database holds hashes only."""
    game = start(public)
    public.post(f"/api/games/{game['id']}/invitations", json={"seat": "red"}, headers=token(game["token"]))
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("games.sqlite*"))
    assert game["id"].encode() in kept
    assert game["token"].encode() not in kept


# ---- secrets ------------------------------------------------------------------


LOOKS = ("", "/log", "/replay", "/at/1", "/dice", "/reasons/1", "/record", "/report", "/verify")


def test_neither_the_dice_secret_nor_hidden_things_leave_before_the_end(client: TestClient) -> None:
    """Red is told neither the secret of the dice nor where blue's trap lies, by any question."""
    game_id = start(client, seats={"blue": "bot:random"})["id"]
    while client.get(f"/api/games/{game_id}").json()["actor"] != "red":
        pass
    table = client.app.state.table  # type: ignore[attr-defined]
    secret = table.store.game(game_id).secret
    with table.playing(game_id) as live:
        trap = live.session.state.trap
    for look in LOOKS:
        response = client.get(f"/api/games/{game_id}{look}")
        assert secret not in response.text
        assert f"hide {trap}" not in response.text
        assert '"trap"' not in response.text
        assert f"trap on field {trap}" not in response.text
    assert client.get(f"/api/games/{game_id}/record").status_code == 409
    assert client.get(f"/api/games/{game_id}?seat=blue").status_code == 403
    with client.websocket_connect(f"/api/games/{game_id}/socket", headers={"Host": "127.0.0.1:8044"}) as socket:
        socket.send_json({"since": 0})
        said = json.dumps(socket.receive_json())
    assert secret not in said
    assert f"hide {trap}" not in said


def test_the_owner_of_both_seats_sees_the_actor_only(client: TestClient) -> None:
    """Two at one screen: when it is red's decision, the answer has red's eyes."""
    game_id = start(client)["id"]
    update = play(client, game_id, "hide 3")
    assert update["snapshot"]["seat"] == "red"
    assert update["snapshot"]["view"]["markers"] == []
    assert update["entries"][0]["action"] is None
    assert update["entries"][0]["label"] is None
    assert client.get(f"/api/games/{game_id}?seat=blue").json()["view"]["markers"] == [{"key": "trap", "where": "3"}]


def test_all_is_open_when_the_game_is_over(client: TestClient) -> None:
    """Then every seat's view and the secret actions can be read."""
    game_id = start(client)["id"]
    finish(client, game_id)
    log = client.get(f"/api/games/{game_id}/log?seat=red").json()["entries"]
    assert log[0]["action"].startswith("hide ")


def test_questions_of_who_is_not_to_move_are_refused(public: TestClient) -> None:
    """ "Why not?" and previews look into the position of the actor: for the actor only."""
    game = start(public)
    owner = token(game["token"])
    path = f"/api/games/{game['id']}"
    invitation = public.post(f"{path}/invitations", json={"seat": "red"}, headers=owner).json()["invitation"]
    guest = token(public.post(f"{path}/join", json={"invitation": invitation}).json()["token"])
    assert public.get(f"{path}/why?action=hide 2", headers=guest).status_code == 403
    assert public.get(f"{path}/preview?action=hide 2", headers=guest).status_code == 409
    assert public.get(f"{path}/why?action=hide 2", headers=owner).json() == {"legal": True, "refusals": []}
