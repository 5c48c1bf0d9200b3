"""The Deadly Woods: what is done in an action round: movement, then combat. Rules 10.2, 10.6.1, 11.1, 14.4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from salient.common.bars import Bar, Bars, allowed, refusal
from salient.common.fields import BridgeSet
from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import occupied, on_map, present, units_at
from salient.games.deadly_woods.combat import Attack, attackers, refuse_attacker, refuse_fighter, refuse_target, targets
from salient.games.deadly_woods.components import ARMOR, Ground
from salient.games.deadly_woods.entering import blow, enter
from salient.games.deadly_woods.model import WoodsState, kind_of, set_lost
from salient.games.deadly_woods.movement import (
    abandons_tanks,
    after_path,
    destinations,
    destinations_by,
    door_keepers,
    emergency_ways,
    going_on,
    infiltrations,
    led,
    may_infiltrate,
    path,
    reached,
    refuse_destination,
    single_steps,
    slips,
    waypoints,
    ways,
)
from salient.games.deadly_woods.stacking import Stacking, barred_by_engineers, shared
from salient.games.deadly_woods.supply import is_supplied
from salient.games.deadly_woods.ways import Way, Ways
from salient.games.deadly_woods.zones import next_to
from salient.hexes.masks import bits, mask_of, units_of
from salient.hexes.sets import NO_UNITS, Group, UnitId, UnitSet
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.messages import Sink

ENGINEER_RANGE = 3  # hexes [10.6.1]

# ---- a round begins and ends -----------------------------------------------------------------------


def clear_round(s: WoodsState) -> None:
    """Forget all that belongs to one round."""
    s.active = s.fighters = s.done = s.moved = s.fought = s.attacked = s.stacked = s.arrived = NO_UNITS
    s.demolished = 0
    s.left = -1


def note_stacks(s: WoodsState, side: int) -> None:
    """Note the units that begin the movement stacked: they have no road rate [10.4.1]."""
    s.stacked = units_of(u for h in bits(shared(s, side)) for u in units_at(s, h))


def units_on_map(s: WoodsState, side: int) -> UnitSet:
    """A side's units on the map, as unit bits."""
    return present(s) & s.units.side_mask[side]


def armor_of(s: WoodsState, units: UnitSet) -> UnitSet:
    """The armoured units among some, as unit bits."""
    return units_of(u for u in bits(units) if kind_of(s, u) == ARMOR)


@dataclass(frozen=True, slots=True)
class EndRound(AutoFrame[WoodsState]):
    """Allied guns are ready again after every round [12.3]."""

    def run(self, s: WoodsState, out: Sink) -> None:
        for a in s.assets.guns[ALLIED]:
            if s.asset[a] == s.ground.used:
                s.asset[a] = s.ground.box
        clear_round(s)
        s.pop()


def push_movement(s: WoodsState, side: int, units: UnitSet, demolitions: bool = False) -> None:
    """Let units move, then enforce stacking [6.2]."""
    s.push(Stacking(side))
    push_moves(s, side, units, demolitions)


def push_moves(s: WoodsState, side: int, units: UnitSet, demolitions: bool = False) -> None:
    """Let units move."""
    s.active = units
    note_stacks(s, side)
    s.push(Movement(side, demolitions, False))


def push_combat(s: WoodsState, side: int, units: UnitSet, only_still: bool = False) -> None:
    """Let units attack, or only those that have not moved."""
    s.fighters = units
    s.push(Fighting(side, only_still))


# ---- 10.2 Movement --------------------------------------------------------------------------------------


def _without_capacity(s: WoodsState, units: UnitSet) -> UnitSet:
    return units_of(u for u in bits(units & s.units.slow) if s.units.values[u][s.lost[u]][2] == 0)


def _next_to_enemy(s: WoodsState, units: UnitSet) -> UnitSet:
    side, near = s.units.side, [next_to(s.ground, occupied(s, enemy)) for enemy in (ALLIED, GERMAN)]
    return units_of(u for u in bits(units) if near[1 - side[u]] >> s.where[u] & 1)


