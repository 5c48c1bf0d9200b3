"""Chapters 7, 9 and 10: zones of control, boundaries, movement and bridges."""

from __future__ import annotations

from itertools import pairwise

from tests.games.deadly_woods.conftest import asset, hexagon, lost, reach, way_of, where

from salient.common.sides import ALLIED, GERMAN
from salient.games.deadly_woods import model
from salient.games.deadly_woods.model import BRIDGE_NAMES
from salient.games.deadly_woods.movement import cost, ways
from salient.games.deadly_woods.supply import is_supplied
from salient.games.deadly_woods.zones import zone


def in_zone(table, label, side=ALLIED):
    return bool(zone(table.state, side) >> hexagon(label) & 1)


def points(table, unit, label):
    u = model.UNIT[unit]
    return cost(table.state, u, hexagon(label), ways(table.state, u))


# ---- 7 Zones of control ---------------------------------------------------------------------------


def test_7_1_a_zone_covers_all_adjacent_hexes(moving):
    """Infantry at 2517 in the open controls its six neighbours."""
    table = moving("german", "2517 99/393\n4009 150Bde")
    assert all(in_zone(table, label) for label in ("2416", "2417", "2516", "2518", "2616", "2617"))


def test_7_1_circled_units_have_no_zone_but_stack_with_others(moving):
    """A cavalry group on its last step has no zone; with infantry beside it the stack has one."""
    assert not in_zone(moving("german", "2517 14Cav lost=1\n4009 150Bde"), "2516")
    assert in_zone(moving("german", "2517 14Cav lost=1, 106/422\n4009 150Bde"), "2516")


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


# ---- 9 Boundaries ---------------------------------------------------------------------------------


def test_9_2_no_german_crosses_an_army_boundary_on_turns_1_to_3(moving):
    """Near Schönberg and Manderfeld the line keeps units of 6th Panzer Army out of the zone of the 5th."""
    inside = moving("german", "3710 12VG/27", turn=2)
    zone5 = model.ARMY_ZONE["5"]
    assert all(not zone5 >> hexagon(label) & 1 for label in reach(inside, "12VG/27"))
    outside = moving("german", "3710 12VG/27", turn=4)
    assert any(zone5 >> hexagon(label) & 1 for label in reach(outside, "12VG/27"))
    inside.play("select 12VG/27")
    assert inside.refusal("move 12VG/27 3711") == ("9.2", "army-boundary")


def test_9_2_1_the_inner_boundary_goes_a_turn_after_st_vith_is_entered(moving):
    """St. Vith entered on turn 2: on turn 3 the line between 5th and 6th Panzer Army is gone, not on turn 2."""
    zone5 = model.ARMY_ZONE["5"]
    for turn, lifted in ((2, False), (3, True)):
        table = moving("german", "3710 12VG/27", turn=turn, st_vith=2)
        assert any(zone5 >> hexagon(label) & 1 for label in reach(table, "12VG/27")) is lifted


def test_9_2_1_entering_st_vith_is_noted(moving):
    """A German who moves through St. Vith on turn 2 starts the clock."""
    table = moving("german", "3212 18VG/293", turn=2, st_vith=0).play("select 18VG/293", "move 18VG/293 3211")
    assert table.state.st_vith == 2


def test_9_3_the_british_stay_in_their_zone(moving):
    """29th Armoured Brigade at the edge of the zone does not leave it."""
    edge = next(
        h for h in range(model.HEXES) if model.BRITISH_ZONE >> h & 1 and model.TOUCHING[h] & ~model.BRITISH_ZONE
        and not model.WEST_OF_MEUSE >> h & 1 and model.CLEAR >> h & 1
    )  # fmt: skip
    table = moving("allied", f"{model.BOARD.labels[edge]} 29Bde", turn=6)
    assert all(model.BRITISH_ZONE >> hexagon(label) & 1 for label in reach(table, "29Bde"))


def test_9_4_the_14th_parachute_regiment_passes_the_line(moving):
    """On turn 1 it may go from 3319 into the zone of 7th Army, but not deep into that of 5th Panzer Army."""
    table = moving("german", "3319 5FJ/14\n3318 26VG/39", turn=1)
    assert any(model.ARMY_ZONE["7"] >> hexagon(label) & 1 for label in reach(table, "5FJ/14"))
    far = moving("german", "3418 5FJ/14", turn=1)
    near = [hexagon(label) for label in reach(far, "5FJ/14") if model.ARMY_ZONE["5"] >> hexagon(label) & 1]
    assert all(model.WITHIN[h][2] & model.ARMY_ZONE["7"] for h in near)


