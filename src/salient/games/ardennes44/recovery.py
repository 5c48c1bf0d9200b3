"""Ardennes '44: 18.6, recovery."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.stacks import occupied, on_map
from salient.games.ardennes44.components import roll
from salient.games.ardennes44.model import ArdennesState, set_order
from salient.games.ardennes44.zones import BOUNDARIES_UNTIL, next_to
from salient.hexes.sets import Group, UnitId
from salient.kernel import Action, AutoFrame, Prompt
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink


def may_recover(s: ArdennesState, u: UnitId) -> bool:
    """Germans driven over an army boundary do not recover before they are back, or turn 5 [11.10.2]."""
    return s.turn >= BOUNDARIES_UNTIL or not s.driven >> u & 1


def recovery(s: ArdennesState, side: int, out: Sink) -> None:
    """Those away from the enemy recover by themselves, the others by a die [18.6]."""
    near = next_to(s.ground, occupied(s, 1 - side))
    rolling = []
    for u in s.units.of_side[side]:
        if s.order[u] and may_recover(s, u):
            if on_map(s, u) and near >> s.where[u] & 1:
                rolling.append(u)
            else:
                set_order(s, u, s.order[u] - 1)
                out("18.6", "recovers", unit=u)
    if rolling:
        s.push(Recovery(tuple(rolling)))


@dataclass(frozen=True, slots=True)
class Recovery(AutoFrame[ArdennesState]):
    """Rolls for one unit after another."""

    units: Group

    def run(self, s: ArdennesState, out: Sink) -> None:
        s.swap(*([Recovery(self.units[1:])] if self.units[1:] else []), RecoveryRoll(self.units[0]))


@dataclass(frozen=True, slots=True)
class RecoveryRoll(DieFrame[ArdennesState]):
    """Does a unit next to the enemy recover?"""

    unit: UnitId

    def purpose(self, s: ArdennesState) -> str:
        return "recovery"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("18.6", "roll-recovery", unit=self.unit)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        u = self.unit
        recovered = roll(s.tables, "recovery", int(action[1]) + s.units.morale[u]) == "yes"
        if recovered:
            set_order(s, u, s.order[u] - 1)
        out("18.6", "recovers" if recovered else "stays-disrupted", unit=u)
