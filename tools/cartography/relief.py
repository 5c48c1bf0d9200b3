"""Shaded relief of a map: `python -m tools.cartography.relief GAME [--config TOML --geography GEOJSON]`.

No open elevation model of the Ardennes is at hand, so the ground is rebuilt from spot heights (heights.csv: the heights
of towns by GeoNames, and summits by hand) and from the rivers of the map itself: a plateau through the heights, with a
valley cut along every river. Where a spot lies in a valley, the plateau above it is raised by the depth of the cut, so
that the finished ground passes through all heights. It is `house`: it explains the ground, it measures nothing.
Writes src/salient/maps/relief/<game>.json: outlines of the ground in shade and in light, by steps, in drawing units.
"""

import argparse
import csv
import json
import math
import tomllib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
from contourpy import FillType, contour_generator
from PIL import Image, ImageDraw
from scipy.ndimage import distance_transform_edt, gaussian_filter
from scipy.spatial import cKDTree
from tools.cartography.draft import Draft

from salient.hexes.load import load_board
from salient.maps.canvas import UNIT, Canvas
from salient.maps.water import Waters

ROOT = Path(__file__).parent.parent.parent
HEIGHTS = Path(__file__).parent / "heights.csv"
FOLDER = ROOT / "src" / "salient" / "maps" / "relief"
WIDTH = 1500
NEIGHBOURS = 14
# Grey levels below which the ground lies in deeper and deeper shade, and above which it is lit.
SHADES = (228, 218, 207, 195, 182)
LIGHTS = (247,)
# Outlines that enclose less are dust, in square hex sizes.
LEAST_AREA = 0.12

Project = Callable[[tuple[float, float]], tuple[float, float]]
Grid = np.ndarray


def main() -> None:
    """Draw the relief of one game."""
    parser = argparse.ArgumentParser(prog="python -m tools.cartography.relief")
    parser.add_argument("game")
    parser.add_argument("--config", type=Path, help="the game's cartography TOML, if it was drafted")
    parser.add_argument("--geography", type=Path)
    args = parser.parse_args()
    data = ROOT / "src" / "salient" / "games" / args.game.replace("-", "_") / "data"
    canvas = Canvas(load_board(data))
    project = drafted(args.config, args.geography) if args.config else fitted(data / "grid.toml")
    shade = relief(canvas, to_canvas(canvas, project))
    FOLDER.mkdir(exist_ok=True)
    file = FOLDER / f"{args.game}.json"
    steps = {
        "shade": [outlines(canvas, shade, 0, level) for level in SHADES],
        "light": [outlines(canvas, shade, level, 256) for level in LIGHTS],
    }
    file.write_text(json.dumps(steps, indent=0) + "\n", encoding="utf-8")
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1000} kB")


def outlines(canvas: Canvas, shade: Grid, low: float, high: float) -> str:
    """Return the path of the ground between two grey levels."""
    left, top, right, _ = canvas.bounds
    step = 3
    coarse = gaussian_filter(shade.astype(float), 2.0)[::step, ::step]
    unit = (right - left) / shade.shape[1] * step
    filled = contour_generator(z=coarse, fill_type=FillType.OuterOffset).filled(low, high)
    parts = []
    for points, offsets in zip(*filled, strict=True):
        for start, end in pairwise(offsets):
            ring = points[start:end] * unit
            if abs(area(ring)) > LEAST_AREA * UNIT * UNIT:
                parts.append(written(simplified(ring, 0.02 * UNIT) + np.array((left, top))))
    return "".join(parts)


def area(ring: Grid) -> float:
    """Return the signed area of a ring."""
    x, y = ring[:, 0], ring[:, 1]
    return float((x * np.roll(y, 1) - y * np.roll(x, 1)).sum() / 2)


