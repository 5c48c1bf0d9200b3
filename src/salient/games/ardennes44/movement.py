"""Ardennes '44: chapter 11, which units may move, how far, and where to. Costs are in half movement points."""

from __future__ import annotations

from typing import NamedTuple

from salient.common.bars import Bar, Bars, allowed, refusal
from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied, on_map, present, units_at
from salient.games.ardennes44.components import FOOT, Units
from salient.games.ardennes44.entering import dear_to, depot_hexes
from salient.games.ardennes44.model import ArdennesState, frozen_ground, marks_of, values
from salient.games.ardennes44.stacking import full_hexes, refuse_joining, refuse_stack
from salient.games.ardennes44.supply import enemy_blocks, is_supplied
from salient.games.ardennes44.ways import (
    NEVER,
    Reach,
    Way,
    fare,
    reach_by_hexes,
    reach_by_points,
    seen,
    tolls_against,
    trail,
    unwatched,
)
from salient.games.ardennes44.zones import (
    HELD_ON_TURN_1,
    barred,
    bonds,
    next_to,
    out_of_bounds,
    refuse_boundary,
    refuse_ground,
    zone,
)
from salient.hexes.flood import EVERYWHERE
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import NO_HEXES, NO_UNITS, HexSet, UnitId, UnitSet
from salient.kernel import Refusal

TACTICAL_HEXES = 2  # 11.3
EXTENSION = 2  # movement points [11.2]
FAR = NEVER // 2  # half points that no unit has

# ---- who may move, and how ---------------------------------------------------------------------------


class Walk(NamedTuple):
    """How a unit under way has come so far: its allowance holds for the whole way, not for a stretch of it [11.1]."""

    began: int  # the place where it began, -1 if it has not moved
    hexes: int  # entered; NEVER if the way cannot be gone by hexes
    points: int  # half points spent; NEVER if the way needs more than anybody has
    road: int  # half points spent on the march; NEVER if the way is no march
    masked: int  # 150th Brigade was taken for Americans where it stands [27.8.2]


UNMOVED = Walk(-1, 0, 0, 0, 0)


def way_of(s: ArdennesState, u: UnitId, mobility: int = -1, roads: bool = False, avoid_enemies: bool = False) -> Way:
    """A unit's surroundings as a search sees them; `avoid_enemies` keeps it away from enemies [12.2]."""
    side = s.units.side[u]
    enemies = occupied(s, 1 - side)
    closed = enemies | out_of_bounds(s, u)
    if side == GERMAN and s.depots:
        closed |= depot_hexes(s)
    if avoid_enemies:
        closed |= next_to(s.ground, enemies) | enemy_blocks(s, side)
    kind = s.units.mobility[u] if mobility < 0 else mobility
    tolls = tolls_against(s, side)
    return seen(s.ground, kind, roads, frozen_ground(s), s.blown, zone(s, 1 - side), closed, barred(s, u), tolls)


def only_tactical(s: ArdennesState, u: UnitId) -> str:
    """The rule that leaves a unit nothing but tactical movement, empty if there is none."""
    if s.order[u]:
        return "18.3"
    if not is_supplied(s, u):
        return "23.4" if s.oos >> u & 1 else "6.1"
    if s.units.entry[u] == "town" and s.moved >> u & 1:  # engineers just placed
        return "13.2.2"
    return "27.6" if s.turn == 2 and not s.night and "rrd" in marks_of(s, u) else ""


def peiper_at_night(s: ArdennesState) -> UnitSet:
    """Peiper's units, which move and fight in the first night; none at other times [27.5]."""
    return s.units.peiper if s.turn == 2 and s.night == 1 else NO_UNITS


def is_peiper_at_night(s: ArdennesState, u: UnitId) -> bool:
    """Whether a unit is one of Peiper's in the first night [27.5]."""
    return bool(peiper_at_night(s) >> u & 1)


def _without_night_marker(s: ArdennesState, units: UnitSet) -> UnitSet:
    return units & ~(s.night_marks | peiper_at_night(s)) if s.night else NO_UNITS


MOVING: Bars[ArdennesState] = (  # what keeps units on the map from moving at all; they are marked after they moved
    Bar("25.3.5", "marked-for-the-night", lambda s, units: NO_UNITS if s.night else units & s.done & s.night_marks),
    Bar("11.1", "moved-already", lambda s, units: units & s.done),
    Bar("16.5", "is-engaged", lambda s, units: units & s.engaged),
    HELD_ON_TURN_1,
    Bar("25.3.1", "no-night-marker", _without_night_marker),
)


def refuse_mover(s: ArdennesState, u: UnitId) -> Refusal | None:
    """Why a unit on the map cannot move at all in this phase."""
    return refusal(s, u, MOVING)


