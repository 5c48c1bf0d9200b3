"""Ardennes '44: what the judge counts piece by piece, mended where pieces have changed since it last looked.

All sums are whole numbers, so that a survey that was mended is equal to one made afresh.
"""

from __future__ import annotations

from array import array
from functools import cache, lru_cache
from itertools import pairwise
from sys import byteorder
from typing import NamedTuple

from salient.common.data import Part
from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied, units_at
from salient.games.ardennes44.components import Data, Ground, Tables, within
from salient.games.ardennes44.model import ArdennesState
from salient.hexes.masks import bits
from salient.hexes.reach import reach
from salient.hexes.sets import NO_HEXES, NO_UNITS, Group, HexSet, UnitId, UnitSet

Strengths = dict[int, tuple[int, int, int]]  # by hex: attack, defence, whether armour attacks
Covers = tuple[tuple[int, int], tuple[int, int]]
Posts = tuple[tuple[int, ...], tuple[int, ...]]
Threats = tuple[dict[int, int], dict[int, int]]
Massed = tuple[int, int, int, int]
THOUSANDTH = 0.001

# ---- how far it is to a victory hex, roads counted ------------------------------------------------------------

ROAD, OPEN_GROUND, WOODED, CROSSING = 2, 3, 5, 4  # half points of a march that nobody hinders
RANGE_HALF, GUARD_HALF, LONG_HALF = 36, 16, 80  # as far as attackers, guards and reinforcements are drawn
LONG_SHARE = 0.12


@cache
def _marches(ground: Ground) -> tuple[tuple[tuple[int, int], ...], ...]:
    """By hex its neighbours and what a march there costs, by and large."""
    board, woods = ground.board, ground.forest | ground.rough

    def cost(a: int, b: int) -> int:
        if board.road(a, b) is not None:
            return ROAD
        return (WOODED if woods >> b & 1 else OPEN_GROUND) + CROSSING * ((a, b) in ground.river)

    return tuple(tuple((b, cost(b, a)) for b in board.adjacent[a]) for a in range(ground.hexes))


@cache
def far(ground: Ground, target: int) -> tuple[int, ...]:
    """By hex: how far a victory hex is, in half points, at most as far as anybody is drawn."""
    costs, _ = reach(target, LONG_HALF, _marches(ground))
    return tuple(costs.get(h, LONG_HALF) for h in range(ground.hexes))


Pulls = tuple[tuple[tuple[int, float], ...], ...]


def _pulls(ground: Ground, targets: tuple[int, ...], guard: bool) -> Pulls:
    """By hex: the victory hexes that draw troops there, each with its pull, the nearer the more."""
    most = GUARD_HALF if guard else RANGE_HALF

    def pull(d: int) -> float:
        near = (1 - d / most) ** 2 if d < most else 0.0
        return near + (LONG_SHARE * (1 - d / LONG_HALF) if guard else 0.0)

    by_distance = [pull(d) for d in range(LONG_HALF + 1)]
    distances = zip(*(far(ground, t) for t in targets), strict=True)
    return tuple(tuple([(i, by_distance[d]) for i, d in enumerate(ds) if by_distance[d] > 0]) for ds in distances)


FIELD_BITS, FIELD_BYTES = 32, 4
SCALE = 256  # of a field; strengths are counted twice


def _packed(pulls: tuple[tuple[int, float], ...], count: int) -> int:
    """The pulls of a hex as one number, a field for each victory hex, so that strength is added to all at once."""
    fields = array("I", bytes(FIELD_BYTES * count))
    for i, pull in pulls:
        fields[i] = int(SCALE * pull)
    return int.from_bytes((fields if byteorder == "little" else fields[::-1]).tobytes(), byteorder)


UNIT = 2 * SCALE  # of what is unpacked


@lru_cache(maxsize=1 << 8)
def unpacked(sums: int, count: int) -> tuple[int, ...]:
    """The strength around each victory hex, in parts of a factor; a move changes that of one side."""
    fields = tuple(memoryview(sums.to_bytes(FIELD_BYTES * count, byteorder)).cast("I"))
    return fields if byteorder == "little" else fields[::-1]


# ---- what odds promise ---------------------------------------------------------------------------------

TYPICAL = {
    "DS": 2.4, "DR4": 1.6, "DR3": 1.3, "DR2": 0.9, "FF": 0.35, "FF+1": 0.2, "EX": 0.0, "ENG": 0.1, "A1/ENG": -0.5,
    "A1": -0.7,
}  # to the attacker  # fmt: skip
FINENESS = 8  # parts of a column


