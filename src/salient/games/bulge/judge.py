"""Battle of the Bulge: what makes a position good, for bots and for their reasons.

All features are counted for the Axis and turned over for the Allies. Their unit is about one infantry. What is pending
on the stack (an attack declared, a hex activated, a truck under way, aircraft in the sky) counts for what it promises.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import tanh
from operator import mul

from salient.common.data import data_folder, own_folder
from salient.common.weights import Weights, read_weights
from salient.games.bulge.combat import NOWHERE, BattleRoll, Combat, LastBattle, dice_of
from salient.games.bulge.model import (
    ALLIED,
    AROUND,
    AXIS,
    BOARD,
    CITIES,
    COMBAT_KINDS,
    FORMATION_SIDE,
    FORMATION_TURN,
    GAME_ID,
    HEXES,
    POINTS,
    ROADS,
    SEATS,
    SIDES,
    STACK_LIMIT,
    SUPPLY,
    TRUCK,
    TURNS,
    VICTORY_POINTS,
    WHOLE,
    BulgeState,
    around,
    counts,
    fighting,
    owned,
    present,
    side_at,
    unmoved,
)
from salient.games.bulge.movement import Move, reach, stops
from salient.games.bulge.strips import Squares, square_count, weights
from salient.games.bulge.trucks import Trucks
from salient.games.bulge.upkeep import front_line, points
from salient.hexes.flood import compile_masks, spread
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import HexSet
from salient.kernel import Seat
from salient.kernel.judge import Judge

WORTH = (1.0, 2.2, 2.6, 0.8, 0.15)  # infantry, tank, artillery, truck, supply token
DICE = (1, 2, 3)
RETREAT = 0.3  # of a piece's worth
# By distance of a unit from a city: the share of its strength that threatens or guards it.
INFLUENCE = (1.0, 0.75, 0.4, 0.22, 0.1)
CITY_LIST = tuple(POINTS)
OPEN_ROADS = compile_masks(BOARD, lambda a, b: bool(ROADS[a] >> b & 1))
NEIGHBOURS = tuple(tuple(bits(AROUND[h])) for h in range(HEXES))
NEAR_CITIES = tuple(
    tuple(
        (i, INFLUENCE[distance])
        for i, city in enumerate(CITY_LIST)
        if (distance := BOARD.distance(h, city)) < len(INFLUENCE)
    )
    for h in range(HEXES)
)
# By side and turn: the worth of each piece on the charts, less when it could have come already.
CHART_WORTH = tuple(
    tuple(
        tuple(
            WORTH[kind] * (0.6 if FORMATION_TURN[f] <= turn else 1.0) if owner == side else 0.0
            for f, owner in enumerate(FORMATION_SIDE)
            for kind in COMBAT_KINDS
        )
        for turn in range(1, TURNS + 1)
    )
    for side in SIDES
)
# The same by hex as one number, a field for each city, so that strengths are added for all cities at once.
FIELD_BITS = 24
FIELD = (1 << FIELD_BITS) - 1
NEUTRAL = 300  # of the ground itself
CITY_SHARES = tuple(sum(int(100 * share) << FIELD_BITS * i for i, share in NEAR_CITIES[h]) for h in range(HEXES))
DECIDED = 4.0  # points above or below those that win which all but decide
READY = (0.0, 0.5, 0.75, 0.9, 1.0)  # by tokens at hand: how far a stack can use its strength


FEATURES = (
    "points", "decision", "cities", "raids", "losses", "supply", "threats", "stacking", "pending", "aircraft",
    "victory",
)  # fmt: skip


@lru_cache(maxsize=1)
def feature_weights() -> Weights:
    """By side: what each feature is worth."""
    return read_weights(data_folder(__package__), SEATS, FEATURES, own_folder(GAME_ID))


def _axis_features(s: BulgeState, seat: Seat) -> dict[str, float]:
    if s.winner:
        won = 1.0 if s.winner == seat else -1.0 if s.winner in SEATS else 0.0
        return {"victory": won if side_at(s, seat) == AXIS else -won}
    axis, allied = host(s, AXIS), host(s, ALLIED)
    urgency = 0.6 + 0.8 * s.turn / TURNS
    control = front_line(s.control, fighting(s, AXIS), fighting(s, ALLIED), present(s, ALLIED))
    axis_payers, allied_payers = _payers(s, AXIS, axis), _payers(s, ALLIED, allied)
    return {
        "points": urgency * _points(s, control),
        "decision": _decision(s, control, axis, axis_payers),
        "cities": urgency * _cities(control, axis, allied),
        "raids": urgency
        * (_raids(s, AXIS, axis.tanks, axis.tank_count) - _raids(s, ALLIED, allied.tanks, allied.tank_count)),
        "losses": _worth(s, AXIS, axis) - _worth(s, ALLIED, allied),
        "supply": _supply(s, AXIS, axis, axis_payers) - _supply(s, ALLIED, allied, allied_payers),
        "threats": _threats(s, AXIS, axis, axis_payers, allied) - _threats(s, ALLIED, allied, allied_payers, axis),
        "stacking": _crowding(s, ALLIED, allied) - _crowding(s, AXIS, axis),
        "pending": _pending(s),
        "aircraft": _aircraft(s, AXIS) - _aircraft(s, ALLIED),
    }


# ---- the pieces of a side ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class Host:
    """What a side has on the board, counted once for every position in which it stands like this."""

    pieces: dict[int, Squares]  # by hex
    dice: dict[int, int]  # by hex with combat units
    influence: int  # the strength that it brings to bear on each city, packed
    tanks: int  # the hexes with tanks, as bits
    tank_count: int
    tokens: dict[int, int]  # by hex
    token_hexes: int
    token_count: int
    worth: float
    crowding: float  # pieces beyond the limits


def host(s: BulgeState, side: int) -> Host:
    """What a side has on the board."""
    row = side * 5 * HEXES
    return _host(bytes(s.ground[row : row + 5 * HEXES]), present(s, side))


@lru_cache(maxsize=1 << 12)
def _host(ground: bytes, hexes: int) -> Host:
    kinds = [ground[kind * HEXES : (kind + 1) * HEXES] for kind in range(5)]
    infantries, armour, artillery, lorries, supplies = kinds
    pieces = {h: (infantries[h], armour[h], artillery[h], lorries[h], supplies[h]) for h in bits(hexes)}
    dice: dict[int, int] = {}
    influence = tanks = 0
    crowding = worth = 0.0
    for h, (infantry, tank, guns, trucks, tokens) in pieces.items():
        if infantry or tank or guns:
            dice[h] = infantry + 2 * tank + 3 * guns
            influence += (dice[h] + 2 * (infantry + tank) + guns) * CITY_SHARES[h]
            tanks |= (tank > 0) << h
            number = infantry + tank + guns + trucks + (tokens > 0)
            if number > 3:
                over = max(0, infantry - 6) + max(0, tank - 6) + max(0, guns - 3)
                crowding += 0.7 * max(over, number - STACK_LIMIT)
    for kind in range(4):
        worth += WORTH[kind] * sum(kinds[kind])
    by_hex = {h: squares[SUPPLY] for h, squares in pieces.items() if squares[SUPPLY]}
    return Host(
        pieces, dice, influence, tanks, sum(kinds[1]), by_hex, mask_of(by_hex), sum(kinds[SUPPLY]), worth, crowding
    )


# ---- cities ----------------------------------------------------------------------------------------------


def _decision(s: BulgeState, control: HexSet, axis: Host, payers: HexSet) -> float:
    """How near the end is, and on which side of the points that win the Axis will be, with raids that can be paid."""
    able = axis.tanks & (axis.token_hexes | around(payers))
    within_reach = points(control) + 0.6 * _raids(s, AXIS, able, axis.tank_count)
    return (s.turn / TURNS) ** 2 * tanh((within_reach - VICTORY_POINTS + 0.5) / DECIDED)


def _points(s: BulgeState, control: HexSet) -> float:
    held = points(control)
    return 1.6 * held + (25.0 if held >= VICTORY_POINTS else 0.0)


def _cities(control: HexSet, axis: Host, allied: Host) -> float:
    """Each city is worth to a side what its units near it promise."""
    attack, guard = axis.influence, allied.influence
    total = 0.0
    for city, value in POINTS.items():
        mine = attack & FIELD
        if mine:
            share = mine / (mine + (guard & FIELD) + NEUTRAL)
            total += value * share * (0.5 if control >> city & 1 else 0.9)
        attack >>= FIELD_BITS
        guard >>= FIELD_BITS
    return total


@lru_cache(maxsize=1 << 14)
def raided(tanks: int, enemies: int, enemy_hexes: int) -> int:
    """The hexes that tanks reach along roads, as bits."""
    stop = stops(enemies, enemy_hexes)
    reached = frontier = spread(tanks, OPEN_ROADS) & ~enemies
    while frontier:
        frontier = spread(frontier & ~stop, OPEN_ROADS) & ~enemies & ~reached
        reached |= frontier
    return reached


def _raids(s: BulgeState, side: int, tanks: int, number: int) -> float:
    """The points of empty cities that a side's tanks reach along roads, as many as it has tanks."""
    theirs = owned(s, 1 - side)
    open_cities = raided(tanks, fighting(s, 1 - side), theirs) & CITIES & theirs if tanks else 0
    values = sorted((POINTS[h] for h in bits(open_cities)), reverse=True)
    return float(sum(values[:number]))


