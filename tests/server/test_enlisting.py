"""Programs that play by bot accounts, and processes that only think."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bench.postgres import Cluster
from fastapi.testclient import TestClient

from salient.bots import BotFault
from salient.cli.enlist import Enlisted, Refused
from salient.games import load
from salient.kernel import Record
from salient.kernel.messages import SalientError
from salient.server.settings import Settings
from salient.server.thinking import run
from server.people import Browser, public
from server.tabletop import eventually, serve

FIRST = Path(__file__).parents[2] / "examples" / "bots" / "first.py"
SILENT = "import sys\nfor line in sys.stdin:\n    if line.startswith('salient'): print('ready', flush=True)\n"


class Near(Enlisted):
    """The same over a client in this process."""

    def __init__(self, client: TestClient, key: str, bot: str, seconds: float = 10) -> None:
        self.client = client
        super().__init__("", key, bot, seconds)

    def ask(self, method: str, path: str, body: Any = None, text: bool = False) -> Any:
        headers = {"Authorization": f"Bearer {self.key}"}
        answer = self.client.request(method, f"/api/{path}", json=body, headers=headers)
        if answer.status_code >= 400:
            raise Refused(answer.json()["message"])
        return answer.text if text else answer.json() if answer.content else None


@pytest.fixture
def server(tmp_path: Path, registered_tiny: str) -> Iterator[TestClient]:
    with public(tmp_path, thinkers=0) as client:
        yield client


def account(server: TestClient, keeper: str, bot: str) -> str:
    """The key of a new bot account."""
    return str(Browser(server, keeper).post("/api/people/me/bots", {"name": bot}).json()["key"])


@pytest.mark.parametrize("dice", ["shared", "verified"])
def test_a_program_plays_a_whole_game_by_its_account(server: TestClient, dice: str) -> None:
    """A program by the text protocol against a level, both by accounts; with shared dice they give their part too."""
    one = Near(server, account(server, "Ann", "Annbot"), f"cmd:{sys.executable} {FIRST}")
    two = Near(server, account(server, "Ben", "Benbot"), "random")
    offer = {"kind": "invite", "invite": "Benbot", "game": "tiny", "dice": dice, "pace": "none", "rated": False}
    one.ask("POST", "room", offer)
    for _ in range(400):
        one.look()
        two.look()
        if two.finished:
            break
    game = one.ask("GET", "games")[0]
    assert game["result"] is not None
    assert Record.parse(one.ask("GET", f"games/{game['id']}/record", text=True)).moves
    assert one.ask("GET", f"games/{game['id']}/verify")["ok"]
    assert server.get("/api/people/Annbot").json()["kind"] == "bot"
    one.close()
    two.close()


def test_a_program_that_fails_is_named_and_started_again(server: TestClient, tmp_path: Path) -> None:
    """It gives no answer: its game stands, its name and what it did are told, the next look starts it anew."""
    silent = tmp_path / "silent.py"
    silent.write_text(SILENT)
    bot = Near(server, account(server, "Ann", "Annbot"), f"cmd:{sys.executable} {silent}", seconds=0.2)
    ben = Browser(server, "Ben")
    ben.post("/api/room", {"kind": "invite", "invite": "Annbot", "game": "tiny", "seat": "red", "dice": "verified"})
    for _ in range(2):
        with pytest.raises(BotFault, match=r"silent\.py gave no answer within 0\.2 s"):
            bot.look()
    bot.close()


def test_the_position_for_a_program_guesses_what_its_seat_may_not_see(server: TestClient) -> None:
    """A player gets the position as text; who only watches gets none."""
    bot = Near(server, account(server, "Ann", "Annbot"), "random")
    ben = Browser(server, "Ben")
    ben.post("/api/room", {"kind": "invite", "invite": "Annbot", "game": "tiny", "seat": "red", "dice": "verified"})
    bot.look()
    game_id = bot.ask("GET", "games")[0]["id"]
    game = load("tiny")
    state = game.read_position(ben.get(f"/api/games/{game_id}/position").text)
    assert game.view.observe(state, "red") == ben.get(f"/api/games/{game_id}").json()["view"]
    assert Browser(server, "Eve").get(f"/api/games/{game_id}/position").status_code == 403


def test_a_process_that_only_thinks_plays_the_bots_of_a_server(tmp_path: Path, cluster: Cluster) -> None:
    """`salient bots` on the server's PostgreSQL; SIGTERM ends it; on SQLite it says what it needs."""
    database, key = cluster.new_database(), tmp_path / "server.key"
    file = tmp_path / "settings.toml"
    file.write_text(f'data = "{database}"\nkey_file = "{key}"\n')
    with serve(tmp_path, database=database, thinkers=0, key_file=key) as client:
        order = {"game": "target-arnhem", "seats": {"allied": "bot:random"}, "pace": 0}
        game_id = client.post("/api/games", json=order).json()["id"]
        command = [sys.executable, "-c", "from salient.cli import app; app()", "bots", "--settings", str(file)]
        thinking = subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ)
        try:
            eventually(lambda: client.get(f"/api/games/{game_id}").json()["ply"] >= 2, 90)
        finally:
            thinking.send_signal(signal.SIGTERM)
        assert thinking.wait(30) == 0
    with pytest.raises(SalientError, match="need PostgreSQL"):
        run(Settings(tmp_path))
