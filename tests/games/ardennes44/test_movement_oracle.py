"""Chapters 8 to 12 against a plain second reading of the rulebook, step by step, on positions strewn at random."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise

import pytest

from salient import load
from salient.common.sides import ALLIED, GERMAN
from salient.games.ardennes44 import model
from salient.games.ardennes44.marches import march_destinations
from salient.games.ardennes44.model import BOARD, COLOUR, HEXES, MARKS, REGIMENT, SIDE, STACK, TYPE, UNITS, VALUES
from salient.games.ardennes44.movement import destinations, refuse_mover, route
from salient.games.ardennes44.zones import bonds, zone

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
    column, row = int(BOARD.labels[h][:2]), int(BOARD.labels[h][2:])
    return column, 2 * row + column % 2


AT = {point(h): h for h in range(HEXES)}
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
    return feature in BOARD.features[h]


def is_river(a, b):
    side = BOARD.side(a, b)
    return side is not None and side.kind in ("river", "meuse")


def is_lake(a, b):
    side = BOARD.side(a, b)
    return side is not None and side.kind == "lake"


def is_wet(s, a, b):
    """A river without a bridge that stands [7.2]."""
    if not is_river(a, b):
        return False
    return not BOARD.side(a, b).bridge or bool(s.blown >> model.BRIDGE[a, b] & 1)


def is_valley(a, b):
    """A hexside of rough-woods [11.6]."""
    return "rough-woods" in (BOARD.terrain[a], BOARD.terrain[b])


def is_road(s, a, b):
    return BOARD.road(a, b) is not None and not is_wet(s, a, b)


def is_barrier(s, a, b):
    return is_wet(s, a, b) or (is_valley(a, b) and BOARD.road(a, b) is None)


# ---- units ------------------------------------------------------------------------------------------------------


def there(s, side):
    return [u for u in range(model.COUNT) if SIDE[u] == side and s.where[u] < HEXES]


def is_vehicle(u):
    return TYPE[u] not in ON_FOOT | ON_WHEELS


def zone_of(s, side):
    """The six hexes around; silhouettes not into or out of rough-woods without a road [9.1, 9.3]."""
    found = set()
    for u in there(s, side):
        here = s.where[u]
        for b in BOARD.adjacent[here]:
            if TYPE[u] not in SILHOUETTES or not is_valley(here, b) or BOARD.road(here, b):
                found.add(b)
    return found


def bonders(s, side):
    """Hexes that may be ends of bonds, with whether all there are silhouettes [10.1, 12.5]."""
    found = {}
    for u in there(s, side):
        if TYPE[u] not in GUNS and not s.order[u] and not s.march >> u & 1:
            found.setdefault(s.where[u], set()).add(TYPE[u] in SILHOUETTES)
    return {h: kinds == {True} for h, kinds in found.items()}


def arm(s, a, m, shy):
    """Whether an end reaches into a hex: silhouettes need a road through rough-woods [10.5.3]."""
    return not (shy and is_valley(a, m) and BOARD.road(a, m) is None)


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
                 if h in BOARD.zones[name]), None)  # fmt: skip


def is_open(s, u, a, b):
    """Command: British, 106th Division, army boundaries, areas on turn 1 [11.10, 27.3, 29]."""
    if SIDE[u] == ALLIED:
        if model.NATION[u] == "british":
            free = s.turn >= 29 or s.meuse or any(s.where[x] in BOARD.zones["west-of-meuse"] for x in there(s, GERMAN))
            west = model.COLUMN[b] > 40 and b in BOARD.zones["west-of-meuse"]
            return west or (model.FORMATION[u] == "29Arm" and bool(free))
        area = BOARD.zones["setup-18vg"]
        watched = any(s.where[x] in area for x in there(s, GERMAN))
        return not (model.FORMATION[u] == "106" and watched and b in area)
    if s.turn == 1:
        areas = [name for name in BOARD.zones if name.startswith("setup-") and b in BOARD.zones[name]]
        if b in BOARD.zones["rear-area"] or any(f"a{name.removeprefix('setup-')}" not in MARKS[u] for name in areas):
            return False
    army = COLOUR[s.parent[u]] if s.parent[u] >= 0 else COLOUR[u]
    crossed = sector(a) and sector(b) and sector(a) != sector(b)
    return not (s.turn < 5 and crossed and sector(b) != army)


def tolls(s, u, h):
    """Traffic, roadblocks, bottlenecks [24.2, 24.7, 33.1]."""
    mine, yours = (s.traffic[:6], s.blocks[:2]), (s.traffic[6:], s.blocks[2:])
    enemy = mine if SIDE[u] == GERMAN else yours
    found = 2 * sum(h in markers for markers in enemy)
    if SIDE[u] == GERMAN and h in BOARD.zones["st-vith-bottleneck"]:
        found += 2 if s.held >> model.ST_VITH & 1 else 4
    return found


def price(s, u, a, b, trucked=False, only_roads=False):
    """Points for a step, None if there is none [3.4, 11.4 to 11.8]."""
    if is_lake(a, b):
        return None
    foot, frozen = TYPE[u] in ON_FOOT and not trucked, s.turn >= 11
    prices = []
    if is_road(s, a, b):
        primary = any(road and road.kind == "primary" for road in BOARD.roads[b])
        if BOARD.road(a, b) == "primary":
            prices.append(1 if foot else 0.5)
        else:
            forest = BOARD.terrain[b] in CLOSE and not primary
            prices.append(1 if foot or not forest or frozen else 2)
    shut = is_vehicle(u) and any(BOARD.terrain[h] == "forest" or has("westwall", h) for h in (a, b))
    if not only_roads and not is_barrier(s, a, b) and not shut:
        if has("city", b):
            prices.append(1)
        elif BOARD.terrain[b] in TERRAIN:
            prices.append(TERRAIN[BOARD.terrain[b]][0 if foot else 2 if frozen else 1])
    return min(prices) + tolls(s, u, b) if prices else None


@cache
def surroundings(s, side):
    """The enemy's hexes, zones and bonds as a side meets them; positions do not change here."""
    enemies = frozenset(s.where[x] for x in there(s, 1 - side))
    return enemies, zone_of(s, 1 - side), *bonds_of(s, 1 - side)


