"""The Deadly Woods: 11.4, retreats, and the bridges that retreating units blow (10.6.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from salient.common.sides import ALLIED, GERMAN, SideFrame
from salient.common.stacks import occupied, on_map, units_at
from salient.games.deadly_woods.entering import blow, crosses_meuse, enter
from salient.games.deadly_woods.losses import ask_losses, lose_step
from salient.games.deadly_woods.model import (
    AIRBORNE,
    ALL_HEXES,
    BRIDGE,
    COLUMN,
    DELAY,
    ELIMINATED,
    FOREST,
    SETTLED,
    SIDE,
    VALUES,
    VICTORY,
    WITHIN,
    WOODS,
    WoodsState,
    take_off,
)
from salient.games.deadly_woods.movement import engineers_on_map, passable
from salient.games.deadly_woods.stacking import Stacking, refuse_joining, refuse_mixing
from salient.games.deadly_woods.zones import binding_zone, ground, next_to
from salient.hexes.masks import bits, mask_of
from salient.kernel import Action, AutoFrame, Prompt, Refusal
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

Units = tuple[int, ...]
RETREAT = 2  # hexes [11.4]
LONGEST_RETREAT = 5  # how far a unit may look for a place that is not next to the enemy

# ---- 11.4 Retreat ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BeginRetreat(AutoFrame):
    """Units that cannot move at all are lost; airborne troops may stand; the others retreat [11.4, 11.4.2]."""

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
        if VALUES[u][s.lost[u]][2] == 0:
            out("11.4.2", "cannot-retreat-lost", unit=u)
            take_off(s, u, ELIMINATED)
    units = units_at(s, h)
    if units:
        s.push(Retreats(side, h, units, (), 0, 0))


# ---- 11.4.1 Allied airborne troops ----------------------------------------------------------------------


def refuse_stand(s: WoodsState, u: int) -> Refusal | None:
    """Why a unit cannot cancel the retreat of its hex at the cost of a step."""
    if not AIRBORNE[u] or SIDE[u] != ALLIED:
        return Refusal("11.4.1", "not-airborne", unit=u)
    if not on_map(s, u) or not (SETTLED | FOREST | WOODS) >> s.where[u] & 1:
        return Refusal("11.4.1", "no-ground-to-stand", unit=u)
    return None


@dataclass(frozen=True, slots=True)
class Stand(SideFrame):
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
        lose_step(s, int(action[1]), "11.4.1", out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("11.4.1", "stand-or-retreat", hex=self.hex, units=units_at(s, self.hex))

    def why_not(self, s: WoodsState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        refusal = refuse_stand(s, int(action[1])) if action[0] == "stand" else None
        return [refusal or Refusal("11.4.1", "stand-first", hex=self.hex)]


# ---- 11.4 Where to ----------------------------------------------------------------------------------------

Path = tuple[int, ...]


def _layers(s: WoodsState, u: int, open_hexes: int) -> list[int]:
    """The hexes at each distance from a unit through open hexes, as bits."""
    layers = [1 << s.where[u]]
    seen = layers[0]
    for _ in range(LONGEST_RETREAT):
        layer = 0
        for a in bits(layers[-1]):
            layer |= passable(s, u, a)
        layers.append(layer & open_hexes & ~seen)
        seen |= layers[-1]
    return layers


def _open_hexes(s: WoodsState, u: int, bounded: bool) -> int:
    """Where a retreat may lead through, enemy zones apart: no enemies, no ground out of bounds, no mixing [6.2]."""
    side, origin = SIDE[u], s.where[u]
    hexes = ALL_HEXES & ~occupied(s, 1 - side) & (ground(s, u) if bounded else ALL_HEXES)
    for h in bits(occupied(s, side) & WITHIN[origin][LONGEST_RETREAT]):
        if h != origin and refuse_mixing(s, u, h):
            hexes &= ~(1 << h)
    return hexes


def _nearest(s: WoodsState, u: int, layers: list[int], homewards: bool, crowded: bool) -> list[int]:
    """The nearest places to end a retreat: two hexes away or more, not next to the enemy."""
    ends = ~next_to(occupied(s, 1 - SIDE[u])) & ~WITHIN[s.where[u]][RETREAT - 1]
    for layer in layers[RETREAT:]:
        best = [
            h
            for h in bits(layer & ends)
            if (not homewards or _is_homewards(s, u, h)) and (crowded or refuse_joining(s, u, h) is None)
        ]
        if best:
            return best
    return []


def _is_homewards(s: WoodsState, u: int, h: int) -> bool:
    """Germans do not retreat towards the west edge, Allies not towards the east edge [11.4]."""
    origin = s.where[u]
    return COLUMN[h] >= COLUMN[origin] if SIDE[u] == GERMAN else COLUMN[h] <= COLUMN[origin]


def retreat_paths(s: WoodsState, u: int, bounded: bool = True) -> tuple[dict[Action, Path], bool]:
    """The ways that the priorities leave to a unit, by action, and whether they lead through enemy zones [11.4]."""
    open_hexes = _open_hexes(s, u, bounded)
    for zoc_free in (True, False):
        layers = _layers(s, u, open_hexes & ~binding_zone(s, SIDE[u]) if zoc_free else open_hexes)
        for homewards in (True, False) if zoc_free else (False,):
            for crowded in (False, True):
                if ends := _nearest(s, u, layers, homewards, crowded):
                    return _named_paths(s, u, layers, ends), not zoc_free
    return {}, False


def _named_paths(s: WoodsState, u: int, layers: list[int], ends: list[int]) -> dict[Action, Path]:
    """One path to each end, and `via` a hex of their own those that would do something else on the way."""
    plain: dict[Action, Path] = {}
    others: dict[tuple[int, int], Path] = {}
    for end in ends:
        paths = _shortest(s, u, layers, end)
        plain["retreat", u, end] = paths[0]
        known, used = {_effects(s, u, paths[0])}, set(paths[0])
        for way in paths[1:]:
            fresh = [h for h in way if h not in used]
            if fresh and _effects(s, u, way) not in known:
                known.add(_effects(s, u, way))
                used.update(way)
                others[min(fresh), end] = way
    return plain | {("via", u, h, end): others[h, end] for h, end in sorted(others)}


def _shortest(s: WoodsState, u: int, layers: list[int], end: int) -> list[Path]:
    """All shortest paths of a retreat to a hex."""
    if end == s.where[u]:
        return [(end,)]
    before = next(inner for inner, layer in pairwise(layers) if layer >> end & 1)
    steps = [a for a in bits(before) if passable(s, u, a) >> end & 1]
    return [(*path, end) for a in steps for path in _shortest(s, u, layers, a)]


def _effects(s: WoodsState, u: int, way: Path) -> tuple[int, int, bool]:
    """What a retreat does on its way: bridges crossed, hexes taken or cleared, the Meuse [3.5, 6.3.1, 10.6.1]."""
    german = SIDE[u] == GERMAN
    taken = (SETTLED | VICTORY) & (~s.german_held if german else s.german_held)
    cleared = engineers_on_map(s) if german else 1 << s.where[DELAY] if on_map(s, DELAY) else 0
    over_meuse = german and not s.meuse_crossed and any(crosses_meuse(a, b) for a, b in pairwise(way))
    return bridges_on(s, way), mask_of(way) & (taken | cleared), over_meuse


def bridges_on(s: WoodsState, way: Path) -> int:
    """The intact bridges of a path, as bits."""
    return mask_of(BRIDGE[pair] for pair in pairwise(way) if pair in BRIDGE) & ~s.blown


# ---- 11.4 One unit after another ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Retreats(AutoFrame):
    """The units of a hex retreat in ascending order; then the stack's loss in enemy zones, and the bridges."""

    side: int
    hex: int
    units: Units
    gone: Units
    through_zone: int
    bridges: int

    def run(self, s: WoodsState, out: Sink) -> None:
        if not self.units:
            s.swap(*([BlowBehind(self.side, self.bridges)] if self.bridges else []), Stacking(self.side))
            if self.through_zone:
                out("7.3", "retreat-through-zone", units=self.gone)
                ask_losses(s, self.side, self.gone, out)
            return
        u = self.units[0]
        paths, _ = retreat_paths(s, u)
        if not paths:
            s.swap(replace(self, units=self.units[1:]))
            stay_and_lose(s, u, out)
        elif len(paths) == 1:
            retreat(s, self, next(iter(paths)), out)
        else:
            s.push(Retreat(self.side, u))


