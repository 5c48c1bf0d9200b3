"""Battle of the Bulge: chapter 2, turn."""

from __future__ import annotations

from collections.abc import Callable

from games.bulge.positions import GROUND, TABLES, position
from salient.games.bulge.upkeep import points
from salient.hexes.masks import mask_of
from table import Table


def test_2_1_eight_turns_of_four_phases(start: Table) -> None:
    """The first decision of turn 1 is the Axis attack: nothing flies."""
    assert start.game.view.heading(start.state) == "Turn 1, ground combat"
    keys = [phase["key"] for phase in start.game.components()["sequence"]]
    assert keys[:3] == ["air-combat", "ground-combat", "truck-return"]
    assert keys[3:] == ["movement", "reinforcement", "movement", "reinforcement", "upkeep"]
    assert start.game.scenarios[0].turns == 8


def test_2_1_turns_by_colour(upkeep: Callable[..., Table]) -> None:
    """Red is turn 1 and white turn 8."""
    assert TABLES.turn_colours == ("red", "blue", "green", "yellow", "black", "grey", "purple", "white")
    (event,) = upkeep("0209 axis-infantry 1", turn=3).said("turn-begins")
    assert (event.rule, event.args) == ("2.1", {"n_turn": 4, "word_colour": "yellow"})


def test_2_1_the_phases_of_a_turn() -> None:
    """Air combat, ground combat, movement and reinforcement of each side, then the next turn."""
    lines = "0809 axis-infantry 1, axis-supply 4\n0808 allied-infantry 1, allied-supply 4\naxis-base axis-fighter 1"
    table = position(lines, "Turn(air-combat) AirInitiative()", 5)
    seen = []
    while table.state.turn == 5:
        seen.append(f"{table.actor}: {table.game.view.heading(table.state)}")
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
    assert points(GROUND, mask_of(GROUND.board.zones["historical-bulge"])) == 23
    assert TABLES.victory_points == 24


def test_2_2_and_10_1_axis_wins_with_24_points(upkeep: Callable[..., Table]) -> None:
    """Twenty-four points end the game at once."""
    table = upkeep("front 0105 0301 1007 0401 0106 0107\n0105 axis-infantry 1", turn=3)
    assert table.actor == "over"
    assert table.game.result(table.state).winner == "axis"
