"""The database through versions of the program, and what a start-up says when it cannot be used."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from bench.postgres import Cluster
from typer.testing import CliRunner, Result

from salient.cli import app
from salient.server import seal
from salient.server.database import CannotOpen, schema_versions
from salient.server.seal import Seal, read_key
from salient.server.store import Store
from salient.server.tables import META
from server.tabletop import finish, play, serve, start

FIRST_EDITION = """
CREATE TABLE games (id VARCHAR(32) PRIMARY KEY, name TEXT NOT NULL, game VARCHAR(64) NOT NULL,
  scenario VARCHAR(64) NOT NULL, options JSON NOT NULL, seats JSON NOT NULL, dice VARCHAR(16) NOT NULL,
  dice_name TEXT NOT NULL, secret VARCHAR(64), pace FLOAT NOT NULL, paused BOOLEAN NOT NULL, created FLOAT NOT NULL,
  changed FLOAT NOT NULL, seen INTEGER NOT NULL, summary JSON NOT NULL);
CREATE TABLE entries (game_id VARCHAR(32) NOT NULL REFERENCES games (id) ON DELETE CASCADE, n INTEGER NOT NULL,
  kind VARCHAR(4) NOT NULL, ply INTEGER NOT NULL, seat VARCHAR(32) NOT NULL, action TEXT NOT NULL,
  PRIMARY KEY (game_id, n));
CREATE TABLE tokens (hash VARCHAR(64) PRIMARY KEY, game_id VARCHAR(32) NOT NULL REFERENCES games (id),
  role VARCHAR(16) NOT NULL, seat VARCHAR(32) NOT NULL);
INSERT INTO games VALUES ('old-game-1', 'Old', 'tiny', 'standard', '{}', '{"red": "human", "blue": "human"}',
  'verified', 'old-game-1', '{secret}', 0, 0, 1.0, 2.0, 2, '{}');
INSERT INTO entries VALUES ('old-game-1', 0, 'act', 1, 'blue', 'hide 4'),
  ('old-game-1', 1, 'act', 2, 'red', 'move r1 2');
"""
SECRET = "5a" * 32


def one_line(result: Result) -> str:
    """What a command has said."""
    return " ".join(result.output.split())


def test_a_database_of_the_first_edition_is_brought_up_and_its_secrets_sealed(
    tmp_path: Path, registered_tiny: str
) -> None:
    """Its games go on with their dice; the secret is nowhere in the clear any more."""
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as db, db:
        db.executescript(FIRST_EDITION.replace("{secret}", SECRET))
    with serve(tmp_path) as client:
        assert client.get("/api/games/old-game-1").json()["ply"] == 2
        finish(client, "old-game-1")
        assert client.get("/api/games/old-game-1/dice").json()["secret"] == SECRET
        assert client.get("/api/games/old-game-1/verify").json()["ok"]
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as db:
        assert SECRET not in "\n".join(db.iterdump())


def test_the_secret_of_a_new_game_is_not_in_the_database(tmp_path: Path, registered_tiny: str) -> None:
    """The database alone does not foretell the dice; the key is a file that only its user may read."""
    with serve(tmp_path) as client:
        game_id = start(client)["id"]
        secret = client.app.state.table.store.game(game_id).secret  # type: ignore[attr-defined]
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as db:
        assert secret not in "\n".join(db.iterdump())
    assert (tmp_path / "server.key").stat().st_mode & 0o077 == 0
    other = Store(f"sqlite:///{tmp_path / 'games.sqlite'}", Seal(bytes(32)))
    row = other.game(game_id)
    assert row is not None
    assert row.secret != secret
    other.close()


def test_another_key_than_the_first_is_refused(tmp_path: Path, registered_tiny: str) -> None:
    """A second machine without the server's own key, or a backup that would keep a wrong one: told at the start."""
    with serve(tmp_path) as client:
        game_id = start(client)["id"]
        secret = client.app.state.table.store.game(game_id).secret  # type: ignore[attr-defined]
    for words in (["serve"], ["backup", str(tmp_path / "kept.zip")], ["admin", "audit"]):
        settings = tmp_path / "settings.toml"
        settings.write_text(f'data = "{tmp_path}"\nkey_file = "{tmp_path / "elsewhere" / "server.key"}"\n')
        refused = CliRunner().invoke(app, [*words, "--settings", str(settings)])
        assert (refused.exit_code, "another key" in one_line(refused)) == (2, True), refused.output
    assert not (tmp_path / "kept.zip").exists()
    with serve(tmp_path) as client:
        assert client.app.state.table.store.game(game_id).secret == secret  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["", "no key", "5a" * 31, "zz" * 32, "\0"])
def test_a_key_that_is_none_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """A key that was cut short would make other dice without a word."""
    monkeypatch.setattr(seal, "SECONDS_TO_WRITE", 0.1)
    (tmp_path / "server.key").write_text(text)
    refused = CliRunner().invoke(app, ["serve", "--data", str(tmp_path)])
    assert (refused.exit_code, "is no key" in one_line(refused)) == (2, True), refused.output


