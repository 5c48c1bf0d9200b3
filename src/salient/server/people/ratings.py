"""Ratings by game (openskill), results and reliability; only rated games between people count."""

from __future__ import annotations

import time
from typing import Any

from openskill.models import PlackettLuce
from sqlalchemy import Connection, delete, func, insert, select, update

from salient.server.store import GameRow, Store
from salient.server.tables import PERSONS, RATINGS, RESULTS

MODEL = PlackettLuce()
LEFT = ("time", "abandoned")


def shown(mu: float) -> int:
    """A rating as people read it: 1500 for who has not played yet."""
    return round(1500 + 40 * (mu - MODEL.mu))


def rating_of(db: Connection, person_id: str, game: str) -> tuple[float, float, int]:
    """Strength, uncertainty and number of rated games."""
    found = db.execute(select(RATINGS).where(RATINGS.c.person_id == person_id, RATINGS.c.game == game)).first()
    return (found.mu, found.sigma, found.games) if found else (MODEL.mu, MODEL.sigma, 0)


def keep_result(db: Connection, row: GameRow, winner: str | None, how: str, loser: str | None) -> None:
    """Keep the result of a game between people, and rate it if they agreed to; `loser` left it, if somebody did."""
    people = {
        seat: player.removeprefix("person:") for seat, player in row.seats.items() if player.startswith("person:")
    }
    rated = bool((row.terms or {}).get("rated")) and len(people) == 2
    for seat, person_id in people.items():
        points = 0.5 if winner is None else float(seat == winner)
        values = {"person_id": person_id, "game": row.game, "points": points, "how": how, "rated": rated}
        db.execute(delete(RESULTS).where(RESULTS.c.game_id == row.id, RESULTS.c.seat == seat))
        db.execute(insert(RESULTS).values(game_id=row.id, seat=seat, at=time.time(), **values))
    if loser in people and how in LEFT:
        left = update(PERSONS).where(PERSONS.c.id == people[loser])
        db.execute(left.values(games_left=PERSONS.c.games_left + 1))
    if rated:
        _rate(db, row.game, people, winner)


def _rate(db: Connection, game: str, people: dict[str, str], winner: str | None) -> None:
    seats = list(people)
    before = [rating_of(db, people[seat], game) for seat in seats]
    teams = [[MODEL.rating(mu=mu, sigma=sigma)] for mu, sigma, _ in before]
    ranks = [0.0 if winner in (None, seat) else 1.0 for seat in seats]
    for seat, (after,), (_, _, games) in zip(seats, MODEL.rate(teams, ranks=ranks), before, strict=True):
        mine = (RATINGS.c.person_id == people[seat], RATINGS.c.game == game)
        db.execute(delete(RATINGS).where(*mine))
        values = {"mu": after.mu, "sigma": after.sigma, "games": games + 1}
        db.execute(insert(RATINGS).values(person_id=people[seat], game=game, **values))


def profile(store: Store, person_id: str) -> dict[str, Any]:
    """Ratings, results by game and side, and reliability of a person."""
    with store.reading() as db:
        ratings = db.execute(select(RATINGS).where(RATINGS.c.person_id == person_id)).all()
        points = (RESULTS.c.game, RESULTS.c.seat, RESULTS.c.points)
        counted = select(*points, func.count().label("n")).where(RESULTS.c.person_id == person_id).group_by(*points)
        results = db.execute(counted).all()
    table: dict[tuple[str, str], dict[str, Any]] = {}
    for row in results:
        line = {"game": row.game, "seat": row.seat, "won": 0, "drawn": 0, "lost": 0}
        found = table.setdefault((row.game, row.seat), line)
        found[{1.0: "won", 0.5: "drawn", 0.0: "lost"}[row.points]] += row.n
    rated = {r.game: {"rating": shown(r.mu), "deviation": round(40 * r.sigma), "games": r.games} for r in ratings}
    return {"ratings": rated, "results": list(table.values())}
