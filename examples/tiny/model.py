"""The state and the frames of Crossing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from salient.kernel import OVER, AutoFrame, Frame, GameOver, Prompt, Refusal, Result, Seat, State
from salient.kernel.engine import actor, settle
from salient.kernel.frames import DECISION, DieFrame
from salient.kernel.messages import Sink
from salient.kernel.notation import Action
from salient.kernel.state import column, number, sequence, word

UNITS = ("r1", "r2")
FIELDS = ("1", "2", "3", "4", "5")
HIDING_PLACES = ("2", "3", "4")
LOST = 0
GOAL = 5


class Crossing(State):
    at: list[int] = column(len(UNITS), 1)  # by unit: its field
    turn: int = number(1)
    turns: int = number()
    trap: str = word()
    clear: tuple[str, ...] = sequence()  # fields where red knows that no trap lies
    found: int = number()
    probes: int = number()

    @classmethod
    def start(cls, turns: int, probes: int) -> Self:
        s = cls()
        s.turns, s.probes = turns, probes
        s.stack = (EndOfTurn(), RedTurn(), Hide())
        settle(s)
        return s


def winner(s: Crossing) -> Seat:
    return "red" if GOAL in s.at else "blue"


def result(s: Crossing) -> Result | None:
    """[5] Who has won, once the game is over."""
    if actor(s) != OVER:
        return None
    side = winner(s)
    return Result(side, "5", f"{side}-wins")


def see_clear(s: Crossing, field: str) -> None:
    if field in HIDING_PLACES and field not in s.clear:
        s.clear = tuple(sorted((*s.clear, field)))


@dataclass(frozen=True, slots=True)
class Hide(Frame[Crossing]):
    """[1] Blue hides the trap."""

    def actor(self, s: Crossing) -> Seat:
        return "blue"

    def legal(self, s: Crossing) -> list[Action]:
        return [("hide", field) for field in HIDING_PLACES]

    def apply(self, s: Crossing, action: Action, out: Sink) -> None:
        s.trap = str(action[1])
        s.pop()
        out("1", "hidden")

    def prompt(self, s: Crossing) -> Prompt:
        return Prompt("1", "hide-the-trap")


@dataclass(frozen=True, slots=True)
class RedTurn(Frame[Crossing]):
    """[2] Red moves its units, and [3] may probe once."""

    moved: tuple[int, ...] = ()
    ends: ClassVar[Mapping[str, str]] = {"end": DECISION}

    def actor(self, s: Crossing) -> Seat:
        return "red"

    def legal(self, s: Crossing) -> list[Action]:
        moves: list[Action] = [
            ("move", unit, str(s.at[unit] + 1)) for unit in range(len(UNITS)) if self.may_move(s, unit) is None
        ]
        probes: list[Action] = [("probe", field) for field in HIDING_PLACES if may_probe(s) is None]
        return [*moves, *probes, ("end",)]

    def may_move(self, s: Crossing, unit: int) -> Refusal | None:
        """A unit in play moves once a turn [2]."""
        if s.at[unit] == LOST:
            return Refusal("2", "unit-lost", unit=unit)
        if unit in self.moved:
            return Refusal("2", "moved-already", unit=unit)
        return None

    def apply(self, s: Crossing, action: Action, out: Sink) -> None:
        if action[0] == "move":
            unit = int(action[1])
            s.at[unit] += 1
            s.swap(RedTurn((*self.moved, unit)))
            out("2", "moved", unit=unit, field_to=str(s.at[unit]))
        elif action[0] == "probe":
            s.push(Probe(str(action[1])))
        else:
            s.pop()

    def prompt(self, s: Crossing) -> Prompt:
        return Prompt("2", "move-or-end", units=tuple(i for i in range(len(UNITS)) if self.may_move(s, i) is None))

    def refusals(self, s: Crossing, action: Action) -> list[Refusal]:
        reason = None
        if action[0] == "move":
            reason = self.may_move(s, int(action[1])) or Refusal("2", "one-field", n=1)
        elif action[0] == "probe":
            reason = may_probe(s)
        return [reason or Refusal("2", "not-offered")]


def may_probe(s: Crossing) -> Refusal | None:
    """Red probes once a game, and only by choice of the players [3]."""
    return None if s.probes else Refusal("3", "no-probe-left")


@dataclass(frozen=True, slots=True)
class Probe(AutoFrame[Crossing]):
    """[3] Red sees whether the trap is on a field."""

    field: str

    def run(self, s: Crossing, out: Sink) -> None:
        s.probes -= 1
        if s.trap == self.field:
            s.found = 1
        else:
            see_clear(s, self.field)
        s.pop()
        out("3", "probed", field=self.field, word_result="found" if s.found else "clear")


@dataclass(frozen=True, slots=True)
class EndOfTurn(AutoFrame[Crossing]):
    """[4] The trap springs, [5] the game ends, or red's next turn begins."""

    def run(self, s: Crossing, out: Sink) -> None:
        trapped = [unit for unit in range(len(UNITS)) if str(s.at[unit]) == s.trap]
        for at in s.at:
            if str(at) != s.trap:
                see_clear(s, str(at))
        if trapped:
            s.found = 1
        if GOAL in s.at or s.turn == s.turns:
            s.swap(GameOver(), *(Ambush(unit) for unit in reversed(trapped)))
        elif not any(s.at):
            s.swap(GameOver())
        else:
            s.turn += 1
            s.push(RedTurn(), *(Ambush(unit) for unit in reversed(trapped)))


@dataclass(frozen=True, slots=True)
class Ambush(DieFrame[Crossing]):
    """[4] A trapped unit is lost on 1-3."""

    unit: int

    def apply(self, s: Crossing, action: Action, out: Sink) -> None:
        lost = int(action[1]) <= 3
        if lost:
            s.at[self.unit] = LOST
        s.pop()
        out("4", "ambushed", unit=self.unit, n_roll=action[1], n_lost=int(lost))

    def purpose(self, s: Crossing) -> str:
        return "ambush"

    def prompt(self, s: Crossing) -> Prompt:
        return Prompt("4", "roll-for-ambush", unit=self.unit)
