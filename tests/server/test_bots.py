"""Bots at the table: they answer, they cannot block, and they go on after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from salient import load
from salient.games import game_ids
from salient.kernel import legal
from salient.server import Settings
from salient.server.bots import Turn, quick_choice
from salient.server.store import Store
from salient.server.thinker import Question
from server.tabletop import eventually, play, serve, start
from server.thinking import HANGING, with_hanging_bot


def test_a_bot_answers_a_person(client: TestClient) -> None:
    """The bot hides the trap by itself; its action is in the log, its text is not for red."""
    game_id = start(client, seats={"blue": "bot:random"})["id"]
    snapshot = eventually(lambda: _if_actor(client, game_id, "red"))
    assert (snapshot["ply"], snapshot["yours"]) == (1, True)
    eventually(lambda: not client.get(f"/api/games/{game_id}").json()["thinking"])


def _if_actor(client: TestClient, game_id: str, actor: str) -> dict[str, Any] | None:
    snapshot = client.get(f"/api/games/{game_id}").json()
    return snapshot if snapshot["actor"] == actor else None


def test_bots_play_each_other_at_a_pace_and_can_be_paused(client: TestClient) -> None:
    """Paused, nothing happens; at full pace, the game ends; the reasons can be read."""
    game_id = start(client, seats={"red": "bot:greedy", "blue": "bot:greedy"}, pace=10)["id"]
    client.patch(f"/api/games/{game_id}", json={"paused": True})
    assert client.get(f"/api/games/{game_id}").json()["ply"] == 0
    client.patch(f"/api/games/{game_id}", json={"paused": False, "pace": 0})
    over = start(client, seats={"red": "bot:greedy", "blue": "bot:greedy"}, pace=0)["id"]
    snapshot = eventually(lambda: _if_actor(client, over, "over"))
    assert snapshot["result"] is not None
    entries = client.get(f"/api/games/{over}/log").json()["entries"]
    explained = next(entry["ply"] for entry in entries if entry["reasons"])
    assert client.get(f"/api/games/{over}/reasons/{explained}").json()["reasons"][0] == "For it spoke: Advance."


def test_a_bot_that_hangs_is_replaced_by_a_quick_choice_and_blocks_nobody(
    tmp_path: Path, registered_tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one bot hangs people play on; after the time limit a legal action is made for it."""
    monkeypatch.setattr("salient.server.matches.is_level", lambda level: level == HANGING)
    with serve(tmp_path, bot_seconds=3.0, worker_setup=with_hanging_bot) as client:
        stuck = start(client, seats={"blue": f"bot:{HANGING}"})["id"]
        other = start(client)["id"]
        play(client, other, "hide 2", "move r1 2")
        assert client.get(f"/api/games/{stuck}").json()["ply"] == 0
        assert eventually(lambda: _if_actor(client, stuck, "red"))["ply"] == 1


@pytest.mark.parametrize("name", game_ids())
def test_a_judge_that_fails_still_leaves_a_legal_choice(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Whatever the evaluation does, the quick choice is one of the legal actions."""
    game = load(name)

    def fail(*args: Any) -> float:
        raise ZeroDivisionError

    monkeypatch.setattr(game.judge, "evaluate", fail)
    state = game.new()
    choice = quick_choice(Turn(Question("m", game.id, game.seats[0], "captain", {}), 0, state))
    assert game.read(choice.action) in legal(state)


def test_a_bots_turn_is_taken_up_after_a_restart(tmp_path: Path, registered_tiny: str) -> None:
    """A game stored with the bot to move goes on when the server starts."""
    with serve(tmp_path) as client:
        game_id = start(client, seats={"blue": "bot:random"}, pace=10)["id"]
    store = Store(Settings(tmp_path).url)
    store.change(game_id, pace=0.0)
    store.close()
    with serve(tmp_path) as client:
        assert eventually(lambda: _if_actor(client, game_id, "red"))["ply"] == 1
