"""The Deadly Woods: chapter 15, end of turn."""

from __future__ import annotations

from games.deadly_woods.positions import (
    UNITS,
    asset,
    where,
)
from salient.games.deadly_woods.components import CHITS

FIVE_HELD = "3211 12VG/27\n3107 12VG/48\n2519 26VG/39\n1812 26VG/77\n3102 18VG/293"


def test_15_sudden_death_comes_before_the_surrender(drawing):
    """At the end of turn 2 the fifth point ends the game; nobody surrenders any more."""
    table = drawing({"supply": 1}, f"{FIVE_HELD}\n1408 106/422", turn=2).play("draw supply")
    assert table.game.result(table.state).winner == "german"
    assert not table.said("surrender")


def test_15_the_campaign_goes_on_after_turn_6(drawing):
    """Four points end the attack scenario but not the campaign."""
    four = FIVE_HELD.rsplit("\n", 1)[0]
    assert drawing({"supply": 1}, four, turn=6).play("draw supply").state.turn == 7
    assert drawing({"supply": 1}, four, turn=6, scenario="attack").play("draw supply").actor == "over"


def test_15_all_is_reset_for_the_next_turn(drawing):
    """The round track, counts of reinforcement chits and the marker on the riding unit are cleared."""
    lines = "4019 12VG/27\n2519 99/393\nused Motor"
    changes = {"reinforcements": [2, 2], "motor": UNITS.index["12VG/27"], "track": (CHITS.index("5pz"),)}
    table = drawing({"supply": 1}, lines, turn=4, **changes).play("draw supply")
    assert (table.state.turn, table.state.track, table.state.reinforcements) == (5, (), [0, 0])
    assert (table.state.motor, asset(table, "Motor")) == (-1, "box")


def test_15_supply_marks_and_control_stay(drawing):
    """Only a check takes off marks of lack of supply."""
    table = drawing({"german-mc": 1}, "4019 12VG/27 oos\n2519 99/393", turn=4).play("draw german-mc", "play combat")
    assert table.state.turn == 5
    assert table.state.oos >> UNITS.index["12VG/27"] & 1


def test_15_a_doubled_nebelwerfer_stays_away(drawing):
    """It is on the track for a later turn and the clean-up does not fetch it; the air supply marker stays too."""
    table = drawing({"supply": 1}, "4019 12VG/27\nturn-6 5Pz-Neb1\n2519 Air", turn=4).play("draw supply")
    assert asset(table, "5Pz-Neb1") == "turn-6"
    assert asset(table, "Air") == "2519"
    assert table.state.turn == 5


def test_15_clean_up(drawing):
    """Used guns come back, the Delay goes to its box, bridges may be built again, engineers stay."""
    lines = "4019 12VG/27\n2519 Delay\n2617 VIII-Eng\nused 5Pz-Art1, 5Pz-Neb1"
    table = drawing({"supply": 1}, lines, turn=7, built=7, mc_played=3).play("draw supply")
    assert (asset(table, "5Pz-Art1"), asset(table, "5Pz-Neb1")) == ("box", "box")
    assert where(table, "Delay") == "box"
    assert asset(table, "VIII-Eng") == "2617"
    assert (table.state.built, table.state.mc_played, table.state.turn) == (0, 0, 8)