def _unsupplied(s: WoodsState, units: UnitSet) -> UnitSet:
    return units_of(u for u in bits(units) if not is_supplied(s, u))


MOVE_BARS: Bars[WoodsState] = (
    Bar("10.1", "not-on-map", lambda s, units: units & ~present(s)),
    Bar("14.1", "not-activated", lambda s, units: units & ~s.active),
    Bar("10.2.1", "moved-already", lambda s, units: units & s.done),
    Bar("10.1", "no-capacity", _without_capacity),
)
STEP_BARS: Bars[WoodsState] = (
    *MOVE_BARS,
    Bar("14.4", "next-to-enemy", _next_to_enemy),
    Bar("14.4", "step-needs-supply", _unsupplied),
)


def refuse_mover(s: WoodsState, u: UnitId, one_hex: bool) -> Refusal | None:
    """Why a unit cannot move in this round."""
    return refusal(s, u, STEP_BARS if one_hex else MOVE_BARS)


def movers(s: WoodsState, side: int, one_hex: bool) -> list[UnitId]:
    """The units that may be selected to move, ascending."""
    if s.left == 0:
        return []
    return bits(allowed(s, s.active & s.units.side_mask[side], STEP_BARS if one_hex else MOVE_BARS))


@dataclass(frozen=True, slots=True)
class Movement(AutoFrame[WoodsState]):
    """Asks for one unit after another as long as any may move or any bridge may be blown; the side ends it itself."""

    side: int
    demolitions: bool
    one_hex: bool

    def run(self, s: WoodsState, out: Sink) -> None:
        frame = Select(self.side, self.demolitions, self.one_hex)
        begun = (s.moved | s.done) & s.units.side_mask[self.side]
        if begun or movers(s, self.side, self.one_hex) or frame.charges(s):
            s.push(frame)
        else:
            s.pop()


@dataclass(frozen=True, slots=True)
class Select(SideFrame[WoodsState]):
    """A side picks the unit that moves next, blows a bridge with engineers, or ends its movement."""

    demolitions: bool
    one_hex: bool

    def charges(self, s: WoodsState) -> list[tuple[int, int]]:
        """(engineers, bridge) pairs that may be blown [10.6.1, 12.4.3]."""
        return demolitions(s) if self.demolitions else []

    def legal(self, s: WoodsState) -> list[Action]:
        selections: list[Action] = [("select", u) for u in movers(s, self.side, self.one_hex)]
        return [*(("demolish", a, bridge) for a, bridge in self.charges(s)), ("pass",), *selections]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        match action:
            case ("demolish", int(a), int(bridge)):
                s.demolished |= 1 << a
                blow(s, bridge, "12.4.3", out)
            case ("select", UnitId(u)):
                s.push(MoveUnit(self.side, u, self.one_hex))
            case _:
                s.pop()  # the movement beneath

    def prompt(self, s: WoodsState) -> Prompt:
        units = tuple(movers(s, self.side, self.one_hex))
        if self.one_hex:
            return Prompt("14.4", "select-armor-step", units=units)
        return Prompt("10.2", "select-mover", units=units)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        match action:
            case ("select", UnitId(u)) if s.units.side[u] != self.side:
                return [Refusal("10.2", "not-your-unit", unit=u)]
            case ("select", UnitId(u)):
                return [refuse_mover(s, u, self.one_hex) or Refusal("14.3.1", "no-activation-left", unit=u)]
            case ("demolish", int(a), int(bridge)):
                return [refuse_demolition(s, a, bridge) or Refusal("10.6.1", "no-demolition-now")]
        return [Refusal("10.2", "select-first")]


