"""The board of a game, if it is played on hexes."""

from __future__ import annotations

from salient.hexes.board import Board
from salient.kernel import AnyGame


def board_of(game: AnyGame) -> Board | None:
    """The board of hexes of a game, or None."""
    return game.board if isinstance(game.board, Board) else None
