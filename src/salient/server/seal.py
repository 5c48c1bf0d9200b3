"""The server's key, kept beside the database and never in it, and the sealing of the dice's secrets with it."""

from __future__ import annotations

import hmac
import os
import secrets
from pathlib import Path

KEY_BYTES = 32


class Seal:
    """Hides secrets of 32 bytes: a thief of the database alone learns none."""

    def __init__(self, key: bytes) -> None:
        self.key = key

    def seal(self, name: str, secret: str) -> str:
        """The secret (64 hexadecimal digits) of what is called `name`, hidden; the same function opens it."""
        pad = hmac.digest(self.key, f"seal|{name}".encode(), "sha256")
        return bytes(a ^ b for a, b in zip(bytes.fromhex(secret), pad, strict=True)).hex()

    def sign(self, purpose: str, text: str) -> str:
        """A short proof that this server wrote `text`."""
        return hmac.digest(self.key, f"{purpose}|{text}".encode(), "sha256").hex()[:32]


def read_key(file: Path) -> bytes:
    """The server's key, made when it is first needed; readable by its user only."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as out:
            out.write(secrets.token_hex(KEY_BYTES) + "\n")
    return bytes.fromhex(file.read_text(encoding="ascii").strip())
