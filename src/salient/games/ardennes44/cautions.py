"""Ardennes '44: what an order would cost, said beforehand (7.4, 20.5, 23.1, 30.1.2)."""

from __future__ import annotations

from salient.common.sides import GERMAN
from salient.common.stacks import on_map, put, units_at
from salient.games.ardennes44.bridges import refuse_charge
from salient.games.ardennes44.charges import bridges_attacked
from salient.games.ardennes44.disengagement import refuse_disengagement
from salient.games.ardennes44.model import ArdennesState
from salient.games.ardennes44.strengths import Battle
from salient.games.ardennes44.supply import is_supplied, traces
from salient.hexes.masks import bits
from salient.hexes.sets import UnitId
from salient.kernel import Refusal


def of_move(s: ArdennesState, u: UnitId, to: int) -> list[Refusal]:
    """Supply left behind, a victory hex left empty."""
    here, found = s.where[u], []
    if here >= s.ground.hexes or to >= s.ground.hexes or here == to:
        return []
    after = s.clone()
    put(after, u, to)
    if traces(s, u) and not traces(after, u):
        found.append(Refusal("23.1", "would-leave-supply", unit=u))
    mine = bool(s.held >> here & 1) == (s.units.side[u] == GERMAN)
    if mine and s.ground.victory >> here & 1 and not units_at(after, here):
        found.append(Refusal("30.1.2", "would-leave-empty", hex=here))
    return found


def of_attack(s: ArdennesState, b: Battle) -> list[Refusal]:
    """Bridges that the defender may blow before the attack."""
    bridges = tuple(i for i in bridges_attacked(s, b) if refuse_charge(s, 1 - b.side, i) is None)
    return [Refusal("7.4", "may-lose-bridges", bridges=bridges)] if bridges else []


def of_moves_ended(s: ArdennesState, side: int) -> list[Refusal]:
    """Units that will be out of supply."""
    cut = tuple(u for u in s.units.of_side[side] if on_map(s, u) and is_supplied(s, u) and not traces(s, u))
    return [Refusal("23.1", "ends-unsupplied", units=cut)] if cut else []


def of_fights_ended(s: ArdennesState, side: int) -> list[Refusal]:
    """Engaged units that could still try to get away."""
    stay = tuple(u for u in bits(s.engaged & s.units.side_mask[side]) if refuse_disengagement(s, u) is None)
    return [Refusal("20.5", "ends-engaged", units=stay)] if stay else []
