"""Battle of the Bulge: phase 4, board upkeep. Chapter 9."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from salient.games.bulge.components import (
    ALLIED,
    AXIS,
    COMBAT_KINDS,
    KINDS,
    SEATS,
    SIDES,
    SUPPLY,
    TRUCK,
    Ground,
    Units,
)
from salient.games.bulge.model import (
    STACK_LIMIT,
    BulgeState,
    counts,
    fighting,
    present,
    put,
    seat_of,
    size,
    stacked,
    stores,
    truck_hexes,
)
from salient.games.bulge.retreats import destroy, refuse_retreat, retreat, retreat_hexes
from salient.hexes.flood import spread
from salient.hexes.masks import bits
from salient.hexes.sets import HexId, HexSet, UnitId
from salient.kernel import Action, AutoFrame, Frame, Prompt, Refusal, Seat
from salient.kernel.messages import Sink, ignore_events

# ---- 9.1 to 9.4 Front line ------------------------------------------------------------------------------


def front_line(ground: Ground, control: HexSet, axis: HexSet, allied: HexSet, allied_pieces: HexSet) -> HexSet:
    """The hexes on the Axis side after the line is moved, as bits; passing pieces take nothing [7.8, 9.2].

    A hex with Axis combat units falls to the Axis and pulls its three eastern neighbours after it, except those with
    Allied pieces and cities that no Axis combat unit holds. A hex with Allied combat units falls to the Allies.
    """
    pulled = spread(axis, ground.eastward) & ~allied_pieces & ~(ground.cities & ~axis)
    return (control | axis | pulled) & ~allied


def move_front_line(s: BulgeState, out: Sink) -> None:
    """Move the line to where the armies stand."""
    axis, allied = fighting(s, AXIS), fighting(s, ALLIED)
    control = front_line(s.ground, s.control, axis, allied, present(s, ALLIED))
    gained, lost = control & ~s.control, s.control & ~control
    if gained:
        out("9.1", "front-gained", word_side=SEATS[AXIS], hexes=tuple(bits(gained)))
    if lost:
        out("9.3", "front-gained", word_side=SEATS[ALLIED], hexes=tuple(bits(lost)))
    s.control = control


# ---- 9.5 Capture -------------------------------------------------------------------------------------------


def capture(s: BulgeState, out: Sink) -> None:
    """The sides may take over trucks and supply in hexes where their combat units stand, the Axis first."""
    for side in (ALLIED, AXIS):
        s.push(OfferCapture(side))


@dataclass(frozen=True, slots=True)
class OfferCapture(AutoFrame[BulgeState]):
    """Asks a side if there is anything to take."""

    side: int

    def run(self, s: BulgeState, out: Sink) -> None:
        s.pop()
        if fighting(s, self.side) & present(s, 1 - self.side):
            s.push(Capture(self.side, ()))


@dataclass(frozen=True, slots=True)
class Capture(Frame[BulgeState]):
    """A side takes over enemy trucks and supply among its combat units, in any order, and is done [7.12]."""

    side: int
    taken: tuple[tuple[UnitId, int], ...]  # the enemy's piles and how many of each, ascending

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        return [*self.candidates(s), *(("drop", pile) for pile, _ in self.taken)]

    def candidates(self, s: BulgeState) -> list[Action]:
        piles = [pile for pile in self._piles(s) if pile not in dict(self.taken)]
        return [*(("capture", pile, n) for pile in piles for n in range(1, size(s, pile) + 1)), ("done",)]

    def _piles(self, s: BulgeState) -> list[UnitId]:
        hexes, enemy = fighting(s, self.side), 1 - self.side
        trucks, tokens = bits(hexes & truck_hexes(s, enemy)), bits(hexes & stores(s, enemy))
        piles = s.units.piles
        return [*(piles[enemy][TRUCK][h] for h in trucks), *(piles[enemy][SUPPLY][h] for h in tokens)]

    def draft(self, s: BulgeState) -> tuple[Action, ...]:
        return tuple(("capture", pile, n) for pile, n in self.taken)

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        match action:
            case ("capture", UnitId(pile), int(n)):
                self._take(s, pile, n)
                s.swap(Capture(self.side, tuple(sorted((*self.taken, (pile, n))))))
            case ("drop", UnitId(pile)):
                self._take(s, pile, -dict(self.taken)[pile])
                s.swap(Capture(self.side, tuple(named for named in self.taken if named[0] != pile)))
            case _:
                s.pop()
                for pile, n in self.taken:
                    kind, place = KINDS[s.units.kind[pile]], s.units.place[pile]
                    out("9.5", "captured", word_side=SEATS[self.side], word_kind=kind, n=n, hex=place)

    def _take(self, s: BulgeState, pile: UnitId, n: int) -> None:
        kind, h = s.units.kind[pile], s.units.place[pile]
        put(s, 1 - self.side, kind, h, -n)
        put(s, self.side, kind, h, n)

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("9.5", "capture-or-pass", word_side=SEATS[self.side], units=tuple(self._piles(s)))

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("capture", UnitId(pile), int(n)):
                if pile in dict(self.taken):
                    return [Refusal("9.5", "captured-already", unit=pile)]
                if pile in self._piles(s):
                    return [Refusal("9.5", "not-so-many", place=s.units.place[pile], n=n)]
                return [Refusal("9.5", "nothing-to-capture", unit=pile)]
            case ("drop", UnitId(pile)):
                return [Refusal("9.5", "not-named", piece=pile)]
        return [Refusal("9.5", "capture-first")]


# ---- 9.6 Stacking enforced --------------------------------------------------------------------------------------


def excess_kinds(s: BulgeState, side: int, h: HexId) -> tuple[int, ...]:
    """The kinds of which a piece may be moved out: those above their own limit, or any if the hex is fuller still."""
    return _excess_kinds(s.units, counts(s, side, h))


@lru_cache(maxsize=1 << 14)
def _excess_kinds(units: Units, pieces: tuple[int, ...]) -> tuple[int, ...]:
    over = [max(0, pieces[kind] - units.stack_limit[kind]) for kind in COMBAT_KINDS]
    if stacked(pieces) - STACK_LIMIT > sum(over):
        return tuple(kind for kind in (*COMBAT_KINDS, TRUCK) if pieces[kind])
    return tuple(kind for kind in COMBAT_KINDS if over[kind])


@dataclass(frozen=True, slots=True)
class EnforceStacking(AutoFrame[BulgeState]):
    """Looks through the hexes for stacks above the limits until there are none; what is forced happens by itself."""

    def run(self, s: BulgeState, out: Sink) -> None:
        for side in SIDES:
            for h in bits(present(s, side)):
                if not excess_kinds(s, side, h):
                    continue
                excess = Overstack(side, h, ()).excess(s)
                if len(excess) == 1:
                    expel(s, excess[0], out)
                    return
                s.push(Overstack(side, h, ()))
                return
        s.pop()


def expel(s: BulgeState, action: Action, out: Sink) -> None:
    """Move a piece out of its hex, or destroy it."""
    unit = int(action[1])
    side, kind, h = s.units.side[unit], s.units.kind[unit], s.units.place[unit]
    if action[0] == "remove":
        destroy(s, side, kind, h, 1, "9.6", out)
    else:
        retreat(s, side, kind, h, int(action[2]), 1, out)


@dataclass(frozen=True, slots=True)
class Overstack(Frame[BulgeState]):
    """The opponent moves the excess out by the rules of retreat, in any order, and is done when none is left.

    What cannot retreat is destroyed. If a retreat that took the last room is taken back, so is what was destroyed
    for want of it.
    """

    side: int  # the owner of the stack
    hex: HexId
    out: tuple[UnitId, ...]  # the piles that pieces went to, ascending, one entry a piece; in the hex itself: destroyed

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, 1 - self.side)

    def excess(self, s: BulgeState) -> list[Action]:
        """How one more piece can leave; nothing once the limits are kept."""
        remove: list[Action] = []
        retreats: list[Action] = []
        for kind in excess_kinds(s, self.side, self.hex):
            unit = s.units.piles[self.side][kind][self.hex]
            ways = retreat_hexes(s, self.side, kind, self.hex)
            retreats += [("retreat", unit, to) for to in ways]
            if not ways:
                remove.append(("remove", unit))
        return [*remove, *retreats]

    def legal(self, s: BulgeState) -> list[Action]:
        return [*(self.excess(s) or [("done",)]), *(("drop", pile) for pile in sorted(set(self.out)))]

    def candidates(self, s: BulgeState) -> list[Action]:
        return self.excess(s) or [("done",)]

    def draft(self, s: BulgeState) -> tuple[Action, ...]:
        units = s.units
        retreats = [pile for pile in self.out if units.place[pile] != self.hex]
        return (
            *(("retreat", units.piles[self.side][units.kind[pile]][self.hex], units.place[pile]) for pile in retreats),
            *(("remove", pile) for pile in self.out if units.place[pile] == self.hex),
        )

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        match action:
            case ("drop", UnitId(pile)):
                self._take_back(s, pile)
            case ("done",):
                s.pop()
                self._tell(s, out)
            case _:
                expel(s, action, ignore_events)
                to = int(action[2]) if action[0] == "retreat" else self.hex
                pile = s.units.piles[self.side][s.units.kind[UnitId(action[1])]][to]
                s.swap(replace(self, out=tuple(sorted((*self.out, pile)))))

    def _take_back(self, s: BulgeState, pile: UnitId) -> None:
        kind_of, place_of, gone = s.units.kind, s.units.place, list(self.out)
        gone.remove(pile)
        put(s, self.side, kind_of[pile], self.hex, 1)
        if place_of[pile] != self.hex:
            put(s, self.side, kind_of[pile], place_of[pile], -1)
        for lost in [each for each in gone if place_of[each] == self.hex]:
            if retreat_hexes(s, self.side, kind_of[lost], self.hex):
                gone.remove(lost)
                put(s, self.side, kind_of[lost], self.hex, 1)
        s.swap(replace(self, out=tuple(gone)))

    def _tell(self, s: BulgeState, out: Sink) -> None:
        for pile in sorted(set(self.out)):
            n, to, words = self.out.count(pile), s.units.place[pile], {"word_side": SEATS[self.side]}
            kind = KINDS[s.units.kind[pile]]
            if to == self.hex:
                out("9.6", "destroyed", word_kind=kind, n=n, hex=to, **words)
            else:
                out("6.11", "retreats", word_kind=kind, n=n, hex=self.hex, hex_to=to, **words)

    def prompt(self, s: BulgeState) -> Prompt:
        if not self.excess(s):
            return Prompt("9.6", "stack-is-reduced", hex=self.hex)
        return Prompt("9.6", "reduce-stack", hex=self.hex, word_side=SEATS[self.side])

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("drop", UnitId(pile)):
                return [Refusal("9.6", "not-named", piece=pile)]
            case ("retreat" | "remove", UnitId(unit), *rest) if self._is_excess(s, unit):
                ways = [int(to) for to in rest if int(to) < s.ground.hexes]
                refusal = refuse_retreat(s, self.side, s.units.kind[unit], self.hex, ways[0]) if ways else None
                return [refusal or Refusal("9.6", "excess-can-retreat", hex=self.hex)]
        return [Refusal("9.6", "reduce-stack-first" if self.excess(s) else "stack-is-reduced", hex=self.hex)]

    def _is_excess(self, s: BulgeState, unit: UnitId) -> bool:
        units = s.units
        here = units.side[unit] == self.side and units.place[unit] == self.hex
        return here and units.kind[unit] in excess_kinds(s, self.side, self.hex)


# ---- 9.7 Victory points ----------------------------------------------------------------------------------------------


def points(ground: Ground, control: HexSet) -> int:
    """The victory points of the cities on the Axis side of the line."""
    return _points(ground, control & ground.cities)


@lru_cache(maxsize=1 << 10)
def _points(ground: Ground, cities: HexSet) -> int:
    return sum(value for h, value in ground.points.items() if cities >> h & 1)
