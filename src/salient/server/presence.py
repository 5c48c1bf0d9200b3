"""Presence: who is at the tables now, at all processes of a server.

Nothing of it is kept: each process knows its own sockets, tells the others by the bus whenever that changes, and is
forgotten when it has not been heard of for a while.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from salient.server.store import Store

EVERYBODY = "*"  # the topic of what concerns no single game
SECONDS_A_BEAT = 10.0
SECONDS_TO_FORGET = 35.0
SECONDS_TO_GATHER = 0.1  # what changes within is told at once
MOST_TOLD = 150  # of one table, for the bus carries short messages only
SPECTATOR = "spectator"

Places = frozenset[tuple[str, str]]  # a seat or `spectator`, and who is there


def who_is(key: str) -> str:
    """What tells two people apart and says nothing about either."""
    return hashlib.sha256(key.encode()).hexdigest()[:8]


class Presence:
    """Who is where, here and at the other processes; safe for many threads."""

    def __init__(self, store: Store, tell: Callable[[str, str], None]) -> None:
        self.store = store
        self.tell = tell
        self.lock = threading.Lock()
        self.links: dict[object, tuple[str, Places]] = {}
        self.here: dict[str, dict[object, Places]] = {}
        self.elsewhere: dict[str, dict[str, Places]] = {}
        self.heard_of: dict[str, float] = {}
        self.unsaid: set[tuple[str, str]] = set()

    # ---- here ------------------------------------------------------------------

    def sit(self, link: object, game_id: str, seats: Iterable[str], key: str) -> None:
        """A socket is at a table: at these seats, or it looks on. From any thread."""
        places = frozenset((seat, who_is(key)) for seat in (sorted(seats) or [SPECTATOR]))
        with self.lock:
            if self.links.get(link) == (game_id, places):
                return
            first = game_id not in self.here
            self.links[link] = (game_id, places)
            self.here.setdefault(game_id, {})[link] = places
        self._changed(game_id, "asks" if first else "")

    def leave(self, link: object) -> None:
        """A socket has gone."""
        with self.lock:
            game_id, _ = self.links.pop(link, ("", frozenset()))
            found = self.here.get(game_id, {})
            found.pop(link, None)
            if not found:
                self.here.pop(game_id, None)
        if game_id:
            self._changed(game_id)

    def at(self, game_id: str) -> dict[str, Any]:
        """Who is at a table: the seats that are taken by somebody who is there, and how many look on."""
        with self.lock:
            found = self._mine(game_id).union(*(games.get(game_id, ()) for games in self.elsewhere.values()))
        seats = sorted({place for place, _ in found} - {SPECTATOR})
        return {"seats": seats, "watching": len({who for place, who in found if place == SPECTATOR})}

    def is_at(self, game_id: str, key: str) -> bool:
        """Whether somebody is at a table."""
        with self.lock:
            found = self._mine(game_id).union(*(games.get(game_id, ()) for games in self.elsewhere.values()))
        return who_is(key) in {who for _, who in found}

    def _mine(self, game_id: str) -> Places:
        return frozenset().union(*self.here.get(game_id, {}).values())

    def _changed(self, game_id: str, also: str = "") -> None:
        self.tell(game_id, "presence")
        if self.store.shared:
            with self.lock:
                self.unsaid |= {(game_id, "sits"), *({(game_id, also)} if also else ())}

    # ---- the others --------------------------------------------------------------

    def heard(self, origin: str, topic: str, what: str) -> bool:
        """Take what another process says of its tables; whether it was that."""
        word, _, said = what.partition(" ")
        if word not in ("sits", "asks", "lives"):
            return False
        with self.lock:
            unknown = origin not in self.heard_of
            self.heard_of[origin] = time.monotonic()
            if word == "asks" and topic in self.here:
                self.unsaid.add((topic, "sits"))
            if unknown:
                self.unsaid |= {(game_id, "sits") for game_id in self.here}
        if word == "sits":
            self._hear(origin, topic, frozenset(_place(each) for each in said.split(",") if ":" in each))
        return True

    def _hear(self, origin: str, game_id: str, places: Places) -> None:
        with self.lock:
            games = self.elsewhere.setdefault(origin, {})
            if places:
                games[game_id] = places
            else:
                games.pop(game_id, None)
        self.tell(game_id, "presence")

    def ask_all(self) -> None:
        """Something may have been missed: tell and ask about every table here."""
        with self.lock:
            self.unsaid |= {(game_id, word) for game_id in self.here for word in ("sits", "asks")}

    def forget_silent(self) -> None:
        """Whoever has not been heard of for a while is not there any more."""
        late = time.monotonic() - SECONDS_TO_FORGET
        with self.lock:
            silent = [origin for origin, at in self.heard_of.items() if at < late]
            games = {game_id for origin in silent for game_id in self.elsewhere.pop(origin, {})}
            for origin in silent:
                del self.heard_of[origin]
        for game_id in games:
            self.tell(game_id, "presence")

    # ---- telling -------------------------------------------------------------------

    async def run(self) -> None:
        """Tell the other processes what has changed here, and that this one lives, for ever."""
        beat = 0.0
        while self.store.shared:
            await asyncio.sleep(SECONDS_TO_GATHER)
            alive = time.monotonic() > beat
            if not alive and not self.unsaid:
                continue
            await asyncio.to_thread(self._say, alive)
            if alive:
                beat = time.monotonic() + SECONDS_A_BEAT
                self.forget_silent()

    def _say(self, alive: bool) -> None:
        with self.lock:
            unsaid, self.unsaid = self.unsaid, set()
            told = {game_id: sorted(self._mine(game_id))[:MOST_TOLD] for game_id, word in unsaid if word == "sits"}
        words = []
        for game_id, word in sorted(unsaid):
            said = ",".join(f"{place}:{who}" for place, who in told[game_id]) if word == "sits" else ""
            words.append((game_id, f"{word} {said}"))
        self.store.tell_others([*words, (EVERYBODY, "lives")] if alive else words)


def _place(text: str) -> tuple[str, str]:
    place, _, who = text.partition(":")
    return place, who
