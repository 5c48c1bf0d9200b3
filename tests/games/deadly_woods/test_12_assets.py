"""The Deadly Woods: chapter 12, assets."""

from __future__ import annotations

import pytest

from games.deadly_woods.positions import (
    ASSETS,
    GROUND,
    OPEN,
    PLAIN_GAME,
    RING,
    UNITS,
    asset,
    hexagon,
    holding,
    lost,
    odds_of,
    points_to,
    reach,
    shifts_of,
    way_of,
    where,
)
from salient.games.deadly_woods.combat import nebelwerfer_strength
from table import Table


def test_12_1_assets_leave_when_their_time_is_over(drawing):
    """Traffic after turn 3, Greif after turn 4."""
    three = drawing({"supply": 1}, "4019 12VG/27\n2520 Traffic, Greif", turn=3).play("draw supply")
    assert (asset(three, "Traffic"), asset(three, "Greif")) == ("gone", "box")
    four = drawing({"supply": 1}, "4019 12VG/27\n2520 Greif", turn=4).play("draw supply")
    assert asset(four, "Greif") == "gone"


def test_12_2_one_artillery_and_one_nebelwerfer_a_combat(fighting):
    """After one of each the German has no further choice."""
    table = fighting("german", f"{OPEN} 99/393\n2416 12VG/27\nbox 5Pz-Art1, 5Pz-Art2, 5Pz-Neb1, 5Pz-Neb2")
    table.play(f"attack {OPEN}", "join 12VG/27", "resolve", "support 5Pz-Art1")
    nebelwerfer = ["double 5Pz-Neb1", "double 5Pz-Neb2", "resolve", "support 5Pz-Neb1", "support 5Pz-Neb2"]
    assert table.candidates() == nebelwerfer
    table.play("support 5Pz-Neb1")
    assert table.candidates() == ["resolve"]
    assert table.refusal("support 5Pz-Neb2") == ("12.2", "enough-guns")
    table.play("resolve")
    assert table.actor == "chance"
    assert asset(table, "5Pz-Art1") == "used"


def test_12_2_a_doubled_nebelwerfer_comes_back_two_turns_later(fighting):
    """Doubled on turn 4 it stands on the track for turn 6."""
    table = fighting("german", f"{OPEN} 99/393\n2416 12VG/27\nbox 5Pz-Neb1")
    table.play(f"attack {OPEN}", "join 12VG/27", "resolve")
    single, double = (odds_of(table, f"{verb} 5Pz-Neb1")["attack"] for verb in ("support", "double"))
    assert double - UNITS.values[UNITS.index["12VG/27"]][0][0] == 2 * (
        single - UNITS.values[UNITS.index["12VG/27"]][0][0]
    )
    assert asset(table.play("double 5Pz-Neb1", "resolve"), "5Pz-Neb1") == "turn-6"


@pytest.mark.parametrize(
    ("label", "change"), [(OPEN, 1), ("2617", -1), ("3410", -1), ("2820", -2), ("2519", -2), ("2520", 0)]
)
def test_12_2_terrain_changes_nebelwerfer(label, change):
    """Clear +1, village or forest -1, rough or town -2, woods nothing: the worst counts."""
    a = ASSETS.index["6Pz-Neb1"]
    assert nebelwerfer_strength(PLAIN_GAME.new(), a, hexagon(label), False) == ASSETS.strength[a] + change


def test_12_2_nebelwerfer_do_not_defend_and_guns_stay_in_their_zone(fighting):
    """On turn 2 guns of 7th Army are not offered in the zone of 5th Panzer Army; in defence only artillery is."""
    table = fighting("german", f"{OPEN} 99/393\n2416 12VG/27\nbox 7th-Art1, 5Pz-Art1", turn=2)
    table.play(f"attack {OPEN}", "join 12VG/27", "resolve")
    assert table.choices("support") == ["support 5Pz-Art1"]
    assert table.refusal("support 7th-Art1") == ("12.2", "gun-out-of-zone")
    defence = fighting("allied", f"{OPEN} 12VG/27\n2416 99/393\nbox 5Pz-Art1, 5Pz-Neb1")
    defence.play(f"attack {OPEN}", "join 99/393", "resolve")
    assert defence.choices() == ["resolve", "support 5Pz-Art1"]
    assert defence.refusal("support 5Pz-Neb1") == ("12.2", "nebelwerfer-attack-only")


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


