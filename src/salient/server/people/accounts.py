"""Accounts in the database: who a person is, how one signs in, and what becomes of the data."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from salient.server.people.names import checked_name, name_key
from salient.server.people.passwords import fits, hashed
from salient.server.problems import RequestProblem
from salient.server.security import new_token, token_hash
from salient.server.store import Store
from salient.server.tables import (
    ACCESS_KEYS,
    AUDIT,
    BONDS,
    CHAT,
    CODES,
    NOTICES,
    OPEN_TABLES,
    OUTBOX,
    PERSONS,
    PLAYERS,
    PUSHES,
    RATINGS,
    REPORTS,
    RESULTS,
    SIGN_INS,
)

SIGN_IN_SECONDS = 30 * 86400
CODE_SECONDS = 2 * 3600
MOST_KEYS = 20
MOST_BOTS = 3
USUAL_WISHES = {"mail": True, "push": True, "hook": ""}


@dataclass(frozen=True)
class Person:
    """A person, or a bot that plays by the API."""

    id: str
    name: str
    kind: str = "person"
    mail: str | None = None
    mail_confirmed: bool = False
    admin: bool = False
    suspended_until: float = 0.0
    created: float = 0.0
    last_seen: float = 0.0
    lang: str = "en"
    about: str = ""
    wishes: dict[str, Any] | None = None
    moves_in_time: int = 0
    games_left: int = 0
    keeper_id: str | None = None

    @property
    def suspended(self) -> bool:
        """Whether the person may only look."""
        return self.suspended_until > time.time()


def _person(row: Row[Any] | None) -> Person | None:
    if row is None or row.kind == "gone":
        return None
    values = dict(row._mapping)
    return Person(**{name: values[name] for name in Person.__dataclass_fields__})


class Accounts:
    """Registers, finds and changes people."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # ---- finding ---------------------------------------------------------------

    def by_id(self, person_id: str) -> Person | None:
        """A person by id."""
        return self._one(PERSONS.c.id == person_id)

    def by_name(self, name: str) -> Person | None:
        """A person by name, however it is spelt."""
        return self._one(PERSONS.c.name_key == name_key(name))

    def known(self, name: str) -> Person:
        """A person by name; RequestProblem if there is none."""
        found = self.by_name(name)
        if found is None:
            raise RequestProblem(404, "not-found", "no-such-person")
        return found

    def names(self, ids: set[str]) -> dict[str, str]:
        """The names of persons by id."""
        query = select(PERSONS.c.id, PERSONS.c.name).where(PERSONS.c.id.in_(ids))
        with self.store.reading() as db:
            return {row.id: row.name for row in db.execute(query)}

    def _one(self, condition: Any) -> Person | None:
        with self.store.reading() as db:
            return _person(db.execute(select(PERSONS).where(condition)).first())

    # ---- registering and signing in ----------------------------------------------

    def register(self, name: str, password: str | None, lang: str, keeper: Person | None = None) -> Person:
        """A new person; a bot if somebody answers for it. RequestProblem if the name is taken."""
        name = checked_name(name)
        now = time.time()
        values = {
            "id": secrets.token_hex(8),
            "name": name,
            "name_key": name_key(name),
            "password": hashed(password) if password is not None else None,
            "mail_confirmed": False,
            "kind": "bot" if keeper else "person",
            "keeper_id": keeper.id if keeper else None,
            "admin": False,
            "suspended_until": 0.0,
            "created": now,
            "last_seen": now,
            "lang": lang,
            "about": "",
            "wishes": USUAL_WISHES,
            "moves_in_time": 0,
            "games_left": 0,
        }
        try:
            with self.store.writing() as db:
                db.execute(insert(PERSONS).values(values))
        except IntegrityError as error:
            raise RequestProblem(409, "not-possible", "name-taken") from error
        found = self.by_id(str(values["id"]))
        assert found is not None
        return found

    def checked(self, name: str, password: str) -> Person:
        """The person of a name and a password; the same RequestProblem whichever is wrong."""
        with self.store.reading() as db:
            row = db.execute(select(PERSONS).where(PERSONS.c.name_key == name_key(name))).first()
        person = _person(row)
        if not fits(password, row.password if row and person else None) or person is None:
            raise RequestProblem(403, "forbidden", "wrong-password")
        return person

    def sign_in(self, person: Person, agent: str) -> str:
        """A secret for the person's cookie."""
        token, now = new_token(), time.time()
        values = {"hash": token_hash(token), "person_id": person.id, "created": now, "agent": agent[:200]}
        with self.store.writing() as db:
            db.execute(delete(SIGN_INS).where(SIGN_INS.c.expires < now))
            db.execute(insert(SIGN_INS).values(**values, expires=now + SIGN_IN_SECONDS))
            db.execute(update(PERSONS).where(PERSONS.c.id == person.id).values(last_seen=now))
        return token

    def signed_in(self, token: str) -> Person | None:
        """The person of a cookie."""
        query = select(PERSONS).join(SIGN_INS, SIGN_INS.c.person_id == PERSONS.c.id)
        query = query.where(SIGN_INS.c.hash == token_hash(token), SIGN_INS.c.expires > time.time())
        with self.store.reading() as db:
            return _person(db.execute(query).first())

    def sign_out(self, token: str | None = None, person: Person | None = None) -> None:
        """End one session, or all of a person."""
        condition = SIGN_INS.c.hash == token_hash(token or "") if person is None else SIGN_INS.c.person_id == person.id
        with self.store.writing() as db:
            db.execute(delete(SIGN_INS).where(condition))

    # ---- keys for programs ---------------------------------------------------------

    def new_key(self, person: Person, name: str, scopes: str) -> str:
        """A key by which a program acts for a person."""
        token = new_token()
        if len(self.keys(person)) >= MOST_KEYS:
            raise RequestProblem(429, "too-many", "too-many")
        values = {"hash": token_hash(token), "person_id": person.id, "name": name, "scopes": scopes}
        with self.store.writing() as db:
            db.execute(insert(ACCESS_KEYS).values(**values, created=time.time()))
        return token

    def keys(self, person: Person) -> list[dict[str, Any]]:
        """The keys of a person, by their first digits."""
        query = select(ACCESS_KEYS).where(ACCESS_KEYS.c.person_id == person.id).order_by(ACCESS_KEYS.c.created)
        with self.store.reading() as db:
            found = db.execute(query).all()
        return [{"id": r.hash[:12], "name": r.name, "scopes": r.scopes.split(), "created": r.created} for r in found]

    def drop_key(self, person: Person, key_id: str) -> None:
        """Make a key void."""
        with self.store.writing() as db:
            mine = delete(ACCESS_KEYS).where(ACCESS_KEYS.c.person_id == person.id)
            db.execute(mine.where(ACCESS_KEYS.c.hash.startswith(key_id, autoescape=True)))

    def of_key(self, token: str) -> tuple[Person, frozenset[str]] | None:
        """The person of a key, and what it allows."""
        query = select(PERSONS, ACCESS_KEYS.c.scopes).join(ACCESS_KEYS, ACCESS_KEYS.c.person_id == PERSONS.c.id)
        with self.store.reading() as db:
            row = db.execute(query.where(ACCESS_KEYS.c.hash == token_hash(token))).first()
        person = _person(row)
        return (person, frozenset(row.scopes.split())) if row and person else None

    def bots_of(self, person: Person) -> list[Person]:
        """The bots that a person answers for."""
        with self.store.reading() as db:
            rows = db.execute(select(PERSONS).where(PERSONS.c.keeper_id == person.id)).all()
        return [bot for bot in map(_person, rows) if bot]

    # ---- changing ------------------------------------------------------------------

    def suspend(self, person: Person, until: float) -> None:
        """Let a person, and the bots that the person answers for, only look until a moment; offers are withdrawn."""
        whom = [person.id, *(bot.id for bot in self.bots_of(person))]
        with self.store.writing() as db:
            db.execute(update(PERSONS).where(PERSONS.c.id.in_(whom)).values(suspended_until=until))
            if until > time.time():
                db.execute(delete(OPEN_TABLES).where(OPEN_TABLES.c.person_id.in_(whom)))

    def rename(self, person: Person, name: str) -> None:
        """Give a person another name; RequestProblem if it is taken or may not be."""
        name = checked_name(name)
        try:
            self.change(person.id, name=name, name_key=name_key(name))
        except IntegrityError as error:
            raise RequestProblem(409, "not-possible", "name-taken") from error

    def change(self, person_id: str, **values: Any) -> None:
        """Change what is kept of a person."""
        with self.store.writing() as db:
            db.execute(update(PERSONS).where(PERSONS.c.id == person_id).values(values))

    def set_password(self, person: Person, password: str) -> None:
        """Another password; all sessions and keys end."""
        kept = hashed(password)
        with self.store.writing() as db:
            db.execute(update(PERSONS).where(PERSONS.c.id == person.id).values(password=kept))
            for table in (SIGN_INS, ACCESS_KEYS, CODES):
                db.execute(delete(table).where(table.c.person_id == person.id))

    def new_code(self, person: Person, purpose: str, mail: str) -> str:
        """A code for a letter: whoever shows it has read the mail."""
        code = new_token()
        values = {"hash": token_hash(code), "person_id": person.id, "purpose": purpose, "mail": mail}
        with self.store.writing() as db:
            mine = (CODES.c.person_id == person.id, CODES.c.purpose == purpose)
            db.execute(delete(CODES).where(*mine))
            db.execute(insert(CODES).values(**values, expires=time.time() + CODE_SECONDS))
        return code

    def use_code(self, code: str, purpose: str) -> tuple[Person, str]:
        """The person and the address of a code, which then is void; RequestProblem if it was so before."""
        condition = (CODES.c.hash == token_hash(code), CODES.c.purpose == purpose, CODES.c.expires > time.time())
        with self.store.writing() as db:
            found = db.execute(select(CODES).where(*condition)).first()
            first = db.execute(delete(CODES).where(CODES.c.hash == token_hash(code))).rowcount == 1
        person = self.by_id(found.person_id) if found and first else None
        if found is None or person is None:
            raise RequestProblem(403, "forbidden", "code-void")
        return person, str(found.mail)

    def by_mail(self, mail: str) -> Person | None:
        """The person of a confirmed address."""
        return self._one((PERSONS.c.mail == mail.casefold()) & PERSONS.c.mail_confirmed.is_(True))

    # ---- blocks ----------------------------------------------------------------------

    def bind(self, person: Person, other: Person, kind: str, on: bool) -> None:
        """Block or mute somebody, or no longer."""
        values = {"person_id": person.id, "other_id": other.id, "kind": kind}
        with self.store.writing() as db:
            db.execute(delete(BONDS).where(*(BONDS.c[name] == value for name, value in values.items())))
            if on:
                db.execute(insert(BONDS).values(values))

    def bonds(self, person_id: str, *kinds: str) -> set[str]:
        """Whom a person has blocked or muted."""
        query = select(BONDS.c.other_id).where(BONDS.c.person_id == person_id, BONDS.c.kind.in_(kinds))
        with self.store.reading() as db:
            return set(db.execute(query).scalars())

    def apart(self, one: str, two: str) -> bool:
        """Whether one of two persons has blocked the other."""
        return two in self.bonds(one, "block") or one in self.bonds(two, "block")

    # ---- export and deletion -----------------------------------------------------------

    def export(self, person: Person) -> dict[str, Any]:
        """Everything that is kept of a person."""
        tables = (PLAYERS, RESULTS, RATINGS, BONDS, OPEN_TABLES, NOTICES, SIGN_INS, PUSHES, OUTBOX)
        with self.store.reading() as db:
            kept: dict[str, Any] = {
                table.name: [
                    {name: value for name, value in row._mapping.items() if name != "hash"}
                    for row in db.execute(select(table).where(table.c.person_id == person.id))
                ]
                for table in tables
            }
            said = db.execute(select(CHAT).where(CHAT.c.author == person.id)).all()
            kept["chat"] = [dict(row._mapping) for row in said]
            reported = db.execute(select(REPORTS).where(REPORTS.c.by_id == person.id)).all()
            kept["reports"] = [dict(row._mapping) for row in reported]
        return {"person": vars(person), "keys": self.keys(person), **kept}

    def delete(self, person: Person) -> None:
        """Forget a person: name, address, password, messages; results stay, under a name that says nothing."""
        for bot in self.bots_of(person):
            self.delete(bot)
        gone = f"gone-{person.id}"
        values: dict[str, Any] = {
            "name": gone,
            "name_key": gone,
            "password": None,
            "mail": None,
            "mail_confirmed": False,
        }
        values |= {"kind": "gone", "about": "", "wishes": {}}
        with self.store.writing() as db:
            for table in (SIGN_INS, ACCESS_KEYS, CODES, BONDS, OPEN_TABLES, NOTICES, OUTBOX, PUSHES):
                db.execute(delete(table).where(table.c.person_id == person.id))
            db.execute(delete(BONDS).where(BONDS.c.other_id == person.id))
            db.execute(update(CHAT).where(CHAT.c.author == person.id).values(text="", name=gone))
            db.execute(update(PLAYERS).where(PLAYERS.c.person_id == person.id).values(note=""))
            db.execute(update(PERSONS).where(PERSONS.c.id == person.id).values(values))


def note_in_audit(db: Connection, who: str, what: str, whom: str, details: str = "") -> None:
    """Write down what an administrator did."""
    db.execute(insert(AUDIT).values(at=time.time(), who=who, what=what, whom=whom, details=details))
