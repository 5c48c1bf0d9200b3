"""The frontiers of a map: `python -m tools.cartography.frontiers GAME --geography GEOJSON [--config TOML]`.

Writes lines.csv into the game's data: the border lines of the geography in drawing units, where they cross the map.
"""

import argparse
import csv
import json
from pathlib import Path

import numpy as np
from tools.cartography.relief import Project, drafted, fitted, simplified, to_canvas

from salient.hexes.load import load_board
from salient.maps.canvas import UNIT, Canvas

ROOT = Path(__file__).parent.parent.parent
TOLERANCE = 0.12 * UNIT
MARGIN = 0.3 * UNIT

Points = list[tuple[float, float]]


def main() -> None:
    """Write the frontiers of one game."""
    parser = argparse.ArgumentParser(prog="python -m tools.cartography.frontiers")
    parser.add_argument("game")
    parser.add_argument("--geography", type=Path, required=True)
    parser.add_argument("--config", type=Path, help="the game's cartography TOML, if it was drafted")
    args = parser.parse_args()
    data = ROOT / "src" / "salient" / "games" / args.game.replace("-", "_") / "data"
    canvas = Canvas(load_board(data))
    fit = drafted(args.config, args.geography) if args.config else fitted(data / "grid.toml")
    rows = frontiers(canvas, to_canvas(canvas, fit), args.geography)
    with (data / "lines.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("line", "kind", "points", "source"), *rows])
    print(f"{args.game}: {len(rows)} lines")


def frontiers(canvas: Canvas, place: Project, geography: Path) -> list[tuple[str, str, str, str]]:
    """Return the rows of lines.csv."""
    rows = []
    for feature in json.loads(geography.read_text(encoding="utf-8"))["features"]:
        if feature["properties"]["layer"] != "border":
            continue
        shape = feature["geometry"]
        lines = [shape["coordinates"]] if shape["type"] == "LineString" else shape["coordinates"]
        for line in lines:
            for part in within(canvas, [place((x, y)) for x, y in line]):
                ring = simplified(np.array(part), TOLERANCE) if len(part) > 3 else np.array(part)
                points = " ".join(f"{x:.0f},{y:.0f}" for x, y in ring)
                rows.append((f"{feature['properties'].get('name', 'frontier')} {len(rows) + 1}", "frontier", points))
    return [(*row, "geography") for row in rows]


def within(canvas: Canvas, points: Points) -> list[Points]:
    """Return the parts of a line that lie on the map, with a little margin."""
    left, top, right, bottom = canvas.bounds
    parts: list[Points] = [[]]
    for x, y in points:
        if left - MARGIN < x < right + MARGIN and top - MARGIN < y < bottom + MARGIN:
            parts[-1].append((x, y))
        elif parts[-1]:
            parts.append([])
    return [part for part in parts if len(part) > 1]


if __name__ == "__main__":
    main()
