"""Battle of the Bulge: phase 3, trucks. Rules 4.7 and 7.9; they drive after their side's units have moved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from salient.games.bulge.components import ARTILLERY, CARGO, INFANTRY, KINDS, SEATS, SUPPLY, TRUCK
from salient.games.bulge.model import (
    TRUCK_SPACES,
    BulgeState,
    based,
    change_base,
    count,
    fighting,
    hexes_with,
    mark_moved,
    owned,
    present,
    put,
    seat_of,
    stores,
    truck_hexes,
    unmoved,
    waiting,
    zone_of_control,
)
from salient.games.bulge.movement import Routes, leave, passed, path, road_reach, road_routes, stopping
from salient.hexes.masks import bit, bits, mask_of
from salient.hexes.sets import HexId, HexSet, UnitId
from salient.kernel import Action, AutoFrame, Frame, Prompt, Refusal, Seat
from salient.kernel.messages import Sink

NOWHERE = -1

# ---- where a truck may drive ------------------------------------------------------------------------


def closed_to_trucks(s: BulgeState, side: int, overrun: int = 0) -> HexSet:
    """Enemy combat units, and enemy trucks and supply that nobody of ours has overrun, as bits [7.7]."""
    return fighting(s, 1 - side) | present(s, 1 - side) & ~fighting(s, side) & ~overrun


def entries(s: BulgeState, side: int, closed: HexSet) -> HexSet:
    """The hexes by which a truck comes onto the board, as bits [8.5]."""
    return s.ground.road_edge[side] & owned(s, side) & ~closed


def drives(s: BulgeState, side: int, start: int, overrun: int = 0) -> Routes:
    """Every hex that a truck reaches from a hex or from off the board, with the way there [4.7, 8.5]."""
    closed, stop = closed_to_trucks(s, side, overrun), stopping(s, side)
    if start < s.ground.hexes:
        return road_routes(s.ground, start, closed, passed(start, zone_of_control(s, 1 - side), stop))
    routes: Routes = {}
    for entry in bits(entries(s, side, closed)):
        if entry in routes:
            continue
        routes[entry] = start
        for h, before in road_routes(s.ground, entry, closed, ~stop).items():
            routes.setdefault(h, before)
    return routes


def drive_hexes(s: BulgeState, side: int, start: int, overrun: int = 0) -> int:
    """Every hex where a truck may end its drive, as bits; hexes overrun by units that it has loaded stay open."""
    closed, stop = closed_to_trucks(s, side, overrun), stopping(s, side)
    if start >= s.ground.hexes:
        return road_reach(s.ground, entries(s, side, closed), closed, ~stop)
    return road_reach(s.ground, bit(start), closed, passed(start, zone_of_control(s, 1 - side), stop)) & ~bit(start)


def destinations(s: BulgeState, side: int, start: int, overrun: int = 0) -> list[int]:
    """Every hex where a truck may end its drive, ascending."""
    return bits(drive_hexes(s, side, start, overrun))


def on_the_way(s: BulgeState, side: int, start: int, overrun: int = 0) -> int:
    """The hexes in which a truck can load and go on: its start and those that do not end its movement [4.7.2]."""
    if start < s.ground.hexes and zone_of_control(s, 1 - side) >> start & 1:
        return bit(start)
    passing = drive_hexes(s, side, start, overrun) & ~stopping(s, side)
    return passing | bit(start) if start < s.ground.hexes else passing


# ---- 4.7.2, 4.7.3 What it may load -------------------------------------------------------------------------


def loadable(s: BulgeState, side: int, kind: int, place: int) -> int:
    """How many pieces of a kind in a place can be loaded."""
    ground = s.ground
    if place >= ground.bases[0]:
        return based(s, side, SUPPLY) if kind == SUPPLY and place == ground.bases[side] else 0
    if place >= ground.hexes:
        formation = place - ground.hexes
        due = s.formations.side[formation] == side and s.formations.turn[formation] <= s.turn
        return waiting(s, formation, kind) if due and kind != SUPPLY else 0
    if kind == SUPPLY:
        return count(s, side, SUPPLY, place)
    return unmoved(s, side, kind, place) if s.activated >> place & 1 else 0


def off_board_places(s: BulgeState, side: int) -> tuple[int, ...]:
    """The charts' formations and the off-board area of a side."""
    ground = s.ground
    return (*(ground.boxes[f] for f in s.formations.of_side[side]), ground.bases[side])


