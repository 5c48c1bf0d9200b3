"""Bridges by number: the same bridge from both banks, its name, and how the map shows it."""

from __future__ import annotations

from salient.games.ardennes44.model import BOARD
from salient.hexes.bridges import bridges_of

OUREN = (BOARD.index["2020"], BOARD.index["2119"])
BLOWN = next(
    (a, b)
    for a in range(len(BOARD))
    for b in BOARD.adjacent[a]
    if a < b and (side := BOARD.side(a, b)) and side.bridge == "blown"
)


def test_a_bridge_has_one_number_from_both_banks_and_a_name() -> None:
    bridges = bridges_of(BOARD, [BLOWN, OUREN])
    assert bridges.pairs == (BLOWN, OUREN)
    assert bridges.numbers[OUREN] == bridges.numbers[OUREN[1], OUREN[0]] == 1
    assert bridges.names[1] == "2020/2119"


def test_bridges_are_found_by_how_the_map_shows_them() -> None:
    bridges = bridges_of(BOARD, [OUREN, BLOWN])
    assert bridges.shown_as("blown") == 0b10
    assert bridges.shown_as("nothing of the kind") == 0
