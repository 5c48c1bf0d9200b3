"""A PostgreSQL cluster of one's own, for tests and benchmarks."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.serving import processor_ms


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


JOURNAL = ("checkpoint_timeout=15min", "max_wal_size=4GB", "min_wal_size=1GB", "wal_compression=on")  # docs/DEPLOY.md
SETTINGS = ("listen_addresses=127.0.0.1", "max_connections=200", "track_wal_io_timing=on", *JOURNAL)
TRANSACTIONS = "SELECT sum(xact_commit + xact_rollback) FROM pg_stat_database WHERE datname LIKE 'games%'"
SECONDS_TO_COUNT = 1.5  # after which PostgreSQL has counted what its processes have done


@dataclass(frozen=True)
class Work:
    """What a cluster has done: transactions, its journal brought to the disk, and processor time, in milliseconds."""

    transactions: float
    syncs: float
    sync_ms: float
    processor: float

    def since(self, before: Work, actions: int) -> Work:
        """What it did since then for one action; `sync_ms` is for one sync."""
        syncs = self.syncs - before.syncs
        return Work(
            (self.transactions - before.transactions) / actions,
            syncs / actions,
            (self.sync_ms - before.sync_ms) / max(1, syncs),
            (self.processor - before.processor) / actions,
        )


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
        options = f"-p {self.port} -k {self.folder} {' '.join(f'-c {each}' for each in SETTINGS)}"
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
        query = "SELECT count(*) FROM pg_stat_activity WHERE xact_start < to_timestamp(%s)"
        with self._connection() as db:
            while db.execute(query, (begun_before,)).fetchone() != (0,):
                time.sleep(0.02)

    def checkpoint(self) -> None:
        """Write everything that is only in the journal."""
        with self._connection() as db:
            db.execute("CHECKPOINT")

    def work(self) -> Work:
        """What has been done since the cluster began."""
        time.sleep(SECONDS_TO_COUNT)
        with self._connection() as db:
            transactions = db.execute(TRANSACTIONS).fetchone()
            journal = db.execute("SELECT wal_sync, wal_sync_time FROM pg_stat_wal").fetchone()
        assert transactions
        assert journal
        return Work(float(transactions[0]), float(journal[0]), float(journal[1]), self._processor_ms())

    def _processor_ms(self) -> float:
        """Of all its processes, those included that have ended."""
        first = int((Path(self.data) / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        return processor_ms(first, ended=True) + sum(processor_ms(int(child)) for child in children)

    def _connection(self) -> Any:
        import psycopg

        where = {"host": "127.0.0.1", "port": self.port, "user": "salient", "dbname": "postgres"}
        return psycopg.connect(**where, autocommit=True)

    def remove(self) -> None:
        """Stop and forget everything."""
        self.kill()
        shutil.rmtree(self.folder)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(programs() / program), *arguments]
        subprocess.run(command, user=self.user, cwd=self.folder, check=True, stdout=subprocess.DEVNULL, timeout=60)
