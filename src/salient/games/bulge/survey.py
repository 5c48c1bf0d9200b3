"""Battle of the Bulge: what the judge counts hex by hex, mended where something has changed since it last looked.

Whole numbers are mended. What is no whole number is kept by hex and added up in the order of the hexes, so that a
survey that was mended gives the same sums as one made afresh.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from sys import byteorder
from typing import NamedTuple

from salient.common.data import Part
from salient.common.sums import added
from salient.games.bulge.components import ALLIED, AXIS, COMBAT_KINDS, SIDES, SUPPLY, TANK, TRUCK, Data, Ground
from salient.games.bulge.model import STACK_LIMIT, BulgeState, around, counts, fighting, present, stores
from salient.games.bulge.strips import Squares, square_count, weights
from salient.games.bulge.supply import lenders
from salient.hexes.board import Board
from salient.hexes.masks import bits
from salient.hexes.sets import NO_HEXES, HexId, HexSet

WORTH = (1.0, 2.2, 2.6, 0.8, 0.15)  # infantry, tank, artillery, truck, supply token
RETREAT = 0.3  # of a piece's worth
READY = (0.0, 0.5, 0.75, 0.9, 1.0)  # by tokens at hand: how far a stack can use its strength
ENOUGH = len(READY) - 1
LIKELY = 0.4  # from this chance on a stack is taken to be driven out

# ---- what is known beforehand ----------------------------------------------------------------------------------

# By distance of a unit from a city: the share of its strength that threatens or guards it.
INFLUENCE = (1.0, 0.75, 0.4, 0.22, 0.1)
FIELD_BITS, FIELD_BYTES = 32, 4


class Worths(Part):
    """What the judge knows beforehand of hexes, cities and the pieces on the charts."""

    def __init__(self, data: Data) -> None:
        ground, formations = data.ground, data.formations
        hexes = range(ground.hexes)
        self.neighbours = tuple(tuple(bits(ground.around[h])) for h in hexes)
        self.cities = tuple(ground.points)
        self.values = tuple(ground.points.values())
        self.nothing_aboard, self.nothing_in_the_air = bytes(3 * ground.hexes), bytes(4 * ground.hexes)
        self.near_cities = tuple(self._near_cities(ground.board, h) for h in hexes)
        # The same by hex as one number, a field for each city, so that strengths are added for all cities at once.
        self.city_shares = tuple(
            sum(int(100 * share) << FIELD_BITS * i for i, share in self.near_cities[h]) for h in hexes
        )
        # By side and turn: the worth of each piece on the charts, less when it could have come already.
        self.charts = tuple(
            tuple(
                tuple(
                    WORTH[kind] * (0.6 if formations.turn[f] <= turn else 1.0) if owner == side else 0.0
                    for f, owner in enumerate(formations.side)
                    for kind in COMBAT_KINDS
                )
                for turn in range(1, data.tables.turns + 1)
            )
            for side in SIDES
        )

    def _near_cities(self, board: Board, h: int) -> tuple[tuple[int, float], ...]:
        """The cities by which a unit in a hex has influence, and the share of its strength."""
        distances = ((i, board.distance(h, city)) for i, city in enumerate(self.cities))
        return tuple((i, INFLUENCE[distance]) for i, distance in distances if distance < len(INFLUENCE))


@cache
def worths(data: Data) -> Worths:
    """What the judge knows beforehand."""
    return Worths(data)


def unpacked(known: Worths, influence: int) -> Sequence[int]:
    """The strength brought to bear on each city, in the order of the cities."""
    fields = memoryview(influence.to_bytes(FIELD_BYTES * len(known.cities), byteorder)).cast("I")
    return fields if byteorder == "little" else fields[::-1]


# ---- what attacks cost -------------------------------------------------------------------------------------


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


# ---- the pieces of a side ----------------------------------------------------------------------------------


class Host(NamedTuple):
    """What a side has on the board."""

    pieces: dict[int, Squares]  # by hex
    totals: tuple[int, int, int, int, int]  # by kind
    influence: int  # the strength that it brings to bear on each city, packed
    tanks: HexSet  # the hexes with tanks
    crowding: dict[int, float]  # by hex: what pieces beyond the limits cost


class Prospects(NamedTuple):
    """What the stacks of a side can do, and the hexes that it depends on, as bits."""

    payers: HexSet  # whose tokens can pay for a neighbour
    close: HexSet  # its stacks at most two hexes from the enemy
    able: HexSet  # its stacks that can attack
    fed: list[float]  # by hex: what tokens at hand make of a stack
    threats: list[float]  # by hex: what a stack promises where it hurts most
    threat: float  # all of them


class Survey(NamedTuple):
    """What was counted, by side, and the pieces and the front line as they stood."""

    board: bytes
    packed: int  # the same as one number
    control: HexSet
    hosts: tuple[Host, Host]
    prospects: tuple[Prospects, Prospects]
    weak: HexSet  # the hexes that the Axis stacks around them would probably clear of Allied units


NONE: Squares = (0, 0, 0, 0, 0)
NO_HOST = Host({}, NONE, 0, NO_HEXES, {})


@cache
def _nobody(ground: Ground) -> Survey:
    """The survey of an empty board."""
    by_hex = [0.0] * ground.hexes
    nothing = Prospects(NO_HEXES, NO_HEXES, NO_HEXES, by_hex, by_hex, 0.0)
    return Survey(bytes(10 * ground.hexes), 0, NO_HEXES, (NO_HOST, NO_HOST), (nothing, nothing), NO_HEXES)


def survey(s: BulgeState) -> Survey:
    """What stands on the board; only what has changed since the last time is counted anew."""
    before = s.surveyed or _nobody(s.ground)
    if s.pieces == before.board and s.control == before.control:
        return before
    packed = int.from_bytes(s.pieces, "little")
    axis, allies = _touched(packed ^ before.packed, s.ground.hexes)
    hosts = (
        _host(s, AXIS, before.hosts[AXIS], axis) if axis else before.hosts[AXIS],
        _host(s, ALLIED, before.hosts[ALLIED], allies) if allies else before.hosts[ALLIED],
    )
    prospects = (
        _prospects(s, AXIS, before.prospects[AXIS], hosts, axis, allies),
        _prospects(s, ALLIED, before.prospects[ALLIED], hosts, allies, axis),
    )
    weak = _weak(s, before, hosts, prospects[AXIS].able, axis, allies)
    s.surveyed = found = Survey(bytes(s.pieces), packed, s.control, hosts, prospects, weak)
    return found


def _touched(difference: int, hex_count: int) -> list[HexSet]:
    """By side: the hexes in which the numbers of its pieces differ."""
    hexes = [NO_HEXES, NO_HEXES]
    while difference:
        at = difference.bit_length() - 1 >> 3
        hexes[at >= 5 * hex_count] |= 1 << at % hex_count
        difference ^= difference >> 8 * at << 8 * at
    return hexes


def _host(s: BulgeState, side: int, before: Host, touched: HexSet) -> Host:
    pieces, crowding = before.pieces.copy(), before.crowding.copy()
    infantry, tanks, guns, trucks, tokens = before.totals
    influence, tank_hexes = before.influence, before.tanks & ~touched
    city_shares = worths(s.data).city_shares
    for h in bits(touched):
        old, now = pieces.pop(h, NONE), counts(s, side, h)
        more_infantry, more_tanks, more_guns = now[0] - old[0], now[1] - old[1], now[2] - old[2]
        if more_infantry or more_tanks or more_guns:
            infantry += more_infantry
            tanks += more_tanks
            guns += more_guns
            influence += (3 * more_infantry + 4 * more_tanks + 4 * more_guns) * city_shares[h]
        trucks += now[3] - old[3]
        tokens += now[4] - old[4]
        if now != NONE:
            pieces[h] = now
        tank_hexes |= (now[TANK] > 0) << h
        crowding.pop(h, None)
        if cost := _crowding(now):
            crowding[h] = cost
    return Host(pieces, (infantry, tanks, guns, trucks, tokens), influence, tank_hexes, crowding)


@lru_cache(maxsize=1 << 12)
def _crowding(squares: Squares) -> float:
    """What pieces beyond the limits cost where there are combat units."""
    infantry, tanks, guns, trucks, tokens = squares
    if not infantry + tanks + guns:
        return 0.0
    number = infantry + tanks + guns + trucks + (tokens > 0)
    over = max(0, infantry - 6) + max(0, tanks - 6) + max(0, guns - 3)
    return 0.7 * max(over, number - STACK_LIMIT)


# ---- what stacks can do --------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 13)
def _close(ground: Ground, enemies: HexSet) -> HexSet:
    """The hexes at most two away from enemies, as bits."""
    near = around(ground, enemies)
    return enemies | near | around(ground, near)


def _prospects(
    s: BulgeState, side: int, before: Prospects, hosts: tuple[Host, Host], touched: HexSet, enemies_touched: HexSet
) -> Prospects:
    own, enemy, ground = hosts[side], hosts[1 - side], s.ground
    stacks, payers = fighting(s, side), lenders(s, side)
    close = _close(ground, fighting(s, 1 - side)) & stacks
    able = stacks & (stores(s, side) | around(ground, payers)) & around(ground, present(s, 1 - side))
    lending = payers ^ before.payers | touched & payers
    feeding = touched | around(ground, lending) & stacks | close ^ before.close
    threatening = touched | around(ground, enemies_touched) & able | able ^ before.able
    fed, threats, threat = before.fed, before.threats, before.threat
    if feeding:
        fed = fed.copy()
        for h in bits(feeding):
            fed[h] = _fed(ground, own, h, payers, close) if stacks >> h & 1 else 0.0
    if threatening & (able | before.able):
        threats, neighbours = threats.copy(), worths(s.data).neighbours
        for h in bits(threatening):
            threats[h] = _threat(own, h, enemy, neighbours[h]) if able >> h & 1 else 0.0
        threat = added(threats)
    return Prospects(payers, close, able, fed, threats, threat)


def _fed(ground: Ground, own: Host, h: HexId, payers: HexSet, close: HexSet) -> float:
    """What a stack can do with the tokens at hand: in full close to the enemy, by half elsewhere."""
    pieces = own.pieces
    at_hand = pieces[h][SUPPLY]
    near = ground.around[h] & payers
    if near and at_hand < ENOUGH:
        at_hand += sum([pieces[payer][SUPPLY] for payer in bits(near)])
    return 0.05 * dice_of_stack(pieces[h]) * READY[min(at_hand, ENOUGH)] * (1.0 if close >> h & 1 else 0.5)


def _threat(own: Host, h: HexId, enemy: Host, neighbours: tuple[int, ...]) -> float:
    """What a stack promises against those next to it, attacking where it hurts most."""
    dice, theirs = dice_of_stack(own.pieces[h]), enemy.pieces
    return max([harm(dice, theirs[near]) for near in neighbours if near in theirs])


def dice_of_stack(squares: Squares) -> int:
    """What the combat units of a stack throw together."""
    return squares[0] + 2 * squares[1] + 3 * squares[2]


def _weak(
    s: BulgeState, before: Survey, hosts: tuple[Host, Host], able: HexSet, axis_touched: HexSet, allies_touched: HexSet
) -> HexSet:
    """The Allied stacks that Axis stacks able to attack would probably drive out."""
    attackers, defenders, ground = hosts[AXIS].pieces, hosts[ALLIED].pieces, s.ground
    changed = allies_touched | around(ground, axis_touched | able ^ before.prospects[AXIS].able)
    attacked = fighting(s, ALLIED) & around(ground, able)
    weak = before.weak & attacked & ~changed
    for h in bits(attacked & changed):
        dice = sum([dice_of_stack(attackers[near]) for near in bits(ground.around[h] & able)])
        if clearing(dice, defenders[h]) >= LIKELY:
            weak |= 1 << h
    return weak
