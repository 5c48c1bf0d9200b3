"""Ardennes '44: chapter 11, who may move, how far, and where it may end. Costs are in half movement points."""

from __future__ import annotations

from typing import NamedTuple

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied, on_map, units_at
from salient.games.ardennes44.entering import dear_to, depot_hexes
from salient.games.ardennes44.model import (
    ARTILLERY,
    BOARD,
    BRIGADE_150,
    ENTRY,
    FOOT,
    FORMATION,
    MARKS,
    MOBILITY,
    SIDE,
    VALUES,
    ArdennesState,
    frozen_ground,
    marks_of,
    values,
)
from salient.games.ardennes44.stacking import full_hexes, refuse_joining, refuse_stack
from salient.games.ardennes44.supply import enemy_blocks, is_supplied
from salient.games.ardennes44.ways import (
    NEVER,
    Reach,
    Way,
    fare,
    reach_by_hexes,
    reach_by_points,
    tolls_against,
    trail,
)
from salient.games.ardennes44.zones import (
    barred,
    bonds,
    next_to,
    out_of_bounds,
    refuse_boundary,
    refuse_ground,
    zone,
)
from salient.hexes.masks import bits, mask_of
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


def way_of(s: ArdennesState, u: int, mobility: int = -1, roads: bool = False, shy: bool = False) -> Way:
    """A unit's surroundings as a search sees them; `shy` keeps it away from enemies [12.2]."""
    side = SIDE[u]
    enemies = occupied(s, 1 - side)
    closed = enemies | out_of_bounds(s, u)
    if side == GERMAN and s.depots:
        closed |= depot_hexes(s)
    if shy:
        closed |= next_to(enemies) | enemy_blocks(s, side)
    kind = MOBILITY[u] if mobility < 0 else mobility
    tolls = tolls_against(s, side)
    return Way(kind, roads, frozen_ground(s), s.blown, zone(s, 1 - side), closed, barred(s, u), tolls)


def only_tactical(s: ArdennesState, u: int) -> str:
    """The rule that leaves a unit nothing but tactical movement, empty if there is none."""
    if s.order[u]:
        return "18.3"
    if not is_supplied(s, u):
        return "23.4" if s.oos >> u & 1 else "6.1"
    if ENTRY[u] == "town" and s.moved >> u & 1:  # engineers just placed
        return "13.2.2"
    return "27.6" if s.turn == 2 and not s.night and "rrd" in marks_of(s, u) else ""


def refuse_mover(s: ArdennesState, u: int) -> Refusal | None:
    """Why a unit on the map cannot move at all in this phase."""
    if s.done >> u & 1:
        marked = s.night_marks >> u & 1 and not s.night  # by day a unit moves before it is marked
        return Refusal("25.3.5", "marked-for-the-night", unit=u) if marked else Refusal("11.1", "moved-already", unit=u)
    if s.engaged >> u & 1:
        return Refusal("16.5", "is-engaged", unit=u)
    if s.turn == 1 and not s.night and "red" in marks_of(s, u):
        return Refusal("29.1.1", "held-on-turn-1", unit=u)
    if s.night and not (s.night_marks >> u & 1 or is_peiper_at_night(s, u)):
        return Refusal("25.3.1", "no-night-marker", unit=u)
    return None


def is_peiper_at_night(s: ArdennesState, u: int) -> bool:
    """Peiper's units move and fight in the first night [27.5]."""
    return "peiper" in MARKS[u] and s.turn == 2 and s.night == 1


def capacity(s: ArdennesState, u: int) -> int:
    """Movement points of a unit that moves by itself: artillery only by its fired side, Germans' not at all [22.1]."""
    return 0 if ARTILLERY[u] and SIDE[u] == GERMAN else values(s, u)[2]


def drive(u: int) -> int:
    """The movement points of artillery on its fired side."""
    return VALUES[u][-1][2]


def by_points(s: ArdennesState, u: int, mode: str, points: int, walk: Walk, way: Way, verb: str = "move") -> Reach:
    """What a unit on the map reaches within some movement points, those spent included."""
    return reach_by_points(verb, mode, ((s.where[u], walk.points),), walk.began < 0, points * 2, way)


def by_hexes(s: ArdennesState, u: int, mode: str, hexes: int, walk: Walk, way: Way, verb: str = "move") -> Reach:
    """What a unit on the map reaches within some hexes, those gone included [11.3]."""
    starts = ((s.where[u], walk.hexes),) if walk.hexes <= hexes else ()
    return reach_by_hexes(verb, mode, starts, walk.began < 0, hexes, way, walk.began < 0)


