"""Log, replay, earlier positions, previews, dice statistics, library."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.tabletop import finish, play, start


def test_the_replay_leads_from_the_first_view_to_the_last(client: TestClient) -> None:
    """The first view with every change applied, one by one, is the view at each ply."""
    game_id = start(client)["id"]
    finish(client, game_id)
    replay = client.get(f"/api/games/{game_id}/replay?seat=red").json()
    view: dict[str, Any] = replay["start"]
    for entry in replay["entries"]:
        change = dict(entry["change"])
        units = {unit: seen for unit, seen in (view["units"] | change.pop("units")).items() if seen is not None}
        view = {**view, **change, "units": units}
        assert view == client.get(f"/api/games/{game_id}/at/{entry['ply']}?seat=red").json()["view"]


def test_the_log_has_headings_and_can_be_read_from_a_ply(client: TestClient) -> None:
    """A heading stands where a turn begins."""
    game_id = start(client)["id"]
    play(client, game_id, "hide 4", "move r1 2", "end", "end")
    entries = client.get(f"/api/games/{game_id}/log").json()["entries"]
    assert [(entry["ply"], entry["heading"]) for entry in entries if "heading" in entry] == [
        (1, "Turn 1 · Crossing"),
        (4, "Turn 2 · Crossing"),
    ]
    assert [entry["ply"] for entry in client.get(f"/api/games/{game_id}/log?since=3").json()["entries"]] == [4]
    assert client.get(f"/api/games/{game_id}/at/99").status_code == 404


def test_why_not_names_the_rule(client: TestClient) -> None:
    """The refusal has the rule's number and a sentence."""
    game_id = start(client, options={"probe": "no"})["id"]
    play(client, game_id, "hide 4")
    answer = client.get(f"/api/games/{game_id}/why", params={"action": "probe 3"}).json()
    assert answer["legal"] is False
    assert (answer["refusals"][0]["rule"], answer["refusals"][0]["text"]) == ("3", "No probe is left.")


def test_preview_and_overlay(client: TestClient) -> None:
    """A legal action can be previewed; an overlay that the game does not have is not found."""
    game_id = start(client)["id"]
    play(client, game_id, "hide 4")
    assert client.get(f"/api/games/{game_id}/preview", params={"action": "move r1 2"}).json() == {"path": ["2"]}
    assert client.get(f"/api/games/{game_id}/preview", params={"action": "move r1 5"}).status_code == 409
    assert client.get(f"/api/games/{game_id}/overlay/zoc").status_code == 404


def test_dice_statistics_have_the_expected_mean_and_spread(client: TestClient) -> None:
    """Two dice rolled by red: mean 7, standard deviation the root of 35/6."""
    game_id = start(client, dice="typed")["id"]
    play(client, game_id, "hide 2", "move r1 2", "move r2 2", "end", "roll 6", "roll 5")
    dice = client.get(f"/api/games/{game_id}/dice").json()
    assert [(roll["seat"], roll["purpose"], roll["faces"]) for roll in dice["rolls"]] == [
        ("red", "ambush", [6]),
        ("red", "ambush", [5]),
    ]
    red = dice["sides"]["red"]
    assert red["purposes"]["ambush"] == {key: value for key, value in red.items() if key != "purposes"}
    assert red | {"purposes": None} == {
        "purposes": None,
        "rolls": 2,
        "faces": {"5": 1, "6": 1},
        "total": 11,
        "expected": 7.0,
        "spread": pytest.approx((35 / 6) ** 0.5, abs=0.001),
    }
    assert dice["sides"]["blue"]["rolls"] == 0


def test_the_library_is_named_in_the_readers_language_and_kept_by_browsers(client: TestClient) -> None:
    """Names come from the catalogs; a browser that holds the version is told so."""
    tiny = next(game for game in client.get("/api/library?lang=en").json() if game["id"] == "tiny")
    assert tiny["seats"] == [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}]
    assert tiny["options"][0]["choices"][0] == {"id": "yes", "name": "Yes"}
    first = client.get("/api/library/tiny/components")
    assert first.json()["units"]["r1"]["side"] == "red"
    again = client.get("/api/library/tiny/components", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    assert client.get("/api/library/tiny/catalog?lang=fr").json()["names"]["trap"] != "trap"
    assert client.get("/api/library/chess/components").status_code == 404
    assert client.get("/api/library/tiny/map").status_code == 404


def test_openapi_describes_every_request(client: TestClient) -> None:
    """Each operation has a summary in words and its answers."""
    paths = client.get("/api/openapi.json").json()["paths"]
    assert "/api/games/{game_id}/actions" in paths
    assert all(operation["description"] for path in paths.values() for operation in path.values())


def test_a_roll_is_told_with_its_odds_as_they_stood(client: TestClient) -> None:
    """The defender's guns came after the attacker's last look: column and die of the card fit the result (T-30)."""
    game = client.post("/api/games", json={"game": "deadly-woods", "dice": "typed"}).json()
    taken = play(
        client, game["id"], "attack 3712", "join 18VG/293", "join 18VG/294", "join 62VG/164", "resolve", "resolve"
    )
    legal = taken["snapshot"]["legal"]
    gun = next(action["text"] for action in legal if action["verb"] == "support")
    before = play(client, game["id"], gun, "resolve")
    said = next(event for event in before["entries"][-1]["events"] if event["key"] == "odds")
    rolled = play(client, game["id"], "roll 3")
    odds = client.get(f"/api/games/{game['id']}/rolls/{rolled['ply']}").json()["odds"]
    assert odds["column"] == said["args"]["word_column"]
    assert (odds["attack"], odds["defence"]) == (said["args"]["n_attack"], said["args"]["n_defence"])
    assert said["args"]["n_shift"] == sum(shift["args"]["n"] for shift in odds["shifts"])
    result = next(event for event in rolled["entries"][-1]["events"] if event["key"] == "combat-result")
    assert result["args"]["word_result"] == next(row["result"] for row in odds["outcomes"] if 3 in row["rolls"])
    assert client.get(f"/api/games/{game['id']}/rolls/1").json() == {}
    assert client.get(f"/api/games/{game['id']}/rolls/999").status_code == 404
