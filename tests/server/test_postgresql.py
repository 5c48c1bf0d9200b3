"""The same server on PostgreSQL, where its programs are installed."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.tabletop import finish, play, serve, start


def programs() -> Path | None:
    """The folder of PostgreSQL's server programs: on the path, or where Debian keeps them."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders and (folders[-1] / "pg_ctl").exists() else None


def unprivileged() -> str | None:
    """PostgreSQL refuses to run as root: the user to run it as, None if this one will do."""
    if os.getuid():
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """The URL of an empty database of its own, in a folder that its user can reach."""
    folder = programs()
    if folder is None:
        pytest.skip("PostgreSQL is not installed")
    user = unprivileged()
    data = Path(tempfile.mkdtemp(prefix="salient-"))
    if user:
        shutil.chown(data, user)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def run(program: str, *arguments: str) -> None:
        subprocess.run([folder / program, *arguments], user=user, cwd=data, check=True, stdout=subprocess.DEVNULL)

    log, options = str(data / "log"), f"-p {port} -k {data} -c listen_addresses=127.0.0.1"
    try:
        run("initdb", "-D", str(data / "cluster"), "-U", "salient", "--auth", "trust", "--no-sync")
        run("pg_ctl", "-D", str(data / "cluster"), "-l", log, "-o", options, "-w", "start")
    except subprocess.CalledProcessError as error:
        pytest.skip(f"PostgreSQL does not start here: {error}")
    yield f"postgresql+psycopg://salient@127.0.0.1:{port}/postgres"
    run("pg_ctl", "-D", str(data / "cluster"), "-m", "immediate", "stop")
    shutil.rmtree(data)


def test_a_game_is_kept_undone_and_finished_on_postgresql(tmp_path: Path, database: str, registered_tiny: str) -> None:
    """Play, take back, restart the server, go on to the end: nothing is lost and the record verifies."""
    with serve(tmp_path, database=database) as client:
        game_id = start(client, name="On PostgreSQL")["id"]
        play(client, game_id, "hide 4", "move r1 2")
        undone = client.post(f"/api/games/{game_id}/undo", json={"seen": 2})
        assert undone.status_code == 200, undone.text
        before = client.get(f"/api/games/{game_id}").json()
    with serve(tmp_path, database=database) as client:
        assert [game["name"] for game in client.get("/api/games").json()] == ["On PostgreSQL"]
        after = client.get(f"/api/games/{game_id}").json()
        assert (after["seen"], after["ply"], after["legal"]) == (before["seen"], before["ply"], before["legal"])
        finish(client, game_id)
        assert client.get(f"/api/games/{game_id}/verify").json()["ok"]
        assert client.delete(f"/api/games/{game_id}").status_code == 204
        assert client.get("/api/games").json() == []
