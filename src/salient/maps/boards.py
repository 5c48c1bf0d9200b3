"""The board of a game, through the game's package: none if it is not played on hexes."""

from __future__ import annotations

from importlib import import_module

from salient.hexes.board import Board
from salient.kernel import Game
from salient.text.catalog import package_of


def board_of(game: Game) -> Board | None:
    """The board of a game: `BOARD` of its model, if it is played on hexes."""
    board = getattr(import_module(f"{package_of(game)}.model"), "BOARD", None)
    return board if isinstance(board, Board) else None
