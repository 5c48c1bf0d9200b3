"""The Deadly Woods: what the judge counts piece by piece, mended where pieces have changed since it last looked.

All sums are whole numbers, so that a survey that was mended is equal to one made afresh.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from sys import byteorder
from typing import NamedTuple

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import units_at
from salient.games.deadly_woods.combat import INTEGRITY
from salient.games.deadly_woods.model import (
    BOARD,
    COUNT,
    DIVISION_UNITS,
    ELIMINATED,
    FOREST,
    GONE,
    HEXES,
    RIVER_TOUCHING,
    ROUGH,
    SIDE,
    SIDE_MASK,
    STEPS,
    TABLE,
    TOWN,
    TRACK,
    VALUES,
    VICTORY,
    VILLAGE,
    WESTWALL,
    WITHIN,
    WOODS,
    WoodsState,
)
from salient.games.deadly_woods.stacking import refuse_stack
from salient.hexes.masks import bits
from salient.hexes.reach import distances
from salient.hexes.sets import NO_UNITS, UnitId

Strengths = dict[int, tuple[int, int]]  # by hex: attack, defence
TARGETS = tuple(bits(VICTORY))
STEPS_TO = tuple(tuple(distances([t], BOARD.adjacent)) for t in TARGETS)

# ---- what units are worth ---------------------------------------------------------------------------------

HUNDREDTH, THOUSANDTH = 0.01, 0.001


def _worth(u: int, lost: int) -> int:
    attack, defence = VALUES[u][lost][:2]
    return (attack + defence) * 12 + (STEPS[u] - lost) * 25


WORTH = tuple(tuple(_worth(u, lost) for lost in range(STEPS[u])) for u in range(COUNT))  # by unit and steps lost, in
# hundredths

# ---- how strength near victory hexes adds up ---------------------------------------------------------------

RANGE, GUARD_RANGE = 14, 6  # hexes from which troops threaten a victory hex, and from which they guard it


def _pulls(reach: int) -> tuple[tuple[tuple[int, float], ...], ...]:
    """By hex: the victory hexes within a distance, each with its pull, the nearer the more."""
    return tuple(
        tuple((i, (1 - far[h] / reach) ** 2) for i, far in enumerate(STEPS_TO) if far[h] < reach) for h in range(HEXES)
    )


PULL, GUARD_PULL = _pulls(RANGE), _pulls(GUARD_RANGE)
# The same by hex as one number, a field for each victory hex, so that strength is added for all of them at once.
FIELD_BITS, FIELD_BYTES = 32, 4
SCALE = 256
PACKED, GUARD_PACKED = (
    tuple(sum(int(SCALE * pull) << FIELD_BITS * i for i, pull in pulls[h]) for h in range(HEXES))
    for pulls in (PULL, GUARD_PULL)
)


def unpacked(sums: int) -> memoryview[int]:
    """The strength around each victory hex, in parts of SCALE."""
    fields = memoryview(sums.to_bytes(FIELD_BYTES * len(TARGETS), byteorder)).cast("I")
    return fields if byteorder == "little" else fields[::-1]


# ---- what odds promise: units massed against a hex are worth more than the sum of them ---------------------

TYPICAL = {"AL1": -0.5, "NE": 0.0, "BL1": 0.1, "DR": 0.5, "DR*": 1.3}  # to the attacker
FINENESS = 10  # parts of a column
COVER = tuple(
    bool((WOODS | FOREST | TOWN) >> h & 1) + bool(ROUGH >> h & 1) for h in range(HEXES)
)  # columns that the ground takes from an attack
EXTRA = tuple(2 + bool(VILLAGE >> h & 1) for h in range(HEXES))  # defence of the village, and of some guns
STAKES = tuple(1.0 + 1.0 * max((1 - far[h] / 4 for far in STEPS_TO if far[h] < 4), default=0.0) for h in range(HEXES))


def _promises() -> tuple[float, ...]:
    """What an attack promises by the place on the table in parts of a column; never less than to let it be."""
    columns = [0.0, *(max(0.0, sum(TYPICAL[result] for result in faces) / len(faces)) for faces in TABLE)]
    fine = [left + (right - left) * i / FINENESS for left, right in pairwise(columns) for i in range(FINENESS)]
    return (*fine, columns[-1])


PROMISE = _promises()  # begins one column left of the table


def _place(attack: int, defence: int) -> int:
    """Where odds lie on the table, in parts of a column from one column left of it."""
    ratio = attack / defence
    column = min(ratio + 1, 7.0) if ratio >= 1 else 2 * ratio if ratio >= 0.5 else 6 * ratio - 2
    return int(FINENESS * (column + 1))


@lru_cache(maxsize=1 << 12)
def _promise(attack: int, defence: int, shifts: int) -> float:
    """What massed strength promises against a defence."""
    place = _place(attack, defence) - FINENESS * shifts
    return PROMISE[max(0, min(place, len(PROMISE) - 1))]


# ---- the survey --------------------------------------------------------------------------------------------


class Survey(NamedTuple):
    """What was counted, by side where it says so, and the pieces as they stood."""

    where: list[int]
    lost: list[int]
    stacks: dict[int, tuple[int, ...]]
    forces: tuple[Strengths, Strengths]  # by side
    losses: tuple[int, int]  # by side, in hundredths
    absent: tuple[int, int]  # by side: units that wait to come in
    massed: tuple[int, int, int]  # German attack, Allied defence and Allied attack around the victory hexes, packed
    crowded: int  # units that will have to be given up: Allied less German, in hundredths
    alone: int  # units far from their division: Allied less German
    threats: tuple[dict[int, int], dict[int, int]]  # by side and hex of its enemy: what it could do, in thousandths
    threatened: tuple[int, int]  # by side: the sum of its threats


NOBODY = Survey([GONE] * COUNT, [0] * COUNT, {}, ({}, {}), (0, 0), (0, 0), (0, 0, 0), 0, 0, ({}, {}), (0, 0))
EVERYBODY = SIDE_MASK[ALLIED] | SIDE_MASK[GERMAN]


def survey(s: WoodsState) -> Survey:
    """What stands on the board; only what has changed since the last time is counted anew."""
    before, units = s.surveyed, s.changed
    if before is None or units is None:
        before, units = NOBODY, EVERYBODY
    if units:
        before = _mended(s, before, bits(units))
        s.surveyed, s.changed = before, NO_UNITS
    return before


def _mended(s: WoodsState, before: Survey, units: list[UnitId]) -> Survey:
    spots = {h for u in units for h in (before.where[u], s.where[u]) if h < HEXES}
    losses, absent = _losses(s, before, units)
    forces, massed = _forces(s, before, spots)
    return Survey(
        s.where.copy(),
        s.lost.copy(),
        s.stacks or {},
        forces,
        losses,
        absent,
        massed,
        before.crowded + sum([_too_many(units_at(s, h)) - _too_many(before.stacks.get(h, ())) for h in spots]),
        before.alone + _more_alone(s, before, units),
        *_threats(before, forces, spots),
    )


def _losses(s: WoodsState, before: Survey, units: list[UnitId]) -> tuple[tuple[int, int], tuple[int, int]]:
    losses, absent = [*before.losses], [*before.absent]
    for u in units:
        side = SIDE[u]
        losses[side] += _loss(u, s.where[u], s.lost[u]) - _loss(u, before.where[u], before.lost[u])
        absent[side] += (s.where[u] == TRACK) - (before.where[u] == TRACK)
    return (losses[0], losses[1]), (absent[0], absent[1])


def _loss(u: int, place: int, lost: int) -> int:
    if place < HEXES:
        return WORTH[u][0] - WORTH[u][lost]
    return WORTH[u][0] if place == ELIMINATED else 0


def _forces(s: WoodsState, before: Survey, spots: set[int]) -> tuple[tuple[Strengths, Strengths], tuple[int, int, int]]:
    allies, germans = forces = (before.forces[ALLIED].copy(), before.forces[GERMAN].copy())
    attacks, guards, returns = before.massed
    for h in spots:
        attack, defence = allies.pop(h, (0, 0))
        guards -= defence * GUARD_PACKED[h]
        returns -= attack * PACKED[h]
        attacks -= germans.pop(h, (0, 0))[0] * PACKED[h]
        units = units_at(s, h)
        if not units:
            continue
        attack, defence = _strengths(s, units)
        if SIDE[units[0]] == ALLIED:
            allies[h] = attack, defence
            guards += defence * GUARD_PACKED[h]
            returns += attack * PACKED[h]
        else:
            germans[h] = attack, defence * 2 if WESTWALL >> h & 1 else defence
            attacks += attack * PACKED[h]
    return forces, (attacks, guards, returns)


def _strengths(s: WoodsState, units: tuple[int, ...]) -> tuple[int, int]:
    attack = defence = 0
    for u in units:
        values = VALUES[u][s.lost[u]]
        attack += values[0]
        defence += values[1]
    return attack, defence


@lru_cache(maxsize=1 << 14)
def _too_many(units: tuple[int, ...]) -> int:
    """What a hex with too many units will cost its owner at the end of the round [6.2]."""
    if len(units) < 2 or refuse_stack(units) is None:
        return 0
    cheapest = min(units, key=lambda u: WORTH[u][0])
    loss = 100 + WORTH[cheapest][0] + abs(_too_many(tuple(u for u in units if u != cheapest)))
    return loss if SIDE[units[0]] == ALLIED else -loss


DIVISION_SPAN = {
    u: (units[0], units[-1] + 1) for units in DIVISION_UNITS.values() for u in units
}  # first unit, end: the counters of a division follow one another


def _more_alone(s: WoodsState, before: Survey, units: list[UnitId]) -> int:
    more = 0
    for first, end in {DIVISION_SPAN[u] for u in units if u in DIVISION_SPAN}:
        change = _alone(tuple(s.where[first:end])) - _alone(tuple(before.where[first:end]))
        more += change if SIDE[first] == ALLIED else -change
    return more


@lru_cache(maxsize=1 << 14)
def _alone(places: tuple[int, ...]) -> int:
    """How many units of a division, by their places, stand too far from all its others [11.2.1]."""
    hexes = [h for h in places if h < HEXES]
    spots = sum(1 << h for h in set(hexes))
    return sum(hexes.count(h) == 1 and not WITHIN[h][INTEGRITY] & spots & ~(1 << h) for h in hexes)


def _threats(
    before: Survey, forces: tuple[Strengths, Strengths], spots: set[int]
) -> tuple[tuple[dict[int, int], dict[int, int]], tuple[int, int]]:
    """What each side could do to the hexes next to it: more than double with double odds."""
    threats, totals = (before.threats[ALLIED].copy(), before.threats[GERMAN].copy()), [*before.threatened]
    for side in (ALLIED, GERMAN):
        then, mine, enemies, found = before.forces[side], forces[side], forces[1 - side], threats[side]
        hexes = {near for h in spots if then.get(h) != mine.get(h) for near in BOARD.adjacent[h] if near in enemies}
        for h in hexes | spots:
            threat = _threat(h, mine, enemies[h][1]) if h in enemies else 0
            totals[side] += threat - found.pop(h, 0)
            if threat:
                found[h] = threat
    return threats, (totals[0], totals[1])


def _threat(h: int, attackers: Strengths, defence: int) -> int:
    attack, dry, rivers = 0, False, RIVER_TOUCHING[h]
    for near in BOARD.adjacent[h]:
        if near in attackers:
            attack += attackers[near][0]
            dry = dry or not rivers >> near & 1
    if not attack:
        return 0
    return int(STAKES[h] * _promise(attack, defence + EXTRA[h], COVER[h] + (not dry)) / THOUSANDTH)
