"""Typed dice: what real dice show, in the order in which a game asks for them, made into the game's own roll."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from salient.kernel.dice import SeededDice, check_face
from salient.kernel.frames import ChanceFrame
from salient.kernel.messages import Refusal, SalientError, Unreadable
from salient.kernel.notation import Action
from salient.kernel.state import State

TRIES = 12
LONGEST = 400


class MoreDice(SalientError):
    """Not all dice have been typed; `sides` are those of the dice to roll next, and `typed` says how many were."""

    def __init__(self, sides: tuple[int, ...], typed: int) -> None:
        self.sides = sides
        self.typed = typed
        self.problem = Refusal("", "more-dice", n=len(sides), n_sides=sides[0])
        super().__init__(sides, typed)


class _TooFew(Exception):
    pass


class _Typed:
    """A roller that gives the typed faces, then those of `more`."""

    def __init__(self, faces: Sequence[int], more: Callable[[int], int]) -> None:
        self.faces = faces
        self.more = more
        self.sides: list[int] = []

    def die(self, sides: int) -> int:
        at = len(self.sides)
        self.sides.append(sides)
        return check_face(self.faces[at], sides) if at < len(self.faces) else self.more(sides)


def _no_more(sides: int) -> int:
    raise _TooFew


def typed_roll(frame: ChanceFrame[Any], s: State, faces: Sequence[int]) -> Action:
    """The roll that these faces make; MoreDice if more are needed, Unreadable if one is wrong or one too many."""
    roller = _Typed(faces, _no_more)
    try:
        action = frame.sample(s, roller)
    except _TooFew:
        raise MoreDice(dice_needed(frame, s, faces), len(faces)) from None
    used = len(roller.sides)
    if used < len(faces):
        raise Unreadable("too-many-dice", n=used, n_typed=len(faces))
    return action


def dice_needed(frame: ChanceFrame[Any], s: State, faces: Sequence[int] = ()) -> tuple[int, ...]:
    """The sides of the dice to roll next, after these faces: the fewest with which the roll may be complete.

    A frame does not say how many dice it will ask for (ties and hits are rolled again), so it is probed with all-low,
    all-high and random faces.
    """
    tries: list[Callable[[int], int]] = [lambda sides: 1, lambda sides: sides]
    tries += [SeededDice(n).die for n in range(TRIES)]
    asked = (_asked(frame, s, faces, more) for more in tries)
    return min((sides for sides in asked if sides), key=len, default=())


def _asked(frame: ChanceFrame[Any], s: State, faces: Sequence[int], more: Callable[[int], int]) -> tuple[int, ...]:
    def limited(sides: int) -> int:
        if len(roller.sides) > len(faces) + LONGEST:
            raise _TooFew
        return more(sides)

    roller = _Typed(faces, limited)
    try:
        frame.sample(s, roller)
    except _TooFew:
        return ()
    return tuple(roller.sides[len(faces) :])
