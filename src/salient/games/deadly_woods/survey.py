"""The Deadly Woods: what the judge counts piece by piece, mended where pieces have changed since it last looked.

All sums are whole numbers, so that a survey that was mended is equal to one made afresh.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import pairwise
from sys import byteorder
from typing import NamedTuple

from salient.common.data import Part
from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import units_at
from salient.games.deadly_woods.combat import INTEGRITY
from salient.games.deadly_woods.components import Data, Ground, Tables, Units
from salient.games.deadly_woods.model import WoodsState
from salient.games.deadly_woods.stacking import refuse_stack
from salient.hexes.masks import bits
from salient.hexes.reach import distances
from salient.hexes.sets import NO_UNITS, Group, UnitId

Strengths = dict[int, tuple[int, int]]  # by hex: attack, defence
Pulls = tuple[float, ...]  # of the victory hexes on one hex
HUNDREDTH, THOUSANDTH = 0.01, 0.001
RANGE, GUARD_RANGE = 14, 6  # hexes from which troops threaten a victory hex, and from which they guard it
STAKES_RANGE = 4  # hexes within which a victory hex raises the stakes
FIELD_BITS, FIELD_BYTES = 32, 4  # of each victory hex in a sum
SCALE = 256
TYPICAL = {"AL1": -0.5, "NE": 0.0, "BL1": 0.1, "DR": 0.5, "DR*": 1.3}  # what results are worth to the attacker
FINENESS = 10  # parts of a column

# ---- what is known beforehand -----------------------------------------------------------------------------


class Worths(Part):
    """What the judge knows beforehand of units and hexes."""

    def __init__(self, data: Data) -> None:
        self._weigh_units(data.units)
        self._measure_targets(data.ground)
        self._weigh_hexes(data.ground)
        self.promises = _promises(data.tables)
        gone, whole = [data.ground.gone] * data.units.count, bytearray(data.units.count)
        self.nobody = Survey(gone, whole, {}, ({}, {}), (0, 0), (0, 0), (0, 0, 0), 0, 0, ({}, {}), (0, 0))

    def _weigh_units(self, units: Units) -> None:
        everybody = units.all
        self.everybody = units.side_mask[ALLIED] | units.side_mask[GERMAN]
        self.worth = tuple(  # by unit and steps lost, in hundredths
            tuple(_worth(units, u, lost) for lost in range(units.steps[u])) for u in everybody
        )
        self.division_span = {  # first unit, end: the counters of a division follow one another
            u: (members[0], members[-1] + 1) for members in units.of_division.values() for u in members
        }

    def _measure_targets(self, ground: Ground) -> None:
        """How far it is to the victory hexes, and how strength near them adds up."""
        self.targets = tuple(bits(ground.victory))
        self.steps_to = tuple(tuple(distances([target], ground.board.adjacent)) for target in self.targets)
        self.pull, guard_pull = self._pulls(RANGE), self._pulls(GUARD_RANGE)
        self.packed, self.guard_packed = _packed(self.pull), _packed(guard_pull)

    def _pulls(self, reach: int) -> tuple[Pulls, ...]:
        """By hex: how much each victory hex pulls, the nearer the more, none from a distance on."""
        return tuple(
            tuple((1 - distance / reach) ** 2 if distance < reach else 0.0 for distance in far)
            for far in zip(*self.steps_to, strict=True)
        )

    def _weigh_hexes(self, ground: Ground) -> None:
        hexes, covered = range(ground.hexes), ground.woods | ground.forest | ground.town
        self.cover = tuple(  # columns that the ground takes from an attack
            bool(covered >> h & 1) + bool(ground.rough >> h & 1) for h in hexes
        )
        self.extra = tuple(  # defence of the village, and of some guns
            2 + bool(ground.village >> h & 1) for h in hexes
        )
        self.around = tuple(  # neighbours, and whether no river runs between
            tuple((near, not ground.river_touching[h] >> near & 1) for near in ground.board.adjacent[h]) for h in hexes
        )
        self.stakes = tuple(1.0 + max(0.0, 1 - min(far) / STAKES_RANGE) for far in zip(*self.steps_to, strict=True))


@cache
def worths(data: Data) -> Worths:
    """What the judge knows beforehand."""
    return Worths(data)


def _worth(units: Units, u: UnitId, lost: int) -> int:
    attack, defence = units.values[u][lost][:2]
    return (attack + defence) * 12 + (units.steps[u] - lost) * 25


def _packed(pulls: tuple[Pulls, ...]) -> tuple[int, ...]:
    """Pulls as one number by hex, a field for each victory hex, so that strength is added for all of them at once."""
    return tuple(sum(int(SCALE * pull) << FIELD_BITS * i for i, pull in enumerate(by_target)) for by_target in pulls)


def _promises(tables: Tables) -> tuple[float, ...]:
    """What an attack promises by the place on the table in parts of a column, from one column left of it; never less
    than to let it be."""
    columns = [0.0, *(max(0.0, sum(TYPICAL[result] for result in faces) / len(faces)) for faces in tables.combat)]
    fine = [left + (right - left) * i / FINENESS for left, right in pairwise(columns) for i in range(FINENESS)]
    return (*fine, columns[-1])


def unpacked(sums: int, targets: int) -> memoryview[int]:
    """The strength around each of some victory hexes, in parts of SCALE."""
    fields = memoryview(sums.to_bytes(FIELD_BYTES * targets, byteorder)).cast("I")
    return fields if byteorder == "little" else fields[::-1]


# ---- what odds promise: units massed against a hex are worth more than the sum of them ---------------------


def _place(attack: int, defence: int) -> int:
    """Where odds lie on the table, in parts of a column from one column left of it."""
    ratio = attack / defence
    column = min(ratio + 1, 7.0) if ratio >= 1 else 2 * ratio if ratio >= 0.5 else 6 * ratio - 2
    return int(FINENESS * (column + 1))


@lru_cache(maxsize=1 << 12)
def _promise(known: Worths, attack: int, defence: int, shifts: int) -> float:
    """What massed strength promises against a defence."""
    place = _place(attack, defence) - FINENESS * shifts
    return known.promises[max(0, min(place, len(known.promises) - 1))]


# ---- the survey --------------------------------------------------------------------------------------------


class Survey(NamedTuple):
    """What was counted, by side where it says so, and the pieces as they stood."""

    where: list[int]
    lost: bytearray
    stacks: dict[int, Group]
    forces: tuple[Strengths, Strengths]  # by side
    losses: tuple[int, int]  # by side, in hundredths
    absent: tuple[int, int]  # by side: units that wait to come in
    massed: tuple[int, int, int]  # German attack, Allied defence and Allied attack around the victory hexes, packed
    crowded: int  # units that will have to be given up: Allied less German, in hundredths
    alone: int  # units far from their division: Allied less German
    threats: tuple[dict[int, int], dict[int, int]]  # by side and hex of its enemy: what it could do, in thousandths
    threatened: tuple[int, int]  # by side: the sum of its threats


def survey(s: WoodsState) -> Survey:
    """What stands on the board; only what has changed since the last time is counted anew."""
    before, units = s.surveyed, s.changed
    if before is None or units is None:
        before, units = worths(s.data).nobody, worths(s.data).everybody
    if units:
        before = _mended(s, before, bits(units))
        s.surveyed, s.changed = before, NO_UNITS
    return before


def _mended(s: WoodsState, before: Survey, units: list[UnitId]) -> Survey:
    data, size = s.data, s.ground.hexes
    spots = {h for u in units for h in (before.where[u], s.where[u]) if h < size}
    losses, absent = _losses(s, before, units)
    forces, massed = _forces(s, before, spots)
    crowding = [_crowding(data, units_at(s, h)) - _crowding(data, before.stacks.get(h, ())) for h in spots]
    return Survey(
        s.where.copy(),
        s.lost.copy(),
        s.stacks or {},
        forces,
        losses,
        absent,
        massed,
        before.crowded + sum(crowding),
        before.alone + _more_alone(s, before, units),
        *_threats(s, before, forces, spots),
    )


def _losses(s: WoodsState, before: Survey, units: list[UnitId]) -> tuple[tuple[int, int], tuple[int, int]]:
    losses, absent = [*before.losses], [*before.absent]
    known, side_of, track = worths(s.data), s.units.side, s.ground.track
    for u in units:
        side = side_of[u]
        worth = known.worth[u]
        losses[side] += _loss(s, worth, s.where[u], s.lost[u]) - _loss(s, worth, before.where[u], before.lost[u])
        absent[side] += (s.where[u] == track) - (before.where[u] == track)
    return (losses[0], losses[1]), (absent[0], absent[1])


def _loss(s: WoodsState, worth: tuple[int, ...], place: int, lost: int) -> int:
    """What has been lost of a unit that is worth so much by steps lost."""
    if place < s.ground.hexes:
        return worth[0] - worth[lost]
    return worth[0] if place == s.ground.eliminated else 0


def _forces(s: WoodsState, before: Survey, spots: set[int]) -> tuple[tuple[Strengths, Strengths], tuple[int, int, int]]:
    allies, germans = forces = (before.forces[ALLIED].copy(), before.forces[GERMAN].copy())
    attacks, guards, returns = before.massed
    known, side_of = worths(s.data), s.units.side
    for h in spots:
        pull, guard_pull = known.packed[h], known.guard_packed[h]
        attack, defence = allies.pop(h, (0, 0))
        guards -= defence * guard_pull
        returns -= attack * pull
        attacks -= germans.pop(h, (0, 0))[0] * pull
        units = units_at(s, h)
        if not units:
            continue
        attack, defence = _strengths(s, units)
        if side_of[units[0]] == ALLIED:
            allies[h] = attack, defence
            guards += defence * guard_pull
            returns += attack * pull
        else:
            germans[h] = attack, defence * 2 if s.ground.westwall >> h & 1 else defence
            attacks += attack * pull
    return forces, (attacks, guards, returns)


def _strengths(s: WoodsState, units: Group) -> tuple[int, int]:
    attack = defence = 0
    by_unit, lost = s.units.values, s.lost
    for u in units:
        values = by_unit[u][lost[u]]
        attack += values[0]
        defence += values[1]
    return attack, defence


def _crowding(data: Data, units: Group) -> int:
    """What a hex with too many units will cost its owner at the end of the round [6.2]."""
    return _too_many(data, units) if len(units) > 1 else 0


@lru_cache(maxsize=1 << 14)
def _too_many(data: Data, units: Group) -> int:
    if refuse_stack(data.units, units) is None:
        return 0
    worth = worths(data).worth
    cheapest = min(units, key=lambda u: worth[u][0])
    loss = 100 + worth[cheapest][0] + abs(_crowding(data, tuple(u for u in units if u != cheapest)))
    return loss if data.units.side[units[0]] == ALLIED else -loss


def _more_alone(s: WoodsState, before: Survey, units: list[UnitId]) -> int:
    more, spans, ground = 0, worths(s.data).division_span, s.ground
    for first, end in {spans[u] for u in units if u in spans}:
        change = _alone(ground, tuple(s.where[first:end])) - _alone(ground, tuple(before.where[first:end]))
        more += change if s.units.side[first] == ALLIED else -change
    return more


@lru_cache(maxsize=1 << 14)
def _alone(ground: Ground, places: tuple[int, ...]) -> int:
    """How many units of a division, by their places, stand too far from all its others [11.2.1]."""
    hexes = [h for h in places if h < ground.hexes]
    spots = sum(1 << h for h in set(hexes))
    return sum(hexes.count(h) == 1 and not ground.within[h][INTEGRITY] & spots & ~(1 << h) for h in hexes)


def _threats(
    s: WoodsState, before: Survey, forces: tuple[Strengths, Strengths], spots: set[int]
) -> tuple[tuple[dict[int, int], dict[int, int]], tuple[int, int]]:
    """What each side could do to the hexes next to it: more than double with double odds."""
    threats, totals = (before.threats[ALLIED].copy(), before.threats[GERMAN].copy()), [*before.threatened]
    known, adjacent = worths(s.data), s.ground.board.adjacent
    for side in (ALLIED, GERMAN):
        then, mine, enemies, found = before.forces[side], forces[side], forces[1 - side], threats[side]
        hexes = {near for h in spots if then.get(h) != mine.get(h) for near in adjacent[h] if near in enemies}
        for h in hexes | spots:
            threat = _threat(known, h, mine, enemies[h][1]) if h in enemies else 0
            totals[side] += threat - found.pop(h, 0)
            if threat:
                found[h] = threat
    return threats, (totals[0], totals[1])


def _threat(known: Worths, h: int, attackers: Strengths, defence: int) -> int:
    attack, dry = 0, False
    for near, is_dry in known.around[h]:
        if near in attackers:
            attack += attackers[near][0]
            dry = dry or is_dry
    if not attack:
        return 0
    promise = _promise(known, attack, defence + known.extra[h], known.cover[h] + (not dry))
    return int(known.stakes[h] * promise / THOUSANDTH)
