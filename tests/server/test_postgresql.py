"""The same server on PostgreSQL."""

from __future__ import annotations

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from bench.postgres import Cluster

from salient.server.bots import Bots, Turn
from salient.server.queue import Queue
from salient.server.thinker import ChosenAction, Thinker
from server.people import Browser, meet, public
from server.tabletop import eventually, finish, play, serve, start
from server.thinking import HANGING, with_hanging_bot


def test_a_game_is_kept_undone_and_finished_on_postgresql(
    tmp_path: Path, cluster: Cluster, registered_tiny: str
) -> None:
    """Play, take back, restart the server, go on to the end: nothing is lost and the record verifies."""
    database = cluster.new_database()
    with serve(tmp_path, database=database) as client:
        game_id = start(client, name="On PostgreSQL")["id"]
        play(client, game_id, "hide 4", "move r1 2")
        undone = client.post(f"/api/games/{game_id}/undo", json={"seen": 2})
        assert undone.status_code == 200, undone.text
        before = client.get(f"/api/games/{game_id}").json()
    with serve(tmp_path, database=database) as client:
        assert [game["name"] for game in client.get("/api/games").json()] == ["On PostgreSQL"]
        after = client.get(f"/api/games/{game_id}").json()
        assert (after["seen"], after["ply"], after["legal"]) == (before["seen"], before["ply"], before["legal"])
        finish(client, game_id)
        assert client.get(f"/api/games/{game_id}/verify").json()["ok"]
        assert client.delete(f"/api/games/{game_id}").status_code == 204
        assert client.get("/api/games").json() == []


def test_a_character_that_postgresql_has_not_is_refused(tmp_path: Path, cluster: Cluster, registered_tiny: str) -> None:
    """A NUL in a name, a note or a report is answered with a sentence (R-11)."""
    with public(tmp_path, database=cluster.new_database()) as server:
        ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
        assert ann.post("/api/games", {"game": "tiny", "name": "a\0b"}).status_code == 422
        assert ann.ask("PUT", f"/api/games/{meet(ann, ben)}/note", {"text": "a\0b"}).status_code == 422
        assert ann.post("/api/people/Ben/report", {"text": "rude", "game": "\0"}).status_code == 422


def test_tickets_that_come_at_once_find_one_another(tmp_path: Path, cluster: Cluster, registered_tiny: str) -> None:
    """Two processes keep a ticket each in the same moment: one of them sees the other's."""
    ticket = {"game": "tiny", "kind": "ticket", "dice": "verified"}
    with public(tmp_path, database=cluster.new_database(), thinkers=0) as server:
        people = [Browser(server, name) for name in ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")]
        room = server.app.state.room  # type: ignore[attr-defined]
        both = threading.Barrier(2)
        keep = room._keep

        def kept(*given: Any) -> None:
            with contextlib.suppress(threading.BrokenBarrierError):
                both.wait(0.5)  # the other one is in between too, if it can be
            keep(*given)

        room._keep = kept
        for one, two in zip(people[::2], people[1::2], strict=True):
            with ThreadPoolExecutor(2) as pool:
                begun = list(pool.map(lambda who: who.post("/api/room", ticket).json()["game"], (one, two)))
            assert [game is None for game in begun].count(True) == 1
            both.reset()


def test_two_servers_on_one_database_show_the_same_position(
    tmp_path: Path, cluster: Cluster, registered_tiny: str
) -> None:
    """What one has accepted the other shows at once, and goes on from (R-21)."""
    database = cluster.new_database()
    with serve(tmp_path, database=database) as one, serve(tmp_path, database=database) as two:
        game_id = start(one)["id"]
        assert two.get(f"/api/games/{game_id}").json()["ply"] == 0
        play(one, game_id, "hide 4", "move r1 2")
        assert two.get(f"/api/games/{game_id}").json()["ply"] == 2
        play(two, game_id, "move r2 2")
        seen = one.get(f"/api/games/{game_id}").json()["seen"]
        assert one.post(f"/api/games/{game_id}/undo", json={"seen": seen, "to": 1}).json()["ply"] == 1
        assert two.get(f"/api/games/{game_id}").json()["ply"] == 1
        assert two.delete(f"/api/games/{game_id}").status_code == 204
        assert one.get(f"/api/games/{game_id}").status_code == 404


def test_a_bots_job_stays_with_who_thinks_about_it_and_goes_on_when_nobody_does(
    tmp_path: Path, cluster: Cluster, registered_tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long thought is not begun again by the other process; the job of a process that died is taken up soon."""
    for module in ("bots", "queue"):
        monkeypatch.setattr(f"salient.server.{module}.LEASE", 0.6)
    monkeypatch.setattr("salient.server.matches.is_level", lambda level: level == HANGING)
    asked: list[str] = []
    choice = Bots._choice

    async def counted(bots: Bots, turn: Turn, thinker: Thinker) -> ChosenAction:
        asked.append(turn.question.match)
        return await choice(bots, turn, thinker)

    monkeypatch.setattr(Bots, "_choice", counted)
    database = cluster.new_database()
    settings: dict[str, Any] = {"database": database, "bot_seconds": 4.0, "worker_setup": with_hanging_bot}
    with serve(tmp_path, **settings) as one, serve(tmp_path, **settings):
        game_id = start(one, seats={"blue": f"bot:{HANGING}"})["id"]
        eventually(lambda: one.get(f"/api/games/{game_id}").json()["ply"] == 1)
        assert asked == [game_id]
    with serve(tmp_path, **settings, thinkers=0) as one:
        left = start(one, seats={"blue": f"bot:{HANGING}"})["id"]
        dead = Queue(one.app.state.table.store)  # type: ignore[attr-defined]
        assert (dead.take(), dead.take()) == (left, None)
        assert eventually(dead.take, 5) == left


def test_without_a_database_the_program_ends_with_a_sentence(tmp_path: Path) -> None:
    """The address where nobody listens is told in one line."""
    from salient.server.database import CannotOpen
    from salient.server.store import Store

    with pytest.raises(CannotOpen, match="does not answer"):
        Store("postgresql+psycopg://salient@127.0.0.1:1/games")