# ---- 10.1 to 10.3 ---------------------------------------------------------------------------------


def test_10_1_infantry_and_motorized_units_pay_different_costs(moving):
    """Off the road clear ground costs infantry 1 and motorized units 2; forest is closed to the latter."""
    table = moving("allied", "1408 99/393\n1308 14Cav")
    assert points(table, "99/393", "1407") == 1
    assert points(table, "14Cav", "1307") == 2
    assert "3410" not in reach(moving("allied", "3409 14Cav"), "14Cav")


def test_10_1_units_without_capacity_do_not_move(moving):
    """Von der Heydte's battalion never moves."""
    table = moving("german", "1408 VdH\n1308 12VG/27")
    assert table.choices("select") == ["select 12VG/27"]
    assert table.refusal("select VdH") == ("10.1", "no-capacity")


def test_10_2_units_pay_for_hexes_and_hexsides(moving):
    """Infantry pays 2 for a clear hex across an unbridged minor river and moves up to three points."""
    table = moving("allied", "2516 99/393")
    assert points(table, "99/393", "2515") == 2
    assert all(points(table, "99/393", label) <= 3 for label in reach(moving("allied", "1408 99/393"), "99/393"))


def test_10_2_1_a_unit_moves_once_a_round(moving):
    """Once moved, a unit is not offered again."""
    table = moving("allied", "1408 99/393\n1308 99/394").play("select 99/393", "move 99/393 1407")
    assert table.choices("select") == ["select 99/394"]
    assert table.refusal("select 99/393") == ("10.2.1", "moved-already")


def test_10_2_1_a_move_is_finished_before_the_next(moving):
    """A unit under way ends its move before another is taken up."""
    table = moving("allied", "1408 99/393\n1308 99/394").play("select 99/393", "via 99/393 1407")
    assert table.refusal("select 99/394") == ("10.2.1", "finish-move-first")
    assert table.refusal("pass") == ("10.2.1", "finish-move-first")
    assert table.play("move 99/393 1407").choices("select") == ["select 99/394"]


def test_10_2_1_the_last_move_does_not_end_the_round(moving):
    """Who has moved his last unit says so himself: until then nothing is drawn and the move can be undone."""
    table = moving("allied", "1408 99/393\n4012 12VG/27").play("select 99/393", "move 99/393 1407")
    assert (table.actor, table.choices()) == ("allied", ["pass"])
    assert (table.state.turn, table.play("pass").state.turn) == (4, 5)


def test_10_2_1_a_unit_in_hand_is_no_commitment(moving):
    """Taken up, it is laid down again or another taken up instead, and forfeits nothing; told to stay, it is done."""
    start = moving("allied", "1408 99/393\n1308 99/394")
    table = start.try_all("select 99/393")
    assert table.try_all("cancel").state.key() == start.state.key()
    assert table.try_all("select 99/394").state.key() == start.try_all("select 99/394").state.key()
    assert table.refusal("pass") == ("10.2.1", "move-or-cancel")
    stays = table.play("move 99/393 1408")
    assert stays.choices("select") == ["select 99/394"]
    assert not stays.state.moved


def test_10_3_a_trapped_unit_slips_past_a_supplied_friend(moving):
    """Zones on all sides: 393 slips through the hex of 394, who must stay, to a supplied hex away from the enemy."""
    table = moving("allied", "2417 99/393\n2318 99/394\n2517 560VG/1129\n2217 26VG/39\n2519 12VG/27")
    assert reach(table, "99/393") == set()
    table.play("select 99/393")
    ways = table.choices("withdraw")
    assert ways
    assert all(way.split()[2] == "2318" for way in ways)
    table.play(ways[0])
    assert where(table, "99/393") == ways[0].split()[3]
    assert table.refusal("select 99/394") == ("10.2.1", "moved-already") or not table.choices("select")


TRAPPED = "2417 99/393\n2517 560VG/1129\n2217 26VG/39\n2519 12VG/27"


def test_10_3_the_owner_chooses_who_holds_the_door(moving):
    """Two friends at the door: one of them stays, and the other may still move."""
    table = moving("allied", f"{TRAPPED}\n2318 99/394, 99/395").play("select 99/393", "withdraw 99/393 2318 2319")
    assert table.choices() == ["hold 99/394", "hold 99/395"]
    assert table.refusal("hold 99/393") == ("10.3", "not-at-the-door")
    table.play("hold 99/395")
    assert table.choices("select") == ["select 99/394"]


