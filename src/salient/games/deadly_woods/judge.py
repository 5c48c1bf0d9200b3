"""The Deadly Woods: what makes a position good, for bots and for their reasons.

All features are counted for the Germans and turned over for the Allies. Their unit is about one step.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from functools import cache, lru_cache
from operator import mul

from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.common.stacks import occupied, units_at
from salient.games.deadly_woods.chits import ChooseFormation, FirstChit, formation_kind
from salient.games.deadly_woods.combat import Attack, Battle, CombatRoll, Support, odds, result_of
from salient.games.deadly_woods.components import Data, Ground
from salient.games.deadly_woods.lines import kept
from salient.games.deadly_woods.model import (
    ALL_GERMAN,
    ALLIED_MC,
    ALLIED_REINFORCEMENTS,
    FORMATION_CHIT,
    GERMAN_MC,
    GERMAN_REINFORCEMENTS,
    ONE_ARMY,
    PATTON_MONTY,
    PZ5,
    PZ6,
    REACTION,
    WoodsState,
    dry_ways,
    road_ways,
)
from salient.games.deadly_woods.move_unit import MoveUnit, UnderWay
from salient.games.deadly_woods.results import Convert
from salient.games.deadly_woods.retreats import Retreat
from salient.games.deadly_woods.supply import road_floods, supplied_hexes
from salient.games.deadly_woods.survey import HUNDREDTH, SCALE, THOUSANDTH, Survey, survey, unpacked, worths
from salient.games.deadly_woods.victory import SUDDEN_DEATH_POINTS, points_needed, turns_of
from salient.games.deadly_woods.zones import binding_zone, next_to, zone
from salient.hexes.flood import flood, spread
from salient.hexes.masks import bits, mask_of
from salient.hexes.reach import distances
from salient.hexes.sets import HexSet, UnitId
from salient.kernel import Action, Seat, engine
from salient.kernel.judge import Judge

FREE_STEPS = 5  # hexes beyond its units that lie open to a side
FARTHEST = 24
GROUND = 0.05  # what a hex of open ground is worth
ENTERABLE = 2.0  # what a victory hex is worth that the enemy could walk into
OPEN, AT_THE_GATES, GATES = 3.0, 3.0, 6  # what open ground is worth by a victory hex, and more within a few hexes
GUARDED = 0.4  # what is left of that if an Allied unit stands there
OPENNESS = tuple(
    OPEN * (1 - d / FARTHEST) ** 2 + AT_THE_GATES * max(0.0, 1 - d / GATES) ** 2 + ENTERABLE * (d == 0)
    for d in range(FARTHEST + 1)
)  # by distance
GUARDED_OPENNESS = tuple(worth * GUARDED for worth in OPENNESS)
GARRISONED, FORTIFIED = 3 * SCALE, 8 * SCALE  # the strength that a victory hex adds to those who hold it
HELD, GARRISON, DECISIVE, DECISIVE_LATE = 12.0, 2.5, 6.0, 14.0
SUDDEN_DEATH = 3.5  # what each victory hex is worth that Germans could take beyond those that do not yet decide
AT_ONCE = 25.0  # what the one is worth that ends the game
LEAST_URGENCY, URGENT = 0.35, 12  # of the approach to a victory hex far away, and the hexes from which it counts more
URGENCY = tuple(LEAST_URGENCY + (1 - LEAST_URGENCY) * max(0.0, 1 - d / URGENT) for d in range(FARTHEST + 1))
DIE = range(1, 7)
FIRST_CHITS = (
    ALL_GERMAN, ONE_ARMY, PZ5, PZ6, GERMAN_MC, FORMATION_CHIT, GERMAN_REINFORCEMENTS,
    ALLIED_MC, PATTON_MONTY, ALLIED_REINFORCEMENTS, REACTION,
)  # the best first  # fmt: skip
MOST_NEARER, MOST_BESIDE = 4, 5  # moves worth weighing: those that pull most, and those next to enemies
MOST_STOPGAPS, MOST_RETREATS = 2, 3


GERMAN_THREAT, ALLIED_THREAT = 0.5, 0.3  # how much of what a side could do counts
ALLIED_CUT, GERMAN_CUT = 0.5, 1.3  # what it costs a side to have units in a hex without supply
UNSAFE_UNIT, UNSAFE_TOWN = 0.2, 2.5  # what it costs to have a hex with units, a victory hex, on an unsafe line
BLOCKED, FAR_OFF = (0.6, 0.45, 0.35), 0.25  # of the worth of a victory hex, by hexes that block the road to it
ALLIED_STEP, LEAST_ALLIED_STEP = 1.7, 0.1  # what an Allied step is worth at first and at last
FUEL_TURN, FUEL_IN_SIGHT = 2, 0.5
ABSENT = 0.3  # what a unit that waits to come in costs its side
GERMAN_STEP = 0.7  # German steps are many and their time is short


@cache
def _circles(data: Data) -> tuple[tuple[int, ...], ...]:
    """By victory hex: the hexes within each distance, as bits."""
    return tuple(
        tuple(mask_of(h for h, distance in enumerate(far) if distance <= d) for d in range(FARTHEST + 1))
        for far in worths(data).steps_to
    )


def _german_features(s: WoodsState) -> dict[str, float]:
    if s.winner:
        return {"victory": 1.0 if s.winner == SEATS[GERMAN] else -1.0}
    found = survey(s)
    key = (s.german_held, s.blown, s.oos, s.turn, s.withdrawal, s.fuel)
    if s.judged is None or s.judged[0] is not found or s.judged[1] != key:
        s.judged = found, key, _board_features(s, found)
    return {**s.judged[2], "readiness": _readiness(s)}


def _board_features(s: WoodsState, found: Survey) -> dict[str, float]:
    """The features that depend on pieces, control and bridges alone."""
    supplied = supplied_hexes(s, GERMAN)
    free = _german_ground(s, supplied)
    return {
        "victory-hexes": _victory_hexes(s, supplied),
        "ground": float((s.german_held & ~s.ground.german_start).bit_count()),
        "approach": _approach(s, found, free),
        "breakthrough": _breakthrough(s, supplied, free),
        "strength": _strength(s, found),
        "supply": _supply(s, supplied),
        "lines": _lines(s, supplied),
        "stacking": HUNDREDTH * found.crowded,
        "cohesion": float(found.alone),
        "threats": _threats(found),
        "fuel": _fuel(s),
    }


def _fuel(s: WoodsState) -> float:
    """Peiper's fuel for turn 2; half of it as long as his way to it is open [8.5]."""
    if s.fuel or s.turn > 1:
        return float(s.fuel == 1 and s.turn <= FUEL_TURN)
    peiper = s.where[s.units.peiper]
    if peiper >= s.ground.hexes:
        return 0.0
    is_open = _open_ground(s.ground, 1 << peiper, occupied(s, ALLIED), zone(s, ALLIED), s.blown) >> s.ground.fuel & 1
    return FUEL_IN_SIGHT * is_open


