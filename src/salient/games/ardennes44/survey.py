"""Ardennes '44: what the judge counts piece by piece, mended where pieces have changed since it last looked.

All sums are whole numbers, so that a survey that was mended is equal to one made afresh.
"""

from __future__ import annotations

from array import array
from functools import cache, lru_cache
from itertools import pairwise
from sys import byteorder
from typing import NamedTuple

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied, units_at
from salient.games.ardennes44.model import (
    ARMOR,
    ARTILLERY,
    ARTILLERY_MASK,
    BIT,
    BOARD,
    CITY,
    COUNT,
    FOREST,
    GUNS,
    HEXES,
    RANGE,
    RIVER,
    ROUGH,
    SIDE,
    SIDE_MASK,
    STEPS,
    TABLE,
    TERRAIN,
    TOUCHING,
    TOWN,
    VALUES,
    VICTORY,
    VILLAGE,
    WESTWALL,
    ArdennesState,
    within,
)
from salient.hexes.masks import bits
from salient.hexes.reach import reach
from salient.hexes.sets import NO_HEXES, NO_UNITS, HexSet, UnitId, UnitSet

Strengths = dict[int, tuple[int, int, int]]  # by hex: attack, defence, whether armour attacks
Covers = tuple[tuple[int, int], tuple[int, int]]
Posts = tuple[tuple[int, ...], tuple[int, ...]]
Threats = tuple[dict[int, int], dict[int, int]]
Massed = tuple[int, int, int, int]
THOUSANDTH = 0.001
TARGETS = tuple(bits(VICTORY))
MOST_STEPS = max(STEPS)

# ---- how far it is to a victory hex, roads counted ------------------------------------------------------------

ROAD, OPEN_GROUND, WOODED, CROSSING = 2, 3, 5, 4  # half points of a march that nobody hinders
RANGE_HALF, GUARD_HALF, LONG_HALF = 36, 16, 80  # as far as attackers, guards and reinforcements are drawn
LONG_SHARE = 0.12


@cache
def _marches() -> tuple[tuple[tuple[int, int], ...], ...]:
    """By hex its neighbours and what a march there costs, by and large."""

    def cost(a: int, b: int) -> int:
        if BOARD.road(a, b) is not None:
            return ROAD
        ground = WOODED if (FOREST | ROUGH) >> b & 1 else OPEN_GROUND
        return ground + CROSSING * ((a, b) in RIVER)

    return tuple(tuple((b, cost(b, a)) for b in BOARD.adjacent[a]) for a in range(HEXES))


@cache
def far(target: int) -> tuple[int, ...]:
    """By hex: how far a victory hex is, in half points, at most as far as anybody is drawn."""
    costs, _ = reach(target, LONG_HALF, _marches())
    return tuple(costs.get(h, LONG_HALF) for h in range(HEXES))


Pulls = tuple[tuple[tuple[int, float], ...], ...]


@cache
def pulls(guard: bool) -> Pulls:
    """By hex: the victory hexes that draw troops there, each with its pull, the nearer the more."""
    most = GUARD_HALF if guard else RANGE_HALF

    def pull(d: int) -> float:
        near = (1 - d / most) ** 2 if d < most else 0.0
        return near + (LONG_SHARE * (1 - d / LONG_HALF) if guard else 0.0)

    by_distance = [pull(d) for d in range(LONG_HALF + 1)]
    distances = zip(*(far(t) for t in TARGETS), strict=True)
    return tuple(tuple([(i, by_distance[d]) for i, d in enumerate(ds) if by_distance[d] > 0]) for ds in distances)


FIELD_BITS, FIELD_BYTES = 32, 4
SCALE = 256  # of a field; strengths are counted twice


@cache
def packed(guard: bool) -> tuple[int, ...]:
    """By hex: its pulls as one number, a field for each victory hex, so that strength is added to all at once."""
    return tuple(_packed(hexes) for hexes in pulls(guard))


def _packed(hexes: tuple[tuple[int, float], ...]) -> int:
    fields = array("I", bytes(FIELD_BYTES * len(TARGETS)))
    for i, pull in hexes:
        fields[i] = int(SCALE * pull)
    return int.from_bytes((fields if byteorder == "little" else fields[::-1]).tobytes(), byteorder)


UNIT = 2 * SCALE  # of what is unpacked


@lru_cache(maxsize=1 << 8)
def unpacked(sums: int) -> tuple[int, ...]:
    """The strength around each victory hex, in parts of a factor; a move changes that of one side."""
    fields = tuple(memoryview(sums.to_bytes(FIELD_BYTES * len(TARGETS), byteorder)).cast("I"))
    return fields if byteorder == "little" else fields[::-1]


# ---- what odds promise ---------------------------------------------------------------------------------

TYPICAL = {
    "DS": 2.4, "DR4": 1.6, "DR3": 1.3, "DR2": 0.9, "FF": 0.35, "FF+1": 0.2, "EX": 0.0, "ENG": 0.1, "A1/ENG": -0.5,
    "A1": -0.7,
}  # to the attacker  # fmt: skip
FINENESS = 8  # parts of a column


