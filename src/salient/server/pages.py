"""Pages: positions and events of a long game, kept so that it need not be played again from its beginning.

A page covers the plies since the page before and ends with a position in which nothing is half chosen. It is a cache:
it names by a digest the program and the log that it was made from, and is not used when either differs.
"""

from __future__ import annotations

import hashlib
import json
import logging
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from salient.kernel import AnyGame, State
from salient.kernel.frames import frozen
from salient.server.problems import RequestProblem
from salient.server.rolls import Shown
from salient.server.store import Entry, Store
from salient.server.tables import GAMES, PAGES

log = logging.getLogger("salient.pages")

PLIES = 64
PAGE_FORMAT = 3  # goes up when a page is written differently


class PageGone(RequestProblem):
    """A page that another process has replaced meanwhile, for something on it was taken back."""

    def __init__(self) -> None:
        super().__init__(503, "storage", "player-busy", {"retry_after": 1})


@dataclass(frozen=True)
class Told:
    """What an action said and showed: its events, the dice that fell, and the prompt of what it ended, all as JSON."""

    events: list[dict[str, Any]]
    roll: Shown | None = None
    asked: dict[str, Any] | None = None

    def as_json(self) -> list[Any]:
        """For a page."""
        shown = self.roll and [self.roll.sides, self.roll.faces, self.roll.panel]
        return [self.events, shown, self.asked]

    @classmethod
    def from_json(cls, values: list[Any]) -> Told:
        """What `as_json` wrote."""
        events, shown, asked = values
        for event in [*events, *([asked] if asked else [])]:
            event["args"] = {key: frozen(value) for key, value in event["args"].items()}
        return cls(events, shown and Shown(tuple(shown[0]), tuple(shown[1]), shown[2]), asked)


@dataclass(frozen=True)
class PageHead:
    """A page without its weight. `notes`: the reveals, drafts, headings and stages of its plies."""

    last: int
    digest: str
    notes: dict[str, Any]


@dataclass(frozen=True)
class Page:
    """A page to keep."""

    head: PageHead
    state: bytes
    told: bytes


def packed(value: Any) -> bytes:
    """JSON values, small."""
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 6)


def unpacked(data: bytes) -> Any:
    """What was packed."""
    return json.loads(zlib.decompress(data))


class LogDigest:
    """The digest of a program and of the log that it played, at every height."""

    def __init__(self, program: str) -> None:
        self.hash = hashlib.sha256(program.encode())
        self.heights: list[str] = []

    def add(self, entries: Iterable[Entry]) -> None:
        """Go on with these entries of the log."""
        for entry in entries:
            self.hash.update(f"\n{entry.seat} {entry.action} {entry.faces}".encode())


class Pages:
    """The pages of one game."""

    def __init__(self, store: Store, game_id: str, game: AnyGame) -> None:
        self.store = store
        self.game_id = game_id
        self.game = game

    def heads(self) -> list[PageHead]:
        """Every page without its weight, in order."""
        columns = (PAGES.c.last, PAGES.c.digest, PAGES.c.notes)
        query = select(*columns).where(PAGES.c.game_id == self.game_id).order_by(PAGES.c.last)
        with self.store.reading() as db:
            return [PageHead(r.last, r.digest, r.notes) for r in db.execute(query)]

    def state(self, last: int) -> State:
        """The position at the end of a page."""
        return self.game.state_from_json(unpacked(self._weight(PAGES.c.state, last)))

    def told(self, last: int) -> list[Told]:
        """What the actions of a page said."""
        return [Told.from_json(values) for values in unpacked(self._weight(PAGES.c.told, last))]

    def _weight(self, column: Any, last: int) -> bytes:
        query = select(column).where(PAGES.c.game_id == self.game_id, PAGES.c.last == last)
        with self.store.reading() as db:
            found = db.execute(query).scalar()
        if found is None:
            raise PageGone
        return bytes(found)

    def keep(self, pages: Sequence[Page], seen: int) -> None:
        """Keep pages of the log that the journal of `seen` entries makes; if the journal has grown, leave it."""
        same = select(GAMES.c.seen).where(GAMES.c.id == self.game_id, GAMES.c.seen == seen)
        try:
            with self.store.writing() as db:
                if db.execute(same.with_for_update()).first() is not None:
                    self.write(db, pages)
        except SQLAlchemyError as error:
            log.warning("The pages of game %s were not kept: %s", self.game_id, type(error).__name__)

    def write(self, db: Connection, pages: Sequence[Page]) -> None:
        """Write pages, in place of all that began there, in a transaction under way."""
        first = min(page.head.last for page in pages)
        db.execute(delete(PAGES).where(PAGES.c.game_id == self.game_id, PAGES.c.last >= first))
        rows = [
            {"game_id": self.game_id, "last": p.head.last, "digest": p.head.digest, "notes": p.head.notes}
            | {"state": p.state, "told": p.told}
            for p in pages
        ]
        db.execute(insert(PAGES), rows)
