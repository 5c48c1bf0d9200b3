"""Pending decisions as the `stack` line of a position: each frame by its name with its fields in brackets, as JSON."""

from __future__ import annotations

import json
from typing import Any

from salient.kernel import Frame, Unreadable
from salient.kernel.frames import decode_frame, encode_frame


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