def walk(s, u, points, trucked=False, only_roads=False, shy=False):
    """The cheapest cost of every hex, by trying every step again until nothing gets cheaper."""
    here = s.where[u]
    enemies, zones, hexes, sides = surroundings(s, SIDE[u])
    near = {b for h in enemies for b in BOARD.adjacent[h]} if shy else set()
    blocked = set(s.blocks[:2] if SIDE[u] == GERMAN else s.blocks[2:]) if shy else set()
    best, queue = {here: 0}, [here]
    for h in queue:
        if h in zones and h != here:
            continue
        for b in BOARD.adjacent[h]:
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
    enemies, zones, hexes, sides = surroundings(s, SIDE[u])
    found, front = {s.where[u]}, {s.where[u]}
    for step in range(most):
        beyond = set()
        for h in front:
            for b in BOARD.adjacent[h]:
                if b in enemies | hexes or (h, b) in sides or not is_open(s, u, h, b) or is_lake(h, b):
                    continue
                if is_barrier(s, h, b) and (step or is_vehicle(u)):
                    continue
                shut = any(BOARD.terrain[x] == "forest" or has("westwall", x) for x in (h, b))
                if is_vehicle(u) and shut and not is_road(s, h, b):
                    continue
                beyond.add(b)
        found |= beyond
        front = beyond - zones
    return found


def fits(s, u, h):
    """Three stacking points, two steps with a silhouette, one gun [8.1, 8.2]."""
    return within_limits(s, [x for x in there(s, SIDE[u]) if s.where[x] == h and x != u] + [u])


def may_fit(s, u, h):
    """During the movement only those count who cannot leave any more [8.3]."""
    stuck = [x for x in there(s, SIDE[u]) if s.where[x] == h and x != u and is_stuck(s, x)]
    return within_limits(s, [*stuck, u]) or fits(s, u, h)


def is_stuck(s, u):
    return bool((s.done | s.engaged) >> u & 1) or (s.turn == 1 and "red" in MARKS[u])


def within_limits(s, units):
    points = sum(STACK[x][s.lost[x]] for x in units if TYPE[x] not in SILHOUETTES | GUNS)
    steps = sum(len(VALUES[x]) - s.lost[x] for x in units if TYPE[x] in SILHOUETTES)
    return points <= 3 and steps <= 2 and sum(TYPE[x] in GUNS for x in units) <= 1


def next_to_enemy(s, u, h):
    return any(b in surroundings(s, SIDE[u])[0] for b in BOARD.adjacent[h])


def keeps_away(s, u, hexes):
    """A disrupted unit keeps out of zones that no friend in good order lifts, unless it cannot [18.3]."""
    zones, here = surroundings(s, SIDE[u])[1], s.where[u]
    friends = {s.where[x] for x in there(s, SIDE[u]) if not s.order[x]}
    free = {h for h in hexes if h not in zones or h in friends}
    return free if free or here not in zones else {h for h in hexes if h in BOARD.adjacent[here]}


def ways(s, u):
    """Where a unit may end by each way of moving, with points where they count."""
    here, (_, _, points) = s.where[u], VALUES[u][s.lost[u]]
    slow = bool(s.order[u] or (s.oos | s.short) >> u & 1) or (s.turn == 2 and "rrd" in MARKS[u])
    found = []
    if TYPE[u] in GUNS:
        if SIDE[u] == GERMAN and (points == 0 or slow):
            return []
        found.append(("shift", dict.fromkeys(creep(s, u, 1))))
        if SIDE[u] == ALLIED:
            found += [] if slow else [("drive", walk(s, u, VALUES[u][1][2]))]
            found.append(("tactical", dict.fromkeys(creep(s, u, 2))))
    elif s.fresh >> u & 1:
        found.append(("tactical", dict.fromkeys(creep(s, u, 1))))
    else:
        found += [] if slow else [("normal", walk(s, u, points))]
        found.append(("tactical", dict.fromkeys(creep(s, u, 2))))
        if TYPE[u] in ON_FOOT and not slow:
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
    return {(s.where[x], REGIMENT[x]) for x in range(model.COUNT)
            if s.march >> x & 1 and SIDE[x] == side and x not in without}  # fmt: skip


