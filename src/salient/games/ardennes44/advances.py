"""Ardennes '44: chapter 19, advance after combat and breakthrough combat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from salient.common.naming import above, without_piece
from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import hex_sets, occupied, units_at
from salient.games.ardennes44.components import VEHICLE, Ground, is_mechanized
from salient.games.ardennes44.entering import Dear, OurenRoll, dear_to, depot_hexes, enter, needs_ouren
from salient.games.ardennes44.leaving import edge_boxes
from salient.games.ardennes44.model import ArdennesState, frozen_ground, leave_map, noted
from salient.games.ardennes44.split_units import refuse_split, split
from salient.games.ardennes44.stacking import full_hexes
from salient.games.ardennes44.supply import is_supplied
from salient.games.ardennes44.ways import by_road, road_class, tactical_steps
from salient.games.ardennes44.zones import Bonds, bonds, boundaries, out_of_bounds, refuse_ground, refuse_held, zone_of
from salient.hexes.bridges import Pair
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import NOBODY, Group, HexSet, UnitId
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.messages import Sink

Path = tuple[int, ...]
Gone = tuple[tuple[UnitId, int], ...]  # units that have advanced, with the hexes they went
LIMITED, REGULAR, BONUS, BREAKTHROUGH = "limited", "regular", "bonus", "breakthrough"
LENGTH = {LIMITED: 1, REGULAR: 1, BONUS: 2, BREAKTHROUGH: 2}  # hexes [19.1.2]

# ---- 19.1 to 19.3 How far -----------------------------------------------------------------------------


def has_road_bonus(s: ArdennesState, u: UnitId, kind: str) -> bool:
    """Supplied mechanized units go one hex further along roads, not in a limited advance [19.1.3, 19.5]."""
    return kind != LIMITED and is_mechanized(s.units, u) and is_supplied(s, u)


class Around(NamedTuple):
    """What advancing units of a kind meet on the map."""

    ground: Ground
    target: int
    mobility: int
    closed: HexSet
    enemy: Bonds
    lines: frozenset[Pair]  # army boundaries [11.10.2]
    solid: HexSet  # the enemy's sources of zones without a silhouette
    profile: HexSet  # and with one
    blown: int
    frozen: bool


def _around(s: ArdennesState, u: UnitId, target: int) -> Around:
    side = s.units.side[u]
    closed = occupied(s, 1 - side) | out_of_bounds(s, u)
    if side == GERMAN and s.depots:
        closed |= depot_hexes(s)
    solid, profile = hex_sets(s, 1 - side)[1:3]
    lines, enemy = boundaries(s, u), bonds(s, 1 - side)
    return Around(
        s.ground, target, s.units.mobility[u], closed, enemy, lines, solid, profile, s.blown, frozen_ground(s)
    )


def _bonus_road(around: Around, a: int, b: int) -> bool:
    """A road that counts for the bonus: forest roads only on frozen ground [11.8, 19.1.3, 28.1]."""
    return by_road(around.ground, a, b, around.blown) and (
        around.frozen or road_class(around.ground, a, b) != "forest-road"
    )


def _same_zone(around: Around, a: int, b: int) -> bool:
    """Whether one enemy hex has both hexes in its zone [19.3.2]."""
    solid, profile = around.solid, around.profile
    for e in bits(around.ground.touching[a] & around.ground.touching[b] & (solid | profile)):
        reached = zone_of(around.ground, solid & 1 << e, profile & 1 << e)
        if reached >> a & 1 and reached >> b & 1:
            return True
    return False


Front = tuple[tuple[Path, bool], ...]  # ways of one length, each with whether it leads along roads that give a bonus


@lru_cache(maxsize=1 << 12)
def _fronts(walked: Path, kind: str, bonus: bool, around: Around) -> tuple[Front, ...]:
    """The ways of an advance that go on from what has been walked, the shortest first [19.1, 19.2, 19.3]."""
    length = LENGTH[kind]
    along = all(_bonus_road(around, a, b) for a, b in pairwise(walked)) if len(walked) > 1 else True
    fronts: list[Front] = [((walked, along),)]
    for step in range(len(walked), length + 1 + bonus):
        beyond = []
        for way, along in fronts[-1]:
            for b in bits(_next_hexes(way, around)):
                road = along and way[-1] < around.ground.hexes and _bonus_road(around, way[-1], b)
                if (step <= length or road) and (kind != LIMITED or b == around.target):
                    beyond.append(((*way, b), road))
        fronts.append(tuple(beyond))
    return tuple(fronts)


def _walks(s: ArdennesState, u: UnitId, target: int, kind: str, walked: Path) -> Iterator[Path]:
    """Every way of an advance that goes on from what has been walked, the shortest first; some lead off the map."""
    fronts = _fronts(walked, kind, has_road_bonus(s, u, kind), _around(s, u, target))
    for front, beyond in pairwise(fronts):
        yield from [way for way, _ in beyond]
        for way, along in front:
            for box in _boxes(s, u, way, kind, along, len(way) > LENGTH[kind]):
                yield (*way, box)


def _lightest(ways: Iterable[Path], dear: Dear) -> dict[int, Path]:
    """By end: of the shortest ways that with the fewest effects, then by the lowest hexes."""
    found: dict[int, Path] = {}
    for way in ways:
        known = found.setdefault(way[-1], way)
        if len(known) == len(way) and known != way and (dear.burden(way), way) < (dear.burden(known), known):
            found[way[-1]] = way
    return dict(sorted(found.items()))


def advance_options(s: ArdennesState, u: UnitId, target: int, kind: str, walked: Path = ()) -> dict[int, Path]:
    """Where an attacker may advance to, with the way, ascending; it may be under way already [19.1, 19.6]."""
    if refuse_advancer(s, u) is not None:
        return {}
    here = [walked] if len(walked) > 1 else []
    ways = (*here, *_walks(s, u, target, kind, walked or (s.where[u],)))
    ends = _lightest(ways, dear_to(s, s.units.side[u]))
    barred = _barred(s, u, ends)
    return {h: way for h, way in ends.items() if not barred >> h & 1}


def waypoints(s: ArdennesState, u: UnitId, target: int, kind: str, walked: Path = ()) -> dict[int, Path]:
    """The hexes by which an advance can be led, with the way there: from each of them it can end somewhere."""
    if refuse_advancer(s, u) is not None:
        return {}
    began = len(walked) or 1
    ways = list(_walks(s, u, target, kind, walked or (s.where[u],)))
    barred = _barred(s, u, {way[-1] for way in ways})
    ends = [way for way in ways if not barred >> way[-1] & 1]
    parts = {way[: i + 1] for way in ends for i in range(began, len(way)) if way[i] < s.ground.hexes}
    return _lightest(sorted(parts, key=lambda way: (len(way), way)), dear_to(s, s.units.side[u]))


def _boxes(s: ArdennesState, u: UnitId, way: Path, kind: str, along: bool, by_bonus: bool) -> list[int]:
    """The boxes into which the next hex of an advance leads off the map; the bonus only by a road [11.9.1]."""
    h = way[-1]
    if kind == LIMITED or h >= s.ground.hexes or (by_bonus and not (along and s.ground.entries[ALLIED] >> h & 1)):
        return []
    return edge_boxes(s, u, h)


def _next_hexes(way: Path, around: Around) -> HexSet:
    """The hexes of the next step of an advance, as bits."""
    ground, target, enemy, mobility = around.ground, around.target, around.enemy, around.mobility
    h, sides = way[-1], enemy.sides
    if h >= ground.hexes:  # a unit that does not go stays there [13.8.3, 13.8.4]
        return 1 << ground.block_hex[ground.places[h]] & ~around.closed
    plain, hard = tactical_steps(ground, mobility, around.blown, h)
    first = len(way) == 1
    bonded = enemy.hexes & ~(1 << target)
    found = (plain | (hard if first else 0)) & ~(around.closed | bonded)
    forest = HexSet(0) if first or mobility == VEHICLE else ground.forest
    for b in bits(found):
        crossed = (b != target and (h, b) in sides) or (h, b) in around.lines  # 11.10.2, 19.3.1
        wooded = forest >> b & 1 and not by_road(ground, h, b, around.blown)
        if wooded or b in way or crossed or (not first and _same_zone(around, h, b)):
            found &= ~(1 << b)
    return found


def _barred(s: ArdennesState, u: UnitId, places: Iterable[int]) -> HexSet:
    """The hexes of some places in which an advance may not end, as bits: full ones, and those of march columns."""
    hexes = mask_of(h for h in places if h < s.ground.hexes)  # 13.7: in a box there is room
    barred = full_hexes(s, u, hexes)
    if s.march:
        friends = bits(hexes & occupied(s, s.units.side[u]))
        barred |= mask_of(h for h in friends if any(s.march >> x & 1 for x in units_at(s, h)))
    return barred


def refuse_advancer(s: ArdennesState, u: UnitId) -> Refusal | None:
    """Why a unit that fought cannot advance at all [19.1.1, 22.10, 29.1.1]."""
    if s.units.artillery[u] or (s.where[u] >= s.ground.hexes and s.ground.places[s.where[u]] not in s.ground.block_hex):
        return Refusal("19.1.1", "cannot-advance", unit=u)
    return refuse_held(s, u)


def refuse_entering(s: ArdennesState, u: UnitId, target: int) -> Refusal | None:
    """Why an attacker could not advance into the defender's hex, were it empty [11.10.2, 16.2.1, 19.2]."""
    if refusal := refuse_advancer(s, u):
        return refusal
    here = s.where[u]
    if here >= s.ground.hexes:
        return None  # 13.8.4
    plain, hard = tactical_steps(s.ground, s.units.mobility[u], s.blown, here)
    if not (plain | hard) >> target & 1:
        return Refusal("16.2.1", "lead-cannot-enter", unit=u, hex=target)
    if (here, target) in boundaries(s, u):
        return Refusal("11.10.2", "army-boundary", unit=u, hex=target)
    return refuse_ground(s, u, target)


