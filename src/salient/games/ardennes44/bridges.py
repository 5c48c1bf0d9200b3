"""Ardennes '44: chapter 7, bridges, and the demolition of depots (32.3)."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import occupied, units_at
from salient.games.ardennes44.components import roll
from salient.games.ardennes44.entering import NO_DEPOT, SHOWN, set_depot
from salient.games.ardennes44.model import COMMANDO, COMMANDO_GONE, COMMANDO_WAITS, ROUTED, ArdennesState
from salient.games.ardennes44.supply import road_network
from salient.games.ardennes44.zones import bonds, crosses_bond, next_to, zone
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import Group
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

FIRST_DEMOLITIONS = 3  # turn [7.6]
GREIF_UNTIL, GREIF_HELP = 7, 2  # turn, die modifier [36]
DISORDER, ENEMY_TURN = 2, 1  # die modifiers [7.5]

# ---- 7.2 to 7.6 Demolition ------------------------------------------------------------------------------


def sappers(s: ArdennesState, side: int, bridge: int) -> Group:
    """The units within a hex of a bridge that can blow it: not routed, not marching [7.3, 7.6]."""
    friends, enemies = occupied(s, side), occupied(s, 1 - side)
    hexes = friends & s.ground.bridge_near[bridge]
    if not hexes:
        return ()
    enemy = bonds(s, 1 - side)
    linked = hexes & s.ground.bridge_banks[bridge]
    for bank in s.ground.bridges[bridge]:
        if not enemies & s.ground.bit[bank]:
            linked |= mask_of(h for h in bits(hexes & s.ground.touching[bank]) if not crosses_bond(enemy, h, bank))
    riding = s.march | s.tractor
    return tuple(
        sorted(u for h in bits(linked) for u in units_at(s, h) if s.order[u] != ROUTED and not riding >> u & 1)
    )


def refuse_demolition(s: ArdennesState, side: int, bridge: int) -> Refusal | None:
    """Why a side cannot try to blow a bridge in its bridge phase [7.2, 7.3, 7.6]."""
    if s.blown >> bridge & 1:
        return Refusal("7.2", "blown-already", bridge=bridge)
    if s.turn < FIRST_DEMOLITIONS:
        return Refusal("7.6", "no-demolition-yet", bridge=bridge)
    if s.bridges_tried >> bridge & 1:
        return Refusal("7.2", "tried-already", bridge=bridge)
    if not occupied(s, 1 - side) & s.ground.bridge_near[bridge]:
        return Refusal("7.3", "no-enemy-near", bridge=bridge)
    return None if sappers(s, side, bridge) else Refusal("7.3", "nobody-near", bridge=bridge)


def demolitions(s: ArdennesState, side: int) -> list[int]:
    """The bridges that a side may try to blow in its bridge phase, ascending."""
    friends, enemies = occupied(s, side), occupied(s, 1 - side)
    contested = [i for i, near in enumerate(s.ground.bridge_near) if enemies & near and friends & near]
    return [i for i in contested if refuse_demolition(s, side, i) is None]


def refuse_charge(s: ArdennesState, side: int, bridge: int) -> Refusal | None:
    """Why a side cannot blow a bridge over which it is attacked [7.4, 7.6]."""
    if s.turn < FIRST_DEMOLITIONS:
        return Refusal("7.6", "no-demolition-yet", bridge=bridge)
    if s.bridges_tried >> bridge & 1:
        return Refusal("7.2", "tried-already", bridge=bridge)
    return None if sappers(s, side, bridge) else Refusal("7.3", "nobody-near", bridge=bridge)


def demolition_modifier(s: ArdennesState, units: Group, bridge: int, enemy_turn: bool) -> int:
    """What is added to the die: the enemy's turn, disorder or engagement, a commando [7.5, 36]."""
    disorder = all(s.order[u] or s.engaged >> u & 1 for u in units)
    greif = GREIF_HELP if s.greif == bridge else 0
    return (ENEMY_TURN if enemy_turn else 0) + (DISORDER if disorder else 0) + greif


