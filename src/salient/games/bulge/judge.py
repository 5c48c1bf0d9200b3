"""Battle of the Bulge: what makes a position good, for bots and for their reasons.

All features are counted for the Axis and turned over for the Allies. Their unit is about one infantry. What is pending
on the stack (an attack declared, a hex activated, a truck under way, aircraft in the sky) counts for what it promises.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import tanh
from operator import mul

from salient.common.sums import added
from salient.games.bulge.combat import NOWHERE, BattleRoll, Combat, LastBattle, dice_of
from salient.games.bulge.components import (
    ALLIED,
    AXIS,
    COMBAT_KINDS,
    SEATS,
    SUPPLY,
    TANK,
    TRUCK,
    Data,
    Ground,
)
from salient.games.bulge.model import (
    BulgeState,
    around,
    counts,
    fighting,
    hexes_with,
    owned,
    present,
    side_at,
    stores,
    unmoved,
)
from salient.games.bulge.movement import Move, reach
from salient.games.bulge.raids import exposed, raids
from salient.games.bulge.survey import (
    WORTH,
    Host,
    Prospects,
    Survey,
    Worths,
    clearing,
    harm,
    survey,
    unpacked,
    worths,
)
from salient.games.bulge.trucks import Trucks
from salient.games.bulge.upkeep import front_line, points
from salient.hexes.masks import bits
from salient.hexes.sets import HexId, HexSet
from salient.kernel import Seat
from salient.kernel.judge import Judge

DICE = (1, 2, 3)
NEUTRAL = 300  # of the ground itself near a city
DECIDED = 4.0  # points above or below those that win which all but decide


def _axis_features(s: BulgeState, seat: Seat) -> dict[str, float]:
    if s.winner:
        won = 1.0 if s.winner == seat else -1.0 if s.winner in SEATS else 0.0
        return {"victory": won if side_at(s, seat) == AXIS else -won}
    found = survey(s)
    key = (s.turn, s.base[AXIS * 4 + 1], s.base[ALLIED * 4 + 1])
    if s.judged is None or s.judged[0] is not found or s.judged[1] != key:
        s.judged = found, key, _board_features(s, found)
    axis, allied = found.hosts
    known = worths(s.data)
    board = s.judged[2]
    if s.aboard != known.nothing_aboard:
        board = board | _exposure(s, found, _line(s))
    return {
        **board,
        "losses": _worth(s, known, AXIS, axis) - _worth(s, known, ALLIED, allied),
        "pending": _pending(s),
        "aircraft": _aircraft(s, known, AXIS) - _aircraft(s, known, ALLIED),
    }


def _board_features(s: BulgeState, found: Survey) -> dict[str, float]:
    """The features that depend on pieces, the front line, the turn and the tokens off the board alone."""
    (axis, allied), (axis_ahead, allied_ahead) = found.hosts, found.prospects
    urgency, ground = _urgency(s), s.ground
    control = _line(s)
    return {
        "points": urgency * _points(s, control),
        "decision": _decision(s, control, axis, axis_ahead),
        "cities": urgency * _cities(worths(s.data), control & ground.cities, axis.influence, allied.influence),
        "raids": urgency
        * (raids(s, AXIS, axis.tanks, axis.totals[TANK]) - raids(s, ALLIED, allied.tanks, allied.totals[TANK])),
        **_exposure(s, found, control),
        "losses": 0.0,
        "supply": _supply(s, AXIS, axis, axis_ahead) - _supply(s, ALLIED, allied, allied_ahead),
        "threats": axis_ahead.threat - allied_ahead.threat,
        "stacking": _crowding(s, ALLIED, allied) - _crowding(s, AXIS, axis),
    }


def _urgency(s: BulgeState) -> float:
    return 0.6 + 0.8 * s.turn / s.tables.turns


def _line(s: BulgeState) -> HexSet:
    """The hexes that would be on the Axis side if the turn ended now, as bits."""
    return front_line(s.ground, s.control, fighting(s, AXIS), fighting(s, ALLIED), present(s, ALLIED))


# ---- cities ----------------------------------------------------------------------------------------------


def _decision(s: BulgeState, control: HexSet, axis: Host, ahead: Prospects) -> float:
    """How near the end is, and on which side of the points that win the Axis will be, with raids that can be paid."""
    within_reach = points(s.ground, control) + 0.6 * raids(s, AXIS, axis.tanks & _able(s, ahead), axis.totals[TANK])
    return (s.turn / s.tables.turns) ** 2 * tanh((within_reach - s.tables.victory_points + 0.5) / DECIDED)


def _exposure(s: BulgeState, found: Survey, control: HexSet) -> dict[str, float]:
    """The points that lie open to the next breakthrough, and how near it would bring the Axis to those that win."""
    points_open = exposed(s, found, _able(s, found.prospects[AXIS]))
    beyond = points(s.ground, control) + points_open - s.tables.victory_points
    return {"exposed": _urgency(s) * points_open, "peril": tanh((beyond + 0.5) / DECIDED)}


def _able(s: BulgeState, ahead: Prospects) -> HexSet:
    """The hexes for which Axis tokens can pay, as bits."""
    return stores(s, AXIS) | around(s.ground, ahead.payers)


def _points(s: BulgeState, control: HexSet) -> float:
    held = points(s.ground, control)
    return 1.6 * held + (25.0 if held >= s.tables.victory_points else 0.0)


@lru_cache(maxsize=1 << 12)
def _cities(known: Worths, control: HexSet, attacks: int, guards: int) -> float:
    """Each city is worth to a side what its units near it promise."""
    total = 0.0
    strengths = unpacked(known, attacks), unpacked(known, guards)
    for city, value, attack, guard in zip(known.cities, known.values, *strengths, strict=True):
        if attack:
            total += value * (attack / (attack + guard + NEUTRAL)) * (0.5 if control >> city & 1 else 0.9)
    return total


# ---- pieces ------------------------------------------------------------------------------------------------


def _worth(s: BulgeState, known: Worths, side: int, own: Host) -> float:
    """The pieces on the board, and a little less for those that have yet to come."""
    total = 0.0
    for kind in range(4):
        total += WORTH[kind] * own.totals[kind]
    total += _expected(known, side, s.turn, bytes(s.charts))
    total += (WORTH[TRUCK] + 0.4) * s.base[side * 4]
    if s.aboard != known.nothing_aboard or isinstance(s.stack[-1], Trucks):
        total += _carried(s, known, side)
    return total


@lru_cache(maxsize=1 << 10)
def _expected(known: Worths, side: int, turn: int, charts: bytes) -> float:
    """What a side's pieces on the charts are worth."""
    return float(sum(map(mul, charts, known.charts[side][turn - 1])))


