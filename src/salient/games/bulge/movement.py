"""Battle of the Bulge: phase 3, movement of the units on the board. Rules 4.2 to 4.4 and 7.1 to 7.15."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from salient.games.bulge.components import COMBAT_KINDS, KINDS, SEATS, TANK, TRUCK, Ground
from salient.games.bulge.model import (
    BulgeState,
    around,
    change_base,
    count,
    fighting,
    mark_moved,
    owned,
    put,
    seat_of,
    truck_hexes,
    unmoved,
)
from salient.games.bulge.supply import can_pay, payable, payers, refuse_payer, spend
from salient.hexes.masks import bit, bits, mask_of
from salient.hexes.sets import HexId, HexSet, UnitId
from salient.kernel import Action, AutoFrame, Frame, Prompt, Refusal, Seat
from salient.kernel.messages import Sink, ignore_events

# ---- 7.5, 7.6 Where movement stops ---------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def stops(ground: Ground, enemies: int, enemy_hexes: int) -> int:
    """The hexes that end a move: enemy zones of control and cities on the enemy's side of the front, as bits."""
    return around(ground, enemies) | ground.cities & enemy_hexes


def stopping(s: BulgeState, side: int) -> int:
    """The hexes that end a move of a side."""
    return stops(s.ground, fighting(s, 1 - side), owned(s, 1 - side))


# ---- 7.13 Roads --------------------------------------------------------------------------------------

Routes = dict[int, int]  # a hex reached -> the hex before it


def passed(start: int, zone: int, stop: int) -> int:
    """The hexes from which a move along roads goes on, as bits; out of a zone of control it goes one hex [7.5]."""
    return bit(start) if zone >> start & 1 else ~stop | bit(start)


@lru_cache(maxsize=1 << 14)
def road_reach(ground: Ground, starts: int, closed: int, passing: int) -> int:
    """Along roads without limit around closed hexes, and on from those that are passed, as bits."""
    reached, ahead = starts, starts & passing
    while ahead:
        h = ahead.bit_length() - 1
        onward = ground.roads[h] & ~closed & ~reached
        reached |= onward
        ahead = ahead ^ 1 << h | onward & passing
    return reached


def road_routes(ground: Ground, start: int, closed: HexSet, passing: int) -> Routes:
    """The same from one hex, with the way to each."""
    routes: Routes = {start: start}
    queue = [start]
    for h in queue:
        if passing >> h & 1:
            for onward in bits(ground.roads[h] & ~closed):
                if onward not in routes:
                    routes[onward] = h
                    queue.append(onward)
    return routes


def tank_routes(ground: Ground, start: int, enemies: HexSet, enemy_hexes: HexSet, blitz: bool) -> Routes:
    """One hex off the road or any number along it; a blitz adds one hex of any kind [4.3, 4.3.1]."""
    going = passed(start, around(ground, enemies), stops(ground, enemies, enemy_hexes))
    routes = road_routes(ground, start, enemies, going)
    for h in bits(ground.dry[start] & ~enemies):
        routes.setdefault(h, start)
    if blitz:
        add_blitz(ground, routes, enemies)
    return routes


def add_blitz(ground: Ground, routes: Routes, enemies: HexSet) -> None:
    """One hex more of any kind from wherever the routes end [4.3.1]."""
    for h in list(routes):
        for onward in bits(ground.dry[h] & ~enemies):
            routes.setdefault(onward, h)


@lru_cache(maxsize=1 << 14)
def blitzed(ground: Ground, hexes: HexSet, enemies: HexSet) -> HexSet:
    """These hexes and those that a blitz adds to them, as bits [4.3.1]."""
    for h in bits(hexes):
        hexes |= ground.dry[h] & ~enemies
    return hexes


def path(routes: Routes, start: int, to: int) -> list[int]:
    """The hexes from the start to the end of a route."""
    hexes = [to]
    while hexes[-1] != start:
        hexes.append(routes[hexes[-1]])
    return hexes[::-1]


# ---- 4.2 to 4.4, 7.7, 7.14 Where a unit may go --------------------------------------------------------------


def routes(s: BulgeState, side: int, kind: int, h: HexId, blitz: bool) -> Routes:
    """Every hex that pieces may move to, with the way there."""
    enemies = fighting(s, 1 - side)
    if kind == TANK:
        return tank_routes(s.ground, h, enemies, owned(s, 1 - side), blitz)
    return dict.fromkeys(bits(s.ground.steps[kind][h] & ~enemies), h)


