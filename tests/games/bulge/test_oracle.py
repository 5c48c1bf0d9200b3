"""Chapters 4, 6, 7 and 9 a second time, hex by hex in the words of the rules, against the fast masks of the game."""

from __future__ import annotations

import random

import pytest

from games.bulge.positions import GROUND, UNITS
from salient import legal, load, step
from salient.games.bulge import model, upkeep
from salient.games.bulge.components import ALLIED, ARTILLERY, AXIS, COMBAT_KINDS, INFANTRY, SIDES, TANK, TRUCK
from salient.games.bulge.movement import Move, TruckReturn, reach
from salient.games.bulge.retreats import retreat_hexes
from salient.games.bulge.trucks import Trucks, destinations
from salient.kernel import OVER, actor

BOARD, HEXES = GROUND.board, GROUND.hexes


def is_whole(h: int) -> bool:
    return "partial" not in BOARD.features[h]


def neighbours(h: int) -> set[int]:
    return {n for n in BOARD.adjacent[h] if is_whole(n)}


def is_open(a: int, b: int) -> bool:
    """Whether a vehicle or a gun may go from a hex to the next."""
    side = BOARD.side(a, b)
    return BOARD.road(a, b) or side is None or side.kind != "river"


class Side:
    """What one side's pieces meet on the board."""

    def __init__(self, state, side: int) -> None:
        self.enemies = {h for h in range(HEXES) if any(model.counts(state, 1 - side, h)[:3])}
        self.friends = {h for h in range(HEXES) if any(model.counts(state, side, h)[:3])}
        self.enemy_pieces = {h for h in range(HEXES) if any(model.counts(state, 1 - side, h))}
        self.zone = {n for h in self.enemies for n in neighbours(h)}
        enemy_owns = {h for h in range(HEXES) if is_whole(h) and bool(state.control >> h & 1) is (side == ALLIED)}
        self.stops = self.zone | {h for h in enemy_owns if "city" in BOARD.features[h]}
        self.own_hexes = {h for h in range(HEXES) if is_whole(h)} - enemy_owns

    def along_roads(self, start: int, closed: set[int]) -> set[int]:
        """Step by step along roads: a step out of a zone, or into a zone or an enemy city, is the last."""
        reached, going = {start}, [start]
        while going:
            h = going.pop()
            for n in neighbours(h) - closed - reached:
                if BOARD.road(h, n):
                    reached.add(n)
                    if n not in self.stops and h not in self.zone:
                        going.append(n)
        return reached

    def tank(self, start: int, blitz: bool) -> set[int]:
        found = self.along_roads(start, self.enemies)
        found |= {n for n in neighbours(start) - self.enemies if is_open(start, n)}
        if blitz:
            found |= {n for h in found for n in neighbours(h) - self.enemies if is_open(h, n)}
        return found - {start}

    def foot(self, start: int, kind: int) -> set[int]:
        return {n for n in neighbours(start) - self.enemies if kind == INFANTRY or is_open(start, n)}

    def truck(self, start: int) -> set[int]:
        return self.along_roads(start, self.enemies | self.enemy_pieces - self.friends) - {start}


def random_states(seed: int):
    """The positions of a random game, thinned out."""
    rng = random.Random(seed)
    state = load("bulge").new()
    while actor(state) != OVER:
        if rng.random() < 0.2:
            yield state
        state = step(state, rng.choice(legal(state)), trusted=True)


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_7_5_movement_by_the_words_of_the_rules(seed):
    """Tanks with and without a blitz, infantry, guns and trucks, wherever a random game leads them."""
    seen = 0
    for state in random_states(seed):
        frame = state.stack[-1]
        if isinstance(frame, Move):
            side = Side(state, frame.side)
            for h in side.friends:
                for blitz in (False, True):
                    assert set(reach(state, frame.side, TANK, h, blitz)) == side.tank(h, blitz)
                for kind in (INFANTRY, ARTILLERY):
                    assert set(reach(state, frame.side, kind, h, False)) == side.foot(h, kind)
                seen += 1
        if isinstance(frame, Trucks) and frame.start == -1:
            side = Side(state, frame.side)
            for h in range(HEXES):
                if model.count(state, frame.side, TRUCK, h):
                    assert set(destinations(state, frame.side, h)) == side.truck(h)
                    seen += 1
    assert seen > 100


@pytest.mark.parametrize("seed", [11, 12])
def test_7_1_returns_by_the_words_of_the_rules(seed):
    """Outside zones, with a road to a friendly edge free of zones and enemy cities."""
    for state in random_states(seed):
        frame = state.stack[-1]
        if isinstance(frame, TruckReturn):
            side = Side(state, frame.side)
            edge = {h for h in side.own_hexes if GROUND.road_edge[frame.side] >> h & 1}
            for h in range(HEXES) if not frame.back else ():
                if model.count(state, frame.side, TRUCK, h):
                    free = (
                        side.along_roads(h, side.enemies | side.stops) if h not in side.stops | side.enemies else set()
                    )
                    assert (h in frame.able(state)) is bool(free & edge)


@pytest.mark.parametrize("seed", [11, 12])
def test_6_11_retreats_by_the_words_of_the_rules(seed):
    """One hex, not next to enemies, not over water with vehicles, not where the limits are reached."""
    for state in random_states(seed):
        for owner in SIDES:
            side = Side(state, owner)
            for h in side.friends:
                for kind in COMBAT_KINDS:
                    ways = {n for n in side.foot(h, kind) - side.zone if has_room(state, owner, kind, n)}
                    assert set(retreat_hexes(state, owner, kind, h)) == ways


def has_room(state, side: int, kind: int, h: int) -> bool:
    infantry, tanks, guns, trucks, tokens = model.counts(state, side, h)
    units = infantry + tanks + guns + trucks + (tokens > 0)
    return units < 12 and (infantry, tanks, guns)[kind] < (6, 6, 3)[kind]


@pytest.mark.parametrize("seed", [11, 12])
def test_9_2_the_front_line_by_the_words_of_the_rules(seed):
    """Hex by hex: who stands there, and which German stands to the west of it."""
    for state in random_states(seed):
        axis, allied = Side(state, AXIS), Side(state, ALLIED)
        after = upkeep.front_line(
            GROUND, state.control, *(model.fighting(state, side) for side in SIDES), model.present(state, 1)
        )
        for h in range(HEXES):
            if not is_whole(h):
                continue
            west = {BOARD.neighbours[h][BOARD.grid.directions.index(way)] for way in ("SW", "W", "NW")}
            pulled = bool(west & axis.friends) and h not in axis.enemy_pieces and "city" not in BOARD.features[h]
            german = h in axis.friends or (h not in allied.friends and (bool(state.control >> h & 1) or pulled))
            assert bool(after >> h & 1) is german


@pytest.mark.parametrize("seed", [11, 12])
def test_piles_are_those_that_hold_pieces(seed):
    """One pile after the other is counted, on the board, on the charts and off the board."""
    for state in random_states(seed):
        sizes = [(u, model.size(state, u)) for u in range(UNITS.count)]
        assert model.piles(state) == [(u, n) for u, n in sizes if n]
