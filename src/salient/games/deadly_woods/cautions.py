"""The Deadly Woods: what an order would cost, said beforehand (3.5, 6.2, 8.1, 10.6.1)."""

from __future__ import annotations

from salient.common.sides import GERMAN
from salient.common.stacks import on_map, units_at
from salient.games.deadly_woods.combat import Battle, bridges_attacked
from salient.games.deadly_woods.model import WoodsState
from salient.games.deadly_woods.stacking import crowded_hexes, refuse_joining
from salient.games.deadly_woods.supply import has_fuel, is_supplied, traces
from salient.hexes.masks import bits
from salient.hexes.sets import UnitId
from salient.kernel import Refusal


def _fed(s: WoodsState, u: UnitId) -> bool:
    """Whether a unit would be in supply if that were looked at now [8.1]."""
    return traces(s, u) or has_fuel(s, u) or (s.units.side[u] != GERMAN and is_supplied(s, u))


def of_move(s: WoodsState, u: UnitId, to: int, after: WoodsState) -> list[Refusal]:
    """A hex too full, supply left behind, a victory hex left empty; `after` is the position that a move leads to."""
    here, found = s.where[u], []
    if refuse_joining(s, u, to):
        found.append(Refusal("6.2", "would-overstack", hex=to))
    if on_map(s, u) and on_map(after, u) and _fed(s, u) and not _fed(after, u):
        found.append(Refusal("8.1", "would-leave-supply", unit=u))
    mine = bool(s.german_held >> here & 1) == (s.units.side[u] == GERMAN) if here < s.ground.hexes else False
    if mine and s.ground.victory >> here & 1 and to != here and not units_at(after, here):
        found.append(Refusal("3.5", "would-leave-empty", hex=here))
    return found


def of_attack(s: WoodsState, b: Battle) -> list[Refusal]:
    """Bridges that a defender that holds may blow."""
    bridges = tuple(bits(bridges_attacked(s, b)))
    return [Refusal("10.6.1", "may-lose-bridges", bridges=bridges)] if bridges else []


def of_ending(s: WoodsState, side: int) -> list[Refusal]:
    """Hexes too full, and units that will be out of supply."""
    crowded = crowded_hexes(s, side)
    fed = [u for u in s.units.of_side[side] if on_map(s, u) and u != s.units.delay and is_supplied(s, u)]
    cut = tuple(u for u in fed if not _fed(s, u))
    return [
        *([Refusal("6.2", "ends-overstacked", hexes=crowded)] if crowded else []),
        *([Refusal("8.1", "ends-unsupplied", units=cut)] if cut else []),
    ]
