"""Passwords: hashed with argon2, a few at a time, for hashing is meant to be heavy."""

from __future__ import annotations

import threading
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from salient.server.problems import RequestProblem

SHORTEST, LONGEST = 8, 200
COMMON = frozenset({"password", "12345678", "123456789", "qwertyui", "password1", "11111111", "iloveyou"})

_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
_few = threading.Semaphore(2)


def hashed(password: str) -> str:
    """What is kept of a password; RequestProblem if it is too short or one that everybody tries."""
    if not SHORTEST <= len(password) <= LONGEST or password.casefold() in COMMON:
        raise RequestProblem(422, "invalid", "bad-password", least=SHORTEST)
    with _few:
        return _hasher.hash(password)


@cache
def _nobodys() -> str:
    """What is compared with where no password is kept."""
    return _hasher.hash("nobody has this password")


def fits(password: str, kept: str | None) -> bool:
    """Whether a password is the one kept; takes as long if there is none."""
    with _few:
        nobodys = _nobodys()
        try:
            return _hasher.verify(kept or nobodys, password[: LONGEST + 1]) and kept is not None
        except (VerificationError, InvalidHashError):
            return False
