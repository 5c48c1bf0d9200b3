"""What the server answers when it cannot do as asked: a code, a sentence in the reader's language, and what helps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from salient.kernel import AnyGame, SalientError
from salient.text import LANGUAGES, say_error
from salient.text.catalog import own_catalog
from salient.text.template import Filling, fill


def sentence(key: str, lang: str, **places: object) -> str:
    """A sentence of the server's own, with its places filled."""
    known = lang if lang in LANGUAGES else "en"
    plain = {place: value if isinstance(value, int) else str(value) for place, value in places.items()}
    return fill(own_catalog("salient.server", known)["message"][key], Filling(plain, lang))


@dataclass(frozen=True)
class Cause:
    """An error of the engine, to be told in the reader's language."""

    game: AnyGame | None
    error: SalientError

    def text(self, lang: str) -> str:
        """The error as a sentence."""
        return say_error(self.game, self.error, lang)


class RequestProblem(Exception):
    """An answer other than success; nothing has changed."""

    def __init__(self, status: int, error: str, key: str, more: dict[str, Any] | None = None, **places: object) -> None:
        super().__init__(key)
        self.status = status
        self.error = error
        self.key = key
        self.more = more or {}
        self.places = places

    @property
    def headers(self) -> dict[str, str]:
        """The answer's headers: when the same may be asked again, if that is known."""
        seconds = self.more.get("retry_after")
        return {"Retry-After": str(seconds)} if seconds else {}

    def body(self, lang: str) -> dict[str, Any]:
        """The answer's body."""
        places = {name: value.text(lang) if isinstance(value, Cause) else value for name, value in self.places.items()}
        return {"error": self.error, "message": sentence(self.key, lang, **places), **self.more}


class Stale(Exception):
    """A submission that is based on something other than the present position."""


def no_such_game() -> RequestProblem:
    """The answer about a game that is not there, or is not visible to the requester."""
    return RequestProblem(404, "not-found", "no-such-game")


def not_your_turn(more: dict[str, Any] | None = None) -> RequestProblem:
    """The answer to who acts, or asks, out of turn."""
    return RequestProblem(403, "not-your-turn", "not-your-turn", more)
