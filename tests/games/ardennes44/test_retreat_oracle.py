"""Chapters 17, 19 and 20 against a plain second reading of the rulebook: every way, sorted by the book's priorities."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from tests.games.ardennes44.test_movement_oracle import (
    CLOSE,
    GUNS,
    ON_FOOT,
    SILHOUETTES,
    fits,
    has,
    is_barrier,
    is_lake,
    is_open,
    is_road,
    is_valley,
    is_vehicle,
    is_wet,
    next_to_enemy,
    strewn,
    surroundings,
    there,
)
from tests.games.ardennes44.test_supply_oracle import Country

from games.ardennes44.positions import GROUND, UNITS
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.advances import advance_options
from salient.games.ardennes44.disengagement import ways_out
from salient.games.ardennes44.leaving import edge_boxes
from salient.games.ardennes44.retreats import retreat_ways

SEEDS = range(1, 9)


def units(s):
    return [u for side in (ALLIED, GERMAN) for u in there(s, side) if UNITS.type[u] not in GUNS]


def may_flee(s, u, a, b):
    """No enemies, bonds and lakes, not over the Meuse; vehicles where they could drive [17.2]."""
    enemies, _, hexes, sides = surroundings(s, UNITS.side[u])
    if b in enemies | hexes or (a, b) in sides or is_lake(a, b):
        return False
    if UNITS.nation[u] == "british" and not is_open(s, u, a, b):
        return False
    if is_wet(s, a, b) and (is_vehicle(u) or GROUND.board.side(a, b).kind == "meuse"):
        return False
    bound = any(GROUND.board.terrain[h] in CLOSE or has("westwall", h) for h in (a, b))
    return not (is_vehicle(u) and bound and not is_road(s, a, b))


def watched(s, u):
    """Enemy zones that no friend lifts but the unit itself."""
    return surroundings(s, UNITS.side[u])[1] - {s.where[x] for x in there(s, UNITS.side[u]) if x != u}


def flights(s, u, length):
    """Every way of a retreat that leaves the unit alive."""
    zones, found = watched(s, u), []

    def go(way):
        if len(way) > length:
            found.append(way)
            return
        for b in GROUND.board.adjacent[way[-1]]:
            if b not in way and may_flee(s, u, way[-1], b) and not (len(way) > 1 and b in zones):
                go((*way, b))
        found.extend((*way, box) for box in edge_boxes(s, u, way[-1]))

    go((s.where[u],))
    return found


def priorities(s, u, way, length, supplied):
    """What of the list in 17.1 a way does not keep, the most important first."""
    end = way[-1]
    first = len(way) > 1 and way[1] in watched(s, u)
    if end >= GROUND.hexes:
        return False, len(way) > 2 and first, False, False, 0
    off_road = sum(not is_road(s, a, b) for a, b in pairwise(way)) if is_vehicle(u) else 0
    near = GROUND.board.distance(way[0], end) < length
    return near, first, end not in supplied, not fits(s, u, end), off_road


@pytest.mark.parametrize("seed", SEEDS)
def test_17_1_read_again(seed):
    """A unit has exactly the ways that keep the most important of the priorities that can be kept."""
    s, chance = strewn(seed), random.Random(seed)
    s.oos = s.short = 0
    for u in chance.sample(units(s), min(20, len(units(s)))):
        country = Country(s, UNITS.side[u])
        supplied = country.off_road(country.network(), country.sources)
        for length in (2, 3, 4):
            ranks = {way: priorities(s, u, way, length, supplied) for way in flights(s, u, length)}
            best = min(ranks.values(), default=None)
            if best is None or not best[3]:  # where all is full it goes further [17.4]
                found = {way for ways in retreat_ways(s, u, (u,), length)[0].values() for way in ways}
                assert found == {way for way, rank in ranks.items() if rank == best}, UNITS.ids[u]


@pytest.mark.parametrize("seed", SEEDS)
def test_20_3_read_again(seed):
    """Units that get away end in the same hexes: engaged ones through a zone at first, disrupted ones two hexes off."""
    s, chance = strewn(seed), random.Random(seed)
    s.engaged = sum(1 << u for u in range(UNITS.count) if chance.random() < 0.5)
    for u in units(s):
        here, zones = s.where[u], watched(s, u)
        if s.order[u] == 2 or not next_to_enemy(s, u, here):
            continue
        first = {b for b in GROUND.board.adjacent[here] if may_flee(s, u, here, b)}
        first -= set() if s.engaged >> u & 1 else zones
        second = {c for b in first for c in GROUND.board.adjacent[b] if c != here and may_flee(s, u, b, c)} - zones
        for shaken in (False, True):
            stops = set() if s.order[u] else first - (zones if shaken else set())
            expected = {h for h in stops | second if fits(s, u, h)}
            assert {h for h in ways_out(s, u, shaken) if h < GROUND.hexes} == expected, UNITS.ids[u]


# ---- 19 Advances ------------------------------------------------------------------------------------------------


def zones_by_hex(s, side):
    """By hex: the enemy hexes that have it in their zones [9.3]."""
    found = {}
    for x in there(s, 1 - side):
        here = s.where[x]
        for b in GROUND.board.adjacent[here]:
            if UNITS.type[x] not in SILHOUETTES or not is_valley(here, b) or GROUND.board.road(here, b):
                found.setdefault(b, set()).add(here)
    return found


def is_good_road(s, a, b):
    """A road of the bonus: in mud no forest road [11.8, 19.1.3]."""
    primary = any(road and road.kind == "primary" for road in GROUND.board.roads[b])
    forest = GROUND.board.terrain[b] in CLOSE and not primary and GROUND.board.road(a, b) != "primary"
    return is_road(s, a, b) and (s.turn >= 11 or not forest)


def may_advance(s, u, a, b, target, first):
    """Terrain, bonds and command; rivers and forest off the road with the first hex only [19.2, 19.3.1]."""
    enemies, _, hexes, sides = surroundings(s, UNITS.side[u])
    road = is_road(s, a, b)
    if b in enemies or is_lake(a, b) or not is_open(s, u, a, b) or (b != target and (b in hexes or (a, b) in sides)):
        return False
    if is_vehicle(u):
        bound = any(GROUND.board.terrain[h] == "forest" or has("westwall", h) for h in (a, b))
        return road or not (bound or is_barrier(s, a, b))
    return road or first or not (is_barrier(s, a, b) or GROUND.board.terrain[b] == "forest")


def advances(s, u, target, length):
    """Where an advance may end; the road bonus adds a hex [19.1.2, 19.1.3, 19.3.2]."""
    watched_by = zones_by_hex(s, UNITS.side[u])
    bonus = UNITS.type[u] not in ON_FOOT and not (s.oos | s.short) >> u & 1
    found = set()

    def go(way, along):
        here, first = way[-1], len(way) == 1
        for b in GROUND.board.adjacent[here]:
            road = along and is_good_road(s, here, b)
            far = len(way) > length and not (bonus and len(way) == length + 1 and road)
            same_zone = watched_by.get(here, set()) & watched_by.get(b, set())
            if b in way or far or (same_zone and not first) or not may_advance(s, u, here, b, target, first):
                continue
            found.add(b)
            go((*way, b), road)

    go((s.where[u],), True)
    columns = {s.where[x] for x in there(s, UNITS.side[u]) if s.march >> x & 1}
    return {h for h in found if fits(s, u, h)} - columns


@pytest.mark.parametrize("seed", SEEDS)
def test_19_1_2_read_again(seed):
    """Attackers may advance to the same hexes, one or two away and one more along roads."""
    s, chance = strewn(seed), random.Random(seed)
    for u in units(s):
        free = sorted(set(GROUND.board.adjacent[s.where[u]]) - surroundings(s, UNITS.side[u])[0])
        if not free or (s.turn == 1 and "red" in UNITS.marks[u]):
            continue
        target = chance.choice(free)
        for kind, length in (("regular", 1), ("bonus", 2)):
            found = {h for h in advance_options(s, u, target, kind) if h < GROUND.hexes}
            assert found == advances(s, u, target, length), (UNITS.ids[u], kind)
