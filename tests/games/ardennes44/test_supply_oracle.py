"""Chapter 23 against a plain second reading of the rulebook, hex by hex, on positions strewn at random."""

from __future__ import annotations

import pytest
from tests.games.ardennes44.test_movement_oracle import bonds_of, has, is_road, strewn, there, zone_of

from games.ardennes44.positions import GROUND
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.supply import isolated_hexes, supplied_hexes, supply_routes, traces
from salient.hexes.masks import bits

SEEDS = range(1, 13)
REACH = 4


class Country:
    """What a side's supply meets: enemies, zones that no friend lifts, bonds, roadblocks, towns of the enemy."""

    def __init__(self, s, side):
        self.s, self.side = s, side
        self.own = {s.where[u] for u in there(s, side)}
        self.enemies = {s.where[u] for u in there(s, 1 - side)}
        self.zones = zone_of(s, 1 - side) - self.own
        hexes, self.shut = bonds_of(s, 1 - side)
        self.closed = self.enemies | hexes | set(s.blocks[2:] if side == ALLIED else s.blocks[:2])
        self.sources = set(bits(GROUND.entries[side])) - self.enemies

    def is_hostile_town(self, h):
        held = bool(self.s.held >> h & 1)
        return (has("town", h) or has("city", h)) and held == (self.side == ALLIED) and h not in self.own | self.sources

    def network(self):
        """The hexes from which roads alone lead to a source."""

        def bears(h):
            return h not in self.closed | self.zones and not self.is_hostile_town(h)

        queue = [h for h in self.sources if bears(h)]
        for h in queue:
            near = [b for b in GROUND.board.adjacent[h] if is_road(self.s, b, h) and (b, h) not in self.shut]
            queue += [b for b in near if bears(b) and b not in queue]
        return set(queue)

    def off_road(self, goals, gates=frozenset()):
        """The hexes with a path of four hexes to a goal: only the first may lie in a zone, or be a gate."""
        free = set(goals)
        for _ in range(REACH - 2):
            free |= self.before(free, self.closed | self.zones)
        first = free | self.before(free, self.closed) | {h for h in gates if h not in self.closed}
        return first | self.before(first, self.enemies)

    def before(self, hexes, closed):
        around = {(b, h) for h in hexes for b in GROUND.board.adjacent[h]}
        return {b for b, h in around if b not in closed and (b, h) not in self.shut}


@pytest.mark.parametrize("seed", SEEDS)
def test_23_3_read_again(seed):
    """Both sides have supply in the same hexes, and who has it is shown a way."""
    s = strewn(seed)
    for side in (ALLIED, GERMAN):
        country = Country(s, side)
        expected = country.off_road(country.network(), country.sources)
        assert set(bits(supplied_hexes(s, side))) - country.enemies == expected - country.enemies
        for u, way in supply_routes(s, side).items():
            assert bool(way) == traces(s, u) == (s.where[u] in expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_23_6_read_again(seed):
    """The same units are isolated: none of their friends within four hexes hands supply on to them."""
    s = strewn(seed)
    for side in (ALLIED, GERMAN):
        country = Country(s, side)
        linked = country.own & country.off_road(country.network(), country.sources)
        while more := (country.own & country.off_road(linked)) - linked:
            linked |= more
        assert set(bits(isolated_hexes(s, side))) == country.own - linked