def _promises() -> tuple[int, ...]:
    """What an attack promises by the place on the table in parts of a column, in thousandths; never below nothing."""
    columns = [0.0, *(max(0.0, sum(TYPICAL[result] for result in faces) / len(faces)) for faces in TABLE)]
    fine = [left + (right - left) * i / FINENESS for left, right in pairwise(columns) for i in range(FINENESS)]
    return tuple(int(1000 * promise) for promise in (*fine, columns[-1]))


PROMISE = _promises()  # begins one column left of the table


@lru_cache(maxsize=1 << 14)
def _promise(attack: int, defence: int, shifts: int) -> int:
    ratio = attack / defence
    column = ratio + 1 if ratio >= 1 else 3 - 1 / ratio if ratio >= 0.34 else -1.0
    place = int(FINENESS * (min(column, 9.0) + 1 + shifts))
    return PROMISE[max(0, min(place, len(PROMISE) - 1))]


def _covers_of_ground() -> tuple[int, ...]:
    """By hex: the best defensive bonus of its ground."""
    bonus = {name: int(row["dcb"]) for name, row in TERRAIN.items() if row["dcb"]}
    cover = [bonus[terrain] for terrain in BOARD.terrain]
    for name, settled in (("village", VILLAGE), ("town", TOWN), ("city", CITY)):
        for h in bits(settled):
            cover[h] = max(cover[h], bonus[name])
    return tuple(cover)


def _rivers() -> tuple[int, ...]:
    """By hex: those beside it across a river, as bits."""
    found = [0] * HEXES
    for a, b in RIVER:
        found[a] |= BIT[b]
    return tuple(found)


COVER = _covers_of_ground()
DUG_COVER, WALL_COVER = int(TERRAIN["improved-position"]["dcb"]), int(TERRAIN["westwall"]["dcb"])
TANK_GROUND = ~(FOREST | ROUGH | WESTWALL | CITY)  # 21.3
STAKES = tuple(4 + 4 * (VICTORY >> h & 1) + 2 * bool(TOUCHING[h] & VICTORY) for h in range(HEXES))  # in quarters
TENTHS = 10
ADJACENT = BOARD.adjacent
SHARE = (10, 10, 7, 6, 5, 4, 4)  # in tenths, by the number of enemies that a hex touches
RIVER_BESIDE = _rivers()

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


NOBODY = Survey(
    [HEXES] * COUNT, bytearray(COUNT), bytearray(COUNT), NO_HEXES, NO_UNITS, (0, 0), (0, 0), (0, 0, 0, 0), ({}, {}),
    ((0, 0), (0, 0)), ((), ()), ({}, {}), (0, 0),
)  # fmt: skip
EVERYBODY = SIDE_MASK[ALLIED] | SIDE_MASK[GERMAN]


def survey(s: ArdennesState) -> Survey:
    """What stands on the board; only what has changed since the last time is counted anew."""
    before, units = s.surveyed, s.changed
    if before is None or units is None:
        before, units = NOBODY, EVERYBODY
    spent = (s.fired | s.tractor | s.march) & ARTILLERY_MASK
    if units or before.ip != s.ip or before.spent != spent:
        before = _mended(s, before, units, spent)
        s.surveyed, s.changed = before, NO_UNITS
    return before


def _mended(s: ArdennesState, before: Survey, changed: UnitSet, spent: UnitSet) -> Survey:
    units = bits(changed)
    spots = {h for u in units for h in (before.where[u], s.where[u]) if h < HEXES}
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


FACTORS = tuple(
    tuple(sum(VALUES[u][min(lost, len(VALUES[u]) - 1)][:2]) for lost in range(MOST_STEPS + 1)) for u in range(COUNT)
)  # by unit and steps lost


def _counts(s: ArdennesState, before: Survey, units: list[UnitId]) -> tuple[tuple[int, int], tuple[int, int]]:
    strength, disorder = [*before.strength], [*before.disorder]
    for u in units:
        side = SIDE[u]
        if before.where[u] < HEXES:
            strength[side] -= FACTORS[u][before.lost[u]]
        if s.where[u] < HEXES:
            strength[side] += FACTORS[u][s.lost[u]]
        disorder[side] += s.order[u] - before.order[u]
    return (strength[0], strength[1]), (disorder[0], disorder[1])


def _forces(s: ArdennesState, before: Survey, spots: set[int]) -> tuple[tuple[Strengths, Strengths], Massed]:
    if not spots:
        return before.forces, before.massed
    allied, german = before.forces[ALLIED].copy(), before.forces[GERMAN].copy()
    attacks, guards, returns, holds = before.massed
    far_pulls, near_pulls = packed(False), packed(True)
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
            if SIDE[units[0]] == ALLIED:
                allied[h] = force
                returns += force[0] * far_pull
                guards += force[1] * near_pull
            else:
                german[h] = force
                attacks += force[0] * far_pull
                holds += force[1] * near_pull
    return (allied, german), (attacks, guards, returns, holds)


