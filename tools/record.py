"""Write a whole game of computer players with verified dice to tests/records: `python tools/record.py target-arnhem`.

One record for each version of a game's rules; the tests replay them for ever.
"""

from __future__ import annotations

import sys
from pathlib import Path

from salient import bots, load
from salient.kernel import CHANCE, OVER, Session, VerifiedDice

RECORDS = Path(__file__).parent.parent / "tests" / "records"
LEVEL = "greedy"


def main(game_id: str) -> None:
    """Play the game and write its record, unless there is one of these rules."""
    game = load(game_id)
    file = RECORDS / f"{game.id}-{game.rules_version}.salient"
    if file.exists():
        raise SystemExit(
            f"{file.name} exists, and records are not replaced: raise rules_version if rules have changed."
        )
    session = Session(game, VerifiedDice(file.stem), seats=dict.fromkeys(game.seats, LEVEL), name=file.stem)
    minds = {seat: bots.make(LEVEL, game, seat) for seat in game.seats}
    while session.actor != OVER:
        if session.actor == CHANCE:
            session.roll()
        else:
            session.play(session.actor, minds[session.actor].choose(session.state)[0])
    file.write_text(session.record().text(), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
