"""The Deadly Woods: the losses of 11.3.3, and those of a stack at an army boundary (9.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from salient.common.sides import SideFrame
from salient.common.stacks import on_map
from salient.games.deadly_woods.model import WoodsState, set_lost, steps_left, take_off
from salient.hexes.sets import Group, UnitId
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.messages import Sink


def lose_step(s: WoodsState, u: UnitId, rule: str, out: Sink) -> None:
    """One step lost; the last one takes the unit off the map, the US Delay to its box [12.9.1]."""
    if steps_left(s, u) > 1:
        set_lost(s, u, s.lost[u] + 1)
        out(rule, "loses-step", unit=u)
    else:
        out(rule, "eliminated", unit=u)
        take_off(s, u, s.ground.eliminated)


def ask_losses(s: WoodsState, side: int, units: Group, out: Sink, rule: str = "11.3.3") -> None:
    """Have a side lose a step among its units, at once where there is no choice."""
    able = tuple(u for u in units if on_map(s, u))
    if len(able) == 1:
        lose_step(s, able[0], rule, out)
    elif able:
        s.push(Lose(side, able, rule))


@dataclass(frozen=True, slots=True)
class Lose(SideFrame[WoodsState]):
    """The owner chooses the unit that loses a step."""

    units: Group
    rule: str

    def legal(self, s: WoodsState) -> list[Action]:
        return [("lose", u) for u in self.units]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        lose_step(s, UnitId(action[1]), self.rule, out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt(self.rule, "lose-step", units=self.units)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        if action[0] == "lose":
            return [Refusal(self.rule, "not-in-this-combat", unit=int(action[1]))]
        return [Refusal(self.rule, "lose-first")]


@dataclass(frozen=True, slots=True)
class BoundaryLoss(AutoFrame[WoodsState]):
    """A stack that only an army boundary keeps from retreating loses a step for each hex, whichever its owner
    likes [9.2]."""

    side: int
    units: Group
    steps: int

    def run(self, s: WoodsState, out: Sink) -> None:
        s.swap(*([replace(self, steps=self.steps - 1)] if self.steps > 1 else []))
        ask_losses(s, self.side, self.units, out, "9.2")
