"""The Deadly Woods: what happens when a unit enters a hex. Rules 3.5, 9.2.1, 10.6.2, 10.6.4, 12.4.4, 12.6."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied, on_map, put
from salient.games.deadly_woods.components import ARMIES, LAST_TRACK_TURN
from salient.games.deadly_woods.model import WoodsState
from salient.games.deadly_woods.stacking import displace_delay, engineer_at, engineers_on_map
from salient.games.deadly_woods.supply import drop_motor
from salient.games.deadly_woods.zones import next_to
from salient.hexes.masks import mask_of
from salient.hexes.sets import UnitId
from salient.kernel.messages import Sink

ENGINEERS_LOST_FOR = 2  # turns [12.4.4]


def burdens(s: WoodsState, u: UnitId, way: Sequence[int], rebuilds: bool = False) -> tuple[int, int]:
    """What a way sets off that a player may rather not: the British released or the US Delay sent back; bridges
    rebuilt [6.3.1, 10.6.2, 10.6.4]."""
    german = s.units.side[u] == GERMAN
    over_meuse = german and not s.meuse_crossed and any(pair in s.ground.meuse for pair in pairwise(way))
    displaces = not german and s.where[s.units.delay] in way[1:]
    if not (rebuilds and s.blown):
        return over_meuse + displaces, 0
    blown = [pair for pair in pairwise(way) if pair in s.ground.bridge and s.blown >> s.ground.bridge[pair] & 1]
    return over_meuse + displaces, sum(may_rebuild(s, u, b) for _, b in blown)


def enter(s: WoodsState, u: UnitId, way: list[int], out: Sink, rebuilds: bool) -> None:
    """Bring a unit along a way and do all that entering its hexes sets off."""
    german = s.units.side[u] == GERMAN
    eventful = s.ground.eventful | engineers_on_map(s) if german else 0
    for a, b in pairwise(way):
        if rebuilds and (a, b) in s.ground.bridge:
            _rebuild(s, u, a, b, out)
        if not german:
            displace_delay(s, b, out)
        elif eventful >> b & 1:
            _german_enters(s, u, a, b, out)
        if s.ground.controlled >> b & 1:
            take(s, s.units.side[u], b, out)
    put(s, u, way[-1])
    watch_motor(s, out, () if german else way)


# ---- 3.5 Control ----------------------------------------------------------------------------------


def take(s: WoodsState, side: int, h: int, out: Sink) -> None:
    """A settlement or victory hex changes hands as soon as an enemy unit enters it."""
    if not s.ground.controlled >> h & 1:
        return
    held = bool(s.german_held >> h & 1)
    if held != (side == GERMAN):
        s.german_held ^= 1 << h
        out("3.5", "takes-control", word_side="german" if side == GERMAN else "allied", hex=h)
    if side == GERMAN and s.asset[s.assets.air] == h:
        s.asset[s.assets.air] = s.ground.gone
        out("8.6", "air-supply-lost", hex=h)


# ---- 8.5, 9.2.1, 10.6.4, 12.4.4 Germans --------------------------------------------------------------


def _german_enters(s: WoodsState, u: UnitId, a: int, b: int, out: Sink) -> None:
    if b == s.ground.st_vith and not s.st_vith:
        s.st_vith = s.turn
    if b == s.ground.fuel and u == s.units.peiper and s.fuel == 0:
        s.fuel = 1
        out("8.5", "fuel-captured", unit=u, hex=b)
    if (a, b) in s.ground.meuse and not s.meuse_crossed:
        s.meuse_crossed = 1
        out("10.6.4", "meuse-crossed", unit=u)
    engineer = engineer_at(s, b)
    if engineer >= 0:
        s.asset[engineer] = s.ground.track_turn(min(s.turn + ENGINEERS_LOST_FOR, LAST_TRACK_TURN))
        out("12.4.4", "engineers-displaced", asset=engineer, hex=b)


# ---- 10.6.2 Rebuilding bridges -------------------------------------------------------------------------


def may_rebuild(s: WoodsState, u: UnitId, h: int) -> bool:
    """Whether a unit that crosses a blown bridge into a hex rebuilds it: Germans one per army zone and turn."""
    return s.units.side[u] != GERMAN or not s.built >> ARMIES.index(s.ground.army_of(h)) & 1


def _rebuild(s: WoodsState, u: UnitId, a: int, b: int, out: Sink) -> None:
    bridge = s.ground.bridge.get((a, b), -1)
    if bridge < 0 or not s.blown >> bridge & 1 or not may_rebuild(s, u, b):
        return
    if s.units.side[u] == GERMAN:
        s.built |= 1 << ARMIES.index(s.ground.army_of(b))
    s.blown &= ~(1 << bridge)
    out("10.6.2", "bridge-rebuilt", unit=u, bridge=bridge)


def blow(s: WoodsState, bridge: int, rule: str, out: Sink) -> None:
    """Destroy a bridge."""
    s.blown |= 1 << bridge
    out(rule, "bridge-blown", bridge=bridge)


# ---- 12.6 The motorized marker ----------------------------------------------------------------------------


def watch_motor(s: WoodsState, out: Sink, way: Sequence[int] = ()) -> None:
    """The motorized marker comes off as soon as its unit is next to an Allied unit, also one that passes by."""
    if s.motor < 0 or not on_map(s, s.motor):
        return
    if next_to(s.ground, occupied(s, ALLIED) | mask_of(way)) >> s.where[s.motor] & 1:
        out("12.6", "motor-lost", unit=s.motor)
        drop_motor(s)
