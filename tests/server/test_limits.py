"""What one greedy or careless client may do, and what others notice of it."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn
from fastapi.testclient import TestClient
from websockets.sync.client import connect

from salient.kernel import CHANCE, candidates
from salient.kernel.frames import chance_frame
from salient.server import Settings
from salient.server.limits import Allowance, household
from salient.server.running import bound_socket, config_of
from salient.server.security import SECONDS_TO_COOL
from server.tabletop import eventually, finish, play, serve, start
from server.thinking import register_tiny

SMALL = Allowance(requests="1000/second", creations="4/day", open_games=100, bot_games=2, sockets=2, connections=3)


@pytest.fixture
def strict(tmp_path: Path, registered_tiny: str) -> Iterator[TestClient]:
    """A server that others can reach, with small limits."""
    with serve(tmp_path, host="0.0.0.0", allowance=SMALL) as client:
        yield client


def test_games_are_not_created_faster_than_allowed(strict: TestClient) -> None:
    """The fifth within a day is refused with a sentence and a time (R-4)."""
    codes = [strict.post("/api/games", json={"game": "tiny"}).status_code for _ in range(5)]
    assert codes == [201, 201, 201, 201, 429]
    refused = strict.post("/api/games", json={"game": "tiny"}).json()
    assert refused["error"] == "too-many"
    assert refused["retry_after"] > 0
    assert strict.post("/api/games", json={"game": "tiny"}).headers["Retry-After"] == str(refused["retry_after"])


def test_one_person_fills_the_bots_queue_only_so_far(strict: TestClient) -> None:
    """Two games with bots at a time; others without are still possible."""
    order = {"game": "tiny", "seats": {"red": "bot:random"}}
    codes = [strict.post("/api/games", json=order).status_code for _ in range(3)]
    assert codes == [201, 201, 429]
    assert strict.post("/api/games", json={"game": "tiny"}).status_code == 201


def test_requests_have_a_rate(tmp_path: Path, registered_tiny: str) -> None:
    """The client's files do not count, the API does. A refusal comes late: nobody asks again at once."""
    with serve(tmp_path, host="0.0.0.0", allowance=Allowance(requests="5/day")) as client:
        answers = [client.get("/api/about") for _ in range(5)]
        began = time.monotonic()
        answers.append(client.get("/api/about"))
        assert time.monotonic() - began >= SECONDS_TO_COOL
        assert [answer.status_code for answer in answers] == [200] * 5 + [429]
        assert answers[-1].headers["Retry-After"] == "86400"
        assert client.get("/").status_code != 429


def test_at_home_there_are_no_limits(tmp_path: Path, registered_tiny: str) -> None:
    """On one's own machine nothing is counted."""
    with serve(tmp_path, allowance=Allowance(requests="1/day", creations="1/day")) as client:
        assert [client.post("/api/games", json={"game": "tiny"}).status_code for _ in range(3)] == [201] * 3


def test_persons_take_turns_in_the_bots_queue(tmp_path: Path, registered_tiny: str) -> None:
    """The queue serves who has waited longest, not who asked most."""
    from salient.server.queue import Queue

    with serve(tmp_path, thinkers=0) as client:
        table = client.app.state.table  # type: ignore[attr-defined]
        games = {start(client, seats={"blue": "bot:random"})["id"]: "greedy" for _ in range(3)}
        games[start(client, seats={"blue": "bot:random"})["id"]] = "modest"
        with table.store.writing() as db:
            from salient.server.tables import JOBS

            for game_id, person in games.items():
                db.execute(JOBS.update().where(JOBS.c.game_id == game_id).values(person=person))
        queue = Queue(table.store)
        taken = [games[queue.take() or ""] for _ in range(4)]
        assert taken == ["greedy", "modest", "greedy", "greedy"]
        assert queue.take() is None


# ---- bad input -----------------------------------------------------------------


@pytest.mark.parametrize(
    "headers", [{"Host": "["}, {"Host": "[::1"}, {"Origin": "http://["}, {"Origin": "http://[::1"}]
)
def test_malformed_hosts_and_origins_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    """They are answered 403, not 500 (R-12)."""
    assert client.post("/api/games", json={"game": "tiny"}, headers=headers).status_code == 403


