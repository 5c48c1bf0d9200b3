"""Battle of the Bulge: what makes a position good, for bots and for their reasons.

All features are counted for the Axis and turned over for the Allies. Their unit is about one infantry. What is pending
on the stack (an attack declared, a hex activated, a truck under way, aircraft in the sky) counts for what it promises.
"""

from __future__ import annotations

from functools import lru_cache
from operator import mul

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
from salient.kernel import Seat

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
READY = (0.0, 0.5, 0.75, 0.9, 1.0)  # by tokens at hand: how far a stack can use its strength


def features(s: BulgeState, seat: Seat) -> dict[str, float]:
    """Named and weighted reasons, positive when good for `seat`."""
    axis = _axis_features(s, seat)
    return axis if side_at(s, seat) == AXIS else {name: -value for name, value in axis.items()}


def _axis_features(s: BulgeState, seat: Seat) -> dict[str, float]:
    if s.winner:
        won = 1000.0 if s.winner == seat else -1000.0 if s.winner in SEATS else 0.0
        return {"victory": won if side_at(s, seat) == AXIS else -won}
    axis, allied = _forces(s, AXIS), _forces(s, ALLIED)
    axis_supply, allied_supply = _tokens(s, AXIS), _tokens(s, ALLIED)
    urgency = 0.6 + 0.8 * s.turn / TURNS
    control = front_line(s.control, fighting(s, AXIS), fighting(s, ALLIED), present(s, ALLIED))
    return {
        "points": urgency * _points(s, control),
        "cities": urgency * _cities(control, axis, allied),
        "raids": 0.5 * urgency * (_raids(s, AXIS, axis) - _raids(s, ALLIED, allied)),
        "losses": _worth(s, AXIS) - _worth(s, ALLIED),
        "supply": _supply(s, AXIS, axis, *axis_supply) - _supply(s, ALLIED, allied, *allied_supply),
        "threats": 0.35 * (_threats(s, ALLIED, axis, axis_supply[1]) - _threats(s, AXIS, allied, allied_supply[1])),
        "stacking": _crowding(s, ALLIED, allied) - _crowding(s, AXIS, axis),
        "pending": _pending(s),
        "aircraft": _aircraft(s, AXIS) - _aircraft(s, ALLIED),
    }


# ---- cities ----------------------------------------------------------------------------------------------


def _points(s: BulgeState, control: int) -> float:
    held = points(control)
    return 1.6 * held + (25.0 if held >= VICTORY_POINTS else 0.0)


Forces = list[tuple[int, int, Squares]]  # hex, dice, pieces


def _forces(s: BulgeState, side: int) -> Forces:
    """Every hex with combat units of a side: its dice and its pieces."""
    found = []
    for h in bits(fighting(s, side)):
        pieces = counts(s, side, h)
        found.append((h, pieces[0] + 2 * pieces[1] + 3 * pieces[2], pieces))
    return found


def _influence(forces: Forces) -> int:
    """The strength that a side's units bring to bear on each city, packed."""
    total = 0
    for h, dice, pieces in forces:
        total += (dice + 2 * (pieces[0] + pieces[1]) + pieces[2]) * CITY_SHARES[h]
    return total


def _cities(control: int, axis: Forces, allied: Forces) -> float:
    """Each city is worth to a side what its units near it promise."""
    attack, guard = _influence(axis), _influence(allied)
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


def _raids(s: BulgeState, side: int, forces: Forces) -> float:
    """The points of empty cities that a side's tanks reach along roads, as many as it has tanks."""
    tanks = number = 0
    for h, _, pieces in forces:
        if pieces[1]:
            tanks |= 1 << h
            number += pieces[1]
    theirs = owned(s, 1 - side)
    open_cities = raided(tanks, fighting(s, 1 - side), theirs) & CITIES & theirs if tanks else 0
    values = sorted((POINTS[h] for h in bits(open_cities)), reverse=True)
    return float(sum(values[:number]))


# ---- pieces ------------------------------------------------------------------------------------------------


def _worth(s: BulgeState, side: int) -> float:
    """The pieces on the board, and a little less for those that have yet to come."""
    row = side * 5 * HEXES
    total = 0.0
    for kind in range(4):
        total += WORTH[kind] * sum(s.ground[row + kind * HEXES : row + (kind + 1) * HEXES])
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


def _tokens(s: BulgeState, side: int) -> tuple[list[int], int]:
    """A side's tokens by hex, and the hexes whose tokens can pay for a neighbour, as bits."""
    row = (side * 5 + SUPPLY) * HEXES
    tokens = s.ground[row : row + HEXES]
    return tokens, mask_of(h for h, n in enumerate(tokens) if n) & owned(s, side) & ~present(s, 1 - side)


def _supply(s: BulgeState, side: int, forces: Forces, tokens: list[int], payers: int) -> float:
    """Tokens off the board are worth little, near units more; stacks without a token cannot act."""
    total = 0.12 * s.base[side * 4 + 1] + 0.25 * sum(tokens)
    to_front = _front_distance(fighting(s, 1 - side))
    for h, dice, pieces in forces:
        at_hand = pieces[4]
        if at_hand < 4 and AROUND[h] & payers:
            for near in NEIGHBOURS[h]:
                if payers >> near & 1:
                    at_hand += tokens[near]
        total += 0.05 * dice * READY[min(at_hand, 4)] * (1.0 if to_front[h] < 3 else 0.5)
    return total


def _crowding(s: BulgeState, side: int, forces: Forces) -> float:
    """Pieces beyond the limits are driven out by the enemy; trucks and supply alone beside him are lost."""
    total = 0.0
    for _, _, (infantry, tanks, guns, trucks, tokens) in forces:
        number = infantry + tanks + guns + trucks + (tokens > 0)
        if number > 3:
            over = max(0, infantry - 6) + max(0, tanks - 6) + max(0, guns - 3)
            total += 0.7 * max(over, number - STACK_LIMIT)
    alone = present(s, side) & ~fighting(s, side) & around(fighting(s, 1 - side))
    for h in bits(alone):
        pieces = counts(s, side, h)
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


def _threats(s: BulgeState, side: int, attackers: Forces, payers: int) -> float:
    """What a side stands to lose to the stacks next to it, each attacking where it hurts most."""
    total = 0.0
    mine = present(s, side)
    for h, dice, pieces in attackers:
        if AROUND[h] & mine and (pieces[4] or AROUND[h] & payers):
            worst = 0.0
            for near in NEIGHBOURS[h]:
                if mine >> near & 1:
                    worst = max(worst, harm(dice, counts(s, side, near)))
            total += worst
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
        elif isinstance(frame, Move) and frame.hex != NOWHERE:
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