def test_10_3_who_stays_anyway_holds_the_door(moving):
    """395 has been told to stay: it holds the door, nobody is asked and 394 may move."""
    table = moving("allied", f"{TRAPPED}\n2318 99/394, 99/395").play("select 99/395", "move 99/395 2318")
    table.play("select 99/393", "withdraw 99/393 2318 2319")
    assert table.choices("select") == ["select 99/394"]


def test_10_3_air_supply_serves_a_withdrawal(moving):
    """Germans on every Allied entry hex: only the air supply marker makes friend and hex supplied ones [8.6]."""
    entries = [label for h, label in enumerate(model.BOARD.labels) if model.ENTRIES[ALLIED] >> h & 1]
    trapped = {line.split()[1] for line in TRAPPED.split("\n")}
    germans = [model.UNITS[u] for u in model.SIDE_UNITS[GERMAN] if model.UNITS[u] not in trapped]
    cut = "\n".join(f"{label} {unit}" for label, unit in zip(entries, germans, strict=False))
    lines = f"{TRAPPED}\n2318 99/394\n{cut}"
    assert not moving("allied", lines, turn=6).play("select 99/393").choices("withdraw")
    by_air = moving("allied", f"{lines}\n2320 Air", turn=6).play("select 99/393")
    assert by_air.choices("withdraw") == ["withdraw 99/393 2318 2319"]
    assert where(by_air.play("withdraw 99/393 2318 2319"), "99/393") == "2319"


# ---- 10.4, 10.5 Roads -----------------------------------------------------------------------------


def test_10_4_road_costs(moving):
    """By road infantry pays 1 into woods, motorized units one half."""
    table = moving("allied", "2519 99/393")
    assert points(table, "99/393", "2520") == 1
    assert points(moving("allied", "2519 14Cav"), "14Cav", "2520") == 0.5


def test_10_4_1_no_road_rate_for_units_that_begin_stacked(moving):
    """Two units in Bastogne: neither drives at the road rate, even after the other has left."""
    table = moving("allied", "2519 14Cav, 106/422")
    assert points(table, "14Cav", "2418") == 2
    table.play("select 106/422", "move 106/422 2420")
    assert points(table, "14Cav", "2418") == 2


def test_10_4_1_a_motorized_unit_begins_on_a_road(moving):
    """From 2420, off the road, the road to 2419 and on does not help."""
    table = moving("allied", "2420 14Cav")
    assert points(table, "14Cav", "2419") == 2
    assert points(table, "14Cav", "2319") == 4


def test_10_4_1_stacking_on_the_way_costs_the_full_rate_from_there_on(moving):
    """Through a friend's hex the road rate is lost: 2 points for 2418; 2318 beyond it is cheaper round by 2417."""
    alone = moving("allied", "2519 14Cav")
    assert points(alone, "14Cav", "2318") == 1
    table = moving("allied", "2519 14Cav\n2418 106/422")
    assert points(table, "14Cav", "2418") == 2
    assert points(table, "14Cav", "2318") == 3


def test_10_5_allied_infantry_rides_on_roads_only(moving):
    """On a road infantry rides up to twelve road hexes, all of its way on roads."""
    table = moving("allied", "2519 99/393")
    far = [label for label in reach(table, "99/393") if model.BOARD.distance(hexagon("2519"), hexagon(label)) > 3]
    assert far
    for label in far:
        way = way_of(table, "99/393", label)
        assert len(way) <= 13
        assert all(model.BOARD.road(a, b) for a, b in pairwise(way))


def test_10_5_german_infantry_rides_only_when_arriving_or_under_the_marker(moving):
    """The example: capacity 3 becomes 6, twelve hexes by road under the marker; without it three."""
    on_foot = moving("german", "4019 12VG/27")
    assert max(len(way_of(on_foot, "12VG/27", h)) for h in reach(on_foot, "12VG/27")) <= 4
    riding = moving("german", "4019 12VG/27", motor=model.UNIT["12VG/27"])
    assert max(len(way_of(riding, "12VG/27", h)) for h in reach(riding, "12VG/27")) == 13


def test_10_5_riding_infantry_passes_a_friend_at_the_full_cost(moving):
    """Two road hexes for one half each, a friend's hex and the one beyond it for 2 each: 5 of 6 points."""
    table = moving("allied", "1604 99/393\n1306 99/394")
    assert points(table, "99/393", "1306") == 3
    assert points(table, "99/393", "1206") == 5


