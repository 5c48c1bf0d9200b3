"""Advice for who decides, and the analysis of a finished game in the background (T-61, T-92)."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from salient import load
from salient.bots.advice import Advice
from salient.kernel import actor, step
from salient.server.adviser import Adviser, Hint
from salient.server.limits import Allowance
from server.tabletop import eventually, finish, play, serve, start
from server.thinking import register_tiny


def test_plans_begin_with_legal_actions_and_say_why(client: TestClient) -> None:
    """Carried out one after the other, until dice fall or the same question is asked again; nothing is played."""
    order = {"game": "target-arnhem", "options": {"supply-zones": "historical"}}
    game_id = client.post("/api/games", json=order).json()["id"]
    before = client.get(f"/api/games/{game_id}").json()
    answer = client.get(f"/api/games/{game_id}/advice").json()
    assert 1 <= len(answer["plans"]) <= 2
    game = load("target-arnhem")
    for plan in answer["plans"]:
        state = game.read_position(client.get(f"/api/games/{game_id}/position").text)
        seat = actor(state)
        for action in plan["actions"]:
            assert actor(state) == seat
            state = step(state, game.read(action["text"]))
        assert plan["told"]
    assert client.get(f"/api/games/{game_id}").json()["ply"] == before["ply"]


def test_only_who_decides_is_advised(client: TestClient) -> None:
    game_id = start(client, seats={"red": "bot:random", "blue": "bot:random"})["id"]
    assert client.get(f"/api/games/{game_id}/advice").status_code in (403, 409)


def test_advice_knows_no_secret_of_the_other_side(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twin games that differ in what blue has hidden: red's adviser is asked the same question."""
    asked: list[Any] = []
    monkeypatch.setattr(Adviser, "advice", lambda _, hint: asked.append(hint) or [])
    for trap in ("hide 2", "hide 3"):
        game_id = start(client)["id"]
        play(client, game_id, trap)
        assert client.get(f"/api/games/{game_id}/advice").json()["plans"] == []
    assert asked[0] == asked[1]


def test_one_who_asks_for_much_advice_uses_one_thread(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """25 questions at once: one is thought about, 19 wait, 5 are refused, and others are served meanwhile (R-4)."""
    enough, thinking = threading.Event(), []

    def think(_: Adviser, hint: Hint) -> list[Advice]:
        thinking.append(hint)
        enough.wait(60)
        return []

    monkeypatch.setattr(Adviser, "advice", think)
    game_id = start(client)["id"]
    codes: list[int] = []

    def ask() -> None:
        codes.append(client.get(f"/api/games/{game_id}/advice").status_code)

    asking = [threading.Thread(target=ask) for _ in range(25)]
    for each in asking:
        each.start()
    eventually(lambda: len(codes) == 5)
    assert (codes, len(thinking)) == ([429] * 5, 1)
    assert client.get(f"/api/games/{game_id}").status_code == 200
    enough.set()
    for each in asking:
        each.join()
    assert codes.count(200) == 20


def test_a_stranger_has_one_analysis_under_way(tmp_path: Path, registered_tiny: str) -> None:
    """Whoever finishes many games does not fill the queue of who has finished one."""
    with serve(tmp_path, host="0.0.0.0", allowance=Allowance(requests="1000/second")) as client:
        adviser = client.app.state.adviser  # type: ignore[attr-defined]
        with adviser.studying:
            started = [start(client) for _ in range(2)]
            codes = []
            for each in started:
                headers = {"X-Salient-Token": each["token"]}
                snapshot = each["snapshot"]
                while snapshot["actor"] != "over":
                    action = snapshot["legal"][0]["text"]
                    snapshot = play(client, each["id"], action, headers=headers)["snapshot"]
                codes.append(client.get(f"/api/games/{each['id']}/analysis", headers=headers).status_code)
        assert codes == [200, 429]


def test_an_analysis_runs_in_the_background_and_is_kept(tmp_path: Path, registered_tiny: str) -> None:
    """It is refused before the end; then it is begun by the first question, tells how far it is, and is found again."""
    with serve(tmp_path, worker_setup=register_tiny) as client:
        game_id = start(client)["id"]
        assert client.get(f"/api/games/{game_id}/analysis").status_code == 409
        finish(client, game_id)
        first = client.get(f"/api/games/{game_id}/analysis").json()
        assert first["state"] in ("running", "done")
        found = eventually(lambda: _done(client, game_id))
        assert found["done"] == found["total"] > 0
        assert len(found["worst"]) <= 3
        assert -1 <= found["luck"] <= 1
        assert client.get(f"/api/games/{game_id}/analysis").json() == found


def _done(client: TestClient, game_id: str) -> dict[str, Any] | None:
    answer = client.get(f"/api/games/{game_id}/analysis").json()
    assert answer["state"] != "failed"
    return dict(answer) if answer["state"] == "done" else None


@pytest.mark.parametrize("lang", ["en", "it", "fr", "de"])
def test_reasons_are_sentences_without_figures_of_the_evaluation(client: TestClient, lang: str) -> None:
    """Places, units and what weighed, in the reader's language; no weights (T-92)."""
    game_id = start(client, seats={"red": "bot:greedy", "blue": "bot:greedy"}, pace=0)["id"]
    eventually(lambda: client.get(f"/api/games/{game_id}").json()["actor"] == "over")
    entries = client.get(f"/api/games/{game_id}/log").json()["entries"]
    explained = [entry["ply"] for entry in entries if entry["reasons"]]
    assert explained
    for ply in explained:
        for text in client.get(f"/api/games/{game_id}/reasons/{ply}?lang={lang}").json()["reasons"]:
            assert text.endswith(".")
            assert "+" not in text
