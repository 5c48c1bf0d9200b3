"""Ardennes '44: chapter 19, advance after combat and breakthrough combat."""

from __future__ import annotations

from dataclasses import dataclass, replace

from salient.common.naming import above, without_piece
from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import marks, occupied, units_at
from salient.games.ardennes44.entering import OurenRoll, depot_hexes, enter, needs_ouren
from salient.games.ardennes44.leaving import edge_boxes
from salient.games.ardennes44.model import (
    ARTILLERY,
    BLOCK_HEX,
    ELIMINATED,
    ENTRIES,
    FOREST,
    HEXES,
    MOBILITY,
    PLACES,
    SIDE,
    TOUCHING,
    VEHICLE,
    ArdennesState,
    frozen_ground,
    is_mechanized,
    leave_map,
    marks_of,
)
from salient.games.ardennes44.stacking import refuse_joining
from salient.games.ardennes44.supply import is_supplied
from salient.games.ardennes44.ways import by_road, road_class, tactical_steps
from salient.games.ardennes44.works import refuse_split, split_off
from salient.games.ardennes44.zones import Bonds, bonds, boundaries, crosses_bond, out_of_bounds, refuse_ground, zone_of
from salient.hexes.masks import bits
from salient.kernel import Action, Prompt, Refusal
from salient.kernel.messages import Sink

Units = tuple[int, ...]
Path = tuple[int, ...]
Gone = tuple[tuple[int, int], ...]  # units that have advanced, with the hexes they went
LIMITED, REGULAR, BONUS, BREAKTHROUGH = "limited", "regular", "bonus", "breakthrough"
LENGTH = {LIMITED: 1, REGULAR: 1, BONUS: 2, BREAKTHROUGH: 2}  # hexes [19.1.2]

# ---- 19.1 to 19.3 How far -----------------------------------------------------------------------------


def has_road_bonus(s: ArdennesState, u: int, kind: str) -> bool:
    """Supplied mechanized units go one hex further along roads, not in a limited advance [19.1.3, 19.5]."""
    return kind != LIMITED and is_mechanized(u) and is_supplied(s, u)


def _bonus_road(s: ArdennesState, a: int, b: int) -> bool:
    """A road that counts for the bonus: forest roads only on frozen ground [11.8, 19.1.3, 28.1]."""
    return by_road(a, b, s.blown) and (frozen_ground(s) or road_class(a, b) != "forest-road")


def _same_zone(s: ArdennesState, side: int, a: int, b: int) -> bool:
    """Whether one enemy hex has both hexes in its zone [19.3.2]."""
    _, solid, profile, _, _ = marks(s, 1 - side)
    for e in bits(TOUCHING[a] & TOUCHING[b] & (solid | profile)):
        reached = zone_of(solid & 1 << e, profile & 1 << e)
        if reached >> a & 1 and reached >> b & 1:
            return True
    return False


def advance_options(s: ArdennesState, u: int, target: int, kind: str) -> dict[int, Path]:
    """Where an attacker may advance to, with the way, ascending [19.1, 19.2, 19.3, 19.6]."""
    if refuse_advancer(s, u) is not None:
        return {}
    closed = occupied(s, 1 - SIDE[u]) | out_of_bounds(s, u)
    if SIDE[u] == GERMAN and s.depots:
        closed |= depot_hexes(s)
    enemy = bonds(s, 1 - SIDE[u])
    found: dict[int, Path] = {}
    length = LENGTH[kind]
    fronts: list[tuple[Path, bool]] = [((s.where[u],), True)]
    for step in range(1, length + 1 + has_road_bonus(s, u, kind)):
        beyond: list[tuple[Path, bool]] = []
        for way, along in fronts:
            for b in bits(_next_hexes(s, u, way, target, enemy) & ~closed):
                road = along and way[-1] < HEXES and _bonus_road(s, way[-1], b)
                if (step > length and not road) or (kind == LIMITED and b != target):
                    continue
                beyond.append(((*way, b), road))
                found.setdefault(b, (*way, b))
            for box in _boxes(s, u, way, kind, along, step > length):
                found.setdefault(box, (*way, box))
        fronts = beyond
    return {h: way for h, way in sorted(found.items()) if h != s.where[u] and _may_stop(s, u, h)}


