"""Positions as text, line by line; the `stack` line holds the pending decisions, frames by name, fields as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from salient.kernel import Frame, State, Unreadable
from salient.kernel.frames import decode_frame, encode_frame

S = TypeVar("S", bound=State)


def read_lines(text: str, game_id: str, s: S, read_line: Callable[[S, str], None]) -> S:
    """Read every line of a position into `s`; Unreadable names the line and the cause. A semicolon begins a comment."""
    lines = [line.split(";")[0].strip() for line in text.strip().splitlines()]
    if not lines or lines[0] != f"position {game_id}":
        raise Unreadable(f"Line 1: a position begins with 'position {game_id}'.")
    s.stack = ()
    for number, line in enumerate(lines[1:], start=2):
        try:
            if line:
                read_line(s, line)
        except (Unreadable, ValueError, KeyError, TypeError, IndexError) as error:
            raise Unreadable(f"Line {number}: {error}") from None
    if not s.stack:
        raise Unreadable("The position has no line 'stack ...', which says what is to be decided.")
    s.clear_caches()
    return s


def write_stack(stack: tuple[Frame, ...]) -> str:
    """The text of a stack, the next decision last."""
    return " ".join(_write_frame(frame) for frame in stack)


def read_stack(text: str, frames: dict[str, type[Frame]]) -> tuple[Frame, ...]:
    """The stack that `write_stack` wrote; Unreadable names the frame that is none of the game."""
    return tuple(_read_frame(item, frames) for item in text.split())


def _write_frame(frame: Frame) -> str:
    name, *fields = encode_frame(frame)
    return f"{name}({json.dumps(fields, separators=(',', ':'))[1:-1]})"


def _read_frame(text: str, frames: dict[str, type[Frame]]) -> Frame:
    name, _, fields = text.partition("(")
    if name not in frames or not fields.endswith(")"):
        raise Unreadable(f"{text!r} is no decision of this game.")
    values: list[Any] = json.loads(f"[{fields[:-1]}]")
    return decode_frame([name, *values], frames)
