"""The state of a game: one slotted object of flat columns and plain values plus a tuple of frames, declared once.

    class Crossing(State):
        units: Units = part()  # of the game's data
        at: list[int] = column(lambda data: data.units.count, 1)  # by unit
        turn: int = number(1)
        route: Route | None = cache()

Slots, the first values, copies, JSON and the key follow from the declarations. A length or a first value that depends
on the game's data is a function of it. `fields_of` tells the rest to code that writes positions, clears marks or checks
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache as cache_results
from typing import Any, ClassVar, Self

from salient.kernel.frames import AnyFrame, decode_frame, encode_frame, frozen

# ---- declarations -------------------------------------------------------------


FromData = Callable[[Any], Any]  # a value that depends on the game's data


@dataclass(frozen=True)
class Field:
    """One slot of a state: what kind of thing it holds, its first value, and words that tell what is done with it."""

    kind: str
    first: FromData
    traits: frozenset[str] = frozenset()
    mutable: type[list[Any]] | type[bytearray] | None = None  # each position owns one of its own; others are shared

    @property
    def frozen(self) -> str:
        """The name of the type that makes its value hashable; empty if it is."""
        return "" if self.mutable is None else "bytes" if self.mutable is bytearray else "tuple"

    @property
    def is_saved(self) -> bool:
        """Whether it belongs to the position: not what is computed from the rest, nor the game's data."""
        return self.kind not in ("cache", "part")


def from_data(first: Any) -> FromData:
    """A first value as a function of the game's data, which many do not need."""
    return first if callable(first) else lambda data: first


def column(length: int | FromData, first: Any = 0, *traits: str) -> Any:
    """A list of ints or strs of fixed length."""
    count, value = from_data(length), from_data(first)
    return Field("column", lambda data: [value(data)] * count(data), frozenset(traits), list)


def tally(length: int | FromData, *traits: str) -> Any:
    """A column of counts from 0 to 255: a long one is copied many times faster than a list."""
    count = from_data(length)
    return Field("column", lambda data: bytearray(count(data)), frozenset(traits), bytearray)


def number(first: int = 0, *traits: str) -> Any:
    """A whole number."""
    return Field("number", from_data(first), frozenset(traits))


def value(first: int | FromData = 0, *traits: str) -> Any:
    """An int that is not a plain number: positions write it in their own way."""
    return Field("value", from_data(first), frozenset(traits))


def word(first: str = "", *traits: str) -> Any:
    """A str."""
    return Field("word", from_data(first), frozenset(traits))


def sequence(first: tuple[Any, ...] | FromData = (), *traits: str) -> Any:
    """A tuple of ints, strs and tuples."""
    return Field("sequence", from_data(first), frozenset(traits))


def cache() -> Any:
    """A value computed from the rest, or None: shared by copies, absent from JSON and from the key."""
    return Field("cache", from_data(None))


def part() -> Any:
    """The part of the game's data that has the slot's name: the same for all positions of one game."""
    return Field("part", from_data(None))


class _Declared(type):
    """Makes the slots of a state class from its declarations."""

    FIELDS: dict[str, Field]

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _Declared:
        own = {slot: value for slot, value in body.items() if isinstance(value, Field)}
        body = {slot: value for slot, value in body.items() if slot not in own}
        body.setdefault("__slots__", tuple(own))
        cls = super().__new__(mcs, name, bases, body)
        cls.FIELDS = {slot: field for base in bases for slot, field in getattr(base, "FIELDS", {}).items()} | own
        if bases:
            for name, method in _compiled(cls).items():
                setattr(cls, name, method)  # State declares them
        return cls


