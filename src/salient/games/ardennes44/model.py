"""Ardennes '44: the state, where units stand, and the only ways in which pieces change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from salient.common.fields import BridgeSet, bridge_set, clear_marks, hex_set, per_unit, unit_set
from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import StackState, away, hex_sets, present, put, refresh_unit
from salient.games.ardennes44.components import Ground, Tables, Units, Values
from salient.hexes.masks import bits, units_of
from salient.hexes.sets import NO_UNITS, NOBODY, Group, HexSet, UnitId, UnitSet
from salient.kernel import AnyFrame
from salient.kernel.state import cache, column, number, part, sequence, tally, value, word

if TYPE_CHECKING:
    from salient.games.ardennes44.supply import Network
    from salient.games.ardennes44.survey import Survey
    from salient.games.ardennes44.zones import Known

# ---- optional rules --------------------------------------------------------------------------------

INFILTRATION, DEPOTS, ROADBLOCKS, FACTOR_LIMIT, BODENPLATTE, COMMANDO = (1 << i for i in range(6))
OPTIONAL = {
    "night-infiltration": (INFILTRATION, "31"),
    "fuel-depots": (DEPOTS, "32"),
    "roadblocks": (ROADBLOCKS, "33"),
    "factor-limit": (FACTOR_LIMIT, "34"),
    "bodenplatte": (BODENPLATTE, "35"),
    "greif-commando": (COMMANDO, "36"),
}

TRAFFIC_MARKERS = 6  # per side [24.1]
IN_BOX, OUT_OF_PLAY = -1, -2  # of traffic markers and roadblocks
COMMANDO_WAITS, COMMANDO_GONE = -1, -2  # 36
GOOD, DISRUPTED, ROUTED = range(3)  # 18.1


class ArdennesState(StackState):
    """A position of Ardennes '44."""

    SET_COUNT = 12

    units: Units = part()
    ground: Ground = part()
    tables: Tables = part()
    where: list[int] = column(per_unit, lambda data: data.ground.track)  # by unit: a hex, a box or another place
    lost: bytearray = tally(per_unit)  # by unit: steps lost
    order: bytearray = tally(per_unit)  # by unit: good order, disrupted, routed [18.1]
    points: bytearray = tally(per_unit)  # by unit: surrender points of its isolated group [23.7]
    parent: list[UnitId] = column(per_unit, NOBODY)  # whose part or, until combats end, remnant it is [16.4, 26.4]
    traffic: list[int] = column(2 * TRAFFIC_MARKERS, IN_BOX)  # Allied, then German: a hex, IN_BOX or OUT_OF_PLAY [24]
    blocks: list[int] = column(4, IN_BOX)  # roadblocks: two Allied, two German [33]
    scenario: str = word()
    rules: int = value()  # optional rules in play, as bits
    turn: int = number(1)
    player: int = number(GERMAN)  # whose player turn it is
    night: int = number()  # 1 in the night turn that follows a PM turn [25]
    oos: UnitSet = unit_set("on-map", "inherited", "split")  # units marked as out of supply [23.1]
    isolated: UnitSet = unit_set("on-map", "inherited", "split")  # cut off in the last supply phase [23.6]
    engaged: UnitSet = unit_set("on-map", "inherited", "split")  # engaged units [16.5]
    fired: UnitSet = unit_set()  # artillery on its fired side [22.5]
    march: UnitSet = unit_set()  # units under strategic movement or truck markers [12.4]
    shared: UnitSet = unit_set()  # units whose marker a partner has taken along [12.4.2]
    tractor: UnitSet = unit_set("on-map")  # German artillery under tractor markers [22.3]
    night_marks: UnitSet = unit_set("on-map", "split")  # units under night markers [25.3.3]
    fresh: UnitSet = unit_set()  # units that have received replacements [25.2.4]
    done: UnitSet = unit_set("inherited")  # units whose movement in this phase is over
    moved: UnitSet = unit_set("inherited")  # units that have moved in this phase
    far: UnitSet = unit_set("inherited")  # units that have used more than one movement point [25.3.5]
    fought: UnitSet = unit_set("inherited", "split")  # units that have attacked or tried to disengage in this phase
    attacked: UnitSet = unit_set("inherited")  # units that have been attacked in this phase
    retreated: UnitSet = unit_set("inherited")  # units that have retreated in this phase [17.5]
    driven: UnitSet = unit_set()  # Germans driven over an army boundary that have not come back [11.10.2]
    dug: UnitSet = unit_set()  # units that have begun an improved position in this turn [15.8.2]
    used: int = number()  # night markers used in this phase [25.3.3, 31]
    short: UnitSet = unit_set("left-behind", "split")  # units without fuel this turn [6.1]
    held: HexSet = hex_set()  # objective hexes last held or passed by Germans [30.1.2]
    ip: HexSet = hex_set()  # hexes with improved positions [15.8]
    digging: HexSet = hex_set()  # hexes with improved positions under construction
    new_ip: HexSet = hex_set()  # those begun in this phase
    blown: BridgeSet = bridge_set()  # bridges that cannot be used; those under construction included
    building: BridgeSet = bridge_set()  # bridges under construction [7.8]
    builders: BridgeSet = bridge_set()  # those of them that Germans build
    bridges_tried: BridgeSet = bridge_set()  # bridges at which demolition was tried in this player turn [7.2]
    ouren: int = number()  # the bridge of Ouren has been looked at [7.7]
    advantage: tuple[tuple[int, int, int], ...] = sequence()  # attacker's hex, target hex, unit bits [16.6]
    air: int = number()  # air support markers left this turn [15.6.2]
    fuel_left: int = number()  # fuel of a captured depot brought home [32.2]
    depots: tuple[int, ...] = sequence()  # by hex: 0 none, 1 hidden dummy, 2 hidden depot, 3 shown, 4 captured [32]
    depot_tried: int = number()  # the turn in which the Allies last tried to burn it [32.3]
    greif: int = number(COMMANDO_WAITS)  # the bridge of the commando, COMMANDO_WAITS or COMMANDO_GONE [36]
    exposed: int = number()  # 150th Brigade: 0 not yet, 1 used this turn, 2 unmasked [27.8]
    exits: HexSet = hex_set()  # entry hexes by which Germans have left [11.9.3]
    bodenplatte: int = number()  # the turn from which it counts, 0 for never [35]
    german_areas: int = number()  # victory phases in a row with Allies in three German areas [30.3]
    jagdtiger: int = number()  # 0 may come, 1 has been released [27.7]
    sauer: int = number()  # the crossing of 29.3 has been used
    spearhead: tuple[tuple[UnitId, int], ...] = sequence()  # units that may break through, how far they advanced [19.4]
    overrun: int = number()  # roadblocks that go at the end of the phase, as bits [33.3]
    meuse: int = number()  # Germans have crossed the Meuse [27.3.2]
    sneaked: HexSet = hex_set()  # hexes whose groups have infiltrated in this phase [31]
    sites: HexSet = hex_set()  # towns in which engineers have been placed in this phase [13.2.1]
    led: UnitSet = unit_set("split")  # units in Peiper's hexes when the first night's combats begin, his own too [27.5]
    stayed: UnitSet = unit_set()  # units whose stack has announced that they do not disengage in this phase [20.2]
    planned: int = number()  # sides that have marked groups for the coming night, as bits [25.3.3]
    winner: str = word()
    result_key: str = word()
    surveyed: Survey | None = cache()  # what the judge last counted
    judged: tuple[Survey, tuple[object, ...], dict[str, float]] | None = cache()  # what the judge last found

    bonds: tuple[Known, Known] | None = cache()  # by side: what it was found from, and its bonds
    networks: tuple[Network | None, Network | None] | None = cache()  # by side: its roads in supply
    noted: tuple[object, object, dict[Any, Any]] | None = cache()  # stack, sets of hexes, and what was found for them
    shaken: UnitSet | None = cache()  # disrupted and routed units
    reduced: UnitSet | None = cache()  # units that have lost steps

    def add_to_sets(self, sets: list[HexSet], u: UnitId, here: int) -> None:
        """The hexes occupied; sources of zones, and ends of bonds, each without and with a silhouette; what is full."""
        sets[0] |= here
        units: Units = self.units
        profile = units.profile[u]
        sets[2 if profile else 1] |= here
        if not units.artillery[u] and not self.order[u] and not self.march >> u & 1:
            sets[4 if profile else 3] |= here
        kind, size = load_of(self, u)
        for _ in range(size):
            for at in LOADED[kind]:
                if not sets[at] & here:
                    break
            sets[at] |= here


