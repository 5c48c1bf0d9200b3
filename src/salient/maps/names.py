"""Everything written on the map: hex numbers, places, regions, zones and waters."""

from dataclasses import dataclass, replace
from functools import cached_property
from xml.sax.saxutils import escape

from salient.hexes.layout import Point
from salient.maps.canvas import UNIT, Canvas, gap, mix
from salient.maps.fonts import text_width
from salient.maps.labels import Obstacles, Rect, Ribbon, Spot, Wish, best_spot, evenly, place_names, ribbons
from salient.maps.roads import Roads
from salient.maps.style import COLOURS, FAINT_INK, PLACES, ROADS, WATER_TEXT, PlaceLook
from salient.maps.svg import element, group, polyline, text, type_attributes
from salient.maps.symbols import DOTS, place_points, settlement_look, settlement_radius
from salient.maps.water import Course, Waters, bridge_frame
from salient.maps.zones import Mark, zone_shapes

NUMBER_SIZE = 0.17 * UNIT
RIVER_SIZES = {"major-river": 0.3, "river": 0.27, "canal": 0.22, "minor-river": 0.22, "stream": 0.18}
# How far other names stay away from a place's dot.
DOT_AIR = 0.05
# A long water is named again after this many drawing units.
NAME_EVERY = 16 * UNIT
# A ribbon that costs more crosses its own water or a road: a smaller one or a level name is better.
WORST_RIBBON = 9.0
RIVER_SHRINK = (1.0, 0.85, 0.72)


@dataclass(frozen=True)
class WaterName:
    """A water's name on its ribbon."""

    ribbon: Ribbon
    size: float


