"""Chapters 1 to 4: pieces, set-up, zones of control."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.bulge.conftest import pieces, position
from salient import load
from salient.games.bulge import model
from salient.games.bulge.model import ALLIED, ARTILLERY, AXIS, BOARD, COMBAT_KINDS, FORMATIONS, KINDS, SETUP, TRUCK
from salient.games.bulge.upkeep import points
from salient.hexes.masks import mask_of
from salient.kernel import CHANCE, actor
from table import Table


@pytest.fixture
def start() -> Table:
    game = load("bulge")
    return Table(game, game.new())


def stacks(nation: str, kind: int) -> int:
    """The stacks of a kind at the start, and one for each turn of a chart: each needs a piece of the box."""
    side = AXIS if nation == "axis" else ALLIED
    on_board = sum(1 for _, owner, counted in SETUP if owner == side and counted[kind] and nation != "uk")
    charts = {
        (model.FORMATION_CHART[f], model.FORMATION_TURN[f])
        for f in range(len(FORMATIONS))
        if model.FORMATION_NATION[f] == nation and model.FORMATION_PIECES[f][kind]
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
    british = [f for f, nation in enumerate(model.FORMATION_NATION) if nation == "uk"]
    assert all(any(model.FORMATION_PIECES[f][kind] for f in british) for kind in COMBAT_KINDS)
    assert sum(model.FORMATION_PIECES[f][ARTILLERY] for f in british) == 1


def test_1_2_pieces_of_a_kind_are_counted(start: Table) -> None:
    """A stack says how many it holds."""
    assert pieces(start, "0509") == "axis-infantry 3, axis-tank 2, axis-artillery 1"


def test_2_1_eight_turns_of_four_phases(start: Table) -> None:
    """The first decision of turn 1 is the Axis attack: nothing flies."""
    assert start.game.heading(start.state) == "Turn 1, ground combat"
    keys = [phase["key"] for phase in start.game.components()["sequence"]]
    assert keys[:3] == ["air-combat", "ground-combat", "truck-return"]
    assert keys[3:] == ["movement", "reinforcement", "movement", "reinforcement", "upkeep"]
    assert start.game.scenarios[0].turns == 8


def test_2_1_turns_by_colour(upkeep: Callable[..., Table]) -> None:
    """Red is turn 1 and white turn 8."""
    assert model.TURN_COLOURS == ("red", "blue", "green", "yellow", "black", "grey", "purple", "white")
    (event,) = upkeep("0209 axis-infantry 1", turn=3).said("turn-begins")
    assert (event.rule, event.args) == ("2.1", {"n_turn": 4, "word_colour": "yellow"})


def test_2_1_the_phases_of_a_turn() -> None:
    """Air combat, ground combat, movement and reinforcement of each side, then the next turn."""
    lines = "0809 axis-infantry 1, axis-supply 4\n0808 allied-infantry 1, allied-supply 4\naxis-base axis-fighter 1"
    table = position(lines, "Turn(2) AirInitiative()", 5)
    seen = []
    while table.state.turn == 5:
        seen.append(f"{table.actor}: {table.game.heading(table.state)}")
        ending = [text for text in table.choices() if text in ("pass", "done")]
        table.play((ending or table.choices())[0])
    assert seen == [
        "chance: Turn 5, air combat",
        "allied: Turn 5, air combat",
        "axis: Turn 5, air combat",
        "chance: Turn 5, ground combat",
        "allied: Turn 5, ground combat",
        "axis: Turn 5, ground combat",
        "axis: Turn 5, axis movement",
        "axis: Turn 5, axis reinforcement",
        "allied: Turn 5, allied movement",
        "allied: Turn 5, allied reinforcement",
    ]


def test_2_2_the_historical_advance_is_worth_23() -> None:
    """One point less than the Axis needs."""
    assert points(mask_of(BOARD.zones["historical-bulge"])) == 23
    assert model.VICTORY_POINTS == 24


def test_2_2_and_10_1_axis_wins_with_24_points(upkeep: Callable[..., Table]) -> None:
    """Twenty-four points end the game at once."""
    table = upkeep("front 0105 0301 1007 0401 0106 0107\n0105 axis-infantry 1", turn=3)
    assert table.actor == "over"
    assert table.game.result(table.state).winner == "axis"


def test_3_1_axis_in_the_east(start: Table) -> None:
    """Every hex on the Axis side of the line lies in the eastern columns."""
    assert all(BOARD.labels[h][2:] >= "07" for h in range(len(BOARD)) if start.state.control >> h & 1)


def test_3_2_pruem_as_printed(start: Table) -> None:
    """Three infantry, two tanks, one artillery."""
    assert pieces(start, "0509") == "axis-infantry 3, axis-tank 2, axis-artillery 1"


def test_3_2_everybody_starts_behind_the_line(start: Table) -> None:
    """Each side has its pieces on its own side of the front, within the limits, and the Axis has no points."""
    assert start.game.check(start.state) == []
    for side in (AXIS, ALLIED):
        assert not model.present(start.state, side) & ~model.owned(start.state, side)
    assert points(start.state.control) == 0


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
    strips = table.game.observe(table.state, "axis")["panels"][0]
    squares = [square["unit"].split("-")[1] for square in strips["rows"][0]["squares"]]
    assert squares == ["infantry", "tank", "truck", "supply"]


def test_4_1_only_combat_units_control_hexes() -> None:
    """Trucks and supply have no zone of control."""
    table = position("0705 allied-truck 1, allied-supply 1\n0804 allied-infantry 1", "Turn(6) Movement(0,0) Move(0)")
    near = {BOARD.labels[h] for h in range(len(BOARD)) if model.zone_of_control(table.state, ALLIED) >> h & 1}
    assert near == {"0704", "0705", "0803", "0805", "0904", "0905"}


def test_4_2_infantry_moves_one_hex_and_crosses_rivers(moving: Callable[..., Table]) -> None:
    """From Burg-Reuland over the Our."""
    table = moving("axis", "0508 axis-infantry 1, axis-supply 1").play("activate 0508")
    assert table.destinations("axis-infantry-0508") == {"0407", "0408", "0507", "0509", "0607", "0608"}


def test_4_3_tanks_by_road_or_one_hex_off_it(moving: Callable[..., Table]) -> None:
    """From Prüm: any length of road, one hex across country, no river without a bridge."""
    table = moving("axis", "0508 axis-tank 1, axis-supply 1").play("activate 0508")
    reach = table.destinations("axis-tank-0508")
    assert {"0407", "0509", "0709", "0607"} <= reach
    assert "0507" not in reach
    assert table.refusal("move axis-tank-0508 0507 1") == ("7.14", "river-without-bridge")


def test_4_3_1_blitz_adds_a_hex_out_of_a_zone(moving: Callable[..., Table]) -> None:
    """A second token: tanks enter the zone of Ortheuville in Bastogne and go one hex more."""
    lines = "0706 axis-tank 2, axis-supply 2\n0604 allied-infantry 1\nfront 0706"
    table = moving("axis", lines).play("activate 0706")
    assert "0704" not in table.destinations("axis-tank-0706")
    table.play("blitz 0706")
    assert pieces(table, "0706") == "axis-tank 2"
    assert "0704" in table.destinations("axis-tank-0706")
    assert table.refusal("blitz 0706") == ("4.3.1", "blitz-paid")


def test_4_4_artillery_moves_one_hex_not_over_rivers(moving: Callable[..., Table]) -> None:
    """Bleialf: the Our bars the way to Burg-Reuland."""
    table = moving("axis", "0508 axis-artillery 1, axis-supply 1").play("activate 0508")
    assert table.destinations("axis-artillery-0508") == {"0407", "0408", "0509", "0607", "0608"}


def test_4_8_supply_does_not_move_but_can_be_hit(combat: Callable[..., Table]) -> None:
    """A hex with supply alone is a target."""
    table = combat("axis", "0806 axis-infantry 1, axis-supply 1\n0805 allied-supply 2")
    table.play("attack 0806 0805", "resolve", "roll 0 0 0 0 0 0 0 1")
    assert pieces(table, "0805") == "allied-supply 1"
    assert actor(table.state) != CHANCE
