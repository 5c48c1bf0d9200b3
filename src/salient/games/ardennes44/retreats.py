"""Ardennes '44: chapter 17, retreats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import occupied, on_map, units_at
from salient.games.ardennes44.components import VEHICLE, within
from salient.games.ardennes44.entering import dear_to, enter
from salient.games.ardennes44.leaving import edge_boxes
from salient.games.ardennes44.losses import eliminate
from salient.games.ardennes44.model import (
    DISRUPTED,
    ROUTED,
    ArdennesState,
    east_only,
    leave_map,
    noted,
    push_noted,
    set_march,
    set_order,
)
from salient.games.ardennes44.stacking import Stacking, full_hexes, refuse_stack
from salient.games.ardennes44.supply import is_supplied, supplied_hexes
from salient.games.ardennes44.ways import by_road, tactical_steps
from salient.games.ardennes44.zones import bonds, closed_to_british, is_driven_across, zone
from salient.hexes.bridges import Pair
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import Group, HexSet, UnitId
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.messages import Sink

Path = tuple[int, ...]
LONGEST_IN_ORDER = 2  # hexes; after more a unit is routed [18.2]
UNSUPPLIED_HEXES = 2  # that a unit out of supply survives [23.4]

# ---- 17.1, 17.2 Where to ----------------------------------------------------------------------------


def passable(s: ArdennesState, u: UnitId, h: int) -> int:
    """The neighbours into which a unit can retreat by its terrain, as bits; not over the Meuse [11.4.2, 17.2]."""
    plain, hard = tactical_steps(s.ground, s.units.mobility[u], s.blown, h)
    return plain | hard & ~s.ground.over_meuse[h]


def _lifted(s: ArdennesState, side: int, fleeing: Group) -> HexSet:
    """The hexes in which friends, other than the units that flee with it, lift enemy zones, as bits."""
    hexes = occupied(s, side)
    for h in {s.where[u] for u in fleeing if on_map(s, u)}:
        if all(u in fleeing for u in units_at(s, h)):
            hexes &= ~(1 << h)
    return hexes


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a retreating unit sees around it."""

    closed: HexSet
    zone: HexSet
    sides: frozenset[Pair]  # hexsides of enemy bonds
    supplied: int
    full: HexSet  # hexes in which it finds no room


def surroundings(s: ArdennesState, u: UnitId, fleeing: Group) -> Surroundings:
    """The ground of a retreat, zones lifted by friends [9.4, 17.1]."""
    side = s.units.side[u]
    closed = occupied(s, 1 - side) | (s.ground.west_map if east_only(s) else 0) | closed_to_british(s, u)
    enemy = bonds(s, 1 - side)
    free_of_zones = _lifted(s, side, fleeing)
    return Surroundings(
        closed | enemy.hexes,
        zone(s, 1 - side) & ~free_of_zones,
        enemy.sides,
        supplied_hexes(s, side),
        full_hexes(s, u, occupied(s, side)),
    )


def paths(s: ArdennesState, u: UnitId, around: Surroundings, length: int) -> Iterator[Path]:
    """Every way of a retreat that does not destroy the unit; one that leaves the map ends in a box [17.2]."""
    yield from _extend(s, u, around, (s.where[u],), length)


def _extend(s: ArdennesState, u: UnitId, around: Surroundings, way: Path, left: int) -> Iterator[Path]:
    if left == 0:
        yield way
        return
    h = way[-1]
    closed = around.closed | (around.zone if len(way) > 1 else 0)
    for b in bits(passable(s, u, h) & ~closed):
        if b not in way and (h, b) not in around.sides:
            yield from _extend(s, u, around, (*way, b), left - 1)
    for box in edge_boxes(s, u, h):
        yield (*way, box)


Rank = tuple[bool, bool, bool, bool, int]


