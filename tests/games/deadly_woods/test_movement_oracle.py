"""Chapter 10 against a plain second reading of the rulebook, step by step, on positions strewn at random."""

from __future__ import annotations

import random

import pytest
from tests.games.deadly_woods.test_oracle import is_road, zone_of

from games.deadly_woods.positions import ASSETS, GROUND, PLAIN_GAME, UNITS
from salient.common.sides import ALLIED, GERMAN
from salient.games.deadly_woods.components import ARMOR, INFANTRY
from salient.games.deadly_woods.movement import cost, destinations, single_steps, ways
from salient.games.deadly_woods.supply import is_supplied

FOOT = {"clear": 1, "woods": 1, "forest": 2, "rough": 2}
MOTOR = {"clear": 2, "woods": 3, "rough": 4}
RELEASED = {"29Bde": 5, "6Abn": 8, "11A": 8, "51": 9, "53": 9, "33Bde": 9, "17": 9}
OUREN = {"3315", "3215"}


def is_blown(s, a, b):
    return bool(s.blown >> GROUND.bridge[a, b] & 1)


def markers(s, u, h):
    """What markers in a hex cost: by road only, and always [12.5, 12.7, 12.8]."""
    road, always = ([ASSETS.greif], [ASSETS.alarm]) if UNITS.side[u] == ALLIED else ([ASSETS.traffic], [])
    return sum(2 for a in road if s.asset[a] == h), sum(2 for a in always if s.asset[a] == h)


def on_foot(s, u, a, b):
    """Points for a step on foot by road or beside it, "all" for a whole move [10.2, 10.4, 10.6]."""
    side, terrain = GROUND.board.side(a, b), FOOT[GROUND.board.terrain[b]]
    by_road, always = markers(s, u, b)
    if side and not side.bridge and side.kind == "major-river":
        return "all"
    water = 0 if side is None else (1 if is_blown(s, a, b) else 0) if side.bridge else 1
    beside = terrain + water + always
    return min(beside, 1 + by_road + always) if is_road(s, a, b) else beside


def full_cost(s, u, a, b):
    """Points for a motorized step with no use of roads, None if there is none [10.1, 10.4.1, 10.6]."""
    side, terrain = GROUND.board.side(a, b), MOTOR.get(GROUND.board.terrain[b])
    if terrain is None or (side and not side.bridge) or weak_bridge(s, u, a, b):
        return None
    return terrain + (0 if side is None else 3 if is_blown(s, a, b) else 2) + markers(s, u, b)[1]


def road_cost(s, u, a, b):
    """Points for a step at the motorized road rate [10.4]."""
    if not is_road(s, a, b) or weak_bridge(s, u, a, b):
        return None
    return 0.5 + sum(markers(s, u, b))


def weak_bridge(s, u, a, b):
    """Ouren carries no armour on turn 1; out of supply the tanks stay behind [8.3, 10.6.3]."""
    tanks = UNITS.kind[u][s.lost[u]] == ARMOR and not (UNITS.side[u] == GERMAN and s.oos >> u & 1)
    return s.turn == 1 and tanks and {GROUND.board.labels[a], GROUND.board.labels[b]} == OUREN


def others_at(s, u, h):
    return [x for x in range(UNITS.count) if x != u and s.where[x] == h]


def in_bounds(s, u, h):
    """Army zones, the British zone, the Meuse, 5th Armored [9.2-9.4, 10.6.4]."""
    zones, division = GROUND.board.zones, UNITS.division[u]
    if UNITS.side[u] == GERMAN:
        if s.turn > 3:
            return True
        seventh, fifth, sixth = zones["army-7"], zones["army-5-panzer"], zones["army-6-panzer"]
        if UNITS.ids[u] == "5FJ/14":
            return h in seventh or (h in fifth and any(GROUND.board.distance(h, x) <= 2 for x in seventh))
        mine = next(zone for zone in (seventh, fifth, sixth) if s.where[u] in zone)
        if 0 < s.st_vith < s.turn and mine is not seventh:
            return h not in seventh
        return h in mine
    if UNITS.nation[u] == "british" and h not in zones["british"]:
        return False
    if s.turn < RELEASED.get(division or UNITS.ids[u], 0) and not s.meuse_crossed and h not in zones["west-of-meuse"]:
        return False
    return (
        division != "5A"
        or bool(s.fifth_free)
        or any(GROUND.board.distance(h, x) <= 3 for x in GROUND.board.areas["J"].hexes)
    )


