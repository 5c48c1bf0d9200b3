"""Ardennes '44: chapter 24, traffic markers, and chapter 33, roadblocks."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from salient.common.naming import above, with_piece, without_piece
from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import occupied
from salient.games.ardennes44.components import Ground, road_ways
from salient.games.ardennes44.entering import take
from salient.games.ardennes44.model import IN_BOX, OUT_OF_PLAY, ROADBLOCKS, TRAFFIC_MARKERS, ArdennesState, is_pm
from salient.games.ardennes44.supply import road_network, unused_map
from salient.games.ardennes44.zones import next_to
from salient.hexes.flood import spread
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import HexSet
from salient.kernel import Action, AutoFrame, ChanceFrame, Prompt, Refusal, Roller
from salient.kernel.messages import Sink

FIRST_TURN = (1, 3)  # by side [24.5, 33.4]
FIRST_REMOVAL = 8  # turn [24.6]
BLOCK_RANGE = 4  # road hexes [33.2]
SIDES = 6  # of a die
Hexes = tuple[int, ...]


def own_markers(side: int) -> range:
    """The indices of a side's traffic markers, the first to the sixth [24.1]."""
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
        s.push(Blocking(side))
    s.push(Placing(side))


def traffic_hexes(s: ArdennesState, side: int) -> int:
    """Where a side may place a traffic marker, as bits [24.4]."""
    mine = _hexes([s.traffic[i] for i in own_markers(side)])
    closed = mine | next_to(s.ground, mine) | (s.ground.bottleneck if side == ALLIED else 0) | unused_map(s)
    return s.ground.all_hexes & ~closed


@dataclass(frozen=True, slots=True)
class Placing(AutoFrame[ArdennesState]):
    """Asks a side that has markers in its box."""

    side: int

    def run(self, s: ArdennesState, out: Sink) -> None:
        box = tuple(i for i in own_markers(self.side) if s.traffic[i] == IN_BOX)
        s.swap(*([PlaceTraffic(self.side, box, (), ())] if box else []))


@cache
def _placing(ground: Ground) -> tuple[Action, ...]:
    """By hex: to place a marker there, made once since the lists are long."""
    return tuple(("traffic", h) for h in range(ground.hexes))


@dataclass(frozen=True, slots=True)
class PlaceTraffic(SideFrame[ArdennesState]):
    """A side puts traffic markers on the map, any of those in its box, and takes them back until it is done.

    The lowest numbers go to the lowest hexes, unless a hex is given a number: so the order of placing leaves no trace.
    """

    box: tuple[int, ...]  # the markers that may be placed
    placed: Hexes  # ascending
    numbered: tuple[tuple[int, int], ...]  # hexes with the markers that they are given, ascending

    def legal(self, s: ArdennesState) -> list[Action]:
        numbers = [(m, h) for m in self.box for h in self.placed if (h, m) not in self.numbered]
        return [
            *(("lift", h) for h in self.placed),
            *(("marker", _number(m), h) for m, h in numbers),
            *(_placing(s.ground)[h] for h in self._hexes(s)),
            ("done",),
        ]

    def candidates(self, s: ArdennesState) -> list[Action]:
        return [*[_placing(s.ground)[h] for h in above(self._hexes(s), self.placed)], ("done",)]

    def _hexes(self, s: ArdennesState) -> list[int]:
        return bits(traffic_hexes(s, self.side)) if len(self.placed) < len(self.box) else []

    def draft(self, s: ArdennesState) -> tuple[Action, ...]:
        numbers: list[Action] = sorted(("marker", _number(m), h) for h, m in self.numbered)
        return (*(("traffic", h) for h in self.placed), *numbers)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        placed, numbered = self.placed, self.numbered
        match action:
            case ("traffic", int(h)):
                placed = with_piece(placed, h)
            case ("lift", int(h)):
                placed = without_piece(placed, h)
                numbered = tuple(pair for pair in numbered if pair[0] != h)
            case ("marker", int(number), int(h)):
                marker = own_markers(self.side)[number - 1]
                numbered = tuple(
                    sorted((*(pair for pair in numbered if h != pair[0] and marker != pair[1]), (h, marker)))
                )
            case _:
                s.pop()
                for i in self.box:
                    if s.traffic[i] >= 0:
                        out("24.3.1", "traffic-placed", n=_number(i), hex=s.traffic[i])
                return
        s.swap(PlaceTraffic(self.side, self.box, placed, numbered))
        self._lay_out(s, placed, dict(numbered))

    def _lay_out(self, s: ArdennesState, placed: Hexes, numbered: dict[int, int]) -> None:
        spare = iter([i for i in self.box if i not in numbered.values()])
        for i in self.box:
            s.traffic[i] = IN_BOX
        for h in placed:
            s.traffic[numbered[h] if h in numbered else next(spare)] = h

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("24.3.1", "place-traffic", n=len(self.box) - len(self.placed))

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        match action:
            case ("traffic", int(h)) if h in self.placed:
                return [Refusal("24.3.1", "marker-there-already", hex=h)]
            case ("traffic", int(h)):
                full = len(self.placed) == len(self.box)
                return [Refusal("24.3.1", "no-traffic-left") if full else Refusal("24.4", "no-traffic-there", hex=h)]
            case ("lift", int(h)) | ("marker", int(), int(h)) if h not in self.placed:
                return [Refusal("24.3.1", "traffic-stays", hex=h)]
            case ("marker", int(number), int()):
                return [Refusal("24.3.1", "marker-not-in-box", n=number)]
        return [Refusal("24.3.1", "traffic-first")]


