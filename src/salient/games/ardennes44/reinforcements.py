"""Ardennes '44: chapter 13, reinforcements, boxes and blocking positions, the drop of 27.2, entries of S2 and S3."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import away, occupied, put
from salient.games.ardennes44.components import BOXES, WEST_SHEET, Data, Ground, Units, is_mechanized, roll
from salient.games.ardennes44.entering import take
from salient.games.ardennes44.marches import march_budget, march_way, refuse_march
from salient.games.ardennes44.model import ArdennesState, east_only, frozen_ground, set_lost, units_in, values
from salient.games.ardennes44.movement import EXTENSION, FAR, TACTICAL_HEXES, Stops, Walk, drive, ends, way_of
from salient.games.ardennes44.supply import enemy_blocks, road_network
from salient.games.ardennes44.ways import (
    NEVER,
    Reach,
    Starts,
    entry_cost,
    fare,
    reach_by_hexes,
    reach_by_points,
    tolls_against,
)
from salient.games.ardennes44.zones import bonds, british_are_held, next_to, out_of_bounds, zone
from salient.hexes.masks import bits, mask_of, units_of
from salient.hexes.sets import NO_UNITS, HexId, UnitId, UnitSet
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

BLOCKING = 6  # defence factors [13.4]
AIRBORNE_LATE = 8  # half points spent before they enter the East map [S3.3]
AIRBORNE_TURN = 6  # S3.3

# ---- 13.1 Who comes where ---------------------------------------------------------------------------


def arrival(units: Units, scenario: str, u: UnitId) -> int:
    """The turn on which a unit may come in, 0 for never [2.6, S3.3]."""
    if scenario == "eight-turns" and units.formation[u] in ("82", "101"):
        return AIRBORNE_TURN
    return units.arrival[u]


@lru_cache(maxsize=1 << 8)
def arrived(units: Units, scenario: str, turn: int) -> UnitSet:
    """The units that may have come in by a turn."""
    return units_of(u for u in units.all if 0 < arrival(units, scenario, u) <= turn)


def due_units(s: ArdennesState) -> UnitSet:
    """The reinforcements that may enter now."""
    due = away(s).get(s.ground.track, 0) & arrived(s.units, s.scenario, s.turn) & ~s.done
    return due if s.jagdtiger else due & ~(1 << s.units.jagdtiger)


def waiting(s: ArdennesState, side: int) -> UnitSet:
    """The units off the map that may be brought in or moved between boxes."""
    if s.night:
        return NO_UNITS
    boxed = reduce(or_, (units for place, units in away(s).items() if place >= s.ground.place[BOXES[0]]), NO_UNITS)
    return s.units.side_mask[side] & (boxed & ~s.done | due_units(s))


def sector_of(ground: Ground, h: int) -> str:
    """The box of an Allied entry hex [13.4]."""
    return ground.box_of_entry[h]


def is_threatened(s: ArdennesState, box: str) -> bool:
    """Whether a German stands in an entry hex of a sector that is not blocked [13.4]."""
    return any(blocked_by(s, h) < BLOCKING for h in bits(occupied(s, GERMAN) & s.ground.box_entry_hexes[box]))


def blocked_by(s: ArdennesState, h: int) -> int:
    """The Allied defence factors in the blocking position of an entry hex [13.4]."""
    places = [s.ground.place[name] for name in s.ground.blocks if s.ground.block_hex[name] == h]
    return sum(values(s, u)[1] for place in places for u in units_in(s, place))


def _printed_entries(data: Data, u: UnitId) -> set[int]:
    """The entry hexes whose letters stand on a unit's counter [2.6]."""
    return {h for letter in data.units.entry[u] for h in data.ground.entry_hexes[data.units.side[u]].get(letter, ())}


def _over_the_edge(s: ArdennesState, u: UnitId, place: str) -> set[int]:
    """Where Allies of the West map come onto the East map if it is used alone [S2.3, S3.3]."""
    western = place == "west" or (place == "track" and set(s.units.entry[u]) & set("EFG"))
    if s.units.side[u] != ALLIED or not western:
        return set()
    return set(bits(s.ground.east_west_edge & s.ground.road_hexes if must_ride(s, u) else s.ground.western_roads))


