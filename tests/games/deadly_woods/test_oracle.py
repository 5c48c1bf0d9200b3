"""Chapters 7 and 8 against a plain second reading of the rulebook, hex by hex, on positions of random games."""

from __future__ import annotations

import random
from functools import cache

import pytest

from games.deadly_woods.positions import GROUND, PLAIN_GAME, UNITS
from salient.common.sides import ALLIED, GERMAN
from salient.games.deadly_woods.components import ARMOR, INFANTRY
from salient.games.deadly_woods.supply import supplied_hexes
from salient.games.deadly_woods.zones import zone
from salient.kernel import actor, legal, step


def is_dry(s, a, b):
    """No river, or a bridge that stands."""
    side = GROUND.board.side(a, b)
    return side is None or (bool(side.bridge) and not s.blown >> GROUND.bridge[a, b] & 1)


def is_road(s, a, b):
    return GROUND.board.road(a, b) is not None and is_dry(s, a, b)


def controls(s, u, h):
    """Whether a unit's zone of control covers an adjacent hex [7.1, 7.2]."""
    here, kind = s.where[u], UNITS.kind[u][s.lost[u]]
    if not UNITS.values[u][s.lost[u]][3] or not is_dry(s, here, h):
        return False
    if kind == ARMOR and GROUND.board.terrain[h] in ("woods", "forest") and not is_road(s, here, h):
        return False
    return not (UNITS.side[u] == ALLIED and kind != INFANTRY and GROUND.westwall >> h & 1)


def zone_of(s, side):
    units = [u for u in range(UNITS.count) if UNITS.side[u] == side and s.where[u] < GROUND.hexes]
    return {h for u in units for h in GROUND.board.adjacent[s.where[u]] if controls(s, u, h)}


def supplied(s, side):
    """Every hex from which five steps at most lead to a road that leads to a friendly entry hex [7.3, 8.2]."""
    own = {s.where[u] for u in range(UNITS.count) if UNITS.side[u] == side and s.where[u] < GROUND.hexes}
    enemies = {s.where[u] for u in range(UNITS.count) if UNITS.side[u] != side and s.where[u] < GROUND.hexes}
    lifted = own | ({h for h in range(GROUND.hexes) if GROUND.westwall >> h & 1} if side == GERMAN else set())
    closed = enemies | (zone_of(s, 1 - side) - lifted)
    road = [h for h in range(GROUND.hexes) if GROUND.entries[side] >> h & 1 and h not in closed]
    for h in road:
        road += [b for b in GROUND.board.adjacent[h] if is_road(s, h, b) and b not in closed and b not in road]
    trunk = set(road)

    @cache
    def leads(h, steps, first):
        if h in trunk:
            return True
        through_forest = GROUND.board.terrain[h] == "forest" and not first
        ways = [
            b for b in GROUND.board.adjacent[h] if b not in closed and (is_road if through_forest else is_dry)(s, h, b)
        ]
        return steps > 0 and any(leads(b, steps - 1, False) for b in ways)

    return {h for h in range(GROUND.hexes) if h not in enemies and leads(h, 5, True)}


def positions(seed):
    """Positions of a random game, one in every hundred and fifty."""
    chance = random.Random(seed)
    s = PLAIN_GAME.new()
    for ply in range(1201):
        if actor(s) == "over":
            return
        if ply % 150 == 0:
            yield s
        s = step(s, chance.choice(legal(s)), trusted=True)


def mask(hexes):
    return sum(1 << h for h in hexes)


@pytest.mark.parametrize("seed", [1, 2])
def test_7_2_and_8_2_read_again(seed):
    """Zones and supply of both sides are the same hexes in both readings."""
    for s in positions(seed):
        for side in (ALLIED, GERMAN):
            assert zone(s, side) == mask(zone_of(s, side))
            assert supplied_hexes(s, side) == mask(supplied(s, side))