def column(s, u):
    """A unit and those that ride under its marker and have not moved: where it goes they can follow."""
    mates = [x for x in there(s, SIDE[u]) if s.march >> x & 1 and not s.done >> x & 1]
    return {u, *(x for x in mates if s.march >> u & 1 and s.where[x] == s.where[u] and REGIMENT[x] == REGIMENT[u])}


def march(s, u):
    """Where a unit may end strategic movement [12.1 to 12.4]."""
    here, side = s.where[u], SIDE[u]
    trucked = TYPE[u] in ON_FOOT
    if s.turn == 1 or s.order[u] or (s.oos | s.short | s.fresh) >> u & 1 or (s.turn == 2 and "rrd" in MARKS[u]):
        return set()
    if (side == GERMAN and (trucked or TYPE[u] in GUNS)) or (trucked and not s.march >> u & 1):
        return set()
    if next_to_enemy(s, u, here):
        return set()
    points = 12 if trucked else 2 * (VALUES[u][1][2] if TYPE[u] in GUNS else VALUES[u][s.lost[u]][2])
    taken = columns(s, side, {u})
    spare = len(columns(s, side, column(s, u))) + s.tractor.bit_count() * (side == GERMAN) < MARKERS[side]
    found = set()
    for h in walk(s, u, points, trucked, True, True):
        others = [x for x in there(s, side) if s.where[x] == h and x != u]
        mates = all(REGIMENT[x] == REGIMENT[u] and s.march >> x & 1 for x in others)
        beside = any(BOARD.road(place, h) for place, _ in taken if place in BOARD.adjacent[h])
        joins = (h, REGIMENT[u]) in taken
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
    centre = chance.choice(range(HEXES))
    near = [h for h in range(HEXES) if BOARD.distance(h, centre) < 9]
    s.where = [model.POOL if model.SPLIT[u] or model.REMNANT[u] else model.ELIMINATED for u in range(model.COUNT)]
    s.march = s.oos = s.short = s.fresh = s.fired = s.engaged = s.tractor = 0
    s.blown = sum(1 << b for b in range(len(model.BRIDGES)) if chance.random() < 0.4)
    s.building = s.builders = 0
    s.meuse = chance.choice([0, 0, 1])
    for u in chance.sample(range(model.COUNT), 60):
        h = chance.choice(near)
        if any(s.where[x] == h and SIDE[x] != SIDE[u] for x in range(model.COUNT)):
            continue
        s.where[u], s.lost[u] = h, chance.randrange(model.STEPS[u])
        if not fits(s, u, h):
            s.where[u], s.lost[u] = model.ELIMINATED, 0
            continue
        s.order[u] = chance.choices([0, 1, 2], [8, 1, 1])[0]
        for name, share in (("oos", 0.08), ("fresh", 0.05), ("march", 0.12)):
            if not s.order[u] and chance.random() < share and not (name == "fresh" and TYPE[u] in GUNS):
                setattr(s, name, getattr(s, name) | 1 << u)
        if SIDE[u] == GERMAN:
            s.short |= (chance.random() < 0.05) << u
    s.traffic = [chance.choice(near) for _ in range(12)]
    s.blocks = [chance.choice(near) for _ in range(4)]
    s.held = chance.choice([0, model.OBJECTIVES])
    s.clear_caches()
    return s


SEEDS = range(1, 13)


@pytest.mark.parametrize("seed", SEEDS)
def test_9_1_to_10_6_read_again(seed):
    """Zones and bonds of both sides are the same in both readings."""
    s = strewn(seed)
    for side in (ALLIED, GERMAN):
        hexes, sides = bonds_of(s, side)
        assert set(model.bits(zone(s, side))) == zone_of(s, side)
        assert set(model.bits(bonds(s, side).hexes)) == hexes
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
        assert {h: reach.mode for h, reach in found.items()} == {h: way for h, (way, _) in expected.items()}, UNITS[u]
        for h, (way, cost) in expected.items():
            if way in ("normal", "extended", "drive"):
                assert found[h].cost(h) == 2 * cost, (UNITS[u], BOARD.labels[h])


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
                paid += path[0] in surroundings(s, SIDE[u])[1]
                assert 2 * paid == found[h].cost(h), (UNITS[u], BOARD.labels[h])


@pytest.mark.parametrize("seed", SEEDS)
def test_12_1_read_again(seed):
    """Marches end in the same hexes."""
    s = strewn(seed)
    for u in there(s, ALLIED) + there(s, GERMAN):
        if refuse_mover(s, u) is None:
            assert set(march_destinations(s, u)) == march(s, u), UNITS[u]