def demolish(s: ArdennesState, units: Group, bridge: int, die: int, out: Sink, enemy_turn: bool = False) -> bool:
    """Roll for a bridge; a commando that hides at it is used up, and what blew up is not looked at [7.2, 7.7, 36]."""
    added = demolition_modifier(s, units, bridge, enemy_turn)
    if s.greif == bridge:
        s.greif = COMMANDO_GONE
    blown = roll(s.tables, "demolition", die + added) == "blown"
    if blown:
        s.blown |= 1 << bridge
        s.ouren |= bridge == s.ground.ouren
    rule = "7.4" if enemy_turn else "7.2"
    out(rule, "bridge-blown" if blown else "bridge-stands", bridge=bridge, n_die=die, n_added=added)
    return blown


# ---- 36 The Greif commando ------------------------------------------------------------------------------------


def refuse_commando(s: ArdennesState, side: int, bridge: int) -> Refusal | None:
    """Why the German cannot place his commando at a bridge now [36]."""
    if side != GERMAN or not s.rules & COMMANDO or s.greif != COMMANDO_WAITS or s.turn >= GREIF_UNTIL:
        return Refusal("36", "no-commando", bridge=bridge)
    return Refusal("36", "blown-already", bridge=bridge) if s.blown >> bridge & 1 else None


def commandos(s: ArdennesState, side: int) -> list[Action]:
    """The placements of the commando that a side may make now, in any of its own phases."""
    if not s.rules & COMMANDO:
        return []
    return [("commando", i) for i in range(len(s.ground.bridges)) if refuse_commando(s, side, i) is None]


def place_commando(s: ArdennesState, bridge: int, out: Sink) -> None:
    """A commando hides at a bridge."""
    s.greif = bridge
    out("36", "commando-placed", bridge=bridge)


def warn_commando(s: ArdennesState, side: int, bridge: int) -> None:
    """Before a side rolls to blow a bridge, its enemy may still place his commando there."""
    if refuse_commando(s, 1 - side, bridge) is None:
        s.push(SendCommando(1 - side, bridge))


@dataclass(frozen=True, slots=True)
class SendCommando(SideFrame[ArdennesState]):
    """The enemy lights his fuses: the German may place his commando at that bridge before the die."""

    bridge: int

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("commando", self.bridge), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "commando":
            place_commando(s, self.bridge, out)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("36", "send-commando", bridge=self.bridge)

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        return [Refusal("36", "commando-or-pass", bridge=self.bridge)]


# ---- 7.8, 7.9 Building ---------------------------------------------------------------------------------------


def can_build(s: ArdennesState, side: int, bridge: int) -> bool:
    """Whether a side meets both conditions: safe banks and a road in supply [7.8]."""
    enemies, friends, zoc = occupied(s, 1 - side), occupied(s, side), zone(s, 1 - side)
    safe = all(not enemies >> h & 1 and (friends >> h & 1 or not zoc >> h & 1) for h in s.ground.bridges[bridge])
    return safe and bool(s.ground.bridge_banks[bridge] & road_network(s, side))


def refuse_building(s: ArdennesState, side: int, bridge: int) -> Refusal | None:
    """Why a side cannot begin to rebuild a bridge."""
    if not s.blown >> bridge & 1 or s.building >> bridge & 1:
        return Refusal("7.8", "nothing-to-build", bridge=bridge)
    return None if can_build(s, side, bridge) else Refusal("7.8", "cannot-build", bridge=bridge)


def just_begun(s: ArdennesState, side: int) -> list[int]:
    """The bridges whose rebuilding a side has begun in this phase, ascending: what was begun before is finished."""
    own = s.builders if side == GERMAN else ~s.builders
    return [i for i in bits(s.building & own) if i not in s.ground.prepared_bridges or s.turn >= 2]


def finish_bridges(s: ArdennesState, side: int, out: Sink) -> None:
    """Bridges begun a turn ago are finished or given up; the prepared ones are German [7.8, 7.9]."""
    for i in bits(s.building):
        owner = s.builders >> i & 1
        if owner != side or (i in s.ground.prepared_bridges and s.turn < 2):
            continue
        s.building &= ~(1 << i)
        s.builders &= ~(1 << i)
        if can_build(s, side, i):
            s.blown &= ~(1 << i)
            out("7.8", "bridge-built", bridge=i)
        else:
            out("7.8", "bridge-given-up", bridge=i)


# ---- 7.1 The bridge phase --------------------------------------------------------------------------------------


def begin_bridges(s: ArdennesState, side: int, out: Sink) -> None:
    """Finish what was begun, then ask the side."""
    s.bridges_tried = 0
    finish_bridges(s, side, out)
    s.push(BridgePhase(side))


