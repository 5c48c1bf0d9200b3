"""Chapter 12: assets in their finer points."""

from __future__ import annotations

import pytest
from tests.games.deadly_woods.conftest import asset, hexagon, lost, odds_of, reach, shifts_of, where

from salient.games.deadly_woods import model
from salient.games.deadly_woods.model import UNIT
from salient.games.deadly_woods.movement import cost, ways

ENGINEERS, GREIF, MOTOR, TRAFFIC, DELAY, WITHDRAWAL = 1, 2, 3, 4, 5, 6  # phases
RING = "2518 12VG/27\n2418 26VG/39\n2520 26VG/77\n2619 18VG/293\n2618 18VG/294\n2419 62VG/164"  # around Bastogne


def points(table, unit, label):
    return cost(table.state, UNIT[unit], hexagon(label), ways(table.state, UNIT[unit]))


# ---- 12.2, 12.3 Guns ------------------------------------------------------------------------------


def test_12_2_each_german_gun_fires_once_a_turn(fighting):
    """A battery used on the attack cannot answer later in the turn."""
    table = fighting("german", "2517 99/393\n2518 12VG/27\nused 5Pz-Art1\nbox 5Pz-Art2")
    table.play("attack 2517", "join 12VG/27", "resolve")
    assert table.choices("support") == ["support 5Pz-Art2"]
    assert table.refusal("support 5Pz-Art1") == ("12.2", "guns-used")


def test_12_2_german_artillery_defends_too(fighting):
    """Attacked by the Allies the German adds the battery to his defence."""
    table = fighting("allied", "2517 12VG/27\n2518 99/393, 99/394\nbox 5Pz-Art1")
    table.play("attack 2517", "join 99/393", "join 99/394", "resolve")
    assert (table.actor, table.choices("support")) == ("german", ["support 5Pz-Art1"])
    assert odds_of(table, "support 5Pz-Art1")["defence"] == odds_of(table, "resolve")["defence"] + 3


def test_12_3_allied_guns_serve_cut_off_defenders_near_a_supplied_unit_of_the_corps(fighting):
    """Bastogne is surrounded: V Corps fires for its regiment only with a supplied unit of V Corps within three."""
    attack = ("attack 2519", "join 26VG/39", "resolve")
    near = fighting("german", f"2519 99/393\n{RING}\n2516 2/9\nbox V-Art1").play(*attack)
    assert near.choices("support") == ["support V-Art1"]
    far = fighting("german", f"2519 99/393\n{RING}\n1408 2/9\nbox V-Art1").play(*attack)
    assert not far.choices("support")


def test_12_3_airborne_troops_cut_off_use_any_corps_nearby(fighting):
    """The example: an airborne regiment near a supplied V Corps unit and stacked with VII Corps may have both."""
    lines = "2519 101/501, 84/333\n2518 12VG/27\n2319 99/393\nbox V-Art1, VII-Art1, VIII-Art1"
    table = fighting("german", lines).play("attack 2519", "join 12VG/27", "resolve")
    assert table.choices("support") == ["support V-Art1", "support VII-Art1"]
    assert table.play("support V-Art1").choices("support") == ["support VII-Art1"]


def test_12_7_von_der_heydte_never_has_guns(fighting):
    """Attacked alone the battalion gets no artillery."""
    table = fighting("allied", "2517 VdH\n2518 99/393\nbox 5Pz-Art1").play("attack 2517", "join 99/393", "resolve")
    assert table.actor == "chance"


def test_12_9_1_the_delay_has_engineers_of_any_corps_but_no_guns(fighting):
    """VII Corps engineers help it; its defence is 1 and 1 more in a village; no battery answers."""
    table = fighting("german", "2617 Delay\n2616 12VG/27\n2519 VII-Eng\nbox V-Art1, VII-Art1")
    table.play("attack 2617", "join 12VG/27")
    assert shifts_of(table, "resolve")["shift-engineers"] == -1
    assert odds_of(table, "resolve")["defence"] == 2
    assert table.play("resolve").actor == "chance"


