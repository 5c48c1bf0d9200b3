"""The Deadly Woods: what is done in an action round: movement, then combat. Rule 14.4."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.sides import ALLIED
from salient.common.stacks import present, units_at
from salient.games.deadly_woods.combat import (
    Fighting,
)
from salient.games.deadly_woods.components import ARMOR
from salient.games.deadly_woods.model import WoodsState, kind_of
from salient.games.deadly_woods.movement_phase import Movement
from salient.games.deadly_woods.stacking import Stacking, shared
from salient.hexes.masks import bits, units_of
from salient.hexes.sets import NO_UNITS, UnitSet
from salient.kernel import AutoFrame
from salient.kernel.messages import Sink

# ---- a round begins and ends -----------------------------------------------------------------------


def clear_round(s: WoodsState) -> None:
    """Forget all that belongs to one round."""
    s.active = s.fighters = s.done = s.moved = s.fought = s.attacked = s.stacked = s.arrived = NO_UNITS
    s.demolished = 0
    s.left = -1


def note_stacks(s: WoodsState, side: int) -> None:
    """Note the units that begin the movement stacked: they have no road rate [10.4.1]."""
    s.stacked = units_of(u for h in bits(shared(s, side)) for u in units_at(s, h))


def units_on_map(s: WoodsState, side: int) -> UnitSet:
    """A side's units on the map, as unit bits."""
    return present(s) & s.units.side_mask[side]


def armor_of(s: WoodsState, units: UnitSet) -> UnitSet:
    """The armoured units among some, as unit bits."""
    return units_of(u for u in bits(units) if kind_of(s, u) == ARMOR)


@dataclass(frozen=True, slots=True)
class EndRound(AutoFrame[WoodsState]):
    """Allied guns are ready again after every round [12.3]."""

    def run(self, s: WoodsState, out: Sink) -> None:
        for a in s.assets.guns[ALLIED]:
            if s.asset[a] == s.ground.used:
                s.asset[a] = s.ground.box
        clear_round(s)
        s.pop()


def push_movement(s: WoodsState, side: int, units: UnitSet, demolitions: bool = False) -> None:
    """Let units move, then enforce stacking [6.2]."""
    s.push(Stacking(side))
    push_moves(s, side, units, demolitions)


def push_moves(s: WoodsState, side: int, units: UnitSet, demolitions: bool = False) -> None:
    """Let units move."""
    s.active = units
    note_stacks(s, side)
    s.push(Movement(side, demolitions, False))


def push_combat(s: WoodsState, side: int, units: UnitSet, only_still: bool = False) -> None:
    """Let units attack, or only those that have not moved."""
    s.fighters = units
    s.push(Fighting(side, only_still))