# ---- pieces ------------------------------------------------------------------------------------------------


def _worth(s: BulgeState, side: int, own: Host) -> float:
    """The pieces on the board, and a little less for those that have yet to come."""
    total = own.worth
    total += float(sum(map(mul, s.charts, CHART_WORTH[side][s.turn - 1])))
    total += (WORTH[TRUCK] + 0.4) * s.base[side * 4]
    if any(s.aboard) or isinstance(s.stack[-1], Trucks):
        total += _carried(s, side)
    return total


def _carried(s: BulgeState, side: int) -> float:
    """What trucks of the moving side carry: it will be unloaded where they stand."""
    frame = next((frame for frame in s.stack if isinstance(frame, Trucks)), None)
    if frame is None or frame.side != side:
        return 0.0
    total = 0.3 if frame.start != NOWHERE else 0.0
    infantry, guns, tokens = frame.cargo()
    total += 1.05 * infantry + 2.65 * guns + 0.34 * tokens
    zone = around(fighting(s, 1 - side))
    mine = fighting(s, side)
    for h in bits(present(s, side)):
        infantry, guns, tokens = s.aboard[h], s.aboard[HEXES + h], s.aboard[2 * HEXES + h]
        if infantry or guns:
            total += infantry + 2.6 * guns + (0.02 * (infantry + 3 * guns)) * sum(x for _, x in NEAR_CITIES[h])
        if tokens:
            near = mine & (AROUND[h] | 1 << h)
            total += tokens * (0.3 + 0.04 * min(3, near.bit_count()))
            if zone >> h & 1 and not mine >> h & 1:
                total -= 0.2 * tokens
    return total


