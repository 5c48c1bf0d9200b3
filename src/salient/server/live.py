"""A live game: its position in memory, its log, and what each action said. It is touched only with its lock held."""

from __future__ import annotations

import copy
import threading
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from salient.games import PACKAGES, load
from salient.kernel import (
    CHANCE,
    Action,
    AnyGame,
    ChanceFrame,
    Event,
    State,
    Unreadable,
    dice_needed,
    step,
    typed_roll,
)
from salient.kernel.frames import chance_frame
from salient.kernel.record import HINT, comments_before, has_hint, with_comment
from salient.kernel.shared_dice import SharedDice
from salient.server.changes import view_change
from salient.server.keptsession import KeptSession
from salient.server.livedice import ServerDice, dice_for, shared_dice_for
from salient.server.pages import PAGE_FORMAT, PLIES, LogDigest, Page, PageHead, Pages, Told, packed
from salient.server.rolls import shown_roll
from salient.server.settings import VERSION
from salient.server.store import NOTE, UNDOING, Entry, GameRow, chained
from salient.server.ways import way_of

REMEMBERED_CHANGES = 200
REMEMBERED_SNAPSHOTS = 6
EARLIER = 0  # the version of a row as it was

Stage = tuple[int, int]


def is_bot(player: str) -> bool:
    """Say whether a player is a computer."""
    return player.startswith("bot:")


def program(game_id: str) -> str:
    """What a game's replay depends on: the program, the rules and the data of this moment."""
    game = load(game_id) if game_id in PACKAGES else None
    return f"{VERSION} {PAGE_FORMAT} {game.rules_version} {game.data_hash}" if game else VERSION


def stage_of(game: AnyGame, state: State) -> Stage:
    """The turn's number and the place in the sequence of play, as they are kept."""
    stage = game.stage(state)
    return stage.turn, stage.at


class Damaged(Exception):
    """What is kept of a game is not what was written."""


