"""Battle of the Bulge: supply tokens and how they are paid. Rules 4.8, 6.5, 7.3 and 8.2."""

from __future__ import annotations

from dataclasses import dataclass

from salient.games.bulge.model import (
    AROUND,
    HEXES,
    SUPPLY,
    SUPPLY_A_TURN,
    BulgeState,
    change_base,
    count,
    owned,
    present,
    put,
    seat_of,
)
from salient.hexes.masks import bits
from salient.kernel import Action, Frame, Prompt, Refusal, Seat
from salient.kernel.messages import Sink

# ---- 6.5, 7.3 Who can pay ---------------------------------------------------------------------


def refuse_payer(s: BulgeState, side: int, h: int, payer: int) -> Refusal | None:
    """Why a token in a hex cannot pay for an attack or movement of a hex."""
    if payer >= HEXES or not count(s, side, SUPPLY, payer):
        return Refusal("6.5", "no-supply-there", place=payer)
    if payer == h:
        return None
    if not AROUND[h] >> payer & 1:
        return Refusal("6.5", "supply-too-far", hex=payer)
    if not owned(s, side) >> payer & 1:
        return Refusal("6.5", "supply-behind-enemy-front", hex=payer)
    if present(s, 1 - side) >> payer & 1:
        return Refusal("6.5", "supply-among-enemies", hex=payer)
    return None


def payers(s: BulgeState, side: int, h: int) -> list[int]:
    """The hexes whose tokens can pay for a hex, ascending."""
    row = (side * 5 + SUPPLY) * HEXES
    near = AROUND[h] & owned(s, side) & ~present(s, 1 - side) | 1 << h
    return [payer for payer in bits(near) if s.ground[row + payer]]


def can_pay(s: BulgeState, side: int, h: int) -> bool:
    """Whether some token can pay for a hex."""
    return bool(payers(s, side, h))


# ---- paying --------------------------------------------------------------------------------------


def charge(s: BulgeState, side: int, h: int, out: Sink) -> None:
    """Take a token for a hex: at once if it can come from one hex only, otherwise the owner chooses."""
    able = payers(s, side, h)
    if len(able) == 1:
        spend(s, side, able[0], out)
    else:
        s.push(Pay(side, h))


def spend(s: BulgeState, side: int, payer: int, out: Sink) -> None:
    """Take a token out of a hex and the game."""
    put(s, side, SUPPLY, payer, -1)
    out("6.5", "supply-paid", hex=payer)


@dataclass(frozen=True, slots=True)
class Pay(Frame):
    """The owner chooses the hex that pays a token."""

    side: int
    hex: int

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        return [("pay", payer) for payer in payers(s, self.side, self.hex)]

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        s.pop()
        spend(s, self.side, int(action[1]), out)

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("6.5", "choose-payer", hex=self.hex, hexes=tuple(payers(s, self.side, self.hex)))

    def why_not(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("pay", int(payer)):
                refusal = refuse_payer(s, self.side, self.hex, payer)
                return [refusal] if refusal else []
        return [Refusal("6.5", "pay-first", hex=self.hex)]


# ---- 8.2 New supply ---------------------------------------------------------------------------------


def receive(s: BulgeState, side: int, out: Sink) -> None:
    """Each turn's tokens are laid off the board; trucks must bring them in."""
    change_base(s, side, SUPPLY, SUPPLY_A_TURN[side])
    out("8.2", "supply-received", word_side=("axis", "allied")[side], n_tokens=SUPPLY_A_TURN[side])
