"""Battle of the Bulge: chapter 3, set-up, and the free set-up of 11.2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from salient.games.bulge.air import FLAK, LOST, RETURN
from salient.games.bulge.model import (
    ALLIED,
    AXIS,
    AXIS_START,
    BASES,
    BOARD,
    COMBAT_KINDS,
    FORMATION_PIECES,
    GROUND_KINDS,
    HEXES,
    KINDS,
    OFF_BOARD,
    SEATS,
    SETUP,
    STACK_LIMIT,
    STACK_LIMITS,
    SUPPLY,
    WHOLE,
    BulgeState,
    around,
    count,
    fighting,
    kind_of,
    place_of,
    put,
    room,
    seat_of,
    stack_size,
    unit_id,
)
from salient.hexes.masks import bits, mask_of
from salient.kernel import Action, AnyFrame, Frame, Option, Prompt, Refusal, Seat
from salient.kernel.messages import Sink, ignore_events

HISTORICAL, FREE = "historical", "free"
SET_UP = Option("set-up", (HISTORICAL, FREE), "11.2")
AIRCRAFT = Option("aircraft", (RETURN, FLAK, LOST), "5.6")
CAMPAIGN = Option("campaign", ("one", "two", "four"), "11.1")
GAMES = {"one": 1, "two": 2, "four": 4}


def empty_state() -> BulgeState:
    """A board without a piece, before turn 1."""
    s = BulgeState()
    s.aircraft, s.preset = RETURN, HISTORICAL
    return s


def new_state(aircraft: str, preset: str, games: int, turn: AnyFrame) -> BulgeState:
    """The first game of a campaign with the chosen options, above the frame that runs its turns."""
    s = empty_state()
    s.aircraft, s.preset, s.games = aircraft, preset, games
    s.stack = (turn,)
    begin_game(s, ignore_events)
    return s


def begin_game(s: BulgeState, out: Sink) -> None:
    """Lay out board, charts and off-board areas for turn 1 [3.2, 3.3]."""
    fresh = empty_state()
    for name in ("ground", "moved", "aboard", "planes", "turn", "control", "attacked", "activated", "parked", "masks"):
        setattr(s, name, getattr(fresh, name))
    s.charts = bytearray(n for pieces in FORMATION_PIECES for n in pieces[:3])
    s.base = list(OFF_BOARD)
    if s.preset == FREE:
        for group in reversed(range(len(GROUPS))):
            s.push(Deploy(group, START_PIECES[group]))
        return
    for h, side, pieces in SETUP:
        for kind, n in enumerate(pieces):
            s.ground[(side * 5 + kind) * HEXES + h] = n


# ---- 11.2 Free set-up -----------------------------------------------------------------------------------------

# The Allies anywhere on their side of the line, then each German army in its own area.
GROUPS: tuple[tuple[int, int], ...] = (
    (ALLIED, WHOLE & ~AXIS_START),
    *((AXIS, mask_of(BOARD.zones[zone])) for zone in ("army-6-panzer", "army-5-panzer", "army-7")),
)
START_PIECES = tuple(
    tuple(sum(pieces[kind] for h, owner, pieces in SETUP if owner == side and area >> h & 1) for kind in GROUND_KINDS)
    for side, area in GROUPS
)
# By side: the enemy's line, which it must watch.
FACED = (around(AXIS_START) & WHOLE & ~AXIS_START, around(WHOLE & ~AXIS_START) & AXIS_START)


def _posts(side: int) -> list[tuple[int, int]]:
    """A few hexes from which a side watches all of the enemy's line, each with the hexes left to it, as bits."""
    areas = [area for owner, area in GROUPS if owner == side]
    left, posts = FACED[side], []
    while left:
        best = max((h for area in areas for h in bits(area)), key=lambda h: (around(1 << h) & left).bit_count())
        posts.append((best, around(1 << best) & left))
        left &= ~around(1 << best)
    return posts


POSTS = (_posts(AXIS), _posts(ALLIED))


def posts_open(s: BulgeState, group: int, more: int = 0) -> int:
    """How many posts of a group still watch nothing, were its pieces also in the hexes `more`."""
    side, area = GROUPS[group]
    watched = around(fighting(s, side) | more)
    return sum(1 for h, faced in POSTS[side] if area >> h & 1 and faced & ~watched)


