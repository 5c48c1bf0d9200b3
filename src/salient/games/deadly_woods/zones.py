"""The Deadly Woods: chapters 7 and 9, zones of control and army boundaries."""

from __future__ import annotations

from functools import cache, lru_cache

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import hex_sets, occupied, present
from salient.games.deadly_woods.components import Ground
from salient.games.deadly_woods.model import WoodsState, dry_ways, road_ways
from salient.hexes.flood import spread
from salient.hexes.masks import bits, mask_of, units_of
from salient.hexes.sets import HexSet, UnitId, UnitSet
from salient.kernel import Refusal

# ---- 7.1, 7.2 Zones of control ------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def _zone(ground: Ground, side: int, infantry: int, light: int, armor: int, blown: int) -> int:
    ways = dry_ways(ground, blown)
    armoured = spread(armor, ways) & ~(ground.woods | ground.forest) | spread(armor, road_ways(ground, blown))
    motorized = spread(light, ways) | armoured
    if side == ALLIED:
        motorized &= ~ground.westwall
    return spread(infantry, ways) | motorized


def zone(s: WoodsState, side: int) -> int:
    """The hexes in the zones of control of a side, as bits: not across rivers without a bridge [7.2]."""
    _, infantry, light, armor, _ = hex_sets(s, side)
    return _zone(s.ground, side, infantry, light, armor, s.blown)


def binding_zone(s: WoodsState, side: int) -> HexSet:
    """The enemy's zone as far as it binds a side in retreat and supply: friends and the Westwall lift it [7.3]."""
    return _lifted(s, side, zone(s, 1 - side), occupied(s, side))


def binding_zone_if(s: WoodsState, side: int, lost: int, blown: int) -> HexSet:
    """The zone that would bind a side if enemy infantry stood in the hexes `lost` and these bridges were blown."""
    _, infantry, light, armor, _ = hex_sets(s, 1 - side)
    found = _zone(s.ground, 1 - side, infantry | lost, light, armor, blown)
    return _lifted(s, side, found, occupied(s, side) & ~lost)


def _lifted(s: WoodsState, side: int, zone: int, friends: HexSet) -> HexSet:
    """What is left of a zone of control where friends and the Westwall lift it."""
    return zone ^ zone & (friends | s.ground.westwall if side == GERMAN else friends)


@lru_cache(maxsize=1 << 12)
def hexes_of(mask: int) -> frozenset[int]:
    """A mask as a set, for searches."""
    return frozenset(bits(mask))


@lru_cache(maxsize=1 << 12)
def next_to(ground: Ground, mask: int) -> int:
    """The hexes next to some hexes, whatever lies between, as bits."""
    return spread(mask, ground.neighbours)


BOUNDED_TURNS = 3  # the last turn with boundaries [9.2]
OVER_THE_BOUNDARY, AROUND_J = 2, 3  # hexes [9.4, 10.6.4]

# ---- 9.1 to 9.4 Army boundaries ----------------------------------------------------------------


@cache
def _near_seventh(ground: Ground) -> int:
    """The ground of 5th Panzer Army within two hexes of that of 7th Army, as bits [9.4]."""
    fifth, seventh = ground.army_zone["5"], ground.army_zone["7"]
    return mask_of(h for h in bits(fifth) if ground.within[h][OVER_THE_BOUNDARY] & seventh)


def border_5_6_lifted(s: WoodsState) -> bool:
    """Whether the line between 5th and 6th Panzer Army is gone: a turn after a German entered St. Vith [9.2.1]."""
    return s.turn > BOUNDED_TURNS or (s.st_vith > 0 and s.turn > s.st_vith)


def army_ground(s: WoodsState, army: str) -> int:
    """The hexes in which an army may operate now, as bits [9.2, 9.2.1]."""
    if s.turn > BOUNDED_TURNS:
        return s.ground.all_hexes
    if army in "56" and border_5_6_lifted(s):
        return s.ground.army_zone["5"] | s.ground.army_zone["6"]
    return s.ground.army_zone[army]


MUST_WAIT_UNTIL = {"29Bde": 5, "6Abn": 8, "11A": 8, "51": 9, "53": 9, "33Bde": 9, "17": 9}  # 10.6.4


def waits_west_of_meuse(s: WoodsState, u: UnitId) -> bool:
    """Whether a unit must stay west of the Meuse still [10.6.4]."""
    turn = MUST_WAIT_UNTIL.get(s.units.formation[u], 0)
    return s.turn < turn and not s.meuse_crossed


@cache
def _around_j(ground: Ground) -> int:
    """The hexes near entry area J, as bits [10.6.4]."""
    mask = 0
    for h in ground.area_hexes["J"]:
        mask |= ground.within[h][AROUND_J]
    return mask


def bounds(s: WoodsState, u: UnitId) -> int:
    """Where a unit may go at all: army zones, British zone, Meuse, 5th Armored, as bits [9.2-9.4, 10.6.4]."""
    if s.units.side[u] == GERMAN:
        if s.turn > BOUNDED_TURNS:
            return s.ground.all_hexes
        if u == s.units.fj_14:
            return s.ground.army_zone["7"] | _near_seventh(s.ground)
        return army_ground(s, s.ground.army_of(s.where[u]))
    mask = s.ground.british_zone if s.units.nation[u] == "british" else s.ground.all_hexes
    if waits_west_of_meuse(s, u):
        mask &= s.ground.west_of_meuse
    if s.units.division[u] == "5A" and not s.fifth_free:
        mask &= _around_j(s.ground)
    return mask


def refuse_ground(s: WoodsState, u: UnitId, h: int) -> Refusal | None:
    """Why a unit may not enter a hex for reasons of command."""
    if bounds(s, u) >> h & 1:
        return None
    if s.units.side[u] == GERMAN:
        return Refusal("9.4" if u == s.units.fj_14 else "9.2", "army-boundary", unit=u, hex=h)
    if s.units.nation[u] == "british" and not s.ground.british_zone >> h & 1:
        return Refusal("9.3", "british-zone", unit=u, hex=h)
    if s.units.division[u] == "5A":
        return Refusal("10.6.4", "near-area-j", unit=u, hex=h)
    return Refusal("10.6.4", "west-of-meuse", unit=u, hex=h)


def may_support(s: WoodsState, army: str, h: int) -> bool:
    """Whether an army's guns may take part in a combat whose defender is in a hex [9.2, 9.2.2, 12.2]."""
    if s.turn > BOUNDED_TURNS:
        return not (army in "67" and s.ground.army_zone["7" if army == "6" else "6"] >> h & 1)
    return bool(army_ground(s, army) >> h & 1)


def units_in_army(s: WoodsState, army: str) -> UnitSet:
    """The German units in an army's zone, as unit bits [9.1]."""
    zone = s.ground.army_zone[army]
    return units_of(u for u in bits(present(s) & s.units.side_mask[GERMAN]) if zone >> s.where[u] & 1)