def may_ride(s, u):
    """On a road, supplied, and alone from the start of the round unless it has just arrived [8.3, 10.4.1, 14.8]."""
    here = s.where[u]
    alone = not others_at(s, u, here) and not s.stacked >> u & 1
    by_road = any(GROUND.board.road(here, b) for b in GROUND.board.adjacent[here])
    return by_road and is_supplied(s, u) and (alone or bool(s.arrived >> u & 1))


def manners(s, u):
    """The manners of moving that a unit has: name and points [8.3, 10.1, 10.5, 14.8.4]."""
    kind, points = UNITS.kind[u][s.lost[u]], UNITS.values[u][s.lost[u]][2]
    if points == 0:
        return []
    if kind == INFANTRY:
        trucks = UNITS.side[u] == ALLIED or s.arrived >> u & 1 or s.motor == u
        far = UNITS.us_airborne[u] and s.turn == 2 and s.arrived >> u & 1 and s.reinforcements[ALLIED] == 1
        return [("foot", points), *([("trucks", 12 if far else 6)] if trucks and may_ride(s, u) else [])]
    if is_supplied(s, u):
        return [("road" if may_ride(s, u) else "off", points)]
    heavy = UNITS.side[u] == GERMAN and kind == ARMOR and UNITS.steps[u] < 3
    return [] if heavy else [("off", 3)]


def steps(s, u, here, there, manner):
    """(next manner, points) of the ways to step into a neighbouring hex."""
    crowded = bool(others_at(s, u, there))
    full, road = full_cost(s, u, here, there), road_cost(s, u, here, there)
    if manner == "foot":
        return [("foot", on_foot(s, u, here, there))]
    if manner == "off":
        return [("off", full)]
    if manner == "road":
        return [("off", full), *([] if crowded else [("road", road)])]
    if manner == "trucks":
        return [("trucks-slow", full if road is not None else None) if crowded else ("trucks", road)]
    return [("trucks-slow", full if road is not None else None)]


def reach(s, u, manner, points):
    """The cheapest cost of every hex, by trying every step again until nothing gets cheaper."""
    here, side = s.where[u], UNITS.side[u]
    enemies = {s.where[x] for x in range(UNITS.count) if UNITS.side[x] != side and s.where[x] < GROUND.hexes}
    zones = zone_of(s, 1 - side)
    if manner == "trucks" and s.motor == u:
        zones |= {b for h in enemies for b in GROUND.board.adjacent[h]}
    engineers = {s.asset[a] for a in ASSETS.engineers} if side == GERMAN else set()
    best = {(here, manner): 0}
    queue = [(here, manner)]
    for h, how in queue:
        if h in zones and h != here:
            continue
        for b in GROUND.board.adjacent[h]:
            if b in enemies or b in engineers or (h in zones and b in zones) or not in_bounds(s, u, b):
                continue
            for then, price in steps(s, u, h, b, how):
                if price not in (None, "all") and best[h, how] + price <= points:
                    total = best[h, how] + price
                    if total < best.get((b, then), 99):
                        best[b, then] = total
                        queue.append((b, then))
    found = {}
    for (h, _), total in best.items():
        if h != here:
            found[h] = min(total, found.get(h, 99))
    return found


def first_steps(s, u):
    """Hexes that cost a whole move: across a major river on foot, or onto Allied engineers [10.2, 12.4.4]."""
    here, side = s.where[u], UNITS.side[u]
    zones = zone_of(s, 1 - side)
    foot = UNITS.kind[u][s.lost[u]] == INFANTRY
    engineers = {s.asset[a] for a in ASSETS.engineers} if side == GERMAN else set()
    found = set()
    for b in GROUND.board.adjacent[here]:
        if (
            any(UNITS.side[x] != side for x in others_at(s, u, b))
            or (here in zones and b in zones)
            or not in_bounds(s, u, b)
        ):
            continue
        prices = [on_foot(s, u, here, b)] if foot else [full_cost(s, u, here, b)]
        if may_ride(s, u):
            prices.append(road_cost(s, u, here, b))
        if (foot and prices[0] == "all") or (b in engineers and any(price is not None for price in prices)):
            found.add(b)
    return found


