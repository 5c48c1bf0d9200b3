"""The Deadly Woods: chapter 4, sequence."""

from __future__ import annotations

from games.deadly_woods.positions import (
    ASSETS,
    PLAIN_GAME,
    asset,
    cup_of,
)
from salient.games.deadly_woods.components import CHITS


def test_4_1_the_asset_phase_has_its_order(phase):
    """Engineers, Greif, motorized marker, traffic, Delay; then replacements."""
    lines = "2519 99/393 lost=1\n2518 106/422\n4019 12VG/27\nbox VIII-Eng, Greif, Motor, Traffic, Delay"
    table = phase("begin-turn", lines, turn=3)
    asked = []
    while type(table.state.stack[-1]).__name__ not in ("FirstChit", "Draw"):
        frame = table.state.stack[-1]
        asked.append(getattr(frame, "asset", None) or type(frame).__name__)
        table.play(*table.choices("pass") or table.choices("done"))
    names = [ASSETS.ids[x] if isinstance(x, int) else x for x in asked]
    assert names == ["Engineers", "Greif", "Motorize", "Traffic", "Deploy", "Replace"]


def test_4_1_on_turn_1_no_asset_is_placed_before_the_rounds():
    """The game begins with the German combat round, engineers and markers untouched."""
    from table import Table

    game = PLAIN_GAME
    table = Table(game, game.new())
    assert table.state.track == (CHITS.index("german-mc"),)
    assert asset(table, "Traffic") == "box"
    assert asset(table, "V-Eng") == "3406"


def test_4_2_replacements_follow_the_assets(phase):
    """A reduced, supplied unit is asked for before the cup is filled."""
    table = phase("first-replacements", "2519 99/393 lost=1", turn=4)
    assert table.choices("replace") == ["replace 99/393"]


def test_4_3_the_initiative_opens_and_the_cup_follows(phase):
    """After the first chit of turn 8 the cup holds the rest."""
    table = phase("cup", "2519 4A/CCA", turn=8)
    table.play("first patton-monty", "play patton", "pass")
    assert cup_of(table) == {"german-mc": 2, "formations": 1, "supply": 2, "allied-mc": 2}
    assert table.actor == "chance"


def test_4_4_the_turn_ends_with_points_and_clean_up(drawing):
    """The last chit is drawn: points are counted and the next turn begins."""
    table = drawing({"supply": 1}, "4019 12VG/27\nused 5Pz-Art1", turn=7).play("draw supply")
    assert table.said("points-counted")
    assert table.state.turn == 8
    assert asset(table, "5Pz-Art1") == "box"
