"""Pages: a long game opens from the middle, exactly as if it had been played again from its beginning."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from salient.kernel import OVER, SeededDice, Session, candidates, legal
from salient.server import pages
from salient.server.live import LiveGame
from salient.server.tables import PAGES
from server.tabletop import serve


def record_of(game_id: str, plies: int, seed: int) -> str:
    """A game played at random for so many plies, as a record."""
    from salient.games import load

    game = load(game_id)
    session = Session(game, SeededDice(seed), name="long")
    chance = random.Random(seed)
    while len(session.actions) < plies and session.actor != OVER:
        if session.actor == "chance":
            session.roll()
        else:
            session.play(session.actor, chance.choice(candidates(session.state)))
    return session.record().text()


def imported(client: TestClient, game_id: str, plies: int, seed: int = 1) -> str:
    """The game of such a record, on the server."""
    response = client.post("/api/games/import", json={"record": record_of(game_id, plies, seed)})
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


def forget(client: TestClient) -> Any:
    """The server's table, with nothing in memory."""
    table = client.app.state.table  # type: ignore[attr-defined]
    table.live.clear()
    return table


@pytest.mark.parametrize("game_id", ["target-arnhem", "bulge", "deadly-woods", "ardennes44"])
def test_a_game_opened_from_its_pages_is_the_game_played_again(
    tmp_path: Path, game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Position, legal list, log, replay, undo and record are the same with pages and without."""
    with serve(tmp_path) as client:
        kept = imported(client, game_id, 150)
        table = forget(client)
        with table.playing(kept) as live:
            assert live.session.page_ends
            assert min(live.told) > live.session.page_ends[-1]
        paged = looks(client, kept, live)
        with table.store.writing() as db:
            db.execute(PAGES.delete())
        forget(client)
        monkeypatch.setattr("salient.server.live.PLIES", 10**6)
        with table.playing(kept) as live:
            assert not live.session.page_ends
        assert looks(client, kept, live) == paged


def looks(client: TestClient, game_id: str, live: LiveGame) -> list[Any]:
    """Everything that can be seen of a game."""
    start = "/api/games/" + game_id
    paths = ["", "/log", "/log?since=70", "/replay?since=60&limit=40", "/at/90", "/record", "/dice"]
    answers: list[Any] = [client.get(start + path).text for path in paths]
    answers += [live.session.state.key(), legal(live.session.state), live.session.barrier(live.actor)]
    return answers


def test_steps_back_over_the_end_of_a_page_forget_it(
    tmp_path: Path, registered_tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Take back, play something else, open again: the log is what was played last."""
    monkeypatch.setattr("salient.server.live.PLIES", 2)
    with serve(tmp_path) as client:
        from server.tabletop import play, start

        game_id = start(client)["id"]
        seen = play(client, game_id, "hide 4", "move r1 2", "move r2 2")["seen"]
        back = client.post(f"/api/games/{game_id}/undo", json={"seen": seen, "to": 1}).json()
        assert back["ply"] == 1
        play(client, game_id, "move r2 2", "move r1 2", "end")
        before = client.get(f"/api/games/{game_id}/log").json()
        table = forget(client)
        assert client.get(f"/api/games/{game_id}/log").json() == before
        assert [entry["action"] for entry in before["entries"][1:4]] == ["move r2 2", "move r1 2", "end"]
        assert pages.Pages(table.store, game_id, table.live[game_id].game).heads()


def test_a_damaged_page_is_not_used(tmp_path: Path) -> None:
    """A page of another log, or of another program, is a cache that missed."""
    with serve(tmp_path) as client:
        kept = imported(client, "target-arnhem", 150)
        before = client.get(f"/api/games/{kept}").json()
        table = forget(client)
        with table.store.writing() as db:
            db.execute(PAGES.update().values(digest="0" * 64))
        assert client.get(f"/api/games/{kept}").json() == before


def test_a_long_game_opens_in_half_a_second(tmp_path: Path) -> None:
    """Ardennes '44 after 700 actions: opening costs a page, not the whole game."""
    with serve(tmp_path) as client:
        kept = imported(client, "ardennes44", 700)
        table = forget(client)
        began = time.perf_counter()
        with table.playing(kept):
            took = time.perf_counter() - began
        assert took < 0.5, f"{took:.2f} s"


def test_lists_log_and_replay_come_in_pages(client: TestClient) -> None:
    """The next page of games is those that changed before the last one's `changed`."""
    from server.tabletop import start

    names = [start(client, name=f"Game {n}")["snapshot"]["name"] for n in range(5)]
    first = client.get("/api/games?limit=3").json()
    second = client.get("/api/games", params={"limit": 3, "before": first[-1]["changed"]}).json()
    assert [line["name"] for line in first + second] == names[::-1]
    assert client.get("/api/games?limit=1000").status_code == 422


def test_an_update_with_a_gap_says_so(tmp_path: Path) -> None:
    """Who comes back after hundreds of actions is sent to the log."""
    with serve(tmp_path) as client:
        kept = imported(client, "target-arnhem", 260)
        with client.websocket_connect(f"/api/games/{kept}/socket", headers={"Host": "127.0.0.1:8044"}) as socket:
            socket.send_json({"since": 0})
            said = socket.receive_json()
        assert (said["gap"], said["entries"], said["cut"]) == (True, [], 0)
        last = client.get(f"/api/games/{kept}/log?since=200").json()
        assert [entry["ply"] for entry in last["entries"]] == list(range(201, said["ply"] + 1))
