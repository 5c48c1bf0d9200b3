"""Battle of the Bulge: supply tokens and how they are paid. Rules 4.8, 6.5, 7.3 and 8.2."""

from __future__ import annotations

from salient.games.bulge.components import SUPPLY
from salient.games.bulge.model import BulgeState, around, change_base, count, owned, present, put, stores
from salient.hexes.masks import bits
from salient.hexes.sets import HexId, HexSet
from salient.kernel import Refusal
from salient.kernel.messages import Sink

# ---- 6.5, 7.3 Who can pay ---------------------------------------------------------------------


def refuse_payer(s: BulgeState, side: int, h: HexId, payer: HexId) -> Refusal | None:
    """Why a token in a hex cannot pay for an attack or movement of a hex."""
    if payer >= s.ground.hexes or not count(s, side, SUPPLY, payer):
        return Refusal("6.5", "no-supply-there", place=payer)
    if payer == h:
        return None
    if not s.ground.around[h] >> payer & 1:
        return Refusal("6.5", "supply-too-far", hex=payer)
    if not owned(s, side) >> payer & 1:
        return Refusal("6.5", "supply-behind-enemy-front", hex=payer)
    if present(s, 1 - side) >> payer & 1:
        return Refusal("6.5", "supply-among-enemies", hex=payer)
    return None


def lenders(s: BulgeState, side: int) -> HexSet:
    """The hexes whose tokens can pay for the hexes next to them, as bits; any token pays for its own hex."""
    return stores(s, side) & owned(s, side) & ~present(s, 1 - side)


def payers(s: BulgeState, side: int, h: HexId) -> list[HexId]:
    """The hexes whose tokens can pay for a hex, ascending."""
    return bits(s.ground.around[h] & lenders(s, side) | 1 << h & stores(s, side))


def payable(s: BulgeState, side: int) -> HexSet:
    """The hexes for which some token can pay, as bits."""
    return stores(s, side) | around(s.ground, lenders(s, side))


def can_pay(s: BulgeState, side: int, h: HexId) -> bool:
    """Whether some token can pay for a hex."""
    return bool(payable(s, side) >> h & 1)


# ---- paying --------------------------------------------------------------------------------------


def spend(s: BulgeState, side: int, payer: HexId, out: Sink) -> None:
    """Take a token out of a hex and the game."""
    put(s, side, SUPPLY, payer, -1)
    out("6.5", "supply-paid", hex=payer)


# ---- 8.2 New supply ---------------------------------------------------------------------------------


def receive(s: BulgeState, side: int, out: Sink) -> None:
    """Each turn's tokens are laid off the board; trucks must bring them in."""
    change_base(s, side, SUPPLY, s.tables.supply_a_turn[side])
    out("8.2", "supply-received", word_side=("axis", "allied")[side], n_tokens=s.tables.supply_a_turn[side])
