"""Computer players of several strengths, for every game, through the Game protocol only."""

from __future__ import annotations

from collections.abc import Sequence

from salient.bots.captain import Captain
from salient.bots.greedy import Greedy
from salient.bots.outside import SECONDS, BotFault, Outside
from salient.bots.player import Choice, Player
from salient.bots.randomly import Random
from salient.kernel import Game, Seat, Unreadable

PLAYERS: dict[str, type[Player]] = {"random": Random, "greedy": Greedy, "captain": Captain}
LEVELS = tuple(PLAYERS)

COMMAND = "cmd:"

__all__ = ["COMMAND", "LEVELS", "SECONDS", "BotFault", "Choice", "Player", "make", "no_such_level", "seated"]


def make(level: str, game: Game, seat: Seat, seed: int | str = 0) -> Player:
    """A computer player of a level at a seat; Unreadable if there is no such level."""
    if level not in PLAYERS:
        raise no_such_level(level, LEVELS)
    return PLAYERS[level](game, seat, seed)


def seated(who: str, game: Game, seat: Seat, seed: int | str = 0, seconds: float = SECONDS) -> Player:
    """A computer player by its level, or a program of one's own by `cmd:` and its command line.

    Only for people at their own machine: whoever names the command runs it with the rights of this process.
    """
    if who.startswith(COMMAND):
        return Outside(who.removeprefix(COMMAND), game, seat, seed, seconds)
    return make(who, game, seat, seed)


def no_such_level(level: str, known: Sequence[str]) -> Unreadable:
    """The error of a computer player that does not exist."""
    sentence = f"There is no computer player {level!r}: {', '.join(known)}."
    return Unreadable(sentence, "no-such-level", text=level, texts_known=tuple(known))