def test_12_3_two_guns_in_any_order(fighting):
    """The second gun of VIII Corps named first leaves the first one free."""
    table = fighting("allied", "2318 28/109\n2218 12VG/27\nbox VIII-Art1, VIII-Art2")
    table.play("attack 2218", "join 28/109", "resolve", "support VIII-Art2")
    assert table.refusal("support VIII-Art2") == ("12.2", "gun-named-already")
    table.play("support VIII-Art1", "resolve")
    assert table.actor == "chance"
    assert [asset(table, gun) for gun in ("VIII-Art1", "VIII-Art2")] == ["used", "used"]


def test_12_3_two_guns_of_the_right_corps(fighting):
    """V Corps guns, two of them, for V Corps; VIII Corps guns are not offered."""
    table = fighting("german", f"{OPEN} 99/393\n2416 12VG/27\nbox V-Art1, V-Art2, VIII-Art1")
    table.play(f"attack {OPEN}", "join 12VG/27", "resolve")
    assert table.choices("support") == ["support V-Art1", "support V-Art2"]
    assert table.refusal("support VIII-Art1") == ("12.3", "guns-of-other-corps")
    table.play("support V-Art1", "support V-Art2", "resolve")
    assert table.actor == "chance"


def test_12_3_airborne_troops_use_the_guns_of_corps_within_three_hexes(fighting):
    """The example: an airborne unit with VII Corps beside it and V Corps near may use the guns of both."""
    lines = f"{OPEN} 82/504, 84/333\n2419 99/393\n2416 12VG/27\nbox V-Art1, VII-Art1, III-Art1"
    table = fighting("german", lines).play(f"attack {OPEN}", "join 12VG/27", "resolve")
    assert table.choices("support") == ["support V-Art1", "support VII-Art1"]


def test_12_3_allied_guns_are_ready_again_after_the_round(fighting):
    """Used in a combat, back in the box at the end of the round."""
    table = fighting("german", f"{OPEN} 99/393\n2416 12VG/27\nbox V-Art1", cup=[0] * 7 + [1] + [0] * 4)
    table.play(f"attack {OPEN}", "join 12VG/27", "resolve", "support V-Art1", "resolve")
    assert asset(table, "V-Art1") == "used"
    table.play("roll 5", "pass")
    assert asset(table, "V-Art1") == "box"


def test_12_3_no_guns_for_two_regiments_of_the_99th_on_turn_1(fighting):
    """393 gets none on turn 1, 395 does."""
    for unit, offered in (("99/393", False), ("99/395", True)):
        table = fighting("german", f"{OPEN} {unit}\n2416 12VG/27\nbox V-Art1", turn=1)
        table.play(f"attack {OPEN}", "join 12VG/27", "resolve")
        assert bool(table.choices("support")) is offered


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


ENGINEERS, GREIF, MOTOR, TRAFFIC, DELAY, WITHDRAWAL = (
    "engineers",
    "greif",
    "motorized",
    "traffic",
    "delay",
    "withdrawal",
)  # phases


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
    assert points_to(table, "14Cav", "2520") == 0.5


def test_12_4_1_engineers_are_deployed_near_their_corps(phase):
    """In a supplied Allied settlement within three hexes of a supplied unit of the corps."""
    table = phase("engineers", "2518 106/422\nbox VIII-Eng")
    places = {choice.split()[2] for choice in table.choices("place VIII-Eng")}
    assert "2519" in places
    assert all(GROUND.board.distance(hexagon("2518"), hexagon(label)) <= 3 for label in places)
    assert all(GROUND.settled >> hexagon(label) & 1 for label in places)
    assert table.refusal("place VIII-Eng 2517") == ("12.4.1", "no-place-for-engineers")


