"""The database under a server: one transaction a move, what others are told of it, and trouble that is told as such."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from bench.postgres import JOURNAL, Cluster
from fastapi.testclient import TestClient
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from salient.server import app, database
from salient.server.pages import Pages
from salient.server.store import Store
from salient.server.table import GameTable
from salient.server.tables import PAGES
from server.people import Browser, meet, public
from server.tabletop import eventually, heard, play, serve, start


def table_of(client: TestClient) -> GameTable:
    table: GameTable = client.app.state.table  # type: ignore[attr-defined]
    return table


def socket_of(client: TestClient, game_id: str) -> Any:
    return client.websocket_connect(f"/api/games/{game_id}/socket", headers={"Host": "127.0.0.1:8044"})


@contextmanager
def asked(store: Store) -> Iterator[list[tuple[int, str]]]:
    """What the database is asked to do meanwhile: the thread, and the first word of each statement."""
    words: list[tuple[int, str]] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        words.append((threading.get_ident(), statement.split()[0]))

    def committed(_connection: Any) -> None:
        words.append((threading.get_ident(), "COMMIT"))

    event.listen(store.engine, "before_cursor_execute", note)
    event.listen(store.engine, "commit", committed)
    yield words
    event.remove(store.engine, "before_cursor_execute", note)
    event.remove(store.engine, "commit", committed)


@contextmanager
def failing(store: Store) -> Iterator[None]:
    """A database whose answers are lost."""

    def fail(*_: Any) -> None:
        raise OperationalError("", {}, Exception("server closed the connection unexpectedly"))

    event.listen(store.engine, "before_cursor_execute", fail)
    try:
        yield
    finally:
        event.remove(store.engine, "before_cursor_execute", fail)


# ---- moves ---------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_move_is_one_transaction(
    tmp_path: Path, cluster: Cluster, registered_tiny: str, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The row and the journal, the pages that it closes too; then the other processes are told, apart from it."""
    monkeypatch.setattr("salient.server.live.PLIES", 2)
    database_url = cluster.new_database() if kind == "postgresql" else ""
    told = ["SELECT"] if kind == "postgresql" else []
    with serve(tmp_path, database=database_url, thinkers=0) as client:
        game_id = start(client)["id"]
        play(client, game_id, "hide 3")
        body = {"seen": 1, "action": "move r1 2"}
        with asked(table_of(client).store) as words:
            assert client.post(f"/api/games/{game_id}/actions", json=body).status_code == 200
        mine = next(thread for thread, word in words if word == "UPDATE")
        asked_by_me = [word for thread, word in words if thread == mine and word not in ("PRAGMA", "BEGIN")]
        assert asked_by_me == ["UPDATE", "INSERT", "DELETE", "INSERT", "COMMIT", *told]


def test_a_move_by_who_has_been_told_less_is_taken(tmp_path: Path, cluster: Cluster, registered_tiny: str) -> None:
    """What one process has in memory is old: the move is at the present position all the same, and so is a refusal."""
    url = cluster.new_database()
    with serve(tmp_path, database=url) as one, serve(tmp_path, database=url) as two:
        game_id = start(one)["id"]
        path = f"/api/games/{game_id}/actions"
        assert two.get(f"/api/games/{game_id}").json()["ply"] == 0
        table_of(two).heard = lambda *_: None  # type: ignore[method-assign]
        play(one, game_id, "hide 3")
        assert two.post(path, json={"seen": 1, "action": "move r1 2"}).json()["ply"] == 2
        table_of(one).heard = lambda *_: None  # type: ignore[method-assign]
        refused = one.post(path, json={"seen": 1, "action": "move r2 2"})
        assert (refused.status_code, refused.json()["snapshot"]["ply"]) == (409, 2)


def test_two_who_do_something_in_the_same_moment_at_two_processes(
    tmp_path: Path, cluster: Cluster, registered_tiny: str
) -> None:
    """An offer that comes just when the other player has moved elsewhere is made after that."""
    url = cluster.new_database()
    with public(tmp_path, database=url) as one, public(tmp_path, database=url) as two:
        ann, ben = Browser(one, "Ann"), Browser(one, "Ben")
        game_id = meet(ann, ben)
        ann.server = two
        store = table_of(one).store
        append = store.append

        def late(*given: Any) -> Any:
            store.append = append  # type: ignore[method-assign]
            assert ann.play(game_id, "hide 3").status_code == 200
            return append(*given)

        store.append = late  # type: ignore[method-assign]
        offered = ben.post(f"/api/games/{game_id}/offers", {"kind": "draw"})
        assert offered.status_code == 200, offered.text
        assert (offered.json()["ply"], offered.json()["between"]["offers"]) == (1, {"draw": {"by": "red"}})