def test_12_6_the_marker_comes_off_next_to_the_enemy(moving):
    """A cavalry group without zone beside the road: riding ends next to it, and so does the marker."""
    rides = moving("german", "4019 12VG/27", motor=model.UNIT["12VG/27"])
    far = max(reach(rides, "12VG/27"), key=lambda label: model.BOARD.distance(hexagon("4019"), hexagon(label)))
    way = way_of(rides, "12VG/27", far)
    beside = next(h for h in model.BOARD.adjacent[way[5]] if h not in way)
    table = moving("german", f"4019 12VG/27\n{model.BOARD.labels[beside]} 14Cav lost=1", motor=model.UNIT["12VG/27"])
    near = model.TOUCHING[beside]
    for label in reach(table, "12VG/27"):
        steps = way_of(table, "12VG/27", label)
        assert len(steps) <= 4 or not any(near >> h & 1 for h in steps[:-1])
    stop = next(h for h in way if near >> h & 1)
    table.play("select 12VG/27", f"move 12VG/27 {model.BOARD.labels[stop]}")
    assert table.state.motor == -1


# ---- 10.6 Bridges ---------------------------------------------------------------------------------


def test_10_6_a_bridge_costs_motorized_units_two_off_the_road(moving):
    """Into 3217 over the bridge of Dasburg: one half by road; stacked, 2 for the hex and 2 for the bridge."""
    assert points(moving("german", "3317 2Pz/3"), "2Pz/3", "3217") == 0.5
    assert points(moving("german", "3317 2Pz/3, 2Pz/304"), "2Pz/3", "3217") == 4


def test_10_6_1_a_blown_bridge_costs_infantry_one_and_motorized_three(moving):
    """The blown bridge of Dasburg: infantry 1 + 1, motorized units 2 + 3, and no road."""
    assert points(moving("german", "blown 3217/3317\n3317 26VG/39"), "26VG/39", "3217") == 2
    assert points(moving("german", "blown 3217/3317\n3317 2Pz/3"), "2Pz/3", "3217") == 5


def test_10_6_2_moving_over_a_blown_bridge_rebuilds_it(moving):
    """One bridge an army zone a turn: a second one of the zone is crossed but stays blown."""
    table = moving("german", "blown 3217/3317 3218/3319\n3317 26VG/39\n3319 26VG/77")
    table.play("select 26VG/39", "move 26VG/39 3217")
    assert BRIDGE_NAMES.index("3217/3317") not in [b for b in range(78) if table.state.blown >> b & 1]
    table.play("select 26VG/77", "move 26VG/77 3218")
    assert table.state.blown >> BRIDGE_NAMES.index("3218/3319") & 1


def test_10_6_3_no_armour_over_ouren_on_turn_1(moving):
    """On turn 1 tanks in 3315 cannot cross to 3215, infantry can; on turn 2 tanks can."""
    assert "3215" not in reach(moving("german", "3315 116Pz/60", turn=1), "116Pz/60")
    assert "3215" in reach(moving("german", "3315 560VG/1130", turn=1), "560VG/1130")
    assert "3215" in reach(moving("german", "3315 116Pz/60", turn=2), "116Pz/60")


def test_10_6_4_units_wait_west_of_the_meuse(moving):
    """17th Airborne in Namur stays on the left bank until turn 9 or until a German crosses."""
    lines = "0806 17/507"
    west = model.WEST_OF_MEUSE
    assert west >> hexagon("0806") & 1
    held = reach(moving("allied", lines, turn=8), "17/507")
    assert all(west >> hexagon(label) & 1 for label in held)
    for table in (moving("allied", lines, turn=9), moving("allied", lines, turn=8, meuse_crossed=1)):
        assert any(not west >> hexagon(label) & 1 for label in reach(table, "17/507"))


def test_10_6_4_fifth_armored_stays_near_area_j(moving):
    """Entered by J it stays within three hexes; entered elsewhere it is free."""
    near = model.WITHIN[hexagon("3101")][3] | model.WITHIN[hexagon("3401")][3]
    held = reach(moving("allied", "3101 5A/CCA", turn=6), "5A/CCA")
    assert held
    assert all(near >> hexagon(label) & 1 for label in held)
    free = reach(moving("allied", "3101 5A/CCA", turn=6, fifth_free=1), "5A/CCA")
    assert any(not near >> hexagon(label) & 1 for label in free)