def refuse_deployment(s: BulgeState, group: int, kind: int, h: int) -> Refusal | None:
    """Why a piece cannot be set up in a hex."""
    side, area = GROUPS[group]
    if not area >> h & 1:
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
        watchful = [action for action in deploy if self._can_watch(s, following[0], int(action[2]))]
        return watchful or deploy or self._done(s) or self.legal(s)

    def _deploy(self, s: BulgeState, kinds: Sequence[int]) -> list[Action]:
        side, area = GROUPS[self.group]
        roomy = [h for h in bits(area) if stack_size(s, side, h) < STACK_LIMIT]
        actions: list[Action] = []
        for kind in (kind for kind in kinds if self.left[kind]):
            unit, row = unit_id(side, kind, BASES[side]), (side * 5 + kind) * HEXES
            hexes = [h for h in roomy if s.ground[row + h] < STACK_LIMITS[kind]]
            if kind == SUPPLY:  # tokens lie together, also in a full hex
                hexes = sorted({*hexes, *(h for h in bits(area) if s.ground[row + h])})
            actions += [("deploy", unit, h) for h in hexes]
        return actions

    def _can_watch(self, s: BulgeState, kind: int, h: int) -> bool:
        if kind not in COMBAT_KINDS:
            return True
        spare = sum(self.left[each] for each in COMBAT_KINDS) - 1
        return spare >= posts_open(s, self.group, 1 << h)

    def _done(self, s: BulgeState) -> list[Action]:
        return [] if any(self.left) or posts_open(s, self.group) else [("done",)]

    def _placed(self, s: BulgeState) -> list[tuple[int, int]]:
        """The piles that are set up and how many pieces each holds, ascending."""
        side, area = GROUPS[self.group]
        piles = ((kind, h) for kind in GROUND_KINDS for h in bits(area) if s.ground[(side * 5 + kind) * HEXES + h])
        return [(unit_id(side, kind, h), count(s, side, kind, h)) for kind, h in piles]

    def draft(self, s: BulgeState) -> tuple[Action, ...]:
        base = BASES[self.side]
        return tuple(
            ("deploy", unit_id(self.side, kind_of(pile), base), place_of(pile))
            for pile, n in self._placed(s)
            for _ in range(n)
        )

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        match action:
            case ("deploy", int(unit), int(h)):
                self._put(s, kind_of(unit), h, 1)
            case ("drop", int(pile)):
                self._put(s, kind_of(pile), place_of(pile), -1)
            case _:
                s.pop()
                for pile, n in self._placed(s):
                    kind, h = KINDS[kind_of(pile)], place_of(pile)
                    out("11.2", "deployed", word_side=SEATS[self.side], word_kind=kind, n=n, hex=h)

    def _put(self, s: BulgeState, kind: int, h: int, n: int) -> None:
        put(s, self.side, kind, h, n)
        s.swap(Deploy(self.group, tuple(left - n * (each == kind) for each, left in enumerate(self.left))))

    def prompt(self, s: BulgeState) -> Prompt:
        if any(self.left):
            units = tuple(unit_id(self.side, kind, BASES[self.side]) for kind in GROUND_KINDS if self.left[kind])
            return Prompt("11.2", "deploy", word_side=SEATS[self.side], n=sum(self.left), units=units)
        return Prompt("11.2", "deployment-ends", word_side=SEATS[self.side])

    def refusals(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("deploy", int(unit), int(h)) if place_of(unit) == BASES[self.side] and kind_of(unit) in GROUND_KINDS:
                refusal = refuse_deployment(s, self.group, kind_of(unit), h)
                return [refusal or Refusal("11.2", "all-deployed", unit=unit)]
            case ("drop", int(unit)):
                return [Refusal("11.2", "not-named", piece=unit)]
            case ("done",) if not any(self.left):
                return [Refusal("11.2", "line-must-be-watched")]
        return [Refusal("11.2", "deploy-first", n=sum(self.left))]

    @property
    def side(self) -> int:
        """Whose pieces are set up."""
        return GROUPS[self.group][0]