@dataclass(frozen=True, slots=True)
class BridgePhase(AutoFrame[ArdennesState]):
    """Asks as long as anything can be built or blown."""

    side: int

    def run(self, s: ArdennesState, out: Sink) -> None:
        if len(Bridging(self.side).legal(s)) > 1:
            s.push(Bridging(self.side))
        else:
            s.pop()


@dataclass(frozen=True, slots=True)
class Bridging(SideFrame[ArdennesState]):
    """A side blows bridges, begins to rebuild them, burns a depot or places its commando."""

    def legal(self, s: ArdennesState) -> list[Action]:
        actions: list[Action] = [("blow", i) for i in demolitions(s, self.side)]
        actions += [("build", i) for i in bits(s.blown) if refuse_building(s, self.side, i) is None]
        actions += [("burn", h) for h in burnable(s)] if self.side == ALLIED else []
        actions += commandos(s, self.side)
        return [*actions, *(("unbuild", i) for i in just_begun(s, self.side)), ("pass",)]

    def candidates(self, s: ArdennesState) -> list[Action]:
        return [action for action in self.legal(s) if action[0] != "unbuild"]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        match action:
            case ("blow", int(i)):
                s.bridges_tried |= 1 << i
                s.push(DemolitionRoll(self.side, i))
                warn_commando(s, self.side, i)
            case ("build", int(i)):
                s.building |= 1 << i
                s.builders = s.builders | 1 << i if self.side == GERMAN else s.builders & ~(1 << i)
                out("7.8", "bridge-begun", bridge=i)
            case ("unbuild", int(i)):
                s.building &= ~(1 << i)
                s.builders &= ~(1 << i)
                out("7.8", "bridge-not-begun", bridge=i)
            case ("burn", int(h)):
                s.push(DepotRoll(h))
            case ("commando", int(i)):
                place_commando(s, i, out)
            case _:
                s.pop()  # the phase beneath

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("7.1", "bridge-phase")

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        match action:
            case ("blow", int(i)):
                return [refuse_demolition(s, self.side, i) or Refusal("7.3", "nobody-near", bridge=i)]
            case ("build", int(i)):
                return [refuse_building(s, self.side, i) or Refusal("7.8", "cannot-build", bridge=i)]
            case ("unbuild", int(i)):
                return [Refusal("7.8", "bridge-not-just-begun", bridge=i)]
            case ("burn", int(h)):
                return [Refusal("32.3", "no-depot-to-burn", hex=h)]
            case ("commando", int(i)):
                return [refuse_commando(s, self.side, i) or Refusal("36", "no-commando", bridge=i)]
        return [Refusal("7.1", "bridges-first")]


class DemolitionDie(DieFrame[ArdennesState]):
    """Does the bridge go up?"""

    __slots__ = ()
    bridge: int

    def purpose(self, s: ArdennesState) -> str:
        return "demolition"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("7.2", "roll-demolition", bridge=self.bridge)


@dataclass(frozen=True, slots=True)
class DemolitionRoll(DemolitionDie):
    """A bridge is blown in the bridge phase."""

    side: int
    bridge: int

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        demolish(s, sappers(s, self.side, self.bridge), self.bridge, int(action[1]), out)


# ---- 32.3 Depots ------------------------------------------------------------------------------------------------


def burnable(s: ArdennesState) -> list[int]:
    """Depots in Allied hands with a German next to them, ascending."""
    near = next_to(s.ground, occupied(s, GERMAN)) if s.depot_tried < s.turn else 0
    return [h for h, depot in zip(s.ground.depot_hexes, s.depots, strict=False) if depot == SHOWN and near >> h & 1]


def burn_depot(s: ArdennesState, h: int, die: int, added: int, out: Sink) -> None:
    """Roll for a depot, as for a bridge."""
    burnt = roll(s.tables, "demolition", die + added) == "blown"
    if burnt:
        set_depot(s, h, NO_DEPOT)
    out("32.3", "depot-burnt" if burnt else "depot-stands", hex=h, n_die=die)


@dataclass(frozen=True, slots=True)
class DepotRoll(DieFrame[ArdennesState]):
    """Does the depot burn?"""

    hex: int

    def purpose(self, s: ArdennesState) -> str:
        return "depot"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("32.3", "roll-depot", hex=self.hex)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        s.depot_tried = s.turn
        burn_depot(s, self.hex, int(action[1]), 0, out)
