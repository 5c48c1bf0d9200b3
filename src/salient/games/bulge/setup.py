"""Battle of the Bulge: chapter 3, set-up, and the free set-up of 11.2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from salient.common.data import Part
from salient.games.bulge.air import FLAK, LOST, RETURN
from salient.games.bulge.components import (
    ALLIED,
    AXIS,
    COMBAT_KINDS,
    GROUND_KINDS,
    KINDS,
    SEATS,
    SIDES,
    SUPPLY,
    Data,
    Ground,
)
from salient.games.bulge.model import STACK_LIMIT, BulgeState, around, count, fighting, put, room, seat_of, stack_size
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import HexId, UnitId
from salient.kernel import Action, AnyFrame, Frame, Option, Prompt, Refusal, Seat
from salient.kernel.messages import Sink, ignore_events

HISTORICAL, FREE = "historical", "free"
SET_UP = Option("set-up", (HISTORICAL, FREE), "11.2")
AIRCRAFT = Option("aircraft", (RETURN, FLAK, LOST), "5.6")
CAMPAIGN = Option("campaign", ("one", "two", "four"), "11.1")
GAMES = {"one": 1, "two": 2, "four": 4}


def empty_state(data: Data) -> BulgeState:
    """A board without a piece, before turn 1."""
    s = BulgeState(data)
    s.aircraft, s.preset = RETURN, HISTORICAL
    return s


def new_state(data: Data, aircraft: str, preset: str, games: int, turn: AnyFrame) -> BulgeState:
    """The first game of a campaign with the chosen options, above the frame that runs its turns."""
    s = empty_state(data)
    s.aircraft, s.preset, s.games = aircraft, preset, games
    s.stack = (turn,)
    begin_game(s, ignore_events)
    return s


def begin_game(s: BulgeState, out: Sink) -> None:
    """Lay out board, charts and off-board areas for turn 1 [3.2, 3.3]."""
    fresh = empty_state(s.data)
    for name in ("pieces", "moved", "aboard", "planes", "turn", "control", "attacked", "activated", "parked", "masks"):
        setattr(s, name, getattr(fresh, name))
    s.charts = bytearray(n for pieces in s.formations.pieces for n in pieces[:3])
    s.base = list(s.tables.off_board)
    if s.preset == FREE:
        for group in reversed(range(len(GROUP_SIDES))):
            s.push(Deploy(group, free_set_up(s.data).pieces[group]))
        return
    for h, side, pieces in s.tables.setup:
        for kind, n in enumerate(pieces):
            s.pieces[(side * 5 + kind) * s.ground.hexes + h] = n


# ---- 11.2 Free set-up -----------------------------------------------------------------------------------------

GROUP_SIDES = (ALLIED, AXIS, AXIS, AXIS)  # all Allies, then each German army
ARMY_ZONES = ("army-6-panzer", "army-5-panzer", "army-7")


class FreeSetUp(Part):
    """By group: its area and its pieces. By side: from where it watches the enemy's line."""

    def __init__(self, data: Data) -> None:
        ground, setup = data.ground, data.tables.setup
        self.areas = (ground.whole & ~ground.axis_start, *(mask_of(ground.board.zones[zone]) for zone in ARMY_ZONES))
        self.pieces = tuple(
            tuple(
                sum(pieces[kind] for h, owner, pieces in setup if owner == side and area >> h & 1)
                for kind in GROUND_KINDS
            )
            for side, area in zip(GROUP_SIDES, self.areas, strict=True)
        )
        self.posts = tuple(self._posts(ground, side) for side in SIDES)

    def _posts(self, ground: Ground, side: int) -> list[tuple[int, int]]:
        """A few hexes from which a side watches all of the enemy's line, each with the hexes left to it, as bits."""
        hexes = [h for owner, area in zip(GROUP_SIDES, self.areas, strict=True) if owner == side for h in bits(area)]
        mine = ground.axis_start if side == AXIS else ground.whole & ~ground.axis_start
        left, posts = around(ground, mine) & ground.whole & ~mine, []
        while left:
            best = max(hexes, key=lambda h: (around(ground, 1 << h) & left).bit_count())
            posts.append((best, around(ground, 1 << best) & left))
            left &= ~around(ground, 1 << best)
        return posts


@cache
def free_set_up(data: Data) -> FreeSetUp:
    """Who sets up what, where."""
    return FreeSetUp(data)


def posts_open(s: BulgeState, group: int, more: int = 0) -> int:
    """How many posts of a group still watch nothing, were its pieces also in the hexes `more`."""
    side, known = GROUP_SIDES[group], free_set_up(s.data)
    area, watched = known.areas[group], around(s.ground, fighting(s, side) | more)
    return sum(1 for h, faced in known.posts[side] if area >> h & 1 and faced & ~watched)


def refuse_deployment(s: BulgeState, group: int, kind: int, h: HexId) -> Refusal | None:
    """Why a piece cannot be set up in a hex."""
    side = GROUP_SIDES[group]
    if not free_set_up(s.data).areas[group] >> h & 1:
        return Refusal("11.2", "outside-own-area", hex=h)
    joins_tokens = kind == SUPPLY and count(s, side, SUPPLY, h)
    if not joins_tokens and not room(s, side, kind, h):
        return Refusal("7.11", "hex-full", hex=h)
    return None


