"""Chapter 7: zones of control in their finer points."""

from __future__ import annotations

from tests.games.deadly_woods.conftest import hexagon, stage

from salient.common.sides import ALLIED, GERMAN
from salient.games.deadly_woods.zones import binding_zone, zone


def binds(lines, label, side=ALLIED):
    return bool(binding_zone(stage(lines), side) >> hexagon(label) & 1)


def test_7_1_zones_do_not_touch_friends():
    """A zone binds the enemy only."""
    s = stage("2517 12VG/27")
    assert zone(s, GERMAN) >> hexagon("2518") & 1
    assert not zone(s, ALLIED) >> hexagon("2518") & 1


def test_7_2_german_tanks_control_the_westwall_and_no_woods():
    """The limit of the Westwall is for Allied units; woods stop tanks of both sides."""
    tanks = stage("3609 2Pz/3")
    assert zone(tanks, GERMAN) >> hexagon("3709") & 1
    off_road = stage("2420 2Pz/3")
    assert not zone(off_road, GERMAN) >> hexagon("2520") & 1


def test_7_3_friends_and_the_delay_lift_zones_engineers_do_not():
    """For supply and retreat a unit or the US Delay lifts the zone of its hex; engineers do not."""
    assert binds("2517 12VG/27", "2518")
    assert not binds("2517 12VG/27\n2518 99/393", "2518")
    assert not binds("2517 12VG/27\n2518 Delay", "2518")
    assert binds("2517 12VG/27\n2518 VIII-Eng", "2518")


def test_7_3_the_westwall_lifts_zones_for_germans_only():
    """Allied infantry at 3609 does not bind Germans in 3709; a German zone there binds Allies."""
    assert not binds("3609 99/394", "3709", GERMAN)
    assert binds("3708 12VG/27", "3709", ALLIED)


def test_7_3_zones_force_no_combat(fighting):
    """Next to the enemy a side may pass."""
    assert "pass" in fighting("german", "2517 99/393\n2518 12VG/27").choices()


def test_7_3_the_brigade_goes_straight_to_the_next_hex(moving):
    """2023 is cheaper by the road round 1923, but the trick is one direct step from zone to zone."""
    table = moving("german", "2022 150Bde\n2123 99/393\n1823 99/394", turn=3).play("select 150Bde")
    table.play("infiltrate 150Bde 2023")
    assert table.said("moves")[0].args["hexes"] == (hexagon("2022"), hexagon("2023"))