@pytest.mark.parametrize(("face", "place"), [(2, "box"), (3, "box")])
def test_12_9_1_lost_or_driven_off_the_delay_returns_to_its_box(fighting, face, place):
    """A step loss (face 2) or a retreat (face 3) sends it back, not to the eliminated."""
    table = fighting("german", "2517 Delay\n2518 2Pz/3, 2Pz/304").play("attack 2517", "join 2Pz/3", "join 2Pz/304")
    table.play("resolve", f"roll {face}")
    while table.choices("lose"):
        table.play(table.choices("lose")[0])
    assert where(table, "Delay") == place


# ---- 12.4 Engineers -------------------------------------------------------------------------------


def test_12_4_1_they_need_a_supplied_unit_of_their_own_corps(phase):
    """VIII Corps engineers do not go near V Corps units or a unit that is cut off."""
    assert not phase(ENGINEERS, "2518 99/393\nbox VIII-Eng").choices("place")
    cut = phase(ENGINEERS, f"2519 106/422\n{RING}\nbox VIII-Eng")
    assert not cut.choices("place")


def test_12_4_1_air_supply_is_supply(phase):
    """With the air supply marker in Bastogne engineers may join the garrison."""
    table = phase(ENGINEERS, f"2519 106/422\n{RING}\nbox VIII-Eng\n2519 Air", turn=6)
    assert "place VIII-Eng 2519" in table.choices()


def test_12_4_1_recalls_come_before_deployments(phase):
    """VII Corps engineers leave Bastogne and those of VIII Corps take their place in the same phase."""
    table = phase(ENGINEERS, "2518 106/422\n2519 VII-Eng\nbox VIII-Eng")
    assert "place VIII-Eng 2519" not in table.choices()
    table.play("recall VII-Eng", "place VIII-Eng 2519")
    assert table.refusal("drop VII-Eng") == ("12.4.1", "place-taken-over")
    table.play("done")
    assert (asset(table, "VII-Eng"), asset(table, "VIII-Eng")) == ("turn-5", "2519")


def test_12_4_1_engineers_are_named_in_any_order(phase):
    """Those of VIII Corps first or those of V Corps first: both are deployed, and either can be taken back."""
    lines = "2519 28/109\n3406 2/9\nbox VIII-Eng, V-Eng\n4502 3PG/8"
    table = phase(ENGINEERS, lines)
    eighth, fifth = table.choices("place VIII-Eng")[0], table.choices("place V-Eng")[0]
    both = table.try_all(eighth, fifth)
    assert both.state.key() == table.try_all(fifth, eighth).state.key()
    assert both.refusal(eighth) == ("12.4.1", "deployed-already")
    assert both.try_all("drop VIII-Eng", "drop V-Eng").state.key() == table.state.key()
    both.play("drop V-Eng", "done")
    assert (asset(both, "VIII-Eng"), asset(both, "V-Eng")) == (eighth.split()[2], "box")


def test_12_4_1_on_turn_1_engineers_stay(phase):
    """V Corps engineers in Elsenborn cannot be recalled on turn 1."""
    assert not phase(ENGINEERS, "3406 V-Eng\n3505 99/395", turn=1).choices("recall")


def test_12_4_1_engineers_lift_no_zones_and_hinder_nobody(moving):
    """A friend drives through their hex at the road rate."""
    table = moving("allied", "2519 14Cav\n2520 VIII-Eng")
    assert points(table, "14Cav", "2520") == 0.5


def test_12_4_2_engineers_do_not_help_attackers_or_other_corps(fighting):
    """No column for a defender of another corps, or four hexes away."""
    other = fighting("german", "2517 99/393\n2518 12VG/27\n2416 VIII-Eng").play("attack 2517", "join 12VG/27")
    assert "shift-engineers" not in shifts_of(other, "resolve")
    far = fighting("german", "2517 106/422\n2518 12VG/27\n2521 VIII-Eng").play("attack 2517", "join 12VG/27")
    assert "shift-engineers" not in shifts_of(far, "resolve")


