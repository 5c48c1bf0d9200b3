"""Battle of the Bulge: what an order would cost, said beforehand (6.5, 9.1)."""

from __future__ import annotations

from salient.games.bulge.components import COMBAT_KINDS
from salient.games.bulge.model import BulgeState, count, fighting, owned
from salient.games.bulge.supply import can_pay
from salient.hexes.masks import bits
from salient.hexes.sets import HexId
from salient.kernel import Refusal


def of_move(s: BulgeState, side: int, here: HexId, to: HexId, n: int) -> list[Refusal]:
    """A hex for which no token can pay, a city left empty."""
    found = []
    if can_pay(s, side, here) and not can_pay(s, side, to):
        found.append(Refusal("6.5", "would-leave-supply", hex=to))
    held = here in s.ground.points and owned(s, side) >> here & 1
    if held and n == sum(count(s, side, kind, here) for kind in COMBAT_KINDS):
        found.append(Refusal("9.1", "would-leave-empty", hex=here))
    return found


def of_ending(s: BulgeState, side: int) -> list[Refusal]:
    """Hexes with combat units for which no token can pay."""
    poor = tuple(h for h in bits(fighting(s, side)) if not can_pay(s, side, h))
    return [Refusal("6.5", "ends-unsupplied", hexes=poor)] if poor else []
