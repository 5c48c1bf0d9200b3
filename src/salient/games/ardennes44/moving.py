"""Ardennes '44: the movement phase (11.1) with all that is done in it, by day and by night (25.3, 31)."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import occupied, on_map, units_at
from salient.games.ardennes44.bridges import commandos, place_commando, refuse_commando
from salient.games.ardennes44.entering import OurenRoll, clear_overrun, enter, needs_ouren
from salient.games.ardennes44.marching import drop_shared_markers, refuse_loading
from salient.games.ardennes44.model import (
    ARTILLERY,
    BODENPLATTE,
    GREEN,
    INFILTRATION,
    MORALE,
    SIDE,
    SIDE_MASK,
    SIDE_UNITS,
    ArdennesState,
    clear_weather,
    is_mechanized,
    is_pm,
    set_march,
    turns_of,
)
from salient.games.ardennes44.movement import must_make_room, must_withdraw, no_room, way_of
from salient.games.ardennes44.reinforcements import JagdtigerRoll, is_due, rolls_for_jagdtiger
from salient.games.ardennes44.stacking import Stacking, full_hexes, refuse_stack
from salient.games.ardennes44.supply import is_supplied
from salient.games.ardennes44.walking import MoveUnit, any_mover, movers, refuse_selecting
from salient.games.ardennes44.ways import tactical
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
from salient.games.ardennes44.zones import zone
from salient.hexes.masks import bits, mask_of
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

NIGHT_GROUPS = 3  # 25.3.1
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
        drop_shared_markers(s, self.side)
        clear_overrun(s, out)
        s.swap(Stacking(self.side))


# ---- who may act ----------------------------------------------------------------------------------


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


def infiltration_hexes(s: ArdennesState, u: int, roomy: bool = False) -> list[int]:
    """Where a unit may steal by night: one hex; green troops not into enemy zones [31]."""
    reached = mask_of(tactical(((s.where[u], 0),), True, 1, way_of(s, u), True)) & ~(1 << s.where[u])
    if _is_green(u):
        reached &= ~zone(s, 1 - SIDE[u])
    return bits(reached & ~(full_hexes if roomy else no_room)(s, u, reached))


def trucked(s: ArdennesState, side: int) -> list[int]:
    """The units that may send their trucks away, ascending [12.7]."""
    return bits(s.march & SIDE_MASK[side] & ~s.done)


def _is_green(u: int) -> bool:
    return MORALE[u] == GREEN


def can_act(s: ArdennesState, side: int) -> bool:
    """Whether a side has anything left to do in its movement phase."""
    if any_mover(s, side) or merges(s, side) or night_hexes(s, side) or trucked(s, side):
        return True
    return any(infiltration_hexes(s, u, True) for u in infiltrators(s, side))


def crowded(s: ArdennesState, side: int) -> int:
    """The hexes of a side with too many units, as bits [8.3]."""
    hexes = {s.where[u] for u in bits(s.moved & SIDE_MASK[side]) if on_map(s, u)}
    return mask_of(h for h in hexes if len(units_at(s, h)) > 1 and refuse_stack(s, units_at(s, h)))


def refuse_ending(s: ArdennesState, side: int) -> Refusal | None:
    """Why a side cannot end its movement yet: who can must get away from the enemy or make room [8.3, 18.3]."""
    if any(must_withdraw(s, u) for u in SIDE_UNITS[side] if s.order[u]):
        return Refusal("18.3", "withdraw-first")
    for h in bits(crowded(s, side)):
        if any(must_make_room(s, u) for u in units_at(s, h)):
            return Refusal("8.3", "make-room-first", hex=h)
    return None


@dataclass(frozen=True, slots=True)
class Select(SideFrame):
    """A side picks the unit that moves next, digs in, splits, loads trucks, or ends its movement."""

    def legal(self, s: ArdennesState) -> list[Action]:
        return self._choices(s, False)

    def candidates(self, s: ArdennesState) -> list[Action]:
        return self._choices(s, True)

    def _choices(self, s: ArdennesState, roomy: bool) -> list[Action]:
        units, tight = movers(s, self.side), crowded(s, self.side)
        here = [u for u in units if on_map(s, u)]
        free = [u for u in units if not on_map(s, u) or not tight >> s.where[u] & 1] if tight else units
        day = [u for u in free if on_map(s, u)] if not s.night else []
        actions: list[Action] = [
            *commandos(s, self.side),
            *(("dig", u) for u in day if refuse_digging(s, u) is None),
            *(("load", u) for u in free if not s.night and refuse_loading(s, u) is None and not is_due(s, u)),
            *(("merge", x) for x in merges(s, self.side)),
            *(("night", h) for h in night_hexes(s, self.side) if not tight >> h & 1),
            *(("select", u) for u in units),
            *(("sneak", u, h) for u in infiltrators(s, self.side) for h in infiltration_hexes(s, u, roomy)),
            *(("split", u) for u in splits(s, mask_of(here))),
            *(("unload", u) for u in trucked(s, self.side)),
        ]
        if refuse_ending(s, self.side) is None:
            actions.append(("pass",))
        return actions

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        match action:
            case ("select", int(u)):
                s.push(MoveUnit(self.side, u))
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
                return [refuse_selecting(s, self.side, u)]
            case ("dig" | "load", int(u)) if crowded(s, self.side) >> s.where[u] & 1:
                return [Refusal("8.3", "make-room-first", hex=s.where[u])]
            case ("night", int(h)) if crowded(s, self.side) >> h & 1:
                return [Refusal("8.3", "make-room-first", hex=h)]
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
                return [refuse_ending(s, self.side) or Refusal("11.1", "select-first")]
        return [Refusal("11.1", "select-first")]