def movers_on_map(s: ArdennesState, side: int) -> UnitSet:
    """The units of a side on the map that may move."""
    return allowed(s, s.units.side_mask[side] & present(s), MOVING)


def capacity(s: ArdennesState, u: UnitId) -> int:
    """Movement points of a unit that moves by itself: artillery only by its fired side, Germans' not at all [22.1]."""
    return 0 if s.units.artillery[u] and s.units.side[u] == GERMAN else values(s, u)[2]


def drive(units: Units, u: UnitId) -> int:
    """The movement points of artillery on its fired side."""
    return units.values[u][-1][2]


def by_points(
    s: ArdennesState, u: UnitId, mode: str, points: int, walk: Walk, way: Way, verb: str = "move", extension: int = 0
) -> Reach:
    """What a unit on the map reaches within some movement points, those spent included; an extension may follow."""
    starts = ((s.where[u], walk.points),)
    return reach_by_points(verb, mode, starts, walk.began < 0, points * 2, way, (points + extension) * 2)


def by_hexes(s: ArdennesState, u: UnitId, mode: str, hexes: int, walk: Walk, way: Way, verb: str = "move") -> Reach:
    """What a unit on the map reaches within some hexes, those gone included [11.3]."""
    starts = ((s.where[u], walk.hexes),) if walk.hexes <= hexes else ()
    return reach_by_hexes(verb, mode, starts, walk.began < 0, hexes, way, walk.began < 0)


def reaches(s: ArdennesState, u: UnitId, walk: Walk = UNMOVED) -> list[Reach]:
    """What a unit on the map reaches by each way of moving, the plain one first."""
    points, way = capacity(s, u), way_of(s, u)
    if s.units.artillery[u]:
        return _gun_reaches(s, u, walk, way)
    if s.fresh >> u & 1:
        return [by_hexes(s, u, "tactical", 1, walk, way)]
    if only_tactical(s, u):
        return [by_hexes(s, u, "tactical", TACTICAL_HEXES, walk, way)] if points >= TACTICAL_HEXES else []
    if walk.masked:
        way = unwatched(way, s.where[u])
    extension = EXTENSION if s.units.mobility[u] == FOOT else 0
    found = [by_points(s, u, "normal", points, walk, way, extension=extension)]
    if points >= TACTICAL_HEXES:
        found.append(by_hexes(s, u, "tactical", TACTICAL_HEXES, walk, way))
    if extension:
        found.append(by_points(s, u, "extended", points + extension, walk, way))
    return found


def _gun_reaches(s: ArdennesState, u: UnitId, walk: Walk, way: Way) -> list[Reach]:
    """Werfer and ready Allied guns shift one hex; Allied guns that go further count as fired [11.3, 22.1, 22.2]."""
    bound = bool(only_tactical(s, u))
    rooted = s.units.side[u] == GERMAN and (values(s, u)[2] == 0 or bound)  # tactically only with two points
    if s.fresh >> u & 1 or rooted:
        return []
    found = [by_hexes(s, u, "shift", 1, walk, way)]
    if s.units.side[u] == ALLIED:
        found += [] if bound else [by_points(s, u, "drive", drive(s.units, u), walk, way)]
        found.append(by_hexes(s, u, "tactical", TACTICAL_HEXES, walk, way))
    return found


# ---- where it may end -----------------------------------------------------------------------------------


def no_room(s: ArdennesState, u: UnitId, hexes: HexSet | int) -> HexSet:
    """The hexes of some that are full of units which cannot leave them any more, as bits [8.3]."""
    closed, full = NO_HEXES, full_hexes(s, u, hexes)
    movable = movers_on_map(s, s.units.side[u]) if full else NO_UNITS
    for h in bits(full):
        rooted = tuple(x for x in units_at(s, h) if x != u and not movable >> x & 1)
        if refuse_stack(s, (*rooted, u)):
            closed |= 1 << h
    return closed


def ends(s: ArdennesState, u: UnitId, reach: Reach, roomy: bool = False, among: HexSet | int = EVERYWHERE) -> HexSet:
    """The hexes within reach in which a unit may end, as bits: not where it began, not next to enemies if extended.

    `roomy` leaves out full hexes, even if there will be room when the movement ends. `among` are the hexes asked for.
    """
    hexes = reach.hexes if s.order[u] else reach.hexes & among  # a disrupted unit looks at all its choices [18.3]
    if reach.inside:
        hexes &= ~(1 << s.where[u])
    if reach.mode == "extended":
        hexes &= ~next_to(s.ground, occupied(s, 1 - s.units.side[u]))
    if not s.order[u]:
        return hexes & ~(full_hexes if roomy else no_room)(s, u, hexes)
    hexes &= ~no_room(s, u, hexes)
    gone_to = 0 if reach.inside else 1 << s.where[u]
    hexes = _disrupted_destinations(s, u, hexes & ~gone_to) | hexes & gone_to
    return hexes & ~full_hexes(s, u, hexes) if roomy else hexes


