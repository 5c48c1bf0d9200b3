"""Target Arnhem: what an order would cost, said beforehand (3.5, 7.5, 9.1)."""

from __future__ import annotations

from salient.common.sides import ALLIED
from salient.games.target_arnhem.model import (
    ARNHEM,
    HEXES,
    SIDE,
    SIDE_UNITS,
    STACKING_LIMIT,
    WAITING,
    ArnhemState,
    put,
    units_at,
)
from salient.games.target_arnhem.supply import is_supplied
from salient.kernel import Refusal


def of_move(s: ArnhemState, u: int, to: int) -> list[Refusal]:
    """A hex too full, supply left behind, Arnhem left empty."""
    found = []
    if to < HEXES and len([x for x in units_at(s, to, SIDE[u]) if x != u]) >= STACKING_LIMIT:
        found.append(Refusal("3.5", "would-overstack", hex=to))
    after = s.clone()
    put(after, u, to)
    if s.where[u] < WAITING and is_supplied(s, u) and not is_supplied(after, u):
        found.append(Refusal("7.5", "would-leave-supply", unit=u))
    if SIDE[u] == ALLIED and s.where[u] == ARNHEM != to and not units_at(after, ARNHEM, ALLIED):
        found.append(Refusal("9.1", "would-leave-empty", hex=ARNHEM))
    return found


def of_ending(s: ArnhemState, side: int) -> list[Refusal]:
    """Hexes too full, and units that will starve."""
    hexes = sorted({s.where[u] for u in SIDE_UNITS[side] if s.where[u] < HEXES})
    crowded = tuple(h for h in hexes if len(units_at(s, h, side)) > STACKING_LIMIT)
    hungry = tuple(u for u in SIDE_UNITS[side] if s.where[u] < HEXES and not is_supplied(s, u))
    return [
        *([Refusal("3.5", "ends-overstacked", hexes=crowded)] if crowded else []),
        *([Refusal("7.5", "ends-unsupplied", units=hungry)] if hungry else []),
    ]
