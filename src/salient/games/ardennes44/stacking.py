"""Ardennes '44: chapter 8, stacking."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.sides import SideFrame
from salient.common.stacks import hex_sets, units_at
from salient.games.ardennes44.losses import lose_step
from salient.games.ardennes44.model import LIMITS, LOADED, OVERLOADED, ArdennesState, load_of
from salient.hexes.masks import bits
from salient.hexes.sets import Group, HexSet, UnitId
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.messages import Sink


def refuse_stack(s: ArdennesState, units: Group) -> Refusal | None:
    """Why units may not be together in a hex: three points, two steps with a silhouette, one artillery [8.1, 8.2]."""
    loads = [0, 0, 0]
    for u in units:
        kind, size = load_of(s, u)
        loads[kind] += size
    points, steps, guns = loads
    if points > LIMITS[0]:
        return Refusal("8.1", "stacking-points", n=points)
    if steps > LIMITS[1]:
        return Refusal("8.2", "silhouette-steps", n=steps)
    return Refusal("8.2", "one-artillery") if guns > LIMITS[2] else None


def refuse_joining(s: ArdennesState, u: UnitId, h: int) -> Refusal | None:
    """Why a unit may not end in a hex beside those that are there."""
    return refuse_stack(s, (*(x for x in units_at(s, h) if x != u and s.units.side[x] == s.units.side[u]), u))


def full_hexes(s: ArdennesState, u: UnitId, hexes: HexSet | int) -> HexSet:
    """The hexes of some in which a unit may not end for reasons of stacking, as bits."""
    here = 1 << s.where[u]
    full = hexes & ~here & too_full(s, s.units.side[u], load_of(s, u))
    return full | here if hexes & here and refuse_joining(s, u, s.where[u]) else full


def too_full(s: ArdennesState, side: int, load: tuple[int, int]) -> HexSet:
    """The hexes of a side in which a load finds no room, as bits."""
    kind, size = load
    sets = hex_sets(s, side)
    return sets[OVERLOADED] | sets[LOADED[kind][LIMITS[kind] - size]]


# ---- 8.3 Enforcement ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stacking(AutoFrame[ArdennesState]):
    """Stacking limits hold at the end of movement, and after retreats and advances."""

    side: int

    def run(self, s: ArdennesState, out: Sink) -> None:
        if over := bits(hex_sets(s, self.side)[OVERLOADED]):
            s.push(Overstack(self.side, over[0]))
        else:
            s.pop()


@dataclass(frozen=True, slots=True)
class Overstack(SideFrame[ArdennesState]):
    """The owner chooses a unit that loses a step; asked again until the hex is within the limits."""

    hex: int

    def choices(self, s: ArdennesState) -> Group:
        """The units that have retreated into the hex, if any have [17.4]."""
        units = units_at(s, self.hex)
        return tuple(u for u in units if s.retreated >> u & 1) or units

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("lose", u) for u in self.choices(s)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        lose_step(s, UnitId(action[1]), "8.3", out)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("8.3", "remove-excess", hex=self.hex, units=self.choices(s))

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action[0] == "lose":
            return [Refusal("8.3", "lose-in-that-hex", unit=UnitId(action[1]), hex=self.hex)]
        return [Refusal("8.3", "lose-first")]