def _compiled(cls: _Declared) -> dict[str, Callable[..., Any]]:
    """What searches live on, written out slot by slot: over twice as fast as loops over names."""
    copied = [f"copy.{slot} = self.{slot}{'[:]' if field.mutable else ''}" for slot, field in cls.FIELDS.items()]
    shared = ["copy.data = self.data", "copy.stack = self.stack"]
    clone = ["def clone(self):", "copy = new(cls)", *shared, *copied, "return copy"]
    saved = [f"{field.frozen}(self.{slot}), " for slot, field in cls.FIELDS.items() if field.is_saved]
    key = ["def key(self):", f"return ({''.join(saved)}*self.stack,)"]
    saved_slots = [slot for slot, field in cls.FIELDS.items() if field.is_saved]
    equal = " and ".join(f"self.{slot} == other.{slot}" for slot in saved_slots) or "True"
    stands_as = ["def stands_as(self, other):", f"return {equal}"]
    names: dict[str, Any] = {"cls": cls, "new": cls.__new__}
    for lines in (clone, key, stands_as):
        exec("\n    ".join(lines), names)
    return {name: names[name] for name in ("clone", "key", "stands_as")}


class State(metaclass=_Declared):
    """A position. Subclasses declare their fields; `data` is what the game was made of: pieces, map and tables."""

    __slots__ = ("data", "stack")
    FIELDS: ClassVar[dict[str, Field]]
    data: Any
    stack: tuple[AnyFrame, ...]

    def __init__(self, data: Any = None) -> None:
        """The state of first values, with nothing to decide."""
        self.data = data
        self.stack = ()
        for slot, field in self.FIELDS.items():
            setattr(self, slot, getattr(data, slot) if field.kind == "part" else field.first(data))

    def clone(self) -> Self:
        """An independent copy."""
        raise NotImplementedError

    def clear_caches(self) -> None:
        """Forget everything computed; the one function that moves pieces calls this or clears what it must."""
        for slot in fields_of(self, "cache"):
            setattr(self, slot, None)

    # ---- the stack ------------------------------------------------------------

    def push(self, *frames: AnyFrame) -> None:
        """Lay frames on the stack: what remains first, what comes first last."""
        self.stack += frames

    def pop(self) -> None:
        """Take the top frame off."""
        self.stack = self.stack[:-1]

    def swap(self, *frames: AnyFrame) -> None:
        """Replace the top frame."""
        self.stack = self.stack[:-1] + frames

    # ---- both ways ------------------------------------------------------------

    def values(self) -> Iterator[tuple[str, Any]]:
        """What belongs to the position besides the stack, each with its name."""
        return ((slot, getattr(self, slot)) for slot, field in self.FIELDS.items() if field.is_saved)

    def as_json(self) -> dict[str, Any]:
        """The whole position as JSON values."""
        values = {slot: list(value) if self.FIELDS[slot].mutable else value for slot, value in self.values()}
        return {**values, "stack": [encode_frame(frame) for frame in self.stack]}

    @classmethod
    def from_json(cls, values: dict[str, Any], frames: dict[str, type[AnyFrame]], data: Any = None) -> Self:
        """The position that `as_json` wrote, of a game with the same data."""
        state = cls(data)
        for slot, field in cls.FIELDS.items():
            if field.is_saved:
                setattr(state, slot, field.mutable(values[slot]) if field.mutable else frozen(values[slot]))
        state.stack = tuple(decode_frame(frame, frames) for frame in values["stack"])
        return state

    def key(self) -> tuple[Any, ...]:
        """A hashable value, equal for equal positions."""
        raise NotImplementedError

    def stands_as(self, other: Self) -> bool:
        """Whether nothing but the stack tells two positions apart."""
        raise NotImplementedError


def fields_of(s: State | type[State], kind: str = "", trait: str = "") -> tuple[str, ...]:
    """The names of the fields of a kind, or with a trait, in the order of their declaration."""
    return _fields_of(s if isinstance(s, type) else type(s), kind, trait)


@cache_results
def _fields_of(cls: type[State], kind: str, trait: str) -> tuple[str, ...]:
    return tuple(
        slot for slot, field in cls.FIELDS.items() if kind in ("", field.kind) and (not trait or trait in field.traits)
    )
