"""Ardennes '44: one unit in hand or under way: it moves, marches, enters or leaves the map, or stays (11.1)."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import on_map, put, units_at
from salient.games.ardennes44.components import roll
from salient.games.ardennes44.entering import OurenRoll, enter, needs_ouren
from salient.games.ardennes44.leaving import exits, leaving
from salient.games.ardennes44.marches import (
    march_reach,
    march_stops,
    march_way,
    refuse_march,
    refuse_towing,
    share_marker,
    tow_reaches,
    tows,
)
from salient.games.ardennes44.model import ArdennesState, leave_map, set_march
from salient.games.ardennes44.movement import (
    UNMOVED,
    Stops,
    Walk,
    all_of,
    ends,
    first_of,
    infiltrations,
    movers_on_map,
    moves,
    must_make_room,
    must_withdraw,
    reaches,
    refuse_destination,
    refuse_mover,
    route,
    step_beside,
    walked,
    waypoints,
)
from salient.games.ardennes44.reinforcements import (
    DropRoll,
    drop_zones,
    engineer_towns,
    entered,
    entries,
    entry_reaches,
    refuse_station,
    ride_reach,
    stations,
    waiting,
)
from salient.games.ardennes44.ways import NEVER, Reach
from salient.games.ardennes44.zones import british_are_held
from salient.hexes.masks import bits
from salient.hexes.sets import UnitId, UnitSet
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

ONE_POINT = 2  # half points [25.3.5]
RULES = {"march": "12.1", "tow": "22.3", "enter": "13.1", "ride": "13.1"}
MODE_RULES = {"sauer": "29.3", "tactical": "11.3"}


def movers(s: ArdennesState, side: int) -> UnitSet:
    """The units that may be selected to move."""
    return movers_on_map(s, side) | waiting(s, side)


def refuse_selecting(s: ArdennesState, side: int, u: UnitId) -> Refusal:
    """Why a unit cannot be taken up."""
    if s.units.side[u] != side:
        return Refusal("11.1", "not-your-unit", unit=u)
    return refuse_mover(s, u) or Refusal("11.1", "cannot-move-now", unit=u)


# ---- where a unit can be led ---------------------------------------------------------------------------


def manners(s: ArdennesState, u: UnitId, walk: Walk) -> Stops:
    """All manners of moving that are open to a unit, each with the hexes in which it may end, as bits."""
    if on_map(s, u):
        plain, march = [*reaches(s, u, walk), *tow_reaches(s, u, walk)], march_reach(s, u, walk)
    else:
        plain, march = entry_reaches(s, u), ride_reach(s, u)
    found = [(reach, ends(s, u, reach)) for reach in plain]
    return [*found, *marches(s, u, march)]


def marches(s: ArdennesState, u: UnitId, march: Reach | None) -> Stops:
    """Where a march or ride may end, if there is one."""
    return [(march, march_stops(s, u, march))] if march else []


def way_to(s: ArdennesState, u: UnitId, walk: Walk, verb: str, to: int) -> tuple[Reach, list[int]]:
    """What a unit uses to go to a hex or box by a verb, and the way on the map."""
    match verb:
        case "leave":
            reach, edge = leaving(s, u, reaches(s, u, walk), march_reach(s, u, walk))[to]
            return reach, route(s, u, reach, edge)
        case "via":
            found = manners(s, u, walk)
            if step := step_beside(s, u, found, to):
                return step, [s.where[u], to]
            reach, _ = waypoints(found, s.where[u])[to]
        case "march" | "ride":
            march = march_reach(s, u, walk) if verb == "march" else ride_reach(s, u)
            assert march is not None
            reach = march
        case "exit":
            reach = exits(s, u, reaches(s, u, walk), march_reach(s, u, walk))[to]
        case "enter" | "tow":
            reach = first_of(entries(s, u) if verb == "enter" else tows(s, u, walk), to)
        case "infiltrate":
            reach = infiltrations(s, u, walk)[to]
        case _:
            there = [reach for reach in reaches(s, u, walk) if reach.hexes & s.ground.bit[to]]
            reach = first_of(moves(s, u, walk, there, among=s.ground.bit[to]), to)
    return reach, route(s, u, reach, to)


# ---- one unit ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MoveUnit(SideFrame[ArdennesState]):
    """A unit in hand, which may be laid down again, or under way: `so_far` is then its walk."""

    unit: UnitId
    so_far: tuple[int, ...] = ()

    @property
    def walk(self) -> Walk:
        """How the unit has come so far."""
        return Walk(*self.so_far) if self.so_far else UNMOVED

    def draft(self, s: ArdennesState) -> tuple[Action, ...]:
        return () if self.so_far else (("select", self.unit),)

    def legal(self, s: ArdennesState) -> list[Action]:
        u = self.unit
        onward: list[Action] = [("via", u, h) for h in waypoints(manners(s, u, self.walk), s.where[u])]
        if self.so_far:
            return [*self._goes(s, False), *onward]
        others: list[Action] = [("select", x) for x in bits(movers(s, self.side)) if x != u]
        return [("cancel",), *self._goes(s, False), *others, *self._stays(s), *onward]

    def candidates(self, s: ArdennesState) -> list[Action]:
        found = [*self._goes(s, True), *([] if self.so_far else self._stays(s))]
        return found or self._goes(s, False)

    def _goes(self, s: ArdennesState, roomy: bool) -> list[Action]:
        """The hexes and boxes in which it may end, and other ways to go on."""
        u, walk = self.unit, self.walk
        if not on_map(s, u):
            return self._comes(s, roomy)
        plain, march = reaches(s, u, walk), march_reach(s, u, walk)
        return [
            *[("exit", u, h) for h in exits(s, u, plain, march)],
            *[("infiltrate", u, h) for h in infiltrations(s, u, walk)],
            *[("leave", u, place) for place in leaving(s, u, plain, march)],
            *[("march", u, h) for h in bits(all_of(marches(s, u, march)))],
            *[("move", u, h) for h in bits(all_of(moves(s, u, walk, plain, roomy)))],
            *[("tow", u, h) for h in bits(all_of(tows(s, u, walk, roomy)))],
        ]

    def _comes(self, s: ArdennesState, roomy: bool) -> list[Action]:
        """The ways onto the map, and between boxes."""
        u = self.unit
        return [
            *[("deploy", u, h) for h in engineer_towns(s, u)],
            *[("enter", u, h) for h in bits(all_of(entries(s, u, roomy)))],
            *[("land", u, h) for h in drop_zones(s, u)],
            *[("ride", u, h) for h in bits(all_of(marches(s, u, ride_reach(s, u))))],
            *[("station", u, place) for place in stations(s, u)],
        ]

    def _stays(self, s: ArdennesState) -> list[Action]:
        return [] if on_map(s, self.unit) and refuse_staying(s, self.unit) else [("stay", self.unit)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        u = self.unit
        match action:
            case ("cancel",):
                pass
            case ("select", UnitId(other)):
                s.push(MoveUnit(self.side, other))
            case ("stay", int()):
                s.done |= 1 << u
            case ("deploy", int(), int(to)):
                out("13.2.1", "deployed", unit=u, hex=to)
                s.moved |= 1 << u
                s.sites |= 1 << to
                enter(s, u, [to], out)
            case ("land", int(), int(to)):
                s.push(DropRoll(to))
            case ("station", int(), int(to)):
                self._station(s, to, out)
            case (str(verb), int(), int(to)):
                self._go(s, verb, to, out)

    def _station(self, s: ArdennesState, to: int, out: Sink) -> None:
        u = self.unit
        s.done |= 1 << u
        s.moved |= 1 << u
        if s.units.artillery[u]:
            s.fired |= 1 << u
        put(s, u, to)
        out("13.5", "stationed", unit=u, place=to)

    def _go(self, s: ArdennesState, verb: str, to: int, out: Sink) -> None:
        """Follow the way to a hex or box; if a die for Ouren comes first, its owner then chooses again [7.7]."""
        u = self.unit
        reach, path = way_to(s, u, self.walk, verb, to)
        if needs_ouren(s, self.side, path):
            s.push(*([self] if self.so_far else []), OurenRoll())
            return
        if not self.so_far:
            share_marker(s, u)
        match verb:
            case "via" | "infiltrate":
                self._lead(s, verb, path, out)
            case "exit" | "leave":
                self._leave(s, reach, path, to, out)
            case _:
                self._end(s, reach, path, out)

    def _lead(self, s: ArdennesState, verb: str, path: list[int], out: Sink) -> None:
        u = self.unit
        walk = _walked(s, u, self.walk, path)
        if verb == "infiltrate":
            s.push(DisguiseRoll(self.side, u, tuple(walk._replace(hexes=NEVER, road=NEVER, masked=1))))
        else:
            s.push(MoveUnit(self.side, u, tuple(walk)))
        _tell(s, u, path, "27.8.2" if verb == "infiltrate" else "11.1", out)
        enter(s, u, path, out)

    def _end(self, s: ArdennesState, reach: Reach, path: list[int], out: Sink) -> None:
        u, marching = self.unit, reach.mode == "march"
        came_in = not on_map(s, u) or self.walk.began >= s.ground.hexes
        if (
            s.units.artillery[u]
            and self.side == ALLIED
            and (came_in or marching or self.walk.hexes + len(path) - 1 > 1)
        ):
            s.fired |= 1 << u  # 13.3, 22.1
        s.sauer |= reach.mode == "sauer"
        s.tractor |= (reach.verb == "tow") << u
        if came_in or reach.mode != "normal" or reach.verb == "tow" or reach.cost(path[-1]) > ONE_POINT:
            s.far |= 1 << u
        _tell(s, u, path, RULES.get(reach.verb, MODE_RULES.get(reach.mode, "11.1")), out)
        enter(s, u, path, out)
        finish(s, u, marching)

    def _leave(self, s: ArdennesState, reach: Reach, path: list[int], to: int, out: Sink) -> None:
        u, marching = self.unit, reach.mode == "march"
        enter(s, u, path, out)
        if s.units.artillery[u] and (marching or self.walk.hexes + len(path) > 1):
            s.fired |= 1 << u  # more than one hex [22.1]
        finish(s, u, marching and self.side == ALLIED)
        if self.side == GERMAN:
            s.exits |= 1 << to
            leave_map(s, u, s.ground.antwerp)
            out("11.9.3", "exits", unit=u, hex=to)
        else:
            leave_map(s, u, to)
            out("11.9.1", "leaves", unit=u, place=to)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("11.1", "lead-unit" if self.so_far else "move-unit", unit=self.unit)

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        u = self.unit
        match action:
            case ("select", UnitId(x)) if x != u and not self.so_far:
                return [refuse_selecting(s, self.side, x)]
            case ("stay", UnitId(x)) if x == u and not self.so_far:
                return [refuse_staying(s, u) or Refusal("11.1", "cannot-move-now", unit=u)]
            case (str(verb), UnitId(x), int(to)) if x == u:
                if refusal := self._refuse_way(s, verb, to):
                    return [refusal]
        return [Refusal("11.1", "finish-move-first", unit=u)]

    def _refuse_way(self, s: ArdennesState, verb: str, to: int) -> Refusal | None:
        u = self.unit
        match verb:
            case "infiltrate" if u != s.units.brigade_150 or s.exposed == 2:
                return Refusal("27.8.2", "no-disguise", unit=u)
            case "move" | "infiltrate" | "via" if on_map(s, u):
                if verb == "via" and to == s.where[u]:
                    return Refusal("11.1", "is-there", unit=u, hex=to)
                return refuse_destination(s, u, to, self.walk)
            case "march":
                refusal = refuse_march(s, u) if not self.so_far else None
                return refusal or Refusal("12.2", "no-march-there", unit=u, hex=to)
            case "tow":
                return refuse_towing(s, u) or refuse_destination(s, u, to, self.walk)
            case "enter" | "ride" | "deploy" | "land" | "via":
                return Refusal("13.2.1" if s.units.engineer[u] else "13.1", "no-entry-there", unit=u, hex=to)
            case "exit" if self.side == GERMAN:
                return Refusal("11.9.3", "no-exit-there", unit=u, hex=to)
            case "leave" | "station":
                return self._refuse_leaving(s, verb, to)
        return None

    def _refuse_leaving(self, s: ArdennesState, verb: str, to: int) -> Refusal | None:
        u = self.unit
        if self.side == GERMAN:
            return Refusal("11.9.2", "germans-stay-on-map", unit=u)
        if verb == "leave" and british_are_held(s, u):
            return Refusal("27.3.1", "british-stay-on-map", unit=u)
        if verb == "leave" and on_map(s, u):
            return Refusal("11.9.1", "no-way-to-box", unit=u, place=to)
        return refuse_station(s, u, to)


def refuse_staying(s: ArdennesState, u: UnitId) -> Refusal | None:
    """Why a unit on the map that may move cannot stay where it is [8.3, 18.3]."""
    if s.order[u] and must_withdraw(s, u):
        return Refusal("18.3", "withdraw-first", units=(u,))
    if len(units_at(s, s.where[u])) > 1 and must_make_room(s, u):
        return Refusal("8.3", "make-room-first", hex=s.where[u])
    return None


def _walked(s: ArdennesState, u: UnitId, walk: Walk, path: list[int]) -> Walk:
    """The walk after a further stretch, the one that leads onto the map included."""
    if not on_map(s, u):
        return entered(s, u, path)
    marches = march_reach(s, u, walk) is not None
    return walked(s, u, walk, path, march_way(s, u) if marches else None)


def _tell(s: ArdennesState, u: UnitId, path: list[int], rule: str, out: Sink) -> None:
    """Say which way a unit goes, if it goes any further."""
    if not on_map(s, u):
        out("13.1", "enters", unit=u, hex_from=path[0], hex_to=path[-1], hexes=tuple(path))
    elif len(path) > 1:
        out(rule, "moves", unit=u, hex_from=path[0], hex_to=path[-1], hexes=tuple(path))


def finish(s: ArdennesState, u: UnitId, marching: bool) -> None:
    """A unit has ended its move."""
    s.done |= 1 << u
    s.moved |= 1 << u
    set_march(s, u, marching)


@dataclass(frozen=True, slots=True)
class DisguiseRoll(DieFrame[ArdennesState]):
    """Do the sentries take 150th Brigade for Americans [27.8.2]?"""

    side: int
    unit: UnitId
    so_far: tuple[int, ...]

    def purpose(self, s: ArdennesState) -> str:
        return "disguise"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("27.8.2", "roll-disguise", unit=self.unit)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        success = roll(s.tables, "skorzeny", int(action[1])) == "success"
        s.exposed = 1 if success else 2
        out("27.8.2", "disguise-holds" if success else "disguise-fails", n_die=int(action[1]), unit=self.unit)
        if success:
            s.push(MoveUnit(self.side, self.unit, self.so_far))
        else:
            s.far |= 1 << self.unit
            finish(s, self.unit, False)