def test_of_many_that_start_at_once_one_makes_the_key(tmp_path: Path) -> None:
    """Several processes on one empty folder have the same key."""
    with ThreadPoolExecutor(20) as pool:
        keys = set(pool.map(read_key, [tmp_path / "new" / "server.key"] * 20))
    assert len(keys) == 1


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_migrations_make_the_tables_that_the_program_uses(kind: str, tmp_path: Path, cluster: Cluster) -> None:
    """Every column of every table is there; opening again changes nothing."""
    from sqlalchemy import inspect

    url = f"sqlite:///{tmp_path / 'games.db'}" if kind == "sqlite" else cluster.new_database()
    Store(url).close()
    store = Store(url)
    found = inspect(store.engine)
    for table in META.sorted_tables:
        assert {c["name"] for c in found.get_columns(table.name)} == set(table.c.keys()), table.name
    store.close()


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    """A program does not touch what it does not know."""
    url = f"sqlite:///{tmp_path / 'games.db'}"
    Store(url).close()
    with closing(sqlite3.connect(tmp_path / "games.db")) as db, db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(CannotOpen, match="newer version of the program"):
        Store(url)
    assert "9999" not in schema_versions()


def test_the_versions_of_the_schema_are_those_of_the_migrations() -> None:
    """A start with the newest schema does without the tool that migrates: the files' names tell the versions."""
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", "salient.server:migrations")
    scripts = ScriptDirectory.from_config(config).walk_revisions()
    assert schema_versions() == tuple(script.revision for script in scripts)


def _damage_header(file: Path) -> None:
    file.write_bytes(b"not a database at all, sorry" * 500)


def _damage_pages(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[4096 * 2 :] = os.urandom(len(data) - 4096 * 2)
    file.write_bytes(bytes(data))


@pytest.mark.parametrize("damage", [_damage_header, _damage_pages])
def test_a_damaged_database_is_told_before_the_server_says_that_it_is_ready(
    tmp_path: Path, registered_tiny: str, damage: object
) -> None:
    """One sentence with a way out, exit code 2, no traceback, and never "ready" (R-6)."""
    with serve(tmp_path) as client:
        game_id = start(client)["id"]
        play(client, game_id, "hide 4")
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the pages to be damaged are in the file itself
    for name in ("games.sqlite-wal", "games.sqlite-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    damage(tmp_path / "games.sqlite")  # type: ignore[operator]
    said = _serve(tmp_path)
    assert said.exit_code == 2
    assert "is damaged" in said.output.replace("\n", " ")
    assert "ready" not in said.output


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """A data folder that is a file, as any place where nothing can be kept."""
    (tmp_path / "taken").write_text("x")
    said = _serve(tmp_path / "taken" / "deeper")
    assert said.exit_code == 2
    assert "cannot be written to" in said.output.replace("\n", " ")


def test_a_full_disk_is_told_before_the_server_says_that_it_is_ready(tmp_path: Path) -> None:
    """No file of the process may grow, as on a disk without room (R-6)."""
    read_key(tmp_path / "server.key")
    program = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1, 1)); from salient.cli import app; app()"
    command = [sys.executable, "-c", program, "serve", "--data", str(tmp_path), "--port", "1"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (said.returncode, said.stdout) == (2, "")
    assert "full" in said.stderr
    assert "Traceback" not in said.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("what?", "cannot be read as a settings file"),
        ("thinkers = 'two'", "thinkers cannot be 'two'"),
        ("hosts = 'play.example'", "hosts cannot be 'play.example'"),
        ("[limits]\nrequests = 'often'", "requests cannot be 'often'"),
        ("[limits]\nsockets = -1", "sockets cannot be -1"),
        ("colour = 'red'", "“colour” in settings, which is not known"),
    ],
)
def test_a_settings_file_that_cannot_be_is_told(tmp_path: Path, text: str, said: str) -> None:
    """The sentence names what is wrong, at the start and not at the first request."""
    file = tmp_path / "salient.toml"
    file.write_text(text)
    found = CliRunner().invoke(app, ["serve", "--settings", str(file), "--data", str(tmp_path)])
    assert found.exit_code == 2
    assert said in found.output.replace("\n", " ")
    assert "ready" not in found.output


def test_a_file_that_is_no_backup_is_told(tmp_path: Path) -> None:
    """Nothing is made of it, not even a key."""
    file = tmp_path / "junk.zip"
    file.write_text("junk")
    found = CliRunner().invoke(app, ["restore", str(file), "--data", str(tmp_path / "new")])
    assert found.exit_code == 2
    assert "no backup" in found.output.replace("\n", " ")
    assert not (tmp_path / "new").exists()


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    """The sentence names the port and the way out."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = _serve(tmp_path, str(taken.getsockname()[1]))
    assert said.exit_code == 2
    assert "--port" in said.output


def _serve(data: Path, port: str = "1") -> Result:
    return CliRunner().invoke(app, ["serve", "--data", str(data), "--port", port])
