"""Battle of the Bulge: chapter 3, set up."""

from __future__ import annotations

from collections.abc import Callable

from games.bulge.positions import GROUND, pieces
from salient.games.bulge import model
from salient.games.bulge.components import ALLIED, AXIS
from salient.games.bulge.upkeep import points
from table import Table


def test_3_1_axis_in_the_east(start: Table) -> None:
    """Every hex on the Axis side of the line lies in the eastern columns."""
    assert all(GROUND.board.labels[h][2:] >= "07" for h in range(len(GROUND.board)) if start.state.control >> h & 1)


def test_3_2_pruem_as_printed(start: Table) -> None:
    """Three infantry, two tanks, one artillery."""
    assert pieces(start, "0509") == "axis-infantry 3, axis-tank 2, axis-artillery 1"


def test_3_2_everybody_starts_behind_the_line(start: Table) -> None:
    """Each side has its pieces on its own side of the front, within the limits, and the Axis has no points."""
    assert start.game.check(start.state) == []
    for side in (AXIS, ALLIED):
        assert not model.present(start.state, side) & ~model.owned(start.state, side)
    assert points(GROUND, start.state.control) == 0


def test_3_3_off_board_areas(start: Table) -> None:
    """Trucks and aircraft wait off the board."""
    assert pieces(start, "axis-base") == "axis-truck 2, axis-fighter 3, axis-bomber 1"
    assert pieces(start, "allied-base") == "allied-truck 5, allied-fighter 9, allied-bomber 3"


def test_3_4_charts_of_armies_and_edges(start: Table) -> None:
    """Three Allied charts, one Axis chart for three armies; every formation has a turn."""
    charts = {chart["id"]: chart for chart in start.game.components()["charts"]}
    assert set(charts) == {"north", "south", "west", "5-panzer-army", "6-panzer-army", "7-army"}
    assert all(1 <= formation["turn"] <= 8 for chart in charts.values() for formation in chart["formations"])


def test_3_5_strips_in_order(combat: Callable[..., Table]) -> None:
    """Infantry, tanks, artillery, trucks, supply."""
    lines = (
        "0806 axis-infantry 1, axis-supply 1\n0805 allied-infantry 1, allied-tank 1, allied-truck 1, allied-supply 3"
    )
    table = combat("axis", lines).play("attack 0806 0805")
    strips = table.game.view.observe(table.state, "axis")["panels"][0]
    squares = [square["unit"].split("-")[1] for square in strips["rows"][0]["squares"]]
    assert squares == ["infantry", "tank", "truck", "supply"]
