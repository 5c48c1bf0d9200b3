"""Hex maps as SVG and PNG, for print, for the command line and for the web client."""

from collections.abc import Callable, Mapping
from pathlib import Path

from salient.hexes.board import Board
from salient.hexes.check import MapReport, check_board
from salient.maps.sheet import (
    CLIENT_LAYERS,
    LAYERS,
    PRINT_LAYERS,
    Options,
    geometry,
    render_png,
    render_svg,
)

__all__ = [
    "CLIENT_LAYERS",
    "LAYERS",
    "PRINT_LAYERS",
    "Options",
    "check",
    "geometry",
    "render",
    "render_png",
    "render_svg",
]


def render(board: Board, file: Path, options: Options | None = None) -> None:
    """Write a board to a file: SVG or PNG by the file's ending."""
    if file.suffix == ".svg":
        file.write_text(render_svg(board, options), encoding="utf-8")
    elif file.suffix == ".png":
        file.write_bytes(render_png(board, options))
    else:
        raise ValueError(f"Cannot tell the format of {file.name}: let its name end in .svg or .png.")


def check(board: Board, say: Callable[[str], object] = print) -> MapReport:
    """Check a board, say its counts by terrain and by source and every finding, and return the report."""
    report = check_board(board)
    counts = report.counts
    say(f"{counts.hexes} hexes")
    for title in ("terrain", "features", "hexsides", "bridges", "roads"):
        say(f"{title}: {_listed(getattr(counts, title))}")
    for file, sources in counts.sources.items():
        say(f"sources of {file}: {_listed(sources)}")
    for finding in report.findings:
        say(str(finding))
    say(f"{len(report.findings)} findings" if report.findings else "no findings")
    return report


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{key} {count}" for key, count in counts.items()) or "none"
