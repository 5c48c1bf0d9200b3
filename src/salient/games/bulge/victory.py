"""Battle of the Bulge: chapters 2 and 10, victory, and the campaign of 11.1."""

from __future__ import annotations

from salient.games.bulge.components import ALLIED, AXIS, SEATS
from salient.games.bulge.model import BulgeState, seat_of
from salient.games.bulge.upkeep import points
from salient.kernel import Result
from salient.kernel.messages import Sink

DRAWN = "drawn"


def is_decided(s: BulgeState) -> bool:
    """Whether the game ends with this upkeep: 24 points, or the eighth turn [2.2, 10.1, 10.2]."""
    return points(s.ground, s.control) >= s.tables.victory_points or s.turn == s.tables.turns


def score_game(s: BulgeState, out: Sink) -> None:
    """Announce the winner of a game and note the points of its Axis player [10, 11.1]."""
    taken = points(s.ground, s.control)
    winner = AXIS if taken >= s.tables.victory_points else ALLIED
    s.totals[SEATS.index(seat_of(s, AXIS))] += taken
    out("10.1" if winner == AXIS else "10.2", "game-won", word_side=SEATS[winner], n_points=taken)


def decide_winner(s: BulgeState, out: Sink) -> None:
    """One game is won on the board; a campaign by the player who took more points as the Axis."""
    if s.games == 1:
        s.winner = SEATS[AXIS if points(s.ground, s.control) >= s.tables.victory_points else ALLIED]
        return
    first, second = s.totals
    s.winner = DRAWN if first == second else SEATS[0 if first > second else 1]
    out("11.1", "campaign-over", n_first=first, n_second=second)


def result(s: BulgeState) -> Result | None:
    """The result once all games are over."""
    if not s.winner:
        return None
    if s.games > 1:
        drawn = s.winner == DRAWN
        return Result(None if drawn else s.winner, "11.1", "campaign-drawn" if drawn else "campaign-won")
    if s.winner == SEATS[AXIS]:
        return Result(s.winner, "10.1", "enough-points")
    return Result(s.winner, "10.2", "too-few-points")
