"""Salient: hex-and-counter wargames of the Western Front, 1944, with every rule enforced.

import random, salient
game = salient.load("target-arnhem")
s = game.new()
while salient.actor(s) != salient.OVER:
    action = random.choice(salient.legal(s))
    s = salient.step(s, action)
print(game.result(s))
"""

from salient.games import games, load
from salient.kernel import (
    CHANCE,
    OVER,
    Illegal,
    NotYourTurn,
    Record,
    ScriptedDice,
    SeededDice,
    Session,
    TypedDice,
    Unreadable,
    VerifiedDice,
    actor,
    legal,
    step,
    why_not,
)

__all__ = [
    "CHANCE",
    "OVER",
    "Illegal",
    "NotYourTurn",
    "Record",
    "ScriptedDice",
    "SeededDice",
    "Session",
    "TypedDice",
    "Unreadable",
    "VerifiedDice",
    "actor",
    "games",
    "legal",
    "load",
    "step",
    "why_not",
]