def _rank(s: ArdennesState, u: UnitId, around: Surroundings, way: Path, length: int) -> Rank:
    """How well a way follows the priorities of 17.1, the best lowest; what cannot be had does not matter."""
    end = way[-1]
    if end >= s.ground.hexes:
        return False, bool(len(way) > 2 and around.zone >> way[1] & 1), False, False, 0
    short = bool(within(s.ground, way[0], length - 1) >> end & 1)
    first = bool(around.zone >> way[1] & 1)
    off_road = (
        sum(not by_road(s.ground, a, b, s.blown) for a, b in pairwise(way)) if s.units.mobility[u] == VEHICLE else 0
    )
    return short, first, not around.supplied >> end & 1, bool(around.full >> end & 1), off_road


Ways = dict[int, list[Path]]  # by end


def retreat_ways(s: ArdennesState, u: UnitId, fleeing: Group, length: int) -> tuple[Ways, bool]:
    """The places that the priorities leave to a unit, with its ways, and whether it goes further [17.1, 17.4]."""
    asked, known = ("retreat", u, fleeing, length), noted(s)
    if asked not in known:
        known[asked] = _retreat_ways(s, u, fleeing, length)
    found: tuple[Ways, bool] = known[asked]
    return found


def _retreat_ways(s: ArdennesState, u: UnitId, fleeing: Group, length: int) -> tuple[Ways, bool]:
    around = surroundings(s, u, fleeing)
    best, crowded = _best(s, u, around, length)
    if crowded and (further := _beyond(s, u, around, best, length)):
        return further, True
    return best, False


def retreat_options(s: ArdennesState, u: UnitId, fleeing: Group, length: int) -> tuple[dict[int, Path], bool]:
    """The places that the priorities leave to a unit, with the way that changes least, and whether it goes further."""
    ways, further = retreat_ways(s, u, fleeing, length)
    return lightest(s, s.units.side[u], ways), further


def _onward(s: ArdennesState, u: UnitId, around: Surroundings, ways: Ways, seen: set[int]) -> Ways:
    """Ways that are a hex longer, to places not seen before."""
    onward: Ways = {}
    for way in (way for found in ways.values() for way in found):
        for longer in _extend(s, u, around, way, 1):
            if longer[-1] not in seen:
                onward.setdefault(longer[-1], []).append(longer)
    return onward


def _beyond(s: ArdennesState, u: UnitId, around: Surroundings, ways: Ways, length: int) -> Ways:
    """On from the full ends of a retreat, hex by hex, as far as the nearest in which the unit finds room [17.4].

    A unit out of supply would not survive a third hex, so it does not go on that far [23.4].
    """
    seen, gone = set(ways), length
    while ways and (gone < UNSUPPLIED_HEXES or is_supplied(s, u)):
        gone += 1
        onward = _onward(s, u, around, ways, seen)
        seen |= set(onward)
        ranks = {way: _rank(s, u, around, way, length) for found in onward.values() for way in found}
        room = [rank for rank in ranks.values() if not rank[3]]
        if room:
            best = {end: [way for way in onward[end] if ranks[way] == min(room)] for end in sorted(onward)}
            return {end: found for end, found in best.items() if found}
        ways = onward
    return {}


def _best(s: ArdennesState, u: UnitId, around: Surroundings, length: int) -> tuple[Ways, bool]:
    lowest: Rank | None = None
    found: Ways = {}
    for way in paths(s, u, around, length):
        rank = _rank(s, u, around, way, length)
        if lowest is None or rank < lowest:
            lowest, found = rank, {}
        if rank == lowest:
            found.setdefault(way[-1], []).append(way)
    return dict(sorted(found.items())), bool(lowest and lowest[3])


# ---- 17.1 The owner determines the way ----------------------------------------------------------------------


def lightest(s: ArdennesState, side: int, ways: Ways) -> dict[int, Path]:
    """By end the way with the fewest effects, then by the lowest hexes."""
    dear = dear_to(s, side)
    return {end: found[0] if len(found) == 1 else min(found, key=lambda way: (dear.burden(way), way))
            for end, found in ways.items()}  # fmt: skip


