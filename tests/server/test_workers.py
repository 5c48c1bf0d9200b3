"""Several processes on one PostgreSQL, backups, and the bus between them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from bench.postgres import Cluster

from salient.kernel.messages import SalientError
from salient.server.backup import backup, restore
from salient.server.settings import Settings
from server.people import Browser, meet, public
from server.tabletop import eventually, heard, play, serve, start


def test_a_move_at_one_process_reaches_the_sockets_of_another(
    tmp_path: Path, cluster: Cluster, registered_tiny: str
) -> None:
    """LISTEN and NOTIFY, without asking; `python -m bench.workers` measures how soon."""
    database = cluster.new_database()
    with serve(tmp_path, database=database) as one, serve(tmp_path, database=database) as two:
        game_id = start(one)["id"]
        path = f"/api/games/{game_id}/socket"
        with two.websocket_connect(path, headers={"Host": "127.0.0.1:8044"}) as socket:
            socket.send_json({})
            socket.receive_json()
            play(one, game_id, "hide 3")
            assert heard(socket)["change"]["ply"] == 1


def test_bots_of_one_process_play_the_games_of_another(tmp_path: Path, cluster: Cluster, registered_tiny: str) -> None:
    """The queue is in the database: a process that only serves leaves the thinking to one that thinks."""
    database = cluster.new_database()
    with serve(tmp_path, database=database, thinkers=0) as one:
        game_id = start(one, seats={"blue": "bot:random"})["id"]
        time.sleep(0.3)
        assert one.get(f"/api/games/{game_id}").json()["ply"] == 0
        with serve(tmp_path, database=database, thinkers=1):
            eventually(lambda: one.get(f"/api/games/{game_id}").json()["ply"] == 1)


def test_the_bus_comes_back_after_the_database_was_killed(tmp_path: Path, registered_tiny: str) -> None:
    """Nothing acknowledged is lost, and moves reach other processes again."""
    cluster = Cluster()
    cluster.start()
    try:
        database = cluster.new_database()
        with serve(tmp_path, database=database) as one, serve(tmp_path, database=database) as two:
            game_id = start(one)["id"]
            play(one, game_id, "hide 3")
            cluster.kill()
            refused = one.get(f"/api/games/{game_id}")
            assert (refused.status_code, refused.json()["error"]) == (503, "storage")
            cluster.start()
            eventually(lambda: two.get(f"/api/games/{game_id}").status_code == 200)
            assert play(two, game_id, "move r1 2")["ply"] == 2
            assert one.get(f"/api/games/{game_id}").json()["ply"] == 2
    finally:
        cluster.remove()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_backup_made_while_serving_brings_everything_back(
    tmp_path: Path, cluster: Cluster, registered_tiny: str, kind: str
) -> None:
    """The drill: people, a running game with its clock, dice and talk, restored on an empty machine; it goes on."""
    database = cluster.new_database() if kind == "postgresql" else ""
    file = tmp_path / "kept.zip"
    with public(tmp_path / "old", database=database) as server:
        ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
        game_id = meet(ann, ben)
        ann.play(game_id, "hide 2")
        ben.post(f"/api/games/{game_id}/chat", {"text": "hello"})
        rows = backup(Settings(tmp_path / "old", database), file)
        assert rows > 5
        ben.play(game_id, "move r1 2")
        before = ann.get(f"/api/games/{game_id}/log").json()["entries"][:1]
    assert file.stat().st_mode & 0o077 == 0
    fresh = cluster.new_database() if kind == "postgresql" else ""
    assert restore(Settings(tmp_path / "new", fresh), file) == rows
    with pytest.raises(SalientError, match="not empty"):
        restore(Settings(tmp_path / "new", fresh), file)
    with public(tmp_path / "new", database=fresh) as server:
        ann.server = ben.server = server
        assert ann.get(f"/api/games/{game_id}/log").json()["entries"] == before
        assert ben.play(game_id, "move r2 2").status_code == 200
        ben.post(f"/api/games/{game_id}/resign")
        assert ann.get(f"/api/games/{game_id}/verify").json()["ok"] is True
        assert Browser(server, "Cat").get("/api/people/me").json()["name"] == "Cat"
        assert ann.post(f"/api/games/{game_id}/chat", {"text": "again"}).status_code == 204
