"""The Deadly Woods: what must hold after every action."""

from __future__ import annotations

from collections.abc import Iterator

from salient.common.checks import wrong_time
from salient.common.sides import ALLIED, GERMAN
from salient.common.stacks import occupied, on_map, stale_caches, units_at
from salient.games.deadly_woods.chits import Rounds
from salient.games.deadly_woods.components import CHITS
from salient.games.deadly_woods.model import WoodsState
from salient.games.deadly_woods.reinforcements import Arrive
from salient.games.deadly_woods.stacking import corps_at, refuse_stack
from salient.games.deadly_woods.survey import survey
from salient.games.deadly_woods.victory import turns_of
from salient.hexes.masks import bits, mask_of


def broken_invariants(s: WoodsState) -> Iterator[str]:
    """Every invariant that does not hold, in words."""
    yield from wrong_time(s, turns_of(s))
    yield from _units(s)
    yield from _caches(s)
    yield from _hexes(s)
    yield from _assets(s)
    yield from _chits(s)
    if s.blown >> len(s.ground.bridges):
        yield "a bridge is blown that does not exist"
    if s.german_held & ~(s.ground.settled | s.ground.victory):
        yield "control is kept of a hex that nobody needs [3.5]"


def _caches(s: WoodsState) -> Iterator[str]:
    """What is remembered of the units equals what a fresh look finds."""
    yield from (f"what is remembered is not as the units are: {name}" for name in stale_caches(s))
    fresh = s.clone()
    fresh.clear_caches()
    if s.surveyed is not None and survey(s) != survey(fresh):
        yield "what the judge has counted is not what a fresh look finds"


def _units(s: WoodsState) -> Iterator[str]:
    for u in s.units.all:
        place, name = s.where[u], s.units.ids[u]
        if place >= s.ground.hexes and place not in (s.ground.track, s.ground.eliminated, s.ground.gone, s.ground.box):
            yield f"{name} is in {s.ground.places[place]}"
        if (place == s.ground.box) and u != s.units.delay:
            yield f"{name} is in a box of assets"
        if not 0 <= s.lost[u] < s.units.steps[u]:
            yield f"{name} lives with {s.lost[u]} steps lost [2.3.1.1]"
        if not on_map(s, u) and (s.lost[u] or s.oos >> u & 1):
            yield f"{name} is off the map and yet reduced or marked"
        if on_map(s, u) and s.units.nation[u] == "british" and not s.ground.british_zone >> place & 1:
            yield f"{name} is outside the British zone [9.3]"
    if s.oos & ~s.units.side_mask[GERMAN]:
        yield "an Allied unit is marked as out of supply [8.1]"


def _hexes(s: WoodsState) -> Iterator[str]:
    if occupied(s, ALLIED) & occupied(s, GERMAN):
        yield "both sides are in one hex"
    top = s.stack[-1]
    arriving = mask_of(s.where[u] for u in top.named if on_map(s, u)) if isinstance(top, Arrive) else 0  # named only
    quiet = any(isinstance(frame, Rounds) for frame in s.stack[-2:])  # between rounds
    for h in bits((occupied(s, ALLIED) | occupied(s, GERMAN)) & ~arriving):
        units = units_at(s, h)
        side = s.units.side[units[0]]
        is_kept = bool(s.german_held >> h & 1) == (side == GERMAN) or s.units.delay in units
        if s.ground.settled >> h & 1 and not is_kept:
            yield f"{s.ground.board.labels[h]} is held by the side that is not there [3.5]"
        if quiet and refuse_stack(s.units, units, corps_at(s, h) if side == ALLIED else ""):
            yield f"{s.ground.board.labels[h]} is overstacked between rounds [6.2]"
        if s.units.delay in units and len(units) > 1:
            yield "the US Delay is stacked [6.3.1]"


def _assets(s: WoodsState) -> Iterator[str]:
    for a, place in enumerate(s.asset):
        if place < s.ground.hexes and s.assets.kind[a] in ("artillery", "nebelwerfer", "motor", "bonus"):
            yield f"{s.assets.ids[a]} is on the map [2.4]"
    hexes = [s.asset[a] for a in s.assets.engineers if s.asset[a] < s.ground.hexes]
    if len(set(hexes)) < len(hexes):
        yield "two engineers are in one hex [6.3]"
    if any(occupied(s, GERMAN) >> h & 1 for h in hexes):
        yield "engineers are among Germans [12.4.4]"
    if s.motor >= 0 and not on_map(s, s.motor):
        yield "the motorized marker lies on nothing [12.6]"


def _chits(s: WoodsState) -> Iterator[str]:
    if any(count < 0 for count in s.cup):
        yield f"the cup owes chits: {dict(zip(CHITS, s.cup, strict=True))}"
