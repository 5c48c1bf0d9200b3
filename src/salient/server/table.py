"""The table: all games of a server. It finds them in memory or in the store, commits their changes, tells who listens.

A change is worked out in memory, committed, and only then shown; if the commit fails, the game is read again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select

from salient.games import PACKAGES, load
from salient.kernel import OVER, Unreadable
from salient.kernel.messages import SalientError
from salient.server.database import is_storage_error
from salient.server.live import Damaged, LiveGame, is_bot, program
from salient.server.pages import PageGone, Pages
from salient.server.problems import Cause, RequestProblem, Stale, no_such_game
from salient.server.queue import queue_bot
from salient.server.store import Entry, GameRow, Store
from salient.server.tables import GAMES

log = logging.getLogger("salient.server")

MEMORY_FOR_GAMES = 400_000_000  # bytes, about
SECONDS_BACK = 20.0  # more than the clocks of several machines differ

Listener = Callable[[str], None]
After = Callable[[Connection], None]


def _why(row: GameRow, error: Exception) -> Cause:
    """Why a stored game does not replay, for people; anything but an error of the engine is a damaged row."""
    game = load(row.game) if row.game in PACKAGES else None
    if isinstance(error, SalientError):
        return Cause(game, error)
    log.warning("Game %s cannot be replayed: %r", row.id, error)
    return Cause(game, Unreadable("row-damaged"))


class GameTable:
    """All games of a server."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.lock = threading.Lock()
        self.opening: dict[str, threading.Lock] = {}
        self.live: OrderedDict[str, LiveGame] = OrderedDict()
        self.listeners: dict[str, set[Listener]] = {}
        self.links: dict[str, Callable[[int, str], None]] = {}
        self.broken: dict[str, Cause] = {}
        self.referee: Callable[[LiveGame], tuple[dict[str, Any], After]] = lambda live: ({}, lambda db: None)
        self.wake_bots: Callable[[], None] = lambda: None
        self.wake_post: Callable[[], None] = lambda: None

    # ---- finding --------------------------------------------------------------

    @contextmanager
    def playing(self, game_id: str, trusting: bool = False) -> Iterator[LiveGame]:
        """A game as it is in the store now, with its lock held; RequestProblem if there is none or it does not replay.

        `trusting`: as far as this process has been told, for what is told again or fails if that is not the present.
        """
        while True:
            live = self._find(game_id)
            with live.lock:
                if self.live.get(game_id) is live and ((trusting and live.current) or self._is_current(live)):
                    yield live
                    return

    def _find(self, game_id: str) -> LiveGame:
        with self.lock:
            if game_id in self.live:
                self.live.move_to_end(game_id)
                return self.live[game_id]
            opening = self.opening.setdefault(game_id, threading.Lock())
        with opening:
            found = self.live.get(game_id)
            if found is not None:
                return found
            try:
                loaded = self._load(game_id)
            finally:
                self.opening.pop(game_id, None)
            with self.lock:
                self._forget_idle()
                return self.live.setdefault(game_id, loaded)

    def _load(self, game_id: str) -> LiveGame:
        row = self.store.game(game_id)
        if row is None:
            raise no_such_game()
        try:
            live = LiveGame(row, self.store.journal(game_id, 0, row.seen), Pages(self.store, game_id, load(row.game)))
            if set(row.seats) != set(live.game.seats):
                raise Damaged("the row does not say who sits where")
        except PageGone:
            return self._load(game_id)
        except Exception as error:
            if is_storage_error(error):
                raise
            self.broken[game_id] = _why(row, error)
            raise RequestProblem(409, "does-not-replay", "does-not-replay", cause=self.broken[game_id]) from error
        self.broken.pop(game_id, None)
        live.keep_pages()
        return live

    def adopt(self, live: LiveGame, rolled: int) -> None:
        """Take a game that has just been created; the last `rolled` entries of its journal are its first dice."""
        row = self.store.game(live.row.id)
        if row is None:
            return
        live.keep_journal(live.log[live.ply - rolled :], row.created)
        live.take_row(row)
        live.keep_pages()
        with self.lock:
            self._forget_idle()
            self.live[row.id] = live
        self.wake_bots()

    def _is_current(self, live: LiveGame) -> bool:
        """Whether the game in memory is what the store has; if another server has gone on with it, follow."""
        live.current = True  # unless somebody tells of a change from here on
        found = self.store.version(live.row.id)
        if found is None:
            self._drop(live)
            raise no_such_game()
        if found == (live.row.version, live.seen):
            return True
        row = self.store.game(live.row.id)
        if row is None or row.seen < live.seen:
            self._drop(live)
            return False
        try:
            live.take_row(row)
            live.follow(self.store.journal(row.id, live.seen, row.seen))
        except Exception:
            self._drop(live)
            return False
        self.tell(row.id, "update")  # of what another server has done, or this one without hearing that it was done
        return True

    def look_over(self, enough: threading.Event) -> None:
        """Replay games that another version of the program kept last, one after the other: do they still fit?"""
        for row in self.store.games():
            if enough.is_set():
                return
            if row.id in self.broken or row.id in self.live or row.summary.get("program") == program(row.game):
                continue
            try:
                with self.playing(row.id) as live:
                    self.store.change(row.id, summary=live.summary())
            except RequestProblem:
                continue

    def _forget_idle(self) -> None:
        weight = sum(live.weight for live in self.live.values())
        for game_id in list(self.live):
            if weight <= MEMORY_FOR_GAMES:
                return
            live = self.live[game_id]
            if live.lock.acquire(blocking=False):
                weight -= live.weight
                del self.live[game_id]
                live.lock.release()

    # ---- changing -------------------------------------------------------------

    def commit(self, live: LiveGame, seen: int, change: Callable[[], list[Entry]]) -> None:
        """Make a change and commit it; Stale if `seen` is not the present, and nothing changes if anything fails."""
        if seen != live.seen:
            raise Stale
        before = live.session.state
        try:
            entries = change()
            values, after = self.referee(live)
            fresh = self.store.append(live.row, entries, self._row_values(live) | values, self._with_move(live, after))
        except BaseException as error:
            if live.session.state is not before or is_storage_error(error):
                self._drop(live)
            raise
        live.keep_journal(entries, fresh["changed"])
        live.take_row(replace(live.row, **fresh))
        live.let_pages_go()
        self.tell(live.row.id, "update")
        if is_bot(live.row.seats.get(live.actor, "")):
            self.wake_bots()
        self.wake_post()

    def _row_values(self, live: LiveGame) -> dict[str, Any]:
        values: dict[str, Any] = {"summary": live.summary(), "over": live.actor == OVER}
        chains = live.chains_json()
        return values if chains is None else values | {"chains": chains}

    def _with_move(self, live: LiveGame, after: After) -> After:
        """What is written with a move: the pages that it closed, whether a bot is to move, and what else follows."""

        def all_of_it(db: Connection) -> None:
            live.write_pages(db)
            if any(is_bot(player) for player in live.row.seats.values()):
                queue_bot(db, live.row, live.actor)
            after(db)

        return all_of_it

    def change_refereed(self, live: LiveGame, values: dict[str, Any], after: After) -> None:
        """Change what the referee keeps of a game, in one transaction with `after`; Stale if it changed meanwhile."""
        fresh = self.store.append(live.row, [], values, after)
        live.take_row(replace(live.row, **fresh))
        self.tell(live.row.id, "update")
        self.wake_post()

    def _drop(self, live: LiveGame) -> None:
        with self.lock:
            if self.live.get(live.row.id) is live:
                del self.live[live.row.id]

    def forget(self, live: LiveGame) -> None:
        """Read a game anew when it is needed next."""
        self._drop(live)

    def change_row(self, live: LiveGame, **values: Any) -> None:
        """Change a game's name, players or pace; a bot that is to move thinks anew."""
        changed = replace(live.row, **values)
        with self.store.writing() as db:
            self.store.touch(db, live.row.id, **values)
            queue_bot(db, changed, live.actor)
        self.row_changed(live)

    def note_trouble(self, live: LiveGame, key: str) -> None:
        """Say at the table why its bots wait; nothing if all is well again."""
        self.store.change(live.row.id, trouble=key)
        self.row_changed(live)

    def row_changed(self, live: LiveGame) -> None:
        """Take over what has changed in the store besides the journal."""
        row = self.store.game(live.row.id)
        if row is None:
            self._drop(live)
            raise no_such_game()
        live.take_row(row)
        self.tell(row.id, "update")
        self.wake_bots()

    def delete(self, game_id: str) -> None:
        """Delete a game, even one that cannot be replayed."""
        self.store.delete(game_id)
        with self.lock:
            self.live.pop(game_id, None)
        self.broken.pop(game_id, None)
        self.tell(game_id, "gone")

    # ---- listening ------------------------------------------------------------

    @contextmanager
    def listening(self, topic: str, listener: Listener) -> Iterator[None]:
        """Be told what is new about a game, or about a person (@ and the id)."""
        listeners = self.listeners.setdefault(topic, set())
        listeners.add(listener)
        try:
            yield
        finally:
            listeners.discard(listener)
            if not listeners and self.listeners.get(topic) is listeners:
                del self.listeners[topic]

    def tell(self, game_id: str, what: str) -> None:
        """Tell who listens to a game that something is new: `update`, `chat`, `presence` or `gone`."""
        for listener in tuple(self.listeners.get(game_id, ())):
            listener(what)

    def heard(self, topic: str, what: str) -> None:
        """Another process has changed something; an empty topic: perhaps anything."""
        for live in list(self.live.values()) if not topic else [self.live.get(topic)]:
            if live is not None:
                live.current = False
        for game_id in [topic] if topic else list(self.listeners):
            self.tell(game_id, what)
        self.wake_bots()

    def catch_up(self) -> None:
        """Tell who listens what another process has changed and did not live to tell."""
        query = select(GAMES.c.id, GAMES.c.version).where(GAMES.c.changed > time.time() - SECONDS_BACK)
        with self.store.reading() as db:
            changed = db.execute(query).all()
        for game_id, version in changed:
            live = self.live.get(game_id)
            if game_id in self.listeners and (live is None or live.row.version != version):
                self.heard(game_id, "update")
