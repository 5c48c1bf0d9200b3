"""The Deadly Woods: 11.4, retreats, and the bridges that retreating units blow (10.6.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from salient.common.naming import with_piece, without_piece
from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import occupied, on_map, units_at
from salient.games.deadly_woods.entering import blow, burdens, enter
from salient.games.deadly_woods.losses import BoundaryLoss, ask_losses, lose_step
from salient.games.deadly_woods.model import WoodsState, take_off
from salient.games.deadly_woods.movement import passages
from salient.games.deadly_woods.stacking import Stacking, refuse_joining, refuse_mixing
from salient.games.deadly_woods.zones import BOUNDED_TURNS, binding_zone, bounds, next_to
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import NO_HEXES, NOBODY, Group, HexId, HexSet, UnitId
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

RETREAT = 2  # hexes [11.4]
LONGEST_RETREAT = 5  # how far a unit may look for a place that is not next to the enemy

# ---- 11.4 Retreat ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BeginRetreat(AutoFrame[WoodsState]):
    """Group that cannot move at all are lost; airborne troops may stand; the others retreat [11.4, 11.4.2]."""

    side: int
    hex: int

    def run(self, s: WoodsState, out: Sink) -> None:
        s.pop()
        units = units_at(s, self.hex)
        if any(refuse_stand(s, u) is None for u in units):
            s.push(Stand(self.side, self.hex))
        else:
            begin_retreat(s, self.side, self.hex, out)


def begin_retreat(s: WoodsState, side: int, h: int, out: Sink) -> None:
    """Take off those without movement capacity and start the others."""
    for u in units_at(s, h):
        if s.units.values[u][s.lost[u]][2] == 0:
            out("11.4.2", "cannot-retreat-lost", unit=u)
            take_off(s, u, s.ground.eliminated)
    units = units_at(s, h)
    if units:
        s.push(Retreats(side, h, units, (), 0, 0))


# ---- 11.4.1 Allied airborne troops ----------------------------------------------------------------------


def refuse_stand(s: WoodsState, u: UnitId) -> Refusal | None:
    """Why a unit cannot cancel the retreat of its hex at the cost of a step."""
    if not s.units.airborne[u] or s.units.side[u] != ALLIED:
        return Refusal("11.4.1", "not-airborne", unit=u)
    if not on_map(s, u) or not (s.ground.settled | s.ground.forest | s.ground.woods) >> s.where[u] & 1:
        return Refusal("11.4.1", "no-ground-to-stand", unit=u)
    return None


@dataclass(frozen=True, slots=True)
class Stand(SideFrame[WoodsState]):
    """An Allied airborne unit in a settlement or in the woods may take a further loss instead of the retreat."""

    hex: int

    def legal(self, s: WoodsState) -> list[Action]:
        able = [u for u in units_at(s, self.hex) if refuse_stand(s, u) is None]
        return [*(("stand", u) for u in able), ("pass",)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "pass":
            begin_retreat(s, self.side, self.hex, out)
            return
        out("11.4.1", "stands", unit=int(action[1]), hex=self.hex)
        lose_step(s, UnitId(action[1]), "11.4.1", out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("11.4.1", "stand-or-retreat", hex=self.hex, units=units_at(s, self.hex))

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        refusal = refuse_stand(s, UnitId(action[1])) if action[0] == "stand" else None
        return [refusal or Refusal("11.4.1", "stand-first", hex=self.hex)]


# ---- 11.4 Where to ----------------------------------------------------------------------------------------

Path = tuple[int, ...]


def _layers(s: WoodsState, u: UnitId, open_hexes: HexSet) -> list[HexSet]:
    """The hexes at each distance from a unit through open hexes, as bits."""
    layers, passable = [HexSet(1 << s.where[u])], passages(s, u)
    seen = layers[0]
    for _ in range(LONGEST_RETREAT):
        layer = NO_HEXES
        for a in bits(layers[-1]):
            layer |= passable(a)
        layers.append(layer & open_hexes & ~seen)
        seen |= layers[-1]
    return layers


def _open_hexes(s: WoodsState, u: UnitId, bounded: bool) -> HexSet:
    """Where a retreat may lead through, enemy zones apart: no enemies, no ground out of bounds, no mixing [6.2]."""
    side, origin = s.units.side[u], s.where[u]
    hexes = (bounds(s, u) if bounded else s.ground.all_hexes) & ~occupied(s, 1 - side)
    for h in bits(occupied(s, side) & s.ground.within[origin][LONGEST_RETREAT]):
        if h != origin and refuse_mixing(s, u, h):
            hexes &= ~(1 << h)
    return hexes


def _nearest(s: WoodsState, u: UnitId, layers: list[HexSet], homewards: bool, crowded: bool) -> list[HexId]:
    """The nearest places to end a retreat: two hexes away or more, not next to the enemy."""
    ends = ~next_to(s.ground, occupied(s, 1 - s.units.side[u])) & ~s.ground.within[s.where[u]][RETREAT - 1]
    for layer in layers[RETREAT:]:
        best = [
            h
            for h in bits(layer & ends)
            if (not homewards or _is_homewards(s, u, h)) and (crowded or refuse_joining(s, u, h) is None)
        ]
        if best:
            return best
    return []


def _is_homewards(s: WoodsState, u: UnitId, h: int) -> bool:
    """Germans do not retreat towards the west edge, Allies not towards the east edge [11.4]."""
    east = s.ground.column[h] - s.ground.column[s.where[u]]
    return east >= 0 if s.units.side[u] == GERMAN else east <= 0


class Room(NamedTuple):
    """Where the priorities let a unit retreat [11.4]: the places, ascending, and whether enemy zones lie on the way."""

    ends: list[HexId]
    through_zone: bool
    layers: list[HexSet]  # the hexes at each distance


NO_ROOM = Room([], False, [])


def retreat_room(s: WoodsState, u: UnitId, bounded: bool = True) -> Room:
    """Where a unit may retreat; nowhere if there is no place for it [11.4]."""
    open_hexes = _open_hexes(s, u, bounded)
    for zoc_free in (True, False):
        layers = _layers(s, u, open_hexes & ~binding_zone(s, s.units.side[u]) if zoc_free else open_hexes)
        for homewards in (True, False) if zoc_free else (False,):
            for crowded in (False, True):
                if ends := _nearest(s, u, layers, homewards, crowded):
                    return Room(ends, not zoc_free, layers)
    return NO_ROOM


def retreat_paths(s: WoodsState, u: UnitId, room: Room, end: int, through: Path = ()) -> list[Path]:
    """The shortest paths of a retreat to a place by way of some hexes, the one with the least effects first."""
    paths = _shortest(passages(s, u), room.layers, end)
    led = [way for way in paths if set(through) <= set(way[1:-1])]
    return sorted(led, key=lambda way: (burdens(s, u, way), way)) if len(led) > 1 else led


def _shortest(passable: Callable[[int], int], layers: list[HexSet], end: int) -> list[Path]:
    """All shortest paths of a retreat to a hex."""
    if layers[0] >> end & 1:
        return [(end,)]
    before = next(inner for inner, layer in pairwise(layers) if layer >> end & 1)
    steps = [a for a in bits(before) if passable(a) >> end & 1]
    return [(*path, end) for a in steps for path in _shortest(passable, layers, a)]


def bridges_on(s: WoodsState, way: Path) -> int:
    """The intact bridges of a path, as bits."""
    return mask_of(s.ground.bridge[pair] for pair in pairwise(way) if pair in s.ground.bridge) & ~s.blown


# ---- 11.4 One unit after another ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Retreats(AutoFrame[WoodsState]):
    """The units of a hex retreat in the order that their owner likes; then the losses of the stack, and the bridges."""

    side: int
    hex: int
    units: Group
    gone: Group
    through_zone: int
    bridges: int

    def run(self, s: WoodsState, out: Sink) -> None:
        rooms = ((u, retreat_room(s, u)) for u in self.units)
        u, room = next(((u, room) for u, room in rooms if room.ends), (NOBODY, NO_ROOM))
        if u < 0:
            s.swap(*([BlowBehind(self.side, self.bridges, 0)] if self.bridges else []), Stacking(self.side))
            stay_and_lose(s, self.side, self.units, out)
            if self.through_zone:
                out("7.3", "retreat-through-zone", units=self.gone)
                ask_losses(s, self.side, self.gone, out, "7.3")
        elif len(self.units) == len(room.ends) == 1 and len(paths := retreat_paths(s, u, room, room.ends[0])) == 1:
            retreat(s, self, u, room, paths[0], out)
        else:
            s.push(Retreat(self.side, self.units, NOBODY, ()))


def _paths_in(s: WoodsState, u: UnitId, room: Room, through: Path = ()) -> list[Path]:
    return [way for end in room.ends for way in retreat_paths(s, u, room, end, through)]


def stay_and_lose(s: WoodsState, side: int, units: Group, out: Sink) -> None:
    """Group that cannot retreat stay: each loses a step; those that only an army boundary holds, two together [9.2,
    11.4]."""
    held = tuple(u for u in units if is_held_by_boundary(s, u))
    if held:
        s.push(BoundaryLoss(side, held, RETREAT))
    for u in units:
        out("9.2" if u in held else "11.4", "cannot-retreat", unit=u)
        if u not in held:
            lose_step(s, u, "11.4", out)


def is_held_by_boundary(s: WoodsState, u: UnitId) -> bool:
    """Whether a unit that cannot retreat could do so across an army boundary [9.2]."""
    return s.units.side[u] == GERMAN and s.turn <= BOUNDED_TURNS and bool(retreat_room(s, u, bounded=False).ends)


def retreat(s: WoodsState, frame: Retreats, u: UnitId, room: Room, way: Path, out: Sink) -> None:
    """Bring a unit of a retreat to its place; the frame must be on top."""
    crossed = bridges_on(s, way)
    out("11.4", "retreats", unit=u, hex_to=way[-1], hexes=way)
    enter(s, u, list(way), out, rebuilds=False)
    s.swap(
        replace(
            frame,
            units=without_piece(frame.units, u),
            gone=with_piece(frame.gone, u),
            through_zone=frame.through_zone | room.through_zone,
            bridges=frame.bridges | crossed,
        )
    )


@dataclass(frozen=True, slots=True)
class Retreat(SideFrame[WoodsState]):
    """The owner chooses which unit retreats next, where, and if he likes by way of which hexes."""

    units: Group
    unit: UnitId  # the one that is being led, NOBODY at first
    through: Path  # hexes of the way, ascending

    def legal(self, s: WoodsState) -> list[Action]:
        led = self.units if self.unit < 0 else (self.unit,)
        paths = {u: _paths_in(s, u, retreat_room(s, u), self.through) for u in led}
        retreats: list[Action] = [("retreat", u, h) for u in led for h in sorted({way[-1] for way in paths[u]})]
        between = {u: {h for way in paths[u] for h in way[1:-1]} - {*self.through} for u in led}
        via: list[Action] = [("via", u, h) for u in led for h in sorted(between[u])]
        return [*([("cancel",)] if self.through else []), *retreats, *via]

    def candidates(self, s: WoodsState) -> list[Action]:
        if self.unit >= 0:
            return [action for action in self.legal(s) if action[0] == "retreat"]
        rooms = ((u, retreat_room(s, u)) for u in self.units)
        u, room = next((u, room) for u, room in rooms if room.ends)
        return [("retreat", u, h) for h in room.ends]

    def draft(self, s: WoodsState) -> tuple[Action, ...]:
        return tuple(("via", self.unit, h) for h in self.through)

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        match action:
            case ("cancel",):
                s.swap(replace(self, unit=NOBODY, through=()))
            case ("via", UnitId(u), int(h)):
                s.swap(replace(self, unit=u, through=with_piece(self.through, h)))
            case (_, UnitId(u), int(end)):
                s.pop()
                frame = s.stack[-1]
                assert isinstance(frame, Retreats)
                room = retreat_room(s, u)
                retreat(s, frame, u, room, self._path_in(s, u, room, end), out)

    def path(self, s: WoodsState, u: UnitId, end: int) -> Path:
        """The way that a unit takes to a place."""
        return self._path_in(s, u, retreat_room(s, u), end)

    def _path_in(self, s: WoodsState, u: UnitId, room: Room, end: int) -> Path:
        return retreat_paths(s, u, room, end, self.through)[0]

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("11.4", "choose-retreat", units=self.units if self.unit < 0 else (self.unit,))

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        led = self.units if self.unit < 0 else (self.unit,)
        match action:
            case ("retreat", UnitId(u), int(h)) if u in led:
                return [Refusal("11.4", "no-retreat-there", unit=u, hex=h)]
            case ("via", UnitId(u), int(h)) if u in led:
                return [Refusal("11.4", "no-way-through", unit=u, hex=h)]
        return [Refusal("11.4", "retreat-first", units=led)]


# ---- 10.6.1 Bridges blown in retreat ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BlowBehind(SideFrame[WoodsState]):
    """A side whose units retreated over bridges may try to blow them, in any order."""

    bridges: int
    tried: int

    def legal(self, s: WoodsState) -> list[Action]:
        return [*(("blow", bridge) for bridge in bits(self.bridges)), ("pass",)]

    def candidates(self, s: WoodsState) -> list[Action]:
        later = self.bridges >> self.tried.bit_length() << self.tried.bit_length()
        return [*(("blow", bridge) for bridge in bits(later)), ("pass",)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        if action[0] == "pass":
            s.pop()
            return
        bridge = int(action[1])
        rest = self.bridges & ~(1 << bridge)
        again = BlowBehind(self.side, rest, self.tried | 1 << bridge)
        s.swap(*([again] if rest else []), BlowRoll(self.side, bridge))

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("10.6.1", "blow-behind", bridges=tuple(bits(self.bridges)))

    def refusals(self, s: WoodsState, action: Action) -> list[Refusal]:
        return [refuse_bridge(action)]


def refuse_bridge(action: Action, named: tuple[int, ...] = ()) -> Refusal:
    """Why an action cannot be taken while a side decides about bridges."""
    match action:
        case ("blow", int(bridge)):
            return Refusal("10.6.1", "bridge-named-already" if bridge in named else "not-that-bridge", bridge=bridge)
        case ("drop", int(piece)):
            return Refusal("10.6.1", "not-named", piece=piece)
    return Refusal("10.6.1", "bridges-first")


BLOWN_UP_TO = 3  # on the die


@dataclass(frozen=True, slots=True)
class BlowRoll(DieFrame[WoodsState]):
    """On 1 to 3 the bridge is blown."""

    side: int
    bridge: int

    def purpose(self, s: WoodsState) -> str:
        return "bridge"

    def effect(self, s: WoodsState, action: Action) -> bool:
        return int(action[1]) <= BLOWN_UP_TO

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        out("10.6.1", "bridge-roll", n_die=int(action[1]), bridge=self.bridge)
        if self.effect(s, action):
            blow(s, self.bridge, "10.6.1", out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("10.6.1", "roll-bridge", bridge=self.bridge)