def test_a_number_of_5000_digits_is_refused(client: TestClient) -> None:
    """In a record's move, in a socket's greeting, in a query, in a Content-Length (R-13, R-16)."""
    digits = "9" * 5000
    header = "salient-record 1\ngame: tiny\nrules: 1\ndata: x\nscenario: standard\nseats: red=human\ndice: typed\n\n"
    record = f"{header}{digits}. red end\n"
    assert client.post("/api/games/import", json={"record": record}).status_code == 422
    game_id = start(client)["id"]
    assert client.get(f"/api/games/{game_id}/log?since={digits}").status_code == 422
    assert client.get(f"/api/games/{game_id}/at/{digits}").status_code == 422
    assert client.get("/api/games", headers={"Content-Length": digits}).status_code == 413
    for text in (f'{{"since": {digits}}}', "[" * 30_000, '{"lang": 7}'):
        with client.websocket_connect(f"/api/games/{game_id}/socket", headers={"Host": "127.0.0.1:8044"}) as link:
            link.send_text(text)
            assert link.receive()["code"] == 1003


def test_join_does_not_tell_whether_a_game_exists(client: TestClient) -> None:
    """A wrong invitation is answered alike (R-17)."""
    game_id = start(client)["id"]
    there = client.post(f"/api/games/{game_id}/join", json={"invitation": "guess"})
    nowhere = client.post("/api/games/no-such-game/join", json={"invitation": "guess"})
    assert (there.status_code, there.text) == (nowhere.status_code, nowhere.text)


def test_nothing_is_taken_back_after_the_end(client: TestClient) -> None:
    """When the secret of the dice is shown, the game is what it is (R-1)."""
    game_id = start(client)["id"]
    snapshot = finish(client, game_id)
    assert snapshot["undo_to"] is None
    for what in ("undo", "reset", "redo"):
        assert client.post(f"/api/games/{game_id}/{what}", json={"seen": snapshot["seen"]}).status_code in (403, 409)


def test_typed_dice_do_not_show_what_is_drawn_unseen(tmp_path: Path) -> None:
    """The Deadly Woods: the server draws, so that nobody is shown what the cup holds (R-5)."""
    with serve(tmp_path) as client:
        game_id = client.post("/api/games", json={"game": "deadly-woods", "dice": "typed"}).json()["id"]
        chance = random.Random(3)
        with client.app.state.table.playing(game_id) as live:  # type: ignore[attr-defined]
            while not any(entry.action.startswith("draw") for entry in live.log) and live.ply < 600:
                if live.actor == CHANCE:
                    assert chance_frame(live.session.state).rolls_dice
                    live.roll_typed([1] * len(live.dice_needed))
                else:
                    live.act(live.actor, chance.choice(candidates(live.session.state)))
            assert any(entry.action.startswith("draw") for entry in live.log)


# ---- storage -------------------------------------------------------------------


