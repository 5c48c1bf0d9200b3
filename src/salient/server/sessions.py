"""Live games: the position in memory, the journal in the store, and who listens.

A change is worked out in memory, committed, and only then shown; if the commit fails, the game is read again.
A game is touched only with its lock held: `with table.playing(game_id) as live`.
"""

from __future__ import annotations

import contextlib
import logging
import random
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from salient.games import PACKAGES, load
from salient.kernel import (
    CHANCE,
    ChanceFrame,
    Dice,
    Event,
    Game,
    SeededDice,
    Session,
    State,
    TypedDice,
    Unreadable,
    VerifiedDice,
    dice_needed,
    step,
    typed_roll,
)
from salient.kernel.messages import SalientError
from salient.server.problems import Cause, Problem, Stale, no_such_game
from salient.server.rolls import Shown, shown_roll
from salient.server.settings import VERSION
from salient.server.store import Entry, GameRow, Store

log = logging.getLogger("salient.server")

KEPT_IN_MEMORY = 200

Listener = Callable[[str], None]
Stage = tuple[int, int]


class ServerDice(SeededDice):
    """Dice rolled by the server that nobody can foresee, for imported games whose secret is elsewhere."""

    def __init__(self) -> None:
        self.random: random.Random = secrets.SystemRandom()


def dice_for(kind: str, name: str, secret: str | None) -> Dice:
    """The dice of a stored game."""
    if kind == "verified":
        return VerifiedDice(name, bytes.fromhex(secret or ""))
    if kind == "typed":
        return TypedDice()
    return ServerDice()


def is_bot(player: str) -> bool:
    """Say whether a player is a computer."""
    return player.startswith("bot:")


def program(game_id: str) -> str:
    """What a game's replay depends on: the program, the rules and the data of this moment."""
    game = load(game_id) if game_id in PACKAGES else None
    return f"{VERSION} {game.rules_version} {game.data_hash}" if game else VERSION


def _why(row: GameRow, error: Exception) -> Cause:
    """Why a stored game does not replay, for people; what is no error of the engine's is a damaged row."""
    game = load(row.game) if row.game in PACKAGES else None
    if isinstance(error, SalientError):
        return Cause(game, error)
    log.warning("Game %s cannot be replayed: %r", row.id, error)
    return Cause(game, Unreadable("What is kept of it is damaged.", "row-damaged"))


def stage_of(game: Game, state: State) -> Stage:
    """Turn and phase of a position, which are no secrets: the turn's number and the place in the sequence of play."""
    view = game.observe(state, game.seats[0])
    return view["turn"], view["at"]


