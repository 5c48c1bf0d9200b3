"""Updates as changes: the same snapshot in the end, short, told once, and no more than the viewer may see."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from salient.games import game_ids, load
from salient.kernel import CHANCE, OVER, actor, legal
from salient.lab.playouts import random_states
from salient.server import live
from salient.server.changes import changed_snapshot
from salient.server.legal import action_json, choices_json, unpacked
from salient.text import LANGUAGES
from server.tabletop import heard, play, serve, start

HOST = {"Host": "127.0.0.1:8044"}


class Holder:
    """A program that holds a snapshot and applies what is new."""

    def __init__(self, client: TestClient, game_id: str, **query: Any) -> None:
        self.client = client
        self.path = f"/api/games/{game_id}"
        self.query = query
        self.snapshot = self.fetch()

    def fetch(self) -> dict[str, Any]:
        return self.client.get(self.path, params=self.query).json()

    def post(self, what: str, **body: Any) -> dict[str, Any]:
        query = {**self.query, "held": self.snapshot["mark"]}
        answer = self.client.post(
            f"{self.path}/{what}", params=query, json={"seen": self.snapshot["seen"], **body}
        ).json()
        self.take(answer)
        return answer

    def take(self, update: dict[str, Any]) -> None:
        self.snapshot = changed_snapshot(self.snapshot, update)


@pytest.mark.parametrize("game_id", game_ids())
def test_changes_lead_to_the_same_snapshot(client: TestClient, game_id: str) -> None:
    """Random actions, undo and redo in every game: what is held is what would be fetched."""
    chance = random.Random(game_id)
    holder = Holder(client, start(client, game=game_id)["id"])
    for n in range(60):
        back = n % 7 == 6 and holder.snapshot["undo_to"] is not None
        if back:
            holder.post("undo")
        elif n % 7 == 0 and holder.snapshot["can_redo"]:
            holder.post("redo")
        else:
            holder.post("actions", action=chance.choice(holder.snapshot["legal"])["text"])
        assert holder.snapshot == holder.fetch()


def test_a_refusal_changes_nothing_that_is_held(client: TestClient) -> None:
    """Who holds the present is not sent it again."""
    holder = Holder(client, start(client)["id"])
    answer = holder.post("actions", action="hide 99")
    assert set(answer["change"]) == {"from", "told", "between", "view"}
    assert answer["change"]["view"] == {"units": {}}


def test_who_is_late_gets_what_is_new(client: TestClient) -> None:
    """A click on an old position is refused with the change that leads to the present."""
    holder = Holder(client, start(client)["id"])
    play(client, holder.snapshot["id"], "hide 4")
    assert holder.post("actions", action="hide 5")["error"] == "stale"
    assert holder.snapshot == holder.fetch()


def test_a_mark_that_is_not_kept_brings_the_whole(client: TestClient) -> None:
    """After too many other looks, or with a mark of nobody's, the snapshot comes whole."""
    game_id = start(client)["id"]
    seen = 0
    for held, action in (("0.0.0.blue.en", "hide 4"), ("nonsense", "move r1 2")):
        body = {"seen": seen, "action": action}
        update = client.post(f"/api/games/{game_id}/actions", params={"held": held}, json=body).json()
        assert update["snapshot"]["seen"] == update["seen"]
        seen = update["seen"]


def test_nobody_gets_changes_of_what_another_seat_was_shown(tmp_path: Path, registered_tiny: str) -> None:
    """A guest who names the mark of the owner's snapshot is sent the whole, as the guest may see it."""
    with serve(tmp_path, host="0.0.0.0") as client:
        made = start(client)
        owner = {"X-Salient-Token": made["token"]}
        path = f"/api/games/{made['id']}"
        link = client.post(f"{path}/invitations", json={"seat": "red"}, headers=owner).json()["invitation"]
        guest = {"X-Salient-Token": client.post(f"{path}/join", json={"invitation": link}).json()["token"]}
        play(client, made["id"], "hide 4", headers=owner)
        shown = client.get(path, headers=owner).json()
        assert shown["view"] != client.get(path, headers=guest).json()["view"]
        body = {"seen": shown["seen"], "action": "move r1 2"}
        update = client.post(f"{path}/actions", params={"held": shown["mark"]}, json=body, headers=guest).json()
        assert "change" not in update
        assert update["snapshot"]["seat"] == "red"


def test_the_sender_is_not_told_again(client: TestClient) -> None:
    """Whose request names its socket hears nothing of it there; the next change begins where the answer ended."""
    game_id = start(client)["id"]
    with client.websocket_connect(f"/api/games/{game_id}/socket", headers=HOST) as socket:
        socket.send_json({})
        first = socket.receive_json()
        query = {"held": first["snapshot"]["mark"], "link": first["link"]}
        body = {"seen": first["seen"], "action": "hide 4"}
        own = client.post(f"/api/games/{game_id}/actions", params=query, json=body).json()
        play(client, game_id, "move r1 2")
        heard_next = heard(socket)
        assert heard_next["change"]["from"] == own["change"]["mark"]
        assert [entry["ply"] for entry in heard_next["entries"]] == [2]


def test_a_click_is_read_once_and_looked_at_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """One parse, one observation, nothing played again."""
    holder = Holder(client, start(client, game="ardennes44")["id"])
    holder.post("actions", action=holder.snapshot["legal"][0]["text"])
    table = client.app.state.table  # type: ignore[attr-defined]
    game = table.live[holder.snapshot["id"]].game
    calls: list[str] = []
    observe = game.view.observe
    monkeypatch.setattr(game.view, "observe", lambda *args: calls.append("observe") or observe(*args))
    monkeypatch.setattr(type(game), "read", lambda self, text: calls.append("read") or self.notation.read(text))
    monkeypatch.setattr(live, "step", lambda *args, **more: calls.append("step"))
    holder.post("actions", action=holder.snapshot["legal"][0]["text"])
    assert sorted(calls) == ["observe", "read"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game_id", game_ids())
def test_a_packed_list_holds_every_action_with_its_words(game_id: str, lang: str) -> None:
    """In positions all over a random game: the list in its order, each action as it reads by itself, in less room."""
    game = load(game_id)
    states = [state for state in random_states(game, seed=1) if actor(state) not in (CHANCE, OVER)]
    short = long = 0
    for state in states[:: max(1, len(states) // 40)]:
        packed = choices_json(game, state, lang)["legal"]
        actions = list(unpacked(packed))
        assert [action["text"] for action in actions] == [game.write(action) for action in legal(state)]
        plain = [(each, action) for each, action in zip(actions, legal(state), strict=True) if "ends" not in each]
        for each, action in plain:
            alone = action_json(game, action, lang)
            assert (each["label"], each["args"]) == (alone["label"], alone["args"])
        short, long = short + len(json.dumps(packed)), long + len(json.dumps(actions))
    assert short < long / 3
