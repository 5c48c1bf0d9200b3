"""The store: games and their journals in a database. A journal only grows; undo is one more entry.

Whatever `create` and `append` have returned from is on the disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Dialect,
    Engine,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    create_engine,
    delete,
    event,
    insert,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError

from salient.server.problems import Stale

META = MetaData()


class Kept(TypeDecorator[Any]):
    """JSON; None if what is stored cannot be read, so that one damaged row does not spoil the others."""

    impl = JSON
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:
        """Read, or give None."""
        read = super().result_processor(dialect, coltype)

        def process(value: Any) -> Any:
            try:
                return read(value) if read else value
            except (ValueError, TypeError):
                return None

        return process


GAMES = Table(
    "games",
    META,
    Column("id", String(32), primary_key=True),
    Column("name", Text, nullable=False),
    Column("game", String(64), nullable=False),
    Column("scenario", String(64), nullable=False),
    Column("options", Kept, nullable=False),
    Column("seats", Kept, nullable=False),
    Column("dice", String(16), nullable=False),
    Column("dice_name", Text, nullable=False),
    Column("secret", String(64)),
    Column("pace", Float, nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("created", Float, nullable=False),
    Column("changed", Float, nullable=False, index=True),
    Column("seen", Integer, nullable=False),
    Column("summary", Kept, nullable=False),
)

ENTRIES = Table(
    "entries",
    META,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("kind", String(4), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("seat", String(32), nullable=False),
    Column("action", Text, nullable=False),
    Column("reasons", Kept),
    Column("faces", Kept),
)

TOKENS = Table(
    "tokens",
    META,
    Column("hash", String(64), primary_key=True),
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("role", String(16), nullable=False),
    Column("seat", String(32), nullable=False),
)


@dataclass(frozen=True)
class GameRow:
    """What is kept of a game besides its journal."""

    id: str
    name: str
    game: str
    scenario: str
    options: dict[str, str]
    seats: dict[str, str]
    dice: str
    dice_name: str
    secret: str | None
    pace: float
    paused: bool
    summary: dict[str, Any]
    created: float = 0.0
    changed: float = 0.0
    seen: int = 0


@dataclass(frozen=True)
class Entry:
    """One line of a journal: an action (`act`, `redo`) that led to `ply`, or a step back (`undo`) to `ply`.

    `faces` are those of dice that people rolled.
    """

    kind: str
    ply: int
    seat: str
    action: str
    reasons: list[tuple[str, float]] | None = None
    faces: list[int] | None = None


@dataclass(frozen=True)
class Grant:
    """What a token allows: `owner`, a `seat`, or to accept an `invitation` to a seat."""

    game_id: str
    role: str
    seat: str


class Store:
    """Games in a database; safe for many threads."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self.writer = self.engine.execution_options(writes=True)
        META.create_all(self.engine)
        self._add_new_columns()

    def _add_new_columns(self) -> None:
        """Give a database of an earlier version the columns that have been added since; they may be empty."""
        for table in META.sorted_tables:
            known = {column["name"] for column in inspect(self.engine).get_columns(table.name)}
            for column in table.columns:
                if column.name not in known:
                    kind = column.type.compile(self.engine.dialect)
                    with self.writer.begin() as db:
                        db.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {column.name} {kind}"))

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    # ---- games ----------------------------------------------------------------

    def create(self, row: GameRow, entries: Sequence[Entry], owner_hash: str) -> None:
        """Keep a new game with the entries it begins with."""
        now = time.time()
        values = vars(row) | {"created": now, "changed": now, "seen": len(entries)}
        with self.writer.begin() as db:
            db.execute(insert(GAMES).values(values))
            if entries:
                db.execute(insert(ENTRIES), _rows(row.id, 0, entries))
            db.execute(insert(TOKENS).values(hash=owner_hash, game_id=row.id, role="owner", seat=""))

    def append(self, game_id: str, seen: int, entries: Sequence[Entry], summary: Mapping[str, Any]) -> float:
        """Add entries to a journal of `seen` entries, all or none; Stale if it has grown meanwhile. When it changed."""
        now = time.time()
        head = update(GAMES).where(GAMES.c.id == game_id, GAMES.c.seen == seen)
        try:
            with self.writer.begin() as db:
                done = db.execute(head.values(seen=seen + len(entries), summary=dict(summary), changed=now))
                if done.rowcount != 1:
                    raise Stale
                db.execute(insert(ENTRIES), _rows(game_id, seen, entries))
        except IntegrityError as error:
            raise Stale from error
        return now

    def game(self, game_id: str) -> GameRow | None:
        """One game's row."""
        found = self.games([game_id])
        return found[0] if found else None

    def games(self, ids: Iterable[str] | None = None) -> list[GameRow]:
        """The rows of all games, or of some, the latest change first."""
        query = select(GAMES).order_by(GAMES.c.changed.desc())
        if ids is not None:
            query = query.where(GAMES.c.id.in_(list(ids)))
        with self.engine.connect() as db:
            return [_row(dict(row._mapping)) for row in db.execute(query)]

    def journal(self, game_id: str) -> list[Entry]:
        """Every entry of a game, in order."""
        query = select(ENTRIES).where(ENTRIES.c.game_id == game_id).order_by(ENTRIES.c.n)
        with self.engine.connect() as db:
            return [Entry(r.kind, r.ply, r.seat, r.action, r.reasons, r.faces) for r in db.execute(query)]

    def change(self, game_id: str, **values: Any) -> None:
        """Change a game's name, players or pace."""
        with self.writer.begin() as db:
            db.execute(update(GAMES).where(GAMES.c.id == game_id).values(values))

    def delete(self, game_id: str) -> None:
        """Forget a game."""
        with self.writer.begin() as db:
            for table in (TOKENS, ENTRIES):
                db.execute(delete(table).where(table.c.game_id == game_id))
            db.execute(delete(GAMES).where(GAMES.c.id == game_id))

    # ---- tokens ---------------------------------------------------------------

    def grants(self, hashes: Iterable[str]) -> list[Grant]:
        """What the tokens with these hashes allow."""
        query = select(TOKENS).where(TOKENS.c.hash.in_(list(hashes)))
        with self.engine.connect() as db:
            return [Grant(r.game_id, r.role, r.seat) for r in db.execute(query)]

    def invite(self, game_id: str, seat: str, token_hash: str) -> None:
        """Keep an invitation to a seat; an earlier one becomes void."""
        with self.writer.begin() as db:
            db.execute(_tokens_of(game_id, seat, "invitation"))
            db.execute(insert(TOKENS).values(hash=token_hash, game_id=game_id, role="invitation", seat=seat))

    def join(self, game_id: str, invitation_hash: str, seat_hash: str) -> str | None:
        """Turn an invitation into a seat's token, once; the seat, or None if the invitation is void."""
        query = select(TOKENS).where(
            TOKENS.c.hash == invitation_hash, TOKENS.c.game_id == game_id, TOKENS.c.role == "invitation"
        )
        with self.writer.begin() as db:
            found = db.execute(query).first()
            if found is None or not db.execute(delete(TOKENS).where(TOKENS.c.hash == invitation_hash)).rowcount:
                return None
            db.execute(_tokens_of(game_id, found.seat, "seat"))
            db.execute(insert(TOKENS).values(hash=seat_hash, game_id=game_id, role="seat", seat=found.seat))
            seats = dict(db.execute(select(GAMES.c.seats).where(GAMES.c.id == game_id)).scalar_one())
            db.execute(update(GAMES).where(GAMES.c.id == game_id).values(seats=seats | {found.seat: "link"}))
        return str(found.seat)

    def revoke(self, game_id: str, seat: str) -> None:
        """Take a seat back from who joined it, or was invited to."""
        with self.writer.begin() as db:
            for role in ("seat", "invitation"):
                db.execute(_tokens_of(game_id, seat, role))


def _row(values: dict[str, Any]) -> GameRow:
    """A row whose columns have the right shape; what is damaged is empty."""
    for name in ("options", "seats", "summary"):
        values[name] = values[name] if isinstance(values[name], dict) else {}
    return GameRow(**values)


def _tokens_of(game_id: str, seat: str, role: str) -> Any:
    return delete(TOKENS).where(TOKENS.c.game_id == game_id, TOKENS.c.seat == seat, TOKENS.c.role == role)


def _rows(game_id: str, seen: int, entries: Sequence[Entry]) -> list[dict[str, Any]]:
    return [{"game_id": game_id, "n": n, **vars(entry)} for n, entry in enumerate(entries, start=seen)]


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True)
    Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"timeout": 10}, pool_size=10, max_overflow=40)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Any) -> None:
    """A writer takes the write lock at once: a transaction that reads first may be refused it later."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