def _threats(found: Survey) -> float:
    """What the Germans could do to the hexes next to them, less what the Allies could."""
    allies, germans = found.threatened
    return GERMAN_THREAT * (THOUSANDTH * germans) - ALLIED_THREAT * (THOUSANDTH * allies)


def _strength(s: WoodsState, found: Survey) -> float:
    """Losses of both sides and units to come: at first every Allied step holds the line, later the Allies are many."""
    allied_step = max(LEAST_ALLIED_STEP, ALLIED_STEP - 0.15 * s.turn)
    losses = HUNDREDTH * (allied_step * found.losses[ALLIED] - GERMAN_STEP * found.losses[GERMAN])
    return losses + ABSENT * (found.absent[ALLIED] - found.absent[GERMAN])


def _victory_hexes(s: WoodsState, supplied: int) -> float:
    """Points, garrisons, and more for the number that decides."""
    held = s.german_held & s.ground.victory
    count = (held & supplied).bit_count()
    late = DECISIVE + DECISIVE_LATE * (s.turn / turns_of(s)) ** 2
    decisive = late * (count >= points_needed(s)) + AT_ONCE * (count >= SUDDEN_DEATH_POINTS)
    garrisons = (held & occupied(s, GERMAN)).bit_count()
    return HELD * (count + _cut_off(s, held & ~supplied)) + GARRISON * garrisons + decisive


