"""The Deadly Woods: chapter 7, zones."""

from __future__ import annotations

from games.deadly_woods.positions import (
    OPEN,
    fight,
    hexagon,
    in_zone,
    lost,
    reach,
    stage,
    way_of,
    where,
)
from salient.common.sides import ALLIED, GERMAN
from salient.games.deadly_woods.zones import binding_zone, zone


def test_7_1_a_zone_covers_all_adjacent_hexes(moving):
    """Infantry at 2517 in the open controls its six neighbours."""
    table = moving("german", "2517 99/393\n4009 150Bde")
    assert all(in_zone(table, label) for label in ("2416", "2417", "2516", "2518", "2616", "2617"))


def test_7_1_circled_units_have_no_zone_but_stack_with_others(moving):
    """A cavalry group on its last step has no zone; with infantry beside it the stack has one."""
    assert not in_zone(moving("german", "2517 14Cav lost=1\n4009 150Bde"), "2516")
    assert in_zone(moving("german", "2517 14Cav lost=1, 106/422\n4009 150Bde"), "2516")


def test_7_1_zones_do_not_touch_friends():
    """A zone binds the enemy only."""
    s = stage("2517 12VG/27")
    assert zone(s, GERMAN) >> hexagon("2518") & 1
    assert not zone(s, ALLIED) >> hexagon("2518") & 1


def test_7_2_no_zone_across_a_river_without_bridge(moving):
    """The Ourthe runs between 2516 and 2515: no zone; the bridge 2414/2415 carries one until it is blown."""
    table = moving("german", "2516 99/393\n4009 150Bde")
    assert not in_zone(table, "2515")
    assert in_zone(moving("german", "2415 99/393\n4009 150Bde"), "2414")
    assert not in_zone(moving("german", "blown 2414/2415\n2415 99/393\n4009 150Bde"), "2414")


def test_7_2_armour_has_no_zone_into_woods_except_by_road(moving):
    """From Bastogne armour controls 2520 by road but not the woods of 2619; infantry controls both."""
    armour = moving("german", "2519 7A/CCB\n4009 150Bde")
    assert in_zone(armour, "2520")
    assert in_zone(armour, "2518")
    assert not in_zone(moving("german", "2420 7A/CCB\n4009 150Bde"), "2520")
    assert in_zone(moving("german", "2420 99/393\n4009 150Bde"), "2520")


def test_7_2_only_allied_infantry_controls_the_westwall(moving):
    """Armour at 3609 has no zone in the Westwall hex 3709 in spite of the road, infantry has."""
    assert not in_zone(moving("german", "3609 7A/CCB\n4009 150Bde"), "3709")
    assert in_zone(moving("german", "3609 99/394\n4009 150Bde"), "3709")


def test_7_2_german_tanks_control_the_westwall_and_no_woods():
    """The limit of the Westwall is for Allied units; woods stop tanks of both sides."""
    tanks = stage("3609 2Pz/3")
    assert zone(tanks, GERMAN) >> hexagon("3709") & 1
    off_road = stage("2420 2Pz/3")
    assert not zone(off_road, GERMAN) >> hexagon("2520") & 1


def test_7_3_units_stop_on_entering_an_enemy_zone(moving):
    """Infantry at 2318 may enter the zone of 2517 at 2417, and no way leads on through the zone."""
    table = moving("allied", "2519 99/393\n2517 560VG/1129\n2318 99/394")
    assert "2417" in reach(table, "99/394")
    for label in reach(table, "99/394"):
        way = way_of(table, "99/394", label)
        assert not any(zone(table.state, GERMAN) >> h & 1 for h in way[:-1])


def test_7_3_no_move_from_zone_to_zone(moving):
    """A unit in the zone of 2517 may not step to another hex of it."""
    table = moving("allied", "2417 99/393\n2517 560VG/1129\n2219 26VG/39\n2316 26VG/77")
    assert len(way_of(table, "99/393", "2518")) > 2  # only round the zone
    table = moving("allied", "2417 99/393\n2517 560VG/1129\n2519 26VG/39\n2217 26VG/77").play("select 99/393")
    assert table.refusal("move 99/393 2416") == ("7.3", "zone-to-zone")


def test_7_3_the_150th_brigade_infiltrates_once(moving):
    """In the zone of 2517 the brigade may go straight to another hex of it, once, on the first three turns."""
    lines = "2518 150Bde oos\n2517 99/393"
    table = moving("german", lines, turn=3).play("select 150Bde")
    assert "infiltrate 150Bde 2417" in table.choices()
    table.play("infiltrate 150Bde 2417")
    assert where(table, "150Bde") == "2417"
    assert table.state.infiltrated == 1
    assert not moving("german", lines, turn=4).play("select 150Bde").choices("infiltrate")


def test_7_3_the_150th_brigade_passes_through_one_zone(moving):
    """Stacked in 2618 it enters the zone of 2520 in Bastogne and goes on to a hex without zone that it could not reach
    round it; to go on it must leave the zone at once."""
    table = moving("german", "2618 150Bde, 12VG/27\n2520 99/393", turn=3).play("select 150Bde")
    assert "move 150Bde 2318" not in table.choices()
    table.play("infiltrate 150Bde 2519")
    assert table.state.infiltrated == 1
    assert "move 150Bde 2318" in table.choices()
    assert "via 150Bde 2419" not in table.choices()
    assert where(table.play("move 150Bde 2318"), "150Bde") == "2318"


def test_7_3_the_150th_brigade_may_end_in_another_zone(moving):
    """Only the next hex must be free of zones: from 2714 through 2614 to 2414 beside the enemy in 2514."""
    lines = "1623 28/109\n2916 28/110\n2917 4/8\n1719 4/12\n2514 2/9\n1708 2/23\n2714 150Bde"
    table = moving("german", lines, turn=2).play("select 150Bde")
    assert in_zone(table, "2614")
    assert in_zone(table, "2414")
    assert "move 150Bde 2414" not in table.choices()
    table.play("infiltrate 150Bde 2614", "move 150Bde 2414")
    assert where(table, "150Bde") == "2414"


def test_7_3_a_retreat_through_zones_costs_the_stack_one_step(fighting):
    """The only way leads through a zone: one of the two units loses a step."""
    around = "2416 12VG/27\n2617 26VG/39\n2616 26VG/77\n2516 18VG/293\n2417 18VG/294"
    table = fight(fighting("german", f"{OPEN} 99/393, 99/394\n{around}"), OPEN, "12VG/27").play("roll 3")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert table.said("retreat-through-zone")
    assert table.choices("lose") == ["lose 99/393", "lose 99/394"]


def test_7_3_friends_lift_zones_for_a_retreat(fighting):
    """With a friend in 2518 the way through it costs nothing."""
    around = "2416 12VG/27\n2617 26VG/39\n2616 26VG/77\n2516 18VG/293\n2417 18VG/294"
    table = fight(fighting("german", f"{OPEN} 99/393\n2518 99/394\n{around}"), OPEN, "12VG/27").play("roll 3")
    while table.choices("retreat"):
        table.play(table.choices("retreat")[0])
    assert not table.said("retreat-through-zone")
    assert lost(table, "99/393") == 0


def binds(lines, label, side=ALLIED):
    return bool(binding_zone(stage(lines), side) >> hexagon(label) & 1)


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