@dataclass(frozen=True, slots=True)
class MoveUnit(SideFrame[WoodsState]):
    """The unit in hand moves, is led over a waypoint, stays for this round, or is laid down again."""

    unit: UnitId
    one_hex: bool

    def places(self, s: WoodsState) -> Sequence[int]:
        """Where the unit may go."""
        return single_steps(s, self.unit) if self.one_hex else destinations(s, self.unit)

    def path_to(self, s: WoodsState, to: int) -> list[int]:
        """The way that the unit takes to a place."""
        return [s.where[self.unit], to] if self.one_hex else path(s, self.unit, to, ways(s, self.unit))

    def legal(self, s: WoodsState) -> list[Action]:
        u = self.unit
        via: list[Action] = [] if self.one_hex else [("via", u, h) for h in waypoints(s, u, ways(s, u))]
        others: list[Action] = [("select", x) for x in movers(s, self.side, self.one_hex) if x != u]
        return [*others, ("cancel",), *self.candidates(s), *via]

    def candidates(self, s: WoodsState) -> list[Action]:
        u = self.unit
        if self.one_hex:
            return _moves(s, u, single_steps(s, u))
        options = ways(s, u)
        places = destinations_by(s, u, options)
        moves = _moves(s, u, places)
        if may_infiltrate(s, u):
            tricks = sorted({*slips(s, u), *infiltrations(s, u, options)})
            return [*(("infiltrate", u, h) for h in tricks), *moves, *self._withdrawals(s, options, places)]
        return [*moves, *self._withdrawals(s, options, places)]

    def _withdrawals(self, s: WoodsState, options: Ways, places: list[int]) -> list[Action]:
        if places or not options:
            return []
        return [("withdraw", self.unit, door, to) for door, to in emergency_ways(s, self.unit)]

    def draft(self, s: WoodsState) -> tuple[Action, ...]:
        return (("select", self.unit),)

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        u = self.unit
        match action:
            case ("cancel",):
                return  # the movement beneath asks again
            case ("select", UnitId(other)):
                s.push(MoveUnit(self.side, other, self.one_hex))
                return
        s.done |= 1 << u
        match action:
            case ("move", int(), int(to)) if to == s.where[u]:
                out("10.2.1", "stays", unit=u, hex=to)
            case ("move", int(), int(to)):
                way = self.path_to(s, to)
                begin_move(s, u, out)
                walk(s, u, way, "10.2", out, rebuilds=not self.one_hex)
            case ("withdraw", int(), int(door), int(to)):
                keepers = door_keepers(s, u, door)
                begin_move(s, u, out)
                walk(s, u, [s.where[u], door, to], "10.3", out)
                hold_door(s, self.side, keepers)
            case (verb, int(), int(to)):
                options, slipping = ways(s, u), verb == "infiltrate" and to in slips(s, u)
                begin_move(s, u, out)
                lead(s, u, to, () if slipping else options, verb == "infiltrate", out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("10.2", "move-unit", unit=self.unit)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        u = self.unit
        match action:
            case ("move" | "via", UnitId(x), int(to)) if x == u and self.one_hex:
                return [Refusal("14.4", "one-hex-only", unit=u)]
            case ("via", UnitId(x), int(to)) if x == u and to in self.places(s):
                return [Refusal("7.3", "must-stop-there", unit=u, hex=to)]
            case ("move" | "via", UnitId(x), int(to)) if x == u:
                return [refuse_destination(s, u, to)]
            case ("select", UnitId(x)) if x != u and s.units.side[x] == self.side:
                return [refuse_mover(s, x, self.one_hex) or Refusal("14.3.1", "no-activation-left", unit=x)]
        return [Refusal("10.2.1", "move-or-cancel", unit=u)]


def _moves(s: WoodsState, u: UnitId, places: Sequence[int]) -> list[Action]:
    """The moves to some places, and to stay."""
    return [("move", u, h) for h in sorted((*places, s.where[u]))]


def begin_move(s: WoodsState, u: UnitId, out: Sink) -> None:
    """Note that a unit has moved in this round; German armour without supply leaves its tanks behind [8.3]."""
    s.moved |= 1 << u
    if s.left > 0:
        s.left -= 1
    if abandons_tanks(s, u):
        set_lost(s, u, s.units.steps[u] - 1)
        out("8.3", "abandons-tanks", unit=u)


def walk(s: WoodsState, u: UnitId, way: list[int], rule: str, out: Sink, rebuilds: bool = True) -> None:
    """Bring a unit along a way."""
    out(rule, "moves", unit=u, hex_from=way[0], hex_to=way[-1], hexes=tuple(way))
    enter(s, u, way, out, rebuilds)


def lead(s: WoodsState, u: UnitId, to: int, options: Ways, infiltrates: bool, out: Sink) -> None:
    """Lead a unit to a waypoint and leave it under way, or slip into a zone by the trick of 150th Brigade [7.3]."""
    way = led(s, u, to, options)
    left = after_path(s, u, way, options)
    walk(s, u, way, "7.3" if infiltrates else "10.2", out)
    if infiltrates:
        s.infiltrated = 1
    else:
        left = going_on(s, u, left)
    if left:
        s.push(UnderWay(s.units.side[u], u, left))


@dataclass(frozen=True, slots=True)
class UnderWay(SideFrame[WoodsState]):
    """A unit has been led to a waypoint and goes on with what it has left, or ends its move."""

    unit: UnitId
    ways: tuple[tuple[bool, int, bool, bool], ...]

    @property
    def options(self) -> Ways:
        """How the unit may go on."""
        return tuple(Way(*way) for way in self.ways)

    def path_to(self, s: WoodsState, to: int) -> list[int]:
        """The way that the unit takes to a place."""
        return path(s, self.unit, to, self.options) if to != s.where[self.unit] else [to]

    def legal(self, s: WoodsState) -> list[Action]:
        u = self.unit
        return [*self.candidates(s), *(("via", u, h) for h in waypoints(s, u, self.options))]

    def candidates(self, s: WoodsState) -> list[Action]:
        u = self.unit
        tricks: list[Action] = [("infiltrate", u, h) for h in infiltrations(s, u, self.options)]
        moves = _moves(s, u, reached(s, u, self.options))
        may_end = not barred_by_engineers(s, u) >> s.where[u] & 1  # it may pass them, not stop there [6.1]
        return [*tricks, *(moves if may_end else [move for move in moves if move[2] != s.where[u]])]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        u, to = self.unit, int(action[2])
        if action[0] != "move":
            lead(s, u, to, self.options, action[0] == "infiltrate", out)
        elif to != s.where[u]:
            walk(s, u, self.path_to(s, to), "10.2", out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("10.2", "go-on", unit=self.unit)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        u = self.unit
        match action:
            case ("via", UnitId(x), int(to)) if x == u and to in reached(s, u, self.options):
                return [Refusal("7.3", "must-stop-there", unit=u, hex=to)]
            case ("move", UnitId(x), int(to)) if x == u and to == s.where[u]:
                return [Refusal("6.1", "two-corps")]
            case ("move" | "via", UnitId(x), int(to)) if x == u:
                return [refuse_destination(s, u, to)]
        return [Refusal("10.2.1", "finish-move-first", unit=u)]


def hold_door(s: WoodsState, side: int, keepers: Group) -> None:
    """Exactly one unit that can hold the door open stays in this round: one that stays anyway, the only one, or one
    that the owner names [10.3]."""
    waiting = movers(s, side, False)
    if not set(keepers) <= set(waiting):
        return
    if len(keepers) == 1:
        s.done |= 1 << keepers[0]
    else:
        s.push(HoldDoor(side, keepers))


@dataclass(frozen=True, slots=True)
class HoldDoor(SideFrame[WoodsState]):
    """The owner names the unit that has held the door open and does not move in this round [10.3]."""

    keepers: Group

    def legal(self, s: WoodsState) -> list[Action]:
        return [("hold", u) for u in self.keepers]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        s.done |= 1 << int(action[1])
        out("10.3", "holds-door", unit=int(action[1]))

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("10.3", "hold-door", units=self.keepers)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        if action[0] == "hold":
            return [Refusal("10.3", "not-at-the-door", unit=int(action[1]))]
        return [Refusal("10.3", "hold-first")]


# ---- 10.6.1, 12.4.3 Engineers blow bridges ----------------------------------------------------------------


def refuse_demolition(s: WoodsState, a: int, bridge: int) -> Refusal | None:
    """Why engineers cannot blow a bridge: within three hexes, with an Allied unit on one of its banks, once a round."""
    if a not in s.assets.engineers or s.asset[a] >= s.ground.hexes:
        return Refusal("12.4.3", "engineers-not-there", asset=a)
    if s.demolished >> a & 1:
        return Refusal("12.4.3", "engineers-done", asset=a)
    if s.blown >> bridge & 1:
        return Refusal("10.6.1", "blown-already", bridge=bridge)
    if not bridges_near(s.ground, s.asset[a]) >> bridge & 1:
        return Refusal("12.4.3", "bridge-too-far", asset=a, bridge=bridge)
    if not guarded(s, 1 << bridge):
        return Refusal("12.4.3", "bridge-unguarded", bridge=bridge)
    return None


@cache
def bridges_near(ground: Ground, h: int) -> BridgeSet:
    """The bridges within the range of engineers in a hex, as bits."""
    return mask_of(i for i, banks in enumerate(ground.banks) if banks & ground.within[h][ENGINEER_RANGE])


def guarded(s: WoodsState, bridges: BridgeSet) -> list[int]:
    """Those of some bridges that have an Allied unit on one of their banks, ascending."""
    allies, banks = occupied(s, ALLIED), s.ground.banks
    return [i for i in bits(bridges) if banks[i] & allies]


def demolitions(s: WoodsState) -> list[tuple[int, int]]:
    """(engineers, bridge) pairs, ascending."""
    ground, asset = s.ground, s.asset
    ready = [a for a in s.assets.engineers if asset[a] < ground.hexes and not s.demolished >> a & 1]
    return [(a, bridge) for a in ready for bridge in guarded(s, bridges_near(ground, asset[a]) & ~s.blown)]


# ---- 11.1 Combat ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fighting(AutoFrame[WoodsState]):
    """Asks for one combat after another as long as any is possible."""

    side: int
    only_still: bool

    def run(self, s: WoodsState, out: Sink) -> None:
        if self.only_still:
            s.fighters &= ~s.moved
            s.swap(Fighting(self.side, False))
        if s.fought & s.units.side_mask[self.side] or targets(s, self.side):
            s.push(Fight(self.side))
        else:
            s.pop()


@dataclass(frozen=True, slots=True)
class Fight(SideFrame[WoodsState]):
    """A side names the hex that it attacks next, or ends its combats."""

    def legal(self, s: WoodsState) -> list[Action]:
        return [*(("attack", h) for h in targets(s, self.side)), ("pass",)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "pass":
            s.pop()  # the combats beneath
            return
        h = int(action[1])
        s.push(Attack(self.side, h, attackers(s, self.side, h), ()))

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("11.1", "choose-combat", hexes=tuple(targets(s, self.side)))

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        if action[0] != "attack":
            return [Refusal("11.1", "attack-or-pass")]
        h = int(action[1])
        return [refuse_target(s, self.side, h) or self._nobody(s, h)]

    def _nobody(self, s: WoodsState, h: int) -> Refusal:
        near = [u for u in s.units.of_side[self.side] if on_map(s, u) and s.ground.touching[h] >> s.where[u] & 1]
        reasons = [refuse_fighter(s, u) or refuse_attacker(s, u, h) for u in near]
        return next((r for r in reasons if r), Refusal("11.1", "nobody-adjacent", hex=h))