def reaches(s: ArdennesState, u: int, walk: Walk = UNMOVED) -> list[Reach]:
    """What a unit on the map reaches by each way of moving, the plain one first."""
    points, way = capacity(s, u), way_of(s, u)
    if ARTILLERY[u]:
        return _gun_reaches(s, u, walk, way)
    if s.fresh >> u & 1:
        return [by_hexes(s, u, "tactical", 1, walk, way)]
    if only_tactical(s, u):
        return [by_hexes(s, u, "tactical", TACTICAL_HEXES, walk, way)] if points >= TACTICAL_HEXES else []
    if walk.masked:
        way = way._replace(zone=way.zone & ~(1 << s.where[u]))
    found = [by_points(s, u, "normal", points, walk, way)]
    if points >= TACTICAL_HEXES:
        found.append(by_hexes(s, u, "tactical", TACTICAL_HEXES, walk, way))
    if MOBILITY[u] == FOOT:
        found.append(by_points(s, u, "extended", points + EXTENSION, walk, way))
    return found


def _gun_reaches(s: ArdennesState, u: int, walk: Walk, way: Way) -> list[Reach]:
    """Werfer and ready Allied guns shift one hex; Allied guns that go further count as fired [11.3, 22.1, 22.2]."""
    bound = bool(only_tactical(s, u))
    if s.fresh >> u & 1 or (SIDE[u] == GERMAN and (values(s, u)[2] == 0 or bound)):  # tactically only with two points
        return []
    found = [by_hexes(s, u, "shift", 1, walk, way)]
    if SIDE[u] == ALLIED:
        found += [] if bound else [by_points(s, u, "drive", drive(u), walk, way)]
        found.append(by_hexes(s, u, "tactical", TACTICAL_HEXES, walk, way))
    return found


# ---- where it may end -----------------------------------------------------------------------------------


def no_room(s: ArdennesState, u: int, hexes: int) -> int:
    """The hexes of some that are full of units which cannot leave them any more, as bits [8.3]."""
    closed = 0
    for h in bits(full_hexes(s, u, hexes)):
        rooted = tuple(x for x in units_at(s, h) if x != u and refuse_mover(s, x))
        if refuse_stack(s, (*rooted, u)):
            closed |= 1 << h
    return closed


def ends(s: ArdennesState, u: int, reach: Reach, roomy: bool = False) -> int:
    """The hexes within reach in which a unit may end, as bits: not where it began, not next to enemies if extended.

    `roomy` leaves out full hexes, even if there will be room when the movement ends.
    """
    hexes = mask_of(reach.costs)
    if reach.inside:
        hexes &= ~(1 << s.where[u])
    if reach.mode == "extended":
        hexes &= ~next_to(occupied(s, 1 - SIDE[u]))
    if not s.order[u]:
        return hexes & ~(full_hexes if roomy else no_room)(s, u, hexes)
    hexes &= ~no_room(s, u, hexes)
    gone_to = 0 if reach.inside else 1 << s.where[u]
    hexes = _afraid(s, u, hexes & ~gone_to) | hexes & gone_to
    return hexes & ~full_hexes(s, u, hexes) if roomy else hexes


def _afraid(s: ArdennesState, u: int, hexes: int) -> int:
    """A disrupted unit does not enter enemy zones if it has another choice [18.3]."""
    lifted = mask_of(h for h in bits(occupied(s, SIDE[u]) & hexes) if any(not s.order[x] for x in units_at(s, h)))
    free = hexes & ~(zone(s, 1 - SIDE[u]) & ~lifted)
    if free or not zone(s, 1 - SIDE[u]) >> s.where[u] & 1:
        return free
    return hexes & next_to(1 << s.where[u])


def destinations(s: ArdennesState, u: int, walk: Walk = UNMOVED, roomy: bool = False) -> dict[int, Reach]:
    """Every hex in which a unit on the map may end its move, with what it uses; `roomy` leaves out full hexes."""
    found: dict[int, Reach] = {}
    for reach in reaches(s, u, walk):
        for h in bits(ends(s, u, reach, roomy)):
            found.setdefault(h, reach)
    if walk.began < 0 and crosses_sauer(s, u, roomy):
        found.setdefault(SAUER[1], Reach("move", "sauer", {SAUER[1]: 1}, 1, (), True, way_of(s, u), True))
    return dict(sorted(found.items()))


def route(s: ArdennesState, u: int, reach: Reach, to: int) -> list[int]:
    """The way of a unit to a hex within reach."""
    return [s.where[u], to] if reach.mode == "sauer" else trail(reach, to, dear_to(s, SIDE[u]))


# ---- 29.3 The crossing of the Sauer -----------------------------------------------------------------

SAUER = BOARD.index["1006"], BOARD.index["1005"]


def crosses_sauer(s: ArdennesState, u: int, roomy: bool = False) -> bool:
    """Whether a unit of 212th Volksgrenadier may cross below Echternach: one of them, on turn 1 [29.3]."""
    if s.turn > 1 or s.sauer or s.night or FORMATION[u] != "212VG" or s.where[u] != SAUER[0] or ARTILLERY[u]:
        return False
    if occupied(s, ALLIED) >> SAUER[1] & 1:
        return False
    return not (full_hexes if roomy else no_room)(s, u, 1 << SAUER[1])