def _boxes(s: ArdennesState, u: int, way: Path, kind: str, along: bool, by_bonus: bool) -> list[int]:
    """The boxes into which the next hex of an advance leads off the map; the bonus only by a road [11.9.1]."""
    h = way[-1]
    if kind == LIMITED or h >= HEXES or (by_bonus and not (along and ENTRIES[ALLIED] >> h & 1)):
        return []
    return edge_boxes(s, u, h)


def _next_hexes(s: ArdennesState, u: int, way: Path, target: int, enemy: Bonds) -> int:
    """The hexes of the next step of an advance, as bits."""
    h = way[-1]
    if h >= HEXES:
        return 1 << BLOCK_HEX[PLACES[h]]  # 13.8.4
    plain, hard = tactical_steps(MOBILITY[u], s.blown, h)
    first = len(way) == 1
    lines = boundaries(s, u)
    found = plain | (hard if first else 0)
    for b in bits(found):
        bonded = (b != target and crosses_bond(enemy, h, b)) or (h, b) in lines  # 11.10.2, 19.3.1
        wooded = FOREST >> b & 1 and not first and MOBILITY[u] != VEHICLE and not by_road(h, b, s.blown)
        if wooded or b in way or bonded or (not first and _same_zone(s, SIDE[u], h, b)):
            found &= ~(1 << b)
    return found


def _may_stop(s: ArdennesState, u: int, h: int) -> bool:
    if h >= HEXES:
        return True  # 13.7
    if any(s.march >> x & 1 for x in units_at(s, h)):
        return False
    return refuse_joining(s, u, h) is None


def refuse_advancer(s: ArdennesState, u: int) -> Refusal | None:
    """Why a unit that fought cannot advance at all [19.1.1, 29.1.1]."""
    if ARTILLERY[u] or (s.where[u] >= HEXES and PLACES[s.where[u]] not in BLOCK_HEX):
        return Refusal("19.1.1", "cannot-advance", unit=u)
    if s.turn == 1 and not s.night and "red" in marks_of(s, u):
        return Refusal("29.1.1", "held-on-turn-1", unit=u)
    return None


def refuse_entering(s: ArdennesState, u: int, target: int) -> Refusal | None:
    """Why an attacker could not advance into the defender's hex, were it empty [11.10.2, 16.2.1, 19.2]."""
    if refusal := refuse_advancer(s, u):
        return refusal
    here = s.where[u]
    if here >= HEXES:
        return None  # 13.8.4
    plain, hard = tactical_steps(MOBILITY[u], s.blown, here)
    if not (plain | hard) >> target & 1:
        return Refusal("16.2.1", "lead-cannot-enter", unit=u, hex=target)
    if (here, target) in boundaries(s, u):
        return Refusal("11.10.2", "army-boundary", unit=u, hex=target)
    return refuse_ground(s, u, target)


