"""The waiting room: open tables, invitations by name, and tickets that the match maker pairs by rating."""

from __future__ import annotations

import secrets
import time
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select

from salient.games import load
from salient.server.between import clocks
from salient.server.live import LiveGame
from salient.server.matches import People, start
from salient.server.models import NewGame
from salient.server.people.accounts import Accounts, Person
from salient.server.people.ratings import rating_of, shown
from salient.server.post import Post
from salient.server.problems import RequestProblem
from salient.server.table import GameTable
from salient.server.tables import GAMES, OPEN_TABLES

MOST_OPEN = 10
TICKETS = 8045  # the lock of the match maker
ALL_RATINGS = (0.0, 9999.0)


class Taken(RequestProblem):
    """Somebody was faster, or the offer is void."""

    def __init__(self) -> None:
        super().__init__(404, "not-found", "no-such-offer")


class Room:
    """Keeps offers of games and makes games of them."""

    def __init__(self, table: GameTable, accounts: Accounts, post: Post) -> None:
        self.table = table
        self.accounts = accounts
        self.post = post

    # ---- looking ---------------------------------------------------------------

    def offers(self, person: Person) -> list[dict[str, Any]]:
        """The open tables that a person may see: not those of people with whom one of both wants no game."""
        mine = or_(OPEN_TABLES.c.invited_id.is_(None), OPEN_TABLES.c.invited_id == person.id)
        query = (
            select(OPEN_TABLES).where(or_(mine, OPEN_TABLES.c.person_id == person.id)).order_by(OPEN_TABLES.c.created)
        )
        with self.table.store.reading() as db:
            rows = [dict(row._mapping) for row in db.execute(query.limit(500))]
            ratings = {row["id"]: shown(rating_of(db, row["person_id"], row["game"])[0]) for row in rows}
            own = {row["game"]: shown(rating_of(db, person.id, row["game"])[0]) for row in rows}
        names = self.accounts.names({row["person_id"] for row in rows} | {row["invited_id"] or "" for row in rows})
        apart = {row["person_id"] for row in rows if self.accounts.apart(person.id, row["person_id"])}
        shown_rows = []
        for row in rows:
            if row["person_id"] in apart or (row["kind"] == "ticket" and row["person_id"] != person.id):
                continue
            fits = row["lowest"] <= own[row["game"]] <= row["highest"]
            row |= {"by": names.get(row["person_id"], ""), "mine": row["person_id"] == person.id}
            row |= {"rating": ratings[row["id"]], "fits": fits, "invited": names.get(row.pop("invited_id") or "")}
            del row["person_id"]
            shown_rows.append(row)
        return shown_rows

    # ---- offering ----------------------------------------------------------------

    def open(self, person: Person, kind: str, order: dict[str, Any], invited: Person | None = None) -> str | None:
        """Offer a game; the game's id if a ticket found its match at once."""
        game = load(order["game"])
        if order["seat"] and order["seat"] not in game.seats:
            raise RequestProblem(422, "invalid", "no-such-seat", title=game.title, seat=order["seat"])
        values = order | {"scenario": game.scenario(order["scenario"]).id}
        values["options"] = game.chosen_options(order["options"])
        if invited is not None and (invited.id == person.id or self.accounts.apart(person.id, invited.id)):
            raise RequestProblem(403, "forbidden", "no-games-together")
        values |= {"id": secrets.token_hex(8), "person_id": person.id, "kind": kind, "created": time.time()}
        values["invited_id"] = invited.id if invited else None
        with self.table.store.writing() as db:
            partner = self._partner(db, person, values) if kind == "ticket" else None
            if partner is None:
                self._keep(db, person, values, invited)
        if partner is None:
            return None
        try:
            return self._begin(partner, person)
        except Taken:
            return self.open(person, kind, order, invited)

    def _keep(self, db: Connection, person: Person, values: dict[str, Any], invited: Person | None) -> None:
        mine = db.execute(select(OPEN_TABLES.c.id).where(OPEN_TABLES.c.person_id == person.id)).all()
        if len(mine) >= MOST_OPEN:
            raise RequestProblem(429, "too-many", "too-many")
        db.execute(insert(OPEN_TABLES).values(values))
        if invited is not None:
            words = {"name": person.name, "game": load(values["game"]).title}
            self.post.notice(db, invited.id, "invited", "", words)

    def _partner(self, db: Connection, person: Person, values: dict[str, Any]) -> dict[str, Any] | None:
        """The ticket of the same game and pace whose owner's rating is nearest, within both ranges."""
        if db.dialect.name == "postgresql":  # two tickets that come at once must see one another
            db.execute(select(func.pg_advisory_xact_lock(TICKETS)))
        same = (OPEN_TABLES.c.kind == "ticket", OPEN_TABLES.c.game == values["game"])
        found = [dict(row._mapping) for row in db.execute(select(OPEN_TABLES).where(*same).with_for_update())]
        own = shown(rating_of(db, person.id, values["game"])[0])
        fitting: list[tuple[float, float, dict[str, Any]]] = []
        for ticket in found:
            rating = shown(rating_of(db, ticket["person_id"], values["game"])[0])
            agreed = all(ticket[name] == values[name] for name in ("scenario", "options", "terms"))
            seats = not ticket["seat"] or ticket["seat"] != values["seat"]
            ranges = ticket["lowest"] <= own <= ticket["highest"] and values["lowest"] <= rating <= values["highest"]
            apart = self.accounts.apart(person.id, ticket["person_id"])
            if agreed and seats and ranges and not apart and ticket["person_id"] != person.id:
                if values["seat"]:
                    ticket["seat"] = next(seat for seat in load(values["game"]).seats if seat != values["seat"])
                fitting.append((abs(rating - own), ticket["created"], ticket))
        return min(fitting, key=lambda each: each[:2])[2] if fitting else None

    def close(self, person: Person, offer_id: str) -> None:
        """Take an offer back, or refuse an invitation."""
        mine = or_(OPEN_TABLES.c.person_id == person.id, OPEN_TABLES.c.invited_id == person.id)
        with self.table.store.writing() as db:
            db.execute(delete(OPEN_TABLES).where(OPEN_TABLES.c.id == offer_id, mine))

    # ---- joining -------------------------------------------------------------------

    def join(self, person: Person, offer_id: str) -> str:
        """Sit down at an open table; the game's id. Only one can."""
        with self.table.store.writing() as db:
            query = select(OPEN_TABLES).where(OPEN_TABLES.c.id == offer_id, OPEN_TABLES.c.kind != "ticket")
            found = db.execute(query.with_for_update()).first()
            if found is None or found.invited_id not in (None, person.id):
                raise RequestProblem(404, "not-found", "no-such-offer")
            rating = shown(rating_of(db, person.id, found.game)[0])
            if found.person_id == person.id or self.accounts.apart(person.id, found.person_id):
                raise RequestProblem(403, "forbidden", "no-games-together")
            if not found.lowest <= rating <= found.highest:
                raise RequestProblem(403, "forbidden", "rating-range")
        return self._begin(dict(found._mapping), person)

    def _begin(self, offer: dict[str, Any], guest: Person) -> str:
        """The game of an offer and of who took it; the offer goes in the transaction that begins the game."""
        host = self.accounts.by_id(offer["person_id"])
        if host is None or host.suspended:
            raise Taken
        game = load(offer["game"])
        own = offer["seat"] or secrets.choice(game.seats)
        seats = {seat: host if seat == own else guest for seat in game.seats}
        names = {seat: person.name for seat, person in seats.items()}

        def after(db: Connection, live: LiveGame) -> None:
            if db.execute(delete(OPEN_TABLES).where(OPEN_TABLES.c.id == offer["id"])).rowcount != 1:
                raise Taken
            for person in (host, guest):
                kind = "your-move" if seats.get(live.actor) == person else "began"
                self.post.notice(db, person.id, kind, live.row.id, {"game": live.row.name})

        order = NewGame(
            game=game.id, scenario=offer["scenario"], options=offer["options"], name=f"{host.name} – {guest.name}"
        )
        people = People({seat: person.id for seat, person in seats.items()}, names, offer["terms"], after)
        game_id, _ = start(self.table, order, host.id, people)
        self.post.wake()
        return game_id

    def rematch(self, live: LiveGame, person: Person, seat: str) -> str:
        """Offer the opponent another game with the same terms, sides changed; or take the offer already made."""
        other = next(player for each, player in live.row.seats.items() if each != seat).removeprefix("person:")
        opponent = self.accounts.by_id(other)
        if opponent is None:
            raise RequestProblem(404, "not-found", "no-such-person")
        if self.accounts.apart(person.id, opponent.id):
            raise RequestProblem(403, "forbidden", "no-games-together")
        note = f"rematch {live.row.id}"
        with self.table.store.writing() as db:
            db.execute(select(GAMES.c.id).where(GAMES.c.id == live.row.id).with_for_update())  # both may ask at once
            made = select(OPEN_TABLES).where(OPEN_TABLES.c.person_id == other, OPEN_TABLES.c.note == note)
            found = db.execute(made).first()
            mine = select(OPEN_TABLES.c.id).where(OPEN_TABLES.c.person_id == person.id, OPEN_TABLES.c.note == note)
            if found is None and db.execute(mine).first() is None:
                self._keep(db, person, self._rematch_values(live, person, opponent, seat, note), opponent)
        self.post.wake()
        return self._begin(dict(found._mapping), person) if found is not None else ""

    def _rematch_values(self, live: LiveGame, person: Person, opponent: Person, seat: str, note: str) -> dict[str, Any]:
        """An invitation with the same terms, sides changed."""
        row = live.row
        lowest, highest = ALL_RATINGS
        values: dict[str, Any] = {"id": secrets.token_hex(8), "person_id": person.id, "kind": "invite"}
        values |= {"invited_id": opponent.id, "game": row.game, "scenario": row.scenario, "options": row.options}
        values |= {"seat": next(each for each in row.seats if each != seat), "note": note, "created": time.time()}
        values["terms"] = {name: value for name, value in (row.terms or {}).items() if name != "names"}
        return values | {"lowest": lowest, "highest": highest}


def checked_terms(
    pace: str, base: float | None, increment: float, rated: bool, watch: bool, delay: float, timeout: str, dice: str
) -> dict[str, Any]:
    """What people agree on, complete."""
    usual = clocks.PACES[pace]
    seconds = usual if base is None or pace == "none" else min(max(base, clocks.LEAST), clocks.MOST)
    terms = {"pace": pace, "base": seconds, "increment": increment if pace == "live" else 0.0}
    return terms | {"rated": rated, "watch": watch, "delay": delay if watch else 0.0, "timeout": timeout, "dice": dice}
