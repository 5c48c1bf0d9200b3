"""Ardennes '44: 15.6 the Allied air support of a turn, and 35, Operation Bodenplatte."""

from __future__ import annotations

from dataclasses import dataclass

from salient.games.ardennes44.components import roll
from salient.games.ardennes44.model import BODENPLATTE, ArdennesState
from salient.kernel import Action, Prompt
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

# ---- 15.6 Air support ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AirRoll(DieFrame[ArdennesState]):
    """Half a die of air support, rounded up; less once the Luftwaffe has struck [15.6.1, 15.6.2, 35]."""

    def purpose(self, s: ArdennesState) -> str:
        return "air-support"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("15.6.2", "roll-air")

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        die = int(action[1])
        s.air = (max(1, die - luftwaffe_strikes(s)) + 1) // 2
        out("15.6.2", "air-support", n_die=die, n=s.air)


def luftwaffe_strikes(s: ArdennesState) -> int:
    """1 from the turn of Operation Bodenplatte on, as a die modifier [35]."""
    return int(bool(s.rules & BODENPLATTE) and 0 < s.bodenplatte <= s.turn)


# ---- 35 Operation Bodenplatte --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BodenplatteRoll(DieFrame[ArdennesState]):
    """When does the Luftwaffe strike, if at all [35]?"""

    def purpose(self, s: ArdennesState) -> str:
        return "bodenplatte"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("35", "roll-bodenplatte")

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        s.bodenplatte = int(roll(s.tables, "bodenplatte", int(action[1])))
        out("35", "bodenplatte-on" if s.bodenplatte else "bodenplatte-off", n_die=int(action[1]), n=s.bodenplatte)
