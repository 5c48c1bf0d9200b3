"""The dice of stored games: verified, typed, of three parties, or rolled by the server."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence

from salient.kernel import Dice, SeededDice, TypedDice, VerifiedDice
from salient.kernel.record import dice_binding, write_pairs
from salient.kernel.shared_dice import Cast, Chain, SharedDice
from salient.server.store import GameRow


class ServerDice(SeededDice):
    """Dice rolled by the server that nobody can foresee, for imported games whose secret is elsewhere."""

    def __init__(self) -> None:
        self.random: random.Random = secrets.SystemRandom()


def dice_for(row: GameRow, seats: Sequence[str]) -> Dice:
    """The dice of a stored game."""
    if row.dice == "verified":
        return VerifiedDice(row.dice_name, bytes.fromhex(row.secret or ""))
    if row.dice == "typed":
        return TypedDice()
    if row.dice == "shared":
        return shared_dice_for(row, seats)
    return ServerDice()


def shared_dice_for(row: GameRow, seats: Sequence[str]) -> SharedDice:
    """Dice of three parties: the server's secret, and what the players have shown of their chains."""
    header = {"name": row.dice_name, "game": row.game, "scenario": row.scenario, "options": write_pairs(row.options)}
    header["seats"] = write_pairs((row.terms or {}).get("names", {}))
    dice = SharedDice(dice_binding(header), bytes.fromhex(row.secret or ""), seats)
    kept = row.chains or {}
    for seat, roles in kept.get("chains", {}).items():
        dice.chains[seat] = {role: Chain.read(text) for role, text in roles.items()}
    dice.casts = [Cast(*cast) for cast in kept.get("casts", ())]
    dice.used |= kept.get("used", {})
    dice.void |= kept.get("void", {})
    return dice
