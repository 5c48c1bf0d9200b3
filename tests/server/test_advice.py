"""Advice for who decides, and the analysis of a finished game in the background (T-61, T-92)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx import Response

from salient import load
from salient.bots.advice import Advice
from salient.kernel import actor, step
from salient.server.adviser import Adviser, Desk, Hint, Job
from salient.server.limits import Allowance
from salient.server.thinker import Errand, Players, Tell
from server.tabletop import eventually, finish, play, serve, start
from server.thinking import register_tiny


def test_plans_begin_with_legal_actions_and_say_why(client: TestClient) -> None:
    """Carried out one after the other, until dice fall or the same question is asked again; nothing is played."""
    order = {"game": "target-arnhem", "options": {"supply-zones": "historical"}}
    game_id = client.post("/api/games", json=order).json()["id"]
    before = client.get(f"/api/games/{game_id}").json()
    ask(client, game_id)
    answer = eventually(lambda: _thought(client, game_id), 60)
    assert 1 <= len(answer["plans"]) <= 2
    assert answer["done"] == answer["total"] > 0
    game = load("target-arnhem")
    for plan in answer["plans"]:
        state = game.read_position(client.get(f"/api/games/{game_id}/position").text)
        seat = actor(state)
        for action in plan["actions"]:
            assert actor(state) == seat
            state = step(state, game.read(action["text"]))
        assert plan["told"]
    assert client.get(f"/api/games/{game_id}").json()["ply"] == before["ply"]


def ask(client: TestClient, game_id: str) -> Response:
    """Ask for a hint about the present."""
    seen = client.get(f"/api/games/{game_id}").json()["seen"]
    return client.post(f"/api/games/{game_id}/hint", json={"seen": seen})


def _thought(client: TestClient, game_id: str) -> dict[str, Any] | None:
    answer = client.get(f"/api/games/{game_id}/advice").json()
    assert answer["state"] != "failed"
    return dict(answer) if answer["state"] == "done" else None


def test_only_who_decides_is_advised(client: TestClient) -> None:
    game_id = start(client, seats={"red": "bot:random", "blue": "bot:random"})["id"]
    assert ask(client, game_id).status_code in (403, 409)
    assert client.get(f"/api/games/{game_id}/advice").status_code in (403, 409)


def test_between_people_nobody_is_advised(client: TestClient) -> None:
    """Whoever has joined by a link is another person."""
    game_id = start(client)["id"]
    invited = client.post(f"/api/games/{game_id}/invitations", json={"seat": "red"}).json()
    joined = client.post(f"/api/games/{game_id}/join", json={"invitation": invited["invitation"]})
    assert joined.status_code < 300
    assert ask(client, game_id).status_code == 403
    assert client.get(f"/api/games/{game_id}/advice").status_code == 403


def test_a_hint_is_asked_for_before_it_is_given(client: TestClient) -> None:
    game_id = start(client)["id"]
    assert client.get(f"/api/games/{game_id}/advice").status_code == 409


def test_a_hint_is_in_the_log_and_in_the_record(client: TestClient) -> None:
    """Noted once, kept when the decision is taken back, exported, and found again in the game that is imported."""
    game_id = start(client)["id"]
    play(client, game_id, "hide 2")
    for _ in range(2):
        assert ask(client, game_id).status_code == 200
    play(client, game_id, "move r1 2")
    seen = client.get(f"/api/games/{game_id}").json()["seen"]
    client.post(f"/api/games/{game_id}/undo", json={"seen": seen})
    play(client, game_id, "move r2 2")
    assert hinted(client, game_id) == [2]
    record = client.get(f"/api/games/{game_id}/record").text
    assert "2. red move r2 2 ; hint\n" in record
    imported = client.post("/api/games/import", json={"record": record}).json()["id"]
    assert hinted(client, imported) == [2]
    assert "2. red move r2 2 ; hint\n" in client.get(f"/api/games/{imported}/record").text


def hinted(client: TestClient, game_id: str) -> list[int]:
    entries = client.get(f"/api/games/{game_id}/log").json()["entries"]
    return [entry["ply"] for entry in entries if entry.get("hint")]


def test_hints_are_known_after_a_restart(tmp_path: Path, registered_tiny: str) -> None:
    with serve(tmp_path) as client:
        game_id = start(client)["id"]
        ask(client, game_id)
        play(client, game_id, "hide 2")
    with serve(tmp_path) as client:
        assert hinted(client, game_id) == [1]


def test_advice_knows_no_secret_of_the_other_side(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twin games that differ in what blue has hidden: red's adviser is asked the same question."""
    asked: list[Any] = []

    def note(_: Adviser, game_id: str, seen: int, requester: str, hint: Callable[[], Hint]) -> Job[list[Advice]]:
        asked.append(hint())
        return Job(requester, found=[])

    monkeypatch.setattr(Adviser, "advice", note)
    for trap in ("hide 2", "hide 3"):
        game_id = start(client)["id"]
        play(client, game_id, trap)
        ask(client, game_id)
        assert client.get(f"/api/games/{game_id}/advice").json()["plans"] == []
    assert asked[0] == asked[1]