def test_12_4_4_a_german_pays_everything_to_enter_an_engineers_hex(moving):
    """From 2618 a German reaches the engineers in 2617 only as a first step; they come back two turns later."""
    table = moving("german", "2618 12VG/27\n2617 VIII-Eng", turn=4)
    assert points(table, "12VG/27", "2617") == 3
    table.play("select 12VG/27", "move 12VG/27 2617")
    assert asset(table, "VIII-Eng") == "turn-6"
    far = moving("german", "2719 12VG/27\n2617 VIII-Eng", turn=4)
    assert "2617" not in reach(far, "12VG/27")


def test_12_5_greif_slows_allied_road_movement(moving):
    """Two points more to enter its hex by road, none off the road."""
    assert points(moving("allied", "2519 14Cav\n2418 Greif"), "14Cav", "2418") == 2  # off the road is as cheap
    assert points(moving("allied", "2519 14Cav\n2520 Greif"), "14Cav", "2520") == 2.5
    assert points(moving("german", "2519 150Bde\n2520 Greif"), "150Bde", "2520") == 0.5


def test_12_8_traffic_slows_german_road_movement(moving):
    """Two points more to enter its hex by road."""
    assert points(moving("german", "2519 150Bde\n2520 Traffic"), "150Bde", "2520") == 2.5
    assert points(moving("allied", "2519 14Cav\n2520 Traffic"), "14Cav", "2520") == 0.5


def test_8_3_german_armour_out_of_supply_moves_as_its_last_step(moving):
    """It abandons its tanks: the third step, mechanized, moves 3 without roads."""
    table = moving("german", "2519 2Pz/3 oos")
    assert points(table, "2Pz/3", "2418") == 2
    table.play("select 2Pz/3", "move 2Pz/3 2418")
    assert lost(table, "2Pz/3") == 2
    assert table.said("abandons-tanks")


def test_8_3_a_heavy_tank_battalion_out_of_supply_cannot_move(moving):
    """It has no mechanized step to escape with."""
    table = moving("german", "2519 506 oos").play("select 506")
    assert table.candidates() == ["move 506 2519"]
    assert table.refusal("move 506 2418") == ("8.3", "tanks-stand")


def test_8_3_allied_cavalry_out_of_supply_moves_three_without_roads(moving):
    """Surrounded roads: the capacity is 3 and every hex costs its full price."""
    ring = "2518 12VG/27\n2418 26VG/39\n2520 26VG/77\n2619 18VG/293\n2618 18VG/294\n2419 62VG/164"
    cut = moving("allied", f"2519 14Cav\n{ring}")
    assert reach(cut, "14Cav") == set()
    roads = "2320 62VG/164\n2418 26VG/39\n2518 12VG/27\n2520 26VG/77\n2618 18VG/294"
    walks = moving("allied", f"2419 14Cav\n{roads}\n2219 62VG/190\n2221 12VG/48")
    assert not is_supplied(walks.state, model.UNIT["14Cav"])
    assert all(model.BOARD.distance(hexagon("2419"), hexagon(label)) == 1 for label in reach(walks, "14Cav"))


def test_8_3_mechanized_germans_out_of_supply_move_three(moving):
    """A mechanized brigade without supply gets one clear hex for 2 of its 3 points."""
    table = moving("german", "2519 FB oos")
    assert points(table, "FB", "2418") == 2
    assert "2318" not in reach(table, "FB")


def test_8_5_peiper_takes_the_fuel_by_entering(moving):
    """On turn 1 Peiper passes through 3508 by a way of his choice and has the fuel."""
    table = moving("german", "3607 1SS/Peiper", turn=1).play("select 1SS/Peiper", "via 1SS/Peiper 3508")
    assert table.state.fuel == 1
    assert where(table.play("move 1SS/Peiper 3407"), "1SS/Peiper") == "3407"


def test_3_5_control_changes_on_entering(moving):
    """A German who passes through Bastogne takes it; an Ally takes it back."""
    table = moving("german", "2518 12VG/27", turn=4).play("select 12VG/27", "move 12VG/27 2519")
    assert table.state.german_held >> hexagon("2519") & 1
    back = moving("allied", "2518 99/393", german_held=1 << hexagon("2519"))
    back.play("select 99/393", "move 99/393 2519")
    assert not back.state.german_held >> hexagon("2519") & 1


