"""Hex maps as SVG, PNG and PDF, for print, for the command line and for the web client."""

from pathlib import Path

from salient.hexes.board import Board
from salient.maps.sheet import (
    CLIENT_LAYERS,
    LAYERS,
    PRINT_LAYERS,
    Options,
    geometry,
    render_pdf,
    render_png,
    render_svg,
)

__all__ = [
    "CLIENT_LAYERS",
    "LAYERS",
    "PRINT_LAYERS",
    "Options",
    "geometry",
    "render",
    "render_pdf",
    "render_png",
    "render_svg",
]


def render(board: Board, file: Path, options: Options | None = None) -> None:
    """Write a board to a file: SVG, PNG or PDF by the file's ending."""
    if file.suffix == ".svg":
        file.write_text(render_svg(board, options), encoding="utf-8")
    elif file.suffix == ".png":
        file.write_bytes(render_png(board, options))
    elif file.suffix == ".pdf":
        file.write_bytes(render_pdf(board, language=(options or Options()).language))
    else:
        raise ValueError(f"Cannot tell the format of {file.name}: let its name end in .svg, .png or .pdf.")
