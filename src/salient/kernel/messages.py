"""What the engine says: events, prompts, refusals and errors.

All are data; words are found later, in the reader's language. An argument's name tells its kind: `unit`, `unit_lead`,
`units`, `hex_to`, `seat`, `word_phase`, `n_damage`. The part before the first underscore (without a plural s) names the
kind; the rest only tells two arguments apart.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

Argument = int | str | tuple[int, ...] | tuple[str, ...]


class Message:
    """A rule number, a key of the message catalogs, and arguments by name."""

    __slots__ = ("args", "key", "rule")

    def __init__(self, rule: str, key: str, **args: Argument) -> None:
        self.rule = rule
        self.key = key
        self.args = args

    def __eq__(self, other: object) -> bool:
        return (
            type(self) is type(other)
            and isinstance(other, Message)
            and (self.rule, self.key, self.args) == (other.rule, other.key, other.args)
        )

    def __hash__(self) -> int:
        return hash((self.rule, self.key, tuple(self.args.items())))

    def __repr__(self) -> str:
        args = "".join(f", {name}={value!r}" for name, value in self.args.items())
        return f"{type(self).__name__}({self.rule!r}, {self.key!r}{args})"

    def as_json(self) -> dict[str, Any]:
        """The message as plain JSON values."""
        return {"rule": self.rule, "key": self.key, "args": dict(self.args)}


_in_english: Callable[[Message], str] = repr


def use_words(in_english: Callable[[Message], str]) -> None:
    """Name what turns a message into an English sentence: the kernel itself has no words."""
    global _in_english
    _in_english = in_english


def english(message: Message) -> str:
    """A message as an English sentence, for whoever has chosen no language."""
    return _in_english(message)


class Event(Message):
    """Something that happened, with the rule that made it happen."""

    __slots__ = ()


class Refusal(Message):
    """Why something is not allowed: the rule and the failing condition."""

    __slots__ = ()


class Prompt(Message):
    """What the acting seat is asked now, with the units and hexes it is about (`units=`, `hexes=`)."""

    __slots__ = ()


class Sink(Protocol):
    """Receives events as they happen."""

    def __call__(self, rule: str, key: str, **args: Argument) -> None: ...


def ignore_events(rule: str, key: str, **args: Argument) -> None:
    """The sink of playouts and searches: what happens is not told to anybody."""


class EventList(list[Event]):
    """A sink that keeps the events."""

    def __call__(self, rule: str, key: str, **args: Argument) -> None:
        self.append(Event(rule, key, **args))


class SalientError(Exception):
    """The base of every error a person may meet: its sentence, or the message of the catalogs that says it."""

    problem: Refusal | None = None

    def __str__(self) -> str:
        return english(self.problem) if self.problem else super().__str__()


class Unreadable(SalientError):
    """Text that is not an action, position or record of this game."""

    def __init__(self, key: str, **args: Argument) -> None:
        self.problem = Refusal("", key, **args)
        super().__init__(key)


def at_line(number: int, cause: SalientError) -> Unreadable:
    """The error of one line of a text; `say_error` puts the cause into the reader's language."""
    error = Unreadable("at-line", n=number, text=str(cause))
    error.__cause__ = cause
    return error


class Illegal(SalientError):
    """A readable action that the rules do not allow now; `refusals` says why."""

    def __init__(self, action: tuple[Any, ...], refusals: list[Refusal]) -> None:
        self.action = action
        self.refusals = refusals
        reasons = "; ".join(f"[{r.rule}] {r.key}" for r in refusals)
        super().__init__(f"{action!r} is not allowed: {reasons}")


class NotYourTurn(SalientError):
    """An action by a seat that has no decision to take now."""

    def __init__(self, seat: str, actor: str) -> None:
        self.seat = seat
        self.actor = actor
        self.problem = Refusal("", "not-your-turn", seat=seat, seat_actor=actor)
        super().__init__(seat, actor)
