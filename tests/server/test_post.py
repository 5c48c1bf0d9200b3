"""Notifications: in the client, by mail to a real server, by web push and webhook to local endpoints."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hmac
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import http_ece
import pytest
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from salient.server import post
from salient.server.outward import NotOutside, post_outside
from salient.server.settings import MailSettings
from server.people import PASSWORD, Browser, meet, public
from server.tabletop import eventually


class Mailbox:
    """What a mail server has taken."""

    def __init__(self) -> None:
        self.letters: list[tuple[list[str], str]] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """Take a letter."""
        from email import message_from_bytes, policy

        letter = message_from_bytes(envelope.content, policy=policy.default)
        self.letters.append((envelope.rcpt_tos, f"{letter['Subject']}\n{letter.get_content()}"))
        return "250 taken"


@contextmanager
def mail_server(port: int = 0) -> Iterator[tuple[Mailbox, int]]:
    """A real SMTP server."""
    if not port:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
    box = Mailbox()
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield box, port
    finally:
        controller.stop()


@contextmanager
def endpoint(status: int = 201) -> Iterator[tuple[list[tuple[dict[str, str], bytes]], str]]:
    """A web server that keeps what it is sent."""
    taken: list[tuple[dict[str, str], bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            taken.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield taken, f"http://127.0.0.1:{server.server_port}/take"
    finally:
        server.shutdown()


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch, registered_tiny: str) -> None:
    monkeypatch.setattr(post, "DIGEST_SECONDS", 0.3)
    monkeypatch.setattr(post, "SECONDS_A_LOOK", 0.1)
    monkeypatch.setattr(post, "TRIES", (0.2,) * 20)


def test_mail_confirms_resets_and_tells_whose_move_it_is(tmp_path: Path) -> None:
    """An address is confirmed by its letter, a password reset by another, moves told in one digest with a link."""
    with mail_server() as (box, port), public(tmp_path, mail=_mail(port)) as server:
        ann = Browser(server)
        order = {"name": "Ann", "password": PASSWORD, "mail": "ann@example.com"}
        assert ann.post("/api/people/register", order).status_code == 201
        ann.name = "Ann"
        (recipients, text) = eventually(lambda: box.letters and box.letters[0])
        assert recipients == ["ann@example.com"]
        code = text.split("https://play.example/#confirm/")[1].split()[0]
        assert ann.post("/api/people/confirm", {"code": code}).status_code == 204
        assert ann.post("/api/people/confirm", {"code": code}).status_code == 403
        ben = Browser(server, "Ben")
        game_id = meet(ben, ann)
        ben.play(game_id, "hide 3")
        (_, text) = eventually(lambda: [letter for letter in box.letters if "Your move" in letter[1]])[0]
        assert f"https://play.example/#game/{game_id}" in text
        ann.post("/api/people/forgot", {"mail": "ann@example.com"})
        ann.post("/api/people/forgot", {"mail": "stranger@example.com"})
        (_, text) = eventually(lambda: [letter for letter in box.letters if "#reset/" in letter[1]])[0]
        code = text.split("#reset/")[1].split()[0]
        assert ann.post("/api/people/reset", {"code": code, "password": "a third horse"}).status_code == 204
        assert ann.post("/api/people/sign-in", {"name": "Ann", "password": "a third horse"}).status_code == 200
        assert {each for to, _ in box.letters for each in to} == {"ann@example.com"}


def _mail(port: int) -> MailSettings:
    return MailSettings("127.0.0.1", "salient@play.example", port, tls="none")


def test_a_mail_server_that_is_down_holds_up_nothing_and_loses_nothing(tmp_path: Path) -> None:
    """Moves are answered at once; the letter comes when the server is back."""
    with mail_server() as (_, port):
        pass
    with public(tmp_path, mail=_mail(port)) as server:
        ann = Browser(server)
        ann.post("/api/people/register", {"name": "Ann", "password": PASSWORD, "mail": "ann@example.com"})
        ann.name = "Ann"
        ben = Browser(server, "Ben")
        game_id = meet(ann, ben)
        assert ann.play(game_id, "hide 3").status_code == 200
        with mail_server(port) as (box, _):
            eventually(lambda: box.letters)
        assert "#confirm/" in box.letters[0][1]


def test_a_web_push_arrives_and_can_be_read_by_the_browser_only(tmp_path: Path) -> None:
    """The message is encrypted for the subscription and signed by the server; one that is gone is forgotten."""
    browser_key, auth = ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef"
    public_part = browser_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def text(raw: bytes) -> str:
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()

    with endpoint() as (taken, url), endpoint(410) as (_, gone), public(tmp_path, hooks_inside=True) as server:
        ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
        for address in (url, gone):
            body = {"endpoint": address, "p256dh": text(public_part), "auth": text(auth)}
            assert ann.post("/api/notices/push", body).status_code == 204
        game_id = meet(ben, ann)
        ben.play(game_id, "hide 3")
        headers, body = eventually(lambda: len(taken) > 1 and taken[-1])
        said = json.loads(http_ece.decrypt(body, private_key=browser_key, auth_secret=auth))
        assert said["link"] == f"https://play.example/#game/{game_id}"
        assert "Your move" in said["text"]
        assert headers["authorization"].startswith("vapid t=")
        assert ann.get("/api/notices").json()["push_key"] in headers["authorization"]


def test_a_webhook_is_called_signed(tmp_path: Path) -> None:
    """A program is told by POST, and knows by its key that it was this server."""
    with endpoint() as (taken, url), public(tmp_path, hooks_inside=True) as server:
        ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
        ann.ask("PATCH", "/api/people/me", {"hook": url})
        game_id = meet(ben, ann)
        ben.play(game_id, "hide 3")
        found = eventually(lambda: [json.loads(body) for _, body in taken if b"your-move" in body])
        assert found[0]["game_id"] == game_id
        key = ann.get("/api/people/me").json()["hook_key"]
        for headers, body in taken:
            assert headers["x-salient-signature"] == hmac.digest(key.encode(), body, "sha256").hex()


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9/", "http://localhost:9/", "http://[::1]:9/", "http://10.0.0.1/"]
)
def test_nothing_is_sent_inside_the_house(address: str) -> None:
    """Addresses that the server alone can reach are refused before a connection is made."""
    with pytest.raises(NotOutside):
        asyncio.run(post_outside(address, b"", {}))


def test_a_hook_leads_no_further_and_is_not_listened_to() -> None:
    """A redirection is not followed, and of an answer without end only the status is read."""
    with endpoint(307) as (taken, url):
        assert asyncio.run(post_outside(url, b"{}", {}, inside=True)) == 307
        assert len(taken) == 1

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"{}")
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            while True:
                writer.write(b"endless " * 1000)
                await writer.drain()

    async def ask() -> int:
        async with await asyncio.start_server(talk, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            return await post_outside(f"http://127.0.0.1:{port}/", b"{}", {}, inside=True)

    assert asyncio.run(ask()) == 200


def test_an_address_that_does_not_answer_holds_up_only_who_named_it(tmp_path: Path) -> None:
    """Ann's program takes the connection and says nothing; Ben's is told all the same."""
    silent = socket.create_server(("127.0.0.1", 0))
    with silent, endpoint() as (taken, url), public(tmp_path, hooks_inside=True) as server:
        ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
        ann.ask("PATCH", "/api/people/me", {"hook": f"http://127.0.0.1:{silent.getsockname()[1]}/"})
        ben.ask("PATCH", "/api/people/me", {"hook": url})
        for _ in range(5):
            meet(ann, ben)
        eventually(lambda: len(taken) == 5)


def test_a_person_takes_pushes_at_so_many_browsers_only(tmp_path: Path) -> None:
    """Nobody makes the server call a thousand addresses."""
    with public(tmp_path) as server:
        ann = Browser(server, "Ann")
        body = {"p256dh": "x", "auth": "y"}
        ends = [f"https://push.example/{n}" for n in range(post.MOST_BROWSERS + 1)]
        codes = [ann.post("/api/notices/push", {"endpoint": end, **body}).status_code for end in ends]
        assert codes == [204] * post.MOST_BROWSERS + [429]
        assert ann.post("/api/notices/push", {"endpoint": ends[0], **body}).status_code == 204


def test_notices_are_listed_and_read(tmp_path: Path) -> None:
    """The same notice of one game is there once; reading marks it."""
    with public(tmp_path) as server:
        ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
        game_id = meet(ann, ben, pace="none")
        ann.play(game_id, "hide 3")
        told = ben.get("/api/notices?lang=fr").json()["notices"]
        assert [(notice["kind"], notice["read"]) for notice in told] == [("your-move", False), ("began", False)]
        assert told[0]["text"].startswith("À vous")
        ben.post("/api/notices/read")
        assert all(notice["read"] for notice in ben.get("/api/notices").json()["notices"])


def test_nobody_is_called_again_and_again_for_the_same(tmp_path: Path) -> None:
    """A draw that is offered, taken back and offered again: the second is told in the client, by no push or hook."""
    with endpoint() as (taken, address), public(tmp_path, hooks_inside=True) as server:
        ann, ben = Browser(server, "Ann"), Browser(server, "Ben")
        ben.ask("PATCH", "/api/people/me", {"hook": address})
        path = f"/api/games/{meet(ann, ben)}"
        for _ in range(3):
            assert ann.post(f"{path}/offers", {"kind": "draw"}).status_code == 200
            ann.post(f"{path}/answers", {"kind": "draw", "yes": False})
        ann.play(path.rsplit("/", 1)[1], "hide 3")
        eventually(lambda: any(b"your-move" in body for _, body in taken))
        calls = [json.loads(body)["kind"] for _, body in taken]
        assert calls.count("offer-draw") == 1
        assert [each["kind"] for each in ben.get("/api/notices").json()["notices"]].count("offer-draw") == 1
