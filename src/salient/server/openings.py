"""Openings from the finished games of this server and from the results of studies, as each seat saw them.

Positions count by what a seat may see of them: two that it cannot tell apart have the same openings.
"""

from __future__ import annotations

import threading
from pathlib import Path

from salient.kernel import AnyGame, Record, State
from salient.kernel.record import RecordedMove, write_pairs
from salient.lab.explore import Book, Tried, as_seen, records_in, seen_key
from salient.server.store import NOTE, UNDOING, GameRow, Store

MOST_GAMES = 300  # the latest of each title
DEPTH = 40


class Openings:
    """One book for each game, brought up to date when it is asked."""

    def __init__(self, store: Store, sources: tuple[Path, ...] = ()) -> None:
        self.store = store
        self.sources = sources
        self.lock = threading.Lock()
        self.books: dict[str, Book] = {}
        self.known: set[str] = set()

    def at(self, game: AnyGame, state: State, seat: str) -> tuple[dict[str, Tried], int]:
        """What was tried where it looked like this to a seat, and of how many games the book consists."""
        with self.lock:
            book = self.books.get(game.id) or self._new(game)
            for row in self.store.finished(game.id, MOST_GAMES):
                if row.id not in self.known:
                    self.known.add(row.id)
                    book.add(self._record(row, game))
            return book.tried(seen_key(game, state, seat)), book.games

    def _new(self, game: AnyGame) -> Book:
        book = self.books[game.id] = Book(game, DEPTH, as_seen)
        for record in records_in(self.sources, game.id):
            book.add(record)
        return book

    def _record(self, row: GameRow, game: AnyGame) -> Record:
        moves: list[RecordedMove] = []
        for entry in self.store.journal(row.id, 0, row.seen):
            if entry.kind in UNDOING:
                del moves[entry.ply :]
            elif entry.kind != NOTE:
                moves.append(RecordedMove(entry.seat, entry.action))
        options = write_pairs({str(key): str(value) for key, value in row.options.items()})
        header = {"game": game.id, "rules": str(game.rules_version), "data": game.data_hash, "name": row.id}
        return Record(header | {"scenario": row.scenario, "options": options, "seats": ""}, moves)
