"""The rulebook's own examples as golden games, corrected by the official rulings."""

from __future__ import annotations

from collections.abc import Callable

from games.bulge.positions import GROUND, pieces, position, throw
from table import Table

MARTELANGE = """
0806 axis-infantry 1, axis-tank 2, axis-artillery 1, axis-supply 2
0805 allied-infantry 2, allied-tank 1, allied-truck 1, allied-supply 1
"""


def test_6_8_example_eight_dice_against_martelange(combat: Callable[..., Table]) -> None:
    """1, 3, 3, 4, 5, 8, 8, 10: tank, truck and supply are destroyed, one infantry must retreat."""
    table = combat("axis", MARTELANGE).play("attack 0806 0805", "resolve")
    assert table.state.stack[-1].dice == 8
    throw(table, 1, 3, 3, 4, 5, 8, 8, 10)
    assert table.choices("retreat") == [f"retreat allied-infantry-0805 {to}" for to in ("0705", "0804", "0905")]
    table.play("retreat allied-infantry-0805 0804")
    assert pieces(table, "0805") == "allied-infantry 1"
    assert pieces(table, "0804") == "allied-infantry 1"


def test_6_4_example_two_directions_cost_two_tokens(combat: Callable[..., Table]) -> None:
    """The Axis could have attacked to the north-west as well, for a second token."""
    table = combat("axis", MARTELANGE + "0706 allied-infantry 1")
    table.play("attack 0806 0706", "attack 0806 0805", "send axis-tank-0806 0805 2", "resolve")
    assert pieces(table, "0806") == "axis-infantry 1, axis-tank 2, axis-artillery 1"
    assert table.choices() == ["fight 0706", "fight 0805"]


def test_6_15_example_nine_defenders(combat: Callable[..., Table]) -> None:
    """Seven of ten dice hit and are rolled again: 3, 6, 6, 7, 9, 11, 12."""
    lines = """
    0805 allied-infantry 2, allied-tank 4, allied-supply 1
    0806 axis-infantry 3, axis-tank 3, axis-artillery 2, axis-truck 1
    """
    table = combat("allied", lines).play("attack 0805 0806", "resolve")
    throw(table, 1, 2, 4, 4, 5, 6, 6, 7, 10, 11, 3, 6, 6, 7, 9, 11, 12)
    destroyed = {event.args["word_kind"]: event.args["n"] for event in table.said("destroyed")}
    assert destroyed == {"infantry": 1, "tank": 1, "truck": 1}
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    table.play("done")
    assert pieces(table, "0806") == "axis-infantry 1, axis-tank 2, axis-artillery 1"
    assert sum(event.args["n"] for event in table.said("retreats")) == 2


def test_5_9_example_anti_aircraft_fire_wraps_by_the_ruling() -> None:
    """1, 3, 4, 8 by four kinds of pieces: a fighter and the bomber fall; the 4 wraps to the fighter hit already."""
    lines = """
    0705 axis-infantry 1, axis-tank 1, axis-artillery 1, axis-truck 1, allied-fighter 2, allied-bomber 1
    """
    table = throw(position(lines, f"Turn(air-combat) AntiAircraft(0,{GROUND.board.index['0705']})", 5), 1, 3, 4, 8)
    assert {event.args["word_kind"]: event.args["n"] for event in table.said("shot-down")} == {
        "fighter": 1,
        "bomber": 1,
    }


def test_7_1_example_the_truck_in_ortheuville_stays() -> None:
    """Germans in Bastogne hold Ortheuville in their zone; the truck of Marche may return."""
    lines = """
    0705 axis-infantry 1
    0604 allied-truck 1
    0504 allied-truck 1
    """
    table = position(lines, "Turn(truck-return) TruckReturn(1,[])")
    assert table.choices("return") == ["return allied-truck-0504 1"]
    assert table.refusal("return allied-truck-0604 1") == ("7.1", "truck-in-zone")
    table.play("return allied-truck-0504 1", "done")
    assert [event.args["n"] for event in table.said("trucks-return")] == [1]
    assert pieces(table, "0504") == ""


def test_7_5_example_a_tank_stops_in_bastogne(moving: Callable[..., Table]) -> None:
    """Rolling west it enters the zone of the Allies in Ortheuville and cannot go on."""
    table = moving("axis", "0706 axis-tank 1, axis-supply 1\n0604 allied-infantry 1\nfront 0706 0705")
    reach = {text.split()[2] for text in table.play("activate 0706").choices("move")}
    assert "0705" in reach
    assert not reach & {"0604", "0503", "0704"}


def test_7_12_example_infantry_overruns_a_truck_and_two_tokens(moving: Callable[..., Table]) -> None:
    """The truck and the supply change hands when the front line is drawn."""
    lines = "0704 allied-infantry 1, allied-supply 1\n0803 axis-truck 1, axis-supply 2"
    table = moving("allied", lines).play("activate 0704", "move allied-infantry-0704 0803 1", "pass", "pass")
    assert table.actor == "allied"
    table.play("capture axis-truck-0803 1", "capture axis-supply-0803 2", "done")
    assert pieces(table, "0803") == "allied-infantry 1, allied-truck 1, allied-supply 2"


def test_9_2_example_bastogne_and_vielsalm(upkeep: Callable[..., Table]) -> None:
    """Bastogne and the hex to its south-east fall; the city to its north-east holds Allied supply and does not."""
    table = upkeep("0406 axis-tank 2\n0705 axis-infantry 1\n0605 allied-supply 1")
    held = {label for h, label in enumerate(GROUND.board.labels) if table.state.control >> h & 1}
    assert {"0406", "0705", "0805"} <= held
    assert not held & {"0605", "0706"}
