"""The Deadly Woods: 11.3.3 to 11.5, losses, retreats and advances, and the bridges of 10.6.1."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from salient.games.deadly_woods.entering import blow, enter
from salient.games.deadly_woods.model import (
    AIRBORNE,
    ALL_HEXES,
    ALLIED,
    ARMOR,
    BOARD,
    BRIDGE,
    COLUMN,
    ELIMINATED,
    FOREST,
    GERMAN,
    INFANTRY,
    OUREN,
    SEATS,
    SETTLED,
    SIDE,
    UNBRIDGED,
    VALUES,
    WITHIN,
    WOODS,
    WoodsState,
    kind_of,
    occupied,
    on_map,
    set_lost,
    steps_left,
    take_off,
    units_at,
)
from salient.games.deadly_woods.movement import table
from salient.games.deadly_woods.stacking import Stacking, refuse_joining, refuse_mixing
from salient.games.deadly_woods.zones import binding_zone, ground, next_to, refuse_ground
from salient.hexes.masks import bits
from salient.kernel import Action, AutoFrame, Frame, Prompt, Refusal, Seat
from salient.kernel.frames import DieFrame
from salient.kernel.messages import Sink

Units = tuple[int, ...]
RETREAT = 2  # hexes [11.4]
LONGEST_RETREAT = 5  # how far a unit may look for a place that is not next to the enemy

# ---- 11.3.3 Results -----------------------------------------------------------------------------


def apply_result(s: WoodsState, side: int, h: int, units: Units, bridges: int, result: str, out: Sink) -> None:
    """Push what a result demands: what remains first, what comes first last."""
    s.push(Aftermath(side, h, units, bridges))
    if result in ("DR", "DR*") and first_german_combat(s, side):
        s.push(Convert(side, h, units, result))
    else:
        push_result(s, side, h, units, result, out)


def push_result(s: WoodsState, side: int, h: int, units: Units, result: str, out: Sink) -> None:
    """AL1: the attacker loses a step; BL1: both; DR: the defender retreats; DR*: he loses a step first."""
    if result in ("AL1", "BL1"):
        ask_losses(s, side, units, out)
    if result in ("DR", "DR*"):
        s.push(BeginRetreat(1 - side, h))
    if result in ("BL1", "DR*"):
        ask_losses(s, 1 - side, units_at(s, h), out)


def first_german_combat(s: WoodsState, side: int) -> bool:
    """Whether this is the German combat round that opens the game [11.3.3]."""
    return s.turn == 1 and side == GERMAN and len(s.track) == 1


@dataclass(frozen=True, slots=True)
class Convert(Frame):
    """In the first combat round of turn 1 the German may turn a retreat into a loss on both sides."""

    side: int
    hex: int
    units: Units
    result: str

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[self.side]

    def legal(self, s: WoodsState) -> list[Action]:
        return [("convert",), ("pass",)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        result = self.result
        if action[0] == "convert":
            result = "BL1"
            out("11.3.3", "result-converted", hex=self.hex)
        push_result(s, self.side, self.hex, self.units, result, out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("11.3.3", "convert-result", hex=self.hex, word_result=self.result)

    def why_not(self, s: WoodsState, action: Action) -> list[Refusal]:
        return [] if action in self.legal(s) else [Refusal("11.3.3", "convert-or-pass", hex=self.hex)]


# ---- losses -------------------------------------------------------------------------------------------


def lose_step(s: WoodsState, u: int, rule: str, out: Sink) -> None:
    """One step lost; the last one takes the unit off the map, the US Delay to its box [12.9.1]."""
    if steps_left(s, u) > 1:
        set_lost(s, u, s.lost[u] + 1)
        out(rule, "loses-step", unit=u)
    else:
        out(rule, "eliminated", unit=u)
        take_off(s, u, ELIMINATED)


def ask_losses(s: WoodsState, side: int, units: Units, out: Sink) -> None:
    """Have a side lose a step among its units, at once where there is no choice."""
    able = tuple(u for u in units if on_map(s, u))
    if len(able) == 1:
        lose_step(s, able[0], "11.3.3", out)
    elif able:
        s.push(Lose(side, able))


@dataclass(frozen=True, slots=True)
class Lose(Frame):
    """The owner chooses the unit that loses a step."""

    side: int
    units: Units

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[self.side]

    def legal(self, s: WoodsState) -> list[Action]:
        return [("lose", u) for u in self.units]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        lose_step(s, int(action[1]), "11.3.3", out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("11.3.3", "lose-step", units=self.units)

    def why_not(self, s: WoodsState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if action[0] == "lose":
            return [Refusal("11.3.3", "not-in-this-combat", unit=int(action[1]))]
        return [Refusal("11.3.3", "lose-first")]


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
class Stand(Frame):
    """An Allied airborne unit in a settlement or in the woods may take a further loss instead of the retreat."""

    side: int
    hex: int

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[self.side]

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


def passable(s: WoodsState, u: int, a: int) -> int:
    """The neighbours whose ground and hexside a unit can enter and cross, as bits."""
    no_ouren = s.turn == 1 and kind_of(s, u) == ARMOR
    mask = 0
    for kind in ("foot",) if kind_of(s, u) == INFANTRY else ("motor", "road"):
        for b, _ in table(kind, s.blown, (), no_ouren)[a]:
            mask |= 1 << b
    return mask


def _layers(s: WoodsState, u: int, origin: int, open_hexes: int) -> tuple[list[int], dict[int, int]]:
    """The hexes at each distance from the origin through open hexes, and the hex before each."""
    layers, parents = [1 << origin], dict[int, int]()
    seen = 1 << origin
    for _ in range(LONGEST_RETREAT):
        layer = 0
        for a in bits(layers[-1]):
            fresh = passable(s, u, a) & open_hexes & ~seen
            parents |= dict.fromkeys(bits(fresh & ~layer), a)
            layer |= fresh
        seen |= layer
        layers.append(layer)
    return layers, parents


def retreat_ways(s: WoodsState, u: int, bounded: bool = True) -> tuple[dict[int, list[int]], bool]:
    """Paths by destination in the order of priorities, and whether they lead through enemy zones [11.4]."""
    origin, side = s.where[u], SIDE[u]
    enemies = occupied(s, 1 - side)
    open_hexes = ALL_HEXES & ~enemies & (ground(s, u) if bounded else ALL_HEXES)
    mixing = 0
    for h in bits(occupied(s, side) & WITHIN[origin][LONGEST_RETREAT]):
        if h != origin and refuse_mixing(s, u, h):
            mixing |= 1 << h
    open_hexes &= ~mixing
    ends = ~next_to(enemies) & ~WITHIN[origin][RETREAT - 1]
    for zoc_free in (True, False):
        hexes = open_hexes & ~binding_zone(s, side) if zoc_free else open_hexes
        layers, parents = _layers(s, u, origin, hexes)
        for crowded in (False, True):
            found = _nearest(s, u, origin, layers, ends, crowded)
            if found:
                return {to: _back(parents, origin, to) for to in found}, not zoc_free
    return {}, False


def _nearest(s: WoodsState, u: int, origin: int, layers: list[int], ends: int, crowded: bool) -> list[int]:
    """The nearest places to end a retreat: homewards if possible, at the right distance, not overstacked."""
    best: list[int] = []
    for homewards in (True, False):
        for layer in layers[RETREAT:]:
            best = [
                h
                for h in bits(layer & ends)
                if (not homewards or _is_homewards(s, u, origin, h)) and (crowded or refuse_joining(s, u, h) is None)
            ]
            if best:
                return best
    return best


def _is_homewards(s: WoodsState, u: int, origin: int, h: int) -> bool:
    """Germans do not retreat towards the west edge, Allies not towards the east edge [11.4]."""
    return COLUMN[h] >= COLUMN[origin] if SIDE[u] == GERMAN else COLUMN[h] <= COLUMN[origin]


def _back(parents: dict[int, int], origin: int, to: int) -> list[int]:
    way = [to]
    while way[-1] != origin:
        way.append(parents[way[-1]])
    return way[::-1]


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
        paths, _ = retreat_ways(s, u)
        if not paths:
            s.swap(Retreats(self.side, self.hex, self.units[1:], self.gone, self.through_zone, self.bridges))
            stay_and_lose(s, u, out)
        elif len(paths) == 1:
            retreat(s, self, next(iter(paths)), out)
        else:
            s.push(Retreat(self.side, u))


def stay_and_lose(s: WoodsState, u: int, out: Sink) -> None:
    """A unit that cannot retreat stays and loses a step, two if only an army boundary holds it [9.2, 11.4]."""
    out("11.4", "cannot-retreat", unit=u)
    at_boundary = SIDE[u] == GERMAN and s.turn <= 3 and bool(retreat_ways(s, u, bounded=False)[0])
    for _ in range(RETREAT if at_boundary else 1):
        if on_map(s, u):
            lose_step(s, u, "9.2" if at_boundary else "11.4", out)


def retreat(s: WoodsState, frame: Retreats, to: int, out: Sink) -> None:
    """Bring the next unit of a retreat to its place; the frame must be on top."""
    u = frame.units[0]
    paths, through_zone = retreat_ways(s, u)
    way = paths[to]
    crossed = 0
    for pair in pairwise(way):
        if pair in BRIDGE and not s.blown >> BRIDGE[pair] & 1:
            crossed |= 1 << BRIDGE[pair]
    out("11.4", "retreats", unit=u, hex_to=way[-1], hexes=tuple(way))
    enter(s, u, way, out, rebuilds=False)
    s.swap(
        Retreats(
            frame.side,
            frame.hex,
            frame.units[1:],
            (*frame.gone, u),
            frame.through_zone | through_zone,
            frame.bridges | crossed,
        )
    )


@dataclass(frozen=True, slots=True)
class Retreat(Frame):
    """The owner chooses where a unit retreats."""

    side: int
    unit: int

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[self.side]

    def legal(self, s: WoodsState) -> list[Action]:
        return [("retreat", self.unit, to) for to in sorted(retreat_ways(s, self.unit)[0])]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        frame = s.stack[-1]
        assert isinstance(frame, Retreats)
        retreat(s, frame, int(action[2]), out)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("11.4", "choose-retreat", unit=self.unit)

    def why_not(self, s: WoodsState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if action[:2] == ("retreat", self.unit):
            return [Refusal("11.4", "no-retreat-there", unit=self.unit, hex=int(action[2]))]
        return [Refusal("11.4", "retreat-first", unit=self.unit)]


# ---- 10.6.1 Bridges blown in retreat ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BlowBehind(Frame):
    """A side whose units retreated over a bridge may try to blow it."""

    side: int
    bridges: int

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[self.side]

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


# ---- 10.6.1 Bridges blown by a defender who holds -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Aftermath(AutoFrame):
    """A cleared hex may be entered; a defender who holds blows the bridges over which he was attacked."""

    side: int
    hex: int
    units: Units
    bridges: int

    def run(self, s: WoodsState, out: Sink) -> None:
        s.pop()
        if occupied(s, 1 - self.side) >> self.hex & 1:
            if self.bridges & ~s.blown:
                s.push(BlowHeld(1 - self.side, self.bridges & ~s.blown))
            return
        s.push(Advance(self.side, self.hex, self.units))
        skip_empty_advance(s)


@dataclass(frozen=True, slots=True)
class BlowHeld(Frame):
    """Bridge after bridge, the defender blows it or keeps it."""

    side: int
    bridges: int

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[self.side]

    def legal(self, s: WoodsState) -> list[Action]:
        return [("blow", bits(self.bridges)[0]), ("pass",)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        first = bits(self.bridges)[0]
        if action[0] == "blow":
            blow(s, first, "10.6.1", out)
        rest = self.bridges & ~(1 << first)
        s.swap(*([BlowHeld(self.side, rest)] if rest else []))

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("10.6.1", "blow-held", bridge=bits(self.bridges)[0])

    def why_not(self, s: WoodsState, action: Action) -> list[Refusal]:
        return [] if action in self.legal(s) else [refuse_bridge(action)]


# ---- 11.5 Advance ---------------------------------------------------------------------------------------------------


def refuse_advance(s: WoodsState, u: int, h: int) -> Refusal | None:
    """Why an attacker cannot advance into a cleared hex: terrain, bounds, stacking [11.1, 11.5]."""
    if not on_map(s, u):
        return Refusal("11.5", "not-on-map", unit=u)
    here = s.where[u]
    if s.turn == 1 and kind_of(s, u) == ARMOR and {here, h} == OUREN:
        return Refusal("10.6.3", "ouren", unit=u)
    over_major = kind_of(s, u) == INFANTRY and (here, h) in UNBRIDGED
    if not over_major and not passable(s, u, here) >> h & 1:
        key = "forest-by-road" if BOARD.terrain[h] == "forest" else "river-without-bridge"
        return Refusal("11.1", key, unit=u, hex=h)
    return refuse_ground(s, u, h) or refuse_joining(s, u, h)


@dataclass(frozen=True, slots=True)
class Advance(Frame):
    """Attackers may enter the hex that they have cleared, in ascending order; zones do not matter."""

    side: int
    hex: int
    units: Units

    def actor(self, s: WoodsState) -> Seat:
        return SEATS[self.side]

    def able(self, s: WoodsState) -> list[int]:
        """The attackers that may still advance."""
        return [u for u in self.units if refuse_advance(s, u, self.hex) is None]

    def legal(self, s: WoodsState) -> list[Action]:
        return [*(("advance", u) for u in self.able(s)), ("pass",)]

    def apply(self, s: WoodsState, action: Action, out: Sink) -> None:
        s.pop()
        if action[0] == "pass":
            return
        u = int(action[1])
        out("11.5", "advances", unit=u, hex=self.hex)
        enter(s, u, [s.where[u], self.hex], out, rebuilds=False)
        s.push(Advance(self.side, self.hex, tuple(x for x in self.units if x > u)))
        skip_empty_advance(s)

    def prompt(self, s: WoodsState) -> Prompt:
        return Prompt("11.5", "advance", hex=self.hex, units=tuple(self.able(s)))

    def why_not(self, s: WoodsState, action: Action) -> list[Refusal]:
        if action in self.legal(s):
            return []
        if action[0] == "advance" and int(action[1]) in self.units:
            refusal = refuse_advance(s, int(action[1]), self.hex)
            return [refusal] if refusal else []
        return [Refusal("11.5", "advance-or-pass", hex=self.hex)]


def skip_empty_advance(s: WoodsState) -> None:
    """Take an advance off the stack when nobody can advance."""
    frame = s.stack[-1]
    if isinstance(frame, Advance) and not frame.able(s):
        s.pop()
