"""Target Arnhem: what must hold after every action."""

from __future__ import annotations

from collections.abc import Iterator

from salient.common.checks import wrong_time
from salient.common.sides import ALLIED, GERMAN
from salient.games.target_arnhem.components import POOLS
from salient.games.target_arnhem.model import AREA_P_CLOSES, STACKING_LIMIT, ArnhemState, stale_caches, units_at
from salient.hexes.masks import bits, hexes_of
from salient.hexes.sets import HexId, UnitId


def broken_invariants(s: ArnhemState) -> Iterator[str]:
    """Every invariant that does not hold, in words."""
    yield from wrong_time(s, s.tables.turns)
    if not 0 <= s.impulse <= 3:
        yield f"there is no impulse {s.impulse}"
    if any(points < 0 for points in s.pools):
        yield f"a supply pool is overdrawn: {dict(zip(POOLS, s.pools, strict=True))}"
    if s.extra < 0:
        yield f"{-s.extra} extra actions too many have been taken [9.3]"
    if stale_caches(s):
        yield "what is remembered is not as the units are"
    for u in s.units.all:
        yield from _unit(s, u, s.where[u])
    for h in bits(hexes_of(place for place in s.where if place < s.ground.hexes)):
        yield from _hex(s, h)


def _unit(s: ArnhemState, u: UnitId, place: int) -> Iterator[str]:
    name = s.units.ids[u]
    if not 0 <= s.damage[u] < s.units.resistance[u]:
        yield f"{name} lives with {s.damage[u]} points of damage [3.4]"
    if s.damage[u] and place >= s.ground.waiting:
        yield f"{name} is damaged off the board"
    if s.fortified[u] > s.units.starts_fortified[u]:
        yield f"{name} became fortified [5.4]"
    if s.units.side[u] == ALLIED and s.ground.hexes <= place < s.ground.waiting:
        yield f"{name} is in an off-map area [4]"
    if place == s.ground.area_p and s.turn >= AREA_P_CLOSES:
        yield f"{name} is in area P on turn {s.turn} [4.2b]"


def _hex(s: ArnhemState, h: HexId) -> Iterator[str]:
    allied, german = units_at(s, h, ALLIED), units_at(s, h, GERMAN)
    if allied and german:
        yield f"both sides are in {s.ground.board.labels[h]} [3.5]"
    if h in s.zones and any(s.units.start[u] != h for u in german):
        yield f"a German unit has entered the supply zone in {s.ground.board.labels[h]} [7.3]"
    if s.impulse == 0 and max(len(german), len(allied) if s.turn == 1 else 0) > STACKING_LIMIT:
        yield f"more than three units in {s.ground.board.labels[h]} after an impulse [3.5]"
