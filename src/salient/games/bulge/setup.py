"""Battle of the Bulge: chapter 3, set-up, and the free set-up of 11.2."""

from __future__ import annotations

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
    INFANTRY,
    KINDS,
    OFF_BOARD,
    SEATS,
    SETUP,
    SUPPLY,
    WHOLE,
    BulgeState,
    around,
    count,
    fighting,
    put,
    room,
    seat_of,
    unit_id,
)
from salient.hexes.masks import bits, mask_of
from salient.kernel import Action, Frame, Option, Prompt, Refusal, Seat
from salient.kernel.messages import NULL, Sink

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


def new_state(aircraft: str, preset: str, games: int, turn: Frame) -> BulgeState:
    """The first game of a campaign with the chosen options, above the frame that runs its turns."""
    s = empty_state()
    s.aircraft, s.preset, s.games = aircraft, preset, games
    s.stack = (turn,)
    begin_game(s, NULL)
    return s


def begin_game(s: BulgeState, out: Sink) -> None:
    """Lay out board, charts and off-board areas for turn 1 [3.2, 3.3]."""
    fresh = empty_state()
    for name in ("ground", "moved", "aboard", "planes", "turn", "control", "attacked", "activated", "parked", "masks"):
        setattr(s, name, getattr(fresh, name))
    s.charts = [n for pieces in FORMATION_PIECES for n in pieces[:3]]
    s.base = list(OFF_BOARD)
    if s.preset == FREE:
        for group in reversed(range(len(GROUPS))):
            s.push(Deploy(group, INFANTRY, START_PIECES[group]))
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


def refuse_deployment(s: BulgeState, frame: Deploy, h: int) -> Refusal | None:
    """Why the next piece cannot be set up in a hex: every hex of the enemy's line must end in a zone of control."""
    side, area = GROUPS[frame.group]
    if not area >> h & 1:
        return Refusal("11.2", "outside-own-area", hex=h)
    joins_tokens = frame.kind == SUPPLY and count(s, side, SUPPLY, h)
    if not joins_tokens and not room(s, side, frame.kind, h):
        return Refusal("7.11", "hex-full", hex=h)
    if frame.kind in COMBAT_KINDS:
        spare = sum(frame.left[kind] for kind in COMBAT_KINDS) - 1
        if spare < posts_open(s, frame.group, 1 << h):
            return Refusal("11.2", "line-must-be-watched", hex=h)
    return None


@dataclass(frozen=True, slots=True)
class Deploy(Frame):
    """A side sets up its pieces one after the other, kind by kind."""

    group: int
    kind: int
    left: tuple[int, ...]

    def actor(self, s: BulgeState) -> Seat:
        return seat_of(s, self.side)

    def legal(self, s: BulgeState) -> list[Action]:
        side, area = GROUPS[self.group]
        unit = unit_id(side, self.kind, BASES[side])
        return [("deploy", unit, h) for h in bits(area) if refuse_deployment(s, self, h) is None]

    def apply(self, s: BulgeState, action: Action, out: Sink) -> None:
        side = self.side
        h = int(action[2])
        put(s, side, self.kind, h, 1)
        out("11.2", "deployed", word_side=SEATS[side], word_kind=KINDS[self.kind], hex=h)
        left = tuple(n - (kind == self.kind) for kind, n in enumerate(self.left))
        following = next((kind for kind in GROUND_KINDS if left[kind]), None)
        s.pop()
        if following is not None:
            s.push(Deploy(self.group, following, left))

    def prompt(self, s: BulgeState) -> Prompt:
        n = self.left[self.kind]
        return Prompt("11.2", "deploy", word_side=SEATS[self.side], word_kind=KINDS[self.kind], n=n)

    def why_not(self, s: BulgeState, action: Action) -> list[Refusal]:
        match action:
            case ("deploy", int(unit), int(h)) if unit == unit_id(self.side, self.kind, BASES[self.side]):
                refusal = refuse_deployment(s, self, h)
                return [refusal] if refusal else []
        return [Refusal("11.2", "deploy-first", word_kind=KINDS[self.kind])]

    @property
    def side(self) -> int:
        """Whose pieces are set up."""
        return GROUPS[self.group][0]
