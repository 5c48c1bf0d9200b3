"""Least-cost paths: a river as a chain of hexsides, a road as a chain of hexes."""

import heapq
import math
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeVar

from tools.cartography.geography import Cloud
from tools.cartography.plane import Hex, Plane, Point

Node = TypeVar("Node", bound=Hashable)
Side = tuple[Hex, Hex]
Way = tuple[list[Point], float]  # corners passed so far, and the cost


def cheapest(
    start: Node, goals: set[Node], steps: Callable[[Node], Iterable[tuple[Node, float]]]
) -> tuple[list[Node], float]:
    """The cheapest path from start to the nearest of the goals (Dijkstra), both included, and its cost."""
    queue: list[tuple[float, int, Node]] = [(0.0, 0, start)]
    cost, before, serial = {start: 0.0}, {}, 1
    while queue:
        paid, _, node = heapq.heappop(queue)
        if paid > cost[node]:
            continue
        if node in goals:
            path = [node]
            while path[-1] != start:
                path.append(before[path[-1]])
            return path[::-1], paid
        for after, price in steps(node):
            if paid + price < cost.get(after, math.inf):
                cost[after], before[after] = paid + price, node
                heapq.heappush(queue, (paid + price, serial, after))
                serial += 1
    raise ValueError(f"no way from {start} to {sorted(goals, key=str)[:4]}: is one of them off the map?")


