"""Chapters 8 to 12 against a plain second reading of the rulebook, step by step, on positions strewn at random."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise

import pytest

from games.ardennes44.positions import GROUND, UNITS
from salient import load
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44.marches import march_destinations
from salient.games.ardennes44.movement import destinations, refuse_mover, route
from salient.games.ardennes44.zones import bonds, zone
from salient.hexes.masks import bits

ON_FOOT = {"infantry", "parachute", "engineer"}
ON_WHEELS = {"pzgren"}  # mechanized, yet infantry
SILHOUETTES = {"tank", "gun", "heavy", "flak"}
GUNS = {"artillery", "werfer"}
CLOSE = {"rough-woods", "forest"}
TERRAIN = {"clear": (1, 1, 1), "light-woods": (1, 3, 2), "forest": (2, 4, 3)}  # on foot, mechanized, on frozen ground
MARKERS = (10, 6)
LAST = 70, 40

# ---- the map, read again ------------------------------------------------------------------------------------


def point(h):
    """A hex as column and height; neighbours are two up or down, or one aside and one up or down."""
    column, row = int(GROUND.board.labels[h][:2]), int(GROUND.board.labels[h][2:])
    return column, 2 * row + column % 2


AT = {point(h): h for h in range(GROUND.hexes)}
STRAIGHT = [(0, 4), (0, -4), (2, 2), (2, -2), (-2, 2), (-2, -2)]
ASKEW = [(1, 3), (1, -3), (-1, 3), (-1, -3), (2, 0), (-2, 0)]
STEPS = [(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)]


def around(x, y):
    return {(x + dx, y + dy) for dx, dy in STEPS}


def edge_of(x, y):
    """The edge beyond which a point lies, empty if it is on the map."""
    row = (y - x % 2) // 2
    return "east" if x < 1 else "west" if x > LAST[0] else "south" if row < 1 else "north" if row > LAST[1] else ""


def has(feature, h):
    return feature in GROUND.board.features[h]


def is_river(a, b):
    side = GROUND.board.side(a, b)
    return side is not None and side.kind in ("river", "meuse")


def is_lake(a, b):
    side = GROUND.board.side(a, b)
    return side is not None and side.kind == "lake"


def is_wet(s, a, b):
    """A river without a bridge that stands [7.2]."""
    if not is_river(a, b):
        return False
    return not GROUND.board.side(a, b).bridge or bool(s.blown >> GROUND.bridge[a, b] & 1)


def is_valley(a, b):
    """A hexside of rough-woods [11.6]."""
    return "rough-woods" in (GROUND.board.terrain[a], GROUND.board.terrain[b])


def is_road(s, a, b):
    return GROUND.board.road(a, b) is not None and not is_wet(s, a, b)


def is_barrier(s, a, b):
    return is_wet(s, a, b) or (is_valley(a, b) and GROUND.board.road(a, b) is None)


# ---- units ------------------------------------------------------------------------------------------------------


def there(s, side):
    return [u for u in range(UNITS.count) if UNITS.side[u] == side and s.where[u] < GROUND.hexes]


def is_vehicle(u):
    return UNITS.type[u] not in ON_FOOT | ON_WHEELS


def zone_of(s, side):
    """The six hexes around; silhouettes not into or out of rough-woods without a road [9.1, 9.3]."""
    found = set()
    for u in there(s, side):
        here = s.where[u]
        for b in GROUND.board.adjacent[here]:
            if UNITS.type[u] not in SILHOUETTES or not is_valley(here, b) or GROUND.board.road(here, b):
                found.add(b)
    return found


def bonders(s, side):
    """Hexes that may be ends of bonds, with whether all there are silhouettes [10.1, 12.5]."""
    found = {}
    for u in there(s, side):
        if UNITS.type[u] not in GUNS and not s.order[u] and not s.march >> u & 1:
            found.setdefault(s.where[u], set()).add(UNITS.type[u] in SILHOUETTES)
    return {h: kinds == {True} for h, kinds in found.items()}


def arm(s, a, m, shy):
    """Whether an end reaches into a hex: silhouettes need a road through rough-woods [10.5.3]."""
    return not (shy and is_valley(a, m) and GROUND.board.road(a, m) is None)


def hard(a, m):
    return is_river(a, m) or is_valley(a, m)


def bonds_of(s, side):
    """Hexes and hexsides closed to the enemy [10]."""
    ends, enemies = bonders(s, side), {s.where[u] for u in there(s, 1 - side)}
    hexes, sides = set(), set()
    friendly = {"east"} if side == GERMAN else {"south", "west", "north"}
    for a, shy in ends.items():
        x, y = point(a)
        for dx, dy in STRAIGHT + ASKEW:
            far = AT.get((x + dx, y + dy))
            mids = [AT[p] for p in around(x, y) & around(x + dx, y + dy) if p in AT]
            if (dx, dy) in ASKEW and len(mids) < 2:
                continue
            if far is None:
                if (dx, dy) in STRAIGHT or edge_of(x + dx, y + dy) not in friendly:
                    continue
                ways = [m for m in mids if m not in enemies and arm(s, a, m, shy)]
            elif far in ends:
                ways = [
                    m for m in mids
                    if m not in enemies and not (hard(a, m) and hard(m, far))
                    and arm(s, a, m, shy) and arm(s, far, m, ends[far])
                ]  # fmt: skip
            else:
                continue
            if ways and (dx, dy) in STRAIGHT:
                hexes.add(ways[0])
            elif ways:
                sides |= {(mids[0], mids[1]), (mids[1], mids[0])}
    return hexes, sides


# ---- where a unit may go -----------------------------------------------------------------------------------------


def sector(h):
    return next((army for army, name in (("6Pz", "army-6pz"), ("5Pz", "army-5pz"), ("7A", "army-7"))
                 if h in GROUND.board.zones[name]), None)  # fmt: skip


def is_open(s, u, a, b):
    """Command: British, 106th Division, army boundaries, areas on turn 1 [11.10, 27.3, 29]."""
    if UNITS.side[u] == ALLIED:
        if UNITS.nation[u] == "british":
            free = (
                s.turn >= 29
                or s.meuse
                or any(s.where[x] in GROUND.board.zones["west-of-meuse"] for x in there(s, GERMAN))
            )
            west = GROUND.column[b] > 40 and b in GROUND.board.zones["west-of-meuse"]
            return west or (UNITS.formation[u] == "29Arm" and bool(free))
        area = GROUND.board.zones["setup-18vg"]
        watched = any(s.where[x] in area for x in there(s, GERMAN))
        return not (UNITS.formation[u] == "106" and watched and b in area)
    if s.turn == 1:
        areas = [name for name in GROUND.board.zones if name.startswith("setup-") and b in GROUND.board.zones[name]]
        if b in GROUND.board.zones["rear-area"] or any(
            f"a{name.removeprefix('setup-')}" not in UNITS.marks[u] for name in areas
        ):
            return False
    army = UNITS.colour[s.parent[u]] if s.parent[u] >= 0 else UNITS.colour[u]
    crossed = sector(a) and sector(b) and sector(a) != sector(b)
    return not (s.turn < 5 and crossed and sector(b) != army)


def tolls(s, u, h):
    """Traffic, roadblocks, bottlenecks [24.2, 24.7, 33.1]."""
    mine, yours = (s.traffic[:6], s.blocks[:2]), (s.traffic[6:], s.blocks[2:])
    enemy = mine if UNITS.side[u] == GERMAN else yours
    found = 2 * sum(h in markers for markers in enemy)
    if UNITS.side[u] == GERMAN and h in GROUND.board.zones["st-vith-bottleneck"]:
        found += 2 if s.held >> GROUND.st_vith & 1 else 4
    return found


def price(s, u, a, b, trucked=False, only_roads=False):
    """Points for a step, None if there is none [3.4, 11.4 to 11.8]."""
    if is_lake(a, b):
        return None
    foot, frozen = UNITS.type[u] in ON_FOOT and not trucked, s.turn >= 11
    prices = []
    if is_road(s, a, b):
        primary = any(road and road.kind == "primary" for road in GROUND.board.roads[b])
        if GROUND.board.road(a, b) == "primary":
            prices.append(1 if foot else 0.5)
        else:
            forest = GROUND.board.terrain[b] in CLOSE and not primary
            prices.append(1 if foot or not forest or frozen else 2)
    shut = is_vehicle(u) and any(GROUND.board.terrain[h] == "forest" or has("westwall", h) for h in (a, b))
    if not only_roads and not is_barrier(s, a, b) and not shut:
        if has("city", b):
            prices.append(1)
        elif GROUND.board.terrain[b] in TERRAIN:
            prices.append(TERRAIN[GROUND.board.terrain[b]][0 if foot else 2 if frozen else 1])
    return min(prices) + tolls(s, u, b) if prices else None


@cache
def surroundings(s, side):
    """The enemy's hexes, zones and bonds as a side meets them; positions do not change here."""
    enemies = frozenset(s.where[x] for x in there(s, 1 - side))
    return enemies, zone_of(s, 1 - side), *bonds_of(s, 1 - side)