def test_12_4_1_recalled_engineers_miss_a_turn(phase):
    """Recalled on turn 4 they are on the track for turn 5."""
    table = phase("engineers", "2518 106/422\n2519 VIII-Eng").play("recall VIII-Eng", "done")
    assert asset(table, "VIII-Eng") == "turn-5"


def test_12_4_2_engineers_help_defenders_of_their_corps(fighting):
    """V Corps engineers two hexes away: a column for 393, none for a VIII Corps unit, one for airborne and Delay."""
    for unit, helped in (("99/393", True), ("106/422", False), ("101/501", True), ("Delay", True)):
        table = fighting("german", f"{OPEN} {unit}\n2519 V-Eng\n2416 12VG/27").play(f"attack {OPEN}", "join 12VG/27")
        assert ("shift-engineers" in shifts_of(table, "resolve")) is helped
    attack = fighting("allied", f"{OPEN} 12VG/27\n2519 V-Eng\n2416 99/393").play(f"attack {OPEN}", "join 99/393")
    assert "shift-engineers" not in shifts_of(attack, "resolve")


def test_12_4_2_engineers_alone_are_not_attacked(fighting):
    """Nothing to attack where only engineers are."""
    table = fighting("german", f"2519 V-Eng\n2418 12VG/27\n{OPEN} 99/393\n2416 26VG/39")
    assert table.choices("attack") == [f"attack {OPEN}"]


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


def test_12_4_3_engineers_blow_bridges_in_a_movement_round(mc_round):
    """One bridge within three hexes with an Allied unit beside it; not in a combat round."""
    lines = "2616 106/422\n2617 VIII-Eng\n4019 12VG/27"
    table = mc_round("allied", "move", lines)
    assert table.choices("demolish") == ["demolish VIII-Eng 2615/2616"]
    table.play("demolish VIII-Eng 2615/2616")
    assert table.state.blown >> GROUND.bridge_names.index("2615/2616") & 1
    assert not table.choices("demolish")
    assert not mc_round("german", "move", lines).choices("demolish")


def test_12_4_4_a_german_pays_everything_to_enter_an_engineers_hex(moving):
    """From 2618 a German reaches the engineers in 2617 only as a first step; they come back two turns later."""
    table = moving("german", "2618 12VG/27\n2617 VIII-Eng", turn=4)
    assert points_to(table, "12VG/27", "2617") == 3
    table.play("select 12VG/27", "move 12VG/27 2617")
    assert asset(table, "VIII-Eng") == "turn-6"
    far = moving("german", "2719 12VG/27\n2617 VIII-Eng", turn=4)
    assert "2617" not in reach(far, "12VG/27")


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


def test_12_5_greif_slows_allied_road_movement(moving):
    """Two points_to more to enter its hex by road, none off the road."""
    assert points_to(moving("allied", "2519 14Cav\n2418 Greif"), "14Cav", "2418") == 2  # off the road is as cheap
    assert points_to(moving("allied", "2519 14Cav\n2520 Greif"), "14Cav", "2520") == 2.5
    assert points_to(moving("german", "2519 150Bde\n2520 Greif"), "150Bde", "2520") == 0.5


def test_12_5_infantry_may_leave_the_road_for_greif(moving):
    """Greif at 2419 costs nothing to those who cross the clear ground there on foot."""
    assert points_to(moving("allied", "2519 99/393\n2419 Greif"), "99/393", "2419") == 1
    assert points_to(moving("allied", "2523 99/393\n2524 Greif"), "99/393", "2524") == 2


def test_12_5_greif_keeps_away_from_engineers(phase):
    """Not in or next to a hex with engineers."""
    table = phase(GREIF, "1408 106/422\n2519 VIII-Eng\nbox Greif", turn=3)
    assert not {"place Greif 2519", "place Greif 2520"} & set(table.choices())


