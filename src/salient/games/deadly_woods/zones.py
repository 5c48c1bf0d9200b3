"""The Deadly Woods: chapters 7 and 9, zones of control and army boundaries."""

from __future__ import annotations

from functools import lru_cache

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import hex_sets, occupied
from salient.games.deadly_woods.model import (
    ALL_HEXES,
    AREA_HEXES,
    ARMY_ZONE,
    BRITISH_ZONE,
    DIVISION,
    FJ_14,
    FOREST,
    NATION,
    NEIGHBOURS,
    SIDE,
    UNITS,
    WEST_OF_MEUSE,
    WESTWALL,
    WITHIN,
    WOODS,
    WoodsState,
    army_of,
    dry_ways,
    road_ways,
)
from salient.hexes.flood import spread
from salient.hexes.masks import bits
from salient.hexes.sets import NO_UNITS, HexSet, UnitSet
from salient.kernel import Refusal

# ---- 7.1, 7.2 Zones of control ------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def _zone(side: int, infantry: int, light: int, armor: int, blown: int) -> int:
    ways = dry_ways(blown)
    armoured = spread(armor, ways) & ~(WOODS | FOREST) | spread(armor, road_ways(blown))
    motorized = spread(light, ways) | armoured
    if side == ALLIED:
        motorized &= ~WESTWALL
    return spread(infantry, ways) | motorized


def zone(s: WoodsState, side: int) -> int:
    """The hexes in the zones of control of a side, as bits: not across rivers without a bridge [7.2]."""
    _, infantry, light, armor, _ = hex_sets(s, side)
    return _zone(side, infantry, light, armor, s.blown)


def binding_zone(s: WoodsState, side: int) -> HexSet:
    """The enemy's zone as far as it binds a side in retreat and supply: friends and the Westwall lift it [7.3]."""
    return binding_zone_if(s, side, 0, s.blown)


def binding_zone_if(s: WoodsState, side: int, lost: int, blown: int) -> HexSet:
    """The zone that would bind a side if enemy infantry stood in the hexes `lost` and these bridges were blown."""
    _, infantry, light, armor, _ = hex_sets(s, 1 - side)
    lifted = occupied(s, side) & ~lost | (WESTWALL if side == GERMAN else 0)
    return _zone(1 - side, infantry | lost, light, armor, blown) & ~lifted


@lru_cache(maxsize=1 << 12)
def hexes_of(mask: int) -> frozenset[int]:
    """A mask as a set, for searches."""
    return frozenset(bits(mask))


@lru_cache(maxsize=1 << 12)
def next_to(mask: int) -> int:
    """The hexes next to some hexes, whatever lies between, as bits."""
    return spread(mask, NEIGHBOURS)


BOUNDED_TURNS = 3  # the last turn with boundaries [9.2]

# ---- 9.1 to 9.4 Army boundaries ----------------------------------------------------------------


@lru_cache(maxsize=8)
def _near_seventh(radius: int) -> int:
    mask = 0
    for h in bits(ARMY_ZONE["5"]):
        if WITHIN[h][radius] & ARMY_ZONE["7"]:
            mask |= 1 << h
    return mask


def border_5_6_lifted(s: WoodsState) -> bool:
    """Whether the line between 5th and 6th Panzer Army is gone: a turn after a German entered St. Vith [9.2.1]."""
    return s.turn > BOUNDED_TURNS or (s.st_vith > 0 and s.turn > s.st_vith)


def army_ground(s: WoodsState, army: str) -> int:
    """The hexes in which an army may operate now, as bits [9.2, 9.2.1]."""
    if s.turn > BOUNDED_TURNS:
        return ALL_HEXES
    if army in "56" and border_5_6_lifted(s):
        return ARMY_ZONE["5"] | ARMY_ZONE["6"]
    return ARMY_ZONE[army]


MUST_WAIT_UNTIL = {"29Bde": 5, "6Abn": 8, "11A": 8, "51": 9, "53": 9, "33Bde": 9, "17": 9}  # 10.6.4


def waits_west_of_meuse(s: WoodsState, u: int) -> bool:
    """Whether a unit must stay west of the Meuse still [10.6.4]."""
    turn = MUST_WAIT_UNTIL.get(DIVISION[u] or UNITS[u], 0)
    return s.turn < turn and not s.meuse_crossed


@lru_cache(maxsize=1)
def _around_j() -> int:
    mask = 0
    for h in AREA_HEXES["J"]:
        mask |= WITHIN[h][3]
    return mask


def ground(s: WoodsState, u: int) -> int:
    """Where a unit may go at all: army zones, British zone, Meuse, 5th Armored, as bits [9.2-9.4, 10.6.4]."""
    if SIDE[u] == GERMAN:
        if s.turn > BOUNDED_TURNS:
            return ALL_HEXES
        if u == FJ_14:
            return ARMY_ZONE["7"] | _near_seventh(2)
        return army_ground(s, army_of(s.where[u]))
    mask = BRITISH_ZONE if NATION[u] == "british" else ALL_HEXES
    if waits_west_of_meuse(s, u):
        mask &= WEST_OF_MEUSE
    if DIVISION[u] == "5A" and not s.fifth_free:
        mask &= _around_j()
    return mask


def refuse_ground(s: WoodsState, u: int, h: int) -> Refusal | None:
    """Why a unit may not enter a hex for reasons of command."""
    if ground(s, u) >> h & 1:
        return None
    if SIDE[u] == GERMAN:
        return Refusal("9.4" if u == FJ_14 else "9.2", "army-boundary", unit=u, hex=h)
    if NATION[u] == "british" and not BRITISH_ZONE >> h & 1:
        return Refusal("9.3", "british-zone", unit=u, hex=h)
    if DIVISION[u] == "5A":
        return Refusal("10.6.4", "near-area-j", unit=u, hex=h)
    return Refusal("10.6.4", "west-of-meuse", unit=u, hex=h)


def may_support(s: WoodsState, army: str, h: int) -> bool:
    """Whether an army's guns may take part in a combat whose defender is in a hex [9.2, 9.2.2, 12.2]."""
    if s.turn > BOUNDED_TURNS:
        return not (army in "67" and ARMY_ZONE["7" if army == "6" else "6"] >> h & 1)
    return bool(army_ground(s, army) >> h & 1)


def units_in_army(s: WoodsState, army: str) -> UnitSet:
    """The German units in an army's zone, as unit bits [9.1]."""
    mask = NO_UNITS
    for u, place in enumerate(s.where):
        if SIDE[u] == GERMAN and place < len(WITHIN) and ARMY_ZONE[army] >> place & 1:
            mask |= 1 << u
    return mask
