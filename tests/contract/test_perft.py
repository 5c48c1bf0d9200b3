"""Golden counts: how many lines of play a position has. A rule that changes by accident changes them.

Each position names few units and each line ends before damage is dealt, so that strengths and tables do not matter.
A position is a file of tests/positions, or `start` for the set-up with the last choice of every option.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from salient import load
from salient.kernel import AnyGame, State
from salient.lab.perft import perft

POSITIONS = Path(__file__).parent.parent / "positions"
GOLDEN = [
    ("target-arnhem", "start", (2, 2, 12, 48)),
    ("target-arnhem", "landing", (60, 3060, 130806)),
    ("target-arnhem", "counterattack", (38, 1130, 25865)),
    ("target-arnhem", "corridor", (44, 1125, 14230)),
    ("bulge", "start", (76, 5776)),
    ("bulge", "attack", (3, 6, 22, 59, 202, 719)),
    ("bulge", "movement", (2, 13, 89, 323, 584, 3714)),
    ("bulge", "trucks", (2, 86, 413, 820, 1274)),
    ("bulge", "retreat", (6, 21, 36, 36)),
    ("bulge", "capture", (4, 10, 17, 32)),
    ("deadly-woods", "cup", (5, 13, 72, 207, 901)),
    ("deadly-woods", "door", (4, 29, 83, 457, 1001)),
    ("deadly-woods", "retreat", (6, 36, 72)),
    ("deadly-woods", "roads", (4, 92, 276, 4853)),
    ("ardennes44", "assault", (4, 10, 22, 45, 93)),
    ("ardennes44", "ouren", (3, 6, 22, 81)),
    ("ardennes44", "disengagement", (2, 7, 60)),
    ("ardennes44", "advance", (38, 435)),
    ("ardennes44", "guns", (6, 21, 86)),
    ("ardennes44", "movement", (3, 3340)),
    ("ardennes44", "marches", (13, 4125)),
    ("ardennes44", "replacements", (110, 3751)),
    ("ardennes44", "roadblocks", (32, 467)),
]


def position(game: AnyGame, name: str) -> State:
    if name == "start":
        return game.new("", {option.id: option.choices[-1] for option in game.options})
    return game.read_position((POSITIONS / f"{game.id}-{name}.txt").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("game_id", "name", "counts"), GOLDEN, ids=[f"{game}-{name}" for game, name, _ in GOLDEN])
def test_perft(game_id: str, name: str, counts: tuple[int, ...]) -> None:
    game = load(game_id)
    start = position(game, name)
    assert game.check(start) == []
    assert tuple(perft(start, depth) for depth in range(1, len(counts) + 1)) == counts
