"""Computer players of several strengths, for every game, through the AnyGame protocol only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from salient.bots.levels import DEFAULT, LEVELS, PLAYERS, read_level
from salient.bots.outside import SECONDS, BotFault, Outside
from salient.bots.personas import PLAIN, weights_of
from salient.bots.player import Choice, Player
from salient.common.weights import read_weight_file
from salient.kernel import AnyGame, Seat, Unreadable

COMMAND = "cmd:"
BY_FILE = "+"  # between a level and a file of weights

__all__ = [
    "COMMAND", "DEFAULT", "LEVELS", "PLAYERS", "SECONDS", "BotFault", "Choice", "Player", "is_level", "is_player",
    "make",
    "no_such_level", "seated",
]  # fmt: skip


def make(
    level: str, game: AnyGame, seat: Seat, seed: int | str = 0, weights: Mapping[str, float] | None = None
) -> Player:
    """A computer player by its level, as `captain`, `captain/bold` or `captain@60`; Unreadable if there is none.

    Weights that are given replace those of its side and its persona.
    """
    wanted = read_level(level)
    if wanted is None:
        raise no_such_level(level, LEVELS)
    if weights is None and wanted.persona != PLAIN:
        weights = weights_of(wanted.persona, game, seat)
    player = PLAYERS[wanted.name](game, seat, seed, weights)
    player.strength = wanted.strength
    return player


def is_level(text: str) -> bool:
    """Whether there is a computer player of this name."""
    return read_level(text) is not None


def is_player(text: str) -> bool:
    """Whether somebody at his own machine can seat this: a level, a level by a file of weights, or a program."""
    return text.startswith(COMMAND) or is_level(text.partition(BY_FILE)[0])


def seated(who: str, game: AnyGame, seat: Seat, seed: int | str = 0, seconds: float = SECONDS) -> Player:
    """A player by its level, by a level and a file of weights (`captain+mine.toml`), or an own program (`cmd:`).

    Only for people at their own machine: whoever names the command runs it with the rights of this process.
    """
    if who.startswith(COMMAND):
        return Outside(who.removeprefix(COMMAND), game, seat, seed, seconds)
    level, _, file = who.partition(BY_FILE)
    if not file:
        return make(level, game, seat, seed)
    if not Path(file).is_file():
        raise Unreadable("no-weight-file", text=file)
    plain = game.judge.weights(seat)
    return make(level, game, seat, seed, {**plain, **read_weight_file(Path(file), game.seats, plain).get(seat, {})})


def no_such_level(level: str, known: Sequence[str]) -> Unreadable:
    """The error of a computer player that does not exist."""
    return Unreadable("no-such-level", text=level, texts_known=tuple(known))