def test_12_5_greif_is_placed_away_from_allies(phase):
    """Not in or next to Allied units or engineers; on turn 2 only in the zone of 6th Panzer Army."""
    table = phase("greif", "2519 99/393\nbox Greif", turn=3)
    assert "place Greif 2520" not in table.choices()
    assert "place Greif 2522" in table.choices()
    two = phase("greif", "2519 99/393\nbox Greif", turn=2)
    assert all(GROUND.army_zone["6"] >> hexagon(c.split()[2]) & 1 for c in two.choices("place Greif"))


def test_12_5_the_hex_of_greif_is_changed_until_done(phase):
    """Nothing is placed and nobody else asked before `done`; taken back, nothing is left."""
    table = phase(GREIF, "2519 99/393\nbox Greif", turn=3)
    named = table.try_all("place Greif 2523", "place Greif 2522")
    assert named.state.key() == table.try_all("place Greif 2522").state.key()
    assert (named.actor, asset(named, "Greif")) == ("german", "box")
    assert named.refusal("place Greif 2522") == ("12.5", "hex-named-already")
    assert named.try_all("drop Greif").state.key() == table.state.key()
    assert asset(named.play("done"), "Greif") == "2522"


def test_12_6_the_unit_with_the_marker_is_changed_until_done(phase):
    table = phase(MOTOR, "4019 12VG/27\n4119 26VG/39\n2519 99/393\nbox Motor", turn=4)
    named = table.try_all("motorize 12VG/27", "motorize 26VG/39")
    assert named.refusal("motorize 26VG/39") == ("12.6", "unit-named-already")
    assert (named.actor, named.state.motor) == ("german", -1)
    assert named.try_all("drop 26VG/39").state.key() == table.state.key()
    assert named.play("done").state.motor == UNITS.index["26VG/39"]


def test_12_6_the_marker_comes_off_next_to_the_enemy(moving):
    """A cavalry group without zone beside the road: riding ends next to it, and so does the marker."""
    rides = moving("german", "4019 12VG/27", motor=UNITS.index["12VG/27"])
    far = max(reach(rides, "12VG/27"), key=lambda label: GROUND.board.distance(hexagon("4019"), hexagon(label)))
    way = way_of(rides, "12VG/27", far)
    beside = next(h for h in GROUND.board.adjacent[way[5]] if h not in way)
    table = moving("german", f"4019 12VG/27\n{GROUND.board.labels[beside]} 14Cav lost=1", motor=UNITS.index["12VG/27"])
    near = GROUND.touching[beside]
    for label in reach(table, "12VG/27"):
        steps = way_of(table, "12VG/27", label)
        assert len(steps) <= 4 or not any(near >> h & 1 for h in steps[:-1])
    stop = next(h for h in way if near >> h & 1)
    table.play("select 12VG/27", f"move 12VG/27 {GROUND.board.labels[stop]}")
    assert table.state.motor == -1


def test_12_6_the_marker_comes_off_when_an_ally_comes_near(phase, moving):
    """The US Delay is deployed beside the riding regiment, or an Allied unit moves there: the marker is lost."""
    rider = phase(DELAY, "2618 12VG/27\nbox Delay", turn=3, motor=UNITS.index["12VG/27"])
    assert rider.play("deploy Delay 2617", "done").state.motor == -1
    table = moving("allied", "2618 12VG/27\n2516 99/393\n1408 99/394", motor=UNITS.index["12VG/27"])
    table.play("select 99/393", "move 99/393 2517")
    assert table.state.motor == UNITS.index["12VG/27"]
    again = moving("allied", "2618 12VG/27\n2616 99/393\n1408 99/394", motor=UNITS.index["12VG/27"])
    assert again.play("select 99/393", "move 99/393 2617").state.motor == -1


