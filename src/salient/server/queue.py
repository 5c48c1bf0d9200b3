"""The queue of games in which a bot is to move. It is in the database, so that nothing is forgotten and several
processes can think. Persons take turns, whoever has how many games."""

from __future__ import annotations

import time

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from salient.server.live import is_bot
from salient.server.store import GameRow, Store
from salient.server.tables import JOBS, SHARES

LEASE = 15.0  # seconds after which another process takes a job up that is not kept any more
AFTER_FAILURE = (2.0, 5.0, 15.0, 60.0)
DROP = delete(JOBS).where(JOBS.c.game_id == bindparam("its_id"))  # at every click, so it is put together once


def queue_bot(db: Connection, row: GameRow, actor: str) -> None:
    """Note in a transaction under way whether a bot is to move in a game."""
    db.execute(DROP, {"its_id": row.id})
    if not is_bot(row.seats.get(actor, "")) or row.paused:
        return
    values = {"person": row.creator, "due": time.time() + row.pace, "taken_until": 0.0, "failures": 0}
    db.execute(insert(JOBS).values(game_id=row.id, **values))


class Queue:
    """Takes jobs and gives them back."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def take(self) -> str | None:
        """The game to think about now: the next one of the person who has waited longest; None if there is none."""
        now = time.time()
        query = (
            select(JOBS.c.game_id, JOBS.c.person)
            .join(SHARES, SHARES.c.person == JOBS.c.person, isouter=True)
            .where(JOBS.c.due <= now, JOBS.c.taken_until < now)
            .order_by(func.coalesce(SHARES.c.served, 0.0), JOBS.c.due)
            .limit(1)
            .with_for_update(of=JOBS, skip_locked=True)
        )
        with self.store.reading() as db:
            waiting = select(JOBS.c.game_id).where(JOBS.c.due <= now, JOBS.c.taken_until < now).limit(1)
            if db.execute(waiting).first() is None:
                return None
        with self.store.writing() as db:
            found = db.execute(query).first()
            if found is None:
                return None
            db.execute(update(JOBS).where(JOBS.c.game_id == found.game_id).values(taken_until=now + LEASE))
            if not db.execute(update(SHARES).where(SHARES.c.person == found.person).values(served=now)).rowcount:
                db.execute(insert(SHARES).values(person=found.person, served=now))
        return str(found.game_id)

    def keep(self, game_id: str) -> None:
        """Say that a job is still at work here."""
        taken = JOBS.c.game_id == game_id, JOBS.c.taken_until > 0.0
        with self.store.writing() as db:
            db.execute(update(JOBS).where(*taken).values(taken_until=time.time() + LEASE))

    def next_due(self) -> float | None:
        """When the next job is due; None if there is none."""
        with self.store.reading() as db:
            found = db.execute(select(func.min(JOBS.c.due)).where(JOBS.c.taken_until < time.time())).scalar()
        return None if found is None else float(found)

    def drop(self, game_id: str) -> None:
        """A job that was none."""
        with self.store.writing() as db:
            db.execute(DROP, {"its_id": game_id})

    def postpone(self, game_id: str) -> None:
        """Try a job again later: something went wrong."""
        with self.store.writing() as db:
            failures = db.execute(select(JOBS.c.failures).where(JOBS.c.game_id == game_id)).scalar() or 0
            due = time.time() + AFTER_FAILURE[min(failures, len(AFTER_FAILURE) - 1)]
            values = {"due": due, "taken_until": 0.0, "failures": failures + 1}
            db.execute(update(JOBS).where(JOBS.c.game_id == game_id).values(values))

    def release(self) -> None:
        """Give back all jobs that are taken: this is the only process, and it has just started."""
        with self.store.writing() as db:
            db.execute(update(JOBS).values(taken_until=0.0))