def _number(marker: int) -> int:
    """The number that is printed on a marker."""
    return marker % TRAFFIC_MARKERS + 1


@dataclass(frozen=True, slots=True)
class TrafficRoll(ChanceFrame[ArdennesState]):
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


def _road_hexes_in_supply(s: ArdennesState, side: int) -> HexSet:
    """Road hexes with a supply path; the last one may be an empty town of the enemy [33.2]."""
    network = road_network(s, side)
    towns = (s.ground.town | s.ground.city) & ~occupied(s, 1 - side)
    return network | spread(network, road_ways(s.ground, s.blown)) & towns


def block_hexes(s: ArdennesState, side: int) -> HexSet:
    """Where a side may place a roadblock, as bits [33.2]."""
    reach = occupied(s, side)
    for _ in range(BLOCK_RANGE):
        reach |= spread(reach, road_ways(s.ground, s.blown))
    enemies = occupied(s, 1 - side)
    markers = _hexes([s.traffic[i] for i in own_markers(side)]) | _hexes(s.blocks)
    closed = enemies | next_to(s.ground, enemies) | markers | next_to(s.ground, markers) | unused_map(s)
    return reach & s.ground.road_hexes & _road_hexes_in_supply(s, side) & ~closed


def drop_cut_blocks(s: ArdennesState, side: int, out: Sink) -> None:
    """Roadblocks without a supply path come off [33.3]."""
    fed = _road_hexes_in_supply(s, side)
    for i in own_blocks(side):
        if s.blocks[i] >= 0 and not fed >> s.blocks[i] & 1:
            out("33.3", "roadblock-removed", hex=s.blocks[i])
            s.blocks[i] = IN_BOX


@dataclass(frozen=True, slots=True)
class Blocking(AutoFrame[ArdennesState]):
    """Asks for roadblocks if there is anything to decide."""

    side: int

    def run(self, s: ArdennesState, out: Sink) -> None:
        question = Roadblocks(self.side, tuple(s.blocks[i] for i in own_blocks(self.side)))
        s.swap(*([question] if len(question.legal(s)) > 1 else []))


@dataclass(frozen=True, slots=True)
class Roadblocks(SideFrame[ArdennesState]):
    """A side takes its roadblocks up and places them, until it is done; then they control their hexes."""

    before: Hexes  # where they stood, by marker

    def standing(self, s: ArdennesState) -> Hexes:
        """The hexes of the side's roadblocks, ascending."""
        return tuple(sorted(s.blocks[i] for i in own_blocks(self.side) if s.blocks[i] >= 0))

    def legal(self, s: ArdennesState) -> list[Action]:
        return [*self._places(s), *(("unblock", h) for h in self.standing(s)), ("done",)]

    def candidates(self, s: ArdennesState) -> list[Action]:
        standing = self.standing(s)
        added = [h for h in standing if h not in self.before]
        gone = [h for h in self.before if h >= 0 and h not in standing]
        places = [a for a in self._places(s) if a[1] not in self.before and int(a[1]) > max(added, default=-1)]
        up = [h for h in standing if h > max(gone, default=-1)] if not added else []
        return [*places, *(("unblock", h) for h in up), ("done",)]

    def _places(self, s: ArdennesState) -> list[Action]:
        if len(self.standing(s)) == len(self.before):
            return []
        return [("block", h) for h in bits(block_hexes(s, self.side))]

    def draft(self, s: ArdennesState) -> tuple[Action, ...]:
        standing = self.standing(s)
        up: list[Action] = [("unblock", h) for h in sorted(self.before) if h >= 0 and h not in standing]
        return (*up, *(("block", h) for h in standing if h not in self.before))

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        match action:
            case ("block", int(h)):
                self._lay_out(s, with_piece(self.standing(s), h))
            case ("unblock", int(h)):
                self._lay_out(s, without_piece(self.standing(s), h))
            case _:
                s.pop()
                self._tell(s, out)

    def _lay_out(self, s: ArdennesState, hexes: Hexes) -> None:
        """Those that stay keep their marker, the others take the lowest ones that are left."""
        kept = [h if h in hexes else IN_BOX for h in self.before]
        new = iter([h for h in hexes if h not in self.before])
        for i, h in zip(own_blocks(self.side), kept, strict=True):
            s.blocks[i] = h if h >= 0 else next(new, IN_BOX)

    def _tell(self, s: ArdennesState, out: Sink) -> None:
        standing = self.standing(s)
        for h in self.before:
            if h >= 0 and h not in standing:
                out("33.3", "roadblock-removed", hex=h)
        for h in standing:
            if h not in self.before:
                take(s, self.side, h, out)
                out("33.2", "roadblock-placed", hex=h)

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("33.2", "place-roadblock")

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        match action:
            case ("block", int(h)) if h in self.standing(s):
                return [Refusal("33.2", "marker-there-already", hex=h)]
            case ("block", int(h)):
                return [Refusal("33.2", "no-roadblock-there", hex=h)]
            case ("unblock", int(h)):
                return [Refusal("33.3", "no-roadblock-of-yours", hex=h)]
        return [Refusal("33.2", "roadblock-first")]