def _cut_off(s: WoodsState, held: HexSet) -> float:
    """What victory hexes without supply are worth: the fewer hexes on the roads that must be opened, the more."""
    if not held:
        return 0.0
    closed = (occupied(s, ALLIED) | binding_zone(s, GERMAN)) & s.ground.road_hexes
    return _behind_blocks(s.ground, held, closed, s.blown)


@lru_cache(maxsize=1 << 12)
def _behind_blocks(ground: Ground, held: int, closed: int, blown: int) -> float:
    roads, entries = road_ways(ground, blown), ground.entries[GERMAN]
    is_open = ground.all_hexes ^ closed
    trunk = road_floods(ground, entries, blown).within(is_open)
    worth = 0.0
    for share in BLOCKED:
        trunk |= spread(trunk, roads) & closed | entries
        trunk = flood(trunk, roads, is_open | trunk)
        opened = held & (trunk | spread(trunk, ground.neighbours))
        worth += share * opened.bit_count()
        held ^= opened
        if not held:
            break
    return worth + FAR_OFF * held.bit_count()


def _approach(s: WoodsState, found: Survey, free: int) -> float:
    """For each victory hex the German share of the strength around it; those before which Germans stand count most."""
    total, urgency = 0.0, _urgency(s.data, free)
    held, massed = s.german_held & s.ground.victory, [unpacked(sums, len(urgency)) for sums in found.massed]
    for is_held, urgent, attack, defence, back in zip(_among_targets(s.data, held), urgency, *massed, strict=True):
        if is_held:
            total += (attack + GARRISONED) / (attack + back + 2 * GARRISONED)
        else:
            total += urgent * attack / (attack + defence + FORTIFIED)
    return total


@lru_cache(maxsize=1 << 10)
def _urgency(data: Data, free: int) -> tuple[float, ...]:
    """By victory hex: how much an approach to it counts, by how near some ground comes to it."""
    return tuple([URGENCY[d] for d in _nearness(data, free)])


@lru_cache(maxsize=1 << 10)
def _among_targets(data: Data, hexes: HexSet) -> tuple[bool, ...]:
    """By victory hex: whether it is among some hexes."""
    return tuple(bool(hexes >> target & 1) for target in worths(data).targets)


@lru_cache(maxsize=1 << 13)
def _nearness(data: Data, free: int) -> tuple[int, ...]:
    """By victory hex: how near some ground comes to it, in hexes."""
    return tuple(
        bisect_left(circles, True, key=lambda circle: bool(circle & free), hi=FARTHEST) for circles in _circles(data)
    )


@lru_cache(maxsize=1 << 10)
def _openness(data: Data, free: int, guarded: HexSet) -> float:
    """What ground that lies open is worth: how much it is, and how near to victory hexes, less if they are guarded."""
    near = zip(_among_targets(data, guarded), _nearness(data, free), strict=True)
    return GROUND * free.bit_count() + sum(
        [GUARDED_OPENNESS[d] if is_guarded else OPENNESS[d] for is_guarded, d in near]
    )


def _german_ground(s: WoodsState, supplied: int) -> int:
    """The ground that lies open to supplied Germans, as bits."""
    germans = occupied(s, GERMAN) & supplied & ~(1 << s.where[s.units.von_der_heydte])
    return _open_ground(s.ground, germans, occupied(s, ALLIED), zone(s, ALLIED), s.blown)