def tank_reach(ground: Ground, h: HexId, enemies: HexSet, enemy_hexes: HexSet, blitz: bool) -> HexSet:
    """The hexes of a tank's routes, as bits."""
    going = passed(h, around(ground, enemies), stops(ground, enemies, enemy_hexes))
    along = road_reach(ground, bit(h), enemies, going)
    reached = along | ground.dry[h] & ~enemies
    return (blitzed(ground, reached, enemies) if blitz else reached) & ~bit(h)


def goals(s: BulgeState, side: int, kind: int, h: HexId, blitz: bool) -> HexSet:
    """Every hex that pieces may move to, as bits."""
    enemies = fighting(s, 1 - side)
    if kind == TANK:
        return tank_reach(s.ground, h, enemies, owned(s, 1 - side), blitz)
    return s.ground.steps[kind][h] & ~enemies


def reach(s: BulgeState, side: int, kind: int, h: HexId, blitz: bool) -> list[HexId]:
    """Every hex that pieces may move to, ascending."""
    return bits(goals(s, side, kind, h, blitz))


@lru_cache(maxsize=1 << 14)
def _moves(unit: UnitId, hexes: int, most: int) -> tuple[Action, ...]:
    """The moves of a pile to some hexes, ready-made."""
    return tuple([("move", unit, to, n) for to in bits(hexes) for n in range(1, most + 1)])


def refuse_move(s: BulgeState, side: int, kind: int, h: HexId, to: int, blitz: bool) -> Refusal | None:
    """Why pieces that may move cannot go to a hex."""
    if goals(s, side, kind, h, blitz) >> to & 1:
        return None
    if not s.ground.whole >> to & 1:
        return Refusal("7.15", "partial-hex", hex=to)
    if fighting(s, 1 - side) >> to & 1:
        return Refusal("7.7", "enemy-in-hex", hex=to)
    if (s.ground.around[h] & ~s.ground.steps[kind][h]) >> to & 1:
        return Refusal("7.14", "river-without-bridge", hex=to)
    if kind == TANK and around(s.ground, fighting(s, 1 - side)) >> h & 1:
        return Refusal("7.5", "leaving-zone-stops", hex=to)
    return Refusal("4.3" if kind == TANK else "4.2", "too-far", hex=to)


# ---- 7.2, 7.3 Activation and movement ---------------------------------------------------------------


def refuse_activation(s: BulgeState, side: int, h: HexId) -> Refusal | None:
    """Why a hex cannot be activated for movement."""
    if s.activated >> h & 1:
        return Refusal("7.10", "activated-already", hex=h)
    if not can_move(s, side, h):
        return Refusal("7.3", "nobody-to-move", hex=h)
    if not can_pay(s, side, h):
        return Refusal("7.3", "no-supply-to-move", hex=h)
    return None


def can_move(s: BulgeState, side: int, h: int) -> bool:
    """Whether a hex holds combat pieces that have not moved [7.10]."""
    hexes = s.ground.hexes
    row = side * 5 * hexes + h
    pieces = s.pieces[row] + s.pieces[row + hexes] + s.pieces[row + 2 * hexes]
    return pieces > s.moved[h] + s.moved[hexes + h] + s.moved[2 * hexes + h]


def activable(s: BulgeState, side: int) -> Iterator[int]:
    """The hexes that a side can activate, ascending."""
    hexes = bits(fighting(s, side) & ~s.activated & payable(s, side))
    return (h for h in hexes if can_move(s, side, h))


@dataclass(frozen=True, slots=True)
class Movement(AutoFrame[BulgeState]):
    """Asks a side for one hex after the other to activate, as long as it can."""

    side: int
    number: int  # how many hexes have been activated

    def run(self, s: BulgeState, out: Sink) -> None:
        if next(activable(s, self.side), None) is None:
            s.pop()
        else:
            s.push(Activate(self.side))


def end_activation(s: BulgeState, side: int) -> None:
    """The units of the activated hex have moved: on to the next."""
    leave(s, Movement)
    s.push(Movement(side, s.activated.bit_count()))


def leave(s: BulgeState, part: type[AutoFrame[BulgeState]]) -> None:
    """Take a decision off the stack, and the part of the turn beneath it that would ask again."""
    s.pop()
    if isinstance(s.stack[-1], part):
        s.pop()


@dataclass(frozen=True, slots=True)
class Activate(Frame[BulgeState]):
    """A side activates its hexes one after the other; pass ends its movement [7.3, 7.4]."""

    side: int

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        return [*(("activate", h) for h in activable(s, self.side)), ("pass",)]

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        match action:
            case ("activate", HexId(h)):
                charge(s, Move(self.side, h), out)
            case _:
                leave(s, Movement)

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("7.3", "activate-or-pass", word_side=SEATS[self.side])

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("activate", HexId(h)):
                refusal = refuse_activation(s, self.side, h)
                return [refusal] if refusal else []
        return [Refusal("7.3", "activate-first")]