def _disrupted_destinations(s: ArdennesState, u: UnitId, hexes: HexSet) -> HexSet:
    """A disrupted unit does not enter enemy zones if it has another choice [18.3]."""
    here = s.ground.bit[s.where[u]]
    free = hexes & ~_feared(s, s.units.side[u], hexes)
    return free if free or not _feared(s, s.units.side[u], here) else hexes & next_to(s.ground, here)


def _feared(s: ArdennesState, side: int, hexes: HexSet | int) -> HexSet | int:
    """Those of some hexes in which a disrupted unit is in an enemy zone: friends in good order lift it there [18.3]."""
    held = zone(s, 1 - side) & hexes
    shared = bits(held & occupied(s, side)) if held else ()
    return held & ~mask_of(h for h in shared if any(not s.order[x] for x in units_at(s, h)))


def destinations(s: ArdennesState, u: UnitId, walk: Walk = UNMOVED, roomy: bool = False) -> dict[int, Reach]:
    """Every hex in which a unit on the map may end its move, with what it uses; `roomy` leaves out full hexes."""
    return by_hex(moves(s, u, walk, reaches(s, u, walk), roomy))


Stops = list[
    tuple[Reach, HexSet]
]  # manners of moving, those before others first, each with the hexes to end in, as bits


def moves(
    s: ArdennesState, u: UnitId, walk: Walk, plain: list[Reach], roomy: bool = False, among: HexSet | int = EVERYWHERE
) -> Stops:
    """Where a unit on the map may end a plain move, by each manner of moving that is open to it."""
    stops = [(reach, ends(s, u, reach, roomy, among)) for reach in plain]
    if walk.began < 0 and crosses_sauer(s, u, roomy):
        there = HexSet(s.ground.bit[s.ground.sauer[1]])
        crossing = Reach("move", "sauer", (NO_HEXES, there), there, 1, (), True, way_of(s, u), True)
        stops.append((crossing, there))
    return stops


def by_hex(stops: Stops) -> dict[int, Reach]:
    """The hexes to end in, ascending, each with the first manner of moving that leads there."""
    return {h: first_of(stops, h) for h in bits(all_of(stops))}


def all_of(stops: Stops) -> HexSet:
    """The hexes to end in by any manner of moving, as bits."""
    hexes = NO_HEXES
    for _, more in stops:
        hexes |= more
    return hexes


def first_of(stops: Stops, to: int) -> Reach:
    """The first manner of moving that leads to a hex."""
    return next(reach for reach, hexes in stops if hexes >> to & 1)


def route(s: ArdennesState, u: UnitId, reach: Reach, to: int) -> list[int]:
    """The way of a unit to a hex within reach."""
    return [s.where[u], to] if reach.mode == "sauer" else trail(reach, to, lambda: dear_to(s, s.units.side[u]))


# ---- 29.3 The crossing of the Sauer -----------------------------------------------------------------


def crosses_sauer(s: ArdennesState, u: UnitId, roomy: bool = False) -> bool:
    """Whether a unit of 212th Volksgrenadier may cross below Echternach: one of them, on turn 1 [29.3]."""
    if (
        s.turn > 1
        or s.sauer
        or s.night
        or s.units.formation[u] != "212VG"
        or s.where[u] != s.ground.sauer[0]
        or s.units.artillery[u]
    ):
        return False
    if occupied(s, ALLIED) >> s.ground.sauer[1] & 1:
        return False
    return not (full_hexes if roomy else no_room)(s, u, 1 << s.ground.sauer[1])


# ---- 8.3, 18.3 Who must get away ---------------------------------------------------------------------------


def must_withdraw(s: ArdennesState, u: UnitId) -> bool:
    """Whether a disrupted unit stands in an enemy zone that it can leave [18.3]."""
    if not s.order[u] or not on_map(s, u) or refuse_mover(s, u):
        return False
    if not _feared(s, s.units.side[u], s.ground.bit[s.where[u]]):
        return False
    found = all_of(moves(s, u, UNMOVED, reaches(s, u), roomy=True))
    return bool(found & ~_feared(s, s.units.side[u], found))


def must_make_room(s: ArdennesState, u: UnitId) -> bool:
    """Whether a unit stands where there are too many, and can go elsewhere [8.3]."""
    if refuse_stack(s, units_at(s, s.where[u])) is None or refuse_mover(s, u):
        return False
    return bool(all_of(moves(s, u, UNMOVED, reaches(s, u), roomy=True)))


# ---- waypoints -----------------------------------------------------------------------------------------------


