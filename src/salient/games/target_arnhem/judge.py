"""Target Arnhem: what makes a position good, for bots and for their reasons.

All features are counted for the Allies and turned over for the Germans. Their unit is about one point of strength.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from salient.common.data import data_folder, own_folder
from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.weights import Weights, read_weights
from salient.games.target_arnhem.combat import terrain_shift
from salient.games.target_arnhem.model import (
    AREA_HEXES,
    AREAS,
    ARNHEM,
    BOARD,
    CANAL_STEPS,
    DIVISIONS,
    DROPS,
    ELIMINATED,
    ENTRY,
    FOREST,
    GAME_ID,
    HALVING,
    HEXES,
    OPEN_ROADS,
    POOL,
    RATIOS,
    RED_ROAD,
    RESISTANCE,
    ROAD_HEXES,
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
from salient.games.target_arnhem.movement import area_p_open, next_to
from salient.games.target_arnhem.supply import corps_supply, german_supply, zone_supply
from salient.hexes.flood import compile_masks, spread
from salient.hexes.masks import bit, bits, mask_of
from salient.hexes.sets import HexSet
from salient.kernel import Seat
from salient.kernel.judge import Judge

ROAD_ORDER = tuple(sorted(BOARD.zones["red-road"], key=lambda h: int(BOARD.zone_values["red-road"][h])))
OPEN_STEPS = compile_masks(BOARD, lambda a, b: bool(STEPS[a] >> b & 1))
OPEN_CANALS = compile_masks(BOARD, lambda a, b: bool(CANAL_STEPS[a] >> b & 1))
FAR = 12


# ---- what never changes ------------------------------------------------------------------------


def distances(goals: int) -> tuple[int, ...]:
    """By hex and area: the steps to the nearest goal over land, bridges and canals, at most FAR."""
    steps = [FAR] * (HEXES + len(AREAS))
    reached = frontier = goals
    for distance in range(FAR):
        for h in bits(frontier):
            steps[h] = distance
        frontier = (spread(frontier, OPEN_STEPS) | spread(frontier, OPEN_CANALS)) & ~reached
        reached |= frontier
    for area, hexes in AREA_HEXES.items():
        steps[area] = min(FAR, 1 + min(steps[h] for h in bits(hexes)))
    return tuple(steps)


TO_ROAD = distances(RED_ROAD)
TO_ARNHEM = distances(bit(ARNHEM))


def _away(u: int) -> tuple[float, ...]:
    """By place: how far from where the unit is wanted, by its strength."""
    if SIDE[u] == GERMAN:
        known = [STRENGTH[u] * (0.10 * TO_ROAD[h] + 0.02 * TO_ARNHEM[h]) for h in range(WAITING)]
        return (*known, 0.15 * STRENGTH[u] * FAR, 0.0)
    known = [STRENGTH[u] * (0.10 * max(0, TO_ROAD[h] - 1) + 0.06 * TO_ARNHEM[h]) for h in range(WAITING)]
    waiting = 0.06 * STRENGTH[u] * FAR / 2 if DROPS[u] else known[ENTRY]
    return (*known, waiting + 0.5, 0.0)


WORTH = tuple(STRENGTH[u] + RESISTANCE[u] for u in range(len(UNITS)))
PER_POINT = tuple(WORTH[u] / RESISTANCE[u] for u in range(len(UNITS)))
LOST = tuple(1.3 * WORTH[u] for u in range(len(UNITS)))
HURT = tuple(0.6 * PER_POINT[u] for u in range(len(UNITS)))
STARVING = tuple(0.5 * PER_POINT[u] + 0.1 * STRENGTH[u] for u in range(len(UNITS)))
AWAY = tuple(_away(u) for u in range(len(UNITS)))
PICK = tuple(itemgetter(*units) for units in SIDE_UNITS)
UNIT_BITS = tuple(mask_of(units) for units in SIDE_UNITS)
ZONE_LOST = 5.0  # a division without its zone can only come by 0103
FORTIFIED = 1.5
LAST_IMPULSE = 3

# By hex: its neighbours that can attack it, with the share of their strength that counts.
ATTACKED_FROM = tuple(tuple((n, 0.5 if HALVING[h] >> n & 1 else 1.0) for n in bits(TOUCHING[h])) for h in range(HEXES))
SHIFT = tuple(terrain_shift(h) for h in range(HEXES))
RATIO_VALUES = [a / d for a, d in RATIOS]
PLACE_WORTH = tuple(5.0 if h == ARNHEM else 2.0 if RED_ROAD >> h & 1 else 0.0 for h in range(HEXES))
HARM = tuple(sum(cell[1] - 0.6 * cell[0] for cell in column) / len(column) for column in TABLE)


# ---- features ------------------------------------------------------------------------------------


FEATURES = (
    "arnhem", "red-road", "garrisons", "entry", "corridor", "breakthrough", "losses", "units-in-supply", "threats",
    "pressure", "approach", "supply-line", "drop-zones", "supply-points", "stacking", "victory",
)  # fmt: skip


@lru_cache(maxsize=1)
def feature_weights() -> Weights:
    """By side: what each feature is worth."""
    return read_weights(data_folder(__package__), SEATS, FEATURES, own_folder(GAME_ID))


def _allied_features(s: ArnhemState) -> dict[str, float]:
    if s.winner:
        return {"victory": 1.0 if s.winner == SEATS[ALLIED] else -1.0}
    urgency = 0.5 + s.turn / TURNS
    late = (s.turn / TURNS) ** 2
    future = (TURNS + 1 - s.turn) / TURNS  # what units, points and zones can still do
    allied, german = occupied(s, ALLIED), occupied(s, GERMAN)
    ours, theirs = _musters(s, allied, german)
    threats, pressure = _threats(ours, theirs, next_to(german) & allied, next_to(allied) & german, urgency)
    reach = _german_reach(s, theirs, allied, german)
    return {
        "arnhem": urgency * _arnhem(s, allied, german),
        "red-road": -urgency * (german & RED_ROAD).bit_count(),
        "garrisons": (0.15 + 1.0 * late) * (allied & RED_ROAD).bit_count(),
        "entry": -_entry_danger(s, allied, german, reach),
        "corridor": float(_open_corridor(german)),
        "breakthrough": -_breakthrough(s, (reach | german) & RED_ROAD),
        "losses": (0.2 + future) * (theirs.losses - ours.losses),
        "units-in-supply": future * (theirs.starving - ours.starving),
        "threats": threats,
        "pressure": urgency * pressure,
        "approach": theirs.away - min(1.0, 1.5 * future) * ours.away,
        "supply-line": -future * _line_at_risk(ours, allied, german, reach),
        "drop-zones": future * _drop_zones(s, allied, german, reach),
        "supply-points": future * _supply_points(s),
        "stacking": theirs.crowding - ours.crowding,
    }


class Muster(NamedTuple):
    """Sums over the units of a side."""

    strength: dict[int, float]  # by hex
    worth: dict[int, float]  # by hex: what its units are worth
    points: dict[int, int]  # by hex: the damage that it can take
    losses: float
    starving: float
    away: float  # how far the units are from where they are wanted
    crowding: float  # units beyond the stacking limit, most of all those that can no longer move on
    areas: int
    vehicles: int
    vehicle_areas: int


def _musters(s: ArnhemState, allied: HexSet, german: HexSet) -> tuple[Muster, Muster]:
    supplied = _supplied(s, allied, german)
    zones_lost = tuple([zone < 0 for zone in s.zones])
    return _muster_of(s, ALLIED, allied, supplied, zones_lost), _muster_of(s, GERMAN, german, supplied, zones_lost)


def _muster_of(
    s: ArnhemState, side: int, hexes: HexSet, supplied: tuple[int, ...], zones_lost: tuple[bool, ...]
) -> Muster:
    pick = PICK[side]
    fed = tuple([each & hexes for each in supplied])  # what is supplied elsewhere changes nothing
    return _muster(side, pick(s.where), pick(s.damage), pick(s.fortified), s.acted & UNIT_BITS[side], fed, zones_lost)


@lru_cache(maxsize=1 << 12)
def _muster(
    side: int,
    where: tuple[int, ...],
    damages: tuple[int, ...],
    fortifications: tuple[int, ...],
    acted: int,
    supplied: tuple[int, ...],
    zones_lost: tuple[bool, ...],
) -> Muster:
    strength: dict[int, float] = {}
    worth: dict[int, float] = {}
    points: dict[int, int] = {}
    count: dict[int, int] = {}
    settled: dict[int, int] = {}
    losses = starving = away = 0.0
    areas = vehicles = vehicle_areas = 0
    for u, place, damage, fortified in zip(SIDE_UNITS[side], where, damages, fortifications, strict=True):
        away += AWAY[u][place]
        if place < HEXES:
            fed = supplied[POOL[u]] >> place & 1
            starving += 0.0 if fed else STARVING[u]
            strength[place] = strength.get(place, 0.0) + (STRENGTH[u] if fed else STRENGTH[u] / 2)
            worth[place] = worth.get(place, 0.0) + WORTH[u]
            points[place] = points.get(place, 0) + RESISTANCE[u] - damage + fortified
            count[place] = count.get(place, 0) + 1
            settled[place] = settled.get(place, 0) + (acted >> u & 1 or place != ENTRY)
            losses += HURT[u] * damage - FORTIFIED * fortified
            vehicles |= VEHICLE[u] << place
        elif place < WAITING:
            areas |= 1 << place
            vehicle_areas |= VEHICLE[u] << place
        elif place == ELIMINATED:
            losses += LOST[u]
        elif DROPS[u] and zones_lost[POOL[u]]:
            away += ZONE_LOST
    crowding = 0.3 * _excess(count) + 6.0 * _excess(settled)
    return Muster(strength, worth, points, losses, starving, away, crowding, areas, vehicles, vehicle_areas)


def _excess(count: dict[int, int]) -> int:
    return sum(units - STACKING_LIMIT for units in count.values() if units > STACKING_LIMIT)


def _supplied(s: ArnhemState, allied: HexSet, german: HexSet) -> tuple[int, ...]:
    """By pool: the hexes in which its units are supplied, as bits."""
    corps = corps_supply(german)
    by_pool = [corps] * len(s.pools)
    by_pool[WEHRMACHT] = by_pool[SS] = german_supply(allied, area_p_open(s))
    for division in DIVISIONS:
        if s.zones[division] >= 0:
            by_pool[division] = corps | zone_supply(s.zones[division], german)
    return tuple(by_pool)


# ---- the road --------------------------------------------------------------------------------------


def _arnhem(s: ArnhemState, allied: HexSet, german: HexSet) -> float:
    if allied >> ARNHEM & 1:
        return 0.6 + 0.2 * min(STACKING_LIMIT, s.where.count(ARNHEM))
    return -0.5 if german >> ARNHEM & 1 else 0.0


def _entry_danger(s: ArnhemState, allied: HexSet, german: HexSet, reach: int) -> float:
    """Germans in 0103 keep out all that is still to come; so may those that can walk in."""
    if allied >> ENTRY & 1:
        return 0.0
    danger = 1.0 if german >> ENTRY & 1 else 0.4 if reach >> ENTRY & 1 else 0.0
    return danger * (2.0 + 1.5 * sum(1 for u in SIDE_UNITS[ALLIED] if s.where[u] == WAITING))


def _open_corridor(german: HexSet) -> int:
    """How many hexes of the red road lie open from 0103 northward."""
    for length, h in enumerate(ROAD_ORDER):
        if german >> h & 1:
            return length
    return len(ROAD_ORDER)


def _breakthrough(s: ArnhemState, within_reach: HexSet) -> float:
    """The hexes of the road that Germans hold or can step on with one action: one is enough to win."""
    count = within_reach.bit_count()
    return (0.03 * count + (0.15 if count else 0.0)) * s.turn**2


def _german_reach(s: ArnhemState, theirs: Muster, allied: HexSet, german: HexSet) -> int:
    """Where Germans can go with one action; at the very end only their vehicles are left to move."""
    if s.turn == TURNS and s.impulse == LAST_IMPULSE:
        return german_reach(theirs.vehicles, theirs.vehicle_areas, allied)
    return german_reach(german, theirs.areas, allied)


@lru_cache(maxsize=1 << 14)
def german_reach(starts: int, areas: int, enemies: int) -> int:
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
    for area in bits(areas):
        reached |= AREA_HEXES[area]
    return reached & free


# ---- units -----------------------------------------------------------------------------------------


def _threats(
    ours: Muster, theirs: Muster, our_front: HexSet, their_front: HexSet, urgency: float
) -> tuple[float, float]:
    """What each side stands to lose to an attack by the enemies next to it, and the odds against it on the road."""
    total = pressure = 0.0
    for own, enemy, front, sign in ((ours, theirs, our_front, -1.0), (theirs, ours, their_front, 1.0)):
        hostile = enemy.strength
        for h, defence in own.strength.items():
            if not front >> h & 1:
                continue
            attack = 0.0
            for n, share in ATTACKED_FROM[h]:
                if n in hostile:
                    attack += hostile[n] * share
            if not attack:
                continue
            odds = attack / defence
            on_road = RED_ROAD >> h & 1
            if on_road:
                pressure += min(odds, 3.0) if sign > 0 else -0.4 * min(odds, 3.0)
            column = bisect_right(RATIO_VALUES, odds) - 1 + SHIFT[h]
            harm = HARM[min(max(column, 0), len(HARM) - 1)]
            if harm > 0:
                held = own.points[h]
                place = PLACE_WORTH[h] * urgency
                total += sign * (harm * own.worth[h] / held + min(1.0, harm / held) * place)
    return total, pressure


# ---- supply -----------------------------------------------------------------------------------------


def _line_at_risk(ours: Muster, allied: HexSet, german: HexSet, reach: int) -> float:
    """What the Allies would lose to the worst step of a German onto the open road behind them: worth without supply."""
    line = corps_supply(german)
    fed = allied & line
    worst = 0.0
    for h in bits(reach & RED_ROAD & ~allied & line):
        cut = fed & ~corps_supply(german | bit(h))
        worst = max(worst, sum([ours.worth[each] for each in bits(cut)]))
    return worst


def _drop_zones(s: ArnhemState, allied: HexSet, german: HexSet, reach: int) -> float:
    """Supply zones are worth the road that they can supply, less if a German is there or can walk in after landing."""
    total = 0.0
    covered = 0
    open_to = reach & ~allied if s.turn > 1 or s.impulse else 0
    for division in DIVISIONS:
        zone = s.zones[division]
        if zone >= 0:
            total += -2.0 if (open_to | german) >> zone & 1 else 1.5
            covered |= zone_supply(zone, german & bit(zone))
    return total + road_worth(covered & RED_ROAD)


@lru_cache(maxsize=1 << 12)
def road_worth(covered: int) -> float:
    """What it is worth to reach parts of the road, the more the further north."""
    return sum(0.2 + 0.05 * i for i, h in enumerate(ROAD_ORDER) if covered >> h & 1) + 2.0 * (covered >> ARNHEM & 1)


def _supply_points(s: ArnhemState) -> float:
    allied = sum(min(3, s.pools[division]) for division in DIVISIONS)
    return 0.3 * allied - 0.15 * min(10, s.pools[WEHRMACHT]) - 0.25 * min(4, s.pools[SS])


# ---- the part of the game ----------------------------------------------------------------------


class ArnhemJudge(Judge[ArnhemState]):
    """Features are positive when good for the seat; what each is worth stands in data/weights.toml."""

    def features(self, s: ArnhemState, seat: Seat) -> dict[str, float]:
        allied = _allied_features(s)
        return allied if seat == SEATS[ALLIED] else {name: -value for name, value in allied.items()}

    def weights(self, side: Seat) -> Mapping[str, float]:
        return feature_weights()[side]

    def elapsed(self, s: ArnhemState) -> float:
        return (s.turn - 1 + s.impulse / 4) / TURNS