def test_3_5_a_way_through_a_town_can_be_chosen(moving):
    """From 2518 to 2419 there are equally short ways; `via` leads through Bastogne and takes it."""
    table = moving("german", "2518 12VG/27").play("select 12VG/27", "via 12VG/27 2519", "move 12VG/27 2419")
    assert where(table, "12VG/27") == "2419"
    assert table.state.german_held >> hexagon("2519") & 1


# ---- 10.2 The way of a move -----------------------------------------------------------------------


def effects_of(table, text):
    """The events that a preview names."""
    return [effect["key"] for effect in table.game.preview(table.state, table.game.read(text))["effects"]]


def test_10_2_a_unit_is_led_hex_by_hex(moving):
    """Three hexes of its own choice cost what the hexes cost; then the points are spent, and it can only stop."""
    table = moving("allied", "1408 99/393\n1308 99/394").play("select 99/393")
    table.play("via 99/393 1407", "via 99/393 1408")
    assert where(table, "99/393") == "1408"
    assert table.refusal("via 99/393 1408") == ("10.2", "is-there")
    table.play("move 99/393 1308")
    assert where(table, "99/393") == "1308"
    assert table.refusal("select 99/393") == ("10.2.1", "moved-already")


def test_10_2_what_is_left_follows_the_way_walked(moving):
    """Mechanized cavalry that leaves the road for 2619 pays the full cost from there on; by 2618 it drives on."""
    start = moving("allied", "2519 14Cav\n4012 12VG/27").play("select 14Cav")
    beside, along = (start.try_all(f"via 14Cav {h}").destinations("14Cav") for h in ("2619", "2618"))
    assert max(model.BOARD.distance(hexagon("2619"), hexagon(h)) for h in beside) < 3
    assert max(model.BOARD.distance(hexagon("2618"), hexagon(h)) for h in along) > 6


def test_10_2_a_waypoint_in_an_enemy_zone_is_an_end(moving):
    """Nobody goes on from a zone: such a hex ends a move and is no waypoint."""
    table = moving("german", "2514 12VG/27\n2517 99/393").play("select 12VG/27")
    zone_hex = next(h for h in sorted(table.destinations("12VG/27")) if in_zone(table, h))
    assert table.refusal(f"via 12VG/27 {zone_hex}") == ("7.3", "must-stop-there")
    assert table.refusal("via 12VG/27 4012") == ("10.2", "too-far")


def test_10_6_2_a_bridge_is_rebuilt_by_the_way_that_is_chosen(moving):
    """The plain move drives round the ruin; the step across it rebuilds the bridge, and the preview says so."""
    lines = "blown 3007/3107\n3107 9A/CCR\n4012 12VG/27"
    table = moving("allied", lines).play("select 9A/CCR")
    assert effects_of(table, "move 9A/CCR 3007") == []
    assert effects_of(table, "via 9A/CCR 3007") == ["bridge-rebuilt"]
    assert table.try_all("move 9A/CCR 3007").state.blown
    assert not table.play("via 9A/CCR 3007", "move 9A/CCR 3007").state.blown
    assert where(table, "9A/CCR") == "3007"


def test_10_6_4_a_plain_move_spares_the_meuse(moving):
    """From 0815 to Dinant both banks cost three points: the move stays on the east bank; by Givet it can be led."""
    table = moving("german", "0815 2Pz/3\n4012 12VG/27\n0120 4/8").play("select 2Pz/3")
    assert "meuse-crossed" not in effects_of(table, "move 2Pz/3 0912")
    assert not table.try_all("move 2Pz/3 0912").state.meuse_crossed
    over = next(h for h in sorted(table.destinations("2Pz/3")) if model.WEST_OF_MEUSE >> hexagon(h) & 1)
    assert "meuse-crossed" in effects_of(table, f"move 2Pz/3 {over}")


def test_6_3_1_a_plain_move_spares_the_delay(moving):
    """From 2218 to 2418 the way by 2319 costs as much as that through the Delay in 2318."""
    table = moving("allied", "2218 4/8\n2318 Delay\n0120 4/12\n4012 12VG/27").play("select 4/8")
    assert where(table.try_all("move 4/8 2418"), "Delay") == "2318"
    assert where(table.try_all("via 4/8 2318", "move 4/8 2418"), "Delay") == "box"


def test_10_3_the_delay_holds_no_door(moving):
    """It gives way as the unit enters, so it cannot stay behind as the unit that held the door open."""
    assert moving("allied", f"{TRAPPED}\n2318 99/394").play("select 99/393").choices("withdraw")
    assert not moving("allied", f"{TRAPPED}\n2318 Delay").play("select 99/393").choices("withdraw")
