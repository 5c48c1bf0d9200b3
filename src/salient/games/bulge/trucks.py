"""Battle of the Bulge: phase 3, trucks. Rules 4.7 and 7.9; they drive after their side's units have moved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from salient.games.bulge.model import (
    ARTILLERY,
    BASES,
    CARGO,
    FORMATION_SIDE,
    FORMATION_TURN,
    HEXES,
    INFANTRY,
    KINDS,
    ROAD_EDGE,
    SEATS,
    SIDE_FORMATIONS,
    SUPPLY,
    TRUCK,
    TRUCK_SPACES,
    BulgeState,
    around,
    based,
    change_base,
    count,
    fighting,
    kind_of,
    mark_moved,
    owned,
    place_of,
    present,
    put,
    seat_of,
    side_of,
    unit_id,
    unmoved,
    waiting,
)
from salient.games.bulge.movement import Routes, ask, leave, road_routes, stopping
from salient.hexes.masks import bit, bits, mask_of
from salient.kernel import Action, AutoFrame, Frame, Prompt, Refusal, Seat
from salient.kernel.messages import Sink

NOWHERE = -1

# ---- where a truck may drive ------------------------------------------------------------------------


def closed_to_trucks(s: BulgeState, side: int) -> int:
    """Enemy combat units, and enemy trucks and supply that nobody of ours has overrun, as bits [7.7]."""
    return fighting(s, 1 - side) | present(s, 1 - side) & ~fighting(s, side)


@lru_cache(maxsize=1 << 14)
def drive_routes(side: int, start: int, closed: int, enemies: int, stop: int, home: int) -> Routes:
    """Every hex that a truck reaches from a hex or from off the board, with the way there [4.7, 8.5]."""
    zone = around(enemies)
    if start < HEXES:
        return road_routes(start, closed, zone, stop)
    routes: Routes = {}
    for entry in bits(ROAD_EDGE[side] & home & ~closed):
        if entry in routes:
            continue
        routes[entry] = start
        if not stop >> entry & 1:
            for h, before in road_routes(entry, closed, zone, stop).items():
                routes.setdefault(h, before if h != entry else start)
    return routes


def drives(s: BulgeState, side: int, start: int) -> Routes:
    """The routes of a truck of a side that stands in a hex or off the board."""
    home = owned(s, side)
    return drive_routes(side, start, closed_to_trucks(s, side), fighting(s, 1 - side), stopping(s, side), home)


@lru_cache(maxsize=1 << 14)
def _destinations(side: int, start: int, closed: int, enemies: int, stop: int, home: int) -> tuple[int, ...]:
    return tuple(sorted(h for h in drive_routes(side, start, closed, enemies, stop, home) if h != start))


def destinations(s: BulgeState, side: int, start: int) -> tuple[int, ...]:
    """Every hex where a truck may end its drive, ascending."""
    home = owned(s, side)
    return _destinations(side, start, closed_to_trucks(s, side), fighting(s, 1 - side), stopping(s, side), home)


def on_the_way(s: BulgeState, side: int, start: int) -> int:
    """The hexes in which a truck can load and go on: its start and those that do not end its movement [4.7.2]."""
    if start < HEXES and around(fighting(s, 1 - side)) >> start & 1:
        return bit(start)
    passing = mask_of(destinations(s, side, start)) & ~stopping(s, side)
    return passing | bit(start) if start < HEXES else passing


# ---- 4.7.2, 4.7.3 What it may load -------------------------------------------------------------------------


def loadable(s: BulgeState, side: int, kind: int, place: int) -> int:
    """How many pieces of a kind in a place can be loaded."""
    if place >= BASES[0]:
        return based(s, side, SUPPLY) if kind == SUPPLY and place == BASES[side] else 0
    if place >= HEXES:
        formation = place - HEXES
        due = FORMATION_SIDE[formation] == side and FORMATION_TURN[formation] <= s.turn
        return waiting(s, formation, kind) if due and kind != SUPPLY else 0
    if kind == SUPPLY:
        return count(s, side, SUPPLY, place)
    return unmoved(s, side, kind, place) if s.activated >> place & 1 else 0


def off_board_places(side: int) -> tuple[int, ...]:
    """The charts' formations and the off-board area of a side."""
    return (*(HEXES + f for f in SIDE_FORMATIONS[side]), BASES[side])


