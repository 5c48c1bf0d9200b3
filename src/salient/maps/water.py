"""Rivers, canals and bridges along hexsides."""

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise

from salient.hexes.grid import Axial
from salient.hexes.layout import Point
from salient.maps.canvas import UNIT, Canvas, gap, mix
from salient.maps.gorges import Bend, draw_gorges
from salient.maps.style import COLOURS, INK, PAPER, WATERS
from salient.maps.svg import box, group, path, polygon, polyline, pt
from salient.maps.valleys import valley_courses, valley_hexes, valley_ways

# How much of a hexside is rounded off at each corner: rivers wind from middle to middle, canals keep straight reaches.
ROUNDING = {"canal": 0.2}
RIVER_ROUNDING = 0.5
# A river has its full width this many hexsides below its spring.
FULL_GROWN = 22


@dataclass(frozen=True)
class Reach:
    """One hexside of water, by the hex and direction it is seen from."""

    here: int
    direction: int
    look: str
    name: str
    bridge: str
    ends: tuple[Axial, Axial]


@dataclass(frozen=True)
class Course:
    """A run of reaches from end to end: its look, its name and the corners it passes."""

    look: str
    name: str
    corners: tuple[Axial, ...]


class Waters:
    """All waters of a board as smooth courses."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.reaches = _reaches(canvas)
        self.at: dict[Axial, list[int]] = defaultdict(list)
        for i, reach in enumerate(self.reaches):
            for corner in reach.ends:
                self.at[corner].append(i)
        self.through = {corner: self._main_pair(here) for corner, here in self.at.items()}
        self.valley_hexes = valley_hexes(canvas)
        self.valley = {corner for here in self.valley_hexes for corner in canvas.corner_ids[here]}

    def _main_pair(self, reaches: list[int]) -> tuple[int, int] | None:
        """Return the two reaches that flow on through a corner: of one name, of one look, the largest."""

        def rank(pair: tuple[int, int]) -> tuple[bool, bool, int]:
            a, b = self.reaches[pair[0]], self.reaches[pair[1]]
            return bool(a.name) and a.name == b.name, a.look == b.look, WATERS[a.look].rank + WATERS[b.look].rank

        pairs = [pair for pair in combinations(reaches, 2) if self.reaches[pair[0]].look == self.reaches[pair[1]].look]
        return max(pairs, key=rank, default=None)

    def _next(self, reach: int, corner: Axial) -> int | None:
        pair = self.through[corner]
        if pair is None or reach not in pair:
            return None
        return pair[0] if pair[1] == reach else pair[1]

    @cached_property
    def courses(self) -> list[Course]:
        """Every course; each reach belongs to one."""
        unused = dict.fromkeys(range(len(self.reaches)))
        found = []
        while unused:
            first = next(iter(unused))
            back = self._follow(first, self.reaches[first].ends[0], {first})
            on = self._follow(first, self.reaches[first].ends[1], {first, *back[0]})
            corners = (*reversed(back[1]), *on[1])
            for reach in (first, *back[0], *on[0]):
                unused.pop(reach, None)
            found.append(Course(self.reaches[first].look, self._name([first, *back[0], *on[0]]), corners))
        return found

    def _follow(self, reach: int, corner: Axial, seen: set[int]) -> tuple[list[int], list[Axial]]:
        reaches, corners = [], [corner]
        following = self._next(reach, corner)
        while following is not None and following not in seen:
            seen.add(following)
            reaches.append(following)
            ends = self.reaches[following].ends
            corner = ends[1] if ends[0] == corner else ends[0]
            corners.append(corner)
            following = self._next(following, corner)
        return reaches, corners

    def _name(self, reaches: list[int]) -> str:
        return next((self.reaches[i].name for i in reaches if self.reaches[i].name), "")

    # ---- widths -----------------------------------------------------------------

    @cached_property
    def growth(self) -> dict[int, int]:
        """How many reaches each reach lies below the nearest spring of its water, at most FULL_GROWN."""
        found: dict[int, int] = {}
        edge = [reach for corner in self.at if self._is_spring(corner) for reach in self.at[corner]]
        steps = 0
        while edge and steps < FULL_GROWN:
            found |= dict.fromkeys(edge, steps)
            near = {other for reach in edge for corner in self.reaches[reach].ends for other in self._linked(corner)}
            names = {self.reaches[reach].name for reach in edge}
            edge = [reach for reach in sorted(near) if reach not in found and self.reaches[reach].name in names]
            steps += 1
        return found

    def _linked(self, corner: Axial) -> list[int]:
        """Return the reaches at a corner, and those at the other corners of a hex that the water runs through."""
        here = next((h for h in self.canvas.hexes_at[corner] if h in self.valley_hexes), None)
        corners = (corner,) if here is None else self.canvas.corner_ids[here]
        return [reach for key in corners for reach in self.at.get(key, ())]

    def _share(self, reach: int) -> float:
        """Return the share of its full width that a reach has: rivers widen from their springs."""
        return 0.45 + 0.55 * self.growth.get(reach, FULL_GROWN) / FULL_GROWN

    def pieces(self, course: Course) -> list[tuple[float, str]]:
        """Return a course piece by piece, each with its share of the full width."""
        _, points = self.curve(course)
        reach_of = {frozenset(reach.ends): i for i, reach in enumerate(self.reaches)}
        shares = [self._share(reach_of[frozenset(pair)]) for pair in pairwise(course.corners)]
        found = [(shares[0], polyline(points[:2]))]
        corners = [self.canvas.corner_points[corner] for corner in course.corners]
        if course.corners[0] == course.corners[-1] and len(corners) > 3:
            return [(shares[0], self.curve(course)[0])]
        for i in range(1, len(corners) - 1):
            enter, leave = points[3 * i - 2], points[3 * i]
            found.append((shares[i], f"M{pt(enter)}Q{pt(corners[i])} {pt(leave)}L{pt(points[3 * i + 1])}"))
        return found

    # ---- curves -----------------------------------------------------------------

    def _end_point(self, corner: Axial) -> Point:
        """Return where a course ends: on the curve it joins, beyond the map edge, or at the corner itself."""
        point = self.canvas.corner_points[corner]
        pair = self.through[corner]
        if pair is None:
            return self._beyond_edge(corner, point)
        rounding = ROUNDING.get(self.reaches[pair[0]].look, RIVER_ROUNDING)
        a, b = (self._toward(corner, self.reaches[i], rounding) for i in pair)
        return mix(mix(a, b), point)

    def _toward(self, corner: Axial, reach: Reach, share: float) -> Point:
        points = self.canvas.corner_points
        other = reach.ends[1] if reach.ends[0] == corner else reach.ends[0]
        return mix(points[corner], points[other], share)

    def _beyond_edge(self, corner: Axial, point: Point) -> Point:
        around = self.canvas.hexes_at[corner]
        if len(around) >= 3:
            return point
        x = sum(self.canvas.centres[here][0] for here in around) / len(around)
        y = sum(self.canvas.centres[here][1] for here in around) / len(around)
        return mix((x, y), point, 1.0 + 0.3 * UNIT / max(1.0, gap((x, y), point)))

    def curve(self, course: Course) -> tuple[str, list[Point]]:
        """Return the path of a course and points along it."""
        corners = [self.canvas.corner_points[corner] for corner in course.corners]
        rounding = ROUNDING.get(course.look, RIVER_ROUNDING)
        is_ring = course.corners[0] == course.corners[-1] and len(corners) > 3
        if is_ring:
            corners = [mix(corners[0], corners[1]), *corners[1:], mix(corners[0], corners[1])]
        else:
            corners[0] = self._end_point(course.corners[0])
            corners[-1] = self._end_point(course.corners[-1])
            if self._is_spring(course.corners[0]):
                corners[0] = mix(corners[0], corners[1], 0.49)
            if self._is_spring(course.corners[-1]):
                corners[-1] = mix(corners[-1], corners[-2], 0.49)
        parts, points = [f"M{pt(corners[0])}"], [corners[0]]
        for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
            enter, leave = mix(corner, before, rounding), mix(corner, after, rounding)
            parts.append(f"L{pt(enter)}Q{pt(corner)} {pt(leave)}")
            points += [enter, mix(mix(enter, leave), corner), leave]
        parts.append(f"L{pt(corners[-1])}")
        return "".join(parts), [*points, corners[-1]]

    def _is_spring(self, corner: Axial) -> bool:
        """Say whether a water begins at a corner: inside the map, at no other water and at no valley."""
        return self._is_end(corner) and corner not in self.valley

    def _is_end(self, corner: Axial) -> bool:
        return len(self.at[corner]) == 1 and len(self.canvas.hexes_at[corner]) == 3

    def _springs(self, course: Course, width: float) -> str:
        """Return the tapering first half of the reach at each spring of a course."""
        points, found = self.canvas.corner_points, ""
        for corner, following in (course.corners[:2], course.corners[:-3:-1]):
            if self._is_spring(corner):
                tip, wide = points[corner], mix(points[corner], points[following])
                length = gap(tip, wide)
                nx, ny = (wide[1] - tip[1]) / length * width * UNIT, (tip[0] - wide[0]) / length * width * UNIT
                found += polygon(
                    [
                        (tip[0] + nx * 0.12, tip[1] + ny * 0.12),
                        (wide[0] + nx * 0.5, wide[1] + ny * 0.5),
                        (wide[0] - nx * 0.5, wide[1] - ny * 0.5),
                        (tip[0] - nx * 0.12, tip[1] - ny * 0.12),
                    ]
                )
        return found

    def _lens(self, reach: Reach) -> str:
        """Return a lake along a hexside: pointed at both corners, broad in the middle."""
        a, b = (self.canvas.corner_points[corner] for corner in reach.ends)
        middle = mix(a, b)
        nx, ny = (b[1] - a[1]) * 0.36, (a[0] - b[0]) * 0.36
        one, other = (middle[0] + nx, middle[1] + ny), (middle[0] - nx, middle[1] - ny)
        return f"M{pt(a)}Q{pt(one)} {pt(b)}Q{pt(other)} {pt(a)}Z"

    # ---- drawing ----------------------------------------------------------------

    def draw(self) -> str:
        """Return all waters: every casing below every core, so that they flow into each other."""
        runs: dict[tuple[str, float], str] = defaultdict(str)
        for course in self.courses:
            for share, d in self.pieces(course):
                runs[course.look, round(share, 1)] += d
        runs["minor-river", 0.8] += valley_courses(self.canvas, self._is_end)
        ordered = sorted(runs, key=lambda run: (WATERS[run[0]].rank, run[1]))
        casings = [self._casing(runs[run], *run) for run in ordered]
        cores = [self._core(runs[run], *run) for run in ordered]
        for course in self.courses:
            line = WATERS[course.look]
            casings.append(path(self._springs(course, line.casing_width * 0.45), fill=line.casing))
            cores.append(path(self._springs(course, line.width * 0.45), fill=line.core))
        shine = [
            path(runs[run], stroke="#c3dce8", stroke_width=WATERS[run[0]].width * run[1] * 0.35 * UNIT)
            for run in ordered
            if WATERS[run[0]].rank >= 3
        ]
        lakes = path("".join(self._lens(reach) for reach in self.reaches if reach.look == "lake-shore"))
        lake = WATERS["lake-shore"]
        lake_edge = group([lakes], fill="none", stroke=lake.casing, stroke_width=0.04 * UNIT)
        gorges = draw_gorges(self.canvas, self.bends())
        return group(
            [gorges, *casings, lake_edge, *cores, group([lakes], fill=lake.core), *shine],
            fill="none",
            stroke_linejoin="round",
        )

    def bends(self) -> Iterator[tuple[Bend, list[int]]]:
        """Every bend of a river round a corner or through a hex, with the hexes on its banks."""
        for course in self.courses:
            corners = [self.canvas.corner_points[corner] for corner in course.corners]
            for i in range(1, len(corners) - 1):
                bend = mix(corners[i - 1], corners[i]), corners[i], mix(corners[i], corners[i + 1])
                yield bend, self.canvas.hexes_at[course.corners[i]]
        for here, points in valley_ways(self.canvas, self._is_end).items():
            for a, b in pairwise(points):
                yield (a, self.canvas.centres[here], b), [here]

    def _core(self, d: str, look: str, share: float) -> str:
        line = WATERS[look]
        width = self.canvas.at_least(line.width * share, line.least)
        return path(d, stroke=line.core, stroke_width=width, stroke_linecap="round")

    def _casing(self, d: str, look: str, share: float) -> str:
        line = WATERS[look]
        width = self.canvas.at_least(line.width * share + line.casing_width - line.width, line.least + 0.7)
        return path(d, stroke=line.casing, stroke_width=width, stroke_linecap="round")

    @property
    def bridges(self) -> list[Reach]:
        """The reaches with a bridge in any state."""
        return [reach for reach in self.reaches if reach.bridge]


def _reaches(canvas: Canvas) -> list[Reach]:
    board = canvas.board
    found = []
    for row in board.rows["hexsides.csv"]:
        look = canvas.look("hexside", row["kind"])
        if look in WATERS:
            a, b = row["a"], row["b"]
            here = board.index[a]
            direction = board.direction(here, board.index[b])
            if direction is not None:
                ends = board.grid.hexside_corners(a, b)
                found.append(Reach(here, direction, look, row["name"], row["bridge"], ends))
    return found


# ---- bridges ---------------------------------------------------------------------


def bridge_frame(canvas: Canvas, reach: Reach) -> tuple[Point, float, float]:
    """Return the middle of a bridge, the angle of its deck in radians and its length."""
    start, end = canvas.side(reach.here, reach.direction)
    across = math.atan2(end[1] - start[1], end[0] - start[0]) + math.pi / 2
    return mix(start, end), across, (WATERS[reach.look].casing_width + 0.17) * UNIT


def draw_bridge_decks(canvas: Canvas, waters: Waters) -> str:
    """Return what lies under the roads: the deck of each bridge that stands."""
    standing = [bridge_frame(canvas, reach) for reach in waters.bridges if reach.bridge not in ("blown", "unbuilt")]
    decks = "".join(box(at, length, 0.25 * UNIT, angle) for at, angle, length in standing)
    return path(decks, fill=PAPER, stroke=INK, stroke_width=0.02 * UNIT)


def draw_bridge_rails(canvas: Canvas, waters: Waters) -> str:
    """Return what lies over the roads: the rails by the state of the bridge, and the gap of a blown one."""
    return group(
        _rails(reach.bridge, *bridge_frame(canvas, reach), WATERS[reach.look].width * UNIT) for reach in waters.bridges
    )


def _rails(state: str, at: Point, angle: float, length: float, water: float) -> str:
    stroke = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round", "stroke": "#2b221a"}
    if state == "unbuilt":
        rails = "".join(_rail(at, angle, length, side) for side in (-1, 1))
        return path(rails, stroke_width=0.03 * UNIT, stroke_dasharray="5 5", **stroke)
    if state == "blown":
        rails = "".join(_rail(at, angle, length, side, 0.34) for side in (-1, 1))
        cross = _cross(at, 0.1 * UNIT)
        return (
            path(box(at, water, 0.2 * UNIT, angle), fill=WATERS["river"].core)
            + path(rails, stroke_width=0.042 * UNIT, **stroke)
            + path(cross, stroke=PAPER, stroke_width=0.08 * UNIT, stroke_linecap="round")
            + path(cross, stroke=COLOURS["red"], stroke_width=0.048 * UNIT, stroke_linecap="round")
        )
    rails = "".join(_rail(at, angle, length, side) for side in (-1, 1))
    return path(rails, stroke_width=0.042 * UNIT, **stroke)


def draw_bridge_sample(state: str) -> str:
    """Return a bridge over a short reach of water around the origin, for the legend."""
    line, length = WATERS["river"], (WATERS["river"].casing_width + 0.17) * UNIT
    water = polyline([(0, -0.6 * UNIT), (0, 0.6 * UNIT)])
    parts = [
        path(water, stroke=line.casing, stroke_width=line.casing_width * UNIT),
        path(water, stroke=line.core, stroke_width=line.width * UNIT),
    ]
    if state == "bridge":
        parts.append(path(box((0, 0), length, 0.25 * UNIT), fill=PAPER, stroke=INK, stroke_width=0.02 * UNIT))
    return group([*parts, _rails(state, (0.0, 0.0), 0.0, length, line.width * UNIT)])


def _rail(at: Point, angle: float, length: float, side: int, broken_from: float = 0.0) -> str:
    """Return a rail with wing walls; a broken one lacks its middle up to a share of its half length."""
    cos, sin = math.cos(angle), math.sin(angle)

    def place(along: float, out: float) -> Point:
        return at[0] + along * cos - out * sin, at[1] + along * sin + out * cos

    half, out, wing = length / 2, 0.115 * UNIT * side, 0.18 * UNIT * side
    left, right = [place(-half - 5, wing), place(-half + 2, out)], [place(half - 2, out), place(half + 5, wing)]
    if not broken_from:
        return polyline([*left, *right])
    inner = half * broken_from
    return polyline([*left, place(-inner, out)]) + polyline([place(inner, out), *right])


def _cross(at: Point, arm: float) -> str:
    x, y = at
    return polyline([(x - arm, y - arm), (x + arm, y + arm)]) + polyline([(x - arm, y + arm), (x + arm, y - arm)])