def _carried(s: BulgeState, known: Worths, side: int) -> float:
    """What trucks of the moving side carry: it will be unloaded where they stand."""
    frame = next((frame for frame in s.stack if isinstance(frame, Trucks)), None)
    if frame is None or frame.side != side:
        return 0.0
    total = 0.3 if frame.start != NOWHERE else 0.0
    infantry, guns, tokens = frame.cargo(s)
    total += 1.05 * infantry + 2.65 * guns + 0.34 * tokens
    hexes, around_hex, near_cities = s.ground.hexes, s.ground.around, known.near_cities
    zone = around(s.ground, fighting(s, 1 - side))
    mine = fighting(s, side)
    for h in bits(present(s, side)):
        infantry, guns, tokens = s.aboard[h], s.aboard[hexes + h], s.aboard[2 * hexes + h]
        if infantry or guns:
            total += infantry + 2.6 * guns + (0.02 * (infantry + 3 * guns)) * sum(x for _, x in near_cities[h])
        if tokens:
            near = mine & (around_hex[h] | 1 << h)
            total += tokens * (0.3 + 0.04 * min(3, near.bit_count()))
            if zone >> h & 1 and not mine >> h & 1:
                total -= 0.2 * tokens
    return total


@lru_cache(maxsize=1 << 12)
def _front_distance(ground: Ground, enemies: int) -> tuple[int, ...]:
    """By hex: the distance to the nearest enemy combat unit, at most 6."""
    steps = [6] * ground.hexes
    reached = frontier = enemies
    for distance in range(6):
        for h in bits(frontier):
            steps[h] = distance
        frontier = around(ground, frontier) & ~reached
        reached |= frontier
    return tuple(steps)


def _supply(s: BulgeState, side: int, own: Host, ahead: Prospects) -> float:
    """Tokens off the board are worth little, near units more; stacks without a token cannot act."""
    tokens = 0.12 * s.base[side * 4 + 1] + 0.25 * own.totals[SUPPLY]
    return added(ahead.fed, tokens)


def _crowding(s: BulgeState, side: int, own: Host) -> float:
    """Pieces beyond the limits are driven out by the enemy; trucks and supply alone beside him are lost."""
    total = added([own.crowding[h] for h in sorted(own.crowding)])
    alone = present(s, side) & ~fighting(s, side) & around(s.ground, fighting(s, 1 - side))
    for h in bits(alone):
        pieces = own.pieces[h]
        total += 0.5 * pieces[3] + 0.1 * pieces[4]
    return total


