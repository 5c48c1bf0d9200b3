"""What people call the hexes of a board."""

from __future__ import annotations

from salient.hexes.board import Board

SIZES = ("city", "town", "village", "hamlet")


def place_names(board: Board) -> dict[int, str]:
    """The name of the largest place of each hex that has one."""
    names: dict[int, str] = {}
    for size in SIZES:
        for place in board.places:
            if place.size == size:
                for h in place.hexes:
                    names.setdefault(h, place.name)
    return names


def hex_titles(board: Board) -> list[str]:
    """Every hex's number, with the name of its largest place if it has one: `1504 Arnhem`."""
    names = place_names(board)
    return [f"{label} {names[h]}" if h in names else label for h, label in enumerate(board.labels)]
