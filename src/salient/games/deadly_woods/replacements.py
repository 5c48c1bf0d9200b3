"""The Deadly Woods: chapter 13, replacements."""

from __future__ import annotations

from dataclasses import dataclass

from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import occupied, on_map, put
from salient.games.deadly_woods.model import (
    AIRBORNE,
    CORPS,
    ELIMINATED,
    EUPEN,
    INFANTRY,
    KIND,
    LUXEMBOURG,
    NATION,
    REPLACEMENTS,
    SIDE,
    SIDE_UNITS,
    STEPS,
    TOWN,
    WoodsState,
    set_lost,
)
from salient.games.deadly_woods.stacking import displace_delay, refuse_joining
from salient.games.deadly_woods.supply import supplied_hexes, traces
from salient.games.deadly_woods.zones import next_to
from salient.hexes.masks import bits
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.messages import Sink

TOWN_CORPS = {LUXEMBOURG: ("VIII", "III"), EUPEN: ("V", "VII")}  # 13.2.2


def _points_for(s: WoodsState, u: int) -> int:
    return s.infantry_points if KIND[u][0] == INFANTRY else s.armor_points


def refuse_reinforcing(s: WoodsState, u: int) -> Refusal | None:
    """Why a unit cannot be given a replacement step at all [13.2.1, 13.2.2]."""
    if SIDE[u] == ALLIED and (NATION[u] == "british" or AIRBORNE[u]):
        return Refusal("13.2.2", "never-replaced", unit=u)
    if not _points_for(s, u):
        return Refusal("13.2", "no-points-left", unit=u)
    return None


def refuse_replacement(s: WoodsState, u: int) -> Refusal | None:
    """Why a reduced unit cannot regain a step."""
    if not on_map(s, u) or not s.lost[u]:
        return Refusal("13.2", "not-reduced", unit=u)
    if s.rebuilt >> u & 1:
        return Refusal("13.2.2", "just-rebuilt", unit=u)
    if not traces(s, u):
        return Refusal("13.2", "replacement-needs-supply", unit=u)
    return refuse_reinforcing(s, u)


def refuse_rebuilding(s: WoodsState, u: int) -> Refusal | None:
    """Why an eliminated unit cannot come back [13.2.1, 13.2.2]."""
    if SIDE[u] == GERMAN:
        return Refusal("13.2.1", "germans-not-rebuilt", unit=u)
    if s.where[u] != ELIMINATED:
        return Refusal("13.2.2", "not-eliminated", unit=u)
    return refuse_reinforcing(s, u)


def rebuilding_towns(s: WoodsState, u: int) -> list[int]:
    """The towns in which an eliminated Allied unit may come back, ascending [13.2.2]."""
    towns = TOWN & ~s.german_held & supplied_hexes(s, ALLIED) & ~next_to(occupied(s, GERMAN)) & ~occupied(s, GERMAN)
    return [h for h in bits(towns) if CORPS[u] in TOWN_CORPS.get(h, (CORPS[u],)) and refuse_joining(s, u, h) is None]


@dataclass(frozen=True, slots=True)
class Replace(SideFrame):
    """A side spends its replacement points, on units in ascending order."""

    at: int  # units before this one have had their turn

    def choices(self, s: WoodsState) -> list[Action]:
        """What points may still be spent on."""
        units = [u for u in SIDE_UNITS[self.side] if u >= self.at]
        actions: list[Action] = []
        for u in units:
            if refuse_rebuilding(s, u) is None:
                actions += [("rebuild", u, h) for h in rebuilding_towns(s, u)]
        return [*actions, *(("replace", u) for u in units if refuse_replacement(s, u) is None)]

    def legal(self, s: WoodsState) -> list[Action]:
        return [*self.choices(s), ("pass",)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "pass":
            s.infantry_points = s.armor_points = s.rebuilt = 0
            return
        u = int(action[1])
        if KIND[u][0] == INFANTRY:
            s.infantry_points -= 1
        else:
            s.armor_points -= 1
        if action[0] == "rebuild":
            displace_delay(s, int(action[2]), out)
            put(s, u, int(action[2]))
            set_lost(s, u, STEPS[u] - 1)
            s.rebuilt |= 1 << u
            out("13.2.2", "rebuilt", unit=u, hex=int(action[2]))
        else:
            set_lost(s, u, s.lost[u] - 1)
            s.oos &= ~(1 << u)  # it has just traced supply [8.1]
            out("13.2", "replaced", unit=u)
        offer_replacements(s, self.side, u)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("13.2", "spend-replacements", n_infantry=s.infantry_points, n_armor=s.armor_points)

    def why_not(self, s: WoodsState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if action[0] not in ("replace", "rebuild"):
            return [Refusal("13.2", "replacements-first")]
        u = int(action[1])
        if SIDE[u] != self.side:
            return [Refusal("13.2", "not-your-unit", unit=u)]
        if action[0] == "replace":
            return [refuse_replacement(s, u) or Refusal("13.2", "in-ascending-order-units", unit=u)]
        refusal = refuse_rebuilding(s, u)
        return [refusal or Refusal("13.2.2", "not-in-that-town", unit=u, hex=int(action[2]))]


def begin_replacements(s: WoodsState, side: int) -> None:
    """Give a side the points of the turn and ask it."""
    s.infantry_points, s.armor_points = REPLACEMENTS[s.turn - 1][side]
    s.rebuilt = 0
    offer_replacements(s, side, 0)


def offer_replacements(s: WoodsState, side: int, at: int) -> None:
    """Ask a side if it has anything to spend points on; what is left over is lost."""
    frame = Replace(side, at)
    if (s.infantry_points or s.armor_points) and frame.choices(s):
        s.push(frame)
    else:
        s.infantry_points = s.armor_points = s.rebuilt = 0