def simplified(ring: Grid, tolerance: float) -> Grid:
    """Return a ring without the points that lie within the tolerance of a straight line (Douglas and Peucker)."""
    keep = np.zeros(len(ring), dtype=bool)
    keep[[0, len(ring) // 2, -1]] = True
    stack = [(0, len(ring) // 2), (len(ring) // 2, len(ring) - 1)]
    while stack:
        a, b = stack.pop()
        if b - a > 1:
            line = ring[b] - ring[a]
            off = ring[a + 1 : b] - ring[a]
            away = np.abs(line[0] * off[:, 1] - line[1] * off[:, 0]) / max(1.0, float(np.hypot(*line)))
            far = int(away.argmax())
            if away[far] > tolerance:
                keep[a + 1 + far] = True
                stack += [(a, a + 1 + far), (a + 1 + far, b)]
    return ring[keep]


def written(ring: Grid) -> str:
    """Return a ring as a smooth closed path in whole drawing units, relative from point to point."""
    points = ring[:-1]
    middles = np.round((points + np.roll(points, -1, axis=0)) / 2).astype(int)
    points = np.round(points).astype(int)
    x, y = middles[-1]
    parts = [f"M{x} {y}"]
    for (px, py), (mx, my) in zip(points, middles, strict=True):
        parts.append(f"q{px - x} {py - y} {mx - x} {my - y}")
        x, y = mx, my
    return "".join(parts) + "z"


# ---- where a place lies -------------------------------------------------------------


def drafted(config: Path, geography: Path) -> Project:
    """Return the fit of a drafted map: longitude and latitude to the plane of hexes."""
    return Draft(config, geography).fit


def fitted(grid: Path) -> Project:
    """Return the fit noted in a grid.toml."""
    table = tomllib.loads(grid.read_text(encoding="utf-8"))
    fit, km = table["fit"], table["km"]
    turn = math.radians(fit["rotation"])
    per_lon = fit.get("km_per_degree_lon", 111.32 * math.cos(math.radians(fit["origin_lat"])))
    per_lat = fit.get("km_per_degree_lat", 111.2)

    def project(lonlat: tuple[float, float]) -> tuple[float, float]:
        east, north = (lonlat[0] - fit["origin_lon"]) * per_lon, (lonlat[1] - fit["origin_lat"]) * per_lat
        x = (east * math.cos(turn) - north * math.sin(turn)) / km + fit["origin_x"]
        y = (east * math.sin(turn) + north * math.cos(turn)) / km
        towards_north = table["rows_grow"] == "north"
        return x, (y + fit["origin_y"]) if towards_north else (y - fit["origin_y"])

    return project


def to_canvas(canvas: Canvas, project: Project) -> Project:
    """Return longitude and latitude to drawing units, by the position of one hex in both planes."""
    grid, label = canvas.board.grid, canvas.board.labels[0]
    column, row = grid.parse(label)
    step = math.sqrt(3) / 2
    along_x, along_y = (step, 1.0) if grid.orientation == "flat" else (1.0, step)
    x = column * along_x * (1 if grid.columns_grow == "east" else -1)
    y = row * along_y * (1 if grid.rows_grow == "north" else -1)
    line = column if grid.orientation == "flat" else row
    if line % 2 == (0 if grid.shifted == "even" else 1):
        x += {"east": 0.5, "west": -0.5}.get(grid.shift_towards, 0.0)
        y += {"north": 0.5, "south": -0.5}.get(grid.shift_towards, 0.0)
    (cx, cy), size = canvas.centres[0], math.sqrt(3) * UNIT

    def place(lonlat: tuple[float, float]) -> tuple[float, float]:
        u, v = project(lonlat)
        return cx + (u - x) * size, cy - (v - y) * size

    return place


# ---- the ground ---------------------------------------------------------------------


def relief(canvas: Canvas, place: Project) -> Grid:
    """Return the shaded ground of a map as grey levels."""
    left, top, right, bottom = canvas.bounds
    ratio = WIDTH / (right - left)
    shape = (round((bottom - top) * ratio), WIDTH)
    metre = math.sqrt(3) * UNIT * ratio / (canvas.board.grid.km * 1000)
    spots, heights = read_spots(place, (left, top), ratio, shape)
    away = distance_transform_edt(~drawn_rivers(canvas, (left, top), ratio, shape)) / metre / 1000
    rough = plateau(spots, heights, shape)
    depth = np.clip(rough * 0.28, 2, 130)
    cut = gaussian_filter(depth * np.exp(-((away / (0.45 + 0.45 * canvas.board.grid.km / 2.6)) ** 1.4)), 4)
    at = np.clip(np.round(spots).astype(int), 0, np.array(shape)[::-1] - 1)
    ground = plateau(spots, heights + cut[at[:, 1], at[:, 0]], shape) - cut
    ground += swell(shape, metre) * np.clip(rough / 500, 0.05, 1) * (1 - cut / np.maximum(depth, 1))
    return shaded(gaussian_filter(ground, 2.0), metre, ground)


def read_spots(place: Project, origin: tuple[float, float], ratio: float, shape: tuple[int, int]) -> tuple[Grid, Grid]:
    """Return the spot heights on or near the map, as pixels and metres."""
    spots, heights = [], []
    with HEIGHTS.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            x, y = place((float(row["lon"]), float(row["lat"])))
            u, v = (x - origin[0]) * ratio, (y - origin[1]) * ratio
            if -300 < u < shape[1] + 300 and -300 < v < shape[0] + 300:
                spots.append((u, v))
                heights.append(float(row["metres"]))
    return np.array(spots), np.array(heights)


def drawn_rivers(canvas: Canvas, origin: tuple[float, float], ratio: float, shape: tuple[int, int]) -> Grid:
    """Return the rivers of the map as a mask."""
    image = Image.new("1", (shape[1], shape[0]))
    pen = ImageDraw.Draw(image)
    waters = Waters(canvas)
    for course in waters.courses:
        line = [((x - origin[0]) * ratio, (y - origin[1]) * ratio) for x, y in waters.curve(course)[1]]
        pen.line(line, fill=1, width=2)
    for row in canvas.board.rows["hexsides.csv"]:
        if canvas.look("hexside", row["kind"]) == "through":
            ends = [canvas.centres[canvas.board.index[row[end]]] for end in "ab"]
            pen.line([((x - origin[0]) * ratio, (y - origin[1]) * ratio) for x, y in ends], fill=1, width=2)
    return np.array(image, dtype=bool)


def plateau(spots: Grid, heights: Grid, shape: tuple[int, int]) -> Grid:
    """Return a smooth surface through the spot heights (inverse distance over the nearest)."""
    ys, xs = np.mgrid[0 : shape[0] : 4, 0 : shape[1] : 4]
    points = np.column_stack([xs.ravel(), ys.ravel()])
    distance, nearest = cKDTree(spots).query(points, k=min(NEIGHBOURS, len(spots)))
    weight = 1 / (distance**2 + 60)
    coarse = ((weight * heights[nearest]).sum(axis=1) / weight.sum(axis=1)).reshape(xs.shape)
    image = Image.fromarray(gaussian_filter(coarse, 2.5).astype(np.float32))
    return np.asarray(image.resize((shape[1], shape[0]), Image.Resampling.BICUBIC), dtype=float)


def swell(shape: tuple[int, int], metre: float) -> Grid:
    """Return the small hills and side valleys that no spot height knows."""
    rng = np.random.default_rng(1944)
    total = np.zeros(shape)
    for kilometres, metres in ((4.5, 70.0), (2.0, 36.0)):
        noise = gaussian_filter(rng.standard_normal(shape), kilometres * 1000 * metre / 2)
        total += metres * -np.abs(noise / noise.std()) * 0.5
    return total - total.mean()


def steepness(ground: Grid) -> float:
    """Return by how much heights are exaggerated: more in flat country, so that its few hills show."""
    return 11.0 * float(np.clip(450 / max(1.0, np.ptp(ground)), 1.0, 6.0))


def shaded(ground: Grid, metre: float, raw: Grid) -> Grid:
    """Return grey levels: light from the north-west, a little darker in low ground."""
    rows, columns = np.gradient(ground * steepness(raw) * metre)
    slope = np.hypot(rows, columns)
    sun, height = math.radians(315), math.radians(48)
    aspect = np.arctan2(-columns, rows)
    light = np.sin(height) * np.cos(np.arctan(slope)) + np.cos(height) * np.sin(np.arctan(slope)) * np.cos(
        sun - math.pi / 2 - aspect + math.pi
    )
    level = 0.93 + 0.6 * (light - math.sin(height))
    level += 0.03 * (raw - raw.min()) / max(1.0, raw.max() - raw.min())
    return (np.clip(level, 0.62, 1.0) * 255).astype(np.uint8)


if __name__ == "__main__":
    main()