@dataclass(frozen=True, slots=True)
class Advance(SideFrame[ArdennesState]):
    """Attackers advance one after the other, each once; one can be led by waypoints and is then under way."""

    hex: int
    kind: str
    left: Group
    gone: Gone
    led: UnitId = NOBODY  # the unit under way
    way: Path = ()  # the hexes that it has entered, with the one from which it came

    def legal(self, s: ArdennesState) -> list[Action]:
        if self.led >= 0:
            return [*self._ends(s, (self.led,)), *self._waypoints(s, (self.led,))]
        return [*self._ends(s, self.left), *self._waypoints(s, self.left), *self._others(s, self.left)]

    def candidates(self, s: ArdennesState) -> list[Action]:
        if self.led >= 0:
            return self._ends(s, (self.led,))
        units = tuple(above(self.left, tuple(u for u, _ in self.gone)))
        return [*self._ends(s, units), *self._others(s, units)]

    def has_choice(self, s: ArdennesState) -> bool:
        """Whether anybody may advance."""
        return any(self.options(s, u) for u in self.left)

    def options(self, s: ArdennesState, u: UnitId) -> dict[int, Path]:
        """Where a unit may end, with the way."""
        asked, known = (self, u), noted(s)
        if asked not in known:
            known[asked] = advance_options(s, u, self.hex, self.kind, self.way if u == self.led else ())
        found: dict[int, Path] = known[asked]
        return found

    def leads(self, s: ArdennesState, u: UnitId) -> dict[int, Path]:
        """The waypoints of a unit, with the way."""
        return waypoints(s, u, self.hex, self.kind, self.way if u == self.led else ())

    def _ends(self, s: ArdennesState, units: Group) -> list[Action]:
        ends = [(u, h) for u in units for h in self.options(s, u)]
        return [
            *(("advance", u, h) for u, h in ends if h < s.ground.hexes),
            *(("leave", u, box) for u, box in ends if box >= s.ground.hexes),
        ]

    def _waypoints(self, s: ArdennesState, units: Group) -> list[Action]:
        if self.kind == LIMITED:
            return []
        return [("via", u, h) for u in units for h in self.leads(s, u)]

    def _others(self, s: ArdennesState, units: Group) -> list[Action]:
        able = [u for u in units if refuse_split(s, u, True) is None and self.options(s, u)]
        return [*(("split", u) for u in able), ("pass",)]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        match action:
            case ("split", UnitId(u)):
                self._split(s, u, out)
            case ("via", UnitId(u), int(h)):
                self._lead(s, u, self.leads(s, u)[h], out)
            case (_, UnitId(u), int(h)):
                self._advance(s, u, self.options(s, u)[h], out)
            case _:
                s.pop()
                self._end(s)

    def _stretch(self, u: UnitId, way: Path) -> Path:
        """What is left to walk of a way."""
        return way[len(self.way) - 1 :] if u == self.led else way

    def _lead(self, s: ArdennesState, u: UnitId, way: Path, out: Sink) -> None:
        stretch = self._stretch(u, way)
        if needs_ouren(s, self.side, list(stretch)):
            s.push(OurenRoll())
            return
        self._go(s, u, stretch, out)
        s.swap(replace(self, led=u, way=way))

    def _advance(self, s: ArdennesState, u: UnitId, way: Path, out: Sink) -> None:
        stretch = self._stretch(u, way)
        if needs_ouren(s, self.side, list(stretch)):
            s.push(OurenRoll())
            return
        self._go(s, u, stretch, out)
        gone = tuple(sorted((*self.gone, (u, len(way) - 1))))
        s.swap(Advance(self.side, self.hex, self.kind, without_piece(self.left, u), gone))

    def _go(self, s: ArdennesState, u: UnitId, way: Path, out: Sink) -> None:
        """A unit follows its way, perhaps off the map [11.9.1]."""
        end = way[-1]
        if end == s.where[u]:
            return
        if end < s.ground.hexes:
            out("19.1", "advances", unit=u, hex=end)
        else:
            out("11.9.1", "leaves", unit=u, place=end)
        enter(s, u, [h for h in way if h < s.ground.hexes], out)
        if end >= s.ground.hexes:
            leave_map(s, u, end)

    def _split(self, s: ArdennesState, u: UnitId, out: Sink) -> None:
        """A unit is split before it advances; what remains of it and the new one may advance [26.2]."""
        here = s.where[u]
        before = set(units_at(s, here))
        split(s, u, out)
        new = set(units_at(s, here)) - before
        left = sorted({x for x in self.left if s.where[x] != s.ground.eliminated} | new)
        s.swap(Advance(self.side, self.hex, self.kind, tuple(left), self.gone))

    def _end(self, s: ArdennesState) -> None:
        if self.kind == BREAKTHROUGH:
            s.spearhead = self.gone

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("19.1.2", f"advance-{self.kind}", hex=self.hex, units=self.left)

    def refusals(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if self.led >= 0 and action[1:2] != (self.led,):
            return [Refusal("19.1.1", "finish-move-first", unit=self.led)]
        match action:
            case ("split", UnitId(u)) if u in self.left:
                return [refuse_split(s, u, True) or Refusal("26.2", "cannot-split", unit=u)]
            case ("advance" | "via", UnitId(u), int(h)) if u in self.left:
                return [refuse_advancer(s, u) or Refusal("19.2", "no-advance-there", unit=u, hex=h)]
            case ("leave", UnitId(u), int(box)) if u in self.left:
                return [refuse_advancer(s, u) or Refusal("11.9.1", "no-way-to-box", unit=u, place=box)]
        return [Refusal("19.1.1", "advance-or-pass", hex=self.hex)]


# ---- 19.4 Breakthrough combat ------------------------------------------------------------------------------


def breakthrough_groups(s: ArdennesState, gone: Gone) -> dict[int, Group]:
    """By hex the units that may attack again: mechanized ones, and infantry after one hex [19.4.1, 19.5]."""
    groups: dict[int, list[UnitId]] = {}
    for u, hexes in gone:
        if s.where[u] < s.ground.hexes and is_supplied(s, u) and (is_mechanized(s.units, u) or hexes <= 1):
            groups.setdefault(s.where[u], []).append(u)
    return {h: tuple(sorted(group)) for h, group in sorted(groups.items())}


def refuse_mixed(s: ArdennesState, units: Group, far: Group) -> Refusal | None:
    """Why units cannot break through together: with infantry among them none may have gone further [19.4.1]."""
    if all(is_mechanized(s.units, u) for u in units):
        return None
    return next((Refusal("19.4.1", "went-too-far", unit=u) for u in units if u in far), None)
