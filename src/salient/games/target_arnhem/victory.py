"""Target Arnhem: rule 9.1, victory."""

from __future__ import annotations

from salient.common.sides import ALLIED, GERMAN, SEATS
from salient.games.target_arnhem.model import ArnhemState, occupied
from salient.kernel import Result
from salient.kernel.messages import Sink


def refuse_allied_victory(s: ArnhemState) -> str | None:
    """Why the Allies would not win now: a message key, or None."""
    if not occupied(s, ALLIED) >> s.ground.arnhem & 1:
        return "arnhem-not-held"
    if occupied(s, GERMAN) & s.ground.red_road:
        return "red-road-cut"
    return None


def decide_winner(s: ArnhemState, out: Sink) -> None:
    """The Allies win with a unit in Arnhem and no German on the red road; otherwise the Germans."""
    s.winner = SEATS[GERMAN if refuse_allied_victory(s) else ALLIED]
    out("9.1", "game-won", seat=s.winner)


def result(s: ArnhemState) -> Result | None:
    """The result once the game is over."""
    if not s.winner:
        return None
    return Result(s.winner, "9.1", refuse_allied_victory(s) or "corridor-open")