@lru_cache(maxsize=1 << 13)
def _open_ground(ground: Ground, units: int, enemies: int, zone: int, blown: int) -> int:
    """The hexes that units reach in a few steps without a fight, twice as far by road, as bits.

    Not over rivers without a bridge, and into forests by road only.
    """
    roads, ways = road_ways(ground, blown), dry_ways(ground, blown)
    not_in_zones = ground.all_hexes ^ zone
    ahead = ground.all_hexes ^ (enemies | units)  # what has not been reached
    off_road = ground.all_hexes ^ ground.forest
    reached = frontier = units
    for _ in range(FREE_STEPS):
        free = frontier & not_in_zones
        by_road = spread(free, roads) & ahead
        near = spread(free, ways) & off_road & ahead | by_road
        frontier = near | spread(by_road & not_in_zones, roads) & ahead
        ahead ^= frontier
        reached |= frontier
    return reached


@lru_cache(maxsize=1 << 8)
def _within_steps(ground: Ground, hexes: HexSet) -> HexSet:
    """The hexes from which units could reach some hexes in a few steps by road."""
    for _ in range(2 * FREE_STEPS):
        hexes |= spread(hexes, ground.neighbours)
    return hexes


def _breakthrough(s: WoodsState, supplied: int, free: int) -> float:
    """The ground that lies open to supplied Germans, how near to victory hexes, and what they hold open to Allies."""
    germans, allies = occupied(s, GERMAN), occupied(s, ALLIED)
    total = _openness(s.data, free, s.ground.victory & allies)
    held = s.german_held & s.ground.victory
    within_reach = (held & supplied | s.ground.victory & free).bit_count()
    total += SUDDEN_DEATH * max(0, within_reach - SUDDEN_DEATH_POINTS + 1)
    if held:
        near = _within_steps(s.ground, held)  # nothing farther away matters, so that the same ground is often asked for
        enterable = _open_ground(s.ground, allies & near, germans & near, zone(s, GERMAN) & near, s.blown)
        total -= ENTERABLE * (held & enterable).bit_count()
    return total


def _supply(s: WoodsState, supplied: int) -> float:
    """Hexes with units that cannot trace supply; an enemy cut off is good only as long as he can be destroyed."""
    there, allies_there = occupied(s, GERMAN), occupied(s, ALLIED)
    germans = (there ^ there & supplied).bit_count() + 0.3 * s.oos.bit_count()
    allies = (allies_there ^ allies_there & supplied_hexes(s, ALLIED)).bit_count()
    return ALLIED_CUT * allies - GERMAN_CUT * germans


def _lines(s: WoodsState, supplied: int) -> float:
    """What the Germans would lose of their supply if Allied units slipped behind the front."""
    unsafe = supplied & ~kept(s)
    held = s.german_held & s.ground.victory
    return -UNSAFE_UNIT * (occupied(s, GERMAN) & unsafe).bit_count() - UNSAFE_TOWN * (held & unsafe).bit_count()


# ---- attacks under way ------------------------------------------------------------------------------------


def pending(s: WoodsState, seat: Seat) -> float:
    """What a declared combat promises to `seat`, by exact odds."""
    frame = s.stack[-1]
    if isinstance(frame, Attack):
        battle = Battle(frame.side, frame.hex, frame.joined or frame.ready)
    elif isinstance(frame, (Support, CombatRoll)):
        battle = frame.battle
    else:
        return 0.0
    column = odds(s, battle).column
    results = [result_of(s, battle, column, die) for die in DIE]
    values = _results(s, battle)
    promise = sum(values[result] for result in results) / len(results)
    return promise if SEATS[battle.side] == seat else -promise


def _results(s: WoodsState, b: Battle) -> dict[str, float]:
    """By result: what it is worth to the attacker."""
    defenders = units_at(s, b.hex)
    pain, harm = min(_step(s, u) for u in b.units), min(_step(s, u) for u in defenders)
    changes_hands = s.ground.victory >> b.hex & 1 and bool(s.german_held >> b.hex & 1) != (b.side == GERMAN)
    ground = 1.0 + 0.2 * len(defenders) + (HELD if changes_hands else 0.0)
    return {"AL1": -pain, "NE": 0.0, "BL1": harm - pain, "DR": ground, "DR*": ground + harm}


