"""Battle of the Bulge: phase 4, board upkeep. Chapter 9."""

from __future__ import annotations

from dataclasses import dataclass

from salient.games.bulge.model import (
    ALLIED,
    AXIS,
    CITIES,
    COMBAT_KINDS,
    EAST,
    HEXES,
    KINDS,
    POINTS,
    SEATS,
    SIDES,
    STACK_LIMIT,
    STACK_LIMITS,
    SUPPLY,
    TRUCK,
    BulgeState,
    count,
    fighting,
    kind_of,
    place_of,
    present,
    put,
    seat_of,
    side_of,
    size,
    stack_size,
    unit_id,
)
from salient.games.bulge.retreats import destroy, refuse_retreat, retreat, retreat_hexes
from salient.hexes.masks import bits
from salient.kernel import Action, AutoFrame, Frame, Prompt, Refusal, Seat
from salient.kernel.messages import Sink

# ---- 9.1 to 9.4 Front line ------------------------------------------------------------------------------


def front_line(control: int, axis: int, allied: int, allied_pieces: int) -> int:
    """The hexes on the Axis side after the line is moved, as bits; who only passed takes nothing [7.8, 9.2].

    A hex with Axis combat units falls to the Axis and pulls its three eastern neighbours after it, except those with
    Allied pieces and cities that no Axis combat unit holds. A hex with Allied combat units falls to the Allies.
    """
    pulled = 0
    for h in bits(axis):
        pulled |= EAST[h]
    pulled &= ~allied_pieces & ~(CITIES & ~axis)
    return (control | axis | pulled) & ~allied


def move_front_line(s: BulgeState, out: Sink) -> None:
    """Move the line to where the armies stand."""
    axis, allied = fighting(s, AXIS), fighting(s, ALLIED)
    control = front_line(s.control, axis, allied, present(s, ALLIED))
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
class OfferCapture(AutoFrame):
    """Asks a side if there is anything to take."""

    side: int

    def run(self, s: BulgeState, out: Sink) -> None:
        s.pop()
        if fighting(s, self.side) & present(s, 1 - self.side):
            s.push(Capture(self.side, ()))


@dataclass(frozen=True, slots=True)
class Capture(Frame):
    """A side takes over enemy trucks and supply among its combat units, in any order, and is done [7.12]."""

    side: int
    taken: tuple[tuple[int, int], ...]  # the enemy's piles and how many of each, ascending

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        return [*self.candidates(s), *(("drop", pile) for pile, _ in self.taken)]

    def candidates(self, s: BulgeState) -> list[Action]:
        piles = [pile for pile in self._piles(s) if pile not in dict(self.taken)]
        return [*(("capture", pile, n) for pile in piles for n in range(1, size(s, pile) + 1)), ("done",)]

    def _piles(self, s: BulgeState) -> list[int]:
        hexes = bits(fighting(s, self.side))
        piles = [unit_id(1 - self.side, kind, h) for kind in (TRUCK, SUPPLY) for h in hexes]
        return [pile for pile in piles if size(s, pile)]

    def draft(self, s: BulgeState) -> tuple[Action, ...]:
        return tuple(("capture", pile, n) for pile, n in self.taken)

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        match action:
            case ("capture", int(pile), int(n)):
                self._take(s, pile, n)
                s.swap(Capture(self.side, tuple(sorted((*self.taken, (pile, n))))))
            case ("drop", int(pile)):
                self._take(s, pile, -dict(self.taken)[pile])
                s.swap(Capture(self.side, tuple(named for named in self.taken if named[0] != pile)))
            case _:
                s.pop()
                for pile, n in self.taken:
                    kind, h = KINDS[kind_of(pile)], place_of(pile)
                    out("9.5", "captured", word_side=SEATS[self.side], word_kind=kind, n=n, hex=h)

    def _take(self, s: BulgeState, pile: int, n: int) -> None:
        put(s, 1 - self.side, kind_of(pile), place_of(pile), -n)
        put(s, self.side, kind_of(pile), place_of(pile), n)

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("9.5", "capture-or-pass", word_side=SEATS[self.side], units=tuple(self._piles(s)))

    def why_not(self, s: BulgeState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        match action:
            case ("capture", int(pile), int(n)):
                if pile in dict(self.taken):
                    return [Refusal("9.5", "captured-already", unit=pile)]
                if pile in self._piles(s):
                    return [Refusal("9.5", "not-so-many", place=place_of(pile), n=n)]
                return [Refusal("9.5", "nothing-to-capture", unit=pile)]
            case ("drop", int(pile)):
                return [Refusal("9.5", "not-named", unit=pile)]
        return [Refusal("9.5", "capture-first")]


# ---- 9.6 Stacking enforced --------------------------------------------------------------------------------------


def excess_kinds(s: BulgeState, side: int, h: int) -> list[int]:
    """The kinds of which a piece must leave a hex: those above their own limit, or any when the hex is too full."""
    over = [kind for kind in COMBAT_KINDS if count(s, side, kind, h) > STACK_LIMITS[kind]]
    if over:
        return over
    if stack_size(s, side, h) > STACK_LIMIT:
        return [kind for kind in (*COMBAT_KINDS, TRUCK) if count(s, side, kind, h)]
    return []


@dataclass(frozen=True, slots=True)
class EnforceStacking(AutoFrame):
    """Looks through the hexes for stacks above the limits until there are none."""

    def run(self, s: BulgeState, out: Sink) -> None:
        for side in SIDES:
            for h in bits(present(s, side)):
                if excess_kinds(s, side, h):
                    s.push(Overstack(side, h))
                    return
        s.pop()


@dataclass(frozen=True, slots=True)
class Overstack(Frame):
    """The opponent moves the excess out by the rules of retreat; what cannot retreat is destroyed."""

    side: int  # the owner of the stack
    hex: int

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, 1 - self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        remove: list[Action] = []
        retreats: list[Action] = []
        for kind in excess_kinds(s, self.side, self.hex):
            unit = unit_id(self.side, kind, self.hex)
            ways = retreat_hexes(s, self.side, kind, self.hex)
            retreats += [("retreat", unit, to) for to in ways]
            if not ways:
                remove.append(("remove", unit))
        return [*remove, *retreats]

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        s.pop()
        kind = kind_of(int(action[1]))
        if action[0] == "remove":
            destroy(s, self.side, kind, self.hex, 1, "9.6", out)
        else:
            retreat(s, self.side, kind, self.hex, int(action[2]), 1, out)

    def prompt(self, s: BulgeState) -> Prompt:
        return Prompt("9.6", "reduce-stack", hex=self.hex, word_side=SEATS[self.side])

    def why_not(self, s: BulgeState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        match action:
            case ("retreat" | "remove", int(unit), *rest) if self._is_excess(s, unit):
                to = int(rest[0]) if rest else HEXES
                refusal = refuse_retreat(s, self.side, kind_of(unit), self.hex, to) if to < HEXES else None
                return [refusal or Refusal("9.6", "excess-can-retreat", hex=self.hex)]
        return [Refusal("9.6", "reduce-stack-first", hex=self.hex)]

    def _is_excess(self, s: BulgeState, unit: int) -> bool:
        here = side_of(unit) == self.side and place_of(unit) == self.hex
        return here and kind_of(unit) in excess_kinds(s, self.side, self.hex)


# ---- 9.7 Victory points ----------------------------------------------------------------------------------------------


def points(control: int) -> int:
    """The victory points of the cities on the Axis side of the line."""
    return sum(value for h, value in POINTS.items() if control >> h & 1)