def stay_and_lose(s: WoodsState, u: int, out: Sink) -> None:
    """A unit that cannot retreat stays and loses a step, two if only an army boundary holds it [9.2, 11.4]."""
    out("11.4", "cannot-retreat", unit=u)
    at_boundary = SIDE[u] == GERMAN and s.turn <= 3 and bool(retreat_paths(s, u, bounded=False)[0])
    for _ in range(RETREAT if at_boundary else 1):
        if on_map(s, u):
            lose_step(s, u, "9.2" if at_boundary else "11.4", out)


def retreat(s: WoodsState, frame: Retreats, action: Action, out: Sink) -> None:
    """Bring the next unit of a retreat to its place; the frame must be on top."""
    u = frame.units[0]
    paths, through_zone = retreat_paths(s, u)
    way = paths[action]
    crossed = bridges_on(s, way)
    out("11.4", "retreats", unit=u, hex_to=way[-1], hexes=way)
    enter(s, u, list(way), out, rebuilds=False)
    s.swap(
        replace(
            frame,
            units=frame.units[1:],
            gone=(*frame.gone, u),
            through_zone=frame.through_zone | through_zone,
            bridges=frame.bridges | crossed,
        )
    )


@dataclass(frozen=True, slots=True)
class Retreat(SideFrame):
    """The owner chooses where a unit retreats, and by which way if that makes a difference."""

    unit: int

    def legal(self, s: WoodsState) -> list[Action]:
        return list(retreat_paths(s, self.unit)[0])

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        frame = s.stack[-1]
        assert isinstance(frame, Retreats)
        retreat(s, frame, action, out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("11.4", "choose-retreat", unit=self.unit)

    def why_not(self, s: WoodsState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if action[0] in ("retreat", "via") and action[1] == self.unit:
            return [Refusal("11.4", "no-retreat-there", unit=self.unit, hex=int(action[-1]))]
        return [Refusal("11.4", "retreat-first", unit=self.unit)]


# ---- 10.6.1 Bridges blown in retreat ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BlowBehind(SideFrame):
    """A side whose units retreated over a bridge may try to blow it."""

    bridges: int

    def legal(self, s: WoodsState) -> list[Action]:
        return [*(("blow", bridge) for bridge in bits(self.bridges)), ("pass",)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        if action[0] == "pass":
            s.pop()
            return
        bridge = int(action[1])
        rest = self.bridges >> bridge + 1 << bridge + 1
        s.swap(*([BlowBehind(self.side, rest)] if rest else []), BlowRoll(self.side, bridge))

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("10.6.1", "blow-behind", bridges=tuple(bits(self.bridges)))

    def why_not(self, s: WoodsState, action: Action) -> list[Refusal]:
        return [] if action in self.legal(s) else [refuse_bridge(action)]


def refuse_bridge(action: Action) -> Refusal:
    """Why an action cannot be taken while a side decides about bridges."""
    if action[0] == "blow":
        return Refusal("10.6.1", "not-that-bridge", bridge=int(action[1]))
    return Refusal("10.6.1", "bridges-first")


@dataclass(frozen=True, slots=True)
class BlowRoll(DieFrame):
    """On 1 to 3 the bridge is blown."""

    side: int
    bridge: int

    def purpose(self, s: WoodsState) -> str:
        return "bridge"

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        out("10.6.1", "bridge-roll", n_die=int(action[1]), bridge=self.bridge)
        if int(action[1]) <= 3:
            blow(s, self.bridge, "10.6.1", out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("10.6.1", "roll-bridge", bridge=self.bridge)