def _step(s: WoodsState, u: UnitId) -> float:
    """What the loss of its next step costs the owner of a unit."""
    lost, worth = s.lost[u], worths(s.data).worth[u]
    return HUNDREDTH * abs(worth[lost] - (worth[lost + 1] if lost + 1 < s.units.steps[u] else 0))


# ---- what is worth weighing ----------------------------------------------------------------------------


def candidates(s: WoodsState) -> list[Action]:
    """The candidates; of a unit's moves only those towards the goals, beside enemies, and onto what can be taken."""
    actions = engine.candidates(s)
    frame = s.stack[-1]
    if isinstance(frame, FirstChit):
        return _first_chits(actions)
    if isinstance(frame, Support):
        return _best_guns(s, frame, actions)
    if isinstance(frame, ChooseFormation):
        return _next_formations(s, actions)
    if isinstance(frame, Retreat):
        return _homeward(s.ground, frame.side, actions)
    if isinstance(frame, Convert):
        return [("pass",)]  # on the first day the road is worth more than a step
    if not isinstance(frame, (MoveUnit, UnderWay)) or len(actions) <= MOST_NEARER + MOST_BESIDE:
        return actions
    return _promising_moves(s, frame, actions)


def _promising_moves(s: WoodsState, frame: MoveUnit | UnderWay, actions: list[Action]) -> list[Action]:
    side = frame.side
    weights = _weights(s, side)
    pulls, hexes = worths(s.data).pull, {int(a[-1]) for a in actions}
    pull = {h: sum(map(mul, weights, pulls[h])) for h in hexes}
    stay = ("move", frame.unit, s.where[frame.unit])
    moves = sorted((a for a in actions if a != stay), key=lambda a: -pull[int(a[-1])])
    beside = next_to(s.ground, occupied(s, 1 - side))
    taken = (s.ground.victory | s.ground.town) & (~s.german_held if side == GERMAN else s.german_held)
    chosen = {stay, *moves[:MOST_NEARER]}
    chosen.update([a for a in moves if beside >> int(a[-1]) & 1][:MOST_BESIDE])
    chosen.update(a for a in moves if a[0] == "move" and taken >> int(a[-1]) & 1)
    chosen.update(_stopgaps(s, moves, beside) if side == ALLIED else _guards(s, moves))
    if frame.unit == s.units.peiper and not s.fuel:
        chosen.update(a for a in moves if int(a[-1]) == s.ground.fuel)
    return [a for a in actions if a in chosen]


def _stopgaps(s: WoodsState, moves: list[Action], beside: int) -> list[Action]:
    """Moves into victory hexes without a garrison, and onto roads that lie open to the Germans."""
    germans, allies = occupied(s, GERMAN), occupied(s, ALLIED)
    bare = s.ground.victory & ~s.german_held & ~allies
    gaps = _open_ground(s.ground, germans, allies, zone(s, ALLIED), s.blown) & s.ground.road_hexes & ~beside
    into = [a for a in moves if bare >> int(a[-1]) & 1]
    return into + [a for a in moves if gaps >> int(a[-1]) & 1][:MOST_STOPGAPS]


def _guards(s: WoodsState, moves: list[Action]) -> list[Action]:
    """Moves of Germans onto roads in supply that Allied units could cut."""
    unsafe = supplied_hexes(s, GERMAN) & ~kept(s) & s.ground.road_hexes
    return [a for a in moves if unsafe >> int(a[-1]) & 1][:MOST_STOPGAPS]


@cache
def _home(ground: Ground, side: int) -> tuple[int, ...]:
    """By hex: how far it is to a side's own edge of the map."""
    return tuple(distances(bits(ground.entries[side]), ground.board.adjacent))