class LiveGame:
    """One game in memory: its session, the events of every ply, and the height of the log after every entry."""

    def __init__(self, row: GameRow, journal: list[Entry]) -> None:
        self.row = row
        self.lock = threading.RLock()
        self.game = load(row.game)
        dice = dice_for(row.dice, row.dice_name, row.secret)
        self.session = Session(self.game, dice, row.scenario, row.options, row.seats, row.dice_name)
        self.events: list[list[Event]] = []
        self.stages: dict[int, Stage] = {}
        self.reasons: dict[int, list[tuple[str, float]]] = {}
        self.rolls: dict[int, Shown] = {}
        self.heights = [0]
        self.redo: list[tuple[str, str]] = []
        self.changes: dict[str, list[dict[str, Any]]] = {}
        for entry in journal:
            self._replay(entry)

    @property
    def seen(self) -> int:
        """How many journal entries there are."""
        return len(self.heights) - 1

    @property
    def ply(self) -> int:
        """How many actions the log has now."""
        return len(self.session.actions)

    @property
    def actor(self) -> str:
        """Whose decision it is."""
        return self.session.actor

    @property
    def typed(self) -> bool:
        """Whether people roll their own dice."""
        return self.session.dice.kind == "typed"

    # ---- changing the log -----------------------------------------------------

    def _replay(self, entry: Entry) -> None:
        if entry.kind == "undo":
            self._cut(entry.ply)
        else:
            self._play(entry)
        self.heights.append(entry.ply)

    def _play(self, entry: Entry) -> None:
        before = self.session.state
        self.events.append(self.session.play(entry.seat, self.game.read(entry.action)))
        self._note(before, entry.faces or ())
        if entry.kind == "redo":
            self.redo.pop(0)
        else:
            self.redo.clear()
        if entry.reasons:
            self.reasons[self.ply] = entry.reasons

    def _note(self, before: State, faces: Sequence[int] = ()) -> None:
        """Keep what the last action shows besides its events: a new stage, the dice that fell."""
        self._note_stage(before)
        if self.session.actors[-1] == CHANCE:
            number = self.session.roll_number(self.ply - 1)
            shown = shown_roll(self.game, self.session.dice, before, number, self.session.actions[-1], faces)
            if shown:
                self.rolls[self.ply] = shown

    def _note_stage(self, before: State) -> None:
        if self.ply - 1 in self.session.headings:
            stage = stage_of(self.game, before)
            if not self.stages or self.stages[max(self.stages)] != stage:
                self.stages[self.ply - 1] = stage

    def _cut(self, to: int) -> None:
        seat = self.session.actors[-1]
        taken = self.session.undo(seat, to)
        self.redo[:0] = [(seat, self.game.write(action)) for action in taken]
        del self.events[to:]
        self.stages = {ply: stage for ply, stage in self.stages.items() if ply < to}
        self.reasons = {ply: why for ply, why in self.reasons.items() if ply <= to}
        self.rolls = {ply: shown for ply, shown in self.rolls.items() if ply <= to}
        for known in self.changes.values():
            del known[to:]

    def act(
        self, seat: str, text: str, kind: str = "act", reasons: list[tuple[str, float]] | None = None
    ) -> list[Entry]:
        """Play an action and the dice that follow; what to commit. The kind `redo` takes it off the redo list."""
        entry = Entry(kind, self.ply + 1, seat, self.game.write(self.game.read(text)), reasons)
        self._play(entry)
        return [entry, *self.roll()]

    def roll_typed(self, faces: list[int]) -> list[Entry]:
        """Play the roll of dice that people rolled; what to commit."""
        frame = self.session.state.stack[-1]
        if not isinstance(frame, ChanceFrame):
            raise Unreadable("No dice are rolled now.", "no-dice-now")
        action = self.game.write(typed_roll(frame, self.session.state, faces))
        entry = Entry("act", self.ply + 1, CHANCE, action, faces=faces)
        self._play(entry)
        return [entry]

    @property
    def dice_needed(self) -> tuple[int, ...]:
        """The sides of the dice that people must roll now."""
        frame = self.session.state.stack[-1]
        if not (self.typed and isinstance(frame, ChanceFrame) and frame.rolls_dice):
            return ()
        return dice_needed(frame, self.session.state)

    def roll(self) -> list[Entry]:
        """Roll until somebody has to decide; what to commit."""
        entries = []
        while self.actor == CHANCE and not self.typed:
            before = self.session.state
            self.events.append(self.session.roll())
            self._note(before)
            self.redo.clear()
            entries.append(Entry("act", self.ply, CHANCE, self.game.write(self.session.actions[-1])))
        return entries

    def undo(self, to: int) -> list[Entry]:
        """Take back to ply `to`; what to commit."""
        entry = Entry("undo", to, self.session.actors[-1], "")
        self._cut(to)
        return [entry]

    def lowest_undo(self, seats: frozenset[str]) -> int | None:
        """The lowest ply to which someone who plays `seats` may go back now."""
        if not self.session.actors or self.session.actors[-1] not in seats:
            return None
        barrier = self.session.barrier(self.session.actors[-1])
        return barrier if barrier < self.ply else None

    # ---- looking --------------------------------------------------------------

    def summary(self) -> dict[str, Any]:
        """What a list of games shows."""
        result = self.game.result(self.session.state)
        return {
            "ply": self.ply,
            "actor": self.actor,
            "stage": stage_of(self.game, self.session.state),
            "program": program(self.row.game),
            "result": None if result is None else {"winner": result.winner, "rule": result.rule, "key": result.key},
        }

    def cut_since(self, seen: int | None) -> int:
        """The ply below which nothing has changed since `seen`."""
        if seen is None:
            return self.ply
        return min(self.heights[seen:]) if 0 <= seen <= self.seen else 0

    def changes_for(self, seat: str, start: int) -> list[dict[str, Any]]:
        """What each action after ply `start` changed in the view of a seat."""
        known = self.changes.setdefault(seat, [])
        if start > len(known):
            return self._changes(seat, start)
        known += self._changes(seat, len(known))
        return known[start:]

    def _changes(self, seat: str, start: int) -> list[dict[str, Any]]:
        if start >= self.ply:
            return []
        state = self.session.state_at(start)
        before = self.game.observe(state, seat)
        changes = []
        for action in self.session.actions[start:]:
            state = step(state, action, trusted=True)
            after = self.game.observe(state, seat)
            changes.append(view_change(before, after))
            before = after
        return changes