def walk(s, u, points, trucked=False, only_roads=False, shy=False):
    """The cheapest cost of every hex, by trying every step again until nothing gets cheaper."""
    here = s.where[u]
    enemies, zones, hexes, sides = surroundings(s, UNITS.side[u])
    near = {b for h in enemies for b in GROUND.board.adjacent[h]} if shy else set()
    blocked = set(s.blocks[:2] if UNITS.side[u] == GERMAN else s.blocks[2:]) if shy else set()
    best, queue = {here: 0}, [here]
    for h in queue:
        if h in zones and h != here:
            continue
        for b in GROUND.board.adjacent[h]:
            if b in enemies | hexes | near | blocked or (h, b) in sides or not is_open(s, u, h, b):
                continue
            step = price(s, u, h, b, trucked, only_roads)
            total = None if step is None else best[h] + step + (1 if h in zones else 0)
            if total is not None and total <= points and total < best.get(b, 999):
                best[b] = total
                queue.append(b)
    return best


def creep(s, u, most):
    """Up to two hexes at any cost; a barrier only in the first step, never by vehicles [11.3, 11.4.1, 11.6]."""
    enemies, zones, hexes, sides = surroundings(s, UNITS.side[u])
    found, front = {s.where[u]}, {s.where[u]}
    for step in range(most):
        beyond = set()
        for h in front:
            for b in GROUND.board.adjacent[h]:
                if b in enemies | hexes or (h, b) in sides or not is_open(s, u, h, b) or is_lake(h, b):
                    continue
                if is_barrier(s, h, b) and (step or is_vehicle(u)):
                    continue
                shut = any(GROUND.board.terrain[x] == "forest" or has("westwall", x) for x in (h, b))
                if is_vehicle(u) and shut and not is_road(s, h, b):
                    continue
                beyond.add(b)
        found |= beyond
        front = beyond - zones
    return found