def test_12_6_the_marker_comes_off_when_an_ally_passes_by(moving):
    """By one move or hex by hex: from beyond the blown bridge no zone holds the passer up in 3623."""
    plain = moving(
        "allied", "3823 4/12\n3622 276VG/986\n1408 4/8\nblown 3622/3623", motor=UNITS.index["276VG/986"]
    ).play("select 4/12")
    assert "3623" in plain.game.view.preview(plain.state, plain.game.read("move 4/12 3423"))["path"][1:-1]
    led = plain.try_all("via 4/12 3623", "move 4/12 3423")
    assert plain.play("move 4/12 3423").state.key() == led.state.key()
    assert plain.state.motor == -1


def test_12_6_not_for_units_without_supply_road_or_legs(phase):
    """Marked out of supply, off the road, or von der Heydte: refused, each with its reason."""
    table = phase(MOTOR, "4019 12VG/27\n4119 26VG/39 oos\n2420 18VG/293\n2519 VdH\nbox Motor", turn=4)
    assert table.refusal("motorize 26VG/39") == ("12.6", "motor-needs-supply")
    assert table.refusal("motorize 18VG/293") == ("12.6", "motor-needs-road")
    assert table.refusal("motorize VdH") == ("12.7", "never-motorized")


def test_12_6_the_motorized_marker(phase, moving):
    """For supplied infantry on a road, not next to an Ally; it comes off beside one."""
    table = phase("motorized", "4019 12VG/27\n2518 26VG/39\n2517 99/393\n4020 2Pz/3\nbox Motor", turn=4)
    assert table.choices("motorize") == ["motorize 12VG/27"]
    assert table.refusal("motorize 26VG/39") == ("12.6", "motor-near-enemy")
    rider = moving("german", "2718 12VG/27\n2517 99/393", motor=UNITS.index["12VG/27"])
    rider.play("select 12VG/27", "move 12VG/27 2617")
    assert rider.state.motor == -1


def test_12_7_von_der_heydte_never_has_guns(fighting):
    """Attacked alone the battalion gets no artillery."""
    table = fighting("allied", "2517 VdH\n2518 99/393\nbox 5Pz-Art1").play("attack 2517", "join 99/393", "resolve")
    assert table.actor == "chance"


def test_12_7_the_alarm_costs_allies_two_points_until_the_end_of_turn_2(moving, drawing):
    """Two more to enter its hex by any way; it stays after turn 1 and goes after turn 2."""
    assert points_to(moving("allied", "2519 14Cav\n2520 VdH-Alarm", turn=2), "14Cav", "2520") == 2.5
    assert points_to(moving("allied", "2519 99/393\n2419 VdH-Alarm", turn=2), "99/393", "2419") == 3
    for turn, place in ((1, "2520"), (2, "gone")):
        table = drawing({"supply": 1}, "4019 12VG/27\n2520 VdH-Alarm", turn=turn).play("draw supply")
        assert asset(table, "VdH-Alarm") == place


@pytest.mark.parametrize(("face", "place", "alarm"), [(2, "unit", "gone"), (3, "gone", "marker")])
def test_12_7_von_der_heydte_jumps(face, place, alarm):
    """1 or 2: the unit; otherwise a marker that slows the Allies until the end of turn 2."""
    game = PLAIN_GAME
    table = Table(game, game.new()).play("pass", "pass", "pass", "pass")
    jump = table.choices("deploy")[0]
    h = jump.split()[2]
    assert GROUND.army_zone["6"] >> hexagon(h) & 1
    assert not GROUND.settled >> hexagon(h) & 1
    table.play(jump, "done", f"roll {face}")
    assert where(table, "VdH") == (h if place == "unit" else "gone")
    assert (asset(table, "VdH-Alarm") == h) is (alarm == "marker")


def test_12_8_traffic_slows_german_road_movement(moving):
    """Two points_to more to enter its hex by road."""
    assert points_to(moving("german", "2519 150Bde\n2520 Traffic"), "150Bde", "2520") == 2.5
    assert points_to(moving("allied", "2519 14Cav\n2520 Traffic"), "14Cav", "2520") == 0.5