def through(ways: Ways, led: Path) -> Ways:
    """The ways that pass some hexes, in this order."""
    if not led:
        return ways
    kept = {end: [way for way in found if tuple(h for h in way[1:] if h in led) == led] for end, found in ways.items()}
    return {end: found for end, found in kept.items() if found}


def forks(s: ArdennesState, side: int, ways: Ways, led: Path) -> list[int]:
    """The hexes by which a retreat can be led, where its ways to one end change different things; ascending."""
    dear = dear_to(s, side)
    dears = dear.grave | dear.light
    found: set[int] = set()
    for same_end in (found_ways for found_ways in ways.values() if len(found_ways) > 1):
        if len({mask_of(h for h in way[1:-1]) & dears for way in same_end}) > 1:
            found |= {h for way in same_end for h in way[1:-1] if h not in led}
    return sorted(h for h in found if through(ways, (*led, h)))


# ---- 17.1 The retreat of a stack ------------------------------------------------------------------------


def refuse_survival(s: ArdennesState, u: UnitId, length: int) -> Refusal | None:
    """Why a unit does not survive a retreat at all [17.7, 18.2, 18.5, 23.4, 27.1]."""
    if s.order[u] == ROUTED:
        return Refusal("18.5", "routed-again", unit=u)
    if s.order[u] and length > LONGEST_IN_ORDER:
        return Refusal("18.2", "disrupted-and-routed", unit=u)
    if s.units.artillery[u] and s.units.side[u] == GERMAN and not s.tractor >> u & 1:
        return Refusal("17.7", "guns-without-tractor", unit=u)
    if length > UNSUPPLIED_HEXES and not is_supplied(s, u):
        return Refusal("23.4", "no-supply-no-retreat", unit=u)
    if s.units.engineer[u] and s.units.side[u] == ALLIED and (length > LONGEST_IN_ORDER or s.order[u]):
        return Refusal("27.1", "engineers-scatter", unit=u)
    return None


def next_to_go(s: ArdennesState, left: Group, fleeing: Group, length: int) -> Group:
    """The units that may go next: any where one can take the room of another, else the first [17.1]."""
    here, side = s.where[left[0]], s.units.side[left[0]]
    able = tuple(u for u in left if refuse_survival(s, u, length) is None)
    if len(able) < 2 or not occupied(s, side) & within(s.ground, here, length) & ~(1 << here):
        return left[:1]
    ends = {u: retreat_options(s, u, fleeing, length)[0] for u in able}
    for h in {h for found in ends.values() for h in found if h < s.ground.hexes}:
        rivals = tuple(u for u in able if h in ends[u])
        if len(rivals) > 1 and refuse_stack(s, (*units_at(s, h), *rivals)) is not None:
            return tuple(u for u in able if ends[u])
    return left[:1]


@dataclass(frozen=True, slots=True)
class Retreats(AutoFrame[ArdennesState]):
    """Unit after unit leaves the hex; the owner chooses the unit and its way where there is a choice."""

    side: int
    hex: int
    length: int
    fleeing: Group

    def run(self, s: ArdennesState, out: Sink) -> None:
        left = tuple(u for u in self.fleeing if s.where[u] == self.hex)
        if not left:
            s.swap(Stacking(self.side))
            return
        units = next_to_go(s, left, self.fleeing, self.length)
        if len(units) > 1:
            push_noted(s, Retreat(self.side, units, self.length, self.fleeing))
            return
        u = units[0]
        refusal = refuse_survival(s, u, self.length)
        ways, further = retreat_ways(s, u, self.fleeing, self.length) if refusal is None else ({}, False)
        if not ways:
            out("17.2" if refusal is None else refusal.rule, "lost-in-retreat", unit=u)
            eliminate(s, u, "17.2" if refusal is None else refusal.rule, out)
        elif len(ways) == 1 and not forks(s, self.side, ways, ()):
            retreat(s, u, next(iter(lightest(s, self.side, ways).values())), self.length, further, out)
        else:
            push_noted(s, Retreat(self.side, units, self.length, self.fleeing))


