"""The Deadly Woods: what steps cost (10.2, 10.4, 10.6), and the ways that lead somewhere. Costs are in half movement
points."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from salient.games.deadly_woods.components import Ground
from salient.games.deadly_woods.zones import hexes_of
from salient.hexes.masks import bits, mask_of
from salient.hexes.sets import HexSet

Tolls = tuple[tuple[int, bool], ...]  # hexes that cost 2 points more: by road only, or always
Steps = tuple[tuple[int, int], ...]  # (neighbour, cost)
Table = list[Steps]
TOLL = 4

# ---- 10.2, 10.4, 10.6 Costs ------------------------------------------------------------------


class Shut(NamedTuple):
    """Hexsides that a unit cannot cross, or shall not: the bridge of Ouren, the Meuse, blown bridges."""

    ouren: bool = False
    meuse: bool = False
    blown: bool = False


ALL_OPEN = Shut()


def _is_blown(ground: Ground, a: int, b: int, blown: int) -> bool:
    return (a, b) in ground.bridge and bool(blown >> ground.bridge[a, b] & 1)


def _bridge_cost(ground: Ground, a: int, b: int, blown: int, mobility: str) -> int:
    """What the bridge between two hexes adds off the road; nothing if there is none [10.6, 10.6.1]."""
    if (a, b) not in ground.bridge:
        return 0
    return (ground.costs.blown if _is_blown(ground, a, b, blown) else ground.costs.bridge)[mobility]


def _has_road(ground: Ground, a: int, b: int, blown: int) -> bool:
    return ground.board.road(a, b) is not None and not _is_blown(ground, a, b, blown)


def _foot_cost(ground: Ground, a: int, b: int, blown: int) -> int | None:
    """The cost of a step on foot; None if it takes a whole move."""
    if _has_road(ground, a, b, blown):
        return ground.costs.road["infantry"]
    return _cross_country_cost(ground, a, b, blown)


def _cross_country_cost(ground: Ground, a: int, b: int, blown: int) -> int | None:
    """The cost of a step on foot, roads ignored; None if it takes a whole move."""
    costs = ground.costs
    cost = costs.foot[ground.board.terrain[b]] + _bridge_cost(ground, a, b, blown, "infantry")
    side = ground.board.side(a, b)
    if side and (a, b) in ground.unbridged:
        return cost + costs.river[side.kind] if side.kind in costs.river else None
    return cost


def _motor_cost(ground: Ground, a: int, b: int, blown: int) -> int | None:
    """The full cost of a step of a motorized unit, roads ignored; None if it cannot be made."""
    terrain = ground.costs.motor.get(ground.board.terrain[b])
    if terrain is None or (a, b) in ground.unbridged:
        return None
    return terrain + _bridge_cost(ground, a, b, blown, "motorized")


def _road_cost(ground: Ground, a: int, b: int, blown: int) -> int | None:
    """The cost of a step at the motorized road rate; None where no road leads."""
    return ground.costs.road["motorized"] if _has_road(ground, a, b, blown) else None


_COSTS = {"foot": _foot_cost, "motor": _motor_cost, "road": _road_cost}


def _is_shut(ground: Ground, a: int, b: int, blown: int, shut: Shut) -> bool:
    if shut.ouren and {a, b} == ground.ouren:
        return True
    return (shut.meuse and (a, b) in ground.meuse) or (shut.blown and _is_blown(ground, a, b, blown))


def _with_tolls(ground: Ground, kind: str, a: int, b: int, cost: int, blown: int, tolls: Tolls) -> int:
    for h, by_road_only in tolls:
        if h == b and (not by_road_only or (kind != "motor" and _has_road(ground, a, b, blown))):
            cost += TOLL
            if kind == "foot" and by_road_only:  # infantry may leave the road instead
                cost = min(cost, _cross_country_cost(ground, a, b, blown) or cost)
    return cost


@cache
def _step(node: int, cost: int) -> tuple[int, int]:
    """A step as one object for all tables, which keeps them small and a search fast."""
    return node, cost


@lru_cache(maxsize=1 << 14)
def _steps(ground: Ground, kind: str, a: int, blown: int, tolls: Tolls, shut: Shut) -> Steps:
    near = (b for b in sorted(ground.board.adjacent[a]) if not _is_shut(ground, a, b, blown, shut))
    costs = ((b, _COSTS[kind](ground, a, b, blown)) for b in near)
    return tuple(_step(b, _with_tolls(ground, kind, a, b, cost, blown, tolls)) for b, cost in costs if cost is not None)


def steps(ground: Ground, kind: str, a: int, blown: int, tolls: Tolls, shut: Shut) -> Steps:
    """The steps of one way of moving from a hex: "foot", "motor" at full cost, or "road" at the road rate [10.6.3]."""
    near = tuple(toll for toll in tolls if ground.touching[a] >> toll[0] & 1) if tolls else tolls
    return _steps(ground, kind, a, blown & ground.bridges_at[a], near, shut)


@cache
def across_major_rivers(ground: Ground, h: int) -> int:
    """The neighbours of a hex across a river that takes a whole move on foot, as bits."""
    sides = [(b, ground.board.side(h, b)) for b in ground.board.adjacent[h] if (h, b) in ground.unbridged]
    return mask_of(b for b, side in sides if side and side.kind not in ground.costs.river)


# ---- the nodes of a search: a hex at full cost, and above all hexes a hex at the road rate ---------------------


@lru_cache(maxsize=1 << 14)
def _steps_of_nodes(ground: Ground, kind: str, a: int, blown: int, tolls: Tolls, shut: Shut) -> tuple[Steps, Steps]:
    """The steps from a hex at full cost and at the road rate. A unit that rides is bound to the road;
    the search lets it leave the road rate to join friends [10.4.1, 10.5]."""
    if kind == "foot":
        return steps(ground, "foot", a, blown, tolls, shut), ()
    full, along = (steps(ground, name, a, blown, tolls, shut) for name in ("motor", "road"))
    at_road_rate = tuple(_step(b + ground.hexes, cost) for b, cost in along)
    if kind == "riding":
        roads = {b for b, _ in along}
        return tuple(step for step in full if step[0] in roads), at_road_rate
    return full, full + at_road_rate


@cache
def _base_table(ground: Ground, kind: str) -> Table:
    rows = (_steps_of_nodes(ground, kind, a, 0, (), ALL_OPEN) for a in range(ground.hexes))
    full, at_road_rate = zip(*rows, strict=True)
    return [*full, *at_road_rate]


@lru_cache(maxsize=128)
def table(ground: Ground, kind: str, blown: int, tolls: Tolls, shut: Shut) -> Table:
    """The steps by node, with blown bridges, tolls, and hexsides that are shut: on "foot", with a "motor", or
    "riding"."""
    rows = _base_table(ground, kind).copy()
    changed = (mask_of(ground.ouren) if shut.ouren else 0) | (ground.meuse_banks if shut.meuse else 0)
    for h, _ in tolls:
        changed |= ground.touching[h]
    for bridge in bits(blown):
        changed |= ground.banks[bridge]
    for a in bits(changed):
        near = tuple(toll for toll in tolls if ground.touching[a] >> toll[0] & 1) if tolls else tolls
        rows[a], rows[a + ground.hexes] = _steps_of_nodes(ground, kind, a, blown & ground.bridges_at[a], near, shut)
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


class Found(NamedTuple):
    """Hexes within reach, ascending, with costs and parents by node."""

    hexes: tuple[int, ...]
    costs: dict[int, int]
    parents: dict[int, int]


def joining_steps(rows: Table, node: int, friends: HexSet) -> Steps:
    """The steps from a node of a riding unit, which leaves the road rate for nothing but to join friends [10.5]."""
    hexes = len(rows) // 2
    if node < hexes:
        return rows[node]
    return (*(x for x in rows[node - hexes] if friends >> x[0] & 1), *rows[node])


@lru_cache(maxsize=1 << 8)
def search(
    ground: Ground, start: int, way: Way, blown: int, tolls: Tolls, shut: Shut, zoc: int, blocked: int, friends: HexSet
) -> Found:
    """Cheapest ways: stop in enemy zones, never from zone to zone; off the road at full cost [7.3, 10.4.1]."""
    rows, zones, size = table(ground, way.kind, blown, tolls, shut), hexes_of(zoc), ground.hexes
    least_step = ground.costs.least_on_foot if way.foot else ground.costs.least_by_motor
    first = start + size if way.by_road else start
    barred, rides, spent = blocked | friends, way.road_only, way.budget - least_step
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
                if rides and friends & ground.touching[h]:
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


def path_to(ground: Ground, found: Found, h: int) -> list[int]:
    """The cheapest way to a hex, the road rate preferred where it costs the same."""
    size = ground.hexes
    nodes = [node for node in (h + size, h) if node in found.costs]
    node = min(nodes, key=lambda n: found.costs[n])
    way = [node % size]
    while node in found.parents:
        node = found.parents[node]
        way.append(node % size)
    return way[::-1]


def cheapest(ground: Ground, found: Found, to: int) -> int:
    """What the cheapest way to a hex within reach costs."""
    return min(found.costs[node] for node in (to, to + ground.hexes) if node in found.costs)
