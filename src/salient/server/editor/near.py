"""What lies at a hex, and a drawing of its surroundings, so that a change is seen without drawing the whole map."""

from __future__ import annotations

import re
from base64 import b64encode
from typing import Any

from salient.hexes.board import Board, Rows, compile_board
from salient.maps import CLIENT_LAYERS, Options
from salient.maps.canvas import UNIT
from salient.maps.sheet import Drawing, svg_to_png
from salient.server.editor.own import START_COLUMNS, OwnData, Row

# How far the drawing reaches, and how much farther the ground is drawn so that its edge does not show.
REACH, BEYOND = 3, 2


def facts(own: OwnData, label: str) -> list[dict[str, Any]]:
    """Every row about a hex, its hexsides, roads, places, zones and units, with its file and whose it is."""
    found = []
    for file in own.files():
        mine = own.own_rows(file)
        for key, row in own.rows(file).items():
            if label in _hexes(own, file, row):
                found.append({"file": file, "key": list(key), "row": row, "own": key in mine})
    return found


def _hexes(own: OwnData, file: str, row: Row) -> list[str]:
    """The hexes at which a row is shown: arrivals at their edge, a kind of piece wherever one starts."""
    if file in ("hexsides.csv", "roads.csv"):
        return [row["a"], row["b"]]
    if file in START_COLUMNS:
        return [row.get(START_COLUMNS[file], "")]
    if file == "reinforcements.csv":
        return own.rows("areas.csv").get((row["chart"],), {"hexes": ""})["hexes"].split()
    if file == "pieces.csv":
        return [start["hex"] for start in own.rows("setup.csv").values() if start.get(row["piece"], "0") != "0"]
    return row["hexes"].split() if file == "areas.csv" else [row["hex"]]


def surroundings(board: Board, label: str, scale: float) -> dict[str, Any]:
    """The picture around a hex, and where it lies on the picture of the whole map at the same scale."""
    inner = {name for name in board.grid.range(label, REACH) if name in board.index}
    outer = {name for name in board.grid.range(label, REACH + BEYOND) if name in board.index}
    part = _part(board, outer)
    drawing = Drawing(part, Options(scale, layers=[layer for layer in CLIENT_LAYERS if layer != "areas"]))
    points = [drawing.canvas.centres[part.index[name]] for name in inner]
    left, top = min(x for x, _ in points) - UNIT, min(y for _, y in points) - UNIT
    right, bottom = max(x for x, _ in points) + UNIT, max(y for _, y in points) + UNIT
    ratio = scale / UNIT
    width, height = round((right - left) * ratio), round((bottom - top) * ratio)
    view = f'width="{width}" height="{height}" viewBox="{left:.2f} {top:.2f} {width / ratio:.2f} {height / ratio:.2f}"'
    svg = re.sub(r'width="\d+" height="\d+" viewBox="[^"]*"', view, drawing.svg(), count=1)
    x, y = drawing.canvas.centres[part.index[label]]
    picture = "data:image/png;base64," + b64encode(svg_to_png(svg)).decode()
    return {"picture": picture, "width": width, "height": height, "x": (x - left) * ratio, "y": (y - top) * ratio}


def _part(board: Board, hexes: set[str]) -> Board:
    """The board of some hexes only."""
    rows: Rows = {
        "hexes.csv": tuple(row for row in board.rows["hexes.csv"] if row["hex"] in hexes),
        "hexsides.csv": tuple(row for row in board.rows["hexsides.csv"] if {row["a"], row["b"]} <= hexes),
        "roads.csv": tuple(row for row in board.rows["roads.csv"] if {row["a"], row["b"]} <= hexes),
        "places.csv": tuple(row for row in board.rows["places.csv"] if row["hex"] in hexes),
        "zones.csv": tuple(row for row in board.rows["zones.csv"] if row["hex"] in hexes),
        "areas.csv": (),
        "lines.csv": (),
        "control.csv": (),
    }
    legend = {section: entries for section, entries in board.legend.items() if section != "map"}
    return compile_board(board.grid, rows, legend, board.data_hash)