def _promises(tables: Tables) -> tuple[int, ...]:
    """What an attack promises by the place on the table in parts of a column, in thousandths; never below nothing.

    They begin one column left of the table.
    """
    columns = [0.0, *(max(0.0, sum(TYPICAL[result] for result in faces) / len(faces)) for faces in tables.combat)]
    fine = [left + (right - left) * i / FINENESS for left, right in pairwise(columns) for i in range(FINENESS)]
    return tuple(int(1000 * promise) for promise in (*fine, columns[-1]))


@lru_cache(maxsize=1 << 14)
def _promise(aims: Aims, attack: int, defence: int, shifts: int) -> int:
    ratio = attack / defence
    column = ratio + 1 if ratio >= 1 else 3 - 1 / ratio if ratio >= 0.34 else -1.0
    place = int(FINENESS * (min(column, 9.0) + 1 + shifts))
    return aims.promises[max(0, min(place, len(aims.promises) - 1))]


def _covers_of_ground(ground: Ground) -> tuple[int, ...]:
    """By hex: the best defensive bonus of its ground."""
    bonus = {name: int(row["dcb"]) for name, row in ground.effects.items() if row["dcb"]}
    cover = [bonus[terrain] for terrain in ground.board.terrain]
    for name, settled in (("village", ground.village), ("town", ground.town), ("city", ground.city)):
        for h in bits(settled):
            cover[h] = max(cover[h], bonus[name])
    return tuple(cover)


def _rivers(ground: Ground) -> tuple[int, ...]:
    """By hex: those beside it across a river, as bits."""
    found = [0] * ground.hexes
    for a, b in ground.river:
        found[a] |= 1 << b
    return tuple(found)


TENTHS = 10
SHARE = (10, 10, 7, 6, 5, 4, 4)  # in tenths, by the number of enemies that a hex touches
HELD, WESTERN = 6.0, 10.0  # a victory hex of the East map, and of the West map

# ---- what is known beforehand -----------------------------------------------------------------------------


class Aims(Part):
    """What the judge knows beforehand of victory hexes, ground, units and odds."""

    def __init__(self, data: Data) -> None:
        ground, units, tables = data.ground, data.units, data.tables
        hexes = range(ground.hexes)
        self.targets = tuple(bits(ground.victory))
        self.count = len(self.targets)
        self.weight = tuple(  # by target
            (WESTERN if ground.west_map >> t & 1 else HELD) / HELD * (0.5 if ground.liege >> t & 1 else 1.0)
            for t in self.targets
        )
        self.every = tuple(range(self.count))
        self.eastern = tuple(i for i, t in enumerate(self.targets) if not ground.west_map >> t & 1)
        self.far_pulls, self.near_pulls = (_pulls(ground, self.targets, guard) for guard in (False, True))
        self.packed_far, self.packed_near = (
            tuple(_packed(pulls, self.count) for pulls in by_hex) for by_hex in (self.far_pulls, self.near_pulls)
        )
        self.promises = _promises(tables)
        self.cover = _covers_of_ground(ground)
        self.dug_cover, self.wall_cover = (
            int(ground.effects[name]["dcb"]) for name in ("improved-position", "westwall")
        )
        self.tank_ground = ~(ground.forest | ground.rough | ground.westwall | ground.city)  # 21.3
        self.stakes = tuple(  # by hex, in quarters
            4 + 4 * (ground.victory >> h & 1) + 2 * bool(ground.touching[h] & ground.victory) for h in hexes
        )
        self.river_beside = _rivers(ground)
        self.factors = tuple(  # by unit and steps lost
            tuple(sum(values[min(lost, len(values) - 1)][:2]) for lost in range(max(units.steps) + 1))
            for values in units.values
        )


@cache
def aims(data: Data) -> Aims:
    """What is known beforehand."""
    return Aims(data)


# ---- the survey --------------------------------------------------------------------------------------------


class Survey(NamedTuple):
    """What was counted, by side where it says so, and the pieces as they stood."""

    where: list[int]
    lost: bytearray
    order: bytearray
    ip: HexSet
    spent: UnitSet  # guns that have fired or are under way
    strength: tuple[int, int]  # by side: factors on the map
    disorder: tuple[int, int]  # by side: disrupted units once, routed ones twice
    massed: Massed  # German attack, Allied defence, Allied attack, German defence, packed
    forces: tuple[Strengths, Strengths]  # by side
    cover: Covers  # by side: the hexes within range of one gun, and of two
    posts: Posts  # by side: the hexes of its guns
    threats: Threats  # by side and hex of its enemy: what it could do, in thousandths
    menace: tuple[int, int]  # by side: the sum of its threats