def test_12_8_traffic_is_placed_anew_each_turn_on_any_road(phase):
    """On turn 2 it may go anywhere on a road, even under Germans; not off the road; not on turn 1's asset phase."""
    table = phase(TRAFFIC, "2519 12VG/27\n1408 99/393\nbox Traffic", turn=2)
    assert "place Traffic 2519" in table.choices()
    assert table.refusal("place Traffic 2420") == ("12.8", "no-place-for-marker")
    assert not phase(TRAFFIC, "2519 12VG/27\nbox Traffic", turn=1).choices("place")


def test_12_9_special_reinforcements_come_at_the_start_of_their_turn(phase):
    """Guns on the track for turn 4 are in the box when it begins."""
    table = phase("begin-turn", "2519 99/393\nturn-4 III-Art1\nturn-5 VII-Art1", turn=4)
    assert asset(table, "III-Art1") == "box"
    assert asset(table, "VII-Art1") == "turn-5"


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


def test_12_9_1_the_delay_goes_only_where_supply_reaches(phase):
    """Inside a ring of Germans no village can take it, unless supplied by air."""
    ring = "2617 12VG/27\n2718 26VG/39"
    table = phase(DELAY, f"{ring}\n1408 99/393\nbox Delay", turn=3)
    assert "deploy Delay 2617" not in table.choices()
    cut = phase(DELAY, f"{RING}\nbox Delay", turn=5)
    assert "deploy Delay 2519" not in cut.choices()


def test_12_9_1_the_delay(phase):
    """In a supplied Allied settlement without Allied units while the Germans have the initiative."""
    assert UNITS.values[UNITS.index["Delay"]][0] == (0, 1, 0, False)
    table = phase("delay", "2519 99/393\nbox Delay", turn=3)
    assert "deploy Delay 2617" in table.choices()
    assert "deploy Delay 2519" not in table.choices()
    named = table.try_all("deploy Delay 2617")
    assert named.actor == "allied"
    assert named.refusal("deploy Delay 2617") == ("12.9.1", "hex-named-already")
    assert named.try_all("drop Delay").state.key() == table.state.key()
    assert where(table.play("deploy Delay 2617", "done"), "Delay") == "2617"
    assert not phase("delay", "2519 99/393\nbox Delay", turn=8).choices("deploy")


SS = "4019 1SS/Peiper, 1SS/Hansen\n4018 12SS/Kuhlmann, 12SS/Muller"  # twelve steps


@pytest.mark.parametrize(("lines", "gone"), [(SS, True), (SS.replace("Peiper", "Peiper lost=1"), False)])
def test_12_10_twelve_steps_are_enough(phase, lines, gone):
    """With twelve steps the SS go; with eleven and no points_to the game is lost."""
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
    assert not UNITS.division[UNITS.index["FB"]]


def test_12_10_the_ss_withdraw_on_turn_11(phase):
    """Twelve steps and fewer than three points: they go, guns and all."""
    table = phase("withdrawal", f"{SS}\nbox 6Pz-Art1", turn=11)
    assert where(table, "1SS/Peiper") == "gone"
    assert asset(table, "6Pz-Art1") == "gone"
    assert table.state.withdrawal == 1


def test_12_10_with_three_points_the_german_may_keep_them(phase):
    """He is asked; keeping them he needs three points at the end."""
    table = phase("withdrawal", f"{SS}\n{holding(3)}", turn=11)
    assert table.choices() == ["keep", "pass"]
    assert table.play("keep").state.withdrawal == 2


def test_12_10_too_few_steps(phase):
    """Fewer than twelve: without three points the Allies win at once, with them the SS stay."""
    assert (
        phase("withdrawal", "4019 1SS/Peiper", turn=11)
        .game.result(phase("withdrawal", "4019 1SS/Peiper", turn=11).state)
        .winner
        == "allied"
    )
    assert phase("withdrawal", f"4019 1SS/Peiper\n{holding(3)}", turn=11).state.withdrawal == 2
