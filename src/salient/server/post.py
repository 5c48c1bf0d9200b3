"""Post: notices for the client, and their way to the outside by mail, web push and webhook.

A notice is written in the transaction of what it tells. Sending is apart from it: an outbox in the database, tried
again for two days, so that a mail server that is down never holds up a move and loses nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import json
import logging
import threading
import time
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from salient.server.outward import post_outside
from salient.server.presence import Presence
from salient.server.problems import RequestProblem, sentence
from salient.server.settings import Settings
from salient.server.store import Store
from salient.server.tables import NOTICES, OUTBOX, PERSONS, PUSHES

log = logging.getLogger("salient.post")

MOST_NOTICES = 200
MOST_BROWSERS = 10  # of a person, that take pushes
DIGEST_SECONDS = 20.0  # what comes within is one letter
SECONDS_TO_REPEAT = 600.0  # so long nobody is called again for the same thing
TRIES = (5, 30, 120, 600, 3600, 6 * 3600, 24 * 3600)
LEASE = 60.0
SECONDS_A_LOOK = 1.0
CARRIERS = 4


class Post:
    """Notices and letters."""

    def __init__(self, store: Store, settings: Settings, presence: Presence | None = None) -> None:
        self.store = store
        self.settings = settings
        self.presence = presence
        self.fresh: set[str] = set()
        self.put = False  # whether something has come into the outbox since the carriers were woken
        self.serving: set[str] = set()  # persons to whom something is just being sent
        self.taking = threading.Lock()
        self.tell_person: Callable[[str], None] = lambda person_id: None
        self.due = asyncio.Event()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.channels = {"mail": self._mail, "push": self._push, "hook": self._hook}

    # ---- writing -------------------------------------------------------------------

    def notice(self, db: Connection, person_id: str, kind: str, game_id: str, words: dict[str, str]) -> None:
        """Tell a person something, in a transaction under way.

        What has just been told of a game and not been seen to is told once more in the client only.
        """
        now = time.time()
        same = (NOTICES.c.person_id == person_id, NOTICES.c.game_id == game_id, NOTICES.c.kind == kind)
        fresh = (NOTICES.c.read.is_(False), NOTICES.c.at > now - SECONDS_TO_REPEAT, NOTICES.c.game_id != "")
        told = db.execute(select(NOTICES.c.id).where(*same, *fresh)).first()
        db.execute(delete(NOTICES).where(*same))
        values = {"person_id": person_id, "kind": kind, "game_id": game_id, "words": words, "read": False}
        db.execute(insert(NOTICES).values(at=now, **values))
        person = db.execute(select(PERSONS).where(PERSONS.c.id == person_id)).first()
        if person is None or person.kind == "gone":
            return
        self.store.announce(db, f"@{person_id}", "notice")
        self.fresh.add(person_id)
        if told or self.is_at_table(game_id, person_id):
            return
        content = {"kind": kind, "game_id": game_id, "words": words}
        wishes = person.wishes or {}
        if wishes.get("mail") and person.mail_confirmed and self.settings.mail:
            self._digest(db, person_id, content, now)
        if wishes.get("push") and db.execute(select(PUSHES.c.hash).where(PUSHES.c.person_id == person_id)).first():
            self._put(db, person_id, "push", content, now)
        if wishes.get("hook"):
            self._put(db, person_id, "hook", content, now)

    def is_at_table(self, game_id: str, person_id: str) -> bool:
        """Whether a person looks at a game just now."""
        return self.presence is not None and bool(game_id) and self.presence.is_at(game_id, person_id)

    def settle(self, db: Connection, person_id: str, kind: str, game_id: str) -> None:
        """What a person was told of a game has been seen to: no notice of it waits any more."""
        mine = (NOTICES.c.person_id == person_id, NOTICES.c.game_id == game_id, NOTICES.c.kind == kind)
        db.execute(update(NOTICES).where(*mine, NOTICES.c.read.is_(False)).values(read=True))

    def _digest(self, db: Connection, person_id: str, content: dict[str, Any], now: float) -> None:
        """Add to the letter that waits to be sent, or begin one."""
        waiting = (OUTBOX.c.person_id == person_id, OUTBOX.c.channel == "mail", OUTBOX.c.tries == 0, OUTBOX.c.due > now)
        found = db.execute(select(OUTBOX.c.id, OUTBOX.c.content).where(*waiting)).first()
        if found and "notices" in found.content:
            notices = [*found.content["notices"], content]
            db.execute(update(OUTBOX).where(OUTBOX.c.id == found.id).values(content={"notices": notices}))
        else:
            self._put(db, person_id, "mail", {"notices": [content]}, now + DIGEST_SECONDS)

    def letter(self, person_id: str, mail: str, subject: str, text: str) -> None:
        """Write a letter to an address."""
        with self.store.writing() as db:
            self._put(db, person_id, "mail", {"to": mail, "subject": subject, "text": text}, time.time())
        self.wake()

    def _put(self, db: Connection, person_id: str, channel: str, content: dict[str, Any], due: float) -> None:
        self.put = True
        values = {"person_id": person_id, "channel": channel, "content": content, "due": due}
        db.execute(insert(OUTBOX).values(**values, tries=0, taken_until=0.0))

    # ---- reading -------------------------------------------------------------------

    def notices(self, person_id: str) -> list[dict[str, Any]]:
        """What a person was told, the latest first."""
        query = (
            select(NOTICES).where(NOTICES.c.person_id == person_id).order_by(NOTICES.c.at.desc()).limit(MOST_NOTICES)
        )
        with self.store.reading() as db:
            return [dict(row._mapping) for row in db.execute(query)]

    def mark_read(self, person_id: str) -> None:
        """Everything has been seen."""
        with self.store.writing() as db:
            db.execute(update(NOTICES).where(NOTICES.c.person_id == person_id).values(read=True))

    def subscribe(self, person_id: str, endpoint: str, p256dh: str, auth: str) -> None:
        """Keep where a browser takes pushes."""
        known = hashlib.sha256(endpoint.encode()).hexdigest()
        values = {"hash": known, "person_id": person_id, "endpoint": endpoint, "p256dh": p256dh, "auth": auth}
        with self.store.writing() as db:
            db.execute(delete(PUSHES).where(PUSHES.c.hash == known))
            mine = db.execute(select(PUSHES.c.hash).where(PUSHES.c.person_id == person_id)).all()
            if len(mine) >= MOST_BROWSERS:
                raise RequestProblem(429, "too-many", "too-many")
            db.execute(insert(PUSHES).values(values))

    # ---- sending -------------------------------------------------------------------

    def wake(self) -> None:
        """What was written is committed: tell who is there, and send the rest; from any thread."""
        fresh, self.fresh = self.fresh, set()
        for person_id in fresh:
            self.tell_person(person_id)
        if self.put and self.loop is not None:
            self.put = False
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.due.set)

    async def run(self) -> None:
        """Send what is due, for ever: several things at once, but one person's one after the other.

        So nobody waits for an address that does not answer but who has named it.
        """
        self.loop = asyncio.get_running_loop()
        await asyncio.gather(*(self._carry() for _ in range(CARRIERS)))

    async def _carry(self) -> None:
        while True:
            self.due.clear()
            try:
                while await self.send_one():
                    pass
            except Exception as error:
                log.warning("The post waits: %s", type(error).__name__)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SECONDS_A_LOOK):
                    await self.due.wait()

    async def send_one(self) -> bool:
        """Send one thing that is due; whether there was one."""
        found = await asyncio.to_thread(self._take)
        if found is None:
            return False
        try:
            person = await asyncio.to_thread(self._person, found["person_id"])
            if person is not None:
                async with asyncio.timeout(LEASE / 2):
                    await self.channels[found["channel"]](person, found["content"])
        except Exception as error:
            log.warning("%s was not delivered: %s", found["channel"], type(error).__name__)
            await asyncio.to_thread(self._try_again, found)
        else:
            await asyncio.to_thread(self._done, found["id"])
        finally:
            self.serving.discard(found["person_id"])
        return True

    def _take(self) -> dict[str, Any] | None:
        now = time.time()
        due = select(OUTBOX).where(OUTBOX.c.due <= now, OUTBOX.c.taken_until < now).order_by(OUTBOX.c.due).limit(1)
        with self.taking:
            query = due.where(OUTBOX.c.person_id.not_in(self.serving))
            with self.store.reading() as db:
                if db.execute(query).first() is None:
                    return None
            with self.store.writing() as db:
                found = db.execute(query.with_for_update(skip_locked=True)).first()
                if found is None:
                    return None
                db.execute(update(OUTBOX).where(OUTBOX.c.id == found.id).values(taken_until=now + LEASE))
            self.serving.add(found.person_id)
        return dict(found._mapping)

    def _person(self, person_id: str) -> Any:
        with self.store.reading() as db:
            return db.execute(select(PERSONS).where(PERSONS.c.id == person_id)).first()

    def _done(self, letter_id: int) -> None:
        with self.store.writing() as db:
            db.execute(delete(OUTBOX).where(OUTBOX.c.id == letter_id))

    def _try_again(self, found: dict[str, Any]) -> None:
        tries = found["tries"]
        if tries >= len(TRIES):
            self._done(found["id"])
            return
        values = {"tries": tries + 1, "due": time.time() + TRIES[tries], "taken_until": 0.0}
        with self.store.writing() as db:
            db.execute(update(OUTBOX).where(OUTBOX.c.id == found["id"]).values(values))

    # ---- the channels ----------------------------------------------------------------

    def link(self, game_id: str) -> str:
        """The address of a game."""
        return f"{self.settings.address}/#game/{game_id}" if game_id else self.settings.address

    def words(self, content: dict[str, Any], lang: str) -> str:
        """A notice as a sentence."""
        return sentence(f"notice-{content['kind']}", lang, **content["words"])

    async def _mail(self, person: Any, content: dict[str, Any]) -> None:
        import aiosmtplib

        mail = self.settings.mail
        news = await asyncio.to_thread(self._still_new, person.id, content.get("notices", []))
        if mail is None or ("notices" in content and not news):
            return
        letter = EmailMessage()
        letter["From"], letter["To"] = mail.sender, content.get("to") or person.mail
        if news:
            lines = [f"{self.words(each, person.lang)}\n{self.link(each['game_id'])}" for each in news]
            letter["Subject"] = self.words(news[-1], person.lang)
            letter.set_content("\n\n".join([*lines, sentence("letter-foot", person.lang, link=self.settings.address)]))
        else:
            letter["Subject"] = content["subject"]
            letter.set_content(content["text"])
        await aiosmtplib.send(
            letter,
            hostname=mail.host,
            port=mail.port,
            username=mail.user or None,
            password=mail.password or None,
            use_tls=mail.tls == "tls",
            start_tls=mail.tls == "starttls",
            timeout=20,
        )

    def _still_new(self, person_id: str, notices: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What of a letter the person has neither read nor seen to since."""
        unread = select(NOTICES.c.kind, NOTICES.c.game_id).where(NOTICES.c.person_id == person_id)
        with self.store.reading() as db:
            left = {(row.kind, row.game_id) for row in db.execute(unread.where(NOTICES.c.read.is_(False)))}
        return [each for each in notices if (each["kind"], each["game_id"]) in left]

    async def _push(self, person: Any, content: dict[str, Any]) -> None:
        text = json.dumps({"text": self.words(content, person.lang), "link": self.link(content["game_id"])})
        for subscription in await asyncio.to_thread(self._subscriptions, person.id):
            sealed = await asyncio.to_thread(self._sealed, subscription, text)
            status = await post_outside(subscription.endpoint, **sealed, inside=self.settings.hooks_inside)
            if status in (404, 410):
                await asyncio.to_thread(self._unsubscribe, subscription.hash)
            elif status > 299:
                raise Undelivered(status)

    def _subscriptions(self, person_id: str) -> list[Any]:
        with self.store.reading() as db:
            return list(db.execute(select(PUSHES).where(PUSHES.c.person_id == person_id)))

    def _sealed(self, subscription: Any, text: str) -> dict[str, Any]:
        """A push that the browser of a subscription alone can read: body and headers."""
        from pywebpush import webpush

        from salient.server.vapid import vapid_key

        keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
        who = self.settings.address if self.settings.address.startswith("https:") else "mailto:nobody@localhost"
        letterbox = Letterbox()
        webpush(
            {"endpoint": subscription.endpoint, "keys": keys},
            text,
            vapid_private_key=vapid_key(self.store.seal.key),
            vapid_claims={"sub": who},
            ttl=86400,
            requests_session=letterbox,
        )
        return letterbox.taken

    def _unsubscribe(self, known: str) -> None:
        with self.store.writing() as db:
            db.execute(delete(PUSHES).where(PUSHES.c.hash == known))

    async def _hook(self, person: Any, content: dict[str, Any]) -> None:
        address = (person.wishes or {}).get("hook")
        if not address:
            return
        body = json.dumps({"text": self.words(content, person.lang), "link": self.link(content["game_id"]), **content})
        signature = hmac.digest(self.hook_key(person.id).encode(), body.encode(), "sha256").hex()
        headers = {"Content-Type": "application/json", "X-Salient-Signature": signature}
        status = await post_outside(address, body, headers, self.settings.hooks_inside)
        if status > 299:
            raise Undelivered(status)

    def hook_key(self, person_id: str) -> str:
        """The key by which a person's program knows that a hook comes from this server."""
        return self.store.seal.sign("hook", person_id)


class Undelivered(Exception):
    """A push or a hook that was not taken."""


class Letterbox:
    """Takes what pywebpush would send, which is then sent as all that goes outside."""

    status_code, text, headers = 201, "", ""

    def post(self, endpoint: str, timeout: float, data: bytes, headers: dict[str, Any]) -> Letterbox:
        """Keep it, and be the answer."""
        self.taken = {"body": data, "headers": {name: str(value) for name, value in headers.items()}}
        return self
