"""Computer players of several strengths, for every game, through the Game protocol only."""

from __future__ import annotations

from collections.abc import Sequence

from salient.bots.captain import Captain
from salient.bots.greedy import Greedy
from salient.bots.player import Choice, Player
from salient.bots.randomly import Random
from salient.kernel import Game, Seat, Unreadable

PLAYERS: dict[str, type[Player]] = {"random": Random, "greedy": Greedy, "captain": Captain}
LEVELS = tuple(PLAYERS)

__all__ = ["LEVELS", "Choice", "Player", "make", "no_such_level"]


def make(level: str, game: Game, seat: Seat, seed: int | str = 0) -> Player:
    """A computer player of a level at a seat; Unreadable if there is no such level."""
    if level not in PLAYERS:
        raise no_such_level(level, LEVELS)
    return PLAYERS[level](game, seat, seed)


def no_such_level(level: str, known: Sequence[str]) -> Unreadable:
    """The error of a computer player that does not exist."""
    sentence = f"There is no computer player {level!r}: {', '.join(known)}."
    return Unreadable(sentence, "no-such-level", text=level, texts_known=tuple(known))
