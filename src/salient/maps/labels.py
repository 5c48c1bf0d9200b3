"""Names that never collide: with each other, with hex numbers, with symbols or with bridges."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from salient.hexes.layout import Point
from salient.maps.canvas import UNIT, gap, mix
from salient.maps.fonts import FALL, RISE, text_width
from salient.maps.style import PlaceLook
from salient.maps.svg import text

Rect = tuple[float, float, float, float]

SHRINK = (1.0, 0.9, 0.8, 0.72)
LEADING = 0.92
IMPROVEMENTS = 3


class Obstacles:
    """What names keep clear of: solid rectangles, and soft points that they avoid where they can."""

    def __init__(self, bounds: Rect) -> None:
        self.bounds = bounds
        self._solid: dict[tuple[int, int], list[Rect]] = defaultdict(list)
        self._soft: dict[tuple[int, int], list[tuple[Point, float]]] = defaultdict(list)

    @staticmethod
    def _cells(rect: Rect) -> list[tuple[int, int]]:
        columns = range(int(rect[0] // UNIT), int(rect[2] // UNIT) + 1)
        rows = range(int(rect[1] // UNIT), int(rect[3] // UNIT) + 1)
        return [(i, j) for i in columns for j in rows]

    def add(self, rects: Iterable[Rect]) -> None:
        """Add solid rectangles."""
        for rect in rects:
            for cell in self._cells(rect):
                self._solid[cell].append(rect)

    def remove(self, rects: Iterable[Rect]) -> None:
        """Take solid rectangles away again."""
        for rect in rects:
            for cell in self._cells(rect):
                self._solid[cell].remove(rect)

    def add_soft(self, points: Iterable[Point], weight: float) -> None:
        """Add points that are better left free."""
        for point in points:
            self._soft[int(point[0] // UNIT), int(point[1] // UNIT)].append((point, weight))

    def blocks(self, rect: Rect, own: Rect | None = None) -> bool:
        """Say whether a rectangle leaves the map or touches something solid other than its own symbol."""
        left, top, right, bottom = rect
        bounds = self.bounds
        if left < bounds[0] or top < bounds[1] or right > bounds[2] or bottom > bounds[3]:
            return True
        for cell in self._cells(rect):
            for other in self._solid.get(cell, ()):
                if other[0] < right and other[2] > left and other[1] < bottom and other[3] > top and other != own:
                    return True
        return False

    def covers(self, point: Point) -> bool:
        """Say whether a point lies in something solid."""
        cell = int(point[0] // UNIT), int(point[1] // UNIT)
        return any(r[0] <= point[0] <= r[2] and r[1] <= point[1] <= r[3] for r in self._solid.get(cell, ()))

    def weight(self, rect: Rect) -> float:
        """Return the weight of the soft points under a rectangle."""
        return sum(
            weight
            for cell in self._cells(rect)
            for (x, y), weight in self._soft.get(cell, ())
            if rect[0] < x < rect[2] and rect[1] < y < rect[3]
        )


@dataclass(frozen=True)
class Wish:
    """A name that wants a place near a point, clear of a symbol of some radius there."""

    name: str
    at: Point
    radius: float
    look: PlaceLook
    size: float
    least: float = 0.0  # the size below which it is not set
    is_region: bool = False
    symbol: Rect | None = None  # what other names keep clear of there

    @property
    def words(self) -> str:
        """The name as it is set."""
        return self.name.upper() if self.look.is_capitals else self.name


@dataclass(frozen=True)
class Spot:
    """A name set at a place: its lines, their size and the rectangle they fill."""

    wish: Wish
    lines: tuple[str, ...]
    size: float
    rect: Rect
    cost: float

    def draw(self) -> str:
        """Return the name as SVG text."""
        look = self.wish.look
        middle = (self.rect[0] + self.rect[2]) / 2
        parts = []
        for i, line in enumerate(self.lines):
            y = self.rect[1] + self.size * (RISE + i * LEADING)
            parts.append(text(line, (middle, y), self.size, look.face, look.colour, halo=0.2, spacing=look.spaced))
        return "".join(parts)


def place_names(wishes: Sequence[Wish], obstacles: Obstacles) -> tuple[list[Spot], list[str]]:
    """Find a spot for every name, important ones first, then move each to a better spot where one has come free.

    Returns the spots and the names for which there was no room.
    """
    ordered = sorted(wishes, key=lambda wish: (-wish.look.importance, wish.at[1], wish.at[0], wish.name))
    spots: dict[int, Spot] = {}
    for _ in range(1 + IMPROVEMENTS):
        before = dict(spots)
        for i, wish in enumerate(ordered):
            if i in spots:
                obstacles.remove([spots[i].rect])
            best = best_spot(wish, obstacles)
            if best is not None:
                spots[i] = best
                obstacles.add([best.rect])
        if spots == before:
            break
    missing = [wish.name for i, wish in enumerate(ordered) if i not in spots]
    return [spots[i] for i in sorted(spots)], missing


def best_spot(wish: Wish, obstacles: Obstacles) -> Spot | None:
    """Return the cheapest free spot for a name: full size before smaller type, near before far."""
    for shrink in SHRINK:
        spots = [
            spot for spot in _candidates(wish, shrink, (0.0, 0.14)) if not obstacles.blocks(spot.rect, wish.symbol)
        ]
        if spots:
            return min((_priced(spot, obstacles) for spot in spots), key=lambda spot: spot.cost)
    for reach in ((0.3, 0.5), (0.75, 1.0), (1.35, 1.7)):
        spots = [spot for spot in _candidates(wish, SHRINK[-1], reach) if not obstacles.blocks(spot.rect, wish.symbol)]
        if spots:
            return min((_priced(spot, obstacles) for spot in spots), key=lambda spot: spot.cost)
    return None


def _priced(spot: Spot, obstacles: Obstacles) -> Spot:
    return Spot(spot.wish, spot.lines, spot.size, spot.rect, spot.cost + obstacles.weight(spot.rect))


def _candidates(wish: Wish, shrink: float, reaches: Sequence[float]) -> Iterator[Spot]:
    size = max(wish.size * shrink, wish.least)
    for lines in _settings(wish):
        width = max(text_width(line, wish.look.face, size, wish.look.spaced) for line in lines)
        height = size * (RISE + FALL + LEADING * (len(lines) - 1))
        for reach in reaches:
            for i, (x, y) in enumerate(_offsets(wish, width, height, reach * UNIT)):
                left, top = wish.at[0] + x - width / 2, wish.at[1] + y - height / 2
                cost = 0.6 * i + 12.0 * reach + 1.5 * (len(lines) - 1)
                yield Spot(wish, lines, size, (left, top, left + width, top + height), cost)


def _settings(wish: Wish) -> list[tuple[str, ...]]:
    """Return a name in one line and, if it is long and can be parted, in two."""
    words = wish.words
    settings: list[tuple[str, ...]] = [(words,)]
    cuts = [i + 1 for i, letter in enumerate(words) if letter in " -" and 2 < i < len(words) - 3]
    if cuts and len(words) > 9:
        cut = min(cuts, key=lambda i: abs(2 * i - len(words)))
        settings.append((words[:cut].strip(), words[cut:]))
    return settings


def _offsets(wish: Wish, width: float, height: float, reach: float) -> list[Point]:
    """Return where the middle of a name may lie, seen from its point, the best first."""
    if wish.is_region:
        step = 0.28 * UNIT
        ring = [(i * step, j * step) for i in range(-6, 7) for j in range(-6, 7)]
        return sorted(ring, key=lambda offset: math.hypot(*offset))
    r = wish.radius + reach
    down, side = r + height * 0.46, r + width / 2 + 0.05 * UNIT
    slant_x, slant_y = 0.75 * r + width / 2, 0.72 * r + height * 0.42
    return [
        (0, down),
        (side, 0),
        (0, -down),
        (slant_x, slant_y),
        (-slant_x, slant_y),
        (-side, 0),
        (slant_x, -slant_y),
        (-slant_x, -slant_y),
        (width * 0.25, down),
        (-width * 0.25, down),
        (width * 0.25, -down),
        (-width * 0.25, -down),
    ]


# ---- names along waters ------------------------------------------------------------


@dataclass(frozen=True)
class Ribbon:
    """A name set along a gentle curve beside a water."""

    name: str
    points: tuple[Point, ...]
    middles: tuple[Point, ...]
    cost: float


def evenly(points: Sequence[Point], step: float) -> list[Point]:
    """Return points at equal distances along a line."""
    found, left = [points[0]], step
    for a, b in pairwise(points):
        length, done = gap(a, b), 0.0
        while length - done >= left:
            done += left
            found.append(mix(a, b, done / length))
            left = step
        left -= length - done
    return found


def smoothed(points: Sequence[Point], reach: int) -> list[Point]:
    """Return each point's mean with its neighbours, fewer of them towards the ends."""
    found = []
    for i in range(len(points)):
        r = min(reach, i, len(points) - 1 - i)
        near = points[i - r : i + r + 1]
        found.append((sum(x for x, _ in near) / len(near), sum(y for _, y in near) / len(near)))
    return found


