"""Requests made up from the OpenAPI description: whatever is sent, the server answers and never fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings

from server.people import Browser, meet, public

EXAMPLES = 4  # of every route
LEFT_OUT = {("POST", "/api/people/sign-out"), ("DELETE", "/api/people/me"), ("GET", "/metrics")}


@pytest.fixture
def table(tmp_path: Path, registered_tiny: str) -> Iterator[tuple[TestClient, Browser, str]]:
    """A public server, somebody who is signed in, and a game of theirs."""
    with public(tmp_path, thinkers=0) as client:
        ann, ben = Browser(client, "Ann"), Browser(client, "Ben")
        yield client, ann, meet(ann, ben)


def test_no_made_up_request_makes_the_server_fail(table: tuple[TestClient, Browser, str]) -> None:
    """Every route, with values of the described kinds: by a stranger, and by a player at a game of the player's own."""
    client, ann, game_id = table
    schema = schemathesis.openapi.from_dict(client.get("/api/openapi.json").json())
    tried = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        if (operation.method.upper(), operation.path) not in LEFT_OUT:
            tried += try_out(operation, client, ann, game_id)
    assert tried > 300


def try_out(operation: Any, client: TestClient, ann: Browser, game_id: str) -> int:
    """Try one route; how many requests were sent."""
    sent = 0

    @settings(
        max_examples=EXAMPLES,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        nonlocal sent
        body = case.body if isinstance(case.body, (dict, list, str, int, float, bool)) else None
        for who in (Browser(client), ann):
            values = {"game_id": game_id} if who is ann else {}
            path = operation.path
            for name, value in {**(case.path_parameters or {}), **values}.items():
                path = path.replace(f"{{{name}}}", str(value))
            query = {name: str(value) for name, value in (case.query or {}).items()}
            answer = send(who, case.method, path, query, body)
            sent += 1
            assert answer.status_code < 500, (case.method, path, query, body, answer.text[:300])

    ask()
    return sent


def send(who: Browser, method: str, path: str, query: dict[str, str], body: Any) -> Any:
    """One request of a browser, with a query."""
    return who.ask(method, f"{quote(path)}?{urlencode(query)}", body)