def test_a_full_disk_is_told_as_such_and_the_bots_go_on_by_themselves(
    tmp_path: Path, registered_tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move is refused with 507 and a sentence; when there is room, both go on (R-8, R-10, R-15)."""
    import sqlite3

    from sqlalchemy.exc import OperationalError

    monkeypatch.setattr("salient.server.queue.AFTER_FAILURE", (0.1,))
    with serve(tmp_path) as client:
        game_id = start(client, seats={"red": "bot:random"})["id"]
        store = client.app.state.table.store  # type: ignore[attr-defined]
        append, full = store.append, threading.Event()

        def failing(*args: object) -> object:
            if full.is_set():
                raise OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))
            return append(*args)

        store.append = failing
        full.set()
        refused = client.post(f"/api/games/{game_id}/actions?lang=it", json={"seen": 0, "action": "hide 2"})
        assert (refused.status_code, refused.json()["error"]) == (507, "storage")
        assert "disco" in refused.json()["message"]
        assert "INSERT" not in refused.text
        full.clear()
        play(client, game_id, "hide 2")
        full.set()
        told = eventually(lambda: client.get(f"/api/games/{game_id}").json()["trouble"])
        assert "disk is full" in told
        full.clear()
        eventually(lambda: client.get(f"/api/games/{game_id}").json()["ply"] > 1)
        assert client.get(f"/api/games/{game_id}").json()["trouble"] is None


# ---- a real server -------------------------------------------------------------


@pytest.fixture
def address(tmp_path: Path, registered_tiny: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """A server on a port, with little patience."""
    monkeypatch.setattr("salient.server.patience.SECONDS_FOR_HEADERS", 0.5)
    monkeypatch.setattr("salient.server.security.SECONDS_FOR_A_BODY", 0.5)
    settings = Settings(tmp_path, host="0.0.0.0", hosts=("play.example",), allowance=SMALL, worker_setup=register_tiny)
    listening = bound_socket("127.0.0.1", 0)
    server = uvicorn.Server(config_of(settings))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    eventually(lambda: server.started)
    yield listening.getsockname()
    server.should_exit = True
    thread.join(10)


def _until_closed(link: socket.socket) -> tuple[bytes, float]:
    link.settimeout(5)
    began, answer = time.monotonic(), b""
    try:
        while piece := link.recv(4096):
            answer += piece
    except ConnectionResetError:
        pass
    return answer, time.monotonic() - began


def test_half_sent_requests_are_closed(address: tuple[str, int]) -> None:
    """Headers that do not come, and bodies that do not: the connection ends by itself (R-4)."""
    with socket.create_connection(address) as link:
        link.sendall(b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        answer, seconds = _until_closed(link)
        assert (answer, seconds < 3) == (b"", True)
    with socket.create_connection(address) as link:
        link.sendall(b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\n{")
        answer, seconds = _until_closed(link)
        assert b" 408 " in answer.splitlines()[0]
        assert seconds < 4
    with socket.create_connection(address) as link:
        whole = b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        link.sendall(whole)
        time.sleep(0.7)
        link.sendall(whole + b"GET /api/ab")
        answer, _ = _until_closed(link)
        assert answer.count(b"HTTP/1.1 200") == 2


def test_a_socket_stays_open_longer_than_headers_may_take(address: tuple[str, int]) -> None:
    """Patience with requests is no limit for those who listen: nothing happens for a while, and the socket is there."""
    url = f"http://{address[0]}:{address[1]}"
    started = httpx.post(f"{url}/api/games", json={"game": "tiny"}).json()
    path = f"{url.replace('http', 'ws')}/api/games/{started['id']}/socket"
    with connect(path) as link:
        link.send(json.dumps({"token": started["token"]}))
        heard = [json.loads(link.recv(5))["type"], json.loads(link.recv(5))["type"]]
        assert heard == ["update", "presence"]
        with pytest.raises(TimeoutError):
            link.recv(1.5)
        body, headers = {"seen": 0, "action": "hide 3"}, {"X-Salient-Token": started["token"]}
        httpx.post(f"{url}/api/games/{started['id']}/actions", json=body, headers=headers).raise_for_status()
        assert json.loads(link.recv(5))["type"] == "update"


def test_the_parts_of_an_answer_do_not_wait_for_one_another() -> None:
    """Connections are taken without the delay (Nagle's) that keeps a second packet back for 40 milliseconds."""
    with bound_socket("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        taken, _ = listening.accept()
        with taken:
            assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_one_address_holds_only_so_many_connections(address: tuple[str, int]) -> None:
    """The fourth is closed at once."""
    links = [socket.create_connection(address) for _ in range(4)]
    answer, seconds = _until_closed(links[3])
    assert (answer, seconds < 0.4) == (b"", True)
    for link in links:
        link.close()


def test_the_connections_of_a_proxy_are_not_counted(tmp_path: Path) -> None:
    """A server that listens on its own machine only hears the proxy, which speaks for everybody."""
    protocols = {
        host: config_of(Settings(tmp_path, host=host, public=True, allowance=SMALL)).http
        for host in ("127.0.0.1", "0.0.0.0")
    }
    assert [protocols[host].most_per_address for host in ("127.0.0.1", "0.0.0.0")] == [0, SMALL.connections]  # type: ignore[union-attr]


def _behind_proxy(tmp_path: Path, peer: str, **settings: object) -> TestClient:
    """The server as uvicorn serves it, asked over a connection from `peer`."""
    allowance = Allowance(requests="3/day")
    config = config_of(Settings(tmp_path, public=True, allowance=allowance, **settings))  # type: ignore[arg-type]
    config.load()
    return TestClient(config.loaded_app, base_url="http://127.0.0.1:8044", client=(peer, 50000))


def _codes(client: TestClient, forwarded: str) -> list[int]:
    return [
        client.get("/api/health", headers={"X-Forwarded-For": forwarded.format(n=n)}).status_code for n in range(1, 6)
    ]


def test_nobody_escapes_the_limits_by_a_made_up_address(tmp_path: Path) -> None:
    """Behind a proxy its last word counts, not the client's; without a proxy the header says nothing."""
    refused = [200, 200, 200, 429, 429]
    with _behind_proxy(tmp_path, "127.0.0.1") as client:
        assert _codes(client, "198.51.100.{n}, 203.0.113.9") == refused
        assert _codes(client, "203.0.113.{n}") == [200] * 5
    with _behind_proxy(tmp_path, "203.0.113.9") as client:
        assert _codes(client, "198.51.100.{n}") == refused
    with _behind_proxy(tmp_path, "172.17.0.1", proxies=("172.17.0.0/16",)) as client:
        assert _codes(client, "203.0.113.{n}") == [200] * 5
        assert _codes(client, "198.51.100.{n}, 203.0.113.9") == refused


@pytest.mark.parametrize("forwarded", ["2001:db8:1:2::{n}", "2001:db8:1:2:{n}::"])
def test_a_network_of_ipv6_counts_as_one_address(tmp_path: Path, forwarded: str) -> None:
    """A home has 18 quintillion addresses and one share."""
    with _behind_proxy(tmp_path, "127.0.0.1") as client:
        assert _codes(client, forwarded) == [200, 200, 200, 429, 429]
    assert household("::ffff:203.0.113.9") == household("203.0.113.9")


def test_a_password_is_guessed_slowly_and_nobody_keeps_its_owner_out(tmp_path: Path) -> None:
    """However the name is spelt it is one account; a single stranger cannot use up the tries of its owner."""
    allowance = Allowance(sign_ins="3/day", guesses="8/day")
    with serve(tmp_path, public=True, allowance=allowance) as server:

        def tries(address: str, *names: str) -> list[int]:
            there = TestClient(server.app, base_url="http://127.0.0.1:8044", client=(address, 1))
            bodies = [{"name": name, "password": "wrong horse"} for name in names]
            return [there.post("/api/people/sign-in", json=body).status_code for body in bodies]

        server.post("/api/people/register", json={"name": "Willi", "password": "correct horse"})
        assert tries("203.0.113.1", "Willi", "w1lli", "WILL.I", "Willi") == [403, 403, 403, 429]
        assert tries("203.0.113.2", "Willi", "wi11i", "Wilıi") == [403] * 3
        right = {"name": "Willi", "password": "correct horse"}
        assert server.post("/api/people/sign-in", json=right).status_code == 200
        assert tries("203.0.113.3", "vvilli", "Willi") == [403, 429]


# ---- watching ------------------------------------------------------------------


def test_health_readiness_and_metrics(client: TestClient) -> None:
    """They answer; the metrics name routes, never addresses."""
    game_id = start(client)["id"]
    client.get(f"/api/games/{game_id}")
    assert client.get("/api/health").json() == {"ok": True}
    assert client.get("/api/ready").json() == {"ok": True}
    text = client.get("/metrics").text
    assert 'salient_requests_total{method="GET",route="/api/games/{game_id}",status="200"} 1.0' in text
    assert game_id not in text


def test_the_log_is_json_without_secrets(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    """One line a request, with the route's pattern."""
    import json
    import logging

    from salient.server.watch import JsonLines

    with caplog.at_level(logging.INFO, logger="salient.access"):
        client.get("/api/games/some-game-id?seat=secret", headers={"X-Salient-Token": "hush"})
    line = json.loads(JsonLines().format(caplog.records[-1]))
    assert (line["route"], line["status"]) == ("/api/games/{game_id}", 404)
    assert "hush" not in caplog.text
    assert "some-game-id" not in json.dumps(line)
