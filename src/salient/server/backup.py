"""Backups while the server runs: the whole database and the server's key in one file, and back."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, LargeBinary, insert, select

from salient.kernel.messages import SalientError
from salient.server.app import open_store
from salient.server.database import schema_versions
from salient.server.problems import sentence
from salient.server.settings import Settings
from salient.server.tables import META, SERVER

BATCH = 500
FORMAT = "salient-backup 1"
TABLES = [table for table in META.sorted_tables if table is not SERVER]


def backup(settings: Settings, file: Path) -> int:
    """Write everything into a file, in one consistent look at the database; how many rows."""
    store = open_store(settings)
    rows = 0
    unfinished = file.with_name(file.name + ".part")
    try:
        unfinished.unlink(missing_ok=True)
        unfinished.touch(mode=0o600)  # the server's key is in it: nobody else reads it, not even half of it
        look = store.engine.execution_options(isolation_level="REPEATABLE READ") if _many(store.url) else store.engine
        with look.connect() as db, zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as out:
            out.writestr("about.json", json.dumps({"format": FORMAT, "schema": schema_versions()[0]}))
            out.writestr("server.key", settings.key.read_text(encoding="ascii"))
            for table in TABLES:
                with out.open(f"{table.name}.jsonl", "w", force_zip64=True) as lines:
                    for row in db.execution_options(stream_results=True).execute(select(table)):
                        lines.write((json.dumps(_plain(dict(row._mapping))) + "\n").encode())
                        rows += 1
        unfinished.replace(file)
    finally:
        store.close()
        unfinished.unlink(missing_ok=True)
    return rows


def restore(settings: Settings, file: Path) -> int:
    """Bring everything back into an empty database; how many rows. SalientError if it is not empty or no backup."""
    with _opened(file) as kept:
        if settings.key.exists() and settings.key.read_text(encoding="ascii") != kept.read("server.key").decode():
            raise SalientError(sentence("backup-other-key", "en", file=settings.key))
        _keep_key(settings.key, kept.read("server.key").decode())
        store = open_store(settings)
        rows = 0
        try:
            with store.writing() as db:
                if any(db.execute(select(table).limit(1)).first() for table in TABLES):
                    raise SalientError(sentence("backup-not-empty", "en"))
                for table in TABLES:
                    rows += _insert(db, table, kept)
                _after_insert(db)
        finally:
            store.close()
    return rows


def _opened(file: Path) -> zipfile.ZipFile:
    """A backup of this version; SalientError if the file is none."""
    try:
        kept = zipfile.ZipFile(file)
        about = json.loads(kept.read("about.json"))
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise SalientError(sentence("backup-unknown", "en")) from error
    if about.get("format") != FORMAT or about["schema"] != schema_versions()[0]:
        raise SalientError(sentence("backup-unknown", "en"))
    return kept


def _keep_key(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="ascii") as out:
        out.write(text)
    Path(out.name).chmod(0o600)
    Path(out.name).replace(file)


def _insert(db: Connection, table: Any, kept: zipfile.ZipFile) -> int:
    rows = 0
    for batch in _batches(table, kept):
        db.execute(insert(table), batch)
        rows += len(batch)
    return rows


def _batches(table: Any, kept: zipfile.ZipFile) -> Iterator[list[dict[str, Any]]]:
    if f"{table.name}.jsonl" not in kept.namelist():
        return
    binary = {column.name for column in table.columns if isinstance(column.type, LargeBinary)}
    batch: list[dict[str, Any]] = []
    with kept.open(f"{table.name}.jsonl") as lines:
        for line in lines:
            row = json.loads(line)
            batch.append({name: bytes.fromhex(v) if name in binary and v else v for name, v in row.items()})
            if len(batch) == BATCH:
                yield batch
                batch = []
    if batch:
        yield batch


def _after_insert(db: Connection) -> None:
    """Numbers that the database counts go on after those brought back; jobs under way are anybody's."""
    from salient.server.tables import JOBS

    db.execute(JOBS.update().values(taken_until=0.0))
    if db.dialect.name != "postgresql":
        return
    for table in TABLES:
        if "id" in table.c and table.c.id.type.python_type is int:
            query = f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), COALESCE(MAX(id), 0) + 1, false)"
            db.exec_driver_sql(f"{query} FROM {table.name}")


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value.hex() if isinstance(value, (bytes, memoryview)) else value for name, value in row.items()}


def _many(url: str) -> bool:
    return not url.startswith("sqlite")