def fits(s, u, h):
    """Three stacking points, two steps with a silhouette, one gun [8.1, 8.2]."""
    return within_limits(s, [x for x in there(s, UNITS.side[u]) if s.where[x] == h and x != u] + [u])


def may_fit(s, u, h):
    """During the movement only those count who cannot leave any more [8.3]."""
    stuck = [x for x in there(s, UNITS.side[u]) if s.where[x] == h and x != u and is_stuck(s, x)]
    return within_limits(s, [*stuck, u]) or fits(s, u, h)


def is_stuck(s, u):
    return bool((s.done | s.engaged) >> u & 1) or (s.turn == 1 and "red" in UNITS.marks[u])


def within_limits(s, units):
    points = sum(UNITS.stack[x][s.lost[x]] for x in units if UNITS.type[x] not in SILHOUETTES | GUNS)
    steps = sum(len(UNITS.values[x]) - s.lost[x] for x in units if UNITS.type[x] in SILHOUETTES)
    return points <= 3 and steps <= 2 and sum(UNITS.type[x] in GUNS for x in units) <= 1


def next_to_enemy(s, u, h):
    return any(b in surroundings(s, UNITS.side[u])[0] for b in GROUND.board.adjacent[h])


def keeps_away(s, u, hexes):
    """A disrupted unit keeps out of zones that no friend in good order lifts, unless it cannot [18.3]."""
    zones, here = surroundings(s, UNITS.side[u])[1], s.where[u]
    friends = {s.where[x] for x in there(s, UNITS.side[u]) if not s.order[x]}
    free = {h for h in hexes if h not in zones or h in friends}
    return free if free or here not in zones else {h for h in hexes if h in GROUND.board.adjacent[here]}