def _force(s: ArdennesState, units: tuple[int, ...]) -> tuple[int, int, int]:
    """Twice the attack and the defence of a stack, and whether tanks attack; in disorder half, and no attack."""
    attack = defence = tanks = 0
    for u in units:
        values = VALUES[u][min(s.lost[u], len(VALUES[u]) - 1)]
        if ARTILLERY[u] or s.order[u]:
            defence += values[1]
        elif s.march >> u & 1:
            attack += values[0]
            defence += values[1]
        else:
            attack += 2 * values[0]
            defence += 2 * values[1]
            tanks |= ARMOR[u]
    return attack, defence, tanks


# ---- guns ------------------------------------------------------------------------------------------------------


def _covers(s: ArdennesState, before: Survey, changed: UnitSet, spent: UnitSet) -> tuple[Covers, Posts]:
    """By side: the hexes within range of one gun that can fire, and of two; and where its guns stand."""
    guns = (spent ^ before.spent | changed) & ARTILLERY_MASK
    if not guns:
        return before.cover, before.posts
    cover, posts, where = [*before.cover], [*before.posts], s.where
    for side in (ALLIED, GERMAN):
        if guns & SIDE_MASK[side]:
            cover[side] = _covered(s, side, spent)
            posts[side] = tuple([where[u] for u in GUNS[side] if where[u] < HEXES])
    return (cover[0], cover[1]), (posts[0], posts[1])


def _covered(s: ArdennesState, side: int, spent: UnitSet) -> tuple[int, int]:
    once = twice = 0
    for u in GUNS[side]:
        if s.where[u] < HEXES and not spent >> u & 1 and not s.order[u]:
            circle = within(s.where[u], RANGE[u])
            twice |= once & circle
            once |= circle
    return once, twice


# ---- what each side could do ---------------------------------------------------------------------------------


def _threats(
    s: ArdennesState, before: Survey, forces: tuple[Strengths, Strengths], cover: Covers, spots: set[int]
) -> tuple[Threats, tuple[int, int]]:
    """What each side could do to the hexes next to it, more than double with double odds; and the sums."""
    threats, menace = [*before.threats], [*before.menace]
    for side in (ALLIED, GERMAN):
        changed = _concerned(before.forces, forces, side, spots)
        if cover[side] is not before.cover[side]:
            changed |= (cover[side][0] ^ before.cover[side][0]) | (cover[side][1] ^ before.cover[side][1])
        enemies, known = occupied(s, 1 - side), before.threats[side]
        hexes = [h for h in spots if h in known and not enemies & BIT[h]]
        found = {}
        for h in hexes + bits(changed & enemies):
            threat = _threat(s, h, side, forces, enemies, cover[side]) if enemies & BIT[h] else 0
            if threat != known.get(h, 0):
                found[h] = threat
        if found:
            menace[side] += sum([threat - known.get(h, 0) for h, threat in found.items()])
            fresh = threats[side] = known | found
            for h in [h for h, threat in found.items() if not threat]:
                del fresh[h]
    return (threats[0], threats[1]), (menace[0], menace[1])


def _concerned(
    before: tuple[Strengths, Strengths], now: tuple[Strengths, Strengths], side: int, spots: set[int]
) -> int:
    """The hexes in which a side's threat may differ after something has changed in some spots, as bits.

    Its own troops threaten the hexes next to them. An enemy who comes or goes draws on those next to him, and so
    changes what they can do to others.
    """
    mine, enemies, here = (before[side], now[side]), (before[1 - side], now[1 - side]), 0
    for h in spots:
        here |= BIT[h]
        if mine[0].get(h) != mine[1].get(h):
            here |= TOUCHING[h]
        if (h in enemies[0]) != (h in enemies[1]):
            for near in ADJACENT[h]:
                if near in mine[1]:
                    here |= TOUCHING[near]
    return here


def _threat(
    s: ArdennesState, h: int, side: int, forces: tuple[Strengths, Strengths], enemies: HexSet, cover: tuple[int, int]
) -> int:
    """What a side could do to an enemy's hex; troops that touch several enemies count in part against each."""
    attack = tanks = 0
    rivers, mine = RIVER_BESIDE[h], forces[side]
    for near in ADJACENT[h]:
        if near in mine and (force := mine[near])[0]:
            strength = force[0] * SHARE[(TOUCHING[near] & enemies).bit_count()]
            halved = rivers >> near & 1 or ROUGH >> near & 1
            attack += strength >> halved
            tanks |= force[2] and not halved
    if not attack:
        return 0
    bonus = DUG_COVER if s.ip >> h & 1 else 0
    if side == ALLIED and WESTWALL >> h & 1:
        bonus = WALL_COVER
    defence = forces[1 - side][h][1] + 2 * max(COVER[h], bonus)
    shifts = (cover[0] >> h & 1) + (cover[1] >> h & 1) + (tanks and TANK_GROUND >> h & 1)
    return _promise(attack // TENTHS, defence, shifts) * STAKES[h] // 4
