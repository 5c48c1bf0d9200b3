"""The Deadly Woods: the unit in hand, which moves, is led over waypoints, or holds a door. Rules 10.2, 10.3, 7.3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from salient.common.sides import SideFrame
from salient.games.deadly_woods.entering import enter
from salient.games.deadly_woods.model import WoodsState, set_lost
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
    movers,
    path,
    reached,
    refuse_destination,
    refuse_mover,
    single_steps,
    slips,
    waypoints,
    ways,
)
from salient.games.deadly_woods.stacking import barred_by_engineers
from salient.games.deadly_woods.ways import Way, Ways
from salient.hexes.sets import Group, UnitId
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.messages import Sink


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