@cache
def _nobody(data: Data) -> Survey:
    """The survey of an empty board."""
    count = data.units.count
    return Survey(
        [data.ground.hexes] * count, bytearray(count), bytearray(count), NO_HEXES, NO_UNITS, (0, 0), (0, 0),
        (0, 0, 0, 0), ({}, {}), ((0, 0), (0, 0)), ((), ()), ({}, {}), (0, 0),
    )  # fmt: skip


def survey(s: ArdennesState) -> Survey:
    """What stands on the board; only what has changed since the last time is counted anew."""
    before, units = s.surveyed, s.changed
    if before is None or units is None:
        before, units = _nobody(s.data), s.units.side_mask[ALLIED] | s.units.side_mask[GERMAN]
    spent = (s.fired | s.tractor | s.march) & s.units.artillery_mask
    if units or before.ip != s.ip or before.spent != spent:
        before = _mended(s, before, units, spent)
        s.surveyed, s.changed = before, NO_UNITS
    return before


def _mended(s: ArdennesState, before: Survey, changed: UnitSet, spent: UnitSet) -> Survey:
    units, was, where, hexes = bits(changed), before.where, s.where, s.ground.hexes
    spots = {h for u in units for h in (was[u], where[u]) if h < hexes}
    if before.ip != s.ip:
        spots.update(bits(before.ip ^ s.ip))
    forces, massed = _forces(s, before, spots)
    cover, posts = _covers(s, before, changed, spent)
    strength, disorder = _counts(s, before, units)
    threats, menace = _threats(s, before, forces, cover, spots)
    return Survey(
        s.where.copy(), s.lost.copy(), s.order.copy(), s.ip, spent, strength, disorder, massed, forces, cover, posts,
        threats, menace,
    )  # fmt: skip


def _counts(s: ArdennesState, before: Survey, units: list[UnitId]) -> tuple[tuple[int, int], tuple[int, int]]:
    strength, disorder = [*before.strength], [*before.disorder]
    factors, side_of, hexes = aims(s.data).factors, s.units.side, s.ground.hexes
    for u in units:
        side = side_of[u]
        if before.where[u] < hexes:
            strength[side] -= factors[u][before.lost[u]]
        if s.where[u] < hexes:
            strength[side] += factors[u][s.lost[u]]
        disorder[side] += s.order[u] - before.order[u]
    return (strength[0], strength[1]), (disorder[0], disorder[1])


def _forces(s: ArdennesState, before: Survey, spots: set[int]) -> tuple[tuple[Strengths, Strengths], Massed]:
    if not spots:
        return before.forces, before.massed
    allied, german = before.forces[ALLIED].copy(), before.forces[GERMAN].copy()
    attacks, guards, returns, holds = before.massed
    known, side_of = aims(s.data), s.units.side
    far_pulls, near_pulls = known.packed_far, known.packed_near
    for h in spots:
        far_pull, near_pull = far_pulls[h], near_pulls[h]
        if force := allied.pop(h, None):
            returns -= force[0] * far_pull
            guards -= force[1] * near_pull
        if force := german.pop(h, None):
            attacks -= force[0] * far_pull
            holds -= force[1] * near_pull
        if units := units_at(s, h):
            force = _force(s, units)
            if side_of[units[0]] == ALLIED:
                allied[h] = force
                returns += force[0] * far_pull
                guards += force[1] * near_pull
            else:
                german[h] = force
                attacks += force[0] * far_pull
                holds += force[1] * near_pull
    return (allied, german), (attacks, guards, returns, holds)


def _force(s: ArdennesState, units: Group) -> tuple[int, int, int]:
    """Twice the attack and the defence of a stack, and whether tanks attack; in disorder half, and no attack."""
    attack = defence = tanks = 0
    printed, artillery, armor = s.units.values, s.units.artillery, s.units.armor
    for u in units:
        values = printed[u][min(s.lost[u], len(printed[u]) - 1)]
        if artillery[u] or s.order[u]:
            defence += values[1]
        elif s.march >> u & 1:
            attack += values[0]
            defence += values[1]
        else:
            attack += 2 * values[0]
            defence += 2 * values[1]
            tanks |= armor[u]
    return attack, defence, tanks


# ---- guns ------------------------------------------------------------------------------------------------------


