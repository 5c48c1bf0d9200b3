"""The store: games and their journals in a database. A journal only grows; undo is one more entry.

Whatever `create` and `append` have returned from is on the disk. The journal is the truth, pages are a cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    String,
    bindparam,
    cast,
    delete,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from salient.server.database import open_database
from salient.server.problems import Stale, no_such_game
from salient.server.seal import Seal
from salient.server.tables import ENTRIES, GAMES, META, PAGES, PLAYERS, SERVER, TOKENS

log = logging.getLogger("salient.store")

LONGEST_LIST = 200
CHANNEL = "salient"
ANNOUNCED = "announced"  # where a connection keeps what is to be told when its transaction is committed
UNDOING = ("undo", "back")
NOTE = "note"  # a comment on the decision that is due: no action

# What every click asks of the database is put together once.
VERSION = select(GAMES.c.version, GAMES.c.seen).where(GAMES.c.id == bindparam("its_id"))
IF_UNCHANGED = update(GAMES).where(GAMES.c.id == bindparam("its_id"), GAMES.c.version == bindparam("its_version"))
ADD_ENTRIES = insert(ENTRIES)
NOTIFY = text("SELECT pg_notify(:channel, each) FROM unnest(CAST(:said AS text[])) AS each")


@dataclass(frozen=True)
class GameRow:
    """What is kept of a game besides its journal; `secret` is that of its dice, sealed in the database."""

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
    version: int = 0
    head: str = ""
    over: bool = False
    creator: str = ""
    trouble: str = ""
    terms: dict[str, Any] | None = None
    clock: dict[str, Any] | None = None
    deadline: float | None = None
    chains: dict[str, Any] | None = None


@dataclass(frozen=True)
class Entry:
    """One line of a journal: an action (`act`, `redo`) that led to `ply`, or a step back to `ply`.

    A step back is `undo`, or `back` if the other player consented to one beyond the barrier. A `note` is a comment on
    what is decided at `ply`, its text in place of the action.

    `faces` are those of dice that people rolled, `at` is when it was kept.
    """

    kind: str
    ply: int
    seat: str
    action: str
    reasons: list[tuple[str, float]] | None = None
    faces: list[int] | None = None
    at: float = field(default=0.0, compare=False)


@dataclass(frozen=True)
class Grant:
    """What a token allows: `owner`, a `seat`, or to accept an `invitation` to a seat."""

    game_id: str
    role: str
    seat: str


def chained(head: str, entries: Iterable[Entry]) -> str:
    """The digest of a journal whose first part has the digest `head`."""
    for entry in entries:
        line = json.dumps([entry.kind, entry.ply, entry.seat, entry.action, entry.faces])
        head = hashlib.sha256(f"{head}|{line}".encode()).hexdigest()
    return head


class Store:
    """Games in a database; safe for many threads."""

    def __init__(self, url: str, seal: Seal | None = None) -> None:
        self.url = url
        self.origin = secrets.token_hex(4)
        self.seal = seal or Seal(bytes(32))
        self.engine: Engine = open_database(url, self.seal)
        self.writer = self.engine.execution_options(writes=True)
        self.shared = self.engine.dialect.name == "postgresql"
        self.reader = self.engine.execution_options(isolation_level="AUTOCOMMIT") if self.shared else self.engine
        self.turn = nullcontext() if self.shared else threading.RLock()
        self.telling = threading.Lock()
        self.unsaid: list[str] = []

    def close(self) -> None:
        """Close the connection pool."""
        self.engine.dispose()

    def has_this_key(self) -> bool:
        """Whether the secrets here are sealed with the key at hand: with another one the dice would fall otherwise."""
        query = select(SERVER.c.said).where(SERVER.c.what == "key")
        with self.reading() as db:
            known = db.execute(query).scalar()
        if known is None:
            with contextlib.suppress(IntegrityError), self.writing() as db:  # several may start at once
                db.execute(insert(SERVER).values(what="key", said=self.seal.mark))
            return self.has_this_key()
        return bool(known == self.seal.mark)

    # ---- transactions -----------------------------------------------------------

    def reading(self) -> Connection:
        """A connection that only reads, each question for itself."""
        return self.reader.connect()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes. What is announced in it, the other processes are told once it is committed.

        SQLite has one writer at a time and lets the others look again after naps of up to 0.1 s: here they queue.
        """
        with self.turn, self.writer.begin() as db:
            told: list[tuple[str, str]] = []
            db.info[ANNOUNCED] = told
            yield db
        self.tell_others(told)

    def announce(self, db: Connection, topic: str, what: str) -> None:
        """Tell the other processes on this database something, when the transaction is committed."""
        db.info[ANNOUNCED].append((topic, what))

    def tell_others(self, told: Sequence[tuple[str, str]]) -> None:
        """Tell the other processes now (bus.py), and what could not be told before; presence comes by now and then.

        It is no part of a transaction: one that notifies holds up all others that do until its commit is on the disk.
        """
        if not self.shared:
            return
        with self.telling:
            said, self.unsaid = [*self.unsaid, *(f"{self.origin}|{topic}|{what}" for topic, what in told)], []
        if not said:
            return
        try:
            with self.reading() as db:
                db.execute(NOTIFY, {"channel": CHANNEL, "said": said})
        except SQLAlchemyError as error:
            log.warning("The other processes are not told yet: %s", type(error).__name__)
            with self.telling:
                self.unsaid += said

    # ---- games ----------------------------------------------------------------

    def create(
        self, row: GameRow, entries: Sequence[Entry], owner_hash: str, after: Callable[[Connection], None]
    ) -> None:
        """Keep a new game with the entries it begins with; `after` writes what else belongs to it."""
        now = time.time()
        values = vars(row) | {"created": now, "changed": now, "seen": len(entries), "version": 1}
        values |= {"head": chained("", entries), "sealed": self._sealed(row.id, values.pop("secret"))}
        with self.writing() as db:
            db.execute(insert(GAMES).values(values))
            if entries:
                db.execute(insert(ENTRIES), _rows(row.id, 0, entries, now))
            db.execute(insert(TOKENS).values(hash=owner_hash, game_id=row.id, role="owner", seat=""))
            after(db)

    def append(
        self, row: GameRow, entries: Sequence[Entry], values: Mapping[str, Any], after: Callable[[Connection], None]
    ) -> dict[str, Any]:
        """Add entries to a journal and `values` to its row, all or none; Stale if either has changed meanwhile.

        `after` writes what else belongs to the change. What is new in the row.
        """
        fresh: dict[str, Any] = {"seen": row.seen + len(entries), "changed": time.time(), "version": row.version + 1}
        fresh |= {"head": chained(row.head, entries), "trouble": "", **values}
        try:
            with self.writing() as db:
                if db.execute(IF_UNCHANGED, {"its_id": row.id, "its_version": row.version, **fresh}).rowcount != 1:
                    raise Stale
                if entries:
                    db.execute(ADD_ENTRIES, _rows(row.id, row.seen, entries, fresh["changed"]))
                for entry in entries:
                    if entry.kind in UNDOING:
                        db.execute(delete(PAGES).where(PAGES.c.game_id == row.id, PAGES.c.last > entry.ply))
                after(db)
                self.announce(db, row.id, "update")
        except IntegrityError as error:
            raise Stale from error
        return fresh

    def game(self, game_id: str) -> GameRow | None:
        """One game's row."""
        found = self.games([game_id])
        return found[0] if found else None

    def version(self, game_id: str) -> tuple[int, int] | None:
        """How often a game's row has changed, and how long its journal is; None if there is no such game."""
        with self.reading() as db:
            found = db.execute(VERSION, {"its_id": game_id}).first()
        return (found.version, found.seen) if found else None

    def games(
        self,
        ids: Iterable[str] | None = None,
        before: float | None = None,
        limit: int | None = None,
        person: str | None = None,
    ) -> list[GameRow]:
        """The rows of all games, or of some, or of a person's; the latest change first; a page if `limit` is given."""
        query = select(GAMES).order_by(GAMES.c.changed.desc(), GAMES.c.id)
        if ids is not None:
            wanted: ColumnElement[bool] = GAMES.c.id.in_(list(ids))
            if person is not None:
                sits = select(PLAYERS.c.game_id).where(PLAYERS.c.person_id == person, PLAYERS.c.hidden.is_(False))
                wanted |= GAMES.c.id.in_(sits) | ((GAMES.c.creator == person) & GAMES.c.terms.is_(None))
            query = query.where(wanted)
        if before is not None:
            query = query.where(GAMES.c.changed < before)
        if limit is not None:
            query = query.limit(limit)
        with self.reading() as db:
            return [self._row(dict(row._mapping)) for row in db.execute(query)]

    def finished(self, game: str, limit: int) -> list[GameRow]:
        """The games of a title that are over, the latest first."""
        query = select(GAMES).where(GAMES.c.game == game, GAMES.c.over.is_(True)).order_by(GAMES.c.changed.desc())
        with self.reading() as db:
            return [self._row(dict(row._mapping)) for row in db.execute(query.limit(limit))]

    def count(self) -> int:
        """How many games there are."""
        with self.reading() as db:
            return int(db.execute(select(func.count()).select_from(GAMES)).scalar_one())

    def open_games(self, creator: str) -> tuple[int, int]:
        """How many games of a person are not over, and how many of those have a bot."""
        mine = select(func.count()).where(GAMES.c.creator == creator, GAMES.c.over.is_(False))
        with self.reading() as db:
            with_bot = db.execute(mine.where(cast(GAMES.c.seats, String).like('%"bot:%'))).scalar_one()
            return db.execute(mine).scalar_one(), with_bot

    def journal(self, game_id: str, start: int, end: int) -> list[Entry]:
        """The entries of a game from number `start` on, before number `end`, in order."""
        part = (ENTRIES.c.game_id == game_id, ENTRIES.c.n >= start, ENTRIES.c.n < end)
        query = select(ENTRIES).where(*part).order_by(ENTRIES.c.n)
        with self.reading() as db:
            return [Entry(r.kind, r.ply, r.seat, r.action, r.reasons, r.faces, r.at) for r in db.execute(query)]

    def change(self, game_id: str, **values: Any) -> None:
        """Change a game's name, players or pace; Problem if it has gone meanwhile."""
        with self.writing() as db:
            self.touch(db, game_id, **values)

    def touch(self, db: Connection, game_id: str, **values: Any) -> None:
        """Change a game's row in a transaction under way."""
        done = db.execute(update(GAMES).where(GAMES.c.id == game_id).values(**values, version=GAMES.c.version + 1))
        if done.rowcount != 1:
            raise no_such_game()
        self.announce(db, game_id, "update")

    def delete(self, game_id: str) -> None:
        """Forget a game."""
        with self.writing() as db:
            for table in reversed(META.sorted_tables):
                if "game_id" in table.c and table.c.game_id.foreign_keys:
                    db.execute(delete(table).where(table.c.game_id == game_id))
            db.execute(delete(GAMES).where(GAMES.c.id == game_id))
            self.announce(db, game_id, "gone")

    # ---- tokens ---------------------------------------------------------------

    def grants(self, hashes: Iterable[str]) -> list[Grant]:
        """What the tokens with these hashes allow."""
        query = select(TOKENS).where(TOKENS.c.hash.in_(list(hashes)))
        with self.reading() as db:
            return [Grant(r.game_id, r.role, r.seat) for r in db.execute(query)]

    def invite(self, game_id: str, seat: str, token_hash: str) -> None:
        """Keep an invitation to a seat; an earlier one becomes void."""
        with self.writing() as db:
            self.touch(db, game_id)
            db.execute(_tokens_of(game_id, seat, "invitation"))
            db.execute(insert(TOKENS).values(hash=token_hash, game_id=game_id, role="invitation", seat=seat))

    def join(self, game_id: str, invitation_hash: str, seat_hash: str) -> str | None:
        """Turn an invitation into a seat's token, once; the seat, or None if the invitation is void."""
        query = select(TOKENS).where(
            TOKENS.c.hash == invitation_hash, TOKENS.c.game_id == game_id, TOKENS.c.role == "invitation"
        )
        with self.writing() as db:
            found = db.execute(query).first()
            if found is None or not db.execute(delete(TOKENS).where(TOKENS.c.hash == invitation_hash)).rowcount:
                return None
            db.execute(_tokens_of(game_id, found.seat, "seat"))
            db.execute(insert(TOKENS).values(hash=seat_hash, game_id=game_id, role="seat", seat=found.seat))
            seats = dict(db.execute(select(GAMES.c.seats).where(GAMES.c.id == game_id)).scalar_one())
            self.touch(db, game_id, seats=seats | {found.seat: "link"})
        return str(found.seat)

    def revoke(self, game_id: str, seat: str) -> None:
        """Take a seat back from who joined it, or was invited to."""
        with self.writing() as db:
            for role in ("seat", "invitation"):
                db.execute(_tokens_of(game_id, seat, role))

    # ---- rows -----------------------------------------------------------------

    def _sealed(self, game_id: str, secret: str | None) -> str | None:
        return self.seal.seal(game_id, secret) if secret else None

    def _row(self, values: dict[str, Any]) -> GameRow:
        """A row whose columns have the right shape; what is damaged is empty."""
        for name in ("options", "seats", "summary"):
            values[name] = values[name] if isinstance(values[name], dict) else {}
        sealed = values.pop("sealed")
        try:
            secret = self._sealed(values["id"], sealed)
        except ValueError:
            secret = None
        return GameRow(**values, secret=secret)


def _tokens_of(game_id: str, seat: str, role: str) -> Any:
    return delete(TOKENS).where(TOKENS.c.game_id == game_id, TOKENS.c.seat == seat, TOKENS.c.role == role)


def _rows(game_id: str, seen: int, entries: Sequence[Entry], now: float) -> list[dict[str, Any]]:
    return [{"game_id": game_id, "n": n, **vars(entry), "at": now} for n, entry in enumerate(entries, start=seen)]
