"""Ardennes '44: the movement phase (11.1) with all that is done in it, by day and by night."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from salient.common.bars import allowed
from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import hex_sets, on_map, present, units_at
from salient.games.ardennes44.air import AirRoll
from salient.games.ardennes44.bridges import commandos, place_commando, refuse_commando
from salient.games.ardennes44.components import is_mechanized
from salient.games.ardennes44.entering import OurenRoll, clear_overrun, needs_ouren
from salient.games.ardennes44.improved_positions import (
    DIGGING,
    dig,
    drop_empty_positions,
    fresh_diggers,
    refuse_digging,
    stop_digging,
)
from salient.games.ardennes44.marches import LOADING, drop_shared_markers, load_trucks, refuse_loading, unload_trucks
from salient.games.ardennes44.model import OVERLOADED, ArdennesState, clear_weather, set_march, shaken, standing_in
from salient.games.ardennes44.move_unit import MoveUnit, movers, refuse_selecting
from salient.games.ardennes44.movement import movers_on_map, must_make_room, must_withdraw
from salient.games.ardennes44.night import (
    has_troops,
    infiltration_hexes,
    infiltrators,
    mark_for_the_night,
    night_groups,
    night_hexes,
    refuse_night,
    sneak,
    take_night_marker,
)
from salient.games.ardennes44.reinforcements import JagdtigerRoll, due_units, rolls_for_jagdtiger
from salient.games.ardennes44.split_units import merge, merges, refuse_merging, refuse_split, split, splits
from salient.games.ardennes44.stacking import Stacking
from salient.hexes.masks import bits, hexes_of
from salient.hexes.sets import NO_HEXES, NO_UNITS, HexSet, UnitId
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.messages import Sink

# ---- 11.1 The phase ---------------------------------------------------------------------------


def begin_movement(s: ArdennesState, side: int, out: Sink) -> None:
    """Start a movement phase: marches of mechanized units are over, dice for support and late arrivals [12.7]."""
    s.done = s.moved = s.far = NO_UNITS
    s.new_ip = s.sneaked = s.sites = NO_HEXES
    for u in bits(s.march & s.units.side_mask[side]):
        if is_mechanized(s.units, u):
            set_march(s, u, False)
    if not s.night:
        s.used = 0
        s.dug &= ~s.units.side_mask[side]
    s.push(EndMovement(side), Movement(side))
    if side == ALLIED and not s.night:
        s.air = 0
        if clear_weather(s):
            s.push(AirRoll())
    if side == GERMAN and not s.night and rolls_for_jagdtiger(s):
        s.push(JagdtigerRoll())


@dataclass(frozen=True, slots=True)
class Movement(AutoFrame[ArdennesState]):
    """Asks for one unit after another, if anything can be done; a side that has acted ends the phase itself."""

    side: int
    asked: int = 0

    def run(self, s: ArdennesState, out: Sink) -> None:
        if self.asked or can_act(s, self.side):
            s.swap(Movement(self.side, 1), Select(self.side))
        else:
            s.pop()


@dataclass(frozen=True, slots=True)
class EndMovement(AutoFrame[ArdennesState]):
    """Vacant positions go, stacking limits hold [8.3, 15.8.4]."""

    side: int

    def run(self, s: ArdennesState, out: Sink) -> None:
        drop_empty_positions(s)
        drop_shared_markers(s, self.side)
        clear_overrun(s, out)
        s.swap(Stacking(self.side))


# ---- who may act, and who must -------------------------------------------------------------------


def trucked(s: ArdennesState, side: int) -> list[UnitId]:
    """The units that may send their trucks away: those that have not moved, ascending [12.7]."""
    return bits(s.march & s.units.side_mask[side] & ~s.moved)


def can_act(s: ArdennesState, side: int) -> bool:
    """Whether a side has anything left to do in its movement phase."""
    if movers(s, side) or merges(s, side) or night_hexes(s, side) or trucked(s, side):
        return True
    return any(infiltration_hexes(s, u, True) for u in infiltrators(s, side))


def crowded(s: ArdennesState, side: int) -> HexSet:
    """The hexes of a side with too many units, as bits [8.3]."""
    over = hex_sets(s, side)[OVERLOADED]
    return hexes_of(s.where[u] for u in bits(standing_in(s, s.moved & s.units.side_mask[side] & present(s), over)))


def refuse_ending(s: ArdennesState, side: int) -> Refusal | None:
    """Why a side cannot end its movement yet: units that can must get away from the enemy or make room [8.3, 18.3]."""
    if bound := tuple(u for u in bits(shaken(s) & movers_on_map(s, side)) if must_withdraw(s, u)):
        return Refusal("18.3", "withdraw-first", units=bound)
    for h in bits(crowded(s, side)):
        if any(must_make_room(s, u) for u in units_at(s, h)):
            return Refusal("8.3", "make-room-first", hex=h)
    return None


# ---- what is done with one unit, and why it cannot be done -----------------------------------------------------


def _refuse_position(s: ArdennesState, u: UnitId) -> Refusal:
    if not on_map(s, u):
        return Refusal("11.1", "select-first")
    return refuse_digging(s, u) or Refusal("15.8.2", "cannot-dig", unit=u)


def _refuse_unloading(s: ArdennesState, u: UnitId) -> Refusal:
    rides = s.march >> u & 1
    return Refusal("11.1", "moved-already", unit=u) if rides else Refusal("12.7", "no-trucks", unit=u)


WORKS: Mapping[str, Callable[[ArdennesState, UnitId, Sink], None]] = {
    "dig": dig,
    "drop": stop_digging,
    "load": load_trucks,
    "merge": merge,
    "split": split,
    "unload": unload_trucks,
}
REASONS: Mapping[str, Callable[[ArdennesState, UnitId], Refusal]] = {
    "dig": _refuse_position,
    "drop": lambda s, u: Refusal("15.8.2", "not-just-begun", unit=u),
    "load": lambda s, u: refuse_loading(s, u) or Refusal("12.4.3", "no-trucks", unit=u),
    "merge": lambda s, u: refuse_merging(s, u) or Refusal("26.4", "parent-elsewhere", unit=u),
    "split": lambda s, u: refuse_split(s, u) or Refusal("26.2", "split-before-moving", unit=u),
    "unload": _refuse_unloading,
}
UNIT_VERBS = frozenset({*WORKS, "select", "sneak"})


@dataclass(frozen=True, slots=True)
class Select(SideFrame[ArdennesState]):
    """A side picks the unit that moves next, digs in, splits, loads trucks, or ends its movement."""

    def legal(self, s: ArdennesState) -> list[Action]:
        return self._choices(s, False)

    def candidates(self, s: ArdennesState) -> list[Action]:
        return self._choices(s, True)

    def _choices(self, s: ArdennesState, roomy: bool) -> list[Action]:
        """What can be done; for programs (`roomy`) without taking back and without crowding."""
        units, tight = movers(s, self.side), crowded(s, self.side)
        back, trucks = (0, ~s.done) if roomy else (-1, -1)
        here = units & present(s)
        free = units & ~standing_in(s, here, tight)
        actions: list[Action] = [
            *commandos(s, self.side),
            *[("dig", u) for u in bits(allowed(s, free & here, DIGGING))],
            *[("drop", u) for u in bits(fresh_diggers(s, self.side) & back)],
            *[("lift", h) for h in night_groups(s, self.side) if back and not s.night],
            *[("load", u) for u in bits(allowed(s, free & ~due_units(s), LOADING))],
            *[("merge", x) for x in merges(s, self.side)],
            *[("night", h) for h in night_hexes(s, self.side) if not tight >> h & 1 and (back or has_troops(s, h))],
            *[("select", u) for u in bits(units)],
            *[("sneak", u, h) for u in infiltrators(s, self.side) for h in infiltration_hexes(s, u, roomy)],
            *[("split", u) for u in splits(s, here)],
            *[("unload", u) for u in trucked(s, self.side) if trucks >> u & 1],
        ]
        if refuse_ending(s, self.side) is None:
            actions.append(("pass",))
        return actions

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        match action:
            case ("select", UnitId(u)):
                s.push(MoveUnit(self.side, u))
            case ("commando", int(bridge)):
                place_commando(s, bridge, out)
            case ("night", int(h)):
                mark_for_the_night(s, self.side, h, out)
            case ("lift", int(h)):
                take_night_marker(s, self.side, h, out)
            case ("sneak", UnitId(u), int(h)) if needs_ouren(s, self.side, [s.where[u], h]):
                s.push(OurenRoll())
            case ("sneak", UnitId(u), int(h)):
                sneak(s, u, h, out)
            case (str(verb), UnitId(u)):
                WORKS[verb](s, u, out)
            case _:
                s.pop()  # the movement beneath

    def hindrance(self, s: ArdennesState) -> Refusal | None:
        return refuse_ending(s, self.side)

    def prompt(self, s: ArdennesState) -> Prompt:
        units = tuple(bits(movers(s, self.side)))
        return Prompt("25.3.1" if s.night else "11.1", "select-mover", units=units)

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        match action:
            case (str(verb), UnitId(u), *_) if verb in UNIT_VERBS and s.units.side[u] != self.side:
                return [Refusal("11.1", "not-your-unit", unit=u)]
            case ("commando", int(bridge)):
                return [refuse_commando(s, self.side, bridge) or Refusal("36", "no-commando", bridge=bridge)]
            case ("select", UnitId(u)):
                return [refuse_selecting(s, self.side, u)]
            case ("lift" | "night", int(h)):
                return [self._refuse_night(s, action[0] == "lift", h)]
            case (str(verb), UnitId(u)) if verb in REASONS:
                return [self._refuse_crowd(s, verb, s.where[u]) or REASONS[verb](s, u)]
            case ("pass",) if hindered := refuse_ending(s, self.side):
                return [hindered]
        return [Refusal("11.1", "select-first")]

    def _refuse_crowd(self, s: ArdennesState, verb: str, place: int) -> Refusal | None:
        """Nobody digs in, mounts trucks or is marked for the night in a hex that must be left [8.3]."""
        waits = verb in ("dig", "load", "night") and crowded(s, self.side) >> place & 1
        return Refusal("8.3", "make-room-first", hex=place) if waits else None

    def _refuse_night(self, s: ArdennesState, lifts: bool, h: int) -> Refusal:
        if lifts:
            return Refusal("25.3.3", "no-night-marker-here", hex=h)
        if crowd := self._refuse_crowd(s, "night", h):
            return crowd
        reasons = [refuse_night(s, u) for u in units_at(s, h)]
        return next((r for r in reasons if r), Refusal("25.3.3", "no-night-group", hex=h))
