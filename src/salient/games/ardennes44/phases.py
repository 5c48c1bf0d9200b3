"""Ardennes '44: artillery supply (5), fuel shortage (6), recovery (18.6), supply and surrender (23.1, 23.7)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from salient.common.naming import above, with_piece, without_piece
from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import occupied, on_map
from salient.games.ardennes44.entering import CAPTURED, NO_DEPOT, set_depot
from salient.games.ardennes44.model import (
    ARRIVAL,
    ARTILLERY,
    ARTILLERY_MASK,
    COLOUR,
    DEPOT_HEXES,
    DIVISIONS,
    ELITE,
    FORMATION_UNITS,
    GONE,
    GREEN,
    HEXES,
    MORALE,
    PANZER_DIVISIONS_5,
    SHORTAGES,
    SIDE,
    SIDE_MASK,
    SIDE_UNITS,
    SURRENDER,
    TRACK,
    WEST_OF_OURTHE,
    ArdennesState,
    clear_weather,
    roll,
    set_order,
    take_off,
    values,
)
from salient.games.ardennes44.supply import isolated_groups, road_network, supplied_hexes
from salient.games.ardennes44.zones import BOUNDARIES_UNTIL, next_to
from salient.hexes.masks import bits, mask_of
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

Units = tuple[int, ...]

# ---- 5 Artillery supply -----------------------------------------------------------------------------

GERMAN_GUNS, GERMAN_GUNS_TURN_2 = 3, 6  # 5.2, 5.4


def refuse_ready(s: ArdennesState, u: int) -> Refusal | None:
    """Why artillery cannot be turned to its ready side [5.3]."""
    if not s.fired >> u & 1:
        return Refusal("5.2", "guns-are-ready", unit=u)
    if s.order[u] or (s.oos | s.march) >> u & 1:
        return Refusal("5.3", "cannot-be-readied", unit=u)
    return None


def artillery_supply(s: ArdennesState, side: int, out: Sink) -> None:
    """Tractors go back; all Allied guns and some German ones are readied [5.1, 5.2]."""
    if side == GERMAN:
        s.tractor = 0
    able = [u for u in bits(s.fired & SIDE_MASK[side] & ARTILLERY_MASK) if refuse_ready(s, u) is None]
    most = GERMAN_GUNS_TURN_2 if s.turn == 2 else GERMAN_GUNS
    if side == ALLIED or len(able) <= most:
        s.fired &= ~mask_of(able)
        if able:
            out("5.2", "guns-ready", units=tuple(able))
    else:
        s.push(Ready(side, most, ()))


@dataclass(frozen=True, slots=True)
class Ready(SideFrame):
    """The German names the guns that he readies, as many as he has shells for; `done` turns them."""

    most: int
    named: Units

    def choices(self, s: ArdennesState) -> list[int]:
        """The guns that may still be named."""
        if len(self.named) >= self.most:
            return []
        guns = bits(s.fired & SIDE_MASK[self.side] & ARTILLERY_MASK & ~mask_of(self.named))
        return [u for u in guns if refuse_ready(s, u) is None]

    def legal(self, s: ArdennesState) -> list[Action]:
        return [*(("ready", u) for u in self.choices(s)), *(("drop", u) for u in self.named), ("done",)]

    def candidates(self, s: ArdennesState) -> list[Action]:
        return [*(("ready", u) for u in above(self.choices(s), self.named)), ("done",)]

    def draft(self, s: ArdennesState) -> tuple[Action, ...]:
        return tuple(("ready", u) for u in self.named)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        match action:
            case ("ready", int(u)):
                s.swap(replace(self, named=with_piece(self.named, u)))
            case ("drop", int(u)):
                s.swap(replace(self, named=without_piece(self.named, u)))
            case _:
                s.pop()
                s.fired &= ~mask_of(self.named)
                if self.named:
                    out("5.2", "guns-ready", units=self.named)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("5.2", "ready-guns", n=self.most - len(self.named), units=tuple(self.choices(s)))

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        match action:
            case ("ready", int(u)) if u in self.named:
                return [Refusal("5.2", "named-already", unit=u)]
            case ("ready", int(u)) if SIDE[u] != self.side or not ARTILLERY[u]:
                return [Refusal("5.1", "not-your-guns", unit=u)]
            case ("ready", int(u)):
                return [refuse_ready(s, u) or Refusal("5.2", "enough-shells", unit=u, n=self.most)]
            case ("drop", int(u)):
                return [Refusal("5.2", "not-named", unit=u)]
        return [Refusal("5.2", "guns-first")]


# ---- 6 Fuel shortage ------------------------------------------------------------------------------------

FIRST_SHORTAGE, WORSE_FROM, SPARED_UNTIL = 7, 15, 8  # turns [6.1, 6.2, 32.2]


def fuel_phase(s: ArdennesState, out: Sink) -> None:
    """Bring captured fuel home, then roll on both tables from turn 7 on [6.1, 32.2]."""
    network = road_network(s, GERMAN)
    for h, depot in zip(DEPOT_HEXES, s.depots, strict=False):
        if depot == CAPTURED and network >> h & 1:
            s.fuel_left = 1
            set_depot(s, h, NO_DEPOT)
            out("32.2", "fuel-brought-home", hex=h)
    if s.turn >= FIRST_SHORTAGE and not (s.fuel_left and s.turn <= SPARED_UNTIL):
        s.push(FuelRoll(1), FuelRoll(0))


def has_arrived(s: ArdennesState, division: str) -> bool:
    """Whether a division is on the map or arrives this turn [6.3]."""
    units = FORMATION_UNITS[division]
    return any(on_map(s, u) or (s.where[u] == TRACK and 0 < ARRIVAL[u] <= s.turn) for u in units)


def shortage(s: ArdennesState, result: str) -> tuple[int, tuple[str, ...], bool]:
    """Who chooses, among which divisions, and whether all of them are short [6.3, 6.4]."""
    kind, _, names = result.partition(":")
    if kind == "none":
        return GERMAN, (), True
    if kind == "west":
        army = [d for d in DIVISIONS if COLOUR[FORMATION_UNITS[d][0]] == names]
        return ALLIED, tuple(d for d in army if west_of_ourthe(s, d)), False
    if kind == "any":
        return ALLIED, tuple(d for d in PANZER_DIVISIONS_5 if any(on_map(s, u) for u in FORMATION_UNITS[d])), False
    return GERMAN, tuple(d for d in names.split() if has_arrived(s, d)), kind == "all"


def west_of_ourthe(s: ArdennesState, division: str) -> Units:
    """A division's units west of the Ourthe line [6.4.1]."""
    return tuple(u for u in FORMATION_UNITS[division] if on_map(s, u) and WEST_OF_OURTHE >> s.where[u] & 1)