def hexes_with_cargo(s: BulgeState, side: int) -> HexSet:
    """The hexes that hold anything a truck could load, as bits."""
    return stores(s, side) | s.activated & fighting(s, side)


def load_order(s: BulgeState, unit: UnitId) -> tuple[bool, int]:
    """Trucks load off the board first, then along the road; each in ascending order."""
    return s.units.place[unit] < s.ground.hexes, unit


@lru_cache(maxsize=1 << 14)
def _stops_at(hexes: int) -> tuple[Action, ...]:
    """The stops in some hexes, ready-made."""
    return tuple([("stop", h) for h in bits(hexes)])


# ---- the drive ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Convoys(AutoFrame[BulgeState]):
    """Asks a side for one truck after the other, as long as any can do something."""

    side: int
    number: int  # how many trucks have driven or left

    def run(self, s: BulgeState, out: Sink) -> None:
        if any(may_depart(s, self.side, place) for place in departure_places(s, self.side)):
            s.push(Trucks(self.side))
        else:
            s.pop()


def end_drive(s: BulgeState, side: int) -> None:
    """A truck has done its part: on to the next."""
    leave(s, Convoys)
    s.push(Convoys(side, s.parked + sum(s.moved[TRUCK * s.ground.hexes :])))


@dataclass(frozen=True, slots=True)
class Trucks(Frame[BulgeState]):
    """A side drives its trucks one after the other; empty trucks at the edge may leave the board.

    What a truck under way loads, at the start and along the road, is named in any order; then it ends its drive.
    """

    side: int
    start: int = NOWHERE  # where the truck under way comes from
    loads: tuple[tuple[UnitId, int], ...] = ()  # piles and how many of each, in the order of `load_order`

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        if self.start == NOWHERE:
            return self._departures(s)
        drop: list[Action] = [("drop", unit) for unit in sorted(unit for unit, _ in self.loads)]
        return [*self._load_actions(s, self.loadings(s)), *self._stops(s), *drop, ("cancel",)]

    def candidates(self, s: BulgeState) -> list[Action]:
        if self.start == NOWHERE:
            return self._departures(s)
        last = load_order(s, self.loads[-1][0]) if self.loads else (False, NOWHERE)
        return [
            *self._load_actions(s, [pile for pile in self.loadings(s) if load_order(s, pile[0]) > last]),
            *self._stops(s),
        ]

    def _load_actions(self, s: BulgeState, piles: list[tuple[UnitId, int]]) -> list[Action]:
        space = TRUCK_SPACES - sum(self.cargo(s))
        return [("load", unit, n) for unit, most in piles for n in range(1, min(space, most) + 1)]

    def _stops(self, s: BulgeState) -> list[Action]:
        at = self.at(s)
        stops = drive_hexes(s, self.side, at, self.overrun(s))
        return list(_stops_at(stops if at == self.start else stops | bit(at)))

    def cargo(self, s: BulgeState) -> tuple[int, int, int]:
        """What is loaded: infantry, artillery, supply."""
        kind_of = s.units.kind
        infantry, guns, tokens = (sum(n for unit, n in self.loads if kind_of[unit] == kind) for kind in CARGO)
        return infantry, guns, tokens

    def at(self, s: BulgeState) -> int:
        """Where the truck is thought to be: in a hex on its way in which it loads, or at its start."""
        return max(self._loading(s), default=self.start)

    def _loading(self, s: BulgeState) -> set[int]:
        """The hexes on its way in which it loads, but for its start."""
        places = {s.units.place[unit] for unit, _ in self.loads}
        return {place for place in places if place < s.ground.hexes} - {self.start}

    def way(self, s: BulgeState, to: int) -> list[int]:
        """The way of the truck to a hex, past all the hexes in which it loads."""
        way = [self.start]
        for goal in (*sorted(self._loading(s) - {to}), to):
            way += path(drives(s, self.side, way[-1], self.overrun(s)), way[-1], goal)[1:]
        return way

    def overrun(self, s: BulgeState) -> int:
        """The hexes of the combat units that are loaded: they have been there first, as bits."""
        units = s.units
        places = [units.place[unit] for unit, _ in self.loads if units.kind[unit] != SUPPLY]
        return mask_of(place for place in places if place < s.ground.hexes)

    def draft(self, s: BulgeState) -> tuple[Action, ...]:
        if self.start == NOWHERE:
            return ()
        loads: list[Action] = [("load", unit, n) for unit, n in self.loads]
        return (("drive", s.units.piles[self.side][TRUCK][self.start]), *loads)

    def _departures(self, s: BulgeState) -> list[Action]:
        ready, piles = departure_places(s, self.side), s.units.piles
        drive: list[Action] = [
            ("drive", piles[self.side][TRUCK][place]) for place in ready if drive_hexes(s, self.side, place)
        ]
        leave: list[Action] = [
            ("leave", piles[self.side][TRUCK][place]) for place in ready if may_leave(s, self.side, place)
        ]
        return [*drive, *leave, ("pass",)]

    def loadings(self, s: BulgeState) -> list[tuple[UnitId, int]]:
        """What the truck may load besides and how much of it, ascending."""
        on_board = self.start < s.ground.hexes
        passed = on_the_way(s, self.side, self.at(s), self.overrun(s)) | (bit(self.start) if on_board else 0)
        there = () if on_board else off_board_places(s, self.side)
        places = [*bits(passed & hexes_with_cargo(s, self.side)), *there]
        loaded = {unit for unit, _ in self.loads}
        found = []
        for kind in CARGO:
            piles = s.units.piles[self.side][kind]
            numbers = [(piles[place], loadable(s, self.side, kind, place)) for place in places]
            found += [(unit, most) for unit, most in numbers if most and unit not in loaded]
        return found

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        match action:
            case ("drive", UnitId(unit)):
                s.swap(Trucks(self.side, s.units.place[unit]))
            case ("leave", UnitId(unit)):
                self._leave(s, s.units.place[unit], out)
            case ("load", UnitId(unit), int(n)):
                take(s, self.side, s.units.kind[unit], s.units.place[unit], n)
                loads = sorted((*self.loads, (unit, n)), key=lambda load: load_order(s, load[0]))
                s.swap(replace(self, loads=tuple(loads)))
            case ("drop", UnitId(unit)):
                self._put_back(s, [load for load in self.loads if load[0] == unit])
                s.swap(replace(self, loads=tuple(load for load in self.loads if load[0] != unit)))
            case ("cancel",):
                self._put_back(s, self.loads)
                s.swap(Trucks(self.side))
            case ("stop", HexId(h)):
                self._arrive(s, h, out)
            case _:
                leave(s, Convoys)

    def _put_back(self, s: BulgeState, loads: Iterable[tuple[UnitId, int]]) -> None:
        for unit, n in loads:
            take(s, self.side, s.units.kind[unit], s.units.place[unit], -n)

    def _leave(self, s: BulgeState, h: int, out: Sink) -> None:
        put(s, self.side, TRUCK, h, -1)
        change_base(s, self.side, TRUCK, 1)
        s.parked += 1
        out("7.9", "truck-leaves", word_side=SEATS[self.side], hex=h)
        end_drive(s, self.side)

    def _arrive(self, s: BulgeState, to: int, out: Sink) -> None:
        units, hexes = s.units, s.ground.hexes
        for unit, n in self.loads:
            kind, place = units.kind[unit], units.place[unit]
            out("4.7.2" if place < hexes else "4.7.3", "loads", word_kind=KINDS[kind], n=n, place=place)
            s.aboard[CARGO.index(kind) * hexes + to] += n
        if self.start < hexes:
            put(s, self.side, TRUCK, self.start, -1)
        else:
            change_base(s, self.side, TRUCK, -1)
        put(s, self.side, TRUCK, to, 1)
        mark_moved(s, TRUCK, to, 1)
        end_drive(s, self.side)
        load = sum(self.cargo(s))
        out("4.7", "truck-drives", word_side=SEATS[self.side], place=self.start, hex=to, n_load=load)

    def prompt(self, s: BulgeState) -> Prompt:
        if self.start == NOWHERE:
            return Prompt("4.7", "drive-or-pass", word_side=SEATS[self.side])
        return Prompt("4.7", "load-or-stop", place=self.start, n_load=sum(self.cargo(s)))

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        if self.start == NOWHERE:
            match action:
                case ("drive" | "leave" as verb, UnitId(unit)):
                    return [self._refuse_departure(s, str(verb), unit)]
            return [Refusal("4.7", "trucks-first")]
        match action:
            case ("load", UnitId(unit), int(n)):
                return [self._refuse_load(s, unit, n)]
            case ("stop", HexId(h)):
                return [Refusal("4.7", "truck-cannot-reach", hex=h)]
            case ("drop", UnitId(unit)):
                return [Refusal("4.7.2", "not-named", piece=unit)]
        return [Refusal("4.7", "finish-drive-first", place=self.start)]

    def _refuse_departure(self, s: BulgeState, verb: str, unit: UnitId) -> Refusal:
        units, place = s.units, s.units.place[unit]
        if units.side[unit] != self.side or units.kind[unit] != TRUCK or not trucks_ready(s, self.side, place):
            return Refusal("4.7", "no-truck-ready", place=place)
        refusal = refuse_leaving(s, self.side, place) if verb == "leave" else None
        return refusal or Refusal("4.7", "no-road-for-truck", place=place)

    def _refuse_load(self, s: BulgeState, unit: UnitId, n: int) -> Refusal:
        place, kind = s.units.place[unit], s.units.kind[unit]
        if s.units.side[unit] != self.side or kind not in CARGO or not 1 <= n <= loadable(s, self.side, kind, place):
            if place < s.ground.hexes and kind in (INFANTRY, ARTILLERY) and not s.activated >> place & 1:
                return Refusal("4.7.2", "load-needs-activation", hex=place)
            return Refusal("4.7.2", "nothing-to-load", place=place)
        if n > TRUCK_SPACES - sum(self.cargo(s)):
            return Refusal("4.7.1", "truck-full", n=TRUCK_SPACES)
        if any(unit == loaded for loaded, _ in self.loads):
            return Refusal("4.7.2", "loaded-already", unit=unit)
        return Refusal("4.7.2", "not-on-the-way", place=place)