@dataclass(frozen=True, slots=True)
class Advance(SideFrame):
    """Attackers advance one after the other; each goes once."""

    hex: int
    kind: str
    left: Units
    gone: Gone

    def legal(self, s: ArdennesState) -> list[Action]:
        return self._choices(s, self.left)

    def candidates(self, s: ArdennesState) -> list[Action]:
        return self._choices(s, tuple(above(self.left, tuple(u for u, _ in self.gone))))

    def _choices(self, s: ArdennesState, units: Units) -> list[Action]:
        ends = [(u, h) for u in units for h in advance_options(s, u, self.hex, self.kind)]
        able = sorted({u for u, _ in ends})
        return [
            *(("advance", u, h) for u, h in ends if h < HEXES),
            *(("leave", u, box) for u, box in ends if box >= HEXES),
            *(("split", u) for u in able if refuse_split(s, u, True) is None),
            ("pass",),
        ]

    def apply(self, s: ArdennesState, action: Action, out: Sink) -> None:
        if action[0] == "pass":
            s.pop()
            self._end(s)
            return
        if action[0] == "split":
            self._split(s, int(action[1]), out)
            return
        u, h = int(action[1]), int(action[2])
        way = advance_options(s, u, self.hex, self.kind)[h]
        if needs_ouren(s, self.side, list(way)):
            s.push(OurenRoll())
            return
        self._go(s, u, way, out)
        gone = tuple(sorted((*self.gone, (u, len(way) - 1))))
        rest = replace(self, left=without_piece(self.left, u), gone=gone)
        s.swap(rest)
        if len(rest.legal(s)) == 1:
            s.pop()
            rest._end(s)

    def _go(self, s: ArdennesState, u: int, way: Path, out: Sink) -> None:
        """A unit follows its way, perhaps off the map [11.9.1]."""
        end = way[-1]
        if end < HEXES:
            out("19.1", "advances", unit=u, hex=end)
        else:
            out("11.9.1", "leaves", unit=u, place=end)
        enter(s, u, [h for h in way if h < HEXES], out)
        if end >= HEXES:
            leave_map(s, u, end)

    def _split(self, s: ArdennesState, u: int, out: Sink) -> None:
        """A unit is split before it advances; what remains of it and the new one may advance [26.2]."""
        here = s.where[u]
        before = set(units_at(s, here))
        out("26.1", "splits", unit=u, unit_new=split_off(s, u))
        new = set(units_at(s, here)) - before
        left = sorted({x for x in self.left if s.where[x] != ELIMINATED} | new)
        s.swap(Advance(self.side, self.hex, self.kind, tuple(left), self.gone))

    def _end(self, s: ArdennesState) -> None:
        if self.kind == BREAKTHROUGH:
            s.spearhead = self.gone

    def prompt(self, s: ArdennesState) -> Prompt:
        return Prompt("19.1.2", f"advance-{self.kind}", hex=self.hex, units=self.left)

    def why_not(self, s: ArdennesState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if action[0] == "split" and int(action[1]) in self.left:
            u = int(action[1])
            return [refuse_split(s, u, True) or Refusal("26.2", "cannot-split", unit=u)]
        if action[0] == "advance" and int(action[1]) in self.left:
            u = int(action[1])
            return [refuse_advancer(s, u) or Refusal("19.2", "no-advance-there", unit=u, hex=int(action[2]))]
        if action[0] == "leave" and int(action[1]) in self.left:
            u = int(action[1])
            return [refuse_advancer(s, u) or Refusal("11.9.1", "no-way-to-box", unit=u, place=int(action[2]))]
        return [Refusal("19.1.1", "advance-or-pass", hex=self.hex)]


# ---- 19.4 Breakthrough combat ------------------------------------------------------------------------------


def breakthrough_groups(s: ArdennesState, gone: Gone) -> dict[int, Units]:
    """By hex the units that may attack again: mechanized ones, and infantry after one hex [19.4.1, 19.5]."""
    groups: dict[int, list[int]] = {}
    for u, hexes in gone:
        if s.where[u] < HEXES and is_supplied(s, u) and (is_mechanized(u) or hexes <= 1):
            groups.setdefault(s.where[u], []).append(u)
    return {h: tuple(sorted(group)) for h, group in sorted(groups.items())}


def refuse_mixed(units: Units, far: Units) -> Refusal | None:
    """Why units cannot break through together: with infantry among them none may have gone further [19.4.1]."""
    if all(is_mechanized(u) for u in units):
        return None
    return next((Refusal("19.4.1", "went-too-far", unit=u) for u in units if u in far), None)