def hexes_with_cargo(s: BulgeState, side: int) -> int:
    """The hexes that hold anything a truck could load, as bits."""
    row = (side * 5 + SUPPLY) * HEXES
    tokens = mask_of(h for h, n in enumerate(s.ground[row : row + HEXES]) if n)
    return tokens | s.activated & fighting(s, side)


def load_order(unit: int) -> tuple[bool, int]:
    """Trucks load off the board first, then along the road; each in ascending order."""
    return place_of(unit) < HEXES, unit


# ---- the drive ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Convoys(AutoFrame):
    """Asks a side for one truck after the other, as long as any can do something."""

    side: int
    number: int  # how many trucks have driven or left

    def run(self, s: BulgeState, out: Sink) -> None:
        if not ask(s, Trucks(self.side)):
            s.pop()


def end_drive(s: BulgeState, side: int) -> None:
    """A truck has done its part: on to the next."""
    leave(s, Convoys)
    s.push(Convoys(side, s.parked + sum(s.moved[TRUCK * HEXES :])))


@dataclass(frozen=True, slots=True)
class Trucks(Frame):
    """A side drives its trucks one after the other; empty trucks at the edge may leave the board.

    A truck under way loads at the start and along the road, in order, then ends its drive in a hex.
    """

    side: int
    start: int = NOWHERE  # where the truck under way comes from
    at: int = NOWHERE  # where it loaded last
    last: int = NOWHERE  # the pile it loaded last
    cargo: tuple[int, int, int] = (0, 0, 0)

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        if self.start == NOWHERE:
            return self._departures(s)
        loads: list[Action] = []
        space = TRUCK_SPACES - sum(self.cargo)
        if space:
            for unit, most in self.loads(s):
                loads += [("load", unit, n) for n in range(1, min(space, most) + 1)]
        return [*loads, *(("stop", h) for h in destinations(s, self.side, self.at))]

    def _departures(self, s: BulgeState) -> list[Action]:
        places = (*bits(present(s, self.side)), BASES[self.side])
        ready = [place for place in places if trucks_ready(s, self.side, place)]
        drive: list[Action] = [
            ("drive", unit_id(self.side, TRUCK, place)) for place in ready if destinations(s, self.side, place)
        ]
        leave: list[Action] = [
            ("leave", unit_id(self.side, TRUCK, place))
            for place in ready
            if place < HEXES and refuse_leaving(s, self.side, place) is None
        ]
        return [*drive, *leave, ("pass",)]

    def loads(self, s: BulgeState) -> list[tuple[int, int]]:
        """What the truck may load now and how much of it, ascending."""
        last = load_order(self.last) if self.last != NOWHERE else (False, NOWHERE)
        passed = on_the_way(s, self.side, self.at) | (bit(self.start) if self.start < HEXES else 0)
        places = bits(passed & hexes_with_cargo(s, self.side))
        if self.at >= HEXES:
            places += off_board_places(self.side)
        found = []
        for kind in CARGO:
            for place in places:
                unit = unit_id(self.side, kind, place)
                most = loadable(s, self.side, kind, place)
                if most and load_order(unit) > last:
                    found.append((unit, most))
        return found

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        match action:
            case ("drive", int(unit)):
                s.swap(Trucks(self.side, place_of(unit), place_of(unit)))
            case ("leave", int(unit)):
                self._leave(s, place_of(unit), out)
            case ("load", int(unit), int(n)):
                self._load(s, unit, n, out)
            case ("stop", int(h)):
                self._arrive(s, h, out)
            case _:
                leave(s, Convoys)

    def _leave(self, s: BulgeState, h: int, out: Sink) -> None:
        put(s, self.side, TRUCK, h, -1)
        change_base(s, self.side, TRUCK, 1)
        s.parked += 1
        out("7.9", "truck-leaves", word_side=SEATS[self.side], hex=h)
        end_drive(s, self.side)

    def _load(self, s: BulgeState, unit: int, n: int, out: Sink) -> None:
        kind, place = kind_of(unit), place_of(unit)
        take(s, self.side, kind, place, n)
        infantry, guns, tokens = (aboard + n * (each == kind) for each, aboard in zip(CARGO, self.cargo, strict=True))
        s.swap(replace(self, at=place if place < HEXES else self.at, last=unit, cargo=(infantry, guns, tokens)))
        out("4.7.2" if place < HEXES else "4.7.3", "loads", word_kind=KINDS[kind], n=n, place=place)

    def _arrive(self, s: BulgeState, to: int, out: Sink) -> None:
        for i, n in enumerate(self.cargo):
            s.aboard[i * HEXES + to] += n
        if self.start < HEXES:
            put(s, self.side, TRUCK, self.start, -1)
        else:
            change_base(s, self.side, TRUCK, -1)
        put(s, self.side, TRUCK, to, 1)
        mark_moved(s, TRUCK, to, 1)
        end_drive(s, self.side)
        load = sum(self.cargo)
        out("4.7", "truck-drives", word_side=SEATS[self.side], place=self.start, hex=to, n_load=load)

    def prompt(self, s: BulgeState) -> Prompt:
        if self.start == NOWHERE:
            return Prompt("4.7", "drive-or-pass", word_side=SEATS[self.side])
        return Prompt("4.7", "load-or-stop", place=self.start, n_load=sum(self.cargo))

    def why_not(self, s: BulgeState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if self.start == NOWHERE:
            match action:
                case ("drive" | "leave" as verb, int(unit)):
                    return [self._refuse_departure(s, str(verb), unit)]
            return [Refusal("4.7", "trucks-first")]
        match action:
            case ("load", int(unit), int(n)):
                return [self._refuse_load(s, unit, n)]
            case ("stop", int(h)):
                return [Refusal("4.7", "truck-cannot-reach", hex=h)]
        return [Refusal("4.7", "finish-drive-first", place=self.start)]

    def _refuse_departure(self, s: BulgeState, verb: str, unit: int) -> Refusal:
        place = place_of(unit)
        if side_of(unit) != self.side or kind_of(unit) != TRUCK or not trucks_ready(s, self.side, place):
            return Refusal("4.7", "no-truck-ready", place=place)
        refusal = refuse_leaving(s, self.side, place) if verb == "leave" else None
        return refusal or Refusal("4.7", "no-road-for-truck", place=place)

    def _refuse_load(self, s: BulgeState, unit: int, n: int) -> Refusal:
        place, kind = place_of(unit), kind_of(unit)
        if side_of(unit) != self.side or kind not in CARGO or not 1 <= n <= loadable(s, self.side, kind, place):
            if place < HEXES and kind in (INFANTRY, ARTILLERY) and not s.activated >> place & 1:
                return Refusal("4.7.2", "load-needs-activation", hex=place)
            return Refusal("4.7.2", "nothing-to-load", place=place)
        if n > TRUCK_SPACES - sum(self.cargo):
            return Refusal("4.7.1", "truck-full", n=TRUCK_SPACES)
        return Refusal("4.7.2", "load-in-order", place=place)


def trucks_ready(s: BulgeState, side: int, place: int) -> int:
    """How many trucks in a hex or off the board may still drive this turn."""
    if place < HEXES:
        return unmoved(s, side, TRUCK, place)
    return based(s, side, TRUCK) - s.parked if place == BASES[side] else 0


def refuse_leaving(s: BulgeState, side: int, place: int) -> Refusal | None:
    """Why an empty truck cannot leave the board from a place; enemy zones do not matter [7.9]."""
    if place >= HEXES or not ROAD_EDGE[side] >> place & 1:
        return Refusal("7.9", "not-at-the-edge", place=place)
    if not owned(s, side) >> place & 1:
        return Refusal("7.9", "edge-not-yours", hex=place)
    return None


def take(s: BulgeState, side: int, kind: int, place: int, n: int) -> None:
    """Take pieces from where a truck loads them."""
    if place < HEXES:
        put(s, side, kind, place, -n)
    elif place < BASES[0]:
        s.charts[(place - HEXES) * 3 + kind] -= n
    else:
        change_base(s, side, kind, -n)


# ---- 4.7.4 Unloading ------------------------------------------------------------------------------------------------


def unload(s: BulgeState, side: int, out: Sink) -> None:
    """At the end of its movement every truck of a side unloads where it stands."""
    for i, kind in enumerate(CARGO):
        row = i * HEXES
        for h in range(HEXES):
            n = s.aboard[row + h]
            if n:
                s.aboard[row + h] = 0
                put(s, side, kind, h, n)
                out("4.7.4", "unloads", word_kind=KINDS[kind], n=n, hex=h)
