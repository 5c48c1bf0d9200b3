"""The Deadly Woods: the chits, the state, and the only ways in which pieces change [2.5, 2.6]."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from salient.common.fields import BridgeSet, bridge_set, clear_marks, hex_set, per_unit, unit_set
from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import StackState, put, refresh_unit
from salient.games.deadly_woods.components import ARMOR, CHITS, INFANTRY, Assets, Ground, Tables, Units
from salient.hexes.flood import OpenMasks, Shut, shut_of, without
from salient.hexes.masks import bits
from salient.hexes.sets import NOBODY, HexSet, UnitId, UnitSet
from salient.kernel.state import cache, column, number, part, sequence, tally, value, word

if TYPE_CHECKING:
    from salient.games.deadly_woods.survey import Survey

(
    GERMAN_MC, PZ5, PZ6, ALL_GERMAN, ONE_ARMY, FORMATION_CHIT, GERMAN_REINFORCEMENTS, SUPPLY,
    ALLIED_MC, ALLIED_REINFORCEMENTS, PATTON_MONTY, REACTION,
) = range(len(CHITS))  # fmt: skip
SOME_ARMY = len(CHITS)  # 5th or 6th Panzer Army, as the German chose in secret [17]
CHIT_SIDE = (*(GERMAN,) * 7, -1, *(ALLIED,) * 4, GERMAN)  # supply checks count for neither side [14.2]


class Traced(NamedTuple):
    """The hexes in supply, by side, where units stand in these sets of hexes and these bridges are blown."""

    hex_sets: object
    blown: BridgeSet
    supplied: dict[int, int]


class WoodsState(StackState):
    """A position of The Deadly Woods."""

    SET_COUNT = 5

    units: Units = part()
    ground: Ground = part()
    assets: Assets = part()
    tables: Tables = part()
    where: list[int] = column(per_unit, lambda data: data.ground.track)  # by unit: a hex or a box
    lost: bytearray = tally(per_unit)  # by unit: steps lost
    asset: list[int] = column(lambda data: data.assets.count, lambda data: data.ground.gone)  # by asset: its place
    cup: list[int] = column(len(CHITS))  # chits left by kind
    reinforcements: list[int] = column(2)  # by side: reinforcement chits played this turn
    scenario: str = word()
    option: str = word()  # the choice of 16.1
    turn: int = number(1)
    initiative: int = number(GERMAN)
    hand: int = value(-1)  # the chit that the Allies hold, -1 for none
    track: tuple[int, ...] = sequence()  # chits played this turn, in order
    mc_played: int = number()  # bits: 1 the German movement round, 2 the German combat round of this turn [14.4]
    german_held: HexSet = hex_set()  # hexes under German control [3.5]
    blown: BridgeSet = bridge_set()  # blown bridges
    built: int = value()  # armies that have rebuilt a bridge this turn, as bits [10.6.2]
    oos: UnitSet = unit_set("on-map")  # German units marked as out of supply [8.1]
    active: UnitSet = unit_set()  # units that may move in this round
    fighters: UnitSet = unit_set()  # units that may attack in this round
    left: int = number()  # how many units may still be activated, -1 for any number [14.3.1]
    done: UnitSet = unit_set()  # units whose movement in this round is over
    moved: UnitSet = unit_set()  # units that have moved in this round
    fought: UnitSet = unit_set()  # units that have attacked in this round
    attacked: UnitSet = unit_set()  # units that have been attacked in this round
    stacked: UnitSet = unit_set()  # units that began the movement round stacked [10.4.1]
    arrived: UnitSet = unit_set()  # reinforcements of this round
    motor: UnitId = value(NOBODY)  # the German unit under the motorized marker
    demolished: int = value()  # engineers that have blown a bridge in this round, as asset bits [10.6.1]
    detour: UnitSet = unit_set()  # III Corps units that go round by area D [14.8.1]
    st_vith: int = number()  # the turn in which a German first entered St. Vith, 0 for never [9.2.1]
    fuel: int = number()  # 0 the depot stands, 1 Peiper has it, 2 gone [8.5]
    infiltrated: int = number()  # 150th Brigade has used its trick [7.3]
    meuse_crossed: int = number()  # a German has moved or attacked across the Meuse [10.6.4]
    fifth_free: int = number()  # US 5th Armored came in elsewhere [10.6.4]
    withdrawal: int = number()  # 0 not yet, 1 carried out, 2 cancelled or too late [12.10]
    winner: str = word()
    result_key: str = word()
    traced: Traced | None = cache()  # what was last found of supply
    surveyed: Survey | None = cache()  # what the judge last counted
    judged: tuple[Survey, tuple[object, ...], dict[str, float]] | None = cache()  # what the judge last found

    def add_to_sets(self, sets: list[HexSet], u: UnitId, here: int) -> None:
        """The hexes occupied; those of infantry, other motorized and armoured units with zones of control; those
        shared by several units."""
        if sets[0] & here:
            sets[4] |= here
        sets[0] |= here
        units, lost = self.units, self.lost[u]
        if units.values[u][lost][3]:
            kind = units.kind[u][lost]
            sets[1 if kind == INFANTRY else 3 if kind == ARMOR else 2] |= here


# ---- 7.2, 8.2, 10.4 Hexsides that lie open -------------------------------------------------------------


@lru_cache(maxsize=1 << 10)
def dry_ways(ground: Ground, blown: BridgeSet) -> OpenMasks:
    """The hexsides without water or with an intact bridge [7.2, 8.2]."""
    return without(ground.dry_or_bridged, _blown_sides(ground, blown))


@lru_cache(maxsize=1 << 10)
def road_ways(ground: Ground, blown: BridgeSet) -> OpenMasks:
    """The hexsides that a road crosses, not over a blown bridge [10.4]."""
    return without(ground.by_road, _blown_sides(ground, blown))


def _blown_sides(ground: Ground, blown: BridgeSet) -> Shut:
    return shut_of(ground.bridges[i] for i in bits(blown))


# ---- what can be named and taken back: units, then assets, then bridges ------------------------------


def asset_piece(s: WoodsState, a: int) -> int:
    """An asset among all pieces."""
    return s.units.count + a


def bridge_piece(s: WoodsState, bridge: int) -> int:
    """A bridge among all pieces."""
    return s.units.count + s.assets.count + bridge


# ---- looking ----------------------------------------------------------------------------------------


def kind_of(s: WoodsState, u: UnitId) -> int:
    """What a unit is at its present strength."""
    return s.units.kind[u][s.lost[u]]


def is_motorized(s: WoodsState, u: UnitId) -> bool:
    """Armour, mechanized units and mechanized cavalry [10.1]."""
    return s.units.kind[u][s.lost[u]] != INFANTRY


def steps_left(s: WoodsState, u: UnitId) -> int:
    """The steps that a unit has."""
    return s.units.steps[u] - s.lost[u]


# ---- the only ways in which pieces change --------------------------------------------------------------


def set_lost(s: WoodsState, u: UnitId, steps: int) -> None:
    """The one way a unit's strength changes."""
    s.lost[u] = steps
    refresh_unit(s, u)


def take_off(s: WoodsState, u: UnitId, place: int) -> None:
    """Take a unit off the map and clear every mark on it; the US Delay goes back to its box [12.9.1]."""
    put(s, u, s.ground.box if u == s.units.delay else place)
    set_lost(s, u, 0)
    clear_marks(s, u)
    if s.motor == u:
        s.motor = NOBODY
        s.asset[s.assets.motor] = s.ground.used
