"""How a game stands: situation, curve and luck of recorded games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from salient import load

RECORDS = Path(__file__).parents[1] / "records"
SMALL = ("target-arnhem", "bulge")


def imported(client: TestClient, name: str) -> str:
    record = (RECORDS / f"{name}-{load(name).rules_version}.salient").read_text()
    return str(client.post("/api/games/import", json={"record": record}).json()["id"])


def ask(client: TestClient, game_id: str, what: str) -> dict[str, Any]:
    response = client.get(f"/api/games/{game_id}/{what}")
    assert response.status_code == 200, response.text
    return dict(response.json())


@pytest.mark.parametrize("name", SMALL)
def test_a_curve_can_be_read_in_parts(client: TestClient, name: str) -> None:
    """The points after a ply are those of the whole curve; shares lie between 0 and 1, and the end is certain."""
    game_id = imported(client, name)
    whole = ask(client, game_id, "curve")["points"]
    part = ask(client, game_id, f"curve?since={whole[5]['ply']}")["points"]
    assert part == whole[5:]
    assert all(0 <= point["share"] <= 1 for point in whole)
    assert whole[-1]["share"] in (0.0, 1.0)


@pytest.mark.parametrize("name", SMALL)
def test_luck_is_what_was_lost_beyond_expectation(client: TestClient, name: str) -> None:
    """The sum of a side is that of its fights, as attacker and as defender."""
    luck = ask(client, imported(client, name), "luck")
    assert luck["fights"]
    for side in luck["sides"]:
        more = 0.0
        for fight in luck["fights"]:
            role = "attacker" if fight["seat"] == side["seat"] else "defender"
            more += fight[role] - fight[f"expected_{role}"]
        assert side["more_lost"] == pytest.approx(more, abs=0.051)


def test_the_luck_of_a_game_with_a_disengagement(client: TestClient) -> None:
    """Getting away is rolled for and has odds, but it is no fight: luck and report leave it out (T-57, T-58)."""
    record = (RECORDS / f"ardennes44-{load('ardennes44').rules_version}.salient").read_text()
    until_then = re.search(r"(.*\n)*?.* disengage .*\n(.*\n){30}", record)
    assert until_then
    begun = re.sub(r"\ndice: verified\n.*\n.*\n", "\ndice: seeded\n", until_then.group())
    game_id = str(client.post("/api/games/import", json={"record": begun}).json()["id"])
    assert ask(client, game_id, "luck")["fights"]
    assert client.get(f"/api/games/{game_id}/report").status_code == 200


def test_the_situation_of_an_earlier_ply(client: TestClient) -> None:
    """At the start Arnhem is not held; the last turn of the record has what its result says."""
    game_id = imported(client, "target-arnhem")
    start = ask(client, game_id, "situation?ply=0")
    assert [goal["met"] for goal in start["objectives"]] == [False, False]
    assert start["objectives"][0]["text"] == "An Allied unit in 1504 Arnhem at the end."
    assert client.get(f"/api/games/{game_id}/situation?ply=99999").status_code == 404


def test_events_that_matter_are_marked(client: TestClient) -> None:
    game_id = imported(client, "target-arnhem")
    entries = ask(client, game_id, "log")["entries"]
    marked = {event["key"] for entry in entries for event in entry["events"] if event.get("news")}
    assert "eliminated" in marked
    assert "moves" not in marked


def test_the_roll_for_supply_is_the_germans(client: TestClient) -> None:
    """The first supply roll of the Wehrmacht comes after an Allied decision and is a German roll (T-90)."""
    dice = ask(client, imported(client, "target-arnhem"), "dice")
    supply = [roll["seat"] for roll in dice["rolls"] if roll["purpose"] == "supply"]
    assert set(supply) == {"german"}
    assert "supply" not in dice["sides"]["allied"]["purposes"]


def test_every_table_of_a_game_can_be_read(client: TestClient) -> None:
    """Rows are as long as their header; where the data comes from is no column for players."""
    for game in ("target-arnhem", "bulge", "deadly-woods", "ardennes44"):
        tables = client.get(f"/api/library/{game}/tables").json()
        assert tables, game
        for table in tables:
            assert "source" not in table["columns"]
            assert {len(row) for row in table["rows"]} == {len(table["columns"])}
