"""The laboratory over the API: problems that tell what a choice achieves, and openings by what a seat sees."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.secrets_kept import CASES
from fastapi.testclient import TestClient

from salient.games import load
from salient.kernel import candidates, step
from salient.lab.explore import as_seen, seen_key
from salient.lab.puzzles import puzzles
from server.tabletop import finish, play, serve, start

ALL = puzzles()


@pytest.mark.parametrize("problem", ALL, ids=[each.name for each in ALL])
def test_a_problem_is_shown_with_its_choices(client: TestClient, problem: object) -> None:
    """Every problem has a goal in words, a prompt and a list to choose from."""
    listed = {each["name"]: each for each in client.get("/api/puzzles").json()["puzzles"]}
    shown = client.get(f"/api/puzzles/{problem.name}?lang=it").json()  # type: ignore[attr-defined]
    assert shown["name"] in listed
    assert shown["goal"]
    assert shown["prompt"]
    assert set(problem.best) <= {action["text"] for action in shown["legal"]}  # type: ignore[attr-defined]


def test_an_answer_is_weighed(client: TestClient) -> None:
    """The best is told as such; everything else with what it achieves; what is no choice is refused."""
    problem = puzzles("target-arnhem")[0]
    address = f"/api/puzzles/{problem.name}/answers"
    right = client.post(address, json={"action": problem.best[0]}).json()
    assert right["right"]
    assert right["told"][0]["share"] == 1
    assert right["told"][-1]["share"] == 0
    worst = right["told"][-1]["action"]
    assert not client.post(address, json={"action": worst}).json()["right"]
    assert client.post(address, json={"action": "attack 9999"}).status_code == 422
    assert client.get("/api/puzzles/mate-in-two").status_code == 404


def test_a_problem_has_a_picture_of_its_part_of_the_map(client: TestClient) -> None:
    answer = client.get(f"/api/puzzles/{puzzles('target-arnhem')[0].name}/board.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.startswith("<svg")


def test_openings_count_finished_games_only(tmp_path: Path, registered_tiny: str) -> None:
    """Two games with the same first action, one of them finished: it is found beside a third at its start."""
    with serve(tmp_path) as client:
        first, second, third = (start(client)["id"] for _ in range(3))
        action = client.get(f"/api/games/{first}").json()["legal"][0]["text"]
        for game in (first, second):
            play(client, game, action)
        before = client.get(f"/api/games/{third}/openings").json()
        assert before == {"games": 0, "tried": []}
        finish(client, first)
        found = client.get(f"/api/games/{third}/openings").json()
        assert found["games"] == 1
        assert [(line["action"], line["games"]) for line in found["tried"]] == [(action, 1)]
        assert sum(found["tried"][0]["wins"].values()) == 1
        again = client.get(f"/api/games/{second}/openings?ply=0").json()
        assert again == found


def test_positions_that_a_seat_cannot_tell_apart_have_the_same_openings() -> None:
    """The Deadly Woods: the book of the Allies does not know which panzer army was chosen; that of the Germans does."""
    case = CASES["deadly-woods"]
    game = load(case.game)
    state = game.new()
    while game.read(case.choices[0]) not in state.stack[-1].legal(state):
        state = step(state, candidates(state)[-1], trusted=True)
    one, two = (step(state, game.read(choice)) for choice in case.choices)
    assert seen_key(game, one, case.other) == seen_key(game, two, case.other)
    assert seen_key(game, one, case.keeper) != seen_key(game, two, case.keeper)
    assert len(set(as_seen(game, one))) == 3