class LiveGame:
    """One game in memory. `heights` is the length of the log after every entry of the journal, `times` its moment."""

    def __init__(self, row: GameRow, journal: Sequence[Entry], pages: Pages) -> None:
        if row.seen != len(journal) or (row.head and chained("", journal) != row.head):
            raise Damaged("the journal is not what was written")
        if row.dice in ("verified", "shared") and not row.secret:
            raise Damaged("the secret of the dice cannot be read")
        self.row = row
        self.current = False  # whether this process would have been told of any change since it last looked
        self.lock = threading.RLock()
        self.game = load(row.game)
        self.pages = pages
        dice = dice_for(row, self.game.seats)
        self.session = KeptSession(self.game, dice, row.scenario, row.options, row.seats, row.dice_name)
        self.session.pages, self.session.page_ends, self.session.recent = pages, [], {0: self.session.state}
        self.log: list[Entry] = []
        self.told: dict[int, Told] = {}
        self.stages: dict[int, Stage] = {}
        self.heights = [0]
        self.times = [0.0]
        self.earlier: LiveGame | None = None
        self.redo: list[tuple[str, str]] = []
        self.changes: dict[str, dict[int, dict[str, Any]]] = {}
        self.ways: dict[int, list[str]] = {}
        self.views: dict[str, tuple[State, dict[str, Any]]] = {}
        self.snapshots: OrderedDict[Hashable, dict[str, Any]] = OrderedDict()
        self.fresh_pages: list[Page] = []
        self.digest = LogDigest(program(row.game))
        self._open(journal)
        self.take_row(row)

    def take_row(self, row: GameRow) -> None:
        """Take over what has changed besides the journal: players, clock, how the game was ended."""
        self.row = row
        names = (row.terms or {}).get("names", {})
        self.session.seats = {seat: names.get(seat, player) for seat, player in row.seats.items()}
        if row.dice == "shared":
            self.session.dice = shared_dice_for(row, self.game.seats)
        ended = (row.clock or {}).get("ended")
        self.session.ended = f"{ended['how']} {ended['winner'] or 'draw'}" if ended else ""

    def _open(self, journal: Sequence[Entry]) -> None:
        """Take up the log that the journal makes: from the last page that fits, then action by action."""
        log: list[Entry] = []
        comments: dict[int, str] = {}
        for entry in journal:
            if entry.kind == NOTE:
                comments[entry.ply] = with_comment(comments.get(entry.ply, ""), entry.action)
            else:
                self._fold(log, entry)
                comments = comments_before(comments, entry.ply) if entry.kind in UNDOING else comments
        redo, self.redo = self.redo, []
        heads = self._usable(log)
        if heads:
            self._resume(heads, log)
        for entry in log[len(self.log) :]:
            self._play(entry, self.game.read(entry.action))
        self.session.remember()
        self.session.comments = comments
        self.redo = redo
        self.keep_journal(journal)

    def keep_journal(self, entries: Iterable[Entry], at: float | None = None) -> None:
        """Take note of entries that are in the journal now, kept at a moment or as they say."""
        for entry in entries:
            self.heights.append(entry.ply)
            self.times.append(max(self.times[-1], entry.at if at is None else at))

    def _fold(self, log: list[Entry], entry: Entry) -> None:
        if entry.kind in UNDOING:
            self.redo[:0] = [(taken.seat, taken.action) for taken in log[entry.ply :]]
            if entry.kind == "back":
                self.redo.clear()
            del log[entry.ply :]
            return
        log.append(entry)
        if entry.kind == "redo":
            self.redo.pop(0)
        else:
            self.redo.clear()

    # ---- pages ----------------------------------------------------------------

    def _usable(self, log: Sequence[Entry]) -> list[PageHead]:
        """The pages that this program made of the first part of this very log."""
        digest, done = LogDigest(program(self.row.game)), 0
        usable = []
        for head in self.pages.heads():
            if head.last > len(log) or not isinstance(head.notes, dict):
                break
            digest.add(log[done : head.last])
            done = head.last
            if digest.hash.hexdigest() != head.digest:
                break
            usable.append(head)
        return usable

    def _resume(self, heads: Sequence[PageHead], log: Sequence[Entry]) -> None:
        game, last = self.game, heads[-1].last
        reveals = [False] * last
        drafts: list[Any] = [None] * last
        headings: dict[int, str] = {}
        for head in heads:
            for ply in head.notes["reveals"]:
                reveals[ply] = True
            for ply, texts in head.notes["drafts"].items():
                drafts[int(ply)] = tuple(game.read(text) for text in texts)
            headings |= {int(ply): text for ply, text in head.notes["headings"].items()}
            self.stages |= {int(ply): (turn, at) for ply, (turn, at) in head.notes["stages"].items()}
        self.log = list(log[:last])
        actions = [(entry.seat, game.read(entry.action)) for entry in self.log]
        self.session.page_ends = [head.last for head in heads]
        self.session.resume(self.pages.state(last), actions, reveals, drafts, headings)
        self.digest.add(self.log)

    def _page_due(self) -> bool:
        done = self.session.page_ends[-1] if self.session.page_ends else 0
        return self.ply - done >= PLIES and self.session.drafts[-1] is None

    def _close_page(self) -> None:
        """Make a page of the plies since the last one."""
        session, last = self.session, self.ply
        first = session.page_ends[-1] if session.page_ends else 0
        notes = {
            "reveals": [ply for ply in range(first, last) if session.reveals[ply]],
            "drafts": {ply: self._draft(ply) for ply in range(first, last) if session.drafts[ply] is not None},
            "headings": {ply: text for ply, text in session.headings.items() if first <= ply < last},
            "stages": {ply: stage for ply, stage in self.stages.items() if first <= ply < last},
        }
        head = PageHead(last, self.digest.hash.hexdigest(), notes)
        told = packed([self.told[ply].as_json() for ply in range(first + 1, last + 1)])
        self.fresh_pages.append(Page(head, packed(session.state.as_json()), told))
        session.page_ends.append(last)
        session.snapshots[last] = session.state

    def _draft(self, ply: int) -> list[str]:
        return [self.game.write(action) for action in self.session.drafts[ply] or ()]

    def keep_pages(self) -> None:
        """Hand the pages that have been closed to the store."""
        if self.fresh_pages:
            self.pages.keep(self.fresh_pages, self.row.seen)
            self.let_pages_go()

    def write_pages(self, db: Connection) -> None:
        """Write the pages that have been closed, in the transaction of the move that closed them."""
        if self.fresh_pages:
            self.pages.write(db, self.fresh_pages)

    def let_pages_go(self) -> None:
        """What lies on the pages that are kept need not stay in memory."""
        if not self.fresh_pages:
            return
        self.fresh_pages = []
        ends = self.session.page_ends
        kept = ends[-2] if len(ends) > 1 else 0
        self.session.forget(kept)
        self.told = {ply: told for ply, told in self.told.items() if ply > kept}

    # ---- looking ---------------------------------------------------------------

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
    def waits_for(self) -> str:
        """Whose time runs: who decides, or who has not shown his share of the dice."""
        missing = self.missing_shares()
        return missing[0] if missing else self.actor

    @property
    def decider(self) -> str:
        """Whose the next cast of the dice is: who decided last, at the beginning the first seat."""
        return next((seat for seat in reversed(self.session.actors) if seat != CHANCE), self.game.seats[0])

    def typists(self, ply: int) -> frozenset[str]:
        """Who types the roll after a ply: the person whose roll it is; everybody if it is a program's or nobody's."""
        if not self.typed:
            return frozenset()
        state = self.session.state_at(ply)
        deciders = (seat for seat in reversed(self.session.actors[:ply]) if seat != CHANCE)
        roller = chance_frame(state).roller(state) or next(deciders, "")
        people = frozenset(seat for seat, player in self.row.seats.items() if not is_bot(player))
        return frozenset({roller}) & people or people

    def missing_shares(self) -> list[str]:
        """Who must show a share before the dice that are due can fall."""
        dice = self.session.dice
        return dice.missing(self.decider) if isinstance(dice, SharedDice) and self.actor == CHANCE else []

    def chains_json(self) -> dict[str, Any] | None:
        """What the row keeps of shared dice."""
        dice = self.session.dice
        if not isinstance(dice, SharedDice):
            return None
        chains = {seat: {role: chain.text() for role, chain in roles.items()} for seat, roles in dice.chains.items()}
        casts = [[cast.first, cast.decider, cast.number] for cast in dice.casts]
        return {"chains": chains, "casts": casts, "used": dice.used, "void": dice.void}

    @property
    def typed(self) -> bool:
        """Whether people roll their own dice."""
        return self.session.dice.kind == "typed"

    @property
    def weight(self) -> int:
        """About how many bytes of memory the game takes."""
        states = len(self.session.snapshots) + len(self.session.recent)
        return 150_000 + 900 * self.ply + 40_000 * states + 150_000 * len(self.snapshots)

    def reasons(self, ply: int) -> list[tuple[str, float]]:
        """Why a bot did what led to a ply; nothing if no bot did it."""
        return self.log[ply - 1].reasons or []

    def tellings(self, start: int, end: int) -> list[Told]:
        """What the actions after ply `start`, up to `end`, said."""
        missing = {self._page_of(ply) for ply in range(start + 1, end + 1) if ply not in self.told}
        read: dict[int, Told] = {}
        for page in missing:
            first = ([0, *self.session.page_ends])[bisect_left(self.session.page_ends, page)]
            read |= dict(enumerate(self.pages.told(page), start=first + 1))
        return [self.told[ply] if ply in self.told else read[ply] for ply in range(start + 1, end + 1)]

    def _page_of(self, ply: int) -> int:
        return self.session.page_ends[bisect_left(self.session.page_ends, ply)]

    def still(self) -> LiveGame:
        """The game as it is now, to look at for a long time without holding its lock."""
        other = copy.copy(self)
        other.lock = threading.RLock()
        other.session = copy.copy(self.session)
        for name in ("actions", "actors", "reveals", "drafts", "page_ends"):
            setattr(other.session, name, list(getattr(self.session, name)))
        for name in ("headings", "comments", "snapshots", "recent"):
            setattr(other.session, name, dict(getattr(self.session, name)))
        other.log, other.redo = list(self.log), list(self.redo)
        other.heights, other.times, other.earlier = list(self.heights), list(self.times), None
        other.told, other.stages, other.changes, other.ways = dict(self.told), dict(self.stages), {}, {}
        other.fresh_pages, other.views, other.snapshots = [], {}, OrderedDict()
        return other

    def before(self, moment: float) -> LiveGame:
        """What was known at a moment, to look at with the lock held: of the present log, the part that was there.

        A game that was ended since goes on in it; clock, offers and what is paused belong to the present.
        """
        ended = (self.row.clock or {}).get("ended") or {}
        seen = bisect_right(self.times, moment) - 1
        if seen == self.seen and ended.get("at", 0.0) <= moment:
            return self
        ply = min(self.heights[seen:])
        if self.earlier is None or (self.earlier.seen, self.earlier.ply) != (seen, ply):
            self.earlier = self._as_it_was(seen, ply)
        return self.earlier

    def _as_it_was(self, seen: int, ply: int) -> LiveGame:
        other = self.still()
        other.session.dice, other.session.ended = copy.deepcopy(self.session.dice), ""
        other._cut_by_consent(ply)
        other.heights, other.times = [*self.heights[:seen], ply], self.times[: seen + 1]
        other.snapshots = self.snapshots
        clock: dict[str, Any] | None = None
        if self.row.clock is not None:
            clock = {"left": {}, "running": None, "since": 0.0}
        changed = max(self.row.created, self.times[seen])
        other.row = replace(self.row, version=EARLIER, changed=changed, clock=clock, deadline=None)
        return other

    def more_at(self, moment: float) -> float | None:
        """When the next thing after a moment happened; None if nothing has."""
        ended = ((self.row.clock or {}).get("ended") or {}).get("at", 0.0)
        later = [*self.times[bisect_right(self.times, moment) :][:1], *([ended] if ended > moment else [])]
        return min(later, default=None)

    def summary(self) -> dict[str, Any]:
        """What a list of games shows."""
        result = self.game.result(self.session.state)
        return {
            "ply": self.ply,
            "actor": self.actor,
            "waits_for": self.waits_for,
            "stage": stage_of(self.game, self.session.state),
            "program": program(self.row.game),
            "result": result and result.as_json(),
        }

    def cut_since(self, seen: int | None) -> int:
        """The ply below which nothing has changed since `seen`."""
        if seen is None:
            return self.ply
        return min(self.heights[seen:]) if 0 <= seen <= self.seen else 0

    def view(self, state: State, seat: str) -> dict[str, Any]:
        """A position as a seat sees it; that of the last look is kept."""
        if seat not in self.views or self.views[seat][0] is not state:
            self.views[seat] = state, dict(self.game.view.observe(state, seat))
        return self.views[seat][1]

    def keep_snapshot(self, key: Hashable, snapshot: dict[str, Any]) -> None:
        """Keep what a viewer was shown, to tell later what is new."""
        while len(self.snapshots) >= REMEMBERED_SNAPSHOTS:
            self.snapshots.popitem(last=False)
        self.snapshots[key] = snapshot

    def changes_for(self, seat: str, start: int, end: int) -> list[dict[str, Any]]:
        """What each action after ply `start`, up to `end`, changed in the view of a seat."""
        known = self.changes.setdefault(seat, {})
        if not all(ply in known for ply in range(start + 1, end + 1)):
            if len(known) > REMEMBERED_CHANGES:
                known.clear()
            known |= self._changes(seat, start, end)
        return [known[ply] for ply in range(start + 1, end + 1)]

    def _changes(self, seat: str, start: int, end: int) -> dict[int, dict[str, Any]]:
        state = self.session.state_at(start)
        before = self.view(state, seat)
        changes = {}
        for ply, action in enumerate(self.session.actions[start:end], start=start + 1):
            state, was = self.session.recent.get(ply) or step(state, action, trusted=True), state
            after = self.view(state, seat)
            changes[ply] = view_change(before, after)
            if way := way_of(self.game, was, action, before["units"], changes[ply]["units"]):
                self.ways[ply] = way
            before = after
        return changes

    # ---- changing the log -----------------------------------------------------

    def follow(self, entries: Sequence[Entry]) -> None:
        """Take over entries that another server has added to the journal."""
        for entry in entries:
            if entry.kind == "undo":
                self._cut(entry.ply)
            elif entry.kind == "back":
                self._cut_by_consent(entry.ply)
            elif entry.kind == NOTE:
                self.session.comment(entry.action)
            else:
                self._play(entry, self.game.read(entry.action))
            self.keep_journal([entry])

    def _play(self, entry: Entry, action: Action) -> None:
        before = self.session.state
        events = self.session.play(entry.seat, action)
        self._note(entry, before, events)
        if entry.kind == "redo" and self.redo:
            self.redo.pop(0)
        else:
            self.redo.clear()

    def _note(self, entry: Entry, before: State, events: Sequence[Event]) -> None:
        """Keep what the last action said and showed: its events, a new stage, the dice that fell."""
        self.session.remember()
        self.log.append(entry)
        self.digest.add([entry])
        self._note_stage(before)
        shown = None
        if entry.seat == CHANCE:
            number, action = self.session.roll_number(self.ply - 1), self.session.actions[-1]
            shown = shown_roll(self.game, self.session.dice, before, number, action, entry.faces or ())
        frame = before.stack[-1]
        asked = frame.prompt(before).as_json() if frame.ending(self.session.actions[-1]) else None
        self.told[self.ply] = Told([event.as_json() for event in events], shown, asked)
        if self._page_due():
            self._close_page()

    def _note_stage(self, before: State) -> None:
        if self.ply - 1 in self.session.headings:
            stage = stage_of(self.game, before)
            if not self.stages or self.stages[max(self.stages)] != stage:
                self.stages[self.ply - 1] = stage

    def _cut(self, to: int) -> None:
        seat = self.session.actors[-1]
        taken = self.session.undo(seat, to)
        self.redo[:0] = [(seat, self.game.write(action)) for action in taken]
        self._forget_after(to)

    def _cut_by_consent(self, to: int) -> None:
        self.session.go_back(to)
        if isinstance(self.session.dice, SharedDice):
            self.session.dice.cut(self.session.roll_number(to))
        self.redo.clear()
        self._forget_after(to)

    def _forget_after(self, to: int) -> None:
        """Forget what came after ply `to`; what is told below it and was on a page that goes comes back to memory."""
        kept = [last for last in self.session.page_ends if last <= to]
        base = kept[-1] if kept else 0
        self.told |= dict(enumerate(self.tellings(base, to), start=base + 1))
        self.told = {ply: told for ply, told in self.told.items() if ply <= to}
        self.stages = {ply: stage for ply, stage in self.stages.items() if ply < to}
        self.session.page_ends = kept
        self.session.recent = {ply: state for ply, state in self.session.recent.items() if ply <= to}
        self.fresh_pages = [page for page in self.fresh_pages if page.head.last <= to]
        self.changes.clear()
        self.ways.clear()
        del self.log[to:]
        self.digest = LogDigest(program(self.row.game))
        self.digest.add(self.log)

    def act(
        self, seat: str, action: Action, kind: str = "act", reasons: list[tuple[str, float]] | None = None
    ) -> list[Entry]:
        """Play an action and the dice that follow; what to commit. The kind `redo` takes it off the redo list."""
        entry = Entry(kind, self.ply + 1, seat, self.game.write(action), reasons)
        self._play(entry, action)
        return [entry, *self.roll()]

    def note_hint(self) -> list[Entry]:
        """Note that the computer was asked what to do; what to commit, nothing if that is noted already."""
        if has_hint(self.session.comments.get(self.ply, "")):
            return []
        self.session.mark_hint()
        return [Entry(NOTE, self.ply, self.actor, HINT)]

    def act_all(self, seat: str, actions: Sequence[Action]) -> list[Entry]:
        """Play the actions of one order and the dice that follow the last; what to commit."""
        entries: list[Entry] = []
        for action in actions:
            entry = Entry("more" if entries else "act", self.ply + 1, seat, self.game.write(action))
            self._play(entry, action)
            entries.append(entry)
        return [*entries, *self.roll()]

    def last_order(self) -> int:
        """The ply before the last action, or before the order that it was part of."""
        ply = self.ply - 1
        while ply > 0 and self.log[ply].kind == "more":
            ply -= 1
        return ply

    def roll_typed(self, faces: list[int]) -> list[Entry]:
        """Play the roll of dice that people rolled; what to commit."""
        frame = self.session.state.stack[-1]
        if not isinstance(frame, ChanceFrame):
            raise Unreadable("no-dice-now")
        action = typed_roll(frame, self.session.state, faces)
        entry = Entry("act", self.ply + 1, CHANCE, self.game.write(action), faces=faces)
        self._play(entry, action)
        return [entry, *self.roll()]

    @property
    def dice_needed(self) -> tuple[int, ...]:
        """The sides of the dice that people must roll now."""
        frame = self.session.state.stack[-1]
        if not (self.typed and isinstance(frame, ChanceFrame) and frame.rolls_dice):
            return ()
        return dice_needed(frame, self.session.state)

    def roll(self) -> list[Entry]:
        """Roll until somebody has to decide, or to roll; what to commit. What is drawn unseen, nobody types."""
        entries = []
        while self.actor == CHANCE and not (self.typed and chance_frame(self.session.state).rolls_dice):
            if not self._cast():
                break
            before = self.session.state
            events = self._draw() if self.typed else self.session.roll()
            entry = Entry("act", self.ply, CHANCE, self.game.write(self.session.actions[-1]))
            self._note(entry, before, events)
            self.redo.clear()
            entries.append(entry)
        return entries

    def _cast(self) -> bool:
        """Begin a cast of shared dice if one is due; whether the dice can fall."""
        dice = self.session.dice
        if not isinstance(dice, SharedDice) or (self.session.actors and self.session.actors[-1] == CHANCE):
            return True
        if dice.missing(self.decider):
            return False
        dice.cast(self.session.roll_number(self.ply), self.decider)
        return True

    def _draw(self) -> list[Event]:
        frame = chance_frame(self.session.state)
        return self.session.play(CHANCE, frame.sample(self.session.state, ServerDice()))

    def undo(self, to: int) -> list[Entry]:
        """Take back to ply `to`; what to commit."""
        entry = Entry("undo", to, self.session.actors[-1], "")
        self._cut(to)
        return [entry]

    def go_back(self, to: int) -> list[Entry]:
        """Go back to ply `to`, beyond the barrier, as both players agreed; what to commit."""
        self._cut_by_consent(to)
        return [Entry("back", to, self.actor, "")]

    def lowest_undo(self, seats: frozenset[str]) -> int | None:
        """The lowest ply to which someone who plays `seats` may go back now: not past a die that another typed.

        Between people not once the other side decides either: it would give new time, and tell the other again.
        """
        passed_on = self.row.terms is not None and self.waits_for not in seats
        if not self.session.actors or self.missing_shares() or passed_on:
            return None
        barrier = self.session.barrier(self.session.actors[-1])
        others = (ply for ply in range(self.ply - 1, barrier - 1, -1) if not self._is_of(ply, seats))
        lowest = next(others, barrier - 1) + 1
        return lowest if lowest < self.ply else None

    def _is_of(self, ply: int, seats: frozenset[str]) -> bool:
        """Whether the action after a ply is one of those who play `seats`."""
        seat = self.session.actors[ply]
        return seat in seats or (seat == CHANCE and bool(self.typists(ply) & seats))
