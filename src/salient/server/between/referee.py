"""The referee: keeps a game between people, so that neither has power over the other.

What is agreed (terms), the clock, offers and the end lie in the game's row; every change is one transaction.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import JSON, Connection, or_, select, type_coerce, update

from salient.kernel import OVER, SalientError
from salient.kernel.shared_dice import SharedDice
from salient.server.between import clocks
from salient.server.live import LiveGame
from salient.server.people.ratings import keep_result
from salient.server.post import Post
from salient.server.problems import Cause, RequestProblem, Stale
from salient.server.store import Entry, GameRow
from salient.server.table import GameTable
from salient.server.tables import GAMES, PERSONS, PLAYERS

log = logging.getLogger("salient.referee")

Shown = tuple[int, bytes, bytes]  # a link's number, the link, and the other's commitment that it is shown against

SECONDS_TO_GO_ON = 3 * 86400.0  # an adjourned game goes on by itself so long after one player asked for it


def person_at(row: GameRow, seat: str) -> str | None:
    """The id of the person at a seat."""
    player = row.seats.get(seat, "")
    return player.removeprefix("person:") if player.startswith("person:") else None


class Referee:
    """Watches over the games between people."""

    def __init__(self, table: GameTable, post: Post) -> None:
        self.table = table
        self.post = post
        table.referee = self.after_move
        table.wake_post = post.wake

    # ---- after every move ----------------------------------------------------------

    def after_move(self, live: LiveGame) -> tuple[dict[str, Any], Callable[[Connection], None]]:
        """What a move changes in the row, and what is written with it: the clock, notices, the result."""
        row, terms = live.row, live.row.terms
        if terms is None or row.clock is None:
            return {}, lambda db: None
        before, adjourned = row.clock, bool(row.clock.get("paused"))
        waited_for, back = row.summary.get("waits_for", ""), live.ply < row.summary.get("ply", 0)
        clock = clocks.run(terms, before, live.waits_for, live.actor, back) | ({} if adjourned else {"offers": {}})

        def after(db: Connection) -> None:
            if clock.get("turn") != before.get("turn") and not back:
                self._count(db, row, before.get("turn"))
            if live.actor == OVER:
                result = live.game.result(live.session.state)
                keep_result(db, row, result.winner if result else None, "played", None)
                self._settle(db, row, waited_for)
                self._tell_all(db, row, "over")
            elif live.waits_for != waited_for and not adjourned:
                self._pass_on(db, live, waited_for)

        return {"clock": clock, "deadline": row.deadline if adjourned else clocks.deadline(clock)}, after

    def _count(self, db: Connection, row: GameRow, seat: str | None) -> None:
        """A player has made up the mind in time."""
        person = person_at(row, seat) if seat else None
        if person:
            moved = update(PERSONS).where(PERSONS.c.id == person)
            db.execute(moved.values(moves_in_time=PERSONS.c.moves_in_time + 1, last_seen=time.time()))

    def _pass_on(self, db: Connection, live: LiveGame, waited_for: str) -> None:
        """Somebody else is waited for: tell that person, but not who is there and whose program does it by itself."""
        self._settle(db, live.row, waited_for)
        now = person_at(live.row, live.waits_for)
        if now and not (live.missing_shares() and self.post.is_at_table(live.row.id, now)):
            self._tell(db, live.row, live.waits_for, "your-move")

    def _settle(self, db: Connection, row: GameRow, seat: str) -> None:
        """A player is not waited for any more."""
        person = person_at(row, seat)
        if person:
            self.post.settle(db, person, "your-move", row.id)

    def _tell(self, db: Connection, row: GameRow, seat: str, kind: str, **words: str) -> None:
        person = person_at(row, seat)
        if person:
            self.post.notice(db, person, kind, row.id, {"game": row.name, **words})

    def _tell_all(self, db: Connection, row: GameRow, kind: str, but: str = "", **words: str) -> None:
        for seat in row.seats:
            if seat != but:
                self._tell(db, row, seat, kind, **words)

    # ---- the end by other means ------------------------------------------------------

    def end(self, live: LiveGame, winner: str | None, how: str, by: str) -> None:
        """End a game that is not over: resigned, drawn, out of time, abandoned, ended by an administrator."""
        if live.actor == OVER:
            raise RequestProblem(409, "not-possible", "game-is-over")
        clock = live.row.clock or {"left": {}, "running": None, "since": 0.0}
        ended = {"winner": winner, "how": how, "by": by, "at": time.time()}
        clock = clock | {"ended": ended, "running": None, "offers": {}}

        def after(db: Connection) -> None:
            keep_result(db, live.row, winner, how, by)
            self._settle(db, live.row, live.waits_for)
            self._tell_all(db, live.row, "over")

        self._change(live, after, clock=clock, deadline=None, over=True)

    def _change(self, live: LiveGame, after: Callable[[Connection], None], **values: Any) -> None:
        self.table.change_refereed(live, values, after)
        self.post.wake()

    def resign(self, live: LiveGame, seat: str, how: str = "resigned") -> None:
        """A player gives up, or leaves."""
        self.end(live, self.other(live, seat), how, seat)

    def resign_all(self, person_id: str) -> None:
        """A person leaves every game."""
        query = select(PLAYERS.c.game_id, PLAYERS.c.seat).join(GAMES, GAMES.c.id == PLAYERS.c.game_id)
        query = query.where(PLAYERS.c.person_id == person_id, GAMES.c.over.is_(False))
        with self.table.store.reading() as db:
            found = db.execute(query).all()
        for game_id, seat in found:
            try:
                with self.table.playing(game_id) as live:
                    self.resign(live, seat, "abandoned")
            except RequestProblem as problem:
                log.warning("Game %s cannot be resigned: %s", game_id, problem.key)

    @staticmethod
    def other(live: LiveGame, seat: str) -> str:
        """The other side."""
        return next(each for each in live.game.seats if each != seat)

    # ---- shared dice -------------------------------------------------------------------

    def share(self, live: LiveGame, seat: str, commit: dict[str, bytes], show: dict[str, Shown]) -> None:
        """Take a player's commitments and links; roll what waited for them."""
        dice = live.session.dice
        if not isinstance(dice, SharedDice):
            raise RequestProblem(409, "not-possible", "no-shared-dice")
        self._must_run(live)

        def change() -> list[Entry]:
            for role, head in commit.items():
                dice.commit(seat, role, head)
            for role, (number, link, against) in show.items():
                dice.show(seat, role, number, link, against)
            return live.roll()

        try:
            self.table.commit(live, live.seen, change)
        except SalientError as error:
            self.table.forget(live)
            raise RequestProblem(422, "unreadable", "said", text=Cause(live.game, error)) from error

    # ---- offers ----------------------------------------------------------------------

    def offer(self, live: LiveGame, seat: str, kind: str, to: int | None) -> None:
        """Offer a draw or a pause, or ask to go back beyond the barrier; the other answers."""
        self._must_run(live)
        if kind == "undo" and (to is None or not 0 <= to < live.ply):
            raise RequestProblem(422, "invalid", "invalid", cause="to")
        clock = self._clock(live)
        if kind == "pause" and clock.get("paused"):
            raise RequestProblem(409, "not-possible", "game-paused")
        offers = dict(clock.get("offers") or {})
        if kind in offers and offers[kind]["by"] != seat:
            self.answer(live, seat, kind, True)
            return
        offers[kind] = {"by": seat, **({"to": to} if kind == "undo" else {})}

        def after(db: Connection) -> None:
            self._tell(db, live.row, self.other(live, seat), f"offer-{kind}")

        self._change(live, after, clock=clock | {"offers": offers})

    def answer(self, live: LiveGame, seat: str, kind: str, yes: bool) -> None:
        """Take or refuse the other's offer; or take back one's own."""
        self._must_run(live)
        clock = self._clock(live)
        offers = dict(clock.get("offers") or {})
        offered = offers.pop(kind, None)
        own = offered is not None and offered["by"] == seat
        if offered is None or (own if yes else kind == "resume" and not own):  # going on can be asked for, not refused
            raise RequestProblem(409, "not-possible", "no-such-offer")
        clock = clock | {"offers": offers}
        if not yes:
            self._change(live, lambda db: None, clock=clock, **({"deadline": None} if kind == "resume" else {}))
        elif kind == "resume":
            self._go_on(live)
        elif kind == "draw":
            self.end(live, None, "agreed", seat)
        elif kind == "pause":
            clock = clocks.stopped(live.row.terms or {}, clock, time.time()) | {"running": None, "paused": True}
            self._change(live, lambda db: None, clock=clock, deadline=None)
        else:
            self.table.commit(live, live.seen, lambda: live.go_back(min(int(offered["to"]), live.ply - 1)))

    def resume(self, live: LiveGame, seat: str) -> None:
        """Go on with an adjourned game: at once if the own time then runs, else when the other agrees, or later."""
        self._must_run(live)
        clock = self._clock(live)
        if not clock.get("paused"):
            raise RequestProblem(409, "not-possible", "not-paused")
        offers = dict(clock.get("offers") or {})
        if seat == live.waits_for or offers.get("resume", {}).get("by") == self.other(live, seat):
            self._go_on(live)
            return
        offers["resume"] = {"by": seat}
        after: Callable[[Connection], None] = lambda db: self._tell(  # noqa: E731
            db, live.row, self.other(live, seat), "offer-resume"
        )
        self._change(live, after, clock=clock | {"offers": offers}, deadline=time.time() + SECONDS_TO_GO_ON)

    def _go_on(self, live: LiveGame) -> None:
        clock = self._clock(live) | {"paused": False, "offers": {}}
        clock = clocks.run(live.row.terms or {}, clock, live.waits_for, live.actor)
        after: Callable[[Connection], None] = lambda db: self._tell(db, live.row, live.waits_for, "your-move")  # noqa: E731
        self._change(live, after, clock=clock, deadline=clocks.deadline(clock))

    def _must_run(self, live: LiveGame) -> None:
        if live.actor == OVER:
            raise RequestProblem(409, "not-possible", "game-is-over")

    @staticmethod
    def _clock(live: LiveGame) -> clocks.Clock:
        if live.row.terms is None or live.row.clock is None:
            raise RequestProblem(409, "not-possible", "no-referee")
        return live.row.clock

    # ---- time ------------------------------------------------------------------------

    def claim(self, live: LiveGame, seat: str) -> None:
        """Win on time, where that was agreed to be claimed."""
        at = live.row.deadline
        running = (live.row.clock or {}).get("running")
        if at is None or at > time.time() or running in (None, seat):
            raise RequestProblem(409, "not-possible", "time-not-out")
        self.end(live, seat, "time", str(running))

    def sweep(self) -> int:
        """End the games whose time has run out; how many."""
        terms, clock = type_coerce(GAMES.c.terms, JSON), type_coerce(GAMES.c.clock, JSON)
        unclaimed = or_(terms["timeout"].as_string() != "claim", clock["paused"].as_boolean())
        late_ones = select(GAMES.c.id).where(GAMES.c.deadline < time.time(), GAMES.c.over.is_(False), unclaimed)
        with self.table.store.reading() as db:
            late = [row.id for row in db.execute(late_ones.order_by(GAMES.c.deadline.desc()).limit(100))]
        ended = 0
        for game_id in late:
            try:
                ended += self._time_out(game_id)
            except Stale:  # something else was faster: it is looked at again in a moment
                continue
            except RequestProblem as problem:
                log.warning("Game %s is out of time and cannot be ended: %s", game_id, problem.key)
        return ended

    def _time_out(self, game_id: str) -> bool:
        with self.table.playing(game_id) as live:
            at, clock = live.row.deadline, live.row.clock or {}
            if at is None or at > time.time() or live.actor == OVER:
                return False
            if clock.get("paused"):
                self._go_on(live)
            if clock.get("running") is None:
                return False
            if (live.row.terms or {}).get("timeout") == "claim":
                return False
            loser = str(clock["running"])
            self.end(live, self.other(live, loser), "time", loser)
            return True