@dataclass(frozen=True, slots=True)
class Move(Frame[BulgeState]):
    """The units of an activated hex move; pass ends the hex [7.2].

    Infantry and artillery that stay may be fetched by trucks.
    """

    side: int
    hex: HexId
    blitz: int = 0

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        actions: list[Action] = [("blitz", self.hex)] if refuse_blitz(s, self) is None else []
        for kind in COMBAT_KINDS:
            if most := unmoved(s, self.side, kind, self.hex):
                unit = s.units.piles[self.side][kind][self.hex]
                actions += _moves(unit, goals(s, self.side, kind, self.hex, bool(self.blitz)), most)
        actions.append(("pass",))
        return actions

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        match action:
            case ("blitz", _):
                charge(s, replace(self, blitz=1), out)
            case ("move", UnitId(unit), int(to), int(n)):
                self._move(s, s.units.kind[unit], to, n, out)
            case _:
                end_activation(s, self.side)

    def _move(self, s: BulgeState, kind: int, to: int, n: int, out: Sink) -> None:
        if out is not ignore_events:
            way = path(routes(s, self.side, kind, self.hex, bool(self.blitz)), self.hex, to)
            out("7.2", "moves", word_side=SEATS[self.side], word_kind=KINDS[kind], n=n, hexes=tuple(way))
        put(s, self.side, kind, self.hex, -n)
        put(s, self.side, kind, to, n)
        mark_moved(s, kind, to, n)
        if not can_move(s, self.side, self.hex):
            end_activation(s, self.side)

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("7.2", "move-or-pass", hex=self.hex)

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("blitz", _):
                return [refuse_blitz(s, self) or Refusal("4.3.1", "blitz-elsewhere", hex=self.hex)]
            case ("move", UnitId(unit), int(to), int(n)):
                return [self._refuse(s, unit, to, n)]
        return [Refusal("7.2", "move-first", hex=self.hex)]

    def _refuse(self, s: BulgeState, unit: UnitId, to: int, n: int) -> Refusal:
        units, kind = s.units, s.units.kind[unit]
        if units.side[unit] != self.side or units.place[unit] != self.hex or kind not in COMBAT_KINDS:
            return Refusal("7.2", "move-first", hex=self.hex)
        if not 1 <= n <= unmoved(s, self.side, kind, self.hex):
            return Refusal("7.10", "not-so-many", place=self.hex, n=n)
        refusal = refuse_move(s, self.side, kind, self.hex, to, bool(self.blitz))
        return refusal or Refusal("7.2", "too-far", hex=to)


def charge(s: BulgeState, move: Move, out: Sink) -> None:
    """Let a hex move, or blitz, for a token: at once if one hex only can pay, otherwise the owner chooses."""
    s.swap(move)
    s.activated |= bit(move.hex)
    able = payers(s, move.side, move.hex)
    if len(able) > 1:
        s.push(Pay(move.side, move.hex, move.blitz))
    else:
        pay(s, move, able[0], out)


def pay(s: BulgeState, move: Move, payer: HexId, out: Sink) -> None:
    """Spend a token for a move that was chosen."""
    if move.blitz:
        out("4.3.1", "blitzes", hex=move.hex)
    else:
        out("7.3", "activates", word_side=SEATS[move.side], hex=move.hex)
    spend(s, move.side, payer, out)


@dataclass(frozen=True, slots=True)
class Pay(Frame[BulgeState]):
    """The owner chooses the hex that pays for an activation or a blitz, or takes it back."""

    side: int
    hex: HexId
    blitz: int

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        return [*self.candidates(s), ("cancel",)]

    def candidates(self, s: BulgeState) -> list[Action]:
        return [("pay", payer) for payer in payers(s, self.side, self.hex)]

    def draft(self, s: BulgeState) -> tuple[Action, ...]:
        return (("blitz" if self.blitz else "activate", self.hex),)

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "pay":
            pay(s, Move(self.side, self.hex, self.blitz), HexId(action[1]), out)
        elif self.blitz:
            s.swap(Move(self.side, self.hex))
        else:
            s.activated &= ~bit(self.hex)
            s.swap(Activate(self.side))

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("6.5", "choose-payer", hex=self.hex, hexes=tuple(payers(s, self.side, self.hex)))

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("pay", HexId(payer)):
                refusal = refuse_payer(s, self.side, self.hex, payer)
                return [refusal] if refusal else []
        return [Refusal("6.5", "pay-first", hex=self.hex)]


