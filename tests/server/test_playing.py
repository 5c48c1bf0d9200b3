"""Submitting, taking back, and what is refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from server.tabletop import finish, play, serve, start


def test_a_new_game_shows_what_is_legal_and_why_it_is_asked(client: TestClient) -> None:
    """The first snapshot holds the prompt with its rule and every action with its parts and words."""
    snapshot = start(client, name="First try")["snapshot"]
    assert (snapshot["name"], snapshot["actor"], snapshot["seat"], snapshot["yours"]) == (
        "First try",
        "blue",
        "blue",
        True,
    )
    assert snapshot["prompt"] == {"rule": "1", "key": "hide-the-trap", "args": {}, "text": "Hide the trap."}
    assert snapshot["legal"][0] == {
        "text": "hide 2",
        "verb": "hide",
        "args": [{"kind": "field", "value": "2"}],
        "label": "Hide the trap on field 2",
        "names": False,
    }
    assert len(snapshot["dice"]["commitment"]) == 64


def test_an_action_is_answered_with_its_events_and_the_change_it_made(client: TestClient) -> None:
    """The update names the entry, its events in words with unit names, and the units that changed."""
    game_id = start(client)["id"]
    play(client, game_id, "hide 4")
    update = play(client, game_id, "move r1 2")
    assert (update["seen"], update["ply"], update["cut"]) == (2, 2, 1)
    entry = update["entries"][0]
    assert (entry["ply"], entry["seat"], entry["action"]) == (2, "red", "move r1 2")
    assert entry["events"] == [
        {"rule": "2", "key": "moved", "args": {"unit": "r1", "field_to": "2"}, "text": "First unit moves to 2."}
    ]
    assert entry["change"]["units"] == {"r1": {"where": "2", "badges": []}}


def test_words_come_in_the_language_asked_for(client: TestClient) -> None:
    """`lang` decides, then Accept-Language; errors too are in that language."""
    game_id = start(client)["id"]
    asked = client.get(f"/api/games/{game_id}?lang=it").json()["prompt"]["text"]
    accepted = client.get(f"/api/games/{game_id}", headers={"Accept-Language": "it-IT,en;q=0.5"}).json()["prompt"][
        "text"
    ]
    assert asked == accepted != "Hide the trap."
    refused = client.get("/api/games/nothing-here?lang=fr").json()
    assert refused == {
        "error": "not-found",
        "message": "Cette partie n’existe pas, ou ce navigateur ne peut pas la voir.",
    }


def test_the_server_rolls_and_commits_the_dice_with_the_action(client: TestClient) -> None:
    """Ending the turn on the trap answers with the ambush rolls that follow."""
    game_id = start(client)["id"]
    update = play(client, game_id, "hide 2", "move r1 2", "end")
    assert [(entry["seat"], entry["action"].split()[0]) for entry in update["entries"]] == [
        ("red", "end"),
        ("chance", "roll"),
    ]
    assert update["snapshot"]["actor"] != "chance"


def test_a_stale_or_repeated_submission_changes_nothing_and_gets_the_present(client: TestClient) -> None:
    """The second of two clicks on the same position is answered 409 with the fresh snapshot."""
    game_id = start(client)["id"]
    click = {"seen": 0, "action": "hide 3"}
    assert client.post(f"/api/games/{game_id}/actions", json=click).status_code == 200
    again = client.post(f"/api/games/{game_id}/actions", json=click)
    assert again.status_code == 409
    assert again.json()["error"] == "stale"
    assert again.json()["snapshot"]["seen"] == 1
    assert client.get(f"/api/games/{game_id}").json()["ply"] == 1


def test_a_click_on_a_position_that_was_taken_back_is_stale(client: TestClient) -> None:
    """`seen` counts undo too: the log is as long as before, yet the click is refused."""
    game_id = start(client)["id"]
    seen = play(client, game_id, "hide 3", "move r1 2")["seen"]
    undone = client.post(f"/api/games/{game_id}/undo", json={"seen": seen}).json()
    client.post(f"/api/games/{game_id}/actions", json={"seen": undone["seen"], "action": "move r2 2"})
    late = client.post(f"/api/games/{game_id}/actions", json={"seen": seen, "action": "end"})
    assert late.status_code == 409
    assert late.json()["snapshot"]["ply"] == 2


def test_an_illegal_action_is_refused_with_rule_and_reason(client: TestClient) -> None:
    """422 with the refusals in words; unreadable text is another error; nothing changes."""
    game_id = start(client)["id"]
    seen = play(client, game_id, "hide 3", "move r1 2")["seen"]
    illegal = client.post(f"/api/games/{game_id}/actions", json={"seen": seen, "action": "move r1 3"})
    assert illegal.status_code == 422
    assert illegal.json()["refusals"] == [
        {"rule": "2", "key": "moved-already", "args": {"unit": "r1"}, "text": "First unit has moved this turn."}
    ]
    unreadable = client.post(f"/api/games/{game_id}/actions", json={"seen": seen, "action": "fly r1"})
    assert (unreadable.status_code, unreadable.json()["error"]) == (422, "unreadable")
    assert client.get(f"/api/games/{game_id}").json()["seen"] == seen


def test_undo_stops_at_the_other_side_and_redo_brings_back(client: TestClient) -> None:
    """Red takes back both moves at once but not blue's hiding; redo plays them again in order."""
    game_id = start(client)["id"]
    seen = play(client, game_id, "hide 3", "move r1 2", "move r2 2")["seen"]
    assert client.get(f"/api/games/{game_id}").json()["undo_to"] == 1
    back = client.post(f"/api/games/{game_id}/reset", json={"seen": seen}).json()
    assert (back["ply"], back["cut"], back["snapshot"]["can_redo"]) == (1, 1, True)
    forth = client.post(f"/api/games/{game_id}/redo", json={"seen": back["seen"]}).json()
    assert forth["entries"][0]["action"] == "move r1 2"
    assert forth["snapshot"]["can_redo"]
    too_far = client.post(f"/api/games/{game_id}/undo", json={"seen": forth["seen"], "to": 0})
    assert (too_far.status_code, too_far.json()["error"]) == (409, "not-possible")