# ---- 8.1, 8.2 Stacking as sets of hexes -----------------------------------------------------------------

LIMITS = (3, 2, 1)  # in a hex: stacking points, steps with a silhouette, artillery
ENDS = 5  # the first sets of hexes: those occupied, sources of zones and ends of bonds
OVERLOADED = 11  # the set of hexes that hold more than they may
LOADED = (  # by kind: the sets of hexes that hold at least one, two, three, and too much
    (5, 6, 7, OVERLOADED),
    (8, 9, OVERLOADED),
    (10, OVERLOADED),
)


def load_of(s: ArdennesState, u: UnitId) -> tuple[int, int]:
    """As what a unit counts for stacking, and how much."""
    return s.units.loads[u][s.lost[u]]


# ---- looking ----------------------------------------------------------------------------------------


def units_in(s: ArdennesState, place: int) -> Group:
    """The units in a place off the map, ascending."""
    return tuple(bits(away(s).get(place, NO_UNITS)))


def steps_left(s: ArdennesState, u: UnitId) -> int:
    """The steps that a unit has on its own counter."""
    return 1 if s.units.steps[u] == 1 else s.units.steps[u] - s.lost[u]


def values(s: ArdennesState, u: UnitId) -> Values:
    """Attack, defence and movement now: Allied artillery moves by its fired side [22.1]."""
    if s.units.artillery[u]:
        return s.units.values[u][1 if s.fired >> u & 1 and len(s.units.values[u]) > 1 else 0]
    return s.units.values[u][s.lost[u]]


