"""Target Arnhem: what an order would cost, said beforehand (3.5, 7.5, 9.1)."""

from __future__ import annotations

from salient.common.sides import ALLIED
from salient.games.target_arnhem.model import STACKING_LIMIT, ArnhemState, put, units_at
from salient.games.target_arnhem.supply import is_supplied
from salient.hexes.sets import UnitId
from salient.kernel import Refusal


def of_move(s: ArnhemState, u: UnitId, to: int) -> list[Refusal]:
    """A hex too full, supply left behind, Arnhem left empty."""
    found = []
    if to < s.ground.hexes and len([x for x in units_at(s, to, s.units.side[u]) if x != u]) >= STACKING_LIMIT:
        found.append(Refusal("3.5", "would-overstack", hex=to))
    after = s.clone()
    put(after, u, to)
    if s.where[u] < s.ground.waiting and is_supplied(s, u) and not is_supplied(after, u):
        found.append(Refusal("7.5", "would-leave-supply", unit=u))
    if (
        s.units.side[u] == ALLIED
        and s.where[u] == s.ground.arnhem != to
        and not units_at(after, s.ground.arnhem, ALLIED)
    ):
        found.append(Refusal("9.1", "would-leave-empty", hex=s.ground.arnhem))
    return found


def of_ending(s: ArnhemState, side: int) -> list[Refusal]:
    """Hexes too full, and units that will starve."""
    hexes = sorted({s.where[u] for u in s.units.of_side[side] if s.where[u] < s.ground.hexes})
    crowded = tuple(h for h in hexes if len(units_at(s, h, side)) > STACKING_LIMIT)
    hungry = tuple(u for u in s.units.of_side[side] if s.where[u] < s.ground.hexes and not is_supplied(s, u))
    return [
        *([Refusal("3.5", "ends-overstacked", hexes=crowded)] if crowded else []),
        *([Refusal("7.5", "ends-unsupplied", units=hungry)] if hungry else []),
    ]
