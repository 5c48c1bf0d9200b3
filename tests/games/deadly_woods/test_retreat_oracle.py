"""Rule 11.4 against a plain second reading: every path that a retreat might take, sorted by the priorities."""

from __future__ import annotations

import pytest
from tests.games.deadly_woods.test_movement_oracle import full_cost, in_bounds, others_at, road_cost, strewn
from tests.games.deadly_woods.test_oracle import zone_of

from games.deadly_woods.positions import ASSETS, GROUND, UNITS
from salient.common.sides import ALLIED, GERMAN
from salient.games.deadly_woods.components import INFANTRY
from salient.games.deadly_woods.retreats import retreat_room

LONGEST = 5  # hexes [the interpretation of 11.4]


def engineers_of(s, h):
    return {ASSETS.force[a] for a in ASSETS.engineers if s.asset[a] == h}


def mixes(s, u, h):
    """Whether a unit may not be together with those in a hex: one nation, one corps [6.1, 6.2]."""
    there = [*others_at(s, u, h), u]
    corps = {UNITS.corps[x] for x in there} | (engineers_of(s, h) if UNITS.side[u] == ALLIED else set())
    return len({UNITS.nation[x] for x in there}) > 1 or len(corps - {""}) > 1


def crowds(s, u, h):
    """Whether the unit would be one too many: a division and one more [6]."""
    formations = [UNITS.formation[x] for x in (*others_at(s, u, h), u)]
    return len(formations) - max(formations.count(f) for f in formations) > 1 or mixes(s, u, h)


def can_step(s, u, a, b):
    if UNITS.kind[u][s.lost[u]] == INFANTRY:
        return True  # every ground and every river, a major one as well
    return full_cost(s, u, a, b) is not None or road_cost(s, u, a, b) is not None


def paths(s, u, is_open):
    """Every path of one to five hexes that never comes back."""
    found, queue = [], [(s.where[u],)]
    for path in queue:
        for b in GROUND.board.adjacent[path[-1]]:
            if b not in path and b in is_open and can_step(s, u, path[-1], b):
                found.append((*path, b))
                if len(path) < LONGEST:
                    queue.append((*path, b))
    return found


def best_places(s, u):
    """Where the priorities let a unit end, and whether it goes through zones to get there."""
    origin, side = s.where[u], UNITS.side[u]
    enemies = {s.where[x] for x in UNITS.of_side[1 - side] if s.where[x] < GROUND.hexes}
    lifted = {h for h in range(GROUND.hexes) if GROUND.westwall >> h & 1} if side == GERMAN else set()
    lifted |= {s.where[x] for x in UNITS.of_side[side]}
    zones = zone_of(s, 1 - side) - lifted
    near = [h for h in range(GROUND.hexes) if GROUND.board.distance(h, origin) <= LONGEST and h not in enemies]
    is_open = {h for h in near if in_bounds(s, u, h) and not (others_at(s, u, h) and mixes(s, u, h))}
    ranked = {}
    for path in paths(s, u, is_open):
        end = path[-1]
        if GROUND.board.distance(origin, end) < 2 or enemies & set(GROUND.board.adjacent[end]):
            continue
        through = bool(zones & set(path[1:]))
        ahead = (
            GROUND.column[end] < GROUND.column[origin] if side == GERMAN else GROUND.column[end] > GROUND.column[origin]
        )
        rank = (through, ahead and not through, crowds(s, u, end), len(path))
        ranked.setdefault(rank, set()).add(end)
    best = min(ranked, default=None)
    return (ranked[best], best[0]) if best else (set(), False)


@pytest.mark.parametrize("seed", range(1, 7))
def test_11_4_read_again(seed):
    """Every unit may end in the same hexes in both readings, and pays for zones in the same cases."""
    s, _ = strewn(seed)
    kinds = set()
    for u in (*UNITS.of_side[ALLIED], *UNITS.of_side[GERMAN]):
        if s.where[u] < GROUND.hexes:
            room = retreat_room(s, u)
            assert (set(room.ends), room.through_zone) == best_places(s, u), UNITS.ids[u]
            kinds.add((bool(room.ends), room.through_zone))
    assert len(kinds) > 1