def ways(s, u):
    """Where a unit may end by each way of moving, with points where they count."""
    here, (_, _, points) = s.where[u], UNITS.values[u][s.lost[u]]
    slow = bool(s.order[u] or (s.oos | s.short) >> u & 1) or (s.turn == 2 and "rrd" in UNITS.marks[u])
    found = []
    if UNITS.type[u] in GUNS:
        if UNITS.side[u] == GERMAN and (points == 0 or slow):
            return []
        found.append(("shift", dict.fromkeys(creep(s, u, 1))))
        if UNITS.side[u] == ALLIED:
            found += [] if slow else [("drive", walk(s, u, UNITS.values[u][1][2]))]
            found.append(("tactical", dict.fromkeys(creep(s, u, 2))))
    elif s.fresh >> u & 1:
        found.append(("tactical", dict.fromkeys(creep(s, u, 1))))
    else:
        found += [] if slow else [("normal", walk(s, u, points))]
        found.append(("tactical", dict.fromkeys(creep(s, u, 2))))
        if UNITS.type[u] in ON_FOOT and not slow:
            far = walk(s, u, points + 2)
            found.append(("extended", {h: cost for h, cost in far.items() if not next_to_enemy(s, u, h)}))
    ends = []
    for way, hexes in found:
        able = {h: cost for h, cost in hexes.items() if h != here and may_fit(s, u, h)}
        kept = keeps_away(s, u, set(able)) if s.order[u] else set(able)
        ends.append((way, {h: able[h] for h in kept}))
    return ends


def columns(s, side, without):
    """The places and regiments of marches, one marker each [12.4.2]."""
    return {(s.where[x], UNITS.regiment[x]) for x in range(UNITS.count)
            if s.march >> x & 1 and UNITS.side[x] == side and x not in without}  # fmt: skip


def column(s, u):
    """A unit and those that ride under its marker and have not moved: where it goes they can follow."""
    mates = [x for x in there(s, UNITS.side[u]) if s.march >> x & 1 and not s.done >> x & 1]
    return {
        u,
        *(x for x in mates if s.march >> u & 1 and s.where[x] == s.where[u] and UNITS.regiment[x] == UNITS.regiment[u]),
    }


def march(s, u):
    """Where a unit may end strategic movement [12.1 to 12.4]."""
    here, side = s.where[u], UNITS.side[u]
    trucked = UNITS.type[u] in ON_FOOT
    if s.turn == 1 or s.order[u] or (s.oos | s.short | s.fresh) >> u & 1 or (s.turn == 2 and "rrd" in UNITS.marks[u]):
        return set()
    if (side == GERMAN and (trucked or UNITS.type[u] in GUNS)) or (trucked and not s.march >> u & 1):
        return set()
    if next_to_enemy(s, u, here):
        return set()
    points = 12 if trucked else 2 * (UNITS.values[u][1][2] if UNITS.type[u] in GUNS else UNITS.values[u][s.lost[u]][2])
    taken = columns(s, side, {u})
    spare = len(columns(s, side, column(s, u))) + s.tractor.bit_count() * (side == GERMAN) < MARKERS[side]
    found = set()
    for h in walk(s, u, points, trucked, True, True):
        others = [x for x in there(s, side) if s.where[x] == h and x != u]
        mates = all(UNITS.regiment[x] == UNITS.regiment[u] and s.march >> x & 1 for x in others)
        beside = any(GROUND.board.road(place, h) for place, _ in taken if place in GROUND.board.adjacent[h])
        joins = (h, UNITS.regiment[u]) in taken
        if h != here and mates and fits(s, u, h) and not beside and (spare or joins):
            found.add(h)
    return found


# ---- positions ------------------------------------------------------------------------------------------------------