def run_short(s: ArdennesState, division: str, western: bool, out: Sink) -> None:
    """A division has no fuel this turn [6.1, 6.4.1]."""
    units = west_of_ourthe(s, division) if western else FORMATION_UNITS[division]
    affected = tuple(u for u in units if on_map(s, u) or s.where[u] == TRACK)
    s.short |= mask_of(affected)
    out("6.1", "out-of-fuel", units=affected)


@dataclass(frozen=True, slots=True)
class FuelRoll(DieFrame):
    """One die on a fuel shortage table."""

    table: int

    def purpose(self, s: ArdennesState) -> str:
        return "fuel"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("6.1", "roll-fuel", n=self.table + 1)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        die = int(action[1]) + int(s.turn >= WORSE_FROM)
        result = SHORTAGES[self.table][die - 1]
        out("6.1", "fuel-rolled", n=self.table + 1, n_die=int(action[1]), word_result=result.partition(":")[0])
        chooser, divisions, everyone = shortage(s, result)
        western = int(result.startswith("west"))
        if everyone or len(divisions) == 1:
            for division in divisions:
                run_short(s, division, bool(western), out)
        elif divisions:
            s.push(ChooseDivision(chooser, divisions, western))


@dataclass(frozen=True, slots=True)
class ChooseDivision(SideFrame):
    """A player names the division that runs out of fuel."""

    divisions: tuple[str, ...]
    western: int

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("division", i) for i, d in enumerate(DIVISIONS) if d in self.divisions]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        run_short(s, DIVISIONS[int(action[1])], bool(self.western), out)

    def prompt(self, s: ArdennesState) -> Prompt:
        rule = "6.4.1" if self.western else "6.4.2" if self.side == ALLIED else "6.1"
        return Prompt(rule, "choose-division")

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        return [Refusal("6.1", "division-first")]


# ---- 18.6 Recovery ----------------------------------------------------------------------------------------


