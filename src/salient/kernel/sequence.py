"""The sequence of play: a table of named phases, and the frame that runs them one after the other.

    PHASES = Phases(
        Phase("supply", receive_supply, shown="reorganisation"),
        Phase("allied-movement", begin_movement, shown="movement", side="allied"),
    )

Before the first phase comes the set-up, once; after the last the turn begins anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic

from salient.kernel.frames import AutoFrame, S, Seat
from salient.kernel.messages import Sink, Unreadable
from salient.kernel.state import State

SETTING_UP = "set-up"
OVER_PHASE = "over"


@dataclass(frozen=True)
class Phase(Generic[S]):
    """A phase by its name in saved positions. People see `shown`, `side` and `n`; several phases may show the same."""

    name: str
    begin: Callable[[S, Sink], None]
    shown: str
    side: Seat = ""
    n: int = 0

    def as_json(self) -> dict[str, Any]:
        """The phase as clients show it (docs/VIEW.md)."""
        return {"key": self.shown} | ({"side": self.side} if self.side else {}) | ({"n": self.n} if self.n else {})


@dataclass(frozen=True)
class Stage:
    """Where a game is: the turn, the phase by name, and its place among the phases that people see."""

    turn: int
    phase: str
    at: int


class Phases(Generic[S]):
    """The phases of a turn in order. When the game is over it is shown in the phase of which `over` is the name."""

    def __init__(self, *phases: Phase[S], over: str) -> None:
        self.names = tuple(phase.name for phase in phases)
        assert len(set(self.names)) == len(self.names), "two phases have one name"
        self.after = dict(zip((SETTING_UP, *self.names), (*phases, phases[0]), strict=True))
        self.shown: list[dict[str, Any]] = []
        self.at = {SETTING_UP: 0}
        for phase in phases:
            if not self.shown or self.shown[-1] != phase.as_json():
                self.shown.append(phase.as_json())
            self.at[phase.name] = len(self.shown) - 1
        self.at[OVER_PHASE] = self.at[over]

    def stage(self, s: State, turn: int) -> Stage:
        """Where a position is."""
        frame = s.stack[0]
        phase = frame.phase if isinstance(frame, PhaseFrame) else OVER_PHASE
        return Stage(turn, phase, self.at[phase])


@dataclass(frozen=True, slots=True)
class PhaseFrame(AutoFrame[S]):
    """The bottom of the stack: begins one phase after the other. `phase` is the one that has begun.

    Each game names its table in a subclass, `Turn`.
    """

    phase: str
    phases: ClassVar[Phases[Any]]

    def __post_init__(self) -> None:
        if self.phase not in self.phases.after:
            known = tuple(self.phases.after)
            raise Unreadable("unknown-word", word_what="phase", text=str(self.phase), texts_known=known)

    def run(self, s: S, out: Sink) -> None:
        following = self.phases.after[self.phase]
        s.swap(type(self)(following.name))
        following.begin(s, out)
