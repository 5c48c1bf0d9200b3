"""Ardennes '44: chapter 5, artillery supply."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.naming import NamingFrame, above
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.model import ArdennesState
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import NO_UNITS, Group, UnitId
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.messages import Sink

GERMAN_GUNS, GERMAN_GUNS_TURN_2 = 3, 6  # 5.2, 5.4


def refuse_ready(s: ArdennesState, u: UnitId) -> Refusal | None:
    """Why artillery cannot be turned to its ready side [5.3]."""
    if not s.fired >> u & 1:
        return Refusal("5.2", "guns-are-ready", unit=u)
    if s.order[u] or (s.oos | s.march) >> u & 1:
        return Refusal("5.3", "cannot-be-readied", unit=u)
    return None


def artillery_supply(s: ArdennesState, side: int, out: Sink) -> None:
    """Tractors go back; all Allied guns and some German ones are readied [5.1, 5.2]."""
    if side == GERMAN:
        s.tractor = NO_UNITS
    able = [u for u in bits(s.fired & s.units.side_mask[side] & s.units.artillery_mask) if refuse_ready(s, u) is None]
    most = GERMAN_GUNS_TURN_2 if s.turn == 2 else GERMAN_GUNS
    if side == ALLIED or len(able) <= most:
        s.fired &= ~mask_of(able)
        if able:
            out("5.2", "guns-ready", units=tuple(able))
    else:
        s.push(Ready(side, most, ()))


@dataclass(frozen=True, slots=True)
class Ready(NamingFrame[ArdennesState]):
    """The German names the guns that he readies, as many as he has shells for; `done` turns them."""

    naming = "ready"
    most: int
    named: Group

    def choices(self, s: ArdennesState) -> list[UnitId]:
        """The guns that may still be named."""
        if len(self.named) >= self.most:
            return []
        guns = bits(s.fired & s.units.side_mask[self.side] & s.units.artillery_mask & ~mask_of(self.named))
        return [u for u in guns if refuse_ready(s, u) is None]

    def legal(self, s: ArdennesState) -> list[Action]:
        return [*(("ready", u) for u in self.choices(s)), *(("drop", u) for u in self.named), ("done",)]

    def candidates(self, s: ArdennesState) -> list[Action]:
        return [*(("ready", u) for u in above(self.choices(s), self.named)), ("done",)]

    def commit(self, s: ArdennesState, out: Sink) -> None:
        s.fired &= ~mask_of(self.named)
        if self.named:
            out("5.2", "guns-ready", units=self.named)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("5.2", "ready-guns", n=self.most - len(self.named), units=tuple(self.choices(s)))

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        match action:
            case ("ready", UnitId(u)) if u in self.named:
                return [Refusal("5.2", "named-already", unit=u)]
            case ("ready", UnitId(u)) if s.units.side[u] != self.side or not s.units.artillery[u]:
                return [Refusal("5.1", "not-your-guns", unit=u)]
            case ("ready", UnitId(u)):
                return [refuse_ready(s, u) or Refusal("5.2", "enough-shells", unit=u, n=self.most)]
            case ("drop", UnitId(u)):
                return [Refusal("5.2", "not-named", unit=u)]
        return [Refusal("5.2", "guns-first")]
