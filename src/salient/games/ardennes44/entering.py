"""Ardennes '44: what happens when a unit enters a hex. Rules 7.7, 30.1.2, 32.1, 33.3."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import put
from salient.games.ardennes44.components import Ground, roll
from salient.games.ardennes44.model import IN_BOX, ArdennesState
from salient.games.ardennes44.supply import enemy_blocks
from salient.games.ardennes44.zones import is_home, is_over_meuse
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import HexSet, UnitId
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

NO_DEPOT, DUMMY, HIDDEN, SHOWN, CAPTURED = range(5)  # 32.1


def enter(s: ArdennesState, u: UnitId, way: list[int], out: Sink) -> None:
    """Bring a unit along a way and do all that entering its hexes sets off."""
    began = s.where[u]
    for h in way:
        if h != began:
            take(s, s.units.side[u], h, out)
    if s.driven >> u & 1 and is_home(s, u, way):  # 11.10.2
        s.driven &= ~(1 << u)
    if way[-1] != began:
        put(s, u, way[-1])
        s.advantage = tuple((a, b, m & ~(1 << u)) for a, b, m in s.advantage if m & ~(1 << u))


def take(s: ArdennesState, side: int, h: int, out: Sink) -> None:
    """A hex passes to the side that enters it; roadblocks are overrun, depots looked at [30.1.2, 32.1, 33.3]."""
    here = s.ground.bit[h]
    if s.ground.objectives & here and bool(s.held & here) != (side == GERMAN):
        s.held ^= here
        out("30.1.2", "takes-control", word_side="german" if side == GERMAN else "allied", hex=h)
    if h in s.blocks:
        for i, place in enumerate(s.blocks):
            if place == h and (i < 2) == (side == GERMAN):
                s.overrun |= 1 << i
    if side == GERMAN and s.ground.west_of_meuse & here:
        s.meuse = 1
    if any(s.depots):
        _look_for_depots(s, side, h, out)


def clear_overrun(s: ArdennesState, out: Sink) -> None:
    """At the end of a movement or combat phase the roadblocks go that enemies have entered [33.3]."""
    for i in bits(s.overrun):
        out("33.3", "roadblock-removed", hex=s.blocks[i])
        s.blocks[i] = IN_BOX
    s.overrun = 0


# ---- 32.1, 32.2 Fuel depots -----------------------------------------------------------------------


def depot_hexes(s: ArdennesState) -> int:
    """The hexes with depots or what may be depots in Allied hands, as bits; Germans must attack them."""
    return mask_of(
        h for h, depot in zip(s.ground.depot_hexes, s.depots, strict=False) if depot in (DUMMY, HIDDEN, SHOWN)
    )


def shown_depot(s: ArdennesState, h: int) -> bool:
    """Whether an Allied fuel depot has been found in a hex [32.2]."""
    return bool(s.depots) and h in s.ground.depot_hexes and s.depots[s.ground.depot_hexes.index(h)] == SHOWN


def set_depot(s: ArdennesState, h: int, value: int) -> None:
    """Change what is known of a depot hex."""
    i = s.ground.depot_hexes.index(h)
    s.depots = (*s.depots[:i], value, *s.depots[i + 1 :])


def _look_for_depots(s: ArdennesState, side: int, h: int, out: Sink) -> None:
    for place, depot in zip(s.ground.depot_hexes, s.depots, strict=True):
        if side == GERMAN and depot in (DUMMY, HIDDEN) and (place == h or s.ground.touching[place] >> h & 1):
            set_depot(s, place, SHOWN if depot == HIDDEN else NO_DEPOT)
            out("32.1", "depot-found" if depot == HIDDEN else "depot-false", hex=place)
        if side == ALLIED and depot == CAPTURED and place == h:
            set_depot(s, place, SHOWN)
            out("32.2", "depot-retaken", hex=place)


# ---- what a way sets off ----------------------------------------------------------------------------

GRAVE, LIGHT, OFF_ROAD = 1 << 12, 1 << 6, 1  # no way is so long that many of one outweigh one of the next


class Dear(NamedTuple):
    """What a way had better avoid: the bridge of Ouren, hexes that reveal something, hexes that change hands."""

    ground: Ground
    ouren: bool
    grave: int
    light: HexSet

    def entered(self, h: int) -> int:
        """The burden of entering a hex."""
        return (GRAVE if self.grave & self.ground.bit[h] else 0) + (LIGHT if self.light & self.ground.bit[h] else 0)

    def step(self, a: int, b: int) -> int:
        """The burden of a step."""
        weight = self.entered(b) + (0 if (a, b) in self.ground.roads else OFF_ROAD)
        return weight + GRAVE * GRAVE if self.ouren and self.ground.bridge.get((a, b)) == self.ground.ouren else weight

    def burden(self, way: Iterable[int]) -> int:
        """The burden of a way's hexes on the map."""
        return sum(self.step(a, b) for a, b in pairwise(h for h in way if h < self.ground.hexes))


