"""Opening the database: the engine, the migrations, and what can go wrong said in sentences."""

from __future__ import annotations

import errno
import math
import sqlite3
import time
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, InvalidatePoolError, NoSuchModuleError, SQLAlchemyError

from salient.kernel.messages import SalientError
from salient.server.problems import RequestProblem, sentence
from salient.server.seal import Seal

LARGEST_CHECKED = 300 * 1024 * 1024
SECONDS_TO_CONNECT = 5
SECONDS_FOR_A_LOCK = 8
SECONDS_FOR_A_STATEMENT = 20
SECONDS_OF_REST = 1.0
SECONDS_TO_COME_AGAIN = {"busy": 1, "absent": 2}
SECONDS_TO_MEND = 30  # where somebody has to do something


class CannotOpen(SalientError):
    """The database cannot be used; the sentence says why and what helps."""

    def __init__(self, key: str, cause: str = "") -> None:
        self.key = key
        self.cause = cause
        super().__init__(sentence(f"storage-{key}", "en", cause=cause))


def trouble(error: BaseException) -> CannotOpen:
    """What a storage error means."""
    cause = getattr(error, "orig", None) or error
    text = str(cause).strip().splitlines()[0] if str(cause).strip() else type(cause).__name__
    key = _key(cause, text.lower(), error)
    return CannotOpen(key, text.rstrip("."))


def _key(cause: BaseException, text: str, error: BaseException) -> str:
    if isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return "full"
    if "disk is full" in text or "no space left" in text or "disk i/o error" in text:
        return "full"
    if "readonly" in text or "read-only" in text or isinstance(cause, PermissionError):
        return "read-only"
    if "malformed" in text or "not a database" in text or "damaged" in text:
        return "damaged"
    if "locked" in text or "lock timeout" in text or "statement timeout" in text:
        return "busy"
    if "unable to open" in text or isinstance(cause, (NotADirectoryError, FileExistsError)):
        return "read-only"
    connection = getattr(error, "connection_invalidated", False)
    words = ("connect", "could not translate", "connection", "server closed", "does not exist", "no password")
    if connection or (not isinstance(cause, sqlite3.Error) and any(word in text for word in words)):
        return "absent"
    return "failed"


def storage_problem(error: BaseException) -> RequestProblem:
    """What a player is told of a storage error: the cause in words, no addresses, and when to come again."""
    found = trouble(error)
    shown = found.key if found.key in ("full", "busy", "read-only", "absent") else "failed"
    more = {"retry_after": SECONDS_TO_COME_AGAIN.get(shown, SECONDS_TO_MEND)}
    return RequestProblem(507 if shown == "full" else 503, "storage", f"player-{shown}", more)


def is_storage_error(error: BaseException) -> bool:
    """Whether an error comes from the database or the disk."""
    return isinstance(error, SQLAlchemyError) or (isinstance(error, OSError) and error.errno is not None)


# ---- opening -------------------------------------------------------------------


def open_database(url: str, seal: Seal) -> Engine:
    """The database at the present schema; CannotOpen with a sentence if that cannot be."""
    try:
        engine = _engine(url)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise CannotOpen("absent", str(error).splitlines()[0]) from error
    except OSError as error:
        raise trouble(error) from error
    try:
        _check(engine, url)
        _migrate(engine, seal)
    except CannotOpen:
        engine.dispose()
        raise
    except (SQLAlchemyError, OSError, sqlite3.Error) as error:
        engine.dispose()
        raise trouble(error) from error
    return engine


def schema_versions() -> tuple[str, ...]:
    """Every version of the schema that this program knows, the newest first: the numbers of its migrations' files."""
    files = (resources.files("salient.server.migrations") / "versions").iterdir()
    return tuple(sorted((file.name[1:5] for file in files if file.name.startswith("r")), reverse=True))


def _check(engine: Engine, url: str) -> None:
    """A quick look at SQLite's pages, so that damage is told at the start and not to a player."""
    if not url.startswith("sqlite"):
        return
    file = Path(make_url(url).database or "")
    if not file.exists() or file.stat().st_size > LARGEST_CHECKED:
        return
    with engine.connect() as db:
        answer = str(db.exec_driver_sql("PRAGMA quick_check(1)").scalar())
    if answer != "ok":
        raise CannotOpen("damaged", answer.splitlines()[0].strip("* "))


def _migrate(engine: Engine, seal: Seal) -> None:
    known = schema_versions()
    with engine.execution_options(writes=True).begin() as db:
        if db.dialect.name == "postgresql":
            db.exec_driver_sql("SELECT pg_advisory_xact_lock(8044)")
        found = _schema_version(db)
        if found is not None and found not in known:
            raise CannotOpen("newer", found)
        if found != known[0]:
            _upgrade(db, seal)


def _schema_version(db: Connection) -> str | None:
    """The version of the schema that a database has; None if it has none."""
    if not inspect(db).has_table("alembic_version"):
        return None
    return db.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def _upgrade(db: Connection, seal: Seal) -> None:
    """Bring a database to the newest schema; only then the tool for it is loaded."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "salient.server:migrations")
    config.attributes |= {"connection": db, "seal": seal.seal}
    command.upgrade(config, "head")
    inspect(db).clear_cache()


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        options = (
            f"-c statement_timeout={SECONDS_FOR_A_STATEMENT * 1000} -c lock_timeout={SECONDS_FOR_A_LOCK * 1000}"
            " -c idle_in_transaction_session_timeout=60000"
        )
        arguments = {"connect_timeout": SECONDS_TO_CONNECT, "options": options}
        engine = create_engine(url, pool_size=20, max_overflow=10, pool_use_lifo=True, connect_args=arguments)
        event.listen(engine, "checkin", _note_use)
        event.listen(engine, "checkout", partial(_ask_if_rested, engine))
        return engine
    Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"timeout": 10}, pool_size=10, max_overflow=40)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _note_use(_connection: Any, record: Any) -> None:
    record.info["used"] = time.monotonic()


def _ask_if_rested(engine: Engine, connection: Any, record: Any, _fairy: Any) -> None:
    """A connection that has rested may have died with its server: all are made anew if it does not answer."""
    if time.monotonic() - record.info.get("used", math.inf) > SECONDS_OF_REST:
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise InvalidatePoolError from error


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Any) -> None:
    """A writer takes the write lock at once: a transaction that reads first may be refused it later."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