def strewn(seed):
    """Units, losses, disorder, marches, markers and blown bridges at random in one part of the map."""
    chance = random.Random(seed)
    s = load("ardennes44").new()
    s.turn = chance.choice([1, 2, 3, 4, 6, 9, 10, 12, 15, 20])
    s.night, s.sauer = 0, 1
    centre = chance.choice(range(GROUND.hexes))
    near = [h for h in range(GROUND.hexes) if GROUND.board.distance(h, centre) < 9]
    s.where = [GROUND.pool if UNITS.split[u] or UNITS.remnant[u] else GROUND.eliminated for u in range(UNITS.count)]
    s.march = s.oos = s.short = s.fresh = s.fired = s.engaged = s.tractor = 0
    s.blown = sum(1 << b for b in range(len(GROUND.bridges)) if chance.random() < 0.4)
    s.building = s.builders = 0
    s.meuse = chance.choice([0, 0, 1])
    for u in chance.sample(range(UNITS.count), 60):
        h = chance.choice(near)
        if any(s.where[x] == h and UNITS.side[x] != UNITS.side[u] for x in range(UNITS.count)):
            continue
        s.where[u], s.lost[u] = h, chance.randrange(UNITS.steps[u])
        if not fits(s, u, h):
            s.where[u], s.lost[u] = GROUND.eliminated, 0
            continue
        s.order[u] = chance.choices([0, 1, 2], [8, 1, 1])[0]
        for name, share in (("oos", 0.08), ("fresh", 0.05), ("march", 0.12)):
            if not s.order[u] and chance.random() < share and not (name == "fresh" and UNITS.type[u] in GUNS):
                setattr(s, name, getattr(s, name) | 1 << u)
        if UNITS.side[u] == GERMAN:
            s.short |= (chance.random() < 0.05) << u
    s.traffic = [chance.choice(near) for _ in range(12)]
    s.blocks = [chance.choice(near) for _ in range(4)]
    s.held = chance.choice([0, GROUND.objectives])
    s.clear_caches()
    return s


SEEDS = range(1, 13)


@pytest.mark.parametrize("seed", SEEDS)
def test_9_1_to_10_6_read_again(seed):
    """Zones and bonds of both sides are the same in both readings."""
    s = strewn(seed)
    for side in (ALLIED, GERMAN):
        hexes, sides = bonds_of(s, side)
        assert set(bits(zone(s, side))) == zone_of(s, side)
        assert set(bits(bonds(s, side).hexes)) == hexes
        assert set(bonds(s, side).sides) == sides


@pytest.mark.parametrize("seed", SEEDS)
def test_11_1_read_again(seed):
    """Every unit reaches the same hexes, in the same way, at the same cost."""
    s = strewn(seed)
    for u in there(s, ALLIED) + there(s, GERMAN):
        if refuse_mover(s, u) is not None:
            continue
        expected = {}
        for way, hexes in ways(s, u):
            for h, cost in hexes.items():
                expected.setdefault(h, (way, cost))
        found = destinations(s, u)
        assert {h: reach.mode for h, reach in found.items()} == {h: way for h, (way, _) in expected.items()}, UNITS.ids[
            u
        ]
        for h, (way, cost) in expected.items():
            if way in ("normal", "extended", "drive"):
                assert found[h].cost(h) == 2 * cost, (UNITS.ids[u], GROUND.board.labels[h])


@pytest.mark.parametrize("seed", SEEDS)
def test_11_1_the_way_costs_what_it_should(seed):
    """The way of a plain move is one of the book, hex by hex, for the cost that was found."""
    s, chance = strewn(seed), random.Random(seed)
    for u in there(s, ALLIED) + there(s, GERMAN):
        found = destinations(s, u) if refuse_mover(s, u) is None else {}
        for h in chance.sample(sorted(found), min(5, len(found))):
            if found[h].mode in ("normal", "extended", "drive"):
                path = route(s, u, found[h], h)
                assert [path[0], path[-1]] == [s.where[u], h]
                paid = sum(price(s, u, a, b, False, False) for a, b in pairwise(path))
                paid += path[0] in surroundings(s, UNITS.side[u])[1]
                assert 2 * paid == found[h].cost(h), (UNITS.ids[u], GROUND.board.labels[h])


@pytest.mark.parametrize("seed", SEEDS)
def test_12_1_read_again(seed):
    """Marches end in the same hexes."""
    s = strewn(seed)
    for u in there(s, ALLIED) + there(s, GERMAN):
        if refuse_mover(s, u) is None:
            assert set(march_destinations(s, u)) == march(s, u), UNITS.ids[u]