def noted(s: ArdennesState) -> dict[Any, Any]:
    """What was found for the decision at hand, which lists and choices ask alike.

    It is forgotten when the stack changes or a unit moves.
    """
    hex_sets(s, ALLIED)
    if s.noted is None or s.noted[0] is not s.stack or s.noted[1] is not s.hex_sets:
        s.noted = s.stack, s.hex_sets, {}
    return s.noted[2]


def push_noted(s: ArdennesState, frame: AnyFrame) -> None:
    """Push a decision that was looked at just now: what was found for it still holds."""
    known = noted(s)
    s.push(frame)
    s.noted = s.stack, s.hex_sets, known


def shaken(s: ArdennesState) -> UnitSet:
    """The units that are not in good order [18.1]."""
    found = s.shaken
    if found is None:
        found = s.shaken = units_of(u for u, order in enumerate(s.order) if order)
    return found


def reduced(s: ArdennesState) -> UnitSet:
    """The units that have lost steps."""
    found = s.reduced
    if found is None:
        found = s.reduced = units_of(u for u, lost in enumerate(s.lost) if lost)
    return found


def standing_in(s: ArdennesState, units: UnitSet, hexes: HexSet) -> UnitSet:
    """Those of some units on the map that stand in some hexes."""
    where, bit = s.where, s.ground.bit
    return units_of(u for u in bits(units) if hexes & bit[where[u]]) if hexes else NO_UNITS


def marked(s: ArdennesState, mark: str) -> UnitSet:
    """The units with a mark on their counter or on that of the unit that they are a part or remnant of."""
    units = s.units.marked[mark]
    return units | units_of(
        x for x in bits(s.units.parts_mask & present(s)) if s.parent[x] >= 0 and units >> s.parent[x] & 1
    )


def marks_of(s: ArdennesState, u: UnitId) -> frozenset[str]:
    """The marks of a counter and of the unit that it is a part or remnant of."""
    return s.units.marks[u] if s.parent[u] < 0 else s.units.marks[u] | s.units.marks[s.parent[u]]


def clear_weather(s: ArdennesState) -> bool:
    """Clear skies from turn 15 to turn 22 [28.2, S5.3]."""
    return 15 <= s.turn <= 22


def frozen_ground(s: ArdennesState) -> bool:
    """Frozen ground from turn 11 [28.1]."""
    return s.turn >= 11


def is_pm(s: ArdennesState) -> bool:
    """Whether a night turn follows this turn [25.1]."""
    return s.turn % 2 == 0


def turns_of(s: ArdennesState) -> int:
    """The last turn of the scenario."""
    return int(s.tables.scenarios[s.scenario]["turns"])


def east_only(s: ArdennesState) -> bool:
    """Whether only the East map is used [S2.3, S3.3]."""
    return s.scenario in ("six-turns", "eight-turns")


# ---- the only ways in which pieces change --------------------------------------------------------------


def _updated(known: UnitSet | None, u: UnitId, joins: int) -> UnitSet | None:
    """A remembered set of units, to which one belongs from now on or no longer does; None if nobody has asked yet."""
    if known is None:
        return None
    return known | 1 << u if joins else known & ~(1 << u)


def set_order(s: ArdennesState, u: UnitId, order: int) -> None:
    """The one way a unit's order changes; a disrupted unit loses replacement and night markers [25.2.4, 25.3.7]."""
    s.order[u] = order
    s.shaken = _updated(s.shaken, u, order)
    if order:
        s.fresh &= ~(1 << u)
        s.night_marks &= ~(1 << u)
    refresh_unit(s, u)


def set_lost(s: ArdennesState, u: UnitId, lost: int) -> None:
    """The one way a unit on the map loses and regains steps."""
    s.lost[u] = lost
    s.reduced = _updated(s.reduced, u, lost)
    refresh_unit(s, u)


def set_march(s: ArdennesState, u: UnitId, on: bool) -> None:
    """The one way strategic movement markers come and go."""
    s.shared &= ~(1 << u)
    if s.march >> u & 1 != on:
        s.march ^= 1 << u
        refresh_unit(s, u)


def take_off(s: ArdennesState, u: UnitId, place: int) -> None:
    """Take a unit off the map and clear every mark on it; split units and remnants go back to the pool."""
    put(s, u, s.ground.pool if s.units.split[u] or s.units.remnant[u] else place)
    s.lost[u] = s.order[u] = s.points[u] = 0
    s.shaken, s.reduced = _updated(s.shaken, u, 0), _updated(s.reduced, u, 0)
    s.parent[u] = NOBODY
    clear_marks(s, u)
    _forget_advantage(s, u)


def leave_map(s: ArdennesState, u: UnitId, place: int) -> None:
    """Bring a unit to a place beside the map, where it is in supply [23.2]."""
    put(s, u, place)
    s.points[u] = 0
    clear_marks(s, u, "on-map")
    clear_marks(s, u, "left-behind")
    _forget_advantage(s, u)


def _forget_advantage(s: ArdennesState, u: UnitId) -> None:
    others = ~(1 << u)
    s.advantage = tuple((a, b, m & others) for a, b, m in s.advantage if m & others)
