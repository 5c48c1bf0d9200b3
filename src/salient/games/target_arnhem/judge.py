"""Target Arnhem: what makes a position good, for bots and for their reasons.

All features are counted for the Allies and turned over for the Germans. Their unit is about one point of strength.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from salient.games.target_arnhem.model import (
    ALLIED,
    AREA_HEXES,
    ARNHEM,
    BOARD,
    CANAL_STEPS,
    DIVISIONS,
    DROPS,
    ELIMINATED,
    ENTRY,
    FOREST,
    GERMAN,
    HALVING,
    HEXES,
    OPEN_ROADS,
    POOL,
    RATIOS,
    RED_ROAD,
    RESISTANCE,
    ROAD_HEXES,
    SEATS,
    SIDE,
    SIDE_UNITS,
    SS,
    STACKING_LIMIT,
    STEPS,
    STRENGTH,
    TABLE,
    TOUCHING,
    TURNS,
    UNITS,
    VEHICLE,
    WAITING,
    WEHRMACHT,
    ArnhemState,
    occupied,
)
from salient.games.target_arnhem.combat import terrain_shift
from salient.games.target_arnhem.movement import area_p_open, next_to
from salient.games.target_arnhem.reinforcements import landing_ground
from salient.games.target_arnhem.supply import corps_supply, german_supply, zone_supply
from salient.hexes.flood import compile_masks, spread
from salient.hexes.masks import bit, bits
from salient.kernel import Seat

ROAD_ORDER = tuple(sorted(BOARD.zones["red-road"], key=lambda h: int(BOARD.zone_values["red-road"][h])))
OPEN_STEPS = compile_masks(BOARD, lambda a, b: bool(STEPS[a] >> b & 1))
OPEN_CANALS = compile_masks(BOARD, lambda a, b: bool(CANAL_STEPS[a] >> b & 1))
FAR = 12
WORTH = tuple(STRENGTH[u] + RESISTANCE[u] for u in range(len(UNITS)))
PER_POINT = tuple(WORTH[u] / RESISTANCE[u] for u in range(len(UNITS)))

# By hex: its neighbours that can attack it, with the share of their strength that counts.
ATTACKED_FROM = tuple(tuple((n, 0.5 if HALVING[h] >> n & 1 else 1.0) for n in bits(TOUCHING[h])) for h in range(HEXES))
SHIFT = tuple(terrain_shift(h) for h in range(HEXES))
RATIO_VALUES = [a / d for a, d in RATIOS]
EXPECTED = tuple(
    (sum(cell[0] for cell in column) / len(column), sum(cell[1] for cell in column) / len(column)) for column in TABLE
)  # by column: the attacker's and the defender's damage on average


def features(s: ArnhemState, seat: Seat) -> dict[str, float]:
    """Named and weighted reasons, positive when good for `seat`."""
    allied = _allied_features(s)
    return allied if seat == SEATS[ALLIED] else {name: -value for name, value in allied.items()}


def _allied_features(s: ArnhemState) -> dict[str, float]:
    if s.winner:
        return {"victory": 1000.0 if s.winner == SEATS[ALLIED] else -1000.0}
    urgency = 0.5 + s.turn / TURNS
    allied, german = occupied(s, ALLIED), occupied(s, GERMAN)
    supplied = _supplied(s, allied, german)
    strength, worth, points = _by_hex(s, supplied)
    return {
        "arnhem": 5.0 * urgency * _arnhem(allied, german),
        "red-road": -urgency * _germans_on_road(german),
        "garrisons": urgency * _garrisons(allied),
        "corridor": 0.4 * _open_corridor(german),
        "breakthrough": -_breakthrough(s, allied, german),
        "losses": _losses(s),
        "supply": _supply(s, supplied),
        "threats": 0.35 * _threats(s, allied, german, strength, worth, points, urgency),
        "approach": _approach(s, allied, german),
        "drop-zones": _drop_zones(s, allied, german),
        "supply-points": _supply_points(s),
        "stacking": _stacking(s),
    }


# ---- the road --------------------------------------------------------------------------------


def _arnhem(allied: int, german: int) -> float:
    if allied >> ARNHEM & 1:
        return 1.0
    return -0.5 if german >> ARNHEM & 1 else 0.0


def _germans_on_road(german: int) -> float:
    count = (german & RED_ROAD).bit_count()
    return 2.5 * count + (3.0 if count else 0.0)


def _garrisons(allied: int) -> float:
    return 0.5 * (allied & RED_ROAD).bit_count()


def _open_corridor(german: int) -> int:
    """How many hexes of the red road lie open from 0103 northward."""
    for length, h in enumerate(ROAD_ORDER):
        if german >> h & 1:
            return length
    return len(ROAD_ORDER)


def _breakthrough(s: ArnhemState, allied: int, german: int) -> float:
    """The open hexes of the road that Germans reach with one action: they decide the last turn."""
    last = s.turn == TURNS and s.impulse == 3
    areas = german_areas(s, last)
    starts = _vehicles(s) if last else german
    open_road = german_reach(starts, areas, allied) & RED_ROAD & ~german
    count = open_road.bit_count()
    if s.turn < TURNS:
        return 0.12 * s.turn * count
    return 4.0 * count + (12.0 if count else 0.0)


def _vehicles(s: ArnhemState) -> int:
    mask = 0
    for u in SIDE_UNITS[GERMAN]:
        if VEHICLE[u] and s.where[u] < HEXES:
            mask |= 1 << s.where[u]
    return mask


def german_areas(s: ArnhemState, vehicles_only: bool) -> tuple[int, ...]:
    """The areas from which Germans can enter the map."""
    return tuple(
        sorted(
            {
                s.where[u]
                for u in SIDE_UNITS[GERMAN]
                if HEXES <= s.where[u] < WAITING and (VEHICLE[u] or not vehicles_only)
            }
        )
    )


@lru_cache(maxsize=1 << 14)
def german_reach(starts: int, areas: tuple[int, ...], enemies: int) -> int:
    """The hexes that some German unit reaches with one move, as bits."""
    near = next_to(enemies)
    free = ~enemies
    once = spread(starts, OPEN_STEPS) & free
    reached = once | spread(once & ~FOREST & ~near, OPEN_STEPS) | spread(starts, OPEN_CANALS)
    along = frontier = starts & ROAD_HEXES & ~near
    while frontier:
        frontier = spread(frontier & ~near, OPEN_ROADS) & free & ~along
        along |= frontier
    reached |= along | spread(along & ~near, OPEN_STEPS)
    for area in areas:
        reached |= AREA_HEXES[area]
    return reached & free


# ---- units -----------------------------------------------------------------------------------


def _supplied(s: ArnhemState, allied: int, german: int) -> tuple[int, ...]:
    """By pool: the hexes in which its units are supplied, as bits."""
    germans = german_supply(allied, area_p_open(s))
    corps = corps_supply(german)
    by_pool = [corps] * len(s.pools)
    by_pool[WEHRMACHT] = by_pool[SS] = germans
    for division in DIVISIONS:
        if s.zones[division] >= 0:
            by_pool[division] = corps | zone_supply(s.zones[division], german)
    return tuple(by_pool)


def _by_hex(s: ArnhemState, supplied: tuple[int, ...]) -> tuple[list[float], list[float], list[int]]:
    """By hex: the strength there, what a point of damage costs in all, and the points of damage it can take."""
    strength = [0.0] * HEXES
    worth = [0.0] * HEXES
    points = [0] * HEXES
    damage = s.damage
    fortified = s.fortified
    for u, place in enumerate(s.where):
        if place < HEXES:
            strength[place] += STRENGTH[u] if supplied[POOL[u]] >> place & 1 else STRENGTH[u] / 2
            worth[place] += WORTH[u]
            points[place] += RESISTANCE[u] - damage[u] + fortified[u]
    return strength, worth, points


def _losses(s: ArnhemState) -> float:
    total = 0.0
    for u, place in enumerate(s.where):
        if place == ELIMINATED:
            lost = 1.3 * WORTH[u]
        elif s.damage[u]:
            lost = 0.6 * PER_POINT[u] * s.damage[u]
        else:
            continue
        total += lost if SIDE[u] == GERMAN else -lost
    for u in SIDE_UNITS[GERMAN]:
        total -= 1.5 * s.fortified[u]
    return total


def _supply(s: ArnhemState, supplied: tuple[int, ...]) -> float:
    """Units out of supply fight at half strength and waste away."""
    total = 0.0
    for u, place in enumerate(s.where):
        if place < HEXES and not supplied[POOL[u]] >> place & 1:
            cost = 0.5 * PER_POINT[u] + 0.1 * STRENGTH[u]
            total += cost if SIDE[u] == GERMAN else -cost
    return total


def _threats(
    s: ArnhemState,
    allied: int,
    german: int,
    strength: list[float],
    worth: list[float],
    points: list[int],
    urgency: float,
) -> float:
    """What each side stands to lose to an attack by the enemies next to it."""
    total = 0.0
    for mask, enemies, sign in ((allied, german, -1), (german, allied, 1)):
        for h in bits(mask & next_to(enemies)):
            attack = 0.0
            for n, share in ATTACKED_FROM[h]:
                if enemies >> n & 1:
                    attack += strength[n] * share
            column = bisect_right(RATIO_VALUES, attack / strength[h]) - 1 + SHIFT[h]
            own, enemy = EXPECTED[min(max(column, 0), len(EXPECTED) - 1)]
            harm = enemy - 0.6 * own
            if harm > 0:
                held = points[h]
                place = 2.0 * urgency if RED_ROAD >> h & 1 else 0.0
                total += sign * (harm * worth[h] / held + min(1.0, harm / held) * place)
    return total


# ---- where units are wanted ----------------------------------------------------------------------


@lru_cache(maxsize=1 << 12)
def distances(goals: int) -> tuple[int, ...]:
    """By place: the steps to the nearest goal over land and bridges, at most FAR."""
    steps = [FAR] * (HEXES + len(AREA_HEXES))
    reached = frontier = goals
    distance = 0
    while frontier and distance < FAR:
        for h in bits(frontier):
            steps[h] = distance
        distance += 1
        frontier = (spread(frontier, OPEN_STEPS) | spread(frontier, OPEN_CANALS)) & ~reached
        reached |= frontier
    for area, hexes in AREA_HEXES.items():
        steps[area] = min(FAR, 1 + min(steps[h] for h in bits(hexes)))
    return tuple(steps)


def _approach(s: ArnhemState, allied: int, german: int) -> float:
    """The Allies go where Germans stand on the road and to Arnhem, the Germans to the road that is not held."""
    goals = german & RED_ROAD | (bit(ARNHEM) & ~allied)
    to_enemy = distances(goals or RED_ROAD & ~allied or RED_ROAD)
    to_gap = distances(RED_ROAD & ~allied or RED_ROAD)
    total = 0.0
    for u in SIDE_UNITS[ALLIED]:
        place = s.where[u]
        if place == WAITING:
            place = s.zones[POOL[u]] if DROPS[u] and s.zones[POOL[u]] >= 0 else ENTRY
            total -= 0.12 * STRENGTH[u] * (to_enemy[place] + 3)
        elif place < HEXES:
            total -= 0.12 * STRENGTH[u] * to_enemy[place]
    for u in SIDE_UNITS[GERMAN]:
        place = s.where[u]
        if place < WAITING:
            total += 0.12 * STRENGTH[u] * to_gap[place]
        elif place == WAITING:
            total += 0.12 * STRENGTH[u] * (FAR + 1)
    return total


def _drop_zones(s: ArnhemState, allied: int, german: int) -> float:
    """A zone is worth the road that its landings and its supply reach."""
    covered = 0
    total = 0.0
    for division in DIVISIONS:
        zone = s.zones[division]
        if zone >= 0:
            covered |= landing_ground(zone)
            total += 1.0 if allied >> zone & 1 else 0.5
    return total + 0.4 * (covered & RED_ROAD).bit_count() + (1.5 if covered >> ARNHEM & 1 else 0.0)


def _supply_points(s: ArnhemState) -> float:
    allied = sum(min(3, s.pools[division]) for division in DIVISIONS)
    return 0.3 * allied - 0.15 * min(10, s.pools[WEHRMACHT]) - 0.25 * min(4, s.pools[SS])


def _stacking(s: ArnhemState) -> float:
    """Units beyond the limit die at the end of the impulse."""
    count: dict[int, int] = {}
    for place in s.where:
        if place < HEXES:
            count[place] = count.get(place, 0) + 1
    total = 0.0
    for h, units in count.items():
        if units > STACKING_LIMIT:
            cost = (units - STACKING_LIMIT) * (6.0 if s.impulse else 0.3)
            total += cost if occupied(s, GERMAN) >> h & 1 else -cost
    return total
