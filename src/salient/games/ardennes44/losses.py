"""Ardennes '44: 16.3 and 16.4, losses and remnants."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.fields import pass_marks_on
from salient.common.sides import SideFrame
from salient.common.stacks import put, units_at
from salient.games.ardennes44.model import ArdennesState, set_lost, set_order, steps_left, take_off
from salient.hexes.sets import NOBODY, Group, UnitId
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.messages import Sink


def free_remnant(s: ArdennesState, u: UnitId) -> UnitId:
    """A remnant counter of a unit's type that is not in play, NOBODY if there is none [16.4]."""
    pool = s.ground.pool
    return next((x for x in s.units.remnants_of[u] if s.where[x] == pool), NOBODY)


def become_remnant(s: ArdennesState, u: UnitId, x: UnitId) -> None:
    """Put a remnant in the place of a unit, in the same state [16.4]."""
    place, order, points = s.where[u], s.order[u], s.points[u]
    pass_marks_on(s, u, x)
    take_off(s, u, s.ground.eliminated)
    put(s, x, place)
    s.parent[x] = u
    set_order(s, x, order)
    s.points[x] = points


def leave_position(s: ArdennesState, h: int) -> None:
    """A position goes at once when its last occupant is eliminated or forced to retreat [15.8.4]."""
    if h < s.ground.hexes and not units_at(s, h):
        s.ip &= ~(1 << h)
        s.digging &= ~(1 << h)


def lose_step(s: ArdennesState, u: UnitId, rule: str, out: Sink) -> UnitId:
    """One step lost; the last one of a large unit leaves a remnant, of others nothing. The unit left, or NOBODY."""
    if steps_left(s, u) > 1:
        set_lost(s, u, s.lost[u] + 1)
        out(rule, "loses-step", unit=u)
        return u
    remnant = free_remnant(s, u) if s.units.large[u] else NOBODY
    if remnant >= 0:
        out("16.4", "leaves-remnant", unit=u, unit_remnant=remnant)
        become_remnant(s, u, remnant)
    else:
        eliminate(s, u, rule, out)
    return remnant


def standing(s: ArdennesState, units: Group) -> Group:
    """What is left of some units that took part in a combat: they or their remnants, ascending [16.4]."""
    ground = s.ground
    stand_in = {s.parent[x]: x for x in s.units.remnants if s.parent[x] >= 0}
    found = [stand_in.get(u, u) if s.where[u] == ground.eliminated else u for u in units]
    return tuple(sorted(u for u in found if s.where[u] not in (ground.eliminated, ground.pool)))


def forget_remnants(s: ArdennesState) -> None:
    """When combats end, remnants are units of their own [16.4]."""
    for x in s.units.remnants:
        s.parent[x] = NOBODY


def total_steps(s: ArdennesState, units: Group) -> int:
    """The steps of some units, remnants to come included."""
    return sum(steps_left(s, u) + (s.units.large[u] and free_remnant(s, u) >= 0) for u in units)


def eliminate(s: ArdennesState, u: UnitId, rule: str, out: Sink) -> None:
    """A unit is lost with all its steps."""
    here = s.where[u]
    out(rule, "eliminated", unit=u)
    take_off(s, u, s.ground.eliminated)
    leave_position(s, here)


@dataclass(frozen=True, slots=True)
class Lose(SideFrame[ArdennesState]):
    """The owner chooses the unit that loses a step [16.3]."""

    units: Group

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("lose", u) for u in self.units]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        lose_step(s, UnitId(action[1]), "16.3", out)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("16.3", "lose-step", units=self.units)

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action[0] == "lose":
            return [Refusal("16.3", "cannot-lose", unit=UnitId(action[1]))]
        return [Refusal("16.3", "lose-first")]


def ask_loss(s: ArdennesState, side: int, units: Group, out: Sink) -> None:
    """Have a side lose a step among some units, at once where there is no choice."""
    able = standing(s, units)
    if len(able) == 1:
        lose_step(s, able[0], "16.3", out)
    elif able:
        s.push(Lose(side, able))