@dataclass
class Waters:
    """Rivers as chains of hexsides."""

    plane: Plane
    toll: float = 0.12  # the cost of a hexside, so that a chain does not wriggle
    sides: dict[Side, str] = field(default_factory=dict)
    inner: dict[Hex, list[str]] = field(default_factory=dict)  # hexes that a river runs through
    links: dict[Side, str] = field(default_factory=dict)  # hexsides by which it passes from one of them to the next
    corners_of: dict[str, list[Point]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.through: set[Hex] = set()
        self._edges: dict[Point, list[tuple[Point, Side]]] = {}
        for a in self.plane.hexes:
            for b in self.plane.neighbours(a):
                if a < b:
                    p, q = self.plane.side(a, b)
                    self._edges.setdefault(p, []).append((q, (a, b)))
                    self._edges.setdefault(q, []).append((p, (a, b)))

    def nearest_corner(self, point: Point) -> Point:
        """The corner of the grid closest to a point."""
        return min(self._edges, key=lambda c: math.dist(c, point))

    def _terminal(self, point: Point, cloud: Cloud) -> Point:
        """The corner at which a river begins or ends: on the map edge if the line runs on beyond it."""
        beyond = [p for p in cloud.points if math.dist(p, point) < 1 and not self.plane.at(p)]
        if not beyond:
            return self.nearest_corner(point)
        rim = [corner for corner, edges in self._edges.items() if len(edges) < 3]
        return min(rim, key=lambda corner: math.dist(corner, point))

    def lay(
        self,
        name: str,
        cloud: Cloud,
        start: Point | None = None,
        end: Point | None = None,
        into: str | None = None,
        via: Iterable[Side] = (),
        keep_off: Iterable[Side] = (),
        through: Iterable[Hex] = (),
    ) -> list[Side]:
        """Snaps a river to hexsides from start to end (or to the chain of the river that it flows `into`).

        Hexes in `through` may be crossed in the middle: there the river is no hexside.
        """
        self.through = set(through)
        inside = [p for p in cloud.points if self.plane.at(p)]
        if not inside:
            raise ValueError(f"{name} does not touch the map")
        first, last = _far_ends(inside)
        here = self._terminal(min(inside, key=lambda p: math.dist(p, start)) if start else first, cloud)
        goal = min(inside, key=lambda p: math.dist(p, end)) if end else last
        goals = {self._terminal(goal, cloud)}
        if into:
            goals = {c for c in self.corners_of[into] if math.dist(c, goal) < 2.5} or goals
        shut = set(keep_off)
        best = {here: ([here], 0.0)}
        for a, b in via:
            best = self._across(best, self.plane.side(a, b), cloud, shut)
            shut.add((min(a, b), max(a, b)))
        ways = [self._onward(way, goals, cloud, shut) for way in best.values()]
        chain, _ = min(ways, key=lambda way: way[1])
        self.corners_of.setdefault(name, []).extend(chain)
        return self._record(name, chain, into)

    def _across(
        self, best: dict[Point, Way], side: tuple[Point, Point], cloud: Cloud, shut: set[Side]
    ) -> dict[Point, Way]:
        """The cheapest way to each end of a side that a river must follow, from the ways so far."""
        found = {}
        for entry, leave in (side, side[::-1]):
            chain, cost = min(
                (self._onward(way, {entry}, cloud, shut) for way in best.values()), key=lambda way: way[1]
            )
            found[leave] = ([*chain, leave], cost + self.toll + _off(cloud, entry, leave))
        return found

    def _onward(self, way: Way, goals: set[Point], cloud: Cloud, shut: set[Side]) -> Way:
        chain, cost = way
        leg, more = cheapest(chain[-1], goals, lambda corner: self._steps(corner, cloud, shut))
        return chain + leg[1:], cost + more

    def _steps(self, corner: Point, cloud: Cloud, shut: set[Side]) -> Iterable[tuple[Point, float]]:
        for other, side in self._edges[corner]:
            if side not in shut:
                yield other, self.toll + _off(cloud, corner, other)
        for hex_ in self.through:
            if math.dist(self.plane.hexes[hex_], corner) < 0.7:
                for other in self.plane.corners(hex_):
                    if other in self._edges and other != corner:
                        yield other, self.toll / 2 + _off(cloud, corner, self.plane.hexes[hex_], other)

    def _record(self, name: str, chain: list[Point], into: str | None) -> list[Side]:
        laid = []
        valley: list[Hex] = []
        for p, q in pairwise(chain):
            side = next((s for other, s in self._edges[p] if other == q and not set(s) & self.through), None)
            if side in self.links:
                continue
            if side:
                self.sides.setdefault(side, name)
                laid.append(side)
            else:
                valley += [h for h in self.through if {p, q} <= set(self.plane.corners(h))][:1]
        valley += [h for h, names in self.inner.items() if into in names and chain[-1] in self.plane.corners(h)][:1]
        self._link(name, valley)
        return laid

    def _link(self, name: str, valley: list[Hex]) -> None:
        """Notes which hexes a river runs through, and the hexsides by which it passes from one to the next."""
        for hex_ in valley:
            names = self.inner.setdefault(hex_, [])
            names += [name] if name not in names else []
        for a, b in pairwise(valley):
            if b in self.plane.neighbours(a):
                self.links.setdefault((min(a, b), max(a, b)), name)


def _off(cloud: Cloud, *points: Point) -> float:
    spots = [*points, *(((p[0] + q[0]) / 2, (p[1] + q[1]) / 2) for p, q in pairwise(points))]
    return sum(cloud.distance(p) ** 2 for p in spots) / len(spots)


def _far_ends(points: list[Point]) -> tuple[Point, Point]:
    one = max(points, key=lambda p: math.dist(p, points[0]))
    other = max(points, key=lambda p: math.dist(p, one))
    return other, one


@dataclass
class Roads:
    """Roads as chains of hexes; a new road prefers steps that already are a road, and avoids river crossings."""

    plane: Plane
    rivers: set[Side]
    toll: float = 0.35
    crossing: float = 0.8
    joining: float = 0.5  # share of the cost on a step that already is a road
    steps: dict[Side, tuple[str, str]] = field(default_factory=dict)

    def lay(
        self, name: str, class_: str, stops: list[Hex], cloud: Cloud | None = None, avoid: Iterable[Hex] = ()
    ) -> list[Hex]:
        """Lays a road through all stops in order, near the line of the cloud (or straight between the stops)."""
        shut = set(avoid)
        chain = [stops[0]]
        for goal in stops[1:]:
            near = cloud or Cloud([[self.plane.centre(chain[-1]), self.plane.centre(goal)]])
            leg, _ = cheapest(chain[-1], {goal}, lambda h, near=near: self._steps(h, near, shut))
            chain += leg[1:]
        for a, b in pairwise(chain):
            self.steps.setdefault((min(a, b), max(a, b)), (class_, name))
        return chain

    def _steps(self, here: Hex, near: Cloud, shut: set[Hex]) -> Iterable[tuple[Hex, float]]:
        for there in self.plane.neighbours(here):
            if there in shut:
                continue
            step = (min(here, there), max(here, there))
            price = (
                self.toll
                + (near.distance(self.plane.centre(there)) ** 2 + near.distance(self.plane.middle(here, there)) ** 2)
                / 2
            )
            if step in self.steps:
                yield there, price * self.joining
            else:
                yield there, price + (self.crossing if step in self.rivers else 0.0)