def test_12_4_3_each_engineer_blows_one_bridge_a_round_and_only_in_movement_rounds(mc_round, playing):
    """Patton's and the combat round offer none."""
    lines = "2615 106/422\n2617 VIII-Eng\n4019 12VG/27\n2519 4A/CCA"
    assert mc_round("allied", "move", lines).choices("demolish")
    assert not mc_round("allied", "combat", lines).choices("demolish")
    assert not playing("patton-monty", lines, turn=6).play("play patton").choices("demolish")


def test_12_4_3_the_delay_is_guard_enough(mc_round):
    """The US Delay at the bridge of Houffalize lets engineers blow it."""
    table = mc_round("allied", "move", "2616 Delay\n2617 VIII-Eng\n2519 106/422\n4019 12VG/27")
    assert table.choices("demolish") == ["demolish VIII-Eng 2615/2616"]


def test_12_4_4_an_advance_displaces_engineers_for_two_turns(fighting):
    """The defender retreats from the engineers' hex, the attacker enters: they come back two turns later."""
    table = fighting("german", "2517 106/422\n2517 VIII-Eng\n2518 2Pz/3, 2Pz/304", turn=3)
    table.play("attack 2517", "join 2Pz/3", "join 2Pz/304", "resolve", "roll 3")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    table.play("advance 2Pz/3", "done")
    assert asset(table, "VIII-Eng") == "turn-5"


def test_12_4_4_tanks_that_may_not_use_the_road_do_not_enter_a_forest(moving):
    """Stacked tanks in 2523 cannot follow the road into the engineers' forest hex 2524; alone they can."""
    alone = moving("german", "2523 2Pz/3\n2524 III-Eng")
    assert "2524" in reach(alone, "2Pz/3")
    stacked = moving("german", "2523 2Pz/3, 2Pz/304\n2524 III-Eng")
    assert "2524" not in reach(stacked, "2Pz/3")


def test_12_4_4_the_armour_step_displaces_engineers_too(mc_round):
    """In a combat round tanks step into the engineers' hex."""
    table = mc_round("german", "combat", "2519 2Pz/3\n2418 VIII-Eng\n1408 99/393", turn=4)
    table.play("select 2Pz/3", "move 2Pz/3 2418")
    assert asset(table, "VIII-Eng") == "turn-6"


# ---- 12.5 to 12.9 Markers -------------------------------------------------------------------------


def test_12_5_infantry_may_leave_the_road_for_greif(moving):
    """Greif at 2419 costs nothing to those who cross the clear ground there on foot."""
    assert points(moving("allied", "2519 99/393\n2419 Greif"), "99/393", "2419") == 1
    assert points(moving("allied", "2523 99/393\n2524 Greif"), "99/393", "2524") == 2


def test_12_5_greif_keeps_away_from_engineers(phase):
    """Not in or next to a hex with engineers."""
    table = phase(GREIF, "1408 106/422\n2519 VIII-Eng\nbox Greif", turn=3)
    assert not {"place Greif 2519", "place Greif 2520"} & set(table.choices())


def test_12_6_the_marker_comes_off_when_an_ally_comes_near(phase, moving):
    """The US Delay is deployed beside the riding regiment, or an Allied unit moves there: the marker is lost."""
    rider = phase(DELAY, "2618 12VG/27\nbox Delay", turn=3, motor=UNIT["12VG/27"])
    assert rider.play("deploy Delay 2617").state.motor == -1
    table = moving("allied", "2618 12VG/27\n2516 99/393\n1408 99/394", motor=UNIT["12VG/27"])
    table.play("select 99/393", "move 99/393 2517")
    assert table.state.motor == UNIT["12VG/27"]
    again = moving("allied", "2618 12VG/27\n2616 99/393\n1408 99/394", motor=UNIT["12VG/27"])
    assert again.play("select 99/393", "move 99/393 2617").state.motor == -1


