"""Talk at a table: among the players until the game is over, and notes to oneself."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import insert, select, update

from salient.server.store import Store
from salient.server.tables import CHAT, PLAYERS

MOST_LINES = 500


class Talk:
    """What is said at the tables."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def say(self, game_id: str, author: str, name: str, seat: str, text: str) -> None:
        """Say something."""
        values = {"game_id": game_id, "author": author, "name": name, "seat": seat, "text": text, "at": time.time()}
        with self.store.writing() as db:
            db.execute(insert(CHAT).values(values))
            self.store.announce(db, game_id, "chat")

    def lines(self, game_id: str, since: int, muted: set[str]) -> list[dict[str, Any]]:
        """What was said after line `since`, without those whom the reader has muted."""
        query = select(CHAT).where(CHAT.c.game_id == game_id, CHAT.c.id > since).order_by(CHAT.c.id).limit(MOST_LINES)
        with self.store.reading() as db:
            rows = db.execute(query).all()
        return [
            {"id": row.id, "name": row.name, "seat": row.seat, "at": row.at, "text": row.text}
            for row in rows
            if row.author not in muted
        ]

    def note(self, game_id: str, person_id: str) -> str:
        """A person's note to a game."""
        query = select(PLAYERS.c.note).where(PLAYERS.c.game_id == game_id, PLAYERS.c.person_id == person_id)
        with self.store.reading() as db:
            return str(db.execute(query).scalar() or "")

    def keep_note(self, game_id: str, person_id: str, text: str) -> bool:
        """Keep a person's note to a game; whether the person plays it."""
        mine = update(PLAYERS).where(PLAYERS.c.game_id == game_id, PLAYERS.c.person_id == person_id)
        with self.store.writing() as db:
            return bool(db.execute(mine.values(note=text)).rowcount)

    def hide(self, game_id: str, person_id: str) -> None:
        """Show a game no longer in a person's list."""
        mine = update(PLAYERS).where(PLAYERS.c.game_id == game_id, PLAYERS.c.person_id == person_id)
        with self.store.writing() as db:
            db.execute(mine.values(hidden=True))
