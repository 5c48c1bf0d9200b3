"""Chapters 4 and 7 a second time, hex by hex in the words of the rulebook, against the fast masks of the game."""

from __future__ import annotations

import random

import pytest

from games.target_arnhem.positions import GROUND, UNITS
from salient import legal, load, step
from salient.common.sides import GERMAN
from salient.games.target_arnhem.sequence import Impulse
from salient.games.target_arnhem.supply import is_supplied

BOARD, HEXES = GROUND.board, GROUND.hexes


def crossing(a: int, b: int) -> str:
    """What lies between two hexes: `river`, `canal`, or nothing that a unit notices."""
    side = BOARD.side(a, b)
    return side.kind if side and not side.bridge else ""


def enemies_of(state, side: int) -> set[int]:
    return {h for u, h in enumerate(state.where) if UNITS.side[u] != side and h < HEXES}


def touches(h: int, enemies: set[int]) -> bool:
    return any(n in enemies and crossing(h, n) != "river" for n in BOARD.adjacent[h])


def spread_from(starts: set[int], enemies: set[int], opens, steps: int = 99) -> set[int]:
    """Every hex within some steps over hexsides that are open, not through enemies."""
    reached = fresh = starts - enemies
    for _ in range(steps):
        fresh = {n for h in fresh for n in BOARD.adjacent[h] if opens(h, n)} - enemies - reached
        reached = reached | fresh
    return reached


def normal_moves(start: int, enemies: set[int]) -> set[int]:
    first = {n for n in BOARD.adjacent[start] if crossing(start, n) != "river"} - enemies
    onward = {h for h in first if not crossing(start, h) and BOARD.terrain[h] != "forest" and not touches(h, enemies)}
    return first | {n for h in onward for n in BOARD.adjacent[h] if not crossing(h, n)} - enemies


def road_moves(start: int, enemies: set[int]) -> tuple[set[int], set[int]]:
    """The hexes reached by road, and those of them that a unit may drive on from."""
    driven = spread_from({start}, enemies, lambda a, b: BOARD.road(a, b) and not touches(a, enemies))
    going = {h for h in driven if not touches(h, enemies)}
    return driven | {n for h in going for n in BOARD.adjacent[h] if not crossing(h, n)} - enemies, going


def moves(state, u: int, first_enemies: set[int]) -> set[int]:
    """Where a unit may move, given the enemies at the start of the impulse."""
    side, start = UNITS.side[u], state.where[u]
    enemies = enemies_of(state, side)
    closed = {"P"} if state.turn >= 4 else set()
    if start >= HEXES:
        area = BOARD.areas[GROUND.places[start]]
        return set(area.hexes) - enemies | {GROUND.places.index(name) for name in set(area.areas) - closed}
    reached = normal_moves(start, enemies)
    on_road = any(BOARD.road(start, n) for n in BOARD.adjacent[start])
    if on_road and not touches(start, first_enemies) and not state.landed >> u & 1:
        driven, going = road_moves(start, enemies)
        reached |= driven
        for row in BOARD.rows["areas.csv"]:
            if side == GERMAN and {BOARD.labels[h] for h in going} & set(row["roads"].split()):
                reached |= {GROUND.places.index(name) for name in {row["area"]} - closed}
    return reached - {start}


def supplied(state, u: int) -> bool:
    side, start = UNITS.side[u], state.where[u]
    if start >= HEXES:
        return True
    enemies = enemies_of(state, side)
    if side == GERMAN:
        edge = {h for name, area in BOARD.areas.items() if name != "P" or state.turn < 4 for h in area.hexes}
        return bool(edge & spread_from({start}, enemies, lambda a, b: crossing(a, b) != "river"))
    near = spread_from({start}, enemies, lambda a, b: crossing(a, b) != "river", 2)
    return state.zones[UNITS.pool[u]] in near or bool(near & spread_from({GROUND.entry}, enemies, BOARD.road))


@pytest.mark.parametrize("seed", range(3))
def test_4_and_7_agree_with_a_plain_reading(seed):
    """Every destination and every state of supply in positions of a random game."""
    rng, state, phase = random.Random(seed), load("target-arnhem").new(), None
    while actions := legal(state):
        frame = state.stack[-1]
        if isinstance(frame, Impulse):
            if phase != (phase := (state.turn, state.impulse, frame.side)):
                first_enemies = enemies_of(state, frame.side)
            if rng.random() < 0.06:
                for u in frame.ready(state):
                    listed = {a[2] for a in actions if a[:2] == ("move", u)}
                    assert listed == moves(state, u, first_enemies), (
                        UNITS.ids[u],
                        GROUND.places[state.where[u]],
                    )
                on_board = [u for u, place in enumerate(state.where) if place < GROUND.waiting]
                assert [is_supplied(state, u) for u in on_board] == [supplied(state, u) for u in on_board]
        state = step(state, rng.choice(actions), trusted=True)