def refuse_blitz(s: BulgeState, frame: Move) -> Refusal | None:
    """Why an activated hex cannot pay for a blitz now [4.3.1]."""
    if frame.blitz:
        return Refusal("4.3.1", "blitz-paid", place=frame.hex)
    if not unmoved(s, frame.side, TANK, frame.hex):
        return Refusal("4.3.1", "no-tanks-to-blitz", hex=frame.hex)
    if not can_pay(s, frame.side, frame.hex):
        return Refusal("4.3.1", "no-supply-to-move", hex=frame.hex)
    return None


# ---- 7.1 Trucks return ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def returning(ground: Ground, side: int, enemies: int, enemy_hexes: int) -> int:
    """The hexes from which a road leads home around enemy zones and cities, as bits."""
    closed = enemies | stops(ground, enemies, enemy_hexes)
    reached = frontier = ground.road_edge[side] & ~closed & ~enemy_hexes
    while frontier:
        frontier = _along_roads(ground, frontier) & ~closed & ~reached
        reached |= frontier
    return reached


@lru_cache(maxsize=1 << 14)
def _along_roads(ground: Ground, hexes: int) -> int:
    near = 0
    for h in bits(hexes):
        near |= ground.roads[h]
    return near


def refuse_return(s: BulgeState, side: int, h: int) -> Refusal | None:
    """Why a truck cannot return from a hex at the start of the phase."""
    if h >= s.ground.hexes or not count(s, side, TRUCK, h):
        return Refusal("7.1", "no-truck-there", place=h)
    enemies = fighting(s, 1 - side)
    if around(s.ground, enemies) >> h & 1:
        return Refusal("7.1", "truck-in-zone", hex=h)
    if not returning(s.ground, side, enemies, owned(s, 1 - side)) >> h & 1:
        return Refusal("7.1", "no-road-home", hex=h)
    return None


@dataclass(frozen=True, slots=True)
class TruckReturn(Frame[BulgeState]):
    """A side takes trucks off the board before anybody moves, from any hexes in any order, and is done."""

    side: int
    back: tuple[tuple[UnitId, int], ...]  # the piles and how many trucks of each, ascending

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def able(self, s: BulgeState) -> list[HexId]:
        """The hexes from which trucks may return, ascending; those named already left out."""
        home = returning(s.ground, self.side, fighting(s, 1 - self.side), owned(s, 1 - self.side))
        named = mask_of([s.units.place[pile] for pile, _ in self.back])
        return bits(home & truck_hexes(s, self.side) & ~named)

    def legal(self, s: BulgeState) -> list[Action]:
        return [*self.candidates(s), *(("drop", pile) for pile, _ in self.back)]

    def candidates(self, s: BulgeState) -> list[Action]:
        returns: list[Action] = [
            ("return", s.units.piles[self.side][TRUCK][h], n)
            for h in self.able(s)
            for n in range(1, count(s, self.side, TRUCK, h) + 1)
        ]
        return [("done",), *returns]

    def draft(self, s: BulgeState) -> tuple[Action, ...]:
        return tuple(("return", pile, n) for pile, n in self.back)

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        match action:
            case ("return", UnitId(pile), int(n)):
                self._take(s, pile, n)
                s.swap(TruckReturn(self.side, tuple(sorted((*self.back, (pile, n))))))
            case ("drop", UnitId(pile)):
                self._take(s, pile, -dict(self.back)[pile])
                s.swap(TruckReturn(self.side, tuple(named for named in self.back if named[0] != pile)))
            case _:
                s.pop()
                for pile, n in self.back:
                    out("7.1", "trucks-return", word_side=SEATS[self.side], n=n, hex=s.units.place[pile])

    def _take(self, s: BulgeState, pile: UnitId, n: int) -> None:
        put(s, self.side, TRUCK, s.units.place[pile], -n)
        change_base(s, self.side, TRUCK, n)

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("7.1", "return-trucks", word_side=SEATS[self.side], hexes=tuple(self.able(s)))

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("return" | "drop", UnitId(pile), *_) if not self._is_own(s, pile):
                return [Refusal("7.1", "not-your-truck")]
            case ("return", UnitId(pile), int(n)):
                if pile in dict(self.back):
                    return [Refusal("7.1", "returned-already", unit=pile)]
                refusal = refuse_return(s, self.side, s.units.place[pile])
                return [refusal or Refusal("7.1", "not-so-many", place=s.units.place[pile], n=n)]
            case ("drop", UnitId(pile)):
                return [Refusal("7.1", "not-named", piece=pile)]
        return [Refusal("7.1", "return-first")]

    def _is_own(self, s: BulgeState, pile: UnitId) -> bool:
        units = s.units
        return not units.is_hex(pile) and units.side[pile] == self.side and units.kind[pile] == TRUCK


def offer_return(s: BulgeState, side: int) -> None:
    """Ask a side about its trucks if any can return."""
    frame = TruckReturn(side, ())
    if frame.able(s):
        s.push(frame)
