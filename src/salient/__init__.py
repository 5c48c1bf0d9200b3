"""Salient: hex-and-counter wargames of the Western Front, 1944, with every rule enforced.

import random, salient
game = salient.load("target-arnhem")
s = game.new()
while salient.actor(s) != salient.OVER:
    action = random.choice(salient.candidates(s))
    s = salient.step(s, action)
print(game.result(s))
"""

from typing import Any

from salient.games import game_ids, load
from salient.kernel import (
    CHANCE,
    OVER,
    Illegal,
    NotYourTurn,
    Record,
    ScriptedDice,
    SeededDice,
    Session,
    State,
    TypedDice,
    Unreadable,
    VerifiedDice,
    actor,
    candidates,
    legal,
    step,
    why_not,
)
from salient.kernel.messages import Message, use_words

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
    "candidates",
    "game_ids",
    "legal",
    "load",
    "step",
    "why_not",
]


def _as_picture(shown: Any) -> str:
    """How notebooks show positions and records: the map with its counters (`salient.svg`)."""
    from salient import svg

    return svg.board(shown) if isinstance(shown, State) else svg.record(shown)


def _in_english(message: Message) -> str:
    """What an error prints for whoever has chosen no language: the sentence of the English catalog."""
    from salient.text.say import say

    return say(None, message, "en")


use_words(_in_english)
State._repr_svg_ = Record._repr_svg_ = _as_picture  # type: ignore[attr-defined]