def entry_hexes(s: ArdennesState, u: UnitId) -> list[int]:
    """The entry hexes that a unit off the map can use now, ascending."""
    side, place = s.units.side[u], s.ground.places[s.where[u]]
    if place in BOXES:
        hexes = set(s.ground.box_entries[place])
    elif place in s.ground.blocks:
        hexes = {s.ground.block_hex[place]}
    elif s.units.entry[u] in ("town", "drop"):
        return []
    else:
        hexes = _printed_entries(s.data, u)
    if side == ALLIED:
        safe = {box for box in BOXES if not is_threatened(s, box)}
        hexes = {h for h in hexes if sector_of(s.ground, h) in safe}
    if east_only(s):
        hexes = {h for h in hexes if s.ground.column[h] < WEST_SHEET} | _over_the_edge(s, u, place)
    closed = occupied(s, 1 - side) | out_of_bounds(s, u) | bonds(s, 1 - side).hexes  # 10.2
    closed |= s.exits if side == ALLIED else 0  # 11.9.3
    return sorted(h for h in hexes if not closed >> h & 1)


# ---- 13.1 Moving in -----------------------------------------------------------------------------------------


def _starts(s: ArdennesState, u: UnitId, mobility: int, before: int = 0) -> Starts:
    """The entry hexes with what it costs to enter them, traffic and roadblocks included [13.1, 24.2]."""
    frozen, tolls = frozen_ground(s), dict(tolls_against(s, s.units.side[u]))
    return tuple((h, before + entry_cost(s.ground, h, mobility, frozen) + tolls.get(h, 0)) for h in entry_hexes(s, u))


def _points(s: ArdennesState, u: UnitId) -> int:
    return values(s, u)[2] if not s.units.artillery[u] or s.units.side[u] == GERMAN else drive(s.units, u)


def entry_reaches(s: ArdennesState, u: UnitId) -> list[Reach]:
    """What a unit from off the map reaches by each way of moving; Germans short of fuel tactically only [6.3].

    Within its points, two more on foot, or the entry hex and one beyond it, across no barrier [11.1, 11.2, 11.3].
    """
    if must_ride(s, u) or (s.units.artillery[u] and s.units.side[u] == GERMAN) or s.order[u]:
        return []
    way = way_of(s, u)
    tactical = reach_by_hexes("enter", "tactical", tuple((h, 1) for h in entry_hexes(s, u)), False, TACTICAL_HEXES, way)
    if s.short >> u & 1:
        return [tactical]
    starts, points = _starts(s, u, s.units.mobility[u]), _points(s, u)
    budget = 0 if is_mechanized(s.units, u) else (points + EXTENSION) * 2
    found = [reach_by_points("enter", "normal", starts, False, points * 2, way, budget)]
    if budget:
        found.append(reach_by_points("enter", "extended", starts, False, budget, way))
    return [*found, tactical]


def entries(s: ArdennesState, u: UnitId, roomy: bool = False) -> Stops:
    """Where a unit from off the map may end; `roomy` leaves out full hexes."""
    return [(reach, ends(s, u, reach, roomy)) for reach in entry_reaches(s, u)]


def must_ride(s: ArdennesState, u: UnitId) -> bool:
    """The airborne divisions reach the East map by truck [S3.3]."""
    return s.scenario == "eight-turns" and s.units.formation[u] in ("82", "101") and s.where[u] == s.ground.track


def ride_reach(s: ArdennesState, u: UnitId) -> Reach | None:
    """What a unit from off the map reaches by strategic movement or in trucks [12.1, 13.1]."""
    boxed = s.where[u] != s.ground.track
    if not is_mechanized(s.units, u) and boxed and not s.march >> u & 1:
        return None
    if refuse_march(s, u) is not None:
        return None
    way = march_way(s, u)
    starts = _starts(s, u, way.mobility, AIRBORNE_LATE if must_ride(s, u) else 0)
    open_starts = tuple((h, cost) for h, cost in starts if not way.closed >> h & 1)
    return reach_by_points("ride", "march", open_starts, False, march_budget(s, u), way)


def entered(s: ArdennesState, u: UnitId, path: list[int]) -> Walk:
    """The walk of a unit that has come in along a way, whatever it still may be [11.1, 12.1]."""
    points = hexes = road = NEVER
    plain, ride = entry_reaches(s, u), ride_reach(s, u)
    if plain:
        hexes = len(path)
        points = fare(path, dict(_starts(s, u, s.units.mobility[u]))[path[0]], False, FAR, plain[0].way)
    if ride:
        road = fare(path, dict(ride.starts).get(path[0], NEVER), False, FAR, ride.way)
    return Walk(s.where[u], hexes, points, road, 0)


# ---- 13.5, 13.6 Boxes and blocking positions -----------------------------------------------------------------


