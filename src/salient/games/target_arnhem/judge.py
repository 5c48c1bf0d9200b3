"""Target Arnhem: what makes a position good, for bots and for their reasons.

All features are counted for the Allies and turned over for the Germans. Their unit is about one point of strength.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.sums import added
from salient.games.target_arnhem.components import Data, Ground
from salient.games.target_arnhem.model import DIVISIONS, SS, STACKING_LIMIT, WEHRMACHT, ArnhemState, waiting
from salient.games.target_arnhem.movement import next_to
from salient.games.target_arnhem.supply import corps_supply, corps_supply_past, zone_supply
from salient.games.target_arnhem.survey import Stack, Survey, survey, urgency
from salient.hexes.flood import spread
from salient.hexes.masks import bit, bits, lowest, mask_of
from salient.hexes.sets import HexSet
from salient.kernel import Seat
from salient.kernel.judge import Judge

LAST_IMPULSE = 3


# ---- features ------------------------------------------------------------------------------------


def _allied_features(s: ArnhemState) -> dict[str, float]:
    if s.winner:
        return {"victory": 1.0 if s.winner == SEATS[ALLIED] else -1.0}
    found = survey(s)
    if s.judged is None or s.judged[0] is not found or s.judged[1] != s.impulse:
        s.judged = found, s.impulse, _board_features(s, found)
    return {
        **s.judged[2],
        "supply-points": _future(s) * _supply_points(tuple(s.pools)),
        "stacking": _crowding(s, found, GERMAN) - _crowding(s, found, ALLIED) if found.crowded else 0.0,
    }


def _future(s: ArnhemState) -> float:
    """What units, points and zones can still do."""
    turns = s.tables.turns
    return (turns + 1 - s.turn) / turns


def _board_features(s: ArnhemState, found: Survey) -> dict[str, float]:
    """The features that depend on the units on the board, the zones and the impulse alone."""
    urgent = urgency(s)
    late = (s.turn / s.tables.turns) ** 2
    future = _future(s)
    allied, german = found.held
    ours, theirs = found.costs
    reach = _german_reach(s, found, allied, german)
    return {
        "arnhem": urgent * _arnhem(s, allied, german),
        "red-road": -urgent * (german & s.ground.red_road).bit_count(),
        "garrisons": (0.15 + 1.0 * late) * (allied & s.ground.red_road).bit_count(),
        "entry": -_entry_danger(s, allied, german, reach),
        "corridor": float(_open_corridor(s.ground, german & s.ground.red_road)),
        "breakthrough": -_breakthrough(s, (reach | german) & s.ground.red_road),
        "losses": (0.2 + future) * (theirs.lost - ours.lost),
        "units-in-supply": future * (theirs.starved - ours.starved),
        "threats": added(found.threats),
        "pressure": urgent * added(found.pressure),
        "approach": theirs.far - min(1.0, 1.5 * future) * ours.far,
        "supply-line": -future * _line_at_risk(s, found.stacks[ALLIED], allied, german, reach),
        "drop-zones": future * _drop_zones(s, allied, german, reach),
    }


def _crowding(s: ArnhemState, found: Survey, side: int) -> float:
    """Units beyond the stacking limit, most of all those that can no longer move on."""
    over = stuck = 0
    for h in bits(found.crowded & found.held[side]):
        units = found.stacks[side][h].units
        settled = (s.acted & mask_of(units)).bit_count() if h == s.ground.entry else len(units)
        over += len(units) - STACKING_LIMIT
        stuck += max(0, settled - STACKING_LIMIT)
    return 0.3 * over + 6.0 * stuck


# ---- the road --------------------------------------------------------------------------------------


def _arnhem(s: ArnhemState, allied: HexSet, german: HexSet) -> float:
    if allied >> s.ground.arnhem & 1:
        return 0.6 + 0.2 * min(STACKING_LIMIT, s.where.count(s.ground.arnhem))
    return -0.5 if german >> s.ground.arnhem & 1 else 0.0


def _entry_danger(s: ArnhemState, allied: HexSet, german: HexSet, reach: int) -> float:
    """Germans in 0103 keep out all that is still to come; so may those that can walk in."""
    if allied >> s.ground.entry & 1:
        return 0.0
    danger = 1.0 if german >> s.ground.entry & 1 else 0.4 if reach >> s.ground.entry & 1 else 0.0
    return danger * (2.0 + 1.5 * (waiting(s) & s.units.side_mask[ALLIED]).bit_count())


@lru_cache(maxsize=1 << 12)
def _open_corridor(ground: Ground, german: HexSet) -> int:
    """How many hexes of the red road lie open from 0103 northward."""
    road = ground.road_northward
    return next((length for length, h in enumerate(road) if german >> h & 1), len(road))


def _breakthrough(s: ArnhemState, within_reach: HexSet) -> float:
    """The hexes of the road that Germans hold or can step on with one action: one is enough to win."""
    count = within_reach.bit_count()
    return (0.03 * count + (0.15 if count else 0.0)) * s.turn**2


def _german_reach(s: ArnhemState, found: Survey, allied: HexSet, german: HexSet) -> int:
    """Where Germans can go with one action; at the very end only their vehicles are left to move."""
    areas = found.areas
    if s.turn == s.tables.turns and s.impulse == LAST_IMPULSE:
        starts = mask_of(
            s.where[u] for u in bits(s.units.vehicles & s.units.side_mask[GERMAN]) if s.where[u] < s.ground.waiting
        )
        german, areas = german & starts, areas & starts
    return german_reach(s.ground, german, areas, allied)


@lru_cache(maxsize=1 << 14)
def german_reach(ground: Ground, starts: int, areas: int, enemies: int) -> int:
    """The hexes that some German unit reaches with one move, as bits."""
    near = next_to(ground, enemies)
    free = ~enemies
    once = spread(starts, ground.open_steps) & free
    along = frontier = starts & ground.road_hexes & ~near
    while frontier:
        frontier = spread(frontier & ~near, ground.open_roads) & free & ~along
        along |= frontier
    onward = (once & ~ground.forest | along) & ~near
    reached = once | along | spread(onward, ground.open_steps) | spread(starts, ground.open_canals)
    for area in bits(areas):
        reached |= ground.area_hexes[area]
    return reached & free


# ---- supply -----------------------------------------------------------------------------------------


def _line_at_risk(s: ArnhemState, ours: dict[int, Stack], allied: HexSet, german: HexSet, reach: int) -> float:
    """What the Allies would lose to the worst step of a German onto the open road behind them: worth without supply."""
    ground = s.ground
    line = corps_supply(ground, german)
    fed = allied & line
    worst = 0
    steps = reach & ground.red_road & ~allied & line
    while steps and fed:
        left = corps_supply_past(ground, german, lowest(steps))
        steps &= left  # a step onto what is cut off cuts off no more
        if cut := fed & ~left:
            worst = max(worst, sum([ours[h].worth for h in bits(cut)]))
    return float(worst)


def _drop_zones(s: ArnhemState, allied: HexSet, german: HexSet, reach: int) -> float:
    """Supply zones are worth the road that they can supply, less if a German is there or can walk in after landing."""
    total = 0.0
    covered = 0
    open_to = reach & ~allied if s.turn > 1 or s.impulse else 0
    for division in DIVISIONS:
        zone = s.zones[division]
        if zone >= 0:
            total += -2.0 if (open_to | german) >> zone & 1 else 1.5
            covered |= zone_supply(s.ground, zone, german & bit(zone))
    return total + road_worth(s.ground, covered & s.ground.red_road)


@lru_cache(maxsize=1 << 12)
def road_worth(ground: Ground, covered: int) -> float:
    """What it is worth to reach parts of the road, the more the further north."""
    return sum(0.2 + 0.05 * i for i, h in enumerate(ground.road_northward) if covered >> h & 1) + 2.0 * (
        covered >> ground.arnhem & 1
    )


@lru_cache(maxsize=1 << 12)
def _supply_points(pools: tuple[int, ...]) -> float:
    """A few points are worth something to each, more of them nothing."""
    allied = sum(min(3, pools[division]) for division in DIVISIONS)
    return 0.3 * allied - 0.15 * min(10, pools[WEHRMACHT]) - 0.25 * min(4, pools[SS])


# ---- the part of the game ----------------------------------------------------------------------


class ArnhemJudge(Judge[ArnhemState]):
    """Features are positive when good for the seat; what each is worth stands in data/weights.toml."""

    def __init__(self, data: Data) -> None:
        self.data = data

    def features(self, s: ArnhemState, seat: Seat) -> dict[str, float]:
        allied = _allied_features(s)
        return allied if seat == SEATS[ALLIED] else {name: -value for name, value in allied.items()}

    def weights(self, side: Seat) -> Mapping[str, float]:
        return self.data.weights[side]

    def elapsed(self, s: ArnhemState) -> float:
        return (s.turn - 1 + s.impulse / 4) / s.tables.turns
