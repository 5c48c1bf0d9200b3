"""Bridges by number: the same bridge from both banks, its name, and how the map shows it."""

from __future__ import annotations

from games.ardennes44.positions import GROUND
from salient.hexes.bridges import bridges_of

OUREN = (GROUND.board.index["2020"], GROUND.board.index["2119"])
BLOWN = next(
    (a, b)
    for a in range(len(GROUND.board))
    for b in GROUND.board.adjacent[a]
    if a < b and (side := GROUND.board.side(a, b)) and side.bridge == "blown"
)


def test_a_bridge_has_one_number_from_both_banks_and_a_name() -> None:
    bridges = bridges_of(GROUND.board, [BLOWN, OUREN])
    assert bridges.pairs == (BLOWN, OUREN)
    assert bridges.numbers[OUREN] == bridges.numbers[OUREN[1], OUREN[0]] == 1
    assert bridges.names[1] == "2020/2119"


def test_bridges_are_found_by_how_the_map_shows_them() -> None:
    bridges = bridges_of(GROUND.board, [OUREN, BLOWN])
    assert bridges.shown_as("blown") == 0b10
    assert bridges.shown_as("nothing of the kind") == 0
