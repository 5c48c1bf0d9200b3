"""The Deadly Woods: what steps cost (10.2, 10.4, 10.6), and the ways that lead somewhere. Costs are in half movement
points."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, NamedTuple

from salient.games.deadly_woods.entering import MEUSE
from salient.games.deadly_woods.model import BANKS, BOARD, BRIDGE, BRIDGES, HEXES, OUREN, TOUCHING, UNBRIDGED
from salient.games.deadly_woods.zones import hexes_of
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import HexSet

Tolls = tuple[tuple[int, bool], ...]  # hexes that cost 2 points more: by road only, or always
Steps = tuple[tuple[int, int], ...]  # (neighbour, cost)
Table = list[Steps]
TOLL = 4

# ---- 10.2, 10.4, 10.6 Costs ------------------------------------------------------------------

_LEGEND = BOARD.legend
_FOOT: dict[str, Any] = {name: entry.get("infantry") for name, entry in _LEGEND["terrain"].items()}
_MOTOR: dict[str, Any] = {name: entry.get("motorized") for name, entry in _LEGEND["terrain"].items()}
_RIVER: dict[str, Any] = {name: entry.get("infantry") for name, entry in _LEGEND["hexside"].items()}
_RULES = _LEGEND["movement"]


class Shut(NamedTuple):
    """Hexsides that a unit cannot cross, or shall not: the bridge of Ouren, the Meuse, blown bridges."""

    ouren: bool = False
    meuse: bool = False
    blown: bool = False


ALL_OPEN = Shut()


def _halves(points: float) -> int:
    return int(points * 2)


def _is_blown(a: int, b: int, blown: int) -> bool:
    return (a, b) in BRIDGE and bool(blown >> BRIDGE[a, b] & 1)


def _bridge_cost(a: int, b: int, blown: int, mobility: str) -> int:
    return _halves(_RULES["blown" if _is_blown(a, b, blown) else "bridge"][mobility])


def _has_road(a: int, b: int, blown: int) -> bool:
    return BOARD.road(a, b) is not None and not _is_blown(a, b, blown)


def _foot_cost(a: int, b: int, blown: int) -> int | None:
    """The cost of a step on foot; None if it takes a whole move or cannot be made."""
    return _halves(_RULES["road"]["infantry"]) if _has_road(a, b, blown) else _cross_country_cost(a, b, blown)


def _cross_country_cost(a: int, b: int, blown: int) -> int | None:
    """The cost of a step on foot, roads ignored; None if it takes a whole move."""
    cost = _halves(_FOOT[BOARD.terrain[b]])
    if (a, b) in BRIDGE:
        return cost + _bridge_cost(a, b, blown, "infantry")
    side = BOARD.side(a, b)
    if side and (a, b) in UNBRIDGED:
        river = _RIVER[side.kind]
        return None if river == "all" else cost + _halves(river)
    return cost


def _motor_cost(a: int, b: int, blown: int) -> int | None:
    """The full cost of a step of a motorized unit, roads ignored; None if it cannot be made."""
    terrain = _MOTOR[BOARD.terrain[b]]
    if terrain is None or (a, b) in UNBRIDGED:
        return None
    return _halves(terrain) + (_bridge_cost(a, b, blown, "motorized") if (a, b) in BRIDGE else 0)


def _road_cost(a: int, b: int, blown: int) -> int | None:
    """The cost of a step at the motorized road rate; None where no road leads."""
    return _halves(_RULES["road"]["motorized"]) if _has_road(a, b, blown) else None


_COSTS = {"foot": _foot_cost, "motor": _motor_cost, "road": _road_cost}


def _is_shut(a: int, b: int, blown: int, shut: Shut) -> bool:
    if shut.ouren and {a, b} == OUREN:
        return True
    return (shut.meuse and (a, b) in MEUSE) or (shut.blown and _is_blown(a, b, blown))


def _with_tolls(kind: str, a: int, b: int, cost: int, blown: int, tolls: Tolls) -> int:
    for h, by_road_only in tolls:
        if h == b and (not by_road_only or (kind != "motor" and _has_road(a, b, blown))):
            cost += TOLL
            if kind == "foot" and by_road_only:  # infantry may leave the road instead
                cost = min(cost, _cross_country_cost(a, b, blown) or cost)
    return cost


@cache
def _step(node: int, cost: int) -> tuple[int, int]:
    """A step as one object for all tables, which keeps them small and a search fast."""
    return node, cost


@lru_cache(maxsize=1 << 14)
def _steps(kind: str, a: int, blown: int, tolls: Tolls, shut: Shut) -> Steps:
    costs = ((b, _COSTS[kind](a, b, blown)) for b in sorted(BOARD.adjacent[a]) if not _is_shut(a, b, blown, shut))
    return tuple(_step(b, _with_tolls(kind, a, b, cost, blown, tolls)) for b, cost in costs if cost is not None)


_BRIDGES_AT = tuple(mask_of(i for i, banks in enumerate(BRIDGES) if a in banks) for a in range(HEXES))


def steps(kind: str, a: int, blown: int, tolls: Tolls, shut: Shut) -> Steps:
    """The steps of one way of moving from a hex: "foot", "motor" at full cost, or "road" at the road rate [10.6.3]."""
    near = tuple(toll for toll in tolls if TOUCHING[a] >> toll[0] & 1) if tolls else tolls
    return _steps(kind, a, blown & _BRIDGES_AT[a], near, shut)


@cache
def across_major_rivers(h: int) -> int:
    """The neighbours of a hex across a river that takes a whole move on foot, as bits."""
    sides = [(b, BOARD.side(h, b)) for b in BOARD.adjacent[h] if (h, b) in UNBRIDGED]
    return mask_of(b for b, side in sides if side and _RIVER[side.kind] == "all")


# ---- the nodes of a search: a hex at full cost, and above HEXES a hex at the road rate ------------------------

_MEUSE_BANKS = mask_of(a for a, _ in MEUSE)


@lru_cache(maxsize=1 << 14)
def _steps_of_nodes(kind: str, a: int, blown: int, tolls: Tolls, shut: Shut) -> tuple[Steps, Steps]:
    """The steps from a hex at full cost and at the road rate. A unit that rides is bound to the road;
    the search lets it leave the road rate to join friends [10.4.1, 10.5]."""
    if kind == "foot":
        return steps("foot", a, blown, tolls, shut), ()
    full, along = (steps(name, a, blown, tolls, shut) for name in ("motor", "road"))
    at_road_rate = tuple(_step(b + HEXES, cost) for b, cost in along)
    if kind == "riding":
        roads = {b for b, _ in along}
        return tuple(step for step in full if step[0] in roads), at_road_rate
    return full, full + at_road_rate


@lru_cache(maxsize=3)
def _base_table(kind: str) -> Table:
    full, at_road_rate = zip(*(_steps_of_nodes(kind, a, 0, (), ALL_OPEN) for a in range(HEXES)), strict=True)
    return [*full, *at_road_rate]


@lru_cache(maxsize=128)
def table(kind: str, blown: int, tolls: Tolls, shut: Shut) -> Table:
    """The steps by node, with blown bridges, tolls, and hexsides that are shut: on "foot", with a "motor", or
    "riding"."""
    rows = _base_table(kind).copy()
    changed = (mask_of(OUREN) if shut.ouren else 0) | (_MEUSE_BANKS if shut.meuse else 0)
    for h, _ in tolls:
        changed |= TOUCHING[h]
    for bridge in bits(blown):
        changed |= BANKS[bridge]
    for a in bits(changed):
        near = tuple(toll for toll in tolls if TOUCHING[a] >> toll[0] & 1) if tolls else tolls
        rows[a], rows[a + HEXES] = _steps_of_nodes(kind, a, blown & _BRIDGES_AT[a], near, shut)
    return rows


# ---- the search -----------------------------------------------------------------------------------


class Way(NamedTuple):
    """How a unit may move: its budget, whether it begins at the road rate, and whether it is bound to the road."""

    foot: bool
    budget: int
    by_road: bool
    road_only: bool

    @property
    def kind(self) -> str:
        """The steps that it takes."""
        return "foot" if self.foot else "riding" if self.road_only else "motor"


Ways = tuple[Way, ...]
LEAST_STEP = (
    min(_halves(cost) for cost in _MOTOR.values() if cost is not None),
    min(_halves(cost) for cost in (*_FOOT.values(), _RULES["road"]["infantry"]) if cost is not None),
)  # at full cost: with a motor, on foot


class Found(NamedTuple):
    """Hexes within reach, ascending, with costs and parents by node."""

    hexes: tuple[int, ...]
    costs: dict[int, int]
    parents: dict[int, int]


def joining_steps(rows: Table, node: int, friends: HexSet) -> Steps:
    """The steps from a node of a riding unit, which leaves the road rate for nothing but to join friends [10.5]."""
    if node < HEXES:
        return rows[node]
    return (*(x for x in rows[node - HEXES] if friends >> x[0] & 1), *rows[node])


@lru_cache(maxsize=1 << 8)
def search(
    start: int, way: Way, blown: int, tolls: Tolls, shut: Shut, zoc: int, blocked: int, friends: HexSet
) -> Found:
    """Cheapest ways: stop in enemy zones, never from zone to zone; off the road at full cost [7.3, 10.4.1]."""
    rows, zones, size = table(way.kind, blown, tolls, shut), hexes_of(zoc), HEXES
    first = start + size if way.by_road else start
    barred, rides, spent = blocked | friends, way.road_only, way.budget - LEAST_STEP[way.foot]
    limits = bytearray((way.budget + 1,)) * (2 * size)
    limits[first] = 0
    costs: dict[int, int] = {}
    parents: dict[int, int] = {}
    buckets: list[list[int]] = [[first], *([] for _ in range(way.budget))]
    for cost, bucket in enumerate(buckets):
        bucket.sort()
        for node in bucket:
            if limits[node] != cost:
                continue
            at_road_rate = node >= size
            h = node - size if at_road_rate else node
            if (barred if at_road_rate else blocked) >> h & 1 and node != first:
                continue
            costs[node] = cost
            row = rows[node]
            if at_road_rate:
                if rides and friends & TOUCHING[h]:
                    row = joining_steps(rows, node, friends)
            elif cost > spent:
                continue
            if h in zones:
                if node != first:
                    continue
                row = tuple(x for x in row if x[0] % size not in zones)
            for there, step in row:
                total = cost + step
                if total < limits[there]:
                    limits[there] = total
                    parents[there] = node
                    buckets[total].append(there)
    reached = {node % size for node in costs} if way.by_road else costs.keys()
    return Found(tuple(sorted(reached - {start})), costs, parents)


def path_to(found: Found, h: int) -> list[int]:
    """The cheapest way to a hex, the road rate preferred where it costs the same."""
    nodes = [node for node in (h + HEXES, h) if node in found.costs]
    node = min(nodes, key=lambda n: found.costs[n])
    way = [node % HEXES]
    while node in found.parents:
        node = found.parents[node]
        way.append(node % HEXES)
    return way[::-1]


def cheapest(found: Found, to: int) -> int:
    """What the cheapest way to a hex within reach costs."""
    return min(found.costs[node] for node in (to, to + HEXES) if node in found.costs)