# ---- attacks ------------------------------------------------------------------------------------------------


def blow(s: BulgeState, side: int, target: HexId, dice: int) -> float:
    """What an attack of a side promises: harm, and ground where a city is cleared."""
    squares = counts(s, 1 - side, target)
    if not dice or not any(squares):
        return 0.0
    value = harm(dice, squares)
    if any(squares[:3]):
        taken = target in s.ground.points and bool(s.control >> target & 1) != (side == AXIS)
        value += (0.8 * s.ground.points[target] if taken else 0.4) * clearing(dice, squares)
    return value


# ---- what is pending ---------------------------------------------------------------------------------------------


def _pending(s: BulgeState) -> float:
    """What the decision under way promises the Axis."""
    total = 0.0
    for frame in s.stack[1:]:
        if isinstance(frame, Combat) and frame.hex != NOWHERE:
            gain = sum(0.85 * blow(s, frame.side, each[0], dice_of(s.units, each[1:])) for each in frame.plan(s))
        elif isinstance(frame, BattleRoll):
            gain = 0.9 * blow(s, frame.side, frame.target, frame.dice)
        elif isinstance(frame, LastBattle):
            gain = 0.9 * blow(s, frame.side, frame.declared[0], dice_of(s.units, frame.declared[1:]))
        elif isinstance(frame, Move):
            gain = _movement(s, frame)
        else:
            continue
        total += gain if frame.side == AXIS else -gain
    return total


def _movement(s: BulgeState, frame: Move) -> float:
    """What the units of an activated hex gain by the best step towards cities worth having."""
    side, h = frame.side, frame.hex
    goals = _goals(s.data, owned(s, 1 - side), fighting(s, 1 - side), side)
    total = 0.0
    for kind in COMBAT_KINDS:
        n = unmoved(s, side, kind, h)
        if n:
            best = max([goals[to] for to in reach(s, side, kind, h, bool(frame.blitz))], default=0.0)
            total += n * DICE[kind] * max(0.0, best - goals[h])
    return 0.35 * total


@lru_cache(maxsize=1 << 12)
def _goals(data: Data, wanted: int, enemies: int, side: int) -> tuple[float, ...]:
    """By hex: how good it is for a side to stand there."""
    known, points_of, near = worths(data), data.ground.points, _front_distance(data.ground, enemies)
    values = []
    for h in range(data.ground.hexes):
        value = 0.0
        for i, share in known.near_cities[h]:
            city = known.cities[i]
            if side == AXIS:
                if wanted >> city & 1:
                    value += points_of[city] * share * (0.5 if enemies >> city & 1 else 1.0)
            else:
                value += points_of[city] * share * (1.0 if near[city] < 3 else 0.3)
        values.append(0.08 * value + (0.05 if 1 <= near[h] <= 2 else 0.0))
    return tuple(values)


# ---- aircraft -------------------------------------------------------------------------------------------------------


def _aircraft(s: BulgeState, known: Worths, side: int) -> float:
    """Aircraft over enemy pieces promise harm, over enemy aircraft a dogfight; at home they keep their worth."""
    fighters, bombers = s.base[side * 4 + 2], s.base[side * 4 + 3]
    total = 0.5 * fighters + 1.2 * bombers
    if s.planes == known.nothing_in_the_air:
        return total
    hexes = s.ground.hexes
    row, other = side * 2 * hexes, (1 - side) * 2 * hexes
    over = hexes_with(s.planes[row : row + hexes]) | hexes_with(s.planes[row + hexes : row + 2 * hexes])
    for h in bits(over):
        f, b = s.planes[row + h], s.planes[row + hexes + h]
        total += 0.5 * f + 1.2 * b
        enemies = s.planes[other + h] + s.planes[other + hexes + h]
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

    def __init__(self, data: Data) -> None:
        self.data = data

    def features(self, s: BulgeState, seat: Seat) -> dict[str, float]:
        axis = _axis_features(s, seat)
        return axis if side_at(s, seat) == AXIS else {name: -value for name, value in axis.items()}

    def weights(self, side: Seat) -> Mapping[str, float]:
        return self.data.weights[side]

    def elapsed(self, s: BulgeState) -> float:
        return (s.turn - 1) / s.tables.turns

    def side(self, s: BulgeState, seat: Seat) -> Seat:
        return SEATS[side_at(s, seat)]
