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
import time
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

import httpx
from sqlalchemy import Connection, delete, insert, select, update

from salient.server.problems import sentence
from salient.server.settings import Settings
from salient.server.store import Store
from salient.server.tables import NOTICES, OUTBOX, PERSONS, PUSHES

log = logging.getLogger("salient.post")

MOST_NOTICES = 200
DIGEST_SECONDS = 20.0  # what comes within is one letter
TRIES = (5, 30, 120, 600, 3600, 6 * 3600, 24 * 3600)
LEASE = 60.0
SECONDS_A_LOOK = 1.0


class Post:
    """Notices and letters."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.tell_person: Callable[[str], None] = lambda person_id: None
        self.due = asyncio.Event()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.channels = {"mail": self._mail, "push": self._push, "hook": self._hook}

    # ---- writing -------------------------------------------------------------------

    def notice(self, db: Connection, person_id: str, kind: str, game_id: str, words: dict[str, str]) -> None:
        """Tell a person something, in a transaction under way."""
        now = time.time()
        unread = (NOTICES.c.person_id == person_id, NOTICES.c.game_id == game_id, NOTICES.c.kind == kind)
        db.execute(delete(NOTICES).where(*unread))
        values = {"person_id": person_id, "kind": kind, "game_id": game_id, "words": words, "read": False}
        db.execute(insert(NOTICES).values(at=now, **values))
        person = db.execute(select(PERSONS).where(PERSONS.c.id == person_id)).first()
        if person is None or person.kind == "gone":
            return
        self.store.announce(db, f"@{person_id}", "notice")
        content = {"kind": kind, "game_id": game_id, "words": words}
        wishes = person.wishes or {}
        if wishes.get("mail") and person.mail_confirmed and self.settings.mail:
            self._digest(db, person_id, content, now)
        if wishes.get("push") and db.execute(select(PUSHES.c.hash).where(PUSHES.c.person_id == person_id)).first():
            self._put(db, person_id, "push", content, now)
        if wishes.get("hook"):
            self._put(db, person_id, "hook", content, now)
        self.tell_person(person_id)

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
        with self.store.writer.begin() as db:
            self._put(db, person_id, "mail", {"to": mail, "subject": subject, "text": text}, time.time())
        self.wake()

    def _put(self, db: Connection, person_id: str, channel: str, content: dict[str, Any], due: float) -> None:
        values = {"person_id": person_id, "channel": channel, "content": content, "due": due}
        db.execute(insert(OUTBOX).values(**values, tries=0, taken_until=0.0))

    # ---- reading -------------------------------------------------------------------

    def notices(self, person_id: str) -> list[dict[str, Any]]:
        """What a person was told, the latest first."""
        query = (
            select(NOTICES).where(NOTICES.c.person_id == person_id).order_by(NOTICES.c.at.desc()).limit(MOST_NOTICES)
        )
        with self.store.engine.connect() as db:
            return [dict(row._mapping) for row in db.execute(query)]

    def mark_read(self, person_id: str) -> None:
        """Everything has been seen."""
        with self.store.writer.begin() as db:
            db.execute(update(NOTICES).where(NOTICES.c.person_id == person_id).values(read=True))

    def subscribe(self, person_id: str, endpoint: str, p256dh: str, auth: str) -> None:
        """Keep where a browser takes pushes."""
        known = hashlib.sha256(endpoint.encode()).hexdigest()
        values = {"hash": known, "person_id": person_id, "endpoint": endpoint, "p256dh": p256dh, "auth": auth}
        with self.store.writer.begin() as db:
            db.execute(delete(PUSHES).where(PUSHES.c.hash == known))
            db.execute(insert(PUSHES).values(values))

    # ---- sending -------------------------------------------------------------------

    def wake(self) -> None:
        """There may be something to send; from any thread."""
        if self.loop is not None:
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.due.set)

    async def run(self) -> None:
        """Send what is due, for ever."""
        self.loop = asyncio.get_running_loop()
        while True:
            try:
                while await self.send_one():
                    pass
            except Exception as error:
                log.warning("The post waits: %s", type(error).__name__)
            self.due.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.due.wait(), SECONDS_A_LOOK)

    async def send_one(self) -> bool:
        """Send one thing that is due; whether there was one."""
        found = await asyncio.to_thread(self._take)
        if found is None:
            return False
        person = await asyncio.to_thread(self._person, found["person_id"])
        try:
            if person is not None:
                await asyncio.wait_for(self.channels[found["channel"]](person, found["content"]), LEASE / 2)
        except Exception as error:
            log.warning("%s was not delivered: %s", found["channel"], type(error).__name__)
            await asyncio.to_thread(self._try_again, found)
        else:
            await asyncio.to_thread(self._done, found["id"])
        return True

    def _take(self) -> dict[str, Any] | None:
        now = time.time()
        query = select(OUTBOX).where(OUTBOX.c.due <= now, OUTBOX.c.taken_until < now).order_by(OUTBOX.c.due).limit(1)
        with self.store.engine.connect() as db:
            if db.execute(query).first() is None:
                return None
        with self.store.writer.begin() as db:
            found = db.execute(query.with_for_update(skip_locked=True)).first()
            if found is None:
                return None
            db.execute(update(OUTBOX).where(OUTBOX.c.id == found.id).values(taken_until=now + LEASE))
        return dict(found._mapping)

    def _person(self, person_id: str) -> Any:
        with self.store.engine.connect() as db:
            return db.execute(select(PERSONS).where(PERSONS.c.id == person_id)).first()

    def _done(self, letter_id: int) -> None:
        with self.store.writer.begin() as db:
            db.execute(delete(OUTBOX).where(OUTBOX.c.id == letter_id))

    def _try_again(self, found: dict[str, Any]) -> None:
        tries = found["tries"]
        if tries >= len(TRIES):
            self._done(found["id"])
            return
        values = {"tries": tries + 1, "due": time.time() + TRIES[tries], "taken_until": 0.0}
        with self.store.writer.begin() as db:
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
        if mail is None:
            return
        letter = EmailMessage()
        letter["From"], letter["To"] = mail.sender, content.get("to") or person.mail
        if "notices" in content:
            lines = [f"{self.words(each, person.lang)}\n{self.link(each['game_id'])}" for each in content["notices"]]
            letter["Subject"] = self.words(content["notices"][-1], person.lang)
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

    async def _push(self, person: Any, content: dict[str, Any]) -> None:
        def subscriptions() -> list[Any]:
            with self.store.engine.connect() as db:
                return list(db.execute(select(PUSHES).where(PUSHES.c.person_id == person.id)))

        text = json.dumps({"text": self.words(content, person.lang), "link": self.link(content["game_id"])})
        for subscription in await asyncio.to_thread(subscriptions):
            await asyncio.to_thread(self._push_to, subscription, text)

    def _push_to(self, subscription: Any, text: str) -> None:
        from pywebpush import WebPushException, webpush

        from salient.server.vapid import vapid_key

        refuse_private_address(subscription.endpoint, self.settings)
        keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
        claims: dict[str, str | int] = {"sub": self.settings.address or "mailto:nobody@localhost"}
        try:
            webpush(
                {"endpoint": subscription.endpoint, "keys": keys},
                text,
                vapid_private_key=vapid_key(self.store.seal.key),
                vapid_claims=claims,
                ttl=86400,
                timeout=20,
            )
        except WebPushException as error:
            if error.response is None or error.response.status_code not in (404, 410):
                raise
            with self.store.writer.begin() as db:
                db.execute(delete(PUSHES).where(PUSHES.c.hash == subscription.hash))

    async def _hook(self, person: Any, content: dict[str, Any]) -> None:
        address = (person.wishes or {}).get("hook")
        if not address:
            return
        await asyncio.to_thread(refuse_private_address, address, self.settings)
        body = json.dumps({"text": self.words(content, person.lang), "link": self.link(content["game_id"]), **content})
        signature = hmac.digest(self.store.seal.key, f"hook|{person.id}|{body}".encode(), "sha256").hex()
        async with httpx.AsyncClient(timeout=20, follow_redirects=False) as client:
            headers = {"Content-Type": "application/json", "X-Salient-Signature": signature}
            (await client.post(address, content=body, headers=headers)).raise_for_status()


def refuse_private_address(address: str, settings: Settings) -> None:
    """Hooks and pushes must not reach what only this machine can: ValueError for addresses inside the house."""
    import ipaddress
    import socket
    from urllib.parse import urlsplit

    if settings.hooks_inside:
        return
    host = urlsplit(address).hostname or ""
    for *_, place in socket.getaddrinfo(host, None):
        if not ipaddress.ip_address(place[0]).is_global:
            raise ValueError("the address is not public")