def dear_to(s: ArdennesState, side: int) -> Dear:
    """What entering hexes would set off for a side [7.7, 27.3.2, 30.1.2, 32.1, 33.3]."""
    light = s.ground.objectives & (~s.held if side == GERMAN else s.held) | enemy_blocks(s, side)
    if side == ALLIED:
        return Dear(s.ground, False, 0, light)
    hidden = _hidden_depots(s)
    grave = (0 if is_over_meuse(s) else s.ground.west_of_meuse) | mask_of(hidden)
    for h in hidden:
        grave |= s.ground.touching[h]
    return Dear(s.ground, not s.ouren, grave, light)


def _hidden_depots(s: ArdennesState) -> list[int]:
    return [h for h, depot in zip(s.ground.depot_hexes, s.depots, strict=False) if depot in (DUMMY, HIDDEN)]


def effects(s: ArdennesState, side: int, way: list[int]) -> list[Refusal]:
    """What a way sets off that cannot be taken back, each with its rule; where the real depot lies is not told."""
    found = []
    if needs_ouren(s, side, way):
        found.append(Refusal("7.7", "way-tests-ouren", bridge=s.ground.ouren))
    if side == GERMAN and not is_over_meuse(s) and mask_of(way) & s.ground.west_of_meuse:
        found.append(Refusal("27.3.2", "way-crosses-meuse"))
    for h in _hidden_depots(s) if side == GERMAN else []:
        if mask_of(way) & (s.ground.touching[h] | 1 << h):
            found.append(Refusal("32.1", "way-shows-depot", hex=h))
    for h in dict.fromkeys(way):
        if enemy_blocks(s, side) >> h & 1:
            found.append(Refusal("33.3", "way-overruns", hex=h))
        if s.ground.objectives >> h & 1 and bool(s.held >> h & 1) != (side == GERMAN):
            found.append(Refusal("30.1.2", "way-takes", hex=h))
    return found


# ---- 7.7 The bridge of Ouren ----------------------------------------------------------------------


def needs_ouren(s: ArdennesState, side: int, way: list[int]) -> bool:
    """Whether a German is about to cross the bridge of Ouren for the first time."""
    return side == GERMAN and not s.ouren and any(s.ground.bridge.get(pair) == s.ground.ouren for pair in pairwise(way))


def look_at_ouren(s: ArdennesState, die: int, out: Sink) -> bool:
    """The one look at the bridge of Ouren; whether it stands."""
    s.ouren = 1
    blown = roll(s.tables, "ouren", die) == "blown"
    if blown:
        s.blown |= 1 << s.ground.ouren
    out("7.7", "ouren-weak" if blown else "ouren-strong", n_die=die, bridge=s.ground.ouren)
    return not blown


class OurenDie(DieFrame[ArdennesState]):
    """Is the bridge of Ouren strong enough [7.7]?"""

    __slots__ = ()

    def purpose(self, s: ArdennesState) -> str:
        return "ouren"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("7.7", "roll-ouren", bridge=s.ground.ouren)


@dataclass(frozen=True, slots=True)
class OurenRoll(OurenDie):
    """A unit is about to cross the bridge of Ouren."""

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        look_at_ouren(s, int(action[1]), out)
