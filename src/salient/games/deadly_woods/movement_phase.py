"""The Deadly Woods: the movement of a round, in which engineers blow bridges, too. Rules 10.2, 10.6.1, 12.4.3, 14.4."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from salient.common.fields import BridgeSet
from salient.common.sides import ALLIED, SideFrame
from salient.common.stacks import occupied
from salient.games.deadly_woods.components import Ground
from salient.games.deadly_woods.entering import blow
from salient.games.deadly_woods.model import WoodsState
from salient.games.deadly_woods.move_unit import MoveUnit
from salient.games.deadly_woods.movement import (
    movers,
    refuse_mover,
)
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import UnitId
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.messages import Sink

ENGINEER_RANGE = 3  # hexes [10.6.1]

# ---- 10.6.1, 12.4.3 Engineers blow bridges ----------------------------------------------------------------


def refuse_demolition(s: WoodsState, a: int, bridge: int) -> Refusal | None:
    """Why engineers cannot blow a bridge: within three hexes, with an Allied unit on one of its banks, once a round."""
    if a not in s.assets.engineers or s.asset[a] >= s.ground.hexes:
        return Refusal("12.4.3", "engineers-not-there", asset=a)
    if s.demolished >> a & 1:
        return Refusal("12.4.3", "engineers-done", asset=a)
    if s.blown >> bridge & 1:
        return Refusal("10.6.1", "blown-already", bridge=bridge)
    if not bridges_near(s.ground, s.asset[a]) >> bridge & 1:
        return Refusal("12.4.3", "bridge-too-far", asset=a, bridge=bridge)
    if not guarded(s, 1 << bridge):
        return Refusal("12.4.3", "bridge-unguarded", bridge=bridge)
    return None


@cache
def bridges_near(ground: Ground, h: int) -> BridgeSet:
    """The bridges within the range of engineers in a hex, as bits."""
    return mask_of(i for i, banks in enumerate(ground.banks) if banks & ground.within[h][ENGINEER_RANGE])


def guarded(s: WoodsState, bridges: BridgeSet) -> list[int]:
    """Those of some bridges that have an Allied unit on one of their banks, ascending."""
    allies, banks = occupied(s, ALLIED), s.ground.banks
    return [i for i in bits(bridges) if banks[i] & allies]


def demolitions(s: WoodsState) -> list[tuple[int, int]]:
    """(engineers, bridge) pairs, ascending."""
    ground, asset = s.ground, s.asset
    ready = [a for a in s.assets.engineers if asset[a] < ground.hexes and not s.demolished >> a & 1]
    return [(a, bridge) for a in ready for bridge in guarded(s, bridges_near(ground, asset[a]) & ~s.blown)]


# ---- 10.2 The movement ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Movement(AutoFrame[WoodsState]):
    """Asks for one unit after another as long as any may move or any bridge may be blown; the side ends it itself."""

    side: int
    demolitions: bool
    one_hex: bool

    def run(self, s: WoodsState, out: Sink) -> None:
        frame = Select(self.side, self.demolitions, self.one_hex)
        begun = (s.moved | s.done) & s.units.side_mask[self.side]
        if begun or movers(s, self.side, self.one_hex) or frame.charges(s):
            s.push(frame)
        else:
            s.pop()


@dataclass(frozen=True, slots=True)
class Select(SideFrame[WoodsState]):
    """A side picks the unit that moves next, blows a bridge with engineers, or ends its movement."""

    demolitions: bool
    one_hex: bool

    def charges(self, s: WoodsState) -> list[tuple[int, int]]:
        """(engineers, bridge) pairs that may be blown [10.6.1, 12.4.3]."""
        return demolitions(s) if self.demolitions else []

    def legal(self, s: WoodsState) -> list[Action]:
        selections: list[Action] = [("select", u) for u in movers(s, self.side, self.one_hex)]
        return [*(("demolish", a, bridge) for a, bridge in self.charges(s)), ("pass",), *selections]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        match action:
            case ("demolish", int(a), int(bridge)):
                s.demolished |= 1 << a
                blow(s, bridge, "12.4.3", out)
            case ("select", UnitId(u)):
                s.push(MoveUnit(self.side, u, self.one_hex))
            case _:
                s.pop()  # the movement beneath

    def prompt(self, s: WoodsState) -> Prompt:
        units = tuple(movers(s, self.side, self.one_hex))
        if self.one_hex:
            return Prompt("14.4", "select-armor-step", units=units)
        return Prompt("10.2", "select-mover", units=units)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        match action:
            case ("select", UnitId(u)) if s.units.side[u] != self.side:
                return [Refusal("10.2", "not-your-unit", unit=u)]
            case ("select", UnitId(u)):
                return [refuse_mover(s, u, self.one_hex) or Refusal("14.3.1", "no-activation-left", unit=u)]
            case ("demolish", int(a), int(bridge)):
                return [refuse_demolition(s, a, bridge) or Refusal("10.6.1", "no-demolition-now")]
        return [Refusal("10.2", "select-first")]