# ---- 8.3, 18.3 Who must get away ---------------------------------------------------------------------------


def must_withdraw(s: ArdennesState, u: int) -> bool:
    """Whether a disrupted unit stands in an enemy zone that it can leave [18.3]."""
    if not s.order[u] or not on_map(s, u) or refuse_mover(s, u):
        return False
    zoc = zone(s, 1 - SIDE[u])
    if not zoc >> s.where[u] & 1:
        return False
    return any(not zoc >> h & 1 for h in destinations(s, u, roomy=True))


def must_make_room(s: ArdennesState, u: int) -> bool:
    """Whether a unit stands where there are too many, and can go elsewhere [8.3]."""
    if refuse_stack(s, units_at(s, s.where[u])) is None or refuse_mover(s, u):
        return False
    return bool(destinations(s, u, roomy=True))


# ---- waypoints -----------------------------------------------------------------------------------------------


def waypoints(found: list[tuple[Reach, int]], here: int) -> dict[int, tuple[Reach, int]]:
    """The hexes through which a unit can be led, with what it uses: it may stop there, or go on and stop.

    `found` are the manners of moving, each with the hexes in which it may end.
    """
    points: dict[int, tuple[Reach, int]] = {}
    for reach, stops in found:
        for h in reach.costs:
            if h != here and h not in points and (stops >> h & 1 or _leads_on(reach, h, stops)):
                points[h] = reach, stops
    return dict(sorted(points.items()))


def steps_there(s: ArdennesState, u: int, reach: Reach, to: int) -> bool:
    """Whether a unit led to a hex beside it takes the step, even if a way round is cheaper: so any way can be gone."""
    here = s.where[u]
    if reach.by_hexes or not on_map(s, u) or to not in BOARD.adjacent[here]:
        return False
    return fare([here, to], reach.starts[0][1], reach.inside, reach.limit, reach.way) < NEVER


def _leads_on(reach: Reach, h: int, stops: int) -> bool:
    """Whether a unit that has gone to a hex can go on to one in which it may end."""
    starts = ((h, reach.costs[h]),)
    again = reach_by_hexes if reach.by_hexes else reach_by_points
    return bool(mask_of(again(reach.verb, reach.mode, starts, False, reach.limit, reach.way).costs) & stops & ~(1 << h))


def walked(s: ArdennesState, u: int, walk: Walk, path: list[int], march: Way | None) -> Walk:
    """A walk after some further hexes; `march` are the surroundings of a march, None if it can be none."""
    first = walk.began < 0
    way = way_of(s, u)
    if walk.masked:
        way = way._replace(zone=way.zone & ~(1 << path[0]))
    points = fare(path, walk.points, first, FAR, way)
    road = fare(path, walk.road, first, FAR, march) if march else NEVER
    hexes = NEVER if walk.masked else walk.hexes + len(path) - 1
    return Walk(path[0] if first else walk.began, hexes, points, road, 0)


# ---- 27.8.2 The disguise of 150th Brigade -----------------------------------------------------------------


def infiltrations(s: ArdennesState, u: int, walk: Walk = UNMOVED) -> dict[int, Reach]:
    """Hexes in enemy zones that the brigade may try to pass."""
    if u != BRIGADE_150 or s.exposed == 2 or only_tactical(s, u) or s.fresh >> u & 1:
        return {}
    reach = reaches(s, u, walk)[0]
    hexes = mask_of(reach.costs) & reach.way.zone & ~(1 << s.where[u])
    return dict.fromkeys(bits(hexes & ~no_room(s, u, hexes)), reach)


# ---- why not? ------------------------------------------------------------------------------------------------------


def refuse_destination(s: ArdennesState, u: int, to: int, walk: Walk = UNMOVED) -> Refusal:
    """Why a unit that may move cannot move to a hex."""
    side = SIDE[u]
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


def _refuse_manner(s: ArdennesState, u: int, to: int, walk: Walk) -> Refusal | None:
    """Whether it is the way of moving that keeps a unit from a hex [11.2, 18.3, 22.1, 25.2.4]."""
    if ARTILLERY[u] and SIDE[u] == GERMAN:
        return Refusal("22.1", "guns-need-tractors", unit=u)
    if s.fresh >> u & 1:
        return Refusal("25.2.4", "one-hex-only", unit=u)
    if any(to in reach.costs for reach in reaches(s, u, walk)):
        rule, key = ("18.3", "keeps-away") if s.order[u] else ("11.2", "extended-next-to-enemy")
        return Refusal(rule, key, unit=u, hex=to)
    rule = only_tactical(s, u)
    return Refusal(rule, "tactical-only", unit=u) if rule else None