@dataclass(frozen=True)
class Endless(Errand[list[Advice]]):
    """Tells that it has begun, and thinks for an hour."""

    def run(self, players: Players, seconds: float, tell: Tell) -> list[Advice]:
        tell(1, 100)
        time.sleep(3600)
        return []


@dataclass(frozen=True)
class Quick(Errand[list[Advice]]):
    """Knows at once."""

    def run(self, players: Players, seconds: float, tell: Tell) -> list[Advice]:
        return []


def test_a_hint_tells_how_far_it_is_and_can_be_stopped() -> None:
    """What is stopped gives way at once; what has not begun never begins; the next question is answered."""
    desk: Desk[list[Advice]] = Desk(None, 60)
    try:
        first = desk.job(("a", 1), "ann", Endless)
        second = desk.job(("b", 1), "bob", Endless)
        eventually(lambda: first.done == 1, 60)
        assert (first.total, first.state, second.done) == (100, "running", 0)
        desk.stop(("a", 1), "bob")
        assert first.state == "running"
        desk.stop(("b", 1), "bob")
        desk.stop(("a", 1), "ann")
        assert desk.job(("c", 1), "ann", Quick) is desk.job(("c", 1), "ann", Endless)
        eventually(lambda: desk.job(("c", 1), "ann", Quick).state == "done", 60)
        assert (first.state, second.state, second.done) == ("failed", "failed", 0)
    finally:
        desk.close()


def test_who_asks_about_another_position_gives_up_the_last_question() -> None:
    adviser = Adviser()
    with adviser.hints.working:
        first, second = (adviser.advice("game", seen, "ann", lambda: Hint("tiny", "red", {}, 1)) for seen in (1, 2))
        assert (first.stopped, second.state) == (True, "running")
        adviser.forget_hints("ann")
        assert second.stopped
    adviser.close()


def test_a_stranger_has_one_analysis_under_way(tmp_path: Path, registered_tiny: str) -> None:
    """Whoever finishes many games does not fill the queue of who has finished one."""
    with serve(tmp_path, host="0.0.0.0", allowance=Allowance(requests="1000/second")) as client:
        adviser = client.app.state.adviser  # type: ignore[attr-defined]
        with adviser.studies.working:
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
    told = [client.get(f"/api/games/{game_id}/reasons/{ply}?lang={lang}").json()["reasons"] for ply in explained]
    for text in (text for texts in told for text in texts):
        assert text.endswith(".")
        assert "+" not in text
    next_best = {"en": "Next best was: ", "it": "Subito dopo", "fr": "Venait ensuite", "de": "Das Nächstbeste"}[lang]
    assert any(text.startswith(next_best) for texts in told for text in texts)
