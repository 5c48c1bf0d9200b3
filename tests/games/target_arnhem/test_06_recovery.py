"""Target Arnhem: chapter 6, recovery."""

from __future__ import annotations

from games.target_arnhem.positions import UNITS


def test_6_a_supplied_unit_spends_a_point_to_recover(impulse):
    """A German pays from his pool and loses a point of damage."""
    table = impulse("german", 1, "1504 406 damage=2").play("recover 406 wehrmacht")
    assert table.state.damage[UNITS.ids.index("406")] == 1
    assert table.state.pools[0] == 4


def test_6_recovery_is_the_units_action(impulse):
    """After recovering it cannot move."""
    table = impulse("german", 1, "1504 406 damage=2").play("recover 406 wehrmacht")
    assert table.refusal("move 406 1505") == ("3.3", "acted-already")


def test_6_no_recovery_without_damage_supply_or_points(impulse):
    """Three ways to be refused."""
    assert impulse("german", 1, "1504 406").refusal("recover 406 wehrmacht") == ("6", "not-damaged")
    ring = "0803 501\n0804 502\n0902 506\n0904 504\n1003 505\n1004 508\n0903 406 damage=1"
    assert impulse("german", 1, ring).refusal("recover 406 wehrmacht") == ("6", "recovery-needs-supply")
    broke = impulse("german", 1, "1504 406 damage=1", points="wehrmacht=0 ss=3")
    assert broke.refusal("recover 406 wehrmacht") == ("7.4", "no-points-left")


def test_6_units_in_areas_recover(impulse):
    """Always supplied off the map [7.1]."""
    assert impulse("german", 1, "B 59/A damage=1").choices("recover") == ["recover 59/A wehrmacht"]