class Names:
    """The words of a map, placed once."""

    def __init__(self, canvas: Canvas, roads: Roads, waters: Waters, marks: list[Mark]) -> None:
        self.canvas, self.roads, self.waters, self.marks = canvas, roads, waters, marks
        self.points = place_points(canvas, roads)
        self.obstacles = self._obstacles()
        self.spots, self.missing = place_names(self._wishes(), self.obstacles)
        self.water_names = self._water_names()
        self.spots += self._short_water_names()

    # ---- obstacles --------------------------------------------------------------

    def _obstacles(self) -> Obstacles:
        left, top, right, bottom = self.canvas.bounds
        margin = 0.06 * UNIT
        found = Obstacles((left + margin, top + margin, right - margin, bottom - margin))
        found.add(self.number_rect(here) for here in range(len(self.canvas.board)))
        found.add(_square(mark.at, mark.radius * 1.1) for mark in self.marks)
        found.add(
            _square(bridge_frame(self.canvas, reach)[0], 0.2 * UNIT) for reach in self.waters.bridges if reach.bridge
        )
        found.add(
            _square(self.canvas.centres[here], settlement_radius(self.canvas, here) * 0.86)
            for here in range(len(self.canvas.board))
            if settlement_look(self.canvas, here)
        )
        found.add(self._dot_rect(place.name, place.size) for place in self.canvas.board.places if place.size in DOTS)
        found.add(self._edge_rects())
        for arm in self.roads.arms:
            found.add_soft(arm.points(6), 0.5 * ROADS[arm.look].rank)
        for course in self.waters.courses:
            found.add_soft(evenly(self.waters.curve(course)[1], 0.2 * UNIT), 1.0)
        return found

    def _dot_rect(self, name: str, size: str) -> Rect:
        """Return the square around a place's dot, with a little air."""
        return _square(self.points[name], (DOTS[size] + DOT_AIR) * UNIT)

    def _edge_rects(self) -> list[Rect]:
        """Return small squares along the map edge, which no name may cross."""
        found = []
        for here, around in enumerate(self.canvas.board.neighbours):
            for direction, near in enumerate(around):
                if near < 0:
                    a, b = self.canvas.side(here, direction)
                    found += [_square(mix(a, b, i / 8), 0.07 * UNIT) for i in range(9)]
        return found

    def number_point(self, here: int) -> Point:
        """Return the middle of a hex number's baseline: near the top of the hex."""
        x, y = self.canvas.centres[here]
        drop = 0.66 if self.canvas.board.grid.orientation == "flat" else 0.57
        return x, y - drop * UNIT

    def number_rect(self, here: int) -> Rect:
        """Return the rectangle of a hex number."""
        x, y = self.number_point(here)
        half = text_width(self.canvas.board.grid.printed(self.canvas.board.labels[here]), "sans", NUMBER_SIZE) / 2
        return x - half, y - NUMBER_SIZE * 0.66, x + half, y

    # ---- places, regions, zones -------------------------------------------------

    def _wishes(self) -> list[Wish]:
        found = []
        for place in self.canvas.board.places:
            here, at = place.hexes[0], self.points[place.name]
            radius = DOTS.get(place.size, 0.0) * UNIT + 0.03 * UNIT
            if at == self.canvas.centres[here] and settlement_look(self.canvas, here):
                radius = settlement_radius(self.canvas, here) * 0.9
            symbol = self._dot_rect(place.name, place.size) if place.size in DOTS else None
            found.append(Wish(place.name, at, radius, PLACES[place.size], place.size == "region", symbol))
        for zone, shape, colour in zone_shapes(self.canvas):
            if shape == "label":
                look = replace(PLACES["region"], colour=COLOURS[colour], importance=1)
                found.append(Wish(self.canvas.name("zone", zone), self._middle(zone), 0.0, look, True))
        return found

    def _middle(self, zone: str) -> Point:
        points = [self.canvas.centres[here] for here in self.canvas.board.zones[zone]]
        mean = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
        return min(points, key=lambda point: gap(point, mean))

    # ---- waters -----------------------------------------------------------------

    def _water_names(self) -> list[WaterName]:
        found: list[WaterName] = []
        named = [course for course in self.waters.courses if course.name]
        named.sort(key=lambda course: -len(course.corners))
        for course in named:
            found += self._course_names(course, found)
        return found

    def _short_water_names(self) -> list[Spot]:
        """Return level names beside the waters that have no room for one along their course."""
        named = {name.ribbon.name for name in self.water_names}
        spots = []
        for course in self.waters.courses:
            if course.name and course.name not in named:
                named.add(course.name)
                line = self.waters.curve(course)[1]
                look = PlaceLook(0.72 * RIVER_SIZES.get(course.look, 0.24), "italic", WATER_TEXT, 0.02)
                wishes = [Wish(course.name, point, 0.14 * UNIT, look) for point in line[1:-1:2]]
                found = [spot for wish in wishes if (spot := best_spot(wish, self.obstacles)) is not None]
                best = min(found, key=lambda spot: spot.cost - 40.0 * spot.size / UNIT, default=None)
                if best is not None:
                    self.obstacles.add([best.rect])
                    spots.append(best)
        return spots

    def _course_names(self, course: Course, done: list[WaterName]) -> list[WaterName]:
        """Return the names along one course, apart from each other and from names of the same water elsewhere."""
        found: list[WaterName] = []
        line = self.waters.curve(course)[1]
        for shrink in RIVER_SHRINK:
            size = shrink * RIVER_SIZES.get(course.look, 0.24) * UNIT
            for option in sorted(ribbons(course.name, line, size, self.obstacles), key=lambda ribbon: ribbon.cost):
                if option.cost < WORST_RIBBON and self._is_apart(option, size, [*done, *found]):
                    rects = [_square(point, size * 0.42) for point in option.middles]
                    self.obstacles.add(rects)
                    found.append(WaterName(option, size))
            if found:
                break
        return found

    def _is_apart(self, option: Ribbon, size: float, done: list[WaterName]) -> bool:
        """Say whether a name lies far from the same name elsewhere and clear of names placed since it was found."""
        middle = option.middles[len(option.middles) // 2]
        for old in done:
            other = old.ribbon.middles[len(old.ribbon.middles) // 2]
            if old.ribbon.name == option.name and gap(middle, other) < NAME_EVERY:
                return False
        return not any(self.obstacles.blocks(_square(point, size * 0.42)) for point in option.middles)

    # ---- drawing ----------------------------------------------------------------

    def draw_numbers(self) -> str:
        """Return the numbers of all whole hexes."""
        board = self.canvas.board
        return group(
            text(board.grid.printed(label), self.number_point(here), NUMBER_SIZE, "sans", FAINT_INK)
            for here, label in enumerate(board.labels)
            if here not in self.canvas.partial
        )

    def draw_places(self) -> str:
        """Return the names of places, regions and zones, the least important below."""
        return group(spot.draw() for spot in sorted(self.spots, key=lambda spot: spot.wish.look.importance))

    def draw_waters(self) -> str:
        """Return the names of waters along their ribbons."""
        parts = []
        for i, name in enumerate(self.water_names):
            line = element("path", id=f"water-{i}", d=polyline(name.ribbon.points), fill="none")
            body = element(
                "textPath", escape(name.ribbon.name), href=f"#water-{i}", startOffset="50%", text_anchor="middle"
            )
            words = element("text", body, **type_attributes(name.size, "italic", WATER_TEXT, 0.2, 0.06))
            parts.append(element("defs", line) + words)
        return group(parts)

    # ---- room for trees ---------------------------------------------------------

    @cached_property
    def _taken(self) -> Obstacles:
        found = Obstacles(self.canvas.bounds)
        pad = 0.09 * UNIT
        rects = [spot.rect for spot in self.spots] + [self.number_rect(here) for here in range(len(self.canvas.board))]
        rects += [_square(mark.at, mark.radius) for mark in self.marks]
        rects += [_square(point, name.size * 0.4) for name in self.water_names for point in name.ribbon.middles]
        found.add((left - pad, top - pad, right + pad, bottom + pad) for left, top, right, bottom in rects)
        return found

    def leaves_free(self, here: int, point: Point) -> bool:
        """Say whether a point is free of words, roads and settlements."""
        reach = settlement_radius(self.canvas, here)
        if reach and gap(point, self.canvas.centres[here]) < reach + 0.07 * UNIT:
            return False
        return self.roads.distance(here, point) > 0.17 * UNIT and not self._taken.covers(point)


def _square(at: Point, half: float) -> Rect:
    return at[0] - half, at[1] - half, at[0] + half, at[1] + half