def barred(s, u):
    """Hexes with engineers of another corps: no place to end [6.1]."""
    if UNITS.side[u] == GERMAN:
        return set()
    return {s.asset[a] for a in ASSETS.engineers if UNITS.corps[u] not in ("", ASSETS.force[a])}


def strewn(seed):
    """Units, losses, markers, blown bridges and engineers at random in one part of the map."""
    chance = random.Random(seed)
    s = PLAIN_GAME.new()
    centre = chance.choice([h for h in range(GROUND.hexes) if 10 < GROUND.column[h] < 38])
    near = [h for h in range(GROUND.hexes) if GROUND.board.distance(h, centre) < 9]
    s.turn = chance.randint(1, 8)
    s.blown = sum(1 << b for b in range(len(GROUND.bridges)) if chance.random() < 0.3)
    for u in range(UNITS.count):
        enemies = {s.where[x] for x in range(u) if UNITS.side[x] != UNITS.side[u]}
        h = chance.choice(near)
        s.where[u] = h if chance.random() < 0.35 and h not in enemies and u != UNITS.delay else GROUND.track
        s.lost[u] = chance.randrange(UNITS.steps[u]) if s.where[u] < GROUND.hexes else 0
    there = [u for u in range(UNITS.count) if s.where[u] < GROUND.hexes]
    germans = [u for u in there if UNITS.side[u] == GERMAN]
    s.oos = sum(1 << u for u in germans if chance.random() < 0.2)
    s.arrived = sum(1 << u for u in there if chance.random() < 0.2)
    s.stacked = sum(1 << u for u in there if chance.random() < 0.2)
    s.st_vith, s.meuse_crossed, s.fifth_free = chance.choice([0, 1, 2]), chance.randrange(2), chance.randrange(2)
    s.reinforcements = [chance.randrange(3), 0]
    enemy_free = [h for h in near if h not in {s.where[u] for u in germans}]
    for a in (ASSETS.greif, ASSETS.alarm, ASSETS.traffic, *ASSETS.engineers):
        s.asset[a] = chance.choice(enemy_free)
    s.clear_caches()
    return s, chance


@pytest.mark.parametrize("seed", range(1, 13))
def test_10_2_read_again(seed):
    """Every unit of both sides reaches the same hexes at the same cost in both readings."""
    s, chance = strewn(seed)
    for side in (ALLIED, GERMAN):
        for u in UNITS.of_side[side]:
            if s.where[u] >= GROUND.hexes:
                continue
            s.motor = u if side == GERMAN and chance.random() < 0.3 else -1
            by_manner = [reach(s, u, manner, points) for manner, points in manners(s, u)]
            whole = first_steps(s, u) if by_manner else set()
            assert set(destinations(s, u)) == (set().union(*by_manner) | whole) - barred(s, u), UNITS.ids[u]
            for i, found in enumerate(by_manner):
                for h in set(found).difference(*by_manner[:i], barred(s, u)):
                    assert cost(s, u, h, ways(s, u)) == found[h], (UNITS.ids[u], GROUND.board.labels[h])


@pytest.mark.parametrize("seed", range(1, 5))
def test_14_4_read_again(seed):
    """The hex that armour away from the enemy may enter before the combats is one that a single step can pay for."""
    s, _ = strewn(seed)
    for side in (ALLIED, GERMAN):
        for u in UNITS.of_side[side]:
            if s.where[u] < GROUND.hexes and UNITS.kind[u][s.lost[u]] == ARMOR and is_supplied(s, u):
                here, ((manner, points),) = s.where[u], manners(s, u)
                reached = first_steps(s, u)
                for b in GROUND.board.adjacent[here]:
                    free = b not in {s.asset[a] for a in ASSETS.engineers} if side == GERMAN else True
                    enemy = any(UNITS.side[x] != side for x in others_at(s, u, b))
                    prices = [price for _, price in steps(s, u, here, b, manner) if price is not None]
                    if free and not enemy and in_bounds(s, u, b) and prices and min(prices) <= points:
                        reached.add(b)
                assert set(single_steps(s, u)) == reached - barred(s, u), UNITS.ids[u]