def stations(s: ArdennesState, u: UnitId) -> list[int]:
    """The boxes and blocking positions that an Allied unit off the map may move to, ascending [13.1, 13.5 to 13.7]."""
    ground = s.ground
    place = ground.places[s.where[u]]
    if (
        s.units.side[u] == GERMAN
        or british_are_held(s, u)
        or s.order[u]
        or (place == "track" and s.units.entry[u] == "town")
    ):
        return []
    if place in ground.blocks:
        return [ground.place[ground.block_box[place]]]
    if place in BOXES:
        near = [ground.place[name] for name in ground.blocks if ground.block_box[name] == place]
        if not is_threatened(s, place):
            near += [ground.place[box] for box in ground.box_next[place]]
        return sorted(near)
    entries = _printed_entries(s.data, u)
    blocks = {name for name in ground.blocks if ground.block_hex[name] in entries}
    return sorted(ground.place[name] for name in blocks | {sector_of(ground, h) for h in entries})


def refuse_station(s: ArdennesState, u: UnitId, place: int) -> Refusal:
    """Why a unit cannot move to a box or blocking position."""
    if british_are_held(s, u):
        return Refusal("27.3.1", "british-stay-on-map", unit=u)
    if s.units.side[u] == GERMAN or s.where[u] < s.ground.hexes:
        return Refusal("13.5", "not-off-map", unit=u)
    return Refusal("13.5", "no-way-to-box", unit=u, place=place)


# ---- 13.2 Engineers ---------------------------------------------------------------------------------------------


def engineer_towns(s: ArdennesState, u: UnitId) -> list[HexId]:
    """The towns and cities in which arriving US engineers may be placed, ascending [13.2.1]."""
    if not s.units.engineer[u] or s.units.entry[u] != "town" or s.where[u] != s.ground.track:
        return []
    towns = (s.ground.town | s.ground.city) & ~s.held & road_network(s, ALLIED) & ~out_of_bounds(s, u)
    towns &= ~(occupied(s, GERMAN) | next_to(s.ground, occupied(s, GERMAN)) | enemy_blocks(s, ALLIED))
    return bits(towns & ~s.sites)


# ---- 27.2 Von der Heydte ------------------------------------------------------------------------------------------


def drop_zones(s: ArdennesState, u: UnitId) -> list[HexId]:
    """Open ground without settlements, enemies and their zones, ascending."""
    if u != s.units.vdh or s.where[u] != s.ground.track:
        return []
    soft = mask_of(h for h in range(s.ground.hexes) if s.ground.board.terrain[h] in ("clear", "light-woods"))
    closed = s.ground.settled | occupied(s, ALLIED) | zone(s, ALLIED) | occupied(s, GERMAN)
    return bits(soft & ~closed & ~(s.ground.west_map if east_only(s) else 0))


@dataclass(frozen=True, slots=True)
class DropRoll(DieFrame[ArdennesState]):
    """How the jump goes [27.2]."""

    hex: int

    def purpose(self, s: ArdennesState) -> str:
        return "drop"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("27.2", "roll-drop", unit=s.units.vdh, hex=self.hex)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        result = roll(s.tables, "heydte", int(action[1]))
        s.done |= 1 << s.units.vdh
        if result == "lost":
            put(s, s.units.vdh, s.ground.gone)
        else:
            set_lost(s, s.units.vdh, 0 if result == "full" else 1)
            put(s, s.units.vdh, self.hex)
            take(s, GERMAN, self.hex, out)
        out("27.2", f"drop-{result}", n_die=int(action[1]), unit=s.units.vdh, hex=self.hex)


# ---- 27.7 The Jagdtigers ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JagdtigerRoll(DieFrame[ArdennesState]):
    """Does the 653rd come, later perhaps, or never?"""

    def purpose(self, s: ArdennesState) -> str:
        return "jagdtiger"

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("27.7", "roll-jagdtiger", unit=s.units.jagdtiger)

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        s.pop()
        result = roll(s.tables, "jagdtiger", int(action[1]))
        if result == "arrives":
            s.jagdtiger = 1
        elif result == "never":
            put(s, s.units.jagdtiger, s.ground.gone)
        out("27.7", f"jagdtiger-{result}", n_die=int(action[1]), unit=s.units.jagdtiger)


def rolls_for_jagdtiger(s: ArdennesState) -> bool:
    """Whether the die for the 653rd is due."""
    return (
        s.where[s.units.jagdtiger] == s.ground.track
        and not s.jagdtiger
        and s.turn >= s.units.arrival[s.units.jagdtiger]
    )
