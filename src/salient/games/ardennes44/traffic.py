"""Ardennes '44: chapter 24, traffic markers, and chapter 33, roadblocks."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import occupied
from salient.games.ardennes44.entering import take
from salient.games.ardennes44.model import (
    ALL_HEXES,
    BOTTLENECK,
    CITY,
    IN_BOX,
    OUT_OF_PLAY,
    ROAD_HEXES,
    ROADBLOCKS,
    TOWN,
    TRAFFIC_MARKERS,
    ArdennesState,
    is_pm,
    road_ways,
)
from salient.games.ardennes44.supply import road_network, unused_map
from salient.games.ardennes44.zones import next_to
from salient.hexes.flood import spread
from salient.hexes.masks import bits, mask_of
from salient.kernel import Action, AutoFrame, ChanceFrame, Prompt, Refusal, Roller
from salient.kernel.messages import Sink

FIRST_TURN = (1, 3)  # by side [24.5, 33.4]
FIRST_REMOVAL = 8  # turn [24.6]
BLOCK_RANGE = 4  # road hexes [33.2]
SIDES = 6  # of a die


def own_markers(side: int) -> range:
    """The indices of a side's traffic markers, the first to the sixth."""
    return range(TRAFFIC_MARKERS) if side == ALLIED else range(TRAFFIC_MARKERS, 2 * TRAFFIC_MARKERS)


def own_blocks(side: int) -> range:
    """The indices of a side's roadblocks."""
    return range(2) if side == ALLIED else range(2, 4)


def _hexes(places: list[int]) -> int:
    return mask_of(h for h in places if h >= 0)


# ---- 24.3 The phase -------------------------------------------------------------------------------------


def begin_traffic(s: ArdennesState, side: int, out: Sink) -> None:
    """Scheduled removal, placing, roadblocks, then the dice, as in the example of play [24.3, 24.6, 33.2]."""
    if s.turn < FIRST_TURN[side]:
        return
    if side == GERMAN and is_pm(s) and s.turn >= FIRST_REMOVAL:
        number = (s.turn - FIRST_REMOVAL) // 2
        if number < TRAFFIC_MARKERS:
            s.traffic[TRAFFIC_MARKERS + number] = OUT_OF_PLAY
            out("24.6", "traffic-ends", n=number + 1)
    s.push(TrafficRoll(side))
    if s.rules & ROADBLOCKS:
        drop_cut_blocks(s, side, out)
        s.push(*(Roadblock(side, i) for i in reversed(own_blocks(side))))
    s.push(Placing(side))


def traffic_hexes(s: ArdennesState, side: int) -> int:
    """Where a side may place a traffic marker, as bits [24.4]."""
    mine = _hexes([s.traffic[i] for i in own_markers(side)])
    closed = mine | next_to(mine) | (BOTTLENECK if side == ALLIED else 0) | unused_map(s)
    return ALL_HEXES & ~closed


@dataclass(frozen=True, slots=True)
class Placing(AutoFrame):
    """Asks for one marker after another as long as any is in the box."""

    side: int

    def run(self, s: ArdennesState, out: Sink) -> None:
        marker = next((i for i in own_markers(self.side) if s.traffic[i] == IN_BOX), -1)
        if marker < 0:
            s.pop()
        else:
            s.push(PlaceTraffic(self.side, marker))


@dataclass(frozen=True, slots=True)
class PlaceTraffic(SideFrame):
    """A side puts a traffic marker on the map, or ends its placing."""

    marker: int

    def legal(self, s: ArdennesState) -> list[Action]:
        return [("pass",), *(("traffic", h) for h in bits(traffic_hexes(s, self.side)))]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "pass":
            s.pop()  # the placing beneath
            return
        s.traffic[self.marker] = int(action[1])
        out("24.3.1", "traffic-placed", n=self.marker % TRAFFIC_MARKERS + 1, hex=int(action[1]))

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("24.3.1", "place-traffic", n=self.marker % TRAFFIC_MARKERS + 1)

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if action[0] == "traffic":
            return [Refusal("24.4", "no-traffic-there", hex=int(action[1]))]
        return [Refusal("24.3.1", "traffic-or-pass")]


