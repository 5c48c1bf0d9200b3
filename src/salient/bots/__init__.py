"""Computer players of several strengths, for every game, through the Game protocol only."""

from __future__ import annotations

from salient.bots.captain import Captain
from salient.bots.greedy import Greedy
from salient.bots.player import Choice, Player
from salient.bots.randomly import Random
from salient.kernel import Game, Seat, Unreadable

PLAYERS: dict[str, type[Player]] = {"random": Random, "greedy": Greedy, "captain": Captain}
LEVELS = tuple(PLAYERS)

__all__ = ["LEVELS", "Choice", "Player", "make"]


def make(level: str, game: Game, seat: Seat, seed: int | str = 0) -> Player:
    """A computer player of a level at a seat; Unreadable if there is no such level."""
    if level not in PLAYERS:
        raise Unreadable(f"There is no computer player {level!r}: {', '.join(LEVELS)}.")
    return PLAYERS[level](game, seat, seed)