def trucks_ready(s: BulgeState, side: int, place: int) -> int:
    """How many trucks in a hex or off the board may still drive this turn."""
    if place < s.ground.hexes:
        return unmoved(s, side, TRUCK, place)
    return based(s, side, TRUCK) - s.parked if place == s.ground.bases[side] else 0


def departure_places(s: BulgeState, side: int) -> list[int]:
    """The hexes with trucks of a side that may still drive, ascending, and its base if there are any."""
    places = (*bits(truck_hexes(s, side)), s.ground.bases[side])
    return [place for place in places if trucks_ready(s, side, place)]


def may_depart(s: BulgeState, side: int, place: int) -> bool:
    """Whether a truck that may still drive finds anything to do."""
    return may_leave(s, side, place) or bool(drive_hexes(s, side, place))


def may_leave(s: BulgeState, side: int, place: int) -> bool:
    """Whether an empty truck can leave the board from a place; enemy zones do not matter [7.9]."""
    return bool((s.ground.road_edge[side] & owned(s, side)) >> place & 1)


def refuse_leaving(s: BulgeState, side: int, place: int) -> Refusal | None:
    """Why an empty truck cannot leave the board from a place."""
    if may_leave(s, side, place):
        return None
    if place >= s.ground.hexes or not s.ground.road_edge[side] >> place & 1:
        return Refusal("7.9", "not-at-the-edge", place=place)
    return Refusal("7.9", "edge-not-yours", hex=place)


def take(s: BulgeState, side: int, kind: int, place: int, n: int) -> None:
    """Take pieces from where a truck loads them."""
    if place < s.ground.hexes:
        put(s, side, kind, place, -n)
    elif place < s.ground.bases[0]:
        s.charts[(place - s.ground.hexes) * 3 + kind] -= n
    else:
        change_base(s, side, kind, -n)


# ---- 4.7.4 Unloading ------------------------------------------------------------------------------------------------


def unload(s: BulgeState, side: int, out: Sink) -> None:
    """At the end of its movement every truck of a side unloads where it stands."""
    hexes = s.ground.hexes
    for i, kind in enumerate(CARGO):
        row = s.aboard[i * hexes : (i + 1) * hexes]
        for h in bits(hexes_with(row)):
            put(s, side, kind, h, row[h])
            out("4.7.4", "unloads", word_kind=KINDS[kind], n=row[h], hex=h)
    s.aboard = bytearray(len(s.aboard))
