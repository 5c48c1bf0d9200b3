"""Battle of the Bulge: phase 4, board upkeep. Chapter 9."""

from __future__ import annotations

from dataclasses import dataclass

from salient.games.bulge.combat import destroy, refuse_retreat, retreat, retreat_hexes
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
    stack_size,
    unit_id,
)
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
    offer_capture(s, ALLIED, 0)
    offer_capture(s, AXIS, 0)


def offer_capture(s: BulgeState, side: int, least: int) -> None:
    """Ask a side about the first enemy trucks or supply among its combat units, from a hex on."""
    for h in bits((fighting(s, side) & present(s, 1 - side)) >> least << least):
        s.push(Capture(side, h, TRUCK if count(s, 1 - side, TRUCK, h) else SUPPLY))
        return


@dataclass(frozen=True, slots=True)
class Capture(Frame):
    """A side takes over enemy trucks or supply in a hex, hex by hex in ascending order, trucks first [7.12]."""

    side: int
    hex: int
    kind: int

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        unit = unit_id(1 - self.side, self.kind, self.hex)
        most = count(s, 1 - self.side, self.kind, self.hex)
        return [*(("capture", unit, n) for n in range(1, most + 1)), ("pass",)]

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "capture":
            n = int(action[2])
            put(s, 1 - self.side, self.kind, self.hex, -n)
            put(s, self.side, self.kind, self.hex, n)
            out("9.5", "captured", word_side=SEATS[self.side], word_kind=KINDS[self.kind], n=n, hex=self.hex)
        if self.kind == TRUCK and count(s, 1 - self.side, SUPPLY, self.hex):
            s.push(Capture(self.side, self.hex, SUPPLY))
        else:
            offer_capture(s, self.side, self.hex + 1)

    def prompt(self, s: BulgeState) -> Prompt:
        n = count(s, 1 - self.side, self.kind, self.hex)
        return Prompt(
            "9.5", "capture-or-pass", word_side=SEATS[self.side], word_kind=KINDS[self.kind], n=n, hex=self.hex
        )

    def why_not(self, s: BulgeState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        match action:
            case ("capture", int(unit), int(n)) if unit == unit_id(1 - self.side, self.kind, self.hex):
                return [Refusal("9.5", "not-so-many", place=self.hex, n=n)]
        return [Refusal("9.5", "capture-first", word_kind=KINDS[self.kind], hex=self.hex)]


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