@lru_cache(maxsize=1 << 12)
def _front_distance(enemies: int) -> tuple[int, ...]:
    """By hex: the distance to the nearest enemy combat unit, at most 6."""
    steps = [6] * HEXES
    reached = frontier = enemies
    for distance in range(6):
        for h in bits(frontier):
            steps[h] = distance
        frontier = around(frontier) & ~reached
        reached |= frontier
    return tuple(steps)


def _payers(s: BulgeState, side: int, own: Host) -> HexSet:
    """The hexes whose tokens can pay for a neighbour, as bits."""
    return own.token_hexes & owned(s, side) & ~present(s, 1 - side)


def _supply(s: BulgeState, side: int, own: Host, payers: HexSet) -> float:
    """Tokens off the board are worth little, near units more; stacks without a token cannot act."""
    tokens = 0.12 * s.base[side * 4 + 1] + 0.25 * own.token_count
    return _fed(own, tokens, payers, _close(fighting(s, 1 - side)) & fighting(s, side))


@lru_cache(maxsize=1 << 13)
def _fed(own: Host, tokens: float, payers: HexSet, close: HexSet) -> float:
    """What tokens are worth, and the stacks that can use them: those close to the enemy in full, others by half."""
    near: dict[int, int] = {}
    for payer in bits(payers):
        for h in NEIGHBOURS[payer]:
            near[h] = near.get(h, 0) + own.tokens[payer]
    total = tokens
    for h, dice in own.dice.items():
        at_hand = own.pieces[h][SUPPLY] + near.get(h, 0)
        total += 0.05 * dice * READY[min(at_hand, 4)] * (1.0 if close >> h & 1 else 0.5)
    return total


