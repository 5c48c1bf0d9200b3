"""The list of games is there before any game is loaded, and says what the games say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from salient.games import game_ids, listed, load, shipped_games

COMMAND = "from salient.cli import app; app(['games', '--lang', 'de'], standalone_mode=False)"
SERVER = """
from pathlib import Path
from fastapi.testclient import TestClient
from salient.server import Settings, create_app
with TestClient(create_app(Settings(Path(sys.argv[1]))), base_url="http://localhost") as client:
    assert len(client.get("/api/library?lang=fr").raise_for_status().json()) > 1
"""
HEAVY = "\nprint([name for name in ('salient.bots', 'salient.lab', 'sqlalchemy', 'fastapi') if name in sys.modules])"
LOADED = "\nprint(sum(name.startswith('salient.games.') for name in sys.modules))"


@pytest.mark.parametrize("game_id", game_ids())
def test_what_is_shipped_is_what_the_game_says(game_id: str) -> None:
    assert shipped_games()[game_id] == listed(load(game_id)), "python tools/library.py writes it anew"


@pytest.mark.parametrize("act", [COMMAND, SERVER], ids=["command", "server"])
def test_a_list_of_games_loads_none(act: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", f"import sys\n{act}{LOADED}", str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    assert said.stdout.split()[-1] == "0"


def test_the_command_that_lists_games_needs_no_bot_and_no_server() -> None:
    """The module of a command is imported when it is called."""
    command = [sys.executable, "-c", f"import sys\n{COMMAND}{HEAVY}"]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    assert said.stdout.splitlines()[-1] == "[]"
