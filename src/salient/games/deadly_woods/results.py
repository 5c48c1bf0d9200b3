"""The Deadly Woods: 11.3.3 and 11.5, results and advances, and the bridges that a defender blows (10.6.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from salient.common.naming import NamingFrame, above, with_piece, without_piece
from salient.common.sides import GERMAN, SideFrame
from salient.common.stacks import occupied, on_map, units_at
from salient.games.deadly_woods.components import ARMOR
from salient.games.deadly_woods.entering import blow, enter
from salient.games.deadly_woods.losses import ask_losses
from salient.games.deadly_woods.model import WoodsState, bridge_piece, kind_of
from salient.games.deadly_woods.movement import passages
from salient.games.deadly_woods.retreats import BeginRetreat, refuse_bridge
from salient.games.deadly_woods.stacking import refuse_stack
from salient.games.deadly_woods.zones import refuse_ground
from salient.hexes.masks import bits
from salient.hexes.sets import Group, UnitId
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.messages import Sink

# ---- 11.3.3 Results -----------------------------------------------------------------------------


def apply_result(s: WoodsState, side: int, h: int, units: Group, bridges: int, result: str, out: Sink) -> None:
    """Push what a result demands: what remains first, what comes first last."""
    s.push(Aftermath(side, h, units, bridges))
    if result in ("DR", "DR*") and first_german_combat(s, side):
        s.push(Convert(side, h, units, result))
    else:
        push_result(s, side, h, units, result, out)


def push_result(s: WoodsState, side: int, h: int, units: Group, result: str, out: Sink) -> None:
    """AL1: the attacker loses a step; BL1: both; DR: the defender retreats; DR*: he loses a step first."""
    if result in ("AL1", "BL1"):
        ask_losses(s, side, units, out)
    if result in ("DR", "DR*"):
        s.push(BeginRetreat(1 - side, h))
    if result in ("BL1", "DR*"):
        ask_losses(s, 1 - side, units_at(s, h), out)


def first_german_combat(s: WoodsState, side: int) -> bool:
    """Whether this is the German combat round that opens the game [11.3.3]."""
    return s.turn == 1 and side == GERMAN and len(s.track) == 1


@dataclass(frozen=True, slots=True)
class Convert(SideFrame[WoodsState]):
    """In the first combat round of turn 1 the German may turn a retreat into a loss on both sides."""

    hex: int
    units: Group
    result: str

    def legal(self, s: WoodsState) -> list[Action]:
        return [("convert",), ("pass",)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        result = self.result
        if action[0] == "convert":
            result = "BL1"
            out("11.3.3", "result-converted", hex=self.hex)
        push_result(s, self.side, self.hex, self.units, result, out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("11.3.3", "convert-result", hex=self.hex, word_result=self.result)

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        return [Refusal("11.3.3", "convert-or-pass", hex=self.hex)]


# ---- 10.6.1 Bridges blown by a defender who holds -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Aftermath(AutoFrame[WoodsState]):
    """A cleared hex may be entered; a defender that holds blows the bridges over which it was attacked."""

    side: int
    hex: int
    units: Group
    bridges: int

    def run(self, s: WoodsState, out: Sink) -> None:
        s.pop()
        if occupied(s, 1 - self.side) >> self.hex & 1:
            if self.bridges & ~s.blown:
                s.push(BlowHeld(1 - self.side, self.bridges & ~s.blown, ()))
            return
        advance = Advance(self.side, self.hex, self.units, ())
        if advance.able(s):
            s.push(advance)


@dataclass(frozen=True, slots=True)
class BlowHeld(SideFrame[WoodsState]):
    """The defender names the bridges that he blows, in any order; the others he keeps."""

    bridges: int
    named: tuple[int, ...]

    def legal(self, s: WoodsState) -> list[Action]:
        blows: list[Action] = [("blow", bridge) for bridge in bits(self.bridges) if bridge not in self.named]
        return [*blows, ("done",), *(("drop", bridge_piece(s, bridge)) for bridge in self.named)]

    def candidates(self, s: WoodsState) -> list[Action]:
        return [*(("blow", bridge) for bridge in above(bits(self.bridges), self.named)), ("done",)]

    def draft(self, s: WoodsState) -> tuple[Action, ...]:
        return tuple(("blow", bridge) for bridge in self.named)

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        match action:
            case ("blow", int(bridge)):
                s.swap(replace(self, named=with_piece(self.named, bridge)))
            case ("drop", int(piece)):
                s.swap(replace(self, named=without_piece(self.named, piece - bridge_piece(s, 0))))
            case _:
                s.pop()
                for bridge in self.named:
                    blow(s, bridge, "10.6.1", out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("10.6.1", "blow-held", bridges=tuple(bits(self.bridges)))

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        return [refuse_bridge(action, self.named)]


# ---- 11.5 Advance ---------------------------------------------------------------------------------------------------


def refuse_advance(s: WoodsState, u: UnitId, h: int, others: Group = ()) -> Refusal | None:
    """Why an attacker cannot advance into a cleared hex beside others: terrain, bounds, stacking [11.1, 11.5]."""
    if not on_map(s, u):
        return Refusal("11.5", "not-on-map", unit=u)
    here = s.where[u]
    if s.turn == 1 and kind_of(s, u) == ARMOR and {here, h} == s.ground.ouren:
        return Refusal("10.6.3", "ouren", unit=u)
    if not passages(s, u)(here) >> h & 1:
        key = "forest-by-road" if s.ground.board.terrain[h] == "forest" else "river-without-bridge"
        return Refusal("11.1", key, unit=u, hex=h)
    return refuse_ground(s, u, h) or refuse_stack(s.units, with_piece(others, u))


@dataclass(frozen=True, slots=True)
class Advance(NamingFrame[WoodsState]):
    """Attackers are named that enter the hex that they have cleared, in any order; zones do not matter."""

    naming = "advance"
    hex: int
    units: Group
    named: Group

    def able(self, s: WoodsState) -> list[UnitId]:
        """The attackers that may still be named, ascending."""
        others = [u for u in self.units if u not in self.named]
        return [u for u in others if refuse_advance(s, u, self.hex, self.named) is None]

    def legal(self, s: WoodsState) -> list[Action]:
        advances: list[Action] = [("advance", u) for u in self.able(s)]
        return [*advances, ("done",), *(("drop", u) for u in self.named)]

    def candidates(self, s: WoodsState) -> list[Action]:
        return [*(("advance", u) for u in above(self.able(s), self.named)), ("done",)]

    def commit(self, s: WoodsState, out: Sink) -> None:
        for u in self.named:
            out("11.5", "advances", unit=u, hex=self.hex)
            enter(s, u, [s.where[u], self.hex], out, rebuilds=False)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("11.5", "advance", hex=self.hex, units=tuple(self.able(s)))

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        match action:
            case ("advance", UnitId(u)) if u in self.named:
                return [Refusal("11.5", "advances-already", unit=u)]
            case ("advance", UnitId(u)):
                refusal = refuse_advance(s, u, self.hex, self.named) if u in self.units else None
                return [refusal or Refusal("11.5", "did-not-attack", unit=u, hex=self.hex)]
            case ("drop", int(piece)):
                return [Refusal("11.5", "not-named", piece=piece)]
        return [Refusal("11.5", "advance-or-done", hex=self.hex)]