def may_recover(s: ArdennesState, u: int) -> bool:
    """Germans driven over an army boundary do not recover before they are back, or turn 5 [11.10.2]."""
    return s.turn >= BOUNDARIES_UNTIL or not s.driven >> u & 1


def recovery(s: ArdennesState, side: int, out: Sink) -> None:
    """Those away from the enemy recover by themselves, the others by a die [18.6]."""
    near = next_to(occupied(s, 1 - side))
    rolling = []
    for u in SIDE_UNITS[side]:
        if s.order[u] and may_recover(s, u):
            if on_map(s, u) and near >> s.where[u] & 1:
                rolling.append(u)
            else:
                set_order(s, u, s.order[u] - 1)
                out("18.6", "recovers", unit=u)
    if rolling:
        s.push(Recovery(tuple(rolling)))


@dataclass(frozen=True, slots=True)
class Recovery(AutoFrame):
    """Rolls for one unit after another."""

    units: Units

    def run(self, s: ArdennesState, out: Sink) -> None:
        s.swap(*([Recovery(self.units[1:])] if self.units[1:] else []), RecoveryRoll(self.units[0]))


@dataclass(frozen=True, slots=True)
class RecoveryRoll(DieFrame):
    """Does a unit next to the enemy recover?"""

    unit: int

    def purpose(self, s: ArdennesState) -> str:
        return "recovery"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("18.6", "roll-recovery", unit=self.unit)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        u = self.unit
        recovered = roll("recovery", int(action[1]) + MORALE[u]) == "yes"
        if recovered:
            set_order(s, u, s.order[u] - 1)
        out("18.6", "recovers" if recovered else "stays-disrupted", unit=u)


# ---- 23.1, 23.6 to 23.10 Supply and surrender -----------------------------------------------------------------

THRESHOLD = {GREEN: 3, 0: 4, ELITE: 5}  # 23.8
AIR_SUPPLY = 2  # taken off the die [28.2]


def supply_phase(s: ArdennesState, side: int, out: Sink) -> None:
    """Mark who is out of supply, then roll for every isolated group [23.1, 23.6]."""
    supplied = supplied_hexes(s, side)
    units = [u for u in SIDE_UNITS[side] if s.where[u] < HEXES]
    cut = mask_of(u for u in units if not supplied >> s.where[u] & 1)
    s.oos = s.oos & ~SIDE_MASK[side] | cut
    s.short &= ~SIDE_MASK[side]
    out("23.1", "supply-checked", units=tuple(bits(cut)))
    groups = isolated_groups(s, side)
    points = {group: group_points(s, group) for group in groups}
    s.isolated = s.isolated & ~SIDE_MASK[side] | mask_of(u for group in groups for u in group)
    for u in SIDE_UNITS[side]:
        s.points[u] = 0
    for group in reversed(groups):
        for u in group:
            s.points[u] = points[group]
        s.push(SurrenderRoll(side, group))


def group_points(s: ArdennesState, group: Units) -> int:
    """The points of a group: of its larger part if groups have joined; who was not cut off before is none [23.9]."""
    weight = {0: -1}
    for u in group:
        if s.points[u] or s.isolated >> u & 1:
            weight[s.points[u]] = max(0, weight.get(s.points[u], 0)) + values(s, u)[0]
    return max(weight, key=lambda points: (weight[points], points))


def threshold(group: Units) -> int:
    """When a group gives up: late if there are elite troops, early if all are green [23.8]."""
    morale = {MORALE[u] for u in group}
    return THRESHOLD[ELITE if ELITE in morale else GREEN if morale == {GREEN} else 0]


@dataclass(frozen=True, slots=True)
class SurrenderRoll(DieFrame):
    """Points for an isolated group; from the air the Allies are supplied [23.7]."""

    side: int
    units: Units

    def purpose(self, s: ArdennesState) -> str:
        return "surrender"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("23.7", "roll-surrender", units=self.units)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        die = int(action[1])
        helped = AIR_SUPPLY if self.side == ALLIED and clear_weather(s) else 0
        points = max(0, s.points[self.units[0]] + SURRENDER[max(0, die - helped)])
        out("23.7", "surrender-points", units=self.units, n_die=die, n=points)
        for u in self.units:
            s.points[u] = points
        if points >= threshold(self.units):
            out("23.7", "surrenders", units=self.units)
            for u in self.units:
                take_off(s, u, GONE)
