"""The state of a game: one slotted object of flat lists plus a tuple of frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self

from salient.kernel.frames import Frame, decode_frame, encode_frame, frozen


def _compiled_clone(cls: type[State]) -> Callable[[Any], Any]:
    """The copying written out slot by slot: over twice as fast as a loop over names, and searches live on it."""
    shared = [f"copy.{name} = self.{name}" for name in ("stack", *cls.SCALARS, *cls.CACHES)]
    copied = [f"copy.{name} = self.{name}[:]" for name in cls.COLUMNS]
    lines = ["def clone(self):", "copy = new(cls)", *shared, *copied, "return copy"]
    names: dict[str, Any] = {"cls": cls, "new": cls.__new__}
    exec("\n    ".join(lines), names)
    return names["clone"]  # type: ignore[no-any-return]


class State:
    """A position. Subclasses name their slots by how they are copied:

    COLUMNS  lists of ints or strs, copied;
    SCALARS  ints, strs and tuples, shared;
    CACHES   values computed from the rest, shared, absent from JSON and from the key.
    """

    __slots__ = ("stack",)
    COLUMNS: ClassVar[tuple[str, ...]] = ()
    SCALARS: ClassVar[tuple[str, ...]] = ()
    CACHES: ClassVar[tuple[str, ...]] = ()
    stack: tuple[Frame, ...]

    def __init_subclass__(cls) -> None:
        cls.clone = _compiled_clone(cls)  # type: ignore[assignment]

    def clone(self) -> Self:
        """An independent copy."""
        raise NotImplementedError

    def clear_caches(self) -> None:
        """Forget everything computed; the one function that moves pieces calls this or clears what it must."""
        for name in self.CACHES:
            setattr(self, name, None)

    # ---- the stack ------------------------------------------------------------

    def push(self, *frames: Frame) -> None:
        """Lay frames on the stack: what remains first, what comes first last."""
        self.stack += frames

    def pop(self) -> None:
        """Take the top frame off."""
        self.stack = self.stack[:-1]

    def swap(self, *frames: Frame) -> None:
        """Replace the top frame."""
        self.stack = self.stack[:-1] + frames

    # ---- both ways ------------------------------------------------------------

    def as_json(self) -> dict[str, Any]:
        """The whole position as JSON values."""
        values: dict[str, Any] = {name: list(getattr(self, name)) for name in self.COLUMNS}
        values |= {name: getattr(self, name) for name in self.SCALARS}
        values["stack"] = [encode_frame(frame) for frame in self.stack]
        return values

    @classmethod
    def from_json(cls, values: dict[str, Any], frames: dict[str, type[Frame]]) -> Self:
        """The position that `as_json` wrote."""
        state = cls.__new__(cls)
        for name in cls.COLUMNS:
            setattr(state, name, list(values[name]))
        for name in cls.SCALARS:
            setattr(state, name, frozen(values[name]))
        state.stack = tuple(decode_frame(frame, frames) for frame in values["stack"])
        state.clear_caches()
        return state

    def key(self) -> tuple[Any, ...]:
        """A hashable value, equal for equal positions."""
        return (
            *(tuple(getattr(self, name)) for name in self.COLUMNS),
            *(getattr(self, name) for name in self.SCALARS),
            *self.stack,
        )