def view_change(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What is new in a view: units one by one (null for one that is gone), other keys whole."""
    old, new = before["units"], after["units"]
    units = {unit: seen for unit, seen in new.items() if old.get(unit) != seen}
    units |= {unit: None for unit in old if unit not in new}
    rest = {key: value for key, value in after.items() if key != "units" and before.get(key) != value}
    return {"units": units, **rest}


class Table:
    """All games of a server: finds them in memory or in the store, commits their changes, tells who listens."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.lock = threading.Lock()
        self.live: OrderedDict[str, LiveGame] = OrderedDict()
        self.listeners: dict[str, set[Listener]] = {}
        self.thinking: dict[str, str] = {}
        self.trouble: dict[str, str] = {}
        self.broken: dict[str, Cause] = {}
        self.wake_bots: Callable[[str], None] = lambda game_id: None

    # ---- finding --------------------------------------------------------------

    @contextmanager
    def playing(self, game_id: str) -> Iterator[LiveGame]:
        """A game with its lock held; Problem if there is none or if it cannot be replayed."""
        while True:
            live = self._find(game_id)
            with live.lock:
                if self.live.get(game_id) is live:
                    yield live
                    return

    def _find(self, game_id: str) -> LiveGame:
        with self.lock:
            if game_id in self.live:
                self.live.move_to_end(game_id)
                return self.live[game_id]
        loaded = self._load(game_id)
        with self.lock:
            self._forget_idle()
            return self.live.setdefault(game_id, loaded)

    def _load(self, game_id: str) -> LiveGame:
        row = self.store.game(game_id)
        if row is None:
            raise no_such_game()
        try:
            live = LiveGame(row, self.store.journal(game_id))
            if set(row.seats) != set(live.game.seats):
                raise ValueError("the row does not say who sits where")
        except Exception as error:
            self.broken[game_id] = _why(row, error)
            raise Problem(409, "does-not-replay", "does-not-replay", cause=self.broken[game_id]) from error
        self.broken.pop(game_id, None)
        return live

    def look_over(self, rows: Sequence[GameRow], seconds: float) -> None:
        """Replay games that another version of the program kept last, as far as the time goes: do they still fit?"""
        deadline = time.monotonic() + seconds
        for row in rows:
            if time.monotonic() > deadline:
                return
            if row.id in self.broken or row.id in self.live or row.summary.get("program") == program(row.game):
                continue
            with contextlib.suppress(Problem), self.playing(row.id) as live:
                self.store.change(row.id, summary=live.summary())

    def _forget_idle(self) -> None:
        for game_id in list(self.live)[: max(0, len(self.live) + 1 - KEPT_IN_MEMORY)]:
            live = self.live[game_id]
            if live.lock.acquire(blocking=False):
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
            changed = self.store.append(live.row.id, seen, entries, live.summary())
        except BaseException:
            if live.session.state is not before:
                self._drop(live)
            raise
        live.heights += [entry.ply for entry in entries]
        live.row = replace(live.row, changed=changed)
        self.trouble.pop(live.row.id, None)
        self.tell(live.row.id, "update")
        self.wake_bots(live.row.id)

    def _drop(self, live: LiveGame) -> None:
        with self.lock:
            if self.live.get(live.row.id) is live:
                del self.live[live.row.id]

    def change_row(self, live: LiveGame, **values: Any) -> None:
        """Change a game's name, players or pace."""
        self.store.change(live.row.id, **values)
        self.row_changed(live)

    def row_changed(self, live: LiveGame) -> None:
        """Take over what has changed in the store besides the journal."""
        row = self.store.game(live.row.id)
        assert row is not None
        live.row = row
        live.session.seats = dict(row.seats)
        self.tell(row.id, "update")
        self.wake_bots(row.id)

    def delete(self, game_id: str) -> None:
        """Delete a game, even one that cannot be replayed."""
        self.store.delete(game_id)
        with self.lock:
            self.live.pop(game_id, None)
        self.broken.pop(game_id, None)
        self.tell(game_id, "gone")

    # ---- listening ------------------------------------------------------------

    def tell(self, game_id: str, what: str) -> None:
        """Tell who listens to a game that something is new: `update`, `thinking` or `gone`."""
        for listener in tuple(self.listeners.get(game_id, ())):
            listener(what)