def test_undo_does_not_pass_dice(client: TestClient) -> None:
    """After a roll nothing can be taken back."""
    game_id = start(client)["id"]
    update = play(client, game_id, "hide 2", "move r1 2", "end")
    assert update["snapshot"]["undo_to"] is None
    assert client.post(f"/api/games/{game_id}/undo", json={"seen": update["seen"]}).status_code == 409


def test_typed_dice_are_submitted_and_can_be_corrected(client: TestClient) -> None:
    """With typed dice the faces are the legal list, an impossible face is refused, and a slip of the key taken back."""
    game_id = start(client, dice="typed")["id"]
    update = play(client, game_id, "hide 2", "move r1 2", "end")
    snapshot = update["snapshot"]
    assert (snapshot["actor"], snapshot["yours"], len(snapshot["legal"])) == ("chance", True, 6)
    assert snapshot["dice"]["needed"] == [6]
    bad = client.post(f"/api/games/{game_id}/actions", json={"seen": update["seen"], "action": "roll 7"})
    assert bad.status_code == 422
    rolled = play(client, game_id, "roll 1")
    back = client.post(f"/api/games/{game_id}/undo", json={"seen": rolled["seen"]}).json()
    assert back["snapshot"]["actor"] == "chance"
    assert play(client, game_id, "roll 6")["snapshot"]["view"]["units"]["r1"]["where"] == "2"


