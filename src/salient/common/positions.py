"""Positions as text, line by line.

The `stack` line holds the pending decisions: frames by name, their fields as JSON, plain words without quotation marks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import HexSet
from salient.kernel import AnyFrame, Names, State, Unreadable
from salient.kernel.frames import decode_frame, encode_frame
from salient.kernel.messages import at_line
from salient.kernel.state import fields_of

S = TypeVar("S", bound=State)

_WORD = r"(?!(?:true|false|null)\b)[a-z][a-z0-9-]*"
QUOTED = re.compile(f'"({_WORD})"')
BARE = re.compile(f'(?<![\\w"-]){_WORD}(?![\\w"-])')


def read_lines(text: str, game_id: str, s: S, read_line: Callable[[S, str], None]) -> S:
    """Read every line of a position into `s`; Unreadable names the line and the cause. A semicolon begins a comment."""
    lines = [line.split(";")[0].strip() for line in text.strip().splitlines()]
    if not lines or lines[0] != f"position {game_id}":
        first = f"position {game_id}"
        raise at_line(1, Unreadable("position-begin", text=first))
    s.stack = ()
    for number, line in enumerate(lines[1:], start=2):
        try:
            if line:
                read_line(s, line)
        except Unreadable as error:
            raise at_line(number, error) from error
        except (ValueError, KeyError, TypeError, IndexError):
            cause = Unreadable("line-unclear", text=line)
            raise at_line(number, cause) from cause
    if not s.stack:
        raise Unreadable("no-stack")
    s.clear_caches()
    return s


def piece_lines(names: Sequence[str], pieces: Iterable[tuple[int, str]]) -> Iterator[str]:
    """A line for every place with pieces: its name and theirs, places ascending."""
    found: dict[int, list[str]] = {}
    for place, piece in pieces:
        found.setdefault(place, []).append(piece)
    for place in sorted(found):
        yield f"{names[place]} {', '.join(found[place])}"


def number_line(s: State, usual: State) -> str:
    """The turn, and the other numbers of a position that are not as usual: `turn 3 player 1`."""
    names = fields_of(s, "number")
    told = [name for name in names if name == "turn" or getattr(s, name) != getattr(usual, name)]
    return " ".join(f"{name} {getattr(s, name)}" for name in told)


def read_numbers(s: State, words: list[str]) -> None:
    """Read what `number_line` wrote, word by word."""
    known = fields_of(s, "number")
    for name, value in zip(words[::2], words[1::2], strict=True):
        if name not in known:
            raise one_of("number", known, name)
        setattr(s, name, int(value))


def set_line(word: str, names: Sequence[str], members: HexSet | int) -> str:
    """A set, given as bits, by the names of its members."""
    return " ".join([word, *(names[i] for i in bits(members))])


def read_set(names: Names, words: Iterable[str]) -> int:
    """The set of those named, as bits."""
    return mask_of(names.read(word) for word in words)


def one_of(what: str, known: Sequence[str], found: str) -> Unreadable:
    """The error of a word that is not known."""
    return Unreadable("unknown-word", word_what=what, text=found, texts_known=tuple(known))


def in_two_places(unit: str) -> Unreadable:
    """The error of a unit that is named twice."""
    return Unreadable("in-two-places", text=unit)


def cannot_be(unit: str, mark: str) -> Unreadable:
    """The error of a mark or a place that a unit cannot have."""
    return Unreadable("cannot-be", text=unit, text_mark=mark)


def write_stack(stack: tuple[AnyFrame, ...]) -> str:
    """The text of a stack, the next decision last."""
    return " ".join(_write_frame(frame) for frame in stack)


def read_stack(text: str, frames: dict[str, type[AnyFrame]]) -> tuple[AnyFrame, ...]:
    """The stack that `write_stack` wrote; Unreadable names the frame that is none of the game."""
    return tuple(_read_frame(item, frames) for item in text.split())


def _write_frame(frame: AnyFrame) -> str:
    name, *fields = encode_frame(frame)
    written = QUOTED.sub(r"\1", json.dumps(fields, separators=(",", ":"))[1:-1])
    return f"{name}({written})"


def _read_frame(text: str, frames: dict[str, type[AnyFrame]]) -> AnyFrame:
    name, _, fields = text.partition("(")
    if name not in frames or not fields.endswith(")"):
        raise Unreadable("no-such-decision", text=text)
    quoted = BARE.sub(r'"\g<0>"', fields[:-1])
    values: list[Any] = json.loads(f"[{quoted}]")
    return decode_frame([name, *values], frames)
