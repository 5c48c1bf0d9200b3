"""The Deadly Woods: chapter 16, combat bonus."""

from __future__ import annotations

from games.deadly_woods.positions import (
    OPEN,
    asset,
)


def test_16_1_the_optional_asset_adds_two_once_a_turn(fighting):
    """With the option a 2 becomes a 4."""
    lines = f"{OPEN} 99/393, 99/394\n2417 12VG/27, 12VG/48\nbox Bonus"
    table = fighting("german", lines, turn=2, option="plus-two")
    table.play(f"attack {OPEN}", "join 12VG/27", "resolve", "support Bonus", "resolve", "roll 2")
    assert table.said("combat-result")[0].args["word_result"] == "DR*"
    assert asset(table, "Bonus") == "used"
    late = fighting("german", lines, turn=3, option="plus-two").play(f"attack {OPEN}", "join 12VG/27", "resolve")
    assert late.actor == "chance"