@dataclass(frozen=True, slots=True)
class Deploy(Frame[BulgeState]):
    """A side sets up its pieces in any order; at last every hex of the enemy's line must be in a zone of control."""

    group: int
    left: tuple[int, ...]  # by kind

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        drop: list[Action] = [("drop", pile) for pile, _ in self._placed(s)]
        return [*self._deploy(s, GROUND_KINDS), *self._done(s), *drop]

    def candidates(self, s: BulgeState) -> list[Action]:
        """Kind by kind, and none so that too few are left to watch the line."""
        following = [kind for kind in GROUND_KINDS if self.left[kind]][:1]
        deploy = self._deploy(s, following)
        watchful = [action for action in deploy if self._can_watch(s, following[0], HexId(action[2]))]
        return watchful or deploy or self._done(s) or self.legal(s)

    def _deploy(self, s: BulgeState, kinds: Sequence[int]) -> list[Action]:
        side, area, hex_count = self.side, self._area(s), s.ground.hexes
        base = s.ground.bases[side]
        roomy = [h for h in bits(area) if stack_size(s, side, h) < STACK_LIMIT]
        actions: list[Action] = []
        for kind in (kind for kind in kinds if self.left[kind]):
            unit, row = s.units.piles[side][kind][base], (side * 5 + kind) * hex_count
            hexes = [h for h in roomy if s.pieces[row + h] < s.units.stack_limit[kind]]
            if kind == SUPPLY:  # tokens lie together, also in a full hex
                hexes = sorted({*hexes, *(h for h in bits(area) if s.pieces[row + h])})
            actions += [("deploy", unit, h) for h in hexes]
        return actions

    def _can_watch(self, s: BulgeState, kind: int, h: HexId) -> bool:
        if kind not in COMBAT_KINDS:
            return True
        spare = sum(self.left[each] for each in COMBAT_KINDS) - 1
        return spare >= posts_open(s, self.group, 1 << h)

    def _done(self, s: BulgeState) -> list[Action]:
        return [] if any(self.left) or posts_open(s, self.group) else [("done",)]

    def _placed(self, s: BulgeState) -> list[tuple[UnitId, int]]:
        """The piles that are set up and how many pieces each holds, ascending."""
        side, hexes, piles = self.side, bits(self._area(s)), s.units.piles
        numbers = [(kind, h, count(s, side, kind, h)) for kind in GROUND_KINDS for h in hexes]
        return [(piles[side][kind][h], n) for kind, h, n in numbers if n]

    def draft(self, s: BulgeState) -> tuple[Action, ...]:
        units, base = s.units, s.ground.bases[self.side]
        return tuple(
            ("deploy", units.piles[self.side][units.kind[pile]][base], units.place[pile])
            for pile, n in self._placed(s)
            for _ in range(n)
        )

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        match action:
            case ("deploy", UnitId(unit), HexId(h)):
                self._put(s, s.units.kind[unit], h, 1)
            case ("drop", UnitId(pile)):
                self._put(s, s.units.kind[pile], s.units.place[pile], -1)
            case _:
                s.pop()
                for pile, n in self._placed(s):
                    kind, place = KINDS[s.units.kind[pile]], s.units.place[pile]
                    out("11.2", "deployed", word_side=SEATS[self.side], word_kind=kind, n=n, hex=place)

    def _put(self, s: BulgeState, kind: int, h: int, n: int) -> None:
        put(s, self.side, kind, h, n)
        s.swap(Deploy(self.group, tuple(left - n * (each == kind) for each, left in enumerate(self.left))))

    def prompt(self, s: BulgeState) -> Prompt:
        if any(self.left):
            base, piles = s.ground.bases[self.side], s.units.piles
            units = tuple(piles[self.side][kind][base] for kind in GROUND_KINDS if self.left[kind])
            return Prompt("11.2", "deploy", word_side=SEATS[self.side], n=sum(self.left), units=units)
        return Prompt("11.2", "deployment-ends", word_side=SEATS[self.side])

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("deploy", UnitId(unit), HexId(h)) if self._is_at_base(s, unit):
                refusal = refuse_deployment(s, self.group, s.units.kind[unit], h)
                return [refusal or Refusal("11.2", "all-deployed", unit=unit)]
            case ("drop", UnitId(unit)):
                return [Refusal("11.2", "not-named", piece=unit)]
            case ("done",) if not any(self.left):
                return [Refusal("11.2", "line-must-be-watched")]
        return [Refusal("11.2", "deploy-first", n=sum(self.left))]

    def _is_at_base(self, s: BulgeState, unit: UnitId) -> bool:
        return s.units.place[unit] == s.ground.bases[self.side] and s.units.kind[unit] in GROUND_KINDS

    def _area(self, s: BulgeState) -> int:
        return free_set_up(s.data).areas[self.group]

    @property
    def side(self) -> int:
        """Whose pieces are set up."""
        return GROUP_SIDES[self.group]
