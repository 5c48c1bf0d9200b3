"""Who may ask at all: host, origin and size of every request, and the headers of every answer."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import json
import secrets
import time
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from salient.server.limits import Limits, household
from salient.server.problems import RequestProblem
from salient.server.settings import BODY_LIMIT, IMPORT_LIMIT, Settings
from salient.server.watch import log_request
from salient.text import languages

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
SECONDS_FOR_A_BODY = 20.0
SECONDS_TO_COOL = 0.5  # that who asks too much waits for the refusal: asking again at once costs the server more
LONGEST_LENGTH = 15  # digits
IMPORT_PATH = "/api/games/import"

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data: blob:",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
ANSWER_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def language(accepted: str) -> str:
    """The first language of an Accept-Language header that we speak, else English."""
    for part in accepted.split(","):
        code = part.split(";")[0].strip()[:2].lower()
        if code in languages():
            return code
    return "en"


# ---- tokens -------------------------------------------------------------------


def new_token() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(24)


def token_hash(token: str) -> str:
    """What is kept of a token: enough to know it again, useless to a thief of the database."""
    return hashlib.sha256(token.encode()).hexdigest()


# ---- host and origin ----------------------------------------------------------


def host_allowed(host: str, settings: Settings) -> bool:
    """Whether a Host header names this server: a name it was told, or a bare address (a page elsewhere has a name)."""
    name = _host_name(f"//{host}")
    if name in ("localhost", settings.host, *settings.hosts):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback or not settings.local
    except ValueError:
        return False


def _host_name(address: str) -> str:
    """The host of an address; empty if it is none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def origin_allowed(headers: Headers) -> bool:
    """Whether a browser says that a page of this very server asks; programs that are no browsers say nothing."""
    origin = headers.get("origin")
    if origin is not None:
        scheme, _, place = origin.partition("://")
        return scheme in ("http", "https") and place == headers.get("host", "")
    return headers.get("sec-fetch-site", "none") in ("same-origin", "none")


class Guard:
    """The outermost layer: refuses what comes from elsewhere or is too large, and adds the answer's headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None and refusal.status == 429:
            await asyncio.sleep(SECONDS_TO_COOL)
        if refusal is None:
            await self._pass(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": str(refusal)})
        else:
            await _answer(refusal, scope, send)

    def _refusal(self, scope: Scope) -> RequestProblem | None:
        headers = Headers(scope=scope)
        if not host_allowed(headers.get("host", ""), self.settings):
            return RequestProblem(403, "forbidden", "unknown-host")
        unsafe = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        if unsafe and not origin_allowed(headers):
            return RequestProblem(403, "forbidden", "other-origin")
        stated = headers.get("content-length", "0")
        if stated.isdigit() and (len(stated) > LONGEST_LENGTH or int(stated) > _limit(scope)):
            return _too_large(scope)
        return self._over_limit(scope)

    def _over_limit(self, scope: Scope) -> RequestProblem | None:
        """Each address has its share of requests; the client's files are free."""
        limits: Limits | None = getattr(scope["app"].state, "limits", None)
        if limits is None or not scope["path"].startswith("/api/"):
            return None
        try:
            limits.spend("requests", household(scope["client"][0]) if scope["client"] else "")
        except RequestProblem as problem:
            return problem
        return None

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status = time.perf_counter(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers.update(ANSWER_HEADERS)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            async with asyncio.timeout(SECONDS_FOR_A_BODY):
                body = await _read(scope, receive)
        except TimeoutError:
            await _answer(RequestProblem(408, "too-slow", "too-slow"), scope, send)
            return
        if body is None:
            await _answer(_too_large(scope), scope, send)
            return
        pending = [] if scope["type"] == "websocket" else [{"type": "http.request", "body": body, "more_body": False}]

        async def receiving() -> Message:
            return pending.pop() if pending else await receive()

        try:
            await self.app(scope, receiving, sending)
        finally:
            if scope["type"] == "http":
                scope["app"].state.metrics.answered(scope, status, time.perf_counter() - began)
                log_request(scope, status, began)


async def _read(scope: Scope, receive: Receive) -> bytes | None:
    """The whole body, or None if it is larger than allowed; a socket has none."""
    if scope["type"] == "websocket":
        return b""
    body, more = b"", True
    while more and len(body) <= _limit(scope):
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body if len(body) <= _limit(scope) else None


def _limit(scope: Scope) -> int:
    return IMPORT_LIMIT if scope["path"] == IMPORT_PATH else BODY_LIMIT


def _too_large(scope: Scope) -> RequestProblem:
    return RequestProblem(413, "too-large", "too-large", n=_limit(scope) // 1024)


async def _answer(problem: RequestProblem, scope: Scope, send: Send) -> None:
    body = json.dumps(problem.body(language(Headers(scope=scope).get("accept-language", "")))).encode()
    headers = {**ANSWER_HEADERS, **problem.headers}
    headers |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    if problem.status in (408, 413):
        headers["Connection"] = "close"
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