def _covers(s: ArdennesState, before: Survey, changed: UnitSet, spent: UnitSet) -> tuple[Covers, Posts]:
    """By side: the hexes within range of one gun that can fire, and of two; and where its guns stand."""
    guns = (spent ^ before.spent | changed) & s.units.artillery_mask
    if not guns:
        return before.cover, before.posts
    cover, posts, where, hexes = [*before.cover], [*before.posts], s.where, s.ground.hexes
    for side in (ALLIED, GERMAN):
        if guns & s.units.side_mask[side]:
            cover[side] = _covered(s, side, spent)
            posts[side] = tuple([where[u] for u in s.units.guns[side] if where[u] < hexes])
    return (cover[0], cover[1]), (posts[0], posts[1])


def _covered(s: ArdennesState, side: int, spent: UnitSet) -> tuple[int, int]:
    once = twice = 0
    ground, reach_of = s.ground, s.units.range
    for u in s.units.guns[side]:
        if s.where[u] < ground.hexes and not spent >> u & 1 and not s.order[u]:
            circle = within(ground, s.where[u], reach_of[u])
            twice |= once & circle
            once |= circle
    return once, twice


# ---- what each side could do ---------------------------------------------------------------------------------


def _threats(
    s: ArdennesState, before: Survey, forces: tuple[Strengths, Strengths], cover: Covers, spots: set[int]
) -> tuple[Threats, tuple[int, int]]:
    """What each side could do to the hexes next to it, more than double with double odds; and the sums."""
    threats, menace, bit = [*before.threats], [*before.menace], s.ground.bit
    for side in (ALLIED, GERMAN):
        changed = _concerned(s.ground, before.forces, forces, side, spots)
        if cover[side] is not before.cover[side]:
            changed |= (cover[side][0] ^ before.cover[side][0]) | (cover[side][1] ^ before.cover[side][1])
        enemies, known = occupied(s, 1 - side), before.threats[side]
        hexes = [h for h in spots if h in known and not enemies & bit[h]]
        found = {}
        for h in hexes + bits(changed & enemies):
            threat = _threat(s, h, side, forces, enemies, cover[side]) if enemies & bit[h] else 0
            if threat != known.get(h, 0):
                found[h] = threat
        if found:
            menace[side] += sum([threat - known.get(h, 0) for h, threat in found.items()])
            fresh = threats[side] = known | found
            for h in [h for h, threat in found.items() if not threat]:
                del fresh[h]
    return (threats[0], threats[1]), (menace[0], menace[1])


def _concerned(
    ground: Ground, before: tuple[Strengths, Strengths], now: tuple[Strengths, Strengths], side: int, spots: set[int]
) -> int:
    """The hexes in which a side's threat may differ after something has changed in some spots, as bits.

    Its own troops threaten the hexes next to them. An enemy who comes or goes draws on those next to him, and so
    changes what they can do to others.
    """
    touching, adjacent, bit = ground.touching, ground.board.adjacent, ground.bit
    mine, enemies, here = (before[side], now[side]), (before[1 - side], now[1 - side]), 0
    for h in spots:
        here |= bit[h]
        if mine[0].get(h) != mine[1].get(h):
            here |= touching[h]
        if (h in enemies[0]) != (h in enemies[1]):
            for near in adjacent[h]:
                if near in mine[1]:
                    here |= touching[near]
    return here


def _threat(
    s: ArdennesState, h: int, side: int, forces: tuple[Strengths, Strengths], enemies: HexSet, cover: tuple[int, int]
) -> int:
    """What a side could do to an enemy's hex; troops that touch several enemies count in part against each."""
    attack = tanks = 0
    known, ground, mine = aims(s.data), s.ground, forces[side]
    rivers, touching, rough = known.river_beside[h], ground.touching, ground.rough
    for near in ground.board.adjacent[h]:
        if near in mine and (force := mine[near])[0]:
            strength = force[0] * SHARE[(touching[near] & enemies).bit_count()]
            halved = rivers >> near & 1 or rough >> near & 1
            attack += strength >> halved
            tanks |= force[2] and not halved
    if not attack:
        return 0
    bonus = known.dug_cover if s.ip >> h & 1 else 0
    if side == ALLIED and s.ground.westwall >> h & 1:
        bonus = known.wall_cover
    defence = forces[1 - side][h][1] + 2 * max(known.cover[h], bonus)
    shifts = (cover[0] >> h & 1) + (cover[1] >> h & 1) + (tanks and known.tank_ground >> h & 1)
    return _promise(known, attack // TENTHS, defence, shifts) * known.stakes[h] // 4
