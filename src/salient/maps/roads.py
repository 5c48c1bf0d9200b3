"""Roads as smooth lines from hex to hex."""

import math
import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations, pairwise

from salient.hexes.layout import Point
from salient.maps.canvas import UNIT, Canvas, gap, mix, noise
from salient.maps.style import ROADS
from salient.maps.svg import group, path, pt

# How far beyond the outermost hexes a road into an area runs: under the area's panel.
EXIT_LENGTH = 0.4 * UNIT


# Words that end the name of a road worth lettering.
FAMOUS = ("Drive", "Highway")


@dataclass(frozen=True)
class Arm:
    """Half a road step: from the middle of a hexside to the road's node in the hex, as a Bezier curve."""

    here: int
    direction: int
    look: str
    curve: tuple[Point, Point, Point, Point]

    def path(self) -> str:
        """Return the arm as path data."""
        start, first, second, end = self.curve
        return f"M{pt(start)}C{pt(first)} {pt(second)} {pt(end)}"

    def points(self, steps: int = 4) -> list[Point]:
        """Return points along the arm."""
        return [_bezier(self.curve, i / steps) for i in range(steps + 1)]


class Roads:
    """The road net of a board, with its exits off the map."""

    def __init__(self, canvas: Canvas, exits: dict[tuple[int, int], str]) -> None:
        self.canvas = canvas
        self.exit_sides = exits
        self.looks = self._looks()
        self.exits = self._all_exits()
        self.settled = {here for place in canvas.board.places if place.size != "region" for here in place.hexes}
        self.arms = [arm for here in range(len(canvas.board)) for arm in self._arms(here)]
        self._points: dict[int, list[Point]] = defaultdict(list)
        for arm in self.arms:
            self._points[arm.here] += arm.points(6)

    def _looks(self) -> list[dict[int, str]]:
        looks: list[dict[int, str]] = []
        for roads in self.canvas.board.roads:
            named = {d: self.canvas.look("road", road.kind) for d, road in enumerate(roads) if road is not None}
            looks.append({d: look for d, look in named.items() if look in ROADS})
        return looks

    def _all_exits(self) -> list[dict[int, str]]:
        """Return the roads that leave the map: those into areas, and dead ends at the edge that reach no place."""
        board = self.canvas.board
        towns = {here for place in board.places for here in place.hexes}
        found: list[dict[int, str]] = [{} for _ in self.looks]
        for here, looks in enumerate(self.looks):
            if not looks:
                continue
            best = max(looks.values(), key=lambda look: ROADS[look].rank)
            open_sides = [d for d, near in enumerate(board.neighbours[here]) if near < 0]
            into_areas = [d for place, d in self.exit_sides if place == here]
            if into_areas:
                found[here] = dict.fromkeys(into_areas, min(best, "primary", key=lambda look: ROADS[look].rank))
            elif len(looks) == 1 and open_sides and here not in towns:
                came = next(iter(looks))
                out = max(open_sides, key=lambda d: min((d - came) % 6, (came - d) % 6))
                found[here] = {out: looks[came]}
        return found

    def _crossing(self, here: int, direction: int) -> Point:
        """Return where a road crosses a hexside: the middle at water and at the map edge, near it elsewhere."""
        board = self.canvas.board
        near = board.neighbours[here][direction]
        if near < 0 or board.sides[here][direction] is not None:
            return self.canvas.middle(here, direction)
        a, b = min(here, near), max(here, near)
        shift = 0.5 + 0.12 * noise("road", a, b) * (1 if here == a else -1)
        return mix(*self.canvas.side(here, direction), shift)

    def _arms(self, here: int) -> list[Arm]:
        looks = {**self.looks[here], **self.exits[here]}
        if not looks:
            return []
        points = {d: self._crossing(here, d) for d in looks}
        centre = self.canvas.centres[here]
        main = self._main_pair(looks)
        if main and len(looks) == 2 and here not in self.settled:
            return [self._half_bend(here, d, looks[d], points[d], points[main[0] + main[1] - d]) for d in looks]
        arms = []
        for d, look in looks.items():
            tangent = centre
            if main and d in main:
                other = points[main[0] + main[1] - d]
                reach = 0.4 * UNIT / max(1.0, gap(points[d], other))
                tangent = (
                    centre[0] + (points[d][0] - other[0]) * reach,
                    centre[1] + (points[d][1] - other[1]) * reach,
                )
            arms.append(Arm(here, d, look, (points[d], mix(points[d], centre, 0.45), tangent, centre)))
        return arms

    def _half_bend(self, here: int, d: int, look: str, start: Point, end: Point) -> Arm:
        """Return half of a curve through a hex with a single road and no place, which need not touch the centre."""
        x, y = self.canvas.centres[here]
        bend = (x + 0.09 * UNIT * noise("bend", here), y + 0.09 * UNIT * noise("curve", here))
        first = mix(start, bend, 2 / 3)
        last = mix(end, bend, 2 / 3)
        a, b, c = mix(start, first), mix(first, last), mix(last, end)
        ab, bc = mix(a, b), mix(b, c)
        return Arm(here, d, look, (start, a, ab, mix(ab, bc)))

    @staticmethod
    def _main_pair(looks: dict[int, str]) -> tuple[int, int] | None:
        """Return the two directions in which the best road runs on, as straight as can be."""

        def rank(pair: tuple[int, int]) -> tuple[int, int]:
            turn = min((pair[0] - pair[1]) % 6, (pair[1] - pair[0]) % 6)
            return min(ROADS[looks[pair[0]]].rank, ROADS[looks[pair[1]]].rank), turn

        pairs = [pair for pair in combinations(sorted(looks), 2) if (pair[1] - pair[0]) not in (1, 5)]
        return max(pairs, key=rank, default=None)

    # ---- names ------------------------------------------------------------------

    @property
    def numbered(self) -> list[tuple[str, Point]]:
        """The numbers of highways (`N4`), each with a point on the road: the steps of a road in the data's order."""
        found = []
        for row in self.canvas.board.rows["roads.csv"]:
            number = re.search(r"\bN\d+\b", row["name"])
            if number:
                found.append((number[0], self._crossing_of(row["a"], row["b"])))
        return found

    @property
    def famous(self) -> list[tuple[str, list[Point]]]:
        """The roads that have a name of their own, not of the places that they join, with their longest course."""
        steps: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for row in self.canvas.board.rows["roads.csv"]:
            name = re.sub(r" \(.*\)$", "", row["name"])
            if name.endswith(FAMOUS):
                steps[name].append((row["a"], row["b"]))
        return [(name, self._course(pairs)) for name, pairs in sorted(steps.items())]

    def _course(self, pairs: list[tuple[str, str]]) -> list[Point]:
        """Return the points of the longest chain of road steps."""
        near: dict[str, list[str]] = defaultdict(list)
        for a, b in pairs:
            near[a].append(b)
            near[b].append(a)
        chains = []
        for start in [label for label, others in near.items() if len(others) == 1] or list(near)[:1]:
            chain = [start]
            while following := [label for label in near[chain[-1]] if label not in chain]:
                chain.append(following[0])
            chains.append(chain)
        longest = max(chains, key=len)
        return [self._crossing_of(a, b) for a, b in pairwise(longest)]

    def _crossing_of(self, a: str, b: str) -> Point:
        board = self.canvas.board
        here, direction = board.index[a], board.direction(board.index[a], board.index[b])
        assert direction is not None
        return self._crossing(here, direction)

    # ---- drawing ----------------------------------------------------------------

    def draw(self) -> str:
        """Return all roads, lesser ones below."""
        by_look: dict[str, str] = defaultdict(str)
        for arm in self.arms:
            by_look[arm.look] += arm.path()
            if arm.direction in self.exits[arm.here]:
                by_look[arm.look] += self._tail(arm)
        looks = sorted(by_look, key=lambda look: ROADS[look].rank)
        casings = [self._casing(look, by_look[look]) for look in looks if ROADS[look].casing]
        cores = [self._core(look, by_look[look]) for look in looks]
        return group([*casings, *cores], fill="none", stroke_linecap="round", stroke_linejoin="round")

    def _casing(self, look: str, d: str) -> str:
        line = ROADS[look]
        return path(d, stroke=line.casing, stroke_width=self.canvas.at_least(line.casing_width, line.least + 0.9))

    def _core(self, look: str, d: str) -> str:
        line = ROADS[look]
        width = self.canvas.at_least(line.width, line.least)
        stretch = width / (line.width * UNIT)
        return path(
            d,
            stroke=line.core,
            stroke_width=width,
            stroke_dasharray=" ".join(f"{dash * UNIT * stretch:.0f}" for dash in line.dash),
        )

    def _tail(self, arm: Arm) -> str:
        """Return the piece of a road beyond the map edge: to the panel of an area, else a short stub."""
        start, centre = arm.curve[0], self.canvas.centres[arm.here]
        dx, dy = start[0] - centre[0], start[1] - centre[1]
        side = self.exit_sides.get((arm.here, arm.direction), "")
        left, top, right, bottom = self.canvas.bounds
        reach = {
            "west": (start[0] - left + EXIT_LENGTH) / max(1.0, -dx),
            "east": (right - start[0] + EXIT_LENGTH) / max(1.0, dx),
            "north": (start[1] - top + EXIT_LENGTH) / max(1.0, -dy),
            "south": (bottom - start[1] + EXIT_LENGTH) / max(1.0, dy),
        }.get(side, 0.25)
        return f"M{pt(start)}L{pt(mix(centre, start, 1.0 + min(reach, 1.5)))}"

    def near(self, here: int) -> list[Point]:
        """Return points along the roads of a hex."""
        return self._points.get(here, [])

    def distance(self, here: int, point: Point) -> float:
        """Return how far a point of a hex lies from the nearest road in it."""
        return min((gap(point, p) for p in self._points.get(here, ())), default=math.inf)


def _bezier(curve: tuple[Point, Point, Point, Point], t: float) -> Point:
    a, b, c, d = curve
    s = 1 - t
    k = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
    return (
        k[0] * a[0] + k[1] * b[0] + k[2] * c[0] + k[3] * d[0],
        k[0] * a[1] + k[1] * b[1] + k[2] * c[1] + k[3] * d[1],
    )