def test_12_6_not_for_units_without_supply_road_or_legs(phase):
    """Marked out of supply, off the road, or von der Heydte: refused, each with its reason."""
    table = phase(MOTOR, "4019 12VG/27\n4119 26VG/39 oos\n2420 18VG/293\n2519 VdH\nbox Motor", turn=4)
    assert table.refusal("motorize 26VG/39") == ("12.6", "motor-needs-supply")
    assert table.refusal("motorize 18VG/293") == ("12.6", "motor-needs-road")
    assert table.refusal("motorize VdH") == ("12.7", "never-motorized")


def test_12_7_the_alarm_costs_allies_two_points_until_the_end_of_turn_2(moving, drawing):
    """Two more to enter its hex by any way; it stays after turn 1 and goes after turn 2."""
    assert points(moving("allied", "2519 14Cav\n2520 VdH-Alarm", turn=2), "14Cav", "2520") == 2.5
    assert points(moving("allied", "2519 99/393\n2419 VdH-Alarm", turn=2), "99/393", "2419") == 3
    for turn, place in ((1, "2520"), (2, "gone")):
        table = drawing({"supply": 1}, "4019 12VG/27\n2520 VdH-Alarm", turn=turn).play("draw supply")
        assert asset(table, "VdH-Alarm") == place


def test_12_8_traffic_is_placed_anew_each_turn_on_any_road(phase):
    """On turn 2 it may go anywhere on a road, even under Germans; not off the road; not on turn 1's asset phase."""
    table = phase(TRAFFIC, "2519 12VG/27\n1408 99/393\nbox Traffic", turn=2)
    assert "place Traffic 2519" in table.choices()
    assert table.refusal("place Traffic 2420") == ("12.8", "no-place-for-marker")
    assert not phase(TRAFFIC, "2519 12VG/27\nbox Traffic", turn=1).choices("place")


def test_12_9_1_the_delay_goes_only_where_supply_reaches(phase):
    """Inside a ring of Germans no village can take it, unless supplied by air."""
    ring = "2617 12VG/27\n2718 26VG/39"
    table = phase(DELAY, f"{ring}\n1408 99/393\nbox Delay", turn=3)
    assert "deploy Delay 2617" not in table.choices()
    cut = phase(DELAY, f"{RING}\nbox Delay", turn=5)
    assert "deploy Delay 2519" not in cut.choices()


# ---- 12.10 The SS ---------------------------------------------------------------------------------

SS = "4019 1SS/Peiper, 1SS/Hansen\n4018 12SS/Kuhlmann, 12SS/Muller"  # twelve steps


@pytest.mark.parametrize(("lines", "gone"), [(SS, True), (SS.replace("Peiper", "Peiper lost=1"), False)])
def test_12_10_twelve_steps_are_enough(phase, lines, gone):
    """With twelve steps the SS go; with eleven and no points the game is lost."""
    table = phase(WITHDRAWAL, lines, turn=11)
    assert (where(table, "1SS/Hansen") == "gone") is gone
    assert (table.actor == "over") is not gone


def test_12_10_guns_count_as_steps(phase):
    """Eleven steps of units and a battery of 6th Panzer Army make twelve."""
    table = phase(WITHDRAWAL, f"{SS.replace('Peiper', 'Peiper lost=1')}\nused 6Pz-Neb1", turn=11)
    assert where(table, "1SS/Peiper") == "gone"
    assert asset(table, "6Pz-Neb1") == "gone"


def test_12_10_units_out_of_supply_stay(phase):
    """A marked battle group is not withdrawn; the Führer Begleit Brigade goes, the 10th SS stays."""
    table = phase(WITHDRAWAL, f"{SS.replace('Peiper', 'Peiper oos')}\n4219 FB, 10SS/21", turn=11)
    assert where(table, "1SS/Peiper") == "4019"
    assert where(table, "FB") == "gone"
    assert where(table, "10SS/21") == "4219"
    assert lost(table, "1SS/Peiper") == 0
    assert not model.DIVISION[UNIT["FB"]]
