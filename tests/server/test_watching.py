"""Who is at a table: presence at all processes, spectators with a delay, and notices that come at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from bench.postgres import Cluster
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from salient.server import presence
from server.people import ORIGIN, Browser, meet, public
from server.tabletop import eventually, heard

HOUR = 3600.0


@pytest.fixture
def server(tmp_path: Path, registered_tiny: str) -> Iterator[TestClient]:
    with public(tmp_path) as client:
        yield client


@contextmanager
def at_table(browser: Browser, path: str, **greeting: Any) -> Iterator[Any]:
    """A socket of a person's browser."""
    cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    headers = {"Host": "127.0.0.1:8044", "Origin": ORIGIN, "Cookie": cookie}
    with browser.server.websocket_connect(path, headers=headers) as socket:
        socket.send_json(greeting)
        yield socket


def watch(browser: Browser, game_id: str, **greeting: Any) -> Any:
    return at_table(browser, f"/api/games/{game_id}/socket", **greeting)


# ---- presence --------------------------------------------------------------------


def test_who_is_at_the_table_is_told_to_all_who_are_there(server: TestClient) -> None:
    """Players by their seats, others by number; a second window of one person is the same person."""
    ann, ben, eve = (Browser(server, name) for name in ("Ann", "Ben", "Eve"))
    game_id = meet(ann, ben)
    path = f"/api/games/{game_id}/presence"
    assert ann.get(path).json() == {"seats": [], "watching": 0}
    with watch(ann, game_id) as socket:
        assert heard(socket, "presence") == {"type": "presence", "seats": ["blue"], "watching": 0}
        with watch(eve, game_id), watch(eve, game_id), watch(ben, game_id):
            eventually(lambda: ben.get(path).json() == {"seats": ["blue", "red"], "watching": 1})
            told = heard(socket, "presence")
            while told["seats"] != ["blue", "red"] or told["watching"] != 1:
                told = heard(socket, "presence")
        eventually(lambda: ben.get(path).json() == {"seats": ["blue"], "watching": 0})
    eventually(lambda: ben.get(path).json() == {"seats": [], "watching": 0})
    private = meet(ann, ben, watch=False)
    assert eve.get(f"/api/games/{private}/presence").status_code == 404