def _normals(points: Sequence[Point]) -> list[Point]:
    """Return the direction to the right of a line at each of its points."""
    found = []
    for i in range(len(points)):
        a, b = points[max(0, i - 1)], points[min(len(points) - 1, i + 1)]
        length = max(1e-6, gap(a, b))
        found.append((-(b[1] - a[1]) / length, (b[0] - a[0]) / length))
    return found


def _shifted(points: Sequence[Point], normals: Sequence[Point], out: float) -> list[Point]:
    """Return a line moved sideways."""
    return [(x + nx * out, y + ny * out) for (x, y), (nx, ny) in zip(points, normals, strict=True)]


def ribbons(name: str, line: Sequence[Point], size: float, obstacles: Obstacles) -> Iterator[Ribbon]:
    """Yield every free way to write a name along a water, above it and below it."""
    step = 0.2 * UNIT
    dense = evenly(line, step)
    calm = smoothed(dense, 7)
    length = text_width(name, "italic", size, 0.06) + 0.5 * size
    for start in range(1, len(calm) - 1, 2):
        window = _window(calm, start, length)
        if window is None:
            break
        if window[0][0] > window[-1][0]:
            window = window[::-1]
        normals = _normals(window)
        for out in (-0.33, 0.33, -0.45, 0.45, -0.6, 0.6):
            middles = _shifted(window, normals, out * UNIT)
            rects = [(x - size * 0.42, y - size * 0.42, x + size * 0.42, y + size * 0.42) for x, y in middles]
            if any(obstacles.blocks(rect) for rect in rects):
                continue
            baseline = _shifted(window, normals, out * UNIT + size * 0.3)
            if sum(gap(a, b) for a, b in pairwise(baseline)) < length - 0.3 * size:
                continue
            cost = sum(obstacles.weight(rect) for rect in rects) + 2.0 * _bend(window) + 2.0 * abs(out)
            yield Ribbon(name, tuple(baseline), tuple(middles), cost)


def _window(points: Sequence[Point], start: int, length: float) -> list[Point] | None:
    """Return the points from `start` on that make up a length, or None where the line is too short."""
    done = 0.0
    for i in range(start, len(points) - 2):
        done += gap(points[i], points[i + 1])
        if done >= length:
            return list(points[start : i + 2])
    return None


def _bend(points: Sequence[Point]) -> float:
    total = 0.0
    for a, b, c in zip(points, points[2:], points[4:], strict=False):
        turn = math.atan2(c[1] - b[1], c[0] - b[0]) - math.atan2(b[1] - a[1], b[0] - a[0])
        total += abs((turn + math.pi) % (2 * math.pi) - math.pi)
    lean = abs(points[-1][1] - points[0][1]) / max(1.0, gap(points[0], points[-1]))
    return total + 1.5 * lean