@dataclass(frozen=True, slots=True)
class TrafficRoll(ChanceFrame):
    """Two dice take the markers of these numbers off the map [24.3.2]."""

    side: int

    def outcomes(self, s: ArdennesState) -> list[tuple[Action, Fraction]]:
        faces = range(1, SIDES + 1)
        pairs = [(a, b) for a in faces for b in faces if a <= b]
        return [(("dice", a, b), Fraction(1 if a == b else 2, SIDES**2)) for a, b in pairs]

    def sample(self, s: ArdennesState, roller: Roller) -> Action:
        first, second = roller.die(SIDES), roller.die(SIDES)
        return ("dice", min(first, second), max(first, second))

    def purpose(self, s: ArdennesState) -> str:
        return "traffic"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("24.3.2", "roll-traffic")

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        for number in sorted({int(action[1]), int(action[2])}):
            marker = own_markers(self.side)[number - 1]
            if s.traffic[marker] >= 0:
                out("24.3.2", "traffic-clears", n=number, hex=s.traffic[marker])
                s.traffic[marker] = IN_BOX


# ---- 33 Roadblocks --------------------------------------------------------------------------------------------


def _road_hexes_in_supply(s: ArdennesState, side: int) -> int:
    """Road hexes with a supply path; the last one may be an empty town of the enemy [33.2]."""
    network = road_network(s, side)
    towns = (TOWN | CITY) & ~occupied(s, 1 - side)
    return network | spread(network, road_ways(s.blown)) & towns


def block_hexes(s: ArdennesState, side: int, block: int) -> int:
    """Where a side may place a roadblock, as bits [33.2]."""
    reach = occupied(s, side)
    for _ in range(BLOCK_RANGE):
        reach |= spread(reach, road_ways(s.blown))
    enemies = occupied(s, 1 - side)
    markers = _hexes([s.traffic[i] for i in own_markers(side)])
    markers |= _hexes([h for i, h in enumerate(s.blocks) if i != block])
    closed = enemies | next_to(enemies) | markers | next_to(markers) | unused_map(s)
    return reach & ROAD_HEXES & _road_hexes_in_supply(s, side) & ~closed


def drop_cut_blocks(s: ArdennesState, side: int, out: Sink) -> None:
    """Roadblocks without a supply path come off [33.3]."""
    fed = _road_hexes_in_supply(s, side)
    for i in own_blocks(side):
        if s.blocks[i] >= 0 and not fed >> s.blocks[i] & 1:
            out("33.3", "roadblock-removed", hex=s.blocks[i])
            s.blocks[i] = IN_BOX


@dataclass(frozen=True, slots=True)
class Roadblock(SideFrame):
    """A side places or moves one of its roadblocks, takes it up, or leaves it."""

    block: int

    def legal(self, s: ArdennesState) -> list[Action]:
        here = s.blocks[self.block]
        hexes = block_hexes(s, self.side, self.block)
        if here >= 0:
            hexes &= ~(1 << here)
        up: list[Action] = [("unblock", here)] if here >= 0 else []
        return [*(("block", h) for h in bits(hexes)), ("pass",), *up]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "block":
            h = int(action[1])
            s.blocks[self.block] = h
            take(s, self.side, h, out)
            out("33.2", "roadblock-placed", hex=h)
        elif action[0] == "unblock":
            s.blocks[self.block] = IN_BOX
            out("33.3", "roadblock-removed", hex=int(action[1]))

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("33.2", "place-roadblock")

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if action[0] == "block":
            return [Refusal("33.2", "no-roadblock-there", hex=int(action[1]))]
        return [Refusal("33.2", "roadblock-first")]
