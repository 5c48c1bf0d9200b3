"""The server's key, kept beside the database and never in it, and the sealing of the dice's secrets with it."""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import time
from pathlib import Path

KEY_BYTES = 32
SECONDS_TO_WRITE = 5.0  # that another process may take to make the key


class NoKey(ValueError):
    """What is in the file is not a key."""


class Seal:
    """Hides secrets of 32 bytes: a thief of the database alone learns none."""

    def __init__(self, key: bytes) -> None:
        self.key = key

    def seal(self, name: str, secret: str) -> str:
        """The secret (64 hexadecimal digits) of what is called `name`, hidden; the same function opens it."""
        pad = hmac.digest(self.key, f"seal|{name}".encode(), "sha256")
        return bytes(a ^ b for a, b in zip(bytes.fromhex(secret), pad, strict=True)).hex()

    @property
    def mark(self) -> str:
        """What tells this key from others and says nothing of it."""
        return self.sign("mark", "server.key")

    def sign(self, purpose: str, text: str) -> str:
        """A short proof that this server wrote `text`."""
        return hmac.digest(self.key, f"{purpose}|{text}".encode(), "sha256").hex()[:32]


def read_key(file: Path) -> bytes:
    """The server's key, made when it is first needed; readable by its user only. NoKey if the file holds another thing.

    Of several processes that start for the first time at once, one makes it and the others wait until it is whole.
    """
    if not file.exists():
        with contextlib.suppress(FileExistsError):
            _make_key(file)
    until = time.monotonic() + SECONDS_TO_WRITE
    while len(text := file.read_bytes().strip()) < 2 * KEY_BYTES and time.monotonic() < until:
        time.sleep(0.02)
    try:
        key = bytes.fromhex(text.decode("ascii"))
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise NoKey
    return key


def _make_key(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as out:
            out.write(secrets.token_hex(KEY_BYTES) + "\n")
    except OSError:
        file.unlink()
        raise