@lru_cache(maxsize=1 << 13)
def _close(enemies: int) -> int:
    """The hexes at most two away from enemies, as bits."""
    near = around(enemies)
    return enemies | near | around(near)


def _crowding(s: BulgeState, side: int, own: Host) -> float:
    """Pieces beyond the limits are driven out by the enemy; trucks and supply alone beside him are lost."""
    total = own.crowding
    alone = present(s, side) & ~fighting(s, side) & around(fighting(s, 1 - side))
    for h in bits(alone):
        pieces = own.pieces[h]
        total += 0.5 * pieces[3] + 0.1 * pieces[4]
    return total


# ---- attacks ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 15)
def harm(dice: int, squares: Squares) -> float:
    """What a number of dice cost the owner of a hex on average, exactly, by the worth of his pieces."""
    faces, misses = weights(square_count(squares))
    total, at = 0.0, 0
    for kind, pieces in enumerate(squares[:4]):
        for face in faces[at : at + pieces]:
            p = face / (2 * misses)
            none = (1 - p) ** dice
            one = dice * p * (1 - p) ** (dice - 1) if dice else 0.0
            lost = 1 - none if kind == TRUCK else 1 - none - one + RETREAT * one
            total += WORTH[kind] * lost
        at += pieces
    if squares[4]:
        total += 0.25 * min(squares[4], dice * faces[-1] / (2 * misses))
    return total


@lru_cache(maxsize=1 << 15)
def clearing(dice: int, squares: Squares) -> float:
    """About how likely all combat units leave a hex."""
    faces, misses = weights(square_count(squares))
    chance = 1.0
    for face in faces[: sum(squares[:3])]:
        chance *= 1 - (1 - face / (2 * misses)) ** dice
    return chance


def blow(s: BulgeState, side: int, target: int, dice: int) -> float:
    """What an attack of a side promises: harm, and ground where a city is cleared."""
    squares = counts(s, 1 - side, target)
    if not dice or not any(squares):
        return 0.0
    value = harm(dice, squares)
    if any(squares[:3]):
        ground = 0.8 * POINTS[target] if target in POINTS and bool(s.control >> target & 1) != (side == AXIS) else 0.4
        value += ground * clearing(dice, squares)
    return value


def _threats(s: BulgeState, side: int, own: Host, payers: HexSet, enemy: Host) -> float:
    """What the stacks of a side promise against those next to them, each attacking where it hurts most."""
    able = fighting(s, side) & (own.token_hexes | around(payers)) & around(present(s, 1 - side))
    dice, theirs = own.dice, enemy.pieces
    total = 0.0
    for h in bits(able):
        total += max([harm(dice[h], theirs[near]) for near in NEIGHBOURS[h] if near in theirs])
    return total


# ---- what is pending ---------------------------------------------------------------------------------------------


