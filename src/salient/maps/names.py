"""Everything written on the map: hex numbers, places, regions, zones and waters."""

from dataclasses import dataclass, replace
from xml.sax.saxutils import escape

from salient.hexes.board import Place
from salient.hexes.layout import Point
from salient.maps.canvas import UNIT, Canvas, gap, mix
from salient.maps.fonts import text_width
from salient.maps.labels import Obstacles, Rect, Ribbon, Spot, Wish, best_spot, evenly, place_names, ribbons
from salient.maps.roads import Roads
from salient.maps.style import (
    COLOURS,
    FAINT_INK,
    LEAST_LETTER,
    PAPER,
    PLACES,
    ROAD_TEXT,
    ROADS,
    WATER_TEXT,
    PlaceLook,
)
from salient.maps.svg import element, group, polyline, text, type_attributes
from salient.maps.symbols import DOTS, dot_radius, place_points, settlement_radius
from salient.maps.water import Course, Waters, bridge_frame
from salient.maps.zones import Mark, zone_shapes

NUMBER_SIZE = 0.17
RIVER_SIZES = {"major-river": 0.3, "river": 0.27, "canal": 0.22, "minor-river": 0.22, "stream": 0.18}
# How far other names stay away from a place's dot.
DOT_AIR = 0.05
# A long water is named again after this many drawing units.
NAME_EVERY = 16 * UNIT
# A ribbon that costs more crosses its own water or a road: a smaller one or a level name is better.
WORST_RIBBON = 9.0
RIVER_SHRINK = (1.0, 0.85, 0.72)
SIGN_SIZE = 0.17
SIGN_EVERY = 9 * UNIT
ROAD_NAME_SIZE = 0.2
# The scales, in pixels a hex size, from which lesser words are shown.
NUMBERS_FROM = 28.0
ZONE_NAMES_FROM = 20.0
SHORT_WATERS_FROM = 28.0


@dataclass(frozen=True)
class WaterName:
    """A water's name on its ribbon."""

    ribbon: Ribbon
    size: float


@dataclass(frozen=True)
class Sign:
    """The number of a highway on a small plate."""

    number: str
    at: Point
    size: float
    rect: Rect

    def draw(self) -> str:
        """Return the plate."""
        left, top, right, bottom = self.rect
        plate = {"x": left, "y": top, "width": right - left, "height": bottom - top, "rx": 0.3 * self.size}
        body = element("rect", **plate, fill=PAPER, stroke=ROAD_TEXT, stroke_width=0.09 * self.size)
        return body + text(self.number, (self.at[0], self.at[1] + 0.34 * self.size), self.size, "bold", ROAD_TEXT)


