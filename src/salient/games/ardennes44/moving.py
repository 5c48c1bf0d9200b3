"""Ardennes '44: the movement phase (11.1) with all that is done in it, by day and by night (25.3, 31)."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import occupied, on_map, put, units_at
from salient.games.ardennes44.bridges import commandos, place_commando, refuse_commando
from salient.games.ardennes44.entering import OurenRoll, clear_overrun, enter, needs_ouren
from salient.games.ardennes44.model import (
    ANTWERP,
    ARTILLERY,
    BODENPLATTE,
    BRIGADE_150,
    ENGINEER,
    GREEN,
    HEXES,
    INFILTRATION,
    MORALE,
    SIDE,
    SIDE_MASK,
    SIDE_UNITS,
    ArdennesState,
    clear_weather,
    is_mechanized,
    is_pm,
    leave_map,
    roll,
    set_march,
    turns_of,
)
from salient.games.ardennes44.movement import (
    destinations,
    exits,
    infiltrations,
    is_peiper_at_night,
    leaving,
    march_destinations,
    marches,
    must_withdraw,
    path_in,
    refuse_destination,
    refuse_loading,
    refuse_march,
    refuse_mover,
    refuse_towing,
    route,
    tactical,
    tows,
    way_of,
)
from salient.games.ardennes44.reinforcements import (
    DropRoll,
    JagdtigerRoll,
    come_in,
    drop_zones,
    engineer_towns,
    entries,
    is_due,
    refuse_station,
    ride_destinations,
    rides,
    rolls_for_jagdtiger,
    stations,
    waiting,
)
from salient.games.ardennes44.stacking import Stacking, full_hexes
from salient.games.ardennes44.supply import is_supplied
from salient.games.ardennes44.works import (
    dig,
    drop_empty_positions,
    merge,
    merges,
    refuse_digging,
    refuse_merging,
    refuse_split,
    split_off,
    splits,
)
from salient.games.ardennes44.zones import british_are_held, zone
from salient.hexes.masks import bits, mask_of
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

NIGHT_GROUPS = 3  # 25.3.1
ONE_POINT = 2  # half points [25.3.5]
UNIT_VERBS = frozenset({"select", "dig", "load", "unload", "split", "merge", "sneak"})

# ---- 11.1 The phase ---------------------------------------------------------------------------


def begin_movement(s: ArdennesState, side: int) -> None:
    """Start a movement phase: marches of mechanized units are over, dice for support and late arrivals [12.7]."""
    s.done = s.moved = s.far = s.new_ip = s.sneaked = s.sites = 0
    for u in bits(s.march & SIDE_MASK[side]):
        if is_mechanized(u):
            set_march(s, u, False)
    if not s.night:
        s.used = 0
        s.dug &= ~SIDE_MASK[side]
    s.push(EndMovement(side), Movement(side))
    if side == ALLIED and not s.night:
        s.air = 0
        if clear_weather(s):
            s.push(AirRoll())
    if side == GERMAN and not s.night and rolls_for_jagdtiger(s):
        s.push(JagdtigerRoll())


@dataclass(frozen=True, slots=True)
class AirRoll(DieFrame):
    """Half a die of air support, rounded up; less once the Luftwaffe has struck [15.6.2, 35]."""

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


@dataclass(frozen=True, slots=True)
class Movement(AutoFrame):
    """Asks for one unit after another as long as anything can be done."""

    side: int

    def run(self, s: ArdennesState, out: Sink) -> None:
        if can_act(s, self.side):
            s.push(Select(self.side))
        else:
            s.pop()


@dataclass(frozen=True, slots=True)
class EndMovement(AutoFrame):
    """Vacant positions go, stacking limits hold [8.3, 15.8.4]."""

    side: int

    def run(self, s: ArdennesState, out: Sink) -> None:
        drop_empty_positions(s)
        clear_overrun(s, out)
        s.swap(Stacking(self.side))


# ---- who may act ----------------------------------------------------------------------------------


def movers(s: ArdennesState, side: int) -> list[int]:
    """The units that may be selected to move, ascending."""
    units = s.night_marks | mask_of(_peiper(s)) if s.night else SIDE_MASK[side]
    candidates = bits(units & SIDE_MASK[side] & ~s.done & ~s.engaged)
    here = [u for u in candidates if s.where[u] < HEXES and refuse_mover(s, u) is None]
    return sorted([*here, *waiting(s, side)])


def _peiper(s: ArdennesState) -> list[int]:
    return [u for u in SIDE_UNITS[GERMAN] if is_peiper_at_night(s, u)]


def night_hexes(s: ArdennesState, side: int) -> list[int]:
    """The hexes whose units can still be put under a night marker, ascending [25.3.3, 25.3.4]."""
    if s.night or not is_pm(s) or s.turn >= turns_of(s) or s.used >= NIGHT_GROUPS:
        return []
    return [h for h in bits(occupied(s, side)) if night_group(s, h)]


def night_group(s: ArdennesState, h: int) -> int:
    """The units of a hex that a night marker would cover, as bits."""
    return mask_of(u for u in units_at(s, h) if refuse_night(s, u) is None)


def refuse_night(s: ArdennesState, u: int) -> Refusal | None:
    """Why a unit cannot be put under a night marker [25.3.4, 25.3.5]."""
    if s.order[u] or s.engaged >> u & 1 or not is_supplied(s, u):
        return Refusal("25.3.4", "not-for-the-night", unit=u)
    if (s.far | s.night_marks | s.march | s.dug) >> u & 1:
        return Refusal("25.3.5", "has-moved-too-far", unit=u)
    return Refusal("25.3.2", "guns-need-no-marker", unit=u) if ARTILLERY[u] else None


def infiltrators(s: ArdennesState, side: int) -> list[int]:
    """The units that may steal away under a spare night marker, which covers all of a hex, ascending [31]."""
    if not s.night or not s.rules & INFILTRATION:
        return []
    hexes = occupied(s, side) if s.used < NIGHT_GROUPS else s.sneaked
    units = [u for u in SIDE_UNITS[side] if on_map(s, u) and hexes >> s.where[u] & 1]
    return [u for u in units if refuse_infiltrator(s, u) is None]


def refuse_infiltrator(s: ArdennesState, u: int) -> Refusal | None:
    """Why a unit cannot infiltrate by night [31]."""
    if s.order[u] or (s.fresh | s.march | s.engaged | s.night_marks | s.moved | s.done) >> u & 1:
        return Refusal("31", "cannot-infiltrate", unit=u)
    return Refusal("31", "cannot-infiltrate", unit=u) if ARTILLERY[u] else None


def infiltration_hexes(s: ArdennesState, u: int) -> list[int]:
    """Where a unit may steal by night: one hex; green troops not into enemy zones [31]."""
    reached = mask_of(tactical(s.where[u], 1, way_of(s, u)).costs) & ~(1 << s.where[u])
    if _is_green(u):
        reached &= ~zone(s, 1 - SIDE[u])
    return bits(reached & ~full_hexes(s, u, reached))


def trucked(s: ArdennesState, side: int) -> list[int]:
    """The units that may send their trucks away, ascending [12.7]."""
    return bits(s.march & SIDE_MASK[side] & ~s.done)


def _is_green(u: int) -> bool:
    return MORALE[u] == GREEN


def can_act(s: ArdennesState, side: int) -> bool:
    """Whether a side has anything left to do in its movement phase."""
    if movers(s, side) or merges(s, side) or night_hexes(s, side) or trucked(s, side):
        return True
    return any(infiltration_hexes(s, u) for u in infiltrators(s, side))


@dataclass(frozen=True, slots=True)
class Select(SideFrame):
    """A side picks the unit that moves next, digs in, splits, loads trucks, or ends its movement."""

    def legal(self, s: ArdennesState) -> list[Action]:
        units = movers(s, self.side)
        here = [u for u in units if on_map(s, u)]
        day = here if not s.night else []
        actions: list[Action] = [
            *commandos(s, self.side),
            *(("dig", u) for u in day if refuse_digging(s, u) is None),
            *(("load", u) for u in units if not s.night and refuse_loading(s, u) is None and not is_due(s, u)),
            *(("merge", x) for x in merges(s, self.side)),
            *(("night", h) for h in night_hexes(s, self.side)),
            *(("select", u) for u in units),
            *(("sneak", u, h) for u in infiltrators(s, self.side) for h in infiltration_hexes(s, u)),
            *(("split", u) for u in splits(s, mask_of(here))),
            *(("unload", u) for u in trucked(s, self.side)),
        ]
        if not any(must_withdraw(s, u) for u in here if s.order[u]):
            actions.append(("pass",))
        return actions

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        match action:
            case ("select", int(u)):
                s.push(MoveUnit(self.side, u, 0))
            case ("commando", int(bridge)):
                place_commando(s, bridge, out)
            case ("dig", int(u)):
                dig(s, u, out)
            case ("load", int(u)):
                set_march(s, u, True)
                s.done |= 1 << u
                out("12.4.3", "loads", unit=u)
            case ("unload", int(u)):
                set_march(s, u, False)
                out("12.7", "unloads", unit=u)
            case ("merge", int(x)):
                out("26.4", "merges", unit=x, unit_parent=merge(s, x))
            case ("split", int(u)):
                out("26.1", "splits", unit=u, unit_new=split_off(s, u))
            case ("night", int(h)):
                group = night_group(s, h)
                s.night_marks |= group
                s.planned |= 1 << self.side
                s.done |= group
                s.used += 1
                out("25.3.3", "night-marker", units=tuple(bits(group)), hex=h)
            case ("sneak", int(u), int(h)) if needs_ouren(s, self.side, [s.where[u], h]):
                s.push(OurenRoll())
            case ("sneak", int(u), int(h)):
                s.used += not s.sneaked >> s.where[u] & 1
                s.sneaked |= 1 << s.where[u]
                s.moved |= 1 << u
                s.done |= 1 << u
                out("31", "moves", unit=u, hex_from=s.where[u], hex_to=h, hexes=(s.where[u], h))
                enter(s, u, [s.where[u], h], out)
            case _:
                s.pop()  # the movement beneath

    def prompt(self, s: ArdennesState) -> Prompt:
        units = tuple(movers(s, self.side))
        return Prompt("25.3.1" if s.night else "11.1", "select-mover", units=units)

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        match action:
            case (str(verb), int(u), *_) if verb in UNIT_VERBS and SIDE[u] != self.side:
                return [Refusal("11.1", "not-your-unit", unit=u)]
            case ("commando", int(bridge)):
                return [refuse_commando(s, self.side, bridge) or Refusal("36", "no-commando", bridge=bridge)]
            case ("select", int(u)):
                return [refuse_mover(s, u) or Refusal("11.1", "cannot-move-now", unit=u)]
            case ("dig", int(u)) if on_map(s, u):
                return [refuse_digging(s, u) or Refusal("15.8.2", "cannot-dig", unit=u)]
            case ("load", int(u)):
                return [refuse_loading(s, u) or Refusal("12.4.3", "no-trucks", unit=u)]
            case ("unload", int(u)):
                moved = bool(s.march >> u & 1)
                return [Refusal("11.1", "moved-already", unit=u) if moved else Refusal("12.7", "no-trucks", unit=u)]
            case ("split", int(u)):
                return [refuse_split(s, u) or Refusal("26.2", "split-before-moving", unit=u)]
            case ("merge", int(x)):
                return [refuse_merging(s, x) or Refusal("26.4", "parent-elsewhere", unit=x)]
            case ("night", int(h)):
                reasons = [refuse_night(s, u) for u in units_at(s, h)]
                return [next((r for r in reasons if r), Refusal("25.3.3", "no-night-group", hex=h))]
            case ("pass",):
                return [Refusal("18.3", "withdraw-first")]
        return [Refusal("11.1", "select-first")]


# ---- one unit ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MoveUnit(SideFrame):
    """The selected unit moves, marches, enters or leaves the map, or stays where it is."""

    unit: int
    spent: int  # half points, after an infiltration

    def legal(self, s: ArdennesState) -> list[Action]:
        u = self.unit
        return self._on_map(s, u) if on_map(s, u) else self._off_map(s, u)

    def _on_map(self, s: ArdennesState, u: int) -> list[Action]:
        actions: list[Action] = []
        if not self.spent:
            actions += [("exit", u, h) for h in exits(s, u)]
        actions += [("infiltrate", u, h) for h in infiltrations(s, u, self.spent)]
        if not self.spent:
            actions += [("leave", u, place) for place in leaving(s, u)]
            actions += [("march", u, h) for h in march_destinations(s, u)]
        actions += [("move", u, h) for h in destinations(s, u, self.spent)]
        if not self.spent:
            actions += [("tow", u, h) for h in tows(s, u)]
        if self.spent or not (s.order[u] and must_withdraw(s, u)):
            actions.append(("pass",))
        return actions

    def _off_map(self, s: ArdennesState, u: int) -> list[Action]:
        return [
            *(("deploy", u, h) for h in engineer_towns(s, u)),
            *(("land", u, h) for h in drop_zones(s, u)),
            *(("enter", u, h) for h in entries(s, u)),
            *(("ride", u, h) for h in ride_destinations(s, u)),
            *(("station", u, place) for place in stations(s, u)),
            ("pass",),
        ]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        u = self.unit
        match action:
            case ("move", int(), int(to)):
                self._move(s, to, out)
            case ("march", int(), int(to)):
                found = marches(s, u)
                assert found is not None
                self._go(s, path_in(found, to), "12.1", True, out)
            case ("tow", int(), int(to)):
                way = tows(s, u)[to]
                if self._waits_for_ouren(s, way):
                    return
                s.tractor |= 1 << u
                self._go(s, way, "22.3", False, out)
            case ("infiltrate", int(), int(to)):
                way, cost = infiltrations(s, u, self.spent)[to]
                if not self._waits_for_ouren(s, way):
                    s.push(DisguiseRoll(self.side, u, cost))
                    self._go(s, way, "27.8.2", False, out)
            case ("exit" | "leave", int(), int(to)):
                self._leave(s, str(action[0]), to, out)
            case ("deploy", int(), int(to)):
                out("13.2.1", "deployed", unit=u, hex=to)
                s.moved |= 1 << u
                s.sites |= 1 << to
                enter(s, u, [to], out)
            case ("land", int(), int(to)):
                s.push(DropRoll(to))
            case ("enter", int(), int(to)):
                come_in(s, u, entries(s, u)[to], False, out)
            case ("ride", int(), int(to)):
                found = rides(s, u)
                assert found is not None
                way = path_in(found, to)
                if not self._waits_for_ouren(s, way):
                    come_in(s, u, way, True, out)
            case ("station", int(), int(to)):
                s.done |= 1 << u
                if ARTILLERY[u]:
                    s.fired |= 1 << u
                put(s, u, to)
                out("13.5", "stationed", unit=u, place=to)
            case _:
                s.done |= 1 << u
                if u == BRIGADE_150 and self.spent:
                    s.exposed = max(s.exposed, 1)

    def _waits_for_ouren(self, s: ArdennesState, way: list[int]) -> bool:
        if not needs_ouren(s, self.side, way):
            return False
        s.push(self, OurenRoll())
        return True

    def _move(self, s: ArdennesState, to: int, out: Sink) -> None:
        u = self.unit
        way, mode, cost = route(s, u, to, self.spent)
        if self._waits_for_ouren(s, way):
            return
        if mode == "sauer":
            s.sauer = 1
        if ARTILLERY[u] and self.side == ALLIED and len(way) > 2:
            s.fired |= 1 << u
        if mode == "normal" and cost <= ONE_POINT:
            s.done |= 1 << u
            s.moved |= 1 << u
            out("11.1", "moves", unit=u, hex_from=way[0], hex_to=to, hexes=tuple(way))
            enter(s, u, way, out)
            set_march(s, u, False)
            return
        self._go(s, way, "29.3" if mode == "sauer" else "11.3" if mode == "tactical" else "11.1", False, out)

    def _go(self, s: ArdennesState, way: list[int], rule: str, marching: bool, out: Sink) -> None:
        u = self.unit
        if marching and needs_ouren(s, self.side, way):
            s.push(self, OurenRoll())
            return
        s.done |= 1 << u
        s.moved |= 1 << u
        s.far |= 1 << u
        if marching and ARTILLERY[u]:
            s.fired |= 1 << u
        out(rule, "moves", unit=u, hex_from=way[0], hex_to=way[-1], hexes=tuple(way))
        enter(s, u, way, out)
        set_march(s, u, marching)

    def _leave(self, s: ArdennesState, verb: str, to: int, out: Sink) -> None:
        u = self.unit
        way = exits(s, u)[to] if verb == "exit" else leaving(s, u)[to]
        if self._waits_for_ouren(s, way):
            return
        enter(s, u, way, out)
        s.done |= 1 << u
        set_march(s, u, False)
        if verb == "exit":
            s.exits |= 1 << to
            leave_map(s, u, ANTWERP)
            out("11.9.3", "exits", unit=u, hex=to)
        else:
            leave_map(s, u, to)
            out("11.9.1", "leaves", unit=u, place=to)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("11.1", "move-unit", unit=self.unit)

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        u = self.unit
        match action:
            case ("move" | "infiltrate", int(x), int(to)) if x == u and on_map(s, u):
                return [refuse_destination(s, u, to)]
            case ("march", int(x), int(to)) if x == u:
                return [refuse_march(s, u) or Refusal("12.2", "no-march-there", unit=u, hex=to)]
            case ("tow", int(x), int(to)) if x == u:
                return [refuse_towing(s, u) or refuse_destination(s, u, to)]
            case ("enter" | "ride" | "deploy" | "land", int(x), int(to)) if x == u:
                rule = "13.2.1" if ENGINEER[u] else "13.1"
                return [Refusal(rule, "no-entry-there", unit=u, hex=to)]
            case ("exit", int(x), int(to)) if x == u and self.side == GERMAN:
                return [Refusal("11.9.3", "no-exit-there", unit=u, hex=to)]
            case ("leave" | "station", int(x), int()) if x == u and self.side == GERMAN:
                return [Refusal("11.9.2", "germans-stay-on-map", unit=u)]
            case ("leave", int(x), int()) if x == u and british_are_held(s, u):
                return [Refusal("27.3.1", "british-stay-on-map", unit=u)]
            case ("leave", int(x), int(to)) if x == u and on_map(s, u):
                return [Refusal("11.9.1", "no-way-to-box", unit=u, place=to)]
            case ("station" | "leave", int(x), int(to)) if x == u:
                return [refuse_station(s, u, to)]
        return [Refusal("11.1", "finish-move-first", unit=u)]


@dataclass(frozen=True, slots=True)
class DisguiseRoll(DieFrame):
    """Do the sentries take 150th Brigade for Americans [27.8.2]?"""

    side: int
    unit: int
    cost: int

    def purpose(self, s: ArdennesState) -> str:
        return "disguise"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("27.8.2", "roll-disguise", unit=self.unit)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        success = roll("skorzeny", int(action[1])) == "success"
        s.exposed = 1 if success else 2
        out("27.8.2", "disguise-holds" if success else "disguise-fails", n_die=int(action[1]), unit=self.unit)
        if success:
            s.push(MoveUnit(self.side, self.unit, self.cost))
