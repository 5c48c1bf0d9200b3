"""Battle of the Bulge: chapter 1, overview."""

from __future__ import annotations

import pytest

from games.bulge.positions import FORMATIONS, TABLES, pieces
from salient.games.bulge.components import ALLIED, ARTILLERY, AXIS, COMBAT_KINDS, KINDS, TRUCK
from table import Table


def stacks(nation: str, kind: int) -> int:
    """The stacks of a kind at the start, and one for each turn of a chart: each needs a piece of the box."""
    side = AXIS if nation == "axis" else ALLIED
    on_board = sum(1 for _, owner, counted in TABLES.setup if owner == side and counted[kind] and nation != "uk")
    charts = {
        (FORMATIONS.chart[f], FORMATIONS.turn[f])
        for f in range(FORMATIONS.count)
        if FORMATIONS.nation[f] == nation and FORMATIONS.pieces[f][kind]
    }
    return on_board + len(charts)


@pytest.mark.parametrize(("nation", "box"), [("axis", (23, 16, 23, 6)), ("us", (20, 12, 17, 12)), ("uk", (4, 4, 4, 0))])
def test_1_1_set_up_and_charts_keep_to_the_pieces_in_the_box_by_colour(nation: str, box: tuple[int, ...]) -> None:
    """Grey, green and beige: no more stacks of a kind than miniatures; chips stand for all further units."""
    for kind in range(4):
        off_board = 1 if kind == TRUCK and nation != "uk" else 0
        assert stacks(nation, kind) + off_board <= box[kind], KINDS[kind]


def test_1_1_the_british_bring_one_gun() -> None:
    """And some infantry and tanks."""
    british = [f for f, nation in enumerate(FORMATIONS.nation) if nation == "uk"]
    assert all(any(FORMATIONS.pieces[f][kind] for f in british) for kind in COMBAT_KINDS)
    assert sum(FORMATIONS.pieces[f][ARTILLERY] for f in british) == 1


def test_1_2_pieces_of_a_kind_are_counted(start: Table) -> None:
    """A stack says how many it holds."""
    assert pieces(start, "0509") == "axis-infantry 3, axis-tank 2, axis-artillery 1"