# ---- telling -------------------------------------------------------------------


def test_what_is_announced_is_told_when_it_is_committed(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not before, for the others would look too early; and not at all if it is not."""
    store = Store(cluster.new_database())
    told: list[Any] = []
    monkeypatch.setattr(store, "tell_others", told.extend)
    with store.writing() as db:
        store.announce(db, "a-game", "update")
        assert not told
    assert told == [("a-game", "update")]
    with contextlib.suppress(ZeroDivisionError), store.writing() as db:
        store.announce(db, "a-game", "chat")
        raise ZeroDivisionError
    assert told == [("a-game", "update")]
    store.close()


def test_what_could_not_be_told_is_told_later(tmp_path: Path, cluster: Cluster, registered_tiny: str) -> None:
    """With whatever is told next."""
    url = cluster.new_database()
    with serve(tmp_path, database=url) as one, serve(tmp_path, database=url) as two:
        game_id = start(one)["id"]
        store = table_of(one).store
        said: list[tuple[str, str]] = []
        with table_of(two).listening(game_id, lambda what: said.append((game_id, what))):
            with failing(store):
                store.tell_others([(game_id, "chat")])
            assert not said
            store.tell_others([(game_id, "update")])
            eventually(lambda: {(game_id, "chat"), (game_id, "update")} <= set(said))


def test_a_move_that_nobody_lived_to_tell_reaches_the_sockets_of_others(
    tmp_path: Path, cluster: Cluster, registered_tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process is killed between its commit and its word: the others look by themselves now and then."""
    monkeypatch.setattr(app, "SECONDS_TO_CATCH_UP", 0.2)
    url = cluster.new_database()
    with serve(tmp_path, database=url) as one, serve(tmp_path, database=url) as two:
        game_id = start(one)["id"]
        table_of(one).store.tell_others = lambda told: None  # type: ignore[method-assign]
        with socket_of(two, game_id) as socket:
            socket.send_json({})
            heard(socket)
            play(one, game_id, "hide 3")
            assert heard(socket)["change"]["ply"] == 1


# ---- trouble -------------------------------------------------------------------


def paths_of(client: TestClient, game_id: str) -> list[tuple[str, str]]:
    """Every route that can be asked without a body, or with an empty one."""
    paths = client.get("/api/openapi.json").json()["paths"]
    filled = {"{game_id}": game_id, "{name}": "Ann", "{kind}": "block"}
    found = []
    for path, methods in paths.items():
        for name, value in filled.items():
            path = path.replace(name, value)
        if "{" not in path:
            found += [(method.upper(), path) for method in methods]
    return found


def test_no_route_calls_a_missing_database_a_fault_of_the_program(
    tmp_path: Path, registered_tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503 with a sentence and when to come again, on every route that needs it; afterwards all is as before."""
    monkeypatch.setattr(database, "SECONDS_OF_REST", 0.0)
    cluster = Cluster()
    cluster.start()
    try:
        with public(tmp_path, database=cluster.new_database()) as server:
            ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
            game_id = meet(ann, ben)
            cluster.kill()
            told = 0
            for method, path in paths_of(server, game_id):
                answer = ann.ask(method, path, None if method in ("GET", "DELETE") else {})
                assert answer.status_code != 500, (method, path)
                if answer.status_code >= 500:
                    assert (answer.status_code, answer.json()["error"]) == (503, "storage"), (method, path)
                    assert "does not answer" in answer.json()["message"]
                    assert answer.headers["retry-after"] == "2"
                    told += 1
            assert told > 40
            cluster.start()
            assert ann.get(f"/api/games/{game_id}").status_code == 200
    finally:
        cluster.remove()


def test_readers_and_players_of_a_database_that_is_killed_again_and_again(tmp_path: Path, registered_tiny: str) -> None:
    """Whatever a request was just at: an answer, or 503; nothing acknowledged is lost."""
    cluster = Cluster()
    cluster.start()
    try:
        with serve(tmp_path, database=cluster.new_database()) as client:
            game_id = start(client)["id"]
            statuses: set[int] = set()
            stop = threading.Event()

            def read(path: str) -> None:
                while not stop.is_set():
                    statuses.add(client.get(f"/api/games/{game_id}{path}").status_code)
                    time.sleep(0.02)

            threads = [threading.Thread(target=read, args=(path,)) for path in ("", "/log", "/replay", "/record")]
            for thread in threads:
                thread.start()
            acknowledged = 0
            for _ in range(3):
                seen = eventually(lambda: client.get(f"/api/games/{game_id}").json().get("seen", -1) + 1) - 1
                snapshot = client.get(f"/api/games/{game_id}").json()
                body = {"seen": seen, "action": snapshot["legal"][0]["text"]}
                answer = client.post(f"/api/games/{game_id}/actions", json=body)
                assert answer.status_code == 200, answer.text
                acknowledged = answer.json()["seen"]
                cluster.kill()
                cluster.start()
            eventually(lambda: client.get(f"/api/games/{game_id}").status_code == 200)
            stop.set()
            for thread in threads:
                thread.join()
            assert statuses <= {200, 503}
            assert client.get(f"/api/games/{game_id}").json()["seen"] == acknowledged
    finally:
        cluster.remove()


def test_a_socket_is_told_of_trouble_and_closed(client: TestClient) -> None:
    """With the code that says: come again."""
    game_id = start(client)["id"]
    with socket_of(client, game_id) as socket:
        socket.send_json({})
        heard(socket)
        with failing(table_of(client).store):
            table_of(client).heard(game_id, "update")
            assert heard(socket, "error")["error"] == "storage"
            assert socket.receive()["code"] == 1013


def test_what_was_not_kept_is_not_in_memory_either(client: TestClient) -> None:
    """A change that leaves the position as it is, such as a hint's mark, is forgotten when it cannot be kept."""
    game_id = start(client)["id"]
    table = table_of(client)
    with table.playing(game_id) as live:
        with pytest.raises(OperationalError), failing(table.store):
            table.commit(live, live.seen, live.note_hint)
        assert game_id not in table.live
    assert client.get(f"/api/games/{game_id}").json()["seen"] == 0


def test_a_game_that_another_server_plays_while_it_is_read_opens(
    tmp_path: Path, cluster: Cluster, registered_tiny: str
) -> None:
    """The row is older than the journal for a moment: what came after it is read when it is asked for next."""
    url = cluster.new_database()
    with serve(tmp_path, database=url) as one, serve(tmp_path, database=url) as two:
        game_id = start(one)["id"]
        table = table_of(two)
        read = table.store.game

        def slowly(wanted: str) -> Any:
            row = read(wanted)
            table.store.game = read  # type: ignore[method-assign]
            play(one, game_id, "hide 3")
            return row

        table.store.game = slowly  # type: ignore[method-assign]
        assert two.get(f"/api/games/{game_id}").json()["ply"] == 1


def test_a_page_that_goes_while_it_is_read_is_no_fault(
    tmp_path: Path, registered_tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another server took something back: the game is opened anew; who reads an old page is asked to come again."""
    monkeypatch.setattr("salient.server.live.PLIES", 2)
    with serve(tmp_path) as client:
        game_id = start(client)["id"]
        play(client, game_id, "hide 3", "move r1 2", "move r2 2", "end")
        table = table_of(client)
        before = client.get(f"/api/games/{game_id}/log").json()
        heads = Pages.heads

        def slowly(pages: Pages) -> Any:
            monkeypatch.setattr(Pages, "heads", heads)
            found = heads(pages)
            with table.store.writing() as db:
                db.execute(PAGES.delete())
            return found

        assert heads(table.live[game_id].pages)
        table.live.clear()
        monkeypatch.setattr(Pages, "heads", slowly)
        assert client.get(f"/api/games/{game_id}/log").json() == before


def test_the_cluster_of_the_tests_has_the_settings_that_are_recommended() -> None:
    """docs/DEPLOY.md says what is measured here."""
    deploy = (Path(__file__).parents[2] / "docs/DEPLOY.md").read_text("utf-8")
    for setting in JOURNAL:
        assert f"\n{setting.replace('=', ' = ')}" in deploy