def waypoints(found: Stops, here: int) -> dict[int, tuple[Reach, HexSet]]:
    """The hexes through which a unit can be led, with what it uses: it may stop there, or go on and stop.

    `found` are the manners of moving, each with the hexes in which it may end.
    """
    points: dict[int, tuple[Reach, HexSet]] = {}
    for reach, stops in found:
        for h in bits(reach.hexes):
            if h != here and h not in points and (stops >> h & 1 or _leads_on(reach, h, stops)):
                points[h] = reach, stops
    return dict(sorted(points.items()))


def step_beside(s: ArdennesState, u: UnitId, found: Stops, to: int) -> Reach | None:
    """How a unit led to a hex beside it takes that very step, even if a way round is cheaper: so all ways are open."""
    if not on_map(s, u) or to not in s.ground.board.adjacent[s.where[u]]:
        return None
    return next((reach for reach, stops in found if _steps(reach, stops, s.where[u], to)), None)


def _steps(reach: Reach, stops: HexSet, here: int, to: int) -> bool:
    """Whether the step can be taken in one manner of moving, so that the unit may stop there or go on and stop."""
    if not reach.hexes & reach.way.ground.bit[to]:
        return False
    spent, may_stop = reach.starts[0][1], bool(stops & reach.way.ground.bit[to])
    if reach.by_hexes:
        return reach.cost(to) == spent + 1 and (may_stop or _leads_on(reach, to, stops))
    return may_stop and fare([here, to], spent, reach.inside, reach.limit, reach.way) < NEVER


def _leads_on(reach: Reach, h: int, stops: HexSet) -> bool:
    """Whether a unit that has gone to a hex can go on to one in which it may end."""
    starts = ((h, reach.cost(h)),)
    again = reach_by_hexes if reach.by_hexes else reach_by_points
    return bool(again(reach.verb, reach.mode, starts, False, reach.limit, reach.way).hexes & stops & ~(1 << h))


def walked(s: ArdennesState, u: UnitId, walk: Walk, path: list[int], march: Way | None) -> Walk:
    """A walk after some further hexes; `march` are the surroundings of a march, None if it can be none."""
    first = walk.began < 0
    way = way_of(s, u)
    if walk.masked:
        way = unwatched(way, path[0])
    points = fare(path, walk.points, first, FAR, way)
    road = fare(path, walk.road, first, FAR, march) if march else NEVER
    hexes = NEVER if walk.masked else walk.hexes + len(path) - 1
    return Walk(path[0] if first else walk.began, hexes, points, road, 0)


# ---- 27.8.2 The disguise of 150th Brigade -----------------------------------------------------------------


def infiltrations(s: ArdennesState, u: UnitId, walk: Walk = UNMOVED) -> dict[int, Reach]:
    """Hexes in enemy zones that the brigade may try to pass."""
    if u != s.units.brigade_150 or s.exposed == 2 or only_tactical(s, u) or s.fresh >> u & 1:
        return {}
    reach = reaches(s, u, walk)[0]
    hexes = reach.hexes & reach.way.zone & ~(1 << s.where[u])
    return dict.fromkeys(bits(hexes & ~no_room(s, u, hexes)), reach)


# ---- why not? ------------------------------------------------------------------------------------------------------


def refuse_destination(s: ArdennesState, u: UnitId, to: int, walk: Walk = UNMOVED) -> Refusal:
    """Why a unit that may move cannot move to a hex."""
    side = s.units.side[u]
    if to == s.where[u] and walk.began < 0:
        return Refusal("11.1", "is-there", unit=u, hex=to)
    if occupied(s, 1 - side) >> to & 1:
        return Refusal("11.1", "enemy-in-hex", hex=to)
    if refusal := refuse_ground(s, u, to):
        return refusal
    if bonds(s, 1 - side).hexes >> to & 1:
        return Refusal("10.2", "bond", hex=to)
    if no_room(s, u, 1 << to) and (full := refuse_joining(s, u, to)):
        return Refusal(full.rule, "hex-is-full", unit=u, hex=to)
    return _refuse_manner(s, u, to, walk) or refuse_boundary(s, u, to) or Refusal("11.1", "too-far", unit=u, hex=to)


def _refuse_manner(s: ArdennesState, u: UnitId, to: int, walk: Walk) -> Refusal | None:
    """Whether it is the way of moving that keeps a unit from a hex [11.2, 18.3, 22.1, 25.2.4]."""
    if s.units.artillery[u] and s.units.side[u] == GERMAN:
        return Refusal("22.1", "guns-need-tractors", unit=u)
    if s.fresh >> u & 1:
        return Refusal("25.2.4", "one-hex-only", unit=u)
    if any(reach.hexes >> to & 1 for reach in reaches(s, u, walk)):
        rule, key = ("18.3", "keeps-away") if s.order[u] else ("11.2", "extended-next-to-enemy")
        return Refusal(rule, key, unit=u, hex=to)
    rule = only_tactical(s, u)
    return Refusal(rule, "tactical-only", unit=u) if rule else None
