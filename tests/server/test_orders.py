"""Orders: several actions as one, tried and carried out whole, taken back by one undo; previews in one answer."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient

from server.tabletop import play, start


def order(client: TestClient, game: dict[str, Any], **body: Any) -> Any:
    seen = client.get(f"/api/games/{game['id']}").json()["seen"]
    return client.post(f"/api/games/{game['id']}/orders", json={"seen": seen, **body})


def crossing(client: TestClient) -> dict[str, Any]:
    game = start(client)
    play(client, game["id"], "hide 4")
    return game


def test_an_order_is_tried_without_changing_anything(client: TestClient) -> None:
    game = crossing(client)
    answer = order(client, game, actions=["move r1 2", "move r2 2"])
    assert answer.status_code == 200
    assert answer.json()["actions"] == ["move r1 2", "move r2 2"]
    assert client.get(f"/api/games/{game['id']}").json()["ply"] == 1


def test_an_order_is_carried_out_whole_and_taken_back_by_one_undo(client: TestClient) -> None:
    game = crossing(client)
    update = order(client, game, actions=["move r1 2", "move r2 2"], commit=True).json()
    assert update["ply"] == 3
    undone = client.post(f"/api/games/{game['id']}/undo", json={"seen": update["seen"]}).json()
    assert undone["ply"] == 1


def test_an_order_with_one_illegal_action_is_refused_whole_with_the_reason(client: TestClient) -> None:
    game = crossing(client)
    for commit in (False, True):
        refused = order(client, game, actions=["move r1 2", "move r1 3"], commit=commit)
        assert refused.status_code == 422
        assert [refusal["key"] for refusal in refused.json()["refusals"]] == ["moved-already"]
        assert client.get(f"/api/games/{game['id']}").json()["ply"] == 1


def test_an_order_does_not_go_on_where_dice_decide(client: TestClient) -> None:
    game = start(client)
    play(client, game["id"], "hide 2")
    refused = order(client, game, actions=["move r1 2", "end", "move r2 2"])
    assert refused.status_code == 422
    assert "dice" in refused.json()["message"]


def test_an_order_that_another_click_was_faster_than_is_stale(client: TestClient) -> None:
    game = crossing(client)
    seen = client.get(f"/api/games/{game['id']}").json()["seen"]
    play(client, game["id"], "move r1 2")
    body = {"seen": seen, "actions": ["move r2 2"], "commit": True}
    assert client.post(f"/api/games/{game['id']}/orders", json=body).status_code == 409


def test_only_one_kind_of_order_at_a_time(client: TestClient) -> None:
    game = crossing(client)
    assert order(client, game, actions=["end"], each="move").status_code == 422
    assert order(client, game).status_code == 422


def test_units_go_together_as_near_as_each_may(client: TestClient) -> None:
    """Two stacked guards of Target Arnhem up the road: both end in the hex that was named, in one order."""
    game = client.post("/api/games", json={"game": "target-arnhem", "options": {"supply-zones": "historical"}}).json()
    for text in ("zone 82abn 1104", "done", "done"):
        play(client, game["id"], text)
    legal = client.get(f"/api/games/{game['id']}").json()["legal"]
    while any(action["verb"] == "land" for action in legal):
        play(client, game["id"], next(action["text"] for action in legal if action["verb"] == "land"))
        legal = client.get(f"/api/games/{game['id']}").json()["legal"]
    moves = [action for action in legal if action["verb"] == "move"]
    unit, to = moves[-1]["args"][0]["value"], moves[-1]["args"][1]["value"]
    plan = order(client, game, units=[unit], to=to).json()
    assert plan["ends"] == {unit: to}
    assert plan["stragglers"] == []
    update = order(client, game, units=[unit], to=to, commit=True).json()
    assert update["snapshot"]["view"]["units"][unit]["where"] == to


def test_all_previews_of_a_pick_come_in_one_answer(client: TestClient) -> None:
    game = crossing(client)
    texts = ["move r1 2", "move r2 2", "move r1 5"]
    answer = client.post(f"/api/games/{game['id']}/previews", json={"actions": texts}).json()
    assert answer["previews"] == {"move r1 2": {"path": ["2"]}, "move r2 2": {"path": ["2"]}}


def landing(client: TestClient) -> dict[str, Any]:
    """The first lift of Target Arnhem."""
    game = client.post("/api/games", json={"game": "target-arnhem", "options": {"supply-zones": "historical"}}).json()
    for text in ("zone 82abn 1104", "done", "done"):
        play(client, game["id"], text)
    return game


def test_units_that_go_together_keep_to_the_stacking_limit(client: TestClient) -> None:
    """Four regiments land near one hex: three in it, the fourth beside it, and none must be eliminated (T-12)."""
    game = landing(client)
    legal = client.get(f"/api/games/{game['id']}").json()["legal"]
    places: dict[str, set[str]] = {}
    for action in legal:
        if action["verb"] == "land":
            places.setdefault(action["args"][1]["value"], set()).add(action["args"][0]["value"])
    goal, able = next((place, units) for place, units in places.items() if len(units) >= 4)
    units = sorted(able)[:4]
    plan = order(client, game, units=units, to=goal, verb="land").json()
    assert sorted(plan["ends"].values()).count(goal) == 3
    assert len(plan["stragglers"]) + len(plan["held"]) == 1


def test_all_that_can_names_those_before_what_was_named_too(client: TestClient) -> None:
    """The last attacker in the order of units is named first: the others can still be named at once."""
    game = client.post("/api/games", json={"game": "deadly-woods"}).json()
    legal = client.get(f"/api/games/{game['id']}").json()["legal"]
    for attack in (action["text"] for action in legal if action["verb"] == "attack"):
        joins = [action for action in play(client, game["id"], attack)["snapshot"]["legal"] if action["verb"] == "join"]
        if len(joins) > 2:
            break
        play(client, game["id"], "cancel")
    after = play(client, game["id"], joins[-1]["text"])["snapshot"]
    assert after["sets"] == {"join": len(joins) - 1}