@pytest.mark.parametrize(
    ("faces", "error"), [([7], "unreadable"), ([2, 3], "unreadable"), ([], "invalid"), (None, "invalid")]
)
def test_faces_that_cannot_be_are_refused(client: TestClient, faces: list[int] | None, error: str) -> None:
    """A face that the die lacks, a die too many, nothing at all: nothing changes."""
    game_id = start(client, dice="typed")["id"]
    seen = play(client, game_id, "hide 2", "move r1 2", "end")["seen"]
    bad = client.post(f"/api/games/{game_id}/actions", json={"seen": seen, "faces": faces})
    assert (bad.status_code, bad.json()["error"]) == (422, error)
    assert client.get(f"/api/games/{game_id}").json()["seen"] == seen


def test_typed_faces_are_rolled_and_remembered(tmp_path: Path, registered_tiny: str) -> None:
    """The entry shows what lay on the table, also after a restart; faces out of turn are refused."""
    with serve(tmp_path) as client:
        game_id = start(client, dice="typed")["id"]
        early = client.post(f"/api/games/{game_id}/actions", json={"seen": 0, "faces": [3]})
        assert (early.status_code, early.json()["error"]) == (422, "unreadable")
        seen = play(client, game_id, "hide 2", "move r1 2", "end")["seen"]
        rolled = client.post(f"/api/games/{game_id}/actions", json={"seen": seen, "faces": [5]}).json()
        assert rolled["entries"][-1]["action"] == "roll 5"
    with serve(tmp_path) as client:
        entries = client.get(f"/api/games/{game_id}/log").json()["entries"]
        assert entries[-1]["roll"] == {"faces": [5]}


def test_many_real_dice_make_one_roll(client: TestClient) -> None:
    """Bulge: fourteen faces are typed, not an effect; with too few the answer says how many more."""
    game_id = client.post("/api/games", json={"game": "bulge", "dice": "typed"}).json()["id"]
    update = play(client, game_id, "attack 0309 0308", "pay 0309", "resolve")
    assert update["snapshot"]["dice"]["needed"] == [12] * 14
    body = {"seen": update["seen"], "faces": [12] * 10}
    short = client.post(f"/api/games/{game_id}/actions?lang=it", json=body)
    assert (short.status_code, short.json()["error"]) == (422, "more-dice")
    assert short.json()["needed"] == [12] * 4
    assert "Ancora 4 dadi" in short.json()["message"]
    done = client.post(f"/api/games/{game_id}/actions", json=body | {"faces": [12] * 14}).json()
    assert done["entries"][-1]["roll"]["faces"] == [12] * 14
    assert done["entries"][-1]["roll"]["panel"]["rows"][0]["missed"] == [12] * 14


def test_a_whole_game_ends_with_a_result_and_verifiable_dice(client: TestClient) -> None:
    """The secret is shown at the end only, matches the commitment, and every roll is checked."""
    game_id = start(client)["id"]
    commitment = client.get(f"/api/games/{game_id}/dice").json()["commitment"]
    assert client.get(f"/api/games/{game_id}/verify").status_code == 409
    snapshot = finish(client, game_id)
    assert snapshot["result"]["text"] in ("Red crosses and wins.", "Blue holds and wins.")
    dice = client.get(f"/api/games/{game_id}/dice").json()
    assert dice["commitment"] == commitment
    assert len(dice["secret"]) == 64
    assert client.get(f"/api/games/{game_id}/verify").json()["ok"] is True


def test_of_many_clicks_at_once_exactly_one_counts(client: TestClient) -> None:
    """Twelve submissions based on the same position arrive together: one is accepted, eleven are stale."""
    game_id = start(client)["id"]

    def click(n: int) -> int:
        body = {"seen": 0, "action": f"hide {2 + n % 3}"}
        return client.post(f"/api/games/{game_id}/actions", json=body).status_code

    with ThreadPoolExecutor(6) as clicks:
        codes = sorted(clicks.map(click, range(12)))
    assert codes == [200] + [409] * 11
    assert client.get(f"/api/games/{game_id}").json()["ply"] == 1
