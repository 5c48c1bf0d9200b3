"""Ardennes '44: 15.8, improved positions, and chapter 26, split units."""

from __future__ import annotations

from salient.common.stacks import occupied, on_map, put, units_at
from salient.games.ardennes44.losses import become_remnant, free_remnant
from salient.games.ardennes44.model import (
    BRITISH,
    COUNT,
    LARGE,
    MIXED,
    MOBILITY,
    NATION,
    POOL,
    PROFILE,
    REMNANT,
    SIDE,
    SIDE_UNITS,
    SPLIT,
    TYPE,
    VEHICLE,
    ArdennesState,
    marks_of,
    steps_left,
    take_off,
)
from salient.games.ardennes44.stacking import refuse_stack
from salient.games.ardennes44.supply import is_supplied
from salient.hexes.masks import bits
from salient.kernel import Refusal
from salient.kernel.messages import Sink

# ---- 15.8 Improved positions ---------------------------------------------------------------------------


def refuse_digging(s: ArdennesState, u: int) -> Refusal | None:
    """Why a unit cannot begin or complete an improved position in its hex [15.8.2]."""
    h = s.where[u]
    if MOBILITY[u] == VEHICLE or s.order[u] or s.engaged >> u & 1 or s.march >> u & 1:
        return Refusal("15.8.2", "cannot-dig", unit=u)
    if (s.done | s.moved) >> u & 1 or s.night:
        return Refusal("15.8.2", "dig-before-moving", unit=u)
    if s.turn == 1 and "red" in marks_of(s, u):
        return Refusal("29.1.1", "held-on-turn-1", unit=u)
    if (s.ip | s.new_ip) >> h & 1:
        return Refusal("15.8.1", "position-there", hex=h)
    if not s.digging >> h & 1 and not is_supplied(s, u):
        return Refusal("23.5", "dig-needs-supply", unit=u)
    return None


def dig(s: ArdennesState, u: int, out: Sink) -> None:
    """Begin a position, which takes the whole turn, or complete one and go on [15.8.2, 15.8.3]."""
    here = 1 << s.where[u]
    if s.digging & here:
        s.digging &= ~here
        s.ip |= here
        out("15.8.2", "position-ready", unit=u, hex=s.where[u])
        return
    s.digging |= here
    s.new_ip |= here
    s.dug |= 1 << u
    s.done |= 1 << u
    out("15.8.2", "position-begun", unit=u, hex=s.where[u])


def drop_empty_positions(s: ArdennesState) -> None:
    """Positions without troops are removed [15.8.4]."""
    manned = occupied(s, 0) | occupied(s, 1)
    s.ip &= manned
    s.digging &= manned


# ---- 26 Split units -----------------------------------------------------------------------------------------


def _fits(x: int, u: int) -> bool:
    """Whether a split counter can be a part of a unit [26.1]."""
    if not SPLIT[x] or BRITISH[x] != BRITISH[u]:
        return False
    if MIXED[x]:
        return NATION[u] == "us" and TYPE[u] in ("cc", "tank")
    return TYPE[x] == TYPE[u]


PARTS = tuple(tuple(x for x in SIDE_UNITS[SIDE[u]] if _fits(x, u)) for u in range(COUNT))  # by unit, ascending


def free_split(s: ArdennesState, u: int) -> int:
    """A counter in the pool that can be split off a unit, -1 if there is none [26.1]."""
    return next((x for x in PARTS[u] if s.where[x] == POOL), -1)


def refuse_split(s: ArdennesState, u: int, advancing: bool = False) -> Refusal | None:
    """Why a unit cannot be split now; one that has attacked may be split before it advances [26.1, 26.2]."""
    if not on_map(s, u) or SPLIT[u] or REMNANT[u]:
        return Refusal("26.1", "cannot-split", unit=u)
    last = steps_left(s, u) == 1
    if (last and not (LARGE[u] and free_remnant(s, u) >= 0)) or free_split(s, u) < 0:
        return Refusal("26.2", "no-split-counter", unit=u)
    if s.order[u] or s.march >> u & 1:
        return Refusal("26.2", "disrupted-cannot-split", unit=u)
    if not advancing and (s.moved | s.done | s.fought) >> u & 1:
        return Refusal("26.2", "split-before-moving", unit=u)
    if PROFILE[u] and _would_overstack(s, u):  # only a task force takes more room than the tanks it comes from
        return Refusal("8.1", "hex-is-full", unit=u, hex=s.where[u])
    return None


def _would_overstack(s: ArdennesState, u: int) -> bool:
    after = s.clone()
    split_off(after, u)
    return refuse_stack(after, units_at(after, s.where[u])) is not None


def split_off(s: ArdennesState, u: int) -> int:
    """Put a step of a unit on the map as a unit of its own; the third step becomes a remnant [26.1, 26.3]."""
    x, h = free_split(s, u), s.where[u]
    for name in ("oos", "isolated", "engaged", "night_marks", "short", "fought", "led"):
        if getattr(s, name) >> u & 1:
            setattr(s, name, getattr(s, name) | 1 << x)
    s.points[x] = s.points[u]
    if steps_left(s, u) == 1:
        become_remnant(s, u, free_remnant(s, u))
    else:
        s.lost[u] += 1
        s.parent[x] = u
    put(s, x, h)
    return x


def refuse_merging(s: ArdennesState, x: int) -> Refusal | None:
    """Why a split unit cannot go back to the unit that it came from [26.4]."""
    u = s.parent[x]
    if not SPLIT[x] or not on_map(s, x) or u < 0:
        return Refusal("26.4", "has-no-parent", unit=x)
    if s.where[u] != s.where[x] or not s.lost[u]:
        return Refusal("26.4", "parent-elsewhere", unit=x)
    if s.order[x] or s.order[u] or (s.engaged >> x | s.engaged >> u) & 1:
        return Refusal("26.4", "not-in-good-order", unit=x)
    return None


def merge(s: ArdennesState, x: int) -> int:
    """Take a split unit back; both have completed their movement [26.4]."""
    u = s.parent[x]
    take_off(s, x, POOL)
    s.lost[u] -= 1
    s.done |= 1 << u
    return u


def merges(s: ArdennesState, side: int) -> list[int]:
    """The split units of a side that can go back now, ascending."""
    return [x for x in SIDE_UNITS[side] if SPLIT[x] and s.parent[x] >= 0 and refuse_merging(s, x) is None]


def splits(s: ArdennesState, units: int) -> list[int]:
    """Those of some units that can be split, ascending."""
    unmoved = units & ~(s.moved | s.done | s.fought | s.march)
    return [u for u in bits(unmoved) if refuse_split(s, u) is None]
