"""Ardennes '44: bridges and depots that are blown before an attack (7.4, 7.7, 32.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.stacks import on_map, units_at
from salient.games.ardennes44.bridges import DemolitionDie, burn_depot, demolish, refuse_charge, sappers, warn_commando
from salient.games.ardennes44.entering import OurenDie, depot_hexes, look_at_ouren, shown_depot
from salient.games.ardennes44.model import ArdennesState
from salient.games.ardennes44.results import BattleFrame
from salient.games.ardennes44.strengths import Battle
from salient.games.ardennes44.support import ask_support
from salient.hexes.masks import mask_of
from salient.kernel import Action, Prompt, Refusal, Seat
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

DEPOT_CHARGE = 2  # added in a German combat phase, so that 1 and 2 destroy it [32.3]


# ---- 7.4, 7.7, 32.3 Bridges and charges ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OurenAttack(OurenDie, BattleFrame):
    """An attack over the bridge of Ouren [7.7]."""

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if look_at_ouren(s, int(action[1]), out):
            offer_charges(s, self.battle, -1, out)
        else:
            s.push(CallOff(self.battle, -1))


def bridges_attacked(s: ArdennesState, b: Battle) -> list[int]:
    """The intact bridges over which a combat is fought, ascending [7.4]."""
    pairs = {(s.where[u], b.hex) for u in b.units if on_map(s, u)}
    return sorted({s.ground.bridge[p] for p in pairs if p in s.ground.bridge and not s.blown >> s.ground.bridge[p] & 1})


def offer_charges(s: ArdennesState, b: Battle, after: int, out: Sink) -> None:
    """The defender may blow the bridges over which he is attacked, those after a number, and a depot [7.4, 32.3]."""
    bridges = [i for i in bridges_attacked(s, b) if i > after and refuse_charge(s, 1 - b.side, i) is None]
    if bridges:
        s.push(BlowBridge(b, bridges[0]))
    elif b.side == GERMAN and shown_depot(s, b.hex) and not b.left:
        s.push(BlowDepot(b))
    else:
        ask_support(s, b, True, out)


@dataclass(frozen=True, slots=True)
class BlowBridge(BattleFrame):
    """The defender may blow a bridge before the attack, by night too; to decline is no attempt [7.2, 7.4, 25.3.6]."""

    bridge: int

    def actor(self, s: ArdennesState) -> Seat:
        return SEATS[1 - self.side]

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("blow", self.bridge), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "blow":
            s.bridges_tried |= 1 << self.bridge
            s.push(ChargeRoll(self.battle, self.bridge))
            warn_commando(s, 1 - self.side, self.bridge)
        else:
            offer_charges(s, self.battle, self.bridge, out)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("7.4", "blow-before-attack", bridge=self.bridge)

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        return [Refusal("7.4", "blow-or-pass", bridge=self.bridge)]


@dataclass(frozen=True, slots=True)
class ChargeRoll(DemolitionDie, BattleFrame):
    """A bridge is blown before an attack over it."""

    bridge: int

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if demolish(s, sappers(s, 1 - self.side, self.bridge), self.bridge, int(action[1]), out, enemy_turn=True):
            s.push(CallOff(self.battle, self.bridge))
        else:
            offer_charges(s, self.battle, self.bridge, out)


@dataclass(frozen=True, slots=True)
class CallOff(BattleFrame):
    """With the bridge gone the attacker may call his attack off [7.4, 7.7, 14.4]."""

    bridge: int  # the last one at which the defender was asked
    roles: ClassVar[Mapping[str, str]] = {}  # what is called off is not taken back

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("cancel",), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "cancel":
            self._take_back(s)
            out("14.4", "attack-called-off", hex=self.hex)
        else:
            offer_charges(s, self.battle, self.bridge, out)

    def _take_back(self, s: ArdennesState) -> None:
        """An attack that was called off was none; units that broke through have attacked before."""
        if not self.battle.breakthrough:
            s.fought &= ~mask_of((*self.battle.units, *self.battle.followers))
            s.attacked &= ~mask_of(u for u in units_at(s, self.hex) if not s.retreated >> u & 1)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("14.4", "call-off", hex=self.hex)

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        return [Refusal("14.4", "cancel-or-pass", hex=self.hex)]


@dataclass(frozen=True, slots=True)
class BlowDepot(BattleFrame):
    """The Allies may set fire to a depot that is attacked [32.3]."""

    def actor(self, s: ArdennesState) -> Seat:
        return SEATS[ALLIED]

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("burn", self.hex), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "burn":
            s.push(BurnRoll(self.battle))
        else:
            ask_support(s, self.battle, True, out)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("32.3", "burn-depot", hex=self.hex)

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        return [Refusal("32.3", "burn-or-pass", hex=self.hex)]


@dataclass(frozen=True, slots=True)
class BurnRoll(DieFrame[ArdennesState], BattleFrame):
    """Does the depot burn?"""

    def purpose(self, s: ArdennesState) -> str:
        return "depot"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("32.3", "roll-depot", hex=self.hex)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        burn_depot(s, self.hex, int(action[1]), DEPOT_CHARGE, out)
        if units_at(s, self.hex) or depot_hexes(s) >> self.hex & 1:
            ask_support(s, self.battle, True, out)