def retreat(s: ArdennesState, u: UnitId, way: Path, length: int, further: bool, out: Sink) -> None:
    """Bring a unit back: disrupted after two hexes, routed after more or if it was disrupted [18.2]."""
    others = ~(1 << u)
    s.engaged &= others  # 17.8
    s.retreated |= 1 << u
    if s.units.artillery[u]:
        s.fired |= 1 << u
    routed = length > LONGEST_IN_ORDER or further or s.order[u] == DISRUPTED
    out("17.1", "retreats", unit=u, hex_from=way[0], place=way[-1])
    leave(s, u, way, out)
    set_march(s, u, False)  # 12.7
    set_order(s, u, ROUTED if routed else DISRUPTED)
    if routed and s.units.engineer[u] and s.units.side[u] == ALLIED:
        eliminate(s, u, "27.1", out)


def leave(s: ArdennesState, u: UnitId, way: Path, out: Sink) -> None:
    """Follow a way; in a box off the map a unit is in supply [23.2]."""
    hexes = [h for h in way if h < s.ground.hexes]
    driven = is_driven_across(s, u, hexes)
    enter(s, u, hexes, out)
    if driven:
        s.driven |= 1 << u
    if way[-1] >= s.ground.hexes:
        leave_map(s, u, way[-1])


@dataclass(frozen=True, slots=True)
class Retreat(SideFrame[ArdennesState]):
    """The owner chooses where a unit ends its retreat, by which way, and which one goes next if room is short."""

    units: Group
    length: int
    fleeing: Group
    led: Path = ()  # hexes that the unit in hand is to pass

    def ways(self, s: ArdennesState, u: UnitId) -> Ways:
        """The ways of a unit by their ends."""
        return through(retreat_ways(s, u, self.fleeing, self.length)[0], self.led)

    def options(self, s: ArdennesState, u: UnitId) -> dict[int, Path]:
        """The ends of a unit, each with one way."""
        return lightest(s, self.side, self.ways(s, u))

    def leads(self, s: ArdennesState, u: UnitId) -> list[int]:
        """The hexes by which a unit can be led."""
        return forks(s, self.side, self.ways(s, u), self.led)

    def legal(self, s: ArdennesState) -> list[Action]:
        cancel: list[Action] = [("cancel",)] if self.led else []
        return [*self.candidates(s), *(("via", u, h) for u in self.units for h in self.leads(s, u)), *cancel]

    def candidates(self, s: ArdennesState) -> list[Action]:
        return [("retreat", u, place) for u in self.units for place in self.options(s, u)]

    def draft(self, s: ArdennesState) -> tuple[Action, ...]:
        return tuple(("via", self.units[0], h) for h in self.led)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        if action[0] == "cancel":
            s.pop()  # the retreats beneath ask again
            return
        u, place = UnitId(action[1]), int(action[2])
        if action[0] == "via":
            s.swap(replace(self, units=(u,), led=(*self.led, place)))
            return
        ways, further = retreat_ways(s, u, self.fleeing, self.length)
        way = lightest(s, self.side, through(ways, self.led))[place]
        s.pop()
        retreat(s, u, way, self.length, further, out)

    def prompt(self, s: ArdennesState) -> Prompt:
        if len(self.units) > 1:
            return Prompt("17.1", "choose-who-retreats", units=self.units, n=self.length)
        return Prompt("17.1", "choose-retreat", unit=self.units[0], n=self.length)

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action[0] in ("retreat", "via") and action[1] in self.units:
            return [Refusal("17.1", "no-retreat-there", unit=int(action[1]), place=int(action[2]))]
        return [Refusal("17.1", "retreat-first", unit=self.units[0])]


def begin_retreat(s: ArdennesState, h: int, length: int, out: Sink) -> None:
    """Start the retreat of all units of a hex; units that had just fled to others there are lost [17.5]."""
    units = units_at(s, h)
    if any(not s.retreated >> u & 1 for u in units):
        for u in units:
            if s.retreated >> u & 1:
                eliminate(s, u, "17.5", out)
    if units := units_at(s, h):
        s.push(Retreats(s.units.side[units[0]], h, length, units))