def test_presence_is_one_over_all_processes(
    tmp_path: Path, cluster: Cluster, registered_tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each process tells the others; one that comes later asks; one that falls silent is forgotten."""
    monkeypatch.setattr(presence, "SECONDS_A_BEAT", 0.2)
    monkeypatch.setattr(presence, "SECONDS_TO_FORGET", 1.0)
    database = cluster.new_database()
    with public(tmp_path, database=database) as one:
        ann, ben = Browser(one, "Ann"), Browser(one, "Ben")
        game_id = meet(ann, ben)
        path = f"/api/games/{game_id}/presence"
        with watch(ann, game_id), public(tmp_path, database=database) as two:
            ben.server = two
            with watch(ben, game_id) as socket:
                while heard(socket, "presence")["seats"] != ["blue", "red"]:
                    pass
                eventually(lambda: ann.get(path).json()["seats"] == ["blue", "red"])
                two.app.state.presence._say = lambda alive: None  # type: ignore[attr-defined]
                eventually(lambda: ann.get(path).json()["seats"] == ["blue"])
                assert ben.get(path).json()["seats"] == ["blue", "red"]


# ---- spectators with a delay -----------------------------------------------------------


def age(server: TestClient, game_id: str, seconds: float) -> None:
    """Let everything in a game have happened so much earlier."""
    with server.app.state.table.playing(game_id) as live:  # type: ignore[attr-defined]
        live.times = [at - seconds if at else 0.0 for at in live.times]
        ended = (live.row.clock or {}).get("ended")
        if ended:
            ended["at"] -= seconds


def test_a_spectator_sees_a_move_when_the_delay_has_passed(server: TestClient) -> None:
    """On every route and in every refusal the game is as it was; players see it at once."""
    ann, ben, eve = (Browser(server, name) for name in ("Ann", "Ben", "Eve"))
    game_id = meet(ann, ben, pace="live", delay=HOUR)
    path = f"/api/games/{game_id}"
    ann.play(game_id, "hide 3")
    age(server, game_id, 2 * HOUR)
    ben.play(game_id, "move r1 2")
    ben.post(f"{path}/offers", {"kind": "draw"})
    seen = eve.get(path).json()
    assert (seen["ply"], seen["seen"], seen["actor"]) == (1, 1, "red")
    assert seen["between"]["clock"]["running"] is None
    assert (seen["between"]["deadline"], seen["between"]["offers"]) == (None, {})
    assert ann.get(path).json()["ply"] == 2
    for look in ("/log", "/replay", "/at/1", "/record", "/report", "/dice", "/situation", "/curve", "/openings"):
        assert "move r1 2" not in eve.get(f"{path}{look}").text, look
    assert eve.get(f"{path}/at/2").status_code == 404
    assert eve.get(f"{path}/reasons/2").status_code == 404
    for n in (1, 2):
        refused = eve.post(f"{path}/actions", {"seen": n, "action": "end"})
        assert (refused.status_code, refused.json()["snapshot"]["ply"]) == (403, 1)
    age(server, game_id, 2 * HOUR)
    assert eve.get(path).json()["ply"] == 2


def test_the_end_is_delayed_too_with_what_it_opens(server: TestClient) -> None:
    """Result, secrets, talk and the dice's secret come an hour after the players have seen the end."""
    ann, ben, eve = (Browser(server, name) for name in ("Ann", "Ben", "Eve"))
    game_id = meet(ann, ben, delay=HOUR)
    path = f"/api/games/{game_id}"
    ann.play(game_id, "hide 3")
    age(server, game_id, 2 * HOUR)
    ben.post(f"{path}/resign")
    assert ann.get(path).json()["actor"] == "over"
    seen = eve.get(path).json()
    assert (seen["actor"], seen["result"], seen["seat"]) == ("red", None, "spectator")
    assert eve.get(f"{path}/dice").json()["secret"] is None
    assert eve.get(f"{path}/verify").status_code == 409
    assert eve.get(f"{path}/chat").status_code == 403
    assert eve.get(f"{path}?seat=blue").status_code == 403
    age(server, game_id, 2 * HOUR)
    assert eve.get(path).json()["result"]["winner"] == "blue"
    assert eve.get(f"{path}/chat").status_code == 200


def test_a_socket_brings_what_was_held_back_by_itself(server: TestClient) -> None:
    """Nobody asks again: when the time has come the update is there; what was taken back meanwhile never was."""
    ann, ben, eve = (Browser(server, name) for name in ("Ann", "Ben", "Eve"))
    game_id = meet(ann, ben, delay=3)
    ann.play(game_id, "hide 3")
    ben.play(game_id, "move r1 2")
    undone = ben.post(f"/api/games/{game_id}/undo", {"seen": 2}).json()
    ben.post(f"/api/games/{game_id}/actions", {"seen": undone["seen"], "action": "move r2 2"})
    told: list[Any] = []
    with watch(eve, game_id, since=0) as socket:
        while len(told) < 2:
            told += heard(socket)["entries"]
    assert [entry["action"] for entry in told] == [None, "move r2 2"]


# ---- notices ---------------------------------------------------------------------------


def test_a_notice_is_told_at_once_wherever_the_person_is(
    tmp_path: Path, cluster: Cluster, registered_tiny: str
) -> None:
    """A socket of one's own at any process, told after the commit; nobody without an account has one."""
    database = cluster.new_database()
    with public(tmp_path, database=database) as one, public(tmp_path, database=database) as two:
        ann, ben = Browser(one, "Ann"), Browser(one, "Ben")
        game_id = meet(ann, ben, pace="none")
        far = Browser(two)
        far.cookies = dict(ben.cookies)
        with at_table(far, "/api/notices/socket") as away, at_table(ben, "/api/notices/socket") as near:
            eventually(lambda: two.app.state.table.listeners and one.app.state.table.listeners)  # type: ignore[attr-defined]
            ann.play(game_id, "hide 3")
            assert heard(near, "notice") == heard(away, "notice") == {"type": "notice"}
            assert far.get("/api/notices").json()["notices"][0]["kind"] == "your-move"
        with at_table(Browser(one), "/api/notices/socket") as socket:
            assert socket.receive_json()["error"] == "sign-in"
            with pytest.raises(WebSocketDisconnect):
                socket.receive_json()


def test_who_is_at_the_table_gets_no_letter_and_who_has_moved_no_reminder(server: TestClient) -> None:
    """A webhook stands for all channels: nothing is sent to who sees the move; one's own move settles its notice."""
    from sqlalchemy import func, select

    from salient.server.tables import OUTBOX

    ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
    ben.ask("PATCH", "/api/people/me", {"hook": "http://127.0.0.1:9/hook"})
    post = server.app.state.post  # type: ignore[attr-defined]

    def letters() -> int:
        with post.store.reading() as db:
            return int(db.execute(select(func.count()).select_from(OUTBOX)).scalar_one())

    game_id = meet(ann, ben, pace="live")
    before = letters()
    with watch(ben, game_id):
        eventually(lambda: post.presence.at(game_id)["seats"])
        ann.play(game_id, "hide 3")
        assert letters() == before
    assert ben.get("/api/notices").json()["notices"][0]["kind"] == "your-move"
    ben.play(game_id, "move r1 2")
    assert not ben.get("/api/notices").json()["notices"][0]["read"]
    while ben.get(f"/api/games/{game_id}").json()["yours"]:
        assert ben.play(game_id, "end").status_code == 200
    told = {each["kind"]: each["read"] for each in ben.get("/api/notices").json()["notices"]}
    assert told["your-move"] is True