class Names:
    """The words of a map, placed once."""

    def __init__(self, canvas: Canvas, roads: Roads, waters: Waters, marks: list[Mark]) -> None:
        self.canvas, self.roads, self.waters, self.marks = canvas, roads, waters, marks
        self.has_numbers = canvas.scale >= NUMBERS_FROM
        self.number_size = canvas.at_least(NUMBER_SIZE, LEAST_LETTER)
        self.shown = [place for place in canvas.board.places if canvas.scale >= PLACES[place.size].shown_from]
        self.points = place_points(canvas, roads)
        self.obstacles = self._obstacles()
        self.spots, self.missing = place_names(self._wishes(), self.obstacles)
        self.water_names = self._water_names()
        if canvas.scale >= SHORT_WATERS_FROM:
            self.spots += self._short_water_names()
        self.signs = self._signs()
        self.road_names = self._road_names()

    # ---- obstacles --------------------------------------------------------------

    def _obstacles(self) -> Obstacles:
        left, top, right, bottom = self.canvas.bounds
        margin = 0.06 * UNIT
        found = Obstacles((left + margin, top + margin, right - margin, bottom - margin))
        if self.has_numbers:
            found.add(self.number_rect(here) for here in range(len(self.canvas.board)))
        found.add(_square(mark.at, mark.radius * 1.1) for mark in self.marks)
        found.add(
            _square(bridge_frame(self.canvas, reach)[0], 0.2 * UNIT) for reach in self.waters.bridges if reach.bridge
        )
        found.add(
            _square(self.canvas.centres[here], settlement_radius(self.canvas, here) * 0.86)
            for here in range(len(self.canvas.board))
            if settlement_radius(self.canvas, here)
        )
        found.add(self._dot_rect(place) for place in self.shown if place.size in DOTS)
        found.add(self._edge_rects())
        for arm in self.roads.arms:
            found.add_soft(arm.points(6), 0.5 * ROADS[arm.look].rank)
        for course in self.waters.courses:
            found.add_soft(evenly(self.waters.curve(course)[1], 0.2 * UNIT), 1.0)
        return found

    def _dot_rect(self, place: Place) -> Rect:
        """Return the square around a place's dot, with a little air."""
        return _square(self.points[place.name], dot_radius(self.canvas, place.size) + DOT_AIR * UNIT)

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
        half = text_width(self.canvas.board.grid.printed(self.canvas.board.labels[here]), "sans", self.number_size) / 2
        return x - half, y - self.number_size * 0.66, x + half, y

    # ---- places, regions, zones -------------------------------------------------

    def _wishes(self) -> list[Wish]:
        found = []
        for place in self.shown:
            here, at = place.hexes[0], self.points[place.name]
            radius = dot_radius(self.canvas, place.size) + 0.03 * UNIT if place.size in DOTS else 0.0
            if at == self.canvas.centres[here] and settlement_radius(self.canvas, here):
                radius = settlement_radius(self.canvas, here) * 0.9
            symbol = self._dot_rect(place) if place.size in DOTS else None
            named = self.canvas.name("place", place.name)
            found.append(self._wish(named, at, radius, PLACES[place.size], place.size == "region", symbol))
        for zone, shape, colour in zone_shapes(self.canvas):
            if shape == "label" and self.canvas.scale >= ZONE_NAMES_FROM:
                look = replace(PLACES["region"], size=0.28, colour=COLOURS[colour], importance=0, least=LEAST_LETTER)
                found.append(self._wish(self.canvas.name("zone", zone), self._middle(zone), 0.0, look, True))
        return found

    def _wish(
        self,
        name: str,
        at: Point,
        radius: float,
        look: PlaceLook,
        is_region: bool = False,
        symbol: Rect | None = None,
    ) -> Wish:
        least = look.least / self.canvas.scale * UNIT
        return Wish(name, at, radius, look, self.canvas.at_least(look.size, look.least), least, is_region, symbol)

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
                look = PlaceLook(
                    0.72 * RIVER_SIZES.get(course.look, 0.24), "italic", WATER_TEXT, 0.02, least=LEAST_LETTER
                )
                wishes = [self._wish(course.name, point, 0.14 * UNIT, look) for point in line[1:-1:2]]
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
            size = max(
                shrink * self.canvas.at_least(RIVER_SIZES.get(course.look, 0.24), 11.0),
                LEAST_LETTER / self.canvas.scale * UNIT,
            )
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

    # ---- roads ------------------------------------------------------------------

    def _signs(self) -> list[Sign]:
        """Return the numbers of highways, each apart from the next of its kind and clear of everything else."""
        found: list[Sign] = []
        size = self.canvas.at_least(SIGN_SIZE, LEAST_LETTER)
        for number, at in self.roads.numbered:
            half = text_width(number, "bold", size) / 2 + 0.3 * size
            rect = at[0] - half, at[1] - 0.62 * size, at[0] + half, at[1] + 0.62 * size
            near = [sign for sign in found if sign.number == number and gap(sign.at, at) < SIGN_EVERY]
            if not near and not self.obstacles.blocks(rect):
                self.obstacles.add([rect])
                found.append(Sign(number, at, size, rect))
        return found

    def _road_names(self) -> list[WaterName]:
        """Return the names of famous roads along their course."""
        found: list[WaterName] = []
        size = self.canvas.at_least(ROAD_NAME_SIZE, LEAST_LETTER)
        for name, line in self.roads.famous:
            for option in sorted(ribbons(name, line, size, self.obstacles), key=lambda ribbon: ribbon.cost):
                if self._is_apart(option, size, found):
                    self.obstacles.add(_square(point, size * 0.42) for point in option.middles)
                    found.append(WaterName(option, size))
        return found

    # ---- drawing ----------------------------------------------------------------

    def draw_numbers(self) -> str:
        """Return the numbers of all whole hexes, where they can be read."""
        board = self.canvas.board
        if not self.has_numbers:
            return ""
        return group(
            text(board.grid.printed(label), self.number_point(here), self.number_size, "sans", FAINT_INK)
            for here, label in enumerate(board.labels)
            if here not in self.canvas.partial
        )

    def draw_places(self) -> str:
        """Return the names of places, regions and zones, the least important below."""
        return group(spot.draw() for spot in sorted(self.spots, key=lambda spot: spot.wish.look.importance))

    def draw_waters(self) -> str:
        """Return the names of waters along their ribbons."""
        return group(_along(f"water-{i}", name, WATER_TEXT) for i, name in enumerate(self.water_names))

    def draw_roads(self) -> str:
        """Return the numbers and the names of roads."""
        names = [_along(f"road-{i}", name, ROAD_TEXT) for i, name in enumerate(self.road_names)]
        return group([*(sign.draw() for sign in self.signs), *names])


def _along(key: str, name: WaterName, colour: str) -> str:
    """Return a name set along its ribbon."""
    line = element("path", id=key, d=polyline(name.ribbon.points), fill="none")
    body = element("textPath", escape(name.ribbon.name), href=f"#{key}", startOffset="50%", text_anchor="middle")
    words = element("text", body, **type_attributes(name.size, "italic", colour, 0.2, 0.06))
    return element("defs", line) + words


def _square(at: Point, half: float) -> Rect:
    return at[0] - half, at[1] - half, at[0] + half, at[1] + half
