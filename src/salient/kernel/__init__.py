"""The kernel: actions, frames, state, engine, dice, records. It knows no unit, no hex and no phase."""

from salient.kernel.dice import Dice, Roller, ScriptedDice, SeededDice, TypedDice, VerifiedDice
from salient.kernel.engine import actor, candidates, legal, settle, step, why_not
from salient.kernel.frames import CHANCE, OVER, AnyFrame, AutoFrame, ChanceFrame, Frame, GameOver, Seat
from salient.kernel.game import AnyGame, Game, GameListing, Option, Result, Scenario
from salient.kernel.judge import Judge
from salient.kernel.messages import Event, Illegal, NotYourTurn, Prompt, Refusal, SalientError, Unreadable
from salient.kernel.notation import Action, Names, Notation, Numbers, OneOf, Words
from salient.kernel.orders import Order, Plan, Plans
from salient.kernel.record import Record
from salient.kernel.session import Session
from salient.kernel.state import State
from salient.kernel.typed import MoreDice, dice_needed, typed_roll

__all__ = [
    "CHANCE",
    "OVER",
    "Action",
    "AnyFrame",
    "AnyGame",
    "AutoFrame",
    "ChanceFrame",
    "Dice",
    "Event",
    "Frame",
    "Game",
    "GameListing",
    "GameOver",
    "Illegal",
    "Judge",
    "MoreDice",
    "Names",
    "NotYourTurn",
    "Notation",
    "Numbers",
    "OneOf",
    "Option",
    "Order",
    "Plan",
    "Plans",
    "Prompt",
    "Record",
    "Refusal",
    "Result",
    "Roller",
    "SalientError",
    "Scenario",
    "ScriptedDice",
    "Seat",
    "SeededDice",
    "Session",
    "State",
    "TypedDice",
    "Unreadable",
    "VerifiedDice",
    "Words",
    "actor",
    "candidates",
    "dice_needed",
    "legal",
    "settle",
    "step",
    "typed_roll",
    "why_not",
]