def _homeward(ground: Ground, side: int, actions: list[Action]) -> list[Action]:
    """Retreats that lead towards the own side, or as little away from it as can be."""
    home = _home(ground, side)
    nearest = sorted(actions, key=lambda a: home[int(a[-1])])[:MOST_RETREATS]
    return [a for a in actions if a in nearest]


def _next_formations(s: WoodsState, actions: list[Action]) -> list[Action]:
    """The formations of the next kind: to leave one out gains nothing."""
    named = [action for action in actions if action[0] == "formation"]
    kind = min((formation_kind(s.units, int(action[1])) for action in named), default=-1)
    return [action for action in named if formation_kind(s.units, int(action[1])) == kind] or actions


def _first_chits(actions: list[Action]) -> list[Action]:
    """The chit that lets most units move and fight: no look ahead sees a whole round."""
    best = min(FIRST_CHITS.index(int(action[1])) for action in actions)
    return [action for action in actions if FIRST_CHITS.index(int(action[1])) == best]


def _best_guns(s: WoodsState, frame: Support, actions: list[Action]) -> list[Action]:
    """The use of guns that changes the odds most, the least guns that do so; or no more."""
    sign = 1 if frame.attacking else -1

    def effect(action: Action) -> tuple[int, bool, int]:
        a = int(action[1])
        column = odds(s, frame.with_gun(a, action[0] == "double").battle).column
        return sign * column, action[0] == "support", -s.assets.strength[a]

    best = max((action for action in actions if len(action) > 1), key=effect, default=None)
    return [action for action in actions if action in (best, ("resolve",))]


def _weights(s: WoodsState, side: int) -> list[float]:
    """By victory hex: how much more strength of a side near it changes what the judge calls approach."""
    weights = []
    urgency = _urgency(s.data, _german_ground(s, supplied_hexes(s, GERMAN)))
    held = _among_targets(s.data, s.german_held & s.ground.victory)
    massed = ([field / SCALE for field in unpacked(sums, len(urgency))] for sums in survey(s).massed)
    for is_held, urgent, attack, defence, back in zip(held, urgency, *massed, strict=True):
        if is_held:
            weights.append((back + 3.0 if side == GERMAN else attack + 3.0) / (attack + back + 6.0) ** 2)
        else:
            share = (defence + 8.0 if side == GERMAN else attack) / (attack + defence + 8.0) ** 2
            weights.append(urgent * share)
    return weights


def _readiness(s: WoodsState) -> float:
    """A unit in hand, and those that still may move or fight, are worth a little to their side."""
    frame = s.stack[-1]
    selected = isinstance(frame, MoveUnit)
    waiting = s.active & ~s.done | s.fighters & ~s.fought
    if isinstance(frame, ChooseFormation):
        waiting |= frame.units(s)
    if not waiting and not selected:
        return 0.0
    german = frame.side == GERMAN if isinstance(frame, MoveUnit) else s.units.side[waiting.bit_length() - 1] == GERMAN
    worth = 0.002 * waiting.bit_count() + (0.01 if selected else 0.0)
    return worth if german else -worth


# ---- the part of the game ----------------------------------------------------------------------


class WoodsJudge(Judge[WoodsState]):
    """Features are positive when good for the seat; what each is worth stands in data/weights.toml."""

    weighs_rolls = True
    piece_worth = 0.01  # a unit attacks once a round and seldom has another target

    def __init__(self, data: Data) -> None:
        self.data = data

    def features(self, s: WoodsState, seat: Seat) -> dict[str, float]:
        german = _german_features(s)
        return german if seat == SEATS[GERMAN] else {name: -value for name, value in german.items()}

    def weights(self, side: Seat) -> Mapping[str, float]:
        return self.data.weights[side]

    def elapsed(self, s: WoodsState) -> float:
        return (s.turn - 1 + len(s.track) / (len(s.track) + sum(s.cup) + 1)) / turns_of(s)

    def pending(self, s: WoodsState, seat: Seat) -> float:
        return pending(s, seat)

    def candidates(self, s: WoodsState) -> list[Action]:
        return candidates(s)
