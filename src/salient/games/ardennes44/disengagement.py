"""Ardennes '44: chapter 20, disengagement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from salient.common.naming import above, with_piece, without_piece
from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import occupied, on_map, units_at
from salient.games.ardennes44.components import roll
from salient.games.ardennes44.losses import eliminate
from salient.games.ardennes44.model import DISRUPTED, ROUTED, ArdennesState, set_march, set_order
from salient.games.ardennes44.retreats import Path, Ways, forks, leave, lightest, paths, surroundings, through
from salient.games.ardennes44.stacking import refuse_joining
from salient.games.ardennes44.zones import next_to, refuse_held
from salient.hexes.masks import mask_of
from salient.hexes.sets import Group, UnitId
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

LENGTHS = (1, 2)  # hexes [20.3]

# ---- 20.1 Who may ------------------------------------------------------------------------------------


def refuse_disengagement(s: ArdennesState, u: UnitId) -> Refusal | None:
    """Why a unit cannot try to disengage in its own combat phase [20.1, 20.4, 29.1.1]."""
    if not on_map(s, u) or not next_to(s.ground, occupied(s, 1 - s.units.side[u])) >> s.where[u] & 1:
        return Refusal("20.1", "not-next-to-enemy", unit=u)
    if s.fought >> u & 1:
        return Refusal("20.1", "fought-already", unit=u)
    if held := refuse_held(s, u):
        return held
    if s.stayed >> u & 1:
        return Refusal("20.2", "stays", unit=u)
    if s.order[u] == ROUTED:
        return Refusal("18.5", "routed-again", unit=u)
    if s.units.artillery[u] and s.units.side[u] == GERMAN and not s.tractor >> u & 1:
        return Refusal("17.7", "guns-without-tractor", unit=u)
    has_way = next(_ways(s, u, False), None) is not None
    return None if has_way else Refusal("20.4", "no-way-out", unit=u)


def ways_out(s: ArdennesState, u: UnitId, shaken: bool) -> Ways:
    """Where a unit may end, with the ways of the fewest hexes [20.3, 20.4]."""
    found: Ways = {}
    for way in _ways(s, u, shaken):
        known = found.setdefault(way[-1], [])
        if not known or len(known[0]) == len(way):
            known.append(way)
    return dict(sorted(found.items()))


def _ways(s: ArdennesState, u: UnitId, shaken: bool) -> Iterator[Path]:
    """The ways on which a unit gets away, the shorter ones first.

    Only engaged units enter enemy zones, in the first hex; disrupted ones go two hexes; a shaken unit may not stop
    in a zone.
    """
    around = surroundings(s, u, (u,))
    engaged = bool(s.engaged >> u & 1)
    for length in LENGTHS:
        if length == 1 and s.order[u]:
            continue
        for way in paths(s, u, around, length):
            end, first = way[-1], way[1]
            in_zone = first < s.ground.hexes and bool(around.zone >> first & 1)
            if (in_zone and not engaged) or (in_zone and shaken and length == 1):
                continue
            if end >= s.ground.hexes or refuse_joining(s, u, end) is None:
                yield way


# ---- 20.2 The die ----------------------------------------------------------------------------------------


def disengagement_modifier(s: ArdennesState, u: UnitId) -> int:
    """Morale, and one less for tanks and reconnaissance [20.2, 21.5]."""
    return s.units.morale[u] - int(s.units.armor[u] or s.units.recon[u])


@dataclass(frozen=True, slots=True)
class Disengaging(SideFrame[ArdennesState]):
    """The owner announces which units of a stack try to get away, and which stay, before any die is rolled [20.2]."""

    named: Group

    def others(self, s: ArdennesState) -> list[UnitId]:
        """The units of the stack that may still be named."""
        stack = units_at(s, s.where[self.named[0]])
        return [u for u in stack if u not in self.named and refuse_disengagement(s, u) is None]

    def legal(self, s: ArdennesState) -> list[Action]:
        return [
            *(("disengage", u) for u in self.others(s)),
            *(("drop", u) for u in self.named),
            ("cancel",),
            ("resolve",),
        ]

    def candidates(self, s: ArdennesState) -> list[Action]:
        return [*(("disengage", u) for u in above(self.others(s), self.named)), ("resolve",)]

    def draft(self, s: ArdennesState) -> tuple[Action, ...]:
        return tuple(("disengage", u) for u in self.named)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        match action:
            case ("disengage", UnitId(u)):
                s.swap(Disengaging(self.side, with_piece(self.named, u)))
            case ("drop", UnitId(u)) if len(self.named) > 1:
                s.swap(Disengaging(self.side, without_piece(self.named, u)))
            case ("resolve",):
                s.pop()
                self._announce(s, out)
            case _:
                s.pop()  # nobody is named: the choice of combats beneath asks again

    def _announce(self, s: ArdennesState, out: Sink) -> None:
        """Those named roll one after the other; the markers of those that stay come off [20.2, 20.5]."""
        staying = mask_of(units_at(s, s.where[self.named[0]])) & ~mask_of(self.named)
        s.stayed |= staying
        s.engaged &= ~staying
        s.fought |= mask_of(self.named)
        out("20.1", "disengages", units=self.named)
        for u in reversed(self.named):
            s.push(DisengageRoll(self.side, u))

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("20.2", "announce-disengagement", units=self.named)

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        match action:
            case ("disengage", UnitId(u)) if u in self.named:
                return [Refusal("20.2", "named-already", unit=u)]
            case ("disengage", UnitId(u)) if s.where[u] != s.where[self.named[0]]:
                return [Refusal("20.2", "not-of-this-stack", unit=u)]
            case ("disengage", UnitId(u)):
                return [refuse_disengagement(s, u) or Refusal("20.2", "not-of-this-stack", unit=u)]
            case ("drop", UnitId(u)):
                return [Refusal("20.2", "not-named", unit=u)]
        return [Refusal("20.2", "finish-disengagement-first", units=self.named)]


@dataclass(frozen=True, slots=True)
class DisengageRoll(DieFrame[ArdennesState]):
    """Does it get away?"""

    side: int
    unit: UnitId

    def purpose(self, s: ArdennesState) -> str:
        return "disengagement"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("20.2", "roll-disengagement", unit=self.unit)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        u, die = self.unit, int(action[1])
        added = disengagement_modifier(s, u)
        result = roll(s.tables, "disengage", die + added)
        out("20.3", f"disengage-{result}", unit=u, n_die=die, n_added=added)
        if result.startswith("yes"):
            shaken = int(result == "yes-d")
            if ways_out(s, u, bool(shaken)):
                s.push(Disengage(self.side, u, shaken))
            else:
                eliminate(s, u, "20.4", out)
        elif result == "no-d":
            s.engaged &= ~(1 << u)
            shake(s, u, out)


def shake(s: ArdennesState, u: UnitId, out: Sink) -> None:
    """A unit is disrupted, or routed if it was disrupted [20.3]."""
    routed = bool(s.order[u])
    set_order(s, u, ROUTED if routed else DISRUPTED)
    if routed and s.units.engineer[u] and s.units.side[u] == ALLIED:
        eliminate(s, u, "27.1", out)


@dataclass(frozen=True, slots=True)
class Disengage(SideFrame[ArdennesState]):
    """The owner chooses where a unit goes that has got away."""

    unit: UnitId
    shaken: int
    led: Path = ()  # hexes that it is to pass

    def ways(self, s: ArdennesState) -> Ways:
        """The ways of the unit by their ends."""
        return through(ways_out(s, self.unit, bool(self.shaken)), self.led)

    def options(self, s: ArdennesState, u: UnitId) -> dict[int, Path]:
        """The ends of the unit, each with one way."""
        return lightest(s, self.side, self.ways(s))

    def legal(self, s: ArdennesState) -> list[Action]:
        leads = forks(s, self.side, self.ways(s), self.led)
        cancel: list[Action] = [("cancel",)] if self.led else []
        return [*self.candidates(s), *(("via", self.unit, h) for h in leads), *cancel]

    def candidates(self, s: ArdennesState) -> list[Action]:
        return [("retreat", self.unit, place) for place in self.ways(s)]

    def draft(self, s: ArdennesState) -> tuple[Action, ...]:
        return tuple(("via", self.unit, h) for h in self.led)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        if action[0] == "cancel":
            s.swap(replace(self, led=()))
            return
        u, place = self.unit, int(action[2])
        if action[0] == "via":
            s.swap(replace(self, led=(*self.led, place)))
            return
        way = self.options(s, u)[place]
        s.pop()
        s.engaged &= ~(1 << u)
        if s.units.artillery[u]:
            s.fired |= 1 << u
        out("20.3", "retreats", unit=u, hex_from=way[0], place=way[-1])
        leave(s, u, way, out)
        set_march(s, u, False)
        if self.shaken:
            shake(s, u, out)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("20.3", "choose-retreat", unit=self.unit, n=2)

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action[0] in ("retreat", "via") and action[1] == self.unit:
            return [Refusal("20.3", "no-retreat-there", unit=self.unit, place=int(action[2]))]
        return [Refusal("20.3", "retreat-first", unit=self.unit)]
