"""A PostgreSQL cluster of one's own, for tests and benchmarks."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path


def programs() -> Path:
    """The folder of PostgreSQL's server programs: where Debian keeps them, or on the path."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    found = shutil.which("initdb")
    folders = folders or ([Path(found).resolve().parent] if found else [])
    assert folders, "PostgreSQL is not installed: run tools/install-postgresql"
    return folders[-1]


def unprivileged() -> str | None:
    """PostgreSQL refuses to run as root: the user to run it as, None if this one will do."""
    if os.getuid():
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


class Cluster:
    """A cluster in a folder of its own, on a free port; it can be killed and started again."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="salient-"))
        self.user = unprivileged()
        if self.user:
            shutil.chown(self.folder, self.user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.databases = 0
        self._run("initdb", "-D", self.data, "-U", "salient", "--auth", "trust", "--no-sync", "-E", "UTF8")

    @property
    def data(self) -> str:
        """Where the cluster is."""
        return str(self.folder / "cluster")

    def start(self) -> None:
        """Start, and wait until it answers."""
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c max_connections=200"
        self._run("pg_ctl", "-D", self.data, "-l", str(self.folder / "log"), "-o", options, "-w", "start")

    def kill(self) -> None:
        """Stop at once, as a crash does."""
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")

    def new_database(self) -> str:
        """The URL of an empty database."""
        self.databases += 1
        name = f"games{self.databases}"
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "salient", name)
        return f"postgresql+psycopg://salient@127.0.0.1:{self.port}/{name}"

    def wait_for_transactions(self, begun_before: float) -> None:
        """Wait for the transactions from before a moment: one whose client has died may yet be committed."""
        import psycopg

        query = "SELECT count(*) FROM pg_stat_activity WHERE xact_start < to_timestamp(%s)"
        with psycopg.connect(host="127.0.0.1", port=self.port, user="salient", dbname="postgres") as db:
            db.autocommit = True
            while db.execute(query, (begun_before,)).fetchone() != (0,):
                time.sleep(0.02)

    def remove(self) -> None:
        """Stop and forget everything."""
        self.kill()
        shutil.rmtree(self.folder)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(programs() / program), *arguments]
        subprocess.run(command, user=self.user, cwd=self.folder, check=True, stdout=subprocess.DEVNULL, timeout=60)