def _pending(s: BulgeState) -> float:
    """What the decision under way promises the Axis."""
    total = 0.0
    for frame in s.stack[1:]:
        if isinstance(frame, Combat) and frame.hex != NOWHERE:
            gain = sum(0.85 * blow(s, frame.side, each[0], dice_of(each[1:])) for each in frame.plan(s))
        elif isinstance(frame, BattleRoll):
            gain = 0.9 * blow(s, frame.side, frame.target, frame.dice)
        elif isinstance(frame, LastBattle):
            gain = 0.9 * blow(s, frame.side, frame.declared[0], dice_of(frame.declared[1:]))
        elif isinstance(frame, Move):
            gain = _movement(s, frame)
        else:
            continue
        total += gain if frame.side == AXIS else -gain
    return total


def _movement(s: BulgeState, frame: Move) -> float:
    """What the units of an activated hex gain by the best step towards cities worth having."""
    side, h = frame.side, frame.hex
    goals = _goals(s.control if side == ALLIED else WHOLE & ~s.control, fighting(s, 1 - side), side)
    total = 0.0
    for kind in COMBAT_KINDS:
        n = unmoved(s, side, kind, h)
        if n:
            best = max((goals[to] for to in reach(s, side, kind, h, bool(frame.blitz))), default=0.0)
            total += n * DICE[kind] * max(0.0, best - goals[h])
    return 0.35 * total


@lru_cache(maxsize=1 << 12)
def _goals(wanted: int, enemies: int, side: int) -> tuple[float, ...]:
    """By hex: how good it is for a side to stand there."""
    near = _front_distance(enemies)
    values = []
    for h in range(HEXES):
        value = 0.0
        for i, share in NEAR_CITIES[h]:
            city = CITY_LIST[i]
            if side == AXIS:
                if wanted >> city & 1:
                    value += POINTS[city] * share * (0.5 if enemies >> city & 1 else 1.0)
            else:
                value += POINTS[city] * share * (1.0 if near[city] < 3 else 0.3)
        values.append(0.08 * value + (0.05 if 1 <= near[h] <= 2 else 0.0))
    return tuple(values)


# ---- aircraft -------------------------------------------------------------------------------------------------------


def _aircraft(s: BulgeState, side: int) -> float:
    """Aircraft over enemy pieces promise harm, over enemy aircraft a dogfight; at home they keep their worth."""
    fighters, bombers = s.base[side * 4 + 2], s.base[side * 4 + 3]
    total = 0.5 * fighters + 1.2 * bombers
    if not any(s.planes):
        return total
    row, other = side * 2 * HEXES, (1 - side) * 2 * HEXES
    for h in bits(WHOLE):
        f, b = s.planes[row + h], s.planes[row + HEXES + h]
        if f or b:
            total += 0.5 * f + 1.2 * b
            enemies = s.planes[other + h] + s.planes[other + HEXES + h]
            survive = (f + b) / (f + b + enemies) if enemies else 1.0
            squares = counts(s, 1 - side, h)
            if any(squares):
                fire = 0.5 * sum(n > 0 for n in squares)
                left = max(0.2, 1 - 0.6 * fire / (f + b))
                total += survive * blow(s, side, h, max(1, round(left * (f + 4 * b))))
            if enemies:
                total += 0.2 * min(enemies, f + b)
    return total


# ---- the part of the game ----------------------------------------------------------------------


class BulgeJudge(Judge[BulgeState]):
    """Features are positive when good for the seat; what each is worth stands in data/weights.toml."""

    weighs_rolls = True

    def features(self, s: BulgeState, seat: Seat) -> dict[str, float]:
        axis = _axis_features(s, seat)
        return axis if side_at(s, seat) == AXIS else {name: -value for name, value in axis.items()}

    def weights(self, side: Seat) -> Mapping[str, float]:
        return feature_weights()[side]

    def elapsed(self, s: BulgeState) -> float:
        return (s.turn - 1) / TURNS

    def side(self, s: BulgeState, seat: Seat) -> Seat:
        return SEATS[side_at(s, seat)]
